//! The `normalize-memrefs` pass: local memories with a layout become memories without one, and accesses have its subscripts.
//!
//! Source: MLIR, `NormalizeMemRefs`. Differs: arguments, results and memories with another use than affine loads, stores and `dealloc`
//! stay as they are; so do memories of open size.

use sluice_dialects::{affine, memref};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{AttributeKind, Body, Builder, Context, OperationId, TypeKind, ValueId, View};

use crate::affine::simplify;
use crate::canonicalize::maps::Composed;
use crate::emit::value;

/// Normalises the memories that a body allocates.
pub(crate) fn normalize(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let name = context.operation_text(body.name(op));
        if matches!(name, memref::Alloc::NAME | memref::Alloca::NAME) {
            one(context, body, op);
        }
    }
}

fn one(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let memory = body.result(op, 0);
    let TypeKind::MemRef {
        shape,
        element,
        layout: Some(layout),
        memory_space,
    } = body.ty(memory).kind(context)
    else {
        return None;
    };
    let sizes: Option<Vec<i64>> = shape
        .iter()
        .map(|size| size.and_then(|size| i64::try_from(size).ok()))
        .collect();
    let sizes = sizes?;
    let map = match layout.kind(context) {
        AttributeKind::AffineMap(map) => map.clone(),
        AttributeKind::StridedLayout { offset, strides } => {
            let mut sum = AffineExpr::Constant(0);
            for (i, stride) in strides.iter().enumerate() {
                let dim = AffineExpr::Dim(u32::try_from(i).ok()?);
                sum = sum + dim * AffineExpr::Constant((*stride)?);
            }
            AffineMap {
                n_dims: u32::try_from(strides.len()).ok()?,
                n_symbols: 0,
                results: vec![sum + AffineExpr::Constant((*offset)?)],
            }
        }
        _ => return None,
    };
    if map.n_symbols > 0 || map.is_identity() || body.n_operands(op) > 0 {
        return None;
    }
    let users: Vec<(OperationId, usize)> = body.uses(memory).collect();
    let is_known =
        |(user, operand): &(OperationId, usize)| match context.operation_text(body.name(*user)) {
            affine::Load::NAME | memref::Dealloc::NAME => *operand == 0,
            affine::Store::NAME => *operand == 1,
            _ => false,
        };
    if !users.iter().all(is_known) {
        return None;
    }
    let ranges = map.results.iter().map(|result| {
        let mut used = Vec::new();
        let (low, high) = range(result, &sizes, &mut used)?;
        (low >= 0).then_some(high)
    });
    let highs: Option<Vec<i64>> = ranges.collect();
    let new_sizes: Option<Vec<_>> = highs?
        .into_iter()
        .map(|high| u64::try_from(high.checked_add(1)?).ok().map(Some))
        .collect();
    let ty = context.ty(TypeKind::MemRef {
        shape: new_sizes?.into(),
        element: *element,
        layout: None,
        memory_space: *memory_space,
    });
    body.set_type(memory, ty);
    let mut accesses: Vec<OperationId> = users.into_iter().map(|(user, _)| user).collect();
    accesses.dedup();
    for access in accesses {
        remap(context, body, access, &map);
    }
    Some(())
}

/// Returns the smallest and the largest value of an expression of counters from 0 to below `sizes`; `None` if it uses one twice.
fn range(e: &AffineExpr, sizes: &[i64], used: &mut Vec<u32>) -> Option<(i64, i64)> {
    use AffineExpr as E;
    let (a, b) = match e {
        E::Dim(i) => {
            if used.contains(i) {
                return None;
            }
            used.push(*i);
            let size = sizes.get(usize::try_from(*i).ok()?)?;
            return (*size > 0).then(|| (0, *size - 1));
        }
        E::Symbol(_) => return None,
        E::Constant(value) => return Some((*value, *value)),
        E::Add(a, b) | E::Mul(a, b) | E::Mod(a, b) | E::FloorDiv(a, b) | E::CeilDiv(a, b) => {
            (range(a, sizes, used)?, range(b, sizes, used)?)
        }
    };
    let by = (b.0 == b.1).then_some(b.0);
    match e {
        E::Add(..) => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        E::Mul(..) => {
            let by = by?;
            let (low, high) = (a.0.checked_mul(by)?, a.1.checked_mul(by)?);
            Some((low.min(high), low.max(high)))
        }
        E::Mod(..) => {
            let by = by.filter(|by| *by > 0)?;
            match a.0 >= 0 && a.1 < by {
                true => Some(a),
                false => Some((0, by - 1)),
            }
        }
        E::FloorDiv(..) => {
            let by = by.filter(|by| *by > 0)?;
            Some((a.0.div_euclid(by), a.1.div_euclid(by)))
        }
        _ => None,
    }
}

/// Gives an access the subscripts of the memory without a layout. As upstream, subscripts that are no operands are also computed
/// before it.
fn remap(context: &Context, body: &mut Body, op: OperationId, layout: &AffineMap) -> Option<()> {
    let view = View::new(context, body, op);
    let first = match view.name() {
        affine::Load::NAME => 1,
        affine::Store::NAME => 2,
        _ => return None,
    };
    let map = view.attribute("map")?.as_affine_map(context)?.clone();
    let mut operands: Vec<ValueId> = view.operands().collect();
    let own = operands.split_off(first);
    let is_identity = map.is_identity() && map.n_symbols == 0;
    let index = context.index_type();
    let mut new = Composed::new(&map, &own)?;
    new.compose(view);
    let dims = new.results.clone();
    new.results = layout
        .results
        .iter()
        .map(|result| result.substitute(&dims, &[]))
        .collect();
    new.canonicalise(view);
    simplify::composed(&mut new);
    new.canonicalise(view);
    if !is_identity {
        for result in &map.results {
            let one = AffineMap {
                results: vec![result.clone()],
                ..map.clone()
            };
            let attributes = [("map", context.affine_map_attribute(one))];
            let mut builder = Builder::before(context, body, op);
            value(&mut builder, affine::Apply::NAME, &own, index, &attributes);
        }
    }
    operands.extend(new.operands());
    body.set_operands(op, &operands);
    let map = context.affine_map_attribute(new.map());
    body.set_attribute(op, context.name("map"), map);
    Some(())
}
