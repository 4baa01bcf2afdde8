//! The `int-range-optimizations` pass: values with one possible value become constants, and remainders of smaller values those values.
//!
//! Source: MLIR, `IntRangeOptimizations`. Differs: ranges hold under the conditions around a value too, and do not go through calls and
//! blocks, so the set of values that become constants is another one.

use sluice_dialects::arith;
use sluice_ir::bits::Bits;
use sluice_ir::definition::Traits;
use sluice_ir::simplify::constant_of;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};
use sluice_transform::{Range, value_ranges};

use crate::canonicalize;
use crate::emit::constant;

/// Optimises a body by the ranges of its values. A body with isolated operations, such as a module, stays as it is.
pub(crate) fn optimise(context: &Context, body: &mut Body) {
    let ops = body.walk_all();
    if ops.iter().any(|op| body.is_isolated(*op)) {
        return;
    }
    let ranges = value_ranges(context, body);
    // As upstream, which goes backwards: constants are at the start in the order of the values that they replace.
    for op in ops.into_iter().rev() {
        if View::new(context, body, op).has(Traits::CONSTANT_LIKE) {
            continue;
        }
        for result in body.results(op).to_vec() {
            let only = ranges.get(result.index()).and_then(only);
            if let Some(only) = only.filter(|_| !body.is_unused(result)) {
                replace(context, body, result, only);
            }
        }
        let dividend = smaller_dividend(context, body, op, &ranges);
        if let Some(dividend) = dividend {
            let result = body.result(op, 0);
            body.replace_all_uses(result, dividend);
        }
    }
    canonicalize::drive(context, body, &[]);
}

/// Returns the only value of a range.
fn only(range: &Range) -> Option<Bits> {
    range.as_ref()?.value().cloned()
}

/// Replaces a value by a constant at the start of the body.
fn replace(context: &Context, body: &mut Body, result: ValueId, only: Bits) -> Option<()> {
    let ty = body.ty(result);
    if !(ty.is_signless_integer(context) || ty.is_index(context)) {
        return None;
    }
    let region = body.top_regions().next()?;
    let first = body.first_operation(*body.blocks(region).first()?)?;
    let mut builder = Builder::before(context, body, first);
    let constant = constant(&mut builder, ty, only);
    body.replace_all_uses(result, constant);
    Some(())
}

/// Returns the dividend of a remainder, if it is always from 0 on and less than the constant divisor.
fn smaller_dividend(
    context: &Context,
    body: &Body,
    op: OperationId,
    ranges: &[Range],
) -> Option<ValueId> {
    let view = View::new(context, body, op);
    let is_signed = match view.name() {
        arith::Remsi::NAME => true,
        arith::Remui::NAME => false,
        _ => return None,
    };
    let (dividend, divisor) = (view.operand(0), view.operand(1));
    let divisor = constant_of(context, body, divisor)?;
    let divisor = divisor.integer(context)?;
    let range = ranges.get(dividend.index())?.as_ref()?;
    let fits = range.umax.width() == divisor.width()
        && match is_signed {
            true => !range.smin.sign_bit() && !divisor.sign_bit() && range.umax.ult(divisor),
            false => range.umax.ult(divisor),
        };
    fits.then_some(dividend)
}
