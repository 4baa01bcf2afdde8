//! Edits that erase operations; uses of their results get 0.

use sluice_ir::definition::Traits;
use sluice_ir::{BlockId, Body, Context, Module, OperationId};

use super::Edit;
use super::place::{functions, has, has_constants, of_body, zero};

/// Returns an edit for each operation: outer ones before inner ones, and at each depth the last one first, so that its operands
/// become unused.
pub(super) fn erasures(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            if !has(context, body, op, Traits::TERMINATOR) {
                edits.push(of_body(function, move |context, body| {
                    erase(context, body, op)
                }));
            }
        }
    }
    edits
}

/// Returns the operations of a body by depth, and at each depth from the last to the first.
pub(super) fn outer_first(body: &Body) -> Vec<OperationId> {
    let mut all = Vec::new();
    let top: Vec<_> = body.top_regions().collect();
    for region in top {
        walk(body, body.blocks(region), 0, &mut all);
    }
    all.reverse();
    all.sort_by_key(|(_, depth)| *depth);
    all.into_iter().map(|(op, _)| op).collect()
}

fn walk(body: &Body, blocks: &[BlockId], depth: u32, all: &mut Vec<(OperationId, u32)>) {
    for block in blocks {
        for op in body.operations(*block) {
            all.push((op, depth));
            for region in body.regions(op) {
                walk(body, body.blocks(*region), depth + 1, all);
            }
        }
    }
}

fn erase(context: &Context, body: &mut Body, op: OperationId) -> bool {
    if body.is_erased(op) {
        return false;
    }
    let used: Vec<_> = body.results(op).to_vec();
    let used: Vec<_> = used.into_iter().filter(|r| !body.is_unused(*r)).collect();
    let is_constant = has(context, body, op, Traits::CONSTANT_LIKE);
    let can_be_zero = used
        .iter()
        .all(|result| has_constants(context, body.ty(*result)));
    if !can_be_zero || (is_constant && !used.is_empty()) {
        return false;
    }
    for result in used {
        zero(context, body, result);
    }
    body.erase(op);
    true
}
