//! Limits on units apply to the circuit: operations of all loops and widths share units, and the results stay right.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::verilator;

/// Two loops with products of three widths, one of them of a loop-carried value, and quotients of two widths.
const KERNEL: &str = "
func.func @mixed(%A: memref<16xi32>, %B: memref<16xi9>, %C: memref<16xi20>, %R: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %one9 = arith.constant 1 : i9
  %p = affine.for %i = 0 to 16 iter_args(%acc = %one) -> (i32) {
    %a = affine.load %A[%i] : memref<16xi32>
    %m = arith.muli %acc, %a : i32
    %s = arith.addi %m, %one : i32
    affine.yield %s : i32
  }
  affine.for %i = 0 to 16 {
    %b = affine.load %B[%i] : memref<16xi9>
    %c = affine.load %C[%i] : memref<16xi20>
    %bb = arith.muli %b, %b : i9
    %cc = arith.muli %c, %c : i20
    %odd = arith.ori %bb, %one9 : i9
    %wide = arith.extsi %odd : i9 to i20
    %q = arith.divsi %cc, %wide : i20
    %x = arith.extsi %q : i20 to i32
    %y = arith.ori %x, %one : i32
    %z = arith.divsi %p, %y : i32
    affine.store %z, %R[%i] : memref<16xi32>
  }
  return
}
";

/// Rows, and the code between them, have products and quotients of different widths.
const NEST: &str = "
func.func @mixed(%A: memref<4xi16>, %B: memref<4x8xi32>) {
  %one = arith.constant 1 : i16
  %wide_one = arith.constant 1 : i32
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xi16>
    %square = arith.muli %x, %x : i16
    %odd = arith.ori %square, %one : i16
    %part = arith.divsi %x, %odd : i16
    %wide = arith.extsi %part : i16 to i32
    %scale = arith.extsi %square : i16 to i32
    %divisor = arith.ori %scale, %wide_one : i32
    affine.for %j = 0 to 8 {
      %y = affine.load %B[%i, %j] : memref<4x8xi32>
      %z = arith.muli %y, %scale : i32
      %sum = arith.addi %z, %wide : i32
      affine.store %sum, %B[%i, %j] : memref<4x8xi32>
    }
    %first = affine.load %B[%i, 0] : memref<4x8xi32>
    %quotient = arith.divsi %first, %divisor : i32
    affine.store %quotient, %B[%i, 0] : memref<4x8xi32>
  }
  return
}
";

/// Divisions by constants become products with constants, in pieces; those of equal width share units.
const BY_CONSTANTS: &str = "
func.func @quotients(%x: i64, %R: memref<4xi64>) {
  %five = arith.constant -5 : i64
  %great = arith.constant 5086865964333375044 : i64
  affine.for %i = 0 to 4 {
    %q = arith.divsi %x, %five : i64
    %r = arith.divui %q, %great : i64
    affine.store %r, %R[%i] : memref<4xi64>
  }
  return
}
";

/// Clock period in ns, number of multipliers, number of dividers.
const LIMITS: [(f64, usize, usize); 4] = [(10.0, 1, 1), (8.0, 1, 1), (10.0, 2, 1), (10.0, 1, 2)];

type Way = (&'static str, (f64, usize, usize));

/// Compiles the kernel with a number in its name, because all of them are in one Verilator model.
fn compiled(
    (kernel, (period_ns, multipliers, dividers)): Way,
    style: &str,
    number: u64,
) -> Compiled {
    let kernel = kernel.replace("@mixed", &format!("@mixed{number}"));
    let limits = format!("{{multiply: {multipliers}, divide_signed: {dividers}}}");
    let text =
        format!("device: ecp5\nclock_period_ns: {period_ns}\nlimits: {limits}\nstyle: {style}\n");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(&kernel, "mixed.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{text}: {why}"),
    }
}

#[test]
fn units_are_as_many_as_allowed() {
    let ways: Vec<Way> = [KERNEL, NEST]
        .into_iter()
        .flat_map(|kernel| LIMITS.map(|limits| (kernel, limits)))
        .collect();
    let ways: Vec<(&str, Way)> = ["static", "elastic"]
        .into_iter()
        .flat_map(|style| ways.iter().map(move |way| (style, *way)))
        // Elastic circuits take longer, because buffers are searched for.
        .filter(|(style, (_, (period_ns, _, dividers)))| {
            *style == "static" || *period_ns > 9.0 && *dividers == 1
        })
        .collect();
    let mut prepared = Vec::new();
    for (seed, way) in (1..).zip(ways.iter().copied()) {
        let compiled = compiled(way.1, way.0, seed);
        assert!(!compiled.warnings.contains("`limits`"), "{way:?}");
        let lines = || compiled.verilog.lines().map(str::trim_start);
        let instances = |unit: &str| {
            let name = format!("{}__{unit}", compiled.top);
            lines().filter(|line| line.starts_with(&name)).count()
        };
        let (_, (_, (_, multipliers, dividers))) = way;
        assert!((1..=multipliers).contains(&instances("mul")), "{way:?}");
        assert!((1..=dividers).contains(&instances("div")), "{way:?}");
        match run(&compiled, seed) {
            Ok((cases, expected)) => prepared.push(Prepared {
                compiled,
                cases,
                expected,
            }),
            Err(why) => panic!("{way:?}: {why:?}"),
        }
    }
    if !verilator::available_or_excused() {
        return;
    }
    let all: Vec<&Prepared> = prepared.iter().collect();
    let findings = verilator::check(&all).expect("the kernels share a model");
    for (way, finding) in ways.iter().zip(findings) {
        assert_eq!(finding, None, "{way:?}");
    }
}

#[test]
fn what_products_with_constants_share_is_not_limited() {
    let of_constants = (BY_CONSTANTS, (10.0, 1, 1));
    let compiled = compiled(of_constants, "static", 0);
    assert!(!compiled.warnings.contains("`limits`"));
    let unit = format!("{}__mulp_", compiled.top);
    let shared = compiled.verilog.matches(&unit).count();
    assert!(shared > 1, "{shared} units");
}
