//! Registers and memories with the semantics of FIRRTL.

use sluice_ir::bits::Bits;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage, TypeCheck, TypeConstraint, TypeDefinition,
};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, Type, TypeKind, View};

use super::{CLOCK, is_dialect_type, op_error};
use crate::constraints::{
    ANY_ATTRIBUTE, ANY_TYPE, I1, I32, INTEGER, SIGNLESS_INTEGER, STRING, UNIT,
};
use crate::hw::{
    INNER_SYMBOL, integer_type, parse_implicit_ssa_name, parse_inner_symbol,
    print_implicit_ssa_name, print_inner_symbol, set_name, width_bits,
};
use crate::messages::name_of;

static MEMORY: TypeConstraint = TypeConstraint {
    summary: "A FIRRTL-flavored memory",
    check: TypeCheck::Is(|context, ty| is_dialect_type(context, ty, "seq.firmem")),
    only: None,
    class: None,
    unqualified: Some(&FIRMEM_TYPE),
};

/// The type `!seq.firmem<12 x 42, mask 7>`: depth, width, bits of the mask.
pub(super) static FIRMEM_TYPE: TypeDefinition = TypeDefinition {
    name: "seq.firmem",
    summary: "A memory by depth, width and bits of its mask",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let depth = parser.parse_dimension()?;
        parser.parse_dimension_separator()?;
        let width = parser.parse_dimension()?;
        let number = |n: u64| context.i64_attribute(i64::try_from(n).unwrap_or(i64::MAX));
        let mut parts = vec![number(depth), number(width)];
        if parser.parse_optional_punctuation(",") {
            parser.parse_keyword("mask")?;
            parts.push(number(parser.parse_dimension()?));
        }
        parser.parse_punctuation(">")?;
        Ok(context.dialect_type("seq.firmem", &parts))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        let number = |i: usize| parameters.get(i).and_then(|a| a.as_i64(context));
        let (depth, width) = (number(0).unwrap_or(0), number(1).unwrap_or(0));
        printer.text(&format!("<{depth} x {width}"));
        if let Some(mask) = number(2) {
            printer.text(&format!(", mask {mask}"));
        }
        printer.text(">");
    },
    extension: None,
};

fn part(context: &Context, ty: Type, index: usize) -> Option<u64> {
    match ty.kind(context) {
        TypeKind::Dialect { parameters, .. } => {
            u64::try_from(parameters.get(index)?.as_i64(context)?).ok()
        }
        _ => None,
    }
}

fn address_type(context: &Context, ty: Type) -> Option<Type> {
    let depth = part(context, ty, 0)?;
    let width = depth.checked_next_power_of_two()?.trailing_zeros();
    Some(context.integer_type(width.max(1)))
}

fn data_type(context: &Context, ty: Type) -> Option<Type> {
    let width = i64::try_from(part(context, ty, 1)?).ok()?;
    integer_type(context, width.max(1))
}

/// Parameters of a `seq.firmem`.
#[derive(Clone, Copy, Debug)]
pub struct MaskedMemory {
    /// Number of words.
    pub depth: u64,
    /// Bits per word.
    pub width_bits: u32,
    /// Latency of a read in cycles.
    pub read_latency: u32,
    /// Latency of a write in cycles.
    pub write_latency: u32,
    /// True if a word that is read and written at one edge is read with its old value.
    pub reads_old: bool,
}

impl MaskedMemory {
    /// Returns the width of an address in bits.
    pub fn address_bits(&self) -> u32 {
        self.depth.next_power_of_two().trailing_zeros().max(1)
    }
}

