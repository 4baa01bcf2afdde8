//! Loops whose iterations may run at the same time and together produce tensors.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, View};

use super::{PLAIN, op_error, quoted};
use crate::constraints::{I64_ARRAY, INDEX, RANKED_TENSOR};
use crate::index_lists::{IndexList, n_dynamic, numbers, parse_index_list, print_index_list};
use crate::memref::{Extent, extents};
use crate::region_flow::{any_times, argument_types};

sluice_ods::dialect! {
    group "scf";

    /// A nest of loops whose iterations may run at the same time.
    op Forall = "forall" {
        traits: [
            SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE, ATTR_SIZED_OPERAND_SEGMENTS
        ],
        rules: [ImplicitTerminator("scf.forall.in_parallel")],
        operands: {
            dynamic_lower_bound: variadic INDEX,
            dynamic_upper_bound: variadic INDEX,
            dynamic_step: variadic INDEX,
            outputs: variadic RANKED_TENSOR,
        },
        attributes: {
            static_lower_bound("staticLowerBound"): I64_ARRAY,
            static_upper_bound("staticUpperBound"): I64_ARRAY,
            static_step("staticStep"): I64_ARRAY,
            mapping: optional DEVICE_MAPPING,
        },
        results: { results: variadic RANKED_TENSOR },
        regions: { region: sized(1) },
        assembly: custom(parse_forall, print_forall),
        verify: verify_forall,
        region_flow: any_times,
    }

    /// Ends an iteration with the parts that it adds to the tensors that all iterations make.
    op InParallel = "forall.in_parallel" {
        traits: [PURE, TERMINATOR, NO_TERMINATOR, SINGLE_BLOCK, GRAPH_REGION],
        rules: [HasParent(&["scf.forall"])],
        regions: { region: sized(1) },
        assembly: custom(parse_in_parallel, print_in_parallel),
        verify: verify_in_parallel,
    }
}

/// The mapping of iterations to hardware: attributes of the dialect of a device, which is not declared here.
static DEVICE_MAPPING: AttributeConstraint = AttributeConstraint {
    summary: "Device Mapping array attribute",
    check: AttributeCheck::Is(|context, attribute| {
        let elements = attribute.as_array(context);
        elements.is_some_and(|all| all.iter().all(|a| is_device(context, *a)))
    }),
    syntax: AttributeSyntax::Generic,
};

fn is_device(context: &Context, attribute: Attribute) -> bool {
    match attribute.kind(context) {
        AttributeKind::Opaque { dialect, .. } => context.text(*dialect) == "gpu",
        _ => false,
    }
}

const LISTS: [(&str, &str); 3] = [
    ("lower bound", "staticLowerBound"),
    ("upper bound", "staticUpperBound"),
    ("step", "staticStep"),
];

/// Returns lower bounds, upper bounds and steps of an `scf.forall`, one of each for every loop.
pub fn forall_bounds(view: View<'_>) -> Option<[Vec<Extent>; 3]> {
    let [lower, upper, step] = [0, 1, 2].map(|group| extents(view, LISTS[group].1, group));
    Some([lower?, upper?, step?])
}

/// Returns a list of one number for each loop.
fn repeated(number: i64, n_loops: usize) -> IndexList {
    IndexList {
        operands: Vec::new(),
        numbers: vec![number; n_loops],
    }
}

