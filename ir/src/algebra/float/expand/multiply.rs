//! Products, quotients, square roots, and products with a sum.

use super::super::super::Algebra;
use super::super::layout::{Layout, Specials};
use super::add::farthest_shift;
use super::fields::{
    Fields, Normal, at_least, finished, infinity_of, nan_of, normal, packed, rounded,
    signed_exponent_bits, with_top_bit, zero_of,
};
use super::words::{
    any_of, append_zeros, bits_for, leading_zeros, number_of, shift_left_by, shift_right_sticky,
    signed, top,
};

/// The product of two significands, exact, and the exponent of its highest bit.
struct Product<W> {
    digits: W,
    exponent: W,
}

/// Multiplies two numbers. One subnormal factor is normalised: a product of two is smaller than every number of the format, and
/// only its being not 0 matters.
fn product_of<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &Fields<A::Word>,
    y: &Fields<A::Word>,
) -> Product<A::Word> {
    let is_swapped = &y.has_no_exponent;
    let mut pick = |first: &A::Word, second: &A::Word| a.ite(is_swapped, first, second);
    let small = Fields {
        fraction: pick(&y.fraction, &x.fraction),
        exponent: pick(&y.exponent, &x.exponent),
        has_no_exponent: pick(&y.has_no_exponent, &x.has_no_exponent),
        ..x.clone()
    };
    let other = Fields {
        fraction: pick(&x.fraction, &y.fraction),
        exponent: pick(&x.exponent, &y.exponent),
        has_no_exponent: pick(&x.has_no_exponent, &y.has_no_exponent),
        ..y.clone()
    };
    let Normal {
        significand,
        exponent,
    } = normal(a, layout, &small);
    let factor = other.significand(a);
    let digits = whole_product(a, &significand, &factor);
    let exponent_bits = signed_exponent_bits(layout);
    let other_exponent = other.true_exponent(a);
    let other_exponent = a.zext(&other_exponent, exponent_bits);
    let sum = a.add(&exponent, &other_exponent);
    // Two significands of one bit before the point have a product of two.
    let correction = signed(a, exponent_bits, 1 - layout.bias);
    Product {
        digits,
        exponent: a.add(&sum, &correction),
    }
}

/// Width of the parts of wide factors: unsigned operands of most multiplier blocks.
const LIMB_BITS: u32 = 18;

/// Factors of at most two parts are multiplied as a whole; a schedule chooses how.
const MAX_WHOLE_BITS: u32 = 2 * LIMB_BITS;

/// Returns the product of two words of one width, exact, at twice the width.
///
/// Products of the parts with one difference of indices do not overlap: each such group is one word, and these words are added.
fn whole_product<A: Algebra>(a: &mut A, x: &A::Word, y: &A::Word) -> A::Word {
    let width = a.width(x);
    if width <= MAX_WHOLE_BITS {
        let [x, y] = [x, y].map(|word| a.zext(word, 2 * width));
        return a.mul(&x, &y);
    }
    let n_limbs = width.div_ceil(LIMB_BITS);
    let limb = |a: &mut A, word: &A::Word, i: u32| {
        let low = i * LIMB_BITS;
        a.extract(word, low, LIMB_BITS.min(width - low))
    };
    let mut words = Vec::new();
    for (difference, x_is_higher) in (0..n_limbs).flat_map(|d| [(d, true), (d, false)]) {
        if difference == 0 && !x_is_higher {
            continue;
        }
        let mut word: Option<A::Word> = None;
        for lower in 0..n_limbs - difference {
            let higher = lower + difference;
            let (i, j) = if x_is_higher {
                (higher, lower)
            } else {
                (lower, higher)
            };
            let factors = [limb(a, x, i), limb(a, y, j)];
            let [left, right] = factors.map(|factor| a.zext(&factor, 2 * LIMB_BITS));
            let product = a.mul(&left, &right);
            word = Some(match word {
                Some(below) => a.concat(&product, &below),
                None => append_zeros(a, &product, difference * LIMB_BITS),
            });
        }
        let word = word.expect("every difference has limbs");
        words.push(if a.width(&word) >= 2 * width {
            a.extract(&word, 0, 2 * width)
        } else {
            a.zext(&word, 2 * width)
        });
    }
    while words.len() > 1 {
        let pairs = words.chunks(2).map(|pair| match pair {
            [one, other] => a.add(one, other),
            _ => pair[0].clone(),
        });
        words = pairs.collect();
    }
    words[0].clone()
}

