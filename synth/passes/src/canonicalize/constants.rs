//! Deduplicates constants and moves them to the start of a region.

use rustc_hash::{FxHashMap, FxHashSet};
use sluice_ir::definition::Traits;
use sluice_ir::{Attribute, Body, Context, Location, OperationId, RegionId, Type};

use crate::sccp::insertion_region;

/// Moves constants to the start of the outermost region that allows them, and merges equal ones.
pub(super) fn gather(context: &Context, body: &mut Body) {
    let mut known: FxHashMap<(RegionId, &str, Attribute, Type), OperationId> = FxHashMap::default();
    let mut placed: FxHashSet<OperationId> = FxHashSet::default();
    for op in body.walk_all() {
        let definition = body.definition(context, op);
        let Some(definition) = definition.filter(|d| d.has(Traits::CONSTANT_LIKE)) else {
            continue;
        };
        let (Some(value), Some(block)) = (
            body.attribute_named(context, op, "value"),
            body.parent_block(op),
        ) else {
            continue;
        };
        let Some(region) = insertion_region(context, body, block) else {
            continue;
        };
        let result = body.result(op, 0);
        let key = (region, definition.dialect(), value, body.ty(result));
        if let Some(first) = known.get(&key).copied() {
            let first_result = body.result(first, 0);
            let name = body.value_name(first_result);
            body.replace_all_uses(result, first_result);
            body.set_value_name(first_result, name);
            body.set_location(first, Location::UNKNOWN);
            body.erase(op);
            continue;
        }
        let start = body.blocks(region)[0];
        let stays = block == start
            && body
                .previous(op)
                .is_none_or(|previous| placed.contains(&previous));
        if !stays {
            if block != start {
                body.set_location(op, Location::UNKNOWN);
            }
            body.detach(op);
            body.prepend(start, op);
        }
        known.insert(key, op);
        placed.insert(op);
    }
}
