//! Edits that replace a loop or a conditional by one execution of a body.

use sluice_dialects::{affine, scf};
use sluice_ir::affine::AffineMap;
use sluice_ir::{Body, Builder, Context, Module, OperationId, RegionId, ValueId, View};

use super::Edit;
use super::operations::outer_first;
use super::place::{constant, functions, has_constants, of_body, substitute, zero};

/// Returns edits that replace each operation by each of its regions.
pub(super) fn openings(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            for region in 0..body.regions(op).len() {
                edits.push(of_body(function, move |context, body| {
                    !body.is_erased(op) && open(context, body, op, region)
                }));
            }
        }
    }
    edits
}

fn open(context: &Context, body: &mut Body, op: OperationId, index: usize) -> bool {
    let view = View::new(context, body, op);
    let name = view.name();
    // The region of the condition runs first.
    let is_while = name == scf::While::NAME;
    let is_round = is_while && index == 1;
    let region = view.regions()[if is_round { 0 } else { index }];
    // A loop without further iterations returns its initial values.
    let unopened: Option<Vec<ValueId>> = match name {
        scf::Parallel::NAME => Some(view.operand_group(3).to_vec()),
        _ => None,
    };
    let passed: Vec<ValueId> = match (name, index) {
        (scf::For::NAME, 0) => {
            let carried = view.operands().skip(3);
            std::iter::once(view.operand(0)).chain(carried).collect()
        }
        (affine::For::NAME, 0) => {
            let carried = view.operand_group(2);
            let Some(bound) = lower_bound(context, body, op) else {
                return false;
            };
            std::iter::once(bound).chain(carried).collect()
        }
        (scf::Parallel::NAME, 0) => view.operand_group(0).to_vec(),
        (affine::Parallel::NAME, 0) if view.results().is_empty() => {
            let n = view.entry_block(0).map_or(0, |b| body.arguments(b).len());
            let index = context.index_type();
            let Some(zero) = constant(context, body, index, 0) else {
                return false;
            };
            vec![zero; n]
        }
        (scf::While::NAME, 0 | 1) => view.operands().collect(),
        (
            scf::If::NAME | affine::If::NAME | scf::ExecuteRegion::NAME | scf::IndexSwitch::NAME,
            _,
        ) => Vec::new(),
        _ => return false,
    };
    let Some(mut left) = splice(body, op, region, &passed) else {
        return false;
    };
    if is_while {
        // Without the condition itself, which is the first operand.
        left = left.split_off(1.min(left.len()));
    }
    if is_round {
        let behind = body.regions(op)[1];
        if splice(body, op, behind, &left).is_none() {
            return false;
        }
    }
    let left = unopened.unwrap_or(left);
    for (at, result) in body.results(op).to_vec().into_iter().enumerate() {
        match left.get(at) {
            Some(value) => substitute(body, result, *value),
            None if has_constants(context, body.ty(result)) => {
                zero(context, body, result);
            }
            None => {}
        }
    }
    if body
        .results(op)
        .iter()
        .any(|result| !body.is_unused(*result))
    {
        return false;
    }
    body.erase(op);
    true
}

/// Moves the operations of a region with one block before `op`, and erases its terminator; returns the operands of the
/// terminator.
pub(super) fn splice(
    body: &mut Body,
    op: OperationId,
    region: RegionId,
    passed: &[ValueId],
) -> Option<Vec<ValueId>> {
    let block = match body.blocks(region) {
        [] => return Some(Vec::new()),
        [block] => *block,
        _ => return None,
    };
    let arguments = body.arguments(block).to_vec();
    let last = body.last_operation(block)?;
    if arguments.len() != passed.len() {
        return None;
    }
    for (argument, value) in arguments.into_iter().zip(passed) {
        substitute(body, argument, *value);
    }
    let inside: Vec<_> = body
        .operations(block)
        .filter(|inner| *inner != last)
        .collect();
    for inner in inside {
        body.move_before(op, inner);
    }
    let left: Vec<ValueId> = body.operands(last).collect();
    body.erase(last);
    Some(left)
}

/// Returns the induction variable in the first iteration of an `affine.for`.
fn lower_bound(context: &Context, body: &mut Body, op: OperationId) -> Option<ValueId> {
    let view = View::new(context, body, op);
    let map: &AffineMap = view.attribute("lowerBoundMap")?.as_affine_map(context)?;
    let operands = view.operand_group(0).to_vec();
    if let Some(number) = map.single_constant() {
        let ty = context.index_type();
        return constant(context, body, ty, u64::try_from(number).ok()?);
    }
    let name = match map.results.len() {
        1 => affine::Apply::NAME,
        _ => affine::Max::NAME,
    };
    let map = view.attribute("lowerBoundMap")?;
    let ty = context.index_type();
    let mut builder = Builder::before(context, body, op);
    let bound = builder.operation(name, &operands, &[ty], &[("map", map)]);
    Some(body.result(bound, 0))
}
