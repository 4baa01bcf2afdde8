//! Patterns for memories: known sizes, casts, allocations that are never read, affine operations on constants.
//!
//! Source: the folds and canonicalisations of MLIR's memref and affine dialects.

use sluice_dialects::{affine, memref};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::types::Dimension;
use sluice_ir::{AttributeKind, NewOperation, OperationId, TypeKind, ValueId, View};

use super::tools::{become_value, constant, made_by, make, splat};

pub(super) const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "size-that-is-known",
        roots: &[memref::Dim::NAME],
        benefit: 2,
        rewrite: known_size,
    },
    &Pattern {
        name: "rank-that-is-known",
        roots: &[memref::Rank::NAME],
        benefit: 2,
        rewrite: known_rank,
    },
    &Pattern {
        name: "allocation-with-constant-sizes",
        roots: &[memref::Alloc::NAME, memref::Alloca::NAME],
        benefit: 1,
        rewrite: constant_sizes,
    },
    &Pattern {
        name: "allocation-nobody-reads",
        roots: &[memref::Alloc::NAME, memref::Realloc::NAME],
        benefit: 1,
        rewrite: is_never_read,
    },
    &Pattern {
        name: "access-through-cast",
        roots: &[
            memref::Load::NAME,
            memref::Store::NAME,
            memref::Dealloc::NAME,
            memref::AtomicRmw::NAME,
            memref::Prefetch::NAME,
            memref::Copy::NAME,
            affine::Load::NAME,
            affine::Store::NAME,
            affine::Prefetch::NAME,
        ],
        benefit: 1,
        rewrite: through_cast,
    },
    &Pattern {
        name: "cast-of-cast",
        roots: &[memref::Cast::NAME],
        benefit: 1,
        rewrite: cast_of_cast,
    },
    &Pattern {
        name: "view-of-the-same-type",
        roots: &[
            memref::CollapseShape::NAME,
            memref::ExpandShape::NAME,
            memref::Subview::NAME,
            memref::ReinterpretCast::NAME,
            memref::MemorySpaceCast::NAME,
        ],
        benefit: 2,
        rewrite: same_view,
    },
    &Pattern {
        name: "space-cast-of-space-cast",
        roots: &[memref::MemorySpaceCast::NAME],
        benefit: 1,
        rewrite: cast_of_space_cast,
    },
    &Pattern {
        name: "scope-without-allocations",
        roots: &[memref::AllocaScope::NAME],
        benefit: 1,
        rewrite: scope_without_allocations,
    },
    &Pattern {
        name: "copy-to-itself",
        roots: &[memref::Copy::NAME],
        benefit: 1,
        rewrite: copy_to_itself,
    },
    &Pattern {
        name: "affine-map-of-constants",
        roots: &[affine::Apply::NAME, affine::Min::NAME, affine::Max::NAME],
        benefit: 2,
        rewrite: map_of_constants,
    },
    &Pattern {
        name: "affine-if-empty-else",
        roots: &[affine::If::NAME],
        benefit: 1,
        rewrite: empty_else,
    },
];

fn shape(view: View<'_>, value: ValueId) -> Option<&[Dimension]> {
    match view.ty(value).kind(view.context) {
        TypeKind::MemRef { shape, .. } => Some(shape),
        _ => None,
    }
}

fn index(r: &mut Rewriter<'_>, op: OperationId, value: i64) -> ValueId {
    let ty = r.context.index_type();
    constant(r, op, ty, Bits::from_i64(64, value))
}

