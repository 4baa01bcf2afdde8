//! Checks that types, sizes and regions of operations on tensors fit each other.

use sluice_ir::text::print_type;
use sluice_ir::types::Dimension;
use sluice_ir::{Diagnostics, Type, TypeKind, View};

use super::{Bitcast, ExpandShape, ExtractSlice, Pad, Yield};
use crate::index_lists::{known, numbers};
use crate::linalg::{shape, word_type};
use crate::memref::{check_groups, groups, is_shape_without_ones};
use crate::messages::{op_error, quoted};

fn dimensions(view: View<'_>, ty: Type) -> &[Dimension] {
    shape(view.context, ty).unwrap_or_default()
}

/// Returns true if two sizes are equal where both are known.
fn may_be(a: Dimension, b: Dimension) -> bool {
    a.is_none() || b.is_none() || a == b
}

fn report(view: View<'_>, checked: Result<(), String>, diagnostics: &mut Diagnostics) {
    if let Err(message) = checked {
        op_error(view, diagnostics, message);
    }
}

/// Checks a conversion between tensors of the same shape: of the same elements or, for `bitcast`, of elements of the same width.
pub(super) fn verify_cast(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let sizes = shape(context, from).zip(shape(context, to));
    let fits = sizes
        .is_none_or(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_be(*a, *b)));
    let [a, b] = [from, to].map(|ty| ty.element_type(context));
    let is_same = match view.name() {
        Bitcast::NAME => {
            let width = |ty: Option<Type>| ty.and_then(|ty| ty.width_bits(context));
            width(a) == width(b)
        }
        _ => a == b,
    };
    if !fits || !is_same {
        let message = format!(
            "operand type {} and result type {} are cast incompatible",
            quoted(view, from),
            quoted(view, to)
        );
        op_error(view, diagnostics, message);
    }
}

/// Checks the dimensions that `collapse_shape` joins, or `expand_shape` divides.
pub(super) fn check_shapes(view: View<'_>) -> Result<(), String> {
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if word_type(view.context, from) != word_type(view.context, to) {
        return Err("expected operand and result of the same elements".to_owned());
    }
    let (source, result) = (dimensions(view, from), dimensions(view, to));
    match view.name() {
        ExpandShape::NAME => check_groups(source, result, &groups(view)),
        _ => check_groups(result, source, &groups(view)),
    }
}

pub(super) fn verify_collapse_shape(view: View<'_>, diagnostics: &mut Diagnostics) {
    report(view, check_shapes(view), diagnostics);
}

/// Checks that the sizes of a slice are those of its type.
pub(super) fn check_slice_type(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let (whole, part) = match view.name() {
        ExtractSlice::NAME => (view.ty(view.operand(0)), view.ty(view.result(0))),
        _ => (view.ty(view.operand(1)), view.ty(view.operand(0))),
    };
    let sizes = numbers(view, "static_sizes").into_iter();
    let sizes: Vec<Dimension> = sizes
        .map(|size| known(size).and_then(|size| u64::try_from(size).ok()))
        .collect();
    let element = word_type(context, whole);
    let what = if word_type(context, part) != element {
        "element type"
    } else if !is_shape_without_ones(&sizes, dimensions(view, part)) {
        "size"
    } else {
        return Ok(());
    };
    let expected = context.ty(TypeKind::RankedTensor {
        shape: sizes.into(),
        element,
        encoding: None,
    });
    Err(format!(
        "expected type to be '{}' or a rank-reduced version. ({what} mismatch) ",
        print_type(context, expected)
    ))
}

