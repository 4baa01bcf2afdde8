//! The `affine-loop-tile` pass: a nest of loops goes over tiles, and inside over the points of a tile.
//!
//! Source: MLIR, `tilePerfectlyNested`. Differs: version 19 does not look at dependences; here, a nest stays if tiles might change the
//! order of two accesses to one element, with a warning. As there, different memory arguments are taken to be different memories.

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::effects::{Effects, viewed_memory};
use sluice_ir::{
    BlockId, Body, Builder, Context, Diagnostics, Exact, NewOperation, OperationId, ValueId, View,
};

use super::{Loop, is_inside, perfect_nest};
use crate::canonicalize::maps::{Composed, coefficients};
use crate::pipeline::Options;

/// Iterations of a tile in each dimension without a size.
const SIZE: i64 = 4;

/// Tiles the perfect nests at the top of a body.
pub(crate) fn tile(context: &Context, body: &mut Body, options: &Options, found: &mut Diagnostics) {
    let top: Vec<_> = body.top_regions().collect();
    let blocks = top.iter().flat_map(|region| body.blocks(*region));
    let ops = blocks.flat_map(|block| body.operations(*block));
    let roots: Vec<OperationId> = ops
        .filter(|op| context.operation_text(body.name(*op)) == affine::For::NAME)
        .collect();
    for root in roots {
        let nest = perfect_nest(context, body, root);
        let size = |i: usize| {
            let of_dimension = options.numbers("tile-sizes").and_then(|sizes| sizes.get(i));
            let of_all = options.number("tile-size");
            of_all.or(of_dimension.copied()).unwrap_or(SIZE)
        };
        let sizes: Vec<i64> = (0..nest.len()).map(size).collect();
        if nest.iter().any(|op| !body.results(*op).is_empty()) || !is_rectangular(body, &nest) {
            continue;
        }
        if let Some(why) = obstacle(context, body, &nest) {
            let message = format!("the nest is not tiled: {why}");
            found.warning(body.location(root), message);
            continue;
        }
        tile_nest(context, body, &nest, &sizes);
    }
}

/// Returns true if no bound depends on a counter of the nest.
fn is_rectangular(body: &Body, nest: &[OperationId]) -> bool {
    nest.iter()
        .flat_map(|op| body.operands(*op))
        .all(|value| !is_inside(body, nest[0], value))
}

