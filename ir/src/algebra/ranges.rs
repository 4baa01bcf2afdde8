//! Ranges: bounds of a value as an unsigned and as a signed number.

use super::float::{FloatFormat, FloatOp};
use super::{Algebra, Concrete};
use crate::bits::Bits;

/// Bounds of a value, both ends included.
///
/// Invariant: the value lies in the unsigned and in the signed interval.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RangesWord {
    /// Smallest unsigned value.
    pub umin: Bits,
    /// Largest unsigned value.
    pub umax: Bits,
    /// Smallest signed value.
    pub smin: Bits,
    /// Largest signed value.
    pub smax: Bits,
}

fn sign_only(width: u32) -> Bits {
    if width == 0 {
        Bits::zero(0)
    } else {
        Bits::from_u64(width, 1).shl_by(width - 1)
    }
}

impl RangesWord {
    /// Returns the range of all values of a width.
    pub fn full(width: u32) -> Self {
        let lowest = sign_only(width);
        Self {
            umin: Bits::zero(width),
            umax: Bits::ones(width),
            smax: lowest.not(),
            smin: lowest,
        }
    }

    /// Returns the range of one value.
    pub fn exact(value: &Bits) -> Self {
        Self {
            umin: value.clone(),
            umax: value.clone(),
            smin: value.clone(),
            smax: value.clone(),
        }
    }

    /// Returns the range of all values between two unsigned bounds.
    pub fn unsigned(umin: Bits, umax: Bits) -> Self {
        if umin.sign_bit() == umax.sign_bit() {
            return Self {
                smin: umin.clone(),
                smax: umax.clone(),
                umin,
                umax,
            };
        }
        let full = Self::full(umin.width());
        Self {
            umin,
            umax,
            smin: full.smin,
            smax: full.smax,
        }
    }

    /// Returns the range of all values between two signed bounds.
    pub fn signed(smin: Bits, smax: Bits) -> Self {
        if smin.sign_bit() == smax.sign_bit() {
            return Self {
                umin: smin.clone(),
                umax: smax.clone(),
                smin,
                smax,
            };
        }
        let full = Self::full(smin.width());
        Self {
            smin,
            smax,
            umin: full.umin,
            umax: full.umax,
        }
    }

    /// Returns the smallest range that contains both ranges.
    pub fn join(&self, other: &Self) -> Self {
        Self {
            umin: self.umin.umin(&other.umin),
            umax: self.umax.umax(&other.umax),
            smin: self.smin.smin(&other.smin),
            smax: self.smax.smax(&other.smax),
        }
    }

    /// Returns the intersection; `None` if it is empty.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let word = Self {
            umin: self.umin.umax(&other.umin),
            umax: self.umax.umin(&other.umax),
            smin: self.smin.smax(&other.smin),
            smax: self.smax.smin(&other.smax),
        };
        (word.umin.ule(&word.umax) && word.smin.sle(&word.smax)).then_some(word)
    }

    /// Tightens the unsigned bounds by the signed ones, and the signed bounds by the unsigned ones.
    #[must_use]
    pub fn tight(self) -> Self {
        let mut tight = self.clone();
        if tight.smin.sign_bit() == tight.smax.sign_bit() {
            tight.umin = tight.umin.umax(&tight.smin);
            tight.umax = tight.umax.umin(&tight.smax);
        }
        if tight.umin.sign_bit() == tight.umax.sign_bit() {
            tight.smin = tight.smin.smax(&tight.umin);
            tight.smax = tight.smax.smin(&tight.umax);
        }
        let is_any = tight.umin.ule(&tight.umax) && tight.smin.sle(&tight.smax);
        if is_any { tight } else { self }
    }

    /// Returns true if `value` is in the range.
    pub fn contains(&self, value: &Bits) -> bool {
        self.umin.ule(value)
            && value.ule(&self.umax)
            && self.smin.sle(value)
            && value.sle(&self.smax)
    }

    /// Returns the only value, if there is exactly one.
    pub fn value(&self) -> Option<&Bits> {
        if self.umin == self.umax {
            return Some(&self.umin);
        }
        (self.smin == self.smax).then_some(&self.smin)
    }

    /// Returns the width of the values.
    pub fn width(&self) -> u32 {
        self.umin.width()
    }

    fn both(unsigned: Option<Self>, signed: Option<Self>, width: u32) -> Self {
        let unsigned = unsigned.unwrap_or_else(|| Self::full(width));
        let signed = signed.unwrap_or_else(|| Self::full(width));
        unsigned.meet(&signed).unwrap_or(unsigned)
    }
}

/// Computes with ranges; sound for every operator.
#[derive(Default, Debug)]
pub struct Ranges;

