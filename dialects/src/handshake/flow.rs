//! Operations that fork, merge, select, store and join tokens.

use smallvec::{SmallVec, smallvec};

use sluice_ir::bits::Bits;
use sluice_ir::definition::{
    Arity, AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax,
    EnumDefinition, EnumStorage, Site,
};
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{Diagnostics, Type, TypeKind, View};

use super::{NONE, TUPLE, op_error};
use crate::constraints::{ANY_TYPE, ARRAY, I1, TYPED};

/// The kind of a buffer: `seq` is a chain of registers, `fifo` a FIFO.
pub static BUFFER_KINDS: EnumDefinition = EnumDefinition {
    name: "BufferTypeEnum",
    storage: EnumStorage::Dialect("handshake.buffer_type_enum"),
    cases: &[("seq", 0), ("fifo", 1)],
    flags: false,
};

static BUFFER_KIND: AttributeConstraint = AttributeConstraint {
    summary: "BufferOp seq or fifo",
    check: AttributeCheck::Is(|context, a| BUFFER_KINDS.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&BUFFER_KINDS),
};

pub(super) static BUFFER_KIND_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    name: "handshake.buffer_type_enum",
    summary: "Whether a buffer is a chain of registers or a queue",
    parse: &|parser| parser.parse_enum_attribute(&BUFFER_KINDS),
    print: &|printer, parameters| {
        printer.text(" ");
        let value = parameters[0].as_i64(printer.context()).unwrap_or(0);
        printer.enum_value(&BUFFER_KINDS, u64::try_from(value).unwrap_or(0));
    },
    typed: false,
    extension: None,
};

static SLOTS: AttributeConstraint = AttributeConstraint {
    summary: "32-bit signless integer attribute whose minimum value is 1",
    check: AttributeCheck::Is(|context, a| {
        a.ty(context) == Some(context.integer_type(32)) && a.as_i64(context).is_some_and(|n| n >= 1)
    }),
    syntax: AttributeSyntax::Untyped(|context| context.integer_type(32)),
};

