//! Nodes that may always be equal, or inverse: classes that only get smaller.

use std::collections::BTreeMap;

/// Words of 64 cases each in which a node was looked at.
pub(crate) type Sample = [u64; 4];

/// A partition of the nodes of a graph. Members of a class are equal in all cases seen so far, but for their signs.
#[derive(Debug)]
pub(crate) struct Classes {
    /// The class of a node: its first member.
    first: Vec<usize>,
    /// Whether a node is taken as its inverse.
    sign: Vec<bool>,
}

impl Classes {
    /// Nodes that somebody wants to know of are in one class; what they are in the first case gives their signs.
    pub(crate) fn new(sample: &[Sample], is_wanted: &[bool]) -> Self {
        let wanted = is_wanted.iter().enumerate();
        Self {
            first: wanted
                .map(|(node, is_wanted)| if *is_wanted { 0 } else { node })
                .collect(),
            sign: sample.iter().map(|words| words[0] & 1 == 1).collect(),
        }
    }

    /// The node that a node is compared with, and whether they are inverse. `None` for the first of a class.
    pub(crate) fn leader(&self, node: usize) -> Option<(usize, bool)> {
        let first = self.first[node];
        (first != node).then(|| (first, self.sign[first] != self.sign[node]))
    }

    /// The class of a node and whether it is the inverse of what it stands for.
    pub(crate) fn class(&self, node: usize) -> (usize, bool) {
        (self.first[node], self.sign[node])
    }

    /// Parts what is different in new cases.
    pub(crate) fn refine(&mut self, sample: &[Sample]) {
        let value = |classes: &Self, node: usize| {
            let flip = if classes.sign[node] { u64::MAX } else { 0 };
            sample[node].map(|word| word ^ flip)
        };
        let mut parted: BTreeMap<(usize, Sample), usize> = BTreeMap::new();
        for node in 0..sample.len() {
            let first = self.first[node];
            let own = value(self, node);
            // The first one of a class was looked at before, and stays what it is.
            if first != node && own != value(self, first) {
                self.first[node] = *parted.entry((first, own)).or_insert(node);
            }
        }
    }

    /// Makes every node a class of its own.
    pub(crate) fn part_all(&mut self) {
        self.first = (0..self.first.len()).collect();
    }

    /// Takes a node out of its class, of which it is not the first.
    pub(crate) fn part(&mut self, node: usize) {
        self.first[node] = node;
    }
}