/// Checks the region that computes an element from its subscripts.
pub(super) fn check_region(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let body = view.inner();
    let ty = view.ty(view.result(0));
    let rank = dimensions(view, ty).len();
    let block = view
        .entry_block(0)
        .ok_or("expected a region with one block")?;
    let arguments = body.arguments(block);
    let are_subscripts = arguments
        .iter()
        .all(|value| body.ty(*value).is_index(context));
    if arguments.len() != rank || !are_subscripts {
        return Err(match view.name() {
            Pad::NAME => format!("expected the block to have {rank} arguments"),
            _ => "must have one body argument per input dimension".to_owned(),
        });
    }
    let last = body
        .last_operation(block)
        .map(|op| View::new(context, body, op));
    let is_element = last.is_some_and(|last| {
        last.name() == Yield::NAME && last.operand_types().eq([word_type(context, ty)])
    });
    match is_element {
        true => Ok(()),
        false => Err(
            "body must be terminated with a `yield` operation of the tensor element type"
                .to_owned(),
        ),
    }
}

pub(super) fn verify_generate(view: View<'_>, diagnostics: &mut Diagnostics) {
    super::values::verify_extents(view, diagnostics);
    report(view, check_region(view), diagnostics);
}

/// Checks that the padding makes the sizes of the result.
pub(super) fn check_padded(view: View<'_>) -> Result<(), String> {
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let (source, result) = (dimensions(view, from), dimensions(view, to));
    let low = numbers(view, "static_low");
    let high = numbers(view, "static_high");
    let sizes = source.iter().zip(low.iter().zip(&high));
    let sizes: Vec<Dimension> = sizes
        .map(|(size, (low, high))| {
            let size = i64::try_from((*size)?).ok()?;
            let padded = size.checked_add(known(*low)?)?.checked_add(known(*high)?)?;
            u64::try_from(padded).ok()
        })
        .collect();
    let fits = sizes.len() == result.len() && sizes.iter().zip(result).all(|(a, b)| may_be(*a, *b));
    if fits && word_type(view.context, from) == word_type(view.context, to) {
        return Ok(());
    }
    let inferred = view.context.ty(TypeKind::RankedTensor {
        shape: sizes.into(),
        element: word_type(view.context, from),
        encoding: None,
    });
    Err(format!(
        "specified type {} does not match the inferred type {}",
        quoted(view, to),
        quoted(view, inferred)
    ))
}

pub(super) fn verify_reshape(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    let counts = from.n_elements(context).zip(to.n_elements(context));
    if word_type(context, from) != word_type(context, to) {
        let message = "element types of source and destination tensor types should be the same";
        op_error(view, diagnostics, message);
    } else if counts.is_some_and(|(a, b)| a != b) {
        let message = "source and destination tensor should have the same number of elements";
        op_error(view, diagnostics, message);
    }
}

pub(super) fn verify_concat(view: View<'_>, diagnostics: &mut Diagnostics) {
    report(view, check_concat(view), diagnostics);
}

fn check_concat(view: View<'_>) -> Result<(), String> {
    let to = view.ty(view.result(0));
    let result = dimensions(view, to);
    let dim = view
        .attribute("dim")
        .and_then(|dim| dim.as_i64(view.context));
    let dim = dim
        .and_then(|dim| usize::try_from(dim).ok())
        .unwrap_or(usize::MAX);
    if view.operands().len() == 0 {
        return Err("requires at least one input".to_owned());
    }
    if dim >= result.len() {
        return Err("concatenation dim must be less than the tensor rank".to_owned());
    }
    let mut sum = Some(0u64);
    for ty in view.operand_types() {
        let input = dimensions(view, ty);
        if input.len() != result.len() {
            return Err("rank of concatenated inputs must match result rank".to_owned());
        }
        if word_type(view.context, ty) != word_type(view.context, to) {
            return Err("inputs and result element type must match".to_owned());
        }
        let mut others = input.iter().zip(result).enumerate();
        if !others.all(|(i, (a, b))| i == dim || may_be(*a, *b)) {
            return Err(
                "static concatenation size mismatch along a non-concatenated dimension".to_owned(),
            );
        }
        sum = sum
            .zip(input[dim])
            .and_then(|(sum, size)| sum.checked_add(size));
    }
    match may_be(sum, result[dim]) {
        true => Ok(()),
        false => Err(format!(
            "expected a result of size {} along dimension {dim}, the sum of its inputs",
            sum.unwrap_or(0)
        )),
    }
}
