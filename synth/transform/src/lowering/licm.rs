//! `licm`: loop-invariant code motion, which computes values that do not change in a loop before the loop.
//!
//! Source: the textbook pass. Loads move too if nothing in the loop writes their memory and the body runs at least once.

use sluice_dialects::{aliases::Written, memref, scf};
use sluice_ir::{Body, Context, OperationId, View};

use crate::analysis::dependence::{access_of, stays_inside};
use crate::analysis::linear::{is_invariant, loop_of, range_of, span};
use crate::build::{is_pure, name};

/// Moves invariant operations out of every `scf.for` and `scf.while`, innermost loops first.
pub fn licm(context: &Context, body: &mut Body) {
    let loops: Vec<_> = body.walk_all().into_iter().rev().collect();
    for op in loops {
        if matches!(name(context, body, op), scf::For::NAME | scf::While::NAME) {
            hoist(context, body, op);
        }
    }
}

/// Returns whether a loop runs at least once for all values of the enclosing counters.
fn surely_runs(context: &Context, body: &Body, op: OperationId) -> bool {
    let Some(known) = loop_of(context, body, op) else {
        return false;
    };
    if let Some(n) = known.trip_count {
        return n.is_positive();
    }
    span(context, body, op)
        .and_then(|span| range_of(context, body, &span, 0))
        .is_some_and(|(least, _)| least > 0)
}

fn is_inside(context: &Context, body: &Body, load: OperationId) -> bool {
    access_of(context, body, load).is_some_and(|access| stays_inside(context, body, &access))
}

fn hoist(context: &Context, body: &mut Body, loop_op: OperationId) {
    let runs = surely_runs(context, body, loop_op);
    let written = Written::by(context, body, loop_op);
    let regions = body.regions(loop_op).to_vec();
    for region in regions {
        for block in body.blocks(region).to_vec() {
            let ops: Vec<_> = body.operations(block).collect();
            for op in ops {
                let view = View::new(context, body, op);
                let invariant = view.operands().all(|v| is_invariant(body, loop_op, v));
                let movable = match view.name() {
                    memref::Load::NAME => {
                        let unwritten = !written.may_hold(context, body, view.operand(0));
                        // Reading a word that exists is harmless even if the loop does not run.
                        unwritten && (runs || is_inside(context, body, op))
                    }
                    memref::Alloca::NAME => false,
                    _ => is_pure(view) && view.regions().is_empty(),
                };
                if invariant && movable {
                    body.move_before(loop_op, op);
                }
            }
        }
    }
}
