//! Exact integers, used for all arithmetic on trip counts, bounds, steps, addresses, strides, sizes and latencies.
//!
//! Bounds and sizes have 64 bits. Their sums and products need more, and a result that wraps becomes wrong hardware. [`Exact`]
//! has no operators and hides its number: all arithmetic uses the methods here, and results leave through conversions that fail
//! if the number does not fit.

use std::fmt;

use crate::bits::Bits;

/// An integer of index arithmetic, exact below 2^127 in magnitude.
/// A larger result saturates in its direction ("beyond") and stays so. A number that is beyond converts to no other type: it ends
/// in an error or in the words "more than".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Exact(i128);

impl Exact {
    /// 0
    pub const ZERO: Self = Self(0);
    /// 1
    pub const ONE: Self = Self(1);
    /// Greater than any number here.
    const ABOVE: Self = Self(i128::MAX);
    /// Less than any number here.
    const BELOW: Self = Self(i128::MIN);

    fn is_beyond(self) -> bool {
        self == Self::ABOVE || self == Self::BELOW
    }

    fn beyond(is_negative: bool) -> Self {
        match is_negative {
            true => Self::BELOW,
            false => Self::ABOVE,
        }
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.is_beyond() {
            return self;
        }
        if other.is_beyond() {
            return other;
        }
        let sum = self.0.checked_add(other.0);
        sum.map_or(Self::beyond(self.0 < 0), Self)
    }

    /// Returns the difference.
    #[must_use]
    pub fn minus(self, other: impl Into<Self>) -> Self {
        self.plus(other.into().negated())
    }

    /// Returns the negated number.
    #[must_use]
    pub fn negated(self) -> Self {
        match self.0.checked_neg() {
            _ if self == Self::ABOVE => Self::BELOW,
            Some(negated) => Self(negated),
            None => Self::ABOVE,
        }
    }

    /// Returns the product.
    #[must_use]
    pub fn times(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        let product = self.0.checked_mul(other.0);
        let product = product.filter(|_| !self.is_beyond() && !other.is_beyond());
        product.map_or(Self::beyond((self.0 < 0) != (other.0 < 0)), Self)
    }

    /// Returns the quotient, rounded down; `None` unless the divisor is positive.
    pub fn divided_down(self, by: impl Into<Self>) -> Option<Self> {
        let by = by.into();
        if by.0 <= 0 || by.is_beyond() {
            return None;
        }
        let quotient = self.0.checked_div_euclid(by.0);
        Some(match self.is_beyond() {
            true => self,
            false => quotient.map_or(self, Self),
        })
    }

    /// Returns the quotient, rounded up; `None` unless the divisor is positive.
    pub fn divided_up(self, by: impl Into<Self>) -> Option<Self> {
        Some(self.negated().divided_down(by)?.negated())
    }

    /// Returns the remainder of [`Self::divided_down`], not negative; `None` unless both numbers are known and the divisor is
    /// positive.
    pub fn remainder(self, by: impl Into<Self>) -> Option<Self> {
        let by = by.into();
        let is_defined = by.0 > 0 && !by.is_beyond() && !self.is_beyond();
        is_defined.then(|| self.0.checked_rem_euclid(by.0).map(Self))?
    }

    /// Returns true if a positive number divides this one.
    pub fn is_multiple_of(self, by: impl Into<Self>) -> bool {
        self.remainder(by).is_some_and(Self::is_zero)
    }

    /// Returns the sum of all.
    pub fn sum<T: Into<Self>>(terms: impl IntoIterator<Item = T>) -> Self {
        terms
            .into_iter()
            .fold(Self::ZERO, |sum, term| sum.plus(term))
    }

    /// Returns the product of all.
    pub fn product<T: Into<Self>>(factors: impl IntoIterator<Item = T>) -> Self {
        let factors = factors.into_iter();
        // A factor 0 after a factor that is beyond makes the product 0.
        factors.fold(Self::ONE, |product, factor| product.times(factor))
    }

    /// Returns 2 to a power.
    pub fn power_of_two(exponent: u32) -> Self {
        let power = 1i128.checked_shl(exponent).filter(|power| *power > 0);
        power.map_or(Self::ABOVE, Self)
    }

