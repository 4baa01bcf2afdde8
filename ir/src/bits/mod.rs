//! Bit vectors of any width: two's complement, the wrap explicit, no allocation up to 64 bits.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;
use smallvec::SmallVec;

/// A bit vector with its width.
///
/// Invariants: `limbs` holds exactly `max(1, ceil(width / 64))` words, least significant first; bits at and above the
/// width are zero. Widths up to 64 bits take no allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    limbs: SmallVec<[u64; 1]>,
}

fn n_limbs(width: u32) -> usize {
    (width as usize).div_ceil(64).max(1)
}

fn low_mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

#[allow(clippy::should_implement_trait)] // Wrapping operations on equal widths are not the operators of `std::ops`.
impl Bits {
    #[inline]
    fn small(width: u32, value: u64) -> Self {
        let mut limbs = SmallVec::new();
        limbs.push(value & low_mask(width));
        Self { width, limbs }
    }

    fn masked(width: u32, mut limbs: SmallVec<[u64; 1]>) -> Self {
        limbs.resize(n_limbs(width), 0);
        let top = width % 64;
        if width == 0 {
            limbs[0] = 0;
        } else if top != 0 {
            let last = limbs.len() - 1;
            limbs[last] &= low_mask(top);
        }
        Self { width, limbs }
    }

    fn big(&self) -> BigUint {
        BigUint::from_slice(
            &self
                .limbs
                .iter()
                .flat_map(|l| [(l & 0xffff_ffff) as u32, (l >> 32) as u32])
                .collect::<Vec<_>>(),
        )
    }

    fn from_big(width: u32, value: &BigUint) -> Self {
        Self::masked(width, value.iter_u64_digits().collect())
    }

    /// All bits zero.
    #[inline]
    pub fn zero(width: u32) -> Self {
        if width <= 64 {
            Self::small(width, 0)
        } else {
            Self::masked(width, SmallVec::new())
        }
    }

    /// All bits one.
    pub fn ones(width: u32) -> Self {
        Self::masked(width, SmallVec::from_elem(u64::MAX, n_limbs(width)))
    }

    /// The low bits of `value`.
    #[inline]
    pub fn from_u64(width: u32, value: u64) -> Self {
        if width <= 64 {
            Self::small(width, value)
        } else {
            Self::masked(width, SmallVec::from_slice(&[value]))
        }
    }

