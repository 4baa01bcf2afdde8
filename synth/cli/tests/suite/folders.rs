//! Tests of `sluice sim` on folders: the kernels it finds, its output, the file for CI.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn kernel(name: &str, operation: &str) -> String {
    format!(
        "func.func @{name}(%a: memref<4xi32>, %b: i32) {{
  affine.for %i = 0 to 4 {{
    %x = affine.load %a[%i] : memref<4xi32>
    %y = {operation} %x, %b : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }}
  return
}}
"
    )
}

/// Creates a folder with two kernels that pass, one in a folder of its own and one in a folder with files of a compilation, and
/// one kernel with a wrong result.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
        std::fs::write(path, text).expect("it can be written");
    };
    write("good/kernel.mlir", &kernel("good", "arith.addi"));
    write("good/large.mlir", "no kernel of the folder");
    write(
        "good/data.yaml",
        "cases:\n  - inputs: {a: [1, 2, 3, 4], b: 3}\n    outputs: {a: [4, 5, 6, 7]}\nexpect: {latency: 7, ii: {i: 1}}\n",
    );
    write("more/times.mlir", &kernel("times", "arith.muli"));
    write(
        "more/times.data.yaml",
        "cases:\n  - inputs: {a: [1, 2, 3, 4], b: 3}\n",
    );
    write("more/out/times.rtl.mlir", "func.func no kernel either");
    write("wrong/kernel.mlir", &kernel("wrong", "arith.subi"));
    write(
        "wrong/data.yaml",
        "cases:\n  - inputs: {a: [1, 2, 3, 4], b: 3}\n    outputs: {a: [4, 5, 6, 7]}\n",
    );
    folder
}

fn sim(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "."])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

