//! States that runs reach, and what none of them is: bits that no state has together.
//!
//! A state that no run comes to has two tokens on a ring for one, for instance, or a choice that waits for the side that was not taken: few
//! of its bits say so. Source: Bradley, "SAT-based model checking without unrolling" (VMCAI 2011), where such bits are found by a
//! solver; Garg et al., "ICE: a robust framework for learning invariants" (CAV 2014), where they are those of no state that was seen, as
//! here.

use crate::classes::Sample;
use crate::logic::Logic;

/// Bits that no state has together: registers, and what they hold.
pub(crate) type Cube = Vec<(usize, bool)>;

/// Registers of a cube at most: with more of them a cube is new because few states were seen.
const MOST_BITS: usize = 12;

/// Which states have some bits.
pub(crate) enum Met {
    /// None has these of them.
    Nothing(Cube),
    /// A state with these registers has all of them.
    State(Vec<bool>),
    /// None of those here has all of them, but only many of them say so.
    Unknown,
}

/// States of runs, bit by bit.
pub(crate) struct Reached {
    /// For each register, what it holds in 64 states each.
    words: Vec<Vec<u64>>,
    /// For each register, states in which it is set.
    n_set: Vec<u32>,
}

impl Reached {
    /// Without states.
    pub(crate) fn new(logic: &Logic) -> Self {
        Self {
            words: vec![Vec::new(); logic.registers.len()],
            n_set: vec![0; logic.registers.len()],
        }
    }

    /// Adds the states of a cycle.
    pub(crate) fn add(&mut self, logic: &Logic, sample: &[Sample], n_words: usize) {
        let columns = self.words.iter_mut().zip(&mut self.n_set);
        for (register, (words, n_set)) in logic.registers.iter().zip(columns) {
            let held = &sample[register.node][..n_words];
            *n_set += held.iter().map(|word| word.count_ones()).sum::<u32>();
            words.extend(held);
        }
    }

    /// A state with some bits, or a few of these that no state here has, nor the first one.
    pub(crate) fn find(&self, logic: &Logic, bits: &[(usize, bool)]) -> Met {
        let n_words = self.words.first().map_or(0, Vec::len);
        // Words with the states that have all bits so far.
        let mut left: Vec<(usize, u64)> = (0..n_words).map(|word| (word, u64::MAX)).collect();
        let mut chosen: Cube = Vec::new();
        while !left.is_empty() {
            if chosen.len() == MOST_BITS {
                return Met::Unknown;
            }
            let Some(bit) = self.rarest(bits, &left, n_words) else {
                let (word, states) = left[0];
                let bit = states.trailing_zeros();
                let held = self.words.iter().map(|words| words[word] >> bit & 1 == 1);
                return Met::State(held.collect());
            };
            self.keep(&mut left, bit);
            chosen.push(bit);
        }
        // What came first may be needless with what came later.
        for place in (0..chosen.len()).rev() {
            let mut fewer = chosen.clone();
            fewer.remove(place);
            if !fewer.is_empty() && self.is_new(&fewer) {
                chosen = fewer;
            }
        }
        let is_first = |(register, is_set): &(usize, bool)| {
            let first = logic.registers[*register].first;
            first.is_none_or(|first| first == *is_set)
        };
        chosen.sort_unstable();
        match chosen.iter().all(is_first) {
            true => Met::Unknown,
            false => Met::Nothing(chosen),
        }
    }

    /// The bit that the fewest of some states have; `None` where all have all.
    fn rarest(
        &self,
        bits: &[(usize, bool)],
        left: &[(usize, u64)],
        n_words: usize,
    ) -> Option<(usize, bool)> {
        let n_left: u32 = left.iter().map(|(_, states)| states.count_ones()).sum();
        let is_all = left.len() == n_words && n_left as usize == 64 * n_words;
        let alike = |(register, is_set): (usize, bool)| -> u32 {
            if is_all {
                let n_set = self.n_set[register];
                return if is_set { n_set } else { n_left - n_set };
            }
            let flip = if is_set { 0 } else { u64::MAX };
            let words = &self.words[register];
            let alike = left
                .iter()
                .map(|(word, states)| (states & (words[*word] ^ flip)).count_ones());
            alike.sum()
        };
        let rarest = bits.iter().map(|bit| (alike(*bit), *bit)).min()?;
        (rarest.0 < n_left).then_some(rarest.1)
    }

    /// Keeps the states that have a bit.
    fn keep(&self, left: &mut Vec<(usize, u64)>, (register, is_set): (usize, bool)) {
        let flip = if is_set { 0 } else { u64::MAX };
        for (word, states) in left.iter_mut() {
            *states &= self.words[register][*word] ^ flip;
        }
        left.retain(|(_, states)| *states != 0);
    }

    /// Whether no state has some bits.
    fn is_new(&self, bits: &[(usize, bool)]) -> bool {
        let n_words = self.words[0].len();
        (0..n_words).all(|word| {
            let all = bits.iter().fold(u64::MAX, |all, (register, is_set)| {
                let flip = if *is_set { 0 } else { u64::MAX };
                all & (self.words[*register][word] ^ flip)
            });
            all == 0
        })
    }
}
