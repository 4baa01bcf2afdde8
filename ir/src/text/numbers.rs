//! Text of numbers: floats of every format, bit-exact, with rustc_apfloat.

use std::fmt::Write;

use rustc_apfloat::ieee::{
    BFloat, Double, Float8E4M3FN, Float8E5M2, Half, IeeeFloat, Quad, Semantics, Single,
    X87DoubleExtended,
};
use rustc_apfloat::{Float, Round, StatusAnd};

use crate::bits::Bits;
use crate::types::FloatKind;

/// NVIDIA's `tf32`: the range of `f32` with the precision of `f16`.
struct Tf32Semantics;

impl Semantics for Tf32Semantics {
    const BITS: usize = 19;
    const EXP_BITS: usize = 8;
}

type Tf32 = IeeeFloat<Tf32Semantics>;

/// The format with four exponent bits that has infinities.
struct Float8E4M3Semantics;

impl Semantics for Float8E4M3Semantics {
    const BITS: usize = 8;
    const EXP_BITS: usize = 4;
}

type Float8E4M3 = IeeeFloat<Float8E4M3Semantics>;

/// Returns the value of the decimal literal `text` (`[-]digits.digits[e[+-]digits]`), rounded to nearest, ties to even.
pub fn parse_float(kind: FloatKind, text: &str) -> Option<Bits> {
    match kind {
        FloatKind::F8E5M2 => parse::<Float8E5M2>(kind, text),
        FloatKind::F8E4M3 => parse::<Float8E4M3>(kind, text),
        FloatKind::F8E4M3FN => parse::<Float8E4M3FN>(kind, text),
        FloatKind::BF16 => parse::<BFloat>(kind, text),
        FloatKind::F16 => parse::<Half>(kind, text),
        FloatKind::TF32 => parse::<Tf32>(kind, text),
        FloatKind::F32 => parse::<Single>(kind, text),
        FloatKind::F64 => parse::<Double>(kind, text),
        FloatKind::F80 => parse::<X87DoubleExtended>(kind, text),
        FloatKind::F128 => parse::<Quad>(kind, text),
        FloatKind::F8E5M2FNUZ | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => {
            let value = Double::from_str_r(text, Round::NearestTiesToEven)
                .ok()?
                .value;
            Some(Bits::from_u64(
                8,
                u64::from(small_from_f64(kind, f64_of(value))),
            ))
        }
    }
}

fn parse<F: Float>(kind: FloatKind, text: &str) -> Option<Bits> {
    let StatusAnd { value, .. } = F::from_str_r(text, Round::NearestTiesToEven).ok()?;
    Some(Bits::from_u128(kind.width_bits(), value.to_bits()))
}

/// Appends `bits` as upstream prints it: scientific with six digits if that is exact, otherwise the shortest exact decimal,
/// otherwise (infinities and NaNs) the bit pattern in hexadecimal.
pub fn print_float(out: &mut String, kind: FloatKind, bits: &Bits) {
    let done = match kind {
        FloatKind::F8E5M2 => print::<Float8E5M2>(out, bits),
        FloatKind::F8E4M3 => print::<Float8E4M3>(out, bits),
        FloatKind::F8E4M3FN => print::<Float8E4M3FN>(out, bits),
        FloatKind::BF16 => print::<BFloat>(out, bits),
        FloatKind::F16 => print::<Half>(out, bits),
        FloatKind::TF32 => print::<Tf32>(out, bits),
        FloatKind::F32 => print::<Single>(out, bits),
        FloatKind::F64 => print::<Double>(out, bits),
        FloatKind::F80 => print::<X87DoubleExtended>(out, bits),
        FloatKind::F128 => print::<Quad>(out, bits),
        FloatKind::F8E5M2FNUZ | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => {
            let byte = u8::try_from(bits.low_u64()).expect("the format has eight bits");
            match small_to_f64(kind, byte) {
                Some(value) => print::<Double>(out, &Bits::from_u64(64, value.to_bits())),
                None => false,
            }
        }
    };
    if !done {
        out.push_str("0x");
        out.push_str(&bits.to_hex_string().to_uppercase());
    }
}

fn print<F: Float + std::fmt::Display>(out: &mut String, bits: &Bits) -> bool {
    let value = F::from_bits(bits.to_u128().expect("floats have at most 128 bits"));
    if !value.is_finite() {
        return false;
    }
    let start = out.len();
    let width = 0;
    write!(out, "{value:#width$.6}").expect("strings accept text");
    let exact = |text: &str| {
        F::from_str_r(text, Round::NearestTiesToEven).is_ok_and(|back| back.value.bitwise_eq(value))
    };
    if exact(&out[start..]) {
        return true;
    }
    out.truncate(start);
    write!(out, "{value}").expect("strings accept text");
    if out[start..].contains('.') {
        return true;
    }
    out.truncate(start);
    false
}

fn f64_of(value: Double) -> f64 {
    f64::from_bits(u64::try_from(value.to_bits()).expect("doubles have 64 bits"))
}

/// Returns exponent bits, mantissa bits and bias of the formats without infinities and negative zero.
fn small_format(kind: FloatKind) -> (u32, u32, i32) {
    match kind {
        FloatKind::F8E5M2FNUZ => (5, 2, 16),
        FloatKind::F8E4M3FNUZ => (4, 3, 8),
        _ => (4, 3, 11),
    }
}

/// Returns the value of a byte in one of the `FNUZ` formats; `None` for its only NaN.
fn small_to_f64(kind: FloatKind, byte: u8) -> Option<f64> {
    if byte == 0x80 {
        return None;
    }
    let (_, mantissa_bits, bias) = small_format(kind);
    let mantissa = f64::from(byte & ((1 << mantissa_bits) - 1));
    let exponent = i32::from((byte & 0x7F) >> mantissa_bits);
    let one = f64::from(1 << mantissa_bits);
    let magnitude = match exponent {
        0 => mantissa / one * 2f64.powi(1 - bias),
        _ => (1.0 + mantissa / one) * 2f64.powi(exponent - bias),
    };
    Some(if byte & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    })
}

/// Returns the byte nearest to `value` in one of the `FNUZ` formats, ties to even; the NaN if it is too large.
fn small_from_f64(kind: FloatKind, value: f64) -> u8 {
    let magnitude = value.abs();
    let decode = |byte: u8| small_to_f64(kind, byte).expect("positive bytes are numbers");
    let below = (0..=0x7F)
        .rev()
        .find(|b| decode(*b) <= magnitude)
        .expect("0 is not above a magnitude");
    let spacing = |byte: u8| decode(byte) - decode(byte - 1);
    let step = if below == 0x7F {
        spacing(0x7F)
    } else {
        decode(below + 1) - decode(below)
    };
    let rest = magnitude - decode(below);
    let up = rest > step / 2.0 || (rest == step / 2.0 && below & 1 == 1);
    let byte = match (below, up) {
        (0x7F, true) => return 0x80,
        (_, true) => below + 1,
        (_, false) => below,
    };
    if value.is_sign_negative() && byte != 0 {
        byte | 0x80
    } else {
        byte
    }
}
