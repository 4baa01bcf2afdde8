//! Random stalls of the environment of a graph: memory ports delay requests and answers, and the return delays results.

use super::graph::{Graph, Kind};
use super::random::Random;

/// The nodes that stall in a cycle.
#[derive(Clone, Debug)]
pub(super) struct Stalls {
    random: Random,
    /// The nodes that may stall: memory ports and the return.
    nodes: Vec<usize>,
    /// For each node, whether it takes no token in this cycle.
    holds: Vec<bool>,
    /// For each node, whether its answer is visible; it stays visible until it is taken.
    shows: Vec<bool>,
    /// Whether no node stalls in the next cycle.
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

    /// Draws the stalls of a cycle: two random bits for each node.
    pub(super) fn draw(&mut self) {
        let is_free = std::mem::take(&mut self.is_free);
        for node in &self.nodes {
            let coins = self.random.next();
            self.holds[*node] = !is_free && coins & 1 == 1;
            self.shows[*node] |= is_free || coins & 2 == 2;
        }
    }

    /// Disables stalls in the next cycle. If nothing changes in that cycle, the graph is in a deadlock.
    pub(super) fn pause(&mut self) {
        self.is_free = true;
    }

    pub(super) fn holds(&self, node: usize) -> bool {
        self.holds[node]
    }

    pub(super) fn shows(&self, node: usize) -> bool {
        self.shows[node]
    }

    /// Hides the answer of a port that got a new request.
    pub(super) fn hide(&mut self, node: usize) {
        self.shows[node] = false;
    }
}
