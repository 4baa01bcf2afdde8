//! Control flow that no example has: branches between blocks, and callees that remain instances.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::Failure;
use sluice_verify::check::{difference, interpret, predicted_cycles, simulate};
use sluice_verify::data::{Random, Ranges, random_case};

const COLLATZ: &str = "
func.func @collatz(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %mask = arith.constant 1023 : i32
  %m = arith.andi %n, %mask : i32
  %start = arith.addi %m, %one : i32
  cf.br ^head(%start, %zero : i32, i32)
^head(%x: i32, %steps: i32):
  %more = arith.cmpi ne, %x, %one : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %bit = arith.andi %x, %one : i32
  %odd = arith.cmpi eq, %bit, %one : i32
  %next = arith.addi %steps, %one : i32
  cf.cond_br %odd, ^up, ^down
^up:
  %t = arith.muli %x, %three : i32
  %u = arith.addi %t, %one : i32
  cf.br ^head(%u, %next : i32, i32)
^down:
  %h = arith.shrui %x, %one : i32
  cf.br ^head(%h, %next : i32, i32)
^exit:
  return %steps : i32
}
";

/// Compiles a kernel, and compares circuit and interpreter on random data.
fn check(source: &str, config: &Config) {
    let compiled = match compile(source, "kernel.mlir", config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(message) | Failure::Internal(message)) => panic!("{message}"),
    };
    let mut random = Random::new(3);
    for _ in 0..20 {
        let case = random_case(&compiled.interface, &Ranges::new(), &mut random);
        let expected = interpret(&compiled, &case).expect("the kernel is defined for all data");
        let outcome = simulate(&compiled, &case).expect("the circuit finishes");
        assert_eq!(
            difference(&compiled, &expected, &outcome.results, &outcome.memories),
            None
        );
        assert_eq!(
            predicted_cycles(&compiled).unwrap_or(outcome.cycles),
            outcome.cycles
        );
    }
}

#[test]
fn branches_between_blocks() {
    check(COLLATZ, &Config::default());
}

#[test]
fn callees_that_stay_instances() {
    let source = include_str!("../../../examples/chain/kernel.mlir");
    let keep = vec!["scale".to_owned(), "saturate".to_owned()];
    check(
        source,
        &Config {
            keep,
            ..Config::default()
        },
    );
}
