//! Random loops with a known optimum: the schedule is chosen first, and the dependences are chosen so that it keeps them.

use sluice_schedule::problem::{
    Dependence, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
};

/// Numbers from a seed (a 64-bit linear congruential generator with the constants of MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let limit = u64::try_from(limit.max(1)).expect("a limit in memory fits");
        usize::try_from((self.0 >> 33) % limit).expect("it is below the limit")
    }

    fn cycles(&mut self, limit: usize) -> i64 {
        i64::try_from(self.below(limit)).expect("a small number")
    }
}

/// Builds a loop of `size` operations and its least II: one memory port is in use in every slot.
///
/// Two memories with one or two ports, multipliers, additions that take no cycle or one, a value that a fifth of the
/// operations read, and dependences across iterations that leave no more than `slack` cycles.
pub fn planted(size: usize, slack: usize, seed: u64) -> (Problem, u32) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let ports = 1 + numbers.below(2);
    let multipliers = 1 + numbers.below(3);
    let mut operations = Vec::new();
    for index in 0..size {
        let (class, latency, resource) = match numbers.below(10) {
            0 | 1 => ("load", 2, Some(0)),
            2 => ("store", 1, Some(1)),
            3 => ("mul", 3, Some(2)),
            4 | 5 => ("wire", 0, None),
            _ => ("add", 1, None),
        };
        let mut operation = Operation::combinational(format!("@{class}{index}"), class, 0.0);
        operation.latency_cycles = latency;
        operation.resource = resource.map(ResourceId::from_index);
        operations.push(operation);
    }
    let users = |operations: &[Operation], resource: usize| {
        let id = Some(ResourceId::from_index(resource));
        operations.iter().filter(|op| op.resource == id).count()
    };
    let counts = [ports, 1, multipliers];
    let bound = |operations: &[Operation]| {
        let bounds = (0..3).map(|resource| users(operations, resource).div_ceil(counts[resource]));
        bounds.max().unwrap_or(1).max(2)
    };
    let ii = bound(&operations);
    // Loads until their ports are never idle.
    while users(&operations, 0) < ii * ports {
        let index = operations.len();
        let mut load = Operation::combinational(format!("@load{index}"), "load", 0.0);
        load.latency_cycles = 2;
        load.resource = Some(ResourceId::from_index(0));
        operations.push(load);
    }
    let mut problem = Problem {
        name: format!("planted_{seed}_{size}"),
        clock_period_ns: 1.0,
        operations,
        dependences: Vec::new(),
        resources: ["read port", "write port", "multiplier"]
            .iter()
            .zip(counts)
            .map(|(name, count)| Resource {
                name: (*name).to_owned(),
                count: u32::try_from(count).expect("a small number"),
            })
            .collect(),
        initiation: Initiation::pipelined(),
    };
    let start = start_times(&problem, ii, &counts, &mut numbers);
    add_dependences(&mut problem, &start, ii, slack, &mut numbers);
    (problem, u32::try_from(ii).expect("a small number"))
}

/// Chooses increasing start times, each in a slot with a free unit.
fn start_times(
    problem: &Problem,
    ii: usize,
    counts: &[usize; 3],
    numbers: &mut Numbers,
) -> Vec<i64> {
    let mut used = vec![vec![0; ii]; counts.len()];
    let size = problem.operations.len();
    let span = ii * (2 + numbers.below(4)) + 8;
    let mut start = Vec::new();
    for (index, operation) in problem.operations.iter().enumerate() {
        let mut cycle = index * span / size + numbers.below(4);
        if let Some(resource) = operation.resource {
            let row = &mut used[resource.index()];
            while row[cycle % ii] >= counts[resource.index()] {
                cycle += 1;
            }
            row[cycle % ii] += 1;
        }
        start.push(i64::try_from(cycle).expect("a small number"));
    }
    start
}

fn add_dependences(
    problem: &mut Problem,
    start: &[i64],
    ii: usize,
    slack: usize,
    numbers: &mut Numbers,
) {
    let size = start.len();
    let ii = i64::try_from(ii).expect("a small number");
    let slack = i64::try_from(slack).expect("a small number");
    let latency: Vec<i64> = problem
        .operations
        .iter()
        .map(|operation| i64::from(operation.latency_cycles))
        .collect();
    let id = OperationId::from_index;
    let hub = numbers.below(size / 20);
    for to in 1..size {
        let mut sources: Vec<usize> = (0..numbers.below(4))
            .map(|_| to - 1 - numbers.below(to.min(24)))
            .collect();
        if to > hub && numbers.below(5) == 0 {
            sources.push(hub);
        }
        sources.sort_unstable();
        sources.dedup();
        for from in sources {
            if start[from] + latency[from] <= start[to] {
                problem.dependences.push(Dependence::data(id(from), id(to)));
            }
        }
    }
    for _ in 0..4 * size {
        let (one, other) = (numbers.below(size), numbers.below(size));
        let (to, from) = if start[one] <= start[other] {
            (one, other)
        } else {
            (other, one)
        };
        let gap = latency[from];
        let distance = (start[from] + gap - start[to] + ii - 1)
            .div_euclid(ii)
            .max(1);
        let left = start[to] + ii * distance - start[from] - gap;
        if left <= slack && distance <= 3 && numbers.cycles(4) == 0 {
            let distance = u32::try_from(distance).expect("it is positive");
            let order = Dependence::order(id(from), id(to), distance, gap);
            problem.dependences.push(order);
        }
    }
}
