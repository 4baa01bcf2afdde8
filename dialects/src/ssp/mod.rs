//! Dialect ssp: static scheduling problems as text, in CIRCT's syntax.
//!
//! An instance holds a library of operator types, resources, and a graph whose operations depend on each other. Their properties
//! are attributes of the dialect in square brackets: `[latency<1>]`, `[t<3>]`.

mod properties;
mod references;

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Attribute, AttributeKind, Diagnostics, View};

use crate::constraints::{ARRAY, STRING, SYMBOL_NAME};
use crate::messages::op_error;

use properties::{NONE_VALUE, parse_properties, print_properties};
use references::{verify_dependences, verify_references};

pub use properties::property;
pub use references::resolve;

static PROPERTIES: AttributeConstraint = AttributeConstraint {
    summary: "property array attribute",
    check: AttributeCheck::Is(|context, a| {
        let is_property = |one: &Attribute| matches!(one.kind(context), AttributeKind::Dialect { name, .. } if context.text(*name).starts_with("ssp."));
        a.as_array(context)
            .is_some_and(|all| all.iter().all(is_property))
    }),
    syntax: AttributeSyntax::Generic,
};

/// Returns true if the custom form can be parsed: it omits an empty list of properties.
fn has_no_empty_list(view: View<'_>) -> bool {
    let properties = view.attribute("sspProperties");
    properties
        .and_then(|a| a.as_array(view.context))
        .is_none_or(|all| !all.is_empty())
}

