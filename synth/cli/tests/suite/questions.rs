//! Tests of the questions that `sluice sim` answers about a run.

use std::process::{Command, Output};

/// A loop with an II of 3, between two loops with an II of 1.
const KERNEL: &str = "
func.func @steps(%a: memref<8xi32>, %n: i32) -> i32 {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.muli %x, %n : i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  %product = affine.for %i = 0 to 8 iter_args(%p = %one) -> i32 {
    %x = affine.load %a[%i] : memref<8xi32>
    %xp = arith.muli %x, %p : i32
    %q = arith.muli %xp, %p : i32
    affine.yield %q : i32
  }
  return %product : i32
}
";

fn sim(arguments: &[&str]) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("k.mlir"), KERNEL).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "k.mlir"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    (output, folder)
}

#[test]
fn every_cycle_has_a_use() {
    let (output, folder) = sim(&["--stalls", "--trace", "t.json"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    insta::assert_snapshot!(said);
    let trace = std::fs::read(folder.path().join("t.json")).expect("it was written");
    let trace: serde_json::Value = serde_json::from_slice(&trace).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let cycles: u64 = events
        .iter()
        .filter(|event| event["tid"] == 0)
        .filter_map(|event| event["dur"].as_u64())
        .sum();
    assert!(said.contains(&format!("{cycles} in all")), "{said}");
}

#[test]
fn every_cycle_of_an_elastic_circuit_has_a_use() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    };
    write("k.mlir", BRANCHES);
    write("k.yaml", "style: elastic\n");
    write(
        "data.yaml",
        "cases: [{inputs: {a: [1, 100, 3, 4], n: 4}}]\n",
    );
    let sluice = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        let output = command.args(arguments).current_dir(folder.path()).output();
        let output = output.expect("the command starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    insta::assert_snapshot!(sluice(&["sim", "k.mlir", "--stalls"]));
    let report = sluice(&["report", "k.mlir"]);
    let (_, occupancy) = report.split_once("tokens in buffers").expect("a table");
    // The same run.
    let said = sluice(&["sim", "k.mlir", "--stalls"]);
    assert!(said.ends_with(occupancy), "{said}");
    let json: serde_json::Value =
        serde_json::from_str(&sluice(&["report", "k.mlir", "--json"])).expect("JSON");
    let buffers = json["network"]["traffic"]["buffers"].as_array();
    assert!(buffers.is_some_and(|all| !all.is_empty()), "{json}");
}

/// A condition that is always true, and a loop that may have no iterations.
const BRANCHES: &str = "
func.func @branches(%a: memref<4xi8>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %limit = arith.constant 100 : i8
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<4xi8>
    %small = arith.cmpi ult, %x, %limit : i8
    scf.if %small {
      %y = arith.addi %x, %x : i8
      memref.store %y, %a[%i] : memref<4xi8>
    }
  }
  return
}
";

#[test]
fn what_the_data_exercise_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    };
    write("k.mlir", BRANCHES);
    write(
        "data.yaml",
        "cases:\n  - inputs: {a: [1, 2, 3, 4], n: 2}\n  - inputs: {a: [1, 2, 3, 4], n: 0}\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_sluice"))
        .args(["sim", "k.mlir", "--coverage", "--coverage-json", "c.json"])
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let (source, circuit) = said.split_once("  bits").expect("a line on bits");
    insta::assert_snapshot!(source);
    assert!(circuit.contains("not: "), "{said}");
    let found = std::fs::read(folder.path().join("c.json")).expect("it was written");
    let found: serde_json::Value = serde_json::from_slice(&found).expect("JSON");
    assert_eq!(found["runs"], 2);
    assert_eq!(found["coverage"]["branches"]["all"], 2);
    assert_eq!(found["coverage"]["branches"]["done"], 1);
    let bits = &found["coverage"]["bits"];
    assert!(bits["done"].as_u64() < bits["all"].as_u64());
}
