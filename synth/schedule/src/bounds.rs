//! Lower bounds, each with the constraint that causes it: RecMII and ResMII for the II, critical paths and unit work for the
//! length.

use crate::constraints::{Constraints, Origin};
use crate::longest_path::{PositiveCycle, earliest_starts, tails};
use crate::problem::{OperationId, Problem, ResourceId};

/// The least II that the recurrences allow, with the recurrence that requires it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecurrenceBound {
    /// The least II, at least 1.
    pub ii: i64,
    /// The cycle of constraints that forbids any smaller II, if any does.
    pub critical: Option<PositiveCycle>,
}

/// Finds RecMII by raising the II to the ratio of a violated cycle until none is violated.
///
/// # Errors
///
/// A cycle of constraints that no II can keep.
pub fn recurrence_bound(constraints: &Constraints) -> Result<RecurrenceBound, PositiveCycle> {
    let mut bound = RecurrenceBound {
        ii: 0,
        critical: None,
    };
    while let Err(cycle) = earliest_starts(constraints, bound.ii) {
        let (weight, distance) = (cycle.weight(), cycle.distance());
        if distance <= 0 {
            return Err(cycle);
        }
        bound = RecurrenceBound {
            ii: ceiling(weight, distance),
            critical: Some(cycle),
        };
    }
    bound.ii = bound.ii.max(1);
    Ok(bound)
}

/// The least II that the units allow, with the resource that requires it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceBound {
    /// The least II, at least 1.
    pub ii: i64,
    /// The resource with the most work per unit, if any is used.
    pub critical: Option<ResourceId>,
}

/// Finds ResMII. Counts on each resource the cycles of work per unit and, for each length of occupancy, the units that the
/// operations with at least that occupancy need.
pub fn resource_bound(problem: &Problem) -> ResourceBound {
    let mut bound = ResourceBound {
        ii: 1,
        critical: None,
    };
    for (index, resource) in problem.resources.iter().enumerate() {
        let id = ResourceId::from_index(index);
        let mut occupancies: Vec<i64> = users(problem, id)
            .map(|user| i64::from(problem.operation(user).occupancy_cycles))
            .collect();
        if occupancies.is_empty() {
            continue;
        }
        occupancies.sort_unstable_by_key(|&occupancy| std::cmp::Reverse(occupancy));
        let count = i64::from(resource.count);
        let mut ii = ceiling(occupancies.iter().sum(), count);
        for (position, &occupancy) in (1..).zip(&occupancies) {
            ii = ii.max(occupancy * ceiling(position, count));
        }
        if ii > bound.ii || bound.critical.is_none() {
            bound = ResourceBound {
                ii: ii.max(bound.ii),
                critical: Some(id),
            };
        }
    }
    bound
}

/// Returns the operations that run on a resource.
pub fn users(problem: &Problem, resource: ResourceId) -> impl Iterator<Item = OperationId> + '_ {
    problem
        .operation_ids()
        .filter(move |&id| problem.operation(id).resource == Some(resource))
}

/// A lower bound on the length at one II, with the path or resource that causes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthBound {
    /// The least length in cycles.
    pub cycles: i64,
    /// Operations on the critical path, if no resource requires more.
    pub path: Vec<OperationId>,
    /// The resource that requires more cycles than any path, if any does.
    pub resource: Option<ResourceId>,
}

/// Computes a lower bound on the length from the longest path and, for each resource, from its work between the heads and tails
/// of its operations.
///
/// Source: J. Carlier, The one-machine sequencing problem, EJOR 1982, for one unit; with several units the work is
/// divided by their number.
pub fn length_bound(problem: &Problem, constraints: &Constraints, ii: i64) -> LengthBound {
    let heads = earliest_starts(constraints, ii).expect("the II is at least RecMII");
    let tails = tails(constraints, ii);
    let mut bound = LengthBound {
        cycles: 0,
        path: critical_path(constraints, ii, &heads, &tails),
        resource: None,
    };
    for index in 0..constraints.operation_count {
        bound.cycles = bound.cycles.max(heads[index] + tails[index]);
    }
    for index in 0..problem.resources.len() {
        let id = ResourceId::from_index(index);
        let cycles = work_bound(problem, id, &heads, &tails);
        if cycles > bound.cycles {
            bound.cycles = cycles;
            bound.resource = Some(id);
        }
    }
    bound
}

fn work_bound(problem: &Problem, resource: ResourceId, heads: &[i64], tails: &[i64]) -> i64 {
    let count = i64::from(problem.resource(resource).count);
    // Head, occupancy, and the cycles that remain after the unit is free.
    let mut work: Vec<(i64, i64, i64)> = users(problem, resource)
        .map(|user| {
            let occupancy = i64::from(problem.operation(user).occupancy_cycles);
            (
                heads[user.index()],
                occupancy,
                tails[user.index()] - occupancy,
            )
        })
        .collect();
    work.sort_unstable_by_key(|&(_, _, rest)| std::cmp::Reverse(rest));
    let mut heads: Vec<i64> = work.iter().map(|&(head, _, _)| head).collect();
    heads.sort_unstable();
    heads.dedup();
    let mut bound = 0;
    for first in heads {
        let mut cycles = 0;
        for &(_, occupancy, rest) in work.iter().filter(|&&(head, _, _)| head >= first) {
            cycles += occupancy;
            bound = bound.max(first + ceiling(cycles, count) + rest);
        }
    }
    bound
}

fn critical_path(
    constraints: &Constraints,
    ii: i64,
    heads: &[i64],
    tails: &[i64],
) -> Vec<OperationId> {
    let count = constraints.operation_count;
    let Some(length) = (0..count).map(|index| heads[index] + tails[index]).max() else {
        return Vec::new();
    };
    let critical = |index: usize| index < count && heads[index] + tails[index] == length;
    let Some(mut at) = (0..count)
        .filter(|&index| critical(index))
        .min_by_key(|&index| (heads[index], constraints.rank[index]))
    else {
        return Vec::new();
    };
    let mut path = vec![OperationId::from_index(at)];
    let mut visited = vec![false; count];
    visited[at] = true;
    loop {
        let next = constraints.edges.iter().find(|edge| {
            edge.from == at
                && critical(edge.to)
                && !visited[edge.to]
                && edge.origin != Origin::Earliest
                && heads[edge.to] == heads[at] + edge.gap(ii)
        });
        let Some(edge) = next else { return path };
        at = edge.to;
        visited[at] = true;
        path.push(OperationId::from_index(at));
    }
}

/// Returns `numerator / denominator` rounded up, for a positive denominator.
pub fn ceiling(numerator: i64, denominator: i64) -> i64 {
    numerator.div_euclid(denominator) + i64::from(numerator.rem_euclid(denominator) != 0)
}
