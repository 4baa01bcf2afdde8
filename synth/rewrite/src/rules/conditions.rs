//! Conditions that more than one rule needs or that are too long for a row.

use sluice_ir::bits::Bits;

use crate::pattern::Match;

/// Digits of a constant factor in signed-digit form up to which a product becomes shifts and sums.
const MAX_SIGNED_DIGITS: u32 = 4;

/// No condition.
pub fn always(_: &mut Match<'_>) -> bool {
    true
}

/// `value + 1`
pub fn plus_one(value: &Bits) -> Bits {
    value.add(&Bits::from_u64(value.width(), 1))
}

/// `value - 1`
pub fn minus_one(value: &Bits) -> Bits {
    value.sub(&Bits::from_u64(value.width(), 1))
}

/// Returns true if `value` is the smallest signed number.
pub fn is_smallest_signed(value: &Bits) -> bool {
    value.trailing_zeros() + 1 == value.width()
}

/// Returns true if `value` is the largest signed number.
pub fn is_largest_signed(value: &Bits) -> bool {
    is_smallest_signed(&value.not())
}

/// The sign bit of `name` is known to be 0.
pub fn non_negative(found: &Match<'_>, name: &str) -> bool {
    found.known(name).zeros.sign_bit()
}

/// `#c` is an amount below its width.
pub fn in_range(found: &mut Match<'_>) -> bool {
    found.amount("c").is_some()
}

/// `c = o << k` with `k > 0`.
pub fn even_factor(found: &mut Match<'_>) -> bool {
    let factor = found.constant("c");
    let zeros = factor.trailing_zeros();
    if zeros == 0 || factor.is_zero() || signed_digits(&factor) > MAX_SIGNED_DIGITS {
        return false;
    }
    // The smallest signed number is also 2^(w-1), whose odd part is 1.
    let odd = if factor.count_ones() == 1 {
        factor.lshr_by(zeros)
    } else {
        factor.ashr_by(zeros)
    };
    found.set("o", odd) && found.set_number("k", "x", zeros)
}

/// The lowest signed digit of `c` is +1: `d = c - 1`.
pub fn digit_plus(found: &mut Match<'_>) -> bool {
    let factor = found.constant("c");
    let digits = signed_digits(&factor);
    factor.bit(0)
        && !factor.bit(1)
        && (2..=MAX_SIGNED_DIGITS).contains(&digits)
        && found.set("d", minus_one(&factor))
}

/// The lowest signed digit of `c` is -1: `d = c + 1`.
pub fn digit_minus(found: &mut Match<'_>) -> bool {
    let factor = found.constant("c");
    let digits = signed_digits(&factor);
    factor.bit(0)
        && factor.bit(1)
        && (2..=MAX_SIGNED_DIGITS).contains(&digits)
        && found.set("d", plus_one(&factor))
}

/// Returns the number of digits that are not 0 in the non-adjacent form, modulo 2^w: the ones of `3v xor v` above the lowest bit.
fn signed_digits(value: &Bits) -> u32 {
    let wide = value.sext(value.width() + 2);
    let triple = wide.add(&wide.shl_by(1));
    triple.xor(&wide).count_ones()
}

/// Where `y` may be 0, `x` is known to be 0.
pub fn keeps_under_and(found: &mut Match<'_>) -> bool {
    found
        .known("y")
        .ones
        .or(&found.known("x").zeros)
        .is_all_ones()
}

/// Where `y` may be 1, `x` is known to be 1.
pub fn keeps_under_or(found: &mut Match<'_>) -> bool {
    found
        .known("y")
        .zeros
        .or(&found.known("x").ones)
        .is_all_ones()
}

/// No bit may be 1 in both.
pub fn disjoint(found: &mut Match<'_>) -> bool {
    found
        .known("x")
        .zeros
        .or(&found.known("y").zeros)
        .is_all_ones()
}

/// `x` may be 1 only where `c` is.
pub fn within_mask(found: &mut Match<'_>) -> bool {
    found
        .known("x")
        .zeros
        .or(&found.constant("c"))
        .is_all_ones()
}

/// `x` is at most `y`, by what is known.
pub fn never_above(found: &mut Match<'_>) -> bool {
    found.known("x").zeros.not().ule(&found.known("y").ones)
}

fn amounts(found: &Match<'_>) -> Option<(u32, u32)> {
    Some((found.amount("c")?, found.amount("d")?))
}

/// `e = c + d`, below the width.
pub fn amounts_add(found: &mut Match<'_>) -> bool {
    amounts(found)
        .is_some_and(|(c, d)| c + d < found.width("x") && found.set_number("e", "x", c + d))
}

/// `c + d` is the width or more.
pub fn amounts_exceed(found: &mut Match<'_>) -> bool {
    amounts(found).is_some_and(|(c, d)| c + d >= found.width("x"))
}

/// `e = min(c + d, width - 1)`
pub fn amounts_saturate(found: &mut Match<'_>) -> bool {
    amounts(found).is_some_and(|(c, d)| {
        let last = found.width("x") - 1;
        found.set_number("e", "x", (c + d).min(last))
    })
}

