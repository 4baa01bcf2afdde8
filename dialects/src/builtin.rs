//! Dialect builtin: the module and the conversion cast.

use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Diagnostics, View};

use crate::constraints::{ANY_TYPE, STRING};

sluice_ods::dialect! {
    dialect "builtin" { summary: "Modules and conversion casts" }

    /// A whole program: functions and other symbols.
    op Module = "module" {
        traits: [
            ISOLATED_FROM_ABOVE, SYMBOL_TABLE, GRAPH_REGION, SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS, AFFINE_SCOPE
        ],
        attributes: { sym_name: optional STRING, sym_visibility: optional STRING },
        regions: { body("bodyRegion"): sized(1) },
        assembly: custom(parse_module, print_module),
        verify: verify_module,
    }

    /// Turns values of some types into values of others, for a later pass to resolve.
    op UnrealizedConversionCast = "unrealized_conversion_cast" {
        traits: [PURE],
        operands: { inputs: variadic ANY_TYPE },
        results: { outputs: variadic ANY_TYPE },
        assembly: "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
        verify: verify_conversion_cast,
    }
}

fn verify_module(view: View<'_>, diagnostics: &mut Diagnostics) {
    let names = view
        .attributes()
        .iter()
        .map(|(name, _)| view.context.text(*name));
    let plain =
        |name: &&str| !name.contains('.') && !matches!(*name, "sym_name" | "sym_visibility");
    let visibility = view
        .attribute("sym_visibility")
        .map(|a| a.as_str(view.context));
    let message = if let Some(name) = names.clone().find(plain) {
        format!("can only contain attributes with dialect-prefixed names, found: '{name}'")
    } else if let Some(Some(text)) = visibility
        && !matches!(text, "public" | "private" | "nested")
    {
        format!(
            "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"{text}\""
        )
    } else {
        // Checked before the operations inside report errors, as if the allocations had reported this error.
        return crate::memref::check_scopes(view, diagnostics);
    };
    diagnostics.error(view.location(), format!("'builtin.module' op {message}"));
}

fn verify_conversion_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.results().is_empty() {
        let message = "'builtin.unrealized_conversion_cast' op expected at least one result for cast operation";
        diagnostics.error(view.location(), message);
    }
}

fn parse_module(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if let Some(name) = parser.parse_optional_symbol_name()? {
        let context = parser.context();
        let name = context.string_attribute(context.text(name));
        state.set_attribute(context, "sym_name", name);
    }
    parser.parse_attribute_dictionary_with_keyword(state)?;
    parser.parse_region(&[], state)
}

fn print_module(printer: &mut Printer<'_>, view: View<'_>) {
    if let Some(name) = view.symbol_name() {
        printer.text(" ");
        printer.symbol_name(name);
    }
    printer.attribute_dictionary_with_keyword(view, &["sym_name"]);
    printer.text(" ");
    printer.region(
        view,
        0,
        RegionPrinting {
            entry_arguments: false,
            terminators: true,
            empty_block: false,
        },
    );
}
