//! Loops that run their iterations in sequence.

use smallvec::smallvec;

use sluice_ir::definition::RegionPoint;
use sluice_ir::simplify::constant_of;
use sluice_ir::text::{Argument, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Attribute, Diagnostics, Type, ValueId, View};

use super::{PLAIN, op_error, quoted, region_printing, terminator};
use crate::constraints::{ANY_TYPE, I1, SIGNLESS_INTEGER_OR_INDEX, UNIT};
use crate::region_flow::{Edges, argument_types, check_edge, edge, passed_types};

sluice_ods::dialect! {
    group "scf";

    /// A loop from a lower to an upper bound, with carried values.
    ///
    /// The bounds are signed, or unsigned if the loop says so.
    op For = "for" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE],
        rules: [ImplicitTerminator("scf.yield"), Predicate {
            summary: "all of {lowerBound, upperBound, step} have same type",
            check: bounds_fit,
        }],
        operands: {
            lower_bound: SIGNLESS_INTEGER_OR_INDEX,
            upper_bound: SIGNLESS_INTEGER_OR_INDEX,
            step: SIGNLESS_INTEGER_OR_INDEX,
            init_args: variadic ANY_TYPE,
        },
        attributes: { unsigned_cmp("unsignedCmp"): optional UNIT since 22 },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_for, print_for),
        verify: verify_for,
        verify_regions: verify_for_body,
        region_flow: for_flow,
        speculatable: goes_by_one,
    }

    /// A loop that runs as long as the condition of its first region holds.
    op While = "while" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE],
        operands: { inits: variadic ANY_TYPE },
        results: { results: variadic ANY_TYPE },
        regions: { before: sized(1), after: sized(1) },
        assembly: custom(parse_while, print_while),
        verify: verify_while,
        verify_regions: verify_while_flow,
        region_flow: while_flow,
    }

    /// Decides if a while loop continues.
    op Condition = "condition" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["scf.while"])],
        operands: { condition: I1, args: variadic ANY_TYPE },
        assembly: "`(` $condition `)` attr-dict ($args^ `:` type($args))?",
    }
}

/// Returns true if the step is 1, so the loop certainly ends: a larger step may overflow at the largest number.
fn goes_by_one(view: View<'_>) -> bool {
    let step = constant_of(view.context, view.body, view.operand(2));
    step.and_then(|step| step.as_i64(view.context)) == Some(1)
}

fn for_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    _: &[Option<Attribute>],
) -> Edges {
    let (source, first) = match (from, terminator) {
        (RegionPoint::Region(_), Some(last)) => (last, 0),
        _ => (view, 3),
    };
    smallvec![
        edge(source, RegionPoint::Region(0), first, 1),
        edge(source, RegionPoint::Parent, first, 0)
    ]
}

fn while_flow(
    view: View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    operands: &[Option<Attribute>],
) -> Edges {
    let source = terminator.unwrap_or(view);
    if from != RegionPoint::Region(0) {
        return smallvec![edge(source, RegionPoint::Region(0), 0, 0)];
    }
    let condition = operands.first().copied().flatten();
    let condition = condition.and_then(|a| a.as_bool(view.context));
    let mut edges = Edges::new();
    if condition != Some(false) {
        edges.push(edge(source, RegionPoint::Region(1), 1, 0));
    }
    if condition != Some(true) {
        edges.push(edge(source, RegionPoint::Parent, 1, 0));
    }
    edges
}

fn bounds_fit(view: View<'_>) -> bool {
    let mut types = view.operand_types().take(3);
    types.next().is_none_or(|first| types.all(|ty| ty == first))
}