    /// The low bits of `value`, sign-extended.
    #[inline]
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 {
            return Self::small(width, value.cast_unsigned());
        }
        let mut limbs = SmallVec::from_elem(if value < 0 { u64::MAX } else { 0 }, n_limbs(width));
        limbs[0] = value.cast_unsigned();
        Self::masked(width, limbs)
    }

    /// The low bits of `value`.
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::masked(
            width,
            SmallVec::from_slice(&[(value & u128::from(u64::MAX)) as u64, (value >> 64) as u64]),
        )
    }

    /// The low bits of `value`, sign-extended.
    pub fn from_i128(width: u32, value: i128) -> Self {
        if width <= 128 {
            return Self::from_u128(width, value.cast_unsigned());
        }
        Self::from_u128(128, value.cast_unsigned()).sext(width)
    }

    /// The low bits of `limbs`, least significant word first.
    pub fn from_limbs(width: u32, limbs: &[u64]) -> Self {
        Self::masked(width, SmallVec::from_slice(limbs))
    }

    /// The words, least significant first; at least one.
    #[inline]
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// Word `index`; zero beyond the width.
    pub fn limb(&self, index: usize) -> u64 {
        self.limbs.get(index).copied().unwrap_or(0)
    }

    /// The width in bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Whether no bit is set.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|l| *l == 0)
    }

    /// Whether the value is 1.
    pub fn is_one(&self) -> bool {
        self.limbs[0] == 1 && self.limbs[1..].iter().all(|l| *l == 0)
    }

    /// Whether every bit is set.
    pub fn is_all_ones(&self) -> bool {
        *self == Self::ones(self.width)
    }

    /// The highest bit; false at width 0.
    #[inline]
    pub fn sign_bit(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Bit `index`; false beyond the width.
    #[inline]
    pub fn bit(&self, index: u32) -> bool {
        self.limb((index / 64) as usize) >> (index % 64) & 1 == 1
    }

    /// The value, unsigned, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.limbs[1..]
            .iter()
            .all(|l| *l == 0)
            .then_some(self.limbs[0])
    }

    /// The value, signed, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        if self.width <= 64 {
            return Some(self.sext(64).limbs[0].cast_signed());
        }
        (self.min_signed_bits() <= 64).then(|| self.limbs[0].cast_signed())
    }

    /// The value, unsigned, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        let high = self.limbs.get(2..).unwrap_or_default();
        high.iter()
            .all(|l| *l == 0)
            .then(|| u128::from(self.limb(1)) << 64 | u128::from(self.limb(0)))
    }

    /// The low 64 bits.
    #[inline]
    pub fn low_u64(&self) -> u64 {
        self.limbs[0]
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        if self.width <= 64 {
            return Self::small(self.width, f(self.limbs[0], other.limbs[0]));
        }
        Self::masked(
            self.width,
            self.limbs
                .iter()
                .zip(&other.limbs)
                .map(|(a, b)| f(*a, *b))
                .collect(),
        )
    }

    /// Sum, wrapped.
    #[inline]
    pub fn add(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        if self.width <= 64 {
            return Self::small(self.width, self.limbs[0].wrapping_add(other.limbs[0]));
        }
        let mut carry = false;
        let sum = self.limbs.iter().zip(&other.limbs).map(|(a, b)| {
            let (s, c1) = a.overflowing_add(*b);
            let (s, c2) = s.overflowing_add(u64::from(carry));
            carry = c1 | c2;
            s
        });
        let sum = sum.collect();
        Self::masked(self.width, sum)
    }

    /// Difference, wrapped.
    #[inline]
    pub fn sub(&self, other: &Self) -> Self {
        if self.width <= 64 {
            debug_assert_eq!(self.width, other.width, "operands have one width");
            return Self::small(self.width, self.limbs[0].wrapping_sub(other.limbs[0]));
        }
        self.add(&other.neg())
    }

    /// Product, wrapped.
    #[inline]
    pub fn mul(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width, "operands have one width");
        if self.width <= 64 {
            return Self::small(self.width, self.limbs[0].wrapping_mul(other.limbs[0]));
        }
        Self::from_big(self.width, &(self.big() * other.big()))
    }

    /// The high half of the double-width unsigned product.
    pub fn mulhi_u(&self, other: &Self) -> Self {
        let wide = self.width * 2;
        self.zext(wide)
            .mul(&other.zext(wide))
            .extract(self.width, self.width)
    }

    /// The high half of the double-width signed product.
    pub fn mulhi_s(&self, other: &Self) -> Self {
        let wide = self.width * 2;
        self.sext(wide)
            .mul(&other.sext(wide))
            .extract(self.width, self.width)
    }

    /// Sum and carry out.
    pub fn add_carry(&self, other: &Self) -> (Self, bool) {
        let wide = self.zext(self.width + 1).add(&other.zext(self.width + 1));
        (wide.trunc(self.width), wide.bit(self.width))
    }

    /// Negation, wrapped.
    pub fn neg(&self) -> Self {
        if self.width <= 64 {
            return Self::small(self.width, self.limbs[0].wrapping_neg());
        }
        self.not().add(&Self::from_u64(self.width, 1))
    }

    /// Complement.
    pub fn not(&self) -> Self {
        Self::masked(self.width, self.limbs.iter().map(|l| !l).collect())
    }

    /// Conjunction.
    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Disjunction.
    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Exclusive or.
    pub fn xor(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// Unsigned quotient; `None` for a zero divisor.
    pub fn udiv(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        if self.width <= 64 {
            return Some(Self::small(self.width, self.limbs[0] / other.limbs[0]));
        }
        Some(Self::from_big(self.width, &(self.big() / other.big())))
    }

    /// Unsigned remainder; `None` for a zero divisor.
    pub fn urem(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        if self.width <= 64 {
            return Some(Self::small(self.width, self.limbs[0] % other.limbs[0]));
        }
        Some(Self::from_big(self.width, &(self.big() % other.big())))
    }

    fn magnitude(&self) -> Self {
        if self.sign_bit() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Signed quotient rounded to zero; the overflow wraps; `None` for a zero divisor.
    pub fn sdiv(&self, other: &Self) -> Option<Self> {
        let quotient = self.magnitude().udiv(&other.magnitude())?;
        Some(if self.sign_bit() == other.sign_bit() {
            quotient
        } else {
            quotient.neg()
        })
    }

    /// Signed remainder with the sign of the dividend; `None` for a zero divisor.
    pub fn srem(&self, other: &Self) -> Option<Self> {
        let remainder = self.magnitude().urem(&other.magnitude())?;
        Some(if self.sign_bit() {
            remainder.neg()
        } else {
            remainder
        })
    }

    /// Signed quotient rounded down.
    pub fn floor_sdiv(&self, other: &Self) -> Option<Self> {
        let quotient = self.sdiv(other)?;
        let exact = self.srem(other)?.is_zero();
        let below = !exact && self.sign_bit() != other.sign_bit();
        Some(if below {
            quotient.sub(&Self::from_u64(self.width, 1))
        } else {
            quotient
        })
    }

    /// Signed quotient rounded up.
    pub fn ceil_sdiv(&self, other: &Self) -> Option<Self> {
        let quotient = self.sdiv(other)?;
        let exact = self.srem(other)?.is_zero();
        let above = !exact && self.sign_bit() == other.sign_bit();
        Some(if above {
            quotient.add(&Self::from_u64(self.width, 1))
        } else {
            quotient
        })
    }

    /// Unsigned quotient rounded up.
    pub fn ceil_udiv(&self, other: &Self) -> Option<Self> {
        let quotient = self.udiv(other)?;
        let exact = self.urem(other)?.is_zero();
        Some(if exact {
            quotient
        } else {
            quotient.add(&Self::from_u64(self.width, 1))
        })
    }

    fn amount(&self, amount: &Self) -> u32 {
        amount
            .to_u64()
            .and_then(|a| u32::try_from(a).ok())
            .unwrap_or(u32::MAX)
            .min(self.width)
    }

    /// Shift to the left; 0 from the width on.
    pub fn shl(&self, amount: &Self) -> Self {
        self.shl_by(self.amount(amount))
    }

    /// Shift to the right with zeros; 0 from the width on.
    pub fn lshr(&self, amount: &Self) -> Self {
        self.lshr_by(self.amount(amount))
    }

    /// Shift to the right with the sign; all sign from the width on.
    pub fn ashr(&self, amount: &Self) -> Self {
        self.ashr_by(self.amount(amount))
    }

    /// [`Bits::shl`] by a number.
    pub fn shl_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        if self.width <= 64 {
            return Self::small(self.width, self.limbs[0] << amount);
        }
        Self::from_big(self.width, &(self.big() << amount))
    }

    /// [`Bits::lshr`] by a number.
    pub fn lshr_by(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        if self.width <= 64 {
            return Self::small(self.width, self.limbs[0] >> amount);
        }
        Self::from_big(self.width, &(self.big() >> amount))
    }

    /// [`Bits::ashr`] by a number.
    pub fn ashr_by(&self, amount: u32) -> Self {
        if !self.sign_bit() {
            return self.lshr_by(amount);
        }
        self.not().lshr_by(amount).not()
    }

    /// Unsigned order.
    pub fn ucmp(&self, other: &Self) -> Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }

    /// Signed order.
    pub fn scmp(&self, other: &Self) -> Ordering {
        match (self.sign_bit(), other.sign_bit()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.ucmp(other),
        }
    }

    /// Unsigned less than.
    pub fn ult(&self, other: &Self) -> bool {
        self.ucmp(other).is_lt()
    }

    /// Unsigned less or equal.
    pub fn ule(&self, other: &Self) -> bool {
        self.ucmp(other).is_le()
    }

    /// Signed less than.
    pub fn slt(&self, other: &Self) -> bool {
        self.scmp(other).is_lt()
    }

    /// Signed less or equal.
    pub fn sle(&self, other: &Self) -> bool {
        self.scmp(other).is_le()
    }

    /// Unsigned minimum.
    pub fn umin(&self, other: &Self) -> Self {
        if self.ule(other) {
            self.clone()
        } else {
            other.clone()
        }
    }

    /// Unsigned maximum.
    pub fn umax(&self, other: &Self) -> Self {
        if self.ule(other) {
            other.clone()
        } else {
            self.clone()
        }
    }

    /// Signed minimum.
    pub fn smin(&self, other: &Self) -> Self {
        if self.sle(other) {
            self.clone()
        } else {
            other.clone()
        }
    }

    /// Signed maximum.
    pub fn smax(&self, other: &Self) -> Self {
        if self.sle(other) {
            other.clone()
        } else {
            self.clone()
        }
    }

    /// More bits, zeros on top.
    pub fn zext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width, "an extension does not narrow");
        if width <= 64 {
            return Self::small(width, self.limbs[0]);
        }
        Self::masked(width, self.limbs.clone())
    }

    /// More bits, copies of the sign on top.
    pub fn sext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width, "an extension does not narrow");
        if !self.sign_bit() {
            return self.zext(width);
        }
        if width <= 64 {
            return Self::small(width, self.limbs[0] | !low_mask(self.width));
        }
        self.not().zext(width).not()
    }

    /// The low bits.
    pub fn trunc(&self, width: u32) -> Self {
        debug_assert!(width <= self.width, "a truncation does not widen");
        if width <= 64 {
            return Self::small(width, self.limbs[0]);
        }
        Self::masked(
            width,
            self.limbs.iter().copied().take(n_limbs(width)).collect(),
        )
    }

    /// `width` bits from bit `low` on.
    pub fn extract(&self, low: u32, width: u32) -> Self {
        debug_assert!(low + width <= self.width, "an extraction stays inside");
        if self.width <= 64 {
            return Self::small(width, self.limbs[0].checked_shr(low).unwrap_or(0));
        }
        self.lshr_by(low).trunc(width)
    }

    /// `high` above `low`.
    pub fn concat(high: &Self, low: &Self) -> Self {
        let width = high.width + low.width;
        high.zext(width).shl_by(low.width).or(&low.zext(width))
    }

    /// `times` copies side by side.
    pub fn replicate(&self, times: u32) -> Self {
        (0..times).fold(Self::zero(0), |copies, _| Self::concat(&copies, self))
    }

    /// Number of bits set.
    pub fn count_ones(&self) -> u32 {
        self.limbs.iter().map(|l| l.count_ones()).sum()
    }

    /// Zeros above the highest bit set; the width for 0.
    pub fn leading_zeros(&self) -> u32 {
        self.width - self.active_bits()
    }

    /// Zeros below the lowest bit set; the width for 0.
    pub fn trailing_zeros(&self) -> u32 {
        let mut zeros = 0;
        for limb in &self.limbs {
            zeros += limb.trailing_zeros();
            if *limb != 0 {
                break;
            }
        }
        zeros.min(self.width)
    }

    /// Bits needed for the unsigned value; 0 for 0.
    pub fn active_bits(&self) -> u32 {
        for (i, limb) in self.limbs.iter().enumerate().rev() {
            if *limb != 0 {
                let below = u32::try_from(i * 64).expect("a width fits 32 bits");
                return below + 64 - limb.leading_zeros();
            }
        }
        0
    }

    /// Bits needed for the signed value, the sign included; 1 for 0 and -1.
    pub fn min_signed_bits(&self) -> u32 {
        let magnitude = if self.sign_bit() {
            self.not()
        } else {
            self.clone()
        };
        (magnitude.active_bits() + 1).min(self.width.max(1))
    }

    /// A decimal literal; `None` if it does not fit `width` bits as signed or unsigned value.
    pub fn parse_decimal(text: &str, negative: bool, width: u32) -> Option<Self> {
        Self::parse_radix(text, 10, negative, width)
    }

    /// A hexadecimal literal without prefix; `None` if it does not fit `width` bits.
    pub fn parse_hex(text: &str, width: u32) -> Option<Self> {
        Self::parse_radix(text, 16, false, width)
    }

    fn parse_radix(text: &str, radix: u32, negative: bool, width: u32) -> Option<Self> {
        if radix == 10 && text.len() < 19 && width <= 64 {
            let value: u64 = text.parse().ok()?;
            if negative {
                let fits = width > 0 && value <= 1 << (width - 1) || value == 0;
                return fits.then(|| Self::small(width, value.wrapping_neg()));
            }
            return (value <= low_mask(width)).then(|| Self::small(width, value));
        }
        let value = BigUint::parse_bytes(text.as_bytes(), radix)?;
        let bits = u32::try_from(value.bits()).ok()?;
        let exact = Self::from_big(bits.max(1), &value);
        if negative {
            let smallest = bits == width && exact.trailing_zeros() + 1 == width;
            return (bits < width || smallest || bits == 0)
                .then(|| Self::from_big(width, &value).neg());
        }
        (bits <= width).then(|| Self::from_big(width, &value))
    }

    /// A literal of any size, at the smallest width that holds it as an unsigned value (at least 1).
    pub fn parse_unbounded(text: &str, radix: u32) -> Option<Self> {
        let value = BigUint::parse_bytes(text.as_bytes(), radix)?;
        let bits = u32::try_from(value.bits()).ok()?;
        Some(Self::from_big(bits.max(1), &value))
    }

    /// Decimal, signed.
    pub fn to_signed_string(&self) -> String {
        match self.to_i64() {
            Some(value) => value.to_string(),
            None if self.sign_bit() => format!("-{}", self.neg().big()),
            None => self.big().to_string(),
        }
    }

    /// Decimal, unsigned.
    pub fn to_unsigned_string(&self) -> String {
        match self.to_u64() {
            Some(value) => value.to_string(),
            None => self.big().to_string(),
        }
    }

    /// Hexadecimal without prefix.
    pub fn to_hex_string(&self) -> String {
        format!("{:x}", self.big())
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bits {
    /// By width, then by unsigned value.
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.ucmp(other))
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
