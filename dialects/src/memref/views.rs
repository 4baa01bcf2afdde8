//! Views of a memory with another type, shape or order of dimensions.

use smallvec::{SmallVec, smallvec};

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::definition::Site;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{AttributeKind, Diagnostics, Type, View};

use super::strided::{Parts, Strided, linear_map, parts, strided};
use super::{op_error, quoted};
use crate::constraints::{
    AFFINE_MAP, ANY_MEMREF, INDEX, MEMREF, MEMREF_0D, MEMREF_OF_BYTES, MEMREF_OF_SIZES,
    STRIDED_MEMREF,
};

sluice_ods::dialect! {
    group "memref";

    /// Bytes reinterpreted as cells of another type.
    op ViewOp = "view" {
        traits: [PURE, VIEW_LIKE],
        operands: { source: MEMREF_OF_BYTES, byte_shift: INDEX, sizes: variadic INDEX },
        results: { result: MEMREF },
        assembly: "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($result)",
        verify: verify_view,
    }

    /// Gives the same cells in another shape, whose sizes are read from a memory.
    op Reshape = "reshape" {
        traits: [VIEW_LIKE],
        operands: { source: ANY_MEMREF, shape: MEMREF_OF_SIZES },
        effects: [Read(1)],
        results: { result: ANY_MEMREF },
        assembly: "$source `(` $shape `)` attr-dict `:` `(` type($source) `,` type($shape) `)` `->` type($result)",
        verify: verify_reshape,
    }

    /// The same memory with its dimensions in another order.
    op Transpose = "transpose" {
        traits: [PURE, VIEW_LIKE],
        operands: { input: STRIDED_MEMREF },
        attributes: { permutation: AFFINE_MAP },
        results: { result: STRIDED_MEMREF },
        assembly: custom(parse_transpose, print_transpose),
        verify: verify_transpose,
    }

    /// The first cell of a memory, and its offset, sizes and strides.
    op ExtractStridedMetadata = "extract_strided_metadata" {
        traits: [PURE, VIEW_LIKE, SAME_VARIADIC_RESULT_SIZE],
        operands: { source: STRIDED_MEMREF },
        results: { base_buffer: MEMREF_0D, offset: INDEX, sizes: variadic INDEX, strides: variadic INDEX },
        assembly: custom(parse_metadata, print_metadata),
        infer: metadata_types,
    }

    /// The address of a memory.
    op ExtractAlignedPointerAsIndex = "extract_aligned_pointer_as_index" {
        traits: [PURE],
        operands: { source: ANY_MEMREF },
        results: { aligned_pointer: INDEX },
        assembly: "$source `:` type($source) `->` type($aligned_pointer) attr-dict",
    }
}

fn verify_view(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(source), Some(result)) = (parts(context, from), parts(context, to)) else {
        return;
    };
    let dynamic = result.shape.iter().filter(|size| size.is_none()).count();
    let message = if !source.is_identity(context) {
        format!(
            "unsupported map for base memref type {}",
            quoted(view, from)
        )
    } else if !result.is_identity(context) {
        format!(
            "unsupported map for result memref type {}",
            quoted(view, to)
        )
    } else if source.memory_space != result.memory_space {
        format!(
            "different memory spaces specified for base memref type {} and view memref type {}",
            quoted(view, from),
            quoted(view, to)
        )
    } else if dynamic != view.operands().len() - 2 {
        format!(
            "incorrect number of size operands for type {}",
            quoted(view, to)
        )
    } else {
        return;
    };
    diagnostics.error(view.location(), message);
}

fn verify_reshape(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let is_identity =
        |ty: Type| parts(context, ty).is_none_or(|memref| memref.is_identity(context));
    let length = parts(context, view.ty(view.operand(1))).and_then(|shape| shape.shape[0]);
    let message = if from.element_type(context) != to.element_type(context) {
        "element types of source and destination memref types should be the same"
    } else if !is_identity(from) {
        "source memref type should have identity affine map"
    } else {
        match (parts(context, to), length) {
            (None, _) => return,
            (Some(result), _) if !result.is_identity(context) => {
                "result memref type should have identity affine map"
            }
            (Some(_), None) => {
                "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
            }
            (Some(result), Some(length)) if u64::try_from(result.rank()) != Ok(length) => {
                "length of shape operand differs from the result's memref rank"
            }
            _ => return,
        }
    };
    op_error(view, diagnostics, message);
}

