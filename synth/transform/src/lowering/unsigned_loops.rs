//! Loops with unsigned bounds as loops with signed ones, which all other passes read.

use sluice_dialects::{arith, scf, scf::is_unsigned};
use sluice_ir::bits::Bits;
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{Body, Builder, Context, OperationId, View};

use crate::build::{all_named, binary, constant_bits, constant_of};

/// Makes the bounds of every `scf.for` of a body signed.
pub(crate) fn lower_unsigned_loops(context: &Context, body: &mut Body) {
    for op in all_named(context, body, scf::For::NAME) {
        if !is_unsigned(View::new(context, body, op)) {
            continue;
        }
        let is_small = |index| {
            let bound = constant_of(context, body, body.operand(op, index));
            bound.is_some_and(|bound| !bound.sign_bit())
        };
        // Up to the greatest signed number, both orders are the same.
        if !is_small(1) || !is_small(0) {
            shift(context, body, op);
        }
        body.remove_attribute(op, context.name("unsignedCmp"));
    }
}

/// Counts from other bounds, with the highest bit inverted: their signed order is the unsigned order of the original ones. The body
/// inverts the bit again.
fn shift(context: &Context, body: &mut Body, op: OperationId) {
    let ty = body.ty(body.operand(op, 0));
    let width = ty.width_bits(context).unwrap_or(INDEX_WIDTH_BITS);
    let Some(highest) = width.checked_sub(1) else {
        return;
    };
    let Some(entry) = body.entry_block(op, 0) else {
        return;
    };
    let mut builder = Builder::before(context, body, op);
    let bit = Bits::from_u64(width, 1).shl_by(highest);
    let bit = constant_bits(&mut builder, ty, bit);
    for index in 0..2 {
        let bound = builder.body.operand(op, index);
        let shifted = binary(&mut builder, arith::Xori::NAME, bound, bit);
        builder.body.set_operand(op, index, shifted);
    }
    let variable = body.arguments(entry)[0];
    let users: Vec<_> = body.uses(variable).collect();
    let first = body.first_operation(entry);
    let first = first.expect("the body of a loop has a terminator");
    let mut builder = Builder::before(context, body, first);
    let original = binary(&mut builder, arith::Xori::NAME, variable, bit);
    for (user, index) in users {
        body.set_operand(user, index, original);
    }
}
