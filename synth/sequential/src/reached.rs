//! States reached by simulation, and cubes (combinations of register values) that none of them contains.
//!
//! An unreachable state has, for example, two tokens in a loop that carries one, or a mux that waits for the input that was not
//! selected. A few of its bits are enough to exclude it. Source: Bradley, "SAT-based model checking without unrolling" (VMCAI
//! 2011), where a solver finds such cubes; Garg et al., "ICE: a robust framework for learning invariants" (CAV 2014), where they
//! are learnt from the states seen, as here.

use crate::classes::Sample;
use crate::logic::Logic;

/// A combination of register values: registers with their values.
pub(crate) type Cube = Vec<(usize, bool)>;

/// The most registers of a cube: a larger cube is likely to be absent only because few states were simulated.
const MAX_BITS: usize = 12;

/// Words of states that are counted before comparing with the limit.
const WORDS_AT_ONCE: usize = 16;

/// The result of searching for a state with given bits.
pub(crate) enum Met {
    /// No state contains this cube of the bits.
    Nothing(Cube),
    /// The state with these register values has all of the bits.
    State(Vec<bool>),
    /// No state has all of the bits, but no small cube shows it.
    Unknown,
}

/// The states reached by simulation, one bit vector for each register.
pub(crate) struct Reached {
    /// For each register, its values in 64 states per word.
    words: Vec<Vec<u64>>,
    /// For each register, the number of states in which it is 1.
    n_set: Vec<u32>,
}

impl Reached {
    /// Creates an empty set of states.
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

    /// Returns a state with all of the bits, or a small cube of them that neither these states nor the first state contain.
    pub(crate) fn find(&self, logic: &Logic, bits: &[(usize, bool)]) -> Met {
        let n_words = self.words.first().map_or(0, Vec::len);
        // Words of the states that have all chosen bits.
        let mut left: Vec<(usize, u64)> = (0..n_words).map(|word| (word, u64::MAX)).collect();
        let mut chosen: Cube = Vec::new();
        while !left.is_empty() {
            if chosen.len() == MAX_BITS {
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
        // Bits chosen early may be redundant after later ones.
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

    /// Returns the bit that the fewest of the remaining states have; `None` if all states have all bits.
    fn rarest(
        &self,
        bits: &[(usize, bool)],
        left: &[(usize, u64)],
        n_words: usize,
    ) -> Option<(usize, bool)> {
        let n_left: u32 = left.iter().map(|(_, states)| states.count_ones()).sum();
        let is_all = left.len() == n_words && n_left as usize == 64 * n_words;
        // The number of states that have a bit; `None` if it exceeds `most`.
        let alike = |(register, is_set): (usize, bool), most: u32| -> Option<u32> {
            if is_all {
                let n_set = self.n_set[register];
                return Some(if is_set { n_set } else { n_left - n_set });
            }
            let flip = if is_set { 0 } else { u64::MAX };
            let words = &self.words[register];
            let mut n_alike = 0;
            for some in left.chunks(WORDS_AT_ONCE) {
                let alike = some
                    .iter()
                    .map(|(word, states)| (states & (words[*word] ^ flip)).count_ones());
                n_alike += alike.sum::<u32>();
                if n_alike > most {
                    return None;
                }
            }
            Some(n_alike)
        };
        let mut rarest: Option<(u32, (usize, bool))> = None;
        for bit in bits {
            let most = rarest.map_or(n_left, |(n_alike, _)| n_alike);
            if let Some(n_alike) = alike(*bit, most) {
                let found = (n_alike, *bit);
                rarest = Some(rarest.map_or(found, |known| known.min(found)));
            }
        }
        let (n_alike, bit) = rarest?;
        (n_alike < n_left).then_some(bit)
    }

    /// Keeps only the states that have a bit.
    fn keep(&self, left: &mut Vec<(usize, u64)>, (register, is_set): (usize, bool)) {
        let flip = if is_set { 0 } else { u64::MAX };
        for (word, states) in left.iter_mut() {
            *states &= self.words[register][*word] ^ flip;
        }
        left.retain(|(_, states)| *states != 0);
    }

    /// Returns whether no state contains these bits.
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

#[cfg(test)]
mod tests {
    use super::Reached;
    use crate::simulation::Random;

    #[test]
    fn the_rarest_bit_is_that_of_counting_all() {
        let mut random = Random::new();
        let (n_registers, n_words) = (12, 70);
        for case in 0..50 {
            let mut word = |register: usize| match register % 3 {
                0 => random.word() & random.word() & random.word(),
                1 => random.word() | random.word(),
                _ => random.word(),
            };
            let words: Vec<Vec<u64>> = (0..n_registers)
                .map(|register| (0..n_words).map(|_| word(register)).collect())
                .collect();
            let n_set = words
                .iter()
                .map(|words| words.iter().map(|word| word.count_ones()).sum());
            let reached = Reached {
                n_set: n_set.collect(),
                words,
            };
            let bits: Vec<(usize, bool)> = (0..n_registers)
                .map(|register| (register, random.word() & 1 == 1))
                .collect();
            let mut left: Vec<(usize, u64)> = (0..n_words).map(|word| (word, u64::MAX)).collect();
            while let Some(found) = reached.rarest(&bits, &left, n_words) {
                let counted = bits.iter().map(|(register, is_set)| {
                    let flip = if *is_set { 0 } else { u64::MAX };
                    let states = left.iter().map(|(word, states)| {
                        (states & (reached.words[*register][*word] ^ flip)).count_ones()
                    });
                    (states.sum::<u32>(), (*register, *is_set))
                });
                assert_eq!(
                    counted.min().map(|(_, bit)| bit),
                    Some(found),
                    "case {case}"
                );
                reached.keep(&mut left, found);
                if left.is_empty() {
                    break;
                }
            }
        }
    }
}
