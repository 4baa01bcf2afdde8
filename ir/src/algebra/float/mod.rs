//! Floating-point operations on bit patterns, bit-exact with LLVM (rustc_apfloat is LLVM's own arithmetic in Rust).

use std::cmp::Ordering;

use rustc_apfloat::ieee::{
    BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Quad, Single, X87DoubleExtended,
};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::bits::Bits;
use crate::types::FloatKind;

use super::Concrete;

mod expand;
mod functions;
mod layout;

pub use expand::expand;
pub use functions::{FloatFunction, has_functions};
use layout::Layout;

/// A floating-point format.
pub type FloatFormat = FloatKind;

/// Comparison predicates, numbered as in `arith.cmpf`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatPredicate {
    /// `false`
    AlwaysFalse,
    /// `oeq`
    Oeq,
    /// `ogt`
    Ogt,
    /// `oge`
    Oge,
    /// `olt`
    Olt,
    /// `ole`
    Ole,
    /// `one`
    One,
    /// `ord`
    Ord,
    /// `ueq`
    Ueq,
    /// `ugt`
    Ugt,
    /// `uge`
    Uge,
    /// `ult`
    Ult,
    /// `ule`
    Ule,
    /// `une`
    Une,
    /// `uno`
    Uno,
    /// `true`
    AlwaysTrue,
}

impl FloatPredicate {
    /// All predicates in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::AlwaysFalse,
        Self::Oeq,
        Self::Ogt,
        Self::Oge,
        Self::Olt,
        Self::Ole,
        Self::One,
        Self::Ord,
        Self::Ueq,
        Self::Ugt,
        Self::Uge,
        Self::Ult,
        Self::Ule,
        Self::Une,
        Self::Uno,
        Self::AlwaysTrue,
    ];

    fn holds(self, order: Option<Ordering>) -> bool {
        use Ordering::{Equal, Greater, Less};
        match self {
            Self::AlwaysFalse => false,
            Self::Oeq => order == Some(Equal),
            Self::Ogt => order == Some(Greater),
            Self::Oge => matches!(order, Some(Greater | Equal)),
            Self::Olt => order == Some(Less),
            Self::Ole => matches!(order, Some(Less | Equal)),
            Self::One => matches!(order, Some(Less | Greater)),
            Self::Ord => order.is_some(),
            Self::Ueq => matches!(order, None | Some(Equal)),
            Self::Ugt => matches!(order, None | Some(Greater)),
            Self::Uge => matches!(order, None | Some(Greater | Equal)),
            Self::Ult => matches!(order, None | Some(Less)),
            Self::Ule => matches!(order, None | Some(Less | Equal)),
            Self::Une => order != Some(Equal),
            Self::Uno => order.is_none(),
            Self::AlwaysTrue => true,
        }
    }
}

/// How a float becomes a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even.
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    /// To zero.
    ToZero,
    /// To positive infinity.
    Up,
    /// To negative infinity.
    Down,
}

/// A floating-point operation; it rounds to the nearest, ties to even, unless stated otherwise.
///
/// NaNs that it computes are positive and quiet, with the other fraction bits 0. Negation, absolute value and `copysign` change
/// the sign of a NaN only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder as in C's `fmod`.
    Rem,
    /// Sign flipped.
    Neg,
    /// Sign cleared.
    Abs,
    /// The first operand with the sign of the second.
    CopySign,
    /// Square root.
    Sqrt,
    /// The first operand times the second plus the third, rounded once.
    Fma,
    /// A mathematical function, within one unit in the last place.
    Function(FloatFunction),
    /// A whole number.
    ToWhole(Rounding),
    /// Minimum that propagates NaN; negative zero is less than zero.
    Minimum,
    /// Maximum that propagates NaN; negative zero is less than zero.
    Maximum,
    /// Minimum that prefers numbers to NaN; negative zero is less than zero.
    MinNum,
    /// Maximum that prefers numbers to NaN; negative zero is less than zero.
    MaxNum,
    /// Comparison; the result is one bit.
    Compare(FloatPredicate),
    /// Conversion to another format.
    Convert(FloatFormat),
    /// Conversion from a signed integer to the format.
    FromSigned,
    /// Conversion from an unsigned integer to the format.
    FromUnsigned,
    /// Conversion to a signed integer of this width, rounded to zero; out of range to the nearest integer, NaN to 0.
    ToSigned(u32),
    /// Conversion to an unsigned integer of this width, rounded to zero; out of range to the nearest integer, NaN to 0.
    ToUnsigned(u32),
}

