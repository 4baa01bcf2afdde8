//! One function applied to several values at once.

use sluice_ir::text::{
    Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting, UnresolvedOperand,
};
use sluice_ir::{Context, Diagnostics, Type, TypeKind, ValueId, View};

use crate::constraints::{ANY_TYPE, I32_ARRAY};
use crate::messages::op_error;

sluice_ods::dialect! {
    group "arc";

    /// A function applied to several values, given separately or packed in one word.
    op Vectorize = "vectorize" {
        traits: [ISOLATED_FROM_ABOVE, RECURSIVE_MEMORY_EFFECTS],
        operands: { inputs: variadic ANY_TYPE },
        attributes: { input_operand_segments("inputOperandSegments"): I32_ARRAY },
        results: { results: variadic ANY_TYPE },
        regions: { body: sized(1) },
        assembly: custom(parse_vectorize, print_vectorize),
        verify: verify_vectorize,
        verify_regions: verify_form,
    }

    /// The result for one of the values.
    op VectorizeReturn = "vectorize.return" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["arc.vectorize"])],
        operands: { value: ANY_TYPE },
        assembly: "operands attr-dict `:` qualified(type(operands))",
    }
}

/// Parses `(%a, %b), (%c, %d) {attributes} : (types) -> (types) {...}`.
fn parse_vectorize(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let mut operands: Vec<UnresolvedOperand> = Vec::new();
    let mut sizes = Vec::new();
    if parser.peek("(") {
        loop {
            let group = parser.parse_operand_list(Delimiter::Paren)?;
            sizes.push(i32::try_from(group.len()).unwrap_or(i32::MAX));
            operands.extend(group);
            if !parser.parse_optional_punctuation(",") {
                break;
            }
        }
    }
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let (inputs, results) = parser.parse_function_type()?;
    parser.resolve_operands(&operands, &inputs, position, state)?;
    state.set_attribute(
        context,
        "inputOperandSegments",
        context.dense_i32_array(&sizes),
    );
    state.add_results(&results);
    parser.parse_region(&[], state)
}

fn print_vectorize(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    for (i, group) in groups(view).iter().enumerate() {
        printer.text(if i > 0 { ", (" } else { "(" });
        printer.operands(group.iter().copied());
        printer.text(")");
    }
    printer.attribute_dictionary(view, &["inputOperandSegments"]);
    printer.text(" : ");
    let results: Vec<_> = view.result_types().collect();
    printer.functional_type(view.operand_types(), &results);
    printer.text(" ");
    printer.region(view, 0, RegionPrinting::default());
}

/// Returns the operands of `arc.vectorize` in groups: one group per argument of its function, with an operand for each value.
pub fn groups(view: View<'_>) -> Vec<Vec<ValueId>> {
    let sizes = view.attribute("inputOperandSegments");
    let sizes = sizes.and_then(|a| a.as_dense_array_i64(view.context));
    let mut operands = view.operands();
    let sizes = sizes.unwrap_or_default().into_iter();
    sizes
        .map(|size| {
            let size = usize::try_from(size).unwrap_or(0);
            operands.by_ref().take(size).collect()
        })
        .collect()
}

fn verify_vectorize(view: View<'_>, diagnostics: &mut Diagnostics) {
    let groups = groups(view);
    let alike = |values: &[ValueId]| {
        let mut types = values.iter().map(|value| view.ty(*value));
        let first = types.next();
        types.all(|ty| Some(ty) == first)
    };
    let n_values = groups.first().map_or(0, Vec::len);
    let message = if groups.is_empty() {
        "there has to be at least one input vector"
    } else if groups.iter().any(|group| group.len() != n_values) {
        "all input vectors must have the same size"
    } else if groups.iter().any(|group| !alike(group)) {
        "all input vector lane types must match"
    } else if n_values == 0 {
        "input vector must have at least one element"
    } else if view.results().is_empty() {
        "must have at least one result"
    } else if !alike(view.results()) {
        "all result types must match"
    } else if view.results().len() != n_values {
        "number results must match input vector size"
    } else {
        return;
    };
    op_error(view, diagnostics, message);
}

/// The representation of the values of `arc.vectorize`: as separate values, or packed in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The function has the types of the values outside: it is computed for each operand of a group.
    Alike,
    /// Packed words outside, with this number of separate values inside; the first value has the highest bits.
    WordsOutside(u32),
    /// This number of separate values outside, packed words inside.
    WordsInside(u32),
}

/// Returns how many values of one type fit exactly into another type.
fn times(context: &Context, one: Type, all: Type) -> Option<u32> {
    if let TypeKind::Vector { shape, element, .. } = all.kind(context) {
        let n = shape.first().copied()?;
        return (*element == one).then(|| u32::try_from(n).ok()).flatten();
    }
    let (one, all) = (one.width_bits(context)?, all.width_bits(context)?);
    (one > 0 && all >= one && all % one == 0).then(|| all / one)
}

/// Returns the form of `arc.vectorize`.
///
/// # Errors
/// The reason why the types match no form.
pub fn form(view: View<'_>) -> Result<Form, &'static str> {
    let (context, body) = (view.context, view.inner());
    let block = view.entry_block(0);
    let last = block.and_then(|block| body.last_operation(block));
    let returned = last
        .map(|op| View::new(context, body, op))
        .filter(|last| last.name() == "arc.vectorize.return")
        .map(|last| last.ty(last.operand(0)));
    let (Some(block), Some(returned)) = (block, returned) else {
        return Err("ends without a value");
    };
    let arguments = body.arguments(block).iter().map(|value| body.ty(*value));
    let groups = groups(view);
    let inputs = groups.iter().filter_map(|group| group.first());
    let inputs: Vec<Type> = inputs.map(|value| view.ty(*value)).collect();
    if arguments.len() != inputs.len() {
        return Err("number of block arguments must match number of input vectors");
    }
    let result = view.ty(view.result(0));
    let mut pairs = arguments.zip(&inputs);
    if returned == result {
        return match pairs.all(|(argument, input)| argument == *input) {
            true => Ok(Form::Alike),
            false => Err(
                "if terminator type matches result type the argument types must match the input types",
            ),
        };
    }
    if let Some(width) = times(context, returned, result) {
        for (argument, input) in pairs {
            match times(context, argument, *input) {
                None => {
                    return Err(
                        "block argument must be a scalar variant of the vectorized operand",
                    );
                }
                Some(n) if n != width => return Err("input and output vector width must match"),
                Some(_) => {}
            }
        }
        return Ok(Form::WordsOutside(width));
    }
    if let Some(width) = times(context, result, returned) {
        for (argument, input) in pairs {
            match times(context, *input, argument) {
                None => return Err("block argument must be a vectorized variant of the operand"),
                Some(n) if n != width => return Err("input and output vector width must match"),
                Some(_) => {}
            }
        }
        let is_whole = |group: &Vec<ValueId>| {
            group.len() == 1 || u32::try_from(group.len()).is_ok_and(|n| n == width)
        };
        return match groups.iter().all(is_whole) {
            true => Ok(Form::WordsInside(width)),
            false => Err(
                "when boundary not vectorized the number of vector element operands must match the width of the \
                          vectorized body",
            ),
        };
    }
    Err(
        "operand type must match parent op's result value or be a vectorized or non-vectorized variant of it",
    )
}

fn verify_form(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = form(view) {
        op_error(view, diagnostics, message);
    }
}
