//! Folds of arith in addition to constant evaluation.

use smallvec::{SmallVec, smallvec};

use sluice_ir::bits::Bits;
use sluice_ir::definition::FoldResult;
use sluice_ir::{Attribute, Context, View};

/// Returns the bits of a constant operand.
fn bits(context: &Context, constant: Option<Attribute>) -> Option<&Bits> {
    constant?.integer(context)
}

fn same(view: View<'_>, index: usize) -> Option<SmallVec<[FoldResult; 1]>> {
    Some(smallvec![FoldResult::Value(view.operand(index))])
}

fn zero(view: View<'_>) -> Option<SmallVec<[FoldResult; 1]>> {
    let ty = view.ty(view.result(0));
    let width = ty.width_bits(view.context)?;
    Some(smallvec![FoldResult::Constant(
        view.context.integer_attribute(ty, Bits::zero(width))
    )])
}

pub(super) fn fold_add(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    bits(view.context, constants[1])
        .filter(|b| b.is_zero())
        .and_then(|_| same(view, 0))
}

pub(super) fn fold_sub(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.operand(0) == view.operand(1) {
        return zero(view);
    }
    fold_add(view, constants)
}

pub(super) fn fold_mul(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    match bits(view.context, constants[1])? {
        b if b.is_zero() => zero(view),
        b if b.is_one() => same(view, 0),
        _ => None,
    }
}

pub(super) fn fold_and(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.operand(0) == view.operand(1) {
        return same(view, 0);
    }
    match bits(view.context, constants[1])? {
        b if b.is_zero() => zero(view),
        b if b.is_all_ones() => same(view, 0),
        _ => None,
    }
}

pub(super) fn fold_or(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.operand(0) == view.operand(1) {
        return same(view, 0);
    }
    match bits(view.context, constants[1])? {
        b if b.is_zero() => same(view, 0),
        b if b.is_all_ones() => same(view, 1),
        _ => None,
    }
}

pub(super) fn fold_xor(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.operand(0) == view.operand(1) {
        return zero(view);
    }
    fold_add(view, constants)
}

pub(super) fn fold_shift(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    fold_add(view, constants)
}

pub(super) fn fold_division(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    bits(view.context, constants[1])
        .filter(|b| b.is_one())
        .and_then(|_| same(view, 0))
}

pub(super) fn fold_extremum(
    view: View<'_>,
    _: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    (view.operand(0) == view.operand(1))
        .then(|| same(view, 0))
        .flatten()
}

pub(super) fn fold_select(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.operand(1) == view.operand(2) {
        return same(view, 1);
    }
    let condition = bits(view.context, constants[0])?;
    same(view, if condition.is_zero() { 2 } else { 1 })
}

/// Folds comparisons of equal operands, and comparisons with the ends of the range that are always true or always false.
pub(super) fn fold_compare(
    view: View<'_>,
    constants: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    if view.ty(view.result(0)).integer_width_bits(view.context) != Some(1) {
        return None;
    }
    let predicate = view.attribute("predicate")?.as_i64(view.context)?;
    let holds = if view.operand(0) == view.operand(1) {
        matches!(predicate, 0 | 3 | 5 | 7 | 9)
    } else if let Some(end) = bits(view.context, constants[1]) {
        decided_by_end(predicate, end)?
    } else {
        // `end < x` is `x > end`: less and greater are exchanged.
        let mirrored = match predicate {
            2..=5 => 2 + ((predicate - 2) ^ 2),
            6..=9 => 6 + ((predicate - 6) ^ 2),
            _ => predicate,
        };
        decided_by_end(mirrored, bits(view.context, constants[0])?)?
    };
    Some(smallvec![FoldResult::Constant(
        view.context.bool_attribute(holds)
    )])
}

/// Returns the result of `x predicate end` if it is the same for every `x`.
fn decided_by_end(predicate: i64, end: &Bits) -> Option<bool> {
    let width = end.width();
    let is_smallest_signed = *end == Bits::signed_min(width);
    let is_largest_signed = *end == Bits::signed_max(width);
    match predicate {
        2 if is_smallest_signed => Some(false),
        5 if is_smallest_signed => Some(true),
        4 if is_largest_signed => Some(false),
        3 if is_largest_signed => Some(true),
        6 if end.is_zero() => Some(false),
        9 if end.is_zero() => Some(true),
        8 if end.is_all_ones() => Some(false),
        7 if end.is_all_ones() => Some(true),
        _ => None,
    }
}

/// Folds `cast(inverse(x)) = x` if no bit is lost, and a cast between equal types.
pub(super) fn fold_cast(
    view: View<'_>,
    _: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let (from, to) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if from == to {
        return same(view, 0);
    }
    let inner = view.at(view.body.defining_operation(view.operand(0))?);
    let undone = match view.name() {
        "arith.trunci" => matches!(inner.name(), "arith.extui" | "arith.extsi"),
        "arith.index_cast" => inner.name() == "arith.index_cast",
        "arith.index_castui" => inner.name() == "arith.index_castui",
        _ => false,
    };
    if !undone || view.ty(inner.operand(0)) != to {
        return None;
    }
    // A cast from index and back through a narrower integer loses bits.
    let lossless = from.width_bits(view.context)? >= to.width_bits(view.context)?;
    lossless.then(|| smallvec![FoldResult::Value(inner.operand(0))])
}
