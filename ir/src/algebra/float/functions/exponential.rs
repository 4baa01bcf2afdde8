//! Powers of constants.

use super::super::super::Algebra;
use super::super::expand::fields::{
    Fields, Normal, infinity_of, nan_of, normal, packed, with_top_bit, zero_of,
};
use super::super::expand::words::{append_zeros, bit, shift_right_sticky, signed, top};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;
use crate::bits::Bits;

/// Bits of a fixed-point exponent below the point, beyond those of the fraction: the error of the exponent is then a small part of a
/// unit in the last place of the power.
const GUARD_BITS: u32 = 5;

/// Returns the bits of a fixed-point exponent below the point.
pub(super) fn exponent_fraction_bits(layout: Layout) -> u32 {
    layout.fraction_bits + GUARD_BITS
}

/// An exponent in fixed point, and where it is out of range.
pub(super) struct Exponent<W> {
    /// Signed, with one bit for the sign, `exponent_bits` for the integer, and [`exponent_fraction_bits`] below the point.
    pub number: W,
    /// One bit: the magnitude is so large that the power is not a finite number other than 0.
    pub is_far: W,
}

/// Turns a number into fixed point. `significand` has its leading bit, of weight 1, at the top; `exponent` is signed and not biased.
pub(super) fn fixed<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
    exponent: &A::Word,
    significand: &A::Word,
) -> Exponent<A::Word> {
    let integer_bits = layout.exponent_bits;
    let width = integer_bits + exponent_fraction_bits(layout);
    let has = a.width(significand);
    let placed = if has > width {
        top(a, significand, width)
    } else {
        append_zeros(a, significand, width - has)
    };
    let e_width = a.width(exponent);
    let highest = signed(a, e_width, i64::from(integer_bits) - 1);
    let is_far = a.slt(&highest, exponent);
    let distance = a.sub(&highest, exponent);
    let (magnitude, _) = shift_right_sticky(a, &placed, &distance);
    // The complement is less than the negative number by one unit, which is far below the last place of the power.
    let magnitude = a.zext(&magnitude, width + 1);
    let mask = a.sext(sign, width + 1);
    let number = a.xor(&magnitude, &mask);
    Exponent { number, is_far }
}

/// A positive number: its highest or second bit is set; `exponent`, signed and biased, is that of the highest.
pub(super) struct Power<W> {
    pub digits: W,
    pub exponent: W,
}

/// Returns 2 to a power in fixed point.
pub(super) fn two_to<A: Algebra>(a: &mut A, layout: Layout, number: &A::Word) -> Power<A::Word> {
    let fraction = exponent_fraction_bits(layout);
    let width = a.width(number) + 1;
    let half = Bits::from_u64(width, 1).shl_by(fraction - 1);
    let half = a.constant(half);
    let number = a.sext(number, width);
    let shifted = a.add(&number, &half);
    let whole = a.extract(&shifted, fraction, width - fraction);
    let z = a.extract(&shifted, 0, fraction);
    let powers = table("exp2", layout, || {
        let domain = domain(fraction);
        let ln_2 = Real::from(2_u32).ln();
        Table::new(&domain, layout.fraction_bits + 4, |x| (x * &ln_2).exp())
    });
    scaled(a, layout, &powers, &z, &whole)
}

/// The rest of an exponent after a whole number was subtracted: from -1/2 to below 1/2.
fn domain(bits: u32) -> Domain {
    Domain {
        low: Real::from(-0.5),
        range: Real::from(1_u32),
        bits,
        n_halvings: 0,
    }
}

/// Returns the value of a table times 2 to a whole number.
fn scaled<A: Algebra>(
    a: &mut A,
    layout: Layout,
    powers: &Table,
    z: &A::Word,
    whole: &A::Word,
) -> Power<A::Word> {
    let digits = powers.positive_value(a, z);
    let width = layout.exponent_bits + 3;
    let whole = a.sext(whole, width);
    let bias = signed(a, width, layout.bias);
    Power {
        digits,
        exponent: a.add(&whole, &bias),
    }
}