/// Returns the parameters of a `seq.firmem`; none for other operations.
pub fn masked_memory(view: View<'_>) -> Option<MaskedMemory> {
    if view.name() != "seq.firmem" {
        return None;
    }
    let ty = view.ty(view.result(0));
    let number = |name: &str| {
        let value = view.attribute(name)?.as_i64(view.context)?;
        u32::try_from(value).ok()
    };
    let reads_old = view.attribute("ruw")?;
    let latency = number("readLatency")?;
    Some(MaskedMemory {
        depth: part(view.context, ty, 0)?,
        width_bits: u32::try_from(part(view.context, ty, 1)?).ok()?.max(1),
        read_latency: latency,
        write_latency: number("writeLatency")?,
        reads_old: latency > 0 && READ_UNDER_WRITE.value(view.context, reads_old) == Some(1),
    })
}

/// The file with the initial words of a `seq.firmem`, and its format.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Image {
    /// Its name, as written in the source.
    pub file: String,
    /// True if its words are binary, not hexadecimal.
    pub is_binary: bool,
    /// Number of words of the memory.
    pub depth: u64,
    /// Bits per word.
    pub width_bits: u32,
}

/// Returns the file with the initial words of a memory; none if it has no file.
pub fn image(view: View<'_>) -> Option<Image> {
    let context = view.context;
    let memory = masked_memory(view)?;
    let AttributeKind::Dialect { parameters, .. } = view.attribute("init")?.kind(context) else {
        return None;
    };
    Some(Image {
        file: parameters.first()?.as_str(context)?.to_owned(),
        is_binary: parameters.get(1)?.as_bool(context)?,
        depth: memory.depth,
        width_bits: memory.width_bits,
    })
}

static READ_UNDER_WRITE: EnumDefinition = EnumDefinition {
    name: "RUW",
    storage: EnumStorage::Integer(32),
    cases: &[("undefined", 0), ("old", 1), ("new", 2)],
    flags: false,
};

static RUW: AttributeConstraint = AttributeConstraint {
    summary: "Read-Under-Write Behavior",
    check: AttributeCheck::Is(|context, a| READ_UNDER_WRITE.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&READ_UNDER_WRITE),
};

static WRITE_UNDER_WRITE: EnumDefinition = EnumDefinition {
    name: "WUW",
    storage: EnumStorage::Integer(32),
    cases: &[("undefined", 0), ("port_order", 1)],
    flags: false,
};

static WUW: AttributeConstraint = AttributeConstraint {
    summary: "Write-Under-Write Behavior",
    check: AttributeCheck::Is(|context, a| WRITE_UNDER_WRITE.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&WRITE_UNDER_WRITE),
};

static INIT: AttributeConstraint = AttributeConstraint {
    summary: "Memory initialization information",
    check: AttributeCheck::Is(|context, a| {
        matches!(a.kind(context), AttributeKind::Dialect { name, .. }
            if context.text(*name) == "seq.firmem.init")
    }),
    syntax: AttributeSyntax::Generic,
};

/// The attribute `<"file", is binary, is inline>`.
pub(super) static INIT_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "seq.firmem.init",
    summary: "The file with the first contents of a memory",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let file = parser.parse_string()?;
        let mut parts = vec![context.string_attribute(&file)];
        for _ in 0..2 {
            parser.parse_punctuation(",")?;
            let value = parser.parse_keyword_of(&["false", "true"])?;
            parts.push(context.bool_attribute(value == 1));
        }
        parser.parse_punctuation(">")?;
        Ok(context.attribute(AttributeKind::Dialect {
            name: context.name("seq.firmem.init"),
            parameters: parts.into(),
        }))
    },
    print: &|printer, parameters| {
        printer.text("<");
        printer.comma_separated(parameters.iter(), |printer, part| printer.attribute(*part));
        printer.text(">");
    },
    typed: false,
    extension: None,
};

