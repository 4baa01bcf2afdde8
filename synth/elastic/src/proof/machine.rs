//! The control of a graph as a machine: where tokens are, and the bits on them that choose a way.
//!
//! All else is left out: what a bit is computed from, how many cycles registers in a row take. A graph without `merge` does the same
//! whatever the cycles: an operation that can fire goes on being able to until it does, and fires on the same tokens. So what one timing
//! comes to, all come to, for the same bits.

use super::logic::Logic;
use super::network::{Bit, Input, Kind, Network};

/// The orders in which a cycle is settled.
pub(super) struct Machine<'a> {
    pub(super) network: &'a Network,
    /// Channels, each behind those that its `valid` depends on.
    forward: Vec<usize>,
    /// Channels, each behind those that its `ready` depends on.
    backward: Vec<usize>,
    /// Whether the bit on a channel can choose a way.
    matters: Vec<bool>,
}

/// Registers of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Registers<B> {
    None,
    /// Of an argument, whether the token is still to be taken; of a return, whether it was reached.
    Flag(B),
    /// By output: of a fork, whether it was taken; of a port, whether an answer waits.
    Flags(Vec<B>),
    /// By register, whether there is a token.
    Pipeline(Vec<B>),
    /// By place from the output on, whether there is a token, and its bit.
    Queue(Vec<(B, B)>),
}

/// Where the tokens are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct State<B> {
    pub(super) registers: Vec<Registers<B>>,
    /// The bit on the next token of a channel, where that may be any.
    pub(super) next: Vec<B>,
}

/// A settled cycle.
pub(super) struct Cycle<B> {
    pub(super) valid: Vec<B>,
    pub(super) ready: Vec<B>,
    pub(super) bit: Vec<B>,
    /// Whether anything moves.
    pub(super) moves: B,
}

