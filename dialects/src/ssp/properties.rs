//! Properties of instances, operations, operator types, resources and dependences.

use sluice_ir::definition::{AttributeDefinition, TypeCheck, TypeConstraint};
use sluice_ir::text::{Delimiter, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Context, TypeKind, View};

use super::parts;

pub(super) static NONE_VALUE: TypeConstraint = TypeConstraint {
    summary: "none type",
    check: TypeCheck::Is(|context, ty| ty == context.none_type()),
    only: Some(|context| context.none_type()),
    class: None,
    unqualified: None,
};

/// Declares properties with one parameter: its kind, its parser and its printer.
macro_rules! properties {
    ($($name:ident = $text:literal, $summary:literal, $parse:expr, $print:expr;)*) => {
        $(pub(super) static $name: AttributeDefinition = AttributeDefinition {
            name: $text,
            summary: $summary,
            parse: &|parser| {
                parser.parse_punctuation("<")?;
                let value = ($parse)(parser)?;
                parser.parse_punctuation(">")?;
                Ok(of_parts(parser.context(), $text, &[value]))
            },
            print: &|printer, parameters| {
                printer.text("<");
                ($print)(printer, parameters[0]);
                printer.text(">");
            },
            typed: false, extension: None, };)*
    };
}

properties! {
    OPERATOR_TYPE = "ssp.opr", "The operator type of an operation", read_symbol, Printer::attribute;
    RESOURCE_TYPES = "ssp.rsrcs", "The kinds of units that an operation uses", read_array, Printer::attribute;
    START_TIME = "ssp.t", "The cycle in which an operation starts", read_number, print_number;
    LATENCY = "ssp.latency", "Cycles from the start of an operation to its result", read_number, print_number;
    DISTANCE = "ssp.dist", "Iterations that a dependence crosses", read_number, print_number;
    INITIATION_INTERVAL = "ssp.II", "Cycles between the starts of two iterations", read_number, print_number;
    START_TIME_IN_CYCLE = "ssp.z", "When an operation starts within its cycle", read_float, Printer::attribute;
    INCOMING_DELAY = "ssp.incDelay", "Delay from the operands to the first register", read_float, Printer::attribute;
    OUTGOING_DELAY = "ssp.outDelay", "Delay from the last register to the result", read_float, Printer::attribute;
    LIMIT = "ssp.limit", "How many units there are", read_number, print_number;
}

fn read_symbol(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let position = parser.position();
    let value = parser.parse_attribute()?;
    match value.kind(parser.context()) {
        AttributeKind::SymbolRef { .. } => Ok(value),
        _ => Err(parser.error(position, "expected a symbol reference")),
    }
}

fn read_array(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let position = parser.position();
    let value = parser.parse_attribute()?;
    match value.as_array(parser.context()) {
        Some(_) => Ok(value),
        None => Err(parser.error(position, "expected an array of symbol references")),
    }
}

fn read_number(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let position = parser.position();
    let value = parser.parse_unsigned()?;
    match u32::try_from(value) {
        Ok(value) => Ok(parser.context().i64_attribute(i64::from(value))),
        Err(_) => Err(parser.error(position, "integer value too large")),
    }
}

fn print_number(printer: &mut Printer<'_>, value: Attribute) {
    let value = value.as_i64(printer.context()).unwrap_or(0);
    printer.text(&value.to_string());
}

fn read_float(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let position = parser.position();
    let value = parser.parse_attribute()?;
    let is_float = value
        .ty(parser.context())
        .is_some_and(|ty| matches!(ty.kind(parser.context()), TypeKind::Float(_)));
    match is_float {
        true => Ok(value),
        false => Err(parser.error(position, "expected a floating-point number")),
    }
}

/// Returns an attribute of the dialect.
pub(super) fn of_parts(context: &Context, name: &str, parameters: &[Attribute]) -> Attribute {
    context.attribute(AttributeKind::Dialect {
        name: context.name(name),
        parameters: parameters.into(),
    })
}

/// Returns the value of property `name`, if it is among `properties`.
pub fn property(context: &Context, properties: Option<Attribute>, name: &str) -> Option<Attribute> {
    let properties = properties?.as_array(context)?;
    let found = properties
        .iter()
        .find_map(|property| parts(context, *property, name))?;
    found.first().copied()
}