/// Folds `memref.dim` to the size from the type or from the operands of the allocation.
fn known_size(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let source = view.operand(0);
    let number = splat(r.context, view.body, view.operand(1));
    let number = number.and_then(|bits| usize::try_from(bits.to_i64()?).ok());
    let Some((shape, number)) = shape(view, source).zip(number) else {
        return false;
    };
    let Some(size) = shape.get(number).copied() else {
        return false;
    };
    if let Some(size) = size {
        let Ok(size) = i64::try_from(size) else {
            return false;
        };
        let value = index(r, op, size);
        return become_value(r, op, value);
    }
    let position = shape[..number].iter().filter(|size| size.is_none()).count();
    for name in [memref::Alloc::NAME, memref::Alloca::NAME] {
        if let Some(made) = made_by(view, source, name)
            && let Some(value) = made.operand_group(0).get(position).copied()
        {
            return become_value(r, op, value);
        }
    }
    let Some(cast) = made_by(view, source, memref::Cast::NAME) else {
        return false;
    };
    let inner = cast.operand(0);
    if !matches!(view.ty(inner).kind(r.context), TypeKind::MemRef { .. }) {
        return false;
    }
    r.update(op, |body| body.set_operand(op, 0, inner));
    true
}

fn known_rank(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(rank) = shape(view, view.operand(0)).and_then(|shape| i64::try_from(shape.len()).ok())
    else {
        return false;
    };
    let value = index(r, op, rank);
    become_value(r, op, value)
}

/// Moves constant sizes of an allocation into its type, and casts the result to the old type.
fn constant_sizes(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let context = r.context;
    let result = view.result(0);
    let old = view.ty(result);
    let TypeKind::MemRef {
        shape,
        element,
        layout,
        memory_space,
    } = old.kind(context)
    else {
        return false;
    };
    let sizes = view.operand_group(0);
    let symbols = view.operand_group(1);
    let mut left = Vec::new();
    let mut given = sizes.iter();
    let mut known = Vec::new();
    for size in shape {
        let dynamic = match size {
            Some(_) => None,
            None => given.next(),
        };
        let number = dynamic.and_then(|value| splat(context, view.body, *value));
        let number = number.and_then(|bits| u64::try_from(bits.to_i64()?).ok());
        known.push(size.or(number));
        left.extend(dynamic.filter(|_| number.is_none()).copied());
    }
    if left.len() == sizes.len() {
        return false;
    }
    let ty = context.ty(TypeKind::MemRef {
        shape: known.into_boxed_slice(),
        element: *element,
        layout: *layout,
        memory_space: *memory_space,
    });
    let mut new = NewOperation::new(view.body.name(op), view.location());
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let segments = context.dense_i32_array(&[count(left.len()), count(symbols.len())]);
    new.attributes = view.attributes().to_vec();
    new.operands = left.into_iter().chain(symbols).collect();
    new.result_types.push(ty);
    let name = context.name("operandSegmentSizes");
    let made = r.create(op, new);
    r.update(made, |body| body.set_attribute(made, name, segments));
    let value = r.body().result(made, 0);
    let cast = make(r, op, memref::Cast::NAME, &[value], old, &[]);
    become_value(r, op, cast)
}

/// Erases a memory that is only written and freed.
fn is_never_read(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let result = view.result(0);
    let users: Vec<(OperationId, usize)> = view.body.uses(result).collect();
    let is_written = |(user, index): &(OperationId, usize)| match view.at(*user).name() {
        memref::Store::NAME => *index == 1,
        memref::Dealloc::NAME => true,
        _ => false,
    };
    if !users.iter().all(is_written) {
        return false;
    }
    for (user, _) in users {
        r.erase(user);
    }
    r.erase(op);
    true
}

/// Returns the operand of the cast that defines a value, if the rank of that operand is known.
fn cast_source(view: View<'_>, value: ValueId) -> Option<ValueId> {
    let source = made_by(view, value, memref::Cast::NAME)?.operand(0);
    let is_ranked = matches!(view.ty(source).kind(view.context), TypeKind::MemRef { .. });
    is_ranked.then_some(source)
}

