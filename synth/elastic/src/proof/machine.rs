//! Abstract state machine of a graph's control: the positions of tokens, and the bits that determine their paths.
//!
//! Everything else is abstracted: how these bits are computed, and the latencies of operations. A graph without `merge` is
//! insensitive to timing: an operation that can fire remains able to until it does, and fires on the same tokens. So every timing
//! leads to the same result, for the same bits.

use super::logic::Logic;
use super::network::{Bit, Input, Kind, Network};

/// The machine, with the orders in which the signals of a cycle are evaluated.
pub(super) struct Machine<'a> {
    pub(super) network: &'a Network,
    /// True if every argument offers tokens forever; otherwise each has one token.
    pub(super) is_endless: bool,
    /// Channels in dependence order of `valid`.
    forward: Vec<usize>,
    /// Channels in dependence order of `ready`.
    backward: Vec<usize>,
    /// For each channel, whether its bit can influence a path.
    matters: Vec<bool>,
}

/// The registers of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Registers<B> {
    None,
    /// For an argument, whether the token is still to be taken; for a return, whether it was reached.
    Flag(B),
    /// For each output: of a fork, whether it was taken; of a port, whether an answer waits.
    Flags(Vec<B>),
    /// For each register, whether there is a token.
    Pipeline(Vec<B>),
    /// For each place from the output on, whether there is a token, and its bit.
    Fifo(Vec<(B, B)>),
}

/// A state: the positions of the tokens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct State<B> {
    pub(super) registers: Vec<Registers<B>>,
    /// The bit of the next token of each channel with unconstrained bits.
    pub(super) next: Vec<B>,
}

/// The settled signals of a cycle.
pub(super) struct Cycle<B> {
    pub(super) valid: Vec<B>,
    pub(super) ready: Vec<B>,
    pub(super) bit: Vec<B>,
    /// True if any token moves.
    pub(super) moves: B,
}

impl<'a> Machine<'a> {
    /// Creates the machine of a graph.
    ///
    /// # Errors
    /// A text about a combinational cycle, or about unknown constant bits.
    pub(super) fn new(network: &'a Network, is_endless: bool) -> Result<Self, String> {
        // The token order of a merge depends on memory latencies, which are abstracted here.
        if network.nodes.iter().any(|node| node.kind == Kind::Merge) {
            return Err("the order of its tokens hangs on time".to_owned());
        }
        let matters = matters(network);
        for (number, channel) in network.channels.iter().enumerate() {
            let node = &network.nodes[channel.from];
            let is_loose = node.inputs.contains(&Input::Always(None));
            let is_free = matches!(
                node.kind,
                Kind::Join(Bit::Free) | Kind::Pipeline(_) | Kind::Port | Kind::Argument
            );
            if matters[number] && is_loose && !is_free {
                return Err(format!(
                    "the bits of `{}` are always the same, and not known",
                    channel.name
                ));
            }
        }
        let forward = in_order(network, &|channel| {
            let node = &network.nodes[network.channels[channel].from];
            let is_through = match &node.kind {
                Kind::Join(_) | Kind::Fork(_) | Kind::Mux | Kind::Merge | Kind::Branch => true,
                Kind::Buffer(buffer) => buffer.is_fifo,
                Kind::Argument | Kind::Return | Kind::Pipeline(_) | Kind::Sink | Kind::Port => {
                    false
                }
            };
            let inputs = node.inputs.iter().filter(|_| is_through);
            inputs.filter_map(|input| input.channel()).collect()
        })?;
        let backward = in_order(network, &|channel| {
            let node = &network.nodes[network.channels[channel].to];
            match &node.kind {
                Kind::Buffer(buffer) if !buffer.takes_when_full => Vec::new(),
                _ => node.outputs.clone(),
            }
        })?;
        Ok(Self {
            network,
            is_endless,
            forward,
            backward,
            matters,
        })
    }

    /// Returns the initial state.
    pub(super) fn start<L: Logic>(&self, logic: &mut L) -> State<L::Bit> {
        let (yes, no) = (logic.constant(true), logic.constant(false));
        let registers = self.network.nodes.iter().map(|node| match &node.kind {
            Kind::Argument => Registers::Flag(yes),
            Kind::Return => Registers::Flag(no),
            Kind::Fork(_) | Kind::Port => Registers::Flags(vec![no; node.outputs.len()]),
            Kind::Pipeline(n) => Registers::Pipeline(vec![no; *n]),
            Kind::Buffer(buffer) => {
                let mut places = vec![(no, no); buffer.capacity];
                for (place, bit) in places.iter_mut().zip(&buffer.initial) {
                    *place = (yes, logic.constant(bit.unwrap_or(false)));
                }
                Registers::Fifo(places)
            }
            Kind::Join(_) | Kind::Sink | Kind::Mux | Kind::Merge | Kind::Branch => Registers::None,
        });
        let registers = registers.collect();
        let next = (0..self.network.channels.len()).map(|channel| {
            let wanted = logic.constant(self.is_free(channel));
            logic.free(wanted)
        });
        State {
            registers,
            next: next.collect(),
        }
    }

