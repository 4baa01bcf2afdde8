//! The `expand-strided-metadata` pass: views become casts of a base buffer, with offset, sizes and strides computed before.
//!
//! Source: MLIR, `ExpandStridedMetadata`. Covers subviews, and expanded and collapsed shapes of known sizes and strides. Not yet: the
//! metadata of allocations and globals, and shapes of open sizes.

use sluice_dialects::index_lists::DYNAMIC;
use sluice_dialects::memref::{self, Extent, extents, strided, window};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::effects::viewed_memory;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{Body, Context, NewOperation, OperationId, Type, TypeKind, ValueId};

use crate::canonicalize;
use crate::fold_views::{extent_of, value_of};

/// Expands the views of a body.
pub(crate) fn expand(context: &Context, body: &mut Body) {
    canonicalize::drive(context, body, PATTERNS);
}

const PATTERNS: &[&Pattern] = &[
    &Pattern {
        name: "subview-as-cast",
        roots: &[memref::Subview::NAME],
        benefit: 1,
        rewrite: |r, op| subview(r, op).is_some(),
    },
    &Pattern {
        name: "shape-as-cast",
        roots: &[memref::ExpandShape::NAME, memref::CollapseShape::NAME],
        benefit: 1,
        rewrite: |r, op| shape(r, op).is_some(),
    },
    &Pattern {
        name: "metadata-of-cast",
        roots: &[memref::ExtractStridedMetadata::NAME],
        benefit: 1,
        rewrite: |r, op| metadata_of_cast(r, op).is_some(),
    },
    &Pattern {
        name: "metadata-of-type",
        roots: &[memref::ExtractStridedMetadata::NAME],
        benefit: 1,
        rewrite: metadata_of_type,
    },
    &Pattern {
        name: "address-of-view",
        roots: &[memref::ExtractAlignedPointerAsIndex::NAME],
        benefit: 1,
        rewrite: |r, op| address_of_view(r, op).is_some(),
    },
];

/// The base buffer of a memory, with its offset and strides.
struct Metadata {
    base: ValueId,
    offset: Extent,
    strides: Vec<Extent>,
}

/// Emits `memref.extract_strided_metadata`; what the type tells is a number.
fn metadata(r: &mut Rewriter<'_>, anchor: OperationId, source: ValueId) -> Option<Metadata> {
    let context = r.context;
    let ty = r.body().ty(source);
    let layout = strided(context, ty)?;
    let TypeKind::MemRef {
        element,
        memory_space,
        ..
    } = ty.kind(context)
    else {
        return None;
    };
    let base = context.ty(TypeKind::MemRef {
        shape: Box::new([]),
        element: *element,
        layout: None,
        memory_space: *memory_space,
    });
    let rank = layout.strides.len();
    let index = context.index_type();
    let location = r.body().location(anchor);
    let name = context.operation_name(memref::ExtractStridedMetadata::NAME);
    let mut new = NewOperation::new(name, location);
    new.operands.push(source);
    new.result_types.push(base);
    new.result_types
        .extend(std::iter::repeat_n(index, 1 + 2 * rank));
    let made = r.create(anchor, new);
    let result = |i: usize| r.body().result(made, i);
    let extent =
        |known: Option<i64>, i: usize| known.map_or(Extent::Value(result(i)), Extent::Known);
    let strides = layout.strides.iter().enumerate();
    Some(Metadata {
        base: result(0),
        offset: extent(layout.offset, 1),
        strides: strides
            .map(|(i, stride)| extent(*stride, 2 + rank + i))
            .collect(),
    })
}

/// A sum of products of extents, as a map of symbols.
#[derive(Default)]
struct Terms {
    values: Vec<ValueId>,
}

impl Terms {
    fn expression(&mut self, extent: Extent) -> AffineExpr {
        match extent {
            Extent::Known(number) => AffineExpr::Constant(number),
            Extent::Value(value) => {
                self.values.push(value);
                let symbol = self.values.len() - 1;
                AffineExpr::Symbol(u32::try_from(symbol).unwrap_or(u32::MAX))
            }
        }
    }

    fn extent(self, r: &mut Rewriter<'_>, anchor: OperationId, sum: AffineExpr) -> Option<Extent> {
        let map = AffineMap {
            n_dims: 0,
            n_symbols: u32::try_from(self.values.len()).ok()?,
            results: vec![sum],
        };
        extent_of(r, anchor, &map, &self.values)
    }
}

fn subview(r: &mut Rewriter<'_>, op: OperationId) -> Option<()> {
    let view = r.view(op);
    let window = window(view)?;
    let is_kept: Vec<bool> = window
        .map
        .results
        .iter()
        .map(|result| (0..window.map.n_dims).any(|dim| result.uses_dim(dim)))
        .collect();
    let offsets = extents(view, "static_offsets", 1)?;
    let strides = extents(view, "static_strides", 3)?;
    let source = view.operand(0);
    let own = metadata(r, op, source)?;
    let mut new_strides = Vec::new();
    for (stride, by) in strides.into_iter().zip(&own.strides) {
        let mut terms = Terms::default();
        let product = terms.expression(stride) * terms.expression(*by);
        new_strides.push(terms.extent(r, op, product)?);
    }
    let mut terms = Terms::default();
    let mut sum = terms.expression(own.offset);
    for (offset, by) in offsets.into_iter().zip(&own.strides) {
        sum = sum + terms.expression(offset) * terms.expression(*by);
    }
    let offset = terms.extent(r, op, sum)?;
    let kept = new_strides.into_iter().zip(is_kept);
    let strides: Vec<Extent> = kept
        .filter(|(_, kept)| *kept)
        .map(|(stride, _)| stride)
        .collect();
    cast(r, op, own.base, offset, &window.sizes, &strides)
}

