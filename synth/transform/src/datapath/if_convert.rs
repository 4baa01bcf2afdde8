//! `if-convert`: if-conversion of conditionals without loops and calls to selects and predicated accesses.

use sluice_dialects::{
    arith, memref, scf, sluice,
    synthesis_form::{guarded_division, is_guard},
};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, ValueId, View};

use crate::build::{binary, constant, is_pure, name, replace, select};

/// Converts every possible conditional, innermost first.
pub fn if_convert(context: &Context, body: &mut Body) {
    let ops: Vec<_> = body.walk_all().into_iter().rev().collect();
    for op in ops {
        let is_if = name(context, body, op) == scf::If::NAME;
        if is_if
            && body.attribute_named(context, op, sluice::GUARD).is_none()
            && convertible(context, body, op)
        {
            convert(context, body, op);
        }
    }
}

/// Replaces guards that lost their access by selects, because the scheduler schedules a guard as the access in it.
pub(crate) fn open_empty_guards(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let is_empty = is_guard(View::new(context, body, op))
            && body.regions(op).iter().all(|region| {
                let blocks = body.blocks(*region).iter();
                blocks.flat_map(|b| body.operations(*b)).all(|inner| {
                    let view = View::new(context, body, inner);
                    is_pure(view) || view.name() == scf::Yield::NAME
                })
            });
        if is_empty {
            convert(context, body, op);
        }
    }
}

fn convertible(context: &Context, body: &Body, op: OperationId) -> bool {
    body.regions(op).iter().all(|region| {
        let blocks = body.blocks(*region);
        blocks.len() <= 1
            && blocks
                .iter()
                .flat_map(|b| body.operations(*b))
                .all(|inner| {
                    let view = View::new(context, body, inner);
                    is_pure(view)
                        || is_guard(view)
                        || matches!(
                            view.name(),
                            memref::Load::NAME | memref::Store::NAME | scf::Yield::NAME
                        )
                })
    })
}

fn convert(context: &Context, body: &mut Body, op: OperationId) {
    let condition = body.operand(op, 0);
    let mut yields: Vec<Vec<ValueId>> = Vec::new();
    for region in 0..body.regions(op).len() {
        let Some(block) = body.entry_block(op, region) else {
            continue;
        };
        let mut builder = Builder::before(context, body, op);
        let predicate = if region == 0 {
            condition
        } else {
            let bit = context.integer_type(1);
            let one = constant(&mut builder, bit, -1);
            binary(&mut builder, arith::Xori::NAME, condition, one)
        };
        let ops: Vec<_> = body.operations(block).collect();
        for inner in ops {
            let view = View::new(context, body, inner);
            match view.name() {
                scf::Yield::NAME => yields.push(view.operands().collect()),
                memref::Load::NAME => guard_value(context, body, op, inner, predicate),
                memref::Store::NAME => guard_store(context, body, op, inner, predicate),
                scf::If::NAME => {
                    // A guard of an inner conditional: both conditions must hold.
                    let inner_condition = view.operand(0);
                    let mut builder = Builder::before(context, body, op);
                    let both = binary(&mut builder, arith::Andi::NAME, predicate, inner_condition);
                    body.set_operand(inner, 0, both);
                    body.move_before(op, inner);
                }
                _ => body.move_before(op, inner),
            }
        }
    }
    let mut values = Vec::new();
    if let [then_values, else_values] = &yields[..] {
        for (a, b) in then_values.clone().into_iter().zip(else_values.clone()) {
            let mut builder = Builder::before(context, body, op);
            values.push(if a == b {
                a
            } else {
                select(&mut builder, condition, a, b)
            });
        }
    }
    replace(body, op, &values);
}

/// Creates an empty guard before `anchor`: an `scf.if` on `predicate` with an empty then-block.
fn shell(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    access: OperationId,
    predicate: ValueId,
    result_types: &[sluice_ir::Type],
) -> (OperationId, sluice_ir::BlockId) {
    let location = body.location(access);
    let mut builder = Builder::before(context, body, anchor);
    builder.location = location;
    let mut new = NewOperation::new(context.operation_name(scf::If::NAME), location);
    new.operands.push(predicate);
    new.result_types = result_types.into();
    new.attributes
        .push((context.name(sluice::GUARD), context.unit_attribute()));
    new.n_regions = 2;
    let guard = builder.create(new);
    let region = body.regions(guard)[0];
    let block = body.append_block(region);
    (guard, block)
}

