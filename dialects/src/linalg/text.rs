//! The text form of structured operations.

use sluice_ir::definition::Presence;
use sluice_ir::text::{
    Argument, Delimiter, OperationState, ParseResult, Parser, Position, Printer, RegionPrinting,
    UnresolvedOperand,
};
use sluice_ir::{
    Attribute, Context, Name, NewOperation, OperationName, Type, TypeKind, ValueId, View,
};

use super::enums::ITERATOR_TYPES;
use super::implied::Implied;
use super::structured::word_type;
use super::{Map, Reduce, Transpose, Yield};
use crate::arith::FASTMATH;

/// Attributes that no text form prints: sizes of groups, and maps that the name of an operation gives.
const HIDDEN: [&str; 2] = ["operandSegmentSizes", "linalg.memoized_indexing_maps"];

/// The operands of a structured operation.
struct Operands {
    inputs: Vec<Type>,
    outputs: Vec<Type>,
}

impl Operands {
    fn word_types(&self, context: &Context) -> Vec<Type> {
        let all = self.inputs.iter().chain(&self.outputs);
        all.map(|ty| word_type(context, *ty)).collect()
    }

    /// Returns the types of the outputs that are tensors: each gives a result.
    fn tensors(&self, context: &Context) -> Vec<Type> {
        let is_tensor = |ty: &&Type| is_tensor(context, **ty);
        self.outputs.iter().filter(is_tensor).copied().collect()
    }
}

