//! Tests of `sluice cosim`: every port in every cycle, the model cache, circuits, folders.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const SCALE: &str = "func.func @scale(%a: memref<4xi32>, %b: i32) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %b : i32
    affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
";

const DATA: &str = "cases:\n  - inputs: {a: [1, 2, 3, 4], b: 3}\n    outputs: {a: [4, 5, 6, 7]}\n";

/// A counter 70 bits wide.
const COUNTER: &str = "
hw.module @count(in %clock : !seq.clock, in %reset : i1, in %by : i70, out low : i8, out value : i70) {
  %zero = hw.constant 0 : i70
  %next = comb.add %value, %by : i70
  %value = seq.compreg %next, %clock reset %reset, %zero : i70
  %low = comb.extract %value from 0 : (i70) -> i8
  hw.output %low, %value : i8, i70
}
";

/// Returns whether Verilator is installed. Without it, tests are skipped, unless it is required.
pub(crate) fn has_verilator() -> bool {
    let is_there = Command::new("verilator")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    let is_required = std::env::var_os("SLUICE_REQUIRE_TOOLS").is_some();
    assert!(
        is_there || !is_required,
        "Verilator is missing: install `verilator`"
    );
    if !is_there {
        eprintln!("SKIPPED: no Verilator");
    }
    is_there
}

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in [
        ("kernel.mlir", SCALE),
        ("data.yaml", DATA),
        ("count.mlir", COUNTER),
    ] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    share_library(&folder.path().join("cache"));
    folder
}

/// Copies the objects of Verilator's own library into a model cache. They are three quarters of the work for a small model, and
/// the tests build them only once.
pub(crate) fn share_library(cache: &Path) {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cosim");
        // The library of an earlier run may belong to another version of Verilator.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        std::fs::write(folder.join("count.mlir"), COUNTER).expect("it can be written");
        if !has_verilator() {
            return None;
        }
        let arguments = ["count.mlir", "--cache", "cache", "--cycles", "2"];
        let output = cosim(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{:?}", said(&output));
        Some(folder.join("cache").join("library"))
    });
    let Some(built) = built else {
        return;
    };
    let entries = |folder: &Path| std::fs::read_dir(folder).expect("the library was built");
    for version in entries(built) {
        let version = version.expect("an entry").path();
        let name = version.file_name().expect("a name");
        let copy = cache.join("library").join(name);
        std::fs::create_dir_all(&copy).expect("a folder can be made");
        for object in entries(&version) {
            let object = object.expect("an entry");
            std::fs::copy(object.path(), copy.join(object.file_name())).expect("it can be copied");
        }
    }
}

fn cosim(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sluice"))
        .arg("cosim")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

pub(crate) fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Returns the programs in a cache.
pub(crate) fn models(cache: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("it is a folder");
        entries
            .map(|entry| entry.expect("an entry").path())
            .collect()
    };
    let shelves = entries(cache).into_iter();
    let shelves = shelves.filter(|path| !path.ends_with("library"));
    let all = shelves.flat_map(|shelf| entries(&shelf));
    let is_sum = |path: &PathBuf| path.extension().is_some_and(|end| end == "sha256");
    all.filter(|path| !path.ends_with("lock") && !is_sum(path))
        .collect()
}

/// Creates a folder with a `verilator` that runs a shell line first.
pub(crate) fn verilator_after(folder: &Path, line: &str) -> String {
    let programs = folder.join("programs");
    std::fs::create_dir_all(&programs).expect("a folder can be made");
    let path = std::env::var("PATH").expect("there is a path");
    let script = format!("#!/bin/sh\nPATH='{path}'\n{line}\nexec verilator \"$@\"\n");
    let program = programs.join("verilator");
    std::fs::write(&program, script).expect("it can be written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("it can be made a program");
    }
    format!("{}:{path}", programs.display())
}

