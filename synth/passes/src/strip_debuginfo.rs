//! The `strip-debuginfo` pass: operations and block arguments lose their locations.

use sluice_ir::{BlockId, Body, Location, OperationId, RegionId};

/// Erases the locations of `op` and of everything inside.
pub(crate) fn strip(body: &mut Body, op: OperationId) {
    body.set_location(op, Location::UNKNOWN);
    let regions = body.regions(op).to_vec();
    let inner = body.inner_mut(op);
    for region in regions {
        strip_region(inner, region);
    }
}

fn strip_region(body: &mut Body, region: RegionId) {
    for block in body.blocks(region).to_vec() {
        strip_arguments(body, block);
        for op in body.operations(block).collect::<Vec<_>>() {
            strip(body, op);
        }
    }
}

/// Replaces the arguments of a block by others without locations.
fn strip_arguments(body: &mut Body, block: BlockId) {
    for old in body.arguments(block).to_vec() {
        let ty = body.ty(old);
        let new = body.add_argument(block, ty, Location::UNKNOWN);
        let name = body.value_name(old);
        body.set_value_name(new, name);
        body.replace_all_uses(old, new);
        body.remove_argument(block, 0);
    }
}