sluice_ods::dialect! {
    dialect "ssp" {
        summary: "Static scheduling problems and their solutions",
        attributes: [
            properties::DEPENDENCE, properties::OPERATOR_TYPE, properties::RESOURCE_TYPES, properties::START_TIME,
            properties::LATENCY, properties::DISTANCE, properties::INITIATION_INTERVAL, properties::START_TIME_IN_CYCLE,
            properties::INCOMING_DELAY, properties::OUTGOING_DELAY, properties::LIMIT,
        ],
    }

    /// A scheduling problem, by the name of its class.
    op Instance = "instance" {
        traits: [
            ISOLATED_FROM_ABOVE, NO_REGION_ARGUMENTS, NO_TERMINATOR, SINGLE_BLOCK, SYMBOL, SYMBOL_TABLE,
        ],
        attributes: {
            sym_name: optional STRING, problem_name("problemName"): STRING, ssp_properties("sspProperties"): optional PROPERTIES,
        },
        regions: { body: sized(1) },
        assembly: custom(parse_instance, print_instance),
        custom_if: has_no_empty_list,
        verify: verify_instance,
        verify_symbols: verify_references,
    }

    /// Operator types, within an instance or for several.
    op Library = "library" {
        traits: [NO_REGION_ARGUMENTS, NO_TERMINATOR, SINGLE_BLOCK, SYMBOL, SYMBOL_TABLE],
        attributes: { sym_name: optional SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: custom(parse_container, print_container),
    }

    /// Kinds of units, within an instance or for several.
    op Resource = "resource" {
        traits: [NO_REGION_ARGUMENTS, NO_TERMINATOR, SINGLE_BLOCK, SYMBOL, SYMBOL_TABLE],
        attributes: { sym_name: optional SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: custom(parse_container, print_container),
    }

    /// The operations of an instance.
    op Graph = "graph" {
        traits: [GRAPH_REGION, NO_REGION_ARGUMENTS, NO_TERMINATOR, SINGLE_BLOCK, SYMBOL_TABLE],
        rules: [HasParent(&["ssp.instance"])],
        regions: { body: sized(1) },
        assembly: custom(parse_container, print_container),
    }

    /// The common properties of operations of one type.
    op OperatorType = "operator_type" {
        traits: [SYMBOL],
        rules: [HasParent(&["ssp.library"])],
        attributes: { sym_name: SYMBOL_NAME, ssp_properties("sspProperties"): optional PROPERTIES },
        effects: [Unknown],
        assembly: custom(parse_type, print_type),
        custom_if: has_no_empty_list,
    }

    /// A kind of unit and the number of its units.
    op ResourceType = "resource_type" {
        traits: [SYMBOL],
        rules: [HasParent(&["ssp.resource"])],
        attributes: { sym_name: SYMBOL_NAME, ssp_properties("sspProperties"): optional PROPERTIES },
        effects: [Unknown],
        assembly: custom(parse_type, print_type),
        custom_if: has_no_empty_list,
    }

    /// An operation with its dependences: operands, and other operations by name.
    op Operation = "operation" {
        rules: [HasParent(&["ssp.graph"])],
        operands: { operands: variadic NONE_VALUE },
        attributes: {
            sym_name: optional STRING, dependences: optional ARRAY, ssp_properties("sspProperties"): optional PROPERTIES,
        },
        results: { results: variadic NONE_VALUE },
        effects: [Unknown],
        assembly: custom(parse_operation, print_operation),
        custom_if: has_no_empty_list,
        verify: verify_dependences,
    }
}

/// Parses `[@name] of "Class" [properties] { ... } {attributes}`; in older files the name is a string.
fn parse_instance(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    match parser.parse_optional_string_attribute() {
        Some(name) => state.set_attribute(context, "sym_name", name),
        None => parse_name(parser, state)?,
    }
    parser.parse_keyword("of")?;
    let class = context.string_attribute(&parser.parse_string()?);
    state.set_attribute(context, "problemName", class);
    if let Some(properties) = parse_properties(parser, &[])? {
        state.set_attribute(context, "sspProperties", properties);
    }
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_instance(printer: &mut Printer<'_>, view: View<'_>) {
    print_name(printer, view);
    printer.text(" of ");
    if let Some(class) = view.attribute("problemName") {
        printer.attribute(class);
    }
    print_properties(printer, view.attribute("sspProperties"), " ", &[]);
    printer.text(" ");
    printer.region(view, 0, ALWAYS);
    printer.attribute_dictionary(view, &["sym_name", "problemName", "sspProperties"]);
}

/// Parses `[@name] { ... } {attributes}`.
fn parse_container(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_name(parser, state)?;
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)
}

fn print_container(printer: &mut Printer<'_>, view: View<'_>) {
    print_name(printer, view);
    printer.text(" ");
    printer.region(view, 0, ALWAYS);
    printer.attribute_dictionary(view, &["sym_name"]);
}

const ALWAYS: RegionPrinting = RegionPrinting {
    entry_arguments: true,
    terminators: true,
    empty_block: false,
};

/// Parses `@name [properties] {attributes}`.
fn parse_type(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_symbol_name_attribute("sym_name", state)?;
    if let Some(properties) = parse_properties(parser, &[])? {
        state.set_attribute(context, "sspProperties", properties);
    }
    parser.parse_attribute_dictionary(state)
}

fn print_type(printer: &mut Printer<'_>, view: View<'_>) {
    print_name(printer, view);
    print_properties(printer, view.attribute("sspProperties"), " ", &[]);
    printer.attribute_dictionary(view, &["sym_name", "sspProperties"]);
}

fn parse_name(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if let Some(name) = parser.parse_optional_symbol_name()? {
        let name = context.string_attribute(context.text(name));
        state.set_attribute(context, "sym_name", name);
    }
    Ok(())
}

fn print_name(printer: &mut Printer<'_>, view: View<'_>) {
    if let Some(name) = view.symbol_name() {
        printer.text(" ");
        printer.symbol_name(name);
    }
}

/// Parses `<@type> [@name](%0 [properties], @other [properties]) [uses[@unit]] [properties] {attributes}`.
fn parse_operation(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let n_results = parser.result_count();
    let mut known = Vec::new();
    parser.parse_punctuation("<")?;
    if let Some(operator) = parser.parse_optional_attribute()? {
        known.push(properties::of_parts(context, "ssp.opr", &[operator]));
    }
    parser.parse_punctuation(">")?;
    parse_name(parser, state)?;
    let (mut operands, mut dependences) = (Vec::new(), Vec::new());
    let mut index = 0;
    parser.parse_comma_separated(sluice_ir::text::Delimiter::Paren, |parser| {
        let position = parser.position();
        let source = match parser.parse_optional_symbol_name()? {
            Some(name) => Some(context.symbol_attribute(context.text(name))),
            None => match parser.parse_optional_operand()? {
                Some(operand) => {
                    operands.push(operand);
                    None
                }
                None => {
                    return Err(parser.error(position, "expected SSA value or symbol reference"));
                }
            },
        };
        let given = parse_properties(parser, &[])?;
        if source.is_some() || given.is_some() {
            dependences.push(properties::dependence(context, index, source, given));
        }
        index += 1;
        Ok(())
    })?;
    if !dependences.is_empty() {
        let dependences = context.array_attribute(&dependences);
        state.set_attribute(context, "dependences", dependences);
    }
    if parser.parse_optional_keyword("uses") {
        let mut units = Vec::new();
        parser.parse_comma_separated(sluice_ir::text::Delimiter::Square, |parser| {
            units.push(parser.parse_attribute()?);
            Ok(())
        })?;
        let units = context.array_attribute(&units);
        known.push(properties::of_parts(context, "ssp.rsrcs", &[units]));
    }
    if let Some(given) = parse_properties(parser, &known)? {
        state.set_attribute(context, "sspProperties", given);
    }
    parser.parse_attribute_dictionary(state)?;
    let none = context.none_type();
    for operand in operands {
        parser.resolve_operand(operand, none, state)?;
    }
    state.add_results(&vec![none; n_results]);
    Ok(())
}

fn print_operation(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let all = view.attribute("sspProperties");
    let operator = property(context, all, "ssp.opr");
    printer.text("<");
    if let Some(operator) = operator {
        printer.attribute(operator);
    }
    printer.text(">");
    print_name(printer, view);
    printer.text("(");
    let dependences = properties::dependences(view);
    let mut first = true;
    let mut separate = |printer: &mut Printer<'_>| {
        if !std::mem::take(&mut first) {
            printer.text(", ");
        }
    };
    for (index, operand) in view.operands().enumerate() {
        separate(printer);
        printer.operand(operand);
        let own = dependences
            .iter()
            .find(|dependence| dependence.source.is_none() && dependence.index == index);
        print_properties(printer, own.and_then(|own| own.properties), " ", &[]);
    }
    for dependence in &dependences {
        if let Some(source) = dependence.source {
            separate(printer);
            printer.attribute(source);
            print_properties(printer, dependence.properties, " ", &[]);
        }
    }
    printer.text(")");
    let units = property(context, all, "ssp.rsrcs");
    if let Some(units) = units {
        printer.text(" uses");
        printer.attribute(units);
    }
    print_properties(printer, all, " ", &["ssp.opr", "ssp.rsrcs"]);
    printer.attribute_dictionary(view, &["sym_name", "dependences", "sspProperties"]);
}

/// Returns the operations directly in `view`.
fn children<'a>(view: View<'a>) -> impl Iterator<Item = View<'a>> {
    let body = view.inner();
    let block = view.entry_block(0);
    let operations = block.into_iter().flat_map(|block| body.operations(block));
    operations.map(move |op| View::new(view.context, body, op))
}

fn verify_instance(view: View<'_>, diagnostics: &mut Diagnostics) {
    let names: Vec<&str> = children(view).map(View::name).collect();
    let places = |name: &str| names.iter().position(|other| *other == name);
    let count = |name: &str| names.iter().filter(|other| **other == name).count();
    if count("ssp.library") != 1 || count("ssp.graph") != 1 {
        let message = "must contain exactly one 'library' op and one 'graph' op";
        return op_error(view, diagnostics, message);
    }
    if places("ssp.graph") < places("ssp.library") {
        let message = "must contain the 'library' op followed by the 'graph' op";
        op_error(view, diagnostics, message);
    }
}

/// Returns the parameters of an attribute if it is the dialect attribute of this name.
fn parts<'a>(
    context: &'a sluice_ir::Context,
    attribute: Attribute,
    wanted: &str,
) -> Option<&'a [Attribute]> {
    match attribute.kind(context) {
        AttributeKind::Dialect { name, parameters } if context.text(*name) == wanted => {
            Some(parameters)
        }
        _ => None,
    }
}
