//! Reads and writes of cells at affine subscripts.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{Diagnostics, Type, TypeKind, View};

use super::scope::are_subscripts;
use super::{map_of, n_inputs, op_error, resolve_indices};
use crate::constraints::{AFFINE_MAP, ANY_TYPE, BOOL, INDEX, LOCALITY, MEMREF, VECTOR};
use crate::memref::{parse_hints, print_hints};

sluice_ods::dialect! {
    group "affine";

    /// Reads a cell at affine subscripts.
    op Load = "load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: ANY_TYPE },
        effects: [Read(0)],
        assembly: custom(parse_load, print_load),
        verify: verify_load,
    }

    /// Writes a cell at affine subscripts.
    op Store = "store" {
        operands: { value: ANY_TYPE, memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        effects: [Write(1)],
        assembly: custom(parse_store, print_store),
        verify: verify_store,
    }

    /// Reads consecutive cells from affine subscripts on.
    op VectorLoad = "vector_load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: VECTOR },
        effects: [Read(0)],
        assembly: custom(parse_vector_load, print_vector_load),
        verify: verify_vector_load,
    }

    /// Writes consecutive cells from affine subscripts on.
    op VectorStore = "vector_store" {
        operands: { value: VECTOR, memref: MEMREF, indices: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        effects: [Write(1)],
        assembly: custom(parse_vector_store, print_vector_store),
        verify: verify_vector_store,
    }

    /// Hint that a cell at affine subscripts will be read or written soon.
    op Prefetch = "prefetch" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: {
            is_write("isWrite"): BOOL,
            locality_hint("localityHint"): LOCALITY,
            is_data_cache("isDataCache"): BOOL,
            map: AFFINE_MAP,
        },
        effects: [Unknown],
        assembly: custom(parse_prefetch, print_prefetch),
        verify: verify_prefetch,
    }
}

/// Parses `%memref[subscripts]`.
fn parse_place(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<(UnresolvedOperand, Vec<UnresolvedOperand>)> {
    let context = parser.context();
    let memref = parser.parse_operand()?;
    let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
    state.set_attribute(context, "map", context.affine_map_attribute(map));
    Ok((memref, operands))
}

/// Returns a memref type and its element type.
fn parse_memref_type(parser: &mut Parser<'_>) -> ParseResult<(Type, Type)> {
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let ty = parser.parse_type()?;
    match ty.kind(parser.context()) {
        TypeKind::MemRef { element, .. } => Ok((ty, *element)),
        _ => Err(parser.error(position, "invalid kind of type specified")),
    }
}

fn parse_vector_type(parser: &mut Parser<'_>) -> ParseResult<Type> {
    parser.parse_punctuation(",")?;
    let position = parser.position();
    let ty = parser.parse_type()?;
    match ty.kind(parser.context()) {
        TypeKind::Vector { .. } => Ok(ty),
        _ => Err(parser.error(position, "invalid kind of type specified")),
    }
}

fn parse_load(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (memref, operands) = parse_place(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, element) = parse_memref_type(parser)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)?;
    state.add_results(&[element]);
    Ok(())
}

fn parse_store(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let value = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let (memref, operands) = parse_place(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, element) = parse_memref_type(parser)?;
    parser.resolve_operand(value, element, state)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)
}

fn parse_vector_load(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (memref, operands) = parse_place(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, _) = parse_memref_type(parser)?;
    let vector = parse_vector_type(parser)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)?;
    state.add_results(&[vector]);
    Ok(())
}

fn parse_vector_store(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let value = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let (memref, operands) = parse_place(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, _) = parse_memref_type(parser)?;
    let vector = parse_vector_type(parser)?;
    parser.resolve_operand(value, vector, state)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)
}

fn parse_prefetch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (memref, operands) = parse_place(parser, state)?;
    parse_hints(parser, state)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, _) = parse_memref_type(parser)?;
    parser.resolve_operand(memref, ty, state)?;
    resolve_indices(parser, &operands, state)
}