sluice_ods::dialect! {
    group "handshake";

    /// A buffer for tokens: a chain of registers, or a FIFO.
    op Buffer = "buffer" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["handshake.func"])],
        operands: { operand: ANY_TYPE },
        attributes: {
            slots: SLOTS, buffer_type("bufferType"): BUFFER_KIND, init_values("initValues"): optional ARRAY,
        },
        results: { result: ANY_TYPE },
        assembly: custom(parse_buffer, print_buffer),
        verify: verify_buffer,
    }

    /// Copies of a token, each sent as soon as its receiver accepts it.
    op Fork = "fork" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["handshake.func"])],
        operands: { operand: ANY_TYPE },
        results: { result: variadic ANY_TYPE },
        assembly: custom(parse_fork, print_fork),
        verify: verify_size,
    }

    /// Copies of a token, all sent at the same time.
    op LazyFork = "lazy_fork" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["handshake.func"])],
        operands: { operand: ANY_TYPE },
        results: { result: variadic ANY_TYPE },
        assembly: custom(parse_fork, print_fork),
        verify: verify_size,
    }

    /// The next token from any input.
    op Merge = "merge" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["handshake.func"])],
        operands: { data_operands: variadic ANY_TYPE },
        results: { result: ANY_TYPE },
        assembly: custom(parse_merge, print_sized_by_operands),
        verify: verify_size,
    }

    /// The token of the input that another token selects.
    op Mux = "mux" {
        traits: [PURE],
        rules: [HasParent(&["handshake.func"])],
        operands: { select_operand: ANY_TYPE, data_operands: variadic ANY_TYPE },
        results: { result: ANY_TYPE },
        assembly: custom(parse_mux, print_mux),
        infer: mux_type,
        verify: verify_mux,
    }

    /// The next token from any input, and the index of that input.
    op ControlMerge = "control_merge" {
        traits: [PURE],
        rules: [HasParent(&["handshake.func"])],
        operands: { data_operands: variadic ANY_TYPE },
        results: { result: ANY_TYPE, index: ANY_TYPE },
        assembly: custom(parse_control_merge, print_control_merge),
        names: control_merge_names,
        verify: verify_control_merge,
    }

    /// Passes a token on.
    op Branch = "br" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["handshake.func"])],
        operands: { data_operand: ANY_TYPE },
        results: { data_result: ANY_TYPE },
        assembly: custom(parse_merge, print_sized_by_operands),
        verify: verify_size,
    }

    /// Passes a token on to one of two outputs.
    op ConditionalBranch = "cond_br" {
        traits: [PURE],
        operands: { condition_operand: I1, data_operand: ANY_TYPE },
        results: { true_result: ANY_TYPE, false_result: ANY_TYPE },
        rules: [
            HasParent(&["handshake.func"]), TypesMatchWith {
                summary: "data operand type matches true branch result type",
                from: "data_operand",
                to: "true_result",
                transform: |_, ty| Some(ty),
            },
            TypesMatchWith {
                summary: "data operand type matches false branch result type",
                from: "data_operand",
                to: "false_result",
                transform: |_, ty| Some(ty),
            }
        ],
        assembly: custom(parse_conditional_branch, print_conditional_branch),
        names: branch_names,
    }

    /// Accepts and discards every token.
    op Sink = "sink" {
        rules: [HasParent(&["handshake.func"])],
        operands: { operand: ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_sink, print_sized_by_operands),
    }

    /// Always has a token without data.
    op Source = "source" {
        traits: [PURE],
        rules: [HasParent(&["handshake.func"])],
        results: { result: ANY_TYPE },
        assembly: custom(parse_source, print_source),
    }

    /// Never has a token.
    op Never = "never" {
        traits: [PURE],
        rules: [HasParent(&["handshake.func"])],
        results: { result: ANY_TYPE },
        assembly: "attr-dict `:` type($result)",
    }

    /// A value for each token without data.
    op Constant = "constant" {
        traits: [PURE],
        rules: [HasParent(&["handshake.func"])],
        operands: { ctrl: NONE },
        attributes: { value: TYPED },
        results: { result: ANY_TYPE },
        assembly: "$ctrl attr-dict `:` type($result)",
        verify: verify_constant,
    }

    /// A token without data once all inputs have one.
    op Join = "join" {
        rules: [HasParent(&["handshake.func"])],
        operands: { data: variadic ANY_TYPE },
        results: { result: NONE },
        assembly: custom(parse_join, print_join),
        infer: none_type,
    }

    /// Sends all tokens once every input has one.
    op Sync = "sync" {
        rules: [HasParent(&["handshake.func"])],
        operands: { operands: variadic ANY_TYPE },
        results: { results: variadic ANY_TYPE },
        assembly: custom(parse_sync, print_sync),
        verify: verify_sync,
    }

    /// The parts of a tuple.
    op Unpack = "unpack" {
        rules: [HasParent(&["handshake.func"])],
        operands: { input: TUPLE },
        results: { results: variadic ANY_TYPE },
        assembly: custom(parse_unpack, print_unpack),
        verify: verify_unpack,
    }

    /// A tuple of parts.
    op Pack = "pack" {
        rules: [HasParent(&["handshake.func"])],
        operands: { inputs: variadic ANY_TYPE },
        results: { result: TUPLE },
        assembly: custom(parse_pack, print_pack),
        verify: verify_pack,
    }
}

fn control_merge_names(_: View<'_>) -> Vec<Option<String>> {
    vec![Some("result".to_owned()), Some("index".to_owned())]
}

fn branch_names(_: View<'_>) -> Vec<Option<String>> {
    vec![
        Some("trueResult".to_owned()),
        Some("falseResult".to_owned()),
    ]
}

