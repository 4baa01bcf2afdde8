//! A program: the state of a synchronous machine, its next state, and its outputs.

use crate::graph::{Graph, Node, Word, mask};

/// An array of words in the state.
#[derive(Clone, Debug)]
pub struct Array {
    /// The number of its words.
    pub depth: u32,
    /// Width of a word in bits.
    pub width_bits: u32,
    /// The initial limbs, word by word, the least significant limb of a word first.
    pub initial: Vec<u64>,
}

impl Array {
    /// Returns the number of limbs of a word.
    pub fn n_limbs(&self) -> u32 {
        n_limbs(self.width_bits)
    }

    /// Returns the width of a limb in bits.
    pub fn limb_bits(&self, limb: u32) -> u32 {
        limb_bits(self.width_bits, limb)
    }
}

/// Returns the number of 64-bit limbs of a value, at least one.
pub fn n_limbs(width_bits: u32) -> u32 {
    width_bits.div_ceil(64).max(1)
}

/// Returns the width of a limb of a value in bits.
pub fn limb_bits(width_bits: u32, limb: u32) -> u32 {
    width_bits.saturating_sub(limb.saturating_mul(64)).min(64)
}

/// Slots that load words at the end of a cycle.
#[derive(Clone, Debug)]
pub struct Update {
    /// Condition: only if this is not 0.
    pub when: Option<Word>,
    /// Slots and their next words; bits above the width of the slot are dropped.
    pub stores: Vec<(u32, Word)>,
}

/// A write to a word of an array at the end of a cycle; of several writes to one word, the last one wins.
#[derive(Clone, Debug)]
pub struct Write {
    /// Condition: only if this is not 0.
    pub when: Word,
    /// Number of the array.
    pub array: u32,
    /// The index of the word; an index beyond the end writes nothing.
    pub index: Word,
    /// Its limbs; bits above the width are dropped.
    pub limbs: Vec<Word>,
}

/// A program: slots, arrays, and their updates in a cycle.
///
/// All words are computed from the state at the start of the cycle; then all stores and writes happen at once.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The operators that compute the words.
    pub graph: Graph,
    /// Width of each slot in bits.
    pub slot_bits: Vec<u32>,
    /// Slots of one bit that only the user sets, and seldom: code is specialised for their values.
    pub switches: Vec<u32>,
    /// Slots whose initial value is not 0.
    pub initial: Vec<(u32, u64)>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// The updates of slots; a slot is in at most one update.
    pub updates: Vec<Update>,
    /// The writes to arrays.
    pub writes: Vec<Write>,
    /// Output slots, which nothing reads, and their words, computed before the stores of the cycle; bits above the width of the
    /// slot are dropped.
    pub outputs: Vec<(u32, Word)>,
    /// Further outputs, which are computed only on request.
    pub observed: Vec<(u32, Word)>,
}

/// Returns whether a store of this width truncates without a mask, because it stores whole bytes.
pub(crate) fn is_cut(bits: u32) -> bool {
    matches!(bits, 8 | 16 | 32)
}

impl Program {
    /// Returns the position of each array in the state, and the length of the state: slots, then arrays.
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

    /// Checks that every index is in range, and that no word is declared with fewer bits than the slot or array it reads. Machine
    /// code relies on this.
    ///
    /// # Panics
    /// If the check fails.
    pub(crate) fn check(&self) {
        let graph = &self.graph;
        let slot_bits = |slot: u32| self.slot_bits[slot as usize];
        for word in graph.words() {
            match graph.node(word) {
                Node::Slot(slot) => {
                    assert!(
                        graph.bits(word) >= slot_bits(slot),
                        "a slot is wider than the word that reads it"
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

    /// Returns the initial state.
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

    /// Replaces every word that is stored, written or an output, and every condition and index; `new` is also given the number of
    /// low bits that are used.
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

    /// Masks the words that are stored, unless a store of whole bytes truncates them.
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
