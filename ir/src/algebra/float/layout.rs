//! The layout of a floating-point format: field widths, and the patterns that are not numbers.

use crate::bits::Bits;
use crate::types::FloatKind;

/// The meaning of the largest exponent and of negative zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Specials {
    /// As in IEEE 754: the largest exponent holds infinities and NaNs.
    Ieee,
    /// Formats whose name ends in `FN`: no infinities, and only the pattern with all exponent and fraction bits set is NaN.
    AllOnesNan,
    /// Formats whose name ends in `FNUZ`: no infinities, no negative zero, whose pattern is NaN.
    NegativeZeroNan,
}

/// Field widths and bias of a format with an implicit leading bit. From the top: sign, exponent, fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    /// A normal number is `1.fraction * 2^(exponent - bias)`.
    pub bias: i64,
    pub specials: Specials,
}

impl Layout {
    /// Returns the layout of a format; `None` for `f80`, which stores its leading bit, and for formats without NaN or without a sign,
    /// which have no arithmetic here.
    pub fn of(format: FloatKind) -> Option<Self> {
        use Specials::{AllOnesNan, Ieee, NegativeZeroNan};
        let (exponent_bits, fraction_bits, specials) = match format {
            FloatKind::F8E5M2 => (5, 2, Ieee),
            FloatKind::F8E4M3 => (4, 3, Ieee),
            FloatKind::F8E3M4 => (3, 4, Ieee),
            FloatKind::F8E4M3FN => (4, 3, AllOnesNan),
            FloatKind::F8E5M2FNUZ => (5, 2, NegativeZeroNan),
            FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => (4, 3, NegativeZeroNan),
            FloatKind::BF16 => (8, 7, Ieee),
            FloatKind::F16 => (5, 10, Ieee),
            FloatKind::TF32 => (8, 10, Ieee),
            FloatKind::F32 => (8, 23, Ieee),
            FloatKind::F64 => (11, 52, Ieee),
            FloatKind::F128 => (15, 112, Ieee),
            FloatKind::F80
            | FloatKind::F4E2M1FN
            | FloatKind::F6E2M3FN
            | FloatKind::F6E3M2FN
            | FloatKind::F8E8M0FNU => return None,
        };
        let half = 1 << (exponent_bits - 1);
        let bias = match (format, specials) {
            (FloatKind::F8E4M3B11FNUZ, _) => 11,
            (_, NegativeZeroNan) => half,
            (_, Ieee | AllOnesNan) => half - 1,
        };
        Some(Self {
            exponent_bits,
            fraction_bits,
            bias,
            specials,
        })
    }

    /// Returns the bits of exponent and fraction.
    pub fn magnitude_bits(self) -> u32 {
        self.exponent_bits + self.fraction_bits
    }

    /// Returns the width of a value in bits.
    pub fn width_bits(self) -> u32 {
        self.magnitude_bits() + 1
    }

    /// Returns the NaN that operations compute: positive and quiet, other fraction bits 0 in IEEE formats.
    pub fn canonical_nan(self) -> Bits {
        let width = self.width_bits();
        match self.specials {
            Specials::Ieee => Bits::ones(self.exponent_bits + 1)
                .zext(width)
                .shl_by(self.fraction_bits - 1),
            Specials::AllOnesNan => Bits::ones(self.magnitude_bits()).zext(width),
            Specials::NegativeZeroNan => Bits::from_u64(width, 1).shl_by(width - 1),
        }
    }

    /// Returns the pattern of 1.
    pub fn one(self) -> Bits {
        Bits::from_i64(self.width_bits(), self.bias).shl_by(self.fraction_bits)
    }

    /// Returns the pattern of infinity without its sign, if the format has infinities.
    pub fn infinity(self) -> Option<Bits> {
        match self.specials {
            Specials::Ieee => Some(
                Bits::ones(self.exponent_bits)
                    .zext(self.width_bits())
                    .shl_by(self.fraction_bits),
            ),
            Specials::AllOnesNan | Specials::NegativeZeroNan => None,
        }
    }

    /// Returns the pattern of infinity without its sign; of the canonical NaN in formats without infinities.
    pub fn overflow(self) -> Bits {
        self.infinity().unwrap_or_else(|| self.canonical_nan())
    }

    /// Returns the smallest exponent and fraction that are too large for a finite number, with one more bit on top.
    pub fn limit(self) -> Bits {
        let width = self.width_bits();
        match self.specials {
            Specials::Ieee => self.overflow(),
            Specials::AllOnesNan => Bits::ones(self.magnitude_bits()).zext(width),
            Specials::NegativeZeroNan => Bits::from_u64(width, 1).shl_by(self.magnitude_bits()),
        }
    }
}
