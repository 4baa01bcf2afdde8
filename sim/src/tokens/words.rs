//! Tokens as words: a mark that tells whether the value is defined, then its bits; no words for a token without data.

use sluice_ir::bits::Bits;
use sluice_ir::{Context, Type, TypeKind};

/// The mark of a defined value. The mark of an undefined value is the number of the operation that made it, plus 1.
pub(super) const DEFINED: u64 = 0;

/// The layout of the tokens of a channel in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Width of each integer, for a tuple those of all its parts.
    pub(super) widths_bits: Vec<u32>,
    /// Number of words of a token.
    pub(super) n_words: usize,
}

impl Layout {
    /// Returns the layout of a type that a channel may have.
    pub(super) fn of(context: &Context, ty: Type) -> Option<Self> {
        let mut layout = Self::empty();
        layout.add(context, ty).then_some(layout)
    }

    /// Returns the layout of a token without data.
    pub(super) fn empty() -> Self {
        Self {
            widths_bits: Vec::new(),
            n_words: 0,
        }
    }

    /// Appends the words of another token.
    pub(super) fn append(&mut self, other: &Self) {
        self.widths_bits.extend(&other.widths_bits);
        self.n_words += other.n_words;
    }

    fn add(&mut self, context: &Context, ty: Type) -> bool {
        match ty.kind(context) {
            TypeKind::None => true,
            TypeKind::Tuple(parts) => parts.iter().all(|part| self.add(context, *part)),
            TypeKind::Integer { width_bits, .. } if ty.is_signless_integer(context) => {
                self.widths_bits.push(*width_bits);
                self.n_words += 1 + n_limbs(*width_bits);
                true
            }
            _ => false,
        }
    }

    /// Returns the width of the integer, if a token has exactly one.
    pub(super) fn width_bits(&self) -> Option<u32> {
        match self.widths_bits[..] {
            [width_bits] => Some(width_bits),
            _ => None,
        }
    }

    /// Returns a token of one integer.
    pub(super) fn token(bits: &Bits) -> Vec<u64> {
        let mut words = vec![DEFINED];
        words.extend(bits.limbs());
        words
    }

    /// Returns the parts of a token, and whether all of them are defined.
    pub(super) fn parts(&self, token: &[u64]) -> (Vec<Bits>, bool) {
        let (mut parts, mut is_defined, mut at) = (Vec::new(), true, 0);
        for width_bits in &self.widths_bits {
            let end = at + 1 + n_limbs(*width_bits);
            is_defined &= token[at] == DEFINED;
            parts.push(Bits::from_limbs(*width_bits, &token[at + 1..end]));
            at = end;
        }
        (parts, is_defined)
    }
}

/// Returns the number of words that hold the bits of an integer.
pub(super) fn n_limbs(width_bits: u32) -> usize {
    Bits::zero(width_bits).limbs().len()
}

/// Returns the number in a token, but at most `last`.
pub(super) fn at_most(token: &[u64], last: usize) -> usize {
    match token.get(1..) {
        Some([low, high @ ..]) if high.iter().all(|limb| *limb == 0) => {
            usize::try_from(*low).map_or(last, |number| number.min(last))
        }
        _ => last,
    }
}
