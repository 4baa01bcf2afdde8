//! The orders in which the nodes of a cycle are evaluated: `valid` and data forward, then `ready` backward. Combinational loops
//! are errors.

use std::collections::VecDeque;

use sluice_ir::Diagnostics;

use super::graph::{Graph, Kind};
use super::worklist::Wakes;

/// Topological orders of the nodes.
#[derive(Clone, Default, Debug)]
pub(super) struct Orders {
    pub(super) forward: Vec<usize>,
    pub(super) back: Vec<usize>,
    /// Nodes in the order of the clock edge: stores come last, so loads of the same cycle read the old contents.
    pub(super) edge: Vec<usize>,
    /// The position of each node in each of the orders.
    pub(super) forward_places: Vec<usize>,
    pub(super) back_places: Vec<usize>,
    pub(super) edge_places: Vec<usize>,
    /// The nodes to evaluate again after a change, by channel.
    pub(super) wakes: Vec<Wakes>,
}

/// Computes the orders of a graph.
///
/// # Errors
/// A combinational loop of `valid` or of `ready`, with its operations.
pub(super) fn orders(graph: &Graph<'_>) -> Result<Orders, Diagnostics> {
    let nodes = 0..graph.nodes.len();
    let forward: Vec<Vec<usize>> = nodes
        .clone()
        .map(|node| match &graph.nodes[node] {
            found if found.kind.passes_forward() => {
                let inputs = found.inputs.iter();
                inputs.map(|input| graph.producers[*input]).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    let back: Vec<Vec<usize>> = nodes
        .clone()
        .map(|node| find_ready_sources(graph, node))
        .collect();
    let mut diagnostics = Diagnostics::new();
    let mut order = |signal: &str, needs: &[Vec<usize>]| match sorted(needs) {
        Ok(order) => order,
        Err(cycle_nodes) => {
            report(graph, signal, &cycle_nodes, &mut diagnostics);
            Vec::new()
        }
    };
    let (forward, back) = (order("valid", &forward), order("ready", &back));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let (stores, mut edge): (Vec<_>, Vec<_>) =
        nodes.partition(|node| matches!(graph.nodes[*node].kind, Kind::Store(_)));
    edge.extend(stores);
    let (forward_places, back_places) = (places(&forward), places(&back));
    let edge_places = places(&edge);
    let all = [&forward_places[..], &back_places, &edge_places];
    Ok(Orders {
        wakes: Wakes::of(graph, all),
        forward_places,
        back_places,
        edge_places,
        forward,
        back,
        edge,
    })
}

/// Returns the position of each node in an order.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, node) in order.iter().enumerate() {
        places[*node] = place;
    }
    places
}

/// Returns the nodes on whose `ready` the `ready` of this node depends.
fn find_ready_sources(graph: &Graph<'_>, number: usize) -> Vec<usize> {
    let node = &graph.nodes[number];
    if !node.kind.passes_back() {
        return Vec::new();
    }
    // The `ready` of an operation with credits does not depend on its consumers. Later operations at the same unit have priority.
    if let Some(turns) = graph.turns(number) {
        let same = |other: &usize| graph.turns(*other).is_some_and(|of| of.unit == turns.unit);
        let later = graph.sharers.iter().filter(|other| **other > number);
        return later.copied().filter(same).collect();
    }
    let outputs = node.outputs.iter();
    let mut behind: Vec<usize> = outputs.map(|output| graph.consumers[*output]).collect();
    // Later ports of the same memory in program order have priority.
    if let Kind::Load(memory) | Kind::Store(memory) = node.kind {
        let is_load = matches!(node.kind, Kind::Load(_));
        let later =
            (number + 1..graph.nodes.len()).filter(|other| match graph.nodes[*other].kind {
                Kind::Load(of) => is_load && of == memory,
                Kind::Store(of) => !is_load && of == memory,
                _ => false,
            });
        behind.extend(later);
        // A load takes the word that a store writes in the same cycle.
        let watched = graph.watched(number).iter().filter(|_| is_load);
        behind.extend(watched.map(|pending| pending.store));
    }
    behind
}

/// Returns all nodes in topological order, or the nodes of a cycle.
fn sorted(needs: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut needed_by = vec![Vec::new(); needs.len()];
    for (node, needs) in needs.iter().enumerate() {
        for need in needs {
            needed_by[*need].push(node);
        }
    }
    let mut n_open: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut free: VecDeque<usize> = (0..needs.len()).filter(|node| n_open[*node] == 0).collect();
    let mut order = Vec::with_capacity(needs.len());
    while let Some(node) = free.pop_front() {
        order.push(node);
        for user in &needed_by[node] {
            n_open[*user] -= 1;
            if n_open[*user] == 0 {
                free.push_back(*user);
            }
        }
    }
    let Some(first) = n_open.iter().position(|n| *n > 0) else {
        return Ok(order);
    };
    let mut path = vec![first];
    loop {
        let last = *path.last().expect("a path begins somewhere");
        let next = needs[last].iter().find(|need| n_open[**need] > 0);
        let next = *next.expect("an open node needs an open one");
        if let Some(begin) = path.iter().position(|node| *node == next) {
            return Err(path.split_off(begin));
        }
        path.push(next);
    }
}

fn report(graph: &Graph<'_>, signal: &str, cycle_nodes: &[usize], diagnostics: &mut Diagnostics) {
    let name = |node: &usize| format!("`{}`", graph.nodes[*node].name);
    let names: Vec<String> = cycle_nodes.iter().map(name).collect();
    let location = cycle_nodes.first().map(|node| graph.nodes[*node].location);
    let message = format!(
        "`{signal}` is in a combinational loop through {}",
        names.join(" <- ")
    );
    let error = diagnostics.error(location.unwrap_or(graph.location), message);
    for node in cycle_nodes {
        error.note(
            graph.nodes[*node].location,
            format!("{} is on it", name(node)),
        );
    }
}
