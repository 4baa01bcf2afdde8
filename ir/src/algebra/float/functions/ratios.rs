//! Odd functions that grow like their argument near 0 and have a limit: hyperbolic tangent and error function.

use super::super::super::Algebra;
use super::super::expand::fields::{Fields, Normal, nan_of, normal, packed, with_leading_bit};
use super::super::expand::words::{append_zeros, bit, exact_product, shift_right_sticky, signed};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;

/// Bits of the argument below the point, beyond those of the fraction.
const GUARD_BITS: u32 = 5;

/// Returns the hyperbolic tangent.
pub(super) fn hyperbolic_tangent<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    // 1 - tanh(x) = 2 exp(-2x) / (1 + exp(-2x)).
    let last = |x: f64| 2.0 * (-2.0 * x).exp();
    limited(a, layout, "tanh", last, Real::tanh, x)
}

/// Returns the error function.
pub(super) fn error_function<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    // 1 - erf(x) < exp(-x^2) for x > 0.
    let last = |x: f64| (-x * x).exp();
    limited(a, layout, "erf", last, Real::erf, x)
}

/// Returns the power of two from which on the function is 1 in the format: its distance from 1, bounded by `last`, is less than a
/// quarter of a unit in the last place.
fn range_bits(layout: Layout, last: fn(f64) -> f64) -> u32 {
    let unit = (-f64::from(layout.fraction_bits + 3)).exp2();
    let fits = |bits: &u32| last(f64::from(1_u32 << bits)) < unit;
    (0..8).find(fits).unwrap_or(8)
}

/// Returns an odd function as its argument times the value of a table.
fn limited<A: Algebra>(
    a: &mut A,
    layout: Layout,
    name: &'static str,
    last: fn(f64) -> f64,
    f: fn(&Real) -> Real,
    x: &A::Word,
) -> A::Word {
    let range_bits = range_bits(layout, last);
    let bits = range_bits + layout.fraction_bits + GUARD_BITS;
    let ratios = table(name, layout, || {
        let domain = Domain {
            low: Real::from(0_u32),
            range: Real::from(1_u32 << range_bits),
            bits,
            n_halvings: range_bits,
        };
        // A ratio near the end of the range is small, and has as many leading zeros.
        let accuracy_bits = layout.fraction_bits + 5 + range_bits;
        Table::new(&domain, accuracy_bits, |x| &f(x) / x)
    });
    let fields = Fields::of(a, layout, x);
    let Normal {
        significand,
        exponent,
    } = normal(a, layout, &fields);
    let width = a.width(&exponent).max(layout.exponent_bits + 3);
    let exponent = a.sext(&exponent, width);
    let highest = signed(a, width, layout.bias + i64::from(range_bits) - 1);
    let is_far = a.slt(&highest, &exponent);
    let leading = bit(a, &significand, layout.fraction_bits);
    let is_far = a.and(&is_far, &leading);
    let distance = a.sub(&highest, &exponent);
    let placed = append_zeros(a, &significand, bits - (layout.fraction_bits + 1));
    let (z, _) = shift_right_sticky(a, &placed, &distance);
    let ratio = ratios.positive_value(a, &z);
    let product = exact_product(a, &significand, &ratio);
    // Two bits before the point; a ratio is at least about 1 / range.
    let n_leading = (range_bits + 4).min(a.width(&product));
    let one = signed(a, width, 1);
    let exponent = a.add(&exponent, &one);
    let (digits, exponent) = with_leading_bit(a, &product, &exponent, n_leading);
    let number = packed(a, layout, &fields.sign, &exponent, &digits);
    let one = a.constant(layout.one().trunc(layout.magnitude_bits()));
    let limit = a.concat(&fields.sign, &one);
    let result = a.ite(&is_far, &limit, &number);
    let nan = nan_of(a, layout);
    a.ite(&fields.is_nan, &nan, &result)
}
