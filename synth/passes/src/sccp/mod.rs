//! The `sccp` pass: sparse conditional constant propagation.

mod analysis;

use rustc_hash::FxHashMap;
use sluice_ir::effects::trivially_dead_when_unused;
use sluice_ir::{
    Attribute, BlockId, Body, Context, Location, OperationId, RegionId, Type, ValueId, View,
};

use analysis::{Facts, Known, analyse};

/// Propagates constants in an operation. `visible` is true if nothing outside may call its functions; calls are then analysed.
pub fn operation(context: &Context, body: &mut Body, op: OperationId, visible: bool) {
    let facts = analyse(View::new(context, body, op), visible);
    rewrite(context, &facts, 0, body.inner_mut(op));
}

/// Constants created in each region, by dialect, value and type.
type Made = FxHashMap<(RegionId, &'static str, Attribute, Type), ValueId>;

/// Replaces the constant values of one body, and of the isolated operations in it.
fn rewrite(context: &Context, facts: &Facts, unit: usize, body: &mut Body) {
    let mut rewriting = Rewriting {
        context,
        facts,
        unit,
        body,
        made: Made::default(),
    };
    let mut waiting: Vec<BlockId> = Vec::new();
    let regions: Vec<RegionId> = rewriting.body.top_regions().collect();
    let add = |waiting: &mut Vec<BlockId>, body: &Body, regions: &[RegionId]| {
        for region in regions {
            waiting.extend(body.blocks(*region).iter().rev());
        }
    };
    add(&mut waiting, rewriting.body, &regions);
    while let Some(block) = waiting.pop() {
        let ops: Vec<OperationId> = rewriting.body.operations(block).collect();
        for op in ops {
            if rewriting.replace_results(block, op) {
                continue;
            }
            if let Some(inside) = facts.inside(unit, op) {
                rewrite(context, facts, inside, rewriting.body.inner_mut(op));
            } else {
                add(&mut waiting, rewriting.body, rewriting.body.regions(op));
            }
        }
        for argument in rewriting.body.arguments(block).to_vec() {
            rewriting.replace(block, argument);
        }
    }
}

struct Rewriting<'a> {
    context: &'a Context,
    facts: &'a Facts,
    unit: usize,
    body: &'a mut Body,
    made: Made,
}

impl Rewriting<'_> {
    /// Replaces the results of `op` by constants, and erases `op` if it is dead then. Returns true if it erased `op`.
    fn replace_results(&mut self, block: BlockId, op: OperationId) -> bool {
        let results = self.body.results(op).to_vec();
        let mut all = !results.is_empty();
        for result in results {
            all &= self.replace(block, result);
        }
        let is_dead = all && trivially_dead_when_unused(self.context, self.body, op);
        if is_dead {
            self.body.erase(op);
        }
        is_dead
    }

    /// Replaces a value by its constant, if it has one.
    fn replace(&mut self, block: BlockId, value: ValueId) -> bool {
        let Known::Constant(attribute, dialect) = self.facts.of(self.unit, value) else {
            return false;
        };
        let ty = self.body.ty(value);
        let Some(constant) = self.constant(block, dialect, attribute, ty) else {
            return false;
        };
        self.body.replace_all_uses(value, constant);
        true
    }

    /// Returns a constant at the start of the outermost region around `block` that constants may be moved to.
    fn constant(
        &mut self,
        block: BlockId,
        dialect: &'static str,
        attribute: Attribute,
        ty: Type,
    ) -> Option<ValueId> {
        let region = insertion_region(self.context, self.body, block)?;
        if let Some(made) = self.made.get(&(region, dialect, attribute, ty)) {
            return Some(*made);
        }
        let materialize = self.context.dialect(dialect)?.materialize_constant?;
        let new = materialize(self.context, attribute, ty, Location::UNKNOWN)?;
        let own = self.context.operation_name_data(new.name).definition;
        let own = own.map_or(dialect, |definition| definition.dialect());
        let existing = self.made.get(&(region, own, attribute, ty)).copied();
        let value = match existing {
            Some(existing) => existing,
            None => {
                let op = self.body.create(self.context, new);
                let entry = *self.body.blocks(region).first()?;
                self.body.prepend(entry, op);
                self.body.result(op, 0)
            }
        };
        for dialect in [dialect, own] {
            self.made.insert((region, dialect, attribute, ty), value);
        }
        Some(value)
    }
}

/// Returns the region of this body at whose start a constant that is used in `block` is placed.
///
/// Source: MLIR, `OperationFolder`. Constants move out of all operations except isolated and unregistered ones.
pub(crate) fn insertion_region(context: &Context, body: &Body, block: BlockId) -> Option<RegionId> {
    let mut region = body.parent_region(block)?;
    while let Some(parent) = body.region_parent(region) {
        if body.definition(context, parent).is_none() {
            break;
        }
        region = body.parent_region(body.parent_block(parent)?)?;
    }
    Some(region)
}
