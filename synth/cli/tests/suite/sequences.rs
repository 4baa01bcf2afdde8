//! Tests of circuits on data files: sequences of inputs, and expected outputs.

use std::path::Path;

use super::assertions::{folder, sluice, unplaced};
use super::circuits::COUNTER;

const DATA: &str = "module: top
reset: reset
cases:
  - name: three
    inputs: {by: [1, 2, 3]}
    outputs: {all: [0, 1, null, 6], full: 0}
  - inputs: {by: 7}
    until: full
    outputs: {all: {1: 7, 143: 1001}}
    expect: {latency: 144}
  - cycles: 4
    inputs:
      by: {file: by.hex}
    outputs:
      low: {file: low.json}
expect:
  assert: all == past(all) + past(by)
";

fn files() -> tempfile::TempDir {
    folder(&[
        ("c.mlir", COUNTER),
        ("data.yaml", DATA),
        ("by.hex", "5 0 1 ff\n"),
        ("low.json", "[0, 5, 5, 6]"),
    ])
}

fn replace(folder: &Path, from: &str, to: &str) {
    assert!(DATA.contains(from), "{from}");
    let text = DATA.replace(from, to);
    std::fs::write(folder.join("data.yaml"), text).expect("it can be written");
}

#[test]
fn sequences_are_run_and_outputs_compared() {
    let folder = files();
    let path = folder.path();
    for backend in ["bytecode", "words"] {
        let (code, said, error) = sluice(path, &["sim", "c.mlir", "--backend", backend]);
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(
            said,
            "@top: expected outputs = cycle simulation on 3 data sets, 4 to 144 cycles\n1 assertion holds in 152 cycles\n"
        );
    }
    for (from, to, expected) in [
        (
            "null, 6",
            "null, 7",
            "data set 0 (three): cycle 5, 3 after the reset: `all` is 0x6, expected 0x7\n",
        ),
        (
            "full: 0",
            "full: 1",
            "data set 0 (three): cycle 2, 0 after the reset: `full` is 0x0, expected 0x1\n",
        ),
        (
            "143: 1001",
            "143: -1, 144: 3",
            "data set 1: cycle 145, 143 after the reset: `all` is 0x3e9, expected 0x3fffffffffffffffff\n",
        ),
        (
            "143: 1001",
            "144: 3",
            "data set 1: `all` is expected in cycle 144 after the reset, and there were 144\n",
        ),
        (
            "  - cycles: 4\n",
            "  - cycles: 4\n    until: full\n",
            "data set 2: `full` was 0 in all of 4 cycles\n",
        ),
        (
            "latency: 144",
            "latency: 99",
            "data set 1: expect: latency 99, found 144 cycles\n",
        ),
        ("until: full", "until: full\n    cycles: 144", ""),
        (
            "past(by)",
            "by",
            "data set 0 (three): cycle 3: assertion `all == past(all) + by` does not hold: all = 0x1, by = 0x2\n\
             data set 2: cycle 3: assertion `all == past(all) + by` does not hold: all = 0x5, by = 0x0\n",
        ),
    ] {
        replace(path, from, to);
        let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
        let expected_code = i32::from(!expected.is_empty());
        assert_eq!(
            (code, unplaced(&error).as_str()),
            (Some(expected_code), expected),
            "{to}"
        );
    }
}

#[test]
fn waves_of_a_sequence_that_fails_are_written() {
    let folder = files();
    replace(folder.path(), "143: 1001", "100: 1");
    let arguments = ["sim", "c.mlir", "--vcd", "w.vcd", "--wave-last", "3"];
    let (code, _, error) = sluice(folder.path(), &arguments);
    assert_eq!(code, Some(1), "{error}");
    let waves = std::fs::read_to_string(folder.path().join("w.vcd")).expect("waves are written");
    assert!(waves.contains("\n#1020\n") && !waves.contains("\n#1040\n"));
}

