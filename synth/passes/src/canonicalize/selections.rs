//! Patterns for comparisons, selects and conversions: fold constants, nested selects, nested conversions.
//!
//! Source: the folds and canonicalisations of MLIR's arith dialect.

use sluice_dialects::arith;
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::{OperationId, TypeKind, ValueId};

use super::arith::{number, predicate, result_type};
use super::tools::{become_op, become_value, constant, made_by, make, patterns, width_of};

pub(super) const PATTERNS: &[&Pattern] = patterns! {
    "comparison-with-constant-on-the-left" [arith::Cmpi::NAME] constant_on_the_left
    "comparison-of-extensions" [arith::Cmpi::NAME] comparison_of_extensions
    "comparison-of-truth" [arith::Cmpi::NAME] comparison_of_truth
    "selection-of-truth" [arith::Select::NAME] selection_of_truth
    "selection-of-equal" [arith::Select::NAME] selection_of_equal
    "selection-of-selection" [arith::Select::NAME] selection_of_selection
    "selection-of-elements" [arith::Select::NAME] selection_of_elements
    "extension-of-extension" [arith::Extui::NAME, arith::Extsi::NAME] extension_of_extension
    "truncation" [arith::Trunci::NAME] truncation
    "cast-of-extension" [arith::IndexCast::NAME, arith::IndexCastui::NAME] cast_of_extension
    "bitcast-of-bitcast" [arith::Bitcast::NAME] bitcast_of_bitcast
};

fn constant_on_the_left(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let known = |value| sluice_ir::simplify::constant_of(view.context, view.body, value).is_some();
    let (a, b) = (view.operand(0), view.operand(1));
    let Some(old) = predicate(view).filter(|_| known(a) && !known(b)) else {
        return false;
    };
    let swapped = match old {
        2..=5 => 2 + ((old - 2) ^ 2),
        6..=9 => 6 + ((old - 6) ^ 2),
        _ => old,
    };
    let name = r.context.name("predicate");
    let swapped = r.context.i64_attribute(swapped);
    r.update(op, |body| {
        body.set_operands(op, &[b, a]);
        body.set_attribute(op, name, swapped);
    });
    true
}

/// Replaces the equality of two extended values by the equality of the values.
fn comparison_of_extensions(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(predicate) = predicate(view).filter(|p| *p < 2) else {
        return false;
    };
    for extension in [arith::Extsi::NAME, arith::Extui::NAME] {
        let a = made_by(view, view.operand(0), extension);
        let b = made_by(view, view.operand(1), extension);
        let Some((a, b)) = a.zip(b) else { continue };
        let (x, y) = (a.operand(0), b.operand(0));
        if view.ty(x) != view.ty(y) {
            continue;
        }
        let predicate = [("predicate", r.context.i64_attribute(predicate))];
        return become_op(r, op, arith::Cmpi::NAME, &[x, y], &predicate);
    }
    false
}

/// Folds `x != false`, `x == true`, and the comparison of an extended bit with zero.
fn comparison_of_truth(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some((predicate, bits)) = predicate(view).zip(number(view, view.operand(1))) else {
        return false;
    };
    let is_bit = |value: ValueId| width_of(view.context, view.ty(value)) == Some(1);
    let first = view.operand(0);
    if is_bit(first) {
        let same = match predicate {
            1 => bits.is_zero(),
            0 => bits.is_one(),
            _ => false,
        };
        return same && become_value(r, op, first);
    }
    if predicate != 1 || !bits.is_zero() {
        return false;
    }
    for extension in [arith::Extsi::NAME, arith::Extui::NAME] {
        if let Some(inner) = made_by(view, first, extension)
            && is_bit(inner.operand(0))
        {
            let value = inner.operand(0);
            return become_value(r, op, value);
        }
    }
    false
}

/// Replaces a select between the constants 0 and 1 by the condition, its negation or its extension.
fn selection_of_truth(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let condition = view.operand(0);
    let ty = result_type(view);
    let known = number(view, view.operand(1)).zip(number(view, view.operand(2)));
    let is_float = matches!(
        ty.element_type(view.context)
            .unwrap_or(ty)
            .kind(view.context),
        TypeKind::Float(_)
    );
    let Some((yes, no)) = known.filter(|_| !is_float) else {
        return false;
    };
    // A scalar condition must not become a vector.
    let shapes = ty.element_type(view.context).is_some()
        == view.ty(condition).element_type(view.context).is_some();
    let is_index = ty
        .element_type(view.context)
        .unwrap_or(ty)
        .is_index(view.context);
    if !shapes || is_index || !(yes.is_one() && no.is_zero() || yes.is_zero() && no.is_one()) {
        return false;
    }
    match (yes.width() == 1, yes.is_one()) {
        (true, true) => become_value(r, op, condition),
        (true, false) => {
            let one = constant(r, op, ty, Bits::from_u64(1, 1));
            become_op(r, op, arith::Xori::NAME, &[condition, one], &[])
        }
        (false, true) => become_op(r, op, arith::Extui::NAME, &[condition], &[]),
        (false, false) => {
            let bit = r.body().ty(condition);
            let one = constant(r, op, bit, Bits::from_u64(1, 1));
            let not = make(r, op, arith::Xori::NAME, &[condition, one], bit, &[]);
            become_op(r, op, arith::Extui::NAME, &[not], &[])
        }
    }
}

/// Folds `a == b ? a : b` to `b`, and `a != b ? a : b` to `a`.
fn selection_of_equal(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(compared) = made_by(view, view.operand(0), arith::Cmpi::NAME) else {
        return false;
    };
    let (yes, no) = (view.operand(1), view.operand(2));
    let operands = (compared.operand(0), compared.operand(1));
    if operands != (yes, no) && operands != (no, yes) {
        return false;
    }
    match predicate(compared) {
        Some(0) => become_value(r, op, no),
        Some(1) => become_value(r, op, yes),
        _ => false,
    }
}

