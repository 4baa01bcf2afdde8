//! Constants, wires, casts, enumerations, parameters as values, and scopes of type names.

use smallvec::smallvec;

use sluice_ir::bits::Bits;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage,
};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, print_attribute};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, View};

use super::attributes::{
    ENUM_FIELD, INNER_SYMBOL, enum_field, parse_inner_symbol, print_inner_symbol,
};
use super::types::{ENUM_VALUE, INTEGER_TYPE, OF_KNOWN_WIDTH, VALUE, canonical, width_bits};
use super::{op_error, quoted};
use crate::constraints::{ANY_ATTRIBUTE, ANY_TYPE, I1, INTEGER, STRING, SYMBOL_NAME, TYPE};
use crate::messages::name_of;

static EVENTS: EnumDefinition = EnumDefinition {
    name: "EventControl",
    storage: EnumStorage::Integer(32),
    cases: &[("posedge", 0), ("negedge", 1), ("edge", 2)],
    flags: false,
};

static EVENT: AttributeConstraint = AttributeConstraint {
    summary: "edge control trigger",
    check: AttributeCheck::Is(|context, a| EVENTS.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&EVENTS),
};

sluice_ods::dialect! {
    group "hw";

    /// A constant.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: INTEGER },
        results: { result: INTEGER_TYPE },
        assembly: custom(parse_constant, print_constant),
        verify: verify_constant,
    }

    /// A named net.
    op Wire = "wire" {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { input: ANY_TYPE },
        attributes: { name: STRING = no_name, inner_sym: optional INNER_SYMBOL },
        results: { result: ANY_TYPE },
        assembly: custom(parse_wire, print_wire),
        names: name_of,
        meaning: |site, algebra, x| Some(smallvec![x[0].clone()]),
    }

    /// Reinterprets the bits of a value as another type.
    op Bitcast = "bitcast" {
        traits: [PURE],
        operands: { input: OF_KNOWN_WIDTH },
        results: { result: OF_KNOWN_WIDTH },
        assembly: "$input attr-dict `:` functional-type($input, $result)",
        verify: verify_bitcast,
    }

    /// The value of an expression over the parameters of the module.
    op ParamValue = "param.value" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: ANY_ATTRIBUTE },
        results: { result: VALUE },
        assembly: custom(parse_param_value, print_param_value),
        rules: [Predicate {
            summary: "all of {value, result} have same type",
            check: |view| {
                let value = view.attribute("value");
                value.is_some_and(|value| value.ty(view.context) == Some(view.ty(view.result(0))))
            },
        }],
    }

    /// A case of an enumeration.
    op EnumConstant = "enum.constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { field: ENUM_FIELD },
        results: { result: ENUM_VALUE },
        assembly: custom(parse_enum_constant, print_enum_constant),
        custom_if: has_field_only,
        names: case_of,
        verify: verify_enum_constant,
    }

    /// Compares two values of one enumeration for equality.
    op EnumCmp = "enum.cmp" {
        traits: [PURE],
        operands: { lhs: ENUM_VALUE, rhs: ENUM_VALUE },
        results: { result: I1 },
        assembly: "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)",
        verify: verify_enum_cmp,
    }

    /// Operations that run at an edge of a signal.
    op Triggered = "triggered" {
        traits: [ISOLATED_FROM_ABOVE, SINGLE_BLOCK, NO_TERMINATOR],
        operands: { trigger: I1, inputs: variadic ANY_TYPE },
        attributes: { event: EVENT },
        regions: { body: sized(1) },
        effects: [Unknown],
        assembly: "$event $trigger (`(` $inputs^ `)` `:` type($inputs))? $body attr-dict",
        verify_regions: verify_triggered,
    }

    /// A scope of names of types.
    op TypeScope = "type_scope" {
        traits: [SYMBOL, SYMBOL_TABLE, SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS],
        attributes: { sym_name: SYMBOL_NAME, sym_visibility: optional STRING },
        regions: { body: sized(1) },
        assembly: "$sym_name $body attr-dict",
    }

    /// A name of a type.
    op Typedecl = "typedecl" {
        traits: [SYMBOL],
        rules: [HasParent(&["hw.type_scope"])],
        attributes: { sym_name: SYMBOL_NAME, ty("type"): TYPE, verilog_name("verilogName"): optional STRING, sym_visibility: optional STRING },
        assembly: "$sym_name (`,` $verilogName^)? `:` $type attr-dict",
    }
}

