//! Instruction fusion: two operators become one instruction.

use rustc_hash::FxHashMap;

use crate::graph::{Binary, Graph, Node, Word, mask};

/// An operator that is fused with one of its operands.
pub(super) struct Fusion {
    /// The operand.
    pub(super) inner: Word,
    pub(super) whole: Whole,
}

/// The fused operation.
#[derive(Clone, Copy)]
pub(super) enum Whole {
    /// A bit field of a word: first bit and number of bits.
    Field {
        of: Word,
        by: u8,
        bits: u8,
    },
    /// The low bits of a word as a signed number.
    Signed {
        of: Word,
        bits: u8,
    },
    /// A word shifted left, combined by `or` with another.
    Join {
        of: Word,
        by: u8,
        other: Word,
    },
    /// The first word and the complement of the second.
    AndNot(Word, Word),
    /// The first word or the complement of the second, which is a single bit.
    OrNot(Word, Word),
    And(Word, Word, Word),
    Or(Word, Word, Word),
    Xor(Word, Word, Word),
    /// `(first & second) | third`.
    AndOr(Word, Word, Word),
    /// `(first | second) & third`.
    OrAnd(Word, Word, Word),
    /// The low bits of a sum.
    Sum(Word, Word, u8),
    /// The low bits of a product.
    Product(Word, Word, u8),
    /// `first * second + third`.
    MulAdd(Word, Word, Word),
}

/// The search for an operand to fuse with.
struct Search<'a> {
    graph: &'a Graph,
    n_uses: &'a [u32],
    known: &'a FxHashMap<Word, Fusion>,
}

impl Search<'_> {
    /// Returns the operands of an operator of the wanted kind, if it has a single use and is not fused itself.
    fn only(&self, inner: Word, wanted: Binary) -> Option<(Word, Word)> {
        match self.graph.node(inner) {
            Node::Binary(op, of, by) if op == wanted => {
                let is_free = self.n_uses[inner.at()] == 1 && !self.known.contains_key(&inner);
                is_free.then_some((of, by))
            }
            _ => None,
        }
    }

    fn shift(&self, inner: Word, wanted: Binary) -> Option<(Word, u8)> {
        let (of, by) = self.only(inner, wanted)?;
        let by = self.graph.constant_of(by).filter(|by| *by < 64)?;
        Some((of, u8::try_from(by).expect("below 64")))
    }

    /// Fuses two operators into an operation on three words, if one of the operands is an operator of the wanted kind.
    fn three(
        &self,
        operands: [(Word, Word); 2],
        wanted: Binary,
        whole: fn(Word, Word, Word) -> Whole,
    ) -> Option<(Word, Whole)> {
        operands.into_iter().find_map(|(inner, other)| {
            let (one, two) = self.only(inner, wanted)?;
            Some((inner, whole(one, two, other)))
        })
    }
}

/// Returns the word of which another word is the complement in its low `bits` bits; `None` if the word is itself fused. It may
/// have other uses, which then compute it themselves.
fn complement(
    graph: &Graph,
    known: &FxHashMap<Word, Fusion>,
    word: Word,
    bits: u32,
) -> Option<Word> {
    let Node::Binary(Binary::Xor, of, ones) = graph.node(word) else {
        return None;
    };
    let ones = graph.constant_of(ones)?;
    let is_all = ones & mask(bits) == mask(bits) && !known.contains_key(&word);
    is_all.then_some(of)
}

/// Returns the bit of which a single bit is the complement.
pub(super) fn inverse_bit(
    graph: &Graph,
    known: &FxHashMap<Word, Fusion>,
    word: Word,
) -> Option<Word> {
    let of = complement(graph, known, word, 1)?;
    (graph.bits(of) == 1 && graph.bits(word) == 1).then_some(of)
}

impl Fusion {
    /// Returns the fusion of a word with an operand; an operand that is fused itself is not fused again.
    pub(super) fn of(
        graph: &Graph,
        word: Word,
        n_uses: &[u32],
        known: &FxHashMap<Word, Self>,
    ) -> Option<Self> {
        let Node::Binary(op, a, b) = graph.node(word) else {
            return None;
        };
        let search = Search {
            graph,
            n_uses,
            known,
        };
        let both = [(a, b), (b, a)];
        let (inner, whole) = match op {
            Binary::And => match graph.constant_of(b) {
                Some(kept) => {
                    let is_low = kept & kept.wrapping_add(1) == 0;
                    let bits = u8::try_from(kept.count_ones()).expect("at most 64");
                    let field = search.shift(a, Binary::Shr);
                    let field = field.map(|(of, by)| Whole::Field { of, by, bits });
                    let sum = || {
                        let (one, two) = search.only(a, Binary::Add)?;
                        Some(Whole::Sum(one, two, bits))
                    };
                    let product = || {
                        let (one, two) = search.only(a, Binary::Mul)?;
                        Some(Whole::Product(one, two, bits))
                    };
                    let whole = field.or_else(sum).or_else(product);
                    (a, whole.filter(|_| is_low)?)
                }
                None => {
                    let mut either = both.into_iter();
                    let not = either.find_map(|(inner, other)| {
                        let of = complement(graph, known, inner, graph.bits(other))?;
                        Some((inner, Whole::AndNot(other, of)))
                    });
                    not.or_else(|| search.three(both, Binary::And, Whole::And))
                        .or_else(|| search.three(both, Binary::Or, Whole::OrAnd))?
                }
            },
            Binary::Or => {
                let mut either = both.into_iter();
                let join = either.find_map(|(inner, other)| {
                    let (of, by) = search.shift(inner, Binary::Shl)?;
                    Some((inner, Whole::Join { of, by, other }))
                });
                let or_not = || {
                    both.into_iter().find_map(|(inner, other)| {
                        let of = inverse_bit(graph, known, inner)?;
                        Some((inner, Whole::OrNot(other, of)))
                    })
                };
                join.or_else(|| search.three(both, Binary::Or, Whole::Or))
                    .or_else(or_not)
                    .or_else(|| search.three(both, Binary::And, Whole::AndOr))?
            }
            Binary::Sar => {
                let by = graph.constant_of(b).filter(|by| *by < 64)?;
                let (of, up) = search.shift(a, Binary::Shl)?;
                let bits = 64 - up;
                (u64::from(up) == by).then_some((a, Whole::Signed { of, bits }))?
            }
            Binary::Xor => search.three(both, Binary::Xor, Whole::Xor)?,
            Binary::Add => search.three(both, Binary::Mul, Whole::MulAdd)?,
            _ => return None,
        };
        Some(Self { inner, whole })
    }
}
