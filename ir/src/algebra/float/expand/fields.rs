//! Reading a float into fields, and writing a result with its rounding.

use super::super::super::Algebra;
use super::super::layout::{Layout, Specials};
use super::words::{
    append_zeros, below, bit, bits_for, leading_zeros, number_of, shift_left, shift_left_by,
    shift_right_sticky, signed, top,
};
use crate::bits::Bits;

/// The fields of a float.
#[derive(Clone)]
pub(in crate::algebra::float) struct Fields<W> {
    pub sign: W,
    /// The exponent as stored.
    pub exponent: W,
    pub fraction: W,
    /// Exponent and fraction as one word: the order of magnitudes is that of these numbers.
    pub magnitude: W,
    /// One bit: the number is zero or subnormal.
    pub has_no_exponent: W,
    pub is_nan: W,
    pub is_infinite: W,
    pub is_zero: W,
}

impl<W: Clone> Fields<W> {
    /// Splits a float.
    pub fn of<A: Algebra<Word = W>>(a: &mut A, layout: Layout, x: &W) -> Self {
        let (e, f) = (layout.exponent_bits, layout.fraction_bits);
        let sign = bit(a, x, e + f);
        let exponent = a.extract(x, f, e);
        let fraction = a.extract(x, 0, f);
        let magnitude = a.extract(x, 0, e + f);
        let has_no_exponent = a.is_zero(&exponent);
        let has_no_fraction = a.is_zero(&fraction);
        let is_zero = a.and(&has_no_exponent, &has_no_fraction);
        let no = a.number(1, 0);
        let (is_nan, is_infinite, is_zero) = match layout.specials {
            Specials::Ieee => {
                let is_special = a.reduce_and(&exponent);
                let has_fraction = a.not(&has_no_fraction);
                let is_nan = a.and(&is_special, &has_fraction);
                let is_infinite = a.and(&is_special, &has_no_fraction);
                (is_nan, is_infinite, is_zero)
            }
            Specials::AllOnesNan => (a.reduce_and(&magnitude), no, is_zero),
            Specials::NegativeZeroNan => {
                let positive = a.not(&sign);
                (a.and(&is_zero, &sign), no, a.and(&is_zero, &positive))
            }
        };
        Self {
            sign,
            exponent,
            fraction,
            magnitude,
            has_no_exponent,
            is_nan,
            is_infinite,
            is_zero,
        }
    }

    /// Returns the significand with its leading bit: 0 for subnormal numbers.
    pub fn significand<A: Algebra<Word = W>>(&self, a: &mut A) -> W {
        let leading = a.not(&self.has_no_exponent);
        a.concat(&leading, &self.fraction)
    }

    /// Returns the exponent that the significand has: 1 for subnormal numbers, which store 0.
    pub fn true_exponent<A: Algebra<Word = W>>(&self, a: &mut A) -> W {
        let width = a.width(&self.exponent);
        let one = a.zext(&self.has_no_exponent, width);
        a.or(&self.exponent, &one)
    }
}

/// A significand without leading zeros, unless it is 0, and its exponent.
pub(in crate::algebra::float) struct Normal<W> {
    pub significand: W,
    /// Signed, biased as stored; below 1 for subnormal numbers.
    pub exponent: W,
}

/// Returns the bits of signed exponents: those of a format, of sums of two, and of the distance of subnormal numbers.
pub(in crate::algebra::float) fn signed_exponent_bits(layout: Layout) -> u32 {
    layout.exponent_bits.max(bits_for(layout.fraction_bits + 2)) + 2
}

/// Shifts the leading bit of a significand to the top.
pub(in crate::algebra::float) fn normal<A: Algebra>(
    a: &mut A,
    layout: Layout,
    fields: &Fields<A::Word>,
) -> Normal<A::Word> {
    let significand = fields.significand(a);
    let steps = leading_zeros(a, &significand);
    let width = signed_exponent_bits(layout);
    let shifted = shift_left_by(a, &significand, &steps);
    let distance = number_of(a, &steps);
    let distance = a.zext(&distance, width);
    let exponent = fields.true_exponent(a);
    let exponent = a.zext(&exponent, width);
    Normal {
        significand: shifted,
        exponent: a.sub(&exponent, &distance),
    }
}

