//! Copies that run concurrently with the program until it waits for them.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Diagnostics, ValueId, View};

use super::op_error;
use super::strided::parts;
use crate::constraints::{ANY_TYPE, INDEX, MEMREF};
use crate::messages::has_no_attributes;

sluice_ods::dialect! {
    group "memref";

    /// Starts a copy between memories; a tag identifies it.
    op DmaStart = "dma_start" {
        operands: { operands: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_dma_start, print_dma_start),
        custom_if: has_no_attributes,
        verify: verify_dma_start,
    }

    /// Waits until the copy with a tag is done.
    op DmaWait = "dma_wait" {
        operands: { tag_mem_ref: MEMREF, tag_indices: variadic INDEX, num_elements: INDEX },
        effects: [Unknown],
        assembly: "$tag_mem_ref `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag_mem_ref)",
        verify: verify_dma_wait,
    }
}

fn parse_dma_start(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let index = parser.context().index_type();
    let mut memrefs = Vec::new();
    let mut subscripts = Vec::new();
    let mut number = None;
    for place in 0..3 {
        if place == 2 {
            number = Some(parser.parse_operand()?);
            parser.parse_punctuation(",")?;
        }
        memrefs.push(parser.parse_operand()?);
        subscripts.push(parser.parse_operand_list(Delimiter::Square)?);
        if place < 2 {
            parser.parse_punctuation(",")?;
        }
    }
    let mut strides = Vec::new();
    while parser.parse_optional_punctuation(",") {
        strides.push(parser.parse_operand()?);
    }
    if !matches!(strides.len(), 0 | 2) {
        return Err(parser.error(state.position, "expected two stride related operands"));
    }
    let types = parser.parse_colon_type_list()?;
    if types.len() != 3 {
        return Err(parser.error(state.position, "fewer/more types expected"));
    }
    for place in 0..3 {
        if place == 2 {
            parser.resolve_operands_of_type(number.as_slice(), index, state)?;
        }
        parser.resolve_operand(memrefs[place], types[place], state)?;
        parser.resolve_operands_of_type(&subscripts[place], index, state)?;
    }
    parser.resolve_operands_of_type(&strides, index, state)
}

/// The operands of a `memref.dma_start` by their role.
struct Parts {
    source: Vec<ValueId>,
    target: Vec<ValueId>,
    number: ValueId,
    tag: Vec<ValueId>,
    strides: Vec<ValueId>,
}

fn rank(view: View<'_>, value: ValueId) -> usize {
    parts(view.context, view.ty(value)).map_or(0, |memref| memref.rank())
}

/// Returns the operands by their role; `None` if there are too few.
fn parts_of(view: View<'_>) -> Option<Parts> {
    let all: Vec<_> = view.operands().collect();
    let take = |start: usize| -> Option<(Vec<ValueId>, usize)> {
        let end = start + 1 + rank(view, *all.get(start)?);
        Some((all.get(start..end)?.to_vec(), end))
    };
    let (source, next) = take(0)?;
    let (target, next) = take(next)?;
    let number = *all.get(next)?;
    let (tag, next) = take(next + 1)?;
    Some(Parts {
        source,
        target,
        number,
        tag,
        strides: all[next..].to_vec(),
    })
}

fn print_dma_start(printer: &mut Printer<'_>, view: View<'_>) {
    let Some(parts) = parts_of(view) else {
        return;
    };
    let memory = |printer: &mut Printer<'_>, values: &[ValueId]| {
        printer.operand(values[0]);
        printer.text("[");
        printer.operands(values[1..].iter().copied());
        printer.text("]");
    };
    printer.text(" ");
    memory(printer, &parts.source);
    printer.text(", ");
    memory(printer, &parts.target);
    printer.text(", ");
    printer.operand(parts.number);
    printer.text(", ");
    memory(printer, &parts.tag);
    for stride in parts.strides {
        printer.text(", ");
        printer.operand(stride);
    }
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    printer.types([parts.source[0], parts.target[0], parts.tag[0]].map(|v| view.ty(v)));
}

fn verify_dma_start(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_dma_start(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_dma_start(view: View<'_>) -> Result<(), String> {
    let all: Vec<_> = view.operands().collect();
    let is_memref = |value: ValueId| parts(view.context, view.ty(value)).is_some();
    let are_indices =
        |values: &[ValueId]| values.iter().all(|v| view.ty(*v).is_index(view.context));
    let enough = |wanted: usize| match all.len() < wanted {
        true => Err(format!("expected at least {wanted} operands")),
        false => Ok(()),
    };
    let fail = |message: &str| Err(message.to_owned());
    enough(4)?;
    if !is_memref(all[0]) {
        return fail("expected source to be of memref type");
    }
    let mut wanted = rank(view, all[0]) + 4;
    enough(wanted)?;
    let mut next = 1 + rank(view, all[0]);
    if !are_indices(&all[1..next]) {
        return fail("expected source indices to be of index type");
    }
    if !is_memref(all[next]) {
        return fail("expected destination to be of memref type");
    }
    wanted += rank(view, all[next]);
    enough(wanted)?;
    let end = next + 1 + rank(view, all[next]);
    if !are_indices(&all[next + 1..end]) {
        return fail("expected destination indices to be of index type");
    }
    next = end;
    if !are_indices(&all[next..=next]) {
        return fail("expected num elements to be of index type");
    }
    next += 1;
    if !is_memref(all[next]) {
        return fail("expected tag to be of memref type");
    }
    wanted += rank(view, all[next]);
    enough(wanted)?;
    let end = next + 1 + rank(view, all[next]);
    if !are_indices(&all[next + 1..end]) {
        return fail("expected tag indices to be of index type");
    }
    if all.len() != wanted && all.len() != wanted + 2 {
        return fail("incorrect number of operands");
    }
    if !are_indices(&all[end..]) {
        return fail("expected stride and num elements per stride to be of type index");
    }
    Ok(())
}

fn verify_dma_wait(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (wanted, given) = (
        rank(view, view.operand(0)),
        view.operands().len().saturating_sub(2),
    );
    if wanted != given {
        let message = format!(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, expected {wanted}, but got {given}"
        );
        op_error(view, diagnostics, message);
    }
}
