//! Simplifies unstructured control flow: erases unreachable blocks and joins a block to its only predecessor.

use std::collections::BTreeSet;

use sluice_dialects::cf;
use sluice_ir::{BlockId, Body, Context, OperationId, RegionId, ValueId};

use crate::build::name;

/// Erases unreachable blocks and joins chains of blocks, in every region with more than one block.
pub(crate) fn tidy_blocks(context: &Context, body: &mut Body) {
    let nested = body.walk_all();
    let nested = nested.into_iter().flat_map(|op| body.regions(op).to_vec());
    let mut regions: Vec<RegionId> = body.top_regions().chain(nested).collect();
    regions.retain(|region| body.blocks(*region).len() > 1);
    // Inner regions come last and may lie in a block that an outer one erases.
    for region in regions {
        if body.blocks(region).len() > 1 {
            erase_unreachable(body, region);
            join_chains(context, body, region);
        }
    }
}

fn erase_unreachable(body: &mut Body, region: RegionId) {
    let blocks = body.blocks(region).to_vec();
    let mut reached: BTreeSet<BlockId> = BTreeSet::new();
    let mut waiting = vec![blocks[0]];
    while let Some(block) = waiting.pop() {
        if reached.insert(block)
            && let Some(last) = body.last_operation(block)
        {
            waiting.extend(body.successors(last));
        }
    }
    let dead: Vec<BlockId> = blocks
        .into_iter()
        .filter(|b| !reached.contains(b))
        .collect();
    erase_blocks(body, dead);
}

/// Erases blocks whose values are used only in these blocks; all uses are dropped first.
pub(crate) fn erase_blocks(body: &mut Body, dead: Vec<BlockId>) {
    let ops: Vec<OperationId> = dead
        .iter()
        .flat_map(|block| body.operations(*block).collect::<Vec<_>>())
        .flat_map(|op| body.walk(op))
        .collect();
    for op in ops {
        body.set_operands(op, &[]);
    }
    for block in dead {
        body.erase_block(block);
    }
}

/// Joins a block to its only predecessor, if that predecessor ends in an unconditional branch to it.
fn join_chains(context: &Context, body: &mut Body, region: RegionId) {
    for block in body.blocks(region).to_vec() {
        // A block that was already joined is no longer in the region.
        if body.parent_region(block) != Some(region) {
            continue;
        }
        while let Some((branch, next)) = only_follower(context, body, region, block) {
            let passed_on: Vec<ValueId> = body.operands(branch).collect();
            let arguments = body.arguments(next).to_vec();
            for (argument, value) in arguments.into_iter().zip(passed_on) {
                body.replace_all_uses(argument, value);
            }
            body.erase(branch);
            for op in body.operations(next).collect::<Vec<_>>() {
                body.move_to_end(block, op);
            }
            body.erase_block(next);
        }
    }
}

fn only_follower(
    context: &Context,
    body: &Body,
    region: RegionId,
    block: BlockId,
) -> Option<(OperationId, BlockId)> {
    let branch = body.last_operation(block)?;
    if name(context, body, branch) != cf::Br::NAME {
        return None;
    }
    let next = body.successors(branch)[0];
    let blocks = body.blocks(region);
    let predecessors = blocks.iter().filter_map(|b| body.last_operation(*b));
    let n_edges = predecessors
        .flat_map(|last| body.successors(last))
        .filter(|successor| **successor == next)
        .count();
    (n_edges == 1 && next != block && next != blocks[0]).then_some((branch, next))
}
