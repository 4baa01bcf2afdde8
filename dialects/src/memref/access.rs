//! Reads and writes of cells, casts and queries.

use sluice_ir::simplify::constant_of;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, Context, Diagnostics, Type, TypeKind, View};

use super::strided::{parts, strided};
use super::{op_error, quoted};
use crate::constraints::{
    ANY_MEMREF, ANY_TYPE, BOOL, I64_POWER_OF_TWO, INDEX, LOCALITY, MEMREF, MEMREF_WITH_DIMENSIONS,
};

sluice_ods::dialect! {
    group "memref";

    /// Reads a cell.
    op Load = "load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: {
            nontemporal: optional BOOL = |context| context.bool_attribute(false),
            alignment: optional I64_POWER_OF_TWO since 22,
            invariant: optional BOOL = |context| context.bool_attribute(false) since 24,
        },
        results: { result: ANY_TYPE },
        effects: [Read(0)],
        rules: [TypesMatchWith {
            summary: "result type matches element type of 'memref'",
            from: "memref",
            to: "result",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$memref `[` $indices `]` attr-dict `:` type($memref)",
        verify: verify_load,
    }

    /// Writes a cell.
    op Store = "store" {
        operands: { value: ANY_TYPE, memref: MEMREF, indices: variadic INDEX },
        attributes: {
            nontemporal: optional BOOL = |context| context.bool_attribute(false),
            alignment: optional I64_POWER_OF_TWO since 22,
        },
        effects: [Write(1)],
        rules: [TypesMatchWith {
            summary: "type of 'value' matches element type of 'memref'",
            from: "memref",
            to: "value",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
        verify: verify_store,
    }

    /// Hint that a cell will be read or written soon.
    op Prefetch = "prefetch" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: {
            is_write("isWrite"): BOOL,
            locality_hint("localityHint"): LOCALITY,
            is_data_cache("isDataCache"): BOOL,
        },
        effects: [Unknown],
        assembly: custom(parse_prefetch, print_prefetch),
        custom_if: has_hints_only,
        verify: verify_prefetch,
    }

    /// The size of a dimension.
    op Dim = "dim" {
        traits: [PURE],
        operands: { source: MEMREF_WITH_DIMENSIONS, index: INDEX },
        results: { result: INDEX },
        assembly: "attr-dict $source `,` $index `:` type($source)",
        speculatable: is_known_dimension,
    }

    /// The number of dimensions.
    op Rank = "rank" {
        traits: [PURE],
        operands: { memref: ANY_MEMREF },
        results: { result: INDEX },
        assembly: "$memref attr-dict `:` type($memref)",
    }

    /// The same memory with more or less known of its shape.
    op Cast = "cast" {
        traits: [PURE, VIEW_LIKE],
        operands: { source: ANY_MEMREF },
        results: { dest: ANY_MEMREF },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
        verify: verify_cast,
    }

    /// The same memory in another memory space.
    op MemorySpaceCast = "memory_space_cast" {
        traits: [PURE, VIEW_LIKE],
        operands: { source: ANY_MEMREF },
        results: { dest: ANY_MEMREF },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
        verify: verify_memory_space_cast,
    }

    /// Copies all cells.
    op Copy = "copy" {
        operands: { source: ANY_MEMREF, target: ANY_MEMREF },
        effects: [Read(0), Write(1)],
        assembly: "$source `,` $target attr-dict `:` type($source) `to` type($target)",
        verify: verify_copy,
    }
}

/// Returns true if the queried dimension exists; otherwise the size is undefined.
fn is_known_dimension(view: View<'_>) -> bool {
    let rank = parts(view.context, view.ty(view.operand(0))).map(|memref| memref.rank());
    let index = constant_of(view.context, view.body, view.operand(1));
    let index = index.and_then(|index| index.as_i64(view.context));
    let index = index.and_then(|index| usize::try_from(index).ok());
    rank.zip(index).is_some_and(|(rank, index)| index < rank)
}

fn rank(view: View<'_>, operand: usize) -> usize {
    parts(view.context, view.ty(view.operand(operand))).map_or(0, |memref| memref.rank())
}

fn verify_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (wanted, given) = (rank(view, 0), view.operands().len() - 1);
    if wanted != given {
        let message =
            format!("incorrect number of indices for load, expected {wanted} but got {given}");
        op_error(view, diagnostics, message);
    }
}

fn verify_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    if rank(view, 1) != view.operands().len() - 2 {
        op_error(
            view,
            diagnostics,
            "store index operand count not equal to memref rank",
        );
    }
}

fn verify_prefetch(view: View<'_>, diagnostics: &mut Diagnostics) {
    if rank(view, 0) != view.operands().len() - 1 {
        op_error(view, diagnostics, "too few indices");
    }
}

