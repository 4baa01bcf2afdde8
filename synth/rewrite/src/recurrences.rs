//! Restrictions of an extraction: it must keep the operations on the paths from loop-carried values to those of the next
//! iteration, and must not use a value before its definition.

use std::collections::{BTreeMap, BTreeSet};

use egg::Id;
use sluice_ir::{Body, Context, OperationId, ValueId};

use crate::chosen::{Kept, Leaves};
use crate::graph::BlockGraph;
use crate::language::{Node, Op};
use crate::plan::Metrics;

/// Returns the bit of a leaf.
pub(crate) fn bit(leaf: u32) -> Leaves {
    1 << (leaf % Leaves::BITS)
}

/// Returns the restrictions for a loop body: all arithmetic on recurrences, and the arithmetic that recurrences read.
pub(crate) fn kept(context: &Context, body: &Body, graph: &BlockGraph, metrics: &Metrics) -> Kept {
    let order: Vec<OperationId> = body.operations(graph.block).collect();
    let operands = |op: OperationId| {
        let inner = body.walk(op).into_iter().chain([op]);
        inner.flat_map(|op| body.operands(op).collect::<Vec<_>>())
    };
    let carried = graph.carried_arguments(context, body);
    let passed_on: Vec<ValueId> = order
        .last()
        .map(|last| body.operands(*last).collect())
        .unwrap_or_default();
    let representatives = representatives(graph, metrics);
    let made_from = made_from(graph, &representatives);
    let mut nodes = BTreeMap::new();
    let mut leaves = BTreeMap::new();
    for members in metrics.recurrences() {
        let at = |values: &[ValueId]| -> BTreeSet<ValueId> {
            let values = members.iter().filter_map(|place| values.get(*place));
            values.copied().collect()
        };
        let (mut behind, mut before) = (at(carried), at(&passed_on));
        for op in &order {
            if operands(*op).any(|value| behind.contains(&value)) {
                behind.extend(body.results(*op));
            }
        }
        for op in order.iter().rev() {
            if body.results(*op).iter().any(|value| before.contains(value)) {
                before.extend(operands(*op));
            }
        }
        let mut read = at(&passed_on);
        for original in graph.originals.iter().rev() {
            if read.contains(&original.value) {
                read.extend(body.operands(original.operation));
            }
        }
        for original in &graph.originals {
            let class = graph.egraph().find(original.class);
            if behind.contains(&original.value) && before.contains(&original.value) {
                let representative = representatives.get(&class);
                nodes.extend(representative.map(|r| (class, graph.originals[*r].node.clone())));
            }
            if read.contains(&original.value) {
                leaves.insert(class, made_from[&class]);
            }
        }
    }
    Kept {
        nodes,
        leaves,
        latest: BTreeMap::new(),
    }
}

/// Computes for each class of the block the least position of the latest leaf that one of its operations depends on.
pub(crate) fn latest(graph: &BlockGraph) -> BTreeMap<Id, usize> {
    let mut latest: BTreeMap<Id, usize> = BTreeMap::new();
    for class in graph.egraph().classes() {
        let positions = class.nodes.iter().filter_map(|node| match node.op {
            Op::Leaf(_) => Some(leaf_position(graph, node)),
            Op::Constant(_) | Op::Width(_) => Some(0),
            _ => None,
        });
        latest.extend(positions.min().map(|position| (class.id, position)));
    }
    loop {
        let mut shrinks = false;
        for original in &graph.originals {
            let find = |class| graph.egraph().find(class);
            let operands = original.node.children.iter();
            let own = operands.filter_map(|class| latest.get(&find(*class)));
            let own = own.copied().max().unwrap_or(0);
            let known = latest.entry(find(original.class)).or_insert(usize::MAX);
            shrinks |= own < *known;
            *known = own.min(*known);
        }
        if !shrinks {
            return latest;
        }
    }
}

/// Returns the position of the leaf that a node is, 0 if it is not a leaf.
pub(crate) fn leaf_position(graph: &BlockGraph, node: &Node) -> usize {
    match node.op {
        Op::Leaf(number) => {
            graph.leaf_positions[usize::try_from(number).expect("a leaf number is an index")]
        }
        _ => 0,
    }
}

/// Returns for each class of the block the operation with the shortest path from a carried value, the first among equals. An
/// operand precedes its users in this order, so these operations alone can make every class. Constants and leaves need none.
fn representatives(graph: &BlockGraph, metrics: &Metrics) -> BTreeMap<Id, usize> {
    let path_ns = |number: usize| {
        let path = metrics.carried_ns.get(&graph.originals[number].value);
        path.copied().unwrap_or(f64::NEG_INFINITY)
    };
    let mut representatives: BTreeMap<Id, usize> = BTreeMap::new();
    for (number, original) in graph.originals.iter().enumerate() {
        let class = graph.egraph().find(original.class);
        if graph.egraph()[class].nodes.iter().any(is_atom) {
            continue;
        }
        let best = representatives.entry(class).or_insert(number);
        if path_ns(number) < path_ns(*best) {
            *best = number;
        }
    }
    representatives
}

/// Returns the recurrent leaves on which each class depends through the representatives.
fn made_from(graph: &BlockGraph, representatives: &BTreeMap<Id, usize>) -> BTreeMap<Id, Leaves> {
    let mut made_from: BTreeMap<Id, Leaves> = BTreeMap::new();
    for class in graph.egraph().classes() {
        let atoms = class.nodes.iter().filter(|node| is_atom(node));
        let own = atoms.map(|node| own_leaf(graph, node)).min();
        made_from.insert(class.id, own.unwrap_or(0));
    }
    // The sets only grow in this loop.
    loop {
        let mut grows = false;
        for (class, number) in representatives {
            let operands = graph.originals[*number].node.children.iter();
            let own = operands.fold(0, |own, operand| {
                own | made_from[&graph.egraph().find(*operand)]
            });
            let known = made_from.entry(*class).or_default();
            grows |= *known | own != *known;
            *known |= own;
        }
        if !grows {
            return made_from;
        }
    }
}

fn is_atom(node: &Node) -> bool {
    matches!(node.op, Op::Leaf(_) | Op::Constant(_) | Op::Width(_))
}

/// Returns the bits of the recurrent leaf that a node is, if it is one.
pub(crate) fn own_leaf(graph: &BlockGraph, node: &Node) -> Leaves {
    match node.op {
        Op::Leaf(number)
            if !graph.recurrent[usize::try_from(number).expect("a leaf number is an index")]
                .is_empty() =>
        {
            bit(number)
        }
        _ => 0,
    }
}
