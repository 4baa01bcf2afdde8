//! Global memories at the top level.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, print_attribute, print_type};
use sluice_ir::{AttributeKind, Context, Diagnostics, Type, TypeKind, View};

use super::{op_error, quoted};
use crate::constraints::{FLAT_SYMBOL, I64, MEMREF, MEMREF_TYPE, STRING, SYMBOL_NAME, UNIT};

/// The value of a global: elements, or `uninitialized`.
static INITIAL_VALUE: AttributeConstraint = AttributeConstraint {
    summary: "any attribute",
    check: AttributeCheck::Is(|_, _| true),
    syntax: AttributeSyntax::Generic,
};

sluice_ods::dialect! {
    group "memref";

    /// The memory of a global.
    op GetGlobal = "get_global" {
        traits: [PURE],
        attributes: { name: FLAT_SYMBOL },
        results: { result: MEMREF },
        assembly: "$name `:` type($result) attr-dict",
        verify_symbols: verify_get_global,
    }

    /// A memory at the top level.
    op Global = "global" {
        traits: [SYMBOL],
        attributes: {
            sym_name: SYMBOL_NAME,
            sym_visibility: optional STRING,
            ty("type"): MEMREF_TYPE,
            initial_value: optional INITIAL_VALUE,
            constant: optional UNIT,
            alignment: optional I64,
        },
        assembly: custom(parse_global, print_global),
        verify: verify_global,
    }
}

/// Checks that the global exists and has the type of the result.
fn verify_get_global(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(name) = view
        .attribute("name")
        .and_then(|a| a.as_flat_symbol(context))
    else {
        return;
    };
    let Some(global) = symbols.lookup(name).filter(|g| g.name() == "memref.global") else {
        let message =
            format!("'memref.get_global' op '{name}' does not reference a valid global memref");
        diagnostics.error(view.location(), message);
        return;
    };
    let ty = global.attribute("type").and_then(|a| a.as_type(context));
    if let Some(ty) = ty.filter(|ty| *ty != view.ty(view.result(0))) {
        let message = format!(
            "'memref.get_global' op result type '{}' does not match type '{}' of the global memref @{name}",
            print_type(context, view.ty(view.result(0))),
            print_type(context, ty)
        );
        diagnostics.error(view.location(), message);
    }
}

/// Returns the reason why a type is not valid for a global: its sizes must be known.
fn unfit(context: &Context, ty: Type) -> Option<String> {
    let fits = matches!(ty.kind(context), TypeKind::MemRef { shape, .. } if shape.iter().all(Option::is_some));
    let message = || {
        let text = print_type(context, ty);
        format!("type should be static shaped memref, but got '{text}'")
    };
    (!fits).then(message)
}

/// Returns the tensor type with the shape and elements of a memref type, as the initial value of a global has it.
pub fn value_type(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::MemRef { shape, element, .. } => Some(context.ty(TypeKind::RankedTensor {
            shape: shape.clone(),
            element: *element,
            encoding: None,
        })),
        _ => None,
    }
}

fn verify_global(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let ty = view.attribute("type").and_then(|a| a.as_type(context));
    let Some(ty) = ty else { return };
    if let Some(message) = unfit(context, ty) {
        return op_error(view, diagnostics, message);
    }
    let value = view.attribute("initial_value");
    let value = value.filter(|value| !matches!(value.kind(context), AttributeKind::Unit));
    if let Some(value) = value {
        let is_elements = matches!(
            value.kind(context),
            AttributeKind::DenseElements { .. }
                | AttributeKind::DenseStrings { .. }
                | AttributeKind::SparseElements { .. }
                | AttributeKind::DenseResource { .. }
                | AttributeKind::DenseArray { .. }
        );
        if !is_elements {
            let text = print_attribute(context, value);
            let message =
                format!("initial value should be a unit or elements attribute, but got {text}");
            return op_error(view, diagnostics, message);
        }
        if let (Some(wanted), Some(found)) = (value_type(context, ty), value.ty(context))
            && wanted != found
        {
            let message = format!(
                "initial value expected to be of type {}, but was of type {}",
                quoted(view, wanted),
                quoted(view, found)
            );
            return op_error(view, diagnostics, message);
        }
    }
    let alignment = view.attribute("alignment").and_then(|a| a.as_i64(context));
    if let Some(alignment) = alignment.filter(|n| n.count_ones() != 1) {
        let message = format!("alignment attribute value {alignment} is not a power of 2");
        diagnostics.error(view.location(), message);
    }
}

fn parse_global(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if let Some(visibility) = parser.parse_optional_string()? {
        let visibility = context.string_attribute(&visibility);
        state.set_attribute(context, "sym_visibility", visibility);
    }
    if parser.parse_optional_keyword("constant") {
        state.set_attribute(context, "constant", context.unit_attribute());
    }
    parser.parse_symbol_name_attribute("sym_name", state)?;
    let ty = parser.parse_colon_type()?;
    let Some(tensor) = value_type(context, ty).filter(|_| unfit(context, ty).is_none()) else {
        let message = unfit(context, ty).unwrap_or_default();
        return Err(parser.error(state.position, message));
    };
    state.set_attribute(context, "type", context.type_attribute(ty));
    if parser.parse_optional_punctuation("=") {
        let value = if parser.parse_optional_keyword("uninitialized") {
            context.unit_attribute()
        } else {
            parser.parse_attribute_with_type(tensor)?
        };
        state.set_attribute(context, "initial_value", value);
    }
    parser.parse_attribute_dictionary(state)
}

fn print_global(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    if let Some(visibility) = view
        .attribute("sym_visibility")
        .and_then(|a| a.as_str(view.context))
    {
        printer.text(&format!("{visibility:?} "));
    }
    if view.attribute("constant").is_some() {
        printer.text("constant ");
    }
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    printer.text(" : ");
    if let Some(ty) = view.attribute("type").and_then(|a| a.as_type(view.context)) {
        printer.ty(ty);
    }
    match view.attribute("initial_value") {
        Some(value) if matches!(value.kind(view.context), AttributeKind::Unit) => {
            printer.text(" = uninitialized")
        }
        Some(value) => {
            printer.text(" = ");
            printer.attribute_without_type(value);
        }
        None => {}
    }
    printer.attribute_dictionary(
        view,
        &[
            "sym_name",
            "sym_visibility",
            "type",
            "initial_value",
            "constant",
        ],
    );
}
