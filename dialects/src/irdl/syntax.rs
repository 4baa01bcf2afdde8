//! Hand-written text forms of irdl.

use sluice_ir::definition::Arity;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{AttributeKind, View};

use super::variadicity::{arities, keyword, variadicities};
use super::{attribute_type, region_type};

/// Parses a region; an absent region gets an empty block.
pub(super) fn parse_single_block_region(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    if !parser.parse_optional_region(&[], state)? {
        parser.add_region_with_terminator(state);
    }
    Ok(())
}

pub(super) fn print_single_block_region(
    printer: &mut Printer<'_>,
    view: View<'_>,
    _: sluice_ir::RegionId,
) {
    if super::children(view).next().is_none() {
        return;
    }
    let printing = RegionPrinting {
        entry_arguments: true,
        terminators: true,
        empty_block: false,
    };
    printer.region(view, 0, printing);
}

/// Parses `(%0, optional %1, variadic %2)`.
pub(super) fn parse_values(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let (mut values, mut found) = (Vec::new(), Vec::new());
    parser.parse_comma_separated(Delimiter::Paren, |parser| {
        let arity = if parser.parse_optional_keyword("optional") {
            Arity::Optional
        } else if parser.parse_optional_keyword("variadic") {
            Arity::Variadic
        } else {
            parser.parse_optional_keyword("single");
            Arity::Single
        };
        found.push(arity);
        values.push(parser.parse_operand()?);
        Ok(())
    })?;
    parser.parse_attribute_dictionary(state)?;
    state.set_attribute(context, "variadicity", variadicities(context, &found));
    parser.resolve_operands_of_type(&values, attribute_type(context), state)
}

pub(super) fn print_values(printer: &mut Printer<'_>, view: View<'_>) {
    let known = view.attribute("variadicity");
    let known = known.and_then(|known| arities(view.context, known));
    let known = known.unwrap_or_default();
    printer.text("(");
    printer.comma_separated(view.operands().enumerate(), |printer, (i, value)| {
        printer.text(keyword(known.get(i).copied().unwrap_or(Arity::Single)));
        printer.operand(value);
    });
    printer.text(")");
    printer.attribute_dictionary(view, &["variadicity"]);
}

/// Parses `{"a" = %0, "b" = %1}`, or nothing.
pub(super) fn parse_attributes(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let (mut values, mut names) = (Vec::new(), Vec::new());
    if parser.parse_optional_punctuation("{") {
        parser.parse_comma_separated(Delimiter::None, |parser| {
            names.push(parser.parse_attribute()?);
            parser.parse_punctuation("=")?;
            values.push(parser.parse_operand()?);
            Ok(())
        })?;
        parser.parse_punctuation("}")?;
    }
    parser.parse_attribute_dictionary(state)?;
    let names = context.array_attribute(&names);
    state.set_attribute(context, "attributeValueNames", names);
    parser.resolve_operands_of_type(&values, attribute_type(context), state)
}

pub(super) fn print_attributes(printer: &mut Printer<'_>, view: View<'_>) {
    let names = view.attribute("attributeValueNames");
    let names = names.and_then(|names| names.as_array(view.context));
    let names = names.unwrap_or_default();
    printer.text(" ");
    if !names.is_empty() {
        printer.text("{");
        printer.comma_separated(
            names.iter().zip(view.operands()),
            |printer, (name, value)| {
                printer.attribute(*name);
                printer.text(" = ");
                printer.operand(value);
            },
        );
        printer.text("}");
    }
    printer.attribute_dictionary(view, &["attributeValueNames"]);
}

/// Parses `(%0, %1) with size 3`, both parts optional.
pub(super) fn parse_region_constraint(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let mut values = Vec::new();
    if parser.peek("(") {
        values = parser.parse_operand_list(Delimiter::Paren)?;
        state.set_attribute(context, "constrainedArguments", context.unit_attribute());
    }
    if parser.parse_optional_keyword("with") {
        parser.parse_keyword("size")?;
        let position = parser.position();
        let number = parser.parse_attribute_with_type(context.integer_type(32))?;
        if !matches!(number.kind(context), AttributeKind::Integer { .. }) {
            return Err(parser.error(position, "invalid kind of attribute specified"));
        }
        state.set_attribute(context, "numberOfBlocks", number);
    }
    parser.parse_attribute_dictionary(state)?;
    state.add_results(&[region_type(context)]);
    parser.resolve_operands_of_type(&values, attribute_type(context), state)
}

pub(super) fn print_region_constraint(printer: &mut Printer<'_>, view: View<'_>) {
    if view.attribute("constrainedArguments").is_some() {
        printer.text("(");
        printer.operands(view.operands());
        printer.text(")");
    }
    if let Some(number) = view.attribute("numberOfBlocks") {
        printer.text(" with size ");
        printer.attribute_without_type(number);
    }
    printer.attribute_dictionary(view, &["constrainedArguments", "numberOfBlocks"]);
}

/// Parses `@dialect::@type` or `"!dialect.type"`.
pub(super) fn parse_base(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if parser.peek("@") {
        let reference = parser.parse_attribute()?;
        state.set_attribute(context, "base_ref", reference);
    }
    if let Some(name) = parser.parse_optional_string()? {
        state.set_attribute(context, "base_name", context.string_attribute(&name));
    }
    parser.parse_attribute_dictionary(state)?;
    state.add_results(&[attribute_type(context)]);
    Ok(())
}

pub(super) fn print_base(printer: &mut Printer<'_>, view: View<'_>) {
    for name in ["base_ref", "base_name"] {
        if let Some(attribute) = view.attribute(name) {
            printer.text(" ");
            printer.attribute(attribute);
        }
    }
    printer.text(" ");
    printer.attribute_dictionary(view, &["base_ref", "base_name"]);
}