#[test]
fn a_model_is_built_once_even_by_two_at_once() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let counted = verilator_after(
        folder.path(),
        "test -f dut.v && echo built >> ../../../builds",
    );
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["cosim", "kernel.mlir", "--cache", "cache"])
            .args(arguments)
            .current_dir(folder.path())
            .env("PATH", &counted)
            .output()
            .expect("the command starts")
    };
    std::thread::scope(|scope| {
        let both = [scope.spawn(|| run(&[])), scope.spawn(|| run(&[]))];
        for one in both {
            let output = one.join().expect("it does not panic");
            let (out, error) = said(&output);
            assert_eq!(
                out,
                "@scale: interpreter = cycle simulation = Verilator on 1 data set, 7 cycles, as predicted\n",
                "{error}"
            );
        }
    });
    let found = models(&folder.path().join("cache"));
    assert_eq!(found.len(), 1, "{found:?}");
    // Other data need no new model.
    let output = run(&["--random", "3", "--idle", "4"]);
    assert_eq!(output.status.code(), Some(0));
    let builds = std::fs::read_to_string(folder.path().join("builds")).expect("it was counted");
    assert_eq!(builds, "built\n");
    // An unfinished model is built again, with its own objects if the stored ones are unusable.
    let library = std::fs::read_dir(folder.path().join("cache").join("library"));
    let library = library
        .expect("it is kept")
        .next()
        .expect("of one Verilator");
    let object = library.expect("an entry").path().join("verilated.o");
    assert!(object.exists());
    std::fs::write(object, "no object").expect("it can be written");
    let unfinished = found[0].with_extension("stopped");
    std::fs::remove_file(&found[0]).expect("it is there");
    std::fs::create_dir(&unfinished).expect("it is not there");
    std::fs::write(unfinished.join("dut.v"), "half").expect("it can be written");
    assert_eq!(run(&[]).status.code(), Some(0));
    assert_eq!(models(&folder.path().join("cache")), found);
}

#[test]
fn the_first_difference_names_port_cycle_and_values() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let path = verilator_after(folder.path(), "test -f dut.v && sed -i 's/ + / - /' dut.v");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .arg("cosim")
            .args(arguments)
            .args(["--cache", "cache"])
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(1));
        said(&output).1
    };
    let error = run(&[
        "count.mlir",
        "--reset",
        "reset",
        "--set",
        "by=1",
        "--cycles",
        "9",
    ]);
    let expected = "cycle 3: port `low` of @count is 0x1 in the cycle simulation, 0xff under Verilator; `value` differ too";
    assert!(error.contains(expected), "{error}");
    let error = run(&["kernel.mlir"]);
    assert!(error.starts_with("data set 0, cycle "), "{error}");
    assert!(error.contains(" of @scale is 0x"), "{error}");
    assert!(error.contains("\nhint: `--unoptimised`"), "{error}");
    let error = run(&["kernel.mlir", "--unoptimised"]);
    assert!(error.contains(" of @scale is 0x"), "{error}");
    assert!(!error.contains("hint:"), "{error}");
}

/// A wrong optimisation can be disabled by an option, which needs another model.
#[test]
fn a_wrong_optimisation_can_be_left_out() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let path = verilator_after(
        folder.path(),
        "case \" $* \" in *\" -fno-const \"*) ;; *) test -f dut.v && sed -i 's/ + / - /' dut.v;; esac",
    );
    for (more, code) in [(&[][..], 1), (&["--unoptimised"], 0), (&[], 1)] {
        let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["cosim", "kernel.mlir", "--cache", "cache"])
            .args(more)
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(code), "{:?}", said(&output));
    }
    assert_eq!(models(&folder.path().join("cache")).len(), 2);
}

#[test]
fn verilator_is_the_last_witness() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let diverge = |path: &str, arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sluice"))
            .args(["diverge", "kernel.mlir", "--cache", "cache"])
            .args(arguments)
            .current_dir(folder.path())
            .env("PATH", path)
            .output()
            .expect("the command starts")
    };
    let usual = std::env::var("PATH").expect("there is a path");
    let (out, error) = said(&diverge(&usual, &["--random", "2"]));
    let last = "\n  verilator: 7 outputs are the same in each of 21 cycles of all data sets\n";
    assert!(out.ends_with(last), "{out}{error}");
    let (out, _) = said(&diverge(&usual, &["--no-verilator"]));
    assert!(!out.contains("verilator"), "{out}");
    let wrong = verilator_after(folder.path(), "test -f dut.v && sed -i 's/ + / - /' dut.v");
    std::fs::remove_dir_all(folder.path().join("cache")).expect("it is there");
    share_library(&folder.path().join("cache"));
    let (out, error) = said(&diverge(&wrong, &[]));
    assert_eq!(out, "");
    let expected = "@scale: the models differ:\n  verilator: DIFFERS: data set 0, cycle ";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn clocks_have_periods_under_verilator_too() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let text = "
