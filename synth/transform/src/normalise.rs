//! `normalise`: memory operations and structured operations brought to the few forms the other passes know.

use sluice_dialects::storage::STORAGE;
use sluice_ir::{Body, Builder, Context, Diagnostics, NewOperation, OperationId, TypeKind, View};

use crate::build::{all_named, constant, replace};

/// Normalises one function body.
pub fn normalise(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for kind in ["memref.dealloc", "memref.assume_alignment", "cf.assert"] {
        for op in all_named(context, body, kind) {
            body.erase(op);
        }
    }
    for op in all_named(context, body, "ub.poison") {
        // Any value will do.
        let ty = body.ty(body.result(op, 0));
        let mut builder = Builder::before(context, body, op);
        let zero = constant(&mut builder, ty, 0);
        replace(body, op, &[zero]);
    }
    crate::switches::lower_switches(context, body);
    crate::parallel::lower_parallel(context, body);
    for op in all_named(context, body, "memref.cast") {
        let operand = body.operand(op, 0);
        replace(body, op, &[operand]);
    }
    for op in all_named(context, body, "memref.dim") {
        lower_dim(context, body, op);
    }
    for op in all_named(context, body, "memref.copy") {
        if let Err(message) = lower_copy(context, body, op) {
            diagnostics.error(body.location(op), message);
        }
    }
    for op in all_named(context, body, "scf.execute_region") {
        inline_region(body, op);
    }
    allocations_to_entry(context, body, diagnostics);
}

/// The size of a static dimension is a constant.
fn lower_dim(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let shape = view.ty(view.operand(0)).static_shape(context);
    let dim = crate::build::constant_i64(context, body, view.operand(1))
        .and_then(|d| usize::try_from(d).ok());
    let Some(size) = shape
        .zip(dim)
        .and_then(|(shape, dim)| shape.get(dim).copied())
    else {
        return;
    };
    let Ok(size) = i64::try_from(size) else {
        return;
    };
    let mut builder = Builder::before(context, body, op);
    let index = context.index_type();
    let value = constant(&mut builder, index, size);
    replace(body, op, &[value]);
}

/// A copy is a nest of loops.
fn lower_copy(context: &Context, body: &mut Body, op: OperationId) -> Result<(), String> {
    let view = View::new(context, body, op);
    let (source, target) = (view.operand(0), view.operand(1));
    let ty = view.ty(source);
    let shape = ty
        .static_shape(context)
        .ok_or("`memref.copy` needs a static shape")?;
    let element = ty
        .element_type(context)
        .ok_or("`memref.copy` copies memrefs")?;
    let index = context.index_type();
    let mut builder = Builder::before(context, body, op);
    let location = builder.location;
    let zero = constant(&mut builder, index, 0);
    let one = constant(&mut builder, index, 1);
    let mut variables = Vec::new();
    for size in &shape {
        let size = i64::try_from(*size).map_err(|_| "a dimension is too large")?;
        let upper = constant(&mut builder, index, size);
        let mut new = NewOperation::new(context.operation_name("scf.for"), location);
        new.operands.extend([zero, upper, one]);
        new.n_regions = 1;
        let scf = builder.create(new);
        let region = builder.body.regions(scf)[0];
        let block = builder.body.append_block(region);
        variables.push(builder.body.add_argument(block, index, location));
        builder.point = sluice_ir::InsertionPoint::End(block);
        let end = builder.operation("scf.yield", &[], &[], &[]);
        builder.point = sluice_ir::InsertionPoint::Before(end);
    }
    let mut operands = vec![source];
    operands.extend(&variables);
    let load = builder.operation("memref.load", &operands, &[element], &[]);
    let value = builder.body.result(load, 0);
    let mut operands = vec![value, target];
    operands.extend(&variables);
    builder.operation("memref.store", &operands, &[], &[]);
    body.erase(op);
    Ok(())
}

/// A region that is executed once and has one block is no region.
fn inline_region(body: &mut Body, op: OperationId) {
    let region = body.regions(op)[0];
    let [block] = body.blocks(region) else { return };
    let block = *block;
    let values = crate::build::yielded(body, op, 0);
    crate::build::move_all_but_last(body, block, op);
    replace(body, op, &values);
}

/// Local memories are made once: allocations move to the entry block.
fn allocations_to_entry(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let Some(region) = body.top_regions().next() else {
        return;
    };
    let Some(entry) = body.blocks(region).first().copied() else {
        return;
    };
    for kind in ["memref.alloc", "memref.alloca"] {
        for op in all_named(context, body, kind) {
            let ty = body.ty(body.result(op, 0));
            let is_static = matches!(ty.kind(context), TypeKind::MemRef { shape, .. } if shape.iter().all(Option::is_some));
            if !is_static {
                diagnostics.error(
                    body.location(op),
                    format!("`{kind}` of a memref with a dynamic size has no hardware: give every dimension a constant size"),
                );
                continue;
            }
            let first = body
                .first_operation(entry)
                .expect("the allocation itself is in the body");
            let mut builder = Builder::before(context, body, first);
            builder.location = builder.body.location(op);
            let new = builder.operation(
                "memref.alloca",
                &[],
                &[ty],
                &[("operandSegmentSizes", context.dense_i32_array(&[0, 0]))],
            );
            // What is asked for banks and storage goes along.
            for key in [crate::bank::BANKS, crate::bank::ARRAY, STORAGE] {
                if let Some(wish) = body.attribute_named(context, op, key) {
                    body.set_attribute(new, context.name(key), wish);
                }
            }
            let value = body.result(new, 0);
            replace(body, op, &[value]);
        }
    }
}
