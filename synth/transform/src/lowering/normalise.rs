//! `normalise`: rewrites memory and structured operations to the few forms that the other passes accept.

use sluice_dialects::sluice::STORAGE;
use sluice_dialects::{affine, cf, llvm, memref, scf, ub};
use sluice_ir::{Body, Builder, Context, Diagnostics, NewOperation, OperationId, TypeKind, View};

use crate::analysis::chosen_memories::resolve_choices;
use crate::build::{all_named, constant, replace};
use crate::lowering::views::{resolve_views, size_value, sizes_of};

/// Operations that only give hints and compute nothing.
const NO_HARDWARE: &[&str] = &[
    affine::Prefetch::NAME,
    cf::Assert::NAME,
    memref::Dealloc::NAME,
    memref::Prefetch::NAME,
];

/// Operations that promise something of memories; their results are their operands.
const PROMISES: &[&str] = &[memref::AssumeAlignment::NAME, memref::DistinctObjects::NAME];

/// Operations whose result may be any value.
const UNDEFINED: &[&str] = &[ub::Poison::NAME, llvm::Undef::NAME, llvm::Poison::NAME];

/// Normalises one function body.
pub fn normalise(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    for kind in NO_HARDWARE {
        for op in all_named(context, body, kind) {
            body.erase(op);
        }
    }
    for kind in PROMISES {
        for op in all_named(context, body, kind) {
            let results = body.results(op).len();
            let operands: Vec<_> = body.operands(op).take(results).collect();
            replace(body, op, &operands);
        }
    }
    let undefined = UNDEFINED
        .iter()
        .flat_map(|kind| all_named(context, body, kind));
    for op in undefined.collect::<Vec<_>>() {
        // The value is arbitrary.
        let ty = body.ty(body.result(op, 0));
        let mut builder = Builder::before(context, body, op);
        let zero = constant(&mut builder, ty, 0);
        replace(body, op, &[zero]);
    }
    crate::lowering::unreachable::lower_unreachable(context, body);
    crate::lowering::unsigned_loops::lower_unsigned_loops(context, body);
    crate::lowering::float_classes::lower_float_classes(context, body);
    crate::lowering::switches::lower_switches(context, body);
    crate::datapath::powers::lower_powers(context, body);
    crate::lowering::parallel::lower_forall(context, body);
    crate::lowering::parallel::lower_parallel(context, body);
    // In text order, because the sizes of one memory are often those of an earlier one.
    for op in body.walk_all() {
        match crate::build::name(context, body, op) {
            memref::Cast::NAME | memref::MemorySpaceCast::NAME => forget_cast(context, body, op),
            memref::Dim::NAME => lower_dim(context, body, op),
            memref::Rank::NAME => lower_rank(context, body, op),
            memref::Alloc::NAME | memref::Alloca::NAME => constant_sizes(context, body, op),
            _ => {}
        }
    }
    crate::lowering::atomics::lower_atomics(context, body);
    for op in all_named(context, body, memref::Copy::NAME) {
        if let Err(message) = lower_copy(context, body, op) {
            diagnostics.error(body.location(op), message);
        }
    }
    resolve_views(context, body);
    for kind in [scf::ExecuteRegion::NAME, memref::AllocaScope::NAME] {
        for op in all_named(context, body, kind) {
            inline_region(context, body, op, diagnostics);
        }
    }
    resolve_choices(context, body);
    // The source of a cast may be a selected memory (one of several), or a view.
    for cast in [memref::Cast::NAME, memref::MemorySpaceCast::NAME] {
        for op in all_named(context, body, cast) {
            forget_cast(context, body, op);
        }
    }
    resolve_views(context, body);
    allocations_to_entry(context, body, diagnostics);
}

/// Returns whether an operation accepts a memory of any size as this operand.
fn takes_any_size(name: &str, operand: usize) -> bool {
    match name {
        memref::Load::NAME
        | affine::Load::NAME
        | memref::Dim::NAME
        | memref::Rank::NAME
        | memref::Cast::NAME
        | memref::MemorySpaceCast::NAME => operand == 0,
        memref::Store::NAME | affine::Store::NAME => operand == 1,
        memref::Copy::NAME => true,
        _ => false,
    }
}

/// Bypasses a cast for users that accept a memory of any size; other users keep it, and `legality` reports them.
fn forget_cast(context: &Context, body: &mut Body, op: OperationId) {
    let (from, to) = (body.operand(op, 0), body.result(op, 0));
    let is_same = body.ty(from) == body.ty(to);
    for (user, operand) in body.uses(to).collect::<Vec<_>>() {
        if is_same || takes_any_size(crate::build::name(context, body, user), operand) {
            body.set_operand(user, operand, from);
        }
    }
    if body.is_unused(to) {
        body.erase(op);
    }
}

