//! The concrete algebra: words are bit vectors.

use super::Algebra;
use super::float::{FloatFormat, FloatOp, evaluate};
use crate::bits::Bits;

/// Computes with bit vectors and remembers the first requirement that failed.
#[derive(Default, Debug)]
pub struct Concrete {
    undefined: Option<&'static str>,
}

impl Concrete {
    /// Creates the algebra, with no failed requirement.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the reason why the meaning is undefined, if it is.
    pub fn undefined(&self) -> Option<&'static str> {
        self.undefined
    }
}

fn flag(value: bool) -> Bits {
    Bits::from_u64(1, u64::from(value))
}

impl Algebra for Concrete {
    type Word = Bits;

    fn constant(&mut self, value: Bits) -> Bits {
        value
    }
    fn width(&self, word: &Bits) -> u32 {
        word.width()
    }
    fn add(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.add(b)
    }
    fn sub(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.sub(b)
    }
    fn mul(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.mul(b)
    }
    fn and(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.and(b)
    }
    fn or(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.or(b)
    }
    fn xor(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.xor(b)
    }
    fn not(&mut self, a: &Bits) -> Bits {
        a.not()
    }
    fn neg(&mut self, a: &Bits) -> Bits {
        a.neg()
    }
    fn udiv(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.udiv(b).unwrap_or_else(|| Bits::ones(a.width()))
    }
    fn urem(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.urem(b).unwrap_or_else(|| a.clone())
    }
    fn sdiv(&mut self, a: &Bits, b: &Bits) -> Bits {
        let by_zero = || {
            if a.sign_bit() {
                Bits::from_u64(a.width(), 1)
            } else {
                Bits::ones(a.width())
            }
        };
        a.sdiv(b).unwrap_or_else(by_zero)
    }
    fn srem(&mut self, a: &Bits, b: &Bits) -> Bits {
        a.srem(b).unwrap_or_else(|| a.clone())
    }
    fn shl(&mut self, a: &Bits, amount: &Bits) -> Bits {
        a.shl(amount)
    }
    fn lshr(&mut self, a: &Bits, amount: &Bits) -> Bits {
        a.lshr(amount)
    }
    fn ashr(&mut self, a: &Bits, amount: &Bits) -> Bits {
        a.ashr(amount)
    }
    fn eq(&mut self, a: &Bits, b: &Bits) -> Bits {
        flag(a == b)
    }
    fn ult(&mut self, a: &Bits, b: &Bits) -> Bits {
        flag(a.ult(b))
    }
    fn slt(&mut self, a: &Bits, b: &Bits) -> Bits {
        flag(a.slt(b))
    }
    fn ite(&mut self, condition: &Bits, a: &Bits, b: &Bits) -> Bits {
        if condition.is_zero() {
            b.clone()
        } else {
            a.clone()
        }
    }
    fn zext(&mut self, a: &Bits, width: u32) -> Bits {
        a.zext(width)
    }
    fn sext(&mut self, a: &Bits, width: u32) -> Bits {
        a.sext(width)
    }
    fn extract(&mut self, a: &Bits, low: u32, width: u32) -> Bits {
        a.extract(low, width)
    }
    fn concat(&mut self, high: &Bits, low: &Bits) -> Bits {
        Bits::concat(high, low)
    }
    fn require(&mut self, condition: &Bits, reason: &'static str) {
        if condition.is_zero() && self.undefined.is_none() {
            self.undefined = Some(reason);
        }
    }
    fn float(&mut self, op: FloatOp, format: FloatFormat, operands: &[Bits]) -> Bits {
        evaluate(op, format, operands).unwrap_or_else(|| {
            self.undefined
                .get_or_insert("this float format or integer width has no arithmetic here");
            Bits::zero(op.result_width(format))
        })
    }
    fn count_ones(&mut self, a: &Bits) -> Bits {
        Bits::from_u64(a.width(), u64::from(a.count_ones()))
    }
    fn count_leading_zeros(&mut self, a: &Bits) -> Bits {
        Bits::from_u64(a.width(), u64::from(a.leading_zeros()))
    }
    fn count_trailing_zeros(&mut self, a: &Bits) -> Bits {
        Bits::from_u64(a.width(), u64::from(a.trailing_zeros()))
    }
}
