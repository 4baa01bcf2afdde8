//! Sine and cosine, for arguments of any size.

use super::super::super::Algebra;
use super::super::expand::fields::{Fields, Normal, nan_of, normal, packed, with_leading_bit};
use super::super::expand::words::{
    bit, bits_for, exact_product, leading_zeros, number_of, shift_left_by, shift_right_sticky,
    signed, top,
};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;
use crate::bits::Bits;

/// The smallest exponent for which the argument may be more than an eighth of a turn, less 1.
const SMALLEST_EXPONENT: i64 = -2;

/// An angle as a number of quarter turns and a rest.
struct Reduced<W> {
    /// Number of quarter turns, modulo 4.
    n_quarters: W,
    /// One bit: the rest is negative.
    is_negative: W,
    /// Magnitude of the rest in quarter turns, less than 1/2: all bits are below the point but for the first.
    rest: W,
    /// Number of places by which the rest is smaller than that: 0 but for small arguments. Unsigned.
    n_places: W,
}

/// Returns the bits of a rest that are right: those of the result, and those that an argument close to a multiple of a quarter turn
/// loses. Among `2^(exponent_bits + fraction_bits)` arguments the closest has about as many leading zeros in its rest.
fn rest_bits(layout: Layout) -> u32 {
    (layout.fraction_bits + 5) + (layout.exponent_bits + layout.fraction_bits + 3)
}

/// Reduces an argument by the method of Payne and Hanek: of 2/pi, only the bits are multiplied that count modulo four quarter turns
/// for the exponent.
fn reduced<A: Algebra>(a: &mut A, layout: Layout, number: &Normal<A::Word>) -> Reduced<A::Word> {
    let f = layout.fraction_bits;
    let kept = rest_bits(layout);
    let fraction = kept + f + 2;
    let window_bits = fraction + 2;
    let largest = (1_i64 << layout.exponent_bits) - 1 - layout.bias;
    let n_windows = u32::try_from(largest - SMALLEST_EXPONENT + 1).expect("exponents are ordered");
    let smallest = u32::try_from(-SMALLEST_EXPONENT).expect("the constant is negative");
    let ratio = Real::two_over_pi((fraction + n_windows) as usize);
    let windows: Vec<Bits> = (0..n_windows)
        .map(|i| {
            // 2/pi in units of the product for the exponent `i + SMALLEST_EXPONENT`.
            let shift = fraction + i - f - smallest;
            ratio.floor_of_magnitude(window_bits, shift)
        })
        .collect();
    let width = a.width(&number.exponent) + 1;
    let exponent = a.sext(&number.exponent, width);
    let first = signed(a, width, layout.bias + SMALLEST_EXPONENT);
    let index = a.sub(&exponent, &first);
    let is_small = top(a, &index, 1);
    let zero = a.number(width, 0);
    let n_places = a.neg(&index);
    let n_places = a.ite(&is_small, &n_places, &zero);
    let index = a.ite(&is_small, &zero, &index);
    let index = a.extract(&index, 0, bits_for(n_windows - 1));
    let window = a.table(&index, &windows);

    let significand = a.zext(&number.significand, window_bits);
    let turns = a.mul(&significand, &window);
    let turns = top(a, &turns, kept + 2);
    let half = a.constant(Bits::from_u64(kept + 2, 1).shl_by(kept - 1));
    let shifted = a.add(&turns, &half);
    let n_quarters = top(a, &shifted, 2);
    // The rest plus 1/2, so its highest bit is 1 for a positive rest. The complement of a negative one is its magnitude less one unit.
    let positive = bit(a, &shifted, kept - 1);
    let is_negative = a.not(&positive);
    let rest = a.extract(&shifted, 0, kept - 1);
    let mask = a.sext(&is_negative, kept - 1);
    Reduced {
        n_quarters,
        is_negative,
        rest: a.xor(&rest, &mask),
        n_places,
    }
}

/// Returns the sine.
pub(super) fn sine<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    circular(a, layout, false, x)
}

/// Returns the cosine.
pub(super) fn cosine<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    circular(a, layout, true, x)
}

fn circular<A: Algebra>(a: &mut A, layout: Layout, is_cosine: bool, x: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let fields = Fields::of(a, layout, x);
    let number = normal(a, layout, &fields);
    let angle = reduced(a, layout, &number);
    let odd = bit(a, &angle.n_quarters, 0);
    let half_turn = bit(a, &angle.n_quarters, 1);
    // Of the rest, an odd number of quarter turns exchanges sine and cosine.
    let by_cosine = if is_cosine { a.not(&odd) } else { odd.clone() };

    let z_bits = f + 6;
    let z = top(a, &angle.rest, z_bits);
    let (z, _) = shift_right_sticky(a, &z, &angle.n_places);
    let z = a.concat(&by_cosine, &z);
    let values = table("sin and cos", layout, || {
        // The lower half is sin(t pi/2) / t, the upper half is cos(t pi/2); t is half of the position in each.
        let domain = Domain {
            low: Real::from(0_u32),
            range: Real::from(2_u32),
            bits: z_bits + 1,
            n_halvings: 1,
        };
        let quarter = &Real::pi() / &Real::from(2_u32);
        let (one, half) = (Real::from(1_u32), Real::from(0.5));
        Table::new(&domain, f + 5, |x| {
            if x.is_less(&one) {
                let t = x * &half;
                &(&t * &quarter).sin() / &t
            } else {
                let t = &(x - &one) * &half;
                (&t * &quarter).cos()
            }
        })
    });
    let value = values.positive_value(a, &z);

    let steps = leading_zeros(a, &angle.rest);
    let digits = shift_left_by(a, &angle.rest, &steps);
    let digits = top(a, &digits, f + 6);
    let one = a.constant(Bits::from_u64(f + 6, 1).shl_by(f + 5));
    let factor = a.ite(&by_cosine, &one, &digits);
    let width = a.width(&angle.n_places).max(layout.exponent_bits + 3) + 1;
    let count = number_of(a, &steps);
    let count_width = a.width(&count).max(width);
    let [count, n_places] = [&count, &angle.n_places].map(|word| a.zext(word, count_width));
    let count = a.add(&count, &n_places);
    // The first bit of a rest is worth 1/4.
    let exponent = signed(a, count_width, layout.bias - 2);
    let exponent = a.sub(&exponent, &count);
    let bias = signed(a, count_width, layout.bias);
    let exponent = a.ite(&by_cosine, &bias, &exponent);

    let product = exact_product(a, &factor, &value);
    // Two bits before the point; the product is at least 0.7.
    let up = signed(a, count_width, 1);
    let exponent = a.add(&exponent, &up);
    let (digits, exponent) = with_leading_bit(a, &product, &exponent, 3);

    let by_sine = a.not(&by_cosine);
    let flipped = a.and(&by_sine, &angle.is_negative);
    let sign = if is_cosine {
        a.xor(&half_turn, &odd)
    } else {
        a.xor(&half_turn, &fields.sign)
    };
    let sign = a.xor(&sign, &flipped);
    let result = packed(a, layout, &sign, &exponent, &digits);
    let is_nan = a.or(&fields.is_nan, &fields.is_infinite);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &result)
}
