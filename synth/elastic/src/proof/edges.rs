//! The register update of the abstract machine at a clock edge.

use super::logic::Logic;
use super::machine::{Cycle, Machine, Registers, State};
use super::network::{Kind, Node};

impl Machine<'_> {
    /// Returns the state after a settled cycle.
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
        node: &Node,
        registers: &Registers<L::Bit>,
    ) -> Registers<L::Bit> {
        // True if the inputs are taken.
        let first = node.inputs.iter().find_map(|input| input.channel());
        let entering = match first {
            Some(channel) => goes[channel],
            None => logic.constant(false),
        };
        match (&node.kind, registers) {
            (Kind::Argument, Registers::Flag(_)) if self.is_endless => registers.clone(),
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
            (Kind::Buffer(_), Registers::Fifo(places)) => {
                let leaving = goes[node.outputs[0]];
                let bit = self.bit(logic, cycle, node.inputs.first());
                Registers::Fifo(queue(logic, places, entering, bit, leaving))
            }
            (_, registers) => registers.clone(),
        }
    }
}

/// Returns the places of a FIFO after a cycle; the first one is nearest to the output.
fn queue<L: Logic>(
    logic: &mut L,
    places: &[(L::Bit, L::Bit)],
    entering: L::Bit,
    bit: L::Bit,
    leaving: L::Bit,
) -> Vec<(L::Bit, L::Bit)> {
    let no = logic.constant(false);
    // A token that passes through an empty FIFO is modelled as inserted and removed again.
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
        // Empty places have bit 0, so that equal states compare equal.
        (there, logic.and(there, value))
    });
    moved.collect()
}
