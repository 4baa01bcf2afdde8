//! Longest paths in a constraint graph from every node to each of many targets.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A constraint graph at one II, without positive cycles.
pub struct PathsToTargets {
    /// The least start of each node.
    earliest: Vec<i64>,
    /// Sources by target, each with its slack: the difference of the least starts, less the gap.
    arriving: Vec<Vec<(usize, i64)>>,
}

impl PathsToTargets {
    /// `gaps` has source, target and least difference of the starts of each constraint, `earliest` the least starts, which keep all
    /// of them.
    pub fn new(gaps: impl Iterator<Item = ((usize, usize), i64)>, earliest: Vec<i64>) -> Self {
        let mut least: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        for ((from, to), gap) in gaps.filter(|((from, to), _)| from != to) {
            let slack = earliest[to] - earliest[from] - gap;
            let known = least.entry((from, to)).or_insert(slack);
            *known = slack.min(*known);
        }
        without_implied(&mut least, earliest.len());
        let mut arriving = vec![Vec::new(); earliest.len()];
        for ((from, to), slack) in least {
            arriving[to].push((from, slack));
        }
        Self { earliest, arriving }
    }

    /// Returns the longest path from every node to `target`, in cycles, where there is one.
    ///
    /// No slack is negative, so the path of least slack is found by the algorithm of Dijkstra.
    pub fn longest_to(&self, target: usize) -> Vec<Option<i64>> {
        let mut least: Vec<Option<i64>> = vec![None; self.arriving.len()];
        least[target] = Some(0);
        let mut open = BinaryHeap::from([(Reverse(0), target)]);
        while let Some((Reverse(slack), node)) = open.pop() {
            if least[node] != Some(slack) {
                continue;
            }
            for &(from, more) in &self.arriving[node] {
                let total = slack + more;
                if least[from].is_none_or(|known| total < known) {
                    least[from] = Some(total);
                    open.push((Reverse(total), from));
                }
            }
        }
        let path = |(slack, earliest): (Option<i64>, &i64)| {
            slack.map(|slack| self.earliest[target] - earliest - slack)
        };
        least.into_iter().zip(&self.earliest).map(path).collect()
    }
}

/// Greatest number of nodes for which implied constraints are searched: the table has 8 bytes for each pair of nodes.
const MAX_IMPLIED: usize = 1024;

/// No constraint. The sum of two fits 64 bits.
const NONE: i64 = i64::MAX / 4;

/// Removes constraints that two others imply, one after another: longest paths stay as they are. Accesses of one memory are all
/// ordered among each other, and few of these constraints are not implied.
fn without_implied(least: &mut BTreeMap<(usize, usize), i64>, n_nodes: usize) {
    if n_nodes > MAX_IMPLIED {
        return;
    }
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    let mut table = vec![NONE; n_nodes * n_nodes];
    for (&(from, to), slack) in &*least {
        leaving[from].push(to);
        table[from * n_nodes + to] = *slack;
    }
    least.retain(|&(from, to), slack| {
        let is_implied = leaving[from].iter().any(|between| {
            let both = table[from * n_nodes + between] + table[between * n_nodes + to];
            *between != to && both <= *slack
        });
        if is_implied {
            table[from * n_nodes + to] = NONE;
        }
        !is_implied
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::PathsToTargets;

    /// The longest paths by the definition: as many passes over all constraints as there are nodes.
    fn by_passes(
        gaps: &[((usize, usize), i64)],
        n_nodes: usize,
        target: usize,
    ) -> Vec<Option<i64>> {
        let mut longest = vec![None; n_nodes];
        longest[target] = Some(0);
        for _ in 0..n_nodes {
            for ((from, to), gap) in gaps {
                let path = longest[*to].map(|path| path + gap);
                longest[*from] = path.max(longest[*from]);
            }
        }
        longest
    }

    proptest! {
        /// Constraints that some starts keep have no positive cycle.
        #[test]
        fn paths_are_the_longest(
            starts in prop::collection::vec(0_i64..30, 2..12),
            edges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_i64..6), 0..60),
        ) {
            let n_nodes = starts.len();
            let gap = |(from, to, slack): &(prop::sample::Index, prop::sample::Index, i64)| {
                let (from, to) = (from.index(n_nodes), to.index(n_nodes));
                ((from, to), starts[to] - starts[from] - slack)
            };
            let gaps: Vec<_> = edges.iter().map(gap).collect();
            let paths = PathsToTargets::new(gaps.iter().copied(), starts.clone());
            for target in 0..n_nodes {
                prop_assert_eq!(paths.longest_to(target), by_passes(&gaps, n_nodes, target));
            }
        }
    }
}
