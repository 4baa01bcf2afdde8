//! Tests of `sluice sim` on circuits: files with `hw.module` and no functions.

use std::process::{Command, Output};

use super::assertions::sluice;

/// A counter inside another module; 70 bits wide, so that it has two limbs.
pub(crate) const COUNTER: &str = "
hw.module @count(in %clock : !seq.clock, in %reset : i1, in %by : i70, out value : i70) {
  %zero = hw.constant 0 : i70
  %next = comb.add %value, %by : i70
  %value = seq.compreg %next, %clock reset %reset, %zero : i70
  hw.output %value : i70
}
hw.module @top(in %clock : !seq.clock, in %reset : i1, in %by : i70, out low : i8, out all : i70, out full : i1) {
  %all = hw.instance \"inner\" @count(clock: %clock: !seq.clock, reset: %reset: i1, by: %by: i70) -> (value: i70)
  %low = comb.extract %all from 0 : (i70) -> i8
  %most = hw.constant 1000 : i70
  %full = comb.icmp uge %all, %most : i70
  hw.output %low, %all, %full : i8, i70, i1
}
";

fn sim(arguments: &[&str]) -> Output {
    sim_text(COUNTER, arguments)
}

fn sim_text(text: &str, arguments: &[&str]) -> Output {
    run("sim", text, arguments)
}

