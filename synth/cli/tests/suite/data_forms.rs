//! Tests of data sets from NPY, hex and JSON files, golden values, time-outs, idle cycles.

use std::path::Path;

use super::assertions::sluice;

const MIX: &str = "func.func @mix(%a: memref<2x3xi16>, %b: memref<4xi8>, %n: i8) -> (i32, i8) {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 2 iter_args(%acc = %zero) -> (i32) {
    %t = affine.for %j = 0 to 3 iter_args(%in = %acc) -> (i32) {
      %x = affine.load %a[%i, %j] : memref<2x3xi16>
      %w = arith.extsi %x : i16 to i32
      %y = arith.addi %in, %w : i32
      %z = arith.muli %x, %x : i16
      affine.store %z, %a[%i, %j] : memref<2x3xi16>
      affine.yield %y : i32
    }
    affine.yield %t : i32
  }
  %k = arith.constant 2 : index
  %v = memref.load %b[%k] : memref<4xi8>
  %r = arith.addi %v, %n : i8
  return %s, %r : i32, i8
}
";

/// Returns an array of 2 x 3 elements of 16 bits in the format of NumPy.
fn npy(values: [i16; 6], shape: &str, is_fortran: bool) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let header = format!("{{'descr': '<i2', 'fortran_order': {order}, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut data = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    data.extend(header.as_bytes());
    data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    data
}

fn folder(data: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
        std::fs::write(path, bytes).expect("it can be written");
    };
    write("kernel.mlir", MIX.as_bytes());
    write("data.yaml", data.as_bytes());
    write("in/a.npy", &npy([1, 2, 3, 4, 5, -6], "(2, 3)", false));
    write("in/columns.npy", &npy([1, 4, 2, 5, 3, -6], "(2, 3)", true));
    write("in/turned.npy", &npy([1, 2, 3, 4, 5, -6], "(3, 2)", false));
    write("in/b.hex", b"// an image\n@0 0a /* ten */ 0b\n@3 f_f\n");
    write("in/wrong.mem", b"0a 0x\n bad 1 2\n");
    write("in/squares.json", b"[[1, 4, 9],\n [16, 25, 36]]\n");
    folder
}

/// Returns exit code, output and errors of `sluice sim kernel.mlir`.
fn sim(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    sluice(folder, &[&["sim", "kernel.mlir"], arguments].concat())
}

const GOOD: &str = "cases:
  - inputs: {a: {file: in/a.npy}, b: {file: in/b.hex, fill: 5}, n: 1}
    outputs: {a: {file: in/squares.json}}
    expect: {memory: {a: {file: in/squares.json}}, result: [9, 6], latency: 11}
  - inputs: {a: {file: in/columns.npy}, b: {file: in/b.hex, fill: 7}, n: '0x7f'}
    expect: {result: [9, -122], timeout: 20}
";

