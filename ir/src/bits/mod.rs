//! Bit vectors of any width: two's complement, explicit wrapping, no allocation up to 64 bits.

mod arithmetic;
mod logic;
mod shape;
mod text;
mod wide;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The largest width of an integer type, in bits.
pub const MAX_WIDTH_BITS: u32 = 16_777_215;

/// A bit vector with its width.
///
/// Invariants: bits at and above the width are zero, so equal values have equal representations. Widths up to 64 bits need no
/// allocation. Intermediate results may be wider than [`MAX_WIDTH_BITS`].
#[derive(Clone, PartialEq, Eq)]
pub struct Bits {
    width: u32,
    words: Words,
}

/// The value: one word inline exactly for widths up to 64 bits, else `ceil(width / 64)` words, least significant first.
#[derive(Clone, PartialEq, Eq)]
enum Words {
    Small(u64),
    Large(Box<[u64]>),
}

/// Returns the number of words of a width.
fn word_count(width: u32) -> usize {
    usize::try_from(width.div_ceil(64)).expect("an index has at least 32 bits")
}

/// Returns a word with the low `width` bits set, for widths up to 64.
#[inline]
fn low_mask(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

impl Bits {
    /// Returns the low bits of one word, for widths up to 64.
    #[inline]
    fn small(width: u32, value: u64) -> Self {
        Self {
            width,
            words: Words::Small(value & low_mask(width)),
        }
    }

    /// Returns the low bits of `words`, which may have too few or too many words.
    fn from_words(width: u32, mut words: Vec<u64>) -> Self {
        if width <= 64 {
            return Self::small(width, words.first().copied().unwrap_or(0));
        }
        words.resize(word_count(width), 0);
        let top = width % 64;
        if top != 0 {
            let last = words.len() - 1;
            words[last] &= low_mask(top);
        }
        Self {
            width,
            words: Words::Large(words.into_boxed_slice()),
        }
    }

    /// Returns the value with all bits zero.
    #[inline]
    pub fn zero(width: u32) -> Self {
        Self::from_u64(width, 0)
    }

    /// Returns the value with all bits one.
    #[inline]
    pub fn ones(width: u32) -> Self {
        Self::from_i64(width, -1)
    }

    /// Returns the low bits of `value`.
    #[inline]
    pub fn from_u64(width: u32, value: u64) -> Self {
        if width <= 64 {
            Self::small(width, value)
        } else {
            Self::from_words(width, vec![value])
        }
    }

    /// Returns the low bits of `value`, sign-extended.
    #[inline]
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 {
            return Self::small(width, value.cast_unsigned());
        }
        let mut words = vec![(value >> 63).cast_unsigned(); word_count(width)];
        words[0] = value.cast_unsigned();
        Self::from_words(width, words)
    }

    /// Returns the low bits of `value`.
    pub fn from_u128(width: u32, value: u128) -> Self {
        let [low, high] = wide::halves(value);
        if width <= 64 {
            return Self::small(width, low);
        }
        Self::from_words(width, vec![low, high])
    }

    /// Returns the low bits of `value`, sign-extended.
    pub fn from_i128(width: u32, value: i128) -> Self {
        if width <= 128 {
            return Self::from_u128(width, value.cast_unsigned());
        }
        Self::from_u128(128, value.cast_unsigned()).sext(width)
    }

    /// Returns the low bits of `limbs`, least significant word first.
    pub fn from_limbs(width: u32, limbs: &[u64]) -> Self {
        if width <= 64 {
            return Self::small(width, limbs.first().copied().unwrap_or(0));
        }
        let used = limbs.len().min(word_count(width));
        Self::from_words(width, limbs[..used].to_vec())
    }

    /// Returns the words, least significant first; at least one.
    #[inline]
    pub fn limbs(&self) -> &[u64] {
        match &self.words {
            Words::Small(word) => std::slice::from_ref(word),
            Words::Large(words) => words,
        }
    }

    /// Returns word `index`; zero beyond the width.
    #[inline]
    pub fn limb(&self, index: usize) -> u64 {
        self.limbs().get(index).copied().unwrap_or(0)
    }

    /// Returns the width in bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns true if no bit is set.
    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.words {
            Words::Small(word) => *word == 0,
            Words::Large(words) => words.iter().all(|word| *word == 0),
        }
    }

    /// Returns true if the value is 1, unsigned.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Returns true if every bit is set; true at width 0.
    #[inline]
    pub fn is_all_ones(&self) -> bool {
        match &self.words {
            Words::Small(word) => *word == low_mask(self.width),
            Words::Large(_) => self.count_ones() == self.width,
        }
    }

    /// Returns the highest bit; false at width 0.
    #[inline]
    pub fn sign_bit(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Returns bit `index`; false beyond the width.
    #[inline]
    pub fn bit(&self, index: u32) -> bool {
        match &self.words {
            Words::Small(word) => index < 64 && (word >> index) & 1 == 1,
            Words::Large(_) => {
                let word = usize::try_from(index / 64).expect("an index has at least 32 bits");
                (self.limb(word) >> (index % 64)) & 1 == 1
            }
        }
    }

    /// Returns the value, unsigned, if it fits.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.words {
            Words::Small(word) => Some(*word),
            Words::Large(words) => words[1..].iter().all(|word| *word == 0).then(|| words[0]),
        }
    }

    /// Returns the value, signed, if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.words {
            Words::Small(word) => Some(self.sign_extended(*word)),
            Words::Large(words) => (self.min_signed_bits() <= 64).then(|| words[0].cast_signed()),
        }
    }

    /// Returns the only word of a width up to 64, as a signed number.
    #[inline]
    fn sign_extended(&self, word: u64) -> i64 {
        let unused = (64 - self.width) % 64;
        (word << unused).cast_signed() >> unused
    }

    /// Returns the value, unsigned, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        let high = self.limbs().get(2..).unwrap_or_default();
        let fits = high.iter().all(|word| *word == 0);
        fits.then(|| wide::joined(self.limb(0), self.limb(1)))
    }

    /// Returns the low 64 bits.
    #[inline]
    pub fn low_u64(&self) -> u64 {
        self.limbs()[0]
    }
}

impl Hash for Bits {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.width);
        match &self.words {
            Words::Small(word) => state.write_u64(*word),
            Words::Large(words) => words.iter().for_each(|word| state.write_u64(*word)),
        }
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bits {
    /// Compares by width, then by unsigned value.
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.ucmp(other))
    }
}
