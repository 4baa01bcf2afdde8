//! Dialect bufferization: between tensors and the memories that hold them.

use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Diagnostics, View};

use crate::constraints::{ANY_MEMREF, ANY_TYPE, INDEX, TENSOR, UNIT};
use crate::messages::op_error;

sluice_ods::dialect! {
    dialect "bufferization" { summary: "Between tensors and the memories that hold them" }

    /// The tensor that a memory holds.
    op ToTensor = "to_tensor" {
        operands: { memref: ANY_MEMREF },
        attributes: { restrict: optional UNIT, writable: optional UNIT },
        results: { result: TENSOR },
        effects: [Read(0)],
        assembly: custom(parse_to_tensor, print_to_tensor),
    }

    /// A memory that holds a tensor.
    op ToMemref = "to_memref" {
        traits: [PURE],
        operands: { tensor: TENSOR },
        attributes: { read_only: optional UNIT },
        results: { memref: ANY_MEMREF },
        rules: [TypesMatchWith {
            summary: "type of 'tensor' is the tensor equivalent of 'memref'",
            from: "memref",
            to: "tensor",
            transform: crate::memref::tensor_type,
        }],
        assembly: "$tensor (`read_only` $read_only^)? attr-dict `:` type($memref)",
    }

    /// A memory that holds a tensor, as files of MLIR 21 name it.
    op ToBuffer = "to_buffer" {
        traits: [PURE],
        operands: { tensor: TENSOR },
        attributes: { read_only: optional UNIT },
        results: { buffer: ANY_MEMREF },
        assembly: "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)",
    }

    /// A new tensor, a copy of another one where that is given.
    op AllocTensor = "alloc_tensor" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { dynamic_sizes: variadic INDEX, copy: optional TENSOR, size_hint: optional INDEX },
        results: { result: TENSOR },
        effects: [Allocate(0)],
        assembly: custom(parse_alloc_tensor, print_alloc_tensor),
        verify: verify_alloc_tensor,
    }

    /// Puts a tensor into a tensor or memory.
    op MaterializeInDestination = "materialize_in_destination" {
        operands: { source: TENSOR, dest: ANY_TYPE },
        attributes: { restrict: optional UNIT, writable: optional UNIT },
        results: { result: variadic TENSOR },
        effects: [Write(1)],
        assembly: "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` \
                   functional-type(operands, results)",
    }

    /// The end of the life of a tensor.
    op DeallocTensor = "dealloc_tensor" {
        operands: { tensor: TENSOR },
        effects: [Unknown],
        assembly: "$tensor attr-dict `:` type($tensor)",
    }
}

/// Reads `%m restrict writable : memref<...>`, with `to tensor<...>` as files of MLIR 20 have it.
fn parse_to_tensor(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let memory = parser.parse_operand()?;
    for name in ["restrict", "writable"] {
        if parser.parse_optional_keyword(name) {
            state.set_attribute(context, name, context.unit_attribute());
        }
    }
    parser.parse_attribute_dictionary(state)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    let result = match parser.parse_optional_keyword("to") {
        true => Some(parser.parse_type()?),
        false => crate::memref::tensor_type(context, ty),
    };
    let Some(result) = result else {
        return Err(parser.error(position, "expects a memref"));
    };
    parser.resolve_operand(memory, ty, state)?;
    state.add_results(&[result]);
    Ok(())
}

fn print_to_tensor(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    for name in ["restrict", "writable"] {
        if view.attribute(name).is_some() {
            printer.text(&format!(" {name}"));
        }
    }
    printer.attribute_dictionary(view, &["restrict", "writable"]);
    printer.text(" : ");
    let ty = view.ty(view.operand(0));
    printer.ty(ty);
    let result = view.ty(view.result(0));
    if crate::memref::tensor_type(view.context, ty) != Some(result) {
        printer.text(" to ");
        printer.ty(result);
    }
}

fn parse_alloc_tensor(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let sizes = parser.parse_operand_list(sluice_ir::text::Delimiter::Paren)?;
    let mut copy = None;
    if parser.parse_optional_keyword("copy") {
        parser.parse_punctuation("(")?;
        copy = Some(parser.parse_operand()?);
        parser.parse_punctuation(")")?;
    }
    let mut hint = None;
    if parser.parse_optional_keyword("size_hint") {
        parser.parse_punctuation("=")?;
        hint = Some(parser.parse_operand()?);
    }
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    let index = context.index_type();
    parser.resolve_operands_of_type(&sizes, index, state)?;
    for (operand, ty) in [(copy, ty), (hint, index)] {
        if let Some(operand) = operand {
            parser.resolve_operand(operand, ty, state)?;
        }
    }
    let groups = [sizes.len(), copy.iter().len(), hint.iter().len()];
    state.set_operand_segment_sizes(context, &groups);
    state.add_results(&[ty]);
    Ok(())
}

fn print_alloc_tensor(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text("(");
    printer.operands(view.operand_group(0));
    printer.text(")");
    if let Some(copy) = view.operand_group(1).first() {
        printer.text(" copy(");
        printer.operand(*copy);
        printer.text(")");
    }
    if let Some(hint) = view.operand_group(2).first() {
        printer.text(" size_hint=");
        printer.operand(*hint);
    }
    printer.attribute_dictionary(view, &["operandSegmentSizes"]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

fn verify_alloc_tensor(view: View<'_>, diagnostics: &mut Diagnostics) {
    let result = view.ty(view.result(0));
    let copy = view.operand_group(1).first().map(|copy| view.ty(*copy));
    if copy.is_some_and(|copy| copy != result) {
        op_error(
            view,
            diagnostics,
            "expected that `copy` and return type match",
        );
    }
}
