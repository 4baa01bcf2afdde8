//! Tests of `--assert`, and of `assert:` in data files: properties of ports in every cycle.

use std::path::Path;
use std::process::Command;

use super::circuits::COUNTER;

const KERNEL: &str = "func.func @scale(%a: memref<4xi8>, %b: memref<4xi8>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi8>
    %y = arith.addi %x, %x : i8
    affine.store %y, %b[%i] : memref<4xi8>
  }
  return
}
";

/// Runs a command in a folder; returns its exit code, standard output and standard error.
pub(crate) fn sluice(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// Messages without the places that failures of data sets begin with.
pub(crate) fn unplaced(messages: &str) -> String {
    let is_place = |text: &str| {
        let mut numbers = text.rsplit(':').take(2);
        numbers.all(|number| number.parse::<u32>().is_ok())
    };
    let lines = messages.split_inclusive('\n');
    let lines = lines.map(|line| match line.split_once(": error: data set ") {
        Some((place, _)) if is_place(place) => &line[place.len() + ": error: ".len()..],
        _ => line,
    });
    lines.collect()
}

#[test]
fn properties_of_a_circuit_hold_in_every_cycle_but_those_of_reset() {
    let folder = folder(&[("c.mlir", COUNTER)]);
    let sim = |asserted: &[&str]| {
        let mut arguments = vec!["sim", "c.mlir", "--reset", "reset", "--set", "by=7"];
        arguments.extend(["--cycles", "200", "--vcd", "w.vcd"]);
        arguments.extend(asserted.iter().flat_map(|text| ["--assert", text]));
        sluice(folder.path(), &arguments)
    };
    let holds = [
        "all == past(all) + 7",
        "!full |-> ##[1:150] full",
        "!full |-> ##[0:$] full",
        "rose(full) |-> past(all) < 1000 && all >= 1000",
        "all[7:0] == low && !reset",
    ];
    let (code, said, error) = sim(&holds);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        said.ends_with("5 assertions hold in 200 cycles\n"),
        "{said}"
    );
    assert_eq!(error, "");
    let (code, said, error) = sim(&["low < 20 -> all < 500"]);
    assert_eq!(code, Some(1), "{said}");
    // Two cycles of reset, then 74 steps of seven each: 518, which is 6 modulo 512.
    let expected =
        "cycle 76: assertion `low < 20 -> all < 500` does not hold: low = 0x6, all = 0x206";
    assert!(error.contains(expected), "{error}");
    let waves = std::fs::read_to_string(folder.path().join("w.vcd"));
    let waves = waves.expect("waves of what failed are written");
    assert!(waves.contains("\n#760\n") && !waves.contains("\n#780\n"));
    let (code, _, error) = sim(&["all == 0 |-> ##[1:$] all == 3", "all == 1 |-> 0"]);
    assert_eq!(code, Some(1));
    let expected = "assertion `all == 0 |-> ##[1:$] all == 3` does not hold: cycle 2 asks for what has not come when the run ends";
    assert!(error.contains(expected), "{error}");
    let (code, said, error) = sim(&["all == 1 |-> 0"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let expected = "note: the left side of assertion `all == 1 |-> 0` was true in no cycle";
    assert!(said.contains(expected), "{said}");
    let (code, _, error) = sim(&["al == 1", "all = 1"]);
    assert_eq!(code, Some(1));
    assert!(
        error.starts_with("--assert:1:5: error: `=` is no operator"),
        "{error}"
    );
    let (_, _, error) = sim(&["al == 1", "low == al"]);
    assert!(error.contains(
        "--assert:1:1: error: there is no port, signal or memory `al`; did you mean `all`?"
    ));
    assert!(
        error.contains("    low == al\n           ^\n2 errors"),
        "{error}"
    );
}

/// Two counters, and a memory that stores the values of one of them.
const INSIDE: &str = r#"hw.module @step(in %clk: !seq.clock, in %by: i4, out n: i4) {
  %next = comb.add %count, %by : i4
  %count = seq.compreg %next, %clk : i4
  hw.output %count : i4
}
hw.module @both(in %clk: !seq.clock, in %on: i1, out x: i4) {
  %one = hw.constant 1 : i4
  %three = hw.constant 3 : i4
  %slow = hw.instance "slow" @step(clk: %clk: !seq.clock, by: %one: i4) -> (n: i4)
  %fast = hw.instance "fast" @step(clk: %clk: !seq.clock, by: %three: i4) -> (n: i4)
  %kept = seq.hlmem @kept %clk, %rst : <16xi4>
  %rst = hw.constant false
  seq.write %kept[%slow] %fast wren %on { latency = 1 } : !seq.hlmem<16xi4>
  %x = comb.xor %slow, %fast : i4
  hw.output %x : i4
}
"#;

#[test]
fn properties_of_a_circuit_speak_of_what_is_inside() {
    let folder = folder(&[("c.mlir", INSIDE)]);
    let sim = |asserted: &[&str]| {
        let mut arguments = vec!["sim", "c.mlir", "--set", "on=1", "--cycles", "40"];
        arguments.extend(asserted.iter().flat_map(|text| ["--assert", text]));
        sluice(folder.path(), &arguments)
    };
    let (code, said, error) = sim(&[
        "slow.count == ((past(slow.count) + 1) & 15)",
        "fast.next == ((fast.count + 3) & 15)",
        "x == (slow.count | fast.count) - (slow.count & fast.count)",
        "1 |=> kept[past(slow.count)] == past(fast.count) && kept[past(slow.n)] == past(fast.n)",
    ]);
    assert_eq!(code, Some(0), "{said}{error}");
    assert!(said.ends_with("4 assertions hold in 40 cycles\n"), "{said}");
    // Until the end of the cycle, the memory still holds the old word.
    let (code, _, error) = sim(&["fast.count >= 6 -> kept[slow.count] == fast.count"]);
    assert_eq!(code, Some(1));
    let expected = "cycle 2: assertion `fast.count >= 6 -> kept[slow.count] == fast.count` does not hold: \
        fast.count = 0x6, slow.count = 0x2, kept[2] = 0x0";
    assert!(error.contains(expected), "{error}");
    let (code, _, error) = sim(&["count == 3"]);
    assert_eq!(code, Some(1));
    let expected = "--assert:1:1: error: 2 signals are called `count`: `fast.count`, `slow.count`";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn properties_of_a_kernel_stand_in_its_data_file() {
    let data = "random: {a: {min: 0, max: 50}}
expect:
  assert:
    - b_wen |-> b_waddr == past(a_raddr, 1) || b_waddr == past(a_raddr, 2) || b_waddr < 4
    - b_wen -> b_wdata[0] == 0
    - done |=> !done
    - b_wen |=> b[past(b_waddr)] == past(b_wdata)
    - a_ren |=> a_rdata == past(a[a_raddr]) && stable(a[0]) && a[3] <= 50
";
    let folder = folder(&[("kernel.mlir", KERNEL), ("data.yaml", data)]);
    let (code, said, error) = sluice(folder.path(), &["sim", "kernel.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("5 assertions hold in "), "{said}");
    let arguments = ["sim", ".", "--random", "1", "--junit", "j.xml"];
    assert_eq!(sluice(folder.path(), &arguments).0, Some(0));
    let junit = std::fs::read_to_string(folder.path().join("j.xml")).expect("it was written");
    assert!(junit.contains("5 assertions hold in "), "{junit}");
    let arguments = ["sim", "kernel.mlir", "--assert", "b_wdata < 3"];
    let (code, _, error) = sluice(folder.path(), &arguments);
    assert_eq!(code, Some(1));
    assert!(error.contains("\ndata set 0: cycle "), "{error}");
    assert!(
        error.contains("assertion `b_wdata < 3` does not hold: b_wdata = 0x"),
        "{error}"
    );
    let write = |text: &str| {
        std::fs::write(folder.path().join("data.yaml"), text).expect("it can be written");
    };
    write("expect:\n  latency: 5\n  assert: [\"b_wen ->\", 'done <> 1', 3]\n");
    let (code, _, error) = sluice(folder.path(), &["sim", "kernel.mlir"]);
    assert_eq!(code, Some(1));
    for expected in [
        "data.yaml:3:21: error: a name, a number, a function or `(` is expected, not the end",
        "data.yaml:3:31: error: a name, a number, a function or `(` is expected, not `>`",
        "data.yaml:3:3: error: `assert` is a property of ports",
        "3 errors",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    // The text occurs in the key, and in the previous property.
    write("expect:\n  assert: [done -> sse |-> done, sse]\n");
    let (_, _, error) = sluice(folder.path(), &["sim", "kernel.mlir"]);
    for expected in [
        "data.yaml:2:20: error: there",
        "data.yaml:2:34: error: there",
    ] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    write("expect:\n  assert: a_wen -> 1\n");
    let (_, _, error) = sluice(folder.path(), &["sim", "kernel.mlir"]);
    let expected = "data.yaml:2:11: error: there is no port, signal or memory `a_wen`; ";
    assert!(error.contains(expected), "{error}");
    let (code, _, error) = sluice(folder.path(), &["sim", ".", "--assert", "done"]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains("is not a file, which --assert is for"),
        "{error}"
    );
}

/// A memory of two rows, whose words are written in turn.
const GRID: &str = r#"hw.module @top(in %clk: !seq.clock, out n: i3) {
  %one = hw.constant 1 : i3
  %next = comb.add %count, %one : i3
  %count = seq.compreg %next, %clk : i3
  %row = comb.extract %count from 2 : (i3) -> i1
  %column = comb.extract %count from 0 : (i3) -> i2
  %rst = hw.constant false
  %on = hw.constant true
  %grid = seq.hlmem @grid %clk, %rst : <2x4xi3>
  seq.write %grid[%row, %column] %count wren %on { latency = 1 } : !seq.hlmem<2x4xi3>
  hw.output %count : i3
}
"#;

#[test]
fn memories_inside_have_their_dimensions() {
    let folder = folder(&[("c.mlir", GRID)]);
    let sim = |asserted: &str| {
        let arguments = ["sim", "c.mlir", "--cycles", "40", "--assert", asserted];
        sluice(folder.path(), &arguments)
    };
    let (code, _, error) =
        sim("n == 7 |=> grid[1][3] == 7 && grid[1][2] == 6 && grid[0][3] == 3 && grid[1][0][2]");
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = sim("grid[1] == 3");
    assert_eq!(code, Some(1));
    let expected = "--assert:1:5: error: `grid` is a memory; `grid[0][0]` is a word";
    assert!(error.contains(expected), "{error}");
    // The message names the word that was read.
    let (code, _, error) = sim("n == 6 |=> grid[past(n) >> 2][past(n) & 3] == n");
    assert_eq!(code, Some(1));
    assert!(error.ends_with("n = 0x7, grid[1][2] = 0x6\n"), "{error}");
}

#[test]
fn what_memories_around_a_kernel_give_is_that_of_the_cycle() {
    let data = "cases: [{inputs: {a: [1, 2, 3, 4], b: 0}}]\n";
    let folder = folder(&[("kernel.mlir", KERNEL), ("data.yaml", data)]);
    for asserted in [
        "past(a_ren) && past(a_raddr) == 2 -> a_rdata == 3",
        "past(a_ren) && past(a_raddr) == 2 -> a_rdata == 3 && a[2] == 3",
    ] {
        let arguments = ["sim", "kernel.mlir", "--assert", asserted];
        let (code, said, error) = sluice(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{error}");
        assert!(said.contains("1 assertion holds in "), "{said}");
        let arguments = ["sim", "kernel.mlir", "--idle", "3", "--assert", asserted];
        let (code, _, error) = sluice(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{error}");
    }
}

/// An elastic circuit must not read a memory at constant addresses before its call: the words may not be there yet.
#[test]
fn an_elastic_circuit_reads_nothing_before_it_starts() {
    let kernel = "func.func @walk(%a: memref<8xi8>, %o: memref<4xi8>) {
  %z = arith.constant 0 : i3
  %two = arith.constant 2 : i3
  affine.for %i = 0 to 4 iter_args(%j = %z) -> (i3) {
    %jx = arith.index_castui %j : i3 to index
    %x = memref.load %a[%jx] : memref<8xi8>
    affine.store %x, %o[%i] : memref<4xi8>
    %lo = arith.trunci %x : i8 to i3
    %n = arith.addi %lo, %two : i3
    affine.yield %n : i3
  }
  return
}
";
    // The walk of every iteration begins at the same word, which does not depend on a counter.
    let nest = "func.func @walks(%a: memref<8xi8>, %o: memref<4xi8>) {
  affine.for %k = 0 to 2 {
    %z = arith.constant 3 : i3
    %r = affine.for %i = 0 to 2 iter_args(%j = %z) -> (i3) {
      %jx = arith.index_castui %j : i3 to index
      %x = memref.load %a[%jx] : memref<8xi8>
      affine.store %x, %o[%i + %k * 2] : memref<4xi8>
      %lo = arith.trunci %x : i8 to i3
      affine.yield %lo : i3
    }
  }
  return
}
";
    let data = "cases:
  - inputs: {a: [1, 2, 3, 4, 5, 6, 7, 0], o: 0}
  - inputs: {a: [7, 2, 5, 6, 5, 0, 7, 0], o: 0}
  - inputs: {a: [4, 4, 3, 1, 5, 6, 7, 2], o: 0}
";
    for kernel in [kernel, nest] {
        for flatten in ["true", "false"] {
            let config = format!("style: elastic\nflatten: {flatten}\n");
            let folder = folder(&[
                ("kernel.mlir", kernel),
                ("kernel.yaml", &config),
                ("data.yaml", data),
            ]);
            for idle in ["1", "3"] {
                let property = "a_ren -> !ready";
                let arguments = ["sim", "kernel.mlir", "--idle", idle, "--assert", property];
                let (code, _, error) = sluice(folder.path(), &arguments);
                assert_eq!(code, Some(0), "{error}");
            }
        }
    }
}
