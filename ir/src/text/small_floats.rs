//! Values of the floats of at most eight bits that are not as in IEEE 754: no infinities, and one NaN or none.

use crate::types::FloatKind;

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

/// Field widths, bias and special patterns of a format.
struct Format {
    exponent_bits: u32,
    fraction_bits: u32,
    bias: i32,
    not_numbers: NotNumbers,
}

impl Format {
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

/// Returns the value of a pattern; `None` for NaN, and for formats that are not small.
pub(super) fn to_f64(kind: FloatKind, pattern: u8) -> Option<f64> {
    let format = Format::of(kind)?;
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
/// becomes NaN, or the largest number if there is no NaN. `None` for a negative value of a format without a sign, and for formats
/// that are not small.
pub(super) fn from_f64(kind: FloatKind, value: f64) -> Option<u8> {
    let format = Format::of(kind)?;
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
