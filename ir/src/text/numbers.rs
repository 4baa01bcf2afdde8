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

/// The format with three exponent bits that has infinities.
struct Float8E3M4Semantics;

impl Semantics for Float8E3M4Semantics {
    const BITS: usize = 8;
    const EXP_BITS: usize = 3;
}

type Float8E3M4 = IeeeFloat<Float8E3M4Semantics>;

/// Returns the value of the decimal literal `text` (`[-]digits.digits[e[+-]digits]`), rounded to nearest, ties to even.
pub fn parse_float(kind: FloatKind, text: &str) -> Option<Bits> {
    match kind {
        FloatKind::F8E5M2 => parse::<Float8E5M2>(kind, text),
        FloatKind::F8E4M3 => parse::<Float8E4M3>(kind, text),
        FloatKind::F8E4M3FN => parse::<Float8E4M3FN>(kind, text),
        FloatKind::F8E3M4 => parse::<Float8E3M4>(kind, text),
        FloatKind::BF16 => parse::<BFloat>(kind, text),
        FloatKind::F16 => parse::<Half>(kind, text),
        FloatKind::TF32 => parse::<Tf32>(kind, text),
        FloatKind::F32 => parse::<Single>(kind, text),
        FloatKind::F64 => parse::<Double>(kind, text),
        FloatKind::F80 => parse::<X87DoubleExtended>(kind, text),
        FloatKind::F128 => parse::<Quad>(kind, text),
        FloatKind::F4E2M1FN
        | FloatKind::F6E2M3FN
        | FloatKind::F6E3M2FN
        | FloatKind::F8E5M2FNUZ
        | FloatKind::F8E4M3FNUZ
        | FloatKind::F8E4M3B11FNUZ
        | FloatKind::F8E8M0FNU => small_pattern(kind, text)
            .map(|pattern| Bits::from_u64(kind.width_bits(), u64::from(pattern))),
    }
}