    /// Returns true if it is 0.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Returns true if it is greater than 0.
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// Returns true if it is less than 0.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Returns the width in bits of an index into this number of elements, at least 1.
    pub fn index_bits(self) -> u32 {
        let last = self.minus(1).0.max(1);
        i128::BITS - last.leading_zeros()
    }

    /// Returns the number, unless it is beyond.
    pub fn known(self) -> Option<i128> {
        (!self.is_beyond()).then_some(self.0)
    }

    /// Returns the nearest floating-point number, for weighing costs; infinite if it is beyond.
    #[expect(
        clippy::cast_precision_loss,
        reason = "costs are compared by their leading digits"
    )]
    pub fn to_f64(self) -> f64 {
        match self.known() {
            Some(number) => number as f64,
            None if self.is_negative() => f64::NEG_INFINITY,
            None => f64::INFINITY,
        }
    }

    /// Returns the number, if it fits.
    pub fn to_i64(self) -> Option<i64> {
        i64::try_from(self.known()?).ok()
    }

    /// Returns the number, if it fits.
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.known()?).ok()
    }

    /// Returns the number, if it fits.
    pub fn to_u32(self) -> Option<u32> {
        u32::try_from(self.known()?).ok()
    }

    /// Returns the number, if it fits.
    pub fn to_usize(self) -> Option<usize> {
        usize::try_from(self.known()?).ok()
    }

    /// Returns the value of bits as a signed number.
    pub fn signed(bits: &Bits) -> Self {
        let beyond = Self::beyond(bits.sign_bit());
        if bits.min_signed_bits() > 128 {
            return beyond;
        }
        let low = bits.sext(bits.width().max(128)).trunc(128).to_u128();
        low.map_or(beyond, |low| Self(low.cast_signed()))
    }

    /// Returns the value of bits as an unsigned number.
    pub fn unsigned(bits: &Bits) -> Self {
        let number = bits
            .to_u128()
            .and_then(|number| i128::try_from(number).ok());
        number.map_or(Self::ABOVE, Self)
    }

    /// Returns the low bits of the number, as arithmetic of that width computes them; `None` if the number is beyond.
    pub fn wrapped(self, width: u32) -> Option<Bits> {
        Some(Bits::from_i128(width, self.known()?))
    }

    /// Returns the bits of the number as a signed number of this width, if it fits.
    pub fn to_signed_bits(self, width: u32) -> Option<Bits> {
        self.wrapped(width)
            .filter(|bits| Self::signed(bits) == self)
    }
}

macro_rules! from_numbers {
    ($($number:ty),*) => {
        $(
            impl From<$number> for Exact {
                fn from(number: $number) -> Self {
                    i128::try_from(number).map_or(Self::ABOVE, Self)
                }
            }

            impl From<&$number> for Exact {
                fn from(number: &$number) -> Self {
                    Self::from(*number)
                }
            }
        )*
    };
}

from_numbers!(i32, i64, i128, u32, u64, u128, usize);

impl From<&Exact> for Exact {
    fn from(number: &Exact) -> Self {
        *number
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some(number) => fmt::Display::fmt(&number, f),
            None if self.is_negative() => f.pad("less than -2^126"),
            None => f.pad("more than 2^126"),
        }
    }
}

/// Returns the number of iterations of a loop that counts from `lower` to below `upper`, 0 if the bounds are in the wrong order;
/// `None` unless the step is positive.
pub fn trips(lower: Exact, upper: Exact, step: Exact) -> Option<Exact> {
    upper.minus(lower).max(Exact::ZERO).divided_up(step)
}

/// Returns the number of elements of an array with these sizes.
pub fn n_elements(shape: &[u64]) -> Exact {
    Exact::product(shape)
}

/// Returns the strides in elements of each dimension of an array in row-major order.
pub fn row_major_strides(shape: &[u64]) -> Vec<Exact> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = Exact::ONE;
    for size in shape.iter().rev() {
        strides.push(stride);
        stride = stride.times(size);
    }
    strides.reverse();
    strides
}
