//! Loop transformations that Sluice chooses itself: the result is faster, the report names them, and a directive or `reorder:
//! false` disables them.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_verify::check::predicted_cycles;

/// Two loops over different arrays whose iterations can be fused.
const NEIGHBOURS: &str = "
func.func @choices(%A: memref<64xi32>, %B: memref<64xi32>, %C: memref<64xi32>, %D: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %A[%i] : memref<64xi32>
    affine.store %a, %B[%i] : memref<64xi32>
  }
  affine.for %j = 0 to 64 {
    %c = affine.load %C[%j] : memref<64xi32>
    affine.store %c, %D[%j] : memref<64xi32>
  }
  return
}
";

fn compiled(kernel: &str, more: &str) -> Compiled {
    let text = format!("device: ecp5\nclock_period_ns: 10\n{more}");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(kernel, "choices.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

fn cycles(compiled: &Compiled) -> u64 {
    predicted_cycles(compiled).expect("no data decides")
}

/// Returns the choices listed in the report.
fn chosen(compiled: &Compiled) -> Vec<String> {
    let text = sluice_report::text(compiled);
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("chosen: "));
    lines.map(str::to_owned).collect()
}

#[test]
fn neighbours_are_fused_unless_they_are_kept() {
    let fused = compiled(NEIGHBOURS, "");
    let kept = ["reorder: false\n", "loops:\n  i: {pipeline: true}\n"]
        .map(|more| compiled(NEIGHBOURS, more));
    assert_eq!(chosen(&fused), ["loop %i, line 3 is one with the next"]);
    for kept in kept {
        assert_eq!(chosen(&kept), [""; 0]);
        assert!(3 * cycles(&fused) < 2 * cycles(&kept));
    }
}

/// Sixteen iterations of shift and exclusive or: each needs one or two look-up tables.
const SHIFTS: &str = "
func.func @choices(%x: i32) -> i32 {
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

/// A product in each iteration: one product fills the clock period.
const PRODUCTS: &str = "
func.func @choices(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = affine.for %round = 0 to 16 iter_args(%now = %x) -> (i32) {
    %product = arith.muli %now, %x : i32
    %next = arith.addi %product, %one : i32
    affine.yield %next : i32
  }
  return %r : i32
}
";

#[test]
fn iterations_that_fit_share_a_cycle() {
    let apart = "loops:\n  round: {unroll: 1}\n";
    let (together, one_by_one) = (compiled(SHIFTS, ""), compiled(SHIFTS, apart));
    assert!(2 * cycles(&together) <= cycles(&one_by_one));
    assert_eq!(chosen(&together).len(), 1);
    assert_eq!(chosen(&one_by_one), [""; 0]);
    let (products, alone) = (compiled(PRODUCTS, ""), compiled(PRODUCTS, apart));
    assert_eq!(cycles(&products), cycles(&alone));
    assert_eq!(chosen(&products), [""; 0]);
}
