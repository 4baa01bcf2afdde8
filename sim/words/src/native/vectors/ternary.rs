//! Fusion of bitwise logic on three words into one instruction.

use crate::graph::{Binary, Node, Word, mask};

use super::InstructionSet;
use super::code::Kind;
use super::lower::Lowering;

/// The truth tables of the three operands.
const TABLES: [u8; 3] = [0xF0, 0xCC, 0xAA];

/// The greatest depth of fused operators: two operators combine three words, and one more may be a complement.
const MAX_DEPTH: u32 = 3;

/// Logic as a function of its leaves.
#[derive(Clone, Default)]
struct Tree {
    leaves: Vec<Word>,
    /// The number of fused operators.
    n_operators: u32,
}

impl Lowering<'_> {
    /// Returns the truth table and the leaves of a word that combines two or three words by several logic operators without other
    /// uses.
    pub(super) fn ternary(&self, word: Word) -> Option<(u8, [Word; 3])> {
        if self.kind(word) == Kind::Bits || self.set == InstructionSet::Avx2 {
            return None;
        }
        let mut tree = Tree::default();
        let table = self.table(word, self.kind(word), MAX_DEPTH, &mut tree)?;
        let first = *tree.leaves.first()?;
        let leaf = |at: usize| tree.leaves.get(at).copied().unwrap_or(first);
        (tree.n_operators > 1).then(|| (table, [leaf(0), leaf(1), leaf(2)]))
    }

    /// Returns the truth table of a word, from at most `depth` levels of operators.
    fn table(&self, word: Word, kind: Kind, depth: u32, tree: &mut Tree) -> Option<u8> {
        let is_root = depth == MAX_DEPTH;
        let ones = match kind {
            Kind::Wide | Kind::Row | Kind::Half => mask(64),
            Kind::Bits | Kind::Narrow => mask(32),
        };
        match self.graph.constant_of(word).map(|value| value & ones) {
            Some(0) => return Some(0),
            Some(value) if value == ones => return Some(0xFF),
            _ => {}
        }
        let is_inner = self.n_readers[word.at()] == 1 && self.kind(word) == kind;
        if let Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b) =
            self.graph.node(word)
            && (is_root || is_inner)
            && depth > 0
        {
            for (a_whole, b_whole) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut tried = tree.clone();
                tried.n_operators += 1;
                let mut of = |word: Word, is_whole: bool| match is_whole {
                    true => leaf(word, &mut tried),
                    false => self.table(word, kind, depth - 1, &mut tried),
                };
                let Some(a) = of(a, a_whole) else { continue };
                let Some(b) = of(b, b_whole) else { continue };
                *tree = tried;
                return Some(match op {
                    Binary::And => a & b,
                    Binary::Or => a | b,
                    _ => a ^ b,
                });
            }
        }
        match is_root {
            true => None,
            false => leaf(word, tree),
        }
    }
}

fn leaf(word: Word, tree: &mut Tree) -> Option<u8> {
    let known = tree.leaves.iter().position(|leaf| *leaf == word);
    let at = known.unwrap_or(tree.leaves.len());
    if known.is_none() {
        if at == TABLES.len() {
            return None;
        }
        tree.leaves.push(word);
    }
    Some(TABLES[at])
}