/// Returns one bit: 1 if rounding to the nearest, ties to even, makes a significand larger. `kept` is its lowest bit, `rest`
/// are the bits below it.
fn rounds_up<A: Algebra>(a: &mut A, kept: &A::Word, rest: &A::Word) -> A::Word {
    let half = top(a, rest, 1);
    let lower = below(a, rest, 1);
    let lower = a.reduce_or(&lower);
    let tie_up = a.or(&lower, kept);
    a.and(&half, &tie_up)
}

/// Rounds a significand of `fraction_bits + 1` bits and at least two bits below them to the nearest, ties to even. Returns
/// exponent and fraction, with the carry in the exponent; `exponent` counts only if the leading bit is 1, else it is 0.
pub(in crate::algebra::float) fn rounded<A: Algebra>(
    a: &mut A,
    layout: Layout,
    exponent: &A::Word,
    significand: &A::Word,
) -> A::Word {
    let f = layout.fraction_bits;
    let kept = top(a, significand, f + 1);
    let rest = below(a, significand, f + 1);
    let lowest = bit(a, &kept, 0);
    let up = rounds_up(a, &lowest, &rest);
    let leading = bit(a, &kept, f);
    let zero = a.number(a.width(exponent), 0);
    let exponent = a.ite(&leading, exponent, &zero);
    let fraction = a.extract(&kept, 0, f);
    let packed = a.concat(&exponent, &fraction);
    let up = a.zext(&up, a.width(&packed));
    a.add(&packed, &up)
}

/// Rounds a number to the format. `exponent` is signed and biased; `significand` has its leading bit at the top and at least
/// `fraction_bits + 3` bits, or is 0, which makes the result a zero. Returns the float.
pub(in crate::algebra::float) fn packed<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
    exponent: &A::Word,
    significand: &A::Word,
) -> A::Word {
    let (e, f) = (layout.exponent_bits, layout.fraction_bits);
    // Two bits below the fraction decide the rounding: the first, and whether any other is set.
    let kept = top(a, significand, f + 2);
    let rest = below(a, significand, f + 2);
    let rest = a.reduce_or(&rest);
    let width = a.width(exponent);
    let one = signed(a, width, 1);
    let is_subnormal = a.slt(exponent, &one);
    let distance = a.sub(&one, exponent);
    let (shifted, lost) = shift_right_sticky(a, &kept, &distance);
    let shifted = a.ite(&is_subnormal, &shifted, &kept);
    let lost = a.and(&lost, &is_subnormal);
    let sticky = a.or(&rest, &lost);
    let rounding = a.concat(&shifted, &sticky);
    // A normal number keeps its exponent; one that is too large sets the flag below.
    let largest = signed(a, width, (1 << e) - 1);
    let is_large = a.slt(&largest, exponent);
    let stored = if width > e {
        a.extract(exponent, 0, e)
    } else {
        a.sext(exponent, e)
    };
    let stored = a.zext(&stored, e + 1);
    let result = rounded(a, layout, &stored, &rounding);
    finished(a, layout, sign, &result, Some(&is_large))
}

