//! Accesses beyond load and store: vectors, prefetches, transfers; and indices from one number.

use sluice_ir::affine::AffineMap;
use sluice_ir::definition::TypeConstraint;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{Diagnostics, TypeKind, ValueId, View};

use super::valid::check_access;
use super::{map_of, parse_access, print_access, resolve_indices};
use crate::constraints::{AFFINE_MAP, ANY_TYPE, BOOL, I32, INDEX, MEMREF};
use crate::memref::access::{PREFETCH_ATTRIBUTES, parse_prefetch_kind, print_prefetch_kind};

static VECTOR: TypeConstraint = TypeConstraint {
    summary: "vector of any type values",
    check: |context, ty| matches!(ty.kind(context), TypeKind::Vector { .. }),
    only: None,
};

sluice_ods::dialect! {
    group "affine";

    /// Reads neighbouring cells.
    op VectorLoad = "vector_load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: VECTOR },
        effects: [Read(0)],
        assembly: custom(parse_vector_load, print_vector_load),
        verify: verify_vector_load,
    }

    /// Writes neighbouring cells.
    op VectorStore = "vector_store" {
        operands: { value: VECTOR, memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        effects: [Write(1)],
        assembly: custom(parse_vector_store, print_vector_store),
        verify: verify_vector_store,
    }

    /// Says that a cell will be needed.
    op Prefetch = "prefetch" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: {
            is_write("isWrite"): BOOL, locality_hint("localityHint"): I32, is_data_cache("isDataCache"): BOOL,
            map: AFFINE_MAP,
        },
        effects: [Unknown],
        assembly: custom(parse_prefetch, print_prefetch),
        verify: verify_prefetch,
    }

    /// The indices of an element by its number in a shape.
    op DelinearizeIndex = "delinearize_index" {
        traits: [PURE],
        operands: { linear_index: INDEX, basis: variadic INDEX },
        results: { multi_index: variadic ANY_TYPE },
        assembly: "$linear_index `into` ` ` `(` $basis `)` attr-dict `:` type($multi_index)",
        verify: verify_delinearize,
    }

    /// Starts a transfer between memories.
    op DmaStart = "dma_start" {
        traits: [DISCARDABLE_ATTRIBUTES],
        operands: { operands: variadic ANY_TYPE },
        attributes: { src_map: AFFINE_MAP, dst_map: AFFINE_MAP, tag_map: AFFINE_MAP },
        effects: [Unknown],
        assembly: custom(parse_dma_start, print_dma_start),
        verify: verify_dma_start,
    }

    /// Waits for a transfer.
    op DmaWait = "dma_wait" {
        traits: [DISCARDABLE_ATTRIBUTES],
        operands: { operands: variadic ANY_TYPE },
        attributes: { tag_map: AFFINE_MAP },
        effects: [Unknown],
        assembly: custom(parse_dma_wait, print_dma_wait),
        verify: verify_dma_wait,
    }
}

fn error(view: View<'_>, diagnostics: &mut Diagnostics, message: &str) {
    diagnostics.error(view.location(), format!("'{}' op {message}", view.name()));
}

fn parse_vector_load(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (memref, operands) = parse_access(parser, state)?;
    let types = parser.parse_colon_type_list()?;
    let [memref_type, vector] = types.as_slice() else {
        return Err(parser.error_here("requires two types"));
    };
    parser.resolve_operand(memref, *memref_type, state)?;
    resolve_indices(parser, &operands, state)?;
    state.add_results(&[*vector]);
    Ok(())
}

fn print_vector_load(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    print_access(printer, view, 0);
    printer.text(", ");
    printer.ty(view.ty(view.result(0)));
}

fn parse_vector_store(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let value = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let (memref, operands) = parse_access(parser, state)?;
    let types = parser.parse_colon_type_list()?;
    let [memref_type, vector] = types.as_slice() else {
        return Err(parser.error_here("requires two types"));
    };
    parser.resolve_operand(value, *vector, state)?;
    parser.resolve_operand(memref, *memref_type, state)?;
    resolve_indices(parser, &operands, state)
}

