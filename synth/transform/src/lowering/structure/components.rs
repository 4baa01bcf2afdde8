//! Graph algorithms by petgraph on parts of a graph: strongly connected components, topological order, dominance.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::simple_fast;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::graph::{Graph, NodeId};

/// Converts a part of a graph to a petgraph graph, without edges to nodes outside the part.
fn part(graph: &Graph, members: &[NodeId]) -> (DiGraph<NodeId, ()>, BTreeMap<NodeId, NodeIndex>) {
    let mut copy = DiGraph::new();
    let index_of: BTreeMap<NodeId, NodeIndex> =
        members.iter().map(|id| (*id, copy.add_node(*id))).collect();
    for id in members {
        for edge in graph.edges(*id) {
            if let Some(target) = index_of.get(&edge.target) {
                copy.add_edge(index_of[id], *target, ());
            }
        }
    }
    (copy, index_of)
}

/// Returns the strongly connected components that contain a cycle; each comes before the components that lead to it.
pub(super) fn cycles(graph: &Graph, members: &[NodeId]) -> Vec<Vec<NodeId>> {
    let (copy, _) = part(graph, members);
    tarjan_scc(&copy)
        .into_iter()
        .filter(|component| component.len() > 1 || copy.contains_edge(component[0], component[0]))
        .map(|component| {
            let mut nodes: Vec<NodeId> = component.into_iter().map(|index| copy[index]).collect();
            nodes.sort();
            nodes
        })
        .collect()
}

/// Returns the number of nodes on cycles that do not pass through `header`.
pub(super) fn n_cyclic_without(graph: &Graph, members: &[NodeId], header: NodeId) -> usize {
    let rest: Vec<NodeId> = members.iter().copied().filter(|id| *id != header).collect();
    cycles(graph, &rest).iter().map(Vec::len).sum()
}

/// The nodes reachable from the root of an acyclic part, with their topological order and dominators.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    places: BTreeMap<NodeId, Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Topological number: every edge leads to a higher one.
    order: usize,
    n_entering: usize,
    dominator: Option<NodeId>,
    /// The interval of dominator-tree numbers: the node dominates those nodes whose `first` is in it.
    first: usize,
    last: usize,
}

impl Scope {
    /// Builds the scope of the nodes reachable from `root` through nodes that are `inside`.
    pub(super) fn new(graph: &Graph, root: NodeId, inside: impl Fn(NodeId) -> bool) -> Self {
        let postorder = postorder(graph, root, inside);
        let members: BTreeSet<NodeId> = postorder.iter().copied().collect();
        let mut places: BTreeMap<NodeId, Place> = BTreeMap::new();
        for (order, id) in postorder.iter().rev().enumerate() {
            places.entry(*id).or_default().order = order;
            for edge in graph.edges(*id) {
                if members.contains(&edge.target) {
                    places.entry(edge.target).or_default().n_entering += 1;
                }
            }
        }
        let (copy, index_of) = part(graph, &postorder);
        let dominators = simple_fast(&copy, index_of[&root]);
        let mut dominated: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for id in postorder.iter().rev() {
            let dominator = dominators.immediate_dominator(index_of[id]);
            let dominator = dominator.map(|index| copy[index]);
            places.entry(*id).or_default().dominator = dominator;
            if let Some(dominator) = dominator {
                dominated.entry(dominator).or_default().push(*id);
            }
        }
        // Numbers the dominator tree without recursion, since it may be as deep as the number of blocks.
        let mut number = 0;
        let mut waiting = vec![(root, false)];
        while let Some((id, is_left)) = waiting.pop() {
            let place = places.entry(id).or_default();
            if is_left {
                place.last = number;
                continue;
            }
            number += 1;
            place.first = number;
            waiting.push((id, true));
            let below = dominated.get(&id).into_iter().flatten();
            waiting.extend(below.map(|id| (*id, false)));
        }
        Self { places }
    }

    pub(super) fn dominates(&self, a: NodeId, b: NodeId) -> bool {
        match (self.places.get(&a), self.places.get(&b)) {
            (Some(a), Some(b)) => a.first <= b.first && b.first <= a.last,
            _ => false,
        }
    }

    /// Returns the number of edges into a node.
    pub(super) fn n_entering(&self, id: NodeId) -> usize {
        self.places.get(&id).map_or(0, |place| place.n_entering)
    }

    /// Returns the topological number of a node; nodes outside the scope come last.
    pub(super) fn order(&self, id: NodeId) -> usize {
        self.places.get(&id).map_or(usize::MAX, |place| place.order)
    }

    /// Returns the strict dominators of a node, nearest first.
    pub(super) fn dominators(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let above = move |id: &NodeId| self.places.get(id)?.dominator;
        std::iter::successors(above(&id), above)
    }
}

fn postorder(graph: &Graph, root: NodeId, inside: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut seen = BTreeSet::from([root]);
    let mut found = Vec::new();
    let mut waiting = vec![(root, 0)];
    while let Some((id, next)) = waiting.pop() {
        let Some(edge) = graph.edges(id).get(next) else {
            found.push(id);
            continue;
        };
        waiting.push((id, next + 1));
        if inside(edge.target) && seen.insert(edge.target) {
            waiting.push((edge.target, 0));
        }
    }
    found
}
