//! The time that is left in the cycle in which an operation takes its operands.

use sluice_oplib::class::OperatorClass;

use crate::problem::{DependenceKind, Operation, Problem, Schedule};

/// Returns for each operation by how many ns its operands could arrive later without a longer path than the clock period: the slack
/// of the longest path through them, from registers to registers.
///
/// Operations that may share units divide the slack of a path among them.
pub fn slack_ns(problem: &Problem, schedule: &Schedule) -> Vec<f64> {
    let Chains {
        before,
        readers,
        order,
    } = chains(problem, schedule);
    let count = problem.operations.len();
    let mut after = vec![Path::default(); count];
    let mut slack = vec![0.0; count];
    for index in order.into_iter().rev() {
        let mut rest = Path::default();
        for reader in &readers[index] {
            rest.join(after[*reader]);
        }
        after[index] = rest.then(&problem.operations[index]);
        let whole_ns = before[index].length_ns + after[index].length_ns;
        let n_sharing = before[index].n_sharing + after[index].n_sharing;
        let left_ns = (problem.clock_period_ns - whole_ns).max(0.0);
        slack[index] = left_ns / f64::from(n_sharing.max(1));
    }
    slack
}

/// Returns for each operation how many ns after the clock edge its last operand arrives.
pub(crate) fn arrivals_ns(problem: &Problem, schedule: &Schedule) -> Vec<f64> {
    let before = chains(problem, schedule).before;
    before.into_iter().map(|path| path.length_ns).collect()
}

/// The combinational paths of a schedule.
struct Chains {
    /// The longest path to the operands of each operation.
    before: Vec<Path>,
    /// The operations that read a combinational result in its cycle.
    readers: Vec<Vec<usize>>,
    /// Writers before readers; operations of a combinational cycle, which the checker reports, are left out.
    order: Vec<usize>,
}

fn chains(problem: &Problem, schedule: &Schedule) -> Chains {
    let count = problem.operations.len();
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut writers = vec![0_usize; count];
    let mut before = vec![Path::default(); count];
    let period = i64::from(schedule.ii.unwrap_or(0));
    let start = |index: usize| i64::from(schedule.start[index]);
    for dependence in &problem.dependences {
        if dependence.kind != (DependenceKind::Data { chained: true }) {
            continue;
        }
        let (from, to) = (dependence.from.index(), dependence.to.index());
        let producer = &problem.operations[from];
        let gap = start(to) + period * i64::from(dependence.distance) - start(from);
        if gap != i64::from(producer.latency_cycles) {
            continue;
        }
        if producer.latency_cycles > 0 {
            before[to].join(Path::new(producer.output_delay_ns, 0));
        } else if dependence.distance == 0 || dependence.forwarded {
            readers[from].push(to);
            writers[to] += 1;
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|index| writers[*index] == 0).collect();
    let mut next = 0;
    while let Some(index) = order.get(next).copied() {
        next += 1;
        let through = before[index].then(&problem.operations[index]);
        for reader in &readers[index] {
            before[*reader].join(through);
            writers[*reader] -= 1;
            if writers[*reader] == 0 {
                order.push(*reader);
            }
        }
    }
    Chains {
        before,
        readers,
        order,
    }
}

/// A path within a cycle, by its delay and the number of its operations that may share units.
#[derive(Clone, Copy, Default)]
struct Path {
    length_ns: f64,
    n_sharing: u32,
}

impl Path {
    fn new(length_ns: f64, n_sharing: u32) -> Self {
        Self {
            length_ns,
            n_sharing,
        }
    }

    /// Keeps the longer path.
    fn join(&mut self, other: Self) {
        if other.length_ns > self.length_ns {
            *self = other;
        }
    }

    /// Returns the path with one more operation.
    fn then(self, operation: &Operation) -> Self {
        let class = OperatorClass::of_name(&operation.class);
        let shares = class.is_some_and(OperatorClass::is_worth_sharing);
        Self::new(
            self.length_ns + operation.input_delay_ns,
            self.n_sharing + u32::from(shares),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::slack_ns;
    use crate::problem::{Dependence, Initiation, Operation, OperationId, Problem, Schedule};

    #[test]
    fn operations_of_a_path_share_its_slack() {
        let operation = |class: &str, latency_cycles, input_delay_ns, output_delay_ns| Operation {
            latency_cycles,
            output_delay_ns,
            ..Operation::combinational("%a", class, input_delay_ns)
        };
        let mut problem = Problem {
            name: "path".to_owned(),
            clock_period_ns: 10.0,
            operations: vec![
                operation("multiply", 1, 2.0, 1.0),
                operation("multiply", 0, 3.0, 0.0),
                operation("multiply", 1, 2.0, 0.0),
                operation("add", 0, 4.0, 0.0),
                operation("add", 0, 1.0, 0.0),
            ],
            dependences: Vec::new(),
            resources: Vec::new(),
            initiation: Initiation::Once,
        };
        let dependence = |from: usize, to: usize| {
            let [from, to] = [from, to].map(OperationId::from_index);
            Dependence::data(from, to)
        };
        problem.dependences = vec![
            dependence(0, 1),
            dependence(1, 2),
            dependence(1, 3),
            dependence(1, 4),
        ];
        let schedule = Schedule {
            start: vec![0, 1, 1, 2, 1],
            unit: vec![None; 5],
            length_cycles: 3,
            ii: None,
        };
        // Path: 1 ns from the register, two products of 3 ns and 2 ns. Operation 3 reads a register; operation 4 ends a path of 5 ns.
        assert_eq!(slack_ns(&problem, &schedule), [8.0, 2.0, 2.0, 6.0, 5.0]);
    }
}
