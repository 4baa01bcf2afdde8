//! `sluice explore`: its fronts, its errors, its folder of points.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) const SUMS: &str = "func.func @sums(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
";

/// A step of a bitonic sort, which is expected to need more than the shortest clock periods that it is compiled for.
const PAIRS: &str = "func.func @pairs(%a: memref<8xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[2 * %i] : memref<8xi32>
    %y = affine.load %a[2 * %i + 1] : memref<8xi32>
    %low = arith.minsi %x, %y : i32
    %high = arith.maxsi %x, %y : i32
    affine.store %low, %a[2 * %i] : memref<8xi32>
    affine.store %high, %a[2 * %i + 1] : memref<8xi32>
  }
  return
}
";

/// A kernel whose latency depends on its data.
const GCD: &str = "func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%u: i32, %v: i32):
    %rest = arith.remui %u, %v : i32
    scf.yield %v, %rest : i32, i32
  }
  return %r#0 : i32
}
";

const GCD_DATA: &str = "cases:
  - inputs: {a: 12, b: 8}
  - inputs: {a: 1000, b: 377}
  - inputs: {a: 5, b: 0}
";

/// A kernel that adds as often as its memory says.
const REPEATED: &str = "func.func @repeated(%n: memref<1xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %count = memref.load %n[%zero] : memref<1xi32>
  %end = arith.index_cast %count : i32 to index
  %sum = scf.for %i = %zero to %end step %one iter_args(%acc = %three) -> (i32) {
    %next = arith.muli %acc, %three : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
";

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

fn sluice(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command that was built can be run")
}

/// Returns the exit code and the output.
fn answer(folder: &Path, arguments: &[&str]) -> String {
    let output = sluice(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "exit code {}\n--- output\n{}--- errors\n{}",
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Explores and returns the points; the exit code must be the one expected.
fn explored(folder: &Path, space: &str, expected_code: i32) -> Value {
    std::fs::write(folder.join("space.yaml"), space).expect("a file can be written");
    let arguments = [
        "explore",
        "k.mlir",
        "--config",
        "space.yaml",
        "--json",
        "points.json",
    ];
    let output = sluice(folder, &arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(expected_code), "{said}");
    let text = std::fs::read_to_string(folder.join("points.json")).expect("it is written");
    serde_json::from_str(&text).expect("it is JSON")
}

fn points(found: &Value) -> &[Value] {
    found["points"].as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn a_space_with_every_kind_of_row() {
    let space = "device: [generic, ecp5]
clock_period_ns: [1, 2, 2.25, 2.5, 3]
unroll: {i: [1, 2, 3]}
constraints: {lut: {max: 320}}
";
    let folder = folder_with(&[("k.mlir", PAIRS), ("space.yaml", space)]);
    let arguments = ["explore", "k.mlir", "--config", "space.yaml"];
    insta::assert_snapshot!("explore_fronts", answer(folder.path(), &arguments));
    let arguments = [&arguments[..], &["--allow-failures"]].concat();
    let again = answer(folder.path(), &arguments);
    assert!(again.starts_with("exit code 0\n"), "{again}");
    let note = "note: 30 of 30 points were compiled before\n";
    assert!(again.ends_with(note), "{again}");
}

#[test]
fn figures_are_those_of_the_report() {
    let folder = folder_with(&[("k.mlir", PAIRS)]);
    let space = "device: [generic, ultrascale_plus]\nclock_period_ns: [2, 2.25, 10]\n";
    let found = explored(folder.path(), space, 0);
    assert_eq!(points(&found).len(), 6);
    for point in points(&found) {
        let settings = &point["settings"];
        let of = |name: &str| settings[name].as_str().expect("a text");
        let arguments = [
            "report",
            "k.mlir",
            "--json",
            "--device",
            of("device"),
            "--clock-period-ns",
            of("clock_period_ns"),
        ];
        let report = sluice(folder.path(), &arguments);
        let report: Value = serde_json::from_slice(&report.stdout).expect("it is JSON");
        for name in ["lut", "ff", "dsp", "bram"] {
            let estimate = &report["estimate"][name];
            for part in ["value", "low", "high"] {
                let expected = number(&estimate[part]).round_ties_even();
                assert_eq!(number(&point[name][part]), expected, "{point}");
            }
        }
        let cycles = number(&report["latency_cycles"]);
        assert_eq!(number(&point["cycles"]["mean"]), cycles);
        let requested: f64 = of("clock_period_ns").parse().expect("a number");
        let needed = 1000.0 / number(&report["estimate"]["fmax_mhz"]["value"]);
        let time = cycles * needed.max(requested);
        let difference = number(&point["time_ns"]["value"]) - time;
        assert!(difference.abs() <= 0.06, "{time} ns: {point}");
    }
}

/// A point that misses its clock gains nothing from a shorter requested period, and equal circuits are one row.
#[test]
fn clocks_that_are_missed_are_one_row() {
    let folder = folder_with(&[("k.mlir", PAIRS)]);
    let found = explored(folder.path(), "clock_period_ns: [2, 2.1, 2.2]\n", 0);
    assert_eq!(found["fronts"][0]["rows"], serde_json::json!([[1, 2, 3]]));
    for point in points(&found) {
        let (period, cycles) = (&point["period_ns"]["value"], &point["cycles"]["mean"]);
        assert!(number(period) > 2.25, "{point}");
        let time = number(period) * number(cycles);
        assert!(
            (number(&point["time_ns"]["value"]) - time).abs() < 0.1,
            "{point}"
        );
    }
}

#[test]
fn devices_do_not_compete() {
    let folder = folder_with(&[("k.mlir", SUMS)]);
    let found = explored(folder.path(), "device: [ice40, ecp5, generic]\n", 0);
    let fronts = found["fronts"].as_array().expect("fronts");
    let devices: Vec<&str> = fronts.iter().filter_map(|f| f["device"].as_str()).collect();
    assert_eq!(devices, ["ice40", "ecp5", "generic"]);
    for front in fronts {
        assert_eq!(front["rows"].as_array().map(Vec::len), Some(1), "{front}");
    }
}

#[test]
fn objectives_and_constraints_decide() {
    let folder = folder_with(&[("k.mlir", SUMS)]);
    let space =
        "unroll: {i: [1, 2, 4]}\nobjectives: [period_ns]\nconstraints: {time_ns: {max: 1}}\n";
    let found = explored(folder.path(), space, 0);
    for point in points(&found) {
        assert_eq!(point["standing"], "misses_constraint");
        assert_eq!(point["misses"], serde_json::json!(["time_ns <= 1"]));
    }
    let found = explored(
        folder.path(),
        "unroll: {i: [1, 2, 4]}\nobjectives: [bram]\n",
        0,
    );
    for point in points(&found) {
        assert_eq!(point["standing"], "best");
        assert_eq!(point["row"], 1);
    }
}

#[test]
fn latency_that_depends_on_data_is_that_of_runs() {
    let folder = folder_with(&[("k.mlir", GCD), ("k.data.yaml", GCD_DATA)]);
    let found = explored(folder.path(), "vary: {style: [static, elastic]}\n", 0);
    assert_eq!(points(&found).len(), 2);
    let bests = points(&found)
        .iter()
        .filter(|point| point["standing"] == "best");
    assert!(bests.count() > 0, "{found}");
    for point in points(&found) {
        let style = point["settings"]["style"].as_str().expect("a text");
        let config = folder.path().join("one.yaml");
        std::fs::write(config, format!("style: {style}\n")).expect("a file can be written");
        let simulated = sluice(folder.path(), &["sim", "k.mlir", "--config", "one.yaml"]);
        let said = String::from_utf8_lossy(&simulated.stdout).into_owned();
        let (mean, worst) = (&point["cycles"]["mean"], &point["cycles"]["worst"]);
        assert!(
            said.contains(&format!(" to {worst} cycles")),
            "{said}: {point}"
        );
        assert!(number(mean) < number(worst), "{point}");
        assert_eq!(point["cycles"]["data_sets"], 3);
        let time = number(&point["latency_ns"]["value"]);
        assert!(time > number(&point["time_ns"]["value"]), "{point}");
    }
    let table = sluice(
        folder.path(),
        &["explore", "k.mlir", "--config", "space.yaml"],
    );
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(
        table.contains("mean over the 3 data sets of k.data.yaml"),
        "{table}"
    );
    std::fs::remove_file(folder.path().join("k.data.yaml")).expect("it is there");
    let found = explored(folder.path(), "vary: {style: [static, elastic]}\n", 0);
    for point in points(&found) {
        assert_eq!(point["cycles"]["random"], true, "{point}");
    }
}

#[test]
fn bad_spaces_are_refused_before_anything_is_compiled() {
    let table = include_str!("spaces/bad.txt");
    let mut said = String::new();
    for case in table.split("---- ").skip(1) {
        let (name, space) = case.split_once('\n').expect("a name has a line");
        let folder = folder_with(&[("k.mlir", SUMS), ("space.yaml", space)]);
        let arguments = ["explore", "k.mlir", "--config", "space.yaml"];
        said += &format!("---- {name}\n{space}{}", answer(folder.path(), &arguments));
        assert!(!folder.path().join("sluice-explore").exists(), "{name}");
    }
    insta::assert_snapshot!("bad_spaces", said);
}

#[test]
fn where_all_points_fail_nothing_allows_it() {
    let folder = folder_with(&[("k.mlir", SUMS), ("space.yaml", "unroll: {i: [3, 5]}\n")]);
    for more in [&[][..], &["--allow-failures"]] {
        let arguments = [&["explore", "k.mlir", "--config", "space.yaml"], more].concat();
        let said = answer(folder.path(), &arguments);
        assert!(said.starts_with("exit code 1\n"), "{said}");
        assert!(
            said.contains("error: no point has a circuit; the first: k.mlir:3:"),
            "{said}"
        );
    }
}

#[test]
fn the_same_bytes_with_one_and_two_threads() {
    let space = "device: [generic, ecp5]\nclock_period_ns: [2, 5]\nunroll: {i: [1, 3]}\n";
    let folder = folder_with(&[("k.mlir", SUMS), ("space.yaml", space)]);
    let run = |threads: &str| {
        let files = ["csv", "json", "html"].map(|ending| format!("points{threads}.{ending}"));
        let [csv, json, html] = &files;
        let output = sluice(
            folder.path(),
            &[
                "explore",
                "k.mlir",
                "--config",
                "space.yaml",
                "--allow-failures",
                "--threads",
                threads,
                "-o",
                threads,
                "--csv",
                csv,
                "--json",
                json,
                "--html",
                html,
            ],
        );
        assert_eq!(output.status.code(), Some(0));
        let mut all = vec![output.stdout];
        for file in &files {
            all.push(std::fs::read(folder.path().join(file)).expect("it is written"));
        }
        all
    };
    let (one, two) = (run("1"), run("2"));
    assert!(one == two);
    let page = String::from_utf8_lossy(&one[3]).into_owned();
    assert_eq!(
        page.matches("<svg ").count(),
        8,
        "four resources of two devices"
    );
    assert_eq!(
        page.matches("sluice compile k.mlir --config point-")
            .count(),
        8
    );
    for outside in ["http://", "https://", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// Points depend on kernel, data and program: each change compiles them again.
#[test]
fn points_are_kept_as_long_as_nothing_changes() {
    let folder = folder_with(&[
        ("k.mlir", REPEATED),
        ("k.data.yaml", "cases:\n  - inputs: {n: {file: n.hex}}\n"),
        ("space.yaml", "clock_period_ns: [5, 10]\n"),
        ("n.hex", "8\n"),
    ]);
    let program = folder.path().join("sluice");
    std::fs::copy(env!("CARGO_BIN_EXE_sluice"), &program).expect("a program can be copied");
    let n_known = || {
        let output = Command::new(&program)
            .args(["explore", "k.mlir", "--config", "space.yaml"])
            .current_dir(folder.path())
            .output()
            .expect("the copy can be run");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said.contains("note: 2 of 2 points were compiled before")
    };
    assert!(!n_known());
    assert!(n_known());
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    };
    write("k.mlir", &format!("{REPEATED}// more\n"));
    assert!(!n_known(), "another kernel");
    write("n.hex", "9\n");
    assert!(!n_known(), "another file of data");
    write("k.data.yaml", "cases:\n  - inputs: {n: [7]}\n");
    assert!(!n_known(), "other data");
    assert!(n_known());
    let mut bytes = std::fs::read(&program).expect("it is there");
    bytes.push(0);
    std::fs::write(&program, bytes).expect("a file can be written");
    assert!(!n_known(), "another build");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_done() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let periods: Vec<String> = (0..2000)
        .map(|n| format!("{}", 5.0 + f64::from(n) / 100.0))
        .collect();
    let space = format!("clock_period_ns: [{}]\n", periods.join(", "));
    let folder = folder_with(&[("k.mlir", SUMS), ("space.yaml", &space)]);
    let child = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["explore", "k.mlir", "--config", "space.yaml"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let points = folder.path().join("sluice-explore").join("points");
    let begin = Instant::now();
    let n_points = || std::fs::read_dir(&points).map_or(0, Iterator::count);
    while n_points() < 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let (out, error) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert_eq!(output.status.code(), Some(130), "{error}");
    let line = out
        .lines()
        .find_map(|line| line.strip_prefix("interrupted: "));
    let n_done = line.and_then(|line| line.strip_suffix(" of 2000 points"));
    let n_done: usize = n_done
        .and_then(|n| n.parse().ok())
        .expect("it says how many");
    assert!((3..2000).contains(&n_done), "{out}");
    assert_eq!(
        n_points(),
        n_done,
        "each has its file, and no other file is left"
    );
    assert!(out.starts_with("device generic\n"), "{out}");
}

#[test]
fn a_space_is_chosen_for_a_kernel_without_one() {
    let folder = folder_with(&[("k.mlir", SUMS), ("gcd.mlir", GCD)]);
    let said = |arguments: &[&str]| answer(folder.path(), arguments);
    insta::assert_snapshot!(
        "chosen_space",
        said(&["explore", "k.mlir", "--print-space", "--points", "6"])
    );
    assert!(!folder.path().join("sluice-explore").exists());
    let printed = said(&["explore", "gcd.mlir", "--print-space"]);
    assert!(printed.contains("style: [static, elastic]"), "{printed}");
    // Names that YAML reads as something else.
    for name in ["null", "true", "0", "a.b"] {
        let kernel = SUMS.replace("%i", &format!("%{name}"));
        std::fs::write(folder.path().join("odd.mlir"), kernel).expect("a file can be written");
        let odd = said(&["explore", "odd.mlir", "--points", "2", "-o", "odd"]);
        assert!(odd.contains("2 points, 0 failed"), "{name}: {odd}");
    }
    let own = said(&["explore", "k.mlir", "--points", "6", "-o", "own"]);
    assert!(
        own.starts_with("exit code 0\n--- output\nchosen space, 6 of at most 6 points: "),
        "{own}"
    );
    let yaml = sluice(
        folder.path(),
        &["explore", "k.mlir", "--print-space", "--points", "6"],
    );
    std::fs::write(folder.path().join("space.yaml"), yaml.stdout).expect("a file can be written");
    let given = said(&["explore", "k.mlir", "--config", "space.yaml", "-o", "own"]);
    assert!(given.contains("6 points, 0 failed"), "{given}");
    assert!(
        given.ends_with("note: 6 of 6 points were compiled before\n"),
        "{given}"
    );
}

/// The tools are scripts that answer as they would: what is tested is which points they get, and what is made of their answers.
#[cfg(unix)]
#[test]
fn the_best_points_are_synthesised() {
    use std::os::unix::fs::PermissionsExt as _;
    let yosys =
        "#!/bin/sh\nif [ \"$1\" = -V ]; then echo Yosys 0.1; else cp circuit.v circuit.json; fi\n";
    let nextpnr = "#!/bin/sh
if [ \"$1\" = --version ]; then echo '(Version nextpnr-0.2)' >&2; exit; fi
grep -q 'module sums' circuit.json && : > placed.log
echo '{\"fmax\": {\"clock\": {\"achieved\": 100.0}}, \"utilization\": {\"TRELLIS_COMB\": {\"used\": 55}}}' > placed.json
";
    let space = "device: [ecp5, generic]\nclock_period_ns: [10, 20]\nsynthesis: ecp5\n";
    let files = [
        ("k.mlir", SUMS),
        ("space.yaml", space),
        ("yosys", yosys),
        ("nextpnr-ecp5", nextpnr),
    ];
    let folder = folder_with(&files);
    for tool in ["yosys", "nextpnr-ecp5"] {
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path().join(tool), mode).expect("it is there");
    }
    let run = |path: &str| {
        Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["explore", "k.mlir", "--config", "space.yaml"])
            .current_dir(folder.path())
            .env("PATH", path)
            .output()
            .expect("the command starts")
    };
    let missing = run("nowhere");
    assert_eq!(missing.status.code(), Some(1));
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        said.contains("error: no Yosys on the search path"),
        "{said}"
    );
    assert!(!folder.path().join("sluice-explore").exists());
    let output = run(&format!("{}:/usr/bin:/bin", folder.path().display()));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{error}");
    let text = std::fs::read_to_string(folder.path().join("sluice-explore/synthesis.json"));
    let found: Value = serde_json::from_str(&text.expect("it is written")).expect("it is JSON");
    let found = found.as_array().expect("a list");
    assert_eq!(found.len(), 1, "one best row of one device: {found:?}");
    assert_eq!(
        (&found[0]["point"], &found[0]["device"]),
        (&Value::from(1), &Value::from("ecp5"))
    );
    assert_eq!(found[0]["figures"]["lut"]["result"], 55.0);
    assert_eq!(found[0]["figures"]["lut"]["inside"], true);
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        table.contains("#1 on ecp5:\nestimate against Yosys 0.1 nextpnr-ecp5 0.2\n"),
        "{table}"
    );
}
