//! Edits that remove a loop-carried value, or a result of a conditional.

use sluice_dialects::{affine, scf};
use sluice_ir::{Attribute, Body, Context, Module, OperationId, ValueId, View};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, has_constants, of_body, rebuild, substitute, without, zero};

/// Removes the value at a position from an operation.
type Removal = fn(&Context, &mut Body, OperationId, usize) -> bool;

/// Returns an edit for each value that a loop carries to its next iteration, and for each result of a conditional.
pub(super) fn removals(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let name = context.operation_text(body.name(op));
            let (n_operands, n_results) = (body.n_operands(op), body.results(op).len());
            let (n, edit): (usize, Removal) = match name {
                scf::For::NAME | affine::For::NAME => (n_results, of_loop),
                scf::While::NAME => (n_operands, of_while),
                scf::If::NAME
                | affine::If::NAME
                | scf::ExecuteRegion::NAME
                | scf::IndexSwitch::NAME => (n_results, result),
                _ => continue,
            };
            for at in (0..n).rev() {
                edits.push(of_body(function, move |context, body| {
                    !body.is_erased(op) && edit(context, body, op, at)
                }));
            }
            if name == scf::While::NAME {
                for at in (0..n_results).rev() {
                    edits.push(of_body(function, move |context, body| {
                        !body.is_erased(op) && forwarded(context, body, op, at)
                    }));
                }
            }
        }
    }
    edits
}

/// Removes a value carried by a counted loop; its uses get the initial value.
fn of_loop(context: &Context, body: &mut Body, op: OperationId, at: usize) -> bool {
    let view = View::new(context, body, op);
    let is_affine = view.name() == affine::For::NAME;
    let first = match is_affine {
        true => view.operand_segment(2).map_or(0, |(first, _)| first),
        false => 3,
    };
    let operands: Vec<ValueId> = view.operands().collect();
    let (Some(block), Some(init)) = (view.entry_block(0), operands.get(first + at).copied()) else {
        return false;
    };
    let (Some(argument), Some(last)) = (
        body.arguments(block).get(1 + at).copied(),
        body.last_operation(block),
    ) else {
        return false;
    };
    let sizes = segments(view, 2);
    substitute(body, argument, init);
    body.remove_argument(block, 1 + at);
    drop_operand(body, last, at);
    let result = body.result(op, at);
    substitute(body, result, init);
    let attributes: Vec<(&str, Attribute)> = sizes
        .filter(|_| is_affine)
        .map(|sizes| ("operandSegmentSizes", sizes))
        .into_iter()
        .collect();
    rebuild(
        context,
        body,
        op,
        &without(&operands, first + at),
        |i| i != at,
        &attributes,
    );
    true
}

/// Returns the operand segment sizes with one operand less in a group.
fn segments(view: View<'_>, group: usize) -> Option<Attribute> {
    let sizes = view.attribute("operandSegmentSizes")?;
    let sizes = sizes.as_dense_array_i64(view.context)?;
    let less: Option<Vec<i32>> = sizes
        .iter()
        .enumerate()
        .map(|(i, size)| i32::try_from(*size - i64::from(i == group)).ok())
        .collect();
    Some(view.context.dense_i32_array(&less?))
}

fn drop_operand(body: &mut Body, op: OperationId, at: usize) {
    let operands: Vec<ValueId> = body.operands(op).collect();
    body.set_operands(op, &without(&operands, at));
}

/// Removes an initial value of an `scf.while`.
fn of_while(context: &Context, body: &mut Body, op: OperationId, at: usize) -> bool {
    let view = View::new(context, body, op);
    let operands: Vec<ValueId> = view.operands().collect();
    let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
        return false;
    };
    let (Some(argument), Some(init), Some(last)) = (
        body.arguments(before).get(at).copied(),
        operands.get(at).copied(),
        body.last_operation(after),
    ) else {
        return false;
    };
    substitute(body, argument, init);
    body.remove_argument(before, at);
    drop_operand(body, last, at);
    rebuild(context, body, op, &without(&operands, at), |_| true, &[]);
    true
}

/// Removes a value that the condition of an `scf.while` forwards.
fn forwarded(context: &Context, body: &mut Body, op: OperationId, at: usize) -> bool {
    let view = View::new(context, body, op);
    let operands: Vec<ValueId> = view.operands().collect();
    let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
        return false;
    };
    let (Some(argument), Some(last), Some(result)) = (
        body.arguments(after).get(at).copied(),
        body.last_operation(before),
        body.results(op).get(at).copied(),
    ) else {
        return false;
    };
    if !has_constants(context, body.ty(argument)) {
        return false;
    }
    zero(context, body, argument);
    zero(context, body, result);
    body.remove_argument(after, at);
    drop_operand(body, last, 1 + at);
    rebuild(context, body, op, &operands, |i| i != at, &[]);
    true
}

/// Removes a result of an operation whose regions yield its results.
fn result(context: &Context, body: &mut Body, op: OperationId, at: usize) -> bool {
    let Some(result) = body.results(op).get(at).copied() else {
        return false;
    };
    if !body.is_unused(result) && !has_constants(context, body.ty(result)) {
        return false;
    }
    let regions = body.regions(op).to_vec();
    let lasts: Vec<_> = regions
        .iter()
        .flat_map(|region| body.blocks(*region))
        .filter_map(|block| body.last_operation(*block))
        .collect();
    if lasts.len() != regions.len() {
        return false;
    }
    zero(context, body, result);
    for last in lasts {
        drop_operand(body, last, at);
    }
    let operands: Vec<ValueId> = body.operands(op).collect();
    rebuild(context, body, op, &operands, |i| i != at, &[]);
    true
}
