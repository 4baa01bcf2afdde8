//! Where words lie: those of one machine one after the other, of eight machines a bit of each in a byte, 32 bits of each in half a line of
//! the cache, 64 in a line; of sixteen, which have no wider ones, 32 bits in a line.

use crate::program::Program;

use super::code::Kind;

/// Bytes of a line of the cache.
pub(super) const LINE_BYTES: usize = 64;

/// How many machines there are in the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// Its words are the first ones of vectors of 128 bits.
    One,
    /// A word of each in whole vectors, 32 bits of each in half a one.
    Eight,
    /// 32 bits of each in whole vectors; there are no wider words.
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

    /// Bytes of a word of all machines.
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

/// Where a word of every machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Bytes from the start of the state.
    pub(crate) at: usize,
    /// What it holds of each machine.
    pub(crate) kind: Kind,
    /// Bytes to the next one of an array.
    pub(crate) bytes: usize,
}

impl Place {
    /// Byte, first bit in it, and number of bits of the word of a machine.
    pub(crate) fn of_lane(self, lane: usize) -> (usize, usize, u32) {
        match self.kind {
            Kind::Bits => (self.at, lane, 1),
            Kind::Narrow => (self.at + 4 * lane, 0, 32),
            Kind::Wide | Kind::Row | Kind::Half => (self.at + 8 * lane, 0, 64),
        }
    }
}

/// The state of a machine, or of a group of them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) lanes: Lanes,
    slots: Vec<Place>,
    arrays: Vec<Place>,
    /// Limbs of each word, by array.
    n_limbs: Vec<usize>,
    /// Bytes.
    pub(crate) end: usize,
}

impl Layout {
    /// That of a group of machines: the widest slots first, so that each is where a vector of its length may be.
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
            // Elements are gathered: those of bits would lie too close.
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

    /// That of one machine: the words of [`Program::state`].
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

    /// Where a slot is.
    pub(crate) fn slot(&self, slot: u32) -> Place {
        self.slots[slot as usize]
    }

    /// Where a limb of an array is, of all its words in turn.
    pub(crate) fn limb(&self, array: u32, limb: usize) -> Place {
        let of = self.arrays[array as usize];
        Place {
            at: of.at + limb * of.bytes,
            ..of
        }
    }

    /// Limbs of each word of an array.
    pub(crate) fn n_limbs(&self, array: u32) -> usize {
        self.n_limbs[array as usize]
    }
}