fn parse_constant(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let value = parser.parse_attribute()?;
    let ty = match value.kind(context) {
        AttributeKind::Integer { ty, .. } => *ty,
        _ => return Err(parser.error(position, "invalid kind of attribute specified")),
    };
    state.set_attribute(context, "value", value);
    state.add_results(&[ty]);
    parser.parse_attribute_dictionary(state)
}

fn print_constant(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    if let Some(value) = view.attribute("value") {
        printer.attribute(value);
    }
    printer.attribute_dictionary(view, &["value"]);
}

fn verify_constant(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let value = view.attribute("value").and_then(|a| a.ty(context));
    let ty = canonical(context, view.ty(view.result(0)));
    if value.is_none_or(|value| canonical(context, value) != ty) {
        let message = "hw.constant attribute bitwidth doesn't match return type";
        diagnostics.error(view.location(), message);
    }
}

fn parse_wire(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let input = parser.parse_operand()?;
    if parser.parse_optional_keyword("sym") {
        let symbol = parse_inner_symbol(parser)?;
        state.set_attribute(context, "inner_sym", symbol);
    }
    let name = parse_implicit_ssa_name(parser)?;
    parser.parse_attribute_dictionary(state)?;
    set_name(context, state, name);
    let ty = parser.parse_colon_type()?;
    state.add_results(&[ty]);
    parser.resolve_operand(input, ty, state)
}