impl<'a> Machine<'a> {
    /// The machine of a graph.
    ///
    /// # Errors
    /// Rings without a register, and bits that are not known, in words.
    pub(super) fn new(network: &'a Network) -> Result<Self, String> {
        let matters = matters(network);
        for (number, channel) in network.channels.iter().enumerate() {
            let node = &network.nodes[channel.from];
            let is_loose = node
                .inputs
                .iter()
                .any(|input| *input == Input::Always(None));
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
                Kind::Join(_) | Kind::Fork(_) | Kind::Mux | Kind::Branch => true,
                Kind::Buffer(buffer) => buffer.is_queue,
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
            forward,
            backward,
            matters,
        })
    }

    /// The state after the start.
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
                Registers::Queue(places)
            }
            Kind::Join(_) | Kind::Sink | Kind::Mux | Kind::Branch => Registers::None,
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

    /// Whether the bits of a channel may be any.
    fn is_free(&self, channel: usize) -> bool {
        let node = &self.network.nodes[self.network.channels[channel].from];
        let is_free = match node.kind {
            Kind::Argument | Kind::Pipeline(_) | Kind::Port => true,
            Kind::Join(bit) | Kind::Fork(bit) => bit == Bit::Free,
            Kind::Return | Kind::Sink | Kind::Mux | Kind::Branch | Kind::Buffer(_) => false,
        };
        is_free && self.matters[channel]
    }

    /// `valid`, `ready` and bits in a state.
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

    fn valid<L: Logic>(&self, logic: &mut L, cycle: &Cycle<L::Bit>, input: Input) -> L::Bit {
        match input {
            Input::Channel(channel) => cycle.valid[channel],
            Input::Always(_) => logic.constant(true),
        }
    }

    fn bit<L: Logic>(&self, logic: &mut L, cycle: &Cycle<L::Bit>, input: Option<&Input>) -> L::Bit {
        match input {
            Some(Input::Channel(channel)) => cycle.bit[*channel],
            Some(Input::Always(bit)) => logic.constant(bit.unwrap_or(false)),
            None => logic.constant(false),
        }
    }

    fn all_valid<L: Logic>(
        &self,
        logic: &mut L,
        cycle: &Cycle<L::Bit>,
        inputs: &[Input],
    ) -> L::Bit {
        let valid: Vec<L::Bit> = inputs
            .iter()
            .map(|input| self.valid(logic, cycle, *input))
            .collect();
        logic.all(&valid)
    }

    /// Whether a token is on a channel, and its bit.
    fn offer<L: Logic>(
        &self,
        logic: &mut L,
        state: &State<L::Bit>,
        cycle: &Cycle<L::Bit>,
        channel: usize,
    ) -> (L::Bit, L::Bit) {
        let number = self.network.channels[channel].from;
        let node = &self.network.nodes[number];
        let no = logic.constant(false);
        let at = node
            .outputs
            .iter()
            .position(|output| *output == channel)
            .unwrap_or(0);
        match (&node.kind, &state.registers[number]) {
            (Kind::Argument, Registers::Flag(is_left)) => (*is_left, no),
            (Kind::Join(bit), _) => {
                let valid = self.all_valid(logic, cycle, &node.inputs);
                let mut inputs = node.inputs.iter();
                let bit = match bit {
                    Bit::Free => no,
                    Bit::Constant(value) => logic.constant(*value),
                    Bit::Copy => self.bit(logic, cycle, inputs.next()),
                    Bit::And | Bit::Or | Bit::Xor => {
                        let (a, b) = (
                            self.bit(logic, cycle, inputs.next()),
                            self.bit(logic, cycle, inputs.next()),
                        );
                        match bit {
                            Bit::And => logic.and(a, b),
                            Bit::Or => logic.or(a, b),
                            _ => logic.differ(a, b),
                        }
                    }
                };
                (valid, bit)
            }
            (Kind::Fork(_), Registers::Flags(taken)) => {
                let is_left = logic.not(taken[at]);
                let valid = self.all_valid(logic, cycle, &node.inputs);
                let from = match node.inputs.len() {
                    1 => 0,
                    _ => at,
                };
                (
                    logic.and(valid, is_left),
                    self.bit(logic, cycle, node.inputs.get(from)),
                )
            }
            (Kind::Pipeline(_), Registers::Pipeline(places)) => {
                (places.last().copied().unwrap_or(no), no)
            }
            (Kind::Port, Registers::Flags(waiting)) => (waiting[at], no),
            (Kind::Buffer(buffer), Registers::Queue(places)) => {
                let (is_there, bit) = places[0];
                if !buffer.is_queue {
                    return (is_there, bit);
                }
                let passing = self.valid(logic, cycle, node.inputs[0]);
                let passed = self.bit(logic, cycle, node.inputs.first());
                (
                    logic.or(is_there, passing),
                    logic.choose(is_there, bit, passed),
                )
            }
            (Kind::Mux, _) => {
                let select = self.bit(logic, cycle, node.inputs.first());
                let [on_false, on_true] = [1, 2].map(|i| self.valid(logic, cycle, node.inputs[i]));
                let chosen = logic.choose(select, on_true, on_false);
                let is_selected = self.valid(logic, cycle, node.inputs[0]);
                let [bit_false, bit_true] =
                    [1, 2].map(|i| self.bit(logic, cycle, node.inputs.get(i)));
                (
                    logic.and(is_selected, chosen),
                    logic.choose(select, bit_true, bit_false),
                )
            }
            (Kind::Branch, _) => {
                let condition = self.bit(logic, cycle, node.inputs.first());
                let side = match at {
                    0 => condition,
                    _ => logic.not(condition),
                };
                let valid = self.all_valid(logic, cycle, &node.inputs);
                (
                    logic.and(valid, side),
                    self.bit(logic, cycle, node.inputs.get(1)),
                )
            }
            (_, _) => (no, no),
        }
    }

    /// Whether the consumer of a channel takes a token from it, if there is one.
    fn accept<L: Logic>(
        &self,
        logic: &mut L,
        state: &State<L::Bit>,
        cycle: &Cycle<L::Bit>,
        channel: usize,
    ) -> L::Bit {
        let number = self.network.channels[channel].to;
        let node = &self.network.nodes[number];
        let others: Vec<Input> = node
            .inputs
            .iter()
            .copied()
            .filter(|input| *input != Input::Channel(channel))
            .collect();
        match (&node.kind, &state.registers[number]) {
            (Kind::Sink, _) => logic.constant(true),
            (Kind::Return, Registers::Flag(is_over)) => {
                let valid = self.all_valid(logic, cycle, &others);
                let is_running = logic.not(*is_over);
                logic.and(valid, is_running)
            }
            (Kind::Join(_), _) => {
                let valid = self.all_valid(logic, cycle, &others);
                logic.and(valid, cycle.ready[node.outputs[0]])
            }
            (Kind::Fork(_), Registers::Flags(taken)) => {
                let valid = self.all_valid(logic, cycle, &others);
                let outputs: Vec<L::Bit> = node
                    .outputs
                    .iter()
                    .zip(taken)
                    .map(|(output, taken)| logic.or(*taken, cycle.ready[*output]))
                    .collect();
                let all = logic.all(&outputs);
                logic.and(valid, all)
            }
            (Kind::Pipeline(_), Registers::Pipeline(places)) => {
                let valid = self.all_valid(logic, cycle, &others);
                let is_empty = places.last().map(|last| logic.not(*last));
                let is_empty = is_empty.unwrap_or_else(|| logic.constant(true));
                let runs = logic.or(is_empty, cycle.ready[node.outputs[0]]);
                logic.and(valid, runs)
            }
            (Kind::Port, Registers::Flags(waiting)) => {
                let rooms: Vec<L::Bit> = node
                    .outputs
                    .iter()
                    .zip(waiting)
                    .map(|(output, waiting)| {
                        let is_empty = logic.not(*waiting);
                        logic.or(is_empty, cycle.ready[*output])
                    })
                    .collect();
                logic.all(&rooms)
            }
            (Kind::Buffer(buffer), Registers::Queue(places)) => {
                let is_full = places.last().map(|(is_there, _)| *is_there);
                let has_room = is_full.map(|is_full| logic.not(is_full));
                let has_room = has_room.unwrap_or_else(|| logic.constant(false));
                match buffer.takes_when_full {
                    true => logic.or(has_room, cycle.ready[node.outputs[0]]),
                    false => has_room,
                }
            }
            (Kind::Mux, _) => {
                let select = self.bit(logic, cycle, node.inputs.first());
                let ready = cycle.ready[node.outputs[0]];
                let other = match node
                    .inputs
                    .iter()
                    .position(|input| *input == Input::Channel(channel))
                {
                    Some(0) => {
                        let [on_false, on_true] =
                            [1, 2].map(|i| self.valid(logic, cycle, node.inputs[i]));
                        logic.choose(select, on_true, on_false)
                    }
                    at => {
                        let is_selected = self.valid(logic, cycle, node.inputs[0]);
                        let side = match at {
                            Some(1) => logic.not(select),
                            _ => select,
                        };
                        logic.and(is_selected, side)
                    }
                };
                logic.and(other, ready)
            }
            (Kind::Branch, _) => {
                let condition = self.bit(logic, cycle, node.inputs.first());
                let valid = self.all_valid(logic, cycle, &others);
                let ready = logic.choose(
                    condition,
                    cycle.ready[node.outputs[0]],
                    cycle.ready[node.outputs[1]],
                );
                logic.and(valid, ready)
            }
            (_, _) => logic.constant(false),
        }
    }

    /// The state behind a settled cycle.
    pub(super) fn edge<L: Logic>(
        &self,
        logic: &mut L,
        state: &State<L::Bit>,
        cycle: &Cycle<L::Bit>,
    ) -> State<L::Bit> {
        let goes: Vec<L::Bit> = cycle
            .valid
            .iter()
            .zip(&cycle.ready)
            .map(|(valid, ready)| logic.and(*valid, *ready))
            .collect();
        let nodes = self.network.nodes.iter().zip(&state.registers);
        let registers = nodes
            .map(|(node, registers)| self.registers(logic, cycle, &goes, node, registers))
            .collect();
        let next = (0..goes.len()).map(|channel| match self.is_free(channel) {
            true => {
                let fresh = logic.free(goes[channel]);
                logic.choose(goes[channel], fresh, state.next[channel])
            }
            false => state.next[channel],
        });
        State {
            registers,
            next: next.collect(),
        }
    }

    fn registers<L: Logic>(
        &self,
        logic: &mut L,
        cycle: &Cycle<L::Bit>,
        goes: &[L::Bit],
        node: &super::network::Node,
        registers: &Registers<L::Bit>,
    ) -> Registers<L::Bit> {
        // Whether the inputs are taken.
        let first = node.inputs.iter().find_map(|input| input.channel());
        let entering = match first {
            Some(channel) => goes[channel],
            None => logic.constant(false),
        };
        match (&node.kind, registers) {
            (Kind::Argument, Registers::Flag(is_left)) => {
                let stays = logic.not(goes[node.outputs[0]]);
                Registers::Flag(logic.and(*is_left, stays))
            }
            (Kind::Return, Registers::Flag(is_over)) => {
                Registers::Flag(logic.or(*is_over, entering))
            }
            (Kind::Fork(_), Registers::Flags(taken)) => {
                let stays = logic.not(entering);
                let taken = taken.iter().zip(&node.outputs).map(|(taken, output)| {
                    let taken = logic.or(*taken, goes[*output]);
                    logic.and(taken, stays)
                });
                Registers::Flags(taken.collect())
            }
            (Kind::Port, Registers::Flags(waiting)) => {
                let waiting = waiting.iter().zip(&node.outputs).map(|(waiting, output)| {
                    let stays = logic.not(goes[*output]);
                    let stays = logic.and(*waiting, stays);
                    logic.or(stays, entering)
                });
                Registers::Flags(waiting.collect())
            }
            (Kind::Pipeline(_), Registers::Pipeline(places)) => {
                let no = logic.constant(false);
                let last = places.last().copied().unwrap_or(no);
                let is_empty = logic.not(last);
                let runs = logic.or(is_empty, cycle.ready[node.outputs[0]]);
                let before = std::iter::once(entering).chain(places.iter().copied());
                let places = before
                    .zip(places)
                    .map(|(before, place)| logic.choose(runs, before, *place));
                Registers::Pipeline(places.collect())
            }
            (Kind::Buffer(_), Registers::Queue(places)) => {
                let leaving = goes[node.outputs[0]];
                let bit = self.bit(logic, cycle, node.inputs.first());
                Registers::Queue(queue(logic, places, entering, bit, leaving))
            }
            (_, registers) => registers.clone(),
        }
    }
}

