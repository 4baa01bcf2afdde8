//! Tests of help, output and errors of every command as a user sees them: exit code, standard output, standard error.

use std::path::Path;
use std::process::Command;

const COMMANDS: &[&str] = &[
    "compile",
    "sim",
    "cosim",
    "diverge",
    "reduce",
    "report",
    "opt",
    "explore",
    "schedule",
    "calibrate",
    "keys",
    "lock",
    "junit",
    "completions",
    "man",
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

/// A kernel with dependent products that are too slow for a short clock period.
const PRODUCTS: &str = "func.func @products(%m: memref<64xi16>, %a: i16, %b: i16) -> i16 {
  %r:2 = affine.for %i = 0 to 64 iter_args(%s = %a, %t = %b) -> (i16, i16) {
    %d = affine.load %m[%i] : memref<64xi16>
    %p = arith.muli %s, %d : i16
    %q = arith.addi %p, %t : i16
    %u = arith.muli %q, %s : i16
    %w = arith.xori %u, %d : i16
    affine.yield %q, %w : i16, i16
  }
  %o = arith.addi %r#0, %r#1 : i16
  return %o : i16
}
";

/// A kernel that is refused for two reasons.
const FLOAT: &str = "func.func @scale(%a: memref<8xi32>, %by: f32) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %f = arith.sitofp %x : i32 to f32
    %g = arith.remf %f, %by : f32
    %y = arith.fptosi %g : f32 to i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  return
}
";

/// Points of a design space, one of them impossible.
const SPACE: &str = "ii: {i: [1, 2]}
vary:
  loops.i.pipeline: [null, false]
  loops.%i.unroll: [1, 4, 3]
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

/// A loop as a scheduling problem, with start times that violate its constraints.
const LOOP: &str = "problem: sum
clock_period_ns: 5
initiation: every
resources: {port: {count: 1, name: read port}}
classes:
  load: {latency: 1, output_delay_ns: 2, resource: port}
operations:
  a: {class: load}
  b: {class: load}
  s: {class: add, input_delay_ns: 3}
dependences: [a -> s, b -> s, {from: s, to: s, distance: 1}]
schedule: {ii: 1, start: {a: 0, b: 0, s: 1}}
";

/// A block and a loop as instances of `ssp`.
const INSTANCES: &str = "ssp.instance @block of \"SharedOperatorsProblem\" {
  library {
    operator_type @mul [latency<3>]
  }
  resource {
    resource_type @dsp [limit<1>]
  }
  graph {
    %0 = operation<@mul>() uses[@dsp]
    %1 = operation<@mul>() uses[@dsp]
    operation<@mul> @last(%0, %1) uses[@dsp]
  }
}
ssp.instance @loop of \"CyclicProblem\" {
  library {
    operator_type @add [latency<2>]
  }
  graph {
    operation<@add> @sum(@sum [dist<1>])
  }
}
";

