//! Loops whose iterations may run in any order, with reductions.

use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
};
use sluice_ir::{AttributeKind, Diagnostics, ValueId, View};

use super::{PLAIN, op_error, quoted, terminator};
use crate::constraints::{ANY_TYPE, INDEX};
use crate::region_flow::{any_times, argument_types};

sluice_ods::dialect! {
    group "scf";

    /// A nest of loops whose iterations may run in any order, with reductions.
    op Parallel = "parallel" {
        traits: [
            SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE, ATTR_SIZED_OPERAND_SEGMENTS
        ],
        rules: [ImplicitTerminator("scf.reduce")],
        operands: {
            lower_bound: variadic INDEX,
            upper_bound: variadic INDEX,
            step: variadic INDEX,
            init_vals: variadic ANY_TYPE,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_parallel, print_parallel),
        custom_if: has_all_bounds,
        verify: verify_parallel,
        region_flow: any_times,
    }

    /// Ends an iteration of a parallel loop; each region combines a value with the reduction so far.
    op Reduce = "reduce" {
        traits: [TERMINATOR, RECURSIVE_MEMORY_EFFECTS],
        rules: [HasParent(&["scf.parallel"])],
        operands: { operands: variadic ANY_TYPE },
        regions: { reductions: variadic sized(1) },
        assembly: custom(parse_reduce, print_reduce),
        custom_if: starts_with_values,
        verify_regions: verify_reduce,
    }

    /// The result of a reduction.
    op ReduceReturn = "reduce.return" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["scf.reduce"])],
        operands: { result: ANY_TYPE },
        assembly: "$result attr-dict `:` type($result)",
        verify: verify_reduce_return,
    }
}

fn parse_parallel(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let variables = parser.parse_argument_names(Delimiter::Paren)?;
    let mut sizes = Vec::new();
    for before in ["=", "to", "step"] {
        match before {
            "=" => parser.parse_punctuation(before)?,
            word => parser.parse_keyword(word)?,
        }
        let position = parser.position();
        let operands = parser.parse_operand_list(Delimiter::Paren)?;
        if operands.len() != variables.len() {
            let message = format!("expected {} operands", variables.len());
            return Err(parser.error(position, message));
        }
        sizes.push(operands.len());
        parser.resolve_operands_of_type(&operands, index, state)?;
    }
    let mut inits = Vec::new();
    if parser.parse_optional_keyword("init") {
        inits = parser.parse_operand_list(Delimiter::Paren)?;
    }
    let types = parser.parse_optional_arrow_types()?;
    sizes.push(inits.len());
    parser.resolve_operands(&inits, &types, state.position, state)?;
    state.add_results(&types);
    let arguments: Vec<_> = variables
        .into_iter()
        .map(|v| Argument::new(v, index))
        .collect();
    parser.parse_region(&arguments, state)?;
    state.set_operand_segment_sizes(context, &sizes);
    parser.parse_attribute_dictionary(state)
}

fn print_parallel(printer: &mut Printer<'_>, view: View<'_>) {
    let list = |printer: &mut Printer<'_>, group: usize| {
        printer.text("(");
        for (i, operand) in view.operand_group(group).into_iter().enumerate() {
            printer.text(if i > 0 { ", " } else { "" });
            printer.operand(operand);
        }
        printer.text(")");
    };
    printer.text(" (");
    for i in 0..view.operand_group(0).len() {
        printer.text(if i > 0 { ", " } else { "" });
        printer.region_argument_name(view, 0, i);
    }
    printer.text(") = ");
    list(printer, 0);
    printer.text(" to ");
    list(printer, 1);
    printer.text(" step ");
    list(printer, 2);
    if !view.operand_group(3).is_empty() {
        printer.text(" init ");
        list(printer, 3);
    }
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
    printer.text(" ");
    printer.region(view, 0, PLAIN);
    printer.attribute_dictionary(view, &["operandSegmentSizes"]);
}

/// Returns true if a value is a constant that is not positive, so it cannot be a step.
fn is_no_step(view: View<'_>, value: ValueId) -> bool {
    let Some(op) = view.body.defining_operation(value) else {
        return false;
    };
    let constant = view.at(op).attribute("value").map(|a| a.kind(view.context));
    match constant {
        Some(AttributeKind::Integer { value, .. }) if view.at(op).name() == "arith.constant" => {
            value.to_i64().is_some_and(|step| step <= 0)
        }
        _ => false,
    }
}

