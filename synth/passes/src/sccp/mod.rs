//! `sccp`: values that are the same constant whenever they are computed become that constant.

mod analysis;

use rustc_hash::FxHashMap;
use sluice_ir::effects::trivially_dead_when_unused;
use sluice_ir::{
    Attribute, BlockId, Body, Context, Location, OperationId, RegionId, Type, ValueId, View,
};

use analysis::{Facts, Known, analyse};

/// Propagates constants in an operation; calls are seen through if `visible` says that nothing outside may call its functions.
pub fn operation(context: &Context, body: &mut Body, op: OperationId, visible: bool) {
    let facts = analyse(View::new(context, body, op), visible);
    rewrite(context, &facts, 0, body.inner_mut(op));
}

/// Constants that were made for one region, by dialect, value and type.
type Made = FxHashMap<(RegionId, &'static str, Attribute, Type), ValueId>;

/// Replaces the values of one body that are constants, and goes on in the isolated operations it holds.
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
    /// Replaces the results of `op` and erases it if nobody misses it; says whether it did.
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

    /// Replaces a value by the constant it is.
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

    /// A constant at the start of the outermost region around `block` that constants may be moved to.
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

/// The region of this body to whose start a constant used in `block` goes.
///
/// Source: MLIR, `OperationFolder`: out of everything but isolated operations and those nobody declared.
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
