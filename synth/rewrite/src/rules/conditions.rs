//! Conditions that several rules use or that are too long for a row.

use sluice_ir::bits::Bits;

use crate::pattern::Match;

/// Greatest number of signed digits of a constant factor for which a product becomes shifts and sums.
const MAX_SIGNED_DIGITS: u32 = 4;

/// Always holds: for rules without a condition.
pub fn always(_: &mut Match<'_>) -> bool {
    true
}

/// Returns `value + 1`.
pub fn plus_one(value: &Bits) -> Bits {
    value.add(&Bits::from_u64(value.width(), 1))
}

/// Returns `value - 1`.
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

/// Returns true if the sign bit of `name` is known to be 0.
pub fn non_negative(found: &Match<'_>, name: &str) -> bool {
    found.known(name).zeros.sign_bit()
}

/// Holds if `#c` is a shift amount less than its width.
pub fn in_range(found: &mut Match<'_>) -> bool {
    found.amount("c").is_some()
}

/// Holds if `c = o << k` with `k > 0`.
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

/// Holds if the lowest signed digit of `c` is +1; sets `d = c - 1`.
pub fn digit_plus(found: &mut Match<'_>) -> bool {
    let factor = found.constant("c");
    let digits = signed_digits(&factor);
    factor.bit(0)
        && !factor.bit(1)
        && (2..=MAX_SIGNED_DIGITS).contains(&digits)
        && found.set("d", minus_one(&factor))
}

/// Holds if the lowest signed digit of `c` is -1; sets `d = c + 1`.
pub fn digit_minus(found: &mut Match<'_>) -> bool {
    let factor = found.constant("c");
    let digits = signed_digits(&factor);
    factor.bit(0)
        && factor.bit(1)
        && (2..=MAX_SIGNED_DIGITS).contains(&digits)
        && found.set("d", plus_one(&factor))
}

/// Returns the number of non-zero digits in the non-adjacent form, modulo 2^w: the ones of `3v xor v` above the lowest bit.
fn signed_digits(value: &Bits) -> u32 {
    let wide = value.sext(value.width() + 2);
    let triple = wide.add(&wide.shl_by(1));
    triple.xor(&wide).count_ones()
}

/// Holds if `x` is known to be 0 at every bit where `y` may be 0.
pub fn keeps_under_and(found: &mut Match<'_>) -> bool {
    found
        .known("y")
        .ones
        .or(&found.known("x").zeros)
        .is_all_ones()
}

/// Holds if `x` is known to be 1 at every bit where `y` may be 1.
pub fn keeps_under_or(found: &mut Match<'_>) -> bool {
    found
        .known("y")
        .zeros
        .or(&found.known("x").ones)
        .is_all_ones()
}

/// Holds if no bit may be 1 in both `x` and `y`.
pub fn disjoint(found: &mut Match<'_>) -> bool {
    found
        .known("x")
        .zeros
        .or(&found.known("y").zeros)
        .is_all_ones()
}

/// Holds if `x` may be 1 only where `c` is 1.
pub fn within_mask(found: &mut Match<'_>) -> bool {
    found
        .known("x")
        .zeros
        .or(&found.constant("c"))
        .is_all_ones()
}

/// Holds if `x` is at most `y` according to the known bits.
pub fn never_above(found: &mut Match<'_>) -> bool {
    found.known("x").zeros.not().ule(&found.known("y").ones)
}

fn amounts(found: &Match<'_>) -> Option<(u32, u32)> {
    Some((found.amount("c")?, found.amount("d")?))
}

/// Holds if `c + d` is less than the width; sets `e = c + d`.
pub fn amounts_add(found: &mut Match<'_>) -> bool {
    amounts(found)
        .is_some_and(|(c, d)| c + d < found.width("x") && found.set_number("e", "x", c + d))
}

/// Holds if `c + d` is at least the width.
pub fn amounts_exceed(found: &mut Match<'_>) -> bool {
    amounts(found).is_some_and(|(c, d)| c + d >= found.width("x"))
}

/// Sets `e = min(c + d, width - 1)`.
pub fn amounts_saturate(found: &mut Match<'_>) -> bool {
    amounts(found).is_some_and(|(c, d)| {
        let last = found.width("x") - 1;
        found.set_number("e", "x", (c + d).min(last))
    })
}

fn low_ones(width: u32, n_ones: u32) -> Bits {
    Bits::ones(width).lshr_by(width - n_ones)
}

/// Computes `e` and `m`: left by `c`, then right by `d >= c` is right by `e` under the mask `m`.
pub fn down_and_mask(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    amounts(found).is_some_and(|(c, d)| {
        d >= c && found.set_number("e", "x", d - c) && found.set("m", low_ones(width, width - d))
    })
}

