//! The `arith-expand` pass: rounded quotients, extremes and conversions of bf16 become simpler operations of the dialect.
//!
//! Source: MLIR, `ExpandOps`. Operations that fold are folded first, as its driver does.

use rustc_hash::FxHashMap;
use sluice_dialects::arith;
use sluice_ir::definition::FoldResult;
use sluice_ir::simplify::fold;
use sluice_ir::types::FloatKind;
use sluice_ir::{Body, Builder, Context, Diagnostics, OperationId, Type, TypeKind, ValueId, View};

use crate::emit::{binary, integer, replace, value};

/// Predicates of `arith.cmpi`.
const EQ: i64 = 0;
const NE: i64 = 1;
const SLT: i64 = 2;
const SGT: i64 = 4;
const ULT: i64 = 6;
const UGT: i64 = 8;

/// Predicates of `arith.cmpf`: `u` holds for NaN too.
const FLOAT_UGT: i64 = 9;
const FLOAT_ULT: i64 = 11;
const FLOAT_UNE: i64 = 13;
const FLOAT_UNO: i64 = 14;

/// Expands the operations of a body.
pub(crate) fn expand(context: &Context, body: &mut Body, with_bf16: bool, found: &mut Diagnostics) {
    let ops: Vec<OperationId> = body.walk_all();
    let ops: Vec<OperationId> = ops
        .into_iter()
        .filter(|op| is_expanded(View::new(context, body, *op), with_bf16))
        .collect();
    for op in &ops {
        if let Err(message) = check(View::new(context, body, *op)) {
            found.error(body.location(*op), message);
        }
    }
    if found.has_errors() {
        return;
    }
    // As upstream: folds see the operands before any of them is replaced.
    let folds: Vec<Option<FoldResult>> = ops
        .iter()
        .map(|op| folded(View::new(context, body, *op)))
        .collect();
    let mut replaced: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    for (op, folded) in ops.into_iter().zip(folds) {
        let result = body.result(op, 0);
        let new = match folded {
            Some(FoldResult::Value(value)) => replaced.get(&value).copied().unwrap_or(value),
            Some(FoldResult::Constant(attribute)) => {
                let ty = body.ty(result);
                let mut builder = Builder::before(context, body, op);
                let attributes = [("value", attribute)];
                value(&mut builder, arith::Constant::NAME, &[], ty, &attributes)
            }
            None => expand_one(context, body, op),
        };
        replaced.insert(result, new);
        replace(body, op, &[new]);
    }
}

/// Returns what an operation folds to. The extreme of a float and itself is the float.
fn folded(view: View<'_>) -> Option<FoldResult> {
    let is_float = matches!(
        view.name(),
        arith::Maximumf::NAME | arith::Minimumf::NAME | arith::Maxnumf::NAME | arith::Minnumf::NAME
    );
    if is_float && view.operand(0) == view.operand(1) {
        return Some(FoldResult::Value(view.operand(0)));
    }
    fold(view)?.into_iter().next()
}

fn is_expanded(view: View<'_>, with_bf16: bool) -> bool {
    match view.name() {
        arith::Ceildivsi::NAME
        | arith::Ceildivui::NAME
        | arith::Floordivsi::NAME
        | arith::Maxsi::NAME
        | arith::Maxui::NAME
        | arith::Minsi::NAME
        | arith::Minui::NAME
        | arith::Maximumf::NAME
        | arith::Minimumf::NAME
        | arith::Maxnumf::NAME
        | arith::Minnumf::NAME => true,
        arith::Extf::NAME => with_bf16 && converts(view, FloatKind::BF16, FloatKind::F32),
        arith::Truncf::NAME => with_bf16 && converts(view, FloatKind::F32, FloatKind::BF16),
        _ => false,
    }
}

/// Returns true if a conversion is from the float type `from` to `to`.
fn converts(view: View<'_>, from: FloatKind, to: FloatKind) -> bool {
    let is = |value: ValueId, kind: FloatKind| {
        let ty = view.ty(value);
        let element = ty.element_type(view.context).unwrap_or(ty);
        matches!(element.kind(view.context), TypeKind::Float(found) if *found == kind)
    };
    is(view.operand(0), from) && is(view.result(0), to)
}

