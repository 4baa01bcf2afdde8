//! Evaluates the channel signals of the abstract machine in a cycle: `valid` and bits forward, `ready` backward.

use super::logic::Logic;
use super::machine::{Cycle, Machine, Registers, State};
use super::network::{Bit, Input, Kind};

impl Machine<'_> {
    fn valid<L: Logic>(&self, logic: &mut L, cycle: &Cycle<L::Bit>, input: Input) -> L::Bit {
        match input {
            Input::Channel(channel) => cycle.valid[channel],
            Input::Always(_) => logic.constant(true),
        }
    }

    pub(super) fn bit<L: Logic>(
        &self,
        logic: &mut L,
        cycle: &Cycle<L::Bit>,
        input: Option<&Input>,
    ) -> L::Bit {
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

    /// Returns whether a token is on a channel, and its bit.
    pub(super) fn offer<L: Logic>(
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
            (Kind::Buffer(buffer), Registers::Fifo(places)) => {
                let (is_there, bit) = places[0];
                if !buffer.is_fifo {
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

    /// Returns whether the consumer of a channel would take a token from it.
    pub(super) fn accept<L: Logic>(
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
            (Kind::Buffer(buffer), Registers::Fifo(places)) => {
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
}
