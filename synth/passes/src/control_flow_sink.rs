//! The `control-flow-sink` pass: moves operations into the only branch that needs them.
//!
//! Source: MLIR, `controlFlowSink`. Inner branches come first, so an operation moves as far inside as it can.

use sluice_dialects::scf;
use sluice_ir::definition::Traits;
use sluice_ir::effects::{Effects, is_free_of_effects};
use sluice_ir::{Body, Context, OperationId, RegionId, View};

use crate::order::inner_first;

/// Sinks operations into the branches of a body.
pub(crate) fn sink(context: &Context, body: &mut Body) {
    for op in inner_first(body) {
        let name = context.operation_text(body.name(op));
        // Other operations with regions may run them more than once.
        if matches!(name, scf::If::NAME | scf::IndexSwitch::NAME) {
            for region in body.regions(op).to_vec() {
                into_region(context, body, region);
            }
        }
    }
}

fn into_region(context: &Context, body: &mut Body, region: RegionId) {
    let blocks = body.blocks(region).to_vec();
    let Some(entry) = blocks.first().copied() else {
        return;
    };
    let inside = blocks.iter().flat_map(|block| body.operations(*block));
    let mut waiting: Vec<OperationId> = inside.collect();
    while let Some(user) = waiting.pop() {
        for value in body.operands(user).collect::<Vec<_>>() {
            let Some(op) = body.defining_operation(value) else {
                continue;
            };
            let block = body.parent_block(op);
            let own = block.and_then(|block| body.parent_region(block));
            if own == Some(region)
                || !is_used_only_in(body, op, region)
                || !may_move(context, body, op)
            {
                continue;
            }
            if let Some(first) = body.first_operation(entry) {
                body.move_before(first, op);
                waiting.push(op);
            }
        }
    }
}

fn is_used_only_in(body: &Body, op: OperationId, region: RegionId) -> bool {
    let Some(owner) = body.region_parent(region) else {
        return false;
    };
    let is_inside = |user: OperationId| {
        let mut next = Some(user);
        while let Some(op) = next {
            let block = body.parent_block(op);
            if block.and_then(|block| body.parent_region(block)) == Some(region) {
                return true;
            }
            next = body.parent_operation(op).filter(|parent| *parent != owner);
        }
        false
    };
    let mut results = body.results(op).iter();
    results.all(|result| body.uses(*result).all(|(user, _)| is_inside(user)))
}

/// Returns true if an operation only computes values, perhaps not for all operands.
fn may_move(context: &Context, body: &Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let Some(definition) = view.definition() else {
        return false;
    };
    if definition.has(Traits::TERMINATOR) {
        return false;
    }
    let effects = Effects::own(context, body, op);
    let has_none = !effects.touches() && !effects.allocates;
    is_free_of_effects(context, body, op) || (view.regions().is_empty() && has_none)
}