fn verify_parallel(view: View<'_>, diagnostics: &mut Diagnostics) {
    let steps = view.operand_group(2);
    if steps.is_empty() {
        let message = "needs at least one tuple element for lowerBound, upperBound and step";
        return op_error(view, diagnostics, message);
    }
    if steps.iter().any(|step| is_no_step(view, *step)) {
        return op_error(view, diagnostics, "constant step operand must be positive");
    }
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let arguments = argument_types(view, block);
    if arguments.len() != steps.len() {
        let message = format!(
            "expects the same number of induction variables: {} as bound and step values: {}",
            arguments.len(),
            steps.len()
        );
        return op_error(view, diagnostics, message);
    }
    if !arguments.iter().all(|ty| ty.is_index(view.context)) {
        let message = "expects arguments for the induction variable to be of index type";
        return op_error(view, diagnostics, message);
    }
    let Some(last) = terminator(view, 0).filter(|last| last.name() == "scf.reduce") else {
        return op_error(
            view,
            diagnostics,
            "expects body to terminate with 'scf.reduce'",
        );
    };
    let n_results = view.results().len();
    let numbers = [
        ("reductions", last.regions().len()),
        ("initial values", view.operand_group(3).len()),
    ];
    for (what, found) in numbers {
        if found != n_results {
            let message = format!(
                "expects number of results: {n_results} to be the same as number of {what}: {found}"
            );
            return op_error(view, diagnostics, message);
        }
    }
    for (i, (result, given)) in view.result_types().zip(last.operand_types()).enumerate() {
        if result != given {
            let message = format!(
                "expects type of {i}-th reduction operand: {} to be the same as the {i}-th result type: {}",
                quoted(view, given),
                quoted(view, result)
            );
            return op_error(last, diagnostics, message);
        }
    }
}

fn parse_reduce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.peek("(") {
        parser.parse_punctuation("(")?;
        let position = parser.position();
        let operands = parser.parse_operand_list(Delimiter::None)?;
        let types = parser.parse_colon_type_list()?;
        parser.parse_punctuation(")")?;
        parser.resolve_operands(&operands, &types, position, state)?;
    }
    let mut more = parser.peek("{");
    while more {
        parser.parse_region(&[], state)?;
        more = parser.parse_optional_punctuation(",");
    }
    parser.parse_attribute_dictionary(state)
}

fn print_reduce(printer: &mut Printer<'_>, view: View<'_>) {
    if view.operands().len() > 0 {
        printer.text("(");
        for (i, operand) in view.operands().enumerate() {
            printer.text(if i > 0 { ", " } else { "" });
            printer.operand(operand);
        }
        printer.text(" : ");
        printer.types(view.operand_types());
        printer.text(")");
    }
    printer.text(" ");
    for region in 0..view.regions().len() {
        printer.text(if region > 0 { ", " } else { "" });
        printer.region(
            view,
            region,
            RegionPrinting {
                entry_arguments: true,
                ..PLAIN
            },
        );
    }
    printer.attribute_dictionary(view, &[]);
}

fn verify_reduce(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    for (region, ty) in view.operand_types().enumerate().take(view.regions().len()) {
        let Some(block) = view.entry_block(region) else {
            continue;
        };
        let Some(last) = body.last_operation(block) else {
            let message = format!("{region}-th reduction has an empty body");
            return op_error(view, diagnostics, message);
        };
        if argument_types(view, block) != [ty, ty] {
            let message = format!(
                "expected two block arguments with type {} in the {region}-th reduction region",
                quoted(view, ty)
            );
            return op_error(view, diagnostics, message);
        }
        if View::new(view.context, body, last).name() != "scf.reduce.return" {
            let message = "reduction bodies must be terminated with an 'scf.reduce.return' op";
            return op_error(view, diagnostics, message);
        }
    }
}

fn verify_reduce_return(view: View<'_>, diagnostics: &mut Diagnostics) {
    let block = view.body.parent_block(view.id);
    let first = block.and_then(|block| view.body.arguments(block).first().copied());
    let wanted = first.map(|argument| view.ty(argument));
    if let Some(wanted) = wanted.filter(|wanted| *wanted != view.ty(view.operand(0))) {
        let message = format!(
            "must have type {} (the type of the reduction inputs)",
            quoted(view, wanted)
        );
        op_error(view, diagnostics, message);
    }
}

/// Returns true if the custom form can be parsed: without values, attributes of a reduction look like a region.
fn starts_with_values(view: View<'_>) -> bool {
    view.operands().len() > 0 || view.attributes().is_empty()
}

/// Returns true if the custom form can be parsed: it needs as many lower and upper bounds and steps as there are loops.
fn has_all_bounds(view: View<'_>) -> bool {
    let [lower, upper, step] = [0, 1, 2].map(|group| view.operand_group(group).len());
    lower == upper && upper == step
}