pub(super) fn is_tensor(context: &Context, ty: Type) -> bool {
    matches!(
        ty.kind(context),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// Reads ` ins(%a, %b : types) outs(%c : types)`, and the attributes before it.
fn parse_operands(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    has_sizes: bool,
) -> ParseResult<Operands> {
    if parser.parse_optional_punctuation("<") {
        parser.parse_attribute_dictionary(state)?;
        parser.parse_punctuation(">")?;
    }
    parser.parse_attribute_dictionary(state)?;
    parse_groups(parser, state, has_sizes)
}

/// Reads ` ins(%a, %b : types) outs(%c : types)`.
fn parse_groups(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    has_sizes: bool,
) -> ParseResult<Operands> {
    let context = parser.context();
    let mut group = |keyword: &str| -> ParseResult<Vec<Type>> {
        if !parser.parse_optional_keyword(keyword) {
            return Ok(Vec::new());
        }
        parser.parse_punctuation("(")?;
        let position = parser.position();
        let names: Vec<UnresolvedOperand> = parser.parse_operand_list(Delimiter::NoneOrEmpty)?;
        let types = match names.is_empty() {
            true => Vec::new(),
            false => parser.parse_colon_type_list()?,
        };
        parser.parse_punctuation(")")?;
        parser.resolve_operands(&names, &types, position, state)?;
        Ok(types)
    };
    let inputs = group("ins")?;
    let outputs = group("outs")?;
    if has_sizes {
        state.set_operand_segment_sizes(context, &[inputs.len(), outputs.len()]);
    }
    Ok(Operands { inputs, outputs })
}

fn print_operands(printer: &mut Printer<'_>, view: View<'_>, n_inputs: usize) {
    let operands: Vec<_> = view.operands().collect();
    let (inputs, outputs) = operands.split_at(n_inputs.min(operands.len()));
    for (keyword, values) in [("ins", inputs), ("outs", outputs)] {
        if values.is_empty() {
            continue;
        }
        printer.text(&format!(" {keyword}("));
        printer.operands(values.iter().copied());
        printer.text(" : ");
        printer.types(values.iter().map(|value| view.ty(*value)));
        printer.text(")");
    }
}

fn n_inputs(view: View<'_>) -> usize {
    let sizes = view.operand_group_sizes();
    sizes.and_then(|sizes| sizes.first().copied()).unwrap_or(0)
}

// Named operations.

pub(super) fn parse_named(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if parser.parse_optional_keyword("indexing_maps") {
        parser.parse_punctuation("=")?;
        let maps = parser.parse_attribute()?;
        state.set_attribute(context, "indexing_maps", maps);
    }
    let operands = parse_operands(parser, state, true)?;
    let results = parser.parse_optional_arrow_types()?;
    state.add_results(&results);
    add_computation(parser, state, &operands)
}

/// Adds the region of a named operation.
fn add_computation(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    operands: &Operands,
) -> ParseResult<()> {
    let context = parser.context();
    let name = context.operation_text(state.name);
    let implied = Implied::of(context, name, |name| state.attribute(context, name));
    let Some(implied) = implied else {
        return Err(parser.error(state.position, "has no such function"));
    };
    if let Err(message) = implied.check(operands.inputs.len(), operands.outputs.len()) {
        return Err(parser.error(state.position, message));
    }
    let types = operands.word_types(context);
    let mut has_meaning = false;
    parser.add_built_region(state, &types, |builder, arguments| {
        has_meaning = implied.build(builder, arguments);
    });
    if !has_meaning {
        let message = "has no meaning for operands of these types";
        return Err(parser.error(state.position, message));
    }
    Ok(())
}

pub(super) fn print_named(printer: &mut Printer<'_>, view: View<'_>) {
    let mut elided = HIDDEN.to_vec();
    if let Some(maps) = view.attribute("indexing_maps") {
        printer.text(" indexing_maps = ");
        printer.attribute(maps);
        elided.push("indexing_maps");
    }
    printer.attribute_dictionary(view, &elided);
    print_operands(printer, view, n_inputs(view));
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
}

// `linalg.generic`.

/// The attributes that stand before the operands of `linalg.generic`.
const OF_GENERIC: [&str; 4] = ["doc", "indexing_maps", "iterator_types", "library_call"];

pub(super) fn parse_generic(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let start = parser.position();
    let dictionary = parser.parse_attribute()?;
    let Some(entries) = dictionary.as_dictionary(context) else {
        return Err(parser.error(start, "expects a dictionary of attributes"));
    };
    let position = parser.position();
    for (name, attribute) in entries {
        let name = context.text(*name);
        let attribute = match name {
            "iterator_types" => iterator_types(parser, position, *attribute)?,
            _ => *attribute,
        };
        state.set_attribute(context, name, attribute);
    }
    parse_groups(parser, state, true)?;
    if parser.parse_optional_keyword("attrs") {
        parser.parse_punctuation("=")?;
        parser.parse_attribute_dictionary(state)?;
    }
    parser.parse_region(&[], state)?;
    let results = parser.parse_optional_arrow_types()?;
    state.add_results(&results);
    Ok(())
}

/// Converts the texts of `iterator_types` to the attributes that they stand for.
fn iterator_types(
    parser: &mut Parser<'_>,
    position: Position,
    attribute: Attribute,
) -> ParseResult<Attribute> {
    let context = parser.context();
    let mut all = Vec::new();
    for one in attribute.as_array(context).unwrap_or_default() {
        let Some(text) = one.as_str(context) else {
            all.push(*one);
            continue;
        };
        let case = ITERATOR_TYPES.cases.iter().find(|(case, _)| *case == text);
        let Some((_, value)) = case else {
            let message = format!("unexpected iterator_type ({text})");
            return Err(parser.error(position, message));
        };
        all.push(ITERATOR_TYPES.attribute(context, *value));
    }
    Ok(context.array_attribute(&all))
}

pub(super) fn print_generic(printer: &mut Printer<'_>, view: View<'_>) {
    let context = view.context;
    let of_generic: Vec<(Name, Attribute)> = OF_GENERIC
        .into_iter()
        .filter_map(|name| {
            let attribute = view.attribute(name)?;
            let attribute = match name {
                "iterator_types" => {
                    let all = attribute.as_array(context).unwrap_or_default().iter();
                    let texts = all.map(|kind| {
                        let kind = ITERATOR_TYPES.value(context, *kind);
                        let kind = kind.and_then(|kind| ITERATOR_TYPES.keywords(kind));
                        context.string_attribute(&kind.unwrap_or_default())
                    });
                    context.array_attribute(&texts.collect::<Vec<_>>())
                }
                _ => attribute,
            };
            Some((context.name(name), attribute))
        })
        .collect();
    printer.text(" ");
    printer.dictionary(context.dictionary_attribute(&of_generic));
    print_operands(printer, view, n_inputs(view));
    let hidden = OF_GENERIC.iter().chain(&HIDDEN);
    let hidden: Vec<&str> = hidden.copied().collect();
    let is_hidden = |name: Name| hidden.contains(&context.text(name));
    if view.attributes().iter().any(|(name, _)| !is_hidden(*name)) {
        printer.text(" attrs = ");
        printer.attribute_dictionary(view, &hidden);
    }
    printer.text(" ");
    name_arguments(printer, view, n_inputs(view), "out");
    printer.region(view, 0, RegionPrinting::default());
    let results: Vec<_> = view.result_types().collect();
    printer.optional_arrow_types(&results);
}

/// Names the arguments of the region: `in` for words of inputs, `output` for the others.
fn name_arguments(printer: &mut Printer<'_>, view: View<'_>, n_inputs: usize, output: &str) {
    let name = |argument: usize| if argument < n_inputs { "in" } else { output };
    let names: Vec<_> = (0..view.operands().len()).map(name).collect();
    printer.name_region_arguments(view, 0, &names);
}

// `linalg.map` and `linalg.reduce`.

/// An operation that a text form names in place of a region.
struct Payload {
    name: OperationName,
    attributes: Vec<(Name, Attribute)>,
}

fn parse_payload(parser: &mut Parser<'_>) -> ParseResult<Option<Payload>> {
    if !parser.parse_optional_punctuation("{") {
        return Ok(None);
    }
    let context = parser.context();
    let name = context.operation_name(parser.parse_any_keyword()?);
    let dictionary = parser.parse_optional_dictionary()?;
    let entries = dictionary.and_then(|dictionary| dictionary.as_dictionary(context));
    parser.parse_punctuation("}")?;
    Ok(Some(Payload {
        name,
        attributes: entries.unwrap_or_default().to_vec(),
    }))
}

pub(super) fn parse_map(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let payload = parse_payload(parser)?;
    let operands = parse_operands(parser, state, false)?;
    state.add_results(&operands.tensors(parser.context()));
    parser.parse_attribute_dictionary(state)?;
    parse_computation(parser, state, payload, &operands, false)
}

pub(super) fn parse_reduce(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let payload = parse_payload(parser)?;
    let operands = parse_operands(parser, state, false)?;
    state.add_results(&operands.tensors(parser.context()));
    parse_numbers(parser, state, "dimensions")?;
    parser.parse_attribute_dictionary(state)?;
    parse_computation(parser, state, payload, &operands, true)
}

/// Reads `name = [1, 2]`.
fn parse_numbers(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    name: &str,
) -> ParseResult<()> {
    parser.parse_keyword(name)?;
    parser.parse_punctuation("=")?;
    let mut numbers = Vec::new();
    parser.parse_comma_separated(Delimiter::Square, |parser| {
        numbers.push(parser.parse_integer()?);
        Ok(())
    })?;
    let context = parser.context();
    state.set_attribute(context, name, context.dense_i64_array(&numbers));
    Ok(())
}

/// Reads `(%a: f32, %b: f32) { ... }`, or builds the region around the operation that was named in its place: of the words of all
/// inputs or, in a reduction, of the result so far and the words of the inputs.
fn parse_computation(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    payload: Option<Payload>,
    operands: &Operands,
    is_reduction: bool,
) -> ParseResult<()> {
    let context = parser.context();
    let Some(payload) = payload else {
        let arguments: Vec<Argument> = parser.parse_argument_list(Delimiter::Paren, true, false)?;
        return parser.parse_region(&arguments, state);
    };
    let mut types = operands.word_types(context);
    if !is_reduction {
        types.truncate(operands.inputs.len());
    }
    let outputs = operands.outputs.iter();
    let results: Vec<Type> = outputs.map(|ty| word_type(context, *ty)).collect();
    parser.add_built_region(state, &types, |builder, arguments| {
        let mut new = NewOperation::new(payload.name, builder.location);
        new.operands = in_order(arguments, is_reduction).into();
        new.result_types = results.as_slice().into();
        new.attributes = payload.attributes.into_iter().collect();
        let op = builder.create(new);
        let values = builder.body.results(op).to_vec();
        builder.operation(Yield::NAME, &values, &[], &[]);
    });
    Ok(())
}

/// Returns the arguments in the order in which a named operation takes them.
fn in_order(arguments: &[ValueId], is_reduction: bool) -> Vec<ValueId> {
    let mut ordered = arguments.to_vec();
    if is_reduction {
        ordered.rotate_right(1);
    }
    ordered
}

/// Returns the operation that can stand for the region: the only one beside the terminator, of all arguments in order.
fn payload(view: View<'_>, is_reduction: bool) -> Option<View<'_>> {
    let body = view.inner();
    let block = view.entry_block(0)?;
    let ops: Vec<_> = body.operations(block).collect();
    let [only, last] = ops.as_slice() else {
        return None;
    };
    let only = View::new(view.context, body, *only);
    let last = View::new(view.context, body, *last);
    let takes_all = only
        .operands()
        .eq(in_order(body.arguments(block), is_reduction));
    let gives_all = last.operands().eq(only.results().iter().copied());
    let outputs = view.operand_types().skip(n_inputs(view));
    let words = outputs.map(|ty| word_type(view.context, ty));
    let is_plain = only.regions().is_empty()
        && only.operands().len() > 0
        && only.successors().is_empty()
        && only.result_types().eq(words);
    let ends_plainly = last.name() == Yield::NAME && last.attributes().is_empty();
    (takes_all && gives_all && is_plain && ends_plainly).then_some(only)
}

fn print_payload(printer: &mut Printer<'_>, payload: Option<View<'_>>) {
    let Some(payload) = payload else {
        return;
    };
    let context = payload.context;
    printer.text(" { ");
    printer.text(payload.name());
    let mut entries = payload.attributes().to_vec();
    // As in mlir-opt: flags of integers are printed even where they are the default, those of floats are not.
    let specs = payload
        .definition()
        .map_or(&[][..], |known| known.attributes);
    for spec in specs {
        let name = context.name(spec.name);
        if let Presence::Default(default) = spec.presence
            && !entries.iter().any(|(given, _)| *given == name)
        {
            entries.push((name, default(context)));
        }
    }
    entries.retain(|(_, attribute)| FASTMATH.value(context, *attribute) != Some(0));
    if !entries.is_empty() {
        printer.text(" ");
        printer.dictionary(context.dictionary_attribute(&entries));
    }
    printer.text(" }");
}

fn print_computation(
    printer: &mut Printer<'_>,
    view: View<'_>,
    has_payload: bool,
    n_inputs: usize,
) {
    if has_payload {
        return;
    }
    name_arguments(printer, view, n_inputs, "init");
    printer.increase_indent();
    printer.newline();
    printer.text("(");
    let block = view.entry_block(0);
    let n_arguments = block.map_or(0, |block| view.inner().arguments(block).len());
    for i in 0..n_arguments {
        printer.text(if i > 0 { ", " } else { "" });
        printer.region_argument(view, 0, i, true);
    }
    printer.text(") ");
    let printing = RegionPrinting {
        entry_arguments: false,
        ..RegionPrinting::default()
    };
    printer.region(view, 0, printing);
    printer.decrease_indent();
}

pub(super) fn print_map(printer: &mut Printer<'_>, view: View<'_>) {
    let payload = payload(view, false);
    print_payload(printer, payload);
    let n_inputs = view.operands().len().saturating_sub(1);
    print_operands(printer, view, n_inputs);
    printer.attribute_dictionary(view, &HIDDEN);
    print_computation(printer, view, payload.is_some(), n_inputs);
}

pub(super) fn print_reduce(printer: &mut Printer<'_>, view: View<'_>) {
    let payload = payload(view, true);
    print_payload(printer, payload);
    let n_inputs = view.operands().len() / 2;
    print_operands(printer, view, n_inputs);
    print_numbers(printer, view, "dimensions");
    print_computation(printer, view, payload.is_some(), n_inputs);
}

/// Prints ` name = [1, 2] {attributes}`.
fn print_numbers(printer: &mut Printer<'_>, view: View<'_>, name: &str) {
    let numbers = view.attribute(name);
    let numbers = numbers.and_then(|numbers| numbers.as_dense_array_i64(view.context));
    let numbers: Vec<_> = numbers
        .unwrap_or_default()
        .iter()
        .map(i64::to_string)
        .collect();
    printer.text(&format!(" {name} = [{}] ", numbers.join(", ")));
    let [sizes, maps] = HIDDEN;
    printer.attribute_dictionary(view, &[name, sizes, maps]);
}

// `linalg.transpose` and `linalg.broadcast`.

pub(super) fn parse_transpose(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse_moved(parser, state, "permutation")
}

pub(super) fn parse_broadcast(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    parse_moved(parser, state, "dimensions")
}

fn parse_moved(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
    numbers: &str,
) -> ParseResult<()> {
    let operands = parse_operands(parser, state, false)?;
    state.add_results(&operands.tensors(parser.context()));
    parse_numbers(parser, state, numbers)?;
    parser.parse_attribute_dictionary(state)?;
    add_computation(parser, state, &operands)
}

pub(super) fn print_transpose(printer: &mut Printer<'_>, view: View<'_>) {
    print_operands(printer, view, 1);
    print_numbers(printer, view, "permutation");
}

pub(super) fn print_broadcast(printer: &mut Printer<'_>, view: View<'_>) {
    print_operands(printer, view, 1);
    print_numbers(printer, view, "dimensions");
}

// Names of results.

/// Names the results of `linalg.map`, `linalg.reduce`, `linalg.transpose` and `linalg.broadcast`.
pub(super) fn result_names(view: View<'_>) -> Vec<Option<String>> {
    let name = match view.name() {
        Map::NAME => "mapped",
        Reduce::NAME => "reduced",
        Transpose::NAME => "transposed",
        _ => "broadcasted",
    };
    let mut names = vec![None; view.results().len()];
    if let Some(first) = names.first_mut() {
        *first = Some(name.to_owned());
    }
    names
}
