//! Operations with regions that run once or not at all.

use sluice_ir::definition::RegionPoint;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Attribute, Diagnostics, View};

use super::{PLAIN, op_error, quoted, region_printing};
use crate::constraints::{ANY_TYPE, I1, I64_ARRAY, INDEX, UNIT};
use crate::region_flow::{Edges, bare_edge, check_edge, leave, once, one_of_two, passed_types};

sluice_ods::dialect! {
    group "scf";

    /// Runs one of two regions.
    op If = "if" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS],
        rules: [ImplicitTerminator("scf.yield")],
        operands: { condition: I1 },
        results: { results: variadic ANY_TYPE },
        regions: { then_region("thenRegion"): sized(1), else_region("elseRegion"): max_sized(1) },
        assembly: custom(parse_if, print_if),
        verify: verify_if,
        verify_regions: verify_if_flow,
        region_flow: if_flow,
    }

    /// A region that is run once.
    op ExecuteRegion = "execute_region" {
        attributes: { no_inline: optional UNIT since 22 },
        results: { results: variadic ANY_TYPE },
        regions: { region: any },
        assembly: custom(parse_execute_region, print_execute_region),
        verify: verify_execute_region,
        verify_regions: verify_execute_region_flow,
        region_flow: once,
    }

    /// Runs the region of the case that equals the argument, or the default region.
    op IndexSwitch = "index_switch" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS],
        rules: [ImplicitTerminator("scf.yield")],
        operands: { arg: INDEX },
        attributes: { cases: I64_ARRAY },
        results: { results: variadic ANY_TYPE },
        regions: { default_region("defaultRegion"): sized(1), case_regions("caseRegions"): variadic sized(1) },
        assembly: custom(parse_index_switch, print_index_switch),
        verify: verify_index_switch,
        region_flow: index_switch_flow,
    }
}

fn if_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    operands: &[Option<Attribute>],
) -> Edges {
    let condition = operands.first().copied().flatten();
    let condition = condition.and_then(|a| a.as_bool(view.context));
    one_of_two(view, from, terminator, condition)
}

fn index_switch_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    operands: &[Option<Attribute>],
) -> Edges {
    if from != RegionPoint::Parent {
        return leave(terminator);
    }
    let argument = operands.first().copied().flatten();
    let argument = argument.and_then(|a| a.as_i64(view.context));
    let taken = argument.map(|value| {
        let cases = index_switch_cases(view);
        let case = cases.iter().position(|case| *case == value);
        case.map_or(0, |case| case + 1)
    });
    (0..view.regions().len())
        .filter(|region| taken.is_none_or(|taken| taken == *region))
        .map(|region| bare_edge(RegionPoint::Region(region)))
        .collect()
}

fn parse_if(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let condition = parser.parse_operand()?;
    let bit = context.integer_type(1);
    parser.resolve_operand(condition, bit, state)?;
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
    printer.operand(view.operand(0));
    if !view.results().is_empty() {
        printer.text(" -> (");
        printer.types(view.result_types());
        printer.text(")");
    }
    printer.text(" ");
    printer.region(view, 0, region_printing(view));
    if view.entry_block(1).is_some() {
        printer.text(" else ");
        printer.region(view, 1, region_printing(view));
    }
    printer.attribute_dictionary(view, &[]);
}

fn verify_if(view: View<'_>, diagnostics: &mut Diagnostics) {
    if !view.results().is_empty() && view.entry_block(1).is_none() {
        op_error(
            view,
            diagnostics,
            "must have an else block if defining values",
        );
    }
}

fn verify_if_flow(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<_> = view.result_types().collect();
    for (region, name) in ["Region #0", "Region #1"].into_iter().enumerate() {
        let Some(block) = view.entry_block(region) else {
            continue;
        };
        let passed = passed_types(view, block, 0);
        if !check_edge(
            view,
            (name, &passed),
            ("parent results", &results),
            diagnostics,
        ) {
            return;
        }
    }
}

