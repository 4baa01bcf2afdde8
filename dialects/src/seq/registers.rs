//! Registers, alone and in series.

use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Diagnostics, Type, View};

use super::{AT_LEAST_ONE, CLOCK, IMMUTABLE, immutable_type, op_error};
use crate::constraints::{ANY_TYPE, I1, STRING};
use crate::hw::{
    INNER_SYMBOL, no_name, parse_implicit_ssa_name, parse_inner_symbol, print_implicit_ssa_name,
    print_inner_symbol, set_name,
};
use crate::messages::name_of;

sluice_ods::dialect! {
    group "seq";

    /// A register.
    op Compreg = "compreg" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [AllTypesMatch(&["input", "data"])],
        operands: {
            input: ANY_TYPE, clk: CLOCK, reset: optional I1, reset_value: optional ANY_TYPE,
            initial_value: optional IMMUTABLE,
        },
        attributes: { name: STRING = no_name, inner_sym: optional INNER_SYMBOL },
        results: { data: ANY_TYPE },
        assembly: custom(parse_compreg, print_register),
        names: name_of,
        verify: verify_resets,
    }

    /// A register that loads its input only while enabled.
    op CompregCe = "compreg.ce" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [AllTypesMatch(&["input", "data"])],
        operands: {
            input: ANY_TYPE, clk: CLOCK, clock_enable: I1, reset: optional I1, reset_value: optional ANY_TYPE,
            initial_value: optional IMMUTABLE,
        },
        attributes: { name: STRING = no_name, inner_sym: optional INNER_SYMBOL },
        results: { data: ANY_TYPE },
        assembly: custom(parse_compreg_ce, print_register),
        names: name_of,
        verify: verify_resets,
    }

    /// A shift register.
    op Shiftreg = "shiftreg" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [AllTypesMatch(&["input", "data"])],
        operands: {
            input: ANY_TYPE, clk: CLOCK, clock_enable: I1, reset: optional I1, reset_value: optional ANY_TYPE,
            power_on_value: optional ANY_TYPE,
        },
        attributes: {
            num_elements("numElements"): AT_LEAST_ONE, name: STRING = no_name, inner_sym: optional INNER_SYMBOL,
        },
        results: { data: ANY_TYPE },
        assembly: custom(parse_shiftreg, print_register),
        names: name_of,
        verify: verify_resets,
    }
}

fn parse_compreg(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    register(parser, state, false, "initial")
}

fn parse_compreg_ce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    register(parser, state, true, "initial")
}

fn parse_shiftreg(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_punctuation("[")?;
    let n = parser.parse_attribute_with_type(context.integer_type(64))?;
    parser.parse_punctuation("]")?;
    state.set_attribute(context, "numElements", n);
    register(parser, state, true, "powerOn")
}

/// Parses `[sym @s] [name "n"] %in, %clk[, %ce] [reset %rst, %value] [initial %value] {attributes} : type`.
fn register(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    with_enable: bool,
    start: &str,
) -> ParseResult<()> {
    let context = parser.context();
    if parser.parse_optional_keyword("sym") {
        let symbol = parse_inner_symbol(parser)?;
        state.set_attribute(context, "inner_sym", symbol);
    }
    let name = parse_implicit_ssa_name(parser)?;
    let input = parser.parse_operand()?;
    parser.parse_punctuation(",")?;
    let clock = parser.parse_operand()?;
    let mut enable = None;
    if with_enable {
        parser.parse_punctuation(",")?;
        enable = Some(parser.parse_operand()?);
    }
    let mut reset = None;
    if parser.parse_optional_keyword("reset") {
        let condition = parser.parse_operand()?;
        parser.parse_punctuation(",")?;
        reset = Some((condition, parser.parse_operand()?));
    }
    let mut first = None;
    if parser.parse_optional_keyword(start) {
        first = Some(parser.parse_operand()?);
    }
    parser.parse_attribute_dictionary(state)?;
    set_name(context, state, name);
    let ty = parser.parse_colon_type()?;
    let (clock_type, bit) = (
        context.dialect_type("seq.clock", &[]),
        context.integer_type(1),
    );
    parser.resolve_operand(input, ty, state)?;
    parser.resolve_operand(clock, clock_type, state)?;
    if let Some(enable) = enable {
        parser.resolve_operand(enable, bit, state)?;
    }
    if let Some((condition, value)) = reset {
        parser.resolve_operand(condition, bit, state)?;
        parser.resolve_operand(value, ty, state)?;
    }
    if let Some(value) = first {
        let first_type: Type = match start {
            "initial" => immutable_type(context, ty),
            _ => ty,
        };
        parser.resolve_operand(value, first_type, state)?;
    }
    let mut sizes = vec![1, 1];
    if with_enable {
        sizes.push(1);
    }
    let n_reset = usize::from(reset.is_some());
    sizes.extend([n_reset, n_reset, usize::from(first.is_some())]);
    state.set_operand_segment_sizes(context, &sizes);
    state.add_results(&[ty]);
    Ok(())
}

fn print_register(printer: &mut Printer<'_>, view: View<'_>) {
    let with_enable = usize::from(view.name() != "seq.compreg");
    if view.name() == "seq.shiftreg" {
        let n = view.attribute("numElements");
        let n = n.and_then(|a| a.as_i64(view.context)).unwrap_or(0);
        printer.text(&format!("[{n}]"));
    }
    if let Some(symbol) = view.attribute("inner_sym") {
        printer.text(" sym ");
        print_inner_symbol(printer, symbol);
    }
    print_implicit_ssa_name(printer, view);
    printer.text(" ");
    printer.operands(view.operands().take(2 + with_enable));
    let (reset, value) = (
        view.operand_group(2 + with_enable),
        view.operand_group(3 + with_enable),
    );
    if let ([reset], [value]) = (&reset[..], &value[..]) {
        printer.text(" reset ");
        printer.operands([*reset, *value]);
    }
    if let [value] = view.operand_group(4 + with_enable)[..] {
        let is_row = view.name() == "seq.shiftreg";
        printer.text(if is_row { " powerOn " } else { " initial " });
        printer.operand(value);
    }
    let elided = ["operandSegmentSizes", "numElements", "name", "inner_sym"];
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
    // CIRCT prints the spaces before the types of reset and initial value, but not those types: they follow from this type.
    printer.text("  ");
}

fn verify_resets(view: View<'_>, diagnostics: &mut Diagnostics) {
    let with_enable = usize::from(view.name() != "seq.compreg");
    let reset = view.operand_group(2 + with_enable);
    let value = view.operand_group(3 + with_enable);
    if reset.is_empty() != value.is_empty() {
        let message = "either reset and resetValue or neither must be specified";
        return op_error(view, diagnostics, message);
    }
    if let [value] = value[..]
        && view.ty(value) != view.ty(view.operand(0))
    {
        let message = "reset value must be the same type as the input";
        return op_error(view, diagnostics, message);
    }
    let initial = view.operand_group(4 + with_enable);
    let ty = view.ty(view.operand(0));
    if let [initial] = initial[..]
        && view.name() != "seq.shiftreg"
        && view.ty(initial) != immutable_type(view.context, ty)
    {
        let message = "initial value must hold a value of the type of the input";
        return op_error(view, diagnostics, message);
    }
    if let [initial] = initial[..]
        && view.name() == "seq.shiftreg"
        && view.ty(initial) != ty
    {
        let message = "power-on value must be the same type as the input";
        op_error(view, diagnostics, message);
    }
}
