//! `widen-addresses`: moves integer arithmetic that feeds an `index` to type `index` where it cannot wrap.
//!
//! Kernels from C compute subscripts in the width of `int`. Modulo `2^w`, a subscript is a sum of multiples. If the range of the
//! sum over the enclosing loops fits `w` bits, the subscript equals that sum, which dependence and bounds analyses can read.

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use crate::analysis::linear::{Linear, linear, range_of};
use crate::build::{binary, constant, constant_i64, convert, name, replace};

/// Rewrites the integer arithmetic that feeds `index` values.
pub fn widen_addresses(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        if body.is_erased(op) {
            continue;
        }
        let Some(sum) = sum_of_cast(context, body, op) else {
            continue;
        };
        let value = build(context, body, op, &sum);
        let source = body.operand(op, 0);
        replace(body, op, &[value]);
        crate::loops::counting::erase_unused(context, body, source);
    }
}

/// Returns the constant value of an `index`, also if it is a cast of an integer constant.
pub(crate) fn constant_index(context: &Context, body: &Body, value: ValueId) -> Option<i64> {
    let cast = body.defining_operation(value);
    let is_signed = cast.and_then(|op| match name(context, body, op) {
        arith::IndexCast::NAME => Some(true),
        arith::IndexCastui::NAME => Some(false),
        _ => None,
    });
    let (Some(op), Some(is_signed)) = (cast, is_signed) else {
        return linear(context, body, value).as_constant();
    };
    let sum = exact(context, body, body.operand(op, 0), is_signed, 0);
    sum.terms.is_empty().then_some(sum.constant)
}

/// A sum of multiples of values of type `index` or of signed or unsigned integers.
#[derive(Clone, Default)]
struct Sum {
    constant: i64,
    terms: BTreeMap<(ValueId, bool), i64>,
    /// True if the sum differs from the original form, so that a rewrite is worthwhile.
    is_other: bool,
}

impl Sum {
    fn leaf(value: ValueId, is_signed: bool) -> Self {
        Self {
            terms: BTreeMap::from([((value, is_signed), 1)]),
            ..Self::default()
        }
    }

    fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        let more = other.constant.checked_mul(factor)?;
        self.constant = self.constant.checked_add(more)?;
        for (term, coefficient) in &other.terms {
            let sum = self.terms.entry(*term).or_insert(0);
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self.is_other = true;
        Some(self)
    }

