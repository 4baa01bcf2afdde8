//! Kernels as C front ends write them: arrays with open dimensions, sizes as arguments, undefined values.

use std::path::{Path, PathBuf};

use crate::assertions::{folder, sluice};

/// Kernels, each with its configuration `NAME.yaml` and its data `NAME.data.yaml` where it has them.
fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/array_sizes");
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut all: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "mlir"))
        .collect();
    all.sort();
    all
}

#[test]
fn circuits_of_kernels_from_c_are_equal_to_the_interpreter() {
    let folder = folder(&[]);
    for path in kernels() {
        let name = path.display().to_string();
        let (code, said, error) = sluice(folder.path(), &["sim", &name, "--random", "6"]);
        assert_eq!(code, Some(0), "{name}: {said}{error}");
        assert!(
            said.contains("interpreter = cycle simulation"),
            "{name}: {said}"
        );
    }
}

/// A kernel with an open dimension in one array and two in another.
const KERNEL: &str =
    "func.func @copy(%n: i32, %x: memref<?x4xi32>, %y: memref<?x?xi32>, %z: memref<4xi32>) {
  %end = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %end {
    %a = affine.load %x[%i, 0] : memref<?x4xi32>
    %b = affine.load %x[%i, 1] : memref<?x4xi32>
    affine.store %a, %y[%i, 0] : memref<?x?xi32>
    affine.store %b, %y[%i, 1] : memref<?x?xi32>
  }
  return
}
";

/// Returns the errors of a command that fails on the kernel with this configuration.
fn errors(config: &str, command: &[&str]) -> String {
    let folder = folder(&[("k.mlir", KERNEL), ("k.yaml", config)]);
    let (code, said, error) = sluice(folder.path(), command);
    assert_eq!(code, Some(1), "{said}{error}");
    error
}

#[test]
fn each_array_without_a_size_is_one_error() {
    insta::assert_snapshot!(errors("", &["compile", "k.mlir"]));
}

#[test]
fn sizes_that_do_not_fit_are_errors_at_their_place() {
    let config = "banks: {}
sizes:
  x: [20, 5]
  y: 20
  z: 4
  n: 3
  yy: 7
";
    insta::assert_snapshot!(errors(config, &["compile", "k.mlir"]));
    let config = "sizes: {x: 0, y: [3, -1], z: many}\n";
    insta::assert_snapshot!(errors(config, &["compile", "k.mlir"]));
    let config = "sizes: {x: 4, y: [4]}\n";
    insta::assert_snapshot!(errors(config, &["compile", "k.mlir"]));
}

#[test]
fn data_larger_than_the_sizes_is_an_error() {
    let data = "cases:
  - inputs: {n: 1, x: [[1, 2, 3, 4, 5]], y: [[1, 2, 3]], z: [1, 2]}
  - inputs: {n: 1, x: [1, 2, 3], y: 0, z: 0}
";
    let files = [
        ("k.mlir", KERNEL),
        ("k.yaml", "sizes: {x: 3, y: [3, 2]}\n"),
        ("data.yaml", data),
    ];
    let folder = folder(&files);
    let (code, said, error) = sluice(folder.path(), &["sim", "k.mlir"]);
    assert_eq!(code, Some(1), "{said}{error}");
    insta::assert_snapshot!(error);
}

#[test]
fn sizes_of_accesses_are_a_warning() {
    let kernel = "func.func @set(%x: memref<?xi32>, %v: i32) {
  affine.for %i = 0 to 8 {
    affine.store %v, %x[%i + 1] : memref<?xi32>
  }
  return
}
";
    let folder = folder(&[("k.mlir", kernel)]);
    let (code, said, error) = sluice(folder.path(), &["compile", "k.mlir"]);
    assert_eq!(code, Some(0), "{said}{error}");
    insta::assert_snapshot!(error);
}
