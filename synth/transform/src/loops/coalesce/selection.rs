//! Selections of one value of many as trees: what a shared unit works on is chosen in as few levels as there can be.
//!
//! `c1 ? a : (c2 ? b : (c3 ? c : d))` is `c1 or c2 ? (c1 ? a : b) : (c3 ? c : d)`, whatever the conditions are.

use sluice_dialects::arith;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use crate::build::{binary, name, select};

/// Fewer selections behind each other than this stay as they are.
const LEAST_CHAIN: usize = 3;

/// Narrower values are chosen in less time than the conditions of a tree take.
const LEAST_WIDTH_BITS: u32 = 16;

/// Makes trees of the selections of operands of some operations.
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

/// The same value as a tree in front of the last selection; `None` if there are too few.
fn tree_of(context: &Context, body: &mut Body, value: ValueId) -> Option<ValueId> {
    let is_wide = body.ty(value).integer_width_bits(context) >= Some(LEAST_WIDTH_BITS);
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
    let anchor = last.filter(|_| is_wide && choices.len() >= LEAST_CHAIN)?;
    let mut builder = Builder::before(context, body, anchor);
    Some(tree(&mut builder, &choices, rest))
}

/// The first value whose condition holds, or the rest.
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

/// Whether any condition of one or more choices holds.
fn any_of(builder: &mut Builder<'_>, choices: &[(ValueId, ValueId)]) -> ValueId {
    let conditions: Vec<ValueId> = choices.iter().map(|(condition, _)| *condition).collect();
    let (first, others) = conditions.split_first().expect("there are choices");
    let any = |any, condition: &ValueId| binary(builder, arith::Ori::NAME, any, *condition);
    others.iter().fold(*first, any)
}
