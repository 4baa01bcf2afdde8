//! Patterns for `arith`: merge constants of nested sums, cancel inverse operations, simplify extensions and floating-point
//! identities.
//!
//! Source: the folds and canonicalisations of MLIR's arith dialect.

use sluice_dialects::{arith, arith::OVERFLOW};
use sluice_ir::bits::Bits;
use sluice_ir::patterns::{Pattern, Rewriter};
use sluice_ir::types::FloatKind;
use sluice_ir::{Attribute, OperationId, Type, TypeKind, ValueId, View};

use super::tools::{become_op, become_value, constant, made_by, make, patterns, splat, width_of};

pub(super) const PATTERNS: &[&Pattern] = patterns! {
    "sum-of-sums" [arith::Addi::NAME, arith::Subi::NAME] sum_of_sums
    "sum-undone" [arith::Addi::NAME, arith::Subi::NAME] sum_undone
    "product-of-products" [arith::Muli::NAME] product_of_products
    "bits-undone" [arith::Andi::NAME, arith::Ori::NAME, arith::Xori::NAME] bits_undone
    "bits-of-extensions" [arith::Andi::NAME, arith::Ori::NAME, arith::Xori::NAME] bits_of_extensions
    "comparison-negated" [arith::Xori::NAME] comparison_negated
    "extremum-of-end" [arith::Maxsi::NAME, arith::Maxui::NAME, arith::Minsi::NAME, arith::Minui::NAME] extremum_of_end
    "float-identity" [
        arith::Addf::NAME, arith::Subf::NAME, arith::Mulf::NAME, arith::Divf::NAME, arith::Negf::NAME, arith::Minimumf::NAME, arith::Maximumf::NAME,
        arith::Minnumf::NAME, arith::Maxnumf::NAME
    ] float_identity
    "comparison-with-nan" [arith::Cmpf::NAME] comparison_with_nan
    "remainder-by-one" [arith::Remsi::NAME, arith::Remui::NAME] remainder_by_one
};

pub(super) fn number(view: View<'_>, value: ValueId) -> Option<Bits> {
    splat(view.context, view.body, value)
}

pub(super) fn result_type(view: View<'_>) -> Type {
    view.ty(view.result(0))
}

/// Returns the overflow flags that both operations have.
fn common_overflow(view: View<'_>, inner: View<'_>) -> Attribute {
    let flags = |view: View<'_>| {
        let attribute = view.attribute("overflowFlags");
        attribute
            .and_then(|a| OVERFLOW.value(view.context, a))
            .unwrap_or(0)
    };
    OVERFLOW.attribute(view.context, flags(view) & flags(inner))
}

/// Returns a value as `sign * x + constant`, if it is a sum or difference with a constant.
fn linear(view: View<'_>, value: ValueId) -> Option<(View<'_>, bool, ValueId, Bits)> {
    if let Some(sum) = made_by(view, value, arith::Addi::NAME) {
        let constant = number(sum, sum.operand(1))?;
        return Some((sum, true, sum.operand(0), constant));
    }
    let difference = made_by(view, value, arith::Subi::NAME)?;
    if let Some(constant) = number(difference, difference.operand(1)) {
        return Some((difference, true, difference.operand(0), constant.neg()));
    }
    let constant = number(difference, difference.operand(0))?;
    Some((difference, false, difference.operand(1), constant))
}

/// Merges the constants of nested sums and differences, as in `(x + a) + b` and `(a - x) + b`.
fn sum_of_sums(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let is_sum = view.name() == arith::Addi::NAME;
    let (left, right) = (view.operand(0), view.operand(1));
    // The sum is `s * x + k`. The choice between a sum and a difference follows upstream.
    let found = if let Some(b) = number(view, right) {
        linear(view, left).map(|(inner, positive, x, a)| {
            let k = if is_sum { a.add(&b) } else { a.sub(&b) };
            (inner, positive, x, k)
        })
    } else if let Some(b) = number(view, left).filter(|_| !is_sum) {
        linear(view, right).map(|(inner, positive, x, a)| (inner, !positive, x, b.sub(&a)))
    } else {
        None
    };
    let Some((inner, positive, x, k)) = found else {
        return false;
    };
    let (ty, flags) = (result_type(view), common_overflow(view, inner));
    let from_difference = inner.name() == arith::Subi::NAME;
    let inner_right = from_difference && number(inner, inner.operand(1)).is_some();
    // `(x - a) - b` stays a difference.
    let minus = positive && inner_right && !is_sum && number(view, right).is_some();
    let k = if minus { k.neg() } else { k };
    let k = constant(r, op, ty, k);
    let flags = [("overflowFlags", flags)];
    match (positive, minus) {
        (true, true) => become_op(r, op, arith::Subi::NAME, &[x, k], &flags),
        (true, false) => become_op(r, op, arith::Addi::NAME, &[x, k], &flags),
        (false, _) => become_op(r, op, arith::Subi::NAME, &[k, x], &flags),
    }
}