#[test]
fn words_come_from_files() {
    let folder = folder(GOOD);
    for arguments in [
        &[][..],
        &["--random", "3"],
        &["--idle", "0", "--random", "9"],
        &["--idle", "5", "--random", "9", "--seed", "2"],
        &["--timeout", "11"],
    ] {
        let (code, out, error) = sim(folder.path(), arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {error}");
        assert!(
            out.starts_with("@mix: interpreter = cycle simulation on "),
            "{out}"
        );
        assert!(out.ends_with("11 cycles, as predicted\n"), "{out}");
    }
    // File names are relative to the data file.
    let data = GOOD.replace("in/", "");
    std::fs::write(folder.path().join("in/other.yaml"), data).expect("it can be written");
    let (code, _, error) = sim(folder.path(), &["--data", "in/other.yaml"]);
    assert_eq!(code, Some(0), "{error}");
}

#[test]
fn a_data_file_may_be_json() {
    let folder = folder("");
    let data = "{\n\t\"cases\": [\n\t\t{\"inputs\": {\"a\": {\"file\": \"in/a.npy\"}, \"b\": [1, 2, 3, 4], \"n\": 1},
\t\t \"expect\": {\"memory\": {\"a\": [1, 4, 9, 16, 25, 36]}, \"result\": 9}}\n\t]\n}\n";
    let write = |text: &str| {
        std::fs::write(folder.path().join("data.json"), text).expect("it can be written");
    };
    write(data);
    let (code, _, error) = sim(folder.path(), &["--data", "data.json"]);
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = sim(folder.path(), &[]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains("there are `data.yaml` and `data.json` beside kernel.mlir"),
        "{error}"
    );
    std::fs::remove_file(folder.path().join("data.yaml")).expect("it is there");
    assert_eq!(sim(folder.path(), &[]).0, Some(0));
    write(&data.replace("\"n\"", "\"nn\""));
    let (_, _, error) = sim(folder.path(), &[]);
    assert!(error.contains("data.json:3:"), "{error}");
    assert!(
        error.contains("unknown key `nn`; did you mean `n`?"),
        "{error}"
    );
    write(&data.replace("\"n\":", "\"n\""));
    let (_, _, error) = sim(folder.path(), &[]);
    assert!(error.starts_with("data.json:3:"), "{error}");
}

#[test]
fn everything_that_does_not_fit_is_said_at_once() {
    let data = "cases:
  - inputs:
      a: {file: in/turned.npy}
      b: {file: in/wrong.mem}
      n: 0x1ff
    expect:
      memory: {c: 1}
      result: [1, 2, 3]
  - inputs:
      a: {file: in/none.npy}
      b: {file: in/b.hex}
      n: {file: in/b.bin}
";
    let folder = folder(data);
    let (code, _, error) = sim(folder.path(), &[]);
    assert_eq!(code, Some(1));
    for expected in [
        "data.yaml:3:7: error: `a`: in/turned.npy: the array is 3 x 2 words, 2 x 3 words are wanted",
        "in/wrong.mem:1:4: error: `b`: `0x` has undefined digits; a memory holds zeros and ones",
        "in/wrong.mem:2:2: error: `b`: `bad` does not fit 8 bits",
        "in/wrong.mem:2:8: error: `b`: `2` is beyond the 4 words",
        "data.yaml:5:7: error: `n`: `511` does not fit 8 bits",
        "data.yaml:7:16: error: `c` is no output of the kernel; did you mean `a`?",
        "data.yaml:8:7: error: the kernel has 2 results, not 3",
        "data.yaml:10:7: error: `a`: in/none.npy: No such file",
        "data.yaml:11:7: error: `b`: in/b.hex: 3 of 4 words are given, none at address 2; `fill: 0` gives",
        "data.yaml:12:7: error: `n`: the file extension of `in/b.bin` gives no format",
        "10 errors",
    ] {
        assert!(error.contains(expected), "{expected}\n{error}");
    }
}

#[test]
fn what_is_expected_and_not_found_is_said() {
    for (from, to, arguments, expected) in [
        (
            "[9, 6]",
            "[9, 7]",
            &[][..],
            "data set 0: the circuit disagrees with `expect`: result1 is 6, expected 7",
        ),
        (
            "expect: {memory: {a: {file: in/squares.json}}",
            "expect: {memory: {a: 1}",
            &[],
            "data set 0: the circuit disagrees with `expect`: a[0, 1] is 4, expected 1",
        ),
        (
            "latency: 11",
            "latency: 12",
            &[],
            "data set 0: expect: latency 12, found 11 cycles",
        ),
        (
            "timeout: 20",
            "timeout: 10",
            &[],
            "data set 1: time-out: `done` did not come within 10 cycles after `start` in cycle 2",
        ),
        (
            "",
            "",
            &["--timeout", "3", "--idle", "0"],
            "data set 0: time-out: `done` did not come within 3 cycles after `start` in cycle 2",
        ),
        (
            "cases:",
            "interpreter: false\ncases:\n  - inputs: {a: 1, b: 1, n: 1}",
            &[],
            "data.yaml:1:1: error: without the interpreter every data set needs `expect:",
        ),
    ] {
        let folder = folder(&GOOD.replacen(from, to, 1));
        let (code, _, error) = sim(folder.path(), arguments);
        assert_eq!(code, Some(1), "{expected}");
        assert!(error.contains(expected), "{expected}\n{error}");
    }
}

#[test]
fn golden_values_may_stand_alone() {
    let folder = folder(&format!("interpreter: false\nidle: 2\n{GOOD}"));
    let (code, out, error) = sim(folder.path(), &["--random", "2"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        out.starts_with("@mix: golden values = cycle simulation on 2 data sets"),
        "{out}"
    );
    assert!(error.contains("note: no random data sets"), "{error}");
}

#[test]
fn marks_in_front_are_left_out_and_long_numbers_stand_in_quotes() {
    let kernel = "func.func @f(%x: i80) -> i80 {\n  return %x : i80\n}\n";
    let text = "\u{feff}cases: [{inputs: {x: \"99999999999999999999\"}}]\n";
    let folder = super::assertions::folder(&[("kernel.mlir", kernel), ("data.yaml", text)]);
    let run = || super::assertions::sluice(folder.path(), &["sim", "kernel.mlir"]);
    let (code, _, error) = run();
    assert_eq!(code, Some(0), "{error}");
    std::fs::write(folder.path().join("data.yaml"), text.replace('"', "")).expect("written");
    let (code, _, error) = run();
    assert_eq!(code, Some(1));
    let expected = "write a number of more than 64 bits in quotes";
    assert!(
        error.starts_with("data.yaml:1:") && error.contains(expected),
        "{error}"
    );
}

#[test]
fn parallel_loops_have_reductions() {
    let kernel = "func.func @sums(%a: memref<4x3xi8>, %n: index) -> (i8, i8, i8, i8) {
  %s:4 = affine.parallel (%i, %j) = (0, 0) to (4, min(3, symbol(%n))) step (2, 1) reduce (\"addi\", \"mins\", \"maxu\", \"muli\") -> (i8, i8, i8, i8) {
    %x = affine.load %a[%i, %j] : memref<4x3xi8>
    affine.yield %x, %x, %x, %x : i8, i8, i8, i8
  }
  return %s#0, %s#1, %s#2, %s#3 : i8, i8, i8, i8
}
";
    let a = "a: [[1, 2, 3], [9, 9, 9], [-4, 5, 6], [9, 9, 9]]";
    let data = format!(
        "cases:
  - inputs: {{{a}, n: 7}}
    outputs: {{result0: 13, result1: -4, result2: 252, result3: 48}}
  - inputs: {{{a}, n: 2}}
    outputs: {{result0: 4, result1: -4, result2: 252, result3: -40}}
  - inputs: {{{a}, n: 0}}
    outputs: {{result0: 0, result1: 127, result2: 0, result3: 1}}
"
    );
    let folder = super::assertions::folder(&[("kernel.mlir", kernel), ("data.yaml", &data)]);
    let (code, said, error) = super::assertions::sluice(folder.path(), &["sim", "kernel.mlir"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("on 3 data sets"), "{said}");
}

#[test]
fn random_scalars_become_small_where_a_kernel_runs_for_long() {
    let kernel = "func.func @count(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = scf.while (%i = %c0) : (i64) -> i64 {
    %more = arith.cmpi ult, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.addi %i, %c1 : i64
    scf.yield %next : i64
  }
  return %sum : i64
}
";
    let folder = super::assertions::folder(&[("kernel.mlir", kernel)]);
    let arguments = ["sim", "kernel.mlir", "--random", "3", "--seed", "7"];
    let (code, out, error) = super::assertions::sluice(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("on 3 data sets"), "{out}");
    assert!(
        error.contains("scalars have 16 bits at most by now"),
        "{error}"
    );
    // The search for data of a kernel that is never defined stops, with a message about possible data.
    let undefined = "func.func @divide(%n: i64) -> i64 {
  %zero = arith.subi %n, %n : i64
  %x = arith.divui %n, %zero : i64
  return %x : i64
}
";
    std::fs::write(folder.path().join("kernel.mlir"), undefined).expect("written");
    let (code, _, error) = super::assertions::sluice(folder.path(), &arguments);
    assert_eq!(code, Some(1));
    assert!(error.contains("give ranges under `random:`"), "{error}");
}
