//! The streams around the circuit of a kernel, as part of the simulated circuit: they transfer a word in every cycle, or stall at
//! random.

use sluice_dialects::interface::MemoryPorts;
use sluice_ir::Location;
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;

use super::flat::{Elaborated, MemoryModel, Register, UnclockedRead};

/// The state that all streams of a circuit share.
pub(super) struct Streams {
    /// Random bits, if streams stall at random.
    coins: Option<TermId>,
    n_streams: u32,
}

/// Width of the register that produces the random bits.
const COIN_BITS: u32 = 32;

impl Streams {
    /// Creates streams that never stall, or that stall at random with `seed`.
    pub(super) fn new(flat: &mut Elaborated, seed: Option<u64>) -> Self {
        let coins = seed.map(|seed| {
            // A state of zero would never change.
            let mixed = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let first = Bits::from_u64(COIN_BITS, mixed >> 32 | 1);
            let variable = variable(flat, COIN_BITS);
            let state = flat.terms.variable(variable, COIN_BITS);
            // Source: G. Marsaglia, Xorshift RNGs, 2003.
            let mut next = state;
            for (is_left, places) in [(true, 13), (false, 17), (true, 5)] {
                let places = flat.terms.number(COIN_BITS, places);
                let shifted = match is_left {
                    true => flat.terms.shl(&next, &places),
                    false => flat.terms.lshr(&next, &places),
                };
                next = flat.terms.xor(&next, &shifted);
            }
            flat.registers
                .push(Register::hidden(variable, next, None, first));
            state
        });
        Self {
            coins,
            n_streams: 0,
        }
    }

    /// Connects an array to the ports of a stream; every start begins at its first word.
    pub(super) fn attach(&mut self, flat: &mut Elaborated, ports: &MemoryPorts, place: Location) {
        let depth = usize::try_from(ports.depth_words).expect("32 bits are an index");
        let number = flat.memories.len();
        flat.memories.push(MemoryModel {
            name: ports.name.clone(),
            place,
            storage: None,
            shape: vec![u64::from(ports.depth_words)],
            words: vec![Bits::zero(ports.width_bits); depth],
            is_filled: false,
            reads: Vec::new(),
            writes: Vec::new(),
        });
        let coin = self.coin(flat);
        let (name, width_bits) = (&ports.name, ports.width_bits);
        let (valid, ready) = (format!("{name}_valid"), format!("{name}_ready"));
        let position_bits = 33;
        let position = variable(flat, position_bits);
        let at = flat.terms.variable(position, position_bits);
        let n_words = flat
            .terms
            .number(position_bits, u64::from(ports.depth_words));
        let one = flat.terms.number(position_bits, 1);
        let behind = flat.terms.add(&at, &one);
        let none = flat.terms.number(position_bits, 0);
        let starts = starts(flat);
        let advance = |flat: &mut Elaborated, moves: TermId| {
            let next = flat.terms.ite(&moves, &behind, &at);
            let next = flat.terms.ite(&starts, &none, &next);
            let first = Bits::from_u64(position_bits, u64::from(ports.depth_words));
            flat.registers
                .push(Register::hidden(position, next, None, first));
            next
        };
        if let (Some(data), Some(offers), Some(takes)) =
            (input(flat, name), input(flat, &valid), output(flat, &ready))
        {
            let offered = flat.terms.variable(offers, 1);
            let moves = flat.terms.and(&offered, &takes);
            let next = advance(flat, moves);
            let word = variable(flat, width_bits);
            flat.unclocked_reads.push(UnclockedRead {
                variable: word,
                memory: number,
                address: next,
            });
            // A word that is offered stays offered until it is taken.
            let taken = flat.terms.not(&takes);
            let stays = flat.terms.and(&offered, &taken);
            let offered = flat.terms.or(&stays, &coin);
            let is_left = flat.terms.ult(&next, &n_words);
            let offered = flat.terms.and(&offered, &is_left);
            let word = flat.terms.variable(word, width_bits);
            let noise = Bits::from_u64(width_bits.min(64), super::memories::NOISE);
            let noise = flat.terms.constant(noise.zext(width_bits));
            let word = flat.terms.ite(&offered, &word, &noise);
            for (variable, next) in [(data, word), (offers, offered)] {
                let first = Bits::zero(flat.terms.width(&next));
                flat.registers
                    .push(Register::hidden(variable, next, None, first));
            }
        } else if let (Some(data), Some(offers), Some(takes)) = (
            output(flat, name),
            output(flat, &valid),
            input(flat, &ready),
        ) {
            let taken = flat.terms.variable(takes, 1);
            let moves = flat.terms.and(&offers, &taken);
            advance(flat, moves);
            flat.memories[number].writes.push((at, data, moves));
            flat.registers
                .push(Register::hidden(takes, coin, None, Bits::zero(1)));
        }
    }

    /// Returns the bit that decides whether a stream transfers a word in the next cycle.
    fn coin(&mut self, flat: &mut Elaborated) -> TermId {
        let place = (self.n_streams * 7 + 3) % COIN_BITS;
        self.n_streams += 1;
        match &self.coins {
            Some(coins) => flat.terms.extract(coins, place, 1),
            None => flat.terms.number(1, 1),
        }
    }
}

fn variable(flat: &mut Elaborated, width_bits: u32) -> u32 {
    let number = u32::try_from(flat.variables.len()).expect("fewer than 2^32 variables");
    flat.variables.push(width_bits);
    number
}

/// Returns the variable of an input.
fn input(flat: &Elaborated, name: &str) -> Option<u32> {
    let place = flat.inputs.iter().position(|input| input.name == name)?;
    u32::try_from(place).ok()
}

fn output(flat: &Elaborated, name: &str) -> Option<TermId> {
    let found = flat.outputs.iter().find(|(output, _)| output.name == name);
    found.map(|(_, term)| *term)
}

/// Returns whether a start is accepted in this cycle.
fn starts(flat: &mut Elaborated) -> TermId {
    match (input(flat, "start"), output(flat, "ready")) {
        (Some(start), Some(ready)) => {
            let start = flat.terms.variable(start, 1);
            flat.terms.and(&start, &ready)
        }
        _ => flat.terms.number(1, 0),
    }
}