fn print_wire(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    if let Some(symbol) = view.attribute("inner_sym") {
        printer.text(" sym ");
        print_inner_symbol(printer, symbol);
    }
    // CIRCT prints a space in the place of a name.
    printer.text(" ");
    print_implicit_ssa_name(printer, view);
    printer.attribute_dictionary(view, &["name", "inner_sym"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

/// Sets the attribute `name`, unless a dictionary has already set it.
pub(crate) fn set_name(context: &Context, state: &mut OperationState, name: Attribute) {
    if state.attribute(context, "name").is_none() {
        state.set_attribute(context, "name", name);
    }
}

/// Returns the name for operations without a name.
pub(crate) fn no_name(context: &Context) -> Attribute {
    context.string_attribute("")
}

/// Parses `name "..."`; without it the name is that of the result.
pub(crate) fn parse_implicit_ssa_name(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let context = parser.context();
    let name = if parser.parse_optional_keyword("name") {
        parser.parse_string()?
    } else {
        let name = parser.result_name();
        let is_number = name.starts_with(|c: char| c.is_ascii_digit());
        if is_number { "" } else { name }.to_owned()
    };
    Ok(context.string_attribute(&name))
}

/// Prints the name unless it is that of the result.
pub(crate) fn print_implicit_ssa_name(printer: &mut Printer<'_>, view: View<'_>) {
    let name = view.attribute("name").and_then(|a| a.as_str(view.context));
    let name = name.unwrap_or_default();
    let written = printer.value_name(view.result(0));
    let is_number = written.starts_with(|c: char| c.is_ascii_digit());
    if written != name && !(name.is_empty() && is_number) {
        printer.text(" name ");
        printer.quoted(name.as_bytes());
    }
}

fn verify_bitcast(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let width = |ty| width_bits(context, ty);
    if width(view.ty(view.operand(0))) != width(view.ty(view.result(0))) {
        op_error(view, diagnostics, "Bitwidth of input must match result");
    }
}

/// Checks that there is no other `hw.triggered` inside.
fn verify_triggered(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    for op in body.walk_all() {
        let op = View::new(view.context, body, op);
        if op.name() == "hw.triggered" {
            op_error(op, diagnostics, "must not be in a procedural region");
        }
    }
}

fn parse_param_value(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let ty = parser.parse_type()?;
    parser.parse_punctuation("=")?;
    let value = parser.parse_attribute_with_type(ty)?;
    state.set_attribute(context, "value", value);
    state.add_results(&[ty]);
    parser.parse_attribute_dictionary(state)
}

fn print_param_value(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.ty(view.ty(view.result(0)));
    printer.text(" = ");
    if let Some(value) = view.attribute("value") {
        printer.attribute_without_type(value);
    }
    printer.attribute_dictionary(view, &["value"]);
}

/// Returns the value of an operation on values of parameters; `None` if it is not known.
pub(super) fn evaluate(
    context: &Context,
    operation: &str,
    operands: &[Attribute],
) -> Option<Attribute> {
    let words: Option<Vec<&Bits>> = operands.iter().map(|a| a.integer(context)).collect();
    let words = words?;
    let (first, rest) = words.split_first()?;
    let ty = operands[0].ty(context)?;
    let fold =
        |with: fn(&Bits, &Bits) -> Bits| rest.iter().fold((*first).clone(), |a, b| with(&a, b));
    let second = rest.first().copied();
    let amount = |b: &Bits| b.to_u64().and_then(|n| u32::try_from(n).ok());
    let value = match operation {
        "add" => fold(Bits::add),
        "mul" => fold(Bits::mul),
        "and" => fold(Bits::and),
        "or" => fold(Bits::or),
        "xor" => fold(Bits::xor),
        "shl" => first.shl_by(amount(second?)?),
        "shru" => first.lshr_by(amount(second?)?),
        "shrs" => first.ashr_by(amount(second?)?),
        "clog2" => {
            let n = first.to_u64()?.max(1).next_power_of_two().trailing_zeros();
            Bits::from_u64(first.width(), u64::from(n))
        }
        "divu" | "modu" => {
            let (a, b) = (first.to_u64()?, second?.to_u64()?);
            let value = match operation {
                "divu" => a.checked_div(b)?,
                _ => a.checked_rem(b)?,
            };
            Bits::from_u64(first.width(), value)
        }
        "divs" | "mods" => {
            let (a, b) = (first.to_i64()?, second?.to_i64()?);
            let value = match operation {
                "divs" => a.checked_div(b)?,
                _ => a.checked_rem(b)?,
            };
            Bits::from_i64(first.width(), value)
        }
        _ => return None,
    };
    Some(context.integer_attribute(ty, value))
}

fn parse_enum_constant(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let position = parser.position();
    let case = parser.parse_any_keyword()?;
    let ty = parser.parse_colon_type()?;
    let field = enum_field(context, case, ty).map_err(|why| parser.error(position, why))?;
    state.set_attribute(context, "field", field);
    state.add_results(&[ty]);
    Ok(())
}

fn print_enum_constant(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.text(case_of(view)[0].as_deref().unwrap_or_default());
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

fn case_of(view: View<'_>) -> Vec<Option<String>> {
    let context = view.context;
    let field = view.attribute("field");
    let parts = field.and_then(|a| super::attributes::parameters(context, a, "hw.enum.field"));
    let case = parts.and_then(|parts| parts.first()?.as_str(context));
    vec![case.map(str::to_owned)]
}

fn verify_enum_constant(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(field) = view.attribute("field") else {
        return;
    };
    let parts = super::attributes::parameters(context, field, "hw.enum.field");
    let ty = parts.and_then(|parts| parts.get(1)?.as_type(context));
    if ty != Some(view.ty(view.result(0))) {
        let message = format!(
            "return type {} does not match attribute type {}",
            quoted(context, view.ty(view.result(0))),
            print_attribute(context, field)
        );
        op_error(view, diagnostics, message);
    }
}

fn verify_enum_cmp(view: View<'_>, diagnostics: &mut Diagnostics) {
    let kind = |operand| canonical(view.context, view.ty(view.operand(operand)));
    if kind(0) != kind(1) {
        op_error(view, diagnostics, "types do not match");
    }
}

/// Returns true if the custom form can be parsed: it has no place for other attributes.
fn has_field_only(view: View<'_>) -> bool {
    view.attributes().len() <= 1
}
