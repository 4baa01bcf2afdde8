//! Quotients and remainders.

use sluice_dialects::arith;
use sluice_ir::ValueId;

use super::Pieces;
use crate::build::{binary, select};

/// The predicate of `arith.cmpi`, unsigned.
const ULT: i64 = 6;

impl Pieces<'_, '_> {
    /// A division or a remainder as a loop that finds a bit of the quotient in each iteration, the highest first: the divisor is taken from
    /// what is left of the dividend so far wherever it is not greater.
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

    /// Quotient and remainder of two numbers without a sign.
    fn steps(&mut self, dividend: ValueId, divisor: ValueId) -> Option<(ValueId, ValueId)> {
        let width = self.width(dividend);
        // What the pieces are made of must fit before a loop is made for them.
        let wide = self.zext(divisor, width + 1);
        let zero = self.number(width, 0);
        let step =
            |inner: &mut Pieces<'_, '_>, [left, rest]: [ValueId; 2]| inner.step(left, rest, wide);
        self.repeat(width, [dividend, zero], step).map(Into::into)
    }

    /// The digits that are left, with those of the quotient behind them, and the remainder after one step.
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