impl FloatOp {
    /// Returns the width of the result for operands of `format`.
    pub fn result_width(self, format: FloatFormat) -> u32 {
        match self {
            Self::Compare(_) => 1,
            Self::Convert(to) => to.width_bits(),
            Self::ToSigned(width) | Self::ToUnsigned(width) => width,
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::Div
            | Self::Rem
            | Self::Neg
            | Self::Abs
            | Self::CopySign
            | Self::Sqrt
            | Self::Fma
            | Self::Function(_)
            | Self::ToWhole(_)
            | Self::Minimum
            | Self::Maximum
            | Self::MinNum
            | Self::MaxNum
            | Self::FromSigned
            | Self::FromUnsigned => format.width_bits(),
        }
    }
}

macro_rules! with_format {
    ($format:expr, $f:ident, ($($arg:expr),*)) => {
        match $format {
            FloatKind::F16 => $f::<Half>($($arg),*),
            FloatKind::BF16 => $f::<BFloat>($($arg),*),
            FloatKind::F32 => $f::<Single>($($arg),*),
            FloatKind::F64 => $f::<Double>($($arg),*),
            FloatKind::F80 => $f::<X87DoubleExtended>($($arg),*),
            FloatKind::F128 => $f::<Quad>($($arg),*),
            FloatKind::F8E5M2 => $f::<Float8E5M2>($($arg),*),
            FloatKind::F8E4M3FN => $f::<Float8E4M3FN>($($arg),*),
            FloatKind::F4E2M1FN
            | FloatKind::F6E2M3FN
            | FloatKind::F6E3M2FN
            | FloatKind::F8E3M4
            | FloatKind::F8E8M0FNU
            | FloatKind::F8E5M2FNUZ
            | FloatKind::F8E4M3FNUZ
            | FloatKind::F8E4M3B11FNUZ
            | FloatKind::F8E4M3
            | FloatKind::TF32 => None,
        }
    };
}

/// Values of a format that are limits of the kinds of its numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecialValues {
    /// Positive infinity; `None` if the format has none.
    pub infinity: Option<Bits>,
    /// The number 1.
    pub one: Bits,
    /// The smallest positive number with an implicit leading bit.
    pub smallest_normal: Bits,
}

/// Returns the special values of a format; `None` for formats without arithmetic here, and for `f80`.
pub fn special_values(format: FloatFormat) -> Option<SpecialValues> {
    let layout = Layout::of(format)?;
    let width = layout.width_bits();
    Some(SpecialValues {
        infinity: layout.infinity(),
        one: layout.one(),
        smallest_normal: Bits::from_u64(width, 1).shl_by(layout.fraction_bits),
    })
}

fn raw(bits: &Bits) -> u128 {
    bits.trunc(bits.width().min(128)).to_u128().unwrap_or(0)
}

/// Evaluates `op`; `None` for formats without arithmetic here and for integers beyond 128 bits in `f80`.
pub fn evaluate(op: FloatOp, format: FloatFormat, operands: &[Bits]) -> Option<Bits> {
    let known = with_format!(format, in_format, (op, format, operands));
    known.or_else(|| expand(&mut Concrete::new(), op, format, operands))
}

