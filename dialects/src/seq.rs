//! seq: registers and memories, in CIRCT's syntax.

use sluice_ir::definition::{TypeConstraint, TypeDefinition};
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Context, Type, TypeKind, View};

use crate::constraints::{ANY_TYPE, I1, I64, STRING, SYMBOL_NAME};

fn is_dialect_type(context: &Context, ty: Type, wanted: &str) -> bool {
    matches!(ty.kind(context), TypeKind::Dialect { name, .. } if context.text(*name) == wanted)
}

static CLOCK: TypeConstraint = TypeConstraint {
    summary: "A type for clock-carrying wires",
    check: |context, ty| is_dialect_type(context, ty, "seq.clock"),
    only: Some(|context| context.dialect_type("seq.clock", &[])),
    class: None,
};

static HLMEM_VALUE: TypeConstraint = TypeConstraint {
    summary: "Multi-dimensional memory type",
    check: |context, ty| is_dialect_type(context, ty, "seq.hlmem"),
    only: None,
    class: None,
};

static CLOCK_TYPE: TypeDefinition = TypeDefinition {
    name: "seq.clock",
    summary: "A clock",
    parse: &|parser| Ok(parser.context().dialect_type("seq.clock", &[])),
    print: &|_, _| {},
};

/// `!seq.hlmem<4xi32>`: the shape as `array<i64: ...>` and the element type.
static HLMEM_TYPE: TypeDefinition = TypeDefinition {
    name: "seq.hlmem",
    summary: "A memory",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let position = parser.position();
        let dimensions = parser.parse_dimension_list()?;
        let element = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        let shape: Option<Vec<i64>> = dimensions
            .into_iter()
            .map(|d| i64::try_from(d?).ok())
            .collect();
        let Some(shape) = shape.filter(|s| !s.is_empty()) else {
            return Err(parser.error(position, "a memory has a static shape"));
        };
        Ok(context.dialect_type(
            "seq.hlmem",
            &[
                context.dense_i64_array(&shape),
                context.type_attribute(element),
            ],
        ))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        printer.text("<");
        for size in parameters[0]
            .as_dense_array_i64(context)
            .unwrap_or_default()
        {
            printer.text(&format!("{size}x"));
        }
        if let Some(element) = parameters[1].as_type(context) {
            printer.ty(element);
        }
        printer.text(">");
    },
};

/// Shape and element type of a memory handle.
pub fn memory_parts(context: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    let TypeKind::Dialect { parameters, .. } = ty.kind(context) else {
        return None;
    };
    Some((
        parameters.first()?.as_dense_array_i64(context)?,
        parameters.get(1)?.as_type(context)?,
    ))
}

sluice_ods::dialect! {
    dialect "seq" {
        summary: "Registers and memories",
        types: [CLOCK_TYPE, HLMEM_TYPE],
    }

    /// A register.
    op Compreg = "compreg" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            input: ANY_TYPE, clk: CLOCK, reset: optional I1, reset_value: optional ANY_TYPE, power_on_value: optional ANY_TYPE,
        },
        attributes: { name: optional STRING },
        results: { data: ANY_TYPE },
        assembly: custom(parse_compreg, print_compreg),
    }

    /// A register that takes its input over only while enabled.
    op CompregCe = "compreg.ce" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            input: ANY_TYPE, clk: CLOCK, clock_enable: I1, reset: optional I1, reset_value: optional ANY_TYPE,
            power_on_value: optional ANY_TYPE,
        },
        attributes: { name: optional STRING },
        results: { data: ANY_TYPE },
        assembly: custom(parse_compreg_ce, print_compreg),
    }

    /// A memory.
    op Hlmem = "hlmem" {
        operands: { clk: CLOCK, rst: I1 },
        attributes: { name: SYMBOL_NAME },
        results: { handle: HLMEM_VALUE },
        assembly: "$name $clk `,` $rst attr-dict `:` type($handle)",
    }

    /// A read port.
    op Read = "read" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { memory: HLMEM_VALUE, addresses: variadic ANY_TYPE, rd_en: optional I1 },
        attributes: { latency: I64 },
        results: { read_data: ANY_TYPE },
        assembly: custom(parse_read, print_read),
    }

    /// A write port.
    op Write = "write" {
        operands: { memory: HLMEM_VALUE, addresses: variadic ANY_TYPE, in_data: ANY_TYPE, wr_en: I1 },
        attributes: { latency: I64 },
        assembly: custom(parse_write, print_write),
    }
}

