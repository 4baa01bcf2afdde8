//! Tests of floats, clamps and pairs of functions as operations that have a circuit: comparisons, extremes, single functions.

use sluice_dialects::{arith, math};
use sluice_ir::algebra::{FloatPredicate, SpecialValues, special_values};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Builder, Context, OperationId, TypeKind, ValueId};

use crate::build::{all_named, binary, constant_bits, replace, unary};

/// Lowers the operations of a body. Those of vectors and of formats without arithmetic stay, and `legality` reports them.
pub(crate) fn lower_float_classes(context: &Context, body: &mut Body) {
    for kind in TESTS {
        for op in all_named(context, body, kind) {
            let TypeKind::Float(format) = body.ty(body.operand(op, 0)).kind(context) else {
                continue;
            };
            if let Some(special) = special_values(*format) {
                test(context, body, op, special);
            }
        }
    }
    for op in all_named(context, body, math::Clampf::NAME) {
        let [value, min, max] = [0, 1, 2].map(|index| body.operand(op, index));
        let mut builder = Builder::before(context, body, op);
        let below = binary(&mut builder, arith::Minimumf::NAME, value, max);
        let result = binary(&mut builder, arith::Maximumf::NAME, below, min);
        replace(body, op, &[result]);
    }
    for op in all_named(context, body, math::Sincos::NAME) {
        let operand = body.operand(op, 0);
        let ty = body.ty(operand);
        let mut builder = Builder::before(context, body, op);
        let sine = unary(&mut builder, math::Sin::NAME, operand, ty);
        let cosine = unary(&mut builder, math::Cos::NAME, operand, ty);
        replace(body, op, &[sine, cosine]);
    }
}

const TESTS: [&str; 4] = [
    math::Isfinite::NAME,
    math::Isinf::NAME,
    math::Isnan::NAME,
    math::Isnormal::NAME,
];

/// Replaces a test by comparisons: with itself, or of its magnitude with infinity or with the smallest normal number.
fn test(context: &Context, body: &mut Body, op: OperationId, special: SpecialValues) {
    let kind = crate::build::name(context, body, op);
    let operand = body.operand(op, 0);
    let mut builder = Builder::before(context, body, op);
    let result = match (kind, special.infinity) {
        (math::Isnan::NAME, _) => compare(&mut builder, FloatPredicate::Uno, operand, operand),
        (math::Isinf::NAME, Some(infinity)) => {
            magnitude(&mut builder, FloatPredicate::Oeq, operand, infinity)
        }
        (math::Isinf::NAME, None) => {
            constant_bits(&mut builder, context.integer_type(1), Bits::zero(1))
        }
        (math::Isfinite::NAME, Some(infinity)) => {
            magnitude(&mut builder, FloatPredicate::Olt, operand, infinity)
        }
        (math::Isfinite::NAME, None) => {
            compare(&mut builder, FloatPredicate::Ord, operand, operand)
        }
        (_, infinity) => {
            let smallest = special.smallest_normal;
            let large = magnitude(&mut builder, FloatPredicate::Oge, operand, smallest);
            match infinity {
                None => large,
                Some(infinity) => {
                    let finite = magnitude(&mut builder, FloatPredicate::Olt, operand, infinity);
                    binary(&mut builder, arith::Andi::NAME, large, finite)
                }
            }
        }
    };
    replace(body, op, &[result]);
}

/// Compares the magnitude of a float with a constant.
fn magnitude(
    builder: &mut Builder<'_>,
    predicate: FloatPredicate,
    operand: ValueId,
    limit: Bits,
) -> ValueId {
    let ty = builder.body.ty(operand);
    let absolute = unary(builder, math::Absf::NAME, operand, ty);
    let limit = constant_bits(builder, ty, limit);
    compare(builder, predicate, absolute, limit)
}

fn compare(
    builder: &mut Builder<'_>,
    predicate: FloatPredicate,
    a: ValueId,
    b: ValueId,
) -> ValueId {
    let number = FloatPredicate::ALL.iter().position(|p| *p == predicate);
    let number = number.and_then(|number| i64::try_from(number).ok());
    let number = builder
        .context
        .i64_attribute(number.expect("all predicates are there"));
    let bit = builder.context.integer_type(1);
    let op = builder.operation(arith::Cmpf::NAME, &[a, b], &[bit], &[("predicate", number)]);
    builder.body.result(op, 0)
}