/// Computes `e` and `m`: left by `c`, then right by `d < c` is left by `e` under the mask `m`.
pub fn up_and_mask(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    amounts(found).is_some_and(|(c, d)| {
        d < c && found.set_number("e", "x", c - d) && found.set("m", low_ones(width, width - d))
    })
}

/// Computes `e` and `m`: right by `c`, then left by `d >= c` is left by `e` under the mask `m`.
pub fn up_and_high_mask(found: &mut Match<'_>) -> bool {
    let ones = Bits::ones(found.width("x"));
    amounts(found).is_some_and(|(c, d)| {
        d >= c && found.set_number("e", "x", d - c) && found.set("m", ones.shl_by(d))
    })
}

/// Computes `e` and `m`: right by `c`, then left by `d < c` is right by `e` under the mask `m`.
pub fn down_and_high_mask(found: &mut Match<'_>) -> bool {
    let ones = Bits::ones(found.width("x"));
    amounts(found).is_some_and(|(c, d)| {
        d < c && found.set_number("e", "x", c - d) && found.set("m", ones.shl_by(d))
    })
}

/// Sets `n = width - c`, for `c > 0`.
pub fn sign_from_width(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    found
        .amount("c")
        .is_some_and(|c| c > 0 && found.set_width("n", width - c))
}

/// Holds if `m` has exactly its low `n` bits set, at least one and not all.
pub fn low_mask(found: &mut Match<'_>) -> bool {
    let mask = found.constant("m");
    let n_ones = mask.not().trailing_zeros();
    n_ones > 0
        && n_ones < mask.width()
        && mask.active_bits() == n_ones
        && found.set_width("n", n_ones)
}

/// Sets `k` to the low `%m` bits, at the width of the root.
pub fn mask_below(found: &mut Match<'_>) -> bool {
    found.set("k", low_ones(found.width("r"), found.width("m")))
}

/// Holds if the amount `c` is less than the width of the root; sets `k` to the same amount at that width.
pub fn shift_kept(found: &mut Match<'_>) -> bool {
    let width = found.width("r");
    found
        .amount("c")
        .is_some_and(|c| c < width && found.set("k", Bits::from_u64(width, u64::from(c))))
}

/// Holds if `c` is the zero extension of `k`, which has the width of `x`.
pub fn constant_fits_zext(found: &mut Match<'_>) -> bool {
    let value = found.constant("c");
    let width = found.width("x");
    value.active_bits() <= width && found.set("k", value.trunc(width))
}

/// Holds if `c` is the sign extension of `k`, which has the width of `x`.
pub fn constant_fits_sext(found: &mut Match<'_>) -> bool {
    let value = found.constant("c");
    let width = found.width("x");
    value.min_signed_bits() <= width && found.set("k", value.trunc(width))
}

/// Sets `n` to one more than the wider operand; holds if this is less than the width.
pub fn one_more_bit(found: &mut Match<'_>) -> bool {
    let width = found.width("x").max(found.width("y")) + 1;
    width < found.width("r") && found.set_width("n", width)
}

/// Sets `n` to the sum of the widths; holds if this is less than the width.
pub fn all_bits(found: &mut Match<'_>) -> bool {
    let width = found.width("x") + found.width("y");
    width < found.width("r") && found.set_width("n", width)
}

fn active_bits(found: &Match<'_>, name: &str) -> u32 {
    found.known(name).zeros.not().active_bits()
}

/// Holds if the sum fits `n` bits, fewer than the width.
pub fn sum_fits(found: &mut Match<'_>) -> bool {
    let width = active_bits(found, "x").max(active_bits(found, "y")) + 1;
    width < found.width("r") && found.set_width("n", width)
}

/// Holds if the product fits `n` bits, fewer than the width.
pub fn product_fits(found: &mut Match<'_>) -> bool {
    let width = (active_bits(found, "x") + active_bits(found, "y")).max(1);
    width < found.width("r") && found.set_width("n", width)
}

/// Holds if `c = 1 << k`, more than one bit wide; sets `n = 1`.
pub fn single_bit(found: &mut Match<'_>) -> bool {
    let mask = found.constant("c");
    let zeros = mask.trailing_zeros();
    mask.count_ones() == 1
        && mask.width() > 1
        && found.set_width("n", 1)
        && found.set_number("k", "x", zeros)
}

/// Holds if `c = 1 << k` with `k > 0`.
pub fn power_above_one(found: &mut Match<'_>) -> bool {
    let bound = found.constant("c");
    let zeros = bound.trailing_zeros();
    bound.count_ones() == 1 && zeros > 0 && found.set_number("k", "x", zeros)
}

/// Sets `k` to the number of the sign bit and `n = 1`; holds if more than one bit wide.
pub fn sign_bit(found: &mut Match<'_>) -> bool {
    let width = found.width("x");
    width > 1 && found.set_width("n", 1) && found.set_number("k", "x", width - 1)
}