/// Returns the product of two floats, rounded to the nearest, ties to even.
pub(super) fn product<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, y: &A::Word) -> A::Word {
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let sign = a.xor(&xs.sign, &ys.sign);
    let Product { digits, exponent } = product_of(a, layout, &xs, &ys);
    let (digits, exponent) = with_top_bit(a, &digits, &exponent);
    let digits = at_least(a, &digits, layout.fraction_bits + 3);
    let number = packed(a, layout, &sign, &exponent, &digits);
    let any_zero = a.or(&xs.is_zero, &ys.is_zero);
    let zero = zero_of(a, layout, &sign);
    let number = a.ite(&any_zero, &zero, &number);
    let any_infinite = a.or(&xs.is_infinite, &ys.is_infinite);
    let infinity = infinity_of(a, layout, &sign);
    let number = a.ite(&any_infinite, &infinity, &number);
    let undefined = a.and(&any_zero, &any_infinite);
    let is_nan = any_of(a, &[xs.is_nan, ys.is_nan, undefined]);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &number)
}

/// Returns the quotient of two floats, rounded to the nearest, ties to even.
pub(super) fn quotient<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word, y: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let [xs, ys] = [x, y].map(|operand| Fields::of(a, layout, operand));
    let sign = a.xor(&xs.sign, &ys.sign);
    let [dividend, divisor] = [&xs, &ys].map(|fields| normal(a, layout, fields));
    // The quotient of two significands is between 1/2 and 2. One bit of it a step, the first one of weight 1: the step subtracts the
    // divisor if that fits into the remainder. Every divisor but 0, whose quotient does not count, has its highest bit set, so a
    // remainder is less than twice the divisor.
    let wide = f + 2;
    let by = a.zext(&divisor.significand, wide);
    let mut remainder = a.zext(&dividend.significand, wide);
    let mut bits = Vec::new();
    for _ in 0..f + 3 {
        let smaller = a.ult(&remainder, &by);
        let reduced = a.sub(&remainder, &by);
        let left = a.ite(&smaller, &remainder, &reduced);
        remainder = super::words::shift_left(a, &left, 1);
        bits.push(a.not(&smaller));
    }
    let digits = number_of(a, &bits);
    let sticky = a.reduce_or(&remainder);
    let digits = a.concat(&digits, &sticky);
    let difference = a.sub(&dividend.exponent, &divisor.exponent);
    let bias = signed(a, signed_exponent_bits(layout), layout.bias);
    let exponent = a.add(&difference, &bias);
    let (digits, exponent) = with_top_bit(a, &digits, &exponent);
    let number = packed(a, layout, &sign, &exponent, &digits);
    let becomes_zero = a.or(&xs.is_zero, &ys.is_infinite);
    let zero = zero_of(a, layout, &sign);
    let number = a.ite(&becomes_zero, &zero, &number);
    let becomes_infinite = a.or(&xs.is_infinite, &ys.is_zero);
    let infinity = infinity_of(a, layout, &sign);
    let number = a.ite(&becomes_infinite, &infinity, &number);
    let zeros = a.and(&xs.is_zero, &ys.is_zero);
    let infinities = a.and(&xs.is_infinite, &ys.is_infinite);
    let is_nan = any_of(a, &[xs.is_nan, ys.is_nan, zeros, infinities]);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &number)
}

/// Returns the square root of a float, rounded to the nearest, ties to even. One bit of the root a step: the step subtracts the
/// root so far, with 01 below it, if that fits into the remainder.
pub(super) fn square_root<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let fields = Fields::of(a, layout, x);
    let Normal {
        significand,
        exponent,
    } = normal(a, layout, &fields);
    // The true exponent must be even: an odd one gives its factor of 2 to the significand, which has two bits before the point.
    let width = a.width(&exponent);
    let bias = signed(a, width, layout.bias);
    let true_exponent = a.sub(&exponent, &bias);
    let is_odd = a.extract(&true_exponent, 0, 1);
    let wide = a.zext(&significand, f + 2);
    let doubled = super::words::shift_left(a, &wide, 1);
    let radicand = a.ite(&is_odd, &doubled, &wide);
    let n_bits = f + 2;
    let radicand = append_zeros(a, &radicand, 2 * n_bits - (f + 2));
    // A remainder has one bit more than its root.
    let mut remainder = a.number(1, 0);
    let mut root = a.number(1, 0);
    for step in 0..n_bits {
        let pair = a.extract(&radicand, 2 * (n_bits - 1 - step), 2);
        let remaining = a.concat(&remainder, &pair);
        let one = a.number(2, 1);
        let trial = a.concat(&root, &one);
        let smaller = a.ult(&remaining, &trial);
        let reduced = a.sub(&remaining, &trial);
        let next = a.ite(&smaller, &remaining, &reduced);
        remainder = a.extract(&next, 0, step + 2);
        let digit = a.not(&smaller);
        root = a.concat(&root, &digit);
    }
    let root = a.extract(&root, 0, n_bits);
    let sticky = a.reduce_or(&remainder);
    let digits = a.concat(&root, &sticky);
    let one = a.number(width, 1);
    let half = a.ashr(&true_exponent, &one);
    let exponent = a.add(&half, &bias);
    let no = a.number(1, 0);
    let digits = at_least(a, &digits, f + 3);
    let number = packed(a, layout, &no, &exponent, &digits);
    let zero = zero_of(a, layout, &fields.sign);
    let number = a.ite(&fields.is_zero, &zero, &number);
    let number = if layout.specials == Specials::Ieee {
        a.ite(&fields.is_infinite, x, &number)
    } else {
        number
    };
    let not_zero = a.not(&fields.is_zero);
    let negative = a.and(&fields.sign, &not_zero);
    let is_nan = a.or(&fields.is_nan, &negative);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &number)
}