/// Adds the sign to exponent and fraction, which have one more bit on top, and handles numbers that are too large.
pub(in crate::algebra::float) fn finished<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
    packed: &A::Word,
    is_large: Option<&A::Word>,
) -> A::Word {
    let (e, f) = (layout.exponent_bits, layout.fraction_bits);
    let overflows = match layout.specials {
        Specials::Ieee => {
            let exponent = a.extract(packed, f, e);
            let is_full = a.reduce_and(&exponent);
            let carry = bit(a, packed, e + f);
            a.or(&is_full, &carry)
        }
        Specials::AllOnesNan | Specials::NegativeZeroNan => {
            let limit = a.constant(layout.limit());
            a.ule(&limit, packed)
        }
    };
    let overflows = match is_large {
        Some(flag) => a.or(&overflows, flag),
        None => overflows,
    };
    let magnitude = a.extract(packed, 0, e + f);
    let sign = sign_of_result(a, layout, sign, &magnitude);
    match layout.specials {
        Specials::Ieee => {
            let infinity = layout.overflow().trunc(e + f);
            let infinity = a.constant(infinity);
            let magnitude = a.ite(&overflows, &infinity, &magnitude);
            a.concat(&sign, &magnitude)
        }
        Specials::AllOnesNan | Specials::NegativeZeroNan => {
            let nan = a.constant(layout.canonical_nan());
            let number = a.concat(&sign, &magnitude);
            a.ite(&overflows, &nan, &number)
        }
    }
}

/// Returns the sign, which a zero does not have in some formats.
fn sign_of_result<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
    magnitude: &A::Word,
) -> A::Word {
    match layout.specials {
        Specials::Ieee | Specials::AllOnesNan => sign.clone(),
        Specials::NegativeZeroNan => {
            let any = a.reduce_or(magnitude);
            a.and(sign, &any)
        }
    }
}

/// Returns a zero of this sign.
pub(in crate::algebra::float) fn zero_of<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
) -> A::Word {
    let magnitude = a.constant(Bits::zero(layout.magnitude_bits()));
    let sign = sign_of_result(a, layout, sign, &magnitude);
    a.concat(&sign, &magnitude)
}

/// Returns an infinity of this sign, or NaN in formats without infinities.
pub(in crate::algebra::float) fn infinity_of<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
) -> A::Word {
    match layout.specials {
        Specials::Ieee => {
            let magnitude = layout.overflow().trunc(layout.magnitude_bits());
            let magnitude = a.constant(magnitude);
            a.concat(sign, &magnitude)
        }
        Specials::AllOnesNan | Specials::NegativeZeroNan => nan_of(a, layout),
    }
}

/// Returns the canonical NaN.
pub(in crate::algebra::float) fn nan_of<A: Algebra>(a: &mut A, layout: Layout) -> A::Word {
    a.constant(layout.canonical_nan())
}

/// Returns a word with at least this many bits, zeros below.
pub(in crate::algebra::float) fn at_least<A: Algebra>(
    a: &mut A,
    x: &A::Word,
    width: u32,
) -> A::Word {
    let missing = width.saturating_sub(a.width(x));
    append_zeros(a, x, missing)
}

/// Shifts a word whose highest or second bit is set so that the highest is.
pub(in crate::algebra::float) fn with_top_bit<A: Algebra>(
    a: &mut A,
    digits: &A::Word,
    exponent: &A::Word,
) -> (A::Word, A::Word) {
    let has_top = top(a, digits, 1);
    let shifted = shift_left(a, digits, 1);
    let moved = a.ite(&has_top, digits, &shifted);
    let one = a.number(a.width(exponent), 1);
    let lower = a.sub(exponent, &one);
    (moved, a.ite(&has_top, exponent, &lower))
}

/// Shifts a word with a bit set among its `n` highest ones, or of 0, so that the highest is set. `exponent` is that of the highest bit.
pub(in crate::algebra::float) fn with_leading_bit<A: Algebra>(
    a: &mut A,
    digits: &A::Word,
    exponent: &A::Word,
    n: u32,
) -> (A::Word, A::Word) {
    let leading = top(a, digits, n);
    let steps = leading_zeros(a, &leading);
    let shifted = shift_left_by(a, digits, &steps);
    let count = number_of(a, &steps);
    let width = a.width(exponent);
    let count = a.zext(&count, width);
    (shifted, a.sub(exponent, &count))
}
