//! Tests runs of several data sets on one circuit: gaps, starts in the cycle of `done`, the watched cycles, time-outs.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::CycleSimulator;
use sluice_sim::testbench::Watch;
use sluice_verify::check::{Manner, difference, interpret, simulate_all};
use sluice_verify::data::{Case, Idle, Random, Ranges, random_case};

const KERNEL: &str = "func.func @mix(%a: memref<8xi32>, %b: i32) -> i32 {
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %b) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.store %next, %a[%i] : memref<8xi32>
    affine.yield %next : i32
  }
  return %sum : i32
}
";

/// Control signals of every cycle: `start`, `ready`, `done`, and the argument `b`.
#[derive(Default)]
struct Control {
    cycles: Vec<[u64; 4]>,
    n_begun: usize,
    data_sets: Vec<usize>,
    /// The cycle in which the run stops.
    stop: Option<usize>,
}

impl Watch for Control {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.data_sets.push(number);
        Ok(())
    }

    fn begin(&mut self, _simulator: &CycleSimulator) -> Result<(), String> {
        self.n_begun += 1;
        Ok(())
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        if self.stop == Some(self.cycles.len()) {
            return Err("that is enough".to_owned());
        }
        let input = |name: &str| {
            let index = simulator.input_index(name).expect("the port is there");
            simulator.input(index).low_u64()
        };
        let (start, argument) = (input("start"), input("b"));
        simulator.run_cycle();
        let output = |name: &str| {
            let index = simulator.output_index(name).expect("the port is there");
            simulator.output(index).low_u64()
        };
        self.cycles
            .push([start, output("ready"), output("done"), argument]);
        Ok(())
    }
}

impl Control {
    /// Returns the cycles from each `done` to the next accepted `start`.
    fn gaps(&self) -> Vec<usize> {
        let accepted = |cycle: &[u64; 4]| cycle[0] == 1 && cycle[1] == 1;
        let all = 0..self.cycles.len();
        let starts = all.clone().filter(|i| accepted(&self.cycles[*i])).skip(1);
        let dones: Vec<usize> = all.filter(|i| self.cycles[*i][2] == 1).collect();
        starts
            .map(|start| {
                let before = dones.iter().rev().find(|done| **done <= start);
                start - before.expect("a start follows a `done`")
            })
            .collect()
    }
}

fn compiled() -> (Compiled, Vec<Case>) {
    let compiled = compile(KERNEL, "mix.mlir", &Config::default()).expect("the kernel compiles");
    let mut random = Random::new(5);
    let cases = (0..30).map(|_| random_case(&compiled.interface, &Ranges::new(), &mut random));
    let cases = cases.collect();
    (compiled, cases)
}

fn idle(most_cycles: u64) -> Manner {
    Manner {
        idle: Some(Idle {
            most_cycles,
            seed: 9,
        }),
        ..Manner::default()
    }
}

/// Runs all data sets and compares them with the interpreter.
fn run(compiled: &Compiled, cases: &[Case], manner: &Manner) -> Control {
    let mut control = Control::default();
    let outcomes = simulate_all(compiled, cases, manner, &mut control).expect("all runs end");
    for (case, found) in cases.iter().zip(&outcomes) {
        let expected = interpret(compiled, case).expect("it is defined for all data");
        let wrong = difference(compiled, &expected, &found.results, &found.memories);
        assert_eq!(wrong, None);
    }
    assert!(control.data_sets.ends_with(&[28, 29]));
    control
}

#[test]
fn without_idle_cycles_a_start_is_in_the_cycle_of_the_done_before() {
    let (compiled, cases) = compiled();
    let control = run(&compiled, &cases, &idle(0));
    assert_eq!(control.gaps(), [0; 29]);
    assert_eq!(control.n_begun, 1);
}

#[test]
fn gaps_are_drawn_and_arguments_change_behind_the_start() {
    let (compiled, cases) = compiled();
    let control = run(&compiled, &cases, &idle(4));
    let gaps = control.gaps();
    assert!((0..=4).all(|gap| gaps.contains(&gap)), "{gaps:?}");
    assert!(gaps.iter().all(|gap| *gap <= 4), "{gaps:?}");
    let held = control.cycles.windows(2).filter(|pair| {
        let [before, after] = pair else { return false };
        before[0] == 1 && before[1] == 1 && before[3] == after[3]
    });
    assert!(held.count() < 3, "scalars hold noise while the kernel runs");
    assert_eq!(gaps, run(&compiled, &cases, &idle(4)).gaps());
}

#[test]
fn without_gaps_every_data_set_has_a_circuit_of_its_own() {
    let (compiled, cases) = compiled();
    let control = run(&compiled, &cases, &Manner::default());
    assert_eq!(control.n_begun, 30);
    assert!(control.cycles[..2].iter().all(|cycle| cycle[0] == 0));
}

#[test]
fn a_run_that_does_not_end_or_is_stopped_is_said() {
    let (compiled, mut cases) = compiled();
    let late = Manner {
        timeout_cycles: Some(5),
        ..idle(0)
    };
    let found = simulate_all(&compiled, &cases, &late, &mut Control::default());
    let message = "time-out: `done` did not come within 5 cycles after `start` in cycle 2";
    assert_eq!(found.err(), Some((0, message.to_owned())));
    cases[3].timeout_cycles = Some(1);
    let found = simulate_all(
        &compiled,
        &cases,
        &Manner::default(),
        &mut Control::default(),
    );
    assert_eq!(found.err().map(|(number, _)| number), Some(3));
    let mut stopped = Control {
        stop: Some(17),
        ..Control::default()
    };
    let found = simulate_all(&compiled, &cases, &Manner::default(), &mut stopped);
    let (_, why) = found.expect_err("it was stopped");
    assert_eq!(why, "that is enough");
    assert_eq!(stopped.cycles.len(), 17);
}
