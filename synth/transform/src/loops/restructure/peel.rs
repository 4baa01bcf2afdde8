//! `peel`: turns the first or the last iterations of a loop into straight-line code. Always legal: the order stays the same.

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::exact::{Exact, trips};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use super::nest::title;
use crate::analysis::linear::{Loop, loop_of, range_of, span};
use crate::build::{binary, constant, constant_i64, too_many_copies, yielded};

/// Peels the first `n` iterations to before the loop.
pub(super) fn first(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    n: i64,
) -> Result<(), String> {
    let (_, step) = checked(context, body, op, n)?;
    let mut carried: Vec<ValueId> = body.operands(op).skip(3).collect();
    for k in 0..n {
        let mut builder = Builder::before(context, body, op);
        let start = builder.body.operand(op, 0);
        let at = offset(&mut builder, start, Exact::from(k).times(step));
        carried = copy_before(context, body, op, op, at, &carried);
    }
    let mut builder = Builder::before(context, body, op);
    let start = builder.body.operand(op, 0);
    let start = offset(&mut builder, start, Exact::from(n).times(step));
    body.set_operand(op, 0, start);
    for (i, value) in carried.into_iter().enumerate() {
        body.set_operand(op, 3 + i, value);
    }
    Ok(())
}

/// Peels the last `n` iterations to after the loop.
pub(super) fn last(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    n: i64,
) -> Result<(), String> {
    let (known, step) = checked(context, body, op, n)?;
    // The counters of the last iterations: relative to the start if the trip count is known, else to the end.
    let (base, from) = match known.trip_count {
        Some(trips) => (body.operand(op, 0), trips.minus(n).times(step)),
        None if step == 1 => (body.operand(op, 1), Exact::from(n).negated()),
        None => {
            return Err(format!(
                "the last iterations of {} are not known: its step is {step}, and the number of its iterations varies; peel the first ones",
                title(context, body, op)
            ));
        }
    };
    let after = body
        .next(op)
        .expect("a loop is followed by the end of its block");
    let results = body.results(op).to_vec();
    let users: Vec<(OperationId, usize)> = results
        .iter()
        .flat_map(|value| body.uses(*value).collect::<Vec<_>>())
        .collect();
    let old = results.clone();
    let mut carried = results;
    for k in 0..n {
        let mut builder = Builder::before(context, body, after);
        builder.location = builder.body.location(op);
        let at = offset(&mut builder, base, from.plus(Exact::from(k).times(step)));
        carried = copy_before(context, body, op, after, at, &carried);
    }
    for (user, position) in users {
        let value = body.operand(user, position);
        if let Some(i) = old.iter().position(|v| *v == value) {
            body.set_operand(user, position, carried[i]);
        }
    }
    let mut builder = Builder::before(context, body, op);
    let end = offset(&mut builder, base, from);
    body.set_operand(op, 1, end);
    Ok(())
}

/// Returns the loop with its step, if it certainly has `n` iterations.
fn checked(context: &Context, body: &Body, op: OperationId, n: i64) -> Result<(Loop, i64), String> {
    let words = title(context, body, op);
    let known = loop_of(context, body, op).filter(|known| known.step.is_some());
    let Some((known, step)) = known.and_then(|known| {
        let step = known.step?;
        Some((known, step))
    }) else {
        return Err(format!(
            "iterations of {words} cannot be peeled: its step is not a constant"
        ));
    };
    let least = match known.trip_count {
        Some(trips) => trips,
        None => span(context, body, op)
            .and_then(|span| range_of(context, body, &span, 0))
            .and_then(|(least, _)| trips(Exact::ZERO, least.into(), step.into()))
            .unwrap_or_default(),
    };
    if least < Exact::from(n) {
        let nearest = match (known.trip_count, least.to_i64()) {
            (_, Some(0)) if known.trip_count.is_none() => {
                "it may have none: remove the directive".to_owned()
            }
            (Some(_), Some(0)) => "it has none: remove the directive".to_owned(),
            (Some(trips), _) => format!("it has {trips}, the most that can be peeled"),
            (None, _) => format!("it has {least} at least, the most that can be peeled"),
        };
        return Err(format!(
            "{n} iterations of {words} cannot be peeled: {nearest}"
        ));
    }
    if let Some(problem) = too_many_copies(context, body, op, n) {
        return Err(format!("{problem}: peel less"));
    }
    Ok((known, step))
}

/// Emits `value + by`, a constant if `value` is one.
fn offset(builder: &mut Builder<'_>, value: ValueId, by: Exact) -> ValueId {
    if by.is_zero() {
        return value;
    }
    let ty = builder.body.ty(value);
    if let Some(known) = constant_i64(builder.context, builder.body, value) {
        return constant(builder, ty, by.plus(known));
    }
    let by = constant(builder, ty, by);
    binary(builder, arith::Addi::NAME, value, by)
}

/// Copies one iteration to before `anchor`; returns the values that it yields.
fn copy_before(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    anchor: OperationId,
    at: ValueId,
    carried: &[ValueId],
) -> Vec<ValueId> {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let arguments = body.arguments(block).to_vec();
    let mut values: BTreeMap<ValueId, ValueId> = BTreeMap::from([(arguments[0], at)]);
    values.extend(arguments[1..].iter().copied().zip(carried.iter().copied()));
    for inner in super::nest::operations(body, op) {
        let copy = body.copy(context, inner, &mut values);
        body.insert_before(anchor, copy);
    }
    let passed = yielded(body, op, 0).into_iter();
    passed
        .map(|value| values.get(&value).copied().unwrap_or(value))
        .collect()
}
