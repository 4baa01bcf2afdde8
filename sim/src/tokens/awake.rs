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

    fn add_some(&mut self, place: Option<u32>) {
        if let Some(place) = place {
            self.add(place as usize);
        }
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

/// Whom a channel wakes, by places.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Wakes {
    /// Where `valid` or data are different: on the way forward who takes its tokens, on the way back who takes them and who gives them.
    forward: Option<u32>,
    back_to: Option<u32>,
    back_from: Option<u32>,
    /// Where `ready` is different: on the way back who gives its tokens.
    back_again: Option<u32>,
    /// Where either is: at the edge.
    edge_to: Option<u32>,
    edge_from: Option<u32>,
}

impl Wakes {
    /// Whom each channel of a graph wakes, by the places of nodes on the way forward, on the way back and at the edge.
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
                // What shares a unit is looked at anyway, and asks nobody behind it.
                back_again: place(back, from, giver.passes_back() && !is_shared),
                edge_to: place(edge, to, ticks(taker)),
                edge_from: place(edge, from, ticks(giver)),
            }
        });
        wakes.collect()
    }
}

/// Whether `ready` of an input hangs on `valid` or data of inputs. What is looked at in every cycle anyway is not asked.
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
        | Kind::Queue(_)
        | Kind::Registers(..)
        | Kind::Cells(..)
        | Kind::Return
        | Kind::Load(_)
        | Kind::Store(_)
        | Kind::Shared(..) => false,
    }
}

/// Whether something happens at the edge.
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
        | Kind::Queue(_)
        | Kind::Pipeline(..)
        | Kind::Iterative(..)
        | Kind::Shared(..)
        | Kind::Call(_)
        | Kind::Load(_)
        | Kind::Store(_) => true,
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
    pub(super) fn pass_back(&mut self, orders: &Orders) {
        while let Some(channel) = self.moved.pop() {
            let wakes = &orders.wakes[channel];
            self.back.add_some(wakes.back_again);
            self.edge.add_some(wakes.edge_to);
            self.edge.add_some(wakes.edge_from);
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
