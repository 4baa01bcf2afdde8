//! The entry point of the crate: from a problem to a checked schedule with its certificate.

use crate::bounds::{
    RecurrenceBound, ResourceBound, length_bound, recurrence_bound, resource_bound, users,
};
use crate::certificate::{
    Certificate, Culprit, IiCertificate, LengthCertificate, RegisterCertificate, cycle_culprit,
    cycle_operations,
};
use crate::checker::verify;
use crate::constraints::{Constraints, Origin};
use crate::error::{Constraint, Infeasible, Nearest, ScheduleError};
use crate::input;
use crate::longest_path::{PositiveCycle, earliest_starts};
use crate::naming::list;
use crate::options::{Objective, SolverOptions};
use crate::problem::{Initiation, OperationId, Problem, Schedule};
use crate::registers;
use crate::relaxation;
use crate::reservation::contending;
use crate::search::{self, BlockSearch, IiSearch};
use crate::unit_order::Ordered;

/// A checked schedule with its certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The schedule.
    pub schedule: Schedule,
    /// The results and the proved bounds.
    pub certificate: Certificate,
}

/// Finds the least II, then the least length, then few register bits; then checks the result.
///
/// # Errors
///
/// Wrong input, infeasible constraints with the nearest feasible value, or a search that found neither a schedule nor a proof.
pub fn solve(problem: &Problem, options: &SolverOptions) -> Result<Solution, ScheduleError> {
    input::check(problem)?;
    let constraints = Constraints::new(problem);
    match problem.initiation {
        Initiation::Once => solve_once(problem, &constraints, options),
        Initiation::Every {
            min_ii,
            max_ii,
            fixed,
        } => {
            let greatest_ii = if fixed { min_ii } else { max_ii };
            solve_pipelined(
                problem,
                &constraints,
                i64::from(min_ii),
                i64::from(greatest_ii),
                options,
            )
        }
    }
}

fn solve_once(
    problem: &Problem,
    constraints: &Constraints,
    options: &SolverOptions,
) -> Result<Solution, ScheduleError> {
    earliest_starts(constraints, 0).map_err(|cycle| window_error(problem, constraints, &cycle))?;
    let ordered = match search::block(problem, constraints, options) {
        BlockSearch::Found(ordered) => ordered,
        BlockSearch::Impossible => return Err(unit_limit_error(problem, constraints, options)),
        BlockSearch::Unknown(reason) => return Err(unsolved(problem, &reason)),
    };
    finish(
        problem,
        constraints,
        None,
        ordered,
        None,
        Vec::new(),
        options,
    )
}

fn solve_pipelined(
    problem: &Problem,
    constraints: &Constraints,
    least_ii: i64,
    greatest_ii: i64,
    options: &SolverOptions,
) -> Result<Solution, ScheduleError> {
    let recurrence = recurrence_bound(constraints)
        .map_err(|cycle| window_error(problem, constraints, &cycle))?;
    let resource = resource_bound(problem);
    let first = recurrence.ii.max(resource.ii).max(least_ii);
    if first > greatest_ii {
        return Err(ii_error(
            problem,
            constraints,
            &recurrence,
            &resource,
            first,
            greatest_ii,
            options,
        ));
    }
    let search = search::find_min_ii(problem, constraints, first, greatest_ii, options);
    let IiSearch {
        found,
        proved_from,
        impossible,
        remarks,
    } = search;
    if impossible {
        return Err(unit_limit_error(problem, constraints, options));
    }
    let Some((ii, ordered)) = found else {
        if proved_from > greatest_ii {
            return Err(ii_error(
                problem,
                constraints,
                &recurrence,
                &resource,
                proved_from,
                greatest_ii,
                options,
            ));
        }
        let reason = remarks
            .first()
            .cloned()
            .unwrap_or_else(|| "the search ended without a schedule".to_owned());
        return Err(unsolved(problem, &reason));
    };
    let culprit = ii_culprit(
        problem,
        constraints,
        &recurrence,
        &resource,
        proved_from.max(first),
        least_ii,
    );
    let mut certificate = IiCertificate {
        ii: cycles(ii)?,
        lower_bound: cycles(proved_from)?,
        rec_mii: cycles(recurrence.ii)?,
        res_mii: cycles(resource.ii)?,
        culprit,
        proved_optimal: proved_from == ii,
        relaxations: Vec::new(),
    };
    if options.relaxations && ii > least_ii {
        certificate.relaxations =
            relaxation::search(problem, constraints, &recurrence, ii, options);
    }
    finish(
        problem,
        constraints,
        Some(ii),
        ordered,
        Some(certificate),
        remarks,
        options,
    )
}

