//! Turns a placement into the order of operations on each unit, which is again a set of difference constraints.
//!
//! With that order fixed, the remaining problem has only difference constraints: longest paths give its least length, and
//! its linear program is integral.

use std::collections::BTreeMap;

use crate::constraints::{Constraints, Edge, Origin};
use crate::heuristic::Placement;
use crate::longest_path::earliest_starts;
use crate::problem::{OperationId, Problem, ResourceId};
use crate::reservation::contending;

/// A schedule under construction: starts, units and the constraints with the order on the units.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The constraints of the problem and of the units.
    pub constraints: Constraints,
    /// The least starts that keep them.
    pub start: Vec<i64>,
    /// Unit of each operation that has a resource.
    pub unit: Vec<Option<usize>>,
    /// Length of the least starts.
    pub length: i64,
}

/// Fixes the order of `placement` on every contended unit and moves all operations to their least starts.
pub fn fix_order(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
    placement: &Placement,
) -> Ordered {
    let constraints = constraints.with(unit_edges(problem, ii, placement));
    let mut start = earliest_starts(&constraints, ii.unwrap_or(0))
        .expect("the placement itself keeps the order on the units");
    start.truncate(constraints.operation_count);
    let length = length(&constraints, &start);
    Ordered {
        constraints,
        start,
        unit: placement.unit.clone(),
        length,
    }
}

/// Returns the cycles until the last operation has ended.
pub fn length(constraints: &Constraints, start: &[i64]) -> i64 {
    start
        .iter()
        .zip(&constraints.span)
        .map(|(start, span)| start + span)
        .max()
        .unwrap_or(0)
}

/// Orders the operations on each unit one after another; with an II, the first of the next iteration comes after the last.
fn unit_edges(problem: &Problem, ii: Option<i64>, placement: &Placement) -> Vec<Edge> {
    let mut by_unit: BTreeMap<(ResourceId, usize), Vec<usize>> = BTreeMap::new();
    for (index, contends) in contending(problem).into_iter().enumerate() {
        let operation = &problem.operations[index];
        if let (true, Some(resource), Some(unit)) =
            (contends, operation.resource, placement.unit[index])
        {
            by_unit.entry((resource, unit)).or_default().push(index);
        }
    }
    let stage = |index: usize| ii.map_or(0, |ii| placement.start[index].div_euclid(ii));
    let slot = |index: usize| {
        ii.map_or(placement.start[index], |ii| {
            placement.start[index].rem_euclid(ii)
        })
    };
    let mut edges = Vec::new();
    for ((resource, _), mut members) in by_unit {
        members.sort_by_key(|&index| (slot(index), index));
        let mut follow = |from: usize, to: usize, wraps: i64| {
            let weight = i64::from(
                problem
                    .operation(OperationId::from_index(from))
                    .occupancy_cycles,
            );
            let distance = stage(from) - stage(to) + wraps;
            edges.push(Edge {
                from,
                to,
                weight,
                distance,
                origin: Origin::Unit(resource),
            });
        };
        for pair in members.windows(2) {
            follow(pair[0], pair[1], 0);
        }
        if let (Some(_), [first, .., last]) = (ii, members.as_slice()) {
            follow(*last, *first, 1);
        }
    }
    edges
}
