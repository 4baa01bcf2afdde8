//! Detection of reads of memory words that were never written: a flag for each word, and for each port the first read of a word
//! without it.

use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Location};

use super::flat::{Elaborated, MemoryModel, Register, UnclockedRead};

/// Width of the cycle counter.
const CYCLE_BITS: u32 = 64;

/// A read of a word that had not been written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UninitialisedRead {
    /// The memory, with the instances around it.
    pub memory: String,
    /// Where it is declared.
    pub place: Location,
    /// The address that was read.
    pub address: Bits,
    /// The machine cycle of the read, counted from 0.
    pub cycle: u64,
}

impl UninitialisedRead {
    /// Describes the read in one line.
    pub fn to_text(&self, context: &Context) -> String {
        let place = self.place.file_line_column(context);
        let place = place.map_or_else(String::new, |(file, line, column)| {
            format!("{file}:{line}:{column}: ")
        });
        format!(
            "{place}warning: word {} of memory `{}` is read in cycle {} and was not written before",
            self.address.to_unsigned_string(),
            self.memory,
            self.cycle
        )
    }
}

/// The variables that monitor one port.
pub(super) struct Watch {
    pub(super) memory: String,
    pub(super) place: Location,
    pub(super) is_found: u32,
    pub(super) address: u32,
    pub(super) cycle: u32,
}

/// Adds a register for the monitoring.
fn register(flat: &mut Elaborated, width_bits: u32) -> (u32, TermId) {
    let variable = u32::try_from(flat.variables.len()).expect("fewer than 2^32 variables");
    flat.variables.push(width_bits);
    (variable, flat.terms.variable(variable, width_bits))
}

fn take_over(flat: &mut Elaborated, variable: u32, next: TermId, enable: Option<TermId>) {
    let width_bits = flat.terms.width(&next);
    flat.registers.push(Register::hidden(
        variable,
        next,
        enable,
        Bits::zero(width_bits),
    ));
}

/// Monitors every port of the first `n_inside` memories; the others are outside of the circuit.
pub(super) fn attach(flat: &mut Elaborated, n_inside: usize) -> Vec<Watch> {
    let time = flat.timing.advance;
    let time = time.map(|variable| flat.terms.variable(variable, 1));
    let (counter, now) = register(flat, CYCLE_BITS);
    let one = flat.terms.constant(Bits::from_u64(CYCLE_BITS, 1));
    let next = flat.terms.add(&now, &one);
    take_over(flat, counter, next, time);
    let mut shadows = Vec::new();
    for number in 0..n_inside {
        let is_written = flat.terms.constant(Bits::from_u64(1, 1));
        let memory = &flat.memories[number];
        let writes = memory.writes.iter();
        let writes = writes.map(|(address, _, enable)| (*address, is_written, *enable));
        let shadow = MemoryModel {
            name: memory.name.clone(),
            place: memory.place,
            storage: None,
            shape: memory.shape.clone(),
            words: vec![Bits::from_u64(1, u64::from(memory.is_filled)); memory.words.len()],
            is_filled: false,
            reads: Vec::new(),
            writes: writes.collect(),
        };
        shadows.push(flat.memories.len());
        flat.memories.push(shadow);
    }
    let mut watches = Vec::new();
    for probe in std::mem::take(&mut flat.probes) {
        let Some(shadow) = shadows.get(probe.memory).copied() else {
            continue;
        };
        let (written, was_written) = register(flat, 1);
        flat.unclocked_reads.push(UnclockedRead {
            variable: written,
            memory: shadow,
            address: probe.address,
        });
        let (found, is_found) = register(flat, 1);
        let neither = flat.terms.or(&was_written, &is_found);
        let mut when = flat.terms.not(&neither);
        let conditions = [probe.when, time, is_inside(flat, shadow, probe.address)];
        for condition in conditions.into_iter().flatten() {
            when = flat.terms.and(&when, &condition);
        }
        let set = flat.terms.constant(Bits::from_u64(1, 1));
        take_over(flat, found, set, Some(when));
        let (cycle, _) = register(flat, CYCLE_BITS);
        take_over(flat, cycle, now, Some(when));
        let width_bits = flat.terms.width(&probe.address);
        let (address, _) = register(flat, width_bits);
        take_over(flat, address, probe.address, Some(when));
        let memory = &flat.memories[probe.memory];
        watches.push(Watch {
            memory: memory.name.clone(),
            place: memory.place,
            is_found: found,
            address,
            cycle,
        });
    }
    watches
}

/// Returns whether an address is inside of the memory; `None` if it always is.
fn is_inside(flat: &mut Elaborated, memory: usize, address: TermId) -> Option<TermId> {
    let width = flat.terms.width(&address);
    let depth = u64::try_from(flat.memories[memory].words.len()).expect("64 bits are enough");
    if width < u64::BITS && depth >> width != 0 {
        return None;
    }
    let depth = Bits::from_u64(width.min(u64::BITS), depth).zext(width);
    let depth = flat.terms.constant(depth);
    Some(flat.terms.ult(&address, &depth))
}
