//! `sluice opt` has the options of mlir-opt: dumps are the same text, and each tool reads the reproducers of the other.

use std::path::Path;
use std::process::{Command, Output};

const MODULE: &str = "func.func @f(%a: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 0 : i32
  %0 = arith.addi %a, %c0 : i32
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
func.func @g() {
  return
}
";

/// A pass that fails on the first function.
const FAILS: &str = "--pass-pipeline=builtin.module(cse,func.func(canonicalize{test-convergence=true max-iterations=1}))";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("m.mlir"), MODULE).expect("it can be written");
    folder
}

fn run(folder: &Path, command: &mut Command, arguments: &[&str]) -> Output {
    let command = command.args(arguments).current_dir(folder);
    command
        .env("NO_COLOR", "1")
        .output()
        .expect("the command can be run")
}

fn ours(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
    run(folder, command.arg("opt"), arguments)
}

/// Runs mlir-opt 19; `None` if it is not installed, unless it is required.
fn theirs(folder: &Path, arguments: &[&str]) -> Option<Output> {
    let names = ["mlir-opt-19", "/usr/lib/llvm-19/bin/mlir-opt"];
    let found = names.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    });
    let Some(name) = found else {
        let is_required = std::env::var_os("SLUICE_REQUIRE_TOOLS").is_some();
        assert!(
            !is_required,
            "`mlir-opt-19` is missing: install `mlir-19-tools`"
        );
        eprintln!("SKIPPED: no `mlir-opt-19`");
        return None;
    };
    Some(run(folder, &mut Command::new(name), arguments))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn dumps_are_those_of_mlir_opt() {
    let folder = folder();
    let after = "--mlir-print-ir-after-all";
    for arguments in [
        &[after, "--cse", "--canonicalize"][..],
        &[
            "-mlir-print-ir-before=cse",
            "-mlir-print-ir-after=canonicalize,symbol-dce",
            "-cse",
            "-canonicalize",
            "-symbol-dce",
        ],
        &[after, "--mlir-print-ir-after-change", "--cse", "--cse"],
        &["--mlir-print-ir-after-change", "--cse"],
        &[
            after,
            "--pass-pipeline=builtin.module(func.func(cse),sccp,func.func(cse))",
        ],
        &[
            after,
            "--mlir-print-ir-after-change",
            "--pass-pipeline=builtin.module(func.func(cse,canonicalize))",
        ],
        &[
            "--mlir-print-ir-before-all",
            "--pass-pipeline=builtin.module(any(loop-invariant-code-motion))",
        ],
        &[
            after,
            "--mlir-print-ir-module-scope",
            "--mlir-disable-threading",
            "--pass-pipeline=builtin.module(func.func(cse),symbol-dce)",
        ],
        &[
            after,
            "--mlir-print-op-generic",
            "--mlir-print-local-scope",
            "--lift-cf-to-scf",
        ],
        &[after, "--mlir-print-debuginfo", "--cse"],
        &["--mlir-print-ir-after-failure", "--cse"],
        &["--verify-roundtrip", "--verify-each=false", "--cse"],
    ] {
        let arguments = [&["m.mlir"], arguments].concat();
        let Some(theirs) = theirs(folder.path(), &arguments) else {
            return;
        };
        let ours = ours(folder.path(), &arguments);
        assert!(ours.status.success(), "{arguments:?}");
        assert_eq!(text(&ours.stderr), text(&theirs.stderr), "{arguments:?}");
        assert_eq!(text(&ours.stdout), text(&theirs.stdout), "{arguments:?}");
    }
}

#[test]
fn a_dump_of_a_failure_is_that_of_mlir_opt() {
    let folder = folder();
    let arguments = ["m.mlir", "--mlir-print-ir-after-failure", FAILS];
    let ours = ours(folder.path(), &arguments);
    assert_eq!(ours.status.code(), Some(1));
    if let Some(theirs) = theirs(folder.path(), &arguments) {
        let wanted = text(&theirs.stderr);
        assert!(wanted.contains("After Canonicalizer Failed (canonicalize)"));
        let found = text(&ours.stderr);
        assert!(found.starts_with(wanted.trim_end()), "{found}\n{wanted}");
    }
}