sluice_ods::dialect! {
    group "seq";

    /// A register with synchronous or asynchronous reset and a preset.
    op Firreg = "firreg" {
        traits: [SAME_VARIADIC_OPERAND_SIZE],
        rules: [AllTypesMatch(&["next", "data"])],
        operands: { next: ANY_TYPE, clk: CLOCK, reset: optional I1, reset_value: optional ANY_TYPE },
        attributes: {
            name: STRING, inner_sym: optional INNER_SYMBOL, preset: optional INTEGER, is_async("isAsync"): optional UNIT,
        },
        results: { data: ANY_TYPE },
        assembly: custom(parse_firreg, print_firreg),
        names: name_of,
        verify: verify_firreg,
    }

    /// A memory with latencies and the behaviour of simultaneous accesses to one cell.
    op Firmem = "firmem" {
        attributes: {
            read_latency("readLatency"): I32, write_latency("writeLatency"): I32, ruw: RUW, wuw: WUW,
            name: optional STRING, inner_sym: optional INNER_SYMBOL, init: optional INIT, prefix: optional STRING,
            output_file: optional ANY_ATTRIBUTE,
        },
        results: { memory: MEMORY },
        effects: [Unknown],
        assembly: custom(parse_firmem, print_firmem),
        names: name_of,
    }

    /// Reads a cell at a clock edge.
    op FirmemReadPort = "firmem.read_port" {
        operands: { memory: MEMORY, address: SIGNLESS_INTEGER, clk: CLOCK, enable: optional I1 },
        results: { data: SIGNLESS_INTEGER },
        effects: [Unknown],
        rules: [
            TypesMatchWith {
                summary: "address type should match clog2 of memory depth",
                from: "memory",
                to: "address",
                transform: address_type,
            },
            TypesMatchWith {
                summary: "data type should match memory width",
                from: "memory",
                to: "data",
                transform: data_type,
            }
        ],
        assembly: "$memory `[` $address `]` `,` `clock` $clk (`enable` $enable^)? attr-dict `:` type($memory)",
    }

    /// Writes a cell at a clock edge.
    op FirmemWritePort = "firmem.write_port" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            memory: MEMORY, address: SIGNLESS_INTEGER, clk: CLOCK, enable: optional I1, data: SIGNLESS_INTEGER,
            mask: optional SIGNLESS_INTEGER,
        },
        effects: [Unknown],
        rules: [
            TypesMatchWith {
                summary: "address type should match clog2 of memory depth",
                from: "memory",
                to: "address",
                transform: address_type,
            },
            TypesMatchWith {
                summary: "data type should match memory width",
                from: "memory",
                to: "data",
                transform: data_type,
            }
        ],
        assembly: "$memory `[` $address `]` `=` $data `,` `clock` $clk (`enable` $enable^)? (`mask` $mask^)? attr-dict `:` type($memory) (`,` type($mask)^)?",
        verify: verify_mask,
    }

    /// Reads or writes a cell at a clock edge.
    op FirmemReadWritePort = "firmem.read_write_port" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            memory: MEMORY, address: SIGNLESS_INTEGER, clk: CLOCK, enable: optional I1, write_data: SIGNLESS_INTEGER,
            mode: I1, mask: optional SIGNLESS_INTEGER,
        },
        results: { read_data: SIGNLESS_INTEGER },
        effects: [Unknown],
        rules: [
            TypesMatchWith {
                summary: "address type should match clog2 of memory depth",
                from: "memory",
                to: "address",
                transform: address_type,
            },
            TypesMatchWith {
                summary: "data type should match memory width",
                from: "memory",
                to: "write_data",
                transform: data_type,
            },
            TypesMatchWith {
                summary: "data type should match memory width",
                from: "memory",
                to: "read_data",
                transform: data_type,
            }
        ],
        assembly: "$memory `[` $address `]` `=` $write_data `if` $mode `,` `clock` $clk (`enable` $enable^)? (`mask` $mask^)? attr-dict `:` type($memory) (`,` type($mask)^)?",
        verify: verify_mask,
    }
}