fn run(command: &str, text: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("c.mlir"), text).expect("it can be written");
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args([command, "c.mlir"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the command starts")
}

#[test]
fn outputs_are_those_of_the_last_cycle() {
    for backend in ["auto", "bytecode", "native"] {
        let output = sim(&[
            "--reset",
            "reset",
            "--set",
            "by=0x10",
            "--cycles",
            "11",
            "--backend",
            backend,
        ]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            said,
            "@top: 11 cycles\n  low = 0xa0\n  all = 0xa0\n  full = 0\n",
            "{backend}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn cycles_end_where_an_output_says() {
    let arguments = ["--set", "by=7", "--cycles", "100000", "--until", "full"];
    let output = sim(&arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        said,
        "@top: 144 cycles\n  low = 0xe9\n  all = 0x3e9\n  full = 1\n"
    );
    let output = sim(&["--cycles", "100", "--until", "full"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("`full` was 0 in all of 100 cycles"), "{said}");
}

#[test]
fn a_module_inside_may_be_the_top() {
    let output = sim(&["--top", "count", "--set", "by=-1", "--cycles", "2"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "@count: 2 cycles\n  value = 0x3fffffffffffffffff\n");
}

#[test]
fn what_is_not_there_is_said() {
    for (arguments, expected) in [
        (
            &["--top", "tip"][..],
            "there is no `hw.module @tip`; did you mean `top`?",
        ),
        (
            &["--set", "bye=1"],
            "@top has no input `bye`; there is: `reset`, `by`",
        ),
        (&["--set", "by"], "--set by: INPUT=VALUE is expected"),
        (
            &["--set", "reset=2"],
            "--set reset=2: a number of 1 bits is expected",
        ),
        (
            &["--until", "done"],
            "@top has no output `done`; there is: `low`, `all`, `full`",
        ),
    ] {
        let output = sim(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

/// Arrays and structures, and a register with a gated clock.
const AGGREGATES: &str = r#"
hw.module @parts(in %clock : !seq.clock, in %reset : i1, in %a : i8, in %b : i8, in %at : i2, in %go : i1,
                 in %pair : !hw.struct<x: i8, y: i8>, out chosen : i8, out bits : i16, out slice : i16, out into : i32, out y : i8, out count : i8) {
  %one = hw.constant 1 : i8
  %zero = hw.constant 0 : i8
  %list = hw.array_create %a, %b, %one, %zero : i8
  %chosen = hw.array_get %list[%at] : !hw.array<4xi8>, i2
  %both = hw.struct_create (%a, %b) : !hw.struct<x: i8, y: i8>
  %other = hw.struct_inject %both["x"], %chosen : !hw.struct<x: i8, y: i8>
  %bits = hw.bitcast %other : (!hw.struct<x: i8, y: i8>) -> i16
  %part = hw.array_slice %list[%at] : (!hw.array<4xi8>) -> !hw.array<2xi8>
  %slice = hw.bitcast %part : (!hw.array<2xi8>) -> i16
  %put = hw.array_inject %list[%at], %one : !hw.array<4xi8>, i2
  %into = hw.bitcast %put : (!hw.array<4xi8>) -> i32
  %y = hw.struct_extract %pair["y"] : !hw.struct<x: i8, y: i8>
  %gated = seq.clock_gate %clock, %go
  %next = comb.add %count, %one : i8
  %count = seq.firreg %next clock %gated reset sync %reset, %zero : i8
  hw.output %chosen, %bits, %slice, %into, %y, %count : i8, i16, i16, i32, i8, i8
}
"#;

#[test]
fn aggregates_are_words_and_gated_clocks_stand_still() {
    for (go, count) in [("go=1", "0x4"), ("go=0", "0x0")] {
        let output = sim_text(
            AGGREGATES,
            &[
                "--set",
                "a=17",
                "--set",
                "b=34",
                "--set",
                "at=2",
                "--set",
                go,
                "--set",
                "pair=0x1234",
                "--cycles",
                "5",
            ],
        );
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            said,
            format!(
                "@parts: 5 cycles\n  chosen = 0x22\n  bits = 0x2222\n  slice = 0x1122\n  into = 0x11010100\n  y = 0x34\n  count = {count}\n"
            ),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn what_is_not_simulated_is_said() {
    let register = |what: &str| {
        format!(
            "hw.module @t(in %clock : !seq.clock, in %more : !seq.clock, in %reset : i1, in %a : i8, out o : i8) {{\n{what}\n  hw.output %r : i8\n}}\n"
        )
    };
    for (what, expected) in [
        (
            "  %q = seq.compreg %a, %clock : i8\n  %r = seq.compreg %q, %more : i8",
            "c.mlir:1:1: error: `hw.module`: several clocks drive it: say the period of each in ticks, as `clock=1`, `more=1`",
        ),
        (
            "  %m = seq.firmem 0, 1, undefined, undefined {init = #seq.firmem.init<\"f\", false, false>} : <4 x 8>\n  %two = hw.constant 2 : i2\n  %r = seq.firmem.read_port %m[%two], clock %clock : <4 x 8>",
            "which is not read: No such file",
        ),
        (
            "  %r = comb.add %r, %a : i8",
            "c.mlir:2:8: error: `comb.add`: combinational loop in @t: r -> r\n",
        ),
    ] {
        let output = sim_text(&register(what), &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

/// Combinational loops in an inner module, through it, and beside it, one of which has no reader; a register breaks the last one.
const RINGS: &str = "
hw.module @sum(in %a : i8, in %held : i8, out x : i8, out y : i8) {
  %x = comb.add %a, %a : i8
  %p = comb.xor %q, %held : i8
  %q = comb.or %p, %q : i8
  hw.output %x, %held : i8, i8
}
hw.module @top(in %clock : !seq.clock, in %a : i8, out o : i8) {
  %b = comb.sub %u.x, %a : i8
  %c = comb.xor %b, %a : i8
  %u.x, %u.y = hw.instance \"u\" @sum(a: %c: i8, held: %r: i8) -> (x: i8, y: i8)
  %0 = comb.mul %1, %a : i8
  %1 = comb.mul %0, %a : i8
  %r = seq.compreg %d, %clock : i8
  %d = comb.add %r, %u.y : i8
  hw.output %b : i8
}
";

#[test]
fn all_rings_are_said_at_once() {
    for arguments in [&["--top", "top"][..], &["--verilog", "c.v"]] {
        let output = sim_text(RINGS, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        insta::assert_snapshot!("all_rings", said);
    }
    // Modules that are not below the top are not simulated.
    let output = sim_text(RINGS, &["--top", "sum"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors: Vec<&str> = said.lines().filter(|l| l.contains("error")).collect();
    assert_eq!(
        errors,
        ["c.mlir:4:8: error: `comb.xor`: combinational loop in @sum: p -> q -> p"]
    );
    // A module that is instantiated with several parameter values has one combinational loop.
    let width = "!hw.int<#hw.param.decl.ref<\"w\">>";
    let text = format!(
        "hw.module @m<w: i32>(in %a : {width}, out o : {width}) {{\n  %x = comb.add %x, %a : {width}\n  hw.output %x : {width}\n}}
hw.module @top(in %a : i4, in %b : i5, out o : i4, out p : i5) {{
  %o = hw.instance \"i\" @m<w: i32 = 4>(a: %a: i4) -> (o: i4)
  %p = hw.instance \"j\" @m<w: i32 = 5>(a: %b: i5) -> (o: i5)
  hw.output %o, %p : i4, i5
}}
"
    );
    let output = sim_text(&text, &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("c.mlir:2:8: error: ").count(), 1, "{said}");
    assert_eq!(said.matches("error").count(), 1, "{said}");
}

/// A memory whose second index can exceed its dimension, so that a linear address would reach another row.
const GRID: &str = "
hw.module @grid(in %clock : !seq.clock, in %reset : i1, in %i : i1, in %j : i2, in %data : i8, in %on : i1, out first : i8, out here : i8) {
  %low = hw.constant 0 : i2
  %high = hw.constant 1 : i1
  %memory = seq.hlmem @memory %clock, %reset : <2x3xi8>
  seq.write %memory[%i, %j] %data wren %on {latency = 1} : !seq.hlmem<2x3xi8>
  %first = seq.read %memory[%high, %low] {latency = 0} : !seq.hlmem<2x3xi8>
  %here = seq.read %memory[%i, %j] {latency = 0} : !seq.hlmem<2x3xi8>
  hw.output %first, %here : i8, i8
}
";

#[test]
fn memories_have_no_words_beyond_a_dimension_and_are_not_written_in_a_reset() {
    let after = |settings: &str| {
        let settings = format!("data=7 on=1 {settings}");
        let mut arguments = vec!["--cycles", "3"];
        for setting in settings.split(' ') {
            arguments.extend(["--set", setting]);
        }
        let output = sim_text(GRID, &arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split_once('\n').map(|(_, ports)| ports.to_owned())
    };
    let ports = |first: &str, here: &str| Some(format!("  first = {first}\n  here = {here}\n"));
    // Word 3 has the indices 1 and 0; the indices 0 and 3 have no word.
    assert_eq!(after("i=0 j=3"), ports("0x0", "0x0"));
    assert_eq!(after("i=1 j=0"), ports("0x7", "0x7"));
    assert_eq!(after("i=1 j=2"), ports("0x0", "0x7"));
    assert_eq!(after("i=1 j=0 reset=1"), ports("0x0", "0x0"));
}

/// Registers without a reset start at zero in every simulator: without an initial value, Icarus Verilog would start with `x`.
#[test]
fn verilog_says_what_registers_without_a_reset_hold_at_first() {
    let text = "hw.module @t(in %clock : !seq.clock, in %reset : i1, in %a : i8, out held : i8, out back : i8) {
  %five = hw.constant 5 : i8
  %free = seq.compreg %a, %clock : i8
  %held = seq.compreg %a, %clock reset %reset, %five : i8
  %more = comb.replicate %a : (i8) -> i8000
  %wide = seq.compreg %more, %clock : i8000
  hw.output %held, %free : i8, i8
}
";
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("c.mlir"), text).expect("it can be written");
    let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir", "--verilog", "c.v"]);
    assert_eq!(code, Some(0), "{error}");
    let verilog = std::fs::read_to_string(folder.path().join("c.v")).expect("it was written");
    for line in [
        "  reg  [7:0] free = 8'd0; //",
        "*/ reg  [7999:0] wide = {8000{1'b0}}; /*",
        "  reg  [7:0] held_1; //",
    ] {
        assert!(verilog.contains(line), "{verilog}");
    }
}

/// A word that is written and read back, and held for some cycles.
const KEEPER: &str = "
hw.module @keep(in %clock : !seq.clock, in %reset : i1, in %data : i8, out held : i8) {
  %memory = seq.hlmem @memory %clock, %reset : <4xi8>
  %zero = hw.constant 0 : i4
  %one = hw.constant 1 : i4
  %three = hw.constant 3 : i4
  %six = hw.constant 6 : i4
  %next = comb.add %count, %one : i4
  %count = seq.compreg %next, %clock reset %reset, %zero : i4
  %writes = comb.icmp eq %count, %three : i4
  %reads = comb.icmp eq %count, %six : i4
  %address = hw.constant 2 : i2
  %twice = comb.add %data, %data : i8
  seq.write %memory[%address] %twice wren %writes {latency = 1} : !seq.hlmem<4xi8>
  %held = seq.read %memory[%address] rden %reads {latency = 1} : !seq.hlmem<4xi8>
  hw.output %held : i8
}
";

#[test]
fn a_value_is_followed_back_to_what_made_it() {
    let asked = ["--cycles", "12", "--set", "data=21", "--signal", "held"];
    let output = run("why", KEEPER, &asked);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    insta::assert_snapshot!(said);
    let mut logic = asked.to_vec();
    logic.extend(["--cycle", "7", "--logic", "--depth", "4"]);
    let output = run("why", KEEPER, &logic);
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout));
}

/// Between two cycles, derived edges are not visible, but their effects are.
#[test]
fn values_behind_asynchronous_resets_and_derived_clocks_have_causes() {
    let text = "
hw.module @resets(in %clk : !seq.clock, in %rst : i1, in %d : i4, out n : i4, out p : i4, out half : i4) {
  %five = hw.constant 5 : i4
  %n = seq.firreg %d clock %clk reset async %rst, %five : i4
  %p = seq.compreg %d, %clk : i4
  %slow = seq.clock_div %clk by 1
  %half = seq.compreg %p, %slow : i4
  hw.output %n, %p, %half : i4, i4, i4
}
";
    for signal in ["n", "p", "half"] {
        let asked = ["--set", "d=3", "--cycles", "6", "--signal", signal];
        let said = run("why", text, &asked);
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.contains("the end of cycle"), "{signal}: {said}");
        assert!(!said.contains("at the start"), "{signal}: {said}");
        assert!(
            said.contains(&format!("{signal} = 0x3")),
            "{signal}: {said}"
        );
    }
}

#[test]
fn questions_that_have_no_answer_say_so() {
    for (arguments, expected) in [
        (
            &["--signal", "hold"][..],
            "error: @keep has no signal `hold`; did you mean `held`?\n",
        ),
        (
            &["--signal", "held", "--cycle", "1"][..],
            "error: there is no cycle 1; the last one of the run is 0\n",
        ),
    ] {
        let output = run("why", KEEPER, arguments);
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn clocks_have_periods_and_unwritten_memory_is_named() {
    let text = "
hw.module @two(in %fast : !seq.clock, in %slow : !seq.clock, in %at : i2, out f : i8, out s : i8, out d : i8) {
  %one = hw.constant 1 : i8
  %nf = comb.add %f, %one : i8
  %ns = comb.add %s, %one : i8
  %f = seq.compreg %nf, %fast : i8
  %s = seq.compreg %ns, %slow : i8
  %m = seq.hlmem @store %fast, %never : <4xi8>
  %never = hw.constant false
  %d = seq.read %m[%at] {latency = 0} : !seq.hlmem<4xi8>
  hw.output %f, %s, %d : i8, i8, i8
}
";
    let clocks = ["--clock", "fast=1", "--clock", "slow=4:1", "--cycles", "10"];
    let output = sim_text(
        text,
        &[&clocks[..], &["--set", "at=3", "--uninitialised"]].concat(),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        said,
        "c.mlir:8:8: warning: word 3 of memory `store` is read in cycle 0 and was not written before\n"
    );
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(shown, "@two: 10 cycles\n  f = 0x9\n  s = 0x2\n  d = 0x0\n");
    for (clock, why) in [
        (
            "fast",
            "CLOCK=PERIOD or CLOCK=PERIOD:PHASE is expected, in whole ticks",
        ),
        ("fast=0", "a period is 1 to 1048576 ticks"),
        ("fast=3:3", "a phase is below the period, 0 to 2"),
    ] {
        let output = sim_text(text, &["--clock", clock]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn runs_side_by_side_are_like_one_alone() {
    let one = sim(&["--reset", "reset", "--set", "by=3", "--cycles", "11"]);
    let one = String::from_utf8_lossy(&one.stdout).into_owned();
    let outputs: Vec<&str> = one.lines().skip(1).map(str::trim).collect();
    let asked = ["--reset", "reset", "--cycles", "11", "--batch", "6"];
    let same = sim(&[&asked[..], &["--set", "by=3"]].concat());
    let said = String::from_utf8_lossy(&same.stdout).into_owned();
    let expected: Vec<String> = (0..6)
        .map(|run| format!("  run {run}: {}", outputs.join(", ")))
        .collect();
    assert_eq!(
        said,
        format!("@top: 6 runs of 11 cycles\n{}\n", expected.join("\n"))
    );
    // Inputs without a value are random, different in each run; edge values come more often.
    let drawn = sim(&asked);
    let said = String::from_utf8_lossy(&drawn.stdout).into_owned();
    let mut values: Vec<&str> = said
        .lines()
        .filter_map(|l| l.split_once(": low"))
        .map(|l| l.1)
        .collect();
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 3, "{said}");
    let refused = sim(&["--batch", "2", "--time", "--vcd", "w.vcd"]);
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        "error: c.mlir is not run once with --batch, which --time, --vcd are for\n"
    );
}

/// A graph that computes the sum of the numbers from 1 to its argument, without forks, sinks and most buffers.
const GRAPH: &str = "
handshake.func @sum(%n: i8) -> i8 {
  %s = source
  %zero = constant %s {value = 0 : i8} : i8
  %one = constant %s {value = 1 : i8} : i8
  %again = buffer [1] seq %go {initValues = [0]} : i1
  %left = mux %again [%n, %next] : i1, i8
  %sum = mux %again [%zero, %more] : i1, i8
  %go = arith.cmpi ne, %left, %zero : i8
  %left_in, %left_out = cond_br %go, %left : i8
  %sum_in, %sum_out = cond_br %go, %sum : i8
  %next = arith.subi %left_in, %one : i8
  %more = arith.addi %sum_in, %left_in : i8
  return %sum_out : i8
}
";

#[test]
fn dataflow_graphs_are_circuits_too() {
    let shown = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    let eager = [
        "--reset",
        "reset",
        "--set",
        "n=10",
        "--set",
        "n_valid=1",
        "--set",
        "out0_ready=1",
    ];
    let limits = ["--until", "out0_valid", "--cycles", "100"];
    let output = run("sim", GRAPH, &[&eager[..], &limits[..]].concat());
    assert_eq!(
        shown(&output),
        "@sum: 11 cycles\n  n_ready = 0\n  out0 = 0x37\n  out0_valid = 1\n"
    );

    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let of = |command: &str, arguments: &[&str]| {
        std::fs::write(folder.path().join("g.mlir"), GRAPH).expect("it can be written");
        Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args([command, "g.mlir"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the command starts")
    };
    let compiled = shown(&of("compile", &["-o", "out"]));
    assert!(
        compiled.starts_with("@sum on `generic` at 5 ns: a dataflow graph; about "),
        "{compiled}"
    );
    assert!(compiled.contains("\n  no deadlock: proved: "), "{compiled}");
    assert!(
        compiled.ends_with(
            "\nwrote sum.v, sum.report.txt, sum.report.json, sum.scheduled.mlir, sum.rtl.mlir to out\n"
        ),
        "{compiled}"
    );
    let report =
        std::fs::read_to_string(folder.path().join("out/sum.report.txt")).expect("a report");
    assert_eq!(report, shown(&of("report", &[])));
    for expected in [
        "\nno deadlock: proved: ",
        "\n  buffers of the graph that was given  ",
    ] {
        assert!(report.contains(expected), "{expected}: {report}");
    }
    let json =
        std::fs::read_to_string(folder.path().join("out/sum.report.json")).expect("a report");
    assert_eq!(json, shown(&of("report", &["--json"])));
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["graph"], "sum");
    assert!(json["network"]["deadlock_free"].is_string(), "{json}");
    assert!(json["estimate"]["lut"]["high"].is_number(), "{json}");
    of("report", &["--html", "page.html"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    assert!(page.contains("<p>Free from deadlock: proved: "), "{page}");
    for (command, arguments, why) in [
        (
            "compile",
            &["--verify"],
            "error: --verify is of kernels: no interpreter says what is right of a dataflow graph\n",
        ),
        (
            "sim",
            &["--top=nothing"],
            "g.mlir: error: there is no `handshake.func @nothing` with a body; what fits: `sum`\n",
        ),
    ] {
        let output = of(command, arguments);
        assert_eq!(String::from_utf8_lossy(&output.stderr), why);
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn options_of_circuits_do_what_they_say_or_are_refused() {
    let folder = super::assertions::folder(&[("c.mlir", COUNTER)]);
    let arguments = ["sim", "c.mlir", "--set", "by=10", "--until", "full"];
    let (code, said, _) = sluice(folder.path(), &arguments);
    assert_eq!(code, Some(0));
    assert!(said.starts_with("@top: 101 cycles\n"), "{said}");
    let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir", "--until", "full"]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains("error: `full` was 0 in all of 1000000 cycles; the limit `until_cycles` is"),
        "{error}"
    );
    let arguments = [
        "sim", "c.mlir", "--set", "bye=1", "--set", "by", "--set", "reset=2", "--reset", "rst",
        "--until", "fall",
    ];
    let (code, _, error) = sluice(folder.path(), &arguments);
    assert_eq!(code, Some(1));
    let expected = "error: @top has no input `bye`; there is: `reset`, `by`
error: --set by: INPUT=VALUE is expected
error: --set reset=2: a number of 1 bits is expected
error: @top has no input `rst`; there is: `reset`, `by`
error: @top has no output `fall`; there is: `low`, `all`, `full`
";
    assert_eq!(error, expected);
    for command in ["sim", "cosim"] {
        let arguments = [
            command, "c.mlir", "--config", "none", "--device", "d", "--random", "2",
        ];
        let (code, _, error) = sluice(folder.path(), &arguments);
        assert_eq!(code, Some(1));
        let expected = "error: c.mlir is not a kernel or a dataflow graph, which --config, --device are for\nerror: c.mlir is not a kernel, which --random is for\n";
        assert_eq!(error, expected);
    }
}

#[test]
fn rows_of_registers_have_a_limit() {
    let module = |what: &str| {
        format!(
            "hw.module @t(in %clock : !seq.clock, in %reset : i1, in %a : i8, in %e : i1, out o : i8) {{\n{what}\n  hw.output %r : i8\n}}\n"
        )
    };
    for (what, expected) in [
        (
            "  %r = seq.shiftreg[2000000000] %a, %clock, %e : i8",
            "c.mlir:2:8: error: `seq.shiftreg`: `numElements` is 2000000000, and 65536 at most are simulated",
        ),
        (
            "  %m = seq.hlmem @m %clock, %reset : <1xi8>\n  %at = hw.constant 0 : i0\n  %r = seq.read %m[%at] rden %e { latency = 70000 } : !seq.hlmem<1xi8>",
            "c.mlir:4:8: error: `seq.read`: `latency` is 70000, and 65536 at most are simulated",
        ),
        (
            "  %m = seq.firmem 2000000000, 1, undefined, undefined : <4 x 8>\n  %two = hw.constant 2 : i2\n  %r = seq.firmem.read_port %m[%two], clock %clock : <4 x 8>",
            "c.mlir:2:8: error: `seq.firmem`: `readLatency` is 2000000000, and 65536 at most are simulated",
        ),
        (
            "  %no = hw.constant false\n  %r, %full, %empty = seq.fifo depth 3 rd_latency 2000000000 in %a rdEn %e wrEn %e clk %clock rst %no : i8",
            "`rdLatency` is 2000000000, and 65536 at most are simulated",
        ),
    ] {
        let output = sim_text(&module(what), &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
        let output = sim_text(&module(what), &["--verilog", "c.v"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("; at most 65536 are written"), "{said}");
    }
    let graph = "handshake.func @b(%a: i8, %c: none) -> (i8, none) {\n  %h = arith.muli %a, %a {sluice.latency = 2000000000 : i64} : i8\n  handshake.return %h, %c : i8, none\n}\n";
    let output = sim_text(graph, &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let expected = "c.mlir:2:8: error: `arith.muli`: a latency of 2000000000 cycles; circuits have 65536 at most";
    assert!(said.contains(expected), "{said}");
    for (kind, most) in [("seq", 65_536), ("fifo", 2_097_152)] {
        let graph = format!(
            "handshake.func @b(%a: i8, %c: none) -> (i8, none) {{\n  %h = buffer [2000000000] {kind} %a : i8\n  handshake.return %h, %c : i8, none\n}}\n"
        );
        let output = sim_text(&graph, &[]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = format!(
            "c.mlir:2:8: error: `handshake.buffer`: a buffer of 2000000000 slots; circuits have {most} at most in one; "
        );
        assert!(said.contains(&expected), "{said}");
    }
}

/// Two memories of one module, initialised from hexadecimal and binary files, read at the cycle number.
const FILLED: &str = "hw.module @rom(in %clock : !seq.clock, in %reset : i1, out h : i8, out b : i4) {
  %zero = hw.constant 0 : i2
  %one = hw.constant 1 : i2
  %next = comb.add %at, %one : i2
  %at = seq.compreg %next, %clock reset %reset, %zero : i2
  %m = seq.firmem 0, 1, undefined, undefined {init = #seq.firmem.init<\"words/h.hex\", false, false>} : <4 x 8>
  %h = seq.firmem.read_port %m[%at], clock %clock : <4 x 8>
  %n = seq.firmem 0, 1, undefined, undefined {init = #seq.firmem.init<\"b.mem\", true, true>} : <4 x 4>
  %b = seq.firmem.read_port %n[%at], clock %clock : <4 x 4>
  hw.output %h, %b : i8, i4
}
";

#[test]
fn memories_are_filled_from_files() {
    let data = "module: rom
reset: reset
cases:
  - outputs: {h: [0x11, 0x22, 0, 0xff], b: [5, 0, 10, 0]}
";
    let folder = super::assertions::folder(&[
        ("c.mlir", FILLED),
        ("data.yaml", data),
        ("b.mem", "0101 @2 10_10"),
    ]);
    let path = folder.path();
    std::fs::create_dir(path.join("words")).expect("it can be made");
    let write = |text: &str| std::fs::write(path.join("words/h.hex"), text).expect("it is written");
    write("11 22 // two\n@3 ff\n");
    let (code, said, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(0), "{said}{error}");
    let (code, _, error) = sluice(path, &["sim", "c.mlir", "--cycles", "9", "--uninitialised"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    if super::cosim::has_verilator() {
        for arguments in [
            &["cosim", "c.mlir"][..],
            &["cosim", "c.mlir", "--cycles", "9"],
        ] {
            let (code, _, error) = sluice(path, &[arguments, &["--cache", "models"]].concat());
            assert_eq!(code, Some(0), "{error}");
        }
    }
    let (code, _, error) = sluice(
        path,
        &["sim", "c.mlir", "--verilog", "c.v", "--cycles", "1"],
    );
    assert_eq!(code, Some(0), "{error}");
    let verilog = std::fs::read_to_string(path.join("c.v")).expect("it was written");
    for line in [
        "  initial $readmemh(\"words/h.hex\", m);\n",
        "  initial $readmemb(\"b.mem\", n);\n",
    ] {
        assert!(verilog.contains(line), "{verilog}");
    }
    write("11 2g 0 0 123\n 5");
    std::fs::remove_file(path.join("b.mem")).expect("it was there");
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    for expected in [
        "words/h.hex:1:4: error: `2g` is no hexadecimal number\n",
        "words/h.hex:1:11: error: `123` is beyond the 4 words\n",
        "c.mlir:8:8: error: the first words are in `b.mem`, which is not read: No such file",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn widths_that_are_parameters_are_those_of_the_instance() {
    let width = "!hw.int<#hw.param.decl.ref<\"w\">>";
    let inner = format!(
        "hw.module @inner<w: i32>(in %a : {width}, out o : {width}) {{\n  %x = comb.add %a, %a : {width}\n  hw.output %x : {width}\n}}\n"
    );
    let top = "hw.module @top(in %a : i8, in %b : i4, out o : i8, out p : i4) {
  %r = hw.instance \"i\" @inner<w: i32 = 8>(a: %a: i8) -> (o: i8)
  %s = hw.instance \"j\" @inner<w: i32 = 4>(a: %b: i4) -> (o: i4)
  hw.output %r, %s : i8, i4
}
";
    let both = format!("{inner}{top}");
    let output = sim_text(&both, &["--set", "a=200", "--set", "b=9"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "@top: 1 cycles\n  o = 0x90\n  p = 0x2\n");
    let output = sim_text(&both, &["--verilog", "/dev/stdout"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("module inner_w_4 ("), "{said}");
    // The top has other parameters than the instances.
    let inner_alone = ["--top", "inner", "--parameter", "w=0x50", "--set", "a=1"];
    for text in [&inner, &both] {
        let output = sim_text(text, &inner_alone);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said, "@inner: 1 cycles\n  o = 0x2\n");
    }
    let wide = format!(
        "hw.module @wide<w: i32>(in %a : {width}, out o : i8) {{\n  %x = comb.extract %a from 8 : ({width}) -> i8\n  hw.output %x : i8\n}}\n"
    );
    for (text, arguments, expected) in [
        (
            &inner,
            &[][..],
            "c.mlir:1:1: error: the parameter `w` has no number: `--parameter w=NUMBER` gives it one",
        ),
        (
            &inner,
            &["--parameter", "v=8"],
            "c.mlir:1:1: error: `@inner` has no parameter `v`; did you mean `w`?",
        ),
        (
            &inner,
            &["--parameter", "w=4294967296"],
            "c.mlir:1:1: error: the parameter `w` is i32, which does not hold `4294967296`",
        ),
        (
            &both,
            &["--parameter", "w=8"],
            "c.mlir:5:1: error: `@top` has no parameter `w`; it has none",
        ),
        (&inner, &["--parameter", "w"], "NAME=NUMBER is expected"),
        // All errors are reported together.
        (
            &inner,
            &["--parameter", "u=1", "--parameter", "w=x"],
            "2 errors",
        ),
        // An error of the value is found where it is substituted.
        (&wide, &["--parameter", "w=9"], "c.mlir:2:8: error: "),
    ] {
        let output = sim_text(text, arguments);
        assert_ne!(output.status.code(), Some(0));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_data_file_says_parameters() {
    let width = "!hw.int<#hw.param.decl.ref<\"w\">>";
    let text = format!(
        "hw.module @m<w: i32 = 4>(in %a : {width}, out o : {width}) {{\n  %x = comb.add %a, %a : {width}\n  hw.output %x : {width}\n}}\n"
    );
    let cases = "cases:\n  - inputs: {a: 9}\n    outputs: {o: 18}\n";
    for (parameters, arguments, expected) in [
        ("", &[][..], Err("`18` does not fit 4 bits")),
        ("parameters: {w: 5}\n", &[], Ok(())),
        ("parameters: {w: 4}\n", &["--parameter", "w=5"], Ok(())),
        ("parameters: {w: 5.5}\n", &[], Err("c.data.yaml:2:")),
        ("parameters: [5]\n", &[], Err("as `{WIDTH: 8}`")),
        ("parameters: {u: 5}\n", &[], Err("did you mean `w`?")),
    ] {
        let data = format!("module: m\n{parameters}{cases}");
        let folder = super::assertions::folder(&[("c.mlir", &text), ("c.data.yaml", &data)]);
        let arguments = [&["sim", "c.mlir"], arguments].concat();
        let (code, _, error) = super::assertions::sluice(folder.path(), &arguments);
        match expected {
            Ok(()) => assert_eq!(code, Some(0), "{parameters}: {error}"),
            Err(why) => {
                assert_eq!(code, Some(1), "{parameters}");
                assert!(error.contains(why), "{parameters}: {error}");
            }
        }
    }
}

#[test]
fn a_circuit_is_compiled_to_its_verilog() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("c.mlir"), COUNTER).expect("it can be written");
    let compile = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["compile", "c.mlir"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    };
    let (said, complained) = compile(&[]);
    assert_eq!(
        said, "@top: a circuit, 6 ports; nothing was to schedule\nwrote top.v to sluice-out\n",
        "{complained}"
    );
    let verilog = folder.path().join("sluice-out").join("top.v");
    let verilog = std::fs::read_to_string(verilog).expect("it was written");
    assert!(verilog.contains("module count") && verilog.contains("module top"));
    let (said, complained) = compile(&["--verify"]);
    assert_eq!(
        (said.as_str(), complained.as_str()),
        (
            "",
            "error: --verify is of kernels: no interpreter says what is right of a circuit\n"
        )
    );
}
