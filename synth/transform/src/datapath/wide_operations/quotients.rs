//! Splits wide quotients and remainders.

use sluice_dialects::arith;
use sluice_ir::ValueId;

use super::Pieces;
use crate::build::{binary, select};

/// The unsigned less-than predicate of `arith.cmpi`.
const ULT: i64 = 6;

impl Pieces<'_, '_> {
    /// Emits a division or a remainder as a restoring division loop, one quotient bit per iteration, highest first: the divisor
    /// is subtracted from the partial remainder if it is not greater.
    pub(super) fn division(&mut self, name: &str, a: ValueId, b: ValueId) -> Option<ValueId> {
        let is_signed = matches!(name, arith::Divsi::NAME | arith::Remsi::NAME);
        let is_remainder = matches!(name, arith::Remui::NAME | arith::Remsi::NAME);
        if !is_signed {
            let (quotient, rest) = self.steps(a, b)?;
            return Some(if is_remainder { rest } else { quotient });
        }
        let width = self.width(a);
        let (left, right) = (self.piece(a, width - 1, 1), self.piece(b, width - 1, 1));
        let (dividend, divisor) = (self.negated_if(left, a)?, self.negated_if(right, b)?);
        let (quotient, rest) = self.steps(dividend, divisor)?;
        if is_remainder {
            return self.negated_if(left, rest);
        }
        let is_negative = binary(&mut self.builder, arith::Xori::NAME, left, right);
        self.negated_if(is_negative, quotient)
    }

    fn negated_if(&mut self, condition: ValueId, value: ValueId) -> Option<ValueId> {
        let zero = self.number(self.width(value), 0);
        let negated = self.sum(arith::Subi::NAME, zero, value)?;
        Some(select(&mut self.builder, condition, negated, value))
    }

    /// Emits quotient and remainder of two unsigned numbers.
    fn steps(&mut self, dividend: ValueId, divisor: ValueId) -> Option<(ValueId, ValueId)> {
        let width = self.width(dividend);
        // Checks that the pieces fit before the loop is emitted.
        let wide = self.zext(divisor, width + 1);
        let zero = self.number(width, 0);
        let step =
            |inner: &mut Pieces<'_, '_>, [left, rest]: [ValueId; 2]| inner.step(left, rest, wide);
        self.repeat(width, [dividend, zero], step).map(Into::into)
    }

    /// Emits one division step; returns the remaining dividend bits followed by the quotient bits, and the partial remainder.
    fn step(&mut self, left: ValueId, rest: ValueId, divisor: ValueId) -> Option<[ValueId; 2]> {
        let width = self.width(left);
        let digit = self.piece(left, width - 1, 1);
        let digits = self.piece(left, 0, width - 1);
        let rest = self.join(&[digit, rest]);
        let is_less = self.comparison(ULT, rest, divisor)?;
        let less = self.sum(arith::Subi::NAME, rest, divisor)?;
        let rest = select(&mut self.builder, is_less, rest, less);
        let fits = self.negated_bit(is_less);
        Some([self.join(&[fits, digits]), self.piece(rest, 0, width)])
    }
}
