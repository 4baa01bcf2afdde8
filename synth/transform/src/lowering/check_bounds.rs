//! `check-bounds`: reports accesses that are certainly out of bounds, because hardware would silently access another word.

use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Context, Diagnostics, Exact, OperationId, ValueDefinition, ValueId, View};

use crate::analysis::linear::{linear, loop_of, range_of};
use crate::build::{constant_i64, name};

/// Reports every access that always executes and leaves a dimension of its memory in some iteration.
///
/// Only certain errors are reported: all enclosing loops have constant bounds, no condition guards the access, and the index is a
/// linear form of the induction variables, so the index reaches its extremes.
pub fn check_bounds(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let first = match view.name() {
            memref::Load::NAME => 1,
            memref::Store::NAME => 2,
            _ => continue,
        };
        if !is_certain(context, body, op) {
            continue;
        }
        let operands: Vec<ValueId> = view.operands().collect();
        let shape = view.ty(operands[first - 1]).static_shape(context);
        for (dimension, size) in shape.unwrap_or_default().into_iter().enumerate() {
            let Some(index) = operands.get(first + dimension) else {
                continue;
            };
            let form = linear(context, body, *index);
            if !form
                .terms
                .keys()
                .all(|value| is_counter(context, body, *value))
            {
                continue;
            }
            let Some((low, high)) = range_of(context, body, &form, 0) else {
                continue;
            };
            if low >= 0 && u64::try_from(high).is_ok_and(|high| high < size) {
                continue;
            }
            let values = if low == high {
                format!("is {low}")
            } else {
                format!("goes from {low} to {high}")
            };
            let message = format!(
                "the index of dimension {dimension} {values}, outside of 0 to {}",
                size.saturating_sub(1)
            );
            diagnostics.error(view.location(), message);
        }
    }
}

/// Returns whether an operation executes in every run: only loops with constant bounds that run at least once enclose it.
fn is_certain(context: &Context, body: &Body, op: OperationId) -> bool {
    let mut around = body.parent_operation(op);
    while let Some(parent) = around {
        let runs = loop_of(context, body, parent)
            .and_then(|found| found.trip_count)
            .is_some_and(Exact::is_positive);
        if !runs {
            return false;
        }
        around = body.parent_operation(parent);
    }
    // Blocks after the first are reached only by branches.
    let mut outermost = op;
    while let Some(parent) = body.parent_operation(outermost) {
        outermost = parent;
    }
    let entry = body
        .top_regions()
        .next()
        .map(|region| body.blocks(region)[0]);
    body.parent_block(outermost) == entry
}

/// Returns whether a value is the induction variable of a loop with constant bounds.
fn is_counter(context: &Context, body: &Body, value: ValueId) -> bool {
    let ValueDefinition::Argument { block, index: 0 } = body.value_definition(value) else {
        return false;
    };
    body.block_parent_operation(block).is_some_and(|owner| {
        name(context, body, owner) == scf::For::NAME
            && (0..3).all(|i| constant_i64(context, body, body.operand(owner, i)).is_some())
    })
}
