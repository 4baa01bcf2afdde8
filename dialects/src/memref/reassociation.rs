//! Operations that expand and collapse dimensions.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer};
use sluice_ir::types::Dimension;
use sluice_ir::{Context, Diagnostics, Type, View};

use super::strided::{Parts, Strided, parts, size, strided, times};
use super::{op_error, quoted};
use crate::constraints::{I64_ARRAY, INDEX, INDEX_LISTS, STRIDED_MEMREF};
use crate::index_lists::{n_dynamic, numbers, parse_index_list, print_index_list};

sluice_ods::dialect! {
    group "memref";

    /// The same memory with dimensions expanded into groups.
    op ExpandShape = "expand_shape" {
        traits: [PURE, VIEW_LIKE],
        operands: { src: STRIDED_MEMREF, output_shape: variadic INDEX },
        attributes: { reassociation: INDEX_LISTS, static_output_shape: I64_ARRAY },
        results: { result: STRIDED_MEMREF },
        assembly: custom(parse_expand_shape, print_expand_shape),
        verify: verify_expand_shape,
    }

    /// The same memory with groups of dimensions joined.
    op CollapseShape = "collapse_shape" {
        traits: [PURE, VIEW_LIKE],
        operands: { src: STRIDED_MEMREF },
        attributes: { reassociation: INDEX_LISTS },
        results: { result: STRIDED_MEMREF },
        assembly: "$src $reassociation attr-dict `:` type($src) `into` type($result)",
        verify: verify_collapse_shape,
    }
}

pub(crate) fn parse_expand_shape(
    parser: &mut Parser<'_>,
    state: &mut OperationState,
) -> ParseResult<()> {
    let context = parser.context();
    let source = parser.parse_operand()?;
    let reassociation = parser.parse_attribute()?;
    state.set_attribute(context, "reassociation", reassociation);
    parser.parse_keyword("output_shape")?;
    let shape = parse_index_list(parser, Delimiter::Square)?;
    shape.set(context, "static_output_shape", state);
    parser.parse_attribute_dictionary(state)?;
    let ty = parser.parse_colon_type()?;
    parser.parse_keyword("into")?;
    let result = parser.parse_type()?;
    parser.resolve_operand(source, ty, state)?;
    shape.resolve(parser, state)?;
    state.add_results(&[result]);
    Ok(())
}

pub(crate) fn print_expand_shape(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    if let Some(reassociation) = view.attribute("reassociation") {
        printer.text(" ");
        printer.attribute(reassociation);
    }
    printer.text(" output_shape [");
    let sizes: Vec<_> = view.operands().skip(1).collect();
    print_index_list(printer, &sizes, &numbers(view, "static_output_shape"));
    printer.text("]");
    printer.attribute_dictionary(view, &["reassociation", "static_output_shape"]);
    printer.text(" : ");
    printer.ty(view.ty(view.operand(0)));
    printer.text(" into ");
    printer.ty(view.ty(view.result(0)));
}

/// Returns the groups of dimensions of the expanded side.
pub(crate) fn groups(view: View<'_>) -> Vec<Vec<usize>> {
    let context = view.context;
    let lists = view.attribute("reassociation");
    let lists = lists.and_then(|a| a.as_array(context)).unwrap_or_default();
    lists
        .iter()
        .map(|list| {
            let numbers = list.as_array(context).unwrap_or_default().iter();
            numbers
                .map(|n| n.as_i64(context).and_then(|n| usize::try_from(n).ok()))
                .map(|n| n.unwrap_or(usize::MAX))
                .collect()
        })
        .collect()
}

/// Checks that `groups` divide the dimensions of `expanded` into those of `collapsed`.
pub(crate) fn check_groups(
    collapsed: &[Dimension],
    expanded: &[Dimension],
    groups: &[Vec<usize>],
) -> Result<(), String> {
    if collapsed.len() != groups.len() {
        return Err(format!(
            "invalid number of reassociation groups: found {}, expected {}",
            groups.len(),
            collapsed.len()
        ));
    }
    let mut next = 0;
    for (i, (group, whole)) in groups.iter().zip(collapsed).enumerate() {
        let mut product = Some(1);
        let mut is_dynamic = false;
        for dimension in group {
            if *dimension != next {
                return Err("reassociation indices must be contiguous".to_owned());
            }
            next += 1;
            let Some(part) = expanded.get(*dimension) else {
                return Err(format!("reassociation index {dimension} is out of bounds"));
            };
            is_dynamic |= part.is_none();
            product = times(product, size(*part));
        }
        if is_dynamic != whole.is_none() {
            return Err(format!(
                "collapsed dim ({i}) must be dynamic if and only if reassociation group is dynamic"
            ));
        }
        if let (false, Some(product), Some(whole)) = (is_dynamic, product, size(*whole))
            && product != whole
        {
            return Err(format!(
                "collapsed dim size ({whole}) must equal reassociation group size ({product})"
            ));
        }
    }
    if collapsed.is_empty() {
        if expanded.iter().any(|size| *size != Some(1)) {
            return Err("rank 0 memrefs can only be extended/collapsed with/from ones".to_owned());
        }
    } else if next != expanded.len() {
        return Err(format!(
            "expanded rank ({}) inconsistent with number of reassociation indices ({next})",
            expanded.len()
        ));
    }
    Ok(())
}

