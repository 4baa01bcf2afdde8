//! The operations of upstream's private `test` dialect that the recorded cases use.

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, TypeCheck, TypeConstraint, TypeDefinition,
};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, Type, View};

static ANY: TypeConstraint = TypeConstraint {
    summary: "any type",
    check: TypeCheck::Is(|_, _| true),
    only: None,
    class: None,
    unqualified: None,
};

static ANY_ATTRIBUTE: AttributeConstraint = AttributeConstraint {
    summary: "any attribute",
    check: AttributeCheck::Is(|_, _| true),
    syntax: AttributeSyntax::Generic,
};

/// `!test.test_rec<name, body>`: a type that names itself; inside of it, its name is enough.
static RECURSIVE: TypeDefinition = TypeDefinition {
    name: "test.test_rec",
    summary: "A recursive type",
    parse: &parse_recursive,
    print: &print_recursive,
    extension: None,
};

fn parse_recursive(parser: &mut Parser<'_>) -> ParseResult<Type> {
    parser.parse_punctuation("<")?;
    let name = parser.parse_any_keyword()?.to_owned();
    let context = parser.context();
    let mut parameters = vec![context.string_attribute(&name)];
    if parser.parse_optional_punctuation(",") {
        parser.parse_keyword("test_rec")?;
        let inner = parse_recursive(parser)?;
        parameters.push(context.type_attribute(inner));
    }
    parser.parse_punctuation(">")?;
    Ok(context.dialect_type("test.test_rec", &parameters))
}

fn print_recursive(printer: &mut Printer<'_>, parameters: &[Attribute]) {
    let context = printer.context();
    printer.text("<");
    printer.text(parameters[0].as_str(context).unwrap_or_default());
    if let Some(inner) = parameters.get(1).and_then(|p| p.as_type(context))
        && let sluice_ir::TypeKind::Dialect { parameters, .. } = inner.kind(context)
    {
        printer.text(", test_rec");
        print_recursive(printer, parameters);
    }
    printer.text(">");
}

fn parse_region(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parser.parse_region(&[], state)
}

fn print_region(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.region(view, 0, sluice_ir::text::RegionPrinting::default());
}

sluice_ods::dialect! {
    dialect "test" {
        summary: "Operations for tests",
        types: [RECURSIVE],
    }

    /// A region without order.
    op GraphRegion = "graph_region" {
        traits: [GRAPH_REGION, NO_TERMINATOR],
        regions: { region: any },
        assembly: custom(parse_region, print_region),
    }

    /// A region that sees nothing from outside.
    op IsolatedRegion = "isolated_region" {
        traits: [ISOLATED_FROM_ABOVE],
        operands: { input: ANY },
        regions: { region: sized(1) },
    }

    /// Properties of several kinds.
    op WithProperties = "with_properties" {
        attributes: { a: ANY_ATTRIBUTE, b: ANY_ATTRIBUTE, array: ANY_ATTRIBUTE },
        assembly: "prop-dict attr-dict",
    }
}
