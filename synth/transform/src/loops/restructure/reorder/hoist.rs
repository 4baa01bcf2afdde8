//! Hoists loads of words that no iteration of a loop writes. It uses exact dependences, because a row may be read while another
//! row of the same memory is written.

use std::collections::BTreeMap;

use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::super::nest::computes;
use super::class::{implies, negated};
use crate::analysis::dependence_vectors::{Outside, Pair, counter_of, references};
use crate::analysis::linear::{Linear, is_invariant, linear};
use crate::analysis::transitive_operands::{Part, all_transitive_operands};
use crate::build::name;

/// Moves loads of unwritten words out of the loop `op`, to before it.
pub(super) fn hoist(context: &Context, body: &mut Body, op: OperationId) {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let loads: Vec<OperationId> = body
        .operations(block)
        .filter(|inner| name(context, body, *inner) == memref::Load::NAME)
        .collect();
    for load in loads {
        let loops = [op];
        let outside = Outside {
            context,
            body,
            loops: &loops,
        };
        let accesses = references(context, body, op, op);
        let Some(own) = accesses.iter().find(|access| access.op == load) else {
            continue;
        };
        let is_written = accesses.iter().any(|other| {
            other.writes
                && other.memory == own.memory
                && Pair::new(&outside, own, other, 0).may_hold()
        });
        let fixed = own.subscripts.iter().all(|form| {
            form.as_ref().is_some_and(|form| {
                form.terms
                    .keys()
                    .all(|value| is_invariant(body, op, *value))
            })
        });
        if is_written || !fixed || !is_inside(context, body, op, load) {
            continue;
        }
        let indices: Vec<ValueId> = body.operands(load).skip(1).collect();
        if !indices
            .iter()
            .all(|index| is_from_outside(context, body, op, *index))
        {
            continue;
        }
        let mut values = BTreeMap::new();
        for index in indices {
            make_before(context, body, op, index, &mut values);
        }
        for (at, index) in body.operands(load).enumerate().collect::<Vec<_>>() {
            if let Some(new) = values.get(&index) {
                body.set_operand(load, at, *new);
            }
        }
        body.move_before(op, load);
    }
}

/// Returns whether a value is computed only from values outside of `op`.
pub(super) fn is_from_outside(
    context: &Context,
    body: &Body,
    op: OperationId,
    value: ValueId,
) -> bool {
    all_transitive_operands(body, value, u32::MAX, |value| {
        if is_invariant(body, op, value) {
            return Part::Right;
        }
        let made = body.defining_operation(value);
        Part::through(made.filter(|made| computes(View::new(context, body, *made))))
    })
}

/// Copies the operations of a value that depends only on values outside of `op` to before it.
fn make_before(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    value: ValueId,
    values: &mut BTreeMap<ValueId, ValueId>,
) {
    if is_invariant(body, op, value) || values.contains_key(&value) {
        return;
    }
    let Some(made) = body.defining_operation(value) else {
        return;
    };
    for operand in body.operands(made).collect::<Vec<_>>() {
        make_before(context, body, op, operand, values);
    }
    let copy = body.copy(context, made, values);
    body.insert_before(op, copy);
}

/// Returns whether the address of a load is in bounds even if the loop does not run, from the constraints on outer counters.
fn is_inside(context: &Context, body: &Body, op: OperationId, load: OperationId) -> bool {
    let view = View::new(context, body, load);
    let Some(shape) = body.ty(view.operand(0)).static_shape(context) else {
        return false;
    };
    let mut known: Vec<Linear> = Vec::new();
    let around = std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
    for outer in around {
        if name(context, body, outer) == scf::For::NAME
            && let Some(counter) = counter_of(context, body, outer)
        {
            known.extend(super::super::scan::constraints(&counter));
        }
    }
    let sizes = shape.iter().zip(view.operands().skip(1));
    sizes.into_iter().all(|(size, index)| {
        let form = linear(context, body, index);
        let size = i64::try_from(*size).unwrap_or(0);
        let low = implies(&known, &form);
        let high = negated(&form).and_then(|form| form.plus(&constant(size), 1));
        low && high.is_some_and(|high| implies(&known, &high))
    })
}

fn constant(constant: i64) -> Linear {
    Linear {
        constant,
        terms: BTreeMap::new(),
    }
}