fn print_vector_store(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(", ");
    print_access(printer, view, 1);
    printer.text(", ");
    printer.ty(view.ty(view.operand(0)));
}

fn same_element(view: View<'_>, memref: ValueId, vector: ValueId, diagnostics: &mut Diagnostics) {
    let element = |value: ValueId| view.ty(value).element_type(view.context);
    if element(memref) != element(vector) {
        let message = "requires memref and vector types of the same elemental type";
        error(view, diagnostics, message);
    }
}

fn verify_vector_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    if check_access(view, 0, diagnostics) {
        same_element(view, view.operand(0), view.result(0), diagnostics);
    }
}

fn verify_vector_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    if check_access(view, 1, diagnostics) {
        same_element(view, view.operand(1), view.operand(0), diagnostics);
    }
}

fn parse_prefetch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
    state.set_attribute(context, "map", context.affine_map_attribute(map));
    parse_prefetch_kind(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)
}

fn print_prefetch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    let operands: Vec<_> = view.operands().skip(1).collect();
    printer.affine_map_of_operands(&map_of(view, "map"), &operands);
    printer.text("]");
    print_prefetch_kind(printer, view);
    printer.attribute_dictionary(view, &PREFETCH_ATTRIBUTES);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn verify_prefetch(view: View<'_>, diagnostics: &mut Diagnostics) {
    let map = map_of(view, "map");
    let TypeKind::MemRef { shape, .. } = view.ty(view.operand(0)).kind(view.context) else {
        return;
    };
    if map.results.len() != shape.len() {
        let message = "affine.prefetch affine map num results must equal memref rank";
        error(view, diagnostics, message);
        return;
    }
    check_access(view, 0, diagnostics);
}

fn verify_delinearize(view: View<'_>, diagnostics: &mut Diagnostics) {
    let basis = view.operands().len() - 1;
    if basis == 0 {
        error(view, diagnostics, "basis should not be empty");
    } else if view.results().len() != basis {
        let message = "should return an index for each basis element";
        error(view, diagnostics, message);
    }
}

// Transfers.

/// `%memref[subscripts]`, whose map becomes an attribute.
fn parse_place(
    parser: &mut Parser<'_>,
    name: &str,
    state: &mut OperationState,
) -> ParseResult<(UnresolvedOperand, Vec<UnresolvedOperand>)> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
    state.set_attribute(context, name, context.affine_map_attribute(map));
    Ok((memref, operands))
}

fn print_place(
    printer: &mut Printer<'_>,
    view: View<'_>,
    name: &str,
    at: usize,
    operands: &[ValueId],
) {
    printer.operand(operands[at]);
    printer.text("[");
    let map = map_of(view, name);
    let end = (at + 1 + n_inputs(&map)).min(operands.len());
    printer.affine_map_of_operands(&map, &operands[at + 1..end]);
    printer.text("]");
}

fn n_inputs(map: &AffineMap) -> usize {
    (map.n_dims + map.n_symbols) as usize
}

fn parse_dma_start(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let source = parse_place(parser, "src_map", state)?;
    parser.parse_punctuation(",")?;
    let target = parse_place(parser, "dst_map", state)?;
    parser.parse_punctuation(",")?;
    let tag = parse_place(parser, "tag_map", state)?;
    parser.parse_punctuation(",")?;
    let count = parser.parse_operand()?;
    let mut stride = Vec::new();
    if parser.parse_optional_punctuation(",") {
        stride = parser.parse_operand_list(Delimiter::NoneOrEmpty)?;
    }
    if !matches!(stride.len(), 0 | 2) {
        return Err(parser.error_here("expected two stride related operands"));
    }
    parser.parse_attribute_dictionary(state)?;
    let position = parser.position();
    let types = parser.parse_colon_type_list()?;
    let [source_type, target_type, tag_type] = types.as_slice() else {
        return Err(parser.error(position, "expected three types"));
    };
    for ((memref, operands), ty) in
        [source, target, tag]
            .into_iter()
            .zip([source_type, target_type, tag_type])
    {
        parser.resolve_operand(memref, *ty, state)?;
        resolve_indices(parser, &operands, state)?;
    }
    resolve_indices(parser, &[count], state)?;
    resolve_indices(parser, &stride, state)
}

