//! The inverse of the square root.

use super::super::super::Algebra;
use super::super::expand::fields::{
    Fields, Normal, infinity_of, nan_of, normal, packed, with_top_bit, zero_of,
};
use super::super::expand::words::{bit, signed};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;

/// Returns `1 / sqrt(x)`: an infinity of the sign of `x` for zeros, NaN for negative numbers.
pub(super) fn inverse_square_root<A: Algebra>(a: &mut A, layout: Layout, x: &A::Word) -> A::Word {
    let f = layout.fraction_bits;
    let fields = Fields::of(a, layout, x);
    let Normal {
        significand,
        exponent,
    } = normal(a, layout, &fields);
    let width = a.width(&exponent);
    let bias = signed(a, width, layout.bias);
    let true_exponent = a.sub(&exponent, &bias);
    let is_odd = bit(a, &true_exponent, 0);
    // The upper half of the table is for significands that an odd exponent doubles.
    let fraction = a.extract(&significand, 0, f);
    let z = a.concat(&is_odd, &fraction);
    let roots = table("rsqrt", layout, || {
        let domain = Domain {
            low: Real::from(0_u32),
            range: Real::from(2_u32),
            bits: f + 1,
            n_halvings: 1,
        };
        Table::new(&domain, f + 4, |x| {
            let one = Real::from(1_u32);
            let significand = if x.is_less(&one) {
                &one + x
            } else {
                &Real::from(2_u32) * x
            };
            &one / &significand.sqrt()
        })
    });
    let digits = roots.positive_value(a, &z);
    let one = a.number(width, 1);
    let half = a.ashr(&true_exponent, &one);
    let exponent = a.sub(&bias, &half);
    let (digits, exponent) = with_top_bit(a, &digits, &exponent);
    let no = a.number(1, 0);
    let number = packed(a, layout, &no, &exponent, &digits);
    let infinity = infinity_of(a, layout, &fields.sign);
    let number = a.ite(&fields.is_zero, &infinity, &number);
    let zero = zero_of(a, layout, &no);
    let number = a.ite(&fields.is_infinite, &zero, &number);
    let not_zero = a.not(&fields.is_zero);
    let negative = a.and(&fields.sign, &not_zero);
    let is_nan = a.or(&fields.is_nan, &negative);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &number)
}
