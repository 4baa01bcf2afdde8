//! Bitwise operations, comparisons and counts of bit vectors.

use std::cmp::Ordering;

use super::{Bits, Words};

#[allow(clippy::should_implement_trait)] // Operations on equal widths are not the operators of `std::ops`.
impl Bits {
    #[inline]
    fn bitwise(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        match (&self.words, &other.words) {
            (Words::Small(a), Words::Small(b)) => Self::small(self.width, f(*a, *b)),
            _ => {
                let words = self.limbs().iter().zip(other.limbs());
                Self::from_words(self.width, words.map(|(a, b)| f(*a, *b)).collect())
            }
        }
    }

    /// Returns the complement.
    #[inline]
    pub fn not(&self) -> Self {
        match &self.words {
            Words::Small(word) => Self::small(self.width, !word),
            Words::Large(words) => {
                Self::from_words(self.width, words.iter().map(|word| !word).collect())
            }
        }
    }

    /// Returns the conjunction.
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        self.bitwise(other, |a, b| a & b)
    }

    /// Returns the disjunction.
    #[inline]
    pub fn or(&self, other: &Self) -> Self {
        self.bitwise(other, |a, b| a | b)
    }

    /// Returns the exclusive or.
    #[inline]
    pub fn xor(&self, other: &Self) -> Self {
        self.bitwise(other, |a, b| a ^ b)
    }

    /// Returns the unsigned order; widths may differ.
    #[inline]
    pub fn ucmp(&self, other: &Self) -> Ordering {
        match (&self.words, &other.words) {
            (Words::Small(a), Words::Small(b)) => a.cmp(b),
            _ => {
                let n_words = self.limbs().len().max(other.limbs().len());
                let words = (0..n_words).rev().map(|i| self.limb(i).cmp(&other.limb(i)));
                words.fold(Ordering::Equal, Ordering::then)
            }
        }
    }

    /// Returns the signed order.
    #[inline]
    pub fn scmp(&self, other: &Self) -> Ordering {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        match (&self.words, &other.words) {
            (Words::Small(a), Words::Small(b)) => {
                self.sign_extended(*a).cmp(&other.sign_extended(*b))
            }
            _ => other
                .sign_bit()
                .cmp(&self.sign_bit())
                .then_with(|| self.ucmp(other)),
        }
    }

    /// Returns true if this value is less, unsigned.
    #[inline]
    pub fn ult(&self, other: &Self) -> bool {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        self.ucmp(other).is_lt()
    }

    /// Returns true if this value is less or equal, unsigned.
    #[inline]
    pub fn ule(&self, other: &Self) -> bool {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        self.ucmp(other).is_le()
    }

    /// Returns true if this value is less, signed.
    #[inline]
    pub fn slt(&self, other: &Self) -> bool {
        self.scmp(other).is_lt()
    }

    /// Returns true if this value is less or equal, signed.
    #[inline]
    pub fn sle(&self, other: &Self) -> bool {
        self.scmp(other).is_le()
    }

    /// Returns the unsigned minimum.
    #[inline]
    pub fn umin(&self, other: &Self) -> Self {
        if self.ule(other) {
            self.clone()
        } else {
            other.clone()
        }
    }

    /// Returns the unsigned maximum.
    #[inline]
    pub fn umax(&self, other: &Self) -> Self {
        if self.ule(other) {
            other.clone()
        } else {
            self.clone()
        }
    }

    /// Returns the signed minimum.
    #[inline]
    pub fn smin(&self, other: &Self) -> Self {
        if self.sle(other) {
            self.clone()
        } else {
            other.clone()
        }
    }

    /// Returns the signed maximum.
    #[inline]
    pub fn smax(&self, other: &Self) -> Self {
        if self.sle(other) {
            other.clone()
        } else {
            self.clone()
        }
    }

    /// Returns the number of bits set.
    #[inline]
    pub fn count_ones(&self) -> u32 {
        self.limbs().iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the number of zeros above the highest bit set; the width for 0.
    #[inline]
    pub fn leading_zeros(&self) -> u32 {
        self.width - self.active_bits()
    }

    /// Returns the number of zeros below the lowest bit set; the width for 0.
    #[inline]
    pub fn trailing_zeros(&self) -> u32 {
        let mut zeros = 0;
        for word in self.limbs() {
            zeros += word.trailing_zeros();
            if *word != 0 {
                break;
            }
        }
        zeros.min(self.width)
    }

    /// Returns the number of bits needed for the unsigned value; 0 for 0.
    #[inline]
    pub fn active_bits(&self) -> u32 {
        match &self.words {
            Words::Small(word) => 64 - word.leading_zeros(),
            Words::Large(words) => {
                let top = words.iter().rposition(|word| *word != 0);
                top.map_or(0, |i| {
                    let below = u32::try_from(i * 64).expect("a width fits 32 bits");
                    below + 64 - words[i].leading_zeros()
                })
            }
        }
    }

    /// Returns the number of bits needed for the signed value, the sign included; 1 for 0 and -1, also at width 0.
    #[inline]
    pub fn min_signed_bits(&self) -> u32 {
        if self.sign_bit() {
            self.not().active_bits() + 1
        } else {
            self.active_bits() + 1
        }
    }
}
