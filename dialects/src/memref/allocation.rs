//! Operations that allocate and free memories.

use sluice_ir::definition::Traits;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{AttributeKind, Context, Diagnostics, TypeKind, View};

use super::strided::parts;
use super::{op_error, quoted};
use crate::constraints::{
    ANY_MEMREF, ANY_TYPE, I32_POSITIVE, I64_NOT_NEGATIVE, INDEX, MEMREF, MEMREF_1D,
};
use crate::region_flow::{check_edge, passed_types};

sluice_ods::dialect! {
    group "memref";

    /// Allocates a memory that lives until it is freed.
    op Alloc = "alloc" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { dynamic_sizes: variadic INDEX, symbol_operands: variadic INDEX },
        attributes: { alignment: optional I64_NOT_NEGATIVE },
        results: { memref: MEMREF },
        effects: [Allocate(0)],
        assembly: "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)",
        verify: verify_alloc,
    }

    /// Allocates a memory that lives as long as the enclosing scope.
    op Alloca = "alloca" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { dynamic_sizes: variadic INDEX, symbol_operands: variadic INDEX },
        attributes: { alignment: optional I64_NOT_NEGATIVE },
        results: { memref: MEMREF },
        effects: [Allocate(0)],
        assembly: "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)",
        verify: verify_alloc,
    }

    /// Allocates a memory of another size with the cells of a given one, which is freed.
    op Realloc = "realloc" {
        operands: { source: MEMREF_1D, dynamic_result_size: optional INDEX },
        attributes: { alignment: optional I64_NOT_NEGATIVE },
        results: { result: MEMREF_1D },
        effects: [Read(0), Free(0), Allocate(0)],
        assembly: "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type($result)",
        verify: verify_realloc,
    }

    /// Frees a memory.
    op Dealloc = "dealloc" {
        operands: { memref: ANY_MEMREF },
        effects: [Free(0)],
        assembly: "$memref attr-dict `:` type($memref)",
    }

    /// Promises that the address of a memory is a multiple of a number.
    ///
    /// Since MLIR 21 the result is the same memory, and the promise holds where the result is used. Before, there is no result.
    op AssumeAlignment = "assume_alignment" {
        traits: [VIEW_LIKE],
        operands: { memref: MEMREF },
        attributes: { alignment: I32_POSITIVE },
        results: { result: optional MEMREF },
        effects: [Unknown],
        assembly: custom(parse_assume_alignment, print_assume_alignment),
        verify: verify_assume_alignment,
    }

    /// Promises that memories do not overlap. The results are the same memories, and the promise holds where they are used.
    op DistinctObjects = "distinct_objects" {
        since: 22,
        traits: [PURE],
        operands: { operands: variadic MEMREF },
        results: { results: variadic MEMREF },
        assembly: custom(parse_distinct_objects, print_distinct_objects),
        verify: verify_distinct_objects,
    }

    /// A region at whose end the memories allocated in it with `memref.alloca` are freed.
    op AllocaScope = "alloca_scope" {
        traits: [AUTOMATIC_ALLOCATION_SCOPE, SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS],
        rules: [ImplicitTerminator("memref.alloca_scope.return")],
        results: { results: variadic ANY_TYPE },
        regions: { body("bodyRegion"): sized(1) },
        assembly: custom(parse_alloca_scope, print_alloca_scope),
        verify_regions: verify_alloca_scope,
        region_flow: crate::region_flow::once,
    }

    /// Ends an allocation scope with its results.
    op AllocaScopeReturn = "alloca_scope.return" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["memref.alloca_scope"])],
        operands: { results: variadic ANY_TYPE },
        assembly: "attr-dict ($results^ `:` type($results))?",
    }
}

/// Returns how many symbols the layout of a memref has.
fn n_symbols(context: &Context, layout: Option<sluice_ir::Attribute>) -> usize {
    match layout.map(|layout| layout.kind(context)) {
        Some(AttributeKind::AffineMap(map)) => usize::try_from(map.n_symbols).unwrap_or(0),
        Some(AttributeKind::StridedLayout { offset, strides }) => strides
            .iter()
            .chain([offset])
            .filter(|n| n.is_none())
            .count(),
        _ => 0,
    }
}

fn verify_alloc(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(memref) = parts(view.context, view.ty(view.result(0))) else {
        return;
    };
    let dynamic = memref.shape.iter().filter(|size| size.is_none()).count();
    if view.operand_group(0).len() != dynamic {
        let message = "dimension operand count does not equal memref dynamic dimension count";
        return op_error(view, diagnostics, message);
    }
    let (wanted, given) = (
        n_symbols(view.context, memref.layout),
        view.operand_group(1).len(),
    );
    if wanted != given {
        let message = format!(
            "symbol operand count does not equal memref symbol count: expected {wanted}, got {given}"
        );
        op_error(view, diagnostics, message);
    }
}

