//! Dialect cf: branches between blocks.

use sluice_ir::bits::Bits;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{Attribute, AttributeKind, BlockId, Diagnostics, Exact, TypeKind, ValueId, View};

use crate::constraints::{ANY_INTEGER, ANY_TYPE, I1, I32_ARRAY, INTEGER_ELEMENTS, STRING};

sluice_ods::dialect! {
    dialect "cf" { summary: "Unstructured control flow" }

    /// Branches to a block.
    op Br = "br" {
        traits: [PURE, TERMINATOR, BRANCH_LIKE],
        operands: { dest_operands: variadic ANY_TYPE },
        successors: { dest },
        assembly: custom(parse_br, print_br),
        successor: br_successor,
    }

    /// Branches to one of two blocks.
    op CondBr = "cond_br" {
        traits: [PURE, TERMINATOR, BRANCH_LIKE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { condition: I1, true_operands: variadic ANY_TYPE, false_operands: variadic ANY_TYPE },
        attributes: { branch_weights: optional I32_ARRAY since 21 },
        successors: { true_dest, false_dest },
        assembly: custom(parse_cond_br, print_cond_br),
        verify: verify_cond_br,
        successor: cond_br_successor,
    }

    /// Branches to the block of the case that equals the flag, or to the default block.
    op Switch = "switch" {
        traits: [PURE, TERMINATOR, BRANCH_LIKE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: {
            flag: ANY_INTEGER,
            default_operands: variadic ANY_TYPE,
            case_operands: variadic ANY_TYPE,
        },
        attributes: {
            case_values: optional INTEGER_ELEMENTS,
            case_operand_segments: I32_ARRAY,
        },
        successors: { default_destination, case_destinations: variadic },
        assembly: custom(parse_switch, print_switch),
        custom_if: cases_can_be_read,
        verify: verify_switch,
        successor: switch_successor,
    }

    /// Stops the program unless the condition holds.
    op Assert = "assert" {
        operands: { arg: I1 },
        attributes: { msg: STRING },
        effects: [Unknown],
        assembly: "$arg `,` $msg attr-dict",
    }
}

fn br_successor(_: View<'_>, _: &[Option<Attribute>]) -> Option<usize> {
    Some(0)
}

fn cond_br_successor(view: View<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
    let condition = operands.first().copied().flatten()?;
    Some(usize::from(!condition.as_bool(view.context)?))
}

fn switch_successor(view: View<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
    let flag = operands.first().copied().flatten()?;
    let flag = flag.integer(view.context)?;
    let cases = switch_cases(view);
    let taken = cases
        .iter()
        .position(|case| case.value.as_ref() == Some(flag));
    Some(taken.unwrap_or(0))
}

fn parse_br(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let (block, operands) = parser.parse_successor_and_operands()?;
    state.successors.push(block);
    state.operands.extend(operands);
    parser.parse_attribute_dictionary(state)
}

fn print_br(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    let operands: Vec<_> = view.operands().collect();
    printer.successor_and_operands(view.successors()[0], &operands);
    printer.attribute_dictionary(view, &[]);
}

fn parse_cond_br(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let condition = parser.parse_operand()?;
    let bit = context.integer_type(1);
    parser.resolve_operand(condition, bit, state)?;
    if parser.parse_optional_keyword("weights") {
        parser.parse_punctuation("(")?;
        let mut weights = Vec::new();
        parser.parse_comma_separated(Delimiter::Square, |parser| {
            let position = parser.position();
            let weight = i32::try_from(parser.parse_integer()?);
            weights
                .push(weight.map_err(|_| parser.error(position, "expected a weight of 32 bits"))?);
            Ok(())
        })?;
        parser.parse_punctuation(")")?;
        let weights = context.dense_i32_array(&weights);
        state.set_attribute(context, "branch_weights", weights);
    }
    let mut sizes = vec![1];
    for _ in 0..2 {
        parser.parse_punctuation(",")?;
        let (block, operands) = parser.parse_successor_and_operands()?;
        state.successors.push(block);
        sizes.push(operands.len());
        state.operands.extend(operands);
    }
    state.set_operand_segment_sizes(context, &sizes);
    parser.parse_attribute_dictionary(state)
}

fn print_cond_br(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    if let Some(weights) = branch_weights(view) {
        printer.text(" weights([");
        printer.comma_separated(&weights, |printer, weight| {
            printer.text(&weight.to_string())
        });
        printer.text("])");
    }
    for (group, successor) in view.successors().iter().enumerate() {
        printer.text(", ");
        printer.successor_and_operands(*successor, &view.operand_group(group + 1));
    }
    printer.attribute_dictionary(view, &["operandSegmentSizes", "branch_weights"]);
}

/// Returns how often each successor of a branch is expected to be taken, if the branch says so.
fn branch_weights(view: View<'_>) -> Option<Vec<i64>> {
    let weights = view.attribute("branch_weights")?;
    weights.as_dense_array_i64(view.context)
}

fn verify_cond_br(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_weights = branch_weights(view).map_or(0, |weights| weights.len());
    let n_successors = view.successors().len();
    if n_weights != 0 && n_weights != n_successors {
        let message = format!(
            "expects number of branch weights to match number of successors: {n_weights} vs {n_successors}"
        );
        diagnostics.error(view.location(), message);
    }
}

fn parse_switch(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let flag = parser.parse_operand()?;
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let ty = parser.parse_type()?;
    if ty.integer_width_bits(context).is_none() {
        return Err(parser.error(position, "invalid kind of type specified"));
    }
    parser.resolve_operand(flag, ty, state)?;
    parser.parse_punctuation(",")?;
    parser.parse_punctuation("[")?;
    parser.parse_keyword("default")?;
    parser.parse_punctuation(":")?;
    let (block, operands) = parser.parse_successor_and_operands()?;
    state.successors.push(block);
    let n_default = operands.len();
    state.operands.extend(operands);
    let width = ty.integer_width_bits(context).unwrap_or(64);
    let (mut values, mut sizes) = (Vec::new(), Vec::new());
    while parser.parse_optional_punctuation(",") {
        values.push(Bits::from_i64(width, parser.parse_integer()?));
        parser.parse_punctuation(":")?;
        let (block, operands) = parser.parse_successor_and_operands()?;
        state.successors.push(block);
        sizes.push(i32::try_from(operands.len()).unwrap_or(i32::MAX));
        state.operands.extend(operands);
    }
    parser.parse_punctuation("]")?;
    let n_cases: i32 = sizes.iter().sum();
    let n_cases = usize::try_from(n_cases).unwrap_or(0);
    state.set_attribute(
        context,
        "case_operand_segments",
        context.dense_i32_array(&sizes),
    );
    if !values.is_empty() {
        let ty = context.ty(TypeKind::Vector {
            shape: Box::new([values.len() as u64]),
            scalable: Box::new([false]),
            element: ty,
        });
        let splat = values.iter().all(|value| *value == values[0]);
        if splat {
            values.truncate(1);
        }
        let values = values.into_boxed_slice();
        let elements = context.attribute(AttributeKind::DenseElements { ty, values, splat });
        state.set_attribute(context, "case_values", elements);
    }
    state.set_operand_segment_sizes(context, &[1, n_default, n_cases]);
    parser.parse_attribute_dictionary(state)
}

/// One target of a switch: its value (none for the default), its block and the operands for it.
pub struct Case {
    /// The value of the flag.
    pub value: Option<Bits>,
    /// The target block.
    pub block: BlockId,
    /// The operands for the block.
    pub operands: Vec<ValueId>,
}

/// Returns the targets of a `cf.switch`, the default first.
pub fn switch_cases(view: View<'_>) -> Vec<Case> {
    let context = view.context;
    let segments = |name: &str| -> Vec<usize> {
        let sizes = view
            .attribute(name)
            .and_then(|a| a.as_dense_array_i64(context));
        let sizes = sizes.unwrap_or_default();
        sizes
            .iter()
            .map(|n| usize::try_from(*n).unwrap_or(0))
            .collect()
    };
    let values = match view.attribute("case_values").map(|a| a.kind(context)) {
        Some(AttributeKind::DenseElements { values, splat, .. }) if *splat => {
            vec![values[0].clone(); view.successors().len().saturating_sub(1)]
        }
        Some(AttributeKind::DenseElements { values, .. }) => values.to_vec(),
        _ => Vec::new(),
    };
    let mut operands = view.operands().skip(1);
    let n_default = segments("operandSegmentSizes").get(1).copied().unwrap_or(0);
    let sizes = std::iter::once(n_default).chain(segments("case_operand_segments"));
    let values = std::iter::once(None).chain(values.into_iter().map(Some));
    let mut cases = Vec::new();
    for ((value, block), size) in values.zip(view.successors()).zip(sizes) {
        cases.push(Case {
            value,
            block: *block,
            operands: operands.by_ref().take(size).collect(),
        });
    }
    cases
}

fn print_switch(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(", [");
    printer.increase_indent();
    for (i, case) in switch_cases(view).into_iter().enumerate() {
        printer.text(if i > 0 { "," } else { "" });
        printer.newline();
        match case.value {
            Some(value) => printer.text(&value.to_unsigned_string()),
            None => printer.text("default"),
        }
        printer.text(": ");
        printer.successor_and_operands(case.block, &case.operands);
    }
    printer.decrease_indent();
    // As in upstream, which ends the line only after cases.
    if view.successors().len() > 1 {
        printer.newline();
    }
    printer.text("]");
    printer.attribute_dictionary(
        view,
        &[
            "operandSegmentSizes",
            "case_operand_segments",
            "case_values",
        ],
    );
}

/// Returns true if the custom form can be parsed: case values are signed 64-bit numbers except the lowest, every operand belongs to
/// a case, and every case has a number of operands.
fn cases_can_be_read(view: View<'_>) -> bool {
    let cases = switch_cases(view);
    let sizes = view.attribute("case_operand_segments");
    let sizes = sizes.and_then(|a| a.as_dense_array_i64(view.context));
    if sizes.map_or(0, |sizes| sizes.len()) + 1 != view.successors().len() {
        return false;
    }
    let n_operands: usize = cases.iter().map(|case| case.operands.len()).sum();
    let mut values = cases.into_iter().filter_map(|case| case.value);
    n_operands + 1 == view.operands().len()
        && values.all(|value| {
            let number = value.to_u64().map(u64::cast_signed);
            number.is_some_and(|number| {
                number != i64::MIN && Bits::from_i64(value.width(), number) == value
            })
        })
}

fn verify_switch(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let n_cases = view.successors().len().saturating_sub(1);
    let values = match view.attribute("case_values").map(|a| a.kind(context)) {
        Some(AttributeKind::DenseElements { ty, .. }) => Some(*ty),
        _ => None,
    };
    let n_values = values.map_or(Exact::ZERO, |ty| ty.n_elements(context).unwrap_or_default());
    let flag = view.ty(view.operand(0));
    let element = values.and_then(|ty| ty.element_type(context));
    let message = if let Some(element) = element.filter(|element| *element != flag) {
        format!(
            "'flag' type ('{}') should match case value type ('{}')",
            print_type(context, flag),
            print_type(context, element)
        )
    } else if n_values != Exact::from(n_cases) {
        format!(
            "number of case values ({n_values}) should match number of case destinations ({n_cases})"
        )
    } else {
        return;
    };
    diagnostics.error(view.location(), format!("'cf.switch' op {message}"));
}
