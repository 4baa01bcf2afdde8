//! Parts of a memory, given by offsets, sizes and strides.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::types::Dimension;
use sluice_ir::{Context, Diagnostics, Type, View};

use super::quoted;
use super::strided::{Parts, Strided, parts, plus, strided, times};
use crate::constraints::{ANY_MEMREF, I64_ARRAY, INDEX, MEMREF};
use crate::index_lists::{known, n_dynamic, numbers, parse_index_list, print_index_list};

sluice_ods::dialect! {
    group "memref";

    /// A part of a memory, with strides; dimensions of size 1 may be dropped.
    op Subview = "subview" {
        traits: [PURE, VIEW_LIKE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { source: MEMREF, offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: MEMREF },
        assembly: custom(parse_subview, print_subview),
        verify: verify_subview,
    }

    /// A memory with another offset, sizes and strides.
    op ReinterpretCast = "reinterpret_cast" {
        traits: [PURE, VIEW_LIKE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { source: ANY_MEMREF, offsets: variadic INDEX, sizes: variadic INDEX, strides: variadic INDEX },
        attributes: { static_offsets: I64_ARRAY, static_sizes: I64_ARRAY, static_strides: I64_ARRAY },
        results: { result: MEMREF },
        assembly: custom(parse_reinterpret_cast, print_reinterpret_cast),
        verify: verify_reinterpret_cast,
    }
}

const LISTS: [(&str, &str); 3] = [
    ("offset", "static_offsets"),
    ("size", "static_sizes"),
    ("stride", "static_strides"),
];

/// The keywords before each list: none in a subview, words in a cast.
type Words = [&'static [&'static str]; 3];

const SUBVIEW_WORDS: Words = [&[], &[], &[]];
const CAST_WORDS: Words = [
    &["to", "offset", ":"],
    &[",", "sizes", ":"],
    &[",", "strides", ":"],
];

fn parse_subview(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_lists(parser, &SUBVIEW_WORDS, state)
}

fn parse_reinterpret_cast(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    parse_lists(parser, &CAST_WORDS, state)
}

fn parse_lists(
    parser: &mut Parser<'_>,
    words: &Words,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let source = parser.parse_operand()?;
    let mut lists = Vec::new();
    for words in words {
        for word in words.iter() {
            parser.parse_literal(word)?;
        }
        lists.push(parse_index_list(parser, Delimiter::Square)?);
    }
    parser.parse_attribute_dictionary(state)?;
    let source_type = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let result_type = parser.parse_type()?;
    parser.resolve_operand(source, source_type, state)?;
    let mut sizes = vec![1];
    for (list, (_, name)) in lists.iter().zip(LISTS) {
        list.set(context, name, state);
        sizes.push(list.resolve(parser, state)?);
    }
    state.set_operand_segment_sizes(context, &sizes);
    state.add_results(&[result_type]);
    Ok(())
}

fn print_list(printer: &mut Printer<'_>, view: View<'_>, list: usize) {
    printer.text("[");
    let operands = view.operand_group(list + 1);
    print_index_list(printer, &operands, &numbers(view, LISTS[list].1));
    printer.text("]");
}

fn print_types(printer: &mut Printer<'_>, view: View<'_>) {
    let [a, b, c] = LISTS.map(|(_, name)| name);
    printer.attribute_dictionary(view, &["operandSegmentSizes", a, b, c]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" to ");
    printer.ty(view.ty(view.result(0)));
}

fn print_subview(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    for list in 0..3 {
        printer.text(if list > 0 { " " } else { "" });
        print_list(printer, view, list);
    }
    print_types(printer, view);
}

fn print_reinterpret_cast(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    for (list, words) in [" to offset: ", ", sizes: ", ", strides: "]
        .into_iter()
        .enumerate()
    {
        printer.text(words);
        print_list(printer, view, list);
    }
    print_types(printer, view);
}

/// Checks the rules for all operations with offsets, sizes and strides; with `one_offset` there is exactly one offset.
fn check_lists(view: View<'_>, one_offset: bool) -> Result<[Vec<i64>; 3], String> {
    let lists = LISTS.map(|(_, name)| numbers(view, name));
    let [offsets, sizes, strides] = &lists;
    let (n_offsets, n_sizes, n_strides) = (offsets.len(), sizes.len(), strides.len());
    let mismatch = |a: &str, n: usize, b: &str, m: usize| {
        Err(format!(
            "expected mixed {a} rank to match mixed {b} rank ({n} vs {m}) so the rank of the result type is well-formed."
        ))
    };
    if n_offsets != n_sizes && !(one_offset && n_offsets == 1) {
        return mismatch("offsets", n_offsets, "sizes", n_sizes);
    }
    if n_sizes != n_strides {
        return mismatch("sizes", n_sizes, "strides", n_strides);
    }
    let most = match one_offset {
        true => vec![1, usize::MAX, usize::MAX],
        false => {
            vec![parts(view.context, view.ty(view.operand(0))).map_or(usize::MAX, Parts::rank); 3]
        }
    };
    for (group, (list, (what, _))) in lists.iter().zip(LISTS).enumerate() {
        if most[group] != usize::MAX && list.len() != most[group] {
            return Err(format!(
                "expected {} {what} values, got {}",
                most[group],
                list.len()
            ));
        }
        let dynamic = n_dynamic(list);
        if dynamic != view.operand_group(group + 1).len() {
            return Err(format!("expected {dynamic} dynamic {what} values"));
        }
    }
    for (list, what) in [(offsets, "offsets"), (sizes, "sizes")] {
        let negative = list.iter().find(|n| known(**n).is_some_and(|n| n < 0));
        if let Some(number) = negative {
            return Err(format!(
                "expected {what} to be non-negative, but got {number}"
            ));
        }
    }
    Ok(lists)
}

fn shape_of(sizes: &[i64]) -> Vec<Dimension> {
    sizes
        .iter()
        .map(|n| known(*n).and_then(|n| u64::try_from(n).ok()))
        .collect()
}

/// Returns the type of the part of `source` before any dimension is dropped.
pub(super) fn part_type(context: &Context, source: Type, lists: &[Vec<i64>; 3]) -> Option<Type> {
    let [offsets, sizes, strides] = lists;
    let memref = parts(context, source)?;
    let from = strided(context, source)?;
    let mut found = Strided {
        strides: Vec::new(),
        offset: from.offset,
    };
    for ((offset, stride), unit) in offsets.iter().zip(strides).zip(&from.strides) {
        found.offset = plus(found.offset, times(known(*offset), *unit));
        found.strides.push(times(known(*stride), *unit));
    }
    let shape = shape_of(sizes);
    Some(
        Parts {
            shape: &shape,
            layout: Some(found.layout(context)),
            ..memref
        }
        .ty(context),
    )
}

/// Returns the type of a part of a memory with offsets, sizes and strides as in `memref.subview`, whose dimensions of size 1 are
/// dropped so that `shape` remains; `None` if there is no such type.
pub fn subview_type(
    context: &Context,
    source: Type,
    lists: &[Vec<i64>; 3],
    shape: &[Dimension],
) -> Option<Type> {
    let whole = part_type(context, source, lists)?;
    let memref = parts(context, whole)?;
    let from = strided(context, whole)?;
    if memref.rank() == shape.len() {
        return Some(whole);
    }
    let mut kept = Strided {
        strides: Vec::new(),
        offset: from.offset,
    };
    let mut rest = shape.iter().peekable();
    for (size, stride) in memref.shape.iter().zip(from.strides) {
        if rest.peek() == Some(&size) {
            rest.next();
            kept.strides.push(stride);
        } else if *size != Some(1) {
            return None;
        }
    }
    let reduced = Parts {
        shape,
        layout: Some(kept.layout(context)),
        ..memref
    };
    rest.peek().is_none().then(|| reduced.ty(context))
}

fn verify_subview(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_subview(view) {
        diagnostics.error(view.location(), message);
    }
}

fn check_subview(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let lists = check_lists(view, false)?;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(source), Some(result)) = (parts(context, from), parts(context, to)) else {
        return Ok(());
    };
    if source.memory_space != result.memory_space {
        return Err(format!(
            "different memory spaces specified for base memref type {} and subview memref type {}",
            quoted(view, from),
            quoted(view, to)
        ));
    }
    let Some(expected) = part_type(context, from, &lists) else {
        return Err(format!("base type {} is not strided", quoted(view, from)));
    };
    let Some(whole) = parts(context, expected) else {
        return Ok(());
    };
    let mismatch = |what: &str| {
        Err(format!(
            "expected result type to be {} or a rank-reduced version. (mismatch of result {what}) ",
            quoted(view, expected)
        ))
    };
    if result.rank() > whole.rank() {
        return Err("expected result rank to be smaller or equal to the source rank. ".to_owned());
    }
    if !is_shape_without_ones(whole.shape, result.shape) {
        return mismatch("sizes");
    }
    if source.element != result.element {
        return Err(format!(
            "expected result element type to be {}",
            quoted(view, source.element)
        ));
    }
    let (Some(wanted), Some(given)) = (strided(context, expected), strided(context, to)) else {
        return mismatch("layout");
    };
    let dropped = dropped_dimensions(&lists[1], &wanted, &given, result.rank());
    let fits = wanted.offset == given.offset
        && dropped.is_some_and(|dropped| {
            let kept = wanted
                .strides
                .iter()
                .zip(&dropped)
                .filter(|(_, dropped)| !**dropped);
            kept.map(|(stride, _)| *stride)
                .eq(given.strides.iter().copied())
        });
    if fits { Ok(()) } else { mismatch("layout") }
}

