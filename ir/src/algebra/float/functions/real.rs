//! Real numbers with many digits, for the entries of tables.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};

use crate::bits::Bits;

/// Bits of a significand: several times those of the longest results, since differences of close numbers and interpolation lose some.
const PRECISION_BITS: usize = 384;

const NEAREST: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("memory for constants"));
}

/// A real number.
#[derive(Clone, Debug)]
pub(super) struct Real(BigFloat);

impl From<f64> for Real {
    fn from(number: f64) -> Self {
        Self(BigFloat::from_f64(number, PRECISION_BITS))
    }
}

impl From<u32> for Real {
    fn from(number: u32) -> Self {
        Self::from(f64::from(number))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for &Real {
            type Output = Real;
            fn $method(self, other: &Real) -> Real {
                Real(self.0.$method(&other.0, PRECISION_BITS, NEAREST))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for &Real {
    type Output = Real;
    fn neg(self) -> Real {
        Real(self.0.clone().neg())
    }
}

/// Applies a function that needs constants such as the logarithm of 2.
fn with_constants(f: impl FnOnce(&mut Consts) -> BigFloat) -> Real {
    CONSTANTS.with(|constants| Real(f(&mut constants.borrow_mut())))
}

impl Real {
    /// Returns the ratio of the circumference of a circle to its diameter.
    pub fn pi() -> Self {
        with_constants(|c| c.pi(PRECISION_BITS, NEAREST))
    }

    /// Returns 2 divided by [`Real::pi`], with this many correct bits.
    pub fn two_over_pi(n_bits: usize) -> Self {
        let precision = n_bits + 64;
        let two = BigFloat::from_f64(2.0, precision);
        with_constants(|c| two.div(&c.pi(precision, NEAREST), precision, NEAREST))
    }

    /// Returns 2 to an integer power.
    pub fn power_of_two(power: i32) -> Self {
        let mut one = BigFloat::from_f64(0.5, PRECISION_BITS);
        one.set_exponent(power + 1);
        Self(one)
    }

    pub fn exp(&self) -> Self {
        with_constants(|c| self.0.exp(PRECISION_BITS, NEAREST, c))
    }

    pub fn ln(&self) -> Self {
        with_constants(|c| self.0.ln(PRECISION_BITS, NEAREST, c))
    }

    pub fn sin(&self) -> Self {
        with_constants(|c| self.0.sin(PRECISION_BITS, NEAREST, c))
    }

    pub fn cos(&self) -> Self {
        with_constants(|c| self.0.cos(PRECISION_BITS, NEAREST, c))
    }

    pub fn atan(&self) -> Self {
        with_constants(|c| self.0.atan(PRECISION_BITS, NEAREST, c))
    }

    pub fn tanh(&self) -> Self {
        with_constants(|c| self.0.tanh(PRECISION_BITS, NEAREST, c))
    }

    pub fn sqrt(&self) -> Self {
        Self(self.0.sqrt(PRECISION_BITS, NEAREST))
    }

    /// Returns the error function of a positive number: 2/sqrt(pi) exp(-x^2) (x + 2x^3/3 + 4x^5/15 + ...), whose terms are all
    /// positive.
    pub fn erf(&self) -> Self {
        let square = self * self;
        let twice = &square + &square;
        let (mut term, mut sum) = (self.clone(), self.clone());
        for n in 1.. {
            term = &(&term * &twice) / &Self::from(2 * n + 1);
            sum = &sum + &term;
            if term.exponent() + i64::try_from(PRECISION_BITS).unwrap_or(i64::MAX) < sum.exponent()
            {
                break;
            }
        }
        let scale = &Self::from(2_u32) / &Self::pi().sqrt();
        &(&scale * &(-&square).exp()) * &sum
    }

    pub fn abs(&self) -> Self {
        Self(self.0.abs())
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub fn is_less(&self, other: &Self) -> bool {
        self.0.cmp(&other.0).is_some_and(|order| order < 0)
    }

    /// Returns the exponent of a power of two that is larger than the magnitude, and at most twice it; a very small number for 0.
    pub fn exponent(&self) -> i64 {
        match self.0.exponent() {
            Some(exponent) if !self.0.is_zero() => i64::from(exponent),
            _ => i64::MIN / 4,
        }
    }

    /// Returns the number times `2^fraction_bits`, rounded to the nearest integer, as a signed word.
    pub fn fixed(&self, width: u32, fraction_bits: u32) -> Bits {
        // One more bit, for rounding.
        let wide = self.floor_of_magnitude(width + 1, fraction_bits + 1);
        let one = Bits::from_u64(width + 1, 1);
        let magnitude = wide.add(&one).lshr_by(1).trunc(width);
        match self.0.sign() {
            Some(Sign::Neg) => magnitude.neg(),
            _ => magnitude,
        }
    }

    /// Returns the magnitude times `2^fraction_bits` without what is below the point, modulo `2^width`.
    pub fn floor_of_magnitude(&self, width: u32, fraction_bits: u32) -> Bits {
        let Some((words, _, _, exponent, _)) = self.0.as_raw_parts() else {
            return Bits::zero(width);
        };
        // The words are a fraction below 1: the point is `exponent` bits below their top.
        let n_bits = u32::try_from(64 * words.len()).expect("numbers are short");
        let wide = n_bits.max(width) + width;
        let all = Bits::from_limbs(wide, words);
        let drop = i64::from(n_bits) - i64::from(exponent) - i64::from(fraction_bits);
        let moved = match u32::try_from(drop) {
            Ok(drop) => all.lshr_by(drop.min(wide)),
            Err(_) => all.shl_by(u32::try_from(-drop).unwrap_or(wide).min(wide)),
        };
        moved.trunc(width)
    }
}
