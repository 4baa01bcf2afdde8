//! Sums, products and quotients of bit vectors.

use super::{Bits, Words, wide};

/// Applies `$small` to the words of both operands if they have one each, else `$large` to the slices.
macro_rules! by_size {
    ($self:ident, $other:ident, $small:expr, $large:expr) => {{
        debug_assert_eq!($self.width, $other.width, "operands have one width");
        match (&$self.words, &$other.words) {
            (Words::Small(a), Words::Small(b)) => Self::small($self.width, $small(*a, *b)),
            _ => Self::from_words($self.width, $large($self.limbs(), $other.limbs())),
        }
    }};
}

#[allow(clippy::should_implement_trait)] // Wrapping operations on equal widths are not the operators of `std::ops`.
impl Bits {
    /// Returns the sum, wrapped.
    #[inline]
    pub fn add(&self, other: &Self) -> Self {
        by_size!(self, other, u64::wrapping_add, |a, b| wide::add(
            a, b, false
        )
        .0)
    }

    /// Returns the difference, wrapped.
    #[inline]
    pub fn sub(&self, other: &Self) -> Self {
        by_size!(self, other, u64::wrapping_sub, wide::sub)
    }

    /// Returns the product, wrapped.
    #[inline]
    pub fn mul(&self, other: &Self) -> Self {
        by_size!(self, other, u64::wrapping_mul, wide::mul)
    }

    /// Returns the negation, wrapped.
    #[inline]
    pub fn neg(&self) -> Self {
        match &self.words {
            Words::Small(word) => Self::small(self.width, word.wrapping_neg()),
            Words::Large(words) => {
                Self::from_words(self.width, wide::sub(&vec![0; words.len()], words))
            }
        }
    }

    /// Returns the high half of the double-width unsigned product.
    pub fn mulhi_u(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        let double = self.width * 2;
        if let (Words::Small(a), Words::Small(b)) = (&self.words, &other.words) {
            let [high, _] = wide::halves((u128::from(*a) * u128::from(*b)) >> self.width);
            return Self::small(self.width, high);
        }
        let product = self.zext(double).mul(&other.zext(double));
        product.extract(self.width, self.width)
    }

    /// Returns the high half of the double-width signed product.
    pub fn mulhi_s(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        // A sign bit weighs 2^width less than in the unsigned product.
        let mut high = self.mulhi_u(other);
        if self.sign_bit() {
            high = high.sub(other);
        }
        if other.sign_bit() {
            high = high.sub(self);
        }
        high
    }

    /// Returns the sum and carry out of the width.
    pub fn add_carry(&self, other: &Self) -> (Self, bool) {
        let sum = self.add(other);
        let carry = sum.ult(self);
        (sum, carry)
    }

    /// Returns the unsigned quotient; `None` for a zero divisor.
    #[inline]
    pub fn udiv(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        Some(by_size!(self, other, |a, b| a / b, |a, b| wide::div_rem(
            a, b
        )
        .0))
    }

    /// Returns the unsigned remainder; `None` for a zero divisor.
    #[inline]
    pub fn urem(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        Some(by_size!(self, other, |a, b| a % b, |a, b| wide::div_rem(
            a, b
        )
        .1))
    }

    /// Returns the signed quotient rounded to zero; the overflow wraps; `None` for a zero divisor.
    #[inline]
    pub fn sdiv(&self, other: &Self) -> Option<Self> {
        if let (Words::Small(a), Words::Small(b)) = (&self.words, &other.words) {
            debug_assert_eq!(self.width, other.width, "operands have one width");
            let (a, b) = (self.sign_extended(*a), other.sign_extended(*b));
            let quotient = (b != 0).then(|| a.wrapping_div(b))?;
            return Some(Self::small(self.width, quotient.cast_unsigned()));
        }
        let quotient = self.magnitude().udiv(&other.magnitude())?;
        let same_sign = self.sign_bit() == other.sign_bit();
        Some(if same_sign { quotient } else { quotient.neg() })
    }

    /// Returns the signed remainder with the sign of the dividend; `None` for a zero divisor.
    #[inline]
    pub fn srem(&self, other: &Self) -> Option<Self> {
        if let (Words::Small(a), Words::Small(b)) = (&self.words, &other.words) {
            debug_assert_eq!(self.width, other.width, "operands have one width");
            let (a, b) = (self.sign_extended(*a), other.sign_extended(*b));
            let remainder = (b != 0).then(|| a.wrapping_rem(b))?;
            return Some(Self::small(self.width, remainder.cast_unsigned()));
        }
        let remainder = self.magnitude().urem(&other.magnitude())?;
        Some(if self.sign_bit() {
            remainder.neg()
        } else {
            remainder
        })
    }

    /// Returns the signed quotient rounded down; the overflow wraps; `None` for a zero divisor.
    pub fn floor_sdiv(&self, other: &Self) -> Option<Self> {
        let (quotient, remainder) = (self.sdiv(other)?, self.srem(other)?);
        let below = !remainder.is_zero() && self.sign_bit() != other.sign_bit();
        Some(if below {
            quotient.sub(&Self::from_u64(self.width, 1))
        } else {
            quotient
        })
    }

    /// Returns the signed quotient rounded up; the overflow wraps; `None` for a zero divisor.
    pub fn ceil_sdiv(&self, other: &Self) -> Option<Self> {
        let (quotient, remainder) = (self.sdiv(other)?, self.srem(other)?);
        let above = !remainder.is_zero() && self.sign_bit() == other.sign_bit();
        Some(if above {
            quotient.add(&Self::from_u64(self.width, 1))
        } else {
            quotient
        })
    }

    /// Returns the unsigned quotient rounded up; `None` for a zero divisor.
    pub fn ceil_udiv(&self, other: &Self) -> Option<Self> {
        let (quotient, remainder) = (self.udiv(other)?, self.urem(other)?);
        Some(if remainder.is_zero() {
            quotient
        } else {
            quotient.add(&Self::from_u64(self.width, 1))
        })
    }

    /// Returns the absolute value, as an unsigned number of the same width.
    pub(super) fn magnitude(&self) -> Self {
        if self.sign_bit() {
            self.neg()
        } else {
            self.clone()
        }
    }
}
