//! Equivalence classes of nodes, up to inversion; classes are only ever split.

use std::collections::BTreeMap;

/// The values of a node in 256 cases: four words of 64 cases each.
pub(crate) type Sample = [u64; 4];

/// A partition of the nodes of a graph. Members of a class are equal, up to their signs, in all cases so far.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// For each node, the first member of its class.
    first: Vec<usize>,
    /// For each node, whether it is inverted.
    sign: Vec<bool>,
    /// Nodes that are not the first of their class, in order; only these can be separated from a class.
    followers: Vec<usize>,
}

impl Classes {
    /// Puts all wanted nodes in one class; the values in the first case give their signs.
    pub(crate) fn new(sample: &[Sample], is_wanted: &[bool]) -> Self {
        let wanted = is_wanted.iter().enumerate();
        let first: Vec<usize> = wanted
            .map(|(node, is_wanted)| if *is_wanted { 0 } else { node })
            .collect();
        Self {
            followers: followers(&first),
            first,
            sign: sample.iter().map(|words| words[0] & 1 == 1).collect(),
        }
    }

    /// Returns the first node of a node's class, and whether both are inverse; `None` for the first node itself.
    pub(crate) fn leader(&self, node: usize) -> Option<(usize, bool)> {
        let first = self.first[node];
        (first != node).then(|| (first, self.sign[first] != self.sign[node]))
    }

    /// Returns the class of a node, and whether the node is inverted in it.
    pub(crate) fn class(&self, node: usize) -> (usize, bool) {
        (self.first[node], self.sign[node])
    }

    /// Splits classes whose members differ in new cases.
    pub(crate) fn refine(&mut self, sample: &[Sample]) {
        let Self {
            first,
            sign,
            followers,
        } = self;
        let mut parted: BTreeMap<(usize, Sample), usize> = BTreeMap::new();
        followers.retain(|node| {
            let node = *node;
            // The first node of a class was visited before, and keeps its class.
            let leader = first[node];
            let flip = mask(sign[node] != sign[leader]);
            let pairs = sample[node].iter().zip(&sample[leader]);
            if pairs.fold(0, |parts, (own, other)| parts | (own ^ other ^ flip)) != 0 {
                let flip = mask(sign[node]);
                let own = sample[node].map(|word| word ^ flip);
                first[node] = *parted.entry((leader, own)).or_insert(node);
            }
            first[node] != node
        });
    }

    /// Puts every node in its own class.
    pub(crate) fn part_all(&mut self) {
        self.first = (0..self.first.len()).collect();
        self.followers.clear();
    }

    /// Separates a node from its class; it must not be the first of the class.
    pub(crate) fn part(&mut self, node: usize) {
        self.first[node] = node;
        self.followers.retain(|follower| *follower != node);
    }
}

/// Returns a word of 64 equal bits.
fn mask(holds: bool) -> u64 {
    0u64.wrapping_sub(u64::from(holds))
}

fn followers(first: &[usize]) -> Vec<usize> {
    let nodes = first.iter().enumerate();
    let followers = nodes.filter(|(node, first)| node != *first);
    followers.map(|(node, _)| node).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Classes, Sample};
    use crate::simulation::Random;

    /// Returns a sample in which nodes are often equal.
    fn drawn(random: &mut Random, n_nodes: usize) -> Vec<Sample> {
        let kinds: Vec<Sample> = (0..3).map(|_| random.words()).collect();
        let node = |_| {
            let choice = random.word();
            let words = kinds[usize::try_from(choice % 3).unwrap_or(0)];
            // One node in sixteen differs in one case.
            let flip = if choice >> 8 & 15 == 0 { 2 } else { 0 };
            [words[0], words[1], words[2], words[3] ^ flip]
        };
        (0..n_nodes).map(node).collect()
    }

    #[test]
    fn members_are_parted_as_by_comparing_all_with_all() {
        let mut random = Random::new();
        for n_nodes in 1..60 {
            let samples: Vec<Vec<Sample>> = (0..4).map(|_| drawn(&mut random, n_nodes)).collect();
            let is_wanted: Vec<bool> = (0..n_nodes).map(|node| node % 5 != 3).collect();
            let mut classes = Classes::new(&samples[0], &is_wanted);
            for number in 0..samples.len() {
                classes.refine(&samples[number]);
                // The values of a node in all cases so far, inverted if necessary so that the first is 0.
                let all = |node: usize| -> Vec<Sample> {
                    let is_set = samples[0][node][0] & 1 == 1;
                    let flip = if is_set { u64::MAX } else { 0 };
                    let seen = samples[..=number].iter();
                    seen.map(|sample| sample[node].map(|word| word ^ flip))
                        .collect()
                };
                let mut first: BTreeMap<Vec<Sample>, usize> = BTreeMap::new();
                for (node, is_wanted) in is_wanted.iter().enumerate() {
                    let expected = match is_wanted {
                        true => *first.entry(all(node)).or_insert(node),
                        false => node,
                    };
                    assert_eq!(classes.class(node).0, expected, "node {node} of {n_nodes}");
                }
            }
        }
    }
}
