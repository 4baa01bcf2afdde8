//! Rounds of loops that only compute become one cycle where they fit, and only there; the directive keeps them apart.

use sluice_flow::check::predicted_cycles;
use sluice_flow::config::Config;
use sluice_flow::pipeline::{Compiled, Failure, compile};

/// Sixteen shifts and exclusive ors: a look-up table or two each.
const SHIFTS: &str = "
func.func @rounds(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %polynomial = arith.constant 0x04c11db7 : i32
  %r = affine.for %round = 0 to 16 iter_args(%now = %x) -> (i32) {
    %moved = arith.shli %now, %one : i32
    %next = arith.xori %moved, %polynomial : i32
    affine.yield %next : i32
  }
  return %r : i32
}
";

/// A product in each round: one alone fills the period.
const PRODUCTS: &str = "
func.func @rounds(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = affine.for %round = 0 to 16 iter_args(%now = %x) -> (i32) {
    %product = arith.muli %now, %x : i32
    %next = arith.addi %product, %one : i32
    affine.yield %next : i32
  }
  return %r : i32
}
";

fn compiled(kernel: &str, more: &str) -> Compiled {
    let text = format!("device: ecp5\nclock_period_ns: 10\n{more}");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(kernel, "rounds.mlir", &config, &mut |_, _, _| {}) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

fn cycles(kernel: &str, more: &str) -> u64 {
    predicted_cycles(&compiled(kernel, more)).expect("no data decides")
}

#[test]
fn rounds_that_fit_share_a_cycle() {
    let apart = "loops:\n  round: {unroll: 1}\n";
    let (chosen, one_by_one) = (cycles(SHIFTS, ""), cycles(SHIFTS, apart));
    assert!(
        2 * chosen <= one_by_one,
        "{chosen} cycles instead of {one_by_one}"
    );
    assert_eq!(cycles(PRODUCTS, ""), cycles(PRODUCTS, apart));
}