fn parse_transpose(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let input = parser.parse_operand()?;
    let map = parser.parse_affine_map()?;
    state.set_attribute(context, "permutation", context.affine_map_attribute(map));
    parser.parse_attribute_dictionary(state)?;
    let from = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let to = parser.parse_type()?;
    parser.resolve_operand(input, from, state)?;
    state.add_results(&[to]);
    Ok(())
}

pub(super) fn permutation(view: View<'_>) -> Option<&AffineMap> {
    let map = view.attribute("permutation")?;
    map.as_affine_map(view.context)
}

fn print_transpose(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    if let Some(map) = permutation(view) {
        printer.text(&format!(" {map}"));
    }
    printer.attribute_dictionary(view, &["permutation"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" to ");
    printer.ty(view.ty(view.result(0)));
}

/// Returns the source dimension of each result of a permutation.
pub(super) fn permuted(map: &AffineMap) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for result in &map.results {
        let AffineExpr::Dim(dim) = result else {
            return None;
        };
        let dim = usize::try_from(*dim).ok()?;
        if found.contains(&dim) {
            return None;
        }
        found.push(dim);
    }
    (map.n_symbols == 0 && u32::try_from(found.len()) == Ok(map.n_dims)).then_some(found)
}

fn verify_transpose(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(map), Some(source), Some(layout)) = (
        permutation(view),
        parts(context, from),
        strided(context, from),
    ) else {
        return;
    };
    let Some(order) = permuted(map) else {
        return op_error(view, diagnostics, "expected a permutation map");
    };
    if order.len() != source.rank() {
        let message = "expected a permutation map of same rank as the input";
        return op_error(view, diagnostics, message);
    }
    let shape: Vec<_> = order.iter().map(|i| source.shape[*i]).collect();
    let wanted = Strided {
        strides: order.iter().map(|i| layout.strides[*i]).collect(),
        offset: layout.offset,
    };
    let same = parts(context, to).is_some_and(|result| {
        result.shape == shape
            && result.element == source.element
            && result.memory_space == source.memory_space
    });
    // With unknown sizes, the layout cannot be shown to be the identity.
    let is_dynamic = wanted.strides.iter().any(Option::is_none) || wanted.offset.is_none();
    let is_plain = parts(context, to).is_some_and(|result| result.layout.is_none());
    if !same || is_plain && is_dynamic || strided(context, to).as_ref() != Some(&wanted) {
        let map = context.attribute(AttributeKind::AffineMap(linear_map(&wanted)));
        let expected = Parts {
            shape: &shape,
            layout: Some(map),
            ..source
        };
        let message = format!(
            "result type {} is not equivalent to the canonical transposed input type {}",
            quoted(view, to),
            quoted(view, expected.ty(context))
        );
        op_error(view, diagnostics, message);
    }
}

fn metadata_types(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let context = site.context;
    let source = site
        .operand_types
        .first()
        .and_then(|ty| parts(context, *ty));
    let source = source.ok_or("metadata is that of a memref")?;
    let base = Parts {
        shape: &[],
        layout: None,
        ..source
    };
    let mut types: SmallVec<[Type; 2]> = smallvec![base.ty(context)];
    types.resize(2 + 2 * source.rank(), context.index_type());
    Ok(types)
}

fn parse_metadata(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let source = parser.parse_operand()?;
    let ty = parser.parse_colon_type()?;
    parser.parse_punctuation("->")?;
    let results = parser.parse_type_list()?;
    parser.parse_attribute_dictionary(state)?;
    parser.resolve_operand(source, ty, state)?;
    state.add_results(&results);
    Ok(())
}

fn print_metadata(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" -> ");
    printer.types(view.result_types());
    printer.attribute_dictionary(view, &[]);
}
