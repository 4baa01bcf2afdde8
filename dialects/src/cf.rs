//! cf: branches between blocks.

use sluice_ir::View;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};

use crate::constraints::{ANY_TYPE, I1, STRING};

sluice_ods::dialect! {
    dialect "cf" { summary: "Unstructured control flow" }

    /// Goes to a block.
    op Br = "br" {
        traits: [PURE, TERMINATOR, BRANCH_LIKE],
        operands: { dest_operands: variadic ANY_TYPE },
        successors: { dest },
        assembly: custom(parse_br, print_br),
    }

    /// Goes to one of two blocks.
    op CondBr = "cond_br" {
        traits: [PURE, TERMINATOR, BRANCH_LIKE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { condition: I1, true_operands: variadic ANY_TYPE, false_operands: variadic ANY_TYPE },
        successors: { true_dest, false_dest },
        assembly: custom(parse_cond_br, print_cond_br),
    }

    /// Stops the program unless the condition holds.
    op Assert = "assert" {
        operands: { arg: I1 },
        attributes: { msg: STRING },
        effects: [Unknown],
        assembly: "$arg `,` $msg attr-dict",
    }
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
    for (group, successor) in view.successors().iter().enumerate() {
        printer.text(", ");
        printer.successor_and_operands(*successor, &view.operand_group(group + 1));
    }
    printer.attribute_dictionary(view, &["operandSegmentSizes"]);
}