hw.module @two(in %fast : !seq.clock, in %slow : i1, in %a : i8, out f : i8, out s : i8, out n : i8) {
  %sc = seq.to_clock %slow
  %falls = seq.clock_inv %fast
  %f = seq.compreg %next, %fast : i8
  %next = comb.add %f, %a : i8
  %s = seq.compreg %f, %sc : i8
  %n = seq.compreg %a, %falls : i8
  hw.output %f, %s, %n : i8, i8, i8
}
";
    std::fs::write(folder.path().join("two.mlir"), text).expect("it can be written");
    for clocks in [["fast=2", "slow=6:3"], ["fast=1", "slow=5:4"]] {
        let mut arguments = vec!["two.mlir", "--cache", "cache", "--random-inputs"];
        arguments.extend([
            "--cycles", "3000", "--clock", clocks[0], "--clock", clocks[1],
        ]);
        let (out, error) = said(&cosim(folder.path(), &arguments));
        let expected = "@two: cycle simulation = Verilator on 3000 cycles\n";
        assert!(out.starts_with(expected), "{clocks:?}: {out}{error}");
    }
}

/// A single clock may have any period, and its name is that in the module's type: in the generic form arguments have other names.
#[test]
fn clocks_are_known_by_the_names_of_ports() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let generic = r#"
"hw.module"() <{module_type = !hw.modty<input clock : i1, input a : i4, output f : i4, output high : i1>, parameters = [], sym_name = "add"}> ({
^bb0(%arg0: i1, %arg1: i4):
  %rises = "seq.to_clock"(%arg0) : (i1) -> !seq.clock
  %0 = "seq.compreg"(%1, %rises) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (i4, !seq.clock) -> i4
  %1 = "comb.add"(%0, %arg1) : (i4, i4) -> i4
  "hw.output"(%0, %arg0) : (i4, i1) -> ()
}) : () -> ()
"#;
    std::fs::write(folder.path().join("add.mlir"), generic).expect("it can be written");
    for clock in ["clock=1", "clock=2", "clock=3:1"] {
        let arguments = ["add.mlir", "--cache", "cache", "--random-inputs"];
        let timing = ["--cycles", "2000", "--clock", clock];
        let (out, error) = said(&cosim(folder.path(), &[arguments, timing].concat()));
        let expected = "@add: cycle simulation = Verilator on 2000 cycles\n";
        assert!(out.starts_with(expected), "{clock}: {out}{error}");
    }
}

#[test]
fn circuits_are_driven_as_by_sim() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let circuit = ["count.mlir", "--cache", "cache", "--reset", "reset"];
    let run = |arguments: &[&str]| said(&cosim(folder.path(), &[&circuit, arguments].concat()));
    let (out, error) = run(&["--set", "by=0x10", "--cycles", "20000"]);
    assert_eq!(
        out,
        "@count: cycle simulation = Verilator on 20000 cycles\n  low = 0xf0\n  value = 0x4e1f0\n",
        "{error}"
    );
    let (out, error) = run(&["--random-inputs", "--cycles", "20000", "--seed", "7"]);
    assert!(
        out.starts_with("@count: cycle simulation = Verilator on 20000 cycles\n"),
        "{error}"
    );
    let (other, _) = run(&["--random-inputs", "--cycles", "20000", "--seed", "8"]);
    assert_ne!(out, other);
    let (out, error) = run(&["--set", "by=3", "--until", "low", "--cycles", "9"]);
    assert!(out.contains("on 2 cycles\n  low = 0x3"), "{out}{error}");
    assert_eq!(models(&folder.path().join("cache")).len(), 1);
}

#[test]
fn folders_are_run_as_by_sim() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let data = format!("{DATA}expect: {{latency: 6}}\n");
    std::fs::write(folder.path().join("data.yaml"), data).expect("it can be written");
    let output = cosim(
        folder.path(),
        &[".", "--cache", "cache", "--junit", "out.xml", "--jobs", "1"],
    );
    let (out, error) = said(&output);
    assert_eq!(output.status.code(), Some(1), "{out}{error}");
    assert!(out.contains("expect: latency 6, found 7 cycles"), "{out}");
    assert!(out.contains("again: sluice cosim ./kernel.mlir"), "{out}");
    let found = super::junit::cases(&folder.path().join("out.xml"));
    assert!(
        found[0].ends_with("| failure: expect: latency 6, found 7 cycles"),
        "{found:?}"
    );
}

