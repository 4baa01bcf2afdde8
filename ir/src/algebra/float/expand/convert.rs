//! Conversions between formats and with integers, and rounding to whole numbers.

use super::super::super::Algebra;
use super::super::Rounding;
use super::super::layout::{Layout, Specials};
use super::fields::{Fields, at_least, infinity_of, nan_of, normal, packed, zero_of};
use super::words::{
    any_of, append_zeros, below, bit, bits_for, leading_zeros, number_of, shift_left_by,
    shift_right_sticky, signed, top,
};

/// Returns the float in another format, rounded to the nearest, ties to even.
pub(super) fn to_format<A: Algebra>(a: &mut A, from: Layout, to: Layout, x: &A::Word) -> A::Word {
    let fields = Fields::of(a, from, x);
    let normal = normal(a, from, &fields);
    let width =
        super::fields::signed_exponent_bits(from).max(super::fields::signed_exponent_bits(to)) + 1;
    let exponent = a.sext(&normal.exponent, width);
    let change = signed(a, width, to.bias - from.bias);
    let exponent = a.add(&exponent, &change);
    let digits = at_least(a, &normal.significand, to.fraction_bits + 3);
    let number = packed(a, to, &fields.sign, &exponent, &digits);
    let zero = zero_of(a, to, &fields.sign);
    let number = a.ite(&fields.is_zero, &zero, &number);
    let number = if from.specials == Specials::Ieee {
        let infinity = infinity_of(a, to, &fields.sign);
        a.ite(&fields.is_infinite, &infinity, &number)
    } else {
        number
    };
    let nan = nan_of(a, to);
    a.ite(&fields.is_nan, &nan, &number)
}

/// Returns an integer as a float, rounded to the nearest, ties to even.
pub(super) fn from_integer<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &A::Word,
    is_signed: bool,
) -> A::Word {
    let width = a.width(x);
    let sign = if is_signed {
        top(a, x, 1)
    } else {
        a.number(1, 0)
    };
    let negated = a.neg(x);
    let magnitude = a.ite(&sign, &negated, x);
    let steps = leading_zeros(a, &magnitude);
    let digits = shift_left_by(a, &magnitude, &steps);
    let count = number_of(a, &steps);
    let exponent_bits = bits_for(width)
        .max(super::fields::signed_exponent_bits(layout))
        .max(a.width(&count))
        + 2;
    let count = a.zext(&count, exponent_bits);
    let highest = signed(a, exponent_bits, layout.bias + i64::from(width) - 1);
    let exponent = a.sub(&highest, &count);
    let digits = at_least(a, &digits, layout.fraction_bits + 3);
    let number = packed(a, layout, &sign, &exponent, &digits);
    let is_zero = a.is_zero(x);
    let no = a.number(1, 0);
    let zero = zero_of(a, layout, &no);
    a.ite(&is_zero, &zero, &number)
}

/// Returns a float as an integer of `width` bits, rounded to zero. Numbers out of range become the nearest integer, and NaN 0.
pub(super) fn to_integer<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &A::Word,
    width: u32,
    is_signed: bool,
) -> A::Word {
    let f = layout.fraction_bits;
    let fields = Fields::of(a, layout, x);
    // A window with the highest integer bit at the top: the significand moves down by what its exponent is below that.
    let window = width.max(f + 1);
    let digits = fields.significand(a);
    let digits = append_zeros(a, &digits, window - (f + 1));
    let exponent_bits = super::fields::signed_exponent_bits(layout).max(bits_for(width) + 1) + 1;
    let exponent = a.zext(&fields.exponent, exponent_bits);
    let highest = signed(a, exponent_bits, layout.bias + i64::from(width) - 1);
    let distance = a.sub(&highest, &exponent);
    let (shifted, _) = shift_right_sticky(a, &digits, &distance);
    let magnitude = top(a, &shifted, width);
    let zero = a.number(exponent_bits, 0);
    let is_large = a.slt(&distance, &zero);
    let is_large = a.or(&is_large, &fields.is_infinite);
    let none = a.number(width, 0);
    let ones = a.not(&none);
    let integer = if is_signed {
        let negated = a.neg(&magnitude);
        let value = a.ite(&fields.sign, &negated, &magnitude);
        // A magnitude with the highest bit fits only as the lowest number, which is also what it becomes.
        let has_top = bit(a, &magnitude, width - 1);
        let is_large = a.or(&is_large, &has_top);
        let mut lowest = a.number(1, 1);
        let mut highest = a.number(1, 0);
        if width > 1 {
            lowest = append_zeros(a, &lowest, width - 1);
            highest = a.not(&lowest);
        }
        let limit = a.ite(&fields.sign, &lowest, &highest);
        a.ite(&is_large, &limit, &value)
    } else {
        let value = a.ite(&is_large, &ones, &magnitude);
        a.ite(&fields.sign, &none, &value)
    };
    a.ite(&fields.is_nan, &none, &integer)
}

