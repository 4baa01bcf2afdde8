//! The `loop-invariant-code-motion` pass: moves operations with the same result in every iteration out of the loop.
//!
//! Source: MLIR, `moveLoopInvariantCode`. It visits inner loops first, and moves only operations that are safe to speculate.
//! Differs: a division or remainder by an unknown divisor stays, since a loop may have no iteration. Loads always stay, even if
//! nothing writes the memory.

use sluice_ir::definition::Traits;
use sluice_ir::effects::is_hoistable;
use sluice_ir::{Body, Context, OperationId, ValueId};

/// Hoists invariants out of every loop of a body, without the isolated bodies in it.
pub fn hoist(context: &Context, body: &mut Body) {
    for op in body.walk_all().into_iter().rev() {
        let is_loop = body
            .definition(context, op)
            .is_some_and(|definition| definition.has(Traits::LOOP_LIKE));
        if is_loop && !body.is_isolated(op) {
            out_of(context, body, op);
        }
    }
}

fn out_of(context: &Context, body: &mut Body, loop_op: OperationId) {
    let regions = body.regions(loop_op).iter();
    let blocks: Vec<_> = regions
        .flat_map(|region| body.blocks(*region).to_vec())
        .collect();
    for block in blocks {
        for op in body.operations(block).collect::<Vec<_>>() {
            if Some(op) != body.terminator(context, block)
                && is_invariant(body, loop_op, op)
                && is_hoistable(context, body, op)
            {
                body.move_before(loop_op, op);
            }
        }
    }
}

/// Returns true if all operands of `op` and its nested operations are defined outside the loop or inside `op`.
fn is_invariant(body: &Body, loop_op: OperationId, op: OperationId) -> bool {
    let is_inside = |value: ValueId, of: OperationId| {
        let block = body.defining_block(value);
        let owner = block.and_then(|block| body.block_parent_operation(block));
        owner.is_some_and(|owner| body.is_ancestor(of, owner))
    };
    body.walk(op).into_iter().all(|inner| {
        let mut operands = body.operands(inner);
        operands.all(|value| is_inside(value, op) || !is_inside(value, loop_op))
    })
}
