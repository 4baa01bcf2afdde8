//! `flatten: true` for a loop: the nest becomes one loop, even if the separate loops are faster; otherwise a warning gives the
//! reason.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Compiled, Failure};

/// Returns a nest with this text inside of its inner loop.
fn nest(inside: &str) -> String {
    format!(
        "func.func @nest(%A: memref<8x8xi32>, %n: index) {{
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {{
    affine.for %j = 0 to 8 {{
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
{inside}      affine.store %r, %A[%i, %j] : memref<8x8xi32>
    }}
  }}
  return
}}
"
    )
}

const SUM: &str = "      %r = arith.addi %a, %one : i32\n";

const WHILE: &str = "      %r = scf.while (%x = %a) : (i32) -> (i32) {
        %p = arith.cmpi sgt, %x, %c0 : i32
        scf.condition(%p) %x : i32
      } do {
      ^bb0(%y: i32):
        %h = arith.shrsi %y, %one : i32
        scf.yield %h : i32
      }
";

const DIVISION: &str = "      %d = arith.ori %a, %one : i32
      %r = arith.divui %one, %d : i32
";

fn compiled(source: &str, config: &str) -> Compiled {
    let config = Config::from_yaml(config, "kernel.yaml").expect("a configuration");
    match compile(source, "nest.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

/// Returns the first line of the warnings, and the lines that refer to other places. Warnings about ports are left out.
fn flattening_warnings(source: &str, config: &str) -> Vec<String> {
    let warnings = compiled(source, config).warnings;
    let lines = warnings
        .lines()
        .filter(|line| line.starts_with("nest.mlir:") && !line.contains("index_width_bits"));
    lines.map(str::to_owned).collect()
}

#[test]
fn loops_that_cannot_be_flattened_have_a_warning() {
    let outer = "loops: {i: {flatten: true}}\n";
    assert!(flattening_warnings(&nest(SUM), outer).is_empty());
    let reason = |flattening_warnings: Vec<String>| {
        let first = flattening_warnings.first().expect("a warning");
        let (place, reason) = first.split_once(" has no effect: ").expect("a reason");
        assert!(place.starts_with("nest.mlir:"), "{first}");
        reason.to_owned()
    };
    assert_eq!(
        reason(flattening_warnings(&nest(WHILE), outer)),
        "this loop runs for as long as a condition holds"
    );
    assert_eq!(
        reason(flattening_warnings(&nest(DIVISION), outer)),
        "this division is in an innermost loop: a divider that every iteration uses would set the pace of all"
    );
    assert_eq!(
        reason(flattening_warnings(
            &nest(SUM),
            "loops: {j: {flatten: true}, i: {flatten: false}}\n"
        )),
        "it holds no other loop"
    );
    assert_eq!(
        reason(flattening_warnings(
            &nest(SUM),
            "loops: {i: {flatten: true}, j: {pipeline: false}}\n"
        )),
        "`pipeline: false` keeps this loop apart"
    );
    assert_eq!(
        reason(flattening_warnings(
            &nest(SUM),
            "flatten: false\nloops: {i: {flatten: true}}\n"
        )),
        "`flatten: false` keeps all loops apart"
    );
    let flattening_warnings = flattening_warnings(&nest(WHILE), outer);
    assert_eq!(flattening_warnings.len(), 2, "{flattening_warnings:?}");
    assert!(
        flattening_warnings[1].contains("note: this operation"),
        "{flattening_warnings:?}"
    );
}
