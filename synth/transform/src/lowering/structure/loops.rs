//! Turns cycles into loops: each gets one entry, one back edge and one exit, and becomes one node of the remaining acyclic graph.
//!
//! A loop with several entries gets a node before it that chooses between them by a variable. With several exit targets, a
//! variable records the target and is tested after the loop. Neither is added if there is only one entry or target. Nodes that
//! every iteration passes and from which no exit can be reached form the second half of the loop, after the test.

use std::collections::BTreeSet;

use sluice_ir::Location;

use super::branches::{Exits, Sequencer};
use super::components::{Scope, cycles, n_cyclic_without};
use super::graph::{Choice, Edge, Graph, Node, NodeId, assign_number, forget};
use super::tree::{Loop, Sequence, Source, Step, of_sequence};
use super::{MAX_LEVELS, Refusal};

/// Replaces each cycle among `members` by one node; returns the remaining nodes. Cycles without an exit lead to `exit`.
///
/// # Errors
/// Nesting that is too deep.
pub(super) fn collapse(
    graph: &mut Graph,
    members: &[NodeId],
    exit: NodeId,
    level: u32,
) -> Result<Vec<NodeId>, Refusal> {
    let mut left: BTreeSet<NodeId> = members.iter().copied().collect();
    for component in cycles(graph, members) {
        if level >= MAX_LEVELS {
            return Err(Refusal::too_deep(graph.node(component[0]).location));
        }
        for id in &component {
            left.remove(id);
        }
        let outside: Vec<NodeId> = left.iter().copied().collect();
        left.insert(make_loop(graph, &component, &outside, exit, level)?);
    }
    Ok(left.into_iter().collect())
}

fn make_loop(
    graph: &mut Graph,
    component: &[NodeId],
    outside: &[NodeId],
    exit: NodeId,
    level: u32,
) -> Result<NodeId, Refusal> {
    let looped = graph.add_end();
    let (header, again, inner) = one_entry(graph, component, outside, looped);
    let n_outside = graph.variables.all().count();
    let inner = collapse(graph, &inner, exit, level + 1)?;
    let inside: BTreeSet<NodeId> = inner.iter().copied().collect();
    let targets = targets_outside(graph, &inner, &inside, again);
    let second = second_half(graph, header, again, &inside);
    // The end of the first half, which holds the test.
    let test = graph.add_end();
    let going_on = graph.add_bit();
    let ways_out = (targets.len() > 1).then(|| graph.number_ways(targets.len()));
    let first = first_half(graph, header, &inside, second);
    for id in &first {
        let edges = std::mem::take(&mut graph.node_mut(*id).edges);
        let redirected = edges.into_iter().map(|mut edge| {
            if edge.target == second {
                edge.assignments.push(assign_number(going_on, 1));
                edge.target = test;
            } else if let Some(way) = targets.iter().position(|t| *t == edge.target) {
                edge.assignments.push(assign_number(going_on, 0));
                if let Some((variable, numbers)) = &ways_out {
                    edge.assignments
                        .push(assign_number(*variable, numbers[way]));
                }
                edge.target = test;
            }
            edge
        });
        let redirected = redirected.collect();
        graph.node_mut(*id).edges = redirected;
    }
    let mut before = part(graph, header, test, level + 1)?;
    let after = match second == again {
        true => Sequence::new(),
        false => part(graph, second, again, level + 1)?,
    };
    // Variables that record edges inside the loop are assigned anew in every iteration, so they are dead at its start.
    let inside = graph.variables.all().skip(n_outside);
    before.insert(0, Step::Assign(inside.map(forget).collect()));
    let is_endless = targets.is_empty();
    let condition = match is_endless {
        true => Source::Number(1),
        false => Source::Variable(going_on),
    };
    let location = location_of_test(graph, &first, header, test);
    let node = graph.node_mut(looped);
    node.work = vec![Loop::step(before, condition, after, location)];
    node.location = location;
    node.edges = match is_endless {
        true => vec![Edge::to(exit)],
        false => targets.into_iter().map(Edge::to).collect(),
    };
    if let Some((variable, numbers)) = ways_out {
        node.choice = Choice::Number(variable, numbers);
    }
    Ok(looped)
}

/// Returns the location of the first branch out of the loop, or of the end of its header.
fn location_of_test(
    graph: &Graph,
    first: &BTreeSet<NodeId>,
    header: NodeId,
    test: NodeId,
) -> Location {
    let leads_to_test = |id: &&NodeId| {
        let location = graph.node(**id).location;
        let mut edges = graph.edges(**id).iter();
        edges.any(|edge| edge.target == test) && location != Location::UNKNOWN
    };
    let place = first.iter().find(leads_to_test).unwrap_or(&header);
    graph.node(*place).location
}

