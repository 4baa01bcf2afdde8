//! Dialect seq: registers and memories, in CIRCT's syntax.

mod firrtl;
mod registers;

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage, TypeCheck, TypeConstraint, TypeDefinition,
};
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, Context, Diagnostics, Type, TypeKind, View};

use crate::constraints::{ANY_TYPE, I1, I64, SYMBOL_NAME};
use crate::hw::{INNER_SYMBOL, INTEGER_TYPE};
use crate::messages::{name_of, op_error};

pub use firrtl::{
    Firmem, FirmemReadPort, FirmemReadWritePort, FirmemWritePort, Firreg, Image, MaskedMemory,
    image, masked_memory,
};
pub use registers::{Compreg, CompregCe, Shiftreg};

/// Greatest number of registers in series that a memory port, a FIFO or a shift register may become.
pub const MAX_STAGES: i64 = 1 << 16;

/// Returns true if an operation of this name is a register, or several registers in series.
pub fn is_register(name: &str) -> bool {
    matches!(
        name,
        "seq.compreg" | "seq.compreg.ce" | "seq.firreg" | "seq.shiftreg"
    )
}

/// Returns true if all results of an operation of this name change only at a clock edge: registers, FIFOs, memories without their
/// ports.
pub fn is_state(name: &str) -> bool {
    is_register(name) || matches!(name, "seq.fifo" | "seq.hlmem" | "seq.firmem")
}

/// Returns the attribute of an operation that exceeds [`MAX_STAGES`], with its value.
pub fn excess(view: View<'_>) -> Option<(&'static str, i64)> {
    let names = match view.name() {
        "seq.shiftreg" => &["numElements"][..],
        "seq.read" | "seq.write" => &["latency"],
        "seq.firmem" => &["readLatency", "writeLatency"],
        "seq.fifo" => &["rdLatency"],
        "arc.state" | "arc.memory_write_port" => &["latency"],
        _ => &[],
    };
    let mut found = names.iter().filter_map(|name| {
        let value = view.attribute(name)?.as_i64(view.context)?;
        Some((*name, value))
    });
    found.find(|(_, value)| *value > MAX_STAGES)
}

pub(crate) fn is_dialect_type(context: &Context, ty: Type, wanted: &str) -> bool {
    matches!(ty.kind(context), TypeKind::Dialect { name, .. } if context.text(*name) == wanted)
}

/// Returns true if a type is the type of clocks.
pub fn is_clock(context: &Context, ty: Type) -> bool {
    is_dialect_type(context, crate::hw::canonical(context, ty), "seq.clock")
}

pub(crate) static CLOCK: TypeConstraint = TypeConstraint {
    summary: "A type for clock-carrying wires",
    check: TypeCheck::Is(|context, ty| is_dialect_type(context, ty, "seq.clock")),
    only: Some(|context| context.dialect_type("seq.clock", &[])),
    class: None,
    unqualified: None,
};

static HLMEM_VALUE: TypeConstraint = TypeConstraint {
    summary: "Multi-dimensional memory type",
    check: TypeCheck::Is(|context, ty| is_dialect_type(context, ty, "seq.hlmem")),
    only: None,
    class: None,
    unqualified: Some(&HLMEM_TYPE),
};

static CLOCK_TYPE: TypeDefinition = TypeDefinition {
    name: "seq.clock",
    summary: "A clock",
    parse: &|parser| Ok(parser.context().dialect_type("seq.clock", &[])),
    print: &|_, _| {},
    extension: None,
};

/// The type `!seq.hlmem<4xi32>`: the shape as `array<i64: ...>` and the element type.
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
    extension: None,
};

/// Width in bits of a word index in a memory of several dimensions.
pub const FLAT_ADDRESS_BITS: u32 = 32;