/// Refuses shapes for which there is no constant, and roundings other than the usual one.
fn check(view: View<'_>) -> Result<(), String> {
    let name = view.name();
    let ty = view.ty(view.result(0));
    let has_constant =
        ty.element_type(view.context).is_none() || ty.static_shape(view.context).is_some();
    let needs_constant = matches!(
        name,
        arith::Ceildivsi::NAME
            | arith::Ceildivui::NAME
            | arith::Floordivsi::NAME
            | arith::Extf::NAME
            | arith::Truncf::NAME
    );
    if needs_constant && !has_constant {
        return Err(format!(
            "`{name}` is expanded with constants of its type, which needs a static shape"
        ));
    }
    if name == arith::Truncf::NAME && view.attribute("roundingmode").is_some() {
        return Err(format!(
            "`{name}` to bf16 is expanded only without a rounding mode"
        ));
    }
    Ok(())
}

/// Emits what computes the result of `op`.
fn expand_one(context: &Context, body: &mut Body, op: OperationId) -> ValueId {
    let name = context.operation_text(body.name(op));
    let operands: Vec<ValueId> = body.operands(op).collect();
    let ty = body.ty(body.result(op, 0));
    let mut builder = Builder::before(context, body, op);
    let b = &mut builder;
    let (x, y) = (operands[0], operands.get(1).copied().unwrap_or(operands[0]));
    match name {
        arith::Ceildivsi::NAME => signed_ceiling(b, x, y),
        arith::Ceildivui::NAME => unsigned_ceiling(b, x, y),
        arith::Floordivsi::NAME => floor(b, x, y),
        arith::Maxsi::NAME => extreme(b, SGT, x, y),
        arith::Maxui::NAME => extreme(b, UGT, x, y),
        arith::Minsi::NAME => extreme(b, SLT, x, y),
        arith::Minui::NAME => extreme(b, ULT, x, y),
        arith::Maximumf::NAME => float_extreme(b, FLOAT_UGT, (x, y), y),
        arith::Minimumf::NAME => float_extreme(b, FLOAT_ULT, (x, y), y),
        arith::Maxnumf::NAME => float_extreme(b, FLOAT_UGT, (x, y), x),
        arith::Minnumf::NAME => float_extreme(b, FLOAT_ULT, (x, y), x),
        arith::Extf::NAME => from_bf16(b, x, ty),
        _ => to_bf16(b, x, ty),
    }
}

/// Returns a type with the shape of `ty` and another element.
fn with_element(context: &Context, ty: Type, element: Type) -> Type {
    let mut kind = ty.kind(context).clone();
    match &mut kind {
        TypeKind::Vector { element: old, .. }
        | TypeKind::RankedTensor { element: old, .. }
        | TypeKind::UnrankedTensor(old) => *old = element,
        _ => return element,
    }
    context.ty(kind)
}

fn compare(b: &mut Builder<'_>, name: &str, predicate: i64, x: ValueId, y: ValueId) -> ValueId {
    let context = b.context;
    let ty = with_element(context, b.body.ty(x), context.integer_type(1));
    let number = context.i64_attribute(predicate);
    value(b, name, &[x, y], ty, &[("predicate", number)])
}

/// Compares integers.
fn integers(b: &mut Builder<'_>, predicate: i64, x: ValueId, y: ValueId) -> ValueId {
    compare(b, arith::Cmpi::NAME, predicate, x, y)
}

/// Compares floats.
fn floats(b: &mut Builder<'_>, predicate: i64, x: ValueId, y: ValueId) -> ValueId {
    compare(b, arith::Cmpf::NAME, predicate, x, y)
}

fn select(b: &mut Builder<'_>, condition: ValueId, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.body.ty(x);
    value(b, arith::Select::NAME, &[condition, x, y], ty, &[])
}

fn extreme(b: &mut Builder<'_>, predicate: i64, x: ValueId, y: ValueId) -> ValueId {
    let first = integers(b, predicate, x, y);
    select(b, first, x, y)
}

/// The extreme of two floats; if `tested` is NaN, the second one.
fn float_extreme(
    b: &mut Builder<'_>,
    predicate: i64,
    (x, y): (ValueId, ValueId),
    tested: ValueId,
) -> ValueId {
    let first = floats(b, predicate, x, y);
    let chosen = select(b, first, x, y);
    let is_nan = floats(b, FLOAT_UNO, tested, tested);
    select(b, is_nan, y, chosen)
}

