//! Solves generated problems of the size of unrolled kernels: a schedule is found and checked, and is the same on every run.

use sluice_schedule::options::SolverOptions;
use sluice_schedule::problem::{
    Dependence, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
};
use sluice_schedule::solve::solve;

/// Numbers from a fixed seed (a 64-bit linear congruential generator with the constants of MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Loads on two ports, multiplications on four multipliers, additions that chain, stores on one port, and one
/// accumulator; a load waits for the store of the iteration before.
fn problem(size: usize, initiation: Initiation, seed: u64) -> Problem {
    let mut numbers = Numbers(seed);
    let mut problem = Problem {
        name: format!("generated {size}"),
        clock_period_ns: 8.0,
        operations: Vec::new(),
        dependences: Vec::new(),
        resources: [
            ("read port of `%A`", 2),
            ("multiplier", 4),
            ("write port of `%B`", 1),
        ]
        .map(|(name, count)| Resource {
            name: name.to_owned(),
            count,
        })
        .to_vec(),
        initiation,
    };
    let pipelined = initiation != Initiation::Once;
    for index in 0..size {
        let id = OperationId::from_index(index);
        let (class, latency_cycles, input_delay_ns, output_delay_ns, resource) =
            match numbers.below(10) {
                0 | 1 => ("load", 1, 0.8, 2.1, Some(0)),
                2 | 3 => ("mul", 2, 3.5, 1.2, Some(1)),
                4 if index > 4 => ("store", 1, 0.8, 0.0, Some(2)),
                _ => ("add", 0, 2.6, 0.0, None),
            };
        problem.operations.push(Operation {
            name: format!("%{index} = {class}"),
            class: class.to_owned(),
            latency_cycles,
            input_delay_ns,
            output_delay_ns,
            resource: resource.map(ResourceId::from_index),
            occupancy_cycles: 1,
            width_bits: if class == "store" { 0 } else { 32 },
            earliest: None,
            latest: None,
        });
        for _ in 0..if index == 0 || class == "load" { 0 } else { 2 } {
            let back = 1 + numbers.below(u64::try_from(index.min(24)).expect("a small number"));
            let from =
                OperationId::from_index(index - usize::try_from(back).expect("a small number"));
            if problem.operation(from).class != "store" {
                problem.dependences.push(Dependence::data(from, id));
            }
        }
        if pipelined && class == "store" {
            problem
                .dependences
                .push(Dependence::order(id, OperationId(0), 4, 1));
        }
        if pipelined && class == "add" && numbers.below(20) == 0 {
            problem.dependences.push(Dependence::carried(id, id, 1));
        }
    }
    problem
}

#[test]
fn generated_problems_are_solved_alike_on_every_run() {
    for size in [10, 30, 60, 150, 400, 1000] {
        for initiation in [Initiation::Once, Initiation::pipelined()] {
            let problem = problem(size, initiation, 7);
            let solution =
                solve(&problem, &SolverOptions::default()).expect("nothing limits the starts");
            let again = solve(&problem, &SolverOptions::default());
            assert_eq!(
                again.as_ref(),
                Ok(&solution),
                "{size} operations, {initiation:?}"
            );
            if let Some(ii) = &solution.certificate.ii {
                assert!(
                    ii.proved_optimal,
                    "{}",
                    solution.certificate.explain(&problem)
                );
            }
        }
    }
}