/// Returns shape and element type of a memory handle.
pub fn memory_parts(context: &Context, ty: Type) -> Option<(Vec<i64>, Type)> {
    let TypeKind::Dialect { parameters, .. } = ty.kind(context) else {
        return None;
    };
    Some((
        parameters.first()?.as_dense_array_i64(context)?,
        parameters.get(1)?.as_type(context)?,
    ))
}

static IMMUTABLE: TypeConstraint = TypeConstraint {
    summary: "an ImmutableType",
    check: TypeCheck::Is(|context, ty| is_dialect_type(context, ty, "seq.immutable")),
    only: None,
    class: None,
    unqualified: None,
};

/// The type `!seq.immutable<T>`: a value that does not change after initialisation.
static IMMUTABLE_TYPE: TypeDefinition = TypeDefinition {
    name: "seq.immutable",
    summary: "A value that does not change after initialisation",
    parse: &|parser| {
        parser.parse_punctuation("<")?;
        let inner = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        Ok(immutable_type(parser.context(), inner))
    },
    print: &|printer, parameters| {
        printer.text("<");
        printer.attribute(parameters[0]);
        printer.text(">");
    },
    extension: None,
};

fn immutable_type(context: &Context, inner: Type) -> Type {
    context.dialect_type("seq.immutable", &[context.type_attribute(inner)])
}

/// Returns the `T` of `!seq.immutable<T>`.
fn immutable_inner(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::Dialect { name, parameters } if context.text(*name) == "seq.immutable" => {
            parameters.first()?.as_type(context)
        }
        _ => None,
    }
}

static CLOCK_CONSTANTS: EnumDefinition = EnumDefinition {
    name: "ClockConst",
    storage: EnumStorage::Dialect("seq.clock_constant"),
    cases: &[("low", 0), ("high", 1)],
    flags: false,
};

/// Returns true if a constant clock is constantly 1.
pub fn is_high(context: &Context, attribute: Attribute) -> bool {
    CLOCK_CONSTANTS.value(context, attribute) == Some(1)
}

/// Returns the value of a constant clock.
pub fn clock_constant(context: &Context, is_high: bool) -> Attribute {
    CLOCK_CONSTANTS.attribute(context, u64::from(is_high))
}

static CLOCK_CONSTANT: AttributeConstraint = AttributeConstraint {
    summary: "clock constant",
    check: AttributeCheck::Is(|context, a| CLOCK_CONSTANTS.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&CLOCK_CONSTANTS),
};

static CLOCK_CONSTANT_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "seq.clock_constant",
    summary: "A clock that never changes",
    parse: &|parser| parser.parse_enum_attribute(&CLOCK_CONSTANTS),
    print: &|printer, parameters| {
        printer.text(" ");
        let value = parameters[0].as_i64(printer.context()).unwrap_or(0);
        printer.enum_value(&CLOCK_CONSTANTS, u64::try_from(value).unwrap_or(0));
    },
    typed: false,
    extension: None,
};

static AT_LEAST_ONE: AttributeConstraint = AttributeConstraint {
    summary: "64-bit signless integer attribute whose minimum value is 1",
    check: AttributeCheck::Is(|context, a| {
        is_i64(context, a) && a.as_i64(context).is_some_and(|n| n >= 1)
    }),
    syntax: AttributeSyntax::Untyped(|context| context.integer_type(64)),
};

static NOT_NEGATIVE: AttributeConstraint = AttributeConstraint {
    summary: "64-bit signless integer attribute whose minimum value is 0",
    check: AttributeCheck::Is(|context, a| {
        is_i64(context, a) && a.as_i64(context).is_some_and(|n| n >= 0)
    }),
    syntax: AttributeSyntax::Untyped(|context| context.integer_type(64)),
};

fn is_i64(context: &Context, attribute: Attribute) -> bool {
    attribute.ty(context) == Some(context.integer_type(64))
}

