//! Powers of numbers.

use super::super::super::Algebra;
use super::super::expand::fields::{Fields, nan_of, normal, with_top_bit};
use super::super::expand::words::{
    any_of, bit, bits_for, exact_product, shift_left_by, signed, top,
};
use super::super::layout::Layout;
use super::exponential::{Exponent, finished_power, fixed, two_to};
use super::logarithm::{Base, of_number};

/// Returns `x` to the power `y`, with the special values of IEEE 754-2019, section 9.2.1: 1 for an exponent of 0 and for a base of 1, even
/// if the other operand is NaN.
pub(super) fn power<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, y: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let [base, exponent] = [&xs, &ys].map(|fields| normal(a, layout, fields));
    let logarithm = of_number(a, layout, Base::TwoForPowers, &base);

    // The exponent times the logarithm.
    let n_digits = Base::TwoForPowers.accuracy_bits(layout) + 2;
    let n_digits = n_digits.min(a.width(&logarithm.digits));
    let digits = top(a, &logarithm.digits, n_digits);
    let product = exact_product(a, &digits, &exponent.significand);
    let width = a
        .width(&logarithm.exponent)
        .max(a.width(&exponent.exponent))
        + 2;
    let bias = signed(a, width, layout.bias);
    let own = a.sext(&exponent.exponent, width);
    let own = a.sub(&own, &bias);
    let of_logarithm = a.sext(&logarithm.exponent, width);
    let sum = a.add(&own, &of_logarithm);
    let one = signed(a, width, 1);
    let sum = a.add(&sum, &one);
    let (product, sum) = with_top_bit(a, &product, &sum);
    let is_negative = a.xor(&ys.sign, &logarithm.sign);
    let Exponent { number, is_far } = fixed(a, layout, &is_negative, &sum, &product);
    let leading = top(a, &product, 1);
    let is_far = a.and(&is_far, &leading);

    // Is the exponent an integer, is it odd? Its bits from the point on, with the one before it.
    let zero = a.number(width, 0);
    let has_no_integer = a.slt(&own, &zero);
    let n_levels = bits_for(f + 1);
    let distance = a.extract(&own, 0, n_levels);
    let steps: Vec<A::Word> = (0..n_levels).rev().map(|i| bit(a, &distance, i)).collect();
    let moved = shift_left_by(a, &exponent.significand, &steps);
    let farther = a.extract(&own, n_levels, width - n_levels);
    let is_far_integer = a.reduce_or(&farther);
    let none = a.number(f + 1, 0);
    let moved = a.ite(&is_far_integer, &none, &moved);
    let fraction = a.extract(&moved, 0, f);
    let unit = bit(a, &moved, f);
    let has_fraction = a.reduce_or(&fraction);
    let nonzero = a.not(&ys.is_zero);
    let has_fraction = a.or(&has_fraction, &has_no_integer);
    let has_fraction = a.and(&has_fraction, &nonzero);
    let is_integer = a.not(&has_fraction);
    let is_odd = a.and(&unit, &is_integer);
    let is_odd = a.and(&is_odd, &nonzero);

    // A base of 0 or infinity, or an infinite exponent of another base than 1.
    let not_one = top(a, &logarithm.digits, 1);
    let base_is_extreme = a.or(&xs.is_zero, &xs.is_infinite);
    let exponent_is_extreme = a.and(&ys.is_infinite, &not_one);
    let is_far = any_of(a, &[is_far, base_is_extreme.clone(), exponent_is_extreme]);
    let of_zero = a.not(&ys.sign);
    let to_zero = a.ite(&xs.is_infinite, &ys.sign, &of_zero);
    let is_negative = a.ite(&base_is_extreme, &to_zero, &is_negative);

    let sign = a.and(&xs.sign, &is_odd);
    let power = two_to(a, layout, &number);
    let result = finished_power(a, layout, &sign, &power, &is_far, &is_negative);

    let finite = a.not(&base_is_extreme);
    let undefined = a.and(&xs.sign, &finite);
    let undefined = a.and(&undefined, &has_fraction);
    let is_nan = any_of(a, &[xs.is_nan, ys.is_nan, undefined]);
    let nan = nan_of(a, layout);
    let result = a.ite(&is_nan, &nan, &result);
    let one = a.constant(layout.one());
    let is_one = a.eq(x, &one);
    let is_one = a.or(&is_one, &ys.is_zero);
    a.ite(&is_one, &one, &result)
}