fn verify_expand_shape(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_expand_shape(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_expand_shape(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(source), Some(result)) = (parts(context, from), parts(context, to)) else {
        return Ok(());
    };
    if source.rank() > result.rank() {
        return Err(format!(
            "has source rank {} and result rank {}. This is not an expansion ({} > {}).",
            source.rank(),
            result.rank(),
            source.rank(),
            result.rank()
        ));
    }
    let groups = groups(view);
    check_groups(source.shape, result.shape, &groups)?;
    let expected = expanded_type(context, from, result.shape, &groups);
    let expected = expected.ok_or("invalid source layout map")?;
    if expected != to {
        return Err(format!(
            "expected expanded type to be {} but found {}",
            quoted(view, expected),
            quoted(view, to)
        ));
    }
    let sizes = numbers(view, "static_output_shape");
    if sizes.len() != result.rank() {
        return Err(format!(
            "expected number of static shape bounds to be equal to the output rank ({}) but found {} inputs instead",
            result.rank(),
            sizes.len()
        ));
    }
    let (dynamic, given) = (n_dynamic(&sizes), view.operands().len() - 1);
    if dynamic != given {
        return Err(format!(
            "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has {dynamic} dynamic \
             dims while output_shape has {given} values"
        ));
    }
    let wrong =
        |(found, number): (&Dimension, &i64)| size(*found).is_some_and(|found| found != *number);
    match result.shape.iter().zip(&sizes).position(wrong) {
        Some(position) => Err(format!("invalid output shape provided at pos {position}")),
        None => Ok(()),
    }
}

fn expanded_type(
    context: &Context,
    source: Type,
    shape: &[Dimension],
    groups: &[Vec<usize>],
) -> Option<Type> {
    let memref = parts(context, source)?;
    let mut layout = None;
    if !memref.is_identity(context) {
        let from = strided(context, source)?;
        let mut strides = Vec::new();
        for (group, unit) in groups.iter().zip(&from.strides) {
            let mut stride = *unit;
            let mut part = Vec::new();
            for dimension in group.iter().rev() {
                part.push(stride);
                stride = times(stride, size(shape[*dimension]));
            }
            strides.extend(part.into_iter().rev());
        }
        // A memory without dimensions is expanded to dimensions of size 1.
        strides.resize(shape.len(), Some(1));
        let offset = from.offset;
        layout = Some(Strided { strides, offset }.layout(context));
    }
    Some(
        Parts {
            shape,
            layout,
            ..memref
        }
        .ty(context),
    )
}

fn verify_collapse_shape(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_collapse_shape(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_collapse_shape(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (Some(source), Some(result)) = (parts(context, from), parts(context, to)) else {
        return Ok(());
    };
    if source.rank() < result.rank() {
        return Err(format!(
            "has source rank {} and result rank {}. This is not a collapse ({} < {}).",
            source.rank(),
            result.rank(),
            source.rank(),
            result.rank()
        ));
    }
    let groups = groups(view);
    check_groups(result.shape, source.shape, &groups)?;
    let mut layout = None;
    if !source.is_identity(context) {
        let from = strided(context, from);
        let strides = from
            .as_ref()
            .and_then(|from| collapsed(source.shape, from, &groups));
        let invalid = "invalid source layout map or collapsing non-contiguous dims";
        layout = Some(strides.ok_or(invalid)?.layout(context));
    }
    let expected = Parts {
        shape: result.shape,
        layout,
        ..source
    }
    .ty(context);
    if expected != to {
        return Err(format!(
            "expected collapsed type to be {} but found {}",
            quoted(view, expected),
            quoted(view, to)
        ));
    }
    Ok(())
}

/// Returns the strides of collapsed dimensions; `None` if the cells of a group are not contiguous.
fn collapsed(shape: &[Dimension], from: &Strided, groups: &[Vec<usize>]) -> Option<Strided> {
    let mut strides = Vec::new();
    for group in groups {
        let mut group = group.as_slice();
        while let [rest @ .., last] = group
            && !rest.is_empty()
            && shape[*last] == Some(1)
        {
            group = rest;
        }
        strides.push(match group {
            [] => Some(1),
            [.., last] if shape[*last].is_some() || group.len() == 1 => from.strides[*last],
            _ => None,
        });
    }
    for (group, stride) in groups.iter().zip(&strides) {
        let mut stride = *stride;
        for dimension in group.iter().skip(1).rev() {
            stride = times(stride, size(shape[*dimension]));
            let before = dimension - 1;
            if let (Some(stride), Some(found)) = (stride, from.strides[before])
                && stride != found
            {
                return None;
            }
        }
    }
    Some(Strided {
        strides,
        offset: from.offset,
    })
}