sluice_ods::dialect! {
    dialect "seq" {
        summary: "Registers, memories and clocks",
        types: [CLOCK_TYPE, HLMEM_TYPE, IMMUTABLE_TYPE, firrtl::FIRMEM_TYPE],
        attributes: [CLOCK_CONSTANT_ATTRIBUTE, firrtl::INIT_ATTRIBUTE],
        groups: [registers::OPERATIONS, firrtl::OPERATIONS],
    }

    /// A memory.
    op Hlmem = "hlmem" {
        operands: { clk: CLOCK, rst: I1 },
        attributes: { name: SYMBOL_NAME },
        results: { handle: HLMEM_VALUE },
        assembly: "$name $clk `,` $rst attr-dict `:` type($handle)",
        names: name_of,
    }

    /// A read port.
    op Read = "read" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { memory: HLMEM_VALUE, addresses: variadic INTEGER_TYPE, rd_en: optional I1 },
        attributes: { latency: I64 },
        results: { read_data: ANY_TYPE },
        assembly: custom(parse_read, print_read),
        names: read_name,
        verify: verify_addresses,
    }

    /// A write port.
    op Write = "write" {
        operands: { memory: HLMEM_VALUE, addresses: variadic INTEGER_TYPE, in_data: ANY_TYPE, wr_en: I1 },
        attributes: { latency: I64 },
        assembly: custom(parse_write, print_write),
        verify: verify_addresses,
    }

    /// A FIFO: reads return the values in the order of the writes.
    op Fifo = "fifo" {
        traits: [ATTR_SIZED_RESULT_SEGMENTS],
        operands: { input: ANY_TYPE, rd_en: I1, wr_en: I1, clk: CLOCK, rst: I1 },
        attributes: {
            depth: AT_LEAST_ONE,
            rd_latency("rdLatency"): optional NOT_NEGATIVE = |context| context.i64_attribute(0),
            almost_full_threshold("almostFullThreshold"): optional NOT_NEGATIVE,
            almost_empty_threshold("almostEmptyThreshold"): optional NOT_NEGATIVE,
        },
        results: { output: ANY_TYPE, full: I1, empty: I1, almost_full: optional I1, almost_empty: optional I1 },
        rules: [TypesMatchWith {
            summary: "Input type should match output type",
            from: "input",
            to: "output",
            transform: |_, ty| Some(ty),
        }],
        assembly: custom(parse_fifo, print_fifo),
        names: fifo_names,
        verify: verify_fifo,
    }

    /// A gated clock: it is constant while it is not enabled.
    op ClockGate = "clock_gate" {
        traits: [PURE],
        operands: { input: CLOCK, enable: I1, test_enable: optional I1 },
        attributes: { inner_sym: optional INNER_SYMBOL },
        results: { output: CLOCK },
        assembly: "$input `,` $enable (`,` $test_enable^)? (`sym` $inner_sym^)? attr-dict",
    }

    /// Selects one of two clocks.
    op ClockMux = "clock_mux" {
        traits: [PURE],
        operands: { cond: I1, true_clock: CLOCK, false_clock: CLOCK },
        results: { result: CLOCK },
        assembly: "$cond `,` $true_clock `,` $false_clock attr-dict",
    }

    /// A clock divided by a power of two.
    op ClockDiv = "clock_div" {
        traits: [PURE],
        operands: { input: CLOCK },
        attributes: { pow2: I64 },
        results: { output: CLOCK },
        assembly: "$input `by` $pow2 attr-dict",
    }

    /// An inverted clock.
    op ClockInv = "clock_inv" {
        traits: [PURE],
        operands: { input: CLOCK },
        results: { output: CLOCK },
        assembly: "$input attr-dict",
    }

    /// A constant clock.
    op ConstClock = "const_clock" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: CLOCK_CONSTANT },
        results: { result: CLOCK },
        assembly: "$value attr-dict",
    }

    /// Converts a bit to a clock.
    op ToClock = "to_clock" {
        traits: [PURE],
        operands: { input: I1 },
        results: { output: CLOCK },
        assembly: "$input attr-dict",
    }

    /// Converts a clock to a bit.
    op FromClock = "from_clock" {
        traits: [PURE],
        operands: { input: CLOCK },
        results: { output: I1 },
        assembly: "$input attr-dict",
    }

    /// Values that are computed once, before the first clock edge.
    op Initial = "initial" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS, ISOLATED_FROM_ABOVE],
        rules: [ImplicitTerminator("seq.yield")],
        operands: { inputs: variadic IMMUTABLE },
        results: { outputs: variadic IMMUTABLE },
        regions: { body: sized(1) },
        assembly: "`(` $inputs `)` $body attr-dict `:` functional-type($inputs, $outputs)",
        verify_regions: verify_initial,
    }

    /// The values of `seq.initial`.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR],
        rules: [HasParent(&["seq.initial"])],
        operands: { values: variadic ANY_TYPE },
        assembly: "attr-dict ($values^ `:` type($values))?",
    }

    /// Converts an initialisation value to a value of the circuit.
    op FromImmutable = "from_immutable" {
        traits: [PURE],
        operands: { input: IMMUTABLE },
        results: { output: ANY_TYPE },
        assembly: "$input attr-dict `:` functional-type(operands, results)",
    }
}