#[test]
fn a_failure_leaves_a_reproducer_for_both_tools() {
    let folder = folder();
    let crash = "--mlir-pass-pipeline-crash-reproducer=crash.mlir";
    let failed = ours(folder.path(), &["m.mlir", crash, FAILS, "-o", "out.mlir"]);
    assert_eq!(failed.status.code(), Some(1));
    let messages = text(&failed.stderr);
    let note = "crash.mlir: note: the module and the pipeline are in this file, since pass `canonicalize` failed; to repeat it: sluice opt crash.mlir --run-reproducer\n";
    assert!(messages.ends_with(note), "{messages}");
    assert!(!folder.path().join("out.mlir").exists());
    let again = ours(folder.path(), &["crash.mlir", "--run-reproducer"]);
    assert_eq!(again.status.code(), Some(1));
    let wanted = "error: `canonicalize` did not reach a fixpoint";
    assert!(text(&again.stderr).contains(wanted));
    if let Some(theirs) = theirs(folder.path(), &["crash.mlir", "--run-reproducer"]) {
        assert_eq!(theirs.status.code(), Some(1));
    }
    let nowhere = "--mlir-pass-pipeline-crash-reproducer=nowhere/crash.mlir";
    let unwritten = ours(folder.path(), &["m.mlir", nowhere, FAILS]);
    assert_eq!(unwritten.status.code(), Some(1));
    let messages = text(&unwritten.stderr);
    for part in [wanted, "nowhere/crash.mlir: error: "] {
        assert!(messages.contains(part), "{messages}");
    }
    let sound = [
        "m.mlir",
        "--mlir-pass-pipeline-crash-reproducer=none.mlir",
        "--cse",
    ];
    assert!(ours(folder.path(), &sound).status.success());
    assert!(!folder.path().join("none.mlir").exists());
}

#[test]
fn each_tool_runs_the_reproducers_of_the_other() {
    let folder = folder();
    let write = ["m.mlir", "--mlir-generate-reproducer=ours.mlir", "--cse"];
    let wanted = ours(folder.path(), &write);
    assert!(wanted.status.success());
    let read = ["ours.mlir", "--run-reproducer"];
    let again = ours(folder.path(), &read);
    assert_eq!(text(&again.stdout), text(&wanted.stdout));
    let Some(by_them) = theirs(folder.path(), &read) else {
        return;
    };
    assert_eq!(text(&by_them.stdout), text(&wanted.stdout));
    let crash = "--mlir-pass-pipeline-crash-reproducer=theirs.mlir";
    let failed = theirs(folder.path(), &["m.mlir", crash, FAILS, "-o", "out.mlir"]);
    assert!(failed.is_some_and(|failed| !failed.status.success()));
    let dumped = [
        "theirs.mlir",
        "--run-reproducer",
        "--mlir-print-ir-after-failure",
    ];
    let by_us = ours(folder.path(), &dumped);
    assert_eq!(by_us.status.code(), Some(1));
    let header = "// -----// IR Dump After Canonicalizer Failed (canonicalize) //----- //\n";
    assert!(text(&by_us.stderr).starts_with(header));
}

#[test]
fn times_are_printed_for_the_passes() {
    let folder = folder();
    let arguments = [
        "m.mlir",
        "--mlir-timing",
        "--mlir-disable-threading",
        "--pass-pipeline=builtin.module(cse,func.func(canonicalize,cse))",
        "-o=out.mlir",
    ];
    let names = |output: &Output| {
        let text = text(&output.stderr);
        let lines = text.lines().skip(3).filter(|line| !line.is_empty());
        // Without times, shares, and the analyses of mlir-opt.
        let lines = lines.map(|line| line.split(')').next_back().unwrap_or_default().to_owned());
        lines
            .filter(|line| !line.contains("DominanceInfo"))
            .map(|line| match line.starts_with("  Total Execution") {
                true => "Total".to_owned(),
                false => line,
            })
            .collect::<Vec<_>>()
    };
    let found = ours(folder.path(), &arguments);
    let wanted = [
        "Total",
        "  ----Wall Time----  ----Name----",
        "  Parser",
        "  CSE",
        "  'func.func' Pipeline",
        "    Canonicalizer",
        "    CSE",
        "  Output",
        "  Rest",
        "  Total",
    ];
    assert_eq!(names(&found), wanted, "{}", text(&found.stderr));
    if let Some(theirs) = theirs(folder.path(), &arguments) {
        assert_eq!(names(&theirs), wanted, "{}", text(&theirs.stderr));
    }
}
