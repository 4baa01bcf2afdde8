//! The signals of every channel in every cycle, for comparison with a circuit.

use sluice_ir::bits::Bits;

use super::graph::Graph;
use super::machine::Machine;
use super::words::Layout;

/// The settled signals of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cycle<'c> {
    /// Cycles since the one in which `start` was accepted; the arguments are valid from cycle 1 on.
    pub number: u64,
    pub(super) machine: &'c Machine,
    pub(super) graph: &'c Graph<'c>,
}

impl Cycle<'_> {
    /// Returns whether a channel has a token.
    pub fn valid(&self, channel: usize) -> bool {
        self.machine.valid[channel]
    }

    /// Returns whether the token of a channel is taken; meaningless if it has none.
    pub fn ready(&self, channel: usize) -> bool {
        self.machine.ready[channel]
    }

    /// Returns whether the circuit of a call reads the memory with this `id`, or writes it.
    pub fn is_called(&self, id: i64, writes: bool) -> bool {
        let mut memories = self.graph.memories.iter();
        let memory = memories.position(|memory| memory.id == Some(id));
        memory.is_some_and(|memory| self.machine.is_called(self.graph, memory, writes))
    }

    /// Returns the integers in a channel's token, and whether all of them are defined; meaningless if it has no token.
    pub fn data(&self, channel: usize) -> (Vec<Bits>, bool) {
        self.graph.layouts[channel].parts(self.machine.token(channel))
    }
}

/// The signals of all cycles of a run.
///
/// Units: a bit of `valid` and of `ready` per channel and cycle, and the words of its token.
#[derive(Clone, Debug)]
pub struct Recording {
    layouts: Vec<Layout>,
    offsets: Vec<usize>,
    valid: Vec<bool>,
    ready: Vec<bool>,
    data: Vec<u64>,
}

impl Recording {
    pub(super) fn new(graph: &Graph<'_>, machine: &Machine) -> Self {
        Self {
            layouts: graph.layouts.clone(),
            offsets: machine.offsets.clone(),
            valid: Vec::new(),
            ready: Vec::new(),
            data: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, machine: &Machine) {
        self.valid.extend_from_slice(&machine.valid);
        self.ready.extend_from_slice(&machine.ready);
        self.data.extend_from_slice(&machine.data);
    }

    /// Returns the number of recorded cycles; they are numbered from 1.
    pub fn n_cycles(&self) -> usize {
        self.valid
            .len()
            .checked_div(self.layouts.len())
            .unwrap_or(0)
    }

    /// Returns `valid`, `ready` and the token of a channel in a cycle, counted from 1; `None` outside of the run.
    ///
    /// The token is `Some` only if `valid` is 1 and all of it is defined. Otherwise a circuit need not agree with it.
    pub fn at(&self, cycle: usize, channel: usize) -> Option<(bool, bool, Option<Vec<Bits>>)> {
        let row = cycle.checked_sub(1).filter(|row| *row < self.n_cycles())?;
        let layout = self.layouts.get(channel)?;
        let at = row * self.layouts.len() + channel;
        let begin = row * self.offsets[self.layouts.len()] + self.offsets[channel];
        let (parts, is_defined) = layout.parts(&self.data[begin..begin + layout.n_words]);
        let token = (self.valid[at] && is_defined).then_some(parts);
        Some((self.valid[at], self.ready[at], token))
    }
}
