//! `scf.forall`: a nest of loops whose iterations are independent.

use sluice_ir::definition::{AttributeConstraint, AttributeSyntax, TraitRule};
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting,
};
use sluice_ir::{AttributeKind, Diagnostics, Type, View};

use crate::constraints::{ANY_TYPE, ARRAY, INDEX};
use crate::memref::strides::{
    check_mixed, parse_mixed_between, print_mixed, resolve_indices, static_list,
};

static I64_ARRAY: AttributeConstraint = AttributeConstraint {
    summary: "i64 dense array attribute",
    check: |context, a| matches!(a.kind(context), AttributeKind::DenseArray { .. }),
    syntax: AttributeSyntax::Generic,
};

sluice_ods::dialect! {
    group "scf";

    /// Independent iterations; the terminator puts their parts together.
    op Forall = "forall" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, LOOP_LIKE, AUTOMATIC_ALLOCATION_SCOPE, ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [TraitRule::ImplicitTerminator("scf.forall.in_parallel")],
        operands: {
            dynamic_lower_bound: variadic INDEX,
            dynamic_upper_bound: variadic INDEX,
            dynamic_step: variadic INDEX,
            outputs: variadic ANY_TYPE,
        },
        attributes: {
            static_lower_bound("staticLowerBound"): I64_ARRAY,
            static_upper_bound("staticUpperBound"): I64_ARRAY,
            static_step("staticStep"): I64_ARRAY,
            mapping: optional ARRAY,
        },
        results: { results: variadic ANY_TYPE },
        regions: { region: sized(1) },
        assembly: custom(parse_forall, print_forall),
        verify: verify_forall,
    }

    /// What the iterations of a `scf.forall` give to its results.
    op InParallel = "forall.in_parallel" {
        traits: [PURE, TERMINATOR, NO_TERMINATOR, SINGLE_BLOCK, GRAPH_REGION],
        rules: [TraitRule::HasParent(&["scf.forall"])],
        regions: { region: sized(1) },
        assembly: custom(parse_in_parallel, print_in_parallel),
    }
}

const BOUNDS: [(&str, &str); 3] = [
    ("staticLowerBound", "lower bound"),
    ("staticUpperBound", "upper bound"),
    ("staticStep", "step"),
];

fn parse_forall(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let variables = parser.parse_operand_list(Delimiter::Paren)?;
    let lists = if parser.parse_optional_keyword("in") {
        let upper = parse_mixed_between(parser, Delimiter::Paren)?;
        let zeros = context.dense_i64_array(&vec![0; variables.len()]);
        let ones = context.dense_i64_array(&vec![1; variables.len()]);
        [(zeros, Vec::new()), upper, (ones, Vec::new())]
    } else {
        parser.parse_punctuation("=")?;
        let lower = parse_mixed_between(parser, Delimiter::Paren)?;
        parser.parse_keyword("to")?;
        let upper = parse_mixed_between(parser, Delimiter::Paren)?;
        parser.parse_keyword("step")?;
        [lower, upper, parse_mixed_between(parser, Delimiter::Paren)?]
    };
    let mut sizes = Vec::new();
    for ((numbers, values), (name, _)) in lists.into_iter().zip(BOUNDS) {
        state.set_attribute(context, name, numbers);
        sizes.push(values.len());
        resolve_indices(parser, &values, state)?;
    }
    let index = context.index_type();
    let mut arguments: Vec<Argument> = variables
        .into_iter()
        .map(|name| Argument::new(name, index))
        .collect();
    let mut n_outputs = 0;
    let position = parser.position();
    if parser.parse_optional_keyword("shared_outs") {
        let outputs = parser.parse_assignment_list()?;
        let types = parser.parse_optional_arrow_types()?;
        if outputs.len() != types.len() {
            let message = "mismatch between out operands and types";
            return Err(parser.error(position, message));
        }
        n_outputs = outputs.len();
        for ((name, value), ty) in outputs.into_iter().zip(&types) {
            parser.resolve_operand(value, *ty, state)?;
            arguments.push(Argument::new(name, *ty));
        }
        state.add_results(&types);
    }
    sizes.push(n_outputs);
    parser.parse_region(&arguments, state)?;
    parser.parse_attribute_dictionary(state)?;
    state.set_operand_segment_sizes(context, &sizes);
    Ok(())
}

