//! A limit of units counts units of the circuit: operations of every loop and width share them, and the answers stay right.

use sluice_flow::config::Config;
use sluice_flow::pipeline::{Compiled, Failure, compile};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::verilator;

/// Two loops with products of three widths, one of them of a carried value, and quotients of two widths.
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

/// Clock period in ns, multipliers, dividers.
const WAYS: [(f64, usize, usize); 4] = [(10.0, 1, 1), (8.0, 1, 1), (10.0, 2, 1), (10.0, 1, 2)];

/// The kernel with a number in its name, since all go through Verilator together.
fn compiled((period_ns, multipliers, dividers): (f64, usize, usize), number: u64) -> Compiled {
    let kernel = KERNEL.replace("@mixed", &format!("@mixed{number}"));
    let limits = format!("{{multiply: {multipliers}, divide_signed: {dividers}}}");
    let text = format!("device: ecp5\nclock_period_ns: {period_ns}\nlimits: {limits}\n");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(&kernel, "mixed.mlir", &config, &mut |_, _, _| {}) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{text}: {why}"),
    }
}

#[test]
fn units_are_as_many_as_allowed() {
    let mut prepared = Vec::new();
    for (seed, way) in (1..).zip(WAYS) {
        let compiled = compiled(way, seed);
        assert_eq!(compiled.warnings, "", "{way:?}");
        let lines = || compiled.verilog.lines().map(str::trim_start);
        let instances = |unit: &str| lines().filter(|line| line.starts_with(unit)).count();
        let (_, multipliers, dividers) = way;
        assert!(
            (1..=multipliers).contains(&instances("sluice_mul")),
            "{way:?}"
        );
        assert!((1..=dividers).contains(&instances("sluice_div")), "{way:?}");
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
    for (way, finding) in WAYS.iter().zip(findings) {
        assert_eq!(finding, None, "{way:?}");
    }
}
