//! Uses and live ranges of words, which decide which words need no temporary of their own.

use rustc_hash::FxHashMap;

use super::fusion::{Fusion, inverse_bit};
use crate::graph::{Graph, Node, Word};
use crate::plan::Step;
use crate::program::{Program, is_cut};

/// The uses of the words in a list of steps.
pub(super) struct Uses {
    /// Words that are fused into all of their uses.
    is_fused: Vec<bool>,
    /// Words that are computed by a fused operation.
    fusions: FxHashMap<Word, Fusion>,
    /// The number of steps that read each word as an operand.
    n_uses: Vec<u32>,
    /// For each slot, the step that stores to it, or that computes a word in it.
    stored_at: Vec<usize>,
    /// For each step that computes a word, the last step that reads the word.
    last_use: Vec<usize>,
    /// Words that are computed directly in a slot.
    made_in: FxHashMap<Word, u32>,
}

/// Calls `each` with the words that a step reads.
fn reads(graph: &Graph, step: &Step, mut each: impl FnMut(Word)) {
    match step {
        Step::Compute(word) => {
            if !matches!(graph.node(*word), Node::Result { .. }) {
                graph.for_operands(*word, each);
            }
        }
        Step::Call(call) => {
            let operands = graph.calls[*call as usize].operands.iter();
            operands.copied().for_each(each);
        }
        Step::Row(_) => unreachable!("only callers that know rows ask for them"),
        Step::Store(_, word) | Step::SkipUnless(word, _) => each(*word),
        Step::StoreWhere(_, condition, word) => {
            each(*condition);
            each(*word);
        }
        Step::Write { index, limbs, .. } => {
            each(*index);
            limbs.iter().copied().for_each(each);
        }
    }
}

/// Returns for each step the skip that it is under; `usize::MAX` for none.
fn skips(steps: &[Step]) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let each = steps.iter().enumerate().map(|(at, step)| {
        while open.last().is_some_and(|(_, end)| *end <= at) {
            open.pop();
        }
        let under = open.last().map_or(usize::MAX, |(skip, _)| *skip);
        if let Step::SkipUnless(_, n) = step {
            open.push((at, at + 1 + n));
        }
        under
    });
    each.collect()
}

impl Uses {
    pub(super) fn of(program: &Program, steps: &[Step]) -> Self {
        let graph = &program.graph;
        let mut n_uses = vec![0_u32; graph.len()];
        for step in steps {
            reads(graph, step, |word| n_uses[word.at()] += 1);
        }
        let mut uses = Self {
            is_fused: vec![false; graph.len()],
            fusions: FxHashMap::default(),
            n_uses,
            stored_at: vec![usize::MAX; program.slot_bits.len()],
            last_use: vec![0; steps.len()],
            made_in: FxHashMap::default(),
        };
        for step in steps {
            if let Step::Compute(word) = step
                && let Some(fusion) = Fusion::of(graph, *word, &uses.n_uses, &uses.fusions)
            {
                uses.absorb(fusion.inner);
                uses.fusions.insert(*word, fusion);
            }
        }
        for step in steps {
            if let Step::StoreWhere(_, condition, _) | Step::SkipUnless(condition, _) = step
                && uses.complement(graph, *condition).is_some()
            {
                uses.absorb(*condition);
            }
        }
        let mut made_at = vec![usize::MAX; graph.len()];
        for (at, step) in steps.iter().enumerate() {
            let inside = match step {
                Step::Compute(word) => uses.fusions.get(word).map(|fusion| fusion.inner),
                Step::StoreWhere(_, condition, _) | Step::SkipUnless(condition, _) => {
                    Some(*condition).filter(|word| uses.complement(graph, *word).is_some())
                }
                _ => None,
            };
            let mut used = |word: Word| {
                if let Some(made) = uses.last_use.get_mut(made_at[word.at()]) {
                    *made = at;
                }
            };
            reads(graph, step, &mut used);
            if let Some(inside) = inside {
                graph.for_operands(inside, used);
            }
            match step {
                Step::Compute(word) => made_at[word.at()] = at,
                Step::Store(slot, _) | Step::StoreWhere(slot, ..) => {
                    uses.stored_at[*slot as usize] = at;
                }
                _ => {}
            }
        }
        uses.make_in_slots(program, steps, &made_at);
        uses
    }

    /// Finds the words that can be computed directly in the slot they are stored to: the old value of the slot is not read any
    /// more, and no other step stores to it.
    fn make_in_slots(&mut self, program: &Program, steps: &[Step], made_at: &[usize]) {
        let graph = &program.graph;
        let under = skips(steps);
        let mut n_stores = vec![0_u32; program.slot_bits.len()];
        for step in steps {
            if let Step::Store(slot, _) | Step::StoreWhere(slot, ..) = step {
                n_stores[*slot as usize] += 1;
            }
        }
        for (at, step) in steps.iter().enumerate() {
            let Step::Store(slot, word) = *step else {
                continue;
            };
            let made = made_at[word.at()];
            let is_operator = !matches!(
                graph.node(word),
                Node::Constant(_) | Node::Slot(_) | Node::Result { .. }
            );
            let bits = program.slot_bits[slot as usize];
            let is_whole = !(is_cut(bits) && graph.bits(word) > bits);
            let is_alone = n_stores[slot as usize] == 1;
            if !is_operator || !is_whole || !is_alone || made >= at || under[made] != under[at] {
                continue;
            }
            let old = graph.known_word(Node::Slot(slot));
            let old = old.map_or(usize::MAX, |old| made_at[old.at()]);
            // A word that is read after the store has a copy, which is made before it.
            let is_in_the_way =
                old != usize::MAX && (old > made || (made + 1..=at).contains(&self.last_use[old]));
            if !is_in_the_way && !self.made_in.contains_key(&word) {
                self.made_in.insert(word, slot);
                self.stored_at[slot as usize] = made;
            }
        }
    }

    /// Removes a use of a word that is fused into it.
    fn absorb(&mut self, word: Word) {
        self.n_uses[word.at()] -= 1;
        self.is_fused[word.at()] = self.n_uses[word.at()] == 0;
    }

    /// Returns the bit of which a condition is the complement.
    pub(super) fn complement(&self, graph: &Graph, condition: Word) -> Option<Word> {
        inverse_bit(graph, &self.fusions, condition)
    }

    /// Returns whether a word is fused into all of its uses.
    pub(super) fn is_fused(&self, word: Word) -> bool {
        self.is_fused[word.at()]
    }

    /// Returns the fused operation that computes a word.
    pub(super) fn fusion(&self, word: Word) -> Option<&Fusion> {
        self.fusions.get(&word)
    }

    /// Returns whether exactly one step reads the word.
    pub(super) fn is_read_once(&self, word: Word) -> bool {
        self.n_uses[word.at()] == 1
    }

    /// Returns the slot in which a word is computed directly.
    pub(super) fn made_in(&self, word: Word) -> Option<u32> {
        self.made_in.get(&word).copied()
    }

    /// Returns whether all reads of a word, which a step loads from a slot, come before the slot is overwritten.
    pub(super) fn stays(&self, slot: u32, at: usize) -> bool {
        self.last_use[at] <= self.stored_at[slot as usize]
    }
}
