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
    let zero = constraints.zero();
    let mut edges = constraints.edges.clone();
    edges.retain(|edge| edge.from != zero && edge.to != zero);
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
    let values = settle(&constraints.edges, from, ii, Direction::Backwards, None).expect(NO_CYCLE);
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

/// The edges of a graph by the node that they leave, and an order of the nodes in which one pass settles an acyclic graph.
struct Flow {
    /// Nodes in the order of a pass.
    order: Vec<usize>,
    /// For each node the place in `edges` where its own begin; one place more for the end.
    first: Vec<usize>,
    /// Positions of edges.
    edges: Vec<usize>,
}

impl Flow {
    fn new(edges: &[Edge], n_nodes: usize, ends: &impl Fn(&Edge) -> (usize, usize)) -> Self {
        let mut first = vec![0; n_nodes + 1];
        for edge in edges {
            first[ends(edge).0 + 1] += 1;
        }
        for node in 0..n_nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut sorted = vec![0; edges.len()];
        for (index, edge) in edges.iter().enumerate() {
            let near = ends(edge).0;
            sorted[next[near]] = index;
            next[near] += 1;
        }
        let mut flow = Self {
            order: Vec::with_capacity(n_nodes),
            first,
            edges: sorted,
        };
        flow.sort(edges, n_nodes, ends);
        flow
    }

    fn leaving(&self, node: usize) -> &[usize] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    /// Puts the nodes into a topological order of the edges within an iteration; nodes of cycles come last.
    fn sort(&mut self, edges: &[Edge], n_nodes: usize, ends: &impl Fn(&Edge) -> (usize, usize)) {
        // The last node is cycle 0: constraints lead from it and to it.
        let zero = n_nodes - 1;
        let is_within = |edge: &Edge| edge.distance == 0 && edge.to != zero && edge.from != zero;
        let mut n_open = vec![0_usize; n_nodes];
        for edge in edges.iter().filter(|edge| is_within(edge)) {
            n_open[ends(edge).1] += 1;
        }
        let mut order = Vec::with_capacity(n_nodes);
        order.push(zero);
        order.extend((0..zero).filter(|node| n_open[*node] == 0));
        let mut at = 0;
        while let Some(node) = order.get(at).copied() {
            at += 1;
            for index in self.leaving(node) {
                let edge = &edges[*index];
                if is_within(edge) {
                    let far = ends(edge).1;
                    n_open[far] -= 1;
                    if n_open[far] == 0 {
                        order.push(far);
                    }
                }
            }
        }
        order.extend((0..zero).filter(|node| n_open[*node] > 0));
        self.order = order;
    }
}

/// Raises `values` along the edges until a fixpoint. The value of `pinned` must not change.
///
/// Complexity: passes times constraints; few passes, because nodes are visited in the order of the iteration, and a pass visits
/// only nodes that were raised.
fn settle(
    edges: &[Edge],
    values: Vec<i64>,
    ii: i64,
    direction: Direction,
    pinned: Option<usize>,
) -> Result<Vec<i64>, PositiveCycle> {
    let ends = |edge: &Edge| match direction {
        Direction::Forwards => (edge.from, edge.to),
        Direction::Backwards => (edge.to, edge.from),
    };
    let flow = Flow::new(edges, values.len(), &ends);
    let mut settled = values.clone();
    let mut raised_by: Vec<Option<usize>> = vec![None; values.len()];
    let mut is_raised: Vec<bool> = values.iter().map(|value| *value > UNREACHED / 2).collect();
    loop {
        let mut changed = false;
        for node in &flow.order {
            if !std::mem::take(&mut is_raised[*node]) {
                continue;
            }
            for index in flow.leaving(*node) {
                let edge = &edges[*index];
                let (value, far) = (settled[*node] + edge.gap(ii), ends(edge).1);
                if value > settled[far] {
                    settled[far] = value;
                    raised_by[far] = Some(*index);
                    is_raised[far] = true;
                    changed = true;
                    if pinned == Some(far) {
                        return Err(positive_cycle(edges, values, ii, &ends, pinned));
                    }
                }
            }
        }
        if !changed {
            return Ok(settled);
        }
        if node_on_cycle(edges, &raised_by, &ends).is_some() {
            return Err(positive_cycle(edges, values, ii, &ends, pinned));
        }
    }
}

/// Returns the positive cycle that constraints without a fixpoint have. It does not depend on the order of [`Flow`].
fn positive_cycle(
    edges: &[Edge],
    mut values: Vec<i64>,
    ii: i64,
    ends: &impl Fn(&Edge) -> (usize, usize),
    pinned: Option<usize>,
) -> PositiveCycle {
    let mut raised_by: Vec<Option<usize>> = vec![None; values.len()];
    loop {
        for (index, edge) in edges.iter().enumerate() {
            let (near, far) = ends(edge);
            if values[near] <= UNREACHED / 2 {
                continue;
            }
            let value = values[near] + edge.gap(ii);
            if value > values[far] {
                values[far] = value;
                raised_by[far] = Some(index);
                if pinned == Some(far) {
                    return cycle_through(edges, &raised_by, far, ends);
                }
            }
        }
        if let Some(node) = node_on_cycle(edges, &raised_by, ends) {
            return cycle_through(edges, &raised_by, node, ends);
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