    /// Returns whether the bits of a channel are unconstrained.
    pub(super) fn is_free(&self, channel: usize) -> bool {
        let node = &self.network.nodes[self.network.channels[channel].from];
        let is_free = match node.kind {
            Kind::Argument | Kind::Pipeline(_) | Kind::Port => true,
            Kind::Join(bit) | Kind::Fork(bit) => bit == Bit::Free,
            Kind::Return
            | Kind::Sink
            | Kind::Mux
            | Kind::Merge
            | Kind::Branch
            | Kind::Buffer(_) => false,
        };
        is_free && self.matters[channel]
    }

    /// Computes `valid`, `ready` and bits in a state.
    pub(super) fn settle<L: Logic>(&self, logic: &mut L, state: &State<L::Bit>) -> Cycle<L::Bit> {
        let no = logic.constant(false);
        let n_channels = self.network.channels.len();
        let mut cycle = Cycle {
            valid: vec![no; n_channels],
            ready: vec![no; n_channels],
            bit: vec![no; n_channels],
            moves: no,
        };
        for channel in &self.forward {
            let (valid, bit) = self.offer(logic, state, &cycle, *channel);
            cycle.valid[*channel] = valid;
            cycle.bit[*channel] = match self.is_free(*channel) {
                true => state.next[*channel],
                false => bit,
            };
        }
        for channel in &self.backward {
            cycle.ready[*channel] = self.accept(logic, state, &cycle, *channel);
        }
        for channel in 0..n_channels {
            let goes = logic.and(cycle.valid[channel], cycle.ready[channel]);
            cycle.moves = logic.or(cycle.moves, goes);
        }
        for (node, registers) in self.network.nodes.iter().zip(&state.registers) {
            if let Registers::Pipeline(places) = registers
                && let Some((last, rest)) = places.split_last()
            {
                let is_empty = logic.not(*last);
                let runs = logic.or(is_empty, cycle.ready[node.outputs[0]]);
                for place in rest {
                    let goes = logic.and(runs, *place);
                    cycle.moves = logic.or(cycle.moves, goes);
                }
            }
        }
        cycle
    }
}

/// Returns all channels in topological order of `before`.
///
/// # Errors
/// A combinational cycle.
fn in_order(network: &Network, before: &dyn Fn(usize) -> Vec<usize>) -> Result<Vec<usize>, String> {
    let n_channels = network.channels.len();
    let (mut order, mut is_open, mut is_done) =
        (Vec::new(), vec![false; n_channels], vec![false; n_channels]);
    for start in 0..n_channels {
        let mut stack = vec![(start, false)];
        while let Some((channel, is_left)) = stack.pop() {
            if is_left {
                is_done[channel] = true;
                order.push(channel);
            } else if !is_done[channel] && !is_open[channel] {
                is_open[channel] = true;
                stack.push((channel, true));
                stack.extend(before(channel).into_iter().map(|channel| (channel, false)));
            } else if !is_done[channel] {
                return Err(format!(
                    "`{}` is in a combinational loop",
                    network.channels[channel].name
                ));
            }
        }
    }
    Ok(order)
}

/// Returns for each channel whether its bit can influence a path.
fn matters(network: &Network) -> Vec<bool> {
    let mut found = vec![false; network.channels.len()];
    let conditions = network
        .nodes
        .iter()
        .filter(|node| matches!(node.kind, Kind::Mux | Kind::Branch));
    let mut open: Vec<usize> = conditions
        .filter_map(|node| node.inputs[0].channel())
        .collect();
    while let Some(channel) = open.pop() {
        if std::mem::replace(&mut found[channel], true) {
            continue;
        }
        let node = &network.nodes[network.channels[channel].from];
        let inputs = match node.kind {
            Kind::Join(Bit::Copy | Bit::And | Bit::Or | Bit::Xor)
            | Kind::Fork(Bit::Copy)
            | Kind::Buffer(_) => &node.inputs[..],
            Kind::Mux | Kind::Branch => &node.inputs[1..],
            _ => &[],
        };
        // Of several channels that are forked together, only those with a bit count.
        open.extend(
            inputs
                .iter()
                .filter_map(|input| input.channel())
                .filter(|input| network.channels[*input].is_bit),
        );
    }
    found
}
