//! Extraction: selects one node for each class, so that shared classes count once.
//!
//! Greedy over sets: every class keeps the set of classes that its best node needs, with their areas. The price of a node is the
//! area of the union of its operands' sets plus the weighted arrival times. Passes repeat until a fixpoint.
//!
//! Source: Goharshady et al., "Fast and Optimal Extraction for Sparse Equality Graphs", OOPSLA 2024, describe the problem;
//! the greedy method is folklore. Differs: arrival times are included.

use egg::{Id, Language};

use crate::chosen::{Chosen, Kept, Leaves};
use crate::cost::CostModel;
use crate::graph::BlockGraph;
use crate::language::{Node, Op};
use crate::recurrences::{leaf_position, own_leaf};

/// Limit of passes; after it the current choice is used.
const MAX_PASSES: usize = 24;

struct Best {
    node: Node,
    /// Area of each class that is needed, including this one; sorted.
    needs: Vec<(Id, f64)>,
    /// Sum of these areas.
    area: f64,
    price: f64,
    arrival_ns: f64,
    /// Longest path from a loop-carried value; not finite if there is none.
    recurrence_ns: f64,
    leaves: Leaves,
    latest: usize,
    changed_in_pass: usize,
}

struct Entry {
    node: Node,
    area: f64,
    delay_ns: f64,
    recurrence_ns: f64,
    leaves: Leaves,
    latest: usize,
}

/// Tolerance for the rounding of sums of areas.
const ROUNDING: f64 = 1e-6;