/// Simplifies a select on a negated condition, and nested selects on the same condition.
fn selection_of_selection(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let name = arith::Select::NAME;
    let (condition, yes, no) = (view.operand(0), view.operand(1), view.operand(2));
    if let Some(inner) = made_by(view, no, name).filter(|inner| inner.operand(0) == condition) {
        let no = inner.operand(2);
        return become_op(r, op, name, &[condition, yes, no], &[]);
    }
    if let Some(inner) = made_by(view, yes, name).filter(|inner| inner.operand(0) == condition) {
        let yes = inner.operand(1);
        return become_op(r, op, name, &[condition, yes, no], &[]);
    }
    let negated = made_by(view, condition, arith::Xori::NAME)
        .filter(|inner| number(*inner, inner.operand(1)).is_some_and(|bits| bits.is_all_ones()));
    if let Some(inner) = negated {
        let condition = inner.operand(0);
        return become_op(r, op, name, &[condition, no, yes], &[]);
    }
    false
}

/// Folds a select on a constant vector, if the elements of the vector are equal or both values are constant vectors.
fn selection_of_elements(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    use sluice_ir::AttributeKind;
    let view = r.view(op);
    let context = view.context;
    let elements = |value: ValueId| -> Option<(Vec<Bits>, bool)> {
        let constant = sluice_ir::simplify::constant_of(context, view.body, value)?;
        match constant.kind(context) {
            AttributeKind::DenseElements { values, splat, .. } => Some((values.to_vec(), *splat)),
            _ => None,
        }
    };
    let Some((condition, splat)) = elements(view.operand(0)) else {
        return false;
    };
    if splat {
        let taken = view.operand(if condition[0].is_zero() { 2 } else { 1 });
        return become_value(r, op, taken);
    }
    let Some((yes, no)) = elements(view.operand(1)).zip(elements(view.operand(2))) else {
        return false;
    };
    let element =
        |(values, splat): &(Vec<Bits>, bool), i: usize| values[if *splat { 0 } else { i }].clone();
    let values = condition.iter().enumerate().map(|(i, condition)| {
        let from = if condition.is_zero() { &no } else { &yes };
        element(from, i)
    });
    let values: Box<[Bits]> = values.collect();
    let (ty, splat) = (result_type(view), false);
    let value = context.attribute(AttributeKind::DenseElements { ty, values, splat });
    become_op(r, op, arith::Constant::NAME, &[], &[("value", value)])
}

fn extension_of_extension(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let from_unsigned = made_by(view, view.operand(0), arith::Extui::NAME);
    let name = match (view.name(), from_unsigned) {
        (_, Some(_)) => arith::Extui::NAME,
        (arith::Extsi::NAME, None) => arith::Extsi::NAME,
        _ => return false,
    };
    let Some(inner) = made_by(view, view.operand(0), name) else {
        return false;
    };
    let value = inner.operand(0);
    become_op(r, op, name, &[value], &[])
}

/// Simplifies a truncation of an extension, of a truncation, or of an arithmetic shift whose sign bits are dropped.
fn truncation(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (from, context) = (view.operand(0), view.context);
    let ty = result_type(view);
    let Some(inner) = view
        .body
        .defining_operation(from)
        .map(|inner| view.at(inner))
    else {
        return false;
    };
    let name = inner.name();
    if name == arith::Trunci::NAME {
        let value = inner.operand(0);
        return become_op(r, op, arith::Trunci::NAME, &[value], &[]);
    }
    let Some(width) = width_of(context, ty) else {
        return false;
    };
    if matches!(name, arith::Extsi::NAME | arith::Extui::NAME) {
        let value = inner.operand(0);
        return match width_of(context, view.ty(value)).map(|from| from.cmp(&width)) {
            Some(std::cmp::Ordering::Equal) => become_value(r, op, value),
            Some(std::cmp::Ordering::Less) => {
                let name = name.to_owned();
                become_op(r, op, &name, &[value], &[])
            }
            Some(std::cmp::Ordering::Greater) => {
                become_op(r, op, arith::Trunci::NAME, &[value], &[])
            }
            None => false,
        };
    }
    let amount = (name == arith::Shrsi::NAME)
        .then(|| number(inner, inner.operand(1)))
        .flatten();
    let (Some(amount), Some(wide)) = (amount, width_of(context, view.ty(from))) else {
        return false;
    };
    if amount
        .to_u64()
        .is_none_or(|amount| amount != u64::from(wide - width))
    {
        return false;
    }
    let (x, by, wide) = (inner.operand(0), inner.operand(1), view.ty(from));
    let shifted = make(r, op, arith::Shrui::NAME, &[x, by], wide, &[]);
    become_op(r, op, arith::Trunci::NAME, &[shifted], &[])
}

fn cast_of_extension(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let extension = match view.name() {
        arith::IndexCast::NAME => arith::Extsi::NAME,
        _ => arith::Extui::NAME,
    };
    let Some(inner) = made_by(view, view.operand(0), extension) else {
        return false;
    };
    let (value, name) = (inner.operand(0), view.name().to_owned());
    become_op(r, op, &name, &[value], &[])
}

fn bitcast_of_bitcast(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(inner) = made_by(view, view.operand(0), arith::Bitcast::NAME) else {
        return false;
    };
    let value = inner.operand(0);
    if view.ty(value) == result_type(view) {
        return become_value(r, op, value);
    }
    become_op(r, op, arith::Bitcast::NAME, &[value], &[])
}
