//! The worklist of a cycle: a node is evaluated again only if its signals or registers have changed.

use super::graph::{Graph, Kind};
use super::order::Orders;

/// A set of nodes, as a bit set of their positions in an order.
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

    fn add_some(&mut self, place: Option<u32>) {
        if let Some(place) = place {
            self.add(place as usize);
        }
    }

    /// Removes and returns the first position in or after this word of the bit set; `word` moves on past empty words.
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

/// The nodes, by positions, that must be evaluated again when a channel changes.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Wakes {
    /// After a change of `valid` or data: in the forward pass the consumer, in the backward pass the consumer and the producer.
    forward: Option<u32>,
    back_to: Option<u32>,
    back_from: Option<u32>,
    /// After a change of `ready`: in the backward pass the producer.
    back_again: Option<u32>,
    /// After a change of any of these: at the clock edge.
    edge_to: Option<u32>,
    edge_from: Option<u32>,
}

impl Wakes {
    /// Returns these nodes for each channel of a graph, given the positions of nodes in the forward order, the backward order and
    /// the edge order.
    pub(super) fn of(graph: &Graph<'_>, [forward, back, edge]: [&[usize]; 3]) -> Vec<Self> {
        let place = |places: &[usize], node: usize, wakes: bool| {
            let place = u32::try_from(places[node]).ok();
            place.filter(|_| wakes)
        };
        let channels = 0..graph.channels.len();
        let wakes = channels.map(|channel| {
            let (from, to) = (graph.producers[channel], graph.consumers[channel]);
            let (giver, taker) = (&graph.nodes[from].kind, &graph.nodes[to].kind);
            let looks_back = looks_at_inputs(taker, graph.nodes[to].inputs.len());
            let is_shared = matches!(giver, Kind::Shared(..));
            Self {
                forward: place(forward, to, taker.passes_forward()),
                back_to: place(back, to, looks_back),
                back_from: place(back, from, matches!(giver, Kind::Pipeline(..))),
                // An operation at a shared unit is evaluated in every backward pass anyway, and its `ready` does not depend on
                // its consumers.
                back_again: place(back, from, giver.passes_back() && !is_shared),
                edge_to: place(edge, to, ticks(taker)),
                edge_from: place(edge, from, ticks(giver)),
            }
        });
        wakes.collect()
    }
}

/// Returns whether `ready` of an input depends on `valid` or data of inputs. Nodes in `always_back` are not counted.
fn looks_at_inputs(kind: &Kind<'_>, n_inputs: usize) -> bool {
    match kind {
        Kind::Join(_)
        | Kind::LazyFork
        | Kind::Sync
        | Kind::Unpack
        | Kind::Fork
        | Kind::Pipeline(..)
        | Kind::Iterative(..)
        | Kind::Call(_) => n_inputs > 1,
        Kind::Mux | Kind::Branch | Kind::Merge => true,
        Kind::Argument
        | Kind::Source
        | Kind::Never
        | Kind::Sink
        | Kind::Fifo(_)
        | Kind::Registers(..)
        | Kind::Cells(..)
        | Kind::Return
        | Kind::Load(_)
        | Kind::Store(_)
        | Kind::Shared(..) => false,
    }
}

/// Returns whether the node has registers that may change at the clock edge.
fn ticks(kind: &Kind<'_>) -> bool {
    match kind {
        Kind::Return
        | Kind::Join(_)
        | Kind::Sink
        | Kind::Source
        | Kind::Never
        | Kind::Mux
        | Kind::Branch => false,
        Kind::LazyFork
        | Kind::Argument
        | Kind::Fork
        | Kind::Unpack
        | Kind::Sync
        | Kind::Merge
        | Kind::Registers(..)
        | Kind::Cells(..)
        | Kind::Fifo(_)
        | Kind::Pipeline(..)
        | Kind::Iterative(..)
        | Kind::Shared(..)
        | Kind::Call(_)
        | Kind::Load(_)
        | Kind::Store(_) => true,
    }
}

/// The nodes to evaluate in the forward pass, in the backward pass and at the clock edge.
#[derive(Clone, Default, Debug)]
pub(super) struct Worklist {
    forward: Places,
    back: Places,
    edge: Places,
    /// Nodes whose `ready` depends on more than their own channels and registers.
    always_back: Vec<usize>,
    /// Channels whose `valid`, data or `ready` have changed and whose nodes are not yet in the sets.
    pub(super) moved: Vec<usize>,
}

impl Worklist {
    /// Returns the sets of all nodes.
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

    /// Adds a node whose registers have changed.
    pub(super) fn wake(&mut self, orders: &Orders, node: usize) {
        self.forward.add(orders.forward_places[node]);
        self.back.add(orders.back_places[node]);
        self.edge.add(orders.edge_places[node]);
    }

    /// Removes and returns the next node of the forward pass, from a word of the bit set on.
    pub(super) fn next_forward(&mut self, orders: &Orders, word: &mut usize) -> Option<usize> {
        let place = self.forward.take_first(word)?;
        Some(orders.forward[place])
    }

    /// Adds the nodes at the channels that changed in the forward pass.
    pub(super) fn pass_forward(&mut self, orders: &Orders) {
        while let Some(channel) = self.moved.pop() {
            let wakes = &orders.wakes[channel];
            self.forward.add_some(wakes.forward);
            self.back.add_some(wakes.back_to);
            self.back.add_some(wakes.back_from);
            self.edge.add_some(wakes.edge_to);
            self.edge.add_some(wakes.edge_from);
        }
    }

    /// Starts the backward pass.
    pub(super) fn turn(&mut self, orders: &Orders) {
        for node in &self.always_back {
            self.back.add(orders.back_places[*node]);
        }
    }

    /// Removes and returns the next node of the backward pass, from a word of the bit set on.
    pub(super) fn next_back(&mut self, orders: &Orders, word: &mut usize) -> Option<usize> {
        let place = self.back.take_first(word)?;
        Some(orders.back[place])
    }

    /// Adds the nodes at the channels that changed in the backward pass.
    pub(super) fn pass_back(&mut self, orders: &Orders) {
        while let Some(channel) = self.moved.pop() {
            let wakes = &orders.wakes[channel];
            self.back.add_some(wakes.back_again);
            self.edge.add_some(wakes.edge_to);
            self.edge.add_some(wakes.edge_from);
        }
    }

    /// Returns the number of words of the bit set of the clock edge.
    pub(super) fn edge_words(&self) -> usize {
        self.edge.0.len()
    }

    /// Removes and returns the nodes in one word of the bit set of the clock edge.
    pub(super) fn take_edge(&mut self, word: usize) -> u64 {
        std::mem::take(&mut self.edge.0[word])
    }
}
