//! Logarithms.

use super::super::super::Algebra;
use super::super::expand::fields::{Fields, Normal, infinity_of, nan_of, normal, packed, zero_of};
use super::super::expand::words::{
    any_of, append_zeros, bits_for, leading_zeros, number_of, shift_left_by, signed, top,
};
use super::super::layout::Layout;
use super::polynomials::{Domain, Table, table};
use super::real::Real;

/// The base of a logarithm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    E,
    Two,
    Ten,
    /// Base 2 with more digits, for powers.
    TwoForPowers,
}

impl Base {
    fn table(self) -> &'static str {
        match self {
            Self::E => "log",
            Self::Two => "log2",
            Self::Ten => "log10",
            Self::TwoForPowers => "log2 for powers",
        }
    }

    /// Returns the natural logarithm of the base.
    fn ln(self) -> Real {
        match self {
            Self::E => Real::from(1_u32),
            Self::Two | Self::TwoForPowers => Real::from(2_u32).ln(),
            Self::Ten => Real::from(10_u32).ln(),
        }
    }

    /// Returns the bits of the result that are correct.
    pub fn accuracy_bits(self, layout: Layout) -> u32 {
        match self {
            // The largest exponent times the logarithm must be right to a part of a unit in the last place of the power.
            Self::TwoForPowers => layout.fraction_bits + layout.exponent_bits + 5,
            Self::E | Self::Two | Self::Ten => layout.fraction_bits + 4,
        }
    }
}

/// The logarithm of the magnitude of a finite number other than 0.
pub(super) struct Logarithm<W> {
    pub sign: W,
    /// The leading bit is at the top, unless the logarithm is 0.
    pub digits: W,
    /// Exponent of the leading bit: signed, not biased.
    pub exponent: W,
}

/// Returns the logarithm of `2^exponent * significand`.
///
/// A significand from 1.375 on is halved, so that it is close to 1 on both sides and its logarithm does not cancel that of the power of
/// 2. With `d` the significand less 1, the logarithm is `d` times a smooth function of `d`: the product is exact, so it is precise near 1
/// too.
pub(super) fn of_number<A: Algebra>(
    a: &mut A,
    layout: Layout,
    base: Base,
    normal: &Normal<A::Word>,
) -> Logarithm<A::Word> {
    let f = layout.fraction_bits;
    let accuracy_bits = base.accuracy_bits(layout);
    let fraction = a.extract(&normal.significand, 0, f);
    // 0.375 is 0.011 in binary; formats with two bits of fraction compare with 0.5.
    let n_compared = f.min(3);
    let leading = top(a, &fraction, n_compared);
    let limit = a.number(n_compared, if f >= 3 { 3 } else { 2 });
    let is_upper = a.uge(&leading, &limit);
    // `d` in units of 2^-(f + 1): twice the fraction, or the fraction less 1.
    let doubled = append_zeros(a, &fraction, 1);
    let doubled = a.zext(&doubled, f + 2);
    let halved = a.zext(&fraction, f + 2);
    let one = a.constant(crate::bits::Bits::from_u64(f + 2, 1).shl_by(f));
    let halved = a.sub(&halved, &one);
    let d = a.ite(&is_upper, &halved, &doubled);
    // From -1/2 to below 1/2.
    let local = a.extract(&d, 0, f + 1);
    let flip = a.constant(crate::bits::Bits::from_u64(f + 1, 1).shl_by(f));
    let z = a.xor(&local, &flip);
    let factors = table(base.table(), layout, || {
        let domain = Domain {
            low: Real::from(-0.5),
            range: Real::from(1_u32),
            bits: f + 1,
            n_halvings: 0,
        };
        let ln_base = base.ln();
        Table::new(&domain, accuracy_bits, |d| {
            let one = Real::from(1_u32);
            if d.is_zero() {
                return &one / &ln_base;
            }
            &(&(&one + d).ln() / d) / &ln_base
        })
    });
    let factor = factors.value(a, &z);
    let product_bits = a.width(&factor) + f + 1;
    let [left, right] = [&d, &factor].map(|word| a.sext(word, product_bits));
    let product = a.mul(&left, &right);

    // The logarithm of the power of 2, in units of the product.
    let point = f + 1 + factors.fraction_bits;
    let e_width = a.width(&normal.exponent);
    let bias = signed(a, e_width, layout.bias);
    let exponent = a.sub(&normal.exponent, &bias);
    let up = a.zext(&is_upper, e_width);
    let exponent = a.add(&exponent, &up);
    let width = product_bits.max(e_width + point);
    let constant = &Real::from(2_u32).ln() / &base.ln();
    // All digits of the constant count less than one unit of accuracy after the product with an exponent.
    let constant_fraction = (accuracy_bits + e_width).min(point);
    let constant = match base {
        Base::Two | Base::TwoForPowers => None,
        Base::E | Base::Ten => Some(constant.fixed(constant_fraction, constant_fraction)),
    };
    let scaled = match constant {
        None => append_zeros(a, &exponent, point),
        Some(constant) => {
            let wide = e_width + constant_fraction;
            let constant = a.constant(constant.zext(wide));
            let exponent = a.sext(&exponent, wide);
            let times = a.mul(&exponent, &constant);
            append_zeros(a, &times, point - constant_fraction)
        }
    };
    let [scaled, product] = [scaled, product].map(|word| a.sext(&word, width));
    let sum = a.add(&scaled, &product);
    let sign = top(a, &sum, 1);
    let negated = a.neg(&sum);
    let magnitude = a.ite(&sign, &negated, &sum);
    let magnitude = a.extract(&magnitude, 0, width - 1);
    let steps = leading_zeros(a, &magnitude);
    let digits = shift_left_by(a, &magnitude, &steps);
    let count = number_of(a, &steps);
    let count_bits = a.width(&count).max(bits_for(width)) + 2;
    let count = a.zext(&count, count_bits);
    let highest = signed(a, count_bits, i64::from(width - 2) - i64::from(point));
    Logarithm {
        sign,
        digits,
        exponent: a.sub(&highest, &count),
    }
}

/// Returns a logarithm: negative infinity for 0, NaN for negative numbers.
pub(super) fn logarithm<A: Algebra>(a: &mut A, layout: Layout, base: Base, x: &A::Word) -> A::Word {
    let fields = Fields::of(a, layout, x);
    let number = normal(a, layout, &fields);
    let found = of_number(a, layout, base, &number);
    let width = a.width(&found.exponent).max(layout.exponent_bits + 3);
    let exponent = a.sext(&found.exponent, width);
    let bias = signed(a, width, layout.bias);
    let exponent = a.add(&exponent, &bias);
    let result = packed(a, layout, &found.sign, &exponent, &found.digits);
    // The logarithm of 1 has no sign.
    let no = a.number(1, 0);
    let leading = top(a, &found.digits, 1);
    let zero = zero_of(a, layout, &no);
    let result = a.ite(&leading, &result, &zero);
    let yes = a.number(1, 1);
    let negative_infinity = infinity_of(a, layout, &yes);
    let result = a.ite(&fields.is_zero, &negative_infinity, &result);
    let infinity = infinity_of(a, layout, &no);
    let result = a.ite(&fields.is_infinite, &infinity, &result);
    let not_zero = a.not(&fields.is_zero);
    let negative = a.and(&fields.sign, &not_zero);
    let is_nan = any_of(a, &[fields.is_nan, negative]);
    let nan = nan_of(a, layout);
    a.ite(&is_nan, &nan, &result)
}