fn low_ones(width: u32, n_ones: u32) -> Bits {
    Bits::ones(width).lshr_by(width - n_ones)
}

/// Left by `c`, then right by `d >= c`: right by `e` under the mask `m`.
pub fn down_and_mask(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    amounts(found).is_some_and(|(c, d)| {
        d >= c && found.set_number("e", "x", d - c) && found.set("m", low_ones(width, width - d))
    })
}

/// Left by `c`, then right by `d < c`: left by `e` under the mask `m`.
pub fn up_and_mask(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    amounts(found).is_some_and(|(c, d)| {
        d < c && found.set_number("e", "x", c - d) && found.set("m", low_ones(width, width - d))
    })
}

/// Right by `c`, then left by `d >= c`: left by `e` under the mask `m`.
pub fn up_and_high_mask(found: &mut Match<'_>) -> bool {
    let ones = Bits::ones(found.width("x"));
    amounts(found).is_some_and(|(c, d)| {
        d >= c && found.set_number("e", "x", d - c) && found.set("m", ones.shl_by(d))
    })
}

/// Right by `c`, then left by `d < c`: right by `e` under the mask `m`.
pub fn down_and_high_mask(found: &mut Match<'_>) -> bool {
    let ones = Bits::ones(found.width("x"));
    amounts(found).is_some_and(|(c, d)| {
        d < c && found.set_number("e", "x", c - d) && found.set("m", ones.shl_by(d))
    })
}

/// `n = width - c`, for `c > 0`.
pub fn sign_from_width(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    found
        .amount("c")
        .is_some_and(|c| c > 0 && found.set_width("n", width - c))
}

/// `m` has its low `n` bits set, no others, and is neither none nor all.
pub fn low_mask(found: &mut Match<'_>) -> bool {
    let mask = found.constant("m");
    let n_ones = mask.not().trailing_zeros();
    n_ones > 0
        && n_ones < mask.width()
        && mask.active_bits() == n_ones
        && found.set_width("n", n_ones)
}

/// `k` has the low `%m` bits set, at the width of the root.
pub fn mask_below(found: &mut Match<'_>) -> bool {
    found.set("k", low_ones(found.width("r"), found.width("m")))
}

/// The amount `c` is below the width of the root: `k` is the same amount at that width.
pub fn shift_kept(found: &mut Match<'_>) -> bool {
    let width = found.width("r");
    found
        .amount("c")
        .is_some_and(|c| c < width && found.set("k", Bits::from_u64(width, u64::from(c))))
}

/// `c` is the zero extension of `k`, which has the width of `x`.
pub fn constant_fits_zext(found: &mut Match<'_>) -> bool {
    let value = found.constant("c");
    let width = found.width("x");
    value.active_bits() <= width && found.set("k", value.trunc(width))
}

/// `c` is the sign extension of `k`, which has the width of `x`.
pub fn constant_fits_sext(found: &mut Match<'_>) -> bool {
    let value = found.constant("c");
    let width = found.width("x");
    value.min_signed_bits() <= width && found.set("k", value.trunc(width))
}

/// `n` is one more than the wider operand, and below the width.
pub fn one_more_bit(found: &mut Match<'_>) -> bool {
    let width = found.width("x").max(found.width("y")) + 1;
    width < found.width("r") && found.set_width("n", width)
}

/// `n` is the sum of the widths, and below the width.
pub fn all_bits(found: &mut Match<'_>) -> bool {
    let width = found.width("x") + found.width("y");
    width < found.width("r") && found.set_width("n", width)
}

fn active_bits(found: &Match<'_>, name: &str) -> u32 {
    found.known(name).zeros.not().active_bits()
}

/// The sum fits `n` bits, fewer than the width.
pub fn sum_fits(found: &mut Match<'_>) -> bool {
    let width = active_bits(found, "x").max(active_bits(found, "y")) + 1;
    width < found.width("r") && found.set_width("n", width)
}

/// The product fits `n` bits, fewer than the width.
pub fn product_fits(found: &mut Match<'_>) -> bool {
    let width = (active_bits(found, "x") + active_bits(found, "y")).max(1);
    width < found.width("r") && found.set_width("n", width)
}

/// `c = 1 << k`; `n = 1`; more than one bit wide.
pub fn single_bit(found: &mut Match<'_>) -> bool {
    let mask = found.constant("c");
    let zeros = mask.trailing_zeros();
    mask.count_ones() == 1
        && mask.width() > 1
        && found.set_width("n", 1)
        && found.set_number("k", "x", zeros)
}

/// `c = 1 << k` with `k > 0`.
pub fn power_above_one(found: &mut Match<'_>) -> bool {
    let bound = found.constant("c");
    let zeros = bound.trailing_zeros();
    bound.count_ones() == 1 && zeros > 0 && found.set_number("k", "x", zeros)
}

/// `k` is the number of the sign bit; `n = 1`; more than one bit wide.
pub fn sign_bit(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    width > 1 && found.set_width("n", 1) && found.set_number("k", "x", width - 1)
}