/// Runs `sluice` in `folder`, and returns exit code and output as text.
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
fn scripts_and_pages_are_those_of_the_command_line() {
    let folder = folder_with(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = answer(folder.path(), &["completions", shell]);
        for word in ["compile", "clock-period-ns", "irdl-file"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    let page = answer(folder.path(), &["man"]);
    for command in COMMANDS {
        assert!(page.contains(command), "no {command}");
        let page = answer(folder.path(), &["man", command]);
        let head = format!(".TH sluice-{command} 1");
        assert!(page.contains(&head), "{page}");
    }
    let refused = answer(folder.path(), &["man", "compil"]);
    assert!(refused.contains("did you mean `compile`?"), "{refused}");
}

#[test]
fn answers() {
    let data = "cases:\n  - inputs: {a: [1, 2, 3, 4, 5, 6, 7, 8]}\n    outputs: {result0: 36}\n";
    let folder = folder_with(&[
        ("sum.mlir", SUM),
        ("products.mlir", PRODUCTS),
        ("data.yaml", data),
        ("float.mlir", FLOAT),
        ("boxes.irdl", DIALECT),
        ("opened.mlir", OPENED),
        ("loop.yaml", LOOP),
        ("space.yaml", SPACE),
        ("instances.mlir", INSTANCES),
    ]);
    for (name, arguments) in [
        ("compile", &["compile", "sum.mlir", "--verify"][..]),
        (
            "compile_late",
            &[
                "compile",
                "products.mlir",
                "--device",
                "xilinx7",
                "--clock-period-ns",
                "3.5",
            ],
        ),
        ("sim", &["sim", "sum.mlir", "--random", "3"]),
        (
            "diverge",
            &["diverge", "sum.mlir", "--random", "2", "--no-verilator"],
        ),
        (
            "reduce",
            &[
                "reduce",
                "sum.mlir",
                "--test",
                "grep -q 'affine.load %a.%i'",
            ],
        ),
        (
            "reduce_attempts",
            &["reduce", "sum.mlir", "--test", "true", "--attempts", "1"],
        ),
        (
            "reduce_error",
            &["reduce", "float.mlir", "--error", "`arith.remf`"],
        ),
        ("report", &["report", "sum.mlir"]),
        (
            "opt",
            &[
                "opt",
                "sum.mlir",
                "--pass",
                "affine-to-scf",
                "--source-names",
            ],
        ),
        ("opt_list", &["opt", "--list"]),
        ("opt_show_dialects", &["opt", "--show-dialects"]),
        (
            "opt_dumps",
            &[
                "opt",
                "sum.mlir",
                "--pass-pipeline=builtin.module(affine-to-scf,func.func(cse),sccp)",
                "--mlir-print-ir-before=affine-to-scf,sccp",
                "--mlir-print-ir-after-all",
                "--mlir-print-ir-after-change",
            ],
        ),
        (
            "opt_statistics",
            &[
                "opt",
                "sum.mlir",
                "--pass-pipeline=builtin.module(affine-to-scf,func.func(canonicalize),cse)",
                "--mlir-pass-statistics",
                "--verify-roundtrip",
                "-o=sum.out.mlir",
            ],
        ),
        (
            "compile_emit_ssp",
            &["compile", "sum.mlir", "--emit", "ssp"],
        ),
        (
            "compile_emit_yaml",
            &["compile", "sum.mlir", "--emit", "yaml"],
        ),
        (
            "explore",
            &["explore", "sum.mlir", "--config", "space.yaml"],
        ),
        ("schedule", &["schedule", "loop.yaml", "--advice"]),
        (
            "schedule_json",
            &["schedule", "loop.yaml", "--format", "json"],
        ),
        (
            "schedule_ssp",
            &["schedule", "instances.mlir", "loop.yaml", "--format", "ssp"],
        ),
        (
            "schedule_sat",
            &["schedule", "instances.mlir", "--solver", "sat"],
        ),
        (
            "opt_irdl",
            &["opt", "opened.mlir", "--irdl-file", "boxes.irdl"],
        ),
    ] {
        insta::assert_snapshot!(name, answer(folder.path(), arguments));
    }
}

/// Returns the code blocks of a language in a page.
fn fenced<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    let parts = page.split(&open).skip(1);
    parts.filter_map(|part| part.split("```").next()).collect()
}

#[test]
fn the_page_on_schedules_tells_the_truth() {
    let page = include_str!("../../../../docs/SCHEDULING.md");
    let folder = folder_with(&[("page.yaml", fenced(page, "yaml")[0])]);
    let found = answer(folder.path(), &["schedule", "page.yaml"]);
    let shown = page.split("The loop above answers:\n\n```\n").nth(1);
    let shown = shown.and_then(|rest| rest.split("```").next());
    let expected = format!(
        "sluice schedule page.yaml\nexit code 0\n--- output\n{}--- errors\n",
        shown.unwrap_or_default()
    );
    assert_eq!(found, expected);
    let found = answer(folder.path(), &["schedule", "page.yaml", "--check"]);
    assert!(found.contains("exit code 0"), "{found}");
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
        (
            "bad_space.yaml",
            "unrol: {i: [1]}\nii: {i: [1, fast]}\nvary: {loops.i.jamm: [2], parallel: [null, auto]}\n",
        ),
        ("empty.mlir", ""),
        ("loop.yaml", LOOP),
        (
            "bad_loop.yaml",
            &LOOP
                .replace("latency", "latncy")
                .replace("a -> s", "a -> x")
                .replace("count: 1", "count: one"),
        ),
        ("tight.yaml", &LOOP.replace("every", "{ii: 1}")),
        ("boxes.irdl", DIALECT),
        ("bad.irdl", &DIALECT.replace("@boxes::@box", "@boxes::@bag")),
        (
            "opened.mlir",
            &OPENED.replace("-> i8", "-> i1").replace(" : i8", " : i1"),
        ),
    ]);
    for (name, arguments) in [
        ("no_file", &["compile", "nothing.mlir"][..]),
        ("reduce_sound", &["reduce", "sum.mlir"]),
        ("reduce_refused", &["reduce", "bad.mlir"]),
        (
            "reduce_other_error",
            &["reduce", "bad.mlir", "--error", "division"],
        ),
        ("reduce_dull", &["reduce", "sum.mlir", "--test", "false"]),
        (
            "reduce_no_command",
            &["reduce", "sum.mlir", "--test", "./nothing-of-the-kind"],
        ),
        ("bad_kernel", &["compile", "bad.mlir"]),
        ("empty_file", &["compile", "empty.mlir"]),
        ("bad_data", &["sim", "sum.mlir", "--data", "bad_data.yaml"]),
        (
            "bad_config",
            &["compile", "sum.mlir", "--config", "bad_config.yaml"],
        ),
        (
            "bad_space",
            &["explore", "sum.mlir", "--config", "bad_space.yaml"],
        ),
        ("schedule_check", &["schedule", "loop.yaml", "--check"]),
        ("schedule_bad", &["schedule", "bad_loop.yaml"]),
        ("schedule_infeasible", &["schedule", "tight.yaml"]),
        (
            "schedule_usage",
            &["schedule", "tight.yaml", "--solver", "magic"],
        ),
        ("bad_flag", &["compile", "sum.mlir", "--verfy"]),
        ("unknown_pass", &["opt", "sum.mlir", "--pass", "flatten"]),
        ("pass_too_early", &["opt", "sum.mlir", "--pass", "narrow"]),
        (
            "opt_dump_after_failure",
            &[
                "opt",
                "sum.mlir",
                "--pass=cse",
                "--pass=narrow",
                "--mlir-print-ir-after-failure",
            ],
        ),
        (
            "opt_dump_of_no_pass",
            &["opt", "sum.mlir", "--mlir-print-ir-after=cse,lower-afine"],
        ),
        (
            "opt_notes",
            &[
                "opt",
                "opened.mlir",
                "--irdl-file=boxes.irdl",
                "--mlir-print-op-on-diagnostic",
            ],
        ),
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

#[test]
fn a_report_is_one_page() {
    let folder = folder_with(&[("sum.mlir", SUM)]);
    let told = answer(folder.path(), &["report", "sum.mlir", "--html", "sum.html"]);
    assert!(
        told.ends_with("exit code 0\n--- output\n--- errors\n"),
        "{told}"
    );
    let page = std::fs::read_to_string(folder.path().join("sum.html")).expect("it was written");
    for absent in ["http", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(absent), "a page alone has no `{absent}`");
    }
    for present in [
        "cycles = 4 + I",
        "<svg",
        "prefers-color-scheme: dark",
        "width=device-width",
        "id=\"L4\"",
        "%x = affine.load %a[%i]",
        "argument, outside",
    ] {
        assert!(page.contains(present), "the page has `{present}`");
    }
    let opened = page.matches("<details").count();
    assert_eq!(opened, page.matches("</details>").count());
    assert_eq!(page.matches("<tr").count(), page.matches("</tr>").count());
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(files.len(), 2, "nothing else is left: {files:?}");
}
