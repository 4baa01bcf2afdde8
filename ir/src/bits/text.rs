//! Conversion of bit vectors from and to decimal and hexadecimal text.

use std::fmt;

use num_bigint::BigUint;

use super::{Bits, MAX_WIDTH_BITS, wide};

/// Greatest number of digits, in base ten or sixteen, of a number of [`MAX_WIDTH_BITS`].
const MAX_DIGITS: usize = MAX_WIDTH_BITS as usize / 3;

/// Number of digits that are converted one after the other; that time is quadratic in the number of digits.
const PIECE_DIGITS: u32 = 1 << 10;

/// Converts decimal digits in pieces that are joined in pairs: long multiplication is faster than quadratic conversion.
fn decimal(text: &str) -> Option<BigUint> {
    let mut pieces = Vec::new();
    for piece in text.as_bytes().rchunks(PIECE_DIGITS as usize) {
        pieces.push(BigUint::parse_bytes(piece, 10)?);
    }
    let mut base = BigUint::from(10u32).pow(PIECE_DIGITS);
    while pieces.len() > 1 {
        let pairs = pieces.chunks(2);
        pieces = pairs
            .map(|pair| match pair {
                [low, high] => high * &base + low,
                alone => alone.iter().sum(),
            })
            .collect();
        if pieces.len() > 1 {
            base = &base * &base;
        }
    }
    pieces.pop()
}

impl Bits {
    /// Parses a decimal literal of digits only; `None` if it does not fit `width` bits as a signed or an unsigned value.
    ///
    /// A `negative` literal must fit as a signed value.
    pub fn parse_decimal(text: &str, negative: bool, width: u32) -> Option<Self> {
        // Each digit but the first is worth more than three bits.
        let digits = text.trim_start_matches('0');
        if digits.len() as u64 > u64::from(width / 3) + 2 {
            return None;
        }
        let text = if digits.is_empty() { text } else { digits };
        let magnitude = Self::parse_unbounded(text, 10)?;
        if magnitude.active_bits() > width {
            return None;
        }
        let magnitude = Self::from_limbs(width, magnitude.limbs());
        if !negative {
            return Some(magnitude);
        }
        let value = magnitude.neg();
        (value.is_zero() || value.sign_bit()).then_some(value)
    }

    /// Parses a hexadecimal literal of digits only, without prefix; `None` if it does not fit `width` bits.
    pub fn parse_hex(text: &str, width: u32) -> Option<Self> {
        let value = Self::parse_unbounded(text, 16)?;
        (value.active_bits() <= width).then(|| Self::from_limbs(width, value.limbs()))
    }

    /// Parses a literal of digits only of any size, at the smallest width that holds it as an unsigned value (at least 1).
    ///
    /// `None` beyond [`MAX_WIDTH_BITS`] and for text that is not a number of this radix.
    pub fn parse_unbounded(text: &str, radix: u32) -> Option<Self> {
        if text.is_empty() || !text.chars().all(|digit| digit.is_digit(radix)) {
            return None;
        }
        if let Ok(value) = u64::from_str_radix(text, radix) {
            let width = (64 - value.leading_zeros()).max(1);
            return Some(Self::from_u64(width, value));
        }
        let text = text.trim_start_matches('0');
        if text.len() > MAX_DIGITS {
            return None;
        }
        let value = match radix {
            10 => decimal(text)?,
            _ => BigUint::parse_bytes(text.as_bytes(), radix)?,
        };
        let width = u32::try_from(value.bits()).ok()?;
        (width <= MAX_WIDTH_BITS)
            .then(|| Self::from_words(width, value.iter_u64_digits().collect()))
    }

    /// Returns the signed decimal text.
    pub fn to_signed_string(&self) -> String {
        match self.to_i64() {
            Some(value) => value.to_string(),
            None if self.sign_bit() => format!("-{}", self.neg().to_unsigned_string()),
            None => self.to_unsigned_string(),
        }
    }

    /// Returns the unsigned decimal text.
    pub fn to_unsigned_string(&self) -> String {
        match self.to_u64() {
            Some(value) => value.to_string(),
            None => wide::big(self.limbs()).to_string(),
        }
    }

    /// Returns the hexadecimal text without prefix, in lower case, without leading zeros.
    pub fn to_hex_string(&self) -> String {
        match self.to_u64() {
            Some(value) => format!("{value:x}"),
            None => format!("{:x}", wide::big(self.limbs())),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:i{}", self.to_signed_string(), self.width)
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_signed_string())
    }
}
