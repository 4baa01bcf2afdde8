//! Shifts of bit vectors, and changes of width: extension, extraction, concatenation.

use super::{Bits, Words, low_mask, wide, word_count};

impl Bits {
    /// Returns the shift amount, limited to the width.
    #[inline]
    fn shift_amount(&self, amount: &Self) -> u32 {
        let amount = amount
            .to_u64()
            .and_then(|amount| u32::try_from(amount).ok());
        amount.unwrap_or(u32::MAX).min(self.width)
    }

    /// Shifts to the left; the result is 0 if the amount is at least the width.
    #[inline]
    pub fn shl(&self, amount: &Self) -> Self {
        self.shl_by(self.shift_amount(amount))
    }

    /// Shifts to the right with zeros; the result is 0 if the amount is at least the width.
    #[inline]
    pub fn lshr(&self, amount: &Self) -> Self {
        self.lshr_by(self.shift_amount(amount))
    }

    /// Shifts to the right with sign bits; all bits are the sign if the amount is at least the width.
    #[inline]
    pub fn ashr(&self, amount: &Self) -> Self {
        self.ashr_by(self.shift_amount(amount))
    }

    /// Shifts as [`Bits::shl`] does, by a number.
    #[inline]
    pub fn shl_by(&self, amount: u32) -> Self {
        match &self.words {
            Words::Small(word) => Self::small(self.width, word.checked_shl(amount).unwrap_or(0)),
            Words::Large(words) if amount < self.width => {
                Self::from_words(self.width, wide::shl(words, amount))
            }
            Words::Large(_) => Self::zero(self.width),
        }
    }

    /// Shifts as [`Bits::lshr`] does, by a number.
    #[inline]
    pub fn lshr_by(&self, amount: u32) -> Self {
        match &self.words {
            Words::Small(word) => Self::small(self.width, word.checked_shr(amount).unwrap_or(0)),
            Words::Large(words) if amount < self.width => {
                Self::from_words(self.width, wide::lshr(words, amount, words.len()))
            }
            Words::Large(_) => Self::zero(self.width),
        }
    }

    /// Shifts as [`Bits::ashr`] does, by a number.
    #[inline]
    pub fn ashr_by(&self, amount: u32) -> Self {
        match &self.words {
            Words::Small(word) => {
                let shifted = self.sign_extended(*word) >> amount.min(63);
                Self::small(self.width, shifted.cast_unsigned())
            }
            Words::Large(_) if self.sign_bit() => self.not().lshr_by(amount).not(),
            Words::Large(_) => self.lshr_by(amount),
        }
    }

    /// Extends with zeros to a greater width.
    #[inline]
    pub fn zext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width, "an extension does not narrow");
        match &self.words {
            Words::Small(word) => Self::from_u64(width, *word),
            Words::Large(words) => Self::from_words(width, words.to_vec()),
        }
    }

    /// Extends with copies of the sign bit to a greater width.
    #[inline]
    pub fn sext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width, "an extension does not narrow");
        match &self.words {
            Words::Small(word) => Self::from_i64(width, self.sign_extended(*word)),
            Words::Large(_) if self.sign_bit() => self.not().zext(width).not(),
            Words::Large(_) => self.zext(width),
        }
    }

    /// Returns the low bits.
    #[inline]
    pub fn trunc(&self, width: u32) -> Self {
        debug_assert!(width <= self.width, "a truncation does not widen");
        match &self.words {
            Words::Small(word) => Self::small(width, *word),
            Words::Large(words) => Self::from_limbs(width, words),
        }
    }

    /// Returns `width` bits from bit `low` on.
    #[inline]
    pub fn extract(&self, low: u32, width: u32) -> Self {
        debug_assert!(low + width <= self.width, "an extraction stays inside");
        match &self.words {
            Words::Small(word) => Self::small(width, word.checked_shr(low).unwrap_or(0)),
            Words::Large(words) => {
                Self::from_words(width, wide::lshr(words, low, word_count(width)))
            }
        }
    }

    /// Returns the concatenation, with `high` in the upper bits.
    #[inline]
    pub fn concat(high: &Self, low: &Self) -> Self {
        let width = high.width + low.width;
        if width <= 64 {
            let moved = high.low_u64().checked_shl(low.width).unwrap_or(0);
            return Self::small(width, moved | low.low_u64());
        }
        let mut words = vec![0; word_count(width)];
        low.write_to(&mut words, 0);
        high.write_to(&mut words, low.width);
        Self::from_words(width, words)
    }

    /// Returns the concatenation of `times` copies.
    pub fn replicate(&self, times: u32) -> Self {
        let width = self.width * times;
        if self.width == 1 {
            return if self.is_zero() {
                Self::zero(width)
            } else {
                Self::ones(width)
            };
        }
        let mut words = vec![0; word_count(width)];
        for copy in 0..times {
            self.write_to(&mut words, copy * self.width);
        }
        Self::from_words(width, words)
    }

    /// Writes this value to the bits from `at` on, which are zero so far and lie inside `words`.
    fn write_to(&self, words: &mut [u64], at: u32) {
        let (first, bits) = wide::split(at);
        for (i, word) in self
            .limbs()
            .iter()
            .enumerate()
            .filter(|(_, word)| **word != 0)
        {
            words[first + i] |= word << bits;
            let above = word.checked_shr(64 - bits).unwrap_or(0);
            if above != 0 {
                words[first + i + 1] |= above;
            }
        }
    }

    /// Returns the value with the lowest `count` bits set, at most all bits.
    pub fn low_ones(width: u32, count: u32) -> Self {
        if width <= 64 {
            return Self::small(width, low_mask(count.min(width)));
        }
        Self::ones(count.min(width)).zext(width)
    }

    /// Returns the value with the highest `count` bits set, at most all bits.
    pub fn high_ones(width: u32, count: u32) -> Self {
        Self::low_ones(width, width - count.min(width)).not()
    }

    /// Returns the smallest signed value: only the highest bit is set.
    pub fn signed_min(width: u32) -> Self {
        Self::high_ones(width, 1)
    }

    /// Returns the largest signed value: all bits but the highest are set.
    pub fn signed_max(width: u32) -> Self {
        Self::signed_min(width).not()
    }
}