fn read_name(view: View<'_>) -> Vec<Option<String>> {
    let memory = view.body.defining_operation(view.operand(0));
    let memory = memory
        .map(|op| view.at(op))
        .filter(|op| op.name() == "seq.hlmem");
    let name = memory.and_then(|op| op.attribute("name")?.as_str(view.context));
    vec![name.map(|name| format!("{name}_rdata"))]
}

fn verify_addresses(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some((shape, _)) = memory_parts(view.context, view.ty(view.operand(0))) else {
        return;
    };
    let addresses = view.operand_group(1);
    let wanted = shape.iter().map(|size| address_type(view.context, *size));
    if !wanted.eq(addresses.iter().map(|address| view.ty(*address))) {
        let message = "failed to verify that address bit widths should be identical to the clog2 of the shape of the \
                       HLMemType";
        op_error(view, diagnostics, message);
    }
}

fn fifo_names(view: View<'_>) -> Vec<Option<String>> {
    let groups = ["out", "full", "empty", "almostFull", "almostEmpty"];
    let named = groups.iter().enumerate();
    named
        .flat_map(|(group, name)| {
            view.result_group(group)
                .iter()
                .map(|_| Some((*name).to_owned()))
        })
        .collect()
}

fn parse_fifo(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parser.parse_keyword("depth")?;
    let depth = parser.parse_attribute_with_type(context.integer_type(64))?;
    state.set_attribute(context, "depth", depth);
    if parser.parse_optional_keyword("rd_latency") {
        let latency = parser.parse_attribute_with_type(context.integer_type(64))?;
        state.set_attribute(context, "rdLatency", latency);
    }
    let mut sizes = vec![1, 1, 1];
    for (keyword, name) in [
        ("almost_full", "almostFullThreshold"),
        ("almost_empty", "almostEmptyThreshold"),
    ] {
        let is_there = parser.parse_optional_keyword(keyword);
        if is_there {
            let threshold = context.i64_attribute(parser.parse_integer()?);
            state.set_attribute(context, name, threshold);
        }
        sizes.push(i32::from(is_there));
    }
    let mut operands = Vec::new();
    for keyword in ["in", "rdEn", "wrEn", "clk", "rst"] {
        parser.parse_keyword(keyword)?;
        operands.push(parser.parse_operand()?);
    }
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let bit = context.integer_type(1);
    let clock = context.dialect_type("seq.clock", &[]);
    for (operand, ty) in operands.into_iter().zip([ty, bit, bit, clock, bit]) {
        parser.resolve_operand(operand, ty, state)?;
    }
    let n_flags = sizes[3] + sizes[4];
    state.set_attribute(
        context,
        "resultSegmentSizes",
        context.dense_i32_array(&sizes),
    );
    state.add_results(&[ty, bit, bit]);
    for _ in 0..n_flags {
        state.add_results(&[bit]);
    }
    Ok(())
}

