//! The `scf-for-loop-range-folding` pass: a sum or product that is the only use of a counter goes into the bounds of its loop.
//!
//! Source: MLIR, `ForLoopRangeFolding`. As there, sums and products of bounds are taken not to overflow. Differs: a factor that is
//! not a positive constant stays inside, since a loop cannot go by zero or backwards; and a factor changes a lower bound other than
//! 0 too, which version 19 leaves as it is.

use sluice_dialects::{arith, scf};
use sluice_ir::simplify::constant_of;
use sluice_ir::{Body, Context, OperationId, ValueId, ValueMap};

use crate::order::inner_first;

/// Operands of a loop.
const LOWER: usize = 0;
const UPPER: usize = 1;
const STEP: usize = 2;

/// Folds operations into the ranges of the loops of a body.
pub(crate) fn fold(context: &Context, body: &mut Body) {
    for op in inner_first(body) {
        if context.operation_text(body.name(op)) == scf::For::NAME {
            while fold_one(context, body, op).is_some() {}
        }
    }
}

fn fold_one(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let block = body.entry_block(op, 0)?;
    let variable = *body.arguments(block).first()?;
    let users: Vec<OperationId> = body.uses(variable).map(|(user, _)| user).take(2).collect();
    let [user] = users[..] else {
        return None;
    };
    let operands: Vec<ValueId> = body.operands(user).collect();
    let is_outside = |value: ValueId| {
        let block = body.defining_block(value);
        let owner = block.and_then(|block| body.block_parent_operation(block));
        !owner.is_some_and(|owner| body.is_ancestor(op, owner))
    };
    if !operands
        .iter()
        .all(|value| *value == variable || is_outside(*value))
    {
        return None;
    }
    let changed: &[usize] = match context.operation_text(body.name(user)) {
        arith::Addi::NAME => &[LOWER, UPPER],
        arith::Muli::NAME => {
            let factor = operands.into_iter().find(|value| *value != variable)?;
            let factor = constant_of(context, body, factor)?.as_i64(context)?;
            if factor <= 0 {
                return None;
            }
            let lower = constant_of(context, body, body.operand(op, LOWER));
            match lower.and_then(|lower| lower.as_i64(context)) {
                Some(0) => &[UPPER, STEP],
                _ => &[LOWER, UPPER, STEP],
            }
        }
        _ => return None,
    };
    let mut values = Vec::new();
    for operand in changed {
        let mut mapping = ValueMap::default();
        mapping.insert(variable, body.operand(op, *operand));
        let made = body.copy(context, user, &mut mapping);
        body.insert_before(op, made);
        values.push(body.result(made, 0));
    }
    for (operand, value) in changed.iter().zip(values) {
        body.set_operand(op, *operand, value);
    }
    let result = body.result(user, 0);
    body.replace_all_uses(result, variable);
    body.erase(user);
    Some(())
}