/// The places of a queue behind a cycle, the first one nearest to the output.
fn queue<L: Logic>(
    logic: &mut L,
    places: &[(L::Bit, L::Bit)],
    entering: L::Bit,
    bit: L::Bit,
    leaving: L::Bit,
) -> Vec<(L::Bit, L::Bit)> {
    let no = logic.constant(false);
    // What passes through an empty queue leaves as it enters: it is put in and taken out again.
    let mut filled = places.to_vec();
    filled.push((no, no));
    let mut is_behind = logic.constant(true);
    for place in &mut filled {
        let is_empty = logic.not(place.0);
        let is_next = logic.and(is_empty, is_behind);
        let put = logic.and(is_next, entering);
        is_behind = place.0;
        *place = (logic.or(place.0, put), logic.choose(put, bit, place.1));
    }
    let moved = filled.windows(2).map(|pair| {
        let there = logic.choose(leaving, pair[1].0, pair[0].0);
        let value = logic.choose(leaving, pair[1].1, pair[0].1);
        // Places without a token have no bit, so that equal states are equal.
        (there, logic.and(there, value))
    });
    moved.collect()
}

/// All channels, each behind those of its `before`.
///
/// # Errors
/// A ring.
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
                    "`{}` is in a ring without a register",
                    network.channels[channel].name
                ));
            }
        }
    }
    Ok(order)
}

/// Whether the bit on a channel can choose a way.
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
        // Of several channels that are forked together, those without a bit do not count.
        open.extend(
            inputs
                .iter()
                .filter_map(|input| input.channel())
                .filter(|input| network.channels[*input].is_bit),
        );
    }
    found
}
