//! Where the words of eight machines lie: a bit of each in a byte, 32 bits of each in half a line of the cache, 64 in a line.

use crate::program::Program;

use super::code::Kind;

/// Machines of a group.
pub(crate) const N_LANES: usize = 8;

/// Where a word of every machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Bytes from the start of the state.
    pub(crate) at: usize,
    /// What it holds of each machine.
    pub(crate) kind: Kind,
}

impl Place {
    /// Byte, first bit in it, and number of bits of the word of a machine.
    pub(crate) fn of_lane(self, lane: usize) -> (usize, usize, u32) {
        match self.kind {
            Kind::Bits => (self.at, lane, 1),
            Kind::Narrow => (self.at + 4 * lane, 0, 32),
            Kind::Wide => (self.at + 8 * lane, 0, 64),
        }
    }
}

/// The state of a group of machines.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    slots: Vec<Place>,
    arrays: Vec<Place>,
    /// Limbs of each word, by array.
    n_limbs: Vec<usize>,
    /// Bytes.
    pub(crate) end: usize,
}

impl Layout {
    /// The widest slots first, so that each is where a vector of its length may be.
    pub(crate) fn of(program: &Program) -> Self {
        let kinds: Vec<Kind> = program.slot_bits.iter().map(|b| Kind::of(*b)).collect();
        let nowhere = Place {
            at: 0,
            kind: Kind::Bits,
        };
        let mut slots = vec![nowhere; kinds.len()];
        let mut end = 0;
        for kind in [Kind::Wide, Kind::Narrow, Kind::Bits] {
            for (slot, _) in kinds.iter().enumerate().filter(|(_, of)| **of == kind) {
                slots[slot] = Place { at: end, kind };
                end += kind.bytes();
            }
        }
        end = end.next_multiple_of(Kind::Wide.bytes());
        let mut arrays = Vec::new();
        let mut n_limbs = Vec::new();
        for array in &program.arrays {
            // Elements are gathered: those of bits would lie too close.
            let kind = Kind::of(array.width_bits.max(2));
            arrays.push(Place { at: end, kind });
            n_limbs.push(array.n_limbs() as usize);
            end += array.depth as usize * array.n_limbs() as usize * kind.bytes();
            end = end.next_multiple_of(Kind::Wide.bytes());
        }
        Self {
            slots,
            arrays,
            n_limbs,
            end,
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
            at: of.at + limb * of.kind.bytes(),
            ..of
        }
    }

    /// Limbs of each word of an array.
    pub(crate) fn n_limbs(&self, array: u32) -> usize {
        self.n_limbs[array as usize]
    }
}