fn parse_forall(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let index = context.index_type();
    let variables = parser.parse_argument_names(Delimiter::Paren)?;
    let lists = if parser.parse_optional_keyword("in") {
        let upper = parse_index_list(parser, Delimiter::Paren)?;
        let n_loops = variables.len();
        [repeated(0, n_loops), upper, repeated(1, n_loops)]
    } else {
        parser.parse_punctuation("=")?;
        let lower = parse_index_list(parser, Delimiter::Paren)?;
        parser.parse_keyword("to")?;
        let upper = parse_index_list(parser, Delimiter::Paren)?;
        parser.parse_keyword("step")?;
        [lower, upper, parse_index_list(parser, Delimiter::Paren)?]
    };
    let mut sizes = Vec::new();
    for (list, (_, name)) in lists.iter().zip(LISTS) {
        list.set(context, name, state);
        sizes.push(list.resolve(parser, state)?);
    }
    let mut arguments: Vec<_> = variables
        .into_iter()
        .map(|name| Argument::new(name, index))
        .collect();
    let position = parser.position();
    if parser.parse_optional_keyword("shared_outs") {
        let pairs = parser.parse_assignment_list()?;
        let types = parser.parse_optional_arrow_types()?;
        let outputs: Vec<_> = pairs.iter().map(|(_, output)| *output).collect();
        parser.resolve_operands(&outputs, &types, position, state)?;
        let named = pairs.iter().zip(&types);
        arguments.extend(named.map(|((name, _), ty)| Argument::new(*name, *ty)));
        sizes.push(outputs.len());
        state.add_results(&types);
    } else {
        sizes.push(0);
    }
    state.set_operand_segment_sizes(context, &sizes);
    parser.parse_region(&arguments, state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_forall(printer: &mut Printer<'_>, view: View<'_>) {
    let lists = LISTS.map(|(_, name)| numbers(view, name));
    let n_loops = lists[0].len();
    let list = |printer: &mut Printer<'_>, list: usize| {
        printer.text("(");
        print_index_list(printer, &view.operand_group(list), &lists[list]);
        printer.text(")");
    };
    printer.text(" (");
    printer.comma_separated(0..n_loops, |printer, i| {
        printer.region_argument_name(view, 0, i);
    });
    if lists[0].iter().all(|n| *n == 0) && lists[2].iter().all(|n| *n == 1) {
        printer.text(") in ");
        list(printer, 1);
    } else {
        printer.text(") = ");
        list(printer, 0);
        printer.text(" to ");
        list(printer, 1);
        printer.text(" step ");
        list(printer, 2);
    }
    let outputs = view.operand_group(3);
    if !outputs.is_empty() {
        printer.text(" shared_outs(");
        printer.comma_separated(outputs.iter().enumerate(), |printer, (i, output)| {
            printer.region_argument_name(view, 0, n_loops + i);
            printer.text(" = ");
            printer.operand(*output);
        });
        printer.text(") -> (");
        printer.types(view.result_types());
        printer.text(")");
    }
    printer.text(" ");
    printer.region(view, 0, super::region_printing(view));
    let [a, b, c] = LISTS.map(|(_, name)| name);
    printer.attribute_dictionary(view, &["operandSegmentSizes", a, b, c]);
}

fn verify_forall(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_loops = numbers(view, LISTS[0].1).len();
    if let Err(message) = check_forall(view, n_loops) {
        return op_error(view, diagnostics, message);
    }
    for (group, (what, name)) in LISTS.into_iter().enumerate() {
        let list = numbers(view, name);
        let dynamic = n_dynamic(&list);
        let message = if list.len() != n_loops {
            format!("expected {n_loops} {what} values, got {}", list.len())
        } else if dynamic != view.operand_group(group).len() {
            format!("expected {dynamic} dynamic {what} values")
        } else {
            continue;
        };
        diagnostics.error(view.location(), message);
        return;
    }
}

fn check_forall(view: View<'_>, n_loops: usize) -> Result<(), String> {
    let outputs: Vec<_> = view.operand_group(3).iter().map(|v| view.ty(*v)).collect();
    let Some(block) = view.entry_block(0) else {
        return Ok(());
    };
    for (i, (output, result)) in outputs.iter().zip(view.result_types()).enumerate() {
        if *output != result {
            let (first, _) = view.operand_segment(3).unwrap_or((0, 0));
            return Err(format!(
                "expected type of operand #{} ({}) to match type of corresponding result ({})",
                first + i,
                quoted(view, *output),
                quoted(view, result)
            ));
        }
    }
    if view.results().len() != outputs.len() {
        return Err(format!(
            "produces {} results, but has only {} outputs",
            view.results().len(),
            outputs.len()
        ));
    }
    let arguments = argument_types(view, block);
    if arguments.len() != n_loops + outputs.len() {
        return Err(format!(
            "region expects {} arguments",
            n_loops + outputs.len()
        ));
    }
    let (variables, carried) = arguments.split_at(n_loops);
    if let Some(i) = variables.iter().position(|ty| !ty.is_index(view.context)) {
        return Err(format!("expects {i}-th block argument to be an index"));
    }
    if let Some(i) = (0..carried.len()).find(|i| carried[*i] != outputs[*i]) {
        return Err(format!(
            "type mismatch between {i}-th output and corresponding block argument"
        ));
    }
    let mapping = view
        .attribute("mapping")
        .and_then(|a| a.as_array(view.context));
    if mapping.is_some_and(|mapping| !mapping.is_empty() && mapping.len() != n_loops) {
        return Err("mapping attribute size must match op rank".to_owned());
    }
    Ok(())
}

fn parse_in_parallel(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_in_parallel(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let printing = RegionPrinting {
        terminators: false,
        ..PLAIN
    };
    printer.region(view, 0, printing);
    printer.attribute_dictionary(view, &[]);
}

/// Rejects every operation: only insertions into tensors are allowed here, and the dialect of tensors is not declared.
fn verify_in_parallel(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    let is_insertion =
        |op| View::new(view.context, body, op).name() == "tensor.parallel_insert_slice";
    let block = view.entry_block(0);
    if block.is_some_and(|block| !body.operations(block).all(is_insertion)) {
        op_error(
            view,
            diagnostics,
            "expected only tensor.parallel_insert_slice ops",
        );
    }
}
