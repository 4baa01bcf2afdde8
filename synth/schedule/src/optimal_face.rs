//! The set of all starts with the fewest register bits: proves that given starts are optimal, and finds the least optimal starts.
//!
//! Minimising weighted differences under difference constraints is the dual of a minimum cost flow (Leiserson and Saxe, "Retiming
//! synchronous circuitry", 1991, section 8). By complementary slackness, potentials are optimal if and only if a flow that meets the
//! weights of the nodes runs over tight constraints alone, and then the optimal potentials are exactly those that keep every
//! constraint with flow tight. They are closed under the minimum, so there is a least one, whatever solver found the first.

use std::collections::VecDeque;

use petgraph::algo::dinics;
use petgraph::graph::{DiGraph, NodeIndex};

/// `value[to] >= value[from] + gap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Node that comes first.
    pub from: usize,
    /// Node that waits.
    pub to: usize,
    /// Least difference in cycles.
    pub gap: i64,
}

/// Minimises the sum of weight times value over the nodes; node 0 is the reference with the value 0.
#[derive(Clone, Debug, Default)]
pub struct Potentials {
    /// Weight of each node in bits; they add up to 0.
    pub weights: Vec<i64>,
    /// The constraints.
    pub differences: Vec<Difference>,
}

impl Potentials {
    /// Returns the least values among the optimal ones, if `values` keep all constraints and are optimal.
    ///
    /// Every node must be bounded from below by a path of constraints from node 0.
    ///
    /// Complexity: one maximum flow over the tight constraints, then nodes times constraints in the worst case.
    pub fn least_optimum(&self, values: &[i64]) -> Option<Vec<i64>> {
        let is_kept = |edge: &Difference| values[edge.to] - values[edge.from] >= edge.gap;
        if !self.differences.iter().all(is_kept) {
            return None;
        }
        let tight: Vec<Difference> = self
            .differences
            .iter()
            .filter(|edge| values[edge.to] - values[edge.from] == edge.gap)
            .copied()
            .collect();
        let fixed = self.flow(&tight)?;
        let mut edges = self.differences.clone();
        for (edge, has_flow) in tight.iter().zip(fixed) {
            if has_flow {
                edges.push(Difference {
                    from: edge.to,
                    to: edge.from,
                    gap: -edge.gap,
                });
            }
        }
        Some(least(values.len(), &edges))
    }

    /// Returns which of the tight constraints carry flow, if the flow meets the weights of all nodes.
    fn flow(&self, tight: &[Difference]) -> Option<Vec<bool>> {
        let count = self.weights.len();
        let mut network = DiGraph::<(), u64>::with_capacity(count + 2, tight.len() + count);
        let nodes: Vec<NodeIndex> = (0..count + 2).map(|_| network.add_node(())).collect();
        let (source, sink) = (nodes[count], nodes[count + 1]);
        let demand: u64 = self
            .weights
            .iter()
            .filter(|weight| **weight > 0)
            .map(|weight| weight.unsigned_abs())
            .sum();
        // The first edges are the constraints, so their flows are found by index.
        for edge in tight {
            network.add_edge(nodes[edge.from], nodes[edge.to], demand);
        }
        for (node, weight) in self.weights.iter().enumerate() {
            // A node with positive weight tends to decrease: flow ends in it.
            if *weight > 0 {
                network.add_edge(nodes[node], sink, weight.unsigned_abs());
            } else if *weight < 0 {
                network.add_edge(source, nodes[node], weight.unsigned_abs());
            }
        }
        if demand == 0 {
            return Some(vec![false; tight.len()]);
        }
        let (met, flows) = dinics(&network, source, sink);
        (met == demand).then(|| flows[..tight.len()].iter().map(|flow| *flow > 0).collect())
    }
}

/// Returns the least values with node 0 at 0, for constraints that some values keep.
fn least(count: usize, edges: &[Difference]) -> Vec<i64> {
    const UNREACHED: i64 = i64::MIN / 4;
    let mut values = vec![UNREACHED; count];
    values[0] = 0;
    let mut edges_of = vec![Vec::new(); count];
    for edge in edges {
        edges_of[edge.from].push((edge.to, edge.gap));
    }
    // Worklist of raised nodes, each at most once, in the order in which they were raised.
    let mut raised = VecDeque::from([0]);
    let mut is_raised = vec![false; count];
    while let Some(node) = raised.pop_front() {
        is_raised[node] = false;
        for &(to, gap) in &edges_of[node] {
            let least = values[node] + gap;
            if least > values[to] {
                values[to] = least;
                if !std::mem::replace(&mut is_raised[to], true) {
                    raised.push_back(to);
                }
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns all value assignments of a small problem, each value from 0 to `most`.
    fn all(count: usize, most: i64) -> Vec<Vec<i64>> {
        (1..count).fold(vec![vec![0]], |found, _| {
            found
                .iter()
                .flat_map(|values| (0..=most).map(|value| [values.as_slice(), &[value]].concat()))
                .collect()
        })
    }

    fn cost(weights: &[i64], values: &[i64]) -> i64 {
        weights
            .iter()
            .zip(values)
            .map(|(weight, value)| weight * value)
            .sum()
    }

    proptest! {
        #[test]
        fn the_least_optimum_is_that_of_brute_force(
            weights in proptest::collection::vec(-3i64..4, 4),
            pairs in proptest::collection::vec((1usize..5, 1usize..5, -2i64..3), 0..8),
        ) {
            const MOST: i64 = 3;
            let mut weights = [vec![0], weights].concat();
            weights[0] = -weights.iter().sum::<i64>();
            let mut differences: Vec<Difference> = pairs
                .iter()
                .filter(|(from, to, _)| from != to)
                .map(|&(from, to, gap)| Difference { from, to, gap })
                .collect();
            for node in 1..5 {
                differences.push(Difference { from: 0, to: node, gap: 0 });
                differences.push(Difference { from: node, to: 0, gap: -MOST });
            }
            let problem = Potentials { weights, differences };
            let kept: Vec<Vec<i64>> = all(5, MOST)
                .into_iter()
                .filter(|values| {
                    problem.differences.iter().all(|edge| values[edge.to] - values[edge.from] >= edge.gap)
                })
                .collect();
            let best = kept.iter().map(|values| cost(&problem.weights, values)).min();
            for values in &kept {
                let optimal = Some(cost(&problem.weights, values)) == best;
                let least: Option<Vec<i64>> = optimal.then(|| {
                    (0..5)
                        .map(|node| {
                            kept.iter()
                                .filter(|other| Some(cost(&problem.weights, other)) == best)
                                .map(|other| other[node])
                                .min()
                                .expect("one of them is optimal")
                        })
                        .collect()
                });
                prop_assert_eq!(problem.least_optimum(values), least);
            }
        }
    }
}