/// Redirects all entries of a component to `looped` and all back edges to one end; returns the start, the end and the nodes
/// inside.
fn one_entry(
    graph: &mut Graph,
    component: &[NodeId],
    outside: &[NodeId],
    looped: NodeId,
) -> (NodeId, NodeId, Vec<NodeId>) {
    let members: BTreeSet<NodeId> = component.iter().copied().collect();
    let mut entries: BTreeSet<NodeId> = BTreeSet::new();
    for edge in outside.iter().flat_map(|id| graph.edges(*id)) {
        if members.contains(&edge.target) {
            entries.insert(edge.target);
        }
    }
    let again = graph.add_end();
    let mut inner = component.to_vec();
    // The header is the entry that leaves the fewest nodes on inner cycles.
    let head = entries
        .iter()
        .copied()
        .min_by_key(|id| (n_cyclic_without(graph, component, *id), *id))
        .expect("nodes that are reached are entered somewhere");
    let chooser = (entries.len() > 1).then(|| {
        let (variable, numbers) = graph.number_ways(entries.len());
        let edges = entries.iter().copied().map(Edge::to);
        let node = Node {
            work: Vec::new(),
            choice: Choice::Number(variable, numbers.clone()),
            edges: edges.collect(),
            location: graph.node(head).location,
        };
        (graph.add(node), variable, numbers)
    });
    let ways: Vec<NodeId> = entries.into_iter().collect();
    let choose = |edge: &mut Edge| {
        if let Some((_, variable, numbers)) = &chooser
            && let Some(way) = ways.iter().position(|entry| *entry == edge.target)
        {
            let assignment = assign_number(*variable, numbers[way]);
            edge.assignments.push(assignment);
        }
    };
    for id in outside {
        for edge in &mut graph.node_mut(*id).edges {
            if members.contains(&edge.target) {
                choose(edge);
                edge.target = looped;
            }
        }
    }
    for id in component {
        for edge in &mut graph.node_mut(*id).edges {
            if edge.target == head {
                choose(edge);
                edge.target = again;
            }
        }
    }
    let header = match chooser {
        Some((node, ..)) => {
            inner.push(node);
            node
        }
        None => head,
    };
    (header, again, inner)
}

/// Returns the targets of edges out of a loop, in the order of a graph traversal.
fn targets_outside(
    graph: &Graph,
    inner: &[NodeId],
    inside: &BTreeSet<NodeId>,
    again: NodeId,
) -> Vec<NodeId> {
    let mut found = Vec::new();
    for edge in inner.iter().flat_map(|id| graph.edges(*id)) {
        let target = edge.target;
        if target != again && !inside.contains(&target) && !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

/// Returns the first node that every iteration passes and from which no exit is reachable, or `again` if there is none.
fn second_half(graph: &Graph, header: NodeId, again: NodeId, inside: &BTreeSet<NodeId>) -> NodeId {
    let scope = Scope::new(graph, header, |id| id == again || inside.contains(&id));
    let mut in_order: Vec<NodeId> = inside.iter().copied().collect();
    in_order.sort_by_key(|id| (scope.order(*id), *id));
    let mut leads_out: BTreeSet<NodeId> = BTreeSet::new();
    for id in in_order.into_iter().rev() {
        let mut edges = graph.edges(id).iter();
        let leaves = edges.any(|edge| {
            let target = edge.target;
            target != again && (!inside.contains(&target) || leads_out.contains(&target))
        });
        if leaves {
            leads_out.insert(id);
        }
    }
    if !leads_out.contains(&header) {
        // A loop without exit has nothing to test.
        return again;
    }
    let dominators = scope.dominators(again);
    dominators
        .take_while(|id| !leads_out.contains(id))
        .last()
        .unwrap_or(again)
}

/// Returns the nodes reachable from the header that come before the second half.
fn first_half(
    graph: &Graph,
    header: NodeId,
    inside: &BTreeSet<NodeId>,
    second: NodeId,
) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![header];
    while let Some(id) = waiting.pop() {
        if id != second && inside.contains(&id) && found.insert(id) {
            waiting.extend(graph.edges(id).iter().map(|edge| edge.target));
        }
    }
    found
}

/// Returns the steps from a node to an end.
fn part(graph: &mut Graph, start: NodeId, end: NodeId, level: u32) -> Result<Sequence, Refusal> {
    let scope = Scope::new(graph, start, |id| id != end);
    let exits = Exits::from([(end, Vec::new())]);
    let steps = Sequencer { graph }.sequence(&scope, start, &exits, level)?;
    match of_sequence(&steps).levels > MAX_LEVELS {
        true => Err(Refusal::too_deep(graph.node(start).location)),
        false => Ok(steps),
    }
}

/// Returns the steps of a whole graph.
///
/// # Errors
/// Nesting that is too deep.
pub(super) fn steps(
    graph: &mut Graph,
    members: &[NodeId],
    entry: NodeId,
    exit: NodeId,
) -> Result<Vec<Step>, Refusal> {
    collapse(graph, members, exit, 0)?;
    part(graph, entry, exit, 0)
}
