//! Known bits: the bits of a value that are known to be 0 or 1.

use super::float::{FloatFormat, FloatOp};
use super::{Algebra, Concrete};
use crate::bits::Bits;

/// The known bits of a value.
///
/// Invariant: no bit is in both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KnownBitsWord {
    /// Bits known to be 0.
    pub zeros: Bits,
    /// Bits known to be 1.
    pub ones: Bits,
}

impl KnownBitsWord {
    /// Returns a value without known bits.
    pub fn unknown(width: u32) -> Self {
        Self {
            zeros: Bits::zero(width),
            ones: Bits::zero(width),
        }
    }

    /// Returns a value whose bits are all known.
    pub fn known(value: &Bits) -> Self {
        Self {
            zeros: value.not(),
            ones: value.clone(),
        }
    }

    /// Returns the value, if every bit is known.
    pub fn value(&self) -> Option<&Bits> {
        self.zeros
            .or(&self.ones)
            .is_all_ones()
            .then_some(&self.ones)
    }

    /// Returns true if `value` agrees with the known bits.
    pub fn contains(&self, value: &Bits) -> bool {
        value.and(&self.zeros).is_zero() && value.not().and(&self.ones).is_zero()
    }

    /// Returns the bits that are known to be equal in both values.
    pub fn join(&self, other: &Self) -> Self {
        Self {
            zeros: self.zeros.and(&other.zeros),
            ones: self.ones.and(&other.ones),
        }
    }

    fn width(&self) -> u32 {
        self.ones.width()
    }

    /// Returns the number of low bits known to be 0.
    fn low_zeros(&self) -> u32 {
        self.zeros.not().trailing_zeros()
    }
}

/// Computes with known bits; sound for every operator.
#[derive(Default, Debug)]
pub struct KnownBits;

impl KnownBits {
    /// Creates the algebra; it has no state.
    pub fn new() -> Self {
        Self
    }

    /// Returns the known result if both operands are known.
    fn exact(
        a: &KnownBitsWord,
        b: &KnownBitsWord,
        f: impl Fn(&mut Concrete, &Bits, &Bits) -> Bits,
    ) -> Option<KnownBitsWord> {
        let (a, b) = (a.value()?, b.value()?);
        Some(KnownBitsWord::known(&f(&mut Concrete::new(), a, b)))
    }

    /// Returns the sum with a carry in: a result bit is known if both operand bits and the carry into it are known.
    fn sum(a: &KnownBitsWord, b: &KnownBitsWord, carry_in: bool) -> KnownBitsWord {
        let width = a.width();
        let carry = Bits::from_u64(width, u64::from(carry_in && width > 0));
        // The largest and the smallest possible sum; a carry is known if it is equal in both.
        let largest = a.zeros.not().add(&b.zeros.not()).add(&carry);
        let smallest = a.ones.add(&b.ones).add(&carry);
        let carry_zero = largest.xor(&a.zeros).xor(&b.zeros).not();
        let carry_one = smallest.xor(&a.ones).xor(&b.ones);
        let known = a
            .zeros
            .or(&a.ones)
            .and(&b.zeros.or(&b.ones))
            .and(&carry_zero.or(&carry_one));
        KnownBitsWord {
            zeros: largest.not().and(&known),
            ones: smallest.and(&known),
        }
    }

    fn shifted(
        a: &KnownBitsWord,
        amount: &KnownBitsWord,
        f: impl Fn(&KnownBitsWord, u32) -> KnownBitsWord,
    ) -> KnownBitsWord {
        let width = a.width();
        match amount.value() {
            Some(known) => {
                let by = known
                    .to_u64()
                    .and_then(|v| u32::try_from(v).ok())
                    .unwrap_or(width)
                    .min(width);
                f(a, by)
            }
            None => KnownBitsWord::unknown(width),
        }
    }
}

fn low_ones(width: u32, n: u32) -> Bits {
    if n >= width {
        Bits::ones(width)
    } else {
        Bits::ones(n).zext(width)
    }
}

fn high_ones(width: u32, n: u32) -> Bits {
    low_ones(width, width - n.min(width)).not()
}

fn one_bit(known: Option<bool>) -> KnownBitsWord {
    match known {
        None => KnownBitsWord::unknown(1),
        Some(value) => KnownBitsWord::known(&Bits::from_u64(1, u64::from(value))),
    }
}

/// Flips the sign bit; the signed order then becomes the unsigned order.
fn flip_sign(word: &KnownBitsWord) -> KnownBitsWord {
    let width = word.width();
    if width == 0 {
        return word.clone();
    }
    let sign = Bits::from_u64(width, 1).shl_by(width - 1);
    let keep = sign.not();
    KnownBitsWord {
        zeros: word.zeros.and(&keep).or(&word.ones.and(&sign)),
        ones: word.ones.and(&keep).or(&word.zeros.and(&sign)),
    }
}

fn less(a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
    let (a_min, a_max) = (&a.ones, a.zeros.not());
    let (b_min, b_max) = (&b.ones, b.zeros.not());
    if a_max.ult(b_min) {
        one_bit(Some(true))
    } else if b_max.ule(a_min) {
        one_bit(Some(false))
    } else {
        one_bit(None)
    }
}

impl Algebra for KnownBits {
    type Word = KnownBitsWord;