#[test]
fn options_that_say_nothing_are_errors() {
    let folder = folder();
    for (arguments, expected) in [
        (
            &[".", "--keep", "x"][..],
            ". is not a file, which --keep is for",
        ),
        (
            &["kernel.mlir", "--random-inputs"],
            "kernel.mlir is not a circuit, which --random-inputs is for",
        ),
        (
            &["count.mlir", "--idle", "2", "--timeout", "9"],
            "count.mlir is not a kernel, which --idle, --timeout are for",
        ),
        (
            &["kernel.mlir", "--filter", "x"],
            "kernel.mlir is not a folder, which --filter is for",
        ),
    ] {
        let output = cosim(folder.path(), arguments);
        let (_, error) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn data_and_assertions_of_a_circuit_are_those_of_sim() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let path = folder.path();
    let data = "module: count
reset: reset
cases:
  - inputs: {by: [1, 2, 3]}
    outputs: {value: [0, 1, 3, 6]}
  - inputs: {by: -1}
    outputs: {value: {50: -50}}
expect: {assert: value == 0 || past(by) != 0}
";
    std::fs::write(path.join("count.yaml"), data).expect("it can be written");
    let arguments = ["count.mlir", "--data", "count.yaml", "--cache", "cache"];
    let (out, error) = said(&cosim(path, &arguments));
    let expected =
        "@count: expected outputs = cycle simulation = Verilator on 2 data sets, 4 to 51 cycles
1 assertion holds in 55 cycles\n";
    assert_eq!(out, expected, "{error}");
    let wrong = data.replace("50: -50", "50: -51");
    std::fs::write(path.join("count.yaml"), wrong).expect("it can be written");
    let (_, error) = said(&cosim(path, &arguments));
    assert!(
        error.starts_with("count.yaml:")
            && error.contains(": error: data set 1: cycle 52, 50 after the reset: `value` is 0x"),
        "{error}"
    );
    let arguments = [
        "count.mlir",
        "--cache",
        "cache",
        "--cycles",
        "9",
        "--set",
        "by=1",
        "--assert",
        "value < 5",
    ];
    let (_, error) = said(&cosim(path, &arguments));
    let expected = "cycle 5: assertion `value < 5` does not hold: value = 0x5\n";
    assert_eq!(error, expected);
}

#[test]
fn witnesses_of_elastic_kernels_are_compared_and_data_sets_follow_each_other() {
    let folder = super::assertions::folder(&[
        (
            "kernel.mlir",
            "func.func @scale(%a: memref<4xi8>, %b: i8) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi8>
    %y = arith.muli %x, %b : i8
    affine.store %y, %a[%i] : memref<4xi8>
  }
  return
}
",
        ),
        ("kernel.yaml", "style: elastic\n"),
    ]);
    let arguments = [
        "diverge",
        "kernel.mlir",
        "--random",
        "3",
        "--idle",
        "2",
        "--no-verilator",
    ];
    let (code, said, error) = super::assertions::sluice(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    for expected in [
        "  ports: 4 writes at the ports and 0 results agree with the last form before the graph, in ",
        "  idle: 3 data sets one after the other give what each gives after a reset\n",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    let arguments = ["reduce", "kernel.mlir", "--random", "3", "--idle", "2"];
    let (code, _, error) = super::assertions::sluice(folder.path(), &arguments);
    assert_eq!(code, Some(1));
    assert!(
        error.contains(
            "the kernel does not fail: interpreter and cycle simulation agree on 3 data sets"
        ),
        "{error}"
    );
}

/// Ports of a memory of one word have addresses of width 0, as in CIRCT, whatever the type of the index is.
#[test]
fn memories_of_one_word_are_the_same_everywhere() {
    if !has_verilator() {
        return;
    }
    let folder = folder();
    let kernel = "func.func @word(%a: memref<4xi32>, %at: index) {
  %w = memref.alloc() : memref<1xi32>
  %zero = arith.constant 0 : i32
  memref.store %zero, %w[%at] : memref<1xi32>
  affine.for %i = 0 to 4 {
    %sum = memref.load %w[%at] : memref<1xi32>
    %x = affine.load %a[%i] : memref<4xi32>
    %y = arith.addi %x, %sum : i32
    memref.store %y, %w[%at] : memref<1xi32>
    affine.store %y, %a[%i] : memref<4xi32>
  }
  return
}
";
    let data = "cases:\n  - inputs: {a: [1, 2, 3, 4], at: 0}\n    outputs: {a: [1, 3, 6, 10]}\n";
    for (name, text) in [("kernel.mlir", kernel), ("data.yaml", data)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    for style in ["static", "elastic"] {
        std::fs::write(
            folder.path().join("kernel.yaml"),
            format!("style: {style}\n"),
        )
        .expect("it can be written");
        let (out, error) = said(&cosim(folder.path(), &["kernel.mlir", "--cache", "cache"]));
        assert!(
            out.starts_with("@word: interpreter = cycle simulation = Verilator on 1 data set"),
            "{out}{error}"
        );
    }
}