/// Returns why tiles might change the order of two accesses to one element. A single loop never changes its order.
fn obstacle(context: &Context, body: &Body, nest: &[OperationId]) -> Option<String> {
    if nest.len() < 2 {
        return None;
    }
    let mut accesses: Vec<(ValueId, View<'_>)> = Vec::new();
    for op in body.walk(nest[0]) {
        let view = View::new(context, body, op);
        match view.name() {
            affine::Load::NAME => accesses.push((view.operand(0), view)),
            affine::Store::NAME => accesses.push((view.operand(1), view)),
            name => {
                let effects = Effects::own(context, body, op);
                if effects.touches() || effects.allocates {
                    return Some(format!("`{name}` may access any memory"));
                }
            }
        }
    }
    let stores = accesses
        .iter()
        .filter(|(_, view)| view.name() == affine::Store::NAME);
    for (memory, store) in stores {
        let is_view = |memory: ValueId| {
            let op = body.defining_operation(memory);
            op.is_some_and(|op| viewed_memory(View::new(context, body, op)).is_some())
        };
        if accesses.iter().any(|(memory, _)| is_view(*memory)) {
            return Some("a view may share elements with another memory".to_owned());
        }
        let own = indices(*store)?;
        for (_, other) in accesses.iter().filter(|(other, _)| other == memory) {
            if indices(*other).as_ref() != Some(&own) {
                return Some("two accesses to one memory have different indices".to_owned());
            }
        }
        let n_free = nest.len() - n_determined(body, nest, &own)?;
        if n_free > 1 {
            return Some(format!(
                "an element is accessed in iterations of {n_free} loops"
            ));
        }
    }
    None
}

/// Returns the map of an access with its operands.
fn indices(view: View<'_>) -> Option<(AffineMap, Vec<ValueId>)> {
    let map = view.attribute("map")?.as_affine_map(view.context)?.clone();
    let first = match view.name() {
        affine::Store::NAME => 2,
        _ => 1,
    };
    Some((map, view.operands().skip(first).collect()))
}

/// Counts the loops of the nest whose counters the element of an access decides: an index is that counter and values from outside.
fn n_determined(
    body: &Body,
    nest: &[OperationId],
    (map, operands): &(AffineMap, Vec<ValueId>),
) -> Option<usize> {
    let composed = Composed::new(map, operands)?;
    let (n_dims, n) = (composed.dims.len(), operands.len());
    let mut determined = Vec::new();
    for result in &map.results {
        let Some(factors) = coefficients(result, n_dims, n) else {
            continue;
        };
        let used = operands.iter().zip(&factors);
        let mut used =
            used.filter(|(value, factor)| **factor != 0 && is_inside(body, nest[0], **value));
        if let (Some((value, _)), None) = (used.next(), used.next()) {
            determined.push(*value);
        }
    }
    let counters = nest.iter().filter(|op| {
        let block = body.entry_block(**op, 0);
        let counter = block.and_then(|block| body.arguments(block).first());
        counter.is_some_and(|counter| determined.contains(counter))
    });
    Some(counters.count())
}

fn tile_nest(
    context: &Context,
    body: &mut Body,
    nest: &[OperationId],
    sizes: &[i64],
) -> Option<()> {
    let bounds: Option<Vec<Loop>> = nest
        .iter()
        .map(|op| Loop::read(View::new(context, body, *op)))
        .collect();
    let bounds = bounds?;
    let innermost = body.entry_block(*nest.last()?, 0)?;
    let old: Vec<ValueId> = nest
        .iter()
        .filter_map(|op| Some(body.arguments(body.entry_block(*op, 0)?)[0]))
        .collect();
    let mut place = None;
    let mut tiles = Vec::new();
    for (own, size) in bounds.iter().zip(sizes) {
        let mut own = own.clone();
        own.step = own.step.checked_mul(*size)?;
        let block = nested(context, body, nest[0], place, &own);
        tiles.push(body.arguments(block)[0]);
        place = Some(block);
    }
    for (i, own) in bounds.iter().enumerate() {
        let view = View::new(context, body, nest[i]);
        let inner = of_points(view, own, sizes[i], tiles[i])?;
        let block = nested(context, body, nest[0], place, &inner);
        let counter = body.arguments(block)[0];
        body.replace_all_uses(old[i], counter);
        place = Some(block);
    }
    let points = place?;
    let last = body.last_operation(points)?;
    for op in body.operations(innermost).collect::<Vec<_>>() {
        body.move_before(last, op);
    }
    body.erase(last);
    body.erase(nest[0]);
    Some(())
}

/// Returns the bounds of a loop over the points of the tile that begins at `tile`.
fn of_points(view: View<'_>, own: &Loop, size: i64, tile: ValueId) -> Option<Loop> {
    let count = own.trip_count(view).and_then(Exact::to_i64);
    let width = own.step.checked_mul(size)?;
    let shift = |width: i64| AffineMap {
        n_dims: 1,
        n_symbols: 0,
        results: vec![AffineExpr::Dim(0) + AffineExpr::Constant(width)],
    };
    let divides = own.trips(view).is_some_and(|trips| {
        trips.results.iter().all(|trips| {
            let known = trips.largest_known_divisor();
            known.is_multiple_of(size.unsigned_abs())
        })
    });
    let upper = match count {
        Some(count) if count < size => (shift(count.checked_mul(own.step)?), vec![tile]),
        _ if divides => (shift(width), vec![tile]),
        _ => {
            let (map, operands) = &own.upper;
            let n_dims = usize::try_from(map.n_dims).ok()?;
            let end = AffineExpr::Dim(map.n_dims) + AffineExpr::Constant(width);
            let results = std::iter::once(end).chain(map.results.iter().cloned());
            let map = AffineMap {
                n_dims: map.n_dims + 1,
                n_symbols: map.n_symbols,
                results: results.collect(),
            };
            let mut all = operands.clone();
            all.insert(n_dims, tile);
            (map, all)
        }
    };
    Some(Loop {
        lower: (AffineMap::identity(1), vec![tile]),
        upper,
        step: own.step,
        inits: Vec::new(),
    })
}

/// Creates an empty loop at the start of a block, or before `root`. Returns its block.
fn nested(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    place: Option<BlockId>,
    bounds: &Loop,
) -> BlockId {
    let location = body.location(root);
    let anchor = place.and_then(|block| body.last_operation(block));
    let mut builder = Builder::before(context, body, anchor.unwrap_or(root));
    builder.location = location;
    let mut new = NewOperation::new(context.operation_name(affine::For::NAME), location);
    new.n_regions = 1;
    let made = builder.create(new);
    let block = builder.body.append_block(builder.body.regions(made)[0]);
    let index = context.index_type();
    builder.body.add_argument(block, index, location);
    bounds.write(context, body, made);
    let mut builder = Builder::at_end(context, body, block, location);
    builder.operation(affine::Yield::NAME, &[], &[], &[]);
    block
}
