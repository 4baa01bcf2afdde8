//! Parts of tensors, padding and other shapes.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, RegionPrinting};
use sluice_ir::{Diagnostics, View};

use super::verify::{check_padded, check_region, check_shapes, check_slice_type};
use super::{
    Cast, CollapseShape, Concat, Dim, ExpandShape, Extract, ExtractSlice, FromElements, Generate,
    Insert, InsertSlice, Pad, Rank, Reshape, Splat,
};
use crate::index_lists::{n_dynamic, numbers, parse_index_list, print_index_list};
use crate::linalg::shape;
use crate::messages::op_error;

const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];

/// Names results as upstream does.
pub(super) fn result_name(view: View<'_>) -> Vec<Option<String>> {
    let name = match view.name() {
        Cast::NAME => "cast",
        Dim::NAME => "dim",
        Rank::NAME => "rank",
        Extract::NAME => "extracted",
        Insert::NAME => "inserted",
        FromElements::NAME => "from_elements",
        Splat::NAME => "splat",
        Generate::NAME => "generated",
        Pad::NAME => "padded",
        ExtractSlice::NAME => "extracted_slice",
        InsertSlice::NAME => "inserted_slice",
        ExpandShape::NAME => "expanded",
        CollapseShape::NAME => "collapsed",
        Reshape::NAME => "reshape",
        Concat::NAME => "concat",
        _ => return vec![None; view.results().len()],
    };
    vec![Some(name.to_owned())]
}

/// Reads `[offsets] [sizes] [strides] {attributes}` and sets their attributes; the operands are resolved by `finish`.
struct Lists {
    lists: Vec<crate::index_lists::IndexList>,
}