/// Parses `%memref[...], read, locality<3>, data : type`; `subscripts` parses the part after the memref.
fn parse_prefetch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let memref = parser.parse_operand()?;
    let indices = parser.parse_operand_list(Delimiter::Square)?;
    parse_hints(parser, state)?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(memref, ty, state)?;
    let index = parser.context().index_type();
    parser.resolve_operands_of_type(&indices, index, state)
}

/// Parses `, read, locality<3>, data`.
pub(crate) fn parse_hints(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_punctuation(",")?;
    let access = parser.parse_any_keyword()?;
    parser.parse_punctuation(",")?;
    parser.parse_keyword("locality")?;
    parser.parse_punctuation("<")?;
    let locality = parser.parse_attribute_with_type(context.integer_type(32))?;
    parser.parse_punctuation(">")?;
    parser.parse_punctuation(",")?;
    let cache = parser.parse_any_keyword()?;
    if !matches!(access, "read" | "write") {
        return Err(parser.error(state.position, "rw specifier has to be 'read' or 'write'"));
    }
    if !matches!(cache, "data" | "instr") {
        return Err(parser.error(state.position, "cache type has to be 'data' or 'instr'"));
    }
    let is_write = context.bool_attribute(access == "write");
    state.set_attribute(context, "isWrite", is_write);
    state.set_attribute(context, "localityHint", locality);
    let is_data = context.bool_attribute(cache == "data");
    state.set_attribute(context, "isDataCache", is_data);
    Ok(())
}

/// Prints `, read, locality<3>, data`.
pub(crate) fn print_hints(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let flag = |name: &str| view.attribute(name).and_then(|a| a.as_bool(context)) == Some(true);
    let locality = view.attribute("localityHint");
    let locality = locality.and_then(|a| a.as_i64(context)).unwrap_or(0);
    printer.text(&format!(
        ", {}, locality<{locality}>, {}",
        if flag("isWrite") { "write" } else { "read" },
        if flag("isDataCache") { "data" } else { "instr" },
    ));
}

/// Returns true if the custom form can be parsed: it has no place for other attributes.
fn has_hints_only(view: View<'_>) -> bool {
    view.attributes().len() <= 3
}

fn print_prefetch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.operands(view.operands().skip(1));
    printer.text("]");
    print_hints(printer, view);
    printer.attribute_dictionary(view, &["isWrite", "localityHint", "isDataCache"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn incompatible(view: View<'_>, diagnostics: &mut Diagnostics) {
    let message = format!(
        "operand type {} and result type {} are cast incompatible",
        quoted(view, view.ty(view.operand(0))),
        quoted(view, view.ty(view.result(0)))
    );
    op_error(view, diagnostics, message);
}

fn memory_space(context: &Context, ty: Type) -> Option<Attribute> {
    match ty.kind(context) {
        TypeKind::MemRef { memory_space, .. } | TypeKind::UnrankedMemRef { memory_space, .. } => {
            *memory_space
        }
        _ => None,
    }
}

fn verify_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let fits = match (parts(context, from), parts(context, to)) {
        (None, None) => false,
        (Some(a), Some(b)) => {
            let layouts = a.layout == b.layout || may_be_same_layout(context, from, to);
            layouts && a.rank() == b.rank() && {
                let mut sizes = a.shape.iter().zip(b.shape);
                sizes.all(|(a, b)| a.is_none() || b.is_none() || a == b)
            }
        }
        _ => true,
    };
    let same = from.element_type(context) == to.element_type(context)
        && memory_space(context, from) == memory_space(context, to);
    if !fits || !same {
        incompatible(view, diagnostics);
    }
}

/// Returns true if strides and offsets are equal where both are known.
fn may_be_same_layout(context: &Context, a: Type, b: Type) -> bool {
    let (Some(a), Some(b)) = (strided(context, a), strided(context, b)) else {
        return false;
    };
    let may_be = |a: Option<i64>, b: Option<i64>| a.is_none() || b.is_none() || a == b;
    a.strides.len() == b.strides.len()
        && may_be(a.offset, b.offset)
        && a.strides
            .iter()
            .zip(&b.strides)
            .all(|(a, b)| may_be(*a, *b))
}

fn verify_memory_space_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let fits = match (parts(context, from), parts(context, to)) {
        (None, None) => true,
        (Some(a), Some(b)) => a.shape == b.shape && a.layout == b.layout,
        _ => false,
    };
    if !fits || from.element_type(context) != to.element_type(context) {
        incompatible(view, diagnostics);
    }
}

fn verify_copy(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.operand(1)));
    if from.element_type(context) != to.element_type(context) {
        let message = "requires the same element type for all operands";
        return op_error(view, diagnostics, message);
    }
    if let (Some(a), Some(b)) = (parts(context, from), parts(context, to)) {
        let mut sizes = a.shape.iter().zip(b.shape);
        if a.rank() != b.rank() || !sizes.all(|(a, b)| a.is_none() || b.is_none() || a == b) {
            op_error(
                view,
                diagnostics,
                "requires the same shape for all operands",
            );
        }
    }
}
