//! Longest paths in a constraint graph at one II, and the positive cycle that proves that there are none.

use crate::constraints::{Constraints, Edge};

/// A cycle of constraints that no starts can satisfy at a given II.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositiveCycle {
    /// The constraints of the cycle in order.
    pub edges: Vec<Edge>,
}

impl PositiveCycle {
    /// Returns the sum of the weights in cycles.
    pub fn weight(&self) -> i64 {
        self.edges.iter().map(|edge| edge.weight).sum()
    }

    /// Returns the sum of the distances in iterations.
    pub fn distance(&self) -> i64 {
        self.edges.iter().map(|edge| edge.distance).sum()
    }
}

/// Returns the least starts that keep all constraints at an II.
///
/// # Errors
///
/// A cycle of constraints whose gaps add up to more than 0.
///
/// Complexity: operations times constraints in the worst case; a few passes over the constraints as a rule.
pub fn earliest_starts(constraints: &Constraints, ii: i64) -> Result<Vec<i64>, PositiveCycle> {
    let mut from = vec![UNREACHED; constraints.operation_count + 1];
    from[constraints.zero()] = 0;
    settle(
        &constraints.edges,
        from,
        ii,
        Direction::Forwards,
        Some(constraints.zero()),
    )
}

/// Returns the least starts that keep all constraints at an II and fall into the slots given (the cycles themselves if `ii` is
/// 0); none if there are no such starts.
pub fn settle_slots(constraints: &Constraints, ii: i64, slots: &[Option<i64>]) -> Option<Vec<i64>> {
    let in_slot = |node: usize, start: i64| match slots.get(node).copied().flatten() {
        Some(slot) if ii > 0 => Some(start + (slot - start).rem_euclid(ii)),
        Some(cycle) => (start <= cycle).then_some(cycle),
        None => Some(start),
    };
    let mut start = vec![UNREACHED; constraints.operation_count + 1];
    start[constraints.zero()] = 0;
    // Stages reach a fixpoint after at most as many passes as there are operations; otherwise there is no solution.
    for _ in 0..=constraints.operation_count + 1 {
        let mut changed = false;
        for edge in &constraints.edges {
            if start[edge.from] <= UNREACHED / 2 {
                continue;
            }
            let least = start[edge.from] + edge.gap(ii);
            if least > start[edge.to] {
                start[edge.to] = in_slot(edge.to, least)?;
                changed = true;
            }
        }
        if start[constraints.zero()] != 0 {
            return None;
        }
        if !changed {
            start.truncate(constraints.operation_count);
            return Some(start);
        }
    }
    None
}

/// Computes for each operation the longest path from its start to the end of the last operation that must follow it.
///
/// The constraints must have earliest starts at this II. This also holds for the functions below.
pub fn tails(constraints: &Constraints, ii: i64) -> Vec<i64> {
    let mut from = constraints.span.clone();
    from.push(0);
    let edges: Vec<Edge> = constraints
        .edges
        .iter()
        .rev()
        .filter(|edge| edge.from != constraints.zero() && edge.to != constraints.zero())
        .copied()
        .collect();
    settle(&edges, from, ii, Direction::Backwards, None).expect(NO_CYCLE)
}

/// Computes for each operation the latest start that the latest starts of other operations allow, if there is one.
pub fn latest_starts(constraints: &Constraints, ii: i64) -> Vec<Option<i64>> {
    let to_zero = longest_to(constraints, constraints.zero(), ii);
    to_zero[..constraints.operation_count]
        .iter()
        .map(|path| path.map(|cycles| -cycles))
        .collect()
}

/// Returns the longest path from every node to `target`, where there is one.
pub fn longest_to(constraints: &Constraints, target: usize, ii: i64) -> Vec<Option<i64>> {
    let mut from = vec![UNREACHED; constraints.operation_count + 1];
    from[target] = 0;
    let edges: Vec<Edge> = constraints.edges.iter().rev().copied().collect();
    let values = settle(&edges, from, ii, Direction::Backwards, None).expect(NO_CYCLE);
    values
        .into_iter()
        .map(|value| (value > UNREACHED / 2).then_some(value))
        .collect()
}

const NO_CYCLE: &str = "constraints with earliest starts have no positive cycle";

const UNREACHED: i64 = i64::MIN / 4;

#[derive(Clone, Copy)]
enum Direction {
    Forwards,
    Backwards,
}

/// Raises `values` along the edges until a fixpoint. The value of `pinned` must not change.
fn settle(
    edges: &[Edge],
    mut values: Vec<i64>,
    ii: i64,
    direction: Direction,
    pinned: Option<usize>,
) -> Result<Vec<i64>, PositiveCycle> {
    let ends = |edge: &Edge| match direction {
        Direction::Forwards => (edge.from, edge.to),
        Direction::Backwards => (edge.to, edge.from),
    };
    let mut raised_by: Vec<Option<usize>> = vec![None; values.len()];
    loop {
        let mut changed = false;
        for (index, edge) in edges.iter().enumerate() {
            let (near, far) = ends(edge);
            if values[near] <= UNREACHED / 2 {
                continue;
            }
            let value = values[near] + edge.gap(ii);
            if value > values[far] {
                values[far] = value;
                raised_by[far] = Some(index);
                changed = true;
                if pinned == Some(far) {
                    return Err(cycle_through(edges, &raised_by, far, &ends));
                }
            }
        }
        if !changed {
            return Ok(values);
        }
        if let Some(node) = node_on_cycle(edges, &raised_by, &ends) {
            return Err(cycle_through(edges, &raised_by, node, &ends));
        }
    }
}

/// Returns a node from which the chain of raising edges comes back to it.
fn node_on_cycle(
    edges: &[Edge],
    raised_by: &[Option<usize>],
    ends: &impl Fn(&Edge) -> (usize, usize),
) -> Option<usize> {
    // 0: not visited; otherwise the number of the walk that first visited the node.
    let mut seen_in_walk = vec![0usize; raised_by.len()];
    for first in 0..raised_by.len() {
        let walk = first + 1;
        let mut node = first;
        while seen_in_walk[node] == 0 {
            seen_in_walk[node] = walk;
            match raised_by[node] {
                Some(edge) => node = ends(&edges[edge]).0,
                None => break,
            }
        }
        if seen_in_walk[node] == walk && raised_by[node].is_some() {
            return Some(node);
        }
    }
    None
}

/// Walks back from `node` along the raising edges until it is reached again, or until the chain ends at a node that the
/// pinned node raised before.
fn cycle_through(
    edges: &[Edge],
    raised_by: &[Option<usize>],
    node: usize,
    ends: &impl Fn(&Edge) -> (usize, usize),
) -> PositiveCycle {
    let mut cycle = Vec::new();
    let mut at = node;
    let mut seen = vec![None; raised_by.len()];
    while seen[at].is_none() {
        seen[at] = Some(cycle.len());
        match raised_by[at] {
            Some(edge) => {
                cycle.push(edges[edge]);
                at = ends(&edges[edge]).0;
            }
            None => return PositiveCycle { edges: cycle },
        }
    }
    // The walk may reach a cycle that does not contain `node`: drop the part before that cycle.
    cycle.drain(..seen[at].expect("the walk ended at a node it has seen"));
    cycle.reverse();
    PositiveCycle { edges: cycle }
}
