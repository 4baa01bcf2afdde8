//! `balance`: rebalances sums in unrolled loop bodies into trees, and adds values of the previous iteration last.
//!
//! A chain `((s + a) + b) + c` of a carried sum `s` becomes `s + ((a + b) + c)`: the recurrence is one addition for any unroll
//! factor. Integers of one width wrap, so addition is associative and commutative for all values. Sums of floats are rebalanced where
//! their order is free.

use sluice_dialects::sluice::{BALANCE, Float, float_operation};
use sluice_dialects::{aliases::Written, arith, memref, scf};
use sluice_ir::algebra::{FloatFormat, FloatOp};
use sluice_ir::{
    BlockId, Body, Builder, Context, NewOperation, OperationId, ValueDefinition, ValueId, View,
};

use crate::build::{all_named, name};
use crate::datapath::reassociate::is_free;

/// Kinds of terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terms {
    Integers,
    Floats(FloatFormat),
}

/// Returns what an addition adds whose order is free; `None` for other operations.
fn terms_of(context: &Context, body: &Body, op: OperationId) -> Option<Terms> {
    if name(context, body, op) == arith::Addi::NAME {
        let is_index = body.ty(body.result(op, 0)).is_index(context);
        return (!is_index).then_some(Terms::Integers);
    }
    is_free(context, body, op).then_some(())?;
    let (op, format) = View::new(context, body, op).with_site(float_operation)?;
    (op == FloatOp::Add).then_some(Terms::Floats(format))
}

/// Rebalances every `scf.for` with the attribute, and removes the attribute.
pub fn balance(context: &Context, body: &mut Body) {
    for op in all_named(context, body, scf::For::NAME) {
        if body.remove_attribute(op, context.name(BALANCE)).is_none() {
            continue;
        }
        let Some(block) = body.entry_block(op, 0) else {
            continue;
        };
        for sum in body.operations(block).collect::<Vec<_>>() {
            if !body.is_erased(sum) && is_whole_sum(context, body, block, sum) {
                balance_sum(context, body, op, block, sum);
            }
        }
    }
}

/// Returns the addition of such terms in `block` that defines a value with a single use there.
fn part(
    context: &Context,
    body: &Body,
    block: BlockId,
    terms: Terms,
    value: ValueId,
) -> Option<OperationId> {
    let op = body.defining_operation(value)?;
    let is_part = terms_of(context, body, op) == Some(terms)
        && body.parent_block(op) == Some(block)
        && body.has_one_use(value);
    is_part.then_some(op)
}

/// Returns whether an operation is an addition that is not part of a larger sum.
fn is_whole_sum(context: &Context, body: &Body, block: BlockId, op: OperationId) -> bool {
    let Some(terms) = terms_of(context, body, op) else {
        return false;
    };
    let result = body.result(op, 0);
    let user = body.uses(result).next().map(|(user, _)| user);
    let is_part = part(context, body, block, terms, result).is_some()
        && user.is_some_and(|user| {
            terms_of(context, body, user) == Some(terms) && body.parent_block(user) == Some(block)
        });
    !is_part
}

/// Builds an addition of the kind of `like`.
fn added(builder: &mut Builder<'_>, like: OperationId, a: ValueId, b: ValueId) -> ValueId {
    let view = View::new(builder.context, builder.body, like);
    let mut new = NewOperation::new(builder.body.name(like), builder.location);
    new.operands = [a, b].into_iter().collect();
    new.result_types = view.result_types().collect();
    new.attributes = view.attributes().to_vec();
    let made = builder.create(new);
    builder.body.result(made, 0)
}

fn balance_sum(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    block: BlockId,
    sum: OperationId,
) {
    let Some(kind) = terms_of(context, body, sum) else {
        return;
    };
    let mut parts = Vec::new();
    let mut leaves = Vec::new();
    let mut waiting: Vec<ValueId> = body.operands(sum).collect();
    waiting.reverse();
    while let Some(value) = waiting.pop() {
        match part(context, body, block, kind, value) {
            Some(inner) => {
                parts.push(inner);
                let operands: Vec<ValueId> = body.operands(inner).collect();
                waiting.extend(operands.into_iter().rev());
            }
            None => leaves.push(value),
        }
    }
    if leaves.len() < 3 {
        return;
    }
    let written = Written::by(context, body, loop_op);
    let is_late = |value: &ValueId| match body.value_definition(*value) {
        ValueDefinition::Argument { block: own, .. } => own == block,
        ValueDefinition::Result { operation, .. } => {
            name(context, body, operation) == memref::Load::NAME
                && body.parent_block(operation) == Some(block)
                && !written.is_anything()
                && written.may_hold(context, body, body.operand(operation, 0))
        }
    };
    let (late, early): (Vec<ValueId>, Vec<ValueId>) = leaves.into_iter().partition(is_late);
    // The final addition takes two terms.
    let n_left = if late.is_empty() { 2 } else { 1 };
    // Combines the two terms that are available first; ties follow text order.
    let mut terms: Vec<(u32, ValueId)> = early
        .into_iter()
        .map(|value| (depth(context, body, block, value, 0), value))
        .collect();
    let mut builder = Builder::before(context, body, sum);
    builder.location = builder.body.location(sum);
    while terms.len() > n_left {
        terms.sort_by_key(|(depth, _)| *depth);
        let (first, second) = (terms.remove(0), terms.remove(0));
        let value = added(&mut builder, sum, first.1, second.1);
        terms.push((second.0.max(first.0) + 1, value));
    }
    let mut all = late.into_iter().chain(terms.into_iter().map(|(_, v)| v));
    let mut total = all.next().expect("a sum has terms");
    let rest: Vec<ValueId> = all.collect();
    let (last, before) = rest.split_last().expect("there are at least three terms");
    for value in before {
        total = added(&mut builder, sum, total, *value);
    }
    body.set_operands(sum, &[total, *last]);
    for part in parts {
        if body.is_unused(body.result(part, 0)) {
            body.erase(part);
        }
    }
}

/// Estimates the delay of a value in the block, in additions.
fn depth(context: &Context, body: &Body, block: BlockId, value: ValueId, level: u32) -> u32 {
    let Some(op) = body.defining_operation(value) else {
        return 0;
    };
    if body.parent_block(op) != Some(block) || level > 16 {
        return 0;
    }
    let own = match name(context, body, op) {
        arith::Muli::NAME => 3,
        // A unit has several stages.
        Float::NAME => 4,
        arith::Constant::NAME => 0,
        _ => 1,
    };
    let operands = body.operands(op);
    let before = operands.map(|operand| depth(context, body, block, operand, level + 1));
    own + before.max().unwrap_or(0)
}
