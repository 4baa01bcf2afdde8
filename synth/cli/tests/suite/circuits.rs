//! `sluice sim` on circuits: files with `hw.module` and no functions.

use std::process::{Command, Output};

/// A counter below another module; 70 bits wide, so that it has two limbs.
const COUNTER: &str = "
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
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("count.mlir"), COUNTER).expect("it can be written");
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "count.mlir"])
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