/// Returns the pattern of a decimal literal in a format that rustc_apfloat does not have.
fn small_pattern(kind: FloatKind, text: &str) -> Option<u8> {
    let value = Double::from_str_r(text, Round::NearestTiesToEven);
    small_from_f64(kind, f64_of(value.ok()?.value))
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
        FloatKind::F8E3M4 => print::<Float8E3M4>(out, bits),
        FloatKind::BF16 => print::<BFloat>(out, bits),
        FloatKind::F16 => print::<Half>(out, bits),
        FloatKind::TF32 => print::<Tf32>(out, bits),
        FloatKind::F32 => print::<Single>(out, bits),
        FloatKind::F64 => print::<Double>(out, bits),
        FloatKind::F80 => print::<X87DoubleExtended>(out, bits),
        FloatKind::F128 => print::<Quad>(out, bits),
        FloatKind::F4E2M1FN
        | FloatKind::F6E2M3FN
        | FloatKind::F6E3M2FN
        | FloatKind::F8E5M2FNUZ
        | FloatKind::F8E4M3FNUZ
        | FloatKind::F8E4M3B11FNUZ
        | FloatKind::F8E8M0FNU => {
            let pattern = u8::try_from(bits.low_u64()).expect("the formats have at most 8 bits");
            match small_to_f64(kind, pattern) {
                Some(value) => print_if::<Double>(out, u128::from(value.to_bits()), |text| {
                    small_pattern(kind, text) == Some(pattern)
                }),
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
    let bits = bits.to_u128().expect("floats have at most 128 bits");
    let value = F::from_bits(bits);
    let exact = |text: &str| {
        F::from_str_r(text, Round::NearestTiesToEven).is_ok_and(|back| back.value.bitwise_eq(value))
    };
    print_if::<F>(out, bits, exact)
}

/// Prints a finite value with six digits if the text is `exact`, otherwise the shortest text; returns false if there is none.
fn print_if<F: Float + std::fmt::Display>(
    out: &mut String,
    bits: u128,
    exact: impl Fn(&str) -> bool,
) -> bool {
    let value = F::from_bits(bits);
    if !value.is_finite() {
        return false;
    }
    let start = out.len();
    let width = 0;
    write!(out, "{value:#width$.6}").expect("strings accept text");
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

/// The patterns that are not numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NotNumbers {
    /// Negative zero is NaN. Formats whose name ends in `FNUZ`.
    NegativeZero,
    /// All bits set are NaN, and there is no sign. `f8E8M0FNU`.
    AllOnes,
    /// There are none: larger values become the largest. Formats of less than eight bits.
    None,
}

/// Field widths, bias and special patterns of a format of at most eight bits that is not as in IEEE 754: no infinities, and one NaN
/// or none.
struct SmallFormat {
    exponent_bits: u32,
    fraction_bits: u32,
    bias: i32,
    not_numbers: NotNumbers,
}

impl SmallFormat {
    /// Returns the format; `None` if rustc_apfloat has it.
    fn of(kind: FloatKind) -> Option<Self> {
        let (exponent_bits, fraction_bits, bias, not_numbers) = match kind {
            FloatKind::F4E2M1FN => (2, 1, 1, NotNumbers::None),
            FloatKind::F6E2M3FN => (2, 3, 1, NotNumbers::None),
            FloatKind::F6E3M2FN => (3, 2, 3, NotNumbers::None),
            FloatKind::F8E5M2FNUZ => (5, 2, 16, NotNumbers::NegativeZero),
            FloatKind::F8E4M3FNUZ => (4, 3, 8, NotNumbers::NegativeZero),
            FloatKind::F8E4M3B11FNUZ => (4, 3, 11, NotNumbers::NegativeZero),
            FloatKind::F8E8M0FNU => (8, 0, 127, NotNumbers::AllOnes),
            FloatKind::F8E5M2
            | FloatKind::F8E4M3
            | FloatKind::F8E4M3FN
            | FloatKind::F8E3M4
            | FloatKind::BF16
            | FloatKind::F16
            | FloatKind::TF32
            | FloatKind::F32
            | FloatKind::F64
            | FloatKind::F80
            | FloatKind::F128 => return None,
        };
        Some(Self {
            exponent_bits,
            fraction_bits,
            bias,
            not_numbers,
        })
    }

    /// Returns the sign bit; 0 if the format has none.
    fn sign(&self) -> u8 {
        match self.not_numbers {
            NotNumbers::AllOnes => 0,
            NotNumbers::NegativeZero | NotNumbers::None => {
                1 << (self.exponent_bits + self.fraction_bits)
            }
        }
    }

    /// Returns the largest pattern of a number without its sign.
    fn largest(&self) -> u8 {
        match self.not_numbers {
            NotNumbers::AllOnes => 0xFE,
            NotNumbers::NegativeZero | NotNumbers::None => self.sign() - 1,
        }
    }

    /// Returns the magnitude of a pattern without a sign.
    fn magnitude(&self, pattern: u8) -> f64 {
        if self.not_numbers == NotNumbers::AllOnes {
            return 2f64.powi(i32::from(pattern) - self.bias);
        }
        let one = f64::from(1 << self.fraction_bits);
        let fraction = f64::from(pattern & ((1 << self.fraction_bits) - 1)) / one;
        match i32::from(pattern >> self.fraction_bits) {
            0 => fraction * 2f64.powi(1 - self.bias),
            exponent => (1.0 + fraction) * 2f64.powi(exponent - self.bias),
        }
    }
}

/// Returns the value of a pattern; `None` for NaN, and for formats that rustc_apfloat has.
fn small_to_f64(kind: FloatKind, pattern: u8) -> Option<f64> {
    let format = SmallFormat::of(kind)?;
    let sign = format.sign();
    match format.not_numbers {
        NotNumbers::NegativeZero if pattern == sign => return None,
        NotNumbers::AllOnes if pattern == 0xFF => return None,
        NotNumbers::NegativeZero | NotNumbers::AllOnes | NotNumbers::None => {}
    }
    let magnitude = format.magnitude(pattern & !sign);
    Some(match pattern & sign {
        0 => magnitude,
        _ => -magnitude,
    })
}

/// Returns the pattern nearest to `value`, ties to even, or between powers of two to the larger one. A value that is too large
/// becomes NaN, or the largest number if there is no NaN. `None` for a negative value of a format without a sign, and for
/// formats that rustc_apfloat has.
fn small_from_f64(kind: FloatKind, value: f64) -> Option<u8> {
    let format = SmallFormat::of(kind)?;
    let (magnitude, sign, largest) = (value.abs(), format.sign(), format.largest());
    if sign == 0 && value.is_sign_negative() {
        return None;
    }
    let below = (0..=largest)
        .rev()
        .find(|pattern| format.magnitude(*pattern) <= magnitude);
    // Below the smallest number there is none, if zero has no pattern.
    let below = below.unwrap_or(0);
    let step = match below == largest {
        true => format.magnitude(below) - format.magnitude(below - 1),
        false => format.magnitude(below + 1) - format.magnitude(below),
    };
    let rest = magnitude - format.magnitude(below);
    let tie_goes_up = below & 1 == 1 || format.not_numbers == NotNumbers::AllOnes;
    let up = rest > step / 2.0 || (rest == step / 2.0 && tie_goes_up);
    let pattern = match (below == largest && up, format.not_numbers) {
        (true, NotNumbers::NegativeZero) => return Some(sign),
        (true, NotNumbers::AllOnes) => return Some(0xFF),
        (true, NotNumbers::None) => largest,
        (false, _) => below + u8::from(up),
    };
    // Negative zero is a number only where nothing is NaN.
    let has_sign =
        value.is_sign_negative() && (pattern != 0 || format.not_numbers == NotNumbers::None);
    Some(if has_sign { pattern | sign } else { pattern })
}
