//! builtin: the module and the conversion cast.

use sluice_ir::View;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, RegionPrinting};

use crate::constraints::{ANY_TYPE, STRING};

sluice_ods::dialect! {
    dialect "builtin" { summary: "Modules and conversion casts" }

    /// A whole program: functions and other symbols.
    op Module = "module" {
        traits: [
            ISOLATED_FROM_ABOVE, SYMBOL_TABLE, GRAPH_REGION, SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS, AFFINE_SCOPE
        ],
        attributes: { sym_name: optional STRING, sym_visibility: optional STRING },
        regions: { body: sized(1) },
        assembly: custom(parse_module, print_module),
    }

    /// Turns values of some types into values of others, for a later pass to resolve.
    op UnrealizedConversionCast = "unrealized_conversion_cast" {
        traits: [PURE],
        operands: { inputs: variadic ANY_TYPE },
        results: { outputs: variadic ANY_TYPE },
        assembly: "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
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
