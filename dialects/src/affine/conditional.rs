//! Conditionals with affine conditions.

use sluice_ir::definition::RegionPoint;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, Diagnostics, View};

use super::scope::check_operands;
use super::{op_error, printing, resolve_indices};
use crate::constraints::ANY_TYPE;
use crate::region_flow::{Edges, check_edge, one_of_two, passed_types};

sluice_ods::dialect! {
    group "affine";

    /// Runs one of two regions, selected by the integer set in attribute `condition`, which upstream does not declare.
    op If = "if" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS, DISCARDABLE_ATTRIBUTES, SPECULATABLE],
        rules: [ImplicitTerminator("affine.yield")],
        operands: { operands: variadic ANY_TYPE },
        results: { results: variadic ANY_TYPE },
        regions: { then_region("thenRegion"): sized(1), else_region("elseRegion"): max_sized(1) },
        assembly: custom(parse_if, print_if),
        verify: verify_if,
        verify_regions: verify_if_flow,
        region_flow: if_flow,
    }
}

fn if_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    _: &[Option<Attribute>],
) -> Edges {
    one_of_two(view, from, terminator, None)
}

fn parse_if(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let attribute = parser.parse_attribute()?;
    let Some(set) = attribute.as_integer_set(context) else {
        return Err(parser.error(position, "invalid kind of attribute specified"));
    };
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    let what = if u32::try_from(n_dims) != Ok(set.n_dims) {
        Some("dim")
    } else if u32::try_from(operands.len() - n_dims) != Ok(set.n_symbols) {
        Some("symbol")
    } else {
        None
    };
    if let Some(what) = what {
        let message = format!("{what} operand count and integer set {what} count must match");
        return Err(parser.error(state.position, message));
    }
    resolve_indices(parser, &operands, state)?;
    state.set_attribute(context, "condition", attribute);
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    parser.parse_region(&[], state)?;
    if parser.parse_optional_keyword("else") {
        parser.parse_region(&[], state)?;
    } else {
        parser.add_empty_region(state);
    }
    parser.parse_attribute_dictionary(state)
}

fn print_if(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let n_dims = view
        .attribute("condition")
        .and_then(|a| a.as_integer_set(view.context))
        .map(|set| {
            printer.integer_set(set);
            set.n_dims as usize
        });
    let operands: Vec<_> = view.operands().collect();
    printer.dimension_and_symbol_operands(&operands, n_dims.unwrap_or(0));
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
    printer.text(" ");
    printer.region(view, 0, printing(view));
    if view.entry_block(1).is_some() {
        printer.text(" else ");
        printer.region(view, 1, printing(view));
    }
    printer.attribute_dictionary(view, &["condition"]);
}

fn verify_if(view: View<'_>, diagnostics: &mut Diagnostics) {
    let condition = view.attribute("condition");
    let Some(set) = condition.and_then(|a| a.as_integer_set(view.context)) else {
        let message = "requires an integer set attribute named 'condition'";
        return op_error(view, diagnostics, message);
    };
    let operands: Vec<_> = view.operands().collect();
    if operands.len() != set.n_inputs() {
        let message =
            "operand count and condition integer set dimension and symbol count must match";
        return op_error(view, diagnostics, message);
    }
    let n_dims = usize::try_from(set.n_dims).unwrap_or(0);
    if let Err(message) = check_operands(view, &operands, n_dims) {
        op_error(view, diagnostics, message);
    }
}

fn verify_if_flow(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<_> = view.result_types().collect();
    let results = ("parent results", results.as_slice());
    if view.entry_block(1).is_none()
        && !check_edge(view, ("parent operands", &[]), results, diagnostics)
    {
        return;
    }
    for (region, name) in ["Region #0", "Region #1"].into_iter().enumerate() {
        let Some(block) = view.entry_block(region) else {
            continue;
        };
        let passed = passed_types(view, block, 0);
        if !check_edge(view, (name, &passed), results, diagnostics) {
            return;
        }
    }
}