/// Parses `[latency<1>, #other.property]` and appends it to `known`; none if there are no properties.
pub(super) fn parse_properties(
    parser: &mut Parser<'_>,
    known: &[Attribute],
) -> ParseResult<Option<Attribute>> {
    let context = parser.context();
    let mut all = known.to_vec();
    let is_written = parser.peek("[");
    if is_written {
        parser.parse_comma_separated(Delimiter::Square, |parser| {
            let position = parser.position();
            let Some(word) = parser.parse_optional_any_keyword() else {
                all.push(parser.parse_attribute()?);
                return Ok(());
            };
            let Some(definition) = context.attribute_definition(&format!("ssp.{word}")) else {
                let message = "carries unknown or malformed shortform property";
                return Err(parser.error(position, message));
            };
            all.push((definition.parse)(parser)?);
            Ok(())
        })?;
    }
    if !is_written && all.is_empty() {
        return Ok(None);
    }
    Ok(Some(context.array_attribute(&all)))
}

/// Prints properties except those in `elsewhere`; prints nothing if no others are left.
pub(super) fn print_properties(
    printer: &mut Printer<'_>,
    properties: Option<Attribute>,
    before: &str,
    elsewhere: &[&str],
) {
    let context = printer.context();
    let all = properties.and_then(|all| all.as_array(context));
    let is_left = |property: &&Attribute| {
        !elsewhere
            .iter()
            .any(|name| parts(context, **property, name).is_some())
    };
    let left: Vec<Attribute> = all.into_iter().flatten().filter(is_left).copied().collect();
    if left.is_empty() {
        return;
    }
    printer.text(before);
    printer.text("[");
    printer.comma_separated(left, |printer, property| {
        let short = match property.kind(context) {
            AttributeKind::Dialect { name, parameters } => context
                .text(*name)
                .strip_prefix("ssp.")
                .zip(context.attribute_definition(context.text(*name)))
                .map(|(mnemonic, definition)| (mnemonic, definition, parameters)),
            _ => None,
        };
        match short {
            Some((mnemonic, definition, parameters)) => {
                printer.text(mnemonic);
                (definition.print)(printer, parameters);
            }
            None => printer.attribute(property),
        }
    });
    printer.text("]");
}

/// The attribute `#ssp.dependence<1, @source : [properties]>`: an operand by index, or an operation by name.
pub(super) static DEPENDENCE: AttributeDefinition = AttributeDefinition {
    name: "ssp.dependence",
    summary: "An edge of the graph of dependences",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let index = parser.parse_unsigned()?;
        let Ok(index) = usize::try_from(index) else {
            return Err(parser.error(position, "integer value too large"));
        };
        let (mut source, mut properties) = (None, None);
        while parser.parse_optional_punctuation(",") || parser.parse_optional_punctuation(":") {
            match parser.parse_optional_symbol_name()? {
                Some(name) => source = Some(context.symbol_attribute(context.text(name))),
                None => properties = Some(read_array(parser)?),
            }
        }
        parser.parse_punctuation(">")?;
        Ok(dependence(context, index, source, properties))
    },
    print: &|printer, parameters| {
        printer.text("<");
        print_number(printer, parameters[0]);
        for part in &parameters[1..] {
            printer.text(", ");
            printer.attribute(*part);
        }
        printer.text(">");
    },
    typed: false,
    extension: None,
};

/// Returns the attribute of a dependence edge.
pub(super) fn dependence(
    context: &Context,
    index: usize,
    source: Option<Attribute>,
    properties: Option<Attribute>,
) -> Attribute {
    let index = context.i64_attribute(i64::try_from(index).unwrap_or(i64::MAX));
    let all: Vec<Attribute> = [Some(index), source, properties]
        .into_iter()
        .flatten()
        .collect();
    of_parts(context, "ssp.dependence", &all)
}

/// A dependence edge that has a named source, or properties.
pub(super) struct Edge {
    /// Index among operands and named sources.
    pub(super) index: usize,
    /// The source operation by name; none for the operand at `index`.
    pub(super) source: Option<Attribute>,
    /// The properties of the edge.
    pub(super) properties: Option<Attribute>,
}

/// Returns the edges of an operation that are not plain operands.
pub(super) fn dependences(view: View<'_>) -> Vec<Edge> {
    let context = view.context;
    let all = view
        .attribute("dependences")
        .and_then(|all| all.as_array(context));
    let edges = all.into_iter().flatten().filter_map(|attribute| {
        let parameters = parts(context, *attribute, "ssp.dependence")?;
        let (first, rest) = parameters.split_first()?;
        let is_array = |part: &&Attribute| part.as_array(context).is_some();
        Some(Edge {
            index: usize::try_from(first.as_i64(context)?).ok()?,
            source: rest.iter().find(|part| !is_array(part)).copied(),
            properties: rest.iter().find(is_array).copied(),
        })
    });
    edges.collect()
}
