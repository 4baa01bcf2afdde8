//! The `scf-parallel-loop-tiling` pass: a parallel loop becomes a parallel loop of tiles with one over the points of a tile inside.
//!
//! Source: MLIR, `tileParallelLoop`. As there, only innermost loops without reductions are tiled.

use sluice_dialects::{affine, arith, scf};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::simplify::constant_of;
use sluice_ir::{
    BlockId, Body, Builder, Context, InsertionPoint, NewOperation, OperationId, ValueId, View,
};

use crate::emit::{binary, index_constant, value};

/// Tiles the innermost parallel loops of a body. A dimension without a size has tiles of one iteration.
pub(crate) fn tile(context: &Context, body: &mut Body, sizes: &[i64]) {
    let is_parallel =
        |body: &Body, op: OperationId| context.operation_text(body.name(op)) == scf::Parallel::NAME;
    let mut loops = body.walk_all();
    loops.retain(|op| {
        let mut inside = body.walk(*op).into_iter().filter(|inner| inner != op);
        is_parallel(body, *op)
            && body.results(*op).is_empty()
            && !inside.any(|inner| is_parallel(body, inner))
    });
    for op in loops {
        tile_one(context, body, op, sizes);
    }
}

fn tile_one(context: &Context, body: &mut Body, op: OperationId, sizes: &[i64]) -> Option<()> {
    let view = View::new(context, body, op);
    let [lower, upper, step] = [0, 1, 2].map(|group| view.operand_group(group));
    let source = view.entry_block(0)?;
    let index = context.index_type();
    let size = |dimension: usize| sizes.get(dimension).copied().unwrap_or(1);
    let known = |value: ValueId| constant_of(context, body, value)?.as_i64(context);
    let fits: Vec<bool> = (0..lower.len())
        .map(|i| {
            let bounds = [lower[i], upper[i], step[i]].map(known);
            let [Some(lower), Some(upper), Some(step)] = bounds else {
                return false;
            };
            let span = upper.saturating_sub(lower).max(0);
            let span = sluice_ir::exact::trips(0.into(), span.into(), step.max(1).into());
            let count = span.and_then(|count| count.to_i64());
            count.is_some_and(|count| count % size(i) == 0)
        })
        .collect();

    let mut builder = Builder::before(context, body, op);
    let zero = index_constant(&mut builder, 0);
    let tiles: Vec<ValueId> = (0..lower.len())
        .map(|i| index_constant(&mut builder, size(i)))
        .collect();
    let steps: Vec<ValueId> = (0..lower.len())
        .map(|i| binary(&mut builder, arith::Muli::NAME, step[i], tiles[i]))
        .collect();
    let tiles = parallel(&mut builder, [&lower, &upper, &steps]);
    let counters = builder.body.arguments(tiles).to_vec();

    builder.point = InsertionPoint::End(tiles);
    let rest = AffineExpr::Dim(1) - AffineExpr::Dim(2);
    let map = context.affine_map_attribute(AffineMap {
        n_dims: 3,
        n_symbols: 0,
        results: vec![AffineExpr::Dim(0), rest],
    });
    let mut widths = Vec::new();
    for (i, fits) in fits.into_iter().enumerate() {
        widths.push(match fits {
            true => steps[i],
            false => {
                let operands = [steps[i], upper[i], counters[i]];
                let name = affine::Min::NAME;
                value(&mut builder, name, &operands, index, &[("map", map)])
            }
        });
    }
    let zeros = vec![zero; lower.len()];
    let points = parallel(&mut builder, [&zeros, &widths, &step]);
    builder.operation(scf::Reduce::NAME, &[], &[], &[]);
    let offsets = builder.body.arguments(points).to_vec();

    builder.point = InsertionPoint::End(points);
    for (i, old) in builder
        .body
        .arguments(source)
        .to_vec()
        .into_iter()
        .enumerate()
    {
        let point = binary(&mut builder, arith::Addi::NAME, offsets[i], counters[i]);
        builder.body.replace_all_uses(old, point);
    }
    for inner in body.operations(source).collect::<Vec<_>>() {
        body.move_to_end(points, inner);
    }
    body.erase(op);
    Some(())
}

/// Emits an `scf.parallel` without reductions, whose block is empty. Returns the block.
fn parallel(builder: &mut Builder<'_>, bounds: [&[ValueId]; 3]) -> BlockId {
    let (context, location) = (builder.context, builder.location);
    let mut new = NewOperation::new(context.operation_name(scf::Parallel::NAME), location);
    new.operands = bounds.into_iter().flatten().copied().collect();
    new.n_regions = 1;
    let n = i32::try_from(bounds[0].len()).unwrap_or(i32::MAX);
    let sizes = context.dense_i32_array(&[n, n, n, 0]);
    new.attributes
        .push((context.name("operandSegmentSizes"), sizes));
    let made = builder.create(new);
    let region = builder.body.regions(made)[0];
    let block = builder.body.append_block(region);
    let index = context.index_type();
    for _ in bounds[0] {
        builder.body.add_argument(block, index, location);
    }
    block
}
