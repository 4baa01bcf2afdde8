//! Quotients and remainders.

use sluice_ir::{Builder, NewOperation, ValueId};

use super::Pieces;
use crate::build::{binary, constant, select};

/// The predicate of `arith.cmpi`, unsigned.
const ULT: i64 = 6;

impl Pieces<'_, '_> {
    /// A division or a remainder as a loop that finds a bit of the quotient in each iteration, the highest first: the divisor is taken from
    /// what is left of the dividend so far wherever it is not greater.
    pub(super) fn division(&mut self, name: &str, a: ValueId, b: ValueId) -> Option<ValueId> {
        let is_signed = matches!(name, "arith.divsi" | "arith.remsi");
        let is_remainder = matches!(name, "arith.remui" | "arith.remsi");
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
        let is_negative = binary(&mut self.builder, "arith.xori", left, right);
        self.negated_if(is_negative, quotient)
    }

    fn negated_if(&mut self, condition: ValueId, value: ValueId) -> Option<ValueId> {
        let zero = self.number(self.width(value), 0);
        let negated = self.sum("arith.subi", zero, value)?;
        Some(select(&mut self.builder, condition, negated, value))
    }

    /// Quotient and remainder of two numbers without a sign.
    fn steps(&mut self, dividend: ValueId, divisor: ValueId) -> Option<(ValueId, ValueId)> {
        let width = self.width(dividend);
        // What the pieces are made of must fit before a loop is made for them.
        let wide = self.zext(divisor, width + 1);
        let zero = self.number(width, 0);
        let context = self.builder.context;
        // Bounds are signed.
        let counter = self.ty(u32::BITS - width.leading_zeros() + 1);
        let bounds = [0, i64::from(width), 1];
        let bounds = bounds.map(|bound| constant(&mut self.builder, counter, bound));
        let ty = self.ty(width);
        let mut new = NewOperation::new(context.operation_name("scf.for"), self.builder.location);
        new.operands = bounds.into_iter().chain([dividend, zero]).collect();
        new.result_types = [ty, ty].into_iter().collect();
        new.n_regions = 1;
        let made = self.builder.create(new);
        let body = &mut *self.builder.body;
        let location = body.location(made);
        body.set_attribute(
            made,
            context.name("sluice.dependences"),
            context.array_attribute(&[]),
        );
        body.set_attribute(
            made,
            context.name("sluice.trip_count"),
            context.i64_attribute(i64::from(width)),
        );
        let region = body.regions(made)[0];
        let block = body.append_block(region);
        body.add_argument(block, counter, location);
        let [left, rest] = [ty, ty].map(|ty| body.add_argument(block, ty, location));
        let results = [body.result(made, 0), body.result(made, 1)];
        let mut inner = Pieces {
            builder: Builder::at_end(context, body, block, location),
            fits: self.fits,
            joined: &mut *self.joined,
        };
        let next = inner.step(left, rest, wide);
        let values = next.unwrap_or([left, rest]);
        inner.builder.operation("scf.yield", &values, &[], &[]);
        if next.is_none() {
            body.erase(made);
            return None;
        }
        Some(results.into())
    }

    /// The digits that are left, with those of the quotient behind them, and the remainder after one step.
    fn step(&mut self, left: ValueId, rest: ValueId, divisor: ValueId) -> Option<[ValueId; 2]> {
        let width = self.width(left);
        let digit = self.piece(left, width - 1, 1);
        let digits = self.piece(left, 0, width - 1);
        let rest = self.join(&[digit, rest]);
        let is_less = self.comparison(ULT, rest, divisor)?;
        let less = self.sum("arith.subi", rest, divisor)?;
        let rest = select(&mut self.builder, is_less, rest, less);
        let fits = self.negated_bit(is_less);
        Some([self.join(&[fits, digits]), self.piece(rest, 0, width)])
    }
}
