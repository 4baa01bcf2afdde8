//! Tests of `sluice schedule`: kinds of input, times within cycles, one document for all files.

use std::path::Path;

use crate::assertions::{folder, sluice};

/// Returns exit code, output and errors.
fn schedule(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    sluice(folder, &[&["schedule"], arguments].concat())
}

/// Returns two additions of 2 ns, one after the other.
fn chain(starts: [&str; 2]) -> String {
    format!(
        "ssp.instance @chain of \"ChainingProblem\" {{
  library {{
    operator_type @add [latency<0>, incDelay<2.0>, outDelay<2.0>]
    operator_type @mul [latency<2>, incDelay<1.5>, outDelay<2.5>]
  }}
  graph {{
    %0 = operation<@mul> @m() [t<0>, z<0.0>]
    %1 = operation<@add> @a(%0) [{}]
    operation<@add> @b(%1) [{}]
  }}
}}
",
        starts[0], starts[1]
    )
}

#[test]
fn times_within_cycles_are_checked() {
    for (starts, expected) in [
        (["t<2>, z<2.5>", "t<2>, z<4.5>"], None),
        // A register is between the cycles.
        (["t<2>, z<2.5>", "t<3>, z<0.0>"], None),
        (["t<3>, z<0.0>", "t<3>, z<2.0>"], None),
        (
            ["t<2>, z<2.5>", "t<2>, z<4.0>"],
            Some(
                "`@a` -> `@b`: the result is there 4.500 ns into the cycle, and is taken 4.000 ns into it",
            ),
        ),
        (
            ["t<2>, z<0.0>", "t<2>, z<4.5>"],
            Some(
                "`@m` -> `@a`: the result is there 2.500 ns into the cycle, and is taken 0.000 ns into it",
            ),
        ),
        (
            ["t<2>, z<2.5>", "t<2>, z<6.5>"],
            Some(
                "`@b` starts 6.500 ns into its cycle; from 0 to 6.000 ns fit into the clock period of 8.000 ns",
            ),
        ),
        (
            ["t<2>, z<2.5>", "t<3>, z<-1.0>"],
            Some("`@b` starts -1.000 ns into its cycle"),
        ),
        (
            ["t<2>, z<2.5>", "t<3>"],
            Some("`@b` has no start time within its cycle, which others have"),
        ),
        (
            ["t<2>, z<2.5>", "t<3>, z<0x7FC00000 : f32>"],
            Some("`@b` starts NaN ns into its cycle"),
        ),
    ] {
        let folder = folder(&[("chain.mlir", &chain(starts))]);
        let arguments = ["chain.mlir", "--check", "--cycle-time", "8"];
        let (code, out, error) = schedule(folder.path(), &arguments);
        match expected {
            None => {
                assert_eq!(
                    (code, out.as_str()),
                    (Some(0), "chain: the schedule is right\n"),
                    "{starts:?}: {error}"
                );
            }
            Some(expected) => {
                assert_eq!((code, out.as_str()), (Some(1), ""), "{starts:?}");
                assert!(error.contains(expected), "{starts:?}: {error}");
                assert!(
                    error.starts_with("chain.mlir:1:1: error: `chain`: "),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn what_is_solved_is_right_within_cycles_too() {
    let folder = folder(&[("chain.mlir", &chain(["", ""].map(|_| "t<9>")))]);
    let arguments = ["chain.mlir", "--cycle-time", "5", "--format", "ssp"];
    let (code, out, error) = schedule(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("z<"), "{out}");
    std::fs::write(folder.path().join("solved.mlir"), out).expect("it can be written");
    let (code, out, error) = schedule(
        folder.path(),
        &["solved.mlir", "--check", "--cycle-time", "5"],
    );
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "chain: the schedule is right\n"),
        "{error}"
    );
}

#[test]
fn operator_types_say_how_long_they_take() {
    let text = "ssp.library @shared {
  operator_type @shared_one [limit<1>]
}
ssp.instance @i of \"Problem\" {
  library {
    operator_type @known [latency<1>]
    operator_type @unknown
  }
  graph {
    %0 = operation<@known>()
    %1 = operation<@unknown>(%0)
    operation<@unknown>(%1)
    operation<@shared::@shared_one>(%1)
  }
}
";
    let folder = folder(&[("i.mlir", text)]);
    let (code, out, error) = schedule(folder.path(), &["i.mlir"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    let first = "i.mlir:7:5: error: operator type `@unknown` has no latency: `latency<N>` says after how many cycles its result is there, 0 in the same cycle\n";
    assert!(error.starts_with(first), "{error}");
    assert!(
        error.contains("i.mlir:2:3: error: operator type `@shared_one` has no latency"),
        "{error}"
    );
    assert!(error.ends_with("2 errors\n"), "{error}");
}

/// A dependence by name is only an order: the first operation must have ended, and no value is passed.
#[test]
fn dependences_by_name_carry_no_value() {
    let text = "ssp.instance @aux of \"ChainingProblem\" {
  library {
    operator_type @slow [latency<0>, incDelay<4.0>, outDelay<4.0>]
  }
  graph {
    operation<@slow> @a() [t<0>, z<0.0>]
    operation<@slow> @b(@a) [t<0>, z<0.0>]
  }
}
";
    let folder = folder(&[("aux.mlir", text)]);
    let (code, out, error) = schedule(folder.path(), &["aux.mlir", "--check", "--cycle-time", "5"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "aux: the schedule is right\n"),
        "{error}"
    );
}

const KERNEL: &str = "// not an ssp.instance
func.func @f(%m: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %m[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
";

const PROBLEM: &str = "# not an ssp.instance, no func.func
problem: p
clock_period_ns: 5
initiation: once
operations:
  a: {class: add, input_delay_ns: 1}
";

#[test]
fn a_kernel_has_problems_of_its_own() {
    let folder = folder(&[
        ("f.mlir", KERNEL),
        ("g.mlir", KERNEL),
        ("g.yaml", "clock_period_ns: 2\n"),
    ]);
    let (code, out, error) = schedule(folder.path(), &["f.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("arith.addi"), "{out}");
    let (code, out, error) = schedule(folder.path(), &["f.mlir", "--check"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.ends_with(": the schedule is right\n"), "{out}");
    // The configuration beside the kernel applies, and the command line overrides it.
    let form = ["--format", "ssp"];
    let of = |arguments: &[&str]| schedule(folder.path(), &[arguments, &form].concat()).1;
    let (usual, slow) = (of(&["f.mlir"]), of(&["g.mlir"]));
    assert_ne!(usual, slow.replace("g.mlir", "f.mlir"));
    assert_eq!(
        of(&["f.mlir", "--cycle-time", "2"]),
        slow.replace("g.mlir", "f.mlir")
    );
}

#[test]
fn inputs_are_told_apart_by_what_they_are() {
    let circuit =
        "hw.module @m(in %a : i8, out b : i8) { hw.output %a : i8 } // ssp.instance func.func\n";
    let files = [
        ("p.yaml", PROBLEM),
        ("p.txt", PROBLEM),
        ("circuit.mlir", circuit),
        ("empty.mlir", "// ssp.instance\n"),
        ("none.mlir", ""),
        ("text.yaml", "just words\n"),
        ("wrong.mlir", "func.func @f( {\n"),
        (
            "nothing.mlir",
            "func.func @f(%a: i32) -> i32 {  // not an ssp.instance\n  return %a : i32\n}\n",
        ),
        (
            "tagged.mlir",
            "module attributes {t = \"ssp.instance\"} {\n}\n",
        ),
    ];
    let folder = folder(&files);
    for (file, code, said) in [
        ("p.yaml", 0, "p: 1 operations\n"),
        ("p.txt", 0, "p: 1 operations\n"),
        (
            "circuit.mlir",
            1,
            "circuit.mlir: error: in circuits nothing is to schedule; `schedule` takes problems as YAML or as instances of `ssp`, and kernels\n",
        ),
        (
            "empty.mlir",
            1,
            "empty.mlir: error: there is no `ssp.instance` and no function; ",
        ),
        (
            "none.mlir",
            1,
            "none.mlir: error: there is no `ssp.instance` and no function; ",
        ),
        ("text.yaml", 1, "text.yaml:1:1: error: "),
        ("wrong.mlir", 1, "wrong.mlir:1:14: error: "),
        (
            "tagged.mlir",
            1,
            "tagged.mlir: error: there is no `ssp.instance`",
        ),
    ] {
        let (found, out, error) = schedule(folder.path(), &[file]);
        let text = out.clone() + &error;
        assert_eq!(found, Some(code), "{file}: {text}");
        assert!(text.starts_with(said), "{file}: {text}");
    }
    let (code, out, error) = schedule(folder.path(), &["nothing.mlir"]);
    assert!(!(out + &error).is_empty(), "{code:?}");
}

#[test]
fn all_files_are_one_document() {
    let folder = folder(&[
        ("p.yaml", PROBLEM),
        ("f.mlir", KERNEL),
        ("c.mlir", &chain(["t<2>", "t<3>"])),
    ]);
    let arguments = [
        "p.yaml",
        "f.mlir",
        "c.mlir",
        "--format",
        "json",
        "--cycle-time",
        "8",
    ];
    let (code, out, error) = schedule(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    let document: serde_json::Value = serde_json::from_str(&out).expect("one document");
    let entries = document.as_array().expect("a list");
    let files: Vec<_> = entries
        .iter()
        .filter_map(|entry| entry["file"].as_str())
        .collect();
    assert_eq!(files.first(), Some(&"p.yaml"));
    assert_eq!(files.last(), Some(&"c.mlir"));
    assert!(files.contains(&"f.mlir"), "{files:?}");
}
