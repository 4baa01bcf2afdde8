//! Tests of `compile`, `sim`, `cosim` and `why` on circuits without a clock, without a model, and without an end.

use std::process::{Command, Output};

fn run(command: &str, text: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("c.mlir"), text).expect("it can be written");
    let outcome = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args([command, "c.mlir"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "v") {
            return Output {
                stdout: std::fs::read(path).expect("a file"),
                ..outcome
            };
        }
    }
    outcome
}

fn said(output: &Output) -> (String, String) {
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

const STAGE: &str = "hw.module @stage(in %clk : i1, in %d : i8, out q : i8) {
  %c = seq.to_clock %clk
  %r = seq.compreg %d, %c : i8
  hw.output %r : i8
}
";

#[test]
fn a_clock_that_is_a_bit_below_is_found() {
    let text = STAGE.to_owned()
        + "hw.module @top(in %clk : i1, out o : i8) {
  %one = hw.constant 1 : i8
  %q = hw.instance \"s\" @stage(clk: %clk: i1, d: %next: i8) -> (q: i8)
  %next = comb.add %q, %one : i8
  hw.output %next : i8
}
";
    for arguments in [
        &["--cycles", "5"][..],
        &["--cycles", "5", "--clock", "clk=1"],
    ] {
        let (out, err) = said(&run("sim", &text, arguments));
        assert_eq!(out, "@top: 5 cycles\n  o = 0x5\n", "{err}");
    }
}

#[test]
fn registers_that_no_clock_drives_are_an_error() {
    let data = "hw.module @top(in %k : i1, in %d : i8, out o : i8, out p : i1) {
  %o = hw.instance \"s\" @stage(clk: %k: i1, d: %d: i8) -> (q: i8)
  hw.output %o, %k : i8, i1
}
";
    let gate = "hw.module @top(in %k : i1, in %en : i1, in %d : i8, out o : i8) {
  %g = comb.and %k, %en : i1
  %o = hw.instance \"s\" @stage(clk: %g: i1, d: %d: i8) -> (q: i8)
  %p = hw.instance \"t\" @stage(clk: %g: i1, d: %o: i8) -> (q: i8)
  hw.output %p : i8
}
";
    let bundle = "hw.module @top(in %k : !hw.struct<clk: i1, d: i8>, out o : i8) {
  %clk, %d = hw.struct_explode %k : !hw.struct<clk: i1, d: i8>
  %o = hw.instance \"s\" @stage(clk: %clk: i1, d: %d: i8) -> (q: i8)
  hw.output %o : i8
}
";
    for (top, user, inputs) in [
        (data, "`s.r`:", "`k`"),
        (gate, "`s.r` and 1 more:", "`k`, `en`"),
        (bundle, "`s.r`:", "`k`"),
    ] {
        let text = STAGE.to_owned() + top;
        for command in ["sim", "cosim"] {
            let output = run(command, &text, &["--cycles", "5"]);
            let (_, err) = said(&output);
            assert_eq!(output.status.code(), Some(1), "{err}");
            let expected = format!(
                "c.mlir:3:8: error: @top: no clock drives {user} it takes over when {inputs} rises"
            );
            assert!(err.contains(&expected), "{err}");
            assert!(err.contains("`--clock k=1`"), "{err}");
        }
    }
    let text = STAGE.to_owned() + data;
    for arguments in [["--clock", "k=1"], ["--set", "k=1"], ["--reset", "k"]] {
        let output = run("sim", &text, &arguments);
        assert!(output.status.success(), "{:?}", said(&output));
    }
}

#[test]
fn a_clock_that_is_a_constant_is_a_warning() {
    let text = STAGE.to_owned()
        + "hw.module @top(in %d : i8, out o : i8) {
  %off = hw.constant false
  %o = hw.instance \"s\" @stage(clk: %off: i1, d: %d: i8) -> (q: i8)
  hw.output %o : i8
}
";
    let output = run("sim", &text, &["--set", "d=3", "--cycles", "5"]);
    let (out, err) = said(&output);
    assert_eq!(out, "@top: 5 cycles\n  o = 0x0\n");
    assert!(
        err.contains("c.mlir:3:8: warning: @top: the clock of `s.r` is a constant"),
        "{err}"
    );
}

#[test]
fn what_is_written_elsewhere_is_simulated_with_a_model_alone() {
    let text = "hw.module.extern @e(in %x : i8, out y : i8)
hw.module @top(in %x : i8, out y : i8) {
  %y = hw.instance \"p\" @e(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    for command in ["sim", "cosim"] {
        let output = run(command, text, &["--cycles", "2"]);
        let (_, err) = said(&output);
        assert_eq!(output.status.code(), Some(1));
        for part in [
            "c.mlir:3:8: error: `hw.instance`: `@e` is a `hw.module.extern`",
            "`in x: i8`, `out y: i8`",
            "Write a `hw.module @e` with these ports into the file",
        ] {
            assert!(err.contains(part), "{err}");
        }
    }
    let output = run("compile", text, &["-o", "."]);
    let (verilog, err) = said(&output);
    assert!(output.status.success(), "{err}");
    assert!(verilog.contains("  e p ("), "{verilog}");
    assert!(!verilog.contains("module e "), "{verilog}");
}

#[test]
fn instances_without_an_end_are_refused_by_every_command() {
    let text = "hw.module @a(in %x : i8, out y : i8) {
  %y = hw.instance \"p\" @b(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
hw.module @b(in %x : i8, out y : i8) {
  %y = hw.instance \"q\" @a(x: %x: i8) -> (y: i8)
  hw.output %y : i8
}
";
    for (command, arguments) in [
        ("compile", &["-o", "."][..]),
        ("sim", &["--cycles", "2"]),
        ("cosim", &["--cycles", "2"]),
        ("why", &["--signal", "y", "--cycle", "0"]),
    ] {
        let output = run(command, text, arguments);
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{command}: {out}");
        for part in [
            "c.mlir:2:8: error: `hw.instance`: `@a` has an instance of itself inside: @a -> @b -> @a",
            "c.mlir:6:8: note: `@b` has the instance `q` of `@a` here",
        ] {
            assert!(err.contains(part), "{command}: {err}");
        }
    }
}