/// Returns true if `reduced` is `shape` without some dimensions of size 1.
pub(crate) fn is_shape_without_ones(shape: &[Dimension], reduced: &[Dimension]) -> bool {
    let mut rest = reduced.iter().peekable();
    for size in shape {
        if rest.peek() == Some(&size) {
            rest.next();
        } else if *size != Some(1) {
            return false;
        }
    }
    rest.peek().is_none()
}

/// Returns the dropped dimensions of a part, derived from its sizes and, if those are ambiguous, from its strides.
pub(super) fn dropped_dimensions(
    sizes: &[i64],
    whole: &Strided,
    reduced: &Strided,
    rank: usize,
) -> Option<Vec<bool>> {
    if sizes.len() == rank {
        return Some(vec![false; sizes.len()]);
    }
    let mut dropped: Vec<bool> = sizes.iter().map(|size| *size == 1).collect();
    let n_dropped = |dropped: &[bool]| dropped.iter().filter(|d| **d).count();
    if rank + n_dropped(&dropped) == sizes.len() {
        return Some(dropped);
    }
    let occurrences = |all: &[Option<i64>], stride| all.iter().filter(|s| **s == stride).count();
    let mut left = whole.strides.clone();
    for (dimension, stride) in whole.strides.iter().enumerate() {
        if !dropped[dimension] {
            continue;
        }
        let (have, need) = (
            occurrences(&left, *stride),
            occurrences(&reduced.strides, *stride),
        );
        match have.cmp(&need) {
            std::cmp::Ordering::Greater => {
                let position = left.iter().position(|s| s == stride)?;
                left.remove(position);
            }
            std::cmp::Ordering::Equal => dropped[dimension] = false,
            std::cmp::Ordering::Less => return None,
        }
    }
    (rank + n_dropped(&dropped) == sizes.len()).then_some(dropped)
}

