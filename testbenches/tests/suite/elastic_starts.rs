//! Consecutive runs of elastic kernels: work that a run leaves after its end does not lose a token of the next run.

use sluice_ir::bits::Bits;
use sluice_sim::cycle::CycleSimulator;
use sluice_sim::interpreter::Argument;
use sluice_sim::testbench::{Run, Testbench, Unwatched};

use crate::elastic_circuits::{compiled, kernel};

/// A kernel that ends without waiting for its store.
const KERNEL: &str = "handshake.func @t(%n: i8, %A: memref<1xi8>, %start: none) -> none attributes {sluice.arguments = [{name = \"n\", width = 8 : i64}, {name = \"A\", width = 8 : i64}], sluice.results = []} {
        %go:4 = handshake.fork [4] %start : none
        %three = handshake.constant %go#0 {value = 3 : i8} : i8
        %place = handshake.constant %go#1 {value = 0 : i1} : i1
        %third = arith.divui %n, %three {sluice.latency = 9 : i64} : i8
        %word, %where = handshake.store [%place] %third, %go#2 : i1, i8
        %done = extmemory[ld = 0, st = 1] (%A : memref<1xi8>) (%word, %where) {id = 0 : i32} : (i8, i1) -> none
        handshake.sink %done : none
        handshake.return %go#3 : none
    }";

/// A start is accepted only after all arguments of the previous run were taken, even if that run has already ended.
#[test]
fn no_token_of_an_argument_is_lost_behind_the_end() {
    let (context, circuits) = compiled(KERNEL).unwrap_or_else(|why| panic!("{why}"));
    let made = CycleSimulator::new(&context, &circuits, "t");
    let mut simulator = made.unwrap_or_else(|errors| panic!("{}", errors.to_text(&context)));
    let input = |simulator: &mut CycleSimulator, name: &str, width: u32, value: u64| {
        let index = simulator.input_index(name).expect(name);
        simulator.set_input(index, &Bits::from_u64(width, value));
    };
    let output = |simulator: &CycleSimulator, name: &str| {
        let index = simulator.output_index(name).expect(name);
        simulator.output(index).to_u64().expect("a word")
    };
    input(&mut simulator, "reset", 1, 1);
    simulator.run_cycle();
    input(&mut simulator, "reset", 1, 0);
    let (mut taken, mut stored) = (Vec::new(), Vec::new());
    for cycle in 0..200 {
        input(&mut simulator, "start", 1, u64::from(cycle < 150));
        input(&mut simulator, "n", 8, cycle);
        simulator.evaluate();
        if cycle < 150 && output(&simulator, "ready") == 1 {
            taken.push(cycle / 3);
        }
        if output(&simulator, "A_wen") == 1 {
            stored.push(output(&simulator, "A_wdata"));
        }
        simulator.run_cycle();
    }
    assert!(taken.len() > 10, "{} runs", taken.len());
    assert_eq!(stored, taken);
}

/// A `start` that is set in the cycle of `done` is held until the kernel is ready.
#[test]
fn a_start_is_held_until_it_is_taken() {
    let (context, circuits) = compiled(KERNEL).unwrap_or_else(|why| panic!("{why}"));
    let (interface, mut simulator) = kernel(&context, &circuits);
    let mut bench = Testbench::new(&mut simulator, &interface, &mut Unwatched).expect("ports");
    let arguments = |run: u64| {
        let memory = Argument::Memory(vec![Bits::zero(8)]);
        [Argument::Scalar(Bits::from_u64(8, 3 * run)), memory]
    };
    for run in 0..8 {
        let next = arguments(run + 1);
        let way = Run {
            next: Some(&next),
            ..Run::within(20)
        };
        let outcome = bench.run(&arguments(run), &way, &mut Unwatched);
        let outcome = outcome.unwrap_or_else(|why| panic!("run {run}: {why}"));
        assert_eq!(outcome.cycles, 2, "run {run}");
    }
}
