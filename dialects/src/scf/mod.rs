//! scf: structured control flow.

use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
};
use sluice_ir::{BlockId, Diagnostics, ValueId, View};

use crate::constraints::{ANY_ATTRIBUTE, ANY_TYPE, I1, INDEX, SIGNLESS_INTEGER_OR_INDEX};

sluice_ods::dialect! {
    dialect "scf" { summary: "Structured control flow" }

    /// A loop from a lower to an upper bound (signed), with carried values.
    op For = "for" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE],
        rules: [ImplicitTerminator("scf.yield"), AllTypesMatch(&["lower_bound", "upper_bound", "step"])],
        operands: {
            lower_bound: SIGNLESS_INTEGER_OR_INDEX,
            upper_bound: SIGNLESS_INTEGER_OR_INDEX,
            step: SIGNLESS_INTEGER_OR_INDEX,
            init_args: variadic ANY_TYPE,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_for, print_for),
        verify_regions: verify_for,
    }

    /// One of two regions.
    op If = "if" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, NO_REGION_ARGUMENTS],
        rules: [ImplicitTerminator("scf.yield")],
        operands: { condition: I1 },
        results: { results: variadic ANY_TYPE },
        regions: { then_region: sized(1), else_region: max_sized(1) },
        assembly: custom(parse_if, print_if),
        verify_regions: verify_if,
    }

    /// A loop that runs as long as the condition of its first region holds.
    op While = "while" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE],
        operands: { inits: variadic ANY_TYPE },
        results: { results: variadic ANY_TYPE },
        regions: { before: sized(1), after: sized(1) },
        assembly: custom(parse_while, print_while),
        verify_regions: verify_while,
    }

    /// Passes values on to the loop or conditional around.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        operands: { results: variadic ANY_TYPE },
        assembly: "attr-dict ($results^ `:` type($results))?",
    }

    /// Decides whether a while loop goes on.
    op Condition = "condition" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["scf.while"])],
        operands: { condition: I1, args: variadic ANY_TYPE },
        assembly: "`(` $condition `)` attr-dict ($args^ `:` type($args))?",
    }

    /// A region that is run once.
    op ExecuteRegion = "execute_region" {
        traits: [RECURSIVE_MEMORY_EFFECTS],
        results: { results: variadic ANY_TYPE },
        regions: { region: any },
        assembly: custom(parse_execute_region, print_execute_region),
    }

    /// The region of the case the argument is, or the default one.
    op IndexSwitch = "index_switch" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS],
        rules: [ImplicitTerminator("scf.yield")],
        operands: { arg: INDEX },
        attributes: { cases: ANY_ATTRIBUTE },
        results: { results: variadic ANY_TYPE },
        regions: { default_region: sized(1), case_regions: variadic sized(1) },
        assembly: custom(parse_index_switch, print_index_switch),
        verify_regions: verify_index_switch,
    }

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
        verify_regions: verify_parallel,
    }

    /// Ends an iteration of a parallel loop; each region combines a value with the reduction so far.
    op Reduce = "reduce" {
        traits: [TERMINATOR, RECURSIVE_MEMORY_EFFECTS],
        rules: [HasParent(&["scf.parallel"])],
        operands: { operands: variadic ANY_TYPE },
        regions: { reductions: variadic sized(1) },
        assembly: custom(parse_reduce, print_reduce),
        verify_regions: verify_reduce,
    }

    /// What a reduction gives.
    op ReduceReturn = "reduce.return" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["scf.reduce"])],
        operands: { result: ANY_TYPE },
        assembly: "$result attr-dict `:` type($result)",
    }
}

const PLAIN: RegionPrinting = RegionPrinting {
    entry_arguments: false,
    terminators: true,
    empty_block: false,
};

fn region_printing(view: View<'_>) -> RegionPrinting {
    // A terminator without values is understood.
    RegionPrinting {
        terminators: !view.results().is_empty(),
        ..PLAIN
    }
}