/// Makes accesses use the memory before the cast.
fn through_cast(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    // The stored value is skipped: its type must not change.
    let stored = matches!(
        view.name(),
        memref::Store::NAME | affine::Store::NAME | memref::AtomicRmw::NAME
    );
    let operands = view.operands().enumerate().skip(usize::from(stored));
    let found: Vec<(usize, ValueId)> = operands
        .filter_map(|(i, value)| Some((i, cast_source(view, value)?)))
        .collect();
    if found.is_empty() {
        return false;
    }
    r.update(op, |body| {
        for (i, source) in found {
            body.set_operand(op, i, source);
        }
    });
    true
}

fn cast_of_cast(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (source, ty) = (view.operand(0), view.ty(view.result(0)));
    if view.ty(source) == ty {
        return become_value(r, op, source);
    }
    let Some(inner) = cast_source(view, source) else {
        return false;
    };
    r.update(op, |body| body.set_operand(op, 0, inner));
    true
}

/// Replaces a view by its source, if the types are equal and the type is fully static.
fn same_view(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (source, ty) = (view.operand(0), view.ty(view.result(0)));
    if view.ty(source) != ty {
        return false;
    }
    let is_static = match ty.kind(r.context) {
        TypeKind::MemRef { shape, layout, .. } => {
            let layout = layout.map(|layout| layout.kind(r.context));
            let known = match layout {
                None => true,
                Some(AttributeKind::StridedLayout { offset, strides }) => {
                    offset.is_some() && strides.iter().all(Option::is_some)
                }
                Some(_) => false,
            };
            known && shape.iter().all(Option::is_some)
        }
        _ => false,
    };
    let changes_nothing = view.name() == memref::MemorySpaceCast::NAME;
    if !changes_nothing && (!is_static || view.operands().len() != 1) {
        return false;
    }
    become_value(r, op, source)
}

fn cast_of_space_cast(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(inner) = made_by(view, view.operand(0), view.name()) else {
        return false;
    };
    let source = inner.operand(0);
    r.update(op, |body| body.set_operand(op, 0, source));
    true
}

/// Inlines a scope that contains no stack allocation.
fn scope_without_allocations(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let allocates = |inner: &OperationId| {
        let view = r.view(*inner);
        let known = view.definition();
        *inner != op
            && (view.name() == memref::Alloca::NAME
                || known.is_none_or(|d| !view.regions().is_empty() && d.effects.is_empty()))
    };
    let Some(block) = body.entry_block(op, 0) else {
        return false;
    };
    if body.walk(op).iter().any(allocates) {
        return false;
    }
    let values = r.inline_block(block, op, &[]);
    r.replace(op, &values);
    true
}

/// Erases a copy of a memory to itself, or of an empty memory.
fn copy_to_itself(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (from, to) = (view.operand(0), view.operand(1));
    let is_empty = |value| shape(view, value).is_some_and(|shape| shape.contains(&Some(0)));
    if from != to && !is_empty(from) && !is_empty(to) {
        return false;
    }
    r.erase(op);
    true
}

fn map_of_constants(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let map = view
        .attribute("map")
        .and_then(|a| a.as_affine_map(r.context));
    let operands: Option<Vec<i64>> = view
        .operands()
        .map(|value| splat(r.context, view.body, value)?.to_i64())
        .collect();
    let Some(values) = map.zip(operands).and_then(|(map, x)| map.evaluate(&x)) else {
        return false;
    };
    let value = match view.name() {
        affine::Min::NAME => values.into_iter().min(),
        affine::Max::NAME => values.into_iter().max(),
        _ => values.first().copied(),
    };
    let Some(value) = value else { return false };
    let value = index(r, op, value);
    become_value(r, op, value)
}

fn empty_else(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let body = r.body();
    let block = body.entry_block(op, 1);
    let Some(block) = block.filter(|_| body.results(op).is_empty()) else {
        return false;
    };
    if body.first_operation(block) != body.last_operation(block) {
        return false;
    }
    r.update(op, |body| body.erase_block(block));
    true
}
