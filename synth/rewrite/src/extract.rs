//! Extraction: one node for each class, so that shared classes are paid for once.
//!
//! Greedy over sets: every class keeps the set of classes that its best node needs, with their areas; a node's price is
//! the area of the union of its operands' sets plus the weighted arrival times. Passes go on until nothing improves.
//!
//! Source: Goharshady et al., "Fast and Optimal Extraction for Sparse Equality Graphs", OOPSLA 2024, describe the problem;
//! the greedy method is folklore. Differs: arrival times take part.

use std::collections::BTreeMap;

use egg::{Id, Language};

use crate::block::BlockGraph;
use crate::cost::CostModel;
use crate::language::{Node, Op};

/// Passes after which the choice is taken as it is.
const MAX_PASSES: usize = 24;

/// The chosen node of each class, operands canonical.
pub(crate) type Chosen = BTreeMap<Id, Node>;

struct Best {
    node: Node,
    /// Area of each class that is needed, this one included; sorted.
    needs: Vec<(Id, f64)>,
    price: f64,
    arrival_ns: f64,
    /// Longest path from a loop-carried value; not finite without one.
    recurrence_ns: f64,
    changed_in_pass: usize,
}

struct Entry {
    node: Node,
    area: f64,
    delay_ns: f64,
    recurrence_ns: f64,
}

/// Chooses nodes for the least area plus `area_per_ns` times arrival.
pub(crate) fn extract(
    graph: &BlockGraph,
    cost: &dyn CostModel,
    area_per_ns: f64,
    recurrence_area_per_ns: f64,
) -> Chosen {
    let classes = entries(graph, cost);
    let mut best: BTreeMap<Id, Best> = BTreeMap::new();
    for pass in 1..=MAX_PASSES {
        let mut changed = false;
        for (class, nodes) in &classes {
            for entry in nodes {
                if pass > 1 && !operands_changed(&best, &entry.node, pass) {
                    continue;
                }
                let Some(mut offer) = price(&best, *class, entry) else {
                    continue;
                };
                offer.price += area_per_ns * offer.arrival_ns
                    + recurrence_area_per_ns * offer.recurrence_ns.max(0.0);
                offer.changed_in_pass = pass;
                let current = best.get(class);
                let better = current.is_none_or(|current| offer.price < current.price - 1e-9);
                // The node in place may have become dearer or cheaper through its operands.
                let renewed = current.is_some_and(|current| {
                    current.node == offer.node && (current.price - offer.price).abs() > 1e-9
                });
                if better || renewed {
                    best.insert(*class, offer);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    best.into_iter()
        .map(|(class, best)| (class, best.node))
        .collect()
}

fn entries(graph: &BlockGraph, cost: &dyn CostModel) -> BTreeMap<Id, Vec<Entry>> {
    let mut classes = BTreeMap::new();
    for class in graph.egraph.classes() {
        let mut nodes: Vec<Node> = class
            .nodes
            .iter()
            .map(|node| node.clone().map_children(|id| graph.egraph.find(id)))
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        let entries = nodes.into_iter().map(|node| {
            let price = graph
                .cost_key(&node)
                .map(|(name, width, constant)| cost.cost(name, width, constant));
            let price = price.unwrap_or_default();
            let recurrence_ns = match node.op {
                Op::Leaf(number)
                    if graph.recurrent
                        [usize::try_from(number).expect("a leaf number is an index")] =>
                {
                    0.0
                }
                _ => f64::NEG_INFINITY,
            };
            // A little for every operation keeps chains of free ones short.
            let area = price.area + if node.children.is_empty() { 0.0 } else { 1e-3 };
            Entry {
                node,
                area,
                delay_ns: price.delay_ns,
                recurrence_ns,
            }
        });
        classes.insert(class.id, entries.collect());
    }
    classes
}

fn operands_changed(best: &BTreeMap<Id, Best>, node: &Node, pass: usize) -> bool {
    node.children.iter().any(|id| {
        best.get(id)
            .is_some_and(|best| best.changed_in_pass + 1 >= pass)
    })
}

fn price(best: &BTreeMap<Id, Best>, class: Id, entry: &Entry) -> Option<Best> {
    let mut needs: Vec<(Id, f64)> = Vec::new();
    let (mut arrival_ns, mut recurrence_ns) = (0.0f64, entry.recurrence_ns);
    for child in &entry.node.children {
        let child = best.get(child)?;
        needs = union(&needs, &child.needs);
        arrival_ns = arrival_ns.max(child.arrival_ns);
        recurrence_ns = recurrence_ns.max(child.recurrence_ns + entry.delay_ns);
    }
    let place = match needs.binary_search_by(|(id, _)| id.cmp(&class)) {
        Ok(_) => return None,
        Err(place) => place,
    };
    if entry.area > 0.0 {
        needs.insert(place, (class, entry.area));
    }
    let price = needs.iter().map(|(_, area)| area).sum();
    let arrival_ns = arrival_ns + entry.delay_ns;
    Some(Best {
        node: entry.node.clone(),
        needs,
        price,
        arrival_ns,
        recurrence_ns,
        changed_in_pass: 0,
    })
}

fn union(a: &[(Id, f64)], b: &[(Id, f64)]) -> Vec<(Id, f64)> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                merged.extend(a.next());
                b.next();
            }
            (Some(x), Some(y)) if x.0 < y.0 => merged.extend(a.next()),
            (_, Some(_)) => merged.extend(b.next()),
            (Some(_), None) => merged.extend(a.next()),
            (None, None) => return merged,
        }
    }
}
