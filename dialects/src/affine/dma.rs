//! Copies with affine subscripts that run concurrently with the program until it waits for them.

use sluice_ir::affine::AffineMap;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Diagnostics, TypeKind, ValueId, View};

use super::scope::are_subscripts;
use super::{map_of, n_inputs, op_error, resolve_indices};
use crate::constraints::ANY_TYPE;

sluice_ods::dialect! {
    group "affine";

    /// Starts a copy between memories; a tag identifies it. The maps are in attributes `src_map`, `dst_map` and `tag_map`,
    /// which upstream does not declare.
    op DmaStart = "dma_start" {
        traits: [DISCARDABLE_ATTRIBUTES],
        operands: { operands: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_dma_start, print_dma_start),
        custom_if: counts_in_index,
        verify: verify_dma_start,
    }

    /// Waits until the copy with a tag is done. The map is in attribute `tag_map`, which upstream does not declare.
    op DmaWait = "dma_wait" {
        traits: [DISCARDABLE_ATTRIBUTES],
        operands: { operands: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_dma_wait, print_dma_wait),
        custom_if: counts_in_index,
        verify: verify_dma_wait,
    }
}

const MAPS: [&str; 3] = ["src_map", "dst_map", "tag_map"];

/// Returns true if the custom form can be parsed: it states only the types of the memories, and has no place for other
/// attributes.
fn counts_in_index(view: View<'_>) -> bool {
    let n_memories = if view.name() == "affine.dma_wait" {
        1
    } else {
        3
    };
    let mut attributes = view.attributes().iter();
    let is_index = |operand: &ValueId| view.ty(*operand).is_index(view.context);
    let others = view.operands().filter(|operand| !is_index(operand));
    attributes.all(|(name, _)| MAPS.contains(&view.context.text(*name)))
        && others.count() == n_memories
}

fn parse_dma_start(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let mut places = Vec::new();
    let mut number = None;
    for (i, name) in MAPS.into_iter().enumerate() {
        let memref = parser.parse_operand()?;
        let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
        state.set_attribute(context, name, context.affine_map_attribute(map));
        places.push((memref, operands));
        parser.parse_punctuation(",")?;
        if i == 2 {
            number = Some(parser.parse_operand()?);
        }
    }
    // A trailing comma is allowed.
    let mut strides = Vec::new();
    while parser.parse_optional_punctuation(",") {
        match parser.parse_optional_operand()? {
            Some(stride) => strides.push(stride),
            None => break,
        }
    }
    if !matches!(strides.len(), 0 | 2) {
        return Err(parser.error(state.position, "expected two stride related operands"));
    }
    let types = parser.parse_colon_type_list()?;
    if types.len() != 3 {
        return Err(parser.error(state.position, "expected three types"));
    }
    for ((memref, operands), ty) in places.iter().zip(types) {
        parser.resolve_operand(*memref, ty, state)?;
        resolve_indices(parser, operands, state)?;
    }
    resolve_indices(parser, number.as_slice(), state)?;
    resolve_indices(parser, &strides, state)
}

/// The memories with their maps and subscripts, and the remaining operands.
type Places = (Vec<(ValueId, AffineMap, Vec<ValueId>)>, Vec<ValueId>);

/// Returns the operands by their role; `None` if there are too few.
fn places(view: View<'_>, names: &[&str]) -> Option<Places> {
    let all: Vec<_> = view.operands().collect();
    let mut found = Vec::new();
    let mut next = 0;
    for name in names {
        let map = map_of(view, name);
        let end = next + 1 + n_inputs(&map);
        let subscripts = all.get(next + 1..end)?.to_vec();
        found.push((*all.get(next)?, map, subscripts));
        next = end;
    }
    Some((found, all[next..].to_vec()))
}

fn print_places(printer: &mut Printer<'_>, view: View<'_>, names: &[&str]) {
    let Some((places, rest)) = places(view, names) else {
        return;
    };
    printer.text(" ");
    for (memref, map, subscripts) in &places {
        printer.operand(*memref);
        printer.text("[");
        printer.affine_map_of_operands(map, subscripts);
        printer.text("], ");
    }
    printer.operands(rest);
    printer.text(" : ");
    printer.types(places.iter().map(|(memref, _, _)| view.ty(*memref)));
}

fn print_dma_start(printer: &mut Printer<'_>, view: View<'_>) {
    print_places(printer, view, &MAPS);
}

fn print_dma_wait(printer: &mut Printer<'_>, view: View<'_>) {
    print_places(printer, view, &MAPS[2..]);
}

fn is_memref(view: View<'_>, value: ValueId) -> bool {
    matches!(view.ty(value).kind(view.context), TypeKind::MemRef { .. })
}

fn verify_dma_start(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_dma_start(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_dma_start(view: View<'_>) -> Result<(), String> {
    let missing = MAPS.iter().find(|name| view.attribute(name).is_none());
    if let Some(name) = missing {
        return Err(format!("requires attribute '{name}'"));
    }
    let count = "incorrect number of operands";
    let (places, rest) = places(view, &MAPS).ok_or(count)?;
    let words = [("source", "src"), ("destination", "dst"), ("tag", "tag")];
    for ((memref, _, _), (what, _)) in places.iter().zip(words) {
        if !is_memref(view, *memref) {
            return Err(format!("expected DMA {what} to be of memref type"));
        }
    }
    if !matches!(rest.len(), 1 | 3) {
        return Err(count.to_owned());
    }
    for ((_, _, subscripts), (_, what)) in places.iter().zip(words) {
        if subscripts
            .iter()
            .any(|v| !view.ty(*v).is_index(view.context))
        {
            return Err(format!("{what} index to dma_start must have 'index' type"));
        }
        if !are_subscripts(view, subscripts) {
            return Err(format!(
                "{what} index must be a valid dimension or symbol identifier"
            ));
        }
    }
    Ok(())
}

fn parse_dma_wait(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let tag = parser.parse_operand()?;
    let (map, operands) = parser.parse_affine_map_of_operands(Delimiter::Square)?;
    state.set_attribute(context, "tag_map", context.affine_map_attribute(map));
    parser.parse_punctuation(",")?;
    let number = parser.parse_operand()?;
    let ty = parser.parse_colon_type()?;
    parser.resolve_operand(tag, ty, state)?;
    resolve_indices(parser, &operands, state)?;
    resolve_indices(parser, &[number], state)?;
    if !matches!(ty.kind(context), TypeKind::MemRef { .. }) {
        return Err(parser.error(state.position, "expected tag to be of memref type"));
    }
    Ok(())
}

fn verify_dma_wait(view: View<'_>, diagnostics: &mut Diagnostics) {
    let found = view
        .attribute("tag_map")
        .and_then(|_| places(view, &MAPS[2..]));
    let message = match found {
        None if view.attribute("tag_map").is_none() => "requires attribute 'tag_map'",
        None => "incorrect number of operands",
        Some((places, rest)) => {
            let (memref, _, subscripts) = &places[0];
            if !is_memref(view, *memref) {
                "expected DMA tag to be of memref type"
            } else if rest.len() != 1 {
                "incorrect number of operands"
            } else if subscripts
                .iter()
                .any(|v| !view.ty(*v).is_index(view.context))
            {
                "index to dma_wait must have 'index' type"
            } else if !are_subscripts(view, subscripts) {
                "index must be a valid dimension or symbol identifier"
            } else {
                return;
            }
        }
    };
    op_error(view, diagnostics, message);
}