/// Positions of target, tag, the number of elements and what follows it.
fn dma_places(view: View<'_>) -> Option<[usize; 4]> {
    let target = 1 + n_inputs(&map_of(view, "src_map"));
    let tag = target + 1 + n_inputs(&map_of(view, "dst_map"));
    let count = tag + 1 + n_inputs(&map_of(view, "tag_map"));
    (count < view.operands().len()).then_some([target, tag, count, count + 1])
}

fn print_dma_start(printer: &mut Printer<'_>, view: View<'_>) {
    let Some([target, tag, count, rest]) = dma_places(view) else {
        return;
    };
    let operands: Vec<_> = view.operands().collect();
    printer.text(" ");
    print_place(printer, view, "src_map", 0, &operands);
    printer.text(", ");
    print_place(printer, view, "dst_map", target, &operands);
    printer.text(", ");
    print_place(printer, view, "tag_map", tag, &operands);
    printer.text(", ");
    printer.operand(operands[count]);
    for value in &operands[rest..] {
        printer.text(", ");
        printer.operand(*value);
    }
    printer.attribute_dictionary(view, &["src_map", "dst_map", "tag_map"]);
    printer.text(" : ");
    printer.types([0, target, tag].map(|at| view.ty(operands[at])));
}

fn is_memref(view: View<'_>, at: usize) -> bool {
    matches!(
        view.ty(view.operand(at)).kind(view.context),
        TypeKind::MemRef { .. }
    )
}

fn verify_dma_start(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some([target, tag, _, rest]) = dma_places(view) else {
        error(view, diagnostics, "incorrect number of operands");
        return;
    };
    for (at, what) in [(0, "source"), (target, "destination"), (tag, "tag")] {
        if !is_memref(view, at) {
            let message = format!("expected DMA {what} to be of memref type");
            error(view, diagnostics, &message);
            return;
        }
    }
    if !matches!(view.operands().len() - rest, 0 | 2) {
        error(view, diagnostics, "incorrect number of operands");
        return;
    }
    let operands: Vec<_> = view.operands().collect();
    for (range, what) in [
        (1..target, "src"),
        (target + 1..tag, "dst"),
        (tag + 1..rest - 1, "tag"),
    ] {
        for operand in &operands[range] {
            if !super::valid::is_dimension(view, *operand) {
                let message =
                    format!("{what} index must be a valid dimension or symbol identifier");
                error(view, diagnostics, &message);
                return;
            }
        }
    }
}

fn parse_dma_wait(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (tag, operands) = parse_place(parser, "tag_map", state)?;
    parser.parse_punctuation(",")?;
    let count = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(tag, ty, state)?;
    resolve_indices(parser, &operands, state)?;
    resolve_indices(parser, &[count], state)
}

fn print_dma_wait(printer: &mut Printer<'_>, view: View<'_>) {
    let operands: Vec<_> = view.operands().collect();
    printer.text(" ");
    print_place(printer, view, "tag_map", 0, &operands);
    printer.text(", ");
    printer.operand(operands[operands.len() - 1]);
    printer.attribute_dictionary(view, &["tag_map"]);
    printer.text(" : ");
    printer.ty(view.ty(operands[0]));
}

fn verify_dma_wait(view: View<'_>, diagnostics: &mut Diagnostics) {
    let wanted = 2 + n_inputs(&map_of(view, "tag_map"));
    if view.operands().len() != wanted {
        error(view, diagnostics, "incorrect number of operands");
    } else if !is_memref(view, 0) {
        error(view, diagnostics, "expected DMA tag to be of memref type");
    } else if view
        .operands()
        .skip(1)
        .take(wanted - 2)
        .any(|operand| !super::valid::is_dimension(view, operand))
    {
        let message = "index must be a valid dimension or symbol identifier";
        error(view, diagnostics, message);
    }
}
