//! Arithmetic on slices of words, least significant first, for widths above 64 bits.

use num_bigint::BigUint;

/// Number of words from which a product uses the faster algorithms of the big number library.
const SCHOOLBOOK_WORDS: usize = 24;

/// Returns the low and the high word.
#[inline]
pub(super) fn halves(value: u128) -> [u64; 2] {
    let low = u64::try_from(value & u128::from(u64::MAX)).expect("masked to 64 bits");
    let high = u64::try_from(value >> 64).expect("64 bits are left");
    [low, high]
}

/// Returns the inverse of [`halves`].
#[inline]
pub(super) fn joined(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// Returns the sum of equally long operands and a carry; returns the carry out of the words.
pub(super) fn add(a: &[u64], b: &[u64], carry_in: bool) -> (Vec<u64>, bool) {
    let mut carry = carry_in;
    let add_word = |(a, b): (&u64, &u64)| {
        let (sum, first) = a.overflowing_add(*b);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first | second;
        sum
    };
    let words = a.iter().zip(b).map(add_word).collect();
    (words, carry)
}

/// Returns the difference of equally long operands, wrapped.
pub(super) fn sub(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let sub_word = |(a, b): (&u64, &u64)| {
        let (difference, first) = a.overflowing_sub(*b);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        borrow = first | second;
        difference
    };
    a.iter().zip(b).map(sub_word).collect()
}

/// Returns the product of equally long operands, wrapped to their length.
pub(super) fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let n = a.len();
    if n > SCHOOLBOOK_WORDS {
        return (big(a) * big(b)).iter_u64_digits().take(n).collect();
    }
    let mut product = vec![0; n];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x != 0) {
        let mut carry = 0;
        for (slot, y) in product[i..].iter_mut().zip(b) {
            // At most (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1, so it fits.
            let sum = u128::from(*x) * u128::from(*y) + u128::from(*slot) + u128::from(carry);
            [*slot, carry] = halves(sum);
        }
    }
    product
}

/// Returns the quotient and remainder by a divisor that is not zero.
pub(super) fn div_rem(a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
    if let ([a_low, a_high], [b_low, b_high]) = (a, b) {
        let (a, b) = (joined(*a_low, *a_high), joined(*b_low, *b_high));
        return (halves(a / b).to_vec(), halves(a % b).to_vec());
    }
    let (a, b) = (big(a), big(b));
    let quotient = &a / &b;
    let remainder = a - &quotient * b;
    (
        quotient.iter_u64_digits().collect(),
        remainder.iter_u64_digits().collect(),
    )
}

/// Returns the words shifted up by `amount` bits, with the same number of words.
pub(super) fn shl(words: &[u64], amount: u32) -> Vec<u64> {
    let (skip, bits) = split(amount);
    let word = |i: usize| i.checked_sub(skip).map_or(0, |i| words[i]);
    let moved = |i: usize| {
        let below = if i == 0 { 0 } else { word(i - 1) };
        word(i) << bits | below.checked_shr(64 - bits).unwrap_or(0)
    };
    (0..words.len()).map(moved).collect()
}

/// Returns the first `count` words after a shift down by `amount` bits.
pub(super) fn lshr(words: &[u64], amount: u32, count: usize) -> Vec<u64> {
    let (skip, bits) = split(amount);
    let word = |i: usize| words.get(i + skip).copied().unwrap_or(0);
    let moved = |i: usize| word(i) >> bits | word(i + 1).checked_shl(64 - bits).unwrap_or(0);
    (0..count).map(moved).collect()
}

/// Splits a shift amount into whole words and bits.
pub(super) fn split(amount: u32) -> (usize, u32) {
    let words = usize::try_from(amount / 64).expect("an index has at least 32 bits");
    (words, amount % 64)
}

/// Converts to a number of the big number library.
pub(super) fn big(words: &[u64]) -> BigUint {
    let digits: Vec<u32> = words.iter().flat_map(|word| digits(*word)).collect();
    BigUint::new(digits)
}

fn digits(word: u64) -> [u32; 2] {
    let digit = |part: u64| u32::try_from(part).expect("a half of a word");
    [digit(word & u64::from(u32::MAX)), digit(word >> 32)]
}