fn parse_execute_region(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    if parser.parse_optional_keyword("no_inline") {
        state.set_attribute(context, "no_inline", context.unit_attribute());
    }
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_execute_region(printer: &mut Printer<'_>, view: View<'_>) {
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
    if view.attribute("no_inline").is_some() {
        printer.text(" no_inline");
    }
    printer.text(" ");
    printer.region(view, 0, PLAIN);
    printer.attribute_dictionary(view, &["no_inline"]);
}

fn verify_execute_region(view: View<'_>, diagnostics: &mut Diagnostics) {
    match view.entry_block(0) {
        None => op_error(view, diagnostics, "region needs to have at least one block"),
        Some(entry) if !view.inner().arguments(entry).is_empty() => {
            op_error(view, diagnostics, "region cannot have any arguments");
        }
        Some(_) => {}
    }
}

fn verify_execute_region_flow(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<_> = view.result_types().collect();
    let body = view.inner();
    for block in body.blocks(view.regions()[0]) {
        let last = body.last_operation(*block);
        let leaves =
            last.is_some_and(|last| View::new(view.context, body, last).name() == "scf.yield");
        let passed = passed_types(view, *block, 0);
        let edge = (
            ("Region #0", passed.as_slice()),
            ("parent results", results.as_slice()),
        );
        if leaves && !check_edge(view, edge.0, edge.1, diagnostics) {
            return;
        }
    }
}

/// Returns the values of the cases of an `scf.index_switch`, in the order of its regions after the first.
pub fn index_switch_cases(view: View<'_>) -> Vec<i64> {
    let cases = view
        .attribute("cases")
        .and_then(|a| a.as_dense_array_i64(view.context));
    cases.unwrap_or_default()
}

fn parse_index_switch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let argument = parser.parse_operand()?;
    let index = context.index_type();
    parser.resolve_operand(argument, index, state)?;
    parser.parse_attribute_dictionary(state)?;
    // Without parentheses, also for several types.
    let mut types = Vec::new();
    if parser.parse_optional_punctuation("->") {
        parser.parse_comma_separated(Delimiter::None, |parser| {
            types.push(parser.parse_type()?);
            Ok(())
        })?;
    }
    state.add_results(&types);
    let mut cases = Vec::new();
    while parser.parse_optional_keyword("case") {
        cases.push(parser.parse_integer()?);
        parser.parse_region_as_written(state)?;
    }
    parser.parse_keyword("default")?;
    parser.parse_region(&[], state)?;
    // The default region comes last in the text, but is the first region.
    parser.move_last_region_first(state);
    state.set_attribute(context, "cases", context.dense_i64_array(&cases));
    Ok(())
}

/// How to print the region of a case.
const CASE: RegionPrinting = RegionPrinting {
    entry_arguments: true,
    ..PLAIN
};

fn print_index_switch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.attribute_dictionary(view, &["cases"]);
    for (i, ty) in view.result_types().enumerate() {
        printer.text(if i == 0 { " -> " } else { ", " });
        printer.ty(ty);
    }
    printer.text(" ");
    for (i, case) in index_switch_cases(view).into_iter().enumerate() {
        printer.newline();
        printer.text(&format!("case {case} "));
        printer.region(view, i + 1, CASE);
    }
    printer.newline();
    printer.text("default ");
    // Upstream omits the terminator of only this region.
    let says_nothing = |last: View<'_>| {
        last.name() == "scf.yield" && last.operands().len() == 0 && last.attributes().is_empty()
    };
    let printing = RegionPrinting {
        terminators: !super::terminator(view, 0).is_some_and(says_nothing),
        ..CASE
    };
    printer.region(view, 0, printing);
}

fn verify_index_switch(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_index_switch(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_index_switch(view: View<'_>) -> Result<(), String> {
    let cases = index_switch_cases(view);
    let n_regions = view.regions().len().saturating_sub(1);
    if cases.len() != n_regions {
        return Err(format!(
            "has {n_regions} case regions but {} case values",
            cases.len()
        ));
    }
    for (i, case) in cases.iter().enumerate() {
        if cases[..i].contains(case) {
            return Err(format!("has duplicate case value: {case}"));
        }
    }
    let results: Vec<_> = view.result_types().collect();
    for region in 0..view.regions().len() {
        let Some(last) = super::terminator(view, region) else {
            continue;
        };
        if last.name() != "scf.yield" {
            return Err(format!(
                "expected region to end with scf.yield, but got {}",
                last.name()
            ));
        }
        let given: Vec<_> = last.operand_types().collect();
        if given.len() != results.len() {
            let which = match region {
                0 => "default region".to_owned(),
                n => format!("case region #{}", n - 1),
            };
            return Err(format!(
                "expected each region to return {} values, but {which} returns {}",
                results.len(),
                given.len()
            ));
        }
        if let Some(i) = (0..given.len()).find(|i| given[*i] != results[*i]) {
            return Err(format!(
                "expected result #{i} of each region to be {}",
                quoted(view, results[i])
            ));
        }
    }
    Ok(())
}