fn parse_firreg(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let result_name = parser.result_name();
    let next = parser.parse_operand()?;
    parser.parse_keyword("clock")?;
    let clock = parser.parse_operand()?;
    if parser.parse_optional_keyword("sym") {
        let symbol = parse_inner_symbol(parser)?;
        state.set_attribute(context, "inner_sym", symbol);
    }
    let mut reset = None;
    if parser.parse_optional_keyword("reset") {
        let is_async = parser.parse_optional_keyword("async");
        if !is_async && !parser.parse_optional_keyword("sync") {
            let message = "invalid reset, expected 'sync' or 'async'";
            return Err(parser.error(position, message));
        }
        if is_async {
            state.set_attribute(context, "isAsync", context.unit_attribute());
        }
        let condition = parser.parse_operand()?;
        parser.parse_punctuation(",")?;
        reset = Some((condition, parser.parse_operand()?));
    }
    let mut preset = None;
    let preset_position;
    if parser.parse_optional_keyword("preset") {
        preset_position = parser.position();
        let is_number = !parser.peek("-") && !parser.peek("{") && !parser.peek(":");
        if !is_number {
            let message = match parser.peek("-") {
                true => "preset value must not be negative",
                false => "expected integer value",
            };
            return Err(parser.error(preset_position, message));
        }
        preset = Some(parser.parse_integer_digits()?.to_owned());
    } else {
        preset_position = position;
    }
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    if let Some(digits) = preset {
        let width = width_bits(context, ty).and_then(|width| u32::try_from(width).ok());
        let Some(width) = width else {
            let message = "cannot preset register of unknown width";
            return Err(parser.error(preset_position, message));
        };
        let value = match digits.strip_prefix("0x") {
            Some(digits) => Bits::parse_hex(digits, width),
            None => Bits::parse_decimal(&digits, false, width),
        };
        let Some(value) = value else {
            return Err(parser.error(preset_position, "preset value too large"));
        };
        let value = context.integer_attribute(context.integer_type(width), value);
        state.set_attribute(context, "preset", value);
    }
    if state.attribute(context, "name").is_none() {
        let is_number = result_name.starts_with(|c: char| c.is_ascii_digit());
        let name = if is_number { "" } else { result_name };
        state.set_attribute(context, "name", context.string_attribute(name));
    }
    parser.resolve_operand(next, ty, state)?;
    parser.resolve_operand(clock, context.dialect_type("seq.clock", &[]), state)?;
    if let Some((condition, value)) = reset {
        parser.resolve_operand(condition, context.integer_type(1), state)?;
        parser.resolve_operand(value, ty, state)?;
    }
    state.add_results(&[ty]);
    Ok(())
}

fn print_firreg(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let operands: Vec<_> = view.operands().collect();
    let text = |name: &str| view.attribute(name).and_then(|a| a.as_str(context));
    printer.text(" ");
    printer.operand(operands[0]);
    printer.text(" clock ");
    printer.operand(operands[1]);
    if let Some(symbol) = view.attribute("inner_sym") {
        printer.text(" sym ");
        print_inner_symbol(printer, symbol);
    }
    if let [_, _, reset, value] = operands[..] {
        let is_async = view.attribute("isAsync").is_some();
        printer.text(if is_async {
            " reset async "
        } else {
            " reset sync "
        });
        printer.operands([reset, value]);
    }
    if let Some(preset) = view.attribute("preset").and_then(|a| a.integer(context)) {
        printer.text(&format!(" preset {}", preset.to_unsigned_string()));
    }
    let mut elided = vec!["inner_sym", "isAsync", "preset"];
    let name = text("name").unwrap_or_default();
    let written = printer.value_name(view.result(0));
    let is_number = written.starts_with(|c: char| c.is_ascii_digit());
    if written == name || name.is_empty() && is_number {
        elided.push("name");
    }
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    printer.ty(view.ty(operands[0]));
}

