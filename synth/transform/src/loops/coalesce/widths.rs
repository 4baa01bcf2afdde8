//! Extends operations to a common width before they are merged.

use sluice_dialects::{arith, synthesis_form::outer_operation};
use sluice_ir::{Body, Builder, Context, OperationId, Type, View};

use crate::build::{convert, name, yielded};

/// Extends products, quotients and remainders to the widest of them. Operands are sign- or zero-extended as their operation
/// requires, and the result is truncated.
pub(super) fn widen(context: &Context, body: &mut Body, ops: &[OperationId]) {
    let width = |body: &Body, op: OperationId| {
        let ty = body.ty(body.result(op, 0));
        ty.integer_width_bits(context)
    };
    let Some(widest) = ops.iter().filter_map(|op| width(body, *op)).max() else {
        return;
    };
    let ty = context.integer_type(widest);
    for op in ops {
        if width(body, *op).is_some_and(|own| own < widest) {
            widen_one(context, body, *op, ty);
        }
    }
}

fn widen_one(context: &Context, body: &mut Body, op: OperationId, ty: Type) {
    // The low bits of a product are the same for either extension.
    let extension = match name(context, body, op) {
        arith::Divui::NAME | arith::Remui::NAME => arith::Extui::NAME,
        _ => arith::Extsi::NAME,
    };
    let outer = outer_operation(View::new(context, body, op));
    for i in 0..body.operands(op).count() {
        let operand = body.operand(op, i);
        let mut builder = Builder::before(context, body, outer);
        let wide = convert(&mut builder, extension, operand, ty);
        body.set_operand(op, i, wide);
    }
    let result = body.result(outer, 0);
    let narrow = body.ty(result);
    if outer != op {
        for otherwise in yielded(body, outer, 1) {
            let Some(block) = body.entry_block(outer, 1) else {
                continue;
            };
            let Some(terminator) = body.operations(block).last() else {
                continue;
            };
            let mut builder = Builder::before(context, body, terminator);
            let wide = convert(&mut builder, extension, otherwise, ty);
            body.set_operand(terminator, 0, wide);
        }
        body.set_type(body.result(op, 0), ty);
    }
    body.set_type(result, ty);
    let mut builder = Builder::before(context, body, outer);
    let cut = builder.operation(arith::Trunci::NAME, &[result], &[narrow], &[]);
    let cut_result = body.result(cut, 0);
    body.replace_all_uses(result, cut_result);
    body.set_operand(cut, 0, result);
    body.move_before(cut, outer);
}
