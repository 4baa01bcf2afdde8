//! Balances chains of selections into trees, so that the operands of a shared unit are selected in as few levels as possible.
//!
//! `c1 ? a : (c2 ? b : (c3 ? c : d))` equals `c1 or c2 ? (c1 ? a : b) : (c3 ? c : d)` for all conditions.

use sluice_dialects::arith;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use crate::build::{binary, name, select};

/// Minimum length of a chain that is balanced.
const MIN_CHAIN: usize = 3;

/// Minimum width in bits: narrower values are selected faster than the conditions of a tree are computed.
const MIN_WIDTH_BITS: u32 = 16;

/// Balances the selection chains of the operands of some operations.
pub(super) fn shorten_selections(context: &Context, body: &mut Body, ops: &[OperationId]) {
    for op in ops {
        for at in 0..body.operands(*op).count() {
            let value = body.operand(*op, at);
            if let Some(tree) = tree_of(context, body, value) {
                body.set_operand(*op, at, tree);
            }
        }
    }
}

/// Emits the tree before the last selection; `None` if there are too few selections.
fn tree_of(context: &Context, body: &mut Body, value: ValueId) -> Option<ValueId> {
    let is_wide = body.ty(value).integer_width_bits(context) >= Some(MIN_WIDTH_BITS);
    let (mut choices, mut rest, mut last) = (Vec::new(), value, None);
    while let Some(op) = body.defining_operation(rest) {
        let follows = choices.is_empty() || body.has_one_use(rest);
        if name(context, body, op) != arith::Select::NAME || !follows {
            break;
        }
        choices.push((body.operand(op, 0), body.operand(op, 1)));
        rest = body.operand(op, 2);
        last.get_or_insert(op);
    }
    let anchor = last.filter(|_| is_wide && choices.len() >= MIN_CHAIN)?;
    let mut builder = Builder::before(context, body, anchor);
    Some(tree(&mut builder, &choices, rest))
}

/// Selects the first value whose condition holds, or the rest.
fn tree(builder: &mut Builder<'_>, choices: &[(ValueId, ValueId)], rest: ValueId) -> ValueId {
    match choices {
        [] => rest,
        [(condition, value)] => select(builder, *condition, *value, rest),
        _ => {
            let (first, behind) = choices.split_at(choices.len().div_ceil(2));
            let ([inner @ .., (_, value)], any) = (first, any_of(builder, first)) else {
                return rest;
            };
            let first = tree(builder, inner, *value);
            let behind = tree(builder, behind, rest);
            select(builder, any, first, behind)
        }
    }
}

/// Emits the disjunction of the conditions of one or more choices.
fn any_of(builder: &mut Builder<'_>, choices: &[(ValueId, ValueId)]) -> ValueId {
    let conditions: Vec<ValueId> = choices.iter().map(|(condition, _)| *condition).collect();
    let (first, others) = conditions.split_first().expect("there are choices");
    let any = |any, condition: &ValueId| binary(builder, arith::Ori::NAME, any, *condition);
    others.iter().fold(*first, any)
}
