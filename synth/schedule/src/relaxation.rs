//! Searches for the cheapest changes that lower the II, and solves each changed problem before suggesting it.

use crate::bounds::{RecurrenceBound, recurrence_bound, resource_bound};
use crate::certificate::{Change, Relaxation};
use crate::constraints::{Constraints, Origin, late_path};
use crate::options::SolverOptions;
use crate::problem::{Problem, ResourceId};
use crate::search::find_min_ii;

/// Limit of the factor by which the clock period is lengthened.
const MAX_STRETCH: f64 = 2.0;

/// Searches for changes that lower `ii`: the fewest additional units that bring ResMII below it, and the least longer clock
/// period that removes a register from the critical recurrence.
pub fn search(
    problem: &Problem,
    constraints: &Constraints,
    recurrence: &RecurrenceBound,
    ii: i64,
    options: &SolverOptions,
) -> Vec<Relaxation> {
    let mut found = Vec::new();
    found.extend(more_units(problem, constraints, recurrence, ii, options));
    found.extend(slower_clock(problem, constraints, recurrence, ii, options));
    found
}

fn more_units(
    problem: &Problem,
    constraints: &Constraints,
    recurrence: &RecurrenceBound,
    ii: i64,
    options: &SolverOptions,
) -> Option<Relaxation> {
    if recurrence.ii >= ii {
        return None;
    }
    let mut changed = problem.clone();
    let mut more = vec![0u32; problem.resources.len()];
    // The bound names one resource at a time; a resource with a unit for every user is no longer a bound.
    loop {
        let bound = resource_bound(&changed);
        let Some(critical) = bound.critical.filter(|_| bound.ii >= ii) else {
            break;
        };
        let users = crate::bounds::users(problem, critical).count();
        if usize::try_from(changed.resource(critical).count).is_ok_and(|count| count >= users) {
            return None;
        }
        changed.resources[critical.index()].count += 1;
        more[critical.index()] += 1;
    }
    let units: Vec<(ResourceId, u32)> = more
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count > 0)
        .map(|(index, &count)| (ResourceId::from_index(index), count))
        .collect();
    if units.is_empty() {
        return None;
    }
    let reached = solved_ii(&changed, constraints, ii, options)?;
    Some(Relaxation {
        change: Change::Units(units),
        ii: reached,
    })
}

fn slower_clock(
    problem: &Problem,
    constraints: &Constraints,
    recurrence: &RecurrenceBound,
    ii: i64,
    options: &SolverOptions,
) -> Option<Relaxation> {
    if recurrence.ii < ii || resource_bound(problem).ii >= ii {
        return None;
    }
    let mut periods_ns: Vec<f64> = recurrence
        .critical
        .iter()
        .flat_map(|cycle| &cycle.edges)
        .filter(|edge| edge.origin == Origin::Timing)
        .map(|edge| late_path(problem, constraints, edge).delay_ns)
        .filter(|&path_ns| path_ns <= problem.clock_period_ns * MAX_STRETCH)
        .collect();
    periods_ns.sort_by(f64::total_cmp);
    periods_ns.dedup();
    for period_ns in periods_ns {
        // The report prints hundredths, so the period is rounded up: the printed value must be enough.
        let period_ns = (period_ns * 100.0).ceil() / 100.0;
        let mut changed = problem.clone();
        changed.clock_period_ns = period_ns;
        let stretched = Constraints::new(&changed);
        if let Some(reached) = solved_ii(&changed, &stretched, ii, options) {
            return Some(Relaxation {
                change: Change::ClockPeriodNs(period_ns),
                ii: reached,
            });
        }
    }
    None
}

/// Returns the II that the changed problem reaches, if it is below `ii`.
fn solved_ii(
    changed: &Problem,
    constraints: &Constraints,
    ii: i64,
    options: &SolverOptions,
) -> Option<u32> {
    let first = recurrence_bound(constraints)
        .ok()?
        .ii
        .max(resource_bound(changed).ii);
    let least = match changed.initiation {
        crate::problem::Initiation::Once => return None,
        crate::problem::Initiation::Every { min_ii, .. } => i64::from(min_ii),
    };
    let (reached, _) = find_min_ii(changed, constraints, first.max(least), ii - 1, options).found?;
    u32::try_from(reached).ok()
}