/// Parses operands of one type: `%a, %b {attributes} : type`.
fn parse_operands(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<(Type, usize)> {
    let position = parser.position();
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let definition = parser.context().operation_name_data(state.name).definition;
    let first = definition.and_then(|definition| definition.operands.first());
    let single = first.is_some_and(|spec| spec.arity == Arity::Single);
    if single && operands.len() != 1 {
        let message = format!("{} operands present, but expected 1", operands.len());
        return Err(parser.error(position, message));
    }
    parser.resolve_operands_of_type(&operands, ty, state)?;
    Ok((ty, operands.len()))
}

fn print_sized_by_operands(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    if let Some(ty) = view.operand_types().next() {
        printer.ty(ty);
    }
}

fn parse_number_in_brackets(parser: &mut Parser<'_>) -> ParseResult<i64> {
    parser.parse_punctuation("[")?;
    let number = parser.parse_integer()?;
    parser.parse_punctuation("]")?;
    Ok(number)
}

fn parse_fork(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let position = parser.position();
    let size = parse_number_in_brackets(parser)?;
    let (ty, _) = parse_operands(parser, state)?;
    let Ok(size @ 0..=0xffff) = usize::try_from(size) else {
        return Err(parser.error(position, "expected a number of results from 1 to 65535"));
    };
    state.add_results(&vec![ty; size]);
    Ok(())
}

fn print_fork(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(&format!(" [{}]", view.results().len()));
    print_sized_by_operands(printer, view);
}

/// Checks that there is at least one operand, or at least one result for a fork.
fn verify_size(view: View<'_>, diagnostics: &mut Diagnostics) {
    let is_fork = matches!(view.name(), "handshake.fork" | "handshake.lazy_fork");
    let size = match is_fork {
        true => view.results().len(),
        false => view.operands().len(),
    };
    if size == 0 {
        let message = "SOST operation's size must be at least 1, but has size 0";
        op_error(view, diagnostics, message);
    }
}

fn parse_merge(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (ty, _) = parse_operands(parser, state)?;
    state.add_results(&[ty]);
    Ok(())
}

fn parse_sink(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_operands(parser, state).map(|_| ())
}

fn parse_control_merge(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (ty, _) = parse_operands(parser, state)?;
    parser.parse_punctuation(",")?;
    let index = parser.parse_type()?;
    state.add_results(&[ty, index]);
    Ok(())
}

fn print_control_merge(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types(view.result_types());
}

/// Checks that a type has enough values to number `n` inputs.
fn check_index(view: View<'_>, ty: Type, n: usize) -> Result<(), String> {
    let width = match ty.kind(view.context) {
        TypeKind::Integer { width_bits, .. } => *width_bits,
        TypeKind::Index => 64,
        _ => {
            return Err(format!(
                "unsupported type for indexing value: '{}'",
                print_type(view.context, ty)
            ));
        }
    };
    let most = 1u64.checked_shl(width).filter(|_| width < 64);
    match most {
        Some(most) if n as u64 > most => Err(format!(
            "bitwidth of indexing value is {width}, which can index into {most} operands, but found {n} operands"
        )),
        _ => Ok(()),
    }
}

fn verify_control_merge(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(first) = view.operand_types().next() else {
        return op_error(
            view,
            diagnostics,
            "operation must have at least one operand",
        );
    };
    if first != view.ty(view.result(0)) {
        let message = "type of first result should match type of operands";
        return op_error(view, diagnostics, message);
    }
    if let Err(message) = check_index(view, view.ty(view.result(1)), view.operands().len()) {
        diagnostics.error(view.location(), message);
    }
}

fn parse_mux(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let select = parser.parse_operand()?;
    let operands = parser.parse_operand_list(Delimiter::Square)?;
    parser.parse_attribute_dictionary(state)?;
    let select_type = parser.parse_colon_type()?;
    parser.parse_punctuation(",")?;
    let ty = parser.parse_type()?;
    parser.resolve_operand(select, select_type, state)?;
    parser.resolve_operands_of_type(&operands, ty, state)?;
    state.add_results(&[ty]);
    Ok(())
}

fn print_mux(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" [");
    printer.operands(view.operands().skip(1));
    printer.text("]");
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(", ");
    printer.ty(view.ty(view.result(0)));
}

fn mux_type(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    match site.operand_types.get(1) {
        Some(ty) => Ok(smallvec![*ty]),
        None => Err("a mux has data".to_owned()),
    }
}

fn verify_mux(view: View<'_>, diagnostics: &mut Diagnostics) {
    let select = view.ty(view.operand(0));
    let n_inputs = view.operands().len() - 1;
    if let Err(message) = check_index(view, select, n_inputs) {
        diagnostics.error(view.location(), message);
    }
}

fn parse_conditional_branch(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let [condition, data] = operands[..] else {
        return Err(parser.error_here("Expected exactly 2 operands"));
    };
    let bit = parser.context().integer_type(1);
    parser.resolve_operand(condition, bit, state)?;
    parser.resolve_operand(data, ty, state)?;
    state.add_results(&[ty, ty]);
    Ok(())
}

fn print_conditional_branch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(1)));
}

fn parse_source(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parser.parse_attribute_dictionary(state)?;
    let none = parser.context().none_type();
    state.add_results(&[none]);
    Ok(())
}

fn print_source(printer: &mut Printer<'_>, view: View<'_>) {
    printer.attribute_dictionary(view, &[]);
}

fn parse_buffer(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let slots = parse_number_in_brackets(parser)?;
    let slots = context.integer_attribute(context.integer_type(32), Bits::from_i64(32, slots));
    let kind = parser.parse_enum_attribute(&BUFFER_KINDS)?;
    state.set_attribute(context, "slots", slots);
    state.set_attribute(context, "bufferType", kind);
    let (ty, _) = parse_operands(parser, state)?;
    state.add_results(&[ty]);
    Ok(())
}

