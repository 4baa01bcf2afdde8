//! The passes on affine loops.

pub(crate) mod coalesce;
mod dependence;
pub(crate) mod fuse;
pub(crate) mod invariants;
pub(crate) mod jam;
pub(crate) mod lower;
pub(crate) mod normalize;
pub(crate) mod parallelize;
pub(crate) mod scalars;
pub(crate) mod simplify;
pub(crate) mod structures;
pub(crate) mod tile;
pub(crate) mod unroll;

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{Body, Builder, Context, Exact, OperationId, ValueId, View};

use crate::canonicalize::maps::Composed;
use crate::emit::{replace, value};
use crate::order::inner_first;

/// The bounds of an `affine.for`.
#[derive(Clone)]
struct Loop {
    lower: (AffineMap, Vec<ValueId>),
    upper: (AffineMap, Vec<ValueId>),
    step: i64,
    inits: Vec<ValueId>,
}

impl Loop {
    fn read(view: View<'_>) -> Option<Self> {
        if view.name() != affine::For::NAME {
            return None;
        }
        let bound = |name: &str, group: usize| {
            let map = view.attribute(name)?.as_affine_map(view.context)?.clone();
            Some((map, view.operand_group(group).to_vec()))
        };
        Some(Self {
            lower: bound("lowerBoundMap", 0)?,
            upper: bound("upperBoundMap", 1)?,
            step: view.attribute("step")?.as_i64(view.context)?,
            inits: view.operand_group(2).to_vec(),
        })
    }

    fn write(&self, context: &Context, body: &mut Body, op: OperationId) {
        let parts = [&self.lower.1, &self.upper.1, &self.inits];
        let operands: Vec<ValueId> = parts.into_iter().flatten().copied().collect();
        body.set_operands(op, &operands);
        let sizes = parts.map(|part| i32::try_from(part.len()).unwrap_or(i32::MAX));
        let mut set = |name: &str, attribute| {
            body.set_attribute(op, context.name(name), attribute);
        };
        set(
            "lowerBoundMap",
            context.affine_map_attribute(self.lower.0.clone()),
        );
        set(
            "upperBoundMap",
            context.affine_map_attribute(self.upper.0.clone()),
        );
        set("step", context.index_attribute(self.step));
        set("operandSegmentSizes", context.dense_i32_array(&sizes));
    }

    /// Returns the differences of the upper bounds and the only lower bound, divided by the step. Negative ones are trips too.
    fn trips(&self, view: View<'_>) -> Option<Composed> {
        let [_] = self.lower.0.results[..] else {
            return None;
        };
        let step = AffineExpr::Constant(self.step);
        if let (Some(lower), Some(upper)) = (
            self.lower.0.single_constant(),
            self.upper.0.single_constant(),
        ) {
            let span = upper.checked_sub(lower)?.max(0);
            let mut trips = Composed::new(&AffineMap::constant(0), &[])?;
            trips.results = vec![AffineExpr::Constant(span).ceil_div(step)];
            return Some(trips);
        }
        let (mut upper, mut lower) = (
            Composed::new(&self.upper.0, &self.upper.1)?,
            Composed::new(&self.lower.0, &self.lower.1)?,
        );
        for bound in [&mut upper, &mut lower] {
            bound.compose(view);
            bound.canonicalise(view);
        }
        let mut trips = upper.join(lower, |upper, lower| upper.clone() - lower[0].clone());
        trips.canonicalise(view);
        simplify::composed(&mut trips);
        for result in &mut trips.results {
            *result = result.clone().ceil_div(step.clone());
        }
        Some(trips)
    }

    /// Returns the trip count, if it is known.
    fn trip_count(&self, view: View<'_>) -> Option<Exact> {
        let trips = self.trips(view)?;
        let counts: Option<Vec<i64>> = trips.results.iter().map(AffineExpr::as_constant).collect();
        let least = counts?.into_iter().min()?.max(0);
        Some(Exact::from(least))
    }
}

/// Replaces a loop of one iteration by its body. Returns true if it has one iteration.
fn promote(context: &Context, body: &mut Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let Some(known) = Loop::read(view) else {
        return false;
    };
    let Some(block) = view.entry_block(0) else {
        return false;
    };
    if known.trip_count(view) != Some(Exact::ONE) {
        return false;
    }
    let arguments = body.arguments(block).to_vec();
    let index = context.index_type();
    if !body.is_unused(arguments[0]) {
        let variable = if let Some(number) = known.lower.0.single_constant() {
            let top = body.top_regions().next();
            let entry = top.and_then(|region| body.blocks(region).first().copied());
            let first = entry.and_then(|entry| body.first_operation(entry));
            let mut builder = Builder::before(context, body, first.unwrap_or(op));
            builder.location = builder.body.location(op);
            crate::emit::index_constant(&mut builder, number)
        } else if known.lower.0.is_identity() && known.lower.0.n_symbols == 0 {
            known.lower.1[0]
        } else {
            let map = context.affine_map_attribute(known.lower.0.clone());
            let mut builder = Builder::before(context, body, op);
            let attributes = [("map", map)];
            value(
                &mut builder,
                affine::Apply::NAME,
                &known.lower.1,
                index,
                &attributes,
            )
        };
        body.replace_all_uses(arguments[0], variable);
    }
    for (argument, init) in arguments[1..].iter().zip(&known.inits) {
        body.replace_all_uses(*argument, *init);
    }
    let inside: Vec<OperationId> = body.operations(block).collect();
    let Some((last, others)) = inside.split_last() else {
        return false;
    };
    for inner in others {
        body.move_before(op, *inner);
    }
    let yielded: Vec<ValueId> = body.operands(*last).collect();
    body.erase(*last);
    replace(body, op, &yielded);
    true
}

/// Returns the affine loops of a body, inner ones first.
fn loops(context: &Context, body: &Body) -> Vec<OperationId> {
    let mut ops = inner_first(body);
    ops.retain(|op| context.operation_text(body.name(*op)) == affine::For::NAME);
    ops
}

/// Returns a loop and the loops inside, each of which is alone in the one before.
fn perfect_nest(context: &Context, body: &Body, root: OperationId) -> Vec<OperationId> {
    let mut nest = vec![root];
    let mut last = root;
    while let Some(block) = body.entry_block(last, 0) {
        let inside: Vec<OperationId> = body.operations(block).take(3).collect();
        let [inner, _] = inside[..] else { break };
        if context.operation_text(body.name(inner)) != affine::For::NAME {
            break;
        }
        nest.push(inner);
        last = inner;
    }
    nest
}

/// Returns true if a value is defined in a region of an operation.
fn is_inside(body: &Body, op: OperationId, value: ValueId) -> bool {
    let block = body.defining_block(value);
    let owner = block.and_then(|block| body.block_parent_operation(block));
    owner.is_some_and(|owner| body.is_ancestor(op, owner))
}