/// Returns a float rounded to a whole number.
pub(super) fn to_whole<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &A::Word,
    rounding: Rounding,
) -> A::Word {
    let (e, f) = (layout.exponent_bits, layout.fraction_bits);
    let fields = Fields::of(a, layout, x);
    let width = e + f;
    // The place of 1 in the significand, as a word with one bit set: from f for numbers of 1 to 2, down to 0.
    let bias = a.number(e, layout.bias.unsigned_abs());
    let places = a.sub(&fields.exponent, &bias);
    let is_below_one = a.ult(&fields.exponent, &bias);
    let most = a.number(e, u64::from(f));
    let above = a.ult(&most, &places);
    let not_below = a.not(&is_below_one);
    let is_whole = a.and(&above, &not_below);
    let unit = super::add::farthest_shift(a, f + 1, &places);
    let unit = a.zext(&unit, width + 1);
    let magnitude = a.zext(&fields.magnitude, width + 1);
    let one = a.number(width + 1, 1);
    let mask = a.sub(&unit, &one);
    let rest = a.and(&magnitude, &mask);
    // The hidden bit above the fraction is the lowest bit of the exponent in the word, so oddness comes from the significand.
    let significand = fields.significand(a);
    let unit_bit = a.extract(&unit, 0, f + 1);
    let lowest = a.and(&significand, &unit_bit);
    let is_odd = a.reduce_or(&lowest);
    let any = a.reduce_or(&rest);
    let half = super::words::shift_right(a, &unit, 1);
    let at_least_half = {
        let less = a.ult(&rest, &half);
        a.not(&less)
    };
    let more_than_half = a.ult(&half, &rest);
    let positive = a.not(&fields.sign);
    let up = match rounding {
        Rounding::ToZero => a.number(1, 0),
        Rounding::Up => a.and(&any, &positive),
        Rounding::Down => a.and(&any, &fields.sign),
        Rounding::NearestAway => a.and(&any, &at_least_half),
        Rounding::NearestEven => {
            let tie = a.and(&at_least_half, &is_odd);
            let tie = a.and(&any, &tie);
            a.or(&more_than_half, &tie)
        }
    };
    let kept_mask = a.not(&mask);
    let kept = a.and(&magnitude, &kept_mask);
    let more = a.add(&kept, &unit);
    let chosen = a.ite(&up, &more, &kept);
    let chosen = a.extract(&chosen, 0, width);
    // Below 1 the result is 0 or 1.
    let half_exponent = a.number(e, layout.bias.unsigned_abs() - 1);
    let is_half_or_more = a.eq(&fields.exponent, &half_exponent);
    let has_fraction = a.reduce_or(&fields.fraction);
    let more_than_half = a.and(&is_half_or_more, &has_fraction);
    let not_zero = a.not(&fields.is_zero);
    let becomes_one = match rounding {
        Rounding::ToZero => a.number(1, 0),
        Rounding::Up => a.and(&not_zero, &positive),
        Rounding::Down => a.and(&not_zero, &fields.sign),
        Rounding::NearestAway => is_half_or_more,
        Rounding::NearestEven => more_than_half,
    };
    let one = append_zeros(a, &bias, f);
    let none = a.number(width, 0);
    let small = a.ite(&becomes_one, &one, &none);
    let result = a.ite(&is_below_one, &small, &chosen);
    let result = with_top(a, &result);
    let result = super::order::with_sign(a, layout, &result, &fields.sign);
    let result = if layout.specials == Specials::NegativeZeroNan {
        let magnitude = below(a, &result, 1);
        let is_zero = a.is_zero(&magnitude);
        let no = a.number(1, 0);
        let zero = zero_of(a, layout, &no);
        a.ite(&is_zero, &zero, &result)
    } else {
        result
    };
    let unchanged = any_of(a, &[is_whole, fields.is_infinite]);
    let result = a.ite(&unchanged, x, &result);
    let nan = nan_of(a, layout);
    a.ite(&fields.is_nan, &nan, &result)
}

/// Returns the word with a zero above it.
fn with_top<A: Algebra>(a: &mut A, x: &A::Word) -> A::Word {
    let width = a.width(x) + 1;
    a.zext(x, width)
}