/// Gives a local memory whose dynamic sizes are constants a static type, followed by a cast to its old type.
fn constant_sizes(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let ty = view.ty(view.result(0));
    let TypeKind::MemRef { shape, .. } = ty.kind(context) else {
        return;
    };
    let mut sizes = view.operand_group(0).into_iter();
    let known: Option<Vec<u64>> = shape
        .iter()
        .map(|size| {
            size.or_else(|| {
                let size = crate::build::constant_i64(context, body, sizes.next()?)?;
                u64::try_from(size).ok()
            })
        })
        .collect();
    let is_static = shape.iter().all(Option::is_some);
    let Some(known) = known.filter(|_| !is_static && view.operand_group(1).is_empty()) else {
        return;
    };
    let mut kind = ty.kind(context).clone();
    if let TypeKind::MemRef { shape, .. } = &mut kind {
        *shape = known.into_iter().map(Some).collect();
    }
    let (name, attributes) = (view.name().to_owned(), body.attributes(op).to_vec());
    let mut builder = Builder::before(context, body, op);
    let made = builder.operation(&name, &[], &[context.ty(kind)], &[]);
    let memory = builder.body.result(made, 0);
    let cast = builder.operation(memref::Cast::NAME, &[memory], &[ty], &[]);
    let any_size = builder.body.result(cast, 0);
    for (name, attribute) in attributes {
        body.set_attribute(made, name, attribute);
    }
    let segments = context.dense_i32_array(&[0, 0]);
    body.set_attribute(made, context.name("operandSegmentSizes"), segments);
    let source_name = body.value_name(body.result(op, 0));
    body.set_value_name(memory, source_name);
    replace(body, op, &[any_size]);
    forget_cast(context, body, cast);
}

/// Replaces `memref.dim` of a known dimension or of a view by that size.
fn lower_dim(context: &Context, body: &mut Body, op: OperationId) {
    let view = View::new(context, body, op);
    let sizes = sizes_of(context, body, view.operand(0));
    let dim = crate::build::constant_i64(context, body, view.operand(1))
        .and_then(|d| usize::try_from(d).ok());
    let Some(size) = sizes.zip(dim).and_then(|(sizes, d)| sizes.get(d).copied()) else {
        return;
    };
    let mut builder = Builder::before(context, body, op);
    let value = size_value(&mut builder, size);
    replace(body, op, &[value]);
}

/// Replaces `memref.rank` by a constant.
fn lower_rank(context: &Context, body: &mut Body, op: OperationId) {
    let TypeKind::MemRef { shape, .. } = body.ty(body.operand(op, 0)).kind(context) else {
        return;
    };
    let Ok(rank) = i64::try_from(shape.len()) else {
        return;
    };
    let mut builder = Builder::before(context, body, op);
    let index = context.index_type();
    let value = constant(&mut builder, index, rank);
    replace(body, op, &[value]);
}

/// Lowers a copy to a nest of loops.
fn lower_copy(context: &Context, body: &mut Body, op: OperationId) -> Result<(), String> {
    let view = View::new(context, body, op);
    let (source, target) = (view.operand(0), view.operand(1));
    let ty = view.ty(source);
    let shape = sizes_of(context, body, source)
        .or_else(|| sizes_of(context, body, target))
        .ok_or("`memref.copy` of a memref with a dynamic size has no hardware: give every dimension a constant size")?;
    let element = ty
        .element_type(context)
        .ok_or("`memref.copy` copies memrefs")?;
    let index = context.index_type();
    let mut builder = Builder::before(context, body, op);
    let location = builder.location;
    let zero = constant(&mut builder, index, 0);
    let one = constant(&mut builder, index, 1);
    let mut variables = Vec::new();
    for size in shape {
        let upper = size_value(&mut builder, size);
        let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
        new.operands.extend([zero, upper, one]);
        new.n_regions = 1;
        let scf = builder.create(new);
        let region = builder.body.regions(scf)[0];
        let block = builder.body.append_block(region);
        variables.push(builder.body.add_argument(block, index, location));
        builder.point = sluice_ir::InsertionPoint::End(block);
        let end = builder.operation(scf::Yield::NAME, &[], &[], &[]);
        builder.point = sluice_ir::InsertionPoint::Before(end);
    }
    let mut operands = vec![source];
    operands.extend(&variables);
    let load = builder.operation(memref::Load::NAME, &operands, &[element], &[]);
    let value = builder.body.result(load, 0);
    let mut operands = vec![value, target];
    operands.extend(&variables);
    builder.operation(memref::Store::NAME, &operands, &[], &[]);
    body.erase(op);
    Ok(())
}

/// Replaces a region that executes once by its operations; several blocks are first structured into one.
fn inline_region(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    diagnostics: &mut Diagnostics,
) {
    let region = body.regions(op)[0];
    if body.blocks(region).len() > 1 {
        crate::lowering::structure::lift(context, body, region, diagnostics);
    }
    let [block] = body.blocks(region) else { return };
    let block = *block;
    let values = crate::build::yielded(body, op, 0);
    crate::build::move_all_but_last(body, block, op);
    replace(body, op, &values);
}

/// Moves allocations to the entry block, because hardware has each local memory once.
fn allocations_to_entry(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let Some(region) = body.top_regions().next() else {
        return;
    };
    let Some(entry) = body.blocks(region).first().copied() else {
        return;
    };
    for kind in [memref::Alloc::NAME, memref::Alloca::NAME] {
        for op in all_named(context, body, kind) {
            let ty = body.ty(body.result(op, 0));
            let TypeKind::MemRef { shape, layout, .. } = ty.kind(context) else {
                continue;
            };
            if layout.is_some() {
                // `legality` reports this case.
                continue;
            }
            if !shape.iter().all(Option::is_some) {
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
                memref::Alloca::NAME,
                &[],
                &[ty],
                &[("operandSegmentSizes", context.dense_i32_array(&[0, 0]))],
            );
            // Directives for banks and storage move with the allocation.
            for key in [
                sluice_dialects::sluice::BANKS,
                sluice_dialects::sluice::ARRAY,
                STORAGE,
            ] {
                if let Some(request) = body.attribute_named(context, op, key) {
                    body.set_attribute(new, context.name(key), request);
                }
            }
            let value = body.result(new, 0);
            replace(body, op, &[value]);
        }
    }
}