/// Returns e to a power in fixed point: the nearest whole number of times ln 2 is subtracted.
fn e_to<A: Algebra>(a: &mut A, layout: Layout, number: &A::Word) -> Power<A::Word> {
    let fraction = exponent_fraction_bits(layout);
    let width = a.width(number);
    let integer_bits = width - fraction - 1;
    let ln_2 = Real::from(2_u32).ln();
    // The whole number may differ from the nearest: an error of 0.2 keeps the rest, times ln 2, between -1/2 and 1/2.
    let kept_fraction = 4;
    let inverse_bits = integer_bits + 4;
    let inverse = (&Real::from(1_u32) / &ln_2).fixed(inverse_bits + 2, inverse_bits);
    let leading = top(a, number, integer_bits + 1 + kept_fraction);
    let wide = a.width(&leading) + inverse_bits + 2;
    let factor = a.constant(inverse.zext(wide));
    let leading = a.sext(&leading, wide);
    let times = a.mul(&leading, &factor);
    let point = kept_fraction + inverse_bits;
    let half = a.constant(Bits::from_u64(wide, 1).shl_by(point - 1));
    let times = a.add(&times, &half);
    let whole = a.extract(&times, point, integer_bits + 2);

    let extra = integer_bits + 1;
    let constant = ln_2.fixed(fraction + extra, fraction + extra);
    let product_width = fraction + extra + integer_bits + 2;
    let constant = a.constant(constant.zext(product_width));
    let multiple = a.sext(&whole, product_width);
    let multiple = a.mul(&multiple, &constant);
    let multiple = a.extract(&multiple, extra, fraction);
    let low = a.extract(number, 0, fraction);
    let rest = a.sub(&low, &multiple);
    let flip = a.constant(Bits::from_u64(fraction, 1).shl_by(fraction - 1));
    let z = a.xor(&rest, &flip);
    let powers = table("exp", layout, || {
        Table::new(&domain(fraction), layout.fraction_bits + 4, Real::exp)
    });
    scaled(a, layout, &powers, &z, &whole)
}

/// Returns a power as a float, which is 0 or infinite for exponents that are far.
pub(super) fn finished_power<A: Algebra>(
    a: &mut A,
    layout: Layout,
    sign: &A::Word,
    power: &Power<A::Word>,
    is_far: &A::Word,
    is_negative: &A::Word,
) -> A::Word {
    let (digits, exponent) = with_top_bit(a, &power.digits, &power.exponent);
    let number = packed(a, layout, sign, &exponent, &digits);
    let infinity = infinity_of(a, layout, sign);
    let zero = zero_of(a, layout, sign);
    let extreme = a.ite(is_negative, &zero, &infinity);
    a.ite(is_far, &extreme, &number)
}

/// How a power is computed from an exponent in fixed point.
type Raise<A> = fn(&mut A, Layout, &<A as Algebra>::Word) -> Power<<A as Algebra>::Word>;

fn power_of<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, raise: Raise<A>) -> A::Word {
    let fields = Fields::of(a, layout, x);
    let Normal {
        significand,
        exponent,
    } = normal(a, layout, &fields);
    let bias = signed(a, a.width(&exponent), layout.bias);
    let exponent = a.sub(&exponent, &bias);
    let Exponent { number, is_far } = fixed(a, layout, &fields.sign, &exponent, &significand);
    // A significand of 0 has no exponent.
    let leading = bit(a, &significand, layout.fraction_bits);
    let is_far = a.and(&is_far, &leading);
    let is_far = a.or(&is_far, &fields.is_infinite);
    let power = raise(a, layout, &number);
    let no = a.number(1, 0);
    let result = finished_power(a, layout, &no, &power, &is_far, &fields.sign);
    let nan = nan_of(a, layout);
    a.ite(&fields.is_nan, &nan, &result)
}

/// Returns e to the power `x`.
pub(super) fn power_of_e<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    power_of(a, layout, x, e_to)
}

/// Returns 2 to the power `x`.
pub(super) fn power_of_two<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    power_of(a, layout, x, two_to)
}
