//! Rows: groups of eight adjacent slots with isomorphic next values, which are computed together in vectors.
//!
//! Source: S. Larsen, S. Amarasinghe, Exploiting superword level parallelism with multimedia instruction sets, PLDI 2000.
//! Differs: only stores are seeds, and words that are not isomorphic are computed one by one.

use rustc_hash::FxHashMap;

use crate::demand::demanded;
use crate::graph::{Binary, Graph, Node, Word};
use crate::program::Program;

/// Slots in a row.
pub(crate) const ROW_SLOTS: u32 = 8;

/// Words in a row.
pub(crate) const ROW: usize = ROW_SLOTS as usize;

/// The most parts of a row.
const MAX_PARTS: usize = 24;

/// A vector operation on the eight words of a row; operands are the numbers of earlier parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The values of eight slots from this one on.
    Slots(u32),
    /// The same word in all lanes.
    Same(Word),
    Constants([u64; ROW]),
    Binary(Binary, usize, usize),
    /// Products of words of at most 32 bits, or products of which only the low 32 bits are used.
    Product(usize, usize),
    /// The first part if a word is not 0, else the second.
    Choose(Word, usize, usize),
}

/// The next values of eight adjacent slots.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The first slot.
    pub(crate) slot: u32,
    /// The parts; the last one is the next value.
    pub(crate) parts: Vec<Part>,
    /// Whether words have more bits than the slots.
    pub(crate) is_cut: bool,
}

impl Row {
    /// Returns the slots that are stored to.
    pub(crate) fn slots(&self) -> std::ops::Range<u32> {
        self.slot..self.slot + ROW_SLOTS
    }

    /// Returns the scalar words that the row reads.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word> {
        self.parts.iter().filter_map(|part| match part {
            Part::Same(word) | Part::Choose(word, ..) => Some(*word),
            Part::Slots(_) | Part::Constants(_) | Part::Binary(..) | Part::Product(..) => None,
        })
    }

    /// Returns the slots that are read.
    pub(crate) fn read(&self) -> impl Iterator<Item = u32> {
        let firsts = self.parts.iter().filter_map(|part| match part {
            Part::Slots(first) => Some(*first),
            _ => None,
        });
        firsts.flat_map(|first| first..first + ROW_SLOTS)
    }
}

/// Returns the rows of a program; they do not overlap.
pub(crate) fn rows(program: &mut Program) -> Vec<Row> {
    let graph = program.graph.clone();
    let demanded = demanded(&graph, program);
    let finder = Finder {
        graph: &graph,
        demanded,
    };
    let mut stores: Vec<(u32, Option<Word>, Word)> = Vec::new();
    for update in &program.updates {
        let all = update.stores.iter();
        stores.extend(all.map(|(slot, word)| (*slot, update.when, *word)));
    }
    stores.sort_unstable_by_key(|(slot, ..)| *slot);
    let mut rows = Vec::new();
    let mut at = 0;
    while let Some(stores) = stores.get(at..at + ROW) {
        let found = finder.row(program, stores);
        at += if found.is_some() { ROW } else { 1 };
        rows.extend(found);
    }
    rows
}

struct Finder<'a> {
    graph: &'a Graph,
    /// For each word, how many of its low bits are used.
    demanded: Vec<u32>,
}

impl Finder<'_> {
    fn row(&self, program: &Program, stores: &[(u32, Option<Word>, Word)]) -> Option<Row> {
        let (slot, when, _) = stores[0];
        let bits = |slot: u32| program.slot_bits[slot as usize];
        let mut words = [stores[0].2; ROW];
        for ((number, store), word) in (0..).zip(stores).zip(&mut words) {
            if store.0 != slot + number || store.1 != when || bits(store.0) != bits(slot) {
                return None;
            }
            *word = store.2;
        }
        let mut parts = Vec::new();
        let mut root = self.part(words, &mut parts)?;
        if matches!(parts[root], Part::Same(_) | Part::Constants(_)) {
            return None;
        }
        if let Some(when) = when {
            parts.push(Part::Slots(slot));
            let old = parts.len() - 1;
            parts.push(Part::Choose(when, root, old));
            root = parts.len() - 1;
        }
        debug_assert_eq!(root + 1, parts.len(), "the whole is last");
        let is_cut = words.iter().any(|word| self.graph.bits(*word) > bits(slot));
        Some(Row {
            slot,
            parts,
            is_cut,
        })
    }

    /// Adds the part that computes these words, if they are isomorphic, and returns its number.
    fn part(&self, words: [Word; ROW], parts: &mut Vec<Part>) -> Option<usize> {
        let part = self.alike(words, parts)?;
        if parts.len() == MAX_PARTS {
            return None;
        }
        parts.push(part);
        Some(parts.len() - 1)
    }

    fn alike(&self, words: [Word; ROW], parts: &mut Vec<Part>) -> Option<Part> {
        let first = words[0];
        if words.iter().all(|word| *word == first) {
            return Some(Part::Same(first));
        }
        match self.graph.node(first) {
            Node::Constant(_) => {
                let mut values = [0; ROW];
                for (word, value) in words.iter().zip(&mut values) {
                    *value = self.graph.constant_of(*word)?;
                }
                Some(Part::Constants(values))
            }
            Node::Slot(slot) => {
                let mut all = (slot..).zip(words);
                all.all(|(slot, word)| self.graph.node(word) == Node::Slot(slot))
                    .then_some(Part::Slots(slot))
            }
            Node::Binary(op, ..) => {
                let is_missing = matches!(
                    op,
                    Binary::MulHigh
                        | Binary::Eq
                        | Binary::Ltu
                        | Binary::Lts
                        | Binary::Udiv
                        | Binary::Urem
                );
                if is_missing {
                    return None;
                }
                let [mut of_a, mut of_b] = [words; 2];
                for ((word, a), b) in words.iter().zip(&mut of_a).zip(&mut of_b) {
                    (*a, *b) = self.operands(op, *word)?;
                }
                let a = self.part(of_a, parts)?;
                let b = self.part(of_b, parts)?;
                let is_short = |word: Word| self.graph.bits(word) <= 32;
                let is_product = op == Binary::Mul
                    && words
                        .iter()
                        .zip(of_a.iter().zip(&of_b))
                        .all(|(word, (a, b))| {
                            self.demanded[word.at()] <= 32 || (is_short(*a) && is_short(*b))
                        });
                Some(match is_product {
                    true => Part::Product(a, b),
                    false => Part::Binary(op, a, b),
                })
            }
            Node::Select(..) | Node::Load { .. } | Node::Result { .. } => None,
        }
    }

    /// Returns the operands of an operator; those of a commutative operator are sorted by kind.
    fn operands(&self, op: Binary, word: Word) -> Option<(Word, Word)> {
        let Node::Binary(of, a, b) = self.graph.node(word) else {
            return None;
        };
        if of != op {
            return None;
        }
        let is_either = matches!(
            op,
            Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor
        );
        let rank = |word: Word| match self.graph.node(word) {
            Node::Slot(_) => 0,
            Node::Binary(..) => 1,
            Node::Select(..) | Node::Load { .. } | Node::Result { .. } => 2,
            Node::Constant(_) => 3,
        };
        Some(match is_either && rank(a) > rank(b) {
            true => (b, a),
            false => (a, b),
        })
    }
}

/// Returns the number of the row for each slot in a row.
pub(crate) fn by_slot(rows: &[Row]) -> FxHashMap<u32, usize> {
    let all = rows.iter().enumerate();
    all.flat_map(|(number, row)| row.slots().map(move |slot| (slot, number)))
        .collect()
}
