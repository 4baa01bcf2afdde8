//! Algebras of bit vectors: the meaning of an operation is written once over [`Algebra`] and used in every instance of it.

mod concrete;
mod float;
mod known_bits;
mod ranges;
mod terms;

use crate::bits::Bits;

pub use concrete::Concrete;
pub use float::{
    FloatFormat, FloatFunction, FloatOp, FloatPredicate, Rounding, SpecialValues, expand,
    has_functions, special_values,
};
pub use known_bits::{KnownBits, KnownBitsWord};
pub use ranges::{Ranges, RangesWord};
pub use terms::{Binary, TermId, TermNode, Terms};

/// The operators of which meanings consist.
///
/// Words carry their width. Binary operators take words of one width. A division by zero has the value that SMT-LIB defines
/// (quotient all ones, remainder the dividend; with the signs of signed division), and the most negative number divided by -1
/// wraps. An operation for which these are undefined states that with [`Algebra::require`].
pub trait Algebra {
    /// A value of the algebra.
    type Word: Clone;

    /// Returns a constant.
    fn constant(&mut self, value: Bits) -> Self::Word;
    /// Returns the width of a word in bits.
    fn width(&self, word: &Self::Word) -> u32;
    /// Returns the sum, wrapped.
    fn add(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the difference, wrapped.
    fn sub(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the product, wrapped.
    fn mul(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the conjunction.
    fn and(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the disjunction.
    fn or(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the exclusive or.
    fn xor(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the complement.
    fn not(&mut self, a: &Self::Word) -> Self::Word;
    /// Returns the negation, wrapped.
    fn neg(&mut self, a: &Self::Word) -> Self::Word;
    /// Returns the unsigned quotient.
    fn udiv(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the unsigned remainder.
    fn urem(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the signed quotient, rounded to zero.
    fn sdiv(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the signed remainder, sign of the dividend.
    fn srem(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Shifts to the left; the result is 0 if the amount is at least the width.
    fn shl(&mut self, a: &Self::Word, amount: &Self::Word) -> Self::Word;
    /// Shifts to the right with zeros; the result is 0 if the amount is at least the width.
    fn lshr(&mut self, a: &Self::Word, amount: &Self::Word) -> Self::Word;
    /// Shifts to the right with sign bits; all bits are the sign if the amount is at least the width.
    fn ashr(&mut self, a: &Self::Word, amount: &Self::Word) -> Self::Word;
    /// Compares for equality; the result is one bit.
    fn eq(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Compares for unsigned less than; the result is one bit.
    fn ult(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Compares for signed less than; the result is one bit.
    fn slt(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns `condition ? a : b`.
    fn ite(&mut self, condition: &Self::Word, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// Returns the zero extension.
    fn zext(&mut self, a: &Self::Word, width: u32) -> Self::Word;
    /// Returns the sign extension.
    fn sext(&mut self, a: &Self::Word, width: u32) -> Self::Word;
    /// Returns `width` bits from bit `low` on.
    fn extract(&mut self, a: &Self::Word, low: u32, width: u32) -> Self::Word;
    /// Returns the concatenation, with `high` in the upper bits.
    fn concat(&mut self, high: &Self::Word, low: &Self::Word) -> Self::Word;
    /// Requires that `condition` (one bit) holds; otherwise the meaning is undefined.
    fn require(&mut self, condition: &Self::Word, reason: &'static str);
    /// Applies a floating-point operation to bit patterns of `format`.
    fn float(&mut self, op: FloatOp, format: FloatFormat, operands: &[Self::Word]) -> Self::Word;

    /// Returns the entry of a table of constants of one width that an unsigned index chooses. An index that is too large gives any
    /// entry.
    fn table(&mut self, index: &Self::Word, entries: &[Bits]) -> Self::Word {
        let n_bits = self.width(index);
        table_by_bits(self, index, n_bits, entries)
    }

    /// Returns the low bits.
    fn trunc(&mut self, a: &Self::Word, width: u32) -> Self::Word {
        self.extract(a, 0, width)
    }

    /// Returns a constant of `width` bits.
    fn number(&mut self, width: u32, value: u64) -> Self::Word {
        self.constant(Bits::from_u64(width, value))
    }

    /// Returns one bit: 1 if all bits are zero.
    fn is_zero(&mut self, a: &Self::Word) -> Self::Word {
        let zero = Bits::zero(self.width(a));
        let zero = self.constant(zero);
        self.eq(a, &zero)
    }

    /// Compares for inequality.
    fn ne(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let equal = self.eq(a, b);
        self.not(&equal)
    }

    /// Compares for unsigned less or equal.
    fn ule(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let greater = self.ult(b, a);
        self.not(&greater)
    }

    /// Compares for signed less or equal.
    fn sle(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let greater = self.slt(b, a);
        self.not(&greater)
    }

    /// Compares for unsigned greater than.
    fn ugt(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        self.ult(b, a)
    }

    /// Compares for unsigned greater or equal.
    fn uge(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        self.ule(b, a)
    }

    /// Compares for signed greater than.
    fn sgt(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        self.slt(b, a)
    }

    /// Compares for signed greater or equal.
    fn sge(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        self.sle(b, a)
    }

    /// Returns the unsigned minimum.
    fn umin(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let less = self.ult(a, b);
        self.ite(&less, a, b)
    }

    /// Returns the unsigned maximum.
    fn umax(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let less = self.ult(a, b);
        self.ite(&less, b, a)
    }

    /// Returns the signed minimum.
    fn smin(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let less = self.slt(a, b);
        self.ite(&less, a, b)
    }

    /// Returns the signed maximum.
    fn smax(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let less = self.slt(a, b);
        self.ite(&less, b, a)
    }

    /// Returns the unsigned quotient rounded up.
    fn ceil_udiv(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let quotient = self.udiv(a, b);
        let remainder = self.urem(a, b);
        let exact = self.is_zero(&remainder);
        let one = self.number(self.width(a), 1);
        let up = self.add(&quotient, &one);
        self.ite(&exact, &quotient, &up)
    }

    /// Returns the signed quotient rounded up.
    fn ceil_sdiv(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let (quotient, adjust) = self.rounding(a, b, true);
        let one = self.number(self.width(a), 1);
        let up = self.add(&quotient, &one);
        self.ite(&adjust, &up, &quotient)
    }

    /// Returns the signed quotient rounded down.
    fn floor_sdiv(&mut self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let (quotient, adjust) = self.rounding(a, b, false);
        let one = self.number(self.width(a), 1);
        let down = self.sub(&quotient, &one);
        self.ite(&adjust, &down, &quotient)
    }

    /// Returns the quotient rounded to zero, and one bit: 1 if it differs by one from the quotient rounded up (equal signs) or
    /// down.
    #[doc(hidden)]
    fn rounding(&mut self, a: &Self::Word, b: &Self::Word, up: bool) -> (Self::Word, Self::Word) {
        let quotient = self.sdiv(a, b);
        let remainder = self.srem(a, b);
        let exact = self.is_zero(&remainder);
        let inexact = self.not(&exact);
        let signs = self.xor(a, b);
        let top = self.width(a).saturating_sub(1);
        let differ = self.extract(&signs, top, 1);
        let wanted = if up { self.not(&differ) } else { differ };
        let adjust = self.and(&inexact, &wanted);
        (quotient, adjust)
    }

    /// Returns one bit: 1 if any bit is set.
    fn reduce_or(&mut self, a: &Self::Word) -> Self::Word {
        let zero = self.is_zero(a);
        self.not(&zero)
    }

    /// Returns one bit: 1 if all bits are set.
    fn reduce_and(&mut self, a: &Self::Word) -> Self::Word {
        let flipped = self.not(a);
        self.is_zero(&flipped)
    }

    /// Returns the exclusive or of all bits.
    fn parity(&mut self, a: &Self::Word) -> Self::Word {
        let mut parity = self.extract(a, 0, 1);
        for i in 1..self.width(a) {
            let bit = self.extract(a, i, 1);
            parity = self.xor(&parity, &bit);
        }
        parity
    }

    /// Returns the number of bits set, at the width of `a`.
    fn count_ones(&mut self, a: &Self::Word) -> Self::Word {
        let width = self.width(a);
        let mut count = self.number(width, 0);
        for i in 0..width {
            let bit = self.extract(a, i, 1);
            let bit = self.zext(&bit, width);
            count = self.add(&count, &bit);
        }
        count
    }

    /// Returns the number of zeros above the highest bit set, at the width of `a`; the width for 0.
    fn count_leading_zeros(&mut self, a: &Self::Word) -> Self::Word {
        let width = self.width(a);
        let mut count = self.number(width, u64::from(width));
        for i in 0..width {
            let bit = self.extract(a, i, 1);
            let here = self.number(width, u64::from(width - 1 - i));
            count = self.ite(&bit, &here, &count);
        }
        count
    }

    /// Returns the number of zeros below the lowest bit set, at the width of `a`; the width for 0.
    fn count_trailing_zeros(&mut self, a: &Self::Word) -> Self::Word {
        let width = self.width(a);
        let mut count = self.number(width, u64::from(width));
        for i in (0..width).rev() {
            let bit = self.extract(a, i, 1);
            let here = self.number(width, u64::from(i));
            count = self.ite(&bit, &here, &count);
        }
        count
    }
}

/// Selects an entry of a table by the `n_bits` low bits of an index, the highest of them last.
fn table_by_bits<A: Algebra + ?Sized>(
    a: &mut A,
    index: &A::Word,
    n_bits: u32,
    entries: &[Bits],
) -> A::Word {
    let first = &entries[0];
    if n_bits == 0 || entries.iter().all(|entry| entry == first) {
        return a.constant(first.clone());
    }
    let half = 1_usize.checked_shl(n_bits - 1).unwrap_or(usize::MAX);
    if half >= entries.len() {
        return table_by_bits(a, index, n_bits - 1, entries);
    }
    let lower = table_by_bits(a, index, n_bits - 1, &entries[..half]);
    let upper = table_by_bits(a, index, n_bits - 1, &entries[half..]);
    let bit = a.extract(index, n_bits - 1, 1);
    a.ite(&bit, &upper, &lower)
}
