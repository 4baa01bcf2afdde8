//! Checks a problem before any solver runs: wrong input, and constraints that are obviously infeasible.

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use sluice_oplib::device::{MAX_CLOCK_PERIOD_NS, clock_period_ns};

use crate::error::{Constraint, Infeasible, Nearest, ScheduleError};
use crate::problem::{
    DependenceKind, Initiation, OperationId, Problem, ResourceId, TIMING_TOLERANCE_NS,
};

/// Greatest number of cycles or iterations in any field of a problem; keeps all sums within 64 bits.
pub const MAX_CYCLES: u32 = 1_000_000;

/// Checks `problem` for faults of the input, then for operations that cannot meet the clock or have no unit.
///
/// # Errors
///
/// [`ScheduleError::Input`] with all faults, or [`ScheduleError::Infeasible`] with the first infeasible constraint.
pub fn check(problem: &Problem) -> Result<(), ScheduleError> {
    let mut faults = Vec::new();
    check_numbers(problem, &mut faults);
    check_dependences(problem, &mut faults);
    if faults.is_empty() {
        check_data_cycles(problem, &mut faults);
    }
    if !faults.is_empty() {
        return Err(ScheduleError::Input(faults));
    }
    check_clock(problem)?;
    check_resource_counts(problem)
}

fn check_numbers(problem: &Problem, faults: &mut Vec<String>) {
    if clock_period_ns(problem.clock_period_ns).is_none() {
        faults.push(format!(
            "the clock period must be more than 0 ns and at most {MAX_CLOCK_PERIOD_NS} ns, not {} ns",
            problem.clock_period_ns
        ));
    }
    if let Initiation::Every {
        min_ii,
        max_ii,
        fixed,
    } = problem.initiation
    {
        if min_ii == 0 {
            faults.push("the least II must be at least 1".to_owned());
        }
        if !fixed && max_ii < min_ii {
            faults.push(format!(
                "the greatest II {max_ii} is below the least II {min_ii}"
            ));
        }
    }
    for operation in &problem.operations {
        let name = operation.short_name();
        let delays = [operation.input_delay_ns, operation.output_delay_ns];
        if delays
            .iter()
            .any(|delay_ns| !delay_ns.is_finite() || *delay_ns < 0.0)
        {
            faults.push(format!(
                "`{name}` has a delay that is not a number of at least 0 ns"
            ));
        }
        if operation.latency_cycles == 0 && operation.output_delay_ns != 0.0 {
            faults.push(format!("`{name}` is combinational and has an output delay: its whole delay is the input delay"));
        }
        if operation.occupancy_cycles == 0 {
            faults.push(format!(
                "`{name}` must occupy its unit for at least 1 cycle"
            ));
        }
        let cycles = [
            operation.latency_cycles,
            operation.occupancy_cycles,
            operation.earliest.unwrap_or(0),
            operation.latest.unwrap_or(0),
        ];
        if cycles.iter().any(|&cycles| cycles > MAX_CYCLES) {
            faults.push(format!(
                "`{name}` has a number of cycles above {MAX_CYCLES}"
            ));
        }
        if let (Some(earliest), Some(latest)) = (operation.earliest, operation.latest)
            && earliest > latest
        {
            faults.push(format!(
                "`{name}` may start in cycle {earliest} at the earliest and {latest} at the latest"
            ));
        }
        if operation
            .resource
            .is_some_and(|resource| resource.index() >= problem.resources.len())
        {
            faults.push(format!("`{name}` runs on a resource that does not exist"));
        }
    }
}

fn check_dependences(problem: &Problem, faults: &mut Vec<String>) {
    let count = problem.operations.len();
    for dependence in &problem.dependences {
        if dependence.from.index() >= count || dependence.to.index() >= count {
            faults.push(format!(
                "dependence {} -> {} names an operation that does not exist",
                dependence.from, dependence.to
            ));
            continue;
        }
        let from = problem.operation(dependence.from).short_name();
        let to = problem.operation(dependence.to).short_name();
        if dependence.distance != 0 && problem.initiation == Initiation::Once {
            faults.push(format!(
                "dependence `{from} -> {to}` has distance {}, but the operations run once",
                dependence.distance
            ));
        }
        let gap = match dependence.kind {
            DependenceKind::Data { .. } => 0,
            DependenceKind::Order { min_gap_cycles } => min_gap_cycles.unsigned_abs(),
        };
        if dependence.distance > MAX_CYCLES || gap > u64::from(MAX_CYCLES) {
            faults.push(format!(
                "dependence `{from} -> {to}` has a number above {MAX_CYCLES}"
            ));
        }
    }
}