/// Shortens the schedule, minimises its register bits and checks it.
fn finish(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
    ordered: Ordered,
    ii_certificate: Option<IiCertificate>,
    mut remarks: Vec<String>,
    options: &SolverOptions,
) -> Result<Solution, ScheduleError> {
    let shortened = search::find_min_length(problem, constraints, ii, ordered, options);
    remarks.extend(shortened.remarks);
    let ordered = shortened.ordered;
    let assignment = match options.objective {
        Objective::Registers => registers::minimise(problem, &ordered, ii, options.lp_operations),
        Objective::Ii | Objective::Length => registers::unchanged(problem, &ordered, ii),
    };
    remarks.extend(assignment.remark);
    let schedule = Schedule {
        start: assignment
            .start
            .iter()
            .map(|&start| cycles(start))
            .collect::<Result<_, _>>()?,
        unit: ordered
            .unit
            .iter()
            .map(|unit| unit.map(|unit| u32::try_from(unit).expect("unit counts have 32 bits")))
            .collect(),
        ii: ii.map(cycles).transpose()?,
        length_cycles: cycles(ordered.length)?,
    };
    if let Err(violations) = verify(problem, &schedule) {
        return Err(ScheduleError::Internal {
            problem: problem.name.clone(),
            violations,
        });
    }
    let length = LengthCertificate {
        cycles: schedule.length_cycles,
        lower_bound: cycles(shortened.proved_from)?,
        culprit: length_culprit(problem, constraints, ii, shortened.proved_from)?,
        proved_optimal: shortened.proved_from == ordered.length,
    };
    let registers = RegisterCertificate {
        bits: assignment.register_bits,
        proved_optimal: assignment.proved,
    };
    Ok(Solution {
        schedule,
        certificate: Certificate {
            ii: ii_certificate,
            length,
            registers,
            remarks,
        },
    })
}

/// Returns the constraint that forbids an II below `proved_from`.
pub(crate) fn ii_culprit(
    problem: &Problem,
    constraints: &Constraints,
    recurrence: &RecurrenceBound,
    resource: &ResourceBound,
    proved_from: i64,
    least_ii: i64,
) -> Culprit {
    let bound = recurrence.ii.max(resource.ii);
    if proved_from > bound.max(least_ii) {
        let contends = contending(problem);
        let operations = problem
            .operation_ids()
            .filter(|id| contends[id.index()])
            .collect();
        return Culprit::Interaction { operations };
    }
    if bound <= 1 || bound < least_ii {
        return Culprit::None;
    }
    match (&recurrence.critical, resource.critical) {
        (Some(cycle), _) if recurrence.ii >= resource.ii => {
            cycle_culprit(problem, constraints, cycle)
        }
        (_, Some(id)) => resource_culprit(problem, id),
        (_, None) => Culprit::None,
    }
}

fn resource_culprit(problem: &Problem, resource: crate::problem::ResourceId) -> Culprit {
    let uses = users(problem, resource)
        .map(|user| problem.operation(user).occupancy_cycles)
        .sum();
    Culprit::Resource {
        resource,
        uses,
        count: problem.resource(resource).count,
    }
}

/// Returns the constraint that forbids a length below `proved_from`.
pub(crate) fn length_culprit(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
    proved_from: i64,
) -> Result<Culprit, ScheduleError> {
    let bound = length_bound(problem, constraints, ii.unwrap_or(0));
    if problem.operations.is_empty() {
        return Ok(Culprit::None);
    }
    if proved_from > bound.cycles {
        let contends = contending(problem);
        let operations = problem
            .operation_ids()
            .filter(|id| contends[id.index()])
            .collect();
        return Ok(Culprit::Interaction { operations });
    }
    match bound.resource {
        Some(resource) => Ok(resource_culprit(problem, resource)),
        None => Ok(Culprit::Path {
            operations: bound.path,
            latency_cycles: cycles(bound.cycles)?,
        }),
    }
}

