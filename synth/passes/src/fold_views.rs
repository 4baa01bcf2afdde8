//! The `fold-memref-alias-ops` pass: accesses to parts and shapes of a memory become accesses to the memory itself.
//!
//! Source: MLIR, `FoldMemRefAliasOps`. Covers loads and stores, of memref and affine, through subviews and through expanded and
//! collapsed shapes. Not yet: a subview of a subview as one, and expanded shapes whose inner sizes are open.

use sluice_dialects::memref::{Extent, Window, window};
use sluice_dialects::{affine, memref};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{Body, Context, NewOperation, OperationId, ValueId, View};

use crate::affine::simplify;
use crate::canonicalize::{self, maps::Composed};

/// Folds the views of a body into accesses.
pub(crate) fn fold(context: &Context, body: &mut Body) {
    canonicalize::drive(context, body, PATTERNS);
}

const PATTERNS: &[&Pattern] = &[&Pattern {
    name: "access-through-view",
    roots: &[
        memref::Load::NAME,
        memref::Store::NAME,
        affine::Load::NAME,
        affine::Store::NAME,
    ],
    benefit: 1,
    rewrite: through_view,
}];

fn through_view(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    rewrite(r, op).is_some()
}

fn rewrite(r: &mut Rewriter<'_>, op: OperationId) -> Option<()> {
    let view = r.view(op);
    let memory = match view.name() {
        memref::Load::NAME | affine::Load::NAME => 0,
        _ => 1,
    };
    let maker = view.at(view.body.defining_operation(view.operand(memory))?);
    let keeps_dims = match maker.name() {
        memref::CollapseShape::NAME => true,
        memref::Subview::NAME | memref::ExpandShape::NAME => false,
        _ => return None,
    };
    let window = window(maker)?;
    let mut operands: Vec<ValueId> = view.operands().collect();
    let indices = operands.split_off(memory + 1);
    let map = view.attribute("map");
    let indices = match map.and_then(|map| map.as_affine_map(r.context)).cloned() {
        Some(map) => {
            let results = map.results.iter();
            let one = |result: &AffineExpr| AffineMap {
                results: vec![result.clone()],
                ..map.clone()
            };
            let maps: Vec<AffineMap> = results.map(one).collect();
            let applied = maps.iter().map(|map| apply(r, op, map, &indices));
            applied.collect::<Option<Vec<ValueId>>>()?
        }
        None => indices,
    };
    operands[memory] = window.source;
    for result in &window.map.results {
        let (map, values) = placed(result, &window, &indices, keeps_dims)?;
        operands.push(apply(r, op, &map, &values)?);
    }
    let n = u32::try_from(window.map.results.len()).ok()?;
    let identity = r.context.affine_map_attribute(AffineMap::identity(n));
    let (is_affine, name) = (map.is_some(), r.context.name("map"));
    r.update(op, |body| {
        body.set_operands(op, &operands);
        if is_affine {
            body.set_attribute(op, name, identity);
        }
    });
    Some(())
}

/// Returns the map of one index of the viewed memory with its operands. As upstream, offsets come before indices, and strides after.
fn placed(
    result: &AffineExpr,
    window: &Window,
    indices: &[ValueId],
    keeps_dims: bool,
) -> Option<(AffineMap, Vec<ValueId>)> {
    let strides = strides_in(result);
    let n_symbols = u32::try_from(window.symbols.len()).ok()?;
    let n_dims = u32::try_from(indices.len()).ok()?;
    let (offsets, strides): (Vec<u32>, Vec<u32>) =
        (0..n_symbols).partition(|symbol| !strides.contains(symbol));
    let mut symbols = vec![AffineExpr::Constant(0); window.symbols.len()];
    let mut dims = vec![AffineExpr::Constant(0); indices.len()];
    let mut values = Vec::new();
    let (mut as_dims, mut as_symbols) = (0, 0);
    if keeps_dims {
        for (i, dim) in dims.iter_mut().enumerate() {
            *dim = AffineExpr::Dim(as_dims);
            as_dims += 1;
            values.push(indices[i]);
        }
    }
    let mut symbol = |value: ValueId| {
        values.push(value);
        as_symbols += 1;
        AffineExpr::Symbol(as_symbols - 1)
    };
    let place = |i: u32| usize::try_from(i).ok();
    for offset in offsets {
        symbols[place(offset)?] = symbol(window.symbols[place(offset)?]);
    }
    if !keeps_dims {
        for i in 0..n_dims {
            dims[place(i)?] = symbol(indices[place(i)?]);
        }
    }
    for stride in strides {
        symbols[place(stride)?] = symbol(window.symbols[place(stride)?]);
    }
    let map = AffineMap {
        n_dims: as_dims,
        n_symbols: as_symbols,
        results: vec![result.substitute(&dims, &symbols)],
    };
    Some((map, values))
}

/// Returns the symbols that an index is multiplied by.
fn strides_in(e: &AffineExpr) -> Vec<u32> {
    match e {
        AffineExpr::Add(a, b) => [strides_in(a), strides_in(b)].concat(),
        AffineExpr::Mul(a, b) => match (&**a, &**b) {
            (AffineExpr::Dim(_), AffineExpr::Symbol(i))
            | (AffineExpr::Symbol(i), AffineExpr::Dim(_)) => vec![*i],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Emits `affine.apply` of a map with the ones that define its operands composed into it; a constant or an operand where that is
/// the result.
fn apply(
    r: &mut Rewriter<'_>,
    anchor: OperationId,
    map: &AffineMap,
    operands: &[ValueId],
) -> Option<ValueId> {
    let extent = extent_of(r, anchor, map, operands)?;
    value_of(r, anchor, extent)
}

/// Returns an extent as a value.
pub(crate) fn value_of(
    r: &mut Rewriter<'_>,
    anchor: OperationId,
    extent: Extent,
) -> Option<ValueId> {
    match extent {
        Extent::Value(value) => Some(value),
        Extent::Known(number) => {
            let number = r.context.index_attribute(number);
            r.constant(anchor, anchor, number, r.context.index_type())
        }
    }
}

/// Returns the result of a map, as `affine.apply` of it if it is not a constant or an operand.
pub(crate) fn extent_of(
    r: &mut Rewriter<'_>,
    anchor: OperationId,
    map: &AffineMap,
    operands: &[ValueId],
) -> Option<Extent> {
    let view = r.view(anchor);
    let composed = composed(view, map, operands)?;
    let value = |values: &[Option<ValueId>], i: u32| {
        let i = usize::try_from(i).ok()?;
        values.get(i).copied().flatten().map(Extent::Value)
    };
    match composed.results[0] {
        AffineExpr::Constant(number) => return Some(Extent::Known(number)),
        AffineExpr::Dim(i) => return value(&composed.dims, i),
        AffineExpr::Symbol(i) => return value(&composed.symbols, i),
        _ => {}
    }
    let name = r.context.operation_name(affine::Apply::NAME);
    let mut new = NewOperation::new(name, view.location());
    new.operands = composed.operands().into();
    new.result_types.push(r.context.index_type());
    let map = r.context.affine_map_attribute(composed.map());
    new.attributes.push((r.context.name("map"), map));
    let made = r.create(anchor, new);
    Some(Extent::Value(r.body().result(made, 0)))
}

fn composed(view: View<'_>, map: &AffineMap, operands: &[ValueId]) -> Option<Composed> {
    let mut composed = Composed::new(map, operands)?;
    composed.compose(view);
    composed.canonicalise(view);
    simplify::composed(&mut composed);
    composed.canonicalise(view);
    Some(composed)
}