/// Checks that every `memref.alloca` among the operations of `owner`, except in isolated operations, has an enclosing scope.
pub(crate) fn check_scopes(owner: View<'_>, diagnostics: &mut Diagnostics) {
    let body = owner.inner();
    for op in body.walk_all() {
        let view = View::new(owner.context, body, op);
        if view.name() != "memref.alloca" {
            continue;
        }
        let mut around = body.parent_operation(op);
        while let Some(parent) = around {
            if view.at(parent).has(Traits::AUTOMATIC_ALLOCATION_SCOPE) {
                break;
            }
            around = body.parent_operation(parent);
        }
        if around.is_none() {
            let message = "requires an ancestor op with AutomaticAllocationScope trait";
            op_error(view, diagnostics, message);
        }
    }
}

fn verify_realloc(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(source), Some(result)) = (parts(context, from), parts(context, to)) else {
        return;
    };
    let (from, to) = (quoted(view, from), quoted(view, to));
    let both = format!("specified for source memref type {from} and result memref type {to}");
    let has_size = view.operands().len() > 1;
    let message = if !source.is_identity(context) {
        format!("unsupported layout for source memref type {from}")
    } else if !result.is_identity(context) {
        format!("unsupported layout for result memref type {to}")
    } else if source.memory_space != result.memory_space {
        format!("different memory spaces {both}")
    } else if source.element != result.element {
        format!("different element types {both}")
    } else if result.shape[0].is_some() && has_size {
        format!("unnecessary dimension operand for result type {to}")
    } else if result.shape[0].is_none() && !has_size {
        format!("missing dimension operand for result type {to}")
    } else {
        return;
    };
    diagnostics.error(view.location(), message);
}

/// The result is named if there is one.
fn parse_assume_alignment(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let has_result = parser.result_count() > 0;
    let memref = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let alignment = parser.parse_attribute_with_type(context.integer_type(32))?;
    state.set_attribute(context, "alignment", alignment);
    parser.parse_attribute_dictionary(state)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    if !matches!(ty.kind(context), TypeKind::MemRef { .. }) {
        return Err(parser.error(position, "invalid kind of type specified"));
    }
    parser.resolve_operand(memref, ty, state)?;
    if has_result {
        state.add_results(&[ty]);
    }
    Ok(())
}

fn print_assume_alignment(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(", ");
    if let Some(alignment) = view.attribute("alignment") {
        printer.attribute_without_type(alignment);
    }
    printer.attribute_dictionary(view, &["alignment"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn parse_distinct_objects(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let position = parser.position();
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let types = parser.parse_type_list()?;
    parser.resolve_operands(&operands, &types, position, state)?;
    state.add_results(&types);
    Ok(())
}

fn print_distinct_objects(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types(view.operand_types());
}

fn verify_distinct_objects(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.operands().len() == 0 {
        op_error(view, diagnostics, "expected at least one operand");
    } else if !view.operand_types().eq(view.result_types()) {
        op_error(
            view,
            diagnostics,
            "operand types and result types must match",
        );
    }
}

fn verify_assume_alignment(view: View<'_>, diagnostics: &mut Diagnostics) {
    let from = view.ty(view.operand(0));
    if let Some(to) = view.result_types().find(|to| *to != from) {
        let message = format!(
            "the result is the same memory: expected type {}, but got {}",
            quoted(view, from),
            quoted(view, to)
        );
        return op_error(view, diagnostics, message);
    }
    let alignment = view.attribute("alignment");
    let alignment = alignment.and_then(|a| a.as_i64(view.context));
    if alignment.is_some_and(|n| n.count_ones() != 1) {
        op_error(view, diagnostics, "alignment must be power of 2");
    }
}

fn parse_alloca_scope(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_alloca_scope(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let has_results = !view.results().is_empty();
    if has_results {
        printer.text(" -> (");
        printer.types(view.result_types());
        printer.text(")");
    }
    printer.text(" ");
    let printing = RegionPrinting {
        entry_arguments: false,
        terminators: has_results,
        empty_block: false,
    };
    printer.region(view, 0, printing);
    printer.attribute_dictionary(view, &[]);
}

fn verify_alloca_scope(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let results: Vec<_> = view.result_types().collect();
    let given = passed_types(view, block, 0);
    check_edge(
        view,
        ("Region #0", &given),
        ("parent results", &results),
        diagnostics,
    );
}
