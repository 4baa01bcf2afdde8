//! Surroundings that let a graph wait: ports of memories that take requests and show answers when they like, a return that takes results
//! when it likes.

use super::graph::{Graph, Kind};
use super::random::Random;

/// Who waits in a cycle.
#[derive(Clone, Debug)]
pub(super) struct Stalls {
    random: Random,
    /// The nodes that may: ports and the return.
    nodes: Vec<usize>,
    /// By node: it takes nothing in this cycle.
    holds: Vec<bool>,
    /// By node: what it answers may be seen, and stays so until it is taken.
    shows: Vec<bool>,
    /// Nothing waits in the next cycle.
    is_free: bool,
}

impl Stalls {
    pub(super) fn new(graph: &Graph<'_>, seed: u64) -> Self {
        let nodes = graph.nodes.iter().enumerate();
        let nodes = nodes
            .filter(|(_, node)| matches!(node.kind, Kind::Return | Kind::Load(_) | Kind::Store(_)));
        Self {
            random: Random::new(seed),
            nodes: nodes.map(|(number, _)| number).collect(),
            holds: vec![false; graph.nodes.len()],
            shows: vec![false; graph.nodes.len()],
            is_free: false,
        }
    }

    /// Throws the coins of a cycle, two for each node.
    pub(super) fn draw(&mut self) {
        let is_free = std::mem::take(&mut self.is_free);
        for node in &self.nodes {
            let coins = self.random.next();
            self.holds[*node] = !is_free && coins & 1 == 1;
            self.shows[*node] |= is_free || coins & 2 == 2;
        }
    }

    /// Nothing waits in the next cycle: whoever then does not move never will.
    pub(super) fn pause(&mut self) {
        self.is_free = true;
    }

    pub(super) fn holds(&self, node: usize) -> bool {
        self.holds[node]
    }

    pub(super) fn shows(&self, node: usize) -> bool {
        self.shows[node]
    }

    /// A port was asked anew.
    pub(super) fn hide(&mut self, node: usize) {
        self.shows[node] = false;
    }
}