impl Ranges {
    /// Creates the algebra; it has no state.
    pub fn new() -> Self {
        Self
    }

    fn exact(
        a: &RangesWord,
        b: &RangesWord,
        f: impl Fn(&mut Concrete, &Bits, &Bits) -> Bits,
    ) -> Option<RangesWord> {
        let (a, b) = (a.value()?, b.value()?);
        Some(RangesWord::exact(&f(&mut Concrete::new(), a, b)))
    }

    /// Returns bounds computed at `wide` bits; keeps those that fit the width.
    fn widened(
        width: u32,
        wide: u32,
        unsigned: Option<(Bits, Bits)>,
        signed: Option<(Bits, Bits)>,
    ) -> RangesWord {
        let unsigned = unsigned.filter(|(low, high)| high.active_bits() <= width && low.ule(high));
        let unsigned =
            unsigned.map(|(low, high)| RangesWord::unsigned(low.trunc(width), high.trunc(width)));
        let fits = |b: &Bits| b.min_signed_bits() <= width;
        let signed = signed.filter(|(low, high)| fits(low) && fits(high));
        let signed =
            signed.map(|(low, high)| RangesWord::signed(low.trunc(width), high.trunc(width)));
        debug_assert!(wide > width, "computed without wrap");
        RangesWord::both(unsigned, signed, width)
    }
}

fn one_bit(known: Option<bool>) -> RangesWord {
    match known {
        None => RangesWord::full(1),
        Some(value) => RangesWord::exact(&Bits::from_u64(1, u64::from(value))),
    }
}

impl Algebra for Ranges {
    type Word = RangesWord;