/// Prints `%memref[subscripts]`.
fn print_place(printer: &mut Printer<'_>, view: View<'_>, memref: usize) {
    printer.operand(view.operand(memref));
    printer.text("[");
    let operands: Vec<_> = view.operands().skip(memref + 1).collect();
    printer.affine_map_of_operands(&map_of(view, "map"), &operands);
    printer.text("]");
}

fn print_access(printer: &mut Printer<'_>, view: View<'_>, memref: usize) {
    printer.text(" ");
    if memref > 0 {
        printer.operand(view.operand(0));
        printer.text(", ");
    }
    print_place(printer, view, memref);
    printer.attribute_dictionary(view, &["map"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(memref)));
}

fn print_load(printer: &mut Printer<'_>, view: View<'_>) {
    print_access(printer, view, 0);
}

fn print_store(printer: &mut Printer<'_>, view: View<'_>) {
    print_access(printer, view, 1);
}

fn print_vector_load(printer: &mut Printer<'_>, view: View<'_>) {
    print_access(printer, view, 0);
    printer.text(", ");
    printer.ty(view.ty(view.result(0)));
}

fn print_vector_store(printer: &mut Printer<'_>, view: View<'_>) {
    print_access(printer, view, 1);
    printer.text(", ");
    printer.ty(view.ty(view.operand(0)));
}

fn print_prefetch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    print_place(printer, view, 0);
    print_hints(printer, view);
    let elided = ["isWrite", "localityHint", "isDataCache", "map"];
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

/// Returns the error in the subscripts of the memref that is operand number `memref`, if there is one.
fn wrong_subscripts(view: View<'_>, memref: usize) -> Option<&'static str> {
    let map = map_of(view, "map");
    let TypeKind::MemRef { shape, .. } = view.ty(view.operand(memref)).kind(view.context) else {
        return None;
    };
    let operands: Vec<_> = view.operands().skip(memref + 1).collect();
    if map.results.len() != shape.len() {
        Some("affine map num results must equal memref rank")
    } else if n_inputs(&map) != operands.len() {
        Some("expects as many subscripts as affine map inputs")
    } else if !are_subscripts(view, &operands) {
        Some("index must be a valid dimension or symbol identifier")
    } else {
        None
    }
}

fn element_of(view: View<'_>, operand: usize) -> Option<Type> {
    view.ty(view.operand(operand)).element_type(view.context)
}

fn verify_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    let fits = element_of(view, 0) == Some(view.ty(view.result(0)));
    let message = match fits {
        false => Some("result type must match element type of memref"),
        true => wrong_subscripts(view, 0),
    };
    if let Some(message) = message {
        op_error(view, diagnostics, message);
    }
}

fn verify_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    let fits = element_of(view, 1) == Some(view.ty(view.operand(0)));
    let message = match fits {
        false => Some("value to store must have the same type as memref element type"),
        true => wrong_subscripts(view, 1),
    };
    if let Some(message) = message {
        op_error(view, diagnostics, message);
    }
}

fn verify_vector(view: View<'_>, memref: usize, vector: Type, diagnostics: &mut Diagnostics) {
    let message = wrong_subscripts(view, memref).or_else(|| {
        let fits = element_of(view, memref) == vector.element_type(view.context);
        (!fits).then_some("requires memref and vector types of the same elemental type")
    });
    if let Some(message) = message {
        op_error(view, diagnostics, message);
    }
}

fn verify_vector_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    verify_vector(view, 0, view.ty(view.result(0)), diagnostics);
}

fn verify_vector_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    verify_vector(view, 1, view.ty(view.operand(0)), diagnostics);
}

fn verify_prefetch(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(message) = wrong_subscripts(view, 0) else {
        return;
    };
    // Upstream names the operation twice in two of these messages.
    let message = match message {
        "index must be a valid dimension or symbol identifier" => message.to_owned(),
        "expects as many subscripts as affine map inputs" => "too few indices".to_owned(),
        other => format!("affine.prefetch {other}"),
    };
    op_error(view, diagnostics, message);
}