/// Cancels inverse terms: `(a - b) + b`, `(a + b) - b`, `x + y * -1`, `(a - b) - a`.
fn sum_undone(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (a, b) = (view.operand(0), view.operand(1));
    if view.name() == arith::Addi::NAME {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(inner) = made_by(view, one, arith::Subi::NAME)
                && inner.operand(1) == other
            {
                let value = inner.operand(0);
                return become_value(r, op, value);
            }
        }
        for (one, other) in [(b, a), (a, b)] {
            if let Some(inner) = made_by(view, one, arith::Muli::NAME)
                && number(inner, inner.operand(1)).is_some_and(|bits| bits.is_all_ones())
            {
                let value = inner.operand(0);
                return become_op(r, op, arith::Subi::NAME, &[other, value], &[]);
            }
        }
        return false;
    }
    if let Some(inner) = made_by(view, a, arith::Addi::NAME) {
        let (x, y) = (inner.operand(0), inner.operand(1));
        if y == b {
            return become_value(r, op, x);
        }
        if x == b {
            return become_value(r, op, y);
        }
    }
    if let Some(inner) = made_by(view, a, arith::Subi::NAME).filter(|inner| inner.operand(0) == b)
        && let Some(width) = width_of(view.context, result_type(view))
    {
        let (y, ty) = (inner.operand(1), result_type(view));
        let zero = constant(r, op, ty, Bits::zero(width));
        return become_op(r, op, arith::Subi::NAME, &[zero, y], &[]);
    }
    false
}

fn product_of_products(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let inner = made_by(view, view.operand(0), arith::Muli::NAME);
    let Some((inner, b)) = inner.zip(number(view, view.operand(1))) else {
        return false;
    };
    let Some(a) = number(inner, inner.operand(1)) else {
        return false;
    };
    let (x, ty) = (inner.operand(0), result_type(view));
    let flags = [("overflowFlags", common_overflow(view, inner))];
    let k = constant(r, op, ty, a.mul(&b));
    become_op(r, op, arith::Muli::NAME, &[x, k], &flags)
}

/// Simplifies bitwise operations on the same value: `x & ~x`, `x | ~x`, `(x ^ y) ^ y`, `x & (x & y)`.
fn bits_undone(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let name = view.name();
    let (a, b) = (view.operand(0), view.operand(1));
    let (ty, context) = (result_type(view), view.context);
    for (one, other) in [(a, b), (b, a)] {
        if name == arith::Xori::NAME {
            let Some(inner) = made_by(view, one, name) else {
                continue;
            };
            let (x, y) = (inner.operand(0), inner.operand(1));
            if x == other || y == other {
                return become_value(r, op, if x == other { y } else { x });
            }
            continue;
        }
        let inverted = made_by(view, one, arith::Xori::NAME).filter(|inner| {
            inner.operand(0) == other
                && number(*inner, inner.operand(1)).is_some_and(|bits| bits.is_all_ones())
        });
        if let Some(inner) = inverted {
            let ones = inner.operand(1);
            let width = width_of(context, ty).filter(|_| name == arith::Andi::NAME);
            let value = width.map(|width| constant(r, op, ty, Bits::zero(width)));
            return become_value(r, op, value.unwrap_or(ones));
        }
        if name == arith::Andi::NAME
            && let Some(inner) = made_by(view, one, name)
            && (inner.operand(0) == other || inner.operand(1) == other)
        {
            return become_value(r, op, one);
        }
    }
    false
}

/// Replaces a bitwise operation of two extended values by an extension of the bitwise operation.
fn bits_of_extensions(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    for extension in [arith::Extui::NAME, arith::Extsi::NAME] {
        let a = made_by(view, view.operand(0), extension);
        let b = made_by(view, view.operand(1), extension);
        let Some((a, b)) = a.zip(b) else { continue };
        let (x, y) = (a.operand(0), b.operand(0));
        let ty = view.ty(x);
        if view.ty(y) != ty {
            continue;
        }
        let name = view.name().to_owned();
        let inner = make(r, op, &name, &[x, y], ty, &[]);
        return become_op(r, op, extension, &[inner], &[]);
    }
    false
}

/// Replaces the negation of a comparison by the opposite comparison.
fn comparison_negated(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let is_true = number(view, view.operand(1)).is_some_and(|bits| bits.is_all_ones());
    let Some(inner) = made_by(view, view.operand(0), arith::Cmpi::NAME).filter(|_| is_true) else {
        return false;
    };
    let Some(predicate) = predicate(inner) else {
        return false;
    };
    let opposite = match predicate {
        0 => 1,
        1 => 0,
        2 => 5,
        3 => 4,
        4 => 3,
        5 => 2,
        6 => 9,
        7 => 8,
        8 => 7,
        _ => 6,
    };
    let operands: Vec<ValueId> = inner.operands().collect();
    let opposite = [("predicate", r.context.i64_attribute(opposite))];
    become_op(r, op, arith::Cmpi::NAME, &operands, &opposite)
}