fn verify_reinterpret_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_reinterpret_cast(view) {
        diagnostics.error(view.location(), message);
    }
}

fn check_reinterpret_cast(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let [offsets, sizes, strides] = check_lists(view, true)?;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let Some(result) = parts(context, to) else {
        return Ok(());
    };
    let rank = result.rank();
    if sizes.len() != rank {
        return Err(format!("expected {rank} size values, got {}", sizes.len()));
    }
    let space = match from.kind(context) {
        sluice_ir::TypeKind::MemRef { memory_space, .. }
        | sluice_ir::TypeKind::UnrankedMemRef { memory_space, .. } => *memory_space,
        _ => return Ok(()),
    };
    let both = format!(
        "specified for source type {} and result memref type {}",
        quoted(view, from),
        quoted(view, to)
    );
    if space != result.memory_space {
        return Err(format!("different memory spaces {both}"));
    }
    if from.element_type(context) != Some(result.element) {
        return Err(format!("different element types {both}"));
    }
    for (i, (size, found)) in sizes.iter().zip(result.shape).enumerate() {
        let found = super::strided::size(*found);
        let (Some(size), Some(found)) = (known(*size), found) else {
            continue;
        };
        if size != found {
            return Err(format!(
                "expected result type with size = {size} instead of {found} in dim = {i}"
            ));
        }
    }
    let Some(layout) = strided(context, to) else {
        return Err(format!(
            "expected result type to have strided layout but found {}",
            quoted(view, to)
        ));
    };
    let offset = offsets.first().and_then(|n| known(*n));
    if let (Some(wanted), Some(found)) = (offset, layout.offset)
        && wanted != found
    {
        return Err(format!(
            "expected result type with offset = {wanted} instead of {found}"
        ));
    }
    for (i, (stride, found)) in strides.iter().zip(&layout.strides).enumerate() {
        if let (Some(wanted), Some(found)) = (known(*stride), *found)
            && wanted != found
        {
            return Err(format!(
                "expected result type with stride = {wanted} instead of {found} in dim = {i}"
            ));
        }
    }
    Ok(())
}