/// With a nonzero dividend `x`: `(x - 1) / y + 1`.
fn unsigned_ceiling(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.body.ty(x);
    let zero = integer(b, ty, 0);
    let is_zero = integers(b, EQ, x, zero);
    let one = integer(b, ty, 1);
    let less = binary(b, arith::Subi::NAME, x, one);
    let quotient = binary(b, arith::Divui::NAME, less, y);
    let more = binary(b, arith::Addi::NAME, quotient, one);
    select(b, is_zero, zero, more)
}

/// If the quotient is positive, the dividend is moved towards zero by one and the quotient away from it. Otherwise the quotient
/// that is rounded to zero is the ceiling.
fn signed_ceiling(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.body.ty(x);
    let one = integer(b, ty, 1);
    let zero = integer(b, ty, 0);
    let minus_one = integer(b, ty, -1);
    let is_positive = integers(b, SGT, y, zero);
    let step = select(b, is_positive, minus_one, one);
    let nearer = binary(b, arith::Addi::NAME, step, x);
    let quotient = binary(b, arith::Divsi::NAME, nearer, y);
    let positive = binary(b, arith::Addi::NAME, one, quotient);
    let negated = binary(b, arith::Subi::NAME, zero, x);
    let quotient = binary(b, arith::Divsi::NAME, negated, y);
    let other = binary(b, arith::Subi::NAME, zero, quotient);
    let x_below = integers(b, SLT, x, zero);
    let x_above = integers(b, SGT, x, zero);
    let y_below = integers(b, SLT, y, zero);
    let y_above = integers(b, SGT, y, zero);
    let both_below = binary(b, arith::Andi::NAME, x_below, y_below);
    let both_above = binary(b, arith::Andi::NAME, x_above, y_above);
    let same_sign = binary(b, arith::Ori::NAME, both_below, both_above);
    select(b, same_sign, positive, other)
}

/// The quotient is rounded to zero, and is one too large if it has a remainder and the signs differ.
fn floor(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.body.ty(x);
    let quotient = binary(b, arith::Divsi::NAME, x, y);
    let product = binary(b, arith::Muli::NAME, quotient, y);
    let has_remainder = integers(b, NE, x, product);
    let zero = integer(b, ty, 0);
    let x_below = integers(b, SLT, x, zero);
    let y_below = integers(b, SLT, y, zero);
    let signs_differ = integers(b, NE, x_below, y_below);
    let is_rounded = binary(b, arith::Andi::NAME, has_remainder, signs_differ);
    let minus_one = integer(b, ty, -1);
    let less = binary(b, arith::Addi::NAME, quotient, minus_one);
    select(b, is_rounded, less, quotient)
}

/// The bits of bf16 are the upper half of those of f32.
fn from_bf16(b: &mut Builder<'_>, x: ValueId, ty: Type) -> ValueId {
    let context = b.context;
    let half = with_element(context, ty, context.integer_type(16));
    let whole = with_element(context, ty, context.integer_type(32));
    let bits = value(b, arith::Bitcast::NAME, &[x], half, &[]);
    let bits = value(b, arith::Extui::NAME, &[bits], whole, &[]);
    let width = integer(b, whole, 16);
    let bits = binary(b, arith::Shli::NAME, bits, width);
    value(b, arith::Bitcast::NAME, &[bits], ty, &[])
}

/// Takes the nearest value, and the even one of two equally near ones. NaN becomes one quiet NaN.
fn to_bf16(b: &mut Builder<'_>, x: ValueId, ty: Type) -> ValueId {
    let context = b.context;
    let half = with_element(context, ty, context.integer_type(16));
    let whole = with_element(context, ty, context.integer_type(32));
    let is_nan = floats(b, FLOAT_UNE, x, x);
    let below_half = integer(b, whole, 0x7fff);
    let nan = integer(b, half, 0x7fc0);
    let width = integer(b, whole, 16);
    let one = integer(b, whole, 1);
    let bits = value(b, arith::Bitcast::NAME, &[x], whole, &[]);
    let upper = binary(b, arith::Shrui::NAME, bits, width);
    let is_odd = binary(b, arith::Andi::NAME, upper, one);
    let bias = binary(b, arith::Addi::NAME, is_odd, below_half);
    let rounded = binary(b, arith::Addi::NAME, bits, bias);
    let rounded = binary(b, arith::Shrui::NAME, rounded, width);
    let rounded = value(b, arith::Trunci::NAME, &[rounded], half, &[]);
    let bits = select(b, is_nan, nan, rounded);
    value(b, arith::Bitcast::NAME, &[bits], ty, &[])
}