fn print_forall(printer: &mut Printer<'_>, view: View<'_>) {
    let n_loops = static_list(view, BOUNDS[1].0).len();
    printer.text(" (");
    printer.comma_separated(0..n_loops, |printer, i| {
        printer.region_argument_name(view, 0, i)
    });
    let all = |name: &str, value: i64| static_list(view, name).iter().all(|n| *n == Some(value));
    if all("staticLowerBound", 0) && all("staticStep", 1) {
        printer.text(") in (");
        print_mixed(printer, view, "staticUpperBound", 1);
    } else {
        printer.text(") = (");
        print_mixed(printer, view, "staticLowerBound", 0);
        printer.text(") to (");
        print_mixed(printer, view, "staticUpperBound", 1);
        printer.text(") step (");
        print_mixed(printer, view, "staticStep", 2);
    }
    printer.text(") ");
    let outputs = view.operand_group(3);
    if !outputs.is_empty() {
        printer.text("shared_outs(");
        printer.comma_separated(outputs.iter().enumerate(), |printer, (i, value)| {
            printer.region_argument_name(view, 0, n_loops + i);
            printer.text(" = ");
            printer.operand(*value);
        });
        printer.text(") -> (");
        printer.types(view.result_types());
        printer.text(") ");
    }
    let printing = RegionPrinting {
        entry_arguments: false,
        terminators: !view.results().is_empty(),
        empty_block: false,
    };
    printer.region(view, 0, printing);
    printer.attribute_dictionary(
        view,
        &[
            "operandSegmentSizes",
            "staticLowerBound",
            "staticUpperBound",
            "staticStep",
        ],
    );
}

fn verify_forall(view: View<'_>, diagnostics: &mut Diagnostics) {
    let mut error = |message: &str| {
        diagnostics.error(view.location(), format!("'scf.forall' op {message}"));
    };
    for (group, (name, what)) in BOUNDS.into_iter().enumerate() {
        if let Some(message) = check_mixed(view, what, name, group) {
            error(&message);
            return;
        }
    }
    let outputs = view.operand_group(3);
    if outputs.len() != view.results().len() {
        error(&format!(
            "expects {} results, but found {}",
            outputs.len(),
            view.results().len()
        ));
        return;
    }
    let n_loops = static_list(view, BOUNDS[1].0).len();
    let arguments = match view.entry_block(0) {
        Some(block) => view.inner().arguments(block),
        None => &[],
    };
    if arguments.len() != n_loops + outputs.len() {
        error(&format!("expects {} arguments", n_loops + outputs.len()));
        return;
    }
    for (i, value) in arguments.iter().enumerate() {
        let ty: Type = view.inner().ty(*value);
        if i < n_loops && !ty.is_index(view.context) {
            error(&format!("expects {i}-th block argument to be an index"));
            return;
        }
        if i >= n_loops && ty != view.ty(outputs[i - n_loops]) {
            error(&format!(
                "type mismatch between {i}-th output and corresponding block argument"
            ));
            return;
        }
    }
    let mapping = view
        .attribute("mapping")
        .and_then(|a| a.as_array(view.context));
    if mapping.is_some_and(|mapping| mapping.len() != n_loops) {
        error("mapping attribute size must match op rank");
    }
}

fn parse_in_parallel(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_in_parallel(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let printing = RegionPrinting {
        entry_arguments: false,
        terminators: false,
        empty_block: false,
    };
    printer.region(view, 0, printing);
    printer.attribute_dictionary(view, &[]);
}