/// Reports values that depend on themselves within one iteration.
fn check_data_cycles(problem: &Problem, faults: &mut Vec<String>) {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = problem
        .operations
        .iter()
        .map(|_| graph.add_node(()))
        .collect();
    for dependence in &problem.dependences {
        if dependence.distance == 0 && matches!(dependence.kind, DependenceKind::Data { .. }) {
            graph.add_edge(
                nodes[dependence.from.index()],
                nodes[dependence.to.index()],
                (),
            );
        }
    }
    let mut cycles: Vec<Vec<usize>> = tarjan_scc(&graph)
        .into_iter()
        .filter(|component| component.len() > 1 || graph.contains_edge(component[0], component[0]))
        .map(|component| {
            let mut members: Vec<usize> = component.into_iter().map(|node| node.index()).collect();
            members.sort_unstable();
            members
        })
        .collect();
    cycles.sort();
    for members in cycles {
        let names: Vec<String> = members
            .iter()
            .map(|&index| format!("`{}`", problem.operations[index].short_name()))
            .collect();
        faults.push(format!(
            "{} depend on each other within one iteration",
            names.join(", ")
        ));
    }
}

/// Rounds a time in ns to 1 ps: smaller parts come only from sums of decimal fractions.
fn in_ps(time_ns: f64) -> f64 {
    (time_ns * 1000.0).round() / 1000.0
}

fn check_clock(problem: &Problem) -> Result<(), ScheduleError> {
    let worst_ns = |id: OperationId| {
        let operation = problem.operation(id);
        operation.input_delay_ns.max(operation.output_delay_ns)
    };
    let operations: Vec<OperationId> = problem
        .operation_ids()
        .filter(|&id| worst_ns(id) > problem.clock_period_ns + TIMING_TOLERANCE_NS / 2.0)
        .collect();
    let Some(&slowest) = operations
        .iter()
        .reduce(|a, b| if worst_ns(*b) > worst_ns(*a) { b } else { a })
    else {
        return Ok(());
    };
    let nearest_ns = worst_ns(slowest);
    let others = match operations.len() - 1 {
        0 => String::new(),
        1 => " and 1 more operation is too slow".to_owned(),
        more => format!(" and {more} more operations are too slow"),
    };
    Err(ScheduleError::Infeasible(Box::new(Infeasible {
        constraint: Constraint::ClockPeriod,
        message: format!(
            "the usable clock period of {} ns is too short: `{}` takes {nearest} ns within one cycle{others}; \
             the nearest feasible usable clock period is {nearest} ns",
            in_ps(problem.clock_period_ns),
            problem.operation(slowest).short_name(),
            nearest = in_ps(nearest_ns),
        ),
        operations,
        nearest: Some(Nearest::ClockPeriodNs(nearest_ns)),
    })))
}

fn check_resource_counts(problem: &Problem) -> Result<(), ScheduleError> {
    for (index, resource) in problem.resources.iter().enumerate() {
        let id = ResourceId::from_index(index);
        let operations: Vec<OperationId> = problem
            .operation_ids()
            .filter(|&user| problem.operation(user).resource == Some(id))
            .collect();
        if resource.count == 0 && !operations.is_empty() {
            return Err(ScheduleError::Infeasible(Box::new(Infeasible {
                constraint: Constraint::ResourceCount,
                message: format!(
                    "there is no {}, and `{}` needs one; the nearest feasible count is 1",
                    resource.name,
                    problem.operation(operations[0]).short_name()
                ),
                operations,
                nearest: Some(Nearest::Count(1)),
            })));
        }
    }
    Ok(())
}