/// Returns `x * y + z`, rounded once to the nearest, ties to even.
///
/// The addend is shifted over a window that has it `fraction_bits + 3` places above the product at the left end: farther up, the
/// product only decides the rounding.
pub(super) fn fused<A: Algebra>(
    a: &mut A,
    layout: Layout,
    x: &A::Word,
    y: &A::Word,
    z: &A::Word,
) -> A::Word {
    let (e, f) = (layout.exponent_bits, layout.fraction_bits);
    let [xs, ys, zs] = [x, y, z].map(|operand| Fields::of(a, layout, operand));
    let sign = a.xor(&xs.sign, &ys.sign);
    let subtract = a.xor(&sign, &zs.sign);
    let product = product_of(a, layout, &xs, &ys);
    let exponent_bits = signed_exponent_bits(layout) + 1;
    let exponent = a.sext(&product.exponent, exponent_bits);
    let z_exponent = zs.true_exponent(a);
    let z_exponent = a.zext(&z_exponent, exponent_bits);
    let lead = signed(a, exponent_bits, i64::from(f) + 3);
    let top_exponent = a.add(&exponent, &lead);
    let distance = a.sub(&top_exponent, &z_exponent);
    let zero = a.number(exponent_bits, 0);
    let is_far = a.slt(&distance, &zero);
    // A product of 0 has no exponent that counts.
    let any_zero = a.or(&xs.is_zero, &ys.is_zero);
    let is_far = a.or(&is_far, &any_zero);
    let distance = a.ite(&is_far, &zero, &distance);
    let top_exponent = a.ite(&is_far, &z_exponent, &top_exponent);

    let width = 3 * f + 5;
    let digits = zs.significand(a);
    let digits = append_zeros(a, &digits, width - (f + 1));
    let (digits, lost) = shift_right_sticky(a, &digits, &distance);
    let addend = a.concat(&digits, &lost);
    let addend = a.zext(&addend, width + 2);
    let no_product = a.number(width + 2, 0);
    let placed = append_zeros(a, &product.digits, 1);
    let placed = a.zext(&placed, width + 2);
    let placed = a.ite(&any_zero, &no_product, &placed);
    let sum = super::words::add_or_subtract(a, &placed, &addend, &subtract);
    let top_bit = top(a, &sum, 1);
    let is_negative = a.and(&top_bit, &subtract);
    let negated = a.neg(&sum);
    let sum = a.ite(&is_negative, &negated, &sum);

    // The highest bit is one above that of the window.
    let width = width + 2;
    let wide = exponent_bits.max(bits_for(width)) + 1;
    let top_exponent = a.sext(&top_exponent, wide);
    let unsigned = a.extract(&top_exponent, 0, wide - 1);
    let farthest = farthest_shift(a, width, &unsigned);
    let marked = a.or(&sum, &farthest);
    let steps = leading_zeros(a, &marked);
    let digits = shift_left_by(a, &sum, &steps);
    let count = number_of(a, &steps);
    let count = a.zext(&count, wide);
    let one = a.number(wide, 1);
    let new_exponent = a.add(&top_exponent, &one);
    let new_exponent = a.sub(&new_exponent, &count);
    let largest = signed(a, wide, (1 << e) - 1);
    let is_large = a.slt(&largest, &new_exponent);
    let new_exponent = a.extract(&new_exponent, 0, e + 1);
    let leading = top(a, &digits, 1);
    let is_large = a.and(&is_large, &leading);
    let magnitude = rounded(a, layout, &new_exponent, &digits);

    let flipped = a.xor(&sign, &is_negative);
    let is_zero = a.is_zero(&sum);
    let cancels = a.and(&is_zero, &subtract);
    let kept = a.not(&cancels);
    let sign_of_sum = a.and(&flipped, &kept);
    let result = finished(a, layout, &sign_of_sum, &magnitude, Some(&is_large));
    let product_is_infinite = a.or(&xs.is_infinite, &ys.is_infinite);
    let undefined = a.and(&product_is_infinite, &any_zero);
    let both = a.and(&product_is_infinite, &zs.is_infinite);
    let opposite = a.and(&both, &subtract);
    let is_infinite = a.or(&product_is_infinite, &zs.is_infinite);
    let infinite_sign = a.ite(&product_is_infinite, &sign, &zs.sign);
    let infinity = infinity_of(a, layout, &infinite_sign);
    let result = a.ite(&is_infinite, &infinity, &result);
    let is_nan = any_of(a, &[xs.is_nan, ys.is_nan, zs.is_nan, undefined, opposite]);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &result)
}
