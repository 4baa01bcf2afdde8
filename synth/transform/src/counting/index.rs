//! Arithmetic on `index` that folds constants.

use sluice_ir::{Builder, ValueId};

use crate::build::{binary, constant};

/// An `index` value, or a number that becomes one where it is needed.
#[derive(Clone, Debug)]
pub(super) enum Index {
    Constant(i64),
    Value(ValueId),
}

impl Index {
    pub(super) fn value(&self, builder: &mut Builder<'_>) -> ValueId {
        let index = builder.context.index_type();
        match self {
            Self::Constant(number) => constant(builder, index, *number),
            Self::Value(value) => *value,
        }
    }

    fn apply(
        &self,
        builder: &mut Builder<'_>,
        name: &str,
        other: &Self,
        fold: impl Fn(i64, i64) -> i64,
    ) -> Self {
        if let (Self::Constant(a), Self::Constant(b)) = (self, other) {
            return Self::Constant(fold(*a, *b));
        }
        let (a, b) = (self.value(builder), other.value(builder));
        Self::Value(binary(builder, name, a, b))
    }

    pub(super) fn plus(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        match (self, other) {
            (_, Self::Constant(0)) => self.clone(),
            (Self::Constant(0), _) => other.clone(),
            _ => self.apply(builder, "arith.addi", other, i64::wrapping_add),
        }
    }

    pub(super) fn minus(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        match other {
            Self::Constant(number) => self.plus(builder, &Self::Constant(number.wrapping_neg())),
            Self::Value(_) => self.apply(builder, "arith.subi", other, i64::wrapping_sub),
        }
    }

    pub(super) fn times(&self, builder: &mut Builder<'_>, factor: i64) -> Self {
        match factor {
            1 => self.clone(),
            -1 => Self::Constant(0).minus(builder, self),
            _ => {
                let factor = Self::Constant(factor);
                self.apply(builder, "arith.muli", &factor, i64::wrapping_mul)
            }
        }
    }

    /// Divided by a positive number, rounded down.
    pub(super) fn divided(&self, builder: &mut Builder<'_>, divisor: i64) -> Self {
        match divisor {
            1 => self.clone(),
            _ => {
                let divisor = Self::Constant(divisor);
                self.apply(builder, "arith.floordivsi", &divisor, i64::div_euclid)
            }
        }
    }

    pub(super) fn greatest(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        self.apply(builder, "arith.maxsi", other, i64::max)
    }
}
