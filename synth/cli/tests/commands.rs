//! Help, answers and errors of every command as a user sees them: exit code, standard output, standard error.

use std::path::Path;
use std::process::Command;

const COMMANDS: &[&str] = &[
    "compile",
    "sim",
    "cosim",
    "report",
    "opt",
    "explore",
    "calibrate",
];

const SUM: &str = "func.func @sum(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
";

/// A dialect with a type and an operation.
const DIALECT: &str = "irdl.dialect @boxes {
  irdl.type @box {
    %content = irdl.any
    irdl.parameters(%content)
  }
  irdl.operation @open {
    %content = irdl.any
    %box = irdl.parametric @boxes::@box<%content>
    irdl.operands(%box)
    irdl.results(%content)
  }
}
";

const OPENED: &str = "func.func @f(%a: !boxes.box<i8>) -> i8 {
  %b = \"boxes.open\"(%a) : (!boxes.box<i8>) -> i8
  return %b : i8
}
";

/// Runs `sluice` in `folder`; what it answered, as text.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command that was built can be run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "sluice {}\nexit code {}\n--- output\n{}--- errors\n{}",
        arguments.join(" "),
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

#[test]
fn help_of_every_command() {
    let folder = folder_with(&[]);
    insta::assert_snapshot!("help", answer(folder.path(), &["--help"]));
    for command in COMMANDS {
        let name = format!("help_{command}");
        insta::assert_snapshot!(name, answer(folder.path(), &[command, "--help"]));
    }
}

#[test]
fn answers() {
    let data = "cases:\n  - inputs: {a: [1, 2, 3, 4, 5, 6, 7, 8]}\n    outputs: {result0: 36}\n";
    let folder = folder_with(&[
        ("sum.mlir", SUM),
        ("data.yaml", data),
        ("boxes.irdl", DIALECT),
        ("opened.mlir", OPENED),
    ]);
    for (name, arguments) in [
        ("compile", &["compile", "sum.mlir", "--verify"][..]),
        ("sim", &["sim", "sum.mlir", "--random", "3"]),
        ("report", &["report", "sum.mlir"]),
        (
            "opt",
            &[
                "opt",
                "sum.mlir",
                "--pass",
                "lower-affine",
                "--source-names",
            ],
        ),
        ("opt_list", &["opt", "--list"]),
        (
            "opt_irdl",
            &["opt", "opened.mlir", "--irdl-file", "boxes.irdl"],
        ),
    ] {
        insta::assert_snapshot!(name, answer(folder.path(), arguments));
    }
}

#[test]
fn errors() {
    let bad_data = "cases:\n  - inputs: {b: [1]}\n    output: {result0: 36}\n";
    let bad_config = "clock_perod_ns: 5\nloops: {i: {ii: 2, pipelin: false}}\nlimits: {add: 1}\n";
    let folder = folder_with(&[
        ("sum.mlir", SUM),
        (
            "bad.mlir",
            &SUM.replace("%acc, %x", "%acc, %y")
                .replace("i32 {", "i64 {"),
        ),
        ("bad_data.yaml", bad_data),
        ("bad_config.yaml", bad_config),
        ("empty.mlir", ""),
        ("boxes.irdl", DIALECT),
        ("bad.irdl", &DIALECT.replace("@boxes::@box", "@boxes::@bag")),
        (
            "opened.mlir",
            &OPENED.replace("-> i8", "-> i1").replace(" : i8", " : i1"),
        ),
    ]);
    for (name, arguments) in [
        ("no_file", &["compile", "nothing.mlir"][..]),
        ("bad_kernel", &["compile", "bad.mlir"]),
        ("empty_file", &["compile", "empty.mlir"]),
        ("bad_data", &["sim", "sum.mlir", "--data", "bad_data.yaml"]),
        (
            "bad_config",
            &["compile", "sum.mlir", "--config", "bad_config.yaml"],
        ),
        ("bad_flag", &["compile", "sum.mlir", "--verfy"]),
        ("unknown_pass", &["opt", "sum.mlir", "--pass", "flatten"]),
        ("pass_too_early", &["opt", "sum.mlir", "--pass", "narrow"]),
        (
            "bad_operation_of_irdl",
            &["opt", "opened.mlir", "--irdl-file", "boxes.irdl"],
        ),
        (
            "bad_irdl",
            &["opt", "opened.mlir", "--irdl-file", "bad.irdl"],
        ),
        (
            "no_irdl",
            &["opt", "opened.mlir", "--irdl-file", "none.irdl"],
        ),
    ] {
        insta::assert_snapshot!(name, answer(folder.path(), arguments));
    }
    assert!(
        !folder.path().join("sluice-out").exists(),
        "a command that fails writes nothing"
    );
}
