//! Sums.

use super::super::super::Algebra;
use super::super::layout::{Layout, Specials};
use super::fields::{Fields, finished, nan_of, rounded};
use super::words::{
    add_or_subtract, append_zeros, bits_for, leading_zeros, number_of, shift_left_by, shift_right,
    shift_right_sticky, top,
};
use crate::bits::Bits;

/// Returns the sum of two floats, rounded to the nearest, ties to even.
///
/// The number of smaller magnitude is shifted to the exponent of the other one. The sum is shifted back by its leading zeros, but
/// not below the smallest exponent: a bit that marks the farthest shift takes part in the count.
pub(super) fn sum<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, y: &A::Word) -> A::Word {
    let (e, f) = (layout.exponent_bits, layout.fraction_bits);
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let y_is_larger = a.ult(&xs.magnitude, &ys.magnitude);
    let [x_exponent, y_exponent] = [&xs, &ys].map(|fields| fields.true_exponent(a));
    let of_larger_x = a.sub(&x_exponent, &y_exponent);
    let of_larger_y = a.sub(&y_exponent, &x_exponent);
    let distance = a.ite(&y_is_larger, &of_larger_y, &of_larger_x);
    let [x_digits, y_digits] = [&xs, &ys].map(|fields| fields.significand(a));
    let larger = a.ite(&y_is_larger, &y_digits, &x_digits);
    let smaller = a.ite(&y_is_larger, &x_digits, &y_digits);
    let exponent = a.ite(&y_is_larger, &y_exponent, &x_exponent);
    let sign = a.ite(&y_is_larger, &ys.sign, &xs.sign);
    let subtract = a.xor(&xs.sign, &ys.sign);

    // One bit above for the carry; three below: two that rounding may need, and one for everything shifted out.
    let width = f + 5;
    let larger = append_zeros(a, &larger, 3);
    let larger = a.zext(&larger, width);
    let smaller = append_zeros(a, &smaller, 2);
    let (smaller, lost) = shift_right_sticky(a, &smaller, &distance);
    let smaller = a.concat(&smaller, &lost);
    let smaller = a.zext(&smaller, width);
    let sum = add_or_subtract(a, &larger, &smaller, &subtract);

    let farthest = farthest_shift(a, width, &exponent);
    let marked = a.or(&sum, &farthest);
    let steps = leading_zeros(a, &marked);
    let digits = shift_left_by(a, &sum, &steps);
    let count = number_of(a, &steps);
    let count = a.zext(&count, (e + 1).max(a.width(&count)));
    let wide = a.width(&count);
    let exponent_of_top = a.zext(&exponent, wide);
    let one = a.number(wide, 1);
    let exponent_of_top = a.add(&exponent_of_top, &one);
    let new_exponent = a.sub(&exponent_of_top, &count);
    let new_exponent = a.extract(&new_exponent, 0, e + 1);
    let magnitude = rounded(a, layout, &new_exponent, &digits);

    let is_zero = a.is_zero(&sum);
    let cancels = a.and(&is_zero, &subtract);
    let positive = a.not(&cancels);
    let sign_of_sum = a.and(&sign, &positive);
    let result = finished(a, layout, &sign_of_sum, &magnitude, None);
    let nan = nan_of(a, layout);
    let mut is_nan = a.or(&xs.is_nan, &ys.is_nan);
    if layout.specials != Specials::Ieee {
        return a.ite(&is_nan, &nan, &result);
    }
    let both = a.and(&xs.is_infinite, &ys.is_infinite);
    let opposite = a.and(&both, &subtract);
    is_nan = a.or(&is_nan, &opposite);
    let is_infinite = a.or(&xs.is_infinite, &ys.is_infinite);
    let infinity = super::fields::infinity_of(a, layout, &sign);
    let result = a.ite(&is_infinite, &infinity, &result);
    a.ite(&is_nan, &nan, &result)
}

/// Returns a word with one bit set: `exponent` places below the top. No bit is set if the place is outside the word.
pub(super) fn farthest_shift<A: Algebra>(a: &mut A, width: u32, exponent: &A::Word) -> A::Word {
    let n_levels = bits_for(width - 1).min(a.width(exponent));
    let mark = Bits::from_u64(width, 1).shl_by(width - 1);
    let mut mark = a.constant(mark);
    for level in 0..n_levels {
        let is_set = a.extract(exponent, level, 1);
        let distance = 1 << level;
        let moved = if distance >= width {
            a.number(width, 0)
        } else {
            shift_right(a, &mark, distance)
        };
        mark = a.ite(&is_set, &moved, &mark);
    }
    let n_high = a.width(exponent) - n_levels;
    if n_high == 0 {
        return mark;
    }
    let high = top(a, exponent, n_high);
    let is_inside = a.is_zero(&high);
    let inside = a.sext(&is_inside, width);
    a.and(&mark, &inside)
}
