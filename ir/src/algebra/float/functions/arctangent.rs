//! Angles of points.

use super::super::super::Algebra;
use super::super::expand::fields::{
    Fields, Normal, nan_of, normal, packed, with_leading_bit, with_top_bit, zero_of,
};
use super::super::expand::words::{
    append_zeros, below, bit, exact_product, shift_right_sticky, signed, top,
};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;
use crate::bits::Bits;

/// Bits of intermediate results beyond those of the fraction.
const GUARD_BITS: u32 = 6;

/// Returns the angle in radians of the point with coordinates `x` and `y`, from -pi to pi with the sign of `y`.
///
/// The quotient of the smaller and the larger coordinate comes from a table of inverses; its arc tangent is the quotient times a
/// smooth function of it.
pub(super) fn angle<A: Algebra>(a: &mut A, layout: Layout, y: &A::Word, x: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let [ys, xs] = [y, x].map(|operand| Fields::of(a, layout, operand));
    let is_steep = a.ult(&xs.magnitude, &ys.magnitude);
    let [yn, xn] = [&ys, &xs].map(|fields| normal(a, layout, fields));
    let mut pick = |first: &A::Word, second: &A::Word| a.ite(&is_steep, first, second);
    let smaller = Normal {
        significand: pick(&xn.significand, &yn.significand),
        exponent: pick(&xn.exponent, &yn.exponent),
    };
    let larger = Normal {
        significand: pick(&yn.significand, &xn.significand),
        exponent: pick(&yn.exponent, &xn.exponent),
    };
    let smaller_is_zero = pick(&xs.is_zero, &ys.is_zero);

    let inverses = table("inverse", layout, || {
        let domain = Domain {
            low: Real::from(1_u32),
            range: Real::from(1_u32),
            bits: f,
            n_halvings: 0,
        };
        let one = Real::from(1_u32);
        Table::new(&domain, f + GUARD_BITS, |x| &one / x)
    });
    let position = a.extract(&larger.significand, 0, f);
    let inverse = inverses.positive_value(a, &position);
    let quotient = exact_product(a, &smaller.significand, &inverse);
    // Between 1/2 and 2, with two bits before the point, so its highest bit is 0.
    let quotient = below(a, &quotient, 1);
    let width = a.width(&smaller.exponent).max(layout.exponent_bits + 2) + 1;
    let [low, high] = [&smaller.exponent, &larger.exponent].map(|word| a.sext(word, width));
    let exponent = a.sub(&low, &high);
    let (quotient, exponent) = with_top_bit(a, &quotient, &exponent);
    // Infinities have a quotient of 1 with one another, and of 0 with numbers.
    let both = a.and(&xs.is_infinite, &ys.is_infinite);
    let any = a.or(&xs.is_infinite, &ys.is_infinite);
    let other_is_number = a.xor(&any, &both);
    let is_zero = a.or(&smaller_is_zero, &other_is_number);
    let digits = top(a, &quotient, f + GUARD_BITS);
    let one = a.constant(Bits::from_u64(f + GUARD_BITS, 1).shl_by(f + GUARD_BITS - 1));
    let digits = a.ite(&both, &one, &digits);
    let zero = a.number(width, 0);
    let exponent = a.ite(&both, &zero, &exponent);
    let nothing = a.number(f + GUARD_BITS, 0);
    let digits = a.ite(&is_zero, &nothing, &digits);

    let z_bits = f + GUARD_BITS;
    let minus = a.neg(&exponent);
    let one = signed(a, width, 1);
    let distance = a.sub(&minus, &one);
    // A quotient of 1, or slightly more by rounding, has the last position.
    let is_last = top(a, &distance, 1);
    let (z, _) = shift_right_sticky(a, &digits, &distance);
    let ones = a.constant(Bits::ones(z_bits));
    let z = a.ite(&is_last, &ones, &z);
    let ratios = table("atan", layout, || {
        let domain = Domain {
            low: Real::from(0_u32),
            range: Real::from(1_u32),
            bits: z_bits,
            n_halvings: 0,
        };
        Table::new(&domain, f + GUARD_BITS, |x| &x.atan() / x)
    });
    let ratio = ratios.positive_value(a, &z);
    let product = exact_product(a, &digits, &ratio);
    let product = below(a, &product, 1);
    let product = top(a, &product, f + GUARD_BITS + 2);
    let (own, own_exponent) = with_top_bit(a, &product, &exponent);

    // Angles that are not the arc tangent itself: a multiple of pi/2 and the arc tangent, in fixed point with two bits before the point.
    let point = f + GUARD_BITS;
    let placed = append_zeros(a, &own, 1);
    let minus = a.neg(&own_exponent);
    let (placed, _) = shift_right_sticky(a, &placed, &minus);
    // One bit before the point up to here; the lowest bits are dropped.
    let fixed = top(a, &placed, point + 1);
    let fixed = a.zext(&fixed, point + 2);
    let pi = Real::pi();
    let half = &pi / &Real::from(2_u32);
    let quarter_turn = a.constant(half.fixed(point + 2, point));
    let half_turn = a.constant(pi.fixed(point + 2, point));
    let base = a.ite(&is_steep, &quarter_turn, &half_turn);
    // Steep and to the left adds; all others subtract.
    let adds = a.and(&is_steep, &xs.sign);
    let [more, less] = [a.add(&base, &fixed), a.sub(&base, &fixed)];
    let sum = a.ite(&adds, &more, &less);
    let highest = signed(a, width, 1);
    let (sum, sum_exponent) = with_leading_bit(a, &sum, &highest, 3);

    let is_sum = a.or(&is_steep, &xs.sign);
    let own = a.extract(&own, 0, point + 2);
    let digits = a.ite(&is_sum, &sum, &own);
    let exponent = a.ite(&is_sum, &sum_exponent, &own_exponent);
    let bias = signed(a, width, layout.bias);
    let exponent = a.add(&exponent, &bias);
    let result = packed(a, layout, &ys.sign, &exponent, &digits);
    let zero = zero_of(a, layout, &ys.sign);
    let has_digits = bit(a, &digits, point + 1);
    let result = a.ite(&has_digits, &result, &zero);
    let is_nan = a.or(&xs.is_nan, &ys.is_nan);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &result)
}