fn parse_for(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let variable = parser.parse_operand()?;
    parser.parse_punctuation("=")?;
    let lower = parser.parse_operand()?;
    parser.parse_keyword("to")?;
    let upper = parser.parse_operand()?;
    parser.parse_keyword("step")?;
    let step = parser.parse_operand()?;
    let position = parser.position();
    let (mut carried, mut types) = (Vec::new(), Vec::new());
    if parser.parse_optional_keyword("iter_args") {
        carried = parser.parse_assignment_list()?;
        types = parser.parse_optional_arrow_types()?;
        if types.len() != carried.len() {
            return Err(parser.error(
                position,
                "mismatch in number of loop-carried values and defined values",
            ));
        }
    }
    let ty = if parser.parse_optional_punctuation(":") {
        parser.parse_type()?
    } else {
        context.index_type()
    };
    parser.resolve_operands_of_type(&[lower, upper, step], ty, state)?;
    let mut arguments = vec![Argument::new(variable, ty)];
    for ((name, init), ty) in carried.into_iter().zip(&types) {
        parser.resolve_operand(init, *ty, state)?;
        arguments.push(Argument::new(name, *ty));
    }
    state.add_results(&types);
    parser.parse_region(&arguments, state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_for(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.region_argument_name(view, 0, 0);
    printer.text(" = ");
    printer.operand(view.operand(0));
    printer.text(" to ");
    printer.operand(view.operand(1));
    printer.text(" step ");
    printer.operand(view.operand(2));
    print_carried(
        printer,
        view,
        &view.operands().skip(3).collect::<Vec<_>>(),
        1,
    );
    let ty = view.ty(view.operand(0));
    if !ty.is_index(view.context) {
        printer.text(" : ");
        printer.ty(ty);
        printer.text(" ");
    } else {
        printer.text(" ");
    }
    printer.region(view, 0, region_printing(view));
    printer.attribute_dictionary(view, &[]);
}

fn print_carried(printer: &mut Printer<'_>, view: View<'_>, inits: &[ValueId], first: usize) {
    if inits.is_empty() {
        return;
    }
    printer.text(" iter_args(");
    for (i, init) in inits.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        printer.region_argument_name(view, 0, first + i);
        printer.text(" = ");
        printer.operand(*init);
    }
    printer.text(") -> (");
    printer.types(view.result_types());
    printer.text(")");
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

fn parse_while(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let mut carried = Vec::new();
    if parser.peek("(") {
        carried = parser.parse_assignment_list()?;
    }
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let (inputs, results) = parser.parse_function_type()?;
    if inputs.len() != carried.len() {
        let message = format!(
            "expected {} operand types, got {}",
            carried.len(),
            inputs.len()
        );
        return Err(parser.error(position, message));
    }
    let mut arguments = Vec::new();
    for ((name, init), ty) in carried.into_iter().zip(inputs) {
        parser.resolve_operand(init, ty, state)?;
        arguments.push(Argument::new(name, ty));
    }
    state.add_results(&results);
    parser.parse_region(&arguments, state)?;
    parser.parse_keyword("do")?;
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary_with_keyword(state)
}

fn print_while(printer: &mut Printer<'_>, view: View<'_>) {
    let inits: Vec<_> = view.operands().collect();
    if !inits.is_empty() {
        printer.text(" (");
        for (i, init) in inits.iter().enumerate() {
            if i > 0 {
                printer.text(", ");
            }
            printer.region_argument_name(view, 0, i);
            printer.text(" = ");
            printer.operand(*init);
        }
        printer.text(")");
    }
    printer.text(" : ");
    let results: Vec<_> = view.result_types().collect();
    printer.functional_type(view.operand_types(), &results);
    printer.text(" ");
    printer.region(view, 0, PLAIN);
    printer.text(" do ");
    printer.region(
        view,
        1,
        RegionPrinting {
            entry_arguments: true,
            ..PLAIN
        },
    );
    printer.attribute_dictionary_with_keyword(view, &[]);
}

fn parse_execute_region(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let types = parser.parse_optional_arrow_types()?;
    state.add_results(&types);
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_execute_region(printer: &mut Printer<'_>, view: View<'_>) {
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
    printer.text(" ");
    printer.region(view, 0, PLAIN);
    printer.attribute_dictionary(view, &[]);
}

/// Compares the values a block passes on with what the loop or conditional expects.
fn check_passed(
    view: View<'_>,
    block: BlockId,
    skip: usize,
    expected: &[sluice_ir::Type],
    diagnostics: &mut Diagnostics,
) {
    let Some(last) = view.body.last_operation(block) else {
        return;
    };
    let given: Vec<_> = view.at(last).operand_types().skip(skip).collect();
    if given != expected {
        let text = |types: &[sluice_ir::Type]| {
            let types: Vec<_> = types
                .iter()
                .map(|t| sluice_ir::text::print_type(view.context, *t))
                .collect();
            types.join(", ")
        };
        let message = format!(
            "'{}' op passes on ({}), but '{}' expects ({})",
            view.at(last).name(),
            text(&given),
            view.name(),
            text(expected)
        );
        diagnostics.error(view.at(last).location(), message);
    }
}

fn argument_types(view: View<'_>, block: BlockId) -> Vec<sluice_ir::Type> {
    view.body
        .arguments(block)
        .iter()
        .map(|v| view.ty(*v))
        .collect()
}

fn verify_for(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let results: Vec<_> = view.result_types().collect();
    let inits: Vec<_> = view.operand_types().skip(3).collect();
    let arguments = argument_types(view, block);
    if inits != results {
        diagnostics.error(
            view.location(),
            "'scf.for' op mismatch in number of loop-carried values and defined values",
        );
        return;
    }
    if arguments.first() != view.operand_types().next().as_ref() || arguments[1..] != inits[..] {
        diagnostics.error(
            view.location(),
            "'scf.for' op expected induction variable and carried values to have the types of the operands",
        );
        return;
    }
    check_passed(view, block, 0, &results, diagnostics);
}

fn verify_if(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<_> = view.result_types().collect();
    if !results.is_empty() && view.entry_block(1).is_none() {
        diagnostics.error(
            view.location(),
            "'scf.if' op must have an else block if defining values",
        );
    }
    for region in 0..view.regions().len() {
        if let Some(block) = view.entry_block(region) {
            check_passed(view, block, 0, &results, diagnostics);
        }
    }
}

fn verify_while(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
        return;
    };
    let inits: Vec<_> = view.operand_types().collect();
    let results: Vec<_> = view.result_types().collect();
    if view
        .body
        .last_operation(before)
        .is_none_or(|op| view.at(op).name() != "scf.condition")
    {
        diagnostics.error(
            view.location(),
            "'scf.while' op expects the 'before' region to terminate with 'scf.condition'",
        );
        return;
    }
    if argument_types(view, before) != inits {
        diagnostics.error(
            view.location(),
            "'scf.while' op region entry arguments must have the types of the operands",
        );
        return;
    }
    check_passed(view, before, 1, &argument_types(view, after), diagnostics);
    check_passed(view, before, 1, &results, diagnostics);
    check_passed(view, after, 0, &inits, diagnostics);
}

/// The values of the cases of an `scf.index_switch`, in the order of its regions after the first.
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
    // Without parentheses, also where there are several.
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
        parser.parse_region(&[], state)?;
    }
    parser.parse_keyword("default")?;
    parser.parse_region(&[], state)?;
    // The default region is written last, but is the first one.
    parser.move_last_region_first(state);
    state.set_attribute(context, "cases", context.dense_i64_array(&cases));
    Ok(())
}

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
        printer.region(view, i + 1, PLAIN);
    }
    printer.newline();
    printer.text("default ");
    printer.region(view, 0, PLAIN);
}