fn parse_compreg(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    register(parser, state, false)
}

fn parse_compreg_ce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    register(parser, state, true)
}

/// `%in, %clk[, %ce] [reset %rst, %value] [initial %value] {attributes} : type`, with `sym` and a name in front.
fn register(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    with_enable: bool,
) -> ParseResult<()> {
    let context = parser.context();
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
    let mut power_on = None;
    if parser.parse_optional_keyword("powerOn") || parser.parse_optional_keyword("initial") {
        power_on = Some(parser.parse_operand()?);
    }
    parser.parse_attribute_dictionary(state)?;
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
    if let Some(value) = power_on {
        parser.resolve_operand(value, ty, state)?;
    }
    let mut sizes = vec![1, 1];
    if with_enable {
        sizes.push(1);
    }
    let n_reset = usize::from(reset.is_some());
    sizes.extend([n_reset, n_reset, usize::from(power_on.is_some())]);
    state.set_operand_segment_sizes(context, &sizes);
    state.add_results(&[ty]);
    Ok(())
}

fn print_compreg(printer: &mut Printer<'_>, view: View<'_>) {
    let with_enable = usize::from(view.name() == "seq.compreg.ce");
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
        printer.text(" initial ");
        printer.operand(value);
    }
    printer.attribute_dictionary(view, &["operandSegmentSizes"]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

/// Operands of a port: `%mem[%addresses]`, and what the memory's type says of them.
fn parse_read(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memory = parser.parse_operand()?;
    let addresses = parser.parse_operand_list(Delimiter::Square)?;
    let mut enable = None;
    if parser.parse_optional_keyword("rden") {
        enable = Some(parser.parse_operand()?);
    }
    parser.parse_attribute_dictionary(state)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    let Some((shape, element)) = memory_parts(context, ty) else {
        return Err(parser.error(position, "expected a memory type"));
    };
    parser.resolve_operand(memory, ty, state)?;
    for (address, size) in addresses.iter().zip(&shape) {
        parser.resolve_operand(*address, address_type(context, *size), state)?;
    }
    if let Some(enable) = enable {
        parser.resolve_operand(enable, context.integer_type(1), state)?;
    }
    state.set_operand_segment_sizes(
        context,
        &[1, addresses.len(), usize::from(enable.is_some())],
    );
    state.add_results(&[element]);
    Ok(())
}

fn address_type(context: &Context, size: i64) -> Type {
    let size = u64::try_from(size).unwrap_or(1);
    context.integer_type(size.next_power_of_two().trailing_zeros().max(1))
}

fn print_read(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text("[");
    printer.operands(view.operand_group(1));
    printer.text("]");
    if let [enable] = view.operand_group(2)[..] {
        printer.text(" rden ");
        printer.operand(enable);
    }
    printer.attribute_dictionary(view, &["operandSegmentSizes"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn parse_write(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memory = parser.parse_operand()?;
    let addresses = parser.parse_operand_list(Delimiter::Square)?;
    let data = parser.parse_operand()?;
    parser.parse_keyword("wren")?;
    let enable = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    let Some((shape, element)) = memory_parts(context, ty) else {
        return Err(parser.error(position, "expected a memory type"));
    };
    parser.resolve_operand(memory, ty, state)?;
    for (address, size) in addresses.iter().zip(&shape) {
        parser.resolve_operand(*address, address_type(context, *size), state)?;
    }
    parser.resolve_operand(data, element, state)?;
    parser.resolve_operand(enable, context.integer_type(1), state)
}

fn print_write(printer: &mut Printer<'_>, view: View<'_>) {
    let operands: Vec<_> = view.operands().collect();
    let n = operands.len();
    printer.text(" ");
    printer.operand(operands[0]);
    printer.text("[");
    printer.operands(operands[1..n - 2].iter().copied());
    printer.text("] ");
    printer.operand(operands[n - 2]);
    printer.text(" wren ");
    printer.operand(operands[n - 1]);
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(operands[0]));
}