pub(super) fn predicate(view: View<'_>) -> Option<i64> {
    view.attribute("predicate")?.as_i64(view.context)
}

/// Folds a minimum or maximum with the least or greatest value of the type to that value or to the other operand.
fn extremum_of_end(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(bits) = number(view, view.operand(1)) else {
        return false;
    };
    let width = bits.width();
    let (low, high) = match view.name().ends_with("si") {
        true => (Bits::signed_min(width), Bits::signed_max(width)),
        false => (Bits::zero(width), Bits::ones(width)),
    };
    let is_max = view.name().contains("max");
    let (absorbing, neutral) = if is_max { (high, low) } else { (low, high) };
    let value = match bits {
        bits if bits == absorbing => view.operand(1),
        bits if bits == neutral => view.operand(0),
        _ => return false,
    };
    become_value(r, op, value)
}

/// Returns the widths of exponent and mantissa of an IEEE format.
fn layout(kind: FloatKind) -> Option<(u32, u32)> {
    match kind {
        FloatKind::F16 => Some((5, 10)),
        FloatKind::BF16 => Some((8, 7)),
        FloatKind::F32 => Some((8, 23)),
        FloatKind::F64 => Some((11, 52)),
        _ => None,
    }
}

fn is_not_a_number(kind: FloatKind, bits: &Bits) -> bool {
    layout(kind).is_some_and(|(exponent, mantissa)| {
        let infinity = ((1u64 << exponent) - 1) << mantissa;
        let magnitude = bits.low_u64() & !(1u64 << (exponent + mantissa));
        magnitude > infinity
    })
}

/// Folds `x + -0.0`, `x - 0.0`, `x * 1.0`, `x / 1.0`, `--x`, and extrema with an infinity or of equal operands.
fn float_identity(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let (name, first) = (view.name(), view.operand(0));
    if name == arith::Negf::NAME {
        let Some(inner) = made_by(view, first, name) else {
            return false;
        };
        let value = inner.operand(0);
        return become_value(r, op, value);
    }
    let is_extremum = name.contains("min") || name.contains("max");
    let ty = result_type(view);
    let element = ty.element_type(view.context).unwrap_or(ty);
    let TypeKind::Float(kind) = element.kind(view.context) else {
        return false;
    };
    let bits = number(view, view.operand(1));
    let Some((exponent, mantissa)) = layout(*kind) else {
        return false;
    };
    let bits = bits.and_then(|bits| bits.to_u64());
    let sign = 1u64 << (exponent + mantissa);
    let infinity = ((1u64 << exponent) - 1) << mantissa;
    let one = ((1u64 << (exponent - 1)) - 1) << mantissa;
    let neutral = match name {
        arith::Minnumf::NAME => bits == Some(infinity),
        arith::Maxnumf::NAME => bits == Some(infinity | sign),
        arith::Addf::NAME => bits == Some(sign),
        arith::Subf::NAME => bits == Some(0),
        arith::Mulf::NAME | arith::Divf::NAME => bits == Some(one),
        arith::Minimumf::NAME => bits == Some(infinity),
        arith::Maximumf::NAME => bits == Some(infinity | sign),
        _ => false,
    };
    let same = is_extremum && first == view.operand(1);
    (neutral || same) && become_value(r, op, first)
}

/// Folds comparisons with NaN: an ordered one is false, an unordered one is true.
fn comparison_with_nan(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let is_nan = |value: ValueId| {
        number(view, value).is_some_and(|bits| {
            let ty = view.ty(value);
            let element = ty.element_type(view.context).unwrap_or(ty);
            match element.kind(view.context) {
                TypeKind::Float(kind) => is_not_a_number(*kind, &bits),
                _ => false,
            }
        })
    };
    if !is_nan(view.operand(0)) && !is_nan(view.operand(1)) {
        return false;
    }
    let Some(predicate) = predicate(view) else {
        return false;
    };
    let ty = result_type(view);
    let value = constant(r, op, ty, Bits::from_u64(1, u64::from(predicate >= 8)));
    become_value(r, op, value)
}

fn remainder_by_one(r: &mut Rewriter<'_>, op: OperationId) -> bool {
    let view = r.view(op);
    let Some(bits) = number(view, view.operand(1)).filter(|bits| bits.is_one()) else {
        return false;
    };
    let ty = result_type(view);
    let zero = constant(r, op, ty, Bits::zero(bits.width()));
    become_value(r, op, zero)
}