    fn constant(&mut self, value: Bits) -> RangesWord {
        RangesWord::exact(&value)
    }
    fn width(&self, word: &RangesWord) -> u32 {
        word.width()
    }
    fn add(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        let (width, wide) = (a.width(), a.width() + 2);
        let unsigned = (
            a.umin.zext(wide).add(&b.umin.zext(wide)),
            a.umax.zext(wide).add(&b.umax.zext(wide)),
        );
        let signed = (
            a.smin.sext(wide).add(&b.smin.sext(wide)),
            a.smax.sext(wide).add(&b.smax.sext(wide)),
        );
        Self::widened(width, wide, Some(unsigned), Some(signed))
    }
    fn sub(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        let (width, wide) = (a.width(), a.width() + 2);
        let unsigned = b.umax.ule(&a.umin).then(|| {
            (
                a.umin.zext(wide).sub(&b.umax.zext(wide)),
                a.umax.zext(wide).sub(&b.umin.zext(wide)),
            )
        });
        let signed = (
            a.smin.sext(wide).sub(&b.smax.sext(wide)),
            a.smax.sext(wide).sub(&b.smin.sext(wide)),
        );
        Self::widened(width, wide, unsigned, Some(signed))
    }
    fn mul(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        let (width, wide) = (a.width(), a.width() * 2 + 1);
        let unsigned = (
            a.umin.zext(wide).mul(&b.umin.zext(wide)),
            a.umax.zext(wide).mul(&b.umax.zext(wide)),
        );
        let mut products = Vec::new();
        for x in [&a.smin, &a.smax] {
            for y in [&b.smin, &b.smax] {
                products.push(x.sext(wide).mul(&y.sext(wide)));
            }
        }
        let low = products
            .iter()
            .fold(products[0].clone(), |low, p| low.smin(p));
        let high = products
            .iter()
            .fold(products[0].clone(), |high, p| high.smax(p));
        Self::widened(width, wide, Some(unsigned), Some((low, high)))
    }
    fn and(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.and(a, b)) {
            return exact;
        }
        RangesWord::unsigned(Bits::zero(a.width()), a.umax.umin(&b.umax))
    }
    fn or(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.or(a, b)) {
            return exact;
        }
        let width = a.width();
        let used = a.umax.active_bits().max(b.umax.active_bits());
        RangesWord::unsigned(a.umin.umax(&b.umin), Bits::ones(used).zext(width))
    }
    fn xor(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.xor(a, b)) {
            return exact;
        }
        let width = a.width();
        let used = a.umax.active_bits().max(b.umax.active_bits());
        RangesWord::unsigned(Bits::zero(width), Bits::ones(used).zext(width))
    }
    fn not(&mut self, a: &RangesWord) -> RangesWord {
        RangesWord {
            umin: a.umax.not(),
            umax: a.umin.not(),
            smin: a.smax.not(),
            smax: a.smin.not(),
        }
    }
    fn neg(&mut self, a: &RangesWord) -> RangesWord {
        let zero = RangesWord::exact(&Bits::zero(a.width()));
        self.sub(&zero, a)
    }
    fn udiv(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        match (a.umin.udiv(&b.umax), a.umax.udiv(&b.umin)) {
            (Some(low), Some(high)) => RangesWord::unsigned(low, high),
            _ => RangesWord::full(a.width()),
        }
    }
    fn urem(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.urem(a, b)) {
            return exact;
        }
        let width = a.width();
        let high = if b.umin.is_zero() {
            a.umax.clone()
        } else {
            a.umax.umin(&b.umax.sub(&Bits::from_u64(width, 1)))
        };
        RangesWord::unsigned(Bits::zero(width), high)
    }
    fn sdiv(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.sdiv(a, b)) {
            return exact;
        }
        let non_negative = !a.smin.sign_bit() && !b.smin.sign_bit();
        if non_negative {
            self.udiv(a, b)
        } else {
            RangesWord::full(a.width())
        }
    }
    fn srem(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.srem(a, b)) {
            return exact;
        }
        let non_negative = !a.smin.sign_bit() && !b.smin.sign_bit();
        if non_negative {
            self.urem(a, b)
        } else {
            RangesWord::full(a.width())
        }
    }
    fn shl(&mut self, a: &RangesWord, amount: &RangesWord) -> RangesWord {
        let width = a.width();
        let by = amount.umax.to_u64().and_then(|v| u32::try_from(v).ok());
        match by {
            Some(by) if by < width && a.umax.active_bits() + by <= width => {
                RangesWord::unsigned(a.umin.shl(&amount.umin), a.umax.shl(&amount.umax))
            }
            _ => Self::exact(a, amount, |c, a, b| c.shl(a, b))
                .unwrap_or_else(|| RangesWord::full(width)),
        }
    }
    fn lshr(&mut self, a: &RangesWord, amount: &RangesWord) -> RangesWord {
        RangesWord::unsigned(a.umin.lshr(&amount.umax), a.umax.lshr(&amount.umin))
    }
    fn ashr(&mut self, a: &RangesWord, amount: &RangesWord) -> RangesWord {
        let low = a.smin.ashr(&amount.umin).smin(&a.smin.ashr(&amount.umax));
        let high = a.smax.ashr(&amount.umin).smax(&a.smax.ashr(&amount.umax));
        RangesWord::signed(low, high)
    }
    fn eq(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            return one_bit(Some(a == b));
        }
        one_bit(a.meet(b).is_none().then_some(false))
    }
    fn ult(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if a.umax.ult(&b.umin) {
            one_bit(Some(true))
        } else if b.umax.ule(&a.umin) {
            one_bit(Some(false))
        } else {
            one_bit(None)
        }
    }
    fn slt(&mut self, a: &RangesWord, b: &RangesWord) -> RangesWord {
        if a.smax.slt(&b.smin) {
            one_bit(Some(true))
        } else if b.smax.sle(&a.smin) {
            one_bit(Some(false))
        } else {
            one_bit(None)
        }
    }
    fn ite(&mut self, condition: &RangesWord, a: &RangesWord, b: &RangesWord) -> RangesWord {
        match condition.value() {
            Some(known) if known.is_zero() => b.clone(),
            Some(_) => a.clone(),
            None => a.join(b),
        }
    }
    fn zext(&mut self, a: &RangesWord, width: u32) -> RangesWord {
        RangesWord::unsigned(a.umin.zext(width), a.umax.zext(width))
    }
    fn sext(&mut self, a: &RangesWord, width: u32) -> RangesWord {
        RangesWord::signed(a.smin.sext(width), a.smax.sext(width))
    }
    fn extract(&mut self, a: &RangesWord, low: u32, width: u32) -> RangesWord {
        let (from, to) = (a.umin.lshr_by(low), a.umax.lshr_by(low));
        if to.active_bits() <= width {
            return RangesWord::unsigned(from.trunc(width), to.trunc(width));
        }
        let (from, to) = (a.smin.ashr_by(low), a.smax.ashr_by(low));
        if from.min_signed_bits() <= width && to.min_signed_bits() <= width {
            return RangesWord::signed(from.trunc(width), to.trunc(width));
        }
        RangesWord::full(width)
    }
    fn concat(&mut self, high: &RangesWord, low: &RangesWord) -> RangesWord {
        RangesWord::unsigned(
            Bits::concat(&high.umin, &low.umin),
            Bits::concat(&high.umax, &low.umax),
        )
    }
    fn require(&mut self, _condition: &RangesWord, _reason: &'static str) {}
    fn float(&mut self, op: FloatOp, format: FloatFormat, _operands: &[RangesWord]) -> RangesWord {
        RangesWord::full(op.result_width(format))
    }
}