    fn constant(&mut self, value: Bits) -> KnownBitsWord {
        KnownBitsWord::known(&value)
    }
    fn width(&self, word: &KnownBitsWord) -> u32 {
        word.width()
    }
    fn add(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        Self::sum(a, b, false)
    }
    fn sub(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        let complement = KnownBitsWord {
            zeros: b.ones.clone(),
            ones: b.zeros.clone(),
        };
        Self::sum(a, &complement, true)
    }
    fn mul(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.mul(a, b)) {
            return exact;
        }
        let width = a.width();
        let low = (a.low_zeros() + b.low_zeros()).min(width);
        let used = a.zeros.not().active_bits() + b.zeros.not().active_bits();
        let high = width.saturating_sub(used);
        KnownBitsWord {
            zeros: low_ones(width, low).or(&high_ones(width, high)),
            ones: Bits::zero(width),
        }
    }
    fn and(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.zeros.or(&b.zeros),
            ones: a.ones.and(&b.ones),
        }
    }
    fn or(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.zeros.and(&b.zeros),
            ones: a.ones.or(&b.ones),
        }
    }
    fn xor(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.zeros.and(&b.zeros).or(&a.ones.and(&b.ones)),
            ones: a.zeros.and(&b.ones).or(&a.ones.and(&b.zeros)),
        }
    }
    fn not(&mut self, a: &KnownBitsWord) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.ones.clone(),
            ones: a.zeros.clone(),
        }
    }
    fn neg(&mut self, a: &KnownBitsWord) -> KnownBitsWord {
        let zero = KnownBitsWord::known(&Bits::zero(a.width()));
        self.sub(&zero, a)
    }
    fn udiv(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.udiv(a, b)) {
            return exact;
        }
        // If the divisor is known not to be zero, the quotient is not larger than the dividend.
        if b.ones.is_zero() {
            return KnownBitsWord::unknown(a.width());
        }
        let used = a.zeros.not().active_bits();
        let shrink = b.ones.active_bits() - 1;
        let width = a.width();
        KnownBitsWord {
            zeros: high_ones(width, width - used.saturating_sub(shrink)),
            ones: Bits::zero(width),
        }
    }
    fn urem(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        if let Some(exact) = Self::exact(a, b, |c, a, b| c.urem(a, b)) {
            return exact;
        }
        let width = a.width();
        let mut used = a.zeros.not().active_bits();
        if !b.ones.is_zero() {
            used = used.min(b.zeros.not().active_bits());
        }
        KnownBitsWord {
            zeros: high_ones(width, width - used),
            ones: Bits::zero(width),
        }
    }
    fn sdiv(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        Self::exact(a, b, |c, a, b| c.sdiv(a, b))
            .unwrap_or_else(|| KnownBitsWord::unknown(a.width()))
    }
    fn srem(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        Self::exact(a, b, |c, a, b| c.srem(a, b))
            .unwrap_or_else(|| KnownBitsWord::unknown(a.width()))
    }
    fn shl(&mut self, a: &KnownBitsWord, amount: &KnownBitsWord) -> KnownBitsWord {
        Self::shifted(a, amount, |a, by| KnownBitsWord {
            zeros: a.zeros.shl_by(by).or(&low_ones(a.width(), by)),
            ones: a.ones.shl_by(by),
        })
    }
    fn lshr(&mut self, a: &KnownBitsWord, amount: &KnownBitsWord) -> KnownBitsWord {
        Self::shifted(a, amount, |a, by| KnownBitsWord {
            zeros: a.zeros.lshr_by(by).or(&high_ones(a.width(), by)),
            ones: a.ones.lshr_by(by),
        })
    }
    fn ashr(&mut self, a: &KnownBitsWord, amount: &KnownBitsWord) -> KnownBitsWord {
        Self::shifted(a, amount, |a, by| KnownBitsWord {
            zeros: a.zeros.ashr_by(by),
            ones: a.ones.ashr_by(by),
        })
    }
    fn eq(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            return one_bit(Some(a == b));
        }
        let differ = a.zeros.and(&b.ones).or(&a.ones.and(&b.zeros));
        one_bit((!differ.is_zero()).then_some(false))
    }
    fn ult(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        less(a, b)
    }
    fn slt(&mut self, a: &KnownBitsWord, b: &KnownBitsWord) -> KnownBitsWord {
        less(&flip_sign(a), &flip_sign(b))
    }
    fn ite(
        &mut self,
        condition: &KnownBitsWord,
        a: &KnownBitsWord,
        b: &KnownBitsWord,
    ) -> KnownBitsWord {
        match condition.value() {
            Some(known) if known.is_zero() => b.clone(),
            Some(_) => a.clone(),
            None => a.join(b),
        }
    }
    fn zext(&mut self, a: &KnownBitsWord, width: u32) -> KnownBitsWord {
        let high = high_ones(width, width - a.width());
        KnownBitsWord {
            zeros: a.zeros.zext(width).or(&high),
            ones: a.ones.zext(width),
        }
    }
    fn sext(&mut self, a: &KnownBitsWord, width: u32) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.zeros.sext(width),
            ones: a.ones.sext(width),
        }
    }
    fn extract(&mut self, a: &KnownBitsWord, low: u32, width: u32) -> KnownBitsWord {
        KnownBitsWord {
            zeros: a.zeros.extract(low, width),
            ones: a.ones.extract(low, width),
        }
    }
    fn concat(&mut self, high: &KnownBitsWord, low: &KnownBitsWord) -> KnownBitsWord {
        KnownBitsWord {
            zeros: Bits::concat(&high.zeros, &low.zeros),
            ones: Bits::concat(&high.ones, &low.ones),
        }
    }
    fn require(&mut self, _condition: &KnownBitsWord, _reason: &'static str) {}
    fn float(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        _operands: &[KnownBitsWord],
    ) -> KnownBitsWord {
        KnownBitsWord::unknown(op.result_width(format))
    }
}