/// Chooses nodes for the least area plus `area_per_ns` times arrival time, within the restrictions `kept`. `heads` is the arrival
/// time in ns of each leaf on a recurrence; not finite for other leaves.
pub(crate) fn extract(
    graph: &BlockGraph,
    cost: &dyn CostModel,
    kept: &Kept,
    heads: &[f64],
    [area_per_ns, recurrence_area_per_ns]: [f64; 2],
) -> Chosen {
    let classes = entries(graph, cost, kept, heads);
    let n_classes = classes
        .last()
        .map_or(0, |(class, _)| usize::from(*class) + 1);
    let mut best: Vec<Option<Best>> = Vec::new();
    best.resize_with(n_classes, || None);
    for pass in 1..=MAX_PASSES {
        let mut changed = false;
        for (class, nodes) in &classes {
            for entry in nodes {
                if pass > 1 && !operands_changed(&best, &entry.node, pass) {
                    continue;
                }
                let Some(times) = times(&best, entry) else {
                    continue;
                };
                let allowed = kept.leaves.get(class);
                let latest = kept.latest.get(class);
                if allowed.is_some_and(|allowed| times.leaves & !allowed != 0)
                    || latest.is_some_and(|latest| times.latest > *latest)
                {
                    continue;
                }
                let weighted = area_per_ns * times.arrival_ns
                    + recurrence_area_per_ns * times.recurrence_ns.max(0.0);
                let current = best[usize::from(*class)].as_ref();
                // More expensive than the current node even if all other operands are in the set of the most expensive operand.
                if current.is_some_and(|current| {
                    current.node != entry.node
                        && times.min_area + weighted > current.price + ROUNDING
                }) {
                    continue;
                }
                let Some((needs, area)) = needs(&best, *class, entry) else {
                    continue;
                };
                let price = area + weighted;
                let better = current.is_none_or(|current| price < current.price - 1e-9);
                // The price of the current node may have changed through its operands.
                let renewed = current.is_some_and(|current| {
                    current.node == entry.node && (current.price - price).abs() > 1e-9
                });
                if better || renewed {
                    best[usize::from(*class)] = Some(Best {
                        node: entry.node.clone(),
                        needs,
                        area,
                        price,
                        arrival_ns: times.arrival_ns,
                        recurrence_ns: times.recurrence_ns,
                        leaves: times.leaves,
                        latest: times.latest,
                        changed_in_pass: pass,
                    });
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let chosen = best.into_iter().enumerate();
    chosen
        .filter_map(|(class, best)| Some((Id::from(class), best?.node)))
        .collect()
}

/// Returns the nodes of each class, in the order of ids.
fn entries(
    graph: &BlockGraph,
    cost: &dyn CostModel,
    kept: &Kept,
    heads: &[f64],
) -> Vec<(Id, Vec<Entry>)> {
    let mut classes = Vec::new();
    for class in graph.egraph().classes() {
        let kept = kept.nodes.get(&class.id).map(std::slice::from_ref);
        let mut nodes: Vec<Node> = kept
            .unwrap_or(&class.nodes)
            .iter()
            .map(|node| node.clone().map_children(|id| graph.egraph().find(id)))
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        let entries = nodes.into_iter().map(|node| {
            let price = graph
                .cost_key(&node)
                .map(|(name, width, constant)| cost.cost(name, width, constant));
            let price = price.unwrap_or_default();
            let recurrence_ns = match node.op {
                Op::Leaf(number) => {
                    heads[usize::try_from(number).expect("a leaf number is an index")]
                }
                _ => f64::NEG_INFINITY,
            };
            let leaves = own_leaf(graph, &node);
            let latest = leaf_position(graph, &node);
            // A small cost for every operation keeps chains of free operations short.
            let area = price.area + if node.children.is_empty() { 0.0 } else { 1e-3 };
            Entry {
                node,
                area,
                delay_ns: price.delay_ns,
                recurrence_ns,
                leaves,
                latest,
            }
        });
        classes.push((class.id, entries.collect()));
    }
    classes.sort_unstable_by_key(|(class, _)| *class);
    classes
}

fn operands_changed(best: &[Option<Best>], node: &Node, pass: usize) -> bool {
    node.children.iter().any(|id| {
        best[usize::from(*id)]
            .as_ref()
            .is_some_and(|best| best.changed_in_pass + 1 >= pass)
    })
}

/// Lower bounds of a node.
struct Times {
    arrival_ns: f64,
    recurrence_ns: f64,
    /// The recurrent leaves that it depends on.
    leaves: Leaves,
    /// The position of the latest leaf that it depends on.
    latest: usize,
    /// The area of the node and of all classes that its most expensive operand needs.
    min_area: f64,
}

/// Computes the lower bounds of a node; `None` if an operand has no choice yet.
fn times(best: &[Option<Best>], entry: &Entry) -> Option<Times> {
    let (mut arrival_ns, mut recurrence_ns) = (0.0f64, entry.recurrence_ns);
    let mut min_area = 0.0f64;
    let (mut leaves, mut latest) = (entry.leaves, entry.latest);
    for child in &entry.node.children {
        let child = best[usize::from(*child)].as_ref()?;
        arrival_ns = arrival_ns.max(child.arrival_ns);
        recurrence_ns = recurrence_ns.max(child.recurrence_ns + entry.delay_ns);
        min_area = min_area.max(child.area);
        leaves |= child.leaves;
        latest = latest.max(child.latest);
    }
    Some(Times {
        arrival_ns: arrival_ns + entry.delay_ns,
        recurrence_ns,
        leaves,
        latest,
        min_area: min_area + entry.area,
    })
}

/// Returns the classes that a node needs, including its own, with their areas and their sum; `None` if it depends on itself.
fn needs(best: &[Option<Best>], class: Id, entry: &Entry) -> Option<(Vec<(Id, f64)>, f64)> {
    let mut needs: Vec<(Id, f64)> = Vec::new();
    for child in &entry.node.children {
        let child = best[usize::from(*child)].as_ref()?;
        needs = match needs.is_empty() {
            true => child.needs.clone(),
            false => union(&needs, &child.needs),
        };
    }
    let place = match needs.binary_search_by(|(id, _)| id.cmp(&class)) {
        Ok(_) => return None,
        Err(place) => place,
    };
    if entry.area > 0.0 {
        needs.insert(place, (class, entry.area));
    }
    let area = needs.iter().map(|(_, area)| area).sum();
    Some((needs, area))
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
