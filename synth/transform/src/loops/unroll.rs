//! `unroll`: replicates loop bodies as the directive `sluice.unroll` requests.

use std::collections::BTreeMap;

use sluice_dialects::sluice::UNROLL;
use sluice_dialects::{arith, scf};
use sluice_ir::exact::Exact;
use sluice_ir::{Body, Builder, Context, Diagnostics, OperationId, ValueId, View};

use crate::analysis::linear::loop_of;
use crate::build::{all_named, binary, constant, is_pure, max_value_of, name, too_many_copies};

/// Unrolls every `scf.for` that has the attribute; a factor that does not divide the trip count is an error.
pub fn unroll(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for op in all_named(context, body, scf::For::NAME).into_iter().rev() {
        let factor = body
            .attribute_named(context, op, UNROLL)
            .and_then(|a| a.as_i64(context));
        let Some(factor) = factor else { continue };
        body.remove_attribute(op, context.name(UNROLL));
        if factor <= 1 {
            continue;
        }
        let trip_count = loop_of(context, body, op).and_then(|l| l.trip_count);
        match trip_count {
            Some(n) if n.is_multiple_of(factor) => {
                if let Err(problem) = unroll_by(context, body, op, factor) {
                    diagnostics.error(body.location(op), problem);
                    return;
                }
            }
            Some(n) => {
                let nearest = (1..=factor)
                    .rev()
                    .find(|f| n.is_multiple_of(*f))
                    .unwrap_or(1);
                let message = format!(
                    "an unroll factor of {factor} does not divide the trip count {n}; the nearest below is {nearest}"
                );
                diagnostics.error(body.location(op), message);
            }
            None => {
                diagnostics.error(
                    body.location(op),
                    "a loop with unknown bounds is not unrolled: remove the directive",
                );
            }
        }
    }
}

/// Returns the trip count of a loop that contains no memory access, loop or branch.
pub fn pure_trip_count(context: &Context, body: &Body, op: OperationId) -> Option<Exact> {
    let is_allowed = |inner: OperationId| {
        inner == op
            || name(context, body, inner) == scf::Yield::NAME
            || is_pure(View::new(context, body, inner))
    };
    let trip_count = loop_of(context, body, op)?.trip_count?;
    let is_pure = !body.results(op).is_empty() && body.walk(op).into_iter().all(is_allowed);
    is_pure.then_some(trip_count)
}

/// Unrolls a loop by `factor`, which must divide the trip count.
///
/// # Errors
/// A text, if this creates too many operations.
pub fn unroll_by(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    factor: i64,
) -> Result<(), String> {
    if let Some(problem) = too_many_copies(context, body, op, factor) {
        return Err(format!("{problem}: unroll less"));
    }
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let arguments = body.arguments(block).to_vec();
    let wide = crate::build::constant_i64(context, body, body.operand(op, 2))
        .map(|step| Exact::from(step).times(factor));
    if wide.is_some_and(|wide| wide > max_value_of(context, body.ty(arguments[0]))) {
        return Err(format!(
            "{factor} steps of the loop are more than its counter can hold: unroll less"
        ));
    }
    let last = body
        .last_operation(block)
        .expect("a loop body ends in a yield");
    let originals: Vec<OperationId> = body.operations(block).take_while(|o| *o != last).collect();
    let step = body.operand(op, 2);
    let mut carried: Vec<ValueId> = body.operands(last).collect();
    let first_yield = carried.clone();
    for copy in 1..factor {
        let mut builder = Builder::before(context, body, last);
        let ty = builder.body.ty(arguments[0]);
        let number = constant(&mut builder, ty, copy);
        let offset = binary(&mut builder, arith::Muli::NAME, step, number);
        let variable = binary(&mut builder, arith::Addi::NAME, arguments[0], offset);
        let mut values: BTreeMap<ValueId, ValueId> = BTreeMap::from([(arguments[0], variable)]);
        values.extend(arguments[1..].iter().copied().zip(carried.iter().copied()));
        for original in &originals {
            let made = body.copy(context, *original, &mut values);
            body.insert_before(last, made);
        }
        carried = first_yield
            .iter()
            .map(|v| values.get(v).copied().unwrap_or(*v))
            .collect();
    }
    body.set_operands(last, &carried);
    let mut builder = Builder::before(context, body, op);
    let ty = builder.body.ty(step);
    let number = constant(&mut builder, ty, factor);
    let product = binary(&mut builder, arith::Muli::NAME, step, number);
    // A constant step must stay a constant, because the analyses read it.
    let folded = wide.map(|wide| constant(&mut builder, ty, wide));
    body.set_operand(op, 2, folded.unwrap_or(product));
    Ok(())
}

/// Ends a loop at a value of its counter, and continues with a copy of it from there on. Returns the copy.
pub(crate) fn split_at(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    middle: ValueId,
) -> OperationId {
    let upper = body.operand(op, 1);
    body.set_operand(op, 1, middle);
    let rest = body.copy(context, op, &mut BTreeMap::new());
    body.insert_before(op, rest);
    body.move_before(rest, op);
    body.set_operand(rest, 0, middle);
    body.set_operand(rest, 1, upper);
    let (firsts, lasts) = (body.results(op).to_vec(), body.results(rest).to_vec());
    for (i, (first, last)) in firsts.into_iter().zip(lasts).enumerate() {
        body.replace_all_uses(first, last);
        body.set_operand(rest, 3 + i, first);
    }
    rest
}
