//! The layout of words in the state. For one machine, words follow one another. For eight machines, a slot is a byte with a bit
//! of each machine, half a cache line with 32 bits of each, or a line with 64 bits of each. For sixteen machines, which have no
//! wider words, it is two bytes, or a line with 32 bits of each.

use crate::program::Program;

use super::code::Kind;

/// Bytes of a cache line.
pub(super) const LINE_BYTES: usize = 64;

/// The number of machines that share a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// One machine: its words are the lowest words of 128-bit vectors.
    One,
    /// Eight machines: a word of each fills a vector, 32 bits of each half a vector.
    Eight,
    /// Sixteen machines: 32 bits of each fill a vector; there are no wider words.
    Sixteen,
}

impl Lanes {
    pub(crate) fn n(self) -> usize {
        match self {
            Self::One => 1,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// Returns the bytes of a word of all machines.
    pub(super) fn bytes(self, kind: Kind) -> usize {
        match (self, kind) {
            (_, Kind::Row) => LINE_BYTES,
            (Self::One, _) => 8,
            (Self::Eight | Self::Sixteen, Kind::Bits) => self.n() / 8,
            (Self::Eight | Self::Sixteen, Kind::Narrow | Kind::Half) => 4 * self.n(),
            (Self::Eight | Self::Sixteen, Kind::Wide) => 8 * self.n(),
        }
    }
}

/// The position of a word of every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Bytes from the start of the state.
    pub(crate) at: usize,
    /// The kind of value it holds for each machine.
    pub(crate) kind: Kind,
    /// Bytes to the next element of an array.
    pub(crate) bytes: usize,
}

impl Place {
    /// Returns the byte, the first bit in it, and the number of bits of the word of a machine.
    pub(crate) fn of_lane(self, lane: usize) -> (usize, usize, u32) {
        match self.kind {
            Kind::Bits => (self.at, lane, 1),
            Kind::Narrow => (self.at + 4 * lane, 0, 32),
            Kind::Wide | Kind::Row | Kind::Half => (self.at + 8 * lane, 0, 64),
        }
    }
}

/// The layout of the state of a machine, or of a group of machines.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) lanes: Lanes,
    slots: Vec<Place>,
    arrays: Vec<Place>,
    /// Limbs of each word, by array.
    n_limbs: Vec<usize>,
    /// The length of the state in bytes.
    pub(crate) end: usize,
}

impl Layout {
    /// Returns the layout for a group of machines. The widest slots come first, so that each is aligned to a vector of its
    /// length.
    pub(crate) fn of_group(program: &Program, lanes: Lanes) -> Self {
        let kinds: Vec<Kind> = program.slot_bits.iter().map(|b| Kind::of(*b)).collect();
        let place = |at: usize, kind: Kind| Place {
            at,
            kind,
            bytes: lanes.bytes(kind),
        };
        let mut slots = vec![place(0, Kind::Bits); kinds.len()];
        let mut end = 0;
        for kind in [Kind::Wide, Kind::Narrow, Kind::Bits] {
            for (slot, _) in kinds.iter().enumerate().filter(|(_, of)| **of == kind) {
                slots[slot] = place(end, kind);
                end += slots[slot].bytes;
            }
        }
        let line = LINE_BYTES;
        end = end.next_multiple_of(line);
        let mut arrays = Vec::new();
        let mut n_limbs = Vec::new();
        for array in &program.arrays {
            // Elements are gathered in units of at least 32 bits, so bits are not packed.
            let first = place(end, Kind::of(array.width_bits.max(2)));
            arrays.push(first);
            n_limbs.push(array.n_limbs() as usize);
            end += array.depth as usize * array.n_limbs() as usize * first.bytes;
            end = end.next_multiple_of(line);
        }
        Self {
            lanes,
            slots,
            arrays,
            n_limbs,
            end,
        }
    }

    /// Returns the layout for one machine: the words of [`Program::state`].
    pub(crate) fn of_one(program: &Program) -> Self {
        let (starts, end) = program.layout();
        let place = |word: usize, bits: u32| Place {
            at: 8 * word,
            kind: Kind::of(bits),
            bytes: 8,
        };
        let slots = program.slot_bits.iter().enumerate();
        let arrays = starts.iter().zip(&program.arrays);
        Self {
            lanes: Lanes::One,
            slots: slots.map(|(slot, bits)| place(slot, *bits)).collect(),
            arrays: arrays
                .map(|(start, array)| place(*start, array.width_bits.max(2)))
                .collect(),
            n_limbs: program
                .arrays
                .iter()
                .map(|a| a.n_limbs() as usize)
                .collect(),
            end: 8 * end,
        }
    }

    /// Returns the position of a slot.
    pub(crate) fn slot(&self, slot: u32) -> Place {
        self.slots[slot as usize]
    }

    /// Returns the position of a limb of the first word of an array.
    pub(crate) fn limb(&self, array: u32, limb: usize) -> Place {
        let of = self.arrays[array as usize];
        Place {
            at: of.at + limb * of.bytes,
            ..of
        }
    }

    /// Returns the limbs of each word of an array.
    pub(crate) fn n_limbs(&self, array: u32) -> usize {
        self.n_limbs[array as usize]
    }
}
