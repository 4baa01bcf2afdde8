//! Replaces accesses through views of memories by accesses of the underlying memory.

use sluice_dialects::{
    affine, memref,
    memref::{Extent, WINDOWS, window},
};
use sluice_ir::affine::AffineMap;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::build::{constant, name, replace};
use crate::lowering::lower_affine::expand;

/// Returns the sizes of a memory, which may be a view with its own sizes.
pub(crate) fn sizes_of(context: &Context, body: &Body, memory: ValueId) -> Option<Vec<Extent>> {
    if let Some(shape) = body.ty(memory).static_shape(context) {
        let sizes = shape.into_iter().map(|n| i64::try_from(n).ok());
        return sizes.map(|n| n.map(Extent::Known)).collect();
    }
    let op = body.defining_operation(memory)?;
    Some(window(View::new(context, body, op))?.sizes)
}

/// Returns a size as a value.
pub(crate) fn size_value(builder: &mut Builder<'_>, size: Extent) -> ValueId {
    match size {
        Extent::Known(size) => {
            let index = builder.context.index_type();
            constant(builder, index, size)
        }
        Extent::Value(value) => value,
    }
}

/// Removes views: views of views first, until all accesses address memories directly.
pub(crate) fn resolve_views(context: &Context, body: &mut Body) {
    for op in body.walk_all().into_iter().rev() {
        if !WINDOWS.contains(&name(context, body, op)) {
            continue;
        }
        let Some(shown) = window(View::new(context, body, op)) else {
            continue;
        };
        let value = body.result(op, 0);
        for (user, operand) in body.uses(value).collect::<Vec<_>>() {
            let is_access = match name(context, body, user) {
                memref::Load::NAME | affine::Load::NAME => operand == 0,
                memref::Store::NAME | affine::Store::NAME => operand == 1,
                _ => false,
            };
            if is_access {
                let seen = (shown.source, &shown.map, shown.symbols.as_slice());
                access(context, body, user, operand, seen);
            }
        }
        if body.is_unused(value) {
            body.erase(op);
        }
    }
}

/// Rewrites an access, whose memory is operand `memory`, to the underlying memory.
fn access(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    memory: usize,
    (source, map, symbols): (ValueId, &AffineMap, &[ValueId]),
) {
    let view = View::new(context, body, op);
    let mut operands: Vec<ValueId> = view.operands().collect();
    let result_types: Vec<_> = view.result_types().collect();
    let mut indices = operands.split_off(memory + 1);
    let own = view.attribute("map").and_then(|a| a.as_affine_map(context));
    let own = own.cloned();
    let mut builder = Builder::before(context, body, op);
    let apply =
        |builder: &mut Builder<'_>, map: &AffineMap, dims: &[ValueId], symbols: &[ValueId]| {
            let results = map.results.iter();
            let values = results.map(|expr| expand(builder, expr, dims, symbols));
            values.collect::<Vec<_>>()
        };
    if let Some(own) = own {
        let (dims, symbols) = indices.split_at(own.n_dims as usize);
        indices = apply(&mut builder, &own, dims, symbols);
    }
    operands[memory] = source;
    operands.extend(apply(&mut builder, map, &indices, symbols));
    let kind = if memory == 0 {
        memref::Load::NAME
    } else {
        memref::Store::NAME
    };
    let made = builder.operation(kind, &operands, &result_types, &[]);
    for (key, attribute) in body.attributes(op).to_vec() {
        if context.text(key) != "map" {
            body.set_attribute(made, key, attribute);
        }
    }
    let results = body.results(made).to_vec();
    if let (Some(new), Some(old)) = (results.first(), body.results(op).first()) {
        let source_name = body.value_name(*old);
        body.set_value_name(*new, source_name);
    }
    replace(body, op, &results);
}
