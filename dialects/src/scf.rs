//! scf: structured control flow.

use sluice_ir::text::{Argument, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{BlockId, Diagnostics, ValueId, View};

use crate::constraints::{ANY_TYPE, I1, SIGNLESS_INTEGER_OR_INDEX};

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
