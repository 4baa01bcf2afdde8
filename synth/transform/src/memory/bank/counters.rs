//! Normalises loop counters to count from 0 in steps of 1, so that multiples of a step become coefficients of linear forms.

use sluice_dialects::{arith, scf};
use sluice_ir::{Body, Builder, Context, OperationId};

use crate::analysis::linear::loop_of;
use crate::build::{all_named, binary, constant, constant_i64};

/// Rewrites every `scf.for` over `index` with constant bounds and step to count its iterations.
pub(super) fn count_iterations(context: &Context, body: &mut Body) {
    for op in all_named(context, body, scf::For::NAME) {
        let operand = |i: usize| constant_i64(context, body, body.operand(op, i));
        let (Some(lower), Some(_), Some(step)) = (operand(0), operand(1), operand(2)) else {
            continue;
        };
        let known = loop_of(context, body, op);
        let trip_count = known.as_ref().and_then(|known| known.trip_count?.to_i64());
        let (Some(known), Some(n)) = (&known, trip_count) else {
            continue;
        };
        let ty = body.ty(known.variable);
        if (lower, step) != (0, 1) && step > 0 && ty.is_index(context) {
            count(context, body, op, [lower, step, n]);
        }
    }
}

fn count(context: &Context, body: &mut Body, op: OperationId, [lower, step, n]: [i64; 3]) {
    let block = body.entry_block(op, 0).expect("a loop has a body");
    let variable = body.arguments(block)[0];
    let users: Vec<(OperationId, usize)> = body.uses(variable).collect();
    let first = body
        .first_operation(block)
        .expect("a loop body ends in a yield");
    let ty = body.ty(variable);
    let mut builder = Builder::before(context, body, first);
    let mut value = variable;
    if step != 1 {
        let step = constant(&mut builder, ty, step);
        value = binary(&mut builder, arith::Muli::NAME, value, step);
    }
    if lower != 0 {
        let lower = constant(&mut builder, ty, lower);
        value = binary(&mut builder, arith::Addi::NAME, value, lower);
    }
    for (user, operand) in users {
        body.set_operand(user, operand, value);
    }
    let mut builder = Builder::before(context, body, op);
    let bounds = [0, n, 1].map(|number| constant(&mut builder, ty, number));
    for (operand, bound) in bounds.into_iter().enumerate() {
        body.set_operand(op, operand, bound);
    }
}
