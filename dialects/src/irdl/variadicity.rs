//! Number of values of an operand or a result, as attributes.

use sluice_ir::definition::{
    Arity, AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax,
    EnumDefinition, EnumStorage,
};
use sluice_ir::text::{Delimiter, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Context};

/// The keywords `single`, `optional` and `variadic`.
static KEYWORDS: EnumDefinition = EnumDefinition {
    name: "Variadicity",
    storage: EnumStorage::Dialect("irdl.variadicity"),
    cases: &[("single", 0), ("optional", 1), ("variadic", 2)],
    flags: false,
};

/// The attribute `#irdl<variadicity single>`.
pub(super) static VARIADICITY_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "irdl.variadicity",
    summary: "`single`, `optional` or `variadic`",
    parse: &parse_one,
    print: &print_one,
    extension: None,
};

/// The attribute `#irdl<variadicity_array[single, optional]>`.
pub(super) static VARIADICITY_ARRAY_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "irdl.variadicity_array",
    summary: "One variadicity for each operand or result",
    parse: &parse_array,
    print: &|printer, parameters| {
        printer.text("[");
        printer.comma_separated(parameters, |printer, one| {
            if let AttributeKind::Dialect { parameters, .. } = one.kind(printer.context()) {
                print_one(printer, parameters);
            }
        });
        printer.text("]");
    },
    extension: None,
};

/// A variadicity for each value.
pub(super) static VARIADICITIES: AttributeConstraint = AttributeConstraint {
    summary: "",
    check: AttributeCheck::Is(|context, attribute| arities(context, attribute).is_some()),
    syntax: AttributeSyntax::Generic,
};

fn parse_one(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let value = parser.parse_enum_value(&KEYWORDS)?;
    Ok(KEYWORDS.attribute(parser.context(), value))
}

fn print_one(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let context = printer.context();
    let value = parameters.first().and_then(|value| value.as_i64(context));
    let value = value.and_then(|value| u64::try_from(value).ok());
    printer.text(" ");
    printer.enum_value(&KEYWORDS, value.unwrap_or(0));
}

fn parse_array(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let mut all = Vec::new();
    parser.parse_comma_separated(Delimiter::Square, |parser| {
        all.push(parse_one(parser)?);
        Ok(())
    })?;
    Ok(array(parser.context(), all))
}

fn array(context: &Context, all: Vec<Attribute>) -> Attribute {
    context.attribute(AttributeKind::Dialect {
        name: context.name("irdl.variadicity_array"),
        parameters: all.into(),
    })
}

/// Returns the attribute that holds `arities`.
pub(super) fn variadicities(context: &Context, arities: &[Arity]) -> Attribute {
    let one = |arity: &Arity| KEYWORDS.attribute(context, *arity as u64);
    array(context, arities.iter().map(one).collect())
}

/// Returns the variadicities in an attribute; `None` if it is another attribute.
pub(super) fn arities(context: &Context, attribute: Attribute) -> Option<Vec<Arity>> {
    let AttributeKind::Dialect { name, parameters } = attribute.kind(context) else {
        return None;
    };
    if context.text(*name) != "irdl.variadicity_array" {
        return None;
    }
    let one = |one: &Attribute| match KEYWORDS.value(context, *one)? {
        0 => Some(Arity::Single),
        1 => Some(Arity::Optional),
        2 => Some(Arity::Variadic),
        _ => None,
    };
    parameters.iter().map(one).collect()
}

/// Returns the keyword before a value of this variadicity; the default has none.
pub(super) fn keyword(arity: Arity) -> &'static str {
    match arity {
        Arity::Single => "",
        Arity::Optional => "optional ",
        Arity::Variadic => "variadic ",
    }
}