/// Returns the error for a required II that is below the lower bound.
fn ii_error(
    problem: &Problem,
    constraints: &Constraints,
    recurrence: &RecurrenceBound,
    resource: &ResourceBound,
    bound: i64,
    asked: i64,
    options: &SolverOptions,
) -> ScheduleError {
    let culprit = ii_culprit(problem, constraints, recurrence, resource, bound, 1);
    let operations = match &culprit {
        Culprit::Recurrence { operations, .. }
        | Culprit::Window { operations }
        | Culprit::Interaction { operations }
        | Culprit::Path { operations, .. } => operations.clone(),
        Culprit::Resource { resource, .. } => users(problem, *resource).collect(),
        Culprit::None => Vec::new(),
    };
    let search = search::find_min_ii(problem, constraints, bound, i64::from(u32::MAX), options);
    let nearest = search.found.and_then(|(ii, _)| u32::try_from(ii).ok());
    let cause = culprit
        .describe(problem)
        .map_or(String::new(), |cause| format!(": {cause}"));
    let advice = nearest.map_or(String::new(), |ii| {
        format!("; the nearest feasible II is {ii}")
    });
    ScheduleError::Infeasible(Box::new(Infeasible {
        constraint: Constraint::InitiationInterval,
        operations,
        nearest: nearest.map(Nearest::Ii),
        message: format!("II {asked} is too small{cause}{advice}"),
    }))
}

/// Returns the error for earliest starts, latest starts and greatest distances that contradict each other.
fn window_error(
    problem: &Problem,
    constraints: &Constraints,
    cycle: &PositiveCycle,
) -> ScheduleError {
    let operations = cycle_operations(problem, constraints, cycle);
    let excess = cycle.weight();
    let limited = cycle
        .edges
        .iter()
        .find(|edge| edge.origin == Origin::Latest)
        .and_then(|edge| {
            let id = OperationId::from_index(edge.from);
            let latest = i64::from(problem.operation(id).latest?) + excess;
            Some((id, u32::try_from(latest).ok()?))
        });
    let advice = match limited {
        Some((id, latest)) => format!(
            "; the nearest feasible latest start of `{}` is cycle {latest}",
            problem.operation(id).short_name()
        ),
        None => format!("; the greatest distances must be wider by {excess} in sum"),
    };
    ScheduleError::Infeasible(Box::new(Infeasible {
        constraint: Constraint::Window,
        nearest: limited.map(|(id, latest)| Nearest::Latest(id, latest)),
        message: format!(
            "the limits on the starts of {} are too tight by {excess}{advice}",
            list(problem, &operations)
        ),
        operations,
    }))
}

/// Returns the error for start limits that can be met without the unit limits, but not with them.
fn unit_limit_error(
    problem: &Problem,
    constraints: &Constraints,
    options: &SolverOptions,
) -> ScheduleError {
    let contends = contending(problem);
    let mut free = constraints.clone();
    free.edges
        .retain(|edge| edge.origin != Origin::Latest && edge.distance == 0);
    let without_limits = search::heuristic_schedule(problem, &free, None, options);
    let late = without_limits.and_then(|ordered| {
        let late = problem.operation_ids().find_map(|id| {
            let start = u32::try_from(ordered.start[id.index()]).ok()?;
            problem
                .operation(id)
                .latest
                .filter(|&latest| start > latest)
                .map(|_| (id, start))
        })?;
        Some(late)
    });
    let operations: Vec<OperationId> = problem
        .operation_ids()
        .filter(|id| contends[id.index()])
        .collect();
    let advice = late.map_or(String::new(), |(id, start)| {
        format!(
            "; without latest starts, `{}` starts in cycle {start}",
            problem.operation(id).short_name()
        )
    });
    ScheduleError::Infeasible(Box::new(Infeasible {
        constraint: Constraint::Window,
        nearest: late.map(|(id, start)| Nearest::Latest(id, start)),
        message: format!(
            "the units cannot serve, within the limits on their starts, {}{advice}",
            list(problem, &operations)
        ),
        operations,
    }))
}

fn unsolved(problem: &Problem, reason: &str) -> ScheduleError {
    ScheduleError::Unsolved(format!(
        "no schedule of `{}` was found within the effort allowed: {reason}",
        problem.name
    ))
}

fn cycles(value: i64) -> Result<u32, ScheduleError> {
    u32::try_from(value).map_err(|_| {
        ScheduleError::Unsolved(format!(
            "the schedule needs {value} cycles, more than 32 bits can count"
        ))
    })
}
