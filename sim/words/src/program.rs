//! A program: what a cycle takes over, and what it shows.

use crate::graph::{Graph, Node, Word, mask};

/// An array of words in the state.
#[derive(Clone, Debug)]
pub struct Array {
    /// Number of its words.
    pub depth: u32,
    /// Bits of each.
    pub width_bits: u32,
    /// The limbs at the start, the least significant of a word first, word after word.
    pub initial: Vec<u64>,
}

impl Array {
    /// Limbs of each word.
    pub fn n_limbs(&self) -> u32 {
        n_limbs(self.width_bits)
    }

    /// Bits of a limb.
    pub fn limb_bits(&self, limb: u32) -> u32 {
        limb_bits(self.width_bits, limb)
    }
}

/// Limbs of 64 bits that hold a value of a width; one at least.
pub fn n_limbs(width_bits: u32) -> u32 {
    width_bits.div_ceil(64).max(1)
}

/// Bits of a limb of a value of a width.
pub fn limb_bits(width_bits: u32, limb: u32) -> u32 {
    width_bits.saturating_sub(limb.saturating_mul(64)).min(64)
}

/// Slots that take over words at the end of a cycle.
#[derive(Clone, Debug)]
pub struct Update {
    /// Only where this is not 0.
    pub when: Option<Word>,
    /// Slots and what they take over; bits above those of the slot are left out.
    pub stores: Vec<(u32, Word)>,
}

/// A word of an array that is replaced at the end of a cycle; of several writes to one word the last one stays.
#[derive(Clone, Debug)]
pub struct Write {
    /// Only where this is not 0.
    pub when: Word,
    /// Number of the array.
    pub array: u32,
    /// Which word; beyond the end nothing is written.
    pub index: Word,
    /// Its limbs; bits above those of the array are left out.
    pub limbs: Vec<Word>,
}

/// A machine on words: slots, arrays and what happens to them in a cycle.
///
/// All words are computed from the state at the start of the cycle, then all stores and writes happen at once.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What words are.
    pub graph: Graph,
    /// Bits of each slot.
    pub slot_bits: Vec<u32>,
    /// Slots of one bit that only the outside stores in, seldom: code is made for what they hold.
    pub switches: Vec<u32>,
    /// Slots whose first content is not 0.
    pub initial: Vec<(u32, u64)>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// What slots take over; each slot stands in one update at most.
    pub updates: Vec<Update>,
    /// What arrays take over.
    pub writes: Vec<Write>,
    /// Slots that nothing reads and the words that show there, before the cycle's stores; bits above those of the slot are left out.
    pub outputs: Vec<(u32, Word)>,
    /// The same of what is shown only where it is asked for.
    pub observed: Vec<(u32, Word)>,
}

/// Whether a store of so many bits leaves out what is above them for nothing: whole bytes.
pub(crate) fn is_cut(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32)
}

impl Program {
    /// Where each array begins in the state, and the length of the state: slots, then arrays.
    pub(crate) fn layout(&self) -> (Vec<usize>, usize) {
        let mut end = self.slot_bits.len();
        let starts = self
            .arrays
            .iter()
            .map(|array| {
                let start = end;
                end += array.depth as usize * array.n_limbs() as usize;
                start
            })
            .collect();
        (starts, end)
    }

    /// Whether every number in it is of something that is there, and no word is said to have fewer bits than what it reads: machine code
    /// relies on it.
    ///
    /// # Panics
    /// Where that is not so.
    pub(crate) fn check(&self) {
        let graph = &self.graph;
        let slot_bits = |slot: u32| self.slot_bits[slot as usize];
        for word in graph.words() {
            match graph.node(word) {
                Node::Slot(slot) => {
                    assert!(
                        graph.bits(word) >= slot_bits(slot),
                        "a slot has more bits than are read"
                    );
                }
                Node::Load { array, limb, .. } => {
                    let array = &self.arrays[array as usize];
                    assert!(
                        limb < array.n_limbs() && graph.bits(word) >= array.limb_bits(limb),
                        "an array has other limbs than are read"
                    );
                }
                Node::Constant(_) | Node::Binary(..) | Node::Select(..) | Node::Result { .. } => {}
            }
        }
        let stores = self.updates.iter().flat_map(|update| &update.stores);
        for (slot, _) in stores.chain(&self.outputs).chain(&self.observed) {
            let _ = slot_bits(*slot);
        }
        for slot in &self.switches {
            assert_eq!(slot_bits(*slot), 1, "a switch has one bit");
        }
        for write in &self.writes {
            let n_limbs = self.arrays[write.array as usize].n_limbs() as usize;
            assert_eq!(write.limbs.len(), n_limbs, "a write has every limb");
        }
    }

    /// The state at the start.
    pub(crate) fn state(&self) -> Vec<u64> {
        let (starts, end) = self.layout();
        let mut state = vec![0; end];
        for (slot, value) in &self.initial {
            state[*slot as usize] = *value & mask(self.slot_bits[*slot as usize]);
        }
        for (array, start) in self.arrays.iter().zip(starts) {
            let length = array.depth as usize * array.n_limbs() as usize;
            let cells = state[start..start + length].iter_mut();
            let limbs = (0..array.n_limbs()).cycle();
            for ((cell, value), limb) in cells.zip(&array.initial).zip(limbs) {
                *cell = *value & mask(array.limb_bits(limb));
            }
        }
        state
    }

    /// Replaces every word that is stored, written, shown or decides on it; told is how many low bits of it count.
    pub(crate) fn map_sinks(&mut self, mut new: impl FnMut(Word, u32) -> Word) {
        let bits = &self.slot_bits;
        for update in &mut self.updates {
            update.when = update.when.map(|when| new(when, 64));
            for (slot, word) in &mut update.stores {
                *word = new(*word, bits[*slot as usize]);
            }
        }
        for write in &mut self.writes {
            write.when = new(write.when, 64);
            write.index = new(write.index, 64);
            let array = &self.arrays[write.array as usize];
            for (limb, word) in (0..).zip(&mut write.limbs) {
                *word = new(*word, array.limb_bits(limb));
            }
        }
        for (slot, word) in &mut self.outputs {
            *word = new(*word, bits[*slot as usize]);
        }
    }

    /// Cuts what is stored to the bits that count, but where a store of whole bytes does that.
    pub(crate) fn cut_stores(&mut self) {
        let mut graph = std::mem::take(&mut self.graph);
        self.map_sinks(|word, bits| {
            if is_cut(bits) {
                word
            } else {
                graph.low(word, bits)
            }
        });
        self.graph = graph;
    }
}