fn in_format<F>(op: FloatOp, format: FloatFormat, operands: &[Bits]) -> Option<Bits>
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>
        + FloatConvert<Float8E5M2>
        + FloatConvert<Float8E4M3FN>,
{
    let width = op.result_width(format);
    let value = |i: usize| F::from_bits(raw(&operands[i]));
    let exact = |result: F| Some(Bits::from_u128(width, result.to_bits()));
    let pattern = |result: F| {
        if result.is_nan() {
            return canonical_nan(format);
        }
        exact(result)
    };
    // Of a number and NaN, the extremes that prefer numbers have the number.
    let preferred = |choose: fn(F, F) -> F| match (value(0), value(1)) {
        (a, b) if a.is_nan() => pattern(b),
        (a, b) if b.is_nan() => pattern(a),
        (a, b) => pattern(choose(a, b)),
    };
    let whole = |rounding: Round| pattern(value(0).round_to_integral(rounding).value);
    match op {
        FloatOp::Add => pattern((value(0) + value(1)).value),
        FloatOp::Sub => pattern((value(0) - value(1)).value),
        FloatOp::Mul => pattern((value(0) * value(1)).value),
        FloatOp::Div => pattern((value(0) / value(1)).value),
        FloatOp::Fma => pattern(value(0).mul_add(value(1), value(2)).value),
        FloatOp::Rem => pattern(value(0).c_fmod(value(1)).value),
        FloatOp::Neg => exact(-value(0)),
        FloatOp::Abs => exact(value(0).abs()),
        FloatOp::CopySign => exact(value(0).copy_sign(value(1))),
        FloatOp::Sqrt | FloatOp::Function(_) => None,
        FloatOp::ToWhole(rounding) => whole(match rounding {
            Rounding::NearestEven => Round::NearestTiesToEven,
            Rounding::NearestAway => Round::NearestTiesToAway,
            Rounding::ToZero => Round::TowardZero,
            Rounding::Up => Round::TowardPositive,
            Rounding::Down => Round::TowardNegative,
        }),
        FloatOp::Minimum => pattern(value(0).minimum(value(1))),
        FloatOp::Maximum => pattern(value(0).maximum(value(1))),
        FloatOp::MinNum => preferred(F::minimum),
        FloatOp::MaxNum => preferred(F::maximum),
        FloatOp::Compare(predicate) => Some(Bits::from_u64(
            1,
            u64::from(predicate.holds(value(0).partial_cmp(&value(1)))),
        )),
        FloatOp::Convert(to) => convert(value(0), to),
        FloatOp::FromSigned => {
            let integer = &operands[0];
            (integer.width() <= 128).then_some(())?;
            let integer = integer.sext(128).to_u128().unwrap_or(0).cast_signed();
            pattern(F::from_i128_r(integer, Round::NearestTiesToEven).value)
        }
        FloatOp::FromUnsigned => {
            let integer = &operands[0];
            (integer.width() <= 128).then_some(())?;
            pattern(F::from_u128_r(raw(integer), Round::NearestTiesToEven).value)
        }
        FloatOp::ToSigned(width) => {
            // Of one bit, the library saturates to the wrong side.
            (2..=128).contains(&width).then_some(())?;
            let integer = value(0)
                .to_i128_r(width as usize, Round::TowardZero, &mut false)
                .value;
            Some(Bits::from_i128(width, integer))
        }
        FloatOp::ToUnsigned(width) => {
            (width <= 128).then_some(())?;
            let integer = value(0)
                .to_u128_r(width as usize, Round::TowardZero, &mut false)
                .value;
            Some(Bits::from_u128(width, integer))
        }
    }
}

/// Returns the NaN that operations compute.
fn canonical_nan(format: FloatFormat) -> Option<Bits> {
    if let Some(layout) = Layout::of(format) {
        return Some(layout.canonical_nan());
    }
    // `f80` stores its leading bit.
    let (width, n_ones) = (format.width_bits(), 17);
    Some(Bits::ones(n_ones).zext(width).shl_by(width - 1 - n_ones))
}

fn convert<F>(value: F, to: FloatFormat) -> Option<Bits>
where
    F: FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>
        + FloatConvert<Float8E5M2>
        + FloatConvert<Float8E4M3FN>,
{
    fn narrow<F: FloatConvert<T>, T: Float>(value: F) -> Option<u128> {
        let converted: T = value.convert(&mut false).value;
        (!converted.is_nan()).then(|| converted.to_bits())
    }
    let pattern = match to {
        FloatKind::F16 => narrow::<F, Half>(value),
        FloatKind::BF16 => narrow::<F, BFloat>(value),
        FloatKind::F32 => narrow::<F, Single>(value),
        FloatKind::F64 => narrow::<F, Double>(value),
        FloatKind::F80 => narrow::<F, X87DoubleExtended>(value),
        FloatKind::F128 => narrow::<F, Quad>(value),
        FloatKind::F8E5M2 => narrow::<F, Float8E5M2>(value),
        FloatKind::F8E4M3FN => narrow::<F, Float8E4M3FN>(value),
        FloatKind::F4E2M1FN
        | FloatKind::F6E2M3FN
        | FloatKind::F6E3M2FN
        | FloatKind::F8E3M4
        | FloatKind::F8E8M0FNU
        | FloatKind::F8E5M2FNUZ
        | FloatKind::F8E4M3FNUZ
        | FloatKind::F8E4M3B11FNUZ
        | FloatKind::F8E4M3
        | FloatKind::TF32 => return None,
    };
    match pattern {
        Some(pattern) => Some(Bits::from_u128(to.width_bits(), pattern)),
        None => canonical_nan(to),
    }
}