/// Rewrites a shape whose sizes and strides are known.
fn shape(r: &mut Rewriter<'_>, op: OperationId) -> Option<()> {
    let view = r.view(op);
    let ty = view.ty(view.result(0));
    let sizes = ty.static_shape(r.context)?;
    let sizes: Option<Vec<Extent>> = sizes
        .into_iter()
        .map(|size| i64::try_from(size).ok().map(Extent::Known))
        .collect();
    let strides = strided(r.context, ty)?.strides.into_iter();
    let strides: Option<Vec<Extent>> = strides.map(|stride| stride.map(Extent::Known)).collect();
    let (sizes, strides, source) = (sizes?, strides?, view.operand(0));
    let own = metadata(r, op, source)?;
    cast(r, op, own.base, own.offset, &sizes, &strides)
}

/// Replaces a view by `memref.reinterpret_cast`.
fn cast(
    r: &mut Rewriter<'_>,
    op: OperationId,
    base: ValueId,
    offset: Extent,
    sizes: &[Extent],
    strides: &[Extent],
) -> Option<()> {
    let context = r.context;
    let view = r.view(op);
    let ty: Type = view.ty(view.result(0));
    let name = context.operation_name(memref::ReinterpretCast::NAME);
    let mut new = NewOperation::new(name, view.location());
    new.operands.push(base);
    new.result_types.push(ty);
    let mut counts = vec![1];
    let lists: [(&str, &[Extent]); 3] = [
        ("static_offsets", &[offset]),
        ("static_sizes", sizes),
        ("static_strides", strides),
    ];
    for (name, list) in lists {
        let before = new.operands.len();
        let numbers = list.iter().map(|extent| match extent {
            Extent::Known(number) => *number,
            Extent::Value(value) => {
                new.operands.push(*value);
                DYNAMIC
            }
        });
        let numbers: Vec<i64> = numbers.collect();
        counts.push(i32::try_from(new.operands.len() - before).ok()?);
        let numbers = context.dense_i64_array(&numbers);
        new.attributes.push((context.name(name), numbers));
    }
    let counts = context.dense_i32_array(&counts);
    new.attributes
        .push((context.name("operandSegmentSizes"), counts));
    let made = r.create(op, new);
    let result = r.body().result(made, 0);
    r.replace(op, &[result]);
    Some(())
}

/// Replaces the metadata of a cast by what the cast says.
fn metadata_of_cast(r: &mut Rewriter<'_>, op: OperationId) -> Option<()> {
    let view = r.view(op);
    let maker = view.at(view.body.defining_operation(view.operand(0))?);
    if maker.name() != memref::ReinterpretCast::NAME {
        return None;
    }
    let lists = [
        extents(maker, "static_offsets", 1)?,
        extents(maker, "static_sizes", 2)?,
        extents(maker, "static_strides", 3)?,
    ]
    .concat();
    let source = maker.operand(0);
    let origin = view.body.defining_operation(source);
    let is_base =
        origin.is_some_and(|origin| view.at(origin).name() == memref::ExtractStridedMetadata::NAME);
    let base = match is_base {
        true => source,
        false => metadata(r, op, source)?.base,
    };
    // As upstream, constants are in the order of the results.
    let mut values = Vec::new();
    for extent in lists.into_iter().rev() {
        values.push(value_of(r, op, extent)?);
    }
    values.push(base);
    values.reverse();
    r.replace(op, &values);
    Some(())
}

/// Replaces an offset, sizes and strides that the type tells by constants.
fn metadata_of_type(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let ty = view.ty(view.operand(0));
    let (Some(layout), TypeKind::MemRef { shape, .. }) =
        (strided(r.context, ty), ty.kind(r.context))
    else {
        return false;
    };
    let sizes = shape
        .iter()
        .map(|size| size.and_then(|size| i64::try_from(size).ok()));
    let known: Vec<Option<i64>> = std::iter::once(layout.offset)
        .chain(sizes)
        .chain(layout.strides.iter().copied())
        .collect();
    let results = view.results().to_vec();
    let mut is_changed = false;
    for (result, known) in results.into_iter().skip(1).zip(known) {
        if let Some(known) = known.filter(|_| !r.body().is_unused(result))
            && let Some(value) = value_of(r, op, Extent::Known(known))
        {
            r.replace_value(result, value);
            is_changed = true;
        }
    }
    is_changed
}

/// Takes the address of the memory that is viewed: a view has the same base.
fn address_of_view(r: &mut Rewriter<'_>, op: OperationId) -> Option<()> {
    let view = r.view(op);
    let maker = view.at(view.body.defining_operation(view.operand(0))?);
    let source = viewed_memory(maker)?;
    r.update(op, |body| body.set_operand(op, 0, source));
    Some(())
}