impl Lists {
    fn parse(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<Self> {
        let context = parser.context();
        let mut lists = Vec::new();
        for name in LISTS {
            let list = parse_index_list(parser, Delimiter::Square)?;
            list.set(context, name, state);
            lists.push(list);
        }
        parser.parse_attribute_dictionary(state)?;
        Ok(Self { lists })
    }

    fn finish(
        &self,
        parser: &mut Parser<'_>,
        state: &mut OperationState,
        n_before: usize,
    ) -> ParseResult<()> {
        let context = parser.context();
        let mut sizes = vec![1; n_before];
        for list in &self.lists {
            sizes.push(list.resolve(parser, state)?);
        }
        state.set_operand_segment_sizes(context, &sizes);
        Ok(())
    }
}

pub(super) fn parse_extract_slice(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let source = parser.parse_operand()?;
    let lists = Lists::parse(parser, state)?;
    let from = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let to = parser.parse_type()?;
    parser.resolve_operand(source, from, state)?;
    lists.finish(parser, state, 1)?;
    state.add_results(&[to]);
    Ok(())
}

pub(super) fn parse_insert_slice(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let source = parser.parse_operand()?;
    parser.parse_keyword("into")?;
    let dest = parser.parse_operand()?;
    let lists = Lists::parse(parser, state)?;
    let from = parser.parse_colon_type()?;
    parser.parse_keyword("into")?;
    let to = parser.parse_type()?;
    parser.resolve_operand(source, from, state)?;
    parser.resolve_operand(dest, to, state)?;
    lists.finish(parser, state, 2)?;
    let name = parser.context().operation_text(state.name);
    if name == InsertSlice::NAME {
        state.add_results(&[to]);
    }
    Ok(())
}

/// Prints `[offsets] [sizes] [strides] {attributes}`; the lists begin at this operand group.
fn print_lists(printer: &mut Printer<'_>, view: View<'_>, group: usize) {
    for (i, name) in LISTS.iter().enumerate() {
        printer.text(if i > 0 { " [" } else { "[" });
        let operands = view.operand_group(group + i);
        print_index_list(printer, &operands, &numbers(view, name));
        printer.text("]");
    }
    let [offsets, sizes, strides] = LISTS;
    printer.attribute_dictionary(view, &["operandSegmentSizes", offsets, sizes, strides]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
}

pub(super) fn print_extract_slice(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    print_lists(printer, view, 1);
    printer.text(" to ");
    printer.ty(view.ty(view.result(0)));
}

pub(super) fn print_insert_slice(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" into ");
    printer.operand(view.operand(1));
    print_lists(printer, view, 2);
    printer.text(" into ");
    printer.ty(view.ty(view.operand(1)));
}

/// Checks that there is an offset, a size and a stride for each dimension of the larger tensor.
pub(super) fn verify_slice(view: View<'_>, diagnostics: &mut Diagnostics) {
    let whole = match view.name() {
        ExtractSlice::NAME => view.ty(view.operand(0)),
        _ => view.ty(view.operand(1)),
    };
    let rank = shape(view.context, whole).map_or(0, <[_]>::len);
    let first = usize::from(view.name() != ExtractSlice::NAME) + 1;
    for (i, what) in ["offset", "size", "stride"].into_iter().enumerate() {
        let n = numbers(view, LISTS[i]).len();
        if n != rank {
            let message = format!("expected {rank} {what} values, got {n}");
            return op_error(view, diagnostics, message);
        }
        if let Err(message) = check_dynamic(view, LISTS[i], first + i, what) {
            return op_error(view, diagnostics, message);
        }
    }
    if let Err(message) = check_slice_type(view) {
        // As upstream: without the name of the operation.
        diagnostics.error(view.location(), message);
    }
}

/// Checks that an operand group has a value for each number of a list that a value gives.
fn check_dynamic(view: View<'_>, list: &str, group: usize, what: &str) -> Result<(), String> {
    let wanted = n_dynamic(&numbers(view, list));
    let found = view.operand_group(group).len();
    match wanted == found {
        true => Ok(()),
        false => Err(format!("expected {wanted} dynamic {what} values")),
    }
}

/// Checks that each open size of the result of `expand_shape` has a value.
pub(super) fn verify_expand_shape(view: View<'_>, diagnostics: &mut Diagnostics) {
    let checked = check_dynamic(view, "static_output_shape", 1, "size");
    if let Err(message) = checked.and_then(|()| check_shapes(view)) {
        op_error(view, diagnostics, message);
    }
}

/// Checks the widths of the padding.
pub(super) fn verify_pad(view: View<'_>, diagnostics: &mut Diagnostics) {
    let rank = shape(view.context, view.ty(view.operand(0))).map_or(0, <[_]>::len);
    for (group, (list, what)) in [("static_low", "low"), ("static_high", "high")]
        .into_iter()
        .enumerate()
    {
        let n = numbers(view, list).len();
        if n != rank {
            let message = format!("expected {rank} {what} values, got {n}");
            return op_error(view, diagnostics, message);
        }
        if let Err(message) = check_dynamic(view, list, group + 1, what) {
            return op_error(view, diagnostics, message);
        }
    }
    if let Err(message) = check_region(view) {
        return op_error(view, diagnostics, message);
    }
    if let Err(message) = check_padded(view) {
        // As upstream: without the name of the operation.
        diagnostics.error(view.location(), message);
    }
}

pub(super) fn parse_pad(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let source = parser.parse_operand()?;
    if parser.parse_optional_keyword("nofold") {
        state.set_attribute(context, "nofold", context.unit_attribute());
    }
    let mut lists = Vec::new();
    for (keyword, name) in [("low", "static_low"), ("high", "static_high")] {
        parser.parse_keyword(keyword)?;
        let list = parse_index_list(parser, Delimiter::Square)?;
        list.set(context, name, state);
        lists.push(list);
    }
    parser.parse_region(&[], state)?;
    parser.parse_attribute_dictionary(state)?;
    let from = parser.parse_colon_type()?;
    parser.parse_keyword("to")?;
    let to = parser.parse_type()?;
    parser.resolve_operand(source, from, state)?;
    let mut sizes = vec![1];
    for list in &lists {
        sizes.push(list.resolve(parser, state)?);
    }
    state.set_operand_segment_sizes(context, &sizes);
    state.add_results(&[to]);
    Ok(())
}

pub(super) fn print_pad(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    if view.attribute("nofold").is_some() {
        printer.text(" nofold");
    }
    for (group, (keyword, name)) in [("low", "static_low"), ("high", "static_high")]
        .into_iter()
        .enumerate()
    {
        printer.text(&format!(" {keyword}["));
        let operands = view.operand_group(group + 1);
        print_index_list(printer, &operands, &numbers(view, name));
        printer.text("]");
    }
    printer.text(" ");
    printer.region(view, 0, RegionPrinting::default());
    let elided = ["operandSegmentSizes", "static_low", "static_high", "nofold"];
    printer.attribute_dictionary(view, &elided);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" to ");
    printer.ty(view.ty(view.result(0)));
}

pub(super) fn parse_expand_shape(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    crate::memref::parse_expand_shape(parser, state)
}

pub(super) fn print_expand_shape(printer: &mut Printer<'_>, view: View<'_>) {
    crate::memref::print_expand_shape(printer, view);
}