fn slots(view: View<'_>) -> i64 {
    let slots = view.attribute("slots");
    slots.and_then(|a| a.as_i64(view.context)).unwrap_or(0)
}

fn print_buffer(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(&format!(" [{}] ", slots(view)));
    if let Some(kind) = view.attribute("bufferType") {
        let kind = BUFFER_KINDS.value(view.context, kind).unwrap_or(0);
        printer.enum_value(&BUFFER_KINDS, kind);
    }
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &["slots", "bufferType"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

fn verify_buffer(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let values = view
        .attribute("initValues")
        .and_then(|a| a.as_array(context));
    let Some(values) = values else {
        return;
    };
    let kind = view.attribute("bufferType");
    if kind.and_then(|kind| BUFFER_KINDS.value(context, kind)) != Some(0) {
        let message = "only bufferType buffers are allowed to have initial values.";
        return op_error(view, diagnostics, message);
    }
    let slots = slots(view);
    if i64::try_from(values.len()) != Ok(slots) {
        let message = format!("expected {slots} init values but got {}.", values.len());
        op_error(view, diagnostics, message);
    }
}

fn verify_constant(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let found = view.attribute("value").and_then(|a| a.ty(context));
    let result = view.ty(view.result(0));
    if let Some(found) = found.filter(|found| *found != result) {
        let message = format!(
            "constant value type '{}' differs from operation result type '{}'",
            print_type(context, found),
            print_type(context, result)
        );
        op_error(view, diagnostics, message);
    }
}

fn none_type(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    Ok(smallvec![site.context.none_type()])
}

/// Parses `%a, %b {attributes} : types`; returns the types.
fn parse_typed_operands(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<Vec<Type>> {
    let position = parser.position();
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let types = parser.parse_type_list()?;
    parser.resolve_operands(&operands, &types, position, state)?;
    Ok(types)
}

fn parse_join(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_typed_operands(parser, state)?;
    let none = parser.context().none_type();
    state.add_results(&[none]);
    Ok(())
}

fn print_join(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &["control"]);
    printer.text(" : ");
    printer.types(view.operand_types());
}

fn parse_sync(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let types = parse_typed_operands(parser, state)?;
    state.add_results(&types);
    Ok(())
}

fn print_sync(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types(view.operand_types());
}

fn verify_sync(view: View<'_>, diagnostics: &mut Diagnostics) {
    if !view.operand_types().eq(view.result_types()) {
        let message = "failed to verify that all of {operands, results} have same type";
        op_error(view, diagnostics, message);
    }
}

/// Returns the types in a tuple.
fn parts(view: View<'_>, ty: Type) -> Vec<Type> {
    match ty.kind(view.context) {
        TypeKind::Tuple(parts) => parts.to_vec(),
        _ => Vec::new(),
    }
}

fn parse_tuple(parser: &mut Parser<'_>) -> ParseResult<(Type, Vec<Type>)> {
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let ty = parser.parse_type()?;
    match ty.kind(parser.context()) {
        TypeKind::Tuple(parts) => Ok((ty, parts.to_vec())),
        _ => Err(parser.error(position, "invalid kind of type specified")),
    }
}

fn parse_unpack(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let operand = parser.parse_operand()?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, parts) = parse_tuple(parser)?;
    state.add_results(&parts);
    parser.resolve_operand(operand, ty, state)
}

fn print_unpack(printer: &mut Printer<'_>, view: View<'_>) {
    print_sized_by_operands(printer, view);
}

fn verify_unpack(view: View<'_>, diagnostics: &mut Diagnostics) {
    let parts = parts(view, view.ty(view.operand(0)));
    if !view.result_types().eq(parts) {
        let message = "failed to verify that result types match element types of 'tuple'";
        op_error(view, diagnostics, message);
    }
}

fn parse_pack(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let position = parser.position();
    let operands = parser.parse_operand_list(Delimiter::None)?;
    parser.parse_attribute_dictionary(state)?;
    let (ty, parts) = parse_tuple(parser)?;
    state.add_results(&[ty]);
    parser.resolve_operands(&operands, &parts, position, state)
}

fn print_pack(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

fn verify_pack(view: View<'_>, diagnostics: &mut Diagnostics) {
    let parts = parts(view, view.ty(view.result(0)));
    if !view.operand_types().eq(parts) {
        let message = "failed to verify that input types match element types of 'tuple'";
        op_error(view, diagnostics, message);
    }
}
