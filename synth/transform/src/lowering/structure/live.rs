//! Liveness of variables in the block graph: variables that are dead after an edge are dropped on it.
//!
//! When edges are merged and later separated by a variable, there appear to be paths that enter by one edge and leave by another.
//! Dropping dead values prevents carrying them along these impossible paths.

use std::collections::BTreeMap;

use super::graph::{Choice, Flow, NodeId};
use super::set::Set;
use super::tree::{Assignment, Facts, Source, of_assignments, of_sequence};

/// Records on every edge which variables stay live.
pub(super) fn forget_dead(flow: &mut Flow) {
    let live = live_in(flow);
    for id in &flow.members {
        for edge in &mut flow.graph.node_mut(*id).edges {
            edge.keep = Some(live[&edge.target].clone());
        }
    }
}

fn live_in(flow: &Flow) -> BTreeMap<NodeId, Set> {
    let facts: BTreeMap<NodeId, Facts> = flow
        .members
        .iter()
        .map(|id| (*id, of_sequence(&flow.graph.node(*id).work)))
        .collect();
    let mut live: BTreeMap<NodeId, Set> = flow
        .members
        .iter()
        .map(|id| (*id, Set::default()))
        .collect();
    let passed_on = flow.passed_on.iter().filter_map(|source| match source {
        Source::Variable(variable) => Some(*variable),
        Source::Value(_) | Source::Number(_) | Source::Nothing => None,
    });
    live.insert(flow.exit, passed_on.collect());
    let mut predecessors: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for id in &flow.members {
        for edge in flow.graph.edges(*id) {
            predecessors.entry(edge.target).or_default().push(*id);
        }
    }
    let mut waiting: Vec<NodeId> = flow.members.clone();
    while let Some(id) = waiting.pop() {
        let node = flow.graph.node(id);
        let mut behind = Set::default();
        for edge in &node.edges {
            behind.add_all(&live_before(&edge.assignments, &live[&edge.target]));
        }
        match node.choice {
            Choice::Condition(Source::Variable(read))
            | Choice::Cases(Source::Variable(read), _)
            | Choice::Number(read, _) => behind.insert(read),
            Choice::Only | Choice::Condition(_) | Choice::Cases(..) => {}
        }
        let now = facts[&id].live_before(&behind);
        let known = live.entry(id).or_default();
        if known.add_all(&now) {
            waiting.extend(predecessors.get(&id).into_iter().flatten());
        }
    }
    live
}

fn live_before(assignments: &[Assignment], behind: &Set) -> Set {
    of_assignments(assignments).live_before(behind)
}