/// Returns the output without times.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| {
        let end = line.rfind(' ').filter(|_| line.ends_with(" s"));
        let without = end.and_then(|end| line[..end].rfind([',', ' ']));
        without.map_or(line, |at| line[..at].trim_end_matches([' ', ',']))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_kernel_is_run_and_failures_can_be_repeated() {
    let folder = folder();
    let output = sim(folder.path(), &["--junit", "out.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let expected = "\
ok      good/kernel.mlir   1 data set, 7 cycles
ok      more/times.mlir    1 data set, 8 cycles
FAILED  wrong/kernel.mlir
        ./wrong/data.yaml:3:15: error: data set 0: the interpreter disagrees with the data file: a[0] is -2, the data file expects 4
        again: sluice sim ./wrong/kernel.mlir
2 passed, 1 failed, 15 cycles";
    let said = said(&output);
    let alike = said.lines().zip(expected.lines()).all(|(a, b)| {
        // Names are padded to the longest one.
        a.split_whitespace().eq(b.split_whitespace())
    });
    assert!(alike && said.lines().count() == 6, "{said}");
    let found = super::junit::cases(&folder.path().join("out.xml"));
    assert_eq!(
        found,
        [
            "good/kernel.mlir | data set 0 | ./good/kernel.mlir |",
            "more/times.mlir | data set 0 | ./more/times.mlir |",
            "wrong/kernel.mlir | data set 0 | ./wrong/data.yaml:3:15 | failure: the interpreter disagrees with the data file: a[0] is -2, the data file expects 4",
        ]
    );
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error, "1 of 3 runs failed\n");
}

#[test]
fn kernels_are_chosen_by_their_path_and_repeated_with_other_seeds() {
    let folder = folder();
    let output = sim(
        folder.path(),
        &[
            "--filter", "more", "--repeat", "2", "--random", "3", "--jobs", "1",
        ],
    );
    assert_eq!(output.status.code(), Some(0));
    let said = said(&output);
    let names: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("ok      "))
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert_eq!(
        names,
        ["more/times.mlir (seed 1)", "more/times.mlir (seed 2)"]
    );
    let output = sim(folder.path(), &["--filter", "nowhere"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("there is no kernel with `nowhere` in its path below ."),
        "{error}"
    );
}

#[test]
fn nothing_begins_after_a_failure_where_that_is_asked_for() {
    let folder = folder();
    std::fs::rename(folder.path().join("wrong"), folder.path().join("a"))
        .expect("it can be renamed");
    let output = sim(folder.path(), &["--fail-fast", "--jobs", "1"]);
    let said = said(&output);
    assert!(said.ends_with("2 left out after a failure"), "{said}");
}

#[test]
fn what_is_expected_and_not_met_is_said() {
    let folder = folder();
    let data = folder.path().join("good/data.yaml");
    let text = std::fs::read_to_string(&data).expect("it is there");
    let text = text.replace("{latency: 7, ii: {i: 1}}", "{latency: 6, ii: {i: 2, j: 1}}");
    std::fs::write(data, text).expect("it can be written");
    let output = sim(folder.path(), &["--filter", "good"]);
    let said = said(&output);
    for expected in [
        "expect: latency 6, found 7 cycles",
        "expect: II 2 of loop `i`, found 1",
        "expect: II 1 of loop `j`, which is not pipelined; did you mean `i`?",
    ] {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn options_that_say_nothing_of_what_is_run_are_errors() {
    let folder = folder();
    for (arguments, expected) in [
        (
            &["sim", ".", "--vcd", "x.vcd"][..],
            ". is not a file, which --vcd is for",
        ),
        (
            &["sim", ".", "--cycles", "3", "--time"],
            ". is not a circuit, which --cycles, --time are for",
        ),
        (
            &["sim", "good/kernel.mlir", "--jobs", "2"],
            "good/kernel.mlir is not a folder, which --jobs is for",
        ),
        (
            &[
                "sim", ".", "--vcd", "x.vcd", "--assert", "a", "--set", "b=1",
            ],
            "error: . is not a file, which --vcd, --assert are for\nerror: . is not a circuit, which --set is for\n",
        ),
        (
            &[
                "sim",
                "good/kernel.mlir",
                "--fail-fast",
                "--batch",
                "2",
                "--until",
                "done",
            ],
            "error: good/kernel.mlir is not a folder, which --fail-fast is for\nerror: good/kernel.mlir is not a circuit, which --until, --batch are for\n",
        ),
        (
            &["sim", "good/kernel.mlir", "--set", "b=1"],
            "good/kernel.mlir is not a circuit, which --set is for",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn numbers_of_runs_and_threads_are_above_0() {
    let folder = folder();
    for option in ["--repeat", "--jobs"] {
        let output = sim(folder.path(), &[option, "0"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("invalid value '0'"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn folders_that_links_lead_back_to_are_run_once() {
    let folder = folder();
    let path = folder.path();
    std::os::unix::fs::symlink("..", path.join("good/up")).expect("a link can be made");
    std::os::unix::fs::symlink("../good", path.join("more/also")).expect("a link can be made");
    std::fs::remove_dir_all(path.join("wrong")).expect("it was there");
    let output = sim(path, &["--filter", "kernel.mlir"]);
    assert_eq!(output.status.code(), Some(0));
    let said = said(&output);
    let names: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(
        names[..2],
        ["good/kernel.mlir", "more/also/kernel.mlir"],
        "{said}"
    );
    assert!(said.ends_with("2 passed, 0 failed, 14 cycles"), "{said}");
}

#[test]
fn a_kernel_may_come_from_the_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin
        .write_all(kernel("piped", "arith.addi").as_bytes())
        .expect("it is read");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.starts_with("@piped: interpreter = cycle simulation on 1 data set"),
        "{said}"
    );
}

/// `testbenches/mutations/run` searches the file for CI for kernels that fail.
#[test]
fn kernels_that_fail_or_are_refused_are_found_in_the_file() {
    let folder = folder();
    let refused = folder.path().join("refused");
    std::fs::create_dir_all(&refused).expect("folders can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(refused.join(name), text).expect("it can be written");
    };
    write("kernel.mlir", &kernel("refused", "arith.addi"));
    write("kernel.yaml", "clock_period_ns: 0.1\n");
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testbenches/mutations/run"
    );
    let output = Command::new("python3")
        .args([
            script,
            "--sluice",
            env!("CARGO_BIN_EXE_sluice"),
            "--failing",
        ])
        .arg(folder.path())
        .output()
        .expect("the gate has Python");
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        found.lines().collect::<Vec<_>>(),
        ["refused/kernel.mlir", "wrong/kernel.mlir"],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