fn parse_for(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if parser.parse_optional_keyword("unsigned") {
        state.set_attribute(context, "unsignedCmp", context.unit_attribute());
    }
    let variable = parser.parse_operand()?;
    parser.parse_punctuation("=")?;
    let lower = parser.parse_operand()?;
    parser.parse_keyword("to")?;
    let upper = parser.parse_operand()?;
    parser.parse_keyword("step")?;
    let step = parser.parse_operand()?;
    let (mut carried, mut types) = (Vec::new(), Vec::new());
    if parser.parse_optional_keyword("iter_args") {
        carried = parser.parse_assignment_list()?;
        types = parser.parse_optional_arrow_types()?;
        if types.len() != carried.len() {
            return Err(parser.error(
                state.position,
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

/// Returns true if the bounds of an `scf.for` are unsigned.
pub fn is_unsigned(view: View<'_>) -> bool {
    view.attribute("unsignedCmp").is_some()
}

fn print_for(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(if is_unsigned(view) { " unsigned " } else { " " });
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
        // Two spaces, as upstream prints.
        printer.text("  : ");
        printer.ty(ty);
        printer.text(" ");
    } else {
        printer.text(" ");
    }
    printer.region(view, 0, region_printing(view));
    printer.attribute_dictionary(view, &["unsignedCmp"]);
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

fn verify_for(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.operands().len().checked_sub(3) != Some(view.results().len()) {
        let message = "mismatch in number of loop-carried values and defined values";
        op_error(view, diagnostics, message);
    }
}

/// Checks the values that a loop carries, as upstream checks all loops; returns the error, if there is one.
pub(crate) fn check_carried(
    view: View<'_>,
    inits: &[Type],
    arguments: Result<&[Type], &str>,
    yielded: &[Type],
) -> Option<String> {
    let results: Vec<_> = view.result_types().collect();
    let (a, r, y) = (inits.len(), results.len(), yielded.len());
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(number) => {
            return Some(format!(
                "different number of inits and region iter_args: {a} != {number}"
            ));
        }
    };
    let n = arguments.len();
    if a != n {
        return Some(format!(
            "different number of inits and region iter_args: {a} != {n}"
        ));
    }
    if y != 0 && n != y {
        return Some(format!(
            "different number of region iter_args and yielded values: {n} != {y}"
        ));
    }
    if r != 0 && n != r {
        return Some(format!(
            "different number of loop results and region iter_args: {r} != {n}"
        ));
    }
    let different = |i: usize, (a, a_type): (&str, Type), (b, b_type): (&str, Type)| {
        (a_type != b_type).then(|| {
            format!(
                "{i}-th {a} and {i}-th {b} have different type: {} != {}",
                quoted(view, a_type),
                quoted(view, b_type)
            )
        })
    };
    for i in 0..n {
        let argument = ("region iter_arg", arguments[i]);
        let found = different(i, ("init", inits[i]), argument)
            .or_else(|| different(i, argument, ("loop result", *results.get(i)?)))
            .or_else(|| different(i, argument, ("yielded value", *yielded.get(i)?)));
        if found.is_some() {
            return found;
        }
    }
    None
}

fn verify_for_body(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let all = argument_types(view, block);
    let inits: Vec<_> = view.operand_types().skip(3).collect();
    let results: Vec<_> = view.result_types().collect();
    let yielded = passed_types(view, block, 0);
    // Upstream subtracts the induction variable from an unsigned number, which wraps.
    let carried = all.get(1..).ok_or("18446744073709551615");
    if let Some(message) = check_carried(view, &inits, carried, &yielded) {
        return op_error(view, diagnostics, message);
    }
    let carried = carried.unwrap_or_default();
    let region = ("Region #0", yielded.as_slice());
    if !check_edge(view, region, ("Region #0", carried), diagnostics)
        || !check_edge(view, region, ("parent results", &results), diagnostics)
    {
        return;
    }
    if all.first().copied() != view.operand_types().next() {
        let message = "expected induction variable to be same type as bounds and step";
        op_error(view, diagnostics, message);
    }
}

fn parse_while(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let mut carried = Vec::new();
    if parser.peek("(") {
        carried = parser.parse_assignment_list()?;
    }
    let position = parser.position();
    parser.parse_punctuation(":")?;
    let (inputs, results) = parser.parse_function_type()?;
    if inputs.len() != carried.len() {
        let message = format!(
            "expected as many input types as operands (expected {} got {})",
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

fn verify_while(view: View<'_>, diagnostics: &mut Diagnostics) {
    for (region, which, wanted) in [(0, "before", "scf.condition"), (1, "after", "scf.yield")] {
        if terminator(view, region).is_none_or(|last| last.name() != wanted) {
            let message = format!("expects the '{which}' region to terminate with '{wanted}'");
            return op_error(view, diagnostics, message);
        }
    }
}

/// The name of a region or of the operation around, and the types of the values that leave or enter there.
type Place<'a> = (&'a str, &'a [Type]);

fn verify_while_flow(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (Some(before), Some(after)) = (view.entry_block(0), view.entry_block(1)) else {
        return;
    };
    let inits: Vec<_> = view.operand_types().collect();
    let results: Vec<_> = view.result_types().collect();
    let (first, second) = (argument_types(view, before), argument_types(view, after));
    let (passed, yielded) = (passed_types(view, before, 1), passed_types(view, after, 0));
    let edges: [(Place<'_>, Place<'_>); 4] = [
        (("parent operands", &inits), ("Region #0", &first)),
        (("Region #0", &passed), ("parent results", &results)),
        (("Region #0", &passed), ("Region #1", &second)),
        (("Region #1", &yielded), ("Region #0", &first)),
    ];
    for (from, to) in edges {
        if !check_edge(view, from, to, diagnostics) {
            return;
        }
    }
}
