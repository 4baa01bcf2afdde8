//! Edits of control flow between blocks: conditional branches become unconditional, and blocks are merged.

use sluice_dialects::cf;
use sluice_ir::{BlockId, Body, Builder, Context, Module, OperationId, View};

use super::Edit;
use super::place::{functions, of_body, substitute};

/// Returns edits that replace each branch with several targets by a branch to one of them; unreachable blocks are erased.
pub(super) fn directions(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in body.walk_all() {
            let n = body.successors(op).len();
            for to in (0..n).filter(|_| n > 1) {
                edits.push(of_body(function, move |context, body| {
                    !body.is_erased(op) && go(context, body, op, to)
                }));
            }
        }
    }
    edits
}

fn go(context: &Context, body: &mut Body, op: OperationId, to: usize) -> bool {
    let view = View::new(context, body, op);
    let (Some(block), Some(target)) = (body.parent_block(op), view.successors().get(to).copied())
    else {
        return false;
    };
    let Some(passed) = view.successor_operands(to) else {
        return false;
    };
    let location = view.location();
    let mut new = sluice_ir::NewOperation::new(context.operation_name(cf::Br::NAME), location);
    new.operands = passed;
    new.successors.push(target);
    body.erase(op);
    Builder::at_end(context, body, block, location).create(new);
    erase_unreached(body);
    true
}

/// Erases the unreachable blocks of the function.
fn erase_unreached(body: &mut Body) {
    let regions: Vec<_> = body.top_regions().collect();
    for region in regions {
        let blocks = body.blocks(region).to_vec();
        let mut reached: Vec<BlockId> = blocks.first().copied().into_iter().collect();
        let mut next = 0;
        while let Some(block) = reached.get(next).copied() {
            next += 1;
            let last = body.last_operation(block);
            for target in last
                .map(|op| body.successors(op).to_vec())
                .unwrap_or_default()
            {
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
        }
        let unreached: Vec<_> = blocks
            .into_iter()
            .filter(|b| !reached.contains(b))
            .collect();
        // These blocks may use each other's values, so all operands are removed first.
        for block in &unreached {
            let ops: Vec<_> = body
                .operations(*block)
                .flat_map(|op| body.walk(op))
                .collect();
            for op in ops {
                body.set_operands(op, &[]);
            }
        }
        for block in unreached {
            body.erase_block(block);
        }
    }
}

/// Returns edits that merge each block with its only successor, if that has no other predecessor.
pub(super) fn merges(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        let ops = body.walk_all().into_iter();
        for op in ops.filter(|op| body.successors(*op).len() == 1) {
            edits.push(of_body(function, move |context, body| {
                !body.is_erased(op) && merge(context, body, op)
            }));
        }
    }
    edits
}

fn merge(context: &Context, body: &mut Body, op: OperationId) -> bool {
    if context.operation_text(body.name(op)) != cf::Br::NAME {
        return false;
    }
    let target = body.successors(op)[0];
    let (Some(block), Some(region)) = (body.parent_block(op), body.parent_region(target)) else {
        return false;
    };
    let comes_from = |other: &BlockId| {
        let last = body.last_operation(*other);
        last.is_some_and(|last| body.successors(last).contains(&target))
    };
    let blocks = body.blocks(region);
    let is_alone = blocks.iter().filter(|b| comes_from(b)).count() == 1;
    if !is_alone || target == block || blocks.first() == Some(&target) {
        return false;
    }
    let passed: Vec<_> = body.operands(op).collect();
    let arguments = body.arguments(target).to_vec();
    body.erase(op);
    for (argument, value) in arguments.into_iter().zip(passed) {
        substitute(body, argument, value);
    }
    let ops: Vec<_> = body.operations(target).collect();
    for op in ops {
        body.move_to_end(block, op);
    }
    body.erase_block(target);
    true
}