    fn times(&self, factor: i64) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    /// Returns the smallest and the largest value of the sum.
    fn range(&self, context: &Context, body: &Body) -> Option<(i64, i64)> {
        let mut of_index = Linear::default();
        let (mut low, mut high) = (self.constant, self.constant);
        for ((value, is_signed), coefficient) in &self.terms {
            let ty = body.ty(*value);
            if ty.is_index(context) {
                let form = linear(context, body, *value);
                of_index = of_index.plus(&form, *coefficient)?;
                continue;
            }
            let width = ty
                .integer_width_bits(context)
                .filter(|w| (1..62).contains(w))?;
            let (least, most) = limits(width, *is_signed);
            let (a, b) = (
                least.checked_mul(*coefficient)?,
                most.checked_mul(*coefficient)?,
            );
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        let (least, most) = range_of(context, body, &of_index, 0)?;
        Some((low.checked_add(least)?, high.checked_add(most)?))
    }
}

/// Returns the smallest and largest number of a width, for widths below 62 bits.
fn limits(width: u32, is_signed: bool) -> (i64, i64) {
    match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// Returns the sum that a cast to `index` yields, if its form differs from the cast.
fn sum_of_cast(context: &Context, body: &Body, op: OperationId) -> Option<Sum> {
    let is_signed = match name(context, body, op) {
        arith::IndexCast::NAME => true,
        arith::IndexCastui::NAME => false,
        _ => return None,
    };
    if !body.ty(body.result(op, 0)).is_index(context) {
        return None;
    }
    let sum = exact(context, body, body.operand(op, 0), is_signed, 0);
    (sum.is_other && sum.terms.len() <= 8).then_some(sum)
}

/// Returns the value of an integer as a sum, if the sum never exceeds the width of the integer.
fn exact(context: &Context, body: &Body, value: ValueId, is_signed: bool, depth: u32) -> Sum {
    let leaf = || Sum::leaf(value, is_signed);
    let Some(width) = body.ty(value).integer_width_bits(context) else {
        return leaf();
    };
    if !(2..=INDEX_WIDTH_BITS).contains(&width) || depth > 16 {
        return leaf();
    }
    let Some(sum) = modular(context, body, value, is_signed, depth) else {
        return leaf();
    };
    let fits = sum.range(context, body).is_some_and(|(low, high)| {
        let (least, most) = match width {
            62.. if is_signed => (i64::MIN, i64::MAX),
            62.. => (0, i64::MAX),
            _ => limits(width, is_signed),
        };
        least <= low && high <= most
    });
    match fits && sum.is_other {
        true => sum,
        false => leaf(),
    }
}

/// Returns a sum that equals an integer modulo two to the power of its width.
fn modular(
    context: &Context,
    body: &Body,
    value: ValueId,
    is_signed: bool,
    depth: u32,
) -> Option<Sum> {
    if let Some(constant) = constant_i64(context, body, value) {
        return Some(Sum {
            constant,
            is_other: true,
            ..Sum::default()
        });
    }
    let leaf = || Sum::leaf(value, is_signed);
    if depth > 16 {
        return Some(leaf());
    }
    let Some(op) = body.defining_operation(value) else {
        return Some(leaf());
    };
    let of = |i: usize| modular(context, body, body.operand(op, i), is_signed, depth + 1);
    let number = |i: usize| constant_i64(context, body, body.operand(op, i));
    match name(context, body, op) {
        arith::Addi::NAME => of(0)?.plus(&of(1)?, 1),
        arith::Subi::NAME => of(0)?.plus(&of(1)?, -1),
        arith::Muli::NAME => match (number(0), number(1)) {
            (_, Some(factor)) => of(0)?.times(factor),
            (Some(factor), _) => of(1)?.times(factor),
            _ => Some(leaf()),
        },
        arith::Shli::NAME => match number(1) {
            Some(amount @ 0..62) => of(0)?.times(1 << amount),
            _ => Some(leaf()),
        },
        arith::IndexCast::NAME | arith::IndexCastui::NAME => {
            // A cast from `index` keeps the width or truncates.
            let mut sum = Sum::leaf(body.operand(op, 0), true);
            sum.is_other = true;
            Some(sum)
        }
        arith::Trunci::NAME => {
            let mut sum = of(0)?;
            sum.is_other = true;
            Some(sum)
        }
        extension @ (arith::Extsi::NAME | arith::Extui::NAME) => {
            let is_signed = extension == arith::Extsi::NAME;
            let mut sum = exact(context, body, body.operand(op, 0), is_signed, depth + 1);
            sum.is_other = true;
            Some(sum)
        }
        _ => Some(leaf()),
    }
}

/// Emits the sum as an `index` before an operation.
fn build(context: &Context, body: &mut Body, op: OperationId, sum: &Sum) -> ValueId {
    let index = context.index_type();
    let mut builder = Builder::before(context, body, op);
    let mut total = None;
    for ((value, is_signed), coefficient) in &sum.terms {
        let cast = match is_signed {
            true => arith::IndexCast::NAME,
            false => arith::IndexCastui::NAME,
        };
        let mut term = convert(&mut builder, cast, *value, index);
        let (is_subtracted, factor) = match (total, coefficient) {
            (Some(_), -1) => (true, 1),
            _ => (false, *coefficient),
        };
        if factor != 1 {
            let factor = constant(&mut builder, index, factor);
            term = binary(&mut builder, arith::Muli::NAME, term, factor);
        }
        total = Some(match total {
            None => term,
            Some(sum) if is_subtracted => binary(&mut builder, arith::Subi::NAME, sum, term),
            Some(sum) => binary(&mut builder, arith::Addi::NAME, sum, term),
        });
    }
    match total {
        Some(total) if sum.constant == 0 => total,
        total => {
            let number = constant(&mut builder, index, sum.constant);
            total.map_or(number, |total| {
                binary(&mut builder, arith::Addi::NAME, total, number)
            })
        }
    }
}
