//! Arithmetic on `index` that folds constants.

use sluice_dialects::arith;
use sluice_ir::{Builder, Exact, ValueId};

use crate::build::{binary, constant};

/// An `index` value, or a constant that is emitted when it is needed.
///
/// Constants are folded exactly, and wrap only when emitted as a value: code that divides or compares ensures that they fit.
#[derive(Clone, Debug)]
pub(super) enum Index {
    Constant(Exact),
    Value(ValueId),
}

impl Index {
    pub(super) fn number(number: impl Into<Exact>) -> Self {
        Self::Constant(number.into())
    }

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
        fold: impl Fn(Exact, Exact) -> Exact,
    ) -> Self {
        if let (Self::Constant(a), Self::Constant(b)) = (self, other) {
            return Self::Constant(fold(*a, *b));
        }
        let (a, b) = (self.value(builder), other.value(builder));
        Self::Value(binary(builder, name, a, b))
    }

    pub(super) fn plus(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        match (self, other) {
            (_, Self::Constant(Exact::ZERO)) => self.clone(),
            (Self::Constant(Exact::ZERO), _) => other.clone(),
            _ => self.apply(builder, arith::Addi::NAME, other, Exact::plus),
        }
    }

    pub(super) fn minus(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        match other {
            Self::Constant(number) => self.plus(builder, &Self::Constant(number.negated())),
            Self::Value(_) => self.apply(builder, arith::Subi::NAME, other, Exact::minus),
        }
    }

    pub(super) fn times(&self, builder: &mut Builder<'_>, factor: Exact) -> Self {
        if factor == Exact::ONE {
            return self.clone();
        }
        if factor == Exact::ONE.negated() {
            return Self::Constant(Exact::ZERO).minus(builder, self);
        }
        self.apply(
            builder,
            arith::Muli::NAME,
            &Self::Constant(factor),
            Exact::times,
        )
    }

    /// Returns the value divided by a positive number, rounded down.
    pub(super) fn divided(&self, builder: &mut Builder<'_>, divisor: Exact) -> Self {
        if divisor == Exact::ONE {
            return self.clone();
        }
        let by = Self::Constant(divisor);
        self.apply(builder, arith::Floordivsi::NAME, &by, |a, b| {
            a.divided_down(b).expect("the divisor is positive")
        })
    }

    pub(super) fn greatest(&self, builder: &mut Builder<'_>, other: &Self) -> Self {
        self.apply(builder, arith::Maxsi::NAME, other, Exact::max)
    }
}
