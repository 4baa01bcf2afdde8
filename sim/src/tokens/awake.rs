//! Which nodes have to be looked at in a cycle: what has the signals and the registers that it had before gives what it gave before.

use super::graph::{Graph, Kind};
use super::order::Orders;

/// Nodes by their places in an order.
#[derive(Clone, Default, Debug)]
struct Places(Vec<u64>);

impl Places {
    fn all(n_places: usize) -> Self {
        let mut words = vec![u64::MAX; n_places.div_ceil(64)];
        if let (Some(last), used @ 1..) = (words.last_mut(), n_places % 64) {
            *last >>= 64 - used;
        }
        Self(words)
    }

    fn add(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// Takes the first one out, from a word on.
    fn take_first(&mut self, word: &mut usize) -> Option<usize> {
        while let Some(bits) = self.0.get_mut(*word) {
            if *bits != 0 {
                let bit = bits.trailing_zeros();
                *bits &= *bits - 1;
                return Some(*word * 64 + bit as usize);
            }
            *word += 1;
        }
        None
    }
}

/// Nodes that are to be looked at on the way forward, on the way back and at the edge.
#[derive(Clone, Default, Debug)]
pub(super) struct Awake {
    forward: Places,
    back: Places,
    edge: Places,
    /// Nodes whose `ready` hangs on more than their own channels and registers.
    always_back: Vec<usize>,
    /// Channels of which `valid` or data, or `ready`, are different since this was looked at last.
    pub(super) moved: Vec<usize>,
}

impl Awake {
    /// All nodes.
    pub(super) fn all(graph: &Graph<'_>) -> Self {
        let n_nodes = graph.nodes.len();
        let nodes = graph.nodes.iter().enumerate();
        let hangs = nodes.filter(|(_, node)| {
            matches!(
                node.kind,
                Kind::Return | Kind::Load(_) | Kind::Store(_) | Kind::Shared(..)
            )
        });
        Self {
            forward: Places::all(n_nodes),
            back: Places::all(n_nodes),
            edge: Places::all(n_nodes),
            always_back: hangs.map(|(number, _)| number).collect(),
            moved: Vec::new(),
        }
    }

    /// A node whose registers are different.
    pub(super) fn wake(&mut self, orders: &Orders, node: usize) {
        self.forward.add(orders.forward_places[node]);
        self.back.add(orders.back_places[node]);
        self.edge.add(orders.edge_places[node]);
    }

    /// The next node on the way forward, from a word of places on.
    pub(super) fn next_forward(&mut self, orders: &Orders, word: &mut usize) -> Option<usize> {
        let place = self.forward.take_first(word)?;
        Some(orders.forward[place])
    }

    /// Wakes the nodes at the channels that moved on the way forward.
    pub(super) fn pass_forward(&mut self, graph: &Graph<'_>, orders: &Orders) {
        while let Some(channel) = self.moved.pop() {
            let (from, to) = (graph.producers[channel], graph.consumers[channel]);
            if graph.nodes[to].kind.passes_forward() {
                self.forward.add(orders.forward_places[to]);
            }
            for node in [from, to] {
                self.back.add(orders.back_places[node]);
                self.edge.add(orders.edge_places[node]);
            }
        }
    }

    /// Begins the way back.
    pub(super) fn turn(&mut self, orders: &Orders) {
        for node in &self.always_back {
            self.back.add(orders.back_places[*node]);
        }
    }

    /// The next node on the way back, from a word of places on.
    pub(super) fn next_back(&mut self, orders: &Orders, word: &mut usize) -> Option<usize> {
        let place = self.back.take_first(word)?;
        Some(orders.back[place])
    }

    /// Wakes the nodes at the channels that moved on the way back.
    pub(super) fn pass_back(&mut self, graph: &Graph<'_>, orders: &Orders) {
        while let Some(channel) = self.moved.pop() {
            let (from, to) = (graph.producers[channel], graph.consumers[channel]);
            let kind = &graph.nodes[from].kind;
            // What shares a unit is looked at anyway, and asks nobody behind it.
            if kind.passes_back() && !matches!(kind, Kind::Shared(..)) {
                self.back.add(orders.back_places[from]);
            }
            for node in [from, to] {
                self.edge.add(orders.edge_places[node]);
            }
        }
    }

    /// Words of places at the edge.
    pub(super) fn edge_words(&self) -> usize {
        self.edge.0.len()
    }

    /// Takes the nodes of a word of places at the edge out.
    pub(super) fn take_edge(&mut self, word: usize) -> u64 {
        std::mem::take(&mut self.edge.0[word])
    }
}