fn verify_firreg(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let has_reset = view.operands().len() > 2;
    if !has_reset && view.attribute("isAsync").is_some() {
        let message = "must specify reset and reset value";
        return op_error(view, diagnostics, message);
    }
    let preset = view.attribute("preset").and_then(|a| a.ty(context));
    let ty = view.ty(view.result(0));
    if has_reset && view.ty(view.operand(3)) != ty {
        let message = "reset value must be the same type as the register";
        return op_error(view, diagnostics, message);
    }
    let width = width_bits(context, ty);
    if preset.is_some_and(|preset| width.is_none() || width_bits(context, preset) != width) {
        op_error(
            view,
            diagnostics,
            "preset type width must match register type",
        );
    }
}

fn parse_firmem(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if parser.parse_optional_keyword("sym") {
        let symbol = parse_inner_symbol(parser)?;
        state.set_attribute(context, "inner_sym", symbol);
    }
    let name = parse_implicit_ssa_name(parser)?;
    let number = context.integer_type(32);
    let read = parser.parse_attribute_with_type(number)?;
    parser.parse_punctuation(",")?;
    let write = parser.parse_attribute_with_type(number)?;
    parser.parse_punctuation(",")?;
    let ruw = parser.parse_enum_attribute(&READ_UNDER_WRITE)?;
    parser.parse_punctuation(",")?;
    let wuw = parser.parse_enum_attribute(&WRITE_UNDER_WRITE)?;
    for (name, value) in [
        ("readLatency", read),
        ("writeLatency", write),
        ("ruw", ruw),
        ("wuw", wuw),
    ] {
        state.set_attribute(context, name, value);
    }
    parser.parse_attribute_dictionary(state)?;
    set_name(context, state, name);
    parser.parse_punctuation(":")?;
    let ty = match parser.peek("<") {
        true => (FIRMEM_TYPE.parse)(parser)?,
        false => parser.parse_type()?,
    };
    state.add_results(&[ty]);
    Ok(())
}

fn print_firmem(printer: &mut Printer<'_>, view: View<'_>) {
    if let Some(symbol) = view.attribute("inner_sym") {
        printer.text(" sym ");
        print_inner_symbol(printer, symbol);
    }
    print_implicit_ssa_name(printer, view);
    printer.text(" ");
    let attribute = |name: &str| -> Option<Attribute> { view.attribute(name) };
    for name in ["readLatency", "writeLatency"] {
        if let Some(latency) = attribute(name) {
            printer.attribute_without_type(latency);
        }
        printer.text(", ");
    }
    if let Some(ruw) = attribute("ruw") {
        printer.enum_attribute(&READ_UNDER_WRITE, ruw);
    }
    printer.text(", ");
    if let Some(wuw) = attribute("wuw") {
        printer.enum_attribute(&WRITE_UNDER_WRITE, wuw);
    }
    let elided = [
        "readLatency",
        "writeLatency",
        "ruw",
        "wuw",
        "name",
        "inner_sym",
    ];
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    if let TypeKind::Dialect { parameters, .. } = view.ty(view.result(0)).kind(view.context) {
        (FIRMEM_TYPE.print)(printer, parameters);
    }
}

/// Checks that the mask of a port has as many bits as the memory's type states.
fn verify_mask(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let groups = view.definition().map_or(0, |d| d.operands.len());
    let [mask] = view.operand_group(groups.saturating_sub(1))[..] else {
        return;
    };
    let ty = view.ty(view.operand(0));
    let text = |ty| format!("'{}'", sluice_ir::text::print_type(context, ty));
    let found = view.ty(mask);
    let message = match part(context, ty, 2).and_then(|width| u32::try_from(width).ok()) {
        None => {
            let ty = text(ty);
            format!("has mask operand but memory type {ty} has no mask")
        }
        Some(width) if context.integer_type(width) != found => format!(
            "has mask operand of type {}, but memory type requires {}",
            text(found),
            text(context.integer_type(width))
        ),
        Some(_) => return,
    };
    op_error(view, diagnostics, message);
}