/// Moves a load or a division into a guard before `anchor`, which may be the operation itself; its users read the result of the
/// guard.
pub(crate) fn guard_value(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    load: OperationId,
    predicate: ValueId,
) {
    let old = body.result(load, 0);
    let ty = body.ty(old);
    let (guard, block) = shell(context, body, anchor, load, predicate, &[ty]);
    let result = body.result(guard, 0);
    body.replace_all_uses(old, result);
    body.move_to_end(block, load);
    let location = body.location(load);
    let mut builder = Builder::at_end(context, body, block, location);
    builder.operation(scf::Yield::NAME, &[old], &[], &[]);
    let region = body.regions(guard)[1];
    let otherwise = body.append_block(region);
    let mut builder = Builder::at_end(context, body, otherwise, location);
    let zero = constant(&mut builder, ty, 0);
    builder.operation(scf::Yield::NAME, &[zero], &[], &[]);
}

/// Moves a store into a guard before `anchor`, which may be the store itself.
pub(crate) fn guard_store(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    store: OperationId,
    predicate: ValueId,
) {
    let (_, block) = shell(context, body, anchor, store, predicate, &[]);
    body.move_to_end(block, store);
    let location = body.location(store);
    let mut builder = Builder::at_end(context, body, block, location);
    builder.operation(scf::Yield::NAME, &[], &[], &[]);
}

/// Moves computations out of guards: those of addresses, store data and division operands to before the guard, those that use a
/// quotient to after it.
pub fn hoist_from_guards(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        if !is_guard(View::new(context, body, op)) {
            continue;
        }
        let Some(block) = body.entry_block(op, 0) else {
            continue;
        };
        let inner: Vec<OperationId> = body.operations(block).collect();
        let division = inner
            .iter()
            .position(|inner| guarded_division(View::new(context, body, op)) == Some(*inner));
        let (before, behind) = match division {
            Some(at) => (&inner[..at], &inner[at + 1..]),
            None => (&inner[..], &[][..]),
        };
        for inner in before {
            if is_pure(View::new(context, body, *inner)) {
                body.move_before(op, *inner);
            }
        }
        if let (Some(at), true) = (division, behind.len() > 1) {
            yield_quotient(context, body, op, inner[at], &behind[..behind.len() - 1]);
        }
    }
}

/// Makes a guard yield the quotient itself; computations on the quotient move to after the guard.
fn yield_quotient(
    context: &Context,
    body: &mut Body,
    guard: OperationId,
    division: OperationId,
    behind: &[OperationId],
) {
    let quotient = body.result(division, 0);
    let block = body.parent_block(division).expect("it is in the guard");
    let last = body.last_operation(block).expect("a guard yields");
    let yielded = body.operand(last, 0);
    let condition = body.operand(guard, 0);
    let ty = body.ty(quotient);
    let attributes = body.attributes(guard).to_vec();
    let (made, then) = shell(context, body, guard, division, condition, &[ty]);
    for (name, attribute) in attributes {
        body.set_attribute(made, name, attribute);
    }
    for op in behind {
        body.move_before(guard, *op);
    }
    body.move_to_end(then, division);
    let result = body.result(made, 0);
    body.replace_all_uses(quotient, result);
    let location = body.location(division);
    let mut builder = Builder::at_end(context, body, then, location);
    builder.operation(scf::Yield::NAME, &[quotient], &[], &[]);
    let region = body.regions(made)[1];
    let otherwise = body.append_block(region);
    let mut builder = Builder::at_end(context, body, otherwise, location);
    let zero = constant(&mut builder, ty, 0);
    builder.operation(scf::Yield::NAME, &[zero], &[], &[]);
    replace(body, guard, &[yielded]);
}