fn print_fifo(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let number = |name: &str| view.attribute(name).and_then(|a| a.as_i64(context));
    printer.text(&format!(" depth {}", number("depth").unwrap_or(0)));
    if let Some(latency) = number("rdLatency").filter(|latency| *latency != 0) {
        printer.text(&format!(" rd_latency {latency}"));
    }
    for (keyword, name) in [
        ("almost_full", "almostFullThreshold"),
        ("almost_empty", "almostEmptyThreshold"),
    ] {
        // CIRCT prints the space of a threshold even if the threshold is absent.
        printer.text(" ");
        if let Some(threshold) = number(name) {
            printer.text(&format!("{keyword} {threshold}"));
        }
    }
    for (keyword, operand) in ["in", "rdEn", "wrEn", "clk", "rst"]
        .iter()
        .zip(view.operands())
    {
        printer.text(&format!(" {keyword} "));
        printer.operand(operand);
    }
    let elided = [
        "depth",
        "rdLatency",
        "almostFullThreshold",
        "almostEmptyThreshold",
        "resultSegmentSizes",
    ];
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn verify_fifo(view: View<'_>, diagnostics: &mut Diagnostics) {
    let number = |name: &str| view.attribute(name).and_then(|a| a.as_i64(view.context));
    let depth = number("depth").unwrap_or(0);
    for (name, words) in [
        ("almostFullThreshold", "almost full"),
        ("almostEmptyThreshold", "almost empty"),
    ] {
        if number(name).is_some_and(|threshold| threshold > depth) {
            let message = format!("{words} threshold must be <= FIFO depth");
            return op_error(view, diagnostics, message);
        }
    }
    for (group, name) in [(3, "almostFullThreshold"), (4, "almostEmptyThreshold")] {
        let has_result = !view.result_group(group).is_empty();
        if has_result != view.attribute(name).is_some() {
            let message =
                format!("has '{name}' without the result that tells it, or the other way round");
            return op_error(view, diagnostics, message);
        }
    }
}

/// Checks the types of yielded values against the results, and of arguments against the operands, without `!seq.immutable`.
fn verify_initial(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let last = body
        .last_operation(block)
        .map(|op| View::new(context, body, op));
    let Some(last) = last else {
        return;
    };
    let inner = |ty| immutable_inner(context, ty);
    let text = |ty: Option<Type>| match ty {
        Some(ty) => format!("'{}'", sluice_ir::text::print_type(context, ty)),
        None => "nothing".to_owned(),
    };
    let results: Vec<_> = view.result_types().map(inner).collect();
    let yielded: Vec<_> = last.operand_types().map(Some).collect();
    let operands: Vec<_> = view.operand_types().map(inner).collect();
    let arguments = body.arguments(block).iter().map(|a| Some(body.ty(*a)));
    let arguments: Vec<_> = arguments.collect();
    let message = if results.len() != yielded.len() {
        "result type doesn't match with the terminator".to_owned()
    } else if let Some(i) = (0..results.len()).find(|i| results[*i] != yielded[*i]) {
        format!(
            "{} is expected but got {}",
            text(results[i]),
            text(yielded[i])
        )
    } else if operands.len() != arguments.len() {
        "operand type doesn't match with the block arg".to_owned()
    } else if let Some(i) = (0..operands.len()).find(|i| operands[*i] != arguments[*i]) {
        format!(
            "{} is expected but got {}",
            text(arguments[i]),
            text(operands[i])
        )
    } else {
        return;
    };
    diagnostics.error(view.location(), message);
}

/// Parses the operands of a port, `%mem[%addresses]`, and derives their types from the memory's type.
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

/// Returns the type of an address; for a dimension of size 1 it has no bits.
fn address_type(context: &Context, size: i64) -> Type {
    let size = u64::try_from(size).unwrap_or(1);
    context.integer_type(size.next_power_of_two().trailing_zeros())
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
