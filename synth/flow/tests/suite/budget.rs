//! A compilation whose time is up: the best so far is kept, and what was not tried is said.

use sluice_flow::config::{Config, Style};
use sluice_flow::pipeline::compile;

/// A nest for which there are many ways.
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

#[test]
fn the_best_so_far_is_kept_and_the_rest_is_said() {
    for style in [Style::Static, Style::Elastic, Style::Auto] {
        let config = |is_up: bool| {
            // The clock is missed, so that schedules for shorter paths would be tried.
            let config = Config {
                clock_period_ns: Some(3.0),
                style,
                ..Config::default()
            };
            if is_up {
                config.tool_limits.watch.ring();
            }
            config
        };
        let compiled = |config: &Config| match compile(NEST, "nest.mlir", config) {
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
        // What was done in the time there was is the same on every machine.
        assert_eq!(cut.verilog, compiled(&config(true)).verilog, "{style:?}");
    }
}
