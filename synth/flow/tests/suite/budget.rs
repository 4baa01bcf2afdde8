//! Tests the time limit of a compilation: the best result so far is kept, and skipped choices are reported.

use sluice_config::{Config, Speculate, Style};
use sluice_flow::pipeline::compile;

/// A nest with many possible forms.
const NEST: &str =
    "func.func @nest(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %c: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%i, %k] : memref<8x8xi32>
        %y = affine.load %b[%k, %j] : memref<8x8xi32>
        %z = affine.load %c[%i, %j] : memref<8x8xi32>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
";

/// A loop in which iterations could start speculatively.
const SEARCH: &str = "func.func @search(%a: memref<64xi32>, %x: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %found:2 = scf.while (%i = %zero, %n = %first) : (index, i32) -> (index, i32) {
    %y = memref.load %a[%i] : memref<64xi32>
    %go = arith.cmpi ne, %y, %x : i32
    scf.condition(%go) %i, %n : index, i32
  } do {
  ^bb0(%i: index, %n: i32):
    %next = arith.addi %i, %one : index
    %count = arith.addi %n, %step : i32
    scf.yield %next, %count : index, i32
  }
  return %found#1 : i32
}
";

#[test]
fn the_best_so_far_is_kept_and_the_rest_is_said() {
    let kernels = [
        (SEARCH, Style::Static),
        (NEST, Style::Elastic),
        (NEST, Style::Auto),
    ];
    for (kernel, style) in kernels {
        let config = |is_up: bool| {
            let config = Config {
                speculate: Speculate::WhereFaster,
                style,
                ..Config::default()
            };
            if is_up {
                config.tool_limits.watch.ring();
            }
            config
        };
        let compiled = |config: &Config| match compile(kernel, "kernel.mlir", config) {
            Ok(compiled) => compiled,
            Err(why) => panic!("{style:?}: {why}"),
        };
        let whole = compiled(&config(false));
        assert!(!whole.warnings.contains("time for compiling"), "{style:?}");
        let cut = compiled(&config(true));
        for part in [
            "the time for compiling was up",
            "the limit `compile_seconds` is 60",
        ] {
            assert!(cut.warnings.contains(part), "{style:?}: {}", cut.warnings);
        }
        // The result after the time limit is the same on every machine.
        assert_eq!(cut.verilog, compiled(&config(true)).verilog, "{style:?}");
    }
}