fn verify_index_switch(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<_> = view.result_types().collect();
    if index_switch_cases(view).len() + 1 != view.regions().len() {
        let message = format!(
            "'scf.index_switch' op has {} case regions but {} case values",
            view.regions().len().saturating_sub(1),
            index_switch_cases(view).len()
        );
        diagnostics.error(view.location(), message);
    }
    for region in 0..view.regions().len() {
        if let Some(block) = view.entry_block(region) {
            check_passed(view, block, 0, &results, diagnostics);
        }
    }
}

fn parse_parallel(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let mut variables = Vec::new();
    parser.parse_comma_separated(Delimiter::Paren, |parser| {
        variables.push(parser.parse_operand()?);
        Ok(())
    })?;
    let mut sizes = Vec::new();
    for before in ["=", "to", "step"] {
        match before {
            "=" => parser.parse_punctuation(before)?,
            word => parser.parse_keyword(word)?,
        }
        let mut operands = Vec::new();
        parser.parse_comma_separated(Delimiter::Paren, |parser| {
            operands.push(parser.parse_operand()?);
            Ok(())
        })?;
        sizes.push(operands.len());
        parser.resolve_operands_of_type(&operands, index, state)?;
    }
    let mut inits = Vec::new();
    let position = parser.position();
    if parser.parse_optional_keyword("init") {
        parser.parse_comma_separated(Delimiter::Paren, |parser| {
            inits.push(parser.parse_operand()?);
            Ok(())
        })?;
    }
    let types = parser.parse_optional_arrow_types()?;
    if types.len() != inits.len() {
        return Err(parser.error(position, "as many initial values as results are expected"));
    }
    sizes.push(inits.len());
    for (init, ty) in inits.into_iter().zip(&types) {
        parser.resolve_operand(init, *ty, state)?;
    }
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

fn verify_parallel(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_loops = view.operand_group(0).len();
    let error = |diagnostics: &mut Diagnostics, message: &str| {
        diagnostics.error(view.location(), format!("'scf.parallel' op {message}"));
    };
    if n_loops == 0 {
        error(
            diagnostics,
            "needs at least one tuple element for lowerBound, upperBound and step",
        );
    }
    if (1..3).any(|group| view.operand_group(group).len() != n_loops) {
        error(
            diagnostics,
            "needs as many upper bounds and steps as lower bounds",
        );
    }
    let Some(block) = view.entry_block(0) else {
        return;
    };
    if argument_types(view, block).len() != n_loops {
        error(
            diagnostics,
            "expects the same number of induction variables as bound and step values",
        );
    }
    let Some(last) = view.body.last_operation(block).map(|op| view.at(op)) else {
        return;
    };
    if last.operands().len() != view.results().len() {
        error(
            diagnostics,
            "expects as many reductions as results and initial values",
        );
    }
}

fn parse_reduce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    if parser.peek("(") {
        let (mut operands, mut types) = (Vec::new(), Vec::new());
        parser.parse_punctuation("(")?;
        loop {
            operands.push(parser.parse_operand()?);
            if !parser.parse_optional_punctuation(",") {
                break;
            }
        }
        parser.parse_punctuation(":")?;
        loop {
            types.push(parser.parse_type()?);
            if !parser.parse_optional_punctuation(",") {
                break;
            }
        }
        parser.parse_punctuation(")")?;
        let position = parser.position();
        if operands.len() != types.len() {
            return Err(parser.error(position, "as many types as operands are expected"));
        }
        for (operand, ty) in operands.into_iter().zip(types) {
            parser.resolve_operand(operand, ty, state)?;
        }
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
    if view.operands().len() != view.regions().len() {
        diagnostics.error(
            view.location(),
            "'scf.reduce' op has as many regions as operands",
        );
        return;
    }
    for (region, ty) in view.operand_types().enumerate() {
        let Some(block) = view.entry_block(region) else {
            continue;
        };
        if argument_types(view, block) != [ty, ty] {
            let message =
                "'scf.reduce' op expects two arguments of the operand's type in each region";
            diagnostics.error(view.location(), message);
        }
        check_passed(view, block, 0, &[ty], diagnostics);
    }
}
