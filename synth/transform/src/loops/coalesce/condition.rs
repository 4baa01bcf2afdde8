//! Conditions that may be known constants, and the operations on them.

use sluice_dialects::arith;
use sluice_ir::ValueId;

use super::emit::Emitter;
use crate::build::{binary, constant, select};

/// A condition that may be a known constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    Never,
    Always,
    When(ValueId),
}

impl Emitter<'_> {
    pub(super) fn both(&mut self, a: Condition, b: Condition) -> Condition {
        match (a, b) {
            (Condition::Never, _) | (_, Condition::Never) => Condition::Never,
            (Condition::Always, other) | (other, Condition::Always) => other,
            (Condition::When(a), Condition::When(b)) if a == b => Condition::When(a),
            (Condition::When(a), Condition::When(b)) => {
                Condition::When(binary(&mut self.builder(), arith::Andi::NAME, a, b))
            }
        }
    }

    pub(super) fn either(&mut self, a: Condition, b: Condition) -> Condition {
        match (a, b) {
            (Condition::Always, _) | (_, Condition::Always) => Condition::Always,
            (Condition::Never, other) | (other, Condition::Never) => other,
            (Condition::When(a), Condition::When(b)) if a == b => Condition::When(a),
            (Condition::When(a), Condition::When(b)) => {
                Condition::When(binary(&mut self.builder(), arith::Ori::NAME, a, b))
            }
        }
    }

    pub(super) fn not(&mut self, a: Condition) -> Condition {
        match a {
            Condition::Never => Condition::Always,
            Condition::Always => Condition::Never,
            Condition::When(a) => {
                let bit = self.context.integer_type(1);
                let mut builder = self.builder();
                let one = constant(&mut builder, bit, -1);
                Condition::When(binary(&mut builder, arith::Xori::NAME, a, one))
            }
        }
    }

    /// Returns a condition as a value.
    pub(super) fn flag(&mut self, condition: Condition) -> ValueId {
        let bit = self.context.integer_type(1);
        match condition {
            Condition::When(value) => value,
            Condition::Always => constant(&mut self.builder(), bit, -1),
            Condition::Never => constant(&mut self.builder(), bit, 0),
        }
    }

    /// Selects `value` if the condition holds, else `otherwise`.
    pub(super) fn choose(
        &mut self,
        condition: Condition,
        value: ValueId,
        otherwise: ValueId,
    ) -> ValueId {
        match condition {
            Condition::Never => otherwise,
            Condition::Always => value,
            Condition::When(when) => select(&mut self.builder(), when, value, otherwise),
        }
    }
}