#[test]
fn circuits_with_data_are_part_of_a_folder() {
    let folder = files();
    let path = folder.path();
    // A circuit for which the data are not meant.
    let other = COUNTER.replace("@top", "@other");
    std::fs::write(path.join("other.mlir"), other).expect("it can be written");
    let (code, said, error) = sluice(path, &["sim", ".", "--junit", "j.xml"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        said.starts_with("ok      c.mlir  3 data sets, 152 cycles"),
        "{said}"
    );
    assert!(said.contains("1 passed, 0 failed"), "{said}");
    replace(path, "null, 6", "null, 7");
    let (code, said, _) = sluice(path, &["sim", ".", "--junit", "j.xml"]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("        again: sluice sim ./c.mlir\n"),
        "{said}"
    );
    let found = super::junit::cases(&path.join("j.xml"));
    assert!(
        found[0].starts_with("c.mlir | three | ./data.yaml:6:15 | failure: cycle 5,"),
        "{found:?}"
    );
    assert_eq!(found.len(), 3, "{found:?}");
    // Errors of the data are reported when they are run.
    std::fs::write(path.join("data.yaml"), "module: [top]\n").expect("it can be written");
    let (code, said, _) = sluice(path, &["sim", "."]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("data.yaml:1:1: error: `module` is a word"),
        "{said}"
    );
}

#[test]
fn everything_that_does_not_fit_a_circuit_is_said_at_once() {
    let folder = files();
    let path = folder.path();
    std::fs::write(
        path.join("data.yaml"),
        "module: top
reset: rst
cases:
  - cycles: 2
    until: all_
    inputs: {buy: 1, by: [1, 2, x]}
    outputs: {low: [256], full: {a: 1}}
    expect: {latency: 4}
  - inputs: {by: {file: by.hex}}
    untill: 3
expect: {latency: 3, assert: done}
",
    )
    .expect("it can be written");
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    for expected in [
        "data.yaml:2:1: error: there is no input `rst`; ",
        "data.yaml:5:5: error: there is no output `all_`; ",
        "data.yaml:6:14: error: there is no input `buy`; did you mean `by`?",
        "data.yaml:6:22: error: `by`: `x` is no whole number",
        "data.yaml:7:15: error: `low`: `256` does not fit 8 bits",
        "data.yaml:7:27: error: `full`: cycles are numbers from 0 up",
        "data.yaml:8:14: error: `latency` needs an end of the run: name an output under `until`, or give `streams`",
        "data.yaml:9:14: error: `by` comes from a file: `cycles` says how many words it has",
        "data.yaml:10:5: error: unknown key `untill`; did you mean `until`?",
        "error: unknown key `latency`; what fits: `assert`",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let (_, _, error) = sluice(path, &["sim", "c.mlir", "--data", "low.json"]);
    assert!(
        error.contains("low.json:1:1: error: expected an object"),
        "{error}"
    );
    std::fs::write(path.join("k.yaml"), "cases: []\n").expect("it can be written");
    let (_, _, error) = sluice(path, &["sim", "c.mlir", "--data", "k.yaml"]);
    assert!(
        error.starts_with("k.yaml:1:1: error: `module` is expected"),
        "{error}"
    );
    std::fs::write(path.join("data.yaml"), DATA).expect("it can be written");
    let arguments = ["sim", "c.mlir", "--data", "data.yaml", "--cycles", "3"];
    let (_, _, error) = sluice(path, &arguments);
    assert!(
        error.contains("is not run without a data file, which --cycles is for"),
        "{error}"
    );
    // The data are for another module,
    let (code, said, _) = sluice(path, &["sim", "c.mlir", "--top", "count"]);
    assert_eq!(
        (code, said.lines().next()),
        (Some(0), Some("@count: 1 cycles"))
    );
    // With driving options, the file beside the circuit is not used.
    let (code, said, _) = sluice(path, &["sim", "c.mlir", "--cycles", "3"]);
    assert_eq!(
        (code, said.lines().next()),
        (Some(0), Some("@top: 3 cycles"))
    );
}

/// A dataflow graph that adds, and a module with AXI4-Stream port names that adds one; it sends every fourth word twice if `bad`
/// is 1.
const STREAMS: &str = "
handshake.func @add(%a: i8, %b: i8, %c: none, ...) -> (i8, none) attributes {argNames = [\"a\", \"b\", \"ctrl\"], resNames = [\"sum\", \"done\"]} {
  %s = arith.addi %a, %b : i8
  %held = buffer [2] seq %s : i8
  handshake.return %held, %c : i8, none
}
hw.module @axis(in %clock : !seq.clock, in %bad : i1, in %s_tdata : i8, in %s_tvalid : i1, in %m_tready : i1, out s_tready : i1, out m_tdata : i8, out m_tvalid : i1) {
  %one = hw.constant 1 : i8
  %true = hw.constant true
  %sum = comb.add %s_tdata, %one : i8
  %bits = comb.extract %s_tdata from 0 : (i8) -> i2
  %zero = hw.constant 0 : i2
  %fourth = comb.icmp eq %bits, %zero : i2
  %twice = comb.and %bad, %fourth, %first : i1
  %moves = comb.and %s_tvalid, %m_tready : i1
  %other = comb.xor %twice, %true : i1
  %first = seq.compreg.ce %other, %clock, %moves : i1
  %taken = comb.and %m_tready, %other : i1
  hw.output %taken, %sum, %s_tvalid : i1, i8, i1
}
";

fn streams(top: &str, cases: &str) -> tempfile::TempDir {
    let data = format!("module: {top}\ncases:\n{cases}");
    folder(&[
        ("c.mlir", STREAMS),
        ("data.yaml", &data),
        ("a.hex", "1 2 3 ff\n"),
    ])
}

#[test]
fn words_go_through_streams_in_order_and_may_wait() {
    let cases = "
  - streams: {a: [1, 2, 255], b: [10, 20, 30], ctrl: 2, sum: [11, null, 29], done: 2}
    expect: {latency: 5}
  - streams: {a: {file: a.hex, words: 4}, b: [0, 0, 0, 1], sum: [1, 2, 3, 0]}
    pauses: 7
";
    let folder = streams("add", cases);
    let path = folder.path();
    let (code, said, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(0), "{said}{error}");
    let n_cycles = |said: &str| -> u64 {
        let to = said
            .split(" to ")
            .nth(1)
            .expect("cycles from one number to another");
        to.split(' ')
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a number")
    };
    assert!(said.contains("on 2 data sets, 5 to "), "{said}");
    assert!(n_cycles(&said) > 6, "{said}");
    let mut lengths = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3", "4"] {
        let replaced = cases.replace("    expect: {latency: 5}\n", "");
        std::fs::write(
            path.join("data.yaml"),
            format!("module: add\ncases:{replaced}"),
        )
        .expect("it can be written");
        let (code, said, error) = sluice(path, &["sim", "c.mlir", "--pauses", "--seed", seed]);
        assert_eq!(code, Some(0), "{error}");
        lengths.insert(said);
    }
    assert!(lengths.len() > 1, "{lengths:?}");
}

#[test]
fn words_of_streams_that_are_wrong_missing_or_too_many_are_said() {
    for (top, case, expected) in [
        (
            "add",
            "streams: {a: [1, 2], b: [3, 4], sum: [4, 7]}",
            "data set 0: cycle 5, 3 after the reset: word 1 of `sum` is 0x6, expected 0x7\n",
        ),
        (
            "add",
            "{streams: {a: [1, 2], b: [3], sum: [4, 6], ctrl: 1, done: 1}, cycles: 50}",
            "data set 0: cycle 36, 34 after the reset: deadlock: 1 of 2 words were taken from `a`, 1 of 2 words came from `sum`, and nothing can happen any more; tokens wait on `a`; none comes on `b`, `ctrl`\n",
        ),
        (
            "add",
            "streams: {a: [1, 2], b: [3, 4], sum: [4]}",
            "data set 0: cycle 5, 3 after the reset: `sum` gives word 1, 0x6, where 1 are expected\n",
        ),
        (
            "axis",
            "{inputs: {bad: 1}, streams: {s: [3, 4, 5], m: [4, 5, 6]}}",
            "data set 0: cycle 2: word 2 of `m` is 0x5, expected 0x6\n",
        ),
        (
            "add",
            "streams: {c: [1], ctrl: [0], sum: 3, b: {file: a.hex}}",
            "there is no stream `c`; did you mean `a`?",
        ),
        (
            "add",
            "streams: {c: [1], ctrl: [0], sum: 3, b: {file: a.hex}}",
            "`ctrl` has no data: a number says how many tokens there are",
        ),
        (
            "add",
            "streams: {c: [1], ctrl: [0], sum: 3, b: {file: a.hex}}",
            "`sum` is a list of words, or `{file: ..., words: ...}`",
        ),
        (
            "add",
            "streams: {c: [1], ctrl: [0], sum: 3, b: {file: a.hex}}",
            "`b` comes from a file: `words` says how many words it has",
        ),
        (
            "add",
            "{streams: {a: [1, null], sum: [1]}, inputs: {a_valid: 1, sum_ready: 1}}",
            "`a_valid` is driven by a stream as well",
        ),
    ] {
        let folder = streams(top, &format!("  - {case}\n"));
        let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
        assert_eq!(code, Some(1), "{case}");
        assert!(error.contains(expected), "{case}: {error}");
    }
    let folder = streams("axis", "  - streams: {s: [3, 4, 5], m: [4, 5, 6]}\n");
    let (code, said, error) = sluice(folder.path(), &["sim", "c.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains(" 3 cycles\n"), "{said}");
}

#[test]
fn streams_have_cycles_behind_their_last_word() {
    let cases = [
        // Values of later cycles are still applied and compared.
        (
            "add",
            "{streams: {a: [1], b: [2], sum: [3]}, outputs: {sum_valid: {40: 0}}}",
            None,
        ),
        (
            "add",
            "{streams: {a: [1], b: [2], sum: [3]}, outputs: {sum_valid: {40: 1}}}",
            Some("data set 0: cycle 42, 40 after the reset: `sum_valid` is 0x0, expected 0x1\n"),
        ),
        (
            "add",
            "{streams: {ctrl: 0, a: []}, pauses: 0, cycles: 3}",
            None,
        ),
        (
            "add",
            "{streams: {ctrl: 4000000000}}",
            Some("`ctrl` is a whole number from 0 to 16777216"),
        ),
        (
            "add",
            "{streams: {a: {file: a.hex, words: 4000000000}}}",
            Some("`words` is a whole number from 0 to 16777216"),
        ),
        (
            "add",
            "{streams: {ctrl: 1}, pauses: -3}",
            Some("`pauses` is `true`, or a seed from 0 up to draw them with"),
        ),
        // A surplus word is an error with pauses too.
        (
            "axis",
            "{inputs: {bad: 1}, streams: {s: [3, 4], m: [4, 5]}, pauses: 1}",
            Some("`m` gives word 2, 0x5, where 2 are expected\n"),
        ),
    ];
    for (top, case, expected) in cases {
        let folder = streams(top, &format!("  - {case}\n"));
        let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
        let wanted = if expected.is_none() { 0 } else { 1 };
        assert_eq!(code, Some(wanted), "{case}: {error}");
        let is_said = expected.is_none_or(|expected| error.contains(expected));
        assert!(is_said, "{case}: {error}");
    }
    let folder = streams("add", "  - {outputs: {a_ready: 0}}\n");
    let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir", "--pauses"]);
    assert_eq!(code, Some(1));
    let expected = "data.yaml: error: `--pauses` is for streams, and no data set has any";
    assert!(error.contains(expected), "{error}");
}

/// A machine that adds the words that its program addresses, until a word of the program is 0, and stores the sum in row 1.
const PROGRAM: &str = "
hw.module @step(in %clock : !seq.clock, in %reset : i1, in %at : i3, in %sum : i8, in %store : i1, out word : i8, out value : i8) {
  %true = hw.constant true
  %program = seq.firmem 0, 1, undefined, undefined : <8 x 8>
  %word = seq.firmem.read_port %program[%at], clock %clock : <8 x 8>
  %index = comb.extract %word from 0 : (i8) -> i2
  %data = seq.hlmem @data %clock, %reset : <2x4xi8>
  %row = hw.constant false
  %value = seq.read %data[%row, %index] rden %true { latency = 0 } : !seq.hlmem<2x4xi8>
  seq.write %data[%true, %index] %sum wren %store { latency = 1 } : !seq.hlmem<2x4xi8>
  hw.output %word, %value : i8, i8
}
hw.module @top(in %clock : !seq.clock, in %reset : i1, out done : i1, out total : i8) {
  %zero3 = hw.constant 0 : i3
  %zero = hw.constant 0 : i8
  %one = hw.constant 1 : i3
  %true = hw.constant true
  %core.word, %core.value = hw.instance \"core\" @step(clock: %clock: !seq.clock, reset: %reset: i1, at: %at: i3, sum: %total: i8, store: %done: i1) -> (word: i8, value: i8)
  %done = comb.icmp eq %core.word, %zero : i8
  %running = comb.xor %done, %true : i1
  %next = comb.add %at, %one : i3
  %at = seq.compreg.ce %next, %clock, %running reset %reset, %zero3 : i3
  %sum = comb.add %total, %core.value : i8
  %total = seq.compreg.ce %sum, %clock, %running reset %reset, %zero : i8
  hw.output %done, %total : i1, i8
}
";

#[test]
fn memories_of_circuits_have_first_and_last_words() {
    // Bit 7 is set so that no word of the program is 0; the low bits are the address of the datum.
    let data = "module: top
reset: reset
cases:
  - name: three
    memories: {core.program: {file: p.hex, fill: 0}, data: [[10, 20, 30, 40], [0, 0, 0, 0]]}
    until: done
    expect: {latency: 4, memories: {data: [[10, 20, 30, 40], [70, 0, 0, 0]]}}
  - memories: {program: [129, 129, 128, 129, 0, 0, 0, 0], core.data: 5}
    cycles: 8
    outputs: {total: {7: 20}}
    expect: {memories: {data: [[5, 5, 5, 5], [20, 5, 5, 5]]}}
";
    let folder = folder(&[
        ("c.mlir", PROGRAM),
        ("data.yaml", data),
        ("p.hex", "80 81 83"),
    ]);
    let path = folder.path();
    let (code, said, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("on 2 data sets, 4 to 8 cycles"), "{said}");
    if super::cosim::has_verilator() {
        super::cosim::share_library(&path.join("models"));
        let arguments = ["cosim", "c.mlir", "--cache", "models"];
        let (code, said, error) = sluice(path, &arguments);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("= Verilator on 2 data sets"), "{said}");
    }
    let changed = data.replace("[20, 5, 5, 5]]}}", "[21, 5, 6, 5]]}}");
    std::fs::write(path.join("data.yaml"), changed).expect("it can be written");
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    let expected = "data set 1: `core.data[1][0]` is 0x14 at the end, expected 0x15; a later word differs too\n";
    assert!(error.contains(expected), "{error}");
    let wrong = data.replace("core.program: {file", "cor.program: {file");
    let wrong = wrong.replace("core.data: 5", "core.data: [5, 6]");
    std::fs::write(path.join("data.yaml"), wrong).expect("it can be written");
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    for expected in [
        "data.yaml:5:16: error: there is no memory `cor.program`; did you mean `core.program`?",
        "data.yaml:8:",
        "`core.data` has 8 words, not 2",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// A counter without a reset, and one with an active-low reset to 9 and its own clock.
const RESETS: &str = "
hw.module @loose(in %clk : !seq.clock, in %rst : i1, in %en : i1, out n : i4) {
  %one = hw.constant 1 : i4
  %next = comb.add %n, %one : i4
  %n = seq.compreg.ce %next, %clk, %en : i4
  hw.output %n : i4
}
hw.module @both(in %fast : !seq.clock, in %slow : !seq.clock, in %rst : i1, in %aresetn : i1, out f : i4, out s : i4) {
  %one = hw.constant 1 : i4
  %nine = hw.constant 9 : i4
  %true = hw.constant true
  %low = comb.xor %aresetn, %true : i1
  %f1 = comb.add %f, %one : i4
  %f = seq.compreg %f1, %fast reset %rst, %nine : i4
  %s1 = comb.add %s, %one : i4
  %s = seq.compreg %s1, %slow reset %low, %nine : i4
  hw.output %f, %s : i4, i4
}
";

#[test]
fn resets_are_low_or_high_and_long_enough_for_every_clock() {
    let folder = folder(&[("c.mlir", RESETS)]);
    let path = folder.path();
    let run = |data: &str| {
        std::fs::write(path.join("data.yaml"), data).expect("it can be written");
        sluice(path, &["sim", "c.mlir"])
    };
    // The counter does not count during the reset.
    let (code, _, error) = run(
        "module: loose\nreset: rst\ncases: [{inputs: {en: [1, 0, 0]}, outputs: {n: [0, 1, 1]}}]\n",
    );
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) =
        run("module: loose\ncases: [{inputs: {en: {1: 1, 3: 0}}, outputs: {n: [0, 0, 1, 2]}}]\n");
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = run("module: loose\ncases: [{inputs: {en: {fil: x}}}]\n");
    assert_eq!(code, Some(1));
    let expected = "`en`: cycles are numbers from 0 to 16777215, or there is a `file`";
    assert!(error.contains(expected), "{error}");
    let (code, _, error) = run(
        "module: both\nreset: [rst, {input: aresetn, active: low}]\nclocks: {fast: 1, slow: \"4:3\"}\ncases: [{outputs: {f: [9, 10, 11], s: [9, 9, 9, 9, 10]}}]\n",
    );
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = run(
        "module: both\nreset: [rs, {input: aresetn, active: 0, cycle: 3}]\nclocks: {fast: 1, slow: 4}\ncases: []\n",
    );
    assert_eq!(code, Some(1));
    for expected in ["`active` is `high` or `low`", "unknown key `cycle`"] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let (_, _, error) = run("module: both\nreset: rs\nclocks: {fast: 1, slow: 4}\ncases: []\n");
    for expected in [
        "data.yaml:2:1: error: there is no input `rs`; did you mean `rst`?",
        "data.yaml:4:1: error: `cases` has at least one sequence of inputs",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn data_files_that_are_for_no_circuit_are_errors() {
    let data = "module: lose\ncases: [{cycles: 3}]\n";
    let folder = folder(&[("c.mlir", RESETS), ("data.yaml", data)]);
    let path = folder.path();
    let expected = "data.yaml:1:1: error: no file in this folder has `@lose`";
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    assert!(error.contains(expected), "{error}");
    let (code, said, _) = sluice(path, &["sim", "."]);
    assert_eq!(code, Some(1));
    assert!(said.contains(expected), "{said}");
    let (_, _, error) = sluice(path, &["sim", "c.mlir", "--data", "data.yaml"]);
    let expected = "data.yaml:1:1: error: c.mlir has no `@lose`";
    assert!(error.contains(expected), "{error}");
    std::fs::write(path.join("data.yaml"), data.replace("module", "modul"))
        .expect("it can be written");
    let (code, _, error) = sluice(path, &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("`module` is expected"), "{error}");
    // The data may be for another circuit in the folder, or for a kernel.
    std::fs::write(path.join("d.mlir"), RESETS.replace("@loose", "@lose")).expect("written");
    std::fs::write(path.join("data.yaml"), data).expect("it can be written");
    let arguments = ["sim", "c.mlir", "--top", "loose"];
    assert_eq!(sluice(path, &arguments).0, Some(0));
}

#[test]
fn what_made_a_value_in_a_sequence_is_said() {
    let data = "module: loose
reset: rst
cases:
  - inputs: {en: 0}
  - inputs: {en: [1, 1, 0]}
    outputs: {n: {2: 5}}
";
    let folder = folder(&[("c.mlir", RESETS), ("data.yaml", data)]);
    let arguments = ["why", "c.mlir", "--signal", "n", "--data-set", "1"];
    let (code, said, error) = sluice(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.starts_with("n = 0x2 in cycle 4 "), "{said}");
    let expected = "note: cycle 4, 2 after the reset: `n` is 0x2, expected 0x5\n";
    assert_eq!(error, expected);
    let (_, _, error) = sluice(
        folder.path(),
        &["why", "c.mlir", "--signal", "n", "--data-set", "2"],
    );
    assert_eq!(error, "error: there is no data set 2; there are 2\n");
}

/// A register between AXI4-Streams with `tlast`, which drops the word it offers if `bad` is 1.
const SIDEBANDS: &str = "
hw.module @axis(in %clock : !seq.clock, in %aresetn : i1, in %bad : i1, in %s_tdata : i8, in %s_tlast : i1, in %s_tvalid : i1, in %m_tready : i1, out s_tready : i1, out m_tdata : i8, out m_tlast : i1, out m_tvalid : i1) {
  %true = hw.constant true
  %false = hw.constant false
  %reset = comb.xor %aresetn, %true : i1
  %empty = comb.xor %full, %true : i1
  %taken = comb.or %empty, %m_tready : i1
  %ready = comb.and %taken, %aresetn : i1
  %moves = comb.and %ready, %s_tvalid : i1
  %left = comb.and %full, %kept : i1
  %stays = comb.xor %m_tready, %true : i1
  %kept = comb.and %stays, %good : i1
  %good = comb.xor %bad, %true : i1
  %next = comb.or %moves, %left : i1
  %full = seq.compreg %next, %clock reset %reset, %false : i1
  %data = seq.compreg.ce %s_tdata, %clock, %moves : i8
  %last = seq.compreg.ce %s_tlast, %clock, %moves : i1
  hw.output %ready, %data, %last, %full : i1, i8, i1, i1
}
";

#[test]
fn what_goes_with_words_is_compared_and_every_sequence_is_run() {
    let data = "module: axis
reset: {input: aresetn, active: low}
cases:
  - streams: {s: {data: [1, 2, 3], last: [0, 0, 1]}, m: {data: [1, 2, 3], last: [0, null, 1]}}
    pauses: 3
  - name: other
    streams: {s: {data: [1, 2], last: [0, 1]}, m: {data: [1, 2], last: [1, 1]}}
  - name: forgets
    inputs: {bad: 1}
    streams: {s: [7, 8, 9, 10, 11, 12, 13, 14], m: [7, 8, 9, 10, 11, 12, 13, 14]}
    pauses: 1
";
    let folder = folder(&[("c.mlir", SIDEBANDS), ("data.yaml", data)]);
    let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
    assert_eq!(code, Some(1));
    assert!(error.starts_with("data.yaml:"), "{error}");
    let error = unplaced(&error);
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 2, "{error}");
    let expected =
        "data set 1 (other): cycle 3, 1 after the reset: word 0 of `m.last` is 0x0, expected 0x1";
    assert_eq!(lines[0], expected);
    assert!(
        lines[1].starts_with("data set 2 (forgets): cycle ")
            && lines[1].ends_with("back before it was taken"),
        "{error}"
    );
    for (streams, expected) in [
        (
            "{s: {data: [1, 2], last: [1]}}",
            "`s.last` has 1 words, and `s` has 2",
        ),
        (
            "{s: {dat: [1]}}",
            "`s` has no `dat` with its words; did you mean `data`?",
        ),
        (
            "{s: 3}",
            "`s` is a list of words, or `{file: ..., words: ...}`",
        ),
    ] {
        let text = format!("module: axis\ncases: [{{streams: {streams}}}]\n");
        std::fs::write(folder.path().join("data.yaml"), text).expect("it can be written");
        let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
        assert_eq!(code, Some(1));
        assert!(error.contains(expected), "{error}");
    }
}

const INCREMENT: &str = "handshake.func @increment(%from: memref<5xi8>, %to: memref<5xi8>, %start: none) -> none {
  %word:2 = extmemory [ld = 1, st = 0] (%from : memref<5xi8>) (%asked) {id = 0 : i32} : (index) -> (i8, none)
  %written = extmemory [ld = 0, st = 1] (%to : memref<5xi8>) (%data, %cell) {id = 1 : i32} : (i8, index) -> none
  %zero = constant %start {value = 0 : index} : index
  %end = constant %start {value = 5 : index} : index
  %ctl, %index = control_merge %start, %back : none, index
  %i = mux %index [%zero, %next] : index, index
  %n = mux %index [%end, %n_at] : index, index
  %again = arith.cmpi ult, %i, %n : index
  %at, %gone = cond_br %again, %i : index
  %n_at, %n_gone = cond_br %again, %n : index
  %on, %over = cond_br %again, %ctl : none
  %read, %asked = load [%at] %word#0, %on : index, i8
  %one = constant %on {value = 1 : i8} : i8
  %more = arith.addi %read, %one : i8
  %data, %cell = store [%at] %more, %on : index, i8
  %step = constant %on {value = 1 : index} : index
  %next = arith.addi %at, %step : index
  %held = buffer [2] seq %on : none
  %back = join %held, %word#1, %written : none, none, none
  return %over : none
}
";

/// Memory arguments of a graph become memories around its circuit, also under Verilator.
#[test]
fn memories_of_graphs_are_around_them() {
    let data = "module: increment
reset: reset
cases:
  - memories: {from: [1, 2, 3, 4, 255]}
    streams: {start: 1, out0: 1}
    expect: {memories: {to: [2, 3, 4, 5, 0], from: [1, 2, 3, 4, 255]}}
  - memories: {from: 7, to: 9}
    streams: {start: 2, out0: 2}
    pauses: 3
    expect: {memories: {to: 8}}
";
    let folder = folder(&[("g.mlir", INCREMENT), ("g.data.yaml", data)]);
    let path = folder.path();
    let (code, said, error) = sluice(path, &["sim", "g.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("on 2 data sets"), "{said}");
    assert!(
        error.contains("remark: a buffer stays as it is given; `keep_buffers: false`"),
        "{error}"
    );
    std::fs::write(path.join("g.yaml"), "keep_buffers: false\n").expect("it can be written");
    let (code, without, error) = sluice(path, &["sim", "g.mlir"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(without, said);
    if super::cosim::has_verilator() {
        super::cosim::share_library(&path.join("models"));
        let arguments = ["cosim", "g.mlir", "--cache", "models"];
        let (code, said, error) = sluice(path, &arguments);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("= Verilator on 2 data sets"), "{said}");
    }
    let changed = data.replace("to: 8}", "to: 10}");
    std::fs::write(path.join("g.data.yaml"), changed).expect("it can be written");
    let (code, _, error) = sluice(path, &["sim", "g.mlir"]);
    assert_eq!(code, Some(1));
    let expected =
        "data set 1: `to[0]` is 0x8 at the end, expected 0xa; 4 later words differ too\n";
    assert!(error.contains(expected), "{error}");
}

/// A graph whose adder waits for `b`, after a buffer and a fork.
const STUCK: &str = "
handshake.func @pairs(%a: i8, %b: i8, %ctrl: none) -> (i8, i8, none) attributes {argNames = [\"a\", \"b\", \"ctrl\"], resNames = [\"sum\", \"copy\", \"done\"]} {
  %kept = buffer [2] seq %a : i8
  %x:2 = fork [2] %kept : i8
  %s = arith.addi %x#0, %b : i8
  handshake.return %s, %x#1, %ctrl : i8, i8, none
}
";

#[test]
fn graphs_that_can_do_nothing_more_are_stopped() {
    let data = "module: pairs
cases:
  - streams: {a: [1, 2, 3, 4, 5], b: [1], sum: [2, 3, 4, 5, 6], copy: [1, 2, 3, 4, 5]}
  - streams: {a: [1, 2, 3, 4, 5], b: [1], sum: [2, 3, 4, 5, 6], copy: [1, 2, 3, 4, 5]}
    pauses: 3
  - streams: {a: [1, 2], b: [1, 1], sum: [2, 3], copy: [1, 2]}
    outputs: {sum_valid: {90: 0}}
";
    let folder = folder(&[("c.mlir", STUCK), ("data.yaml", data)]);
    let path = folder.path();
    let mut commands = vec![
        vec!["sim", "c.mlir"],
        vec!["sim", "c.mlir", "--vcd", "w.vcd"],
    ];
    if super::cosim::has_verilator() {
        super::cosim::share_library(&path.join("models"));
        commands.push(vec!["cosim", "c.mlir", "--cache", "models"]);
    }
    for arguments in commands {
        let (code, _, error) = sluice(path, &arguments);
        assert_eq!(code, Some(1));
        let error = unplaced(&error);
        let found: Vec<&str> = error
            .lines()
            .filter(|line| line.starts_with("data set "))
            .collect();
        let [first, second] = found[..] else {
            panic!("{error}");
        };
        assert!(
            first.contains(
                "deadlock: 1 of 5 words came from `sum`, 2 of 5 words came from `copy`, and nothing can happen any more; tokens wait on `kept`; none comes on `b`"
            ),
            "{error}"
        );
        let cycle = |line: &str| -> u64 {
            let (_, rest) = line.split_once("cycle ").expect("a cycle");
            let (cycle, _) = rest.split_once(',').expect("and that after the reset");
            cycle.parse().expect("a number")
        };
        assert!(cycle(first) < 200, "{first}");
        assert!(second.starts_with("data set 1: cycle "), "{second}");
        assert!(second.contains("deadlock: 1 of 5 words"), "{second}");
        assert!(cycle(second) < 4000, "{second}");
    }
}

#[test]
fn inputs_are_drawn_with_the_seed_of_the_run() {
    let data = "module: top
reset: reset
cases:
  - {cycles: 50, inputs: {by: {random: 3..5}}}
  - {cycles: 50, inputs: {by: {random: any}}, outputs: {full: {0: 0}}}
expect: {assert: SAID}
";
    let folder = folder(&[("c.mlir", COUNTER)]);
    let path = folder.path();
    let sim = |data: &str, seed: &str| {
        std::fs::write(path.join("data.yaml"), data).expect("it can be written");
        sluice(path, &["sim", "c.mlir", "--seed", seed])
    };
    // Only the last assertion distinguishes one seed from another.
    let first = data
        .replace(", outputs: {full: {0: 0}}", "")
        .replace("any", "-2..-1");
    for seed in ["1", "2"] {
        let within = "(by >= 3 && by <= 5) || signed(by) == -2 || signed(by) == -1";
        let (code, _, error) = sim(&first.replace("SAID", within), seed);
        assert_eq!(code, Some(0), "{error}");
    }
    for value in [
        "3",
        "4",
        "5",
        "70'h3fffffffffffffffff",
        "70'h3ffffffffffffffffe",
    ] {
        let (code, _, error) = sim(&first.replace("SAID", &format!("by != {value}")), "1");
        assert_eq!(code, Some(1), "{value}: {error}");
    }
    let never = data.replace("SAID", "by < 0");
    let found: Vec<String> = ["7", "7", "8"].map(|seed| sim(&never, seed).2).to_vec();
    assert_eq!(found[0], found[1]);
    assert_ne!(found[0], found[2]);
    for (spec, expected) in [
        (
            "{random: 5..3}",
            "`by`: the range `5..3` ends before it begins",
        ),
        (
            "{random: 3}",
            "`by`: `random` is `any`, or a range as `8..200` or `-5..5`",
        ),
        ("{random: some}", "`by`: `random` is `any`, or a range as"),
        (
            "{random: -1..0xffffffffffffffff}",
            "`by`: the range `-1..0xffffffffffffffff` does not fit: signed values of 70 bits go from -9223372036854775808 to 9223372036854775807 in ranges",
        ),
        (
            "{random: any, seed: 3}",
            "unknown key `seed`; what fits: `random`",
        ),
    ] {
        let text = never.replace("{random: 3..5}", spec);
        let (code, _, error) = sim(&text, "1");
        assert_eq!(code, Some(1), "{spec}");
        let place = error.starts_with("data.yaml:4:");
        assert!(place && error.contains(expected), "{spec}: {error}");
    }
    for (spec, expected) in [
        (
            "{random: 0..2}",
            "`reset`: the range `0..2` does not fit: unsigned values of 1 bits go from 0 to 1",
        ),
        ("{random: -2..0}", "signed values of 1 bits go from -1 to 0"),
    ] {
        let text = never.replace("{by: {random: 3..5}}", &format!("{{reset: {spec}}}"));
        let (_, _, error) = sim(&text, "1");
        assert!(error.contains(expected), "{spec}: {error}");
    }
    let (_, _, error) = sim(&never.replace("cycles: 50, ", ""), "1");
    let expected =
        "data.yaml:4:15: error: `by` is drawn in every cycle: `cycles` says how many there are";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn numbers_and_names_that_do_not_fit_are_said() {
    for (case, expected) in [
        (
            "{cycles: 5000000000}",
            "data.yaml:3:6: error: `cycles` is a whole number up to 4294967295",
        ),
        (
            "{name: \"a\\eb\", cycles: 1}",
            "data.yaml:3:6: error: `name` has no control characters",
        ),
    ] {
        let data = format!("module: top\ncases:\n  - {case}\n");
        let folder = folder(&[("c.mlir", COUNTER), ("data.yaml", &data)]);
        let (code, _, error) = sluice(folder.path(), &["sim", "c.mlir"]);
        assert_eq!(code, Some(1));
        assert!(error.contains(expected), "{error}");
    }
}
