//! Dialect ub: undefined values.

use sluice_ir::View;
use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};

use crate::constraints::ANY_TYPE;

sluice_ods::dialect! {
    dialect "ub" { summary: "Undefined behaviour", attributes: [POISON_ATTRIBUTE] }

    /// A value that is not defined.
    op Poison = "poison" {
        traits: [PURE],
        attributes: { value: POISON_VALUE = poison },
        results: { result: ANY_TYPE },
        assembly: custom(parse_poison, print_poison),
    }

    /// Ends a block that no execution reaches.
    op Unreachable = "unreachable" {
        since: 22,
        traits: [TERMINATOR],
        assembly: "attr-dict",
    }
}

/// An attribute for an undefined value.
static POISON_VALUE: AttributeConstraint = AttributeConstraint {
    summary: "PoisonAttrInterface instance",
    check: AttributeCheck::Is(|context, attribute| attribute == poison(context)),
    syntax: AttributeSyntax::Generic,
};

/// The attribute `#ub.poison`.
static POISON_ATTRIBUTE: sluice_ir::definition::AttributeDefinition =
    sluice_ir::definition::AttributeDefinition {
        typed: false,
        name: "ub.poison",
        summary: "poison",
        parse: &|parser| Ok(poison(parser.context())),
        print: &|_, _| {},
        extension: None,
    };

fn poison(context: &sluice_ir::Context) -> sluice_ir::Attribute {
    context.attribute(sluice_ir::AttributeKind::Dialect {
        name: context.name("ub.poison"),
        parameters: Box::new([]),
    })
}

fn parse_poison(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let mut value = poison(context);
    if parser.parse_optional_punctuation("<") {
        let position = parser.position();
        value = parser.parse_attribute()?;
        if value != poison(context) {
            return Err(parser.error(position, "invalid kind of attribute specified"));
        }
        parser.parse_punctuation(">")?;
    }
    state.set_attribute(context, "value", value);
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    state.add_results(&[ty]);
    Ok(())
}

fn print_poison(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    if let Some(value) = view.attribute("value").filter(|v| *v != poison(context)) {
        printer.text(" <");
        printer.attribute(value);
        printer.text(">");
    }
    printer.attribute_dictionary(view, &["value"]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}
