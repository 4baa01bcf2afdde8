//! Dialect math: functions of integers and floats.

use sluice_ir::algebra::{
    Algebra, FloatFormat, FloatFunction, FloatOp, FloatPredicate, Rounding, special_values,
};
use sluice_ir::bits::Bits;
use sluice_ir::definition::Site;

use crate::arith::{FASTMATH_FLAGS, float_kind, is_compared, no_fastmath, tested_float};
use crate::constraints::{BOOL_LIKE, FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};

sluice_ods::dialect! {
    dialect "math" { summary: "Mathematical functions", materialize_constant: crate::arith::materialize }

    /// A number of bits of an integer, or its distance from 0.
    class Count {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$operand attr-dict `:` type($result)",
        defined_if: Site::is_scalar,
    }

    /// A function of floats.
    class Float {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
    }

    /// A function of a float.
    class FloatUnary: Float {
        operands: { operand: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// A function of two floats.
    class FloatBinary: Float {
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Whether a float is of a kind.
    class Class {
        since: 21,
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: BOOL_LIKE },
        rules: [Predicate {
            summary: "result type has i1 element type and same shape as operands",
            check: is_compared,
        }],
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)",
        infer: tested_float,
    }

    /// Absolute value of a signed integer; the lowest value stays as it is.
    op Absi = "absi": Count {
        value: |_, algebra, x| {
            let width = algebra.width(&x[0]);
            let zero = algebra.number(width, 0);
            let negative = algebra.slt(&x[0], &zero);
            let negated = algebra.neg(&x[0]);
            algebra.ite(&negative, &negated, &x[0])
        },
    }

    /// Number of bits that are one.
    op Ctpop = "ctpop": Count { value: |_, algebra, x| algebra.count_ones(&x[0]) }

    /// Number of zeros above the highest one.
    op Ctlz = "ctlz": Count { value: |_, algebra, x| algebra.count_leading_zeros(&x[0]) }

    /// Number of zeros below the lowest one.
    op Cttz = "cttz": Count { value: |_, algebra, x| algebra.count_trailing_zeros(&x[0]) }

    /// Power of integers, modulo 2^width; a negative exponent gives the inverse, rounded to 0.
    op Ipowi = "ipowi" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        value: |_, algebra, x| {
            let (base, exponent) = (&x[0], &x[1]);
            let width = algebra.width(base);
            let [zero, one] = [0, 1].map(|number| algebra.number(width, number));
            let minus = algebra.neg(&one);
            let (mut power, mut square) = (one.clone(), base.clone());
            for bit in 0..width {
                let times = algebra.mul(&power, &square);
                let is_set = algebra.extract(exponent, bit, 1);
                power = algebra.ite(&is_set, &times, &power);
                square = algebra.mul(&square, &square);
            }
            let is_negative = algebra.slt(exponent, &zero);
            let is_zero = algebra.eq(base, &zero);
            let undefined = algebra.and(&is_negative, &is_zero);
            let defined = algebra.not(&undefined);
            algebra.require(&defined, "0 has no power to a negative number");
            let is_odd = algebra.extract(exponent, 0, 1);
            let of_minus = algebra.ite(&is_odd, &minus, &one);
            let is_minus = algebra.eq(base, &minus);
            let others = algebra.ite(&is_minus, &of_minus, &zero);
            let is_one = algebra.eq(base, &one);
            let inverse = algebra.ite(&is_one, &one, &others);
            algebra.ite(&is_negative, &inverse, &power)
        },
        defined_if: Site::is_scalar,
    }

    /// Power of a float and an integer.
    op Fpowi = "fpowi" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [AllTypesMatch(&["lhs", "result"])],
        operands: { lhs: FLOAT_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)",
    }

    /// Product and sum with one rounding.
    op Fma = "fma": Float {
        operands: { a: FLOAT_LIKE, b: FLOAT_LIKE, c: FLOAT_LIKE },
        assembly: "$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        value: |site, algebra, x| algebra.float(FloatOp::Fma, float_kind(site, true)?, x),
    }

    /// The nearest value between two limits; the limits are in order.
    op Clampf = "clampf": Float {
        since: 22,
        operands: { value: FLOAT_LIKE, min: FLOAT_LIKE, max: FLOAT_LIKE },
        assembly: "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        value: |site, algebra, x| {
            let format = float_kind(site, true)?;
            let below = algebra.float(FloatOp::Minimum, format, &[x[0].clone(), x[2].clone()]);
            algebra.float(FloatOp::Maximum, format, &[below, x[1].clone()])
        },
    }

    /// Returns whether a float is NaN.
    op Isnan = "isnan": Class {
        value: |site, algebra, x| {
            let both = [x[0].clone(), x[0].clone()];
            algebra.float(FloatOp::Compare(FloatPredicate::Uno), float_kind(site, true)?, &both)
        },
    }

    /// Returns whether a float is an infinity.
    op Isinf = "isinf": Class {
        value: |site, algebra, x| {
            let format = float_kind(site, true)?;
            match special_values(format)?.infinity {
                None => algebra.number(1, 0),
                Some(infinity) => compare_magnitude(algebra, format, FloatPredicate::Oeq, &x[0], infinity),
            }
        },
    }

    /// Returns whether a float is neither an infinity nor NaN.
    op Isfinite = "isfinite": Class {
        value: |site, algebra, x| {
            let format = float_kind(site, true)?;
            match special_values(format)?.infinity {
                None => {
                    let both = [x[0].clone(), x[0].clone()];
                    algebra.float(FloatOp::Compare(FloatPredicate::Ord), format, &both)
                }
                Some(infinity) => compare_magnitude(algebra, format, FloatPredicate::Olt, &x[0], infinity),
            }
        },
    }

    /// Returns whether a float is finite and not below the normal numbers, nor zero.
    op Isnormal = "isnormal": Class {
        value: |site, algebra, x| {
            let format = float_kind(site, true)?;
            let special = special_values(format)?;
            let large = compare_magnitude(algebra, format, FloatPredicate::Oge, &x[0], special.smallest_normal);
            match special.infinity {
                None => large,
                Some(infinity) => {
                    let finite = compare_magnitude(algebra, format, FloatPredicate::Olt, &x[0], infinity);
                    algebra.and(&large, &finite)
                }
            }
        },
    }

    /// Sine and cosine.
    op Sincos = "sincos" {
        since: 22,
        traits: [PURE, ELEMENTWISE],
        rules: [AllTypesMatch(&["operand", "sin", "cos"])],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { sin: FLOAT_LIKE, cos: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)",
        meaning: |site, algebra, x| {
            let format = float_kind(site, true)?;
            let both = [FloatFunction::Sin, FloatFunction::Cos];
            Some(both.map(|function| algebra.float(FloatOp::Function(function), format, x)).into_iter().collect())
        },
    }

    /// Float function `atan2`.
    op Atan2 = "atan2": FloatBinary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Atan2), float_kind(site, true)?, x),
    }

    /// Float function `copysign`.
    op Copysign = "copysign": FloatBinary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::CopySign, float_kind(site, true)?, x),
    }

    /// Float function `powf`.
    op Powf = "powf": FloatBinary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Pow), float_kind(site, true)?, x),
    }

    /// Float function `absf`.
    op Absf = "absf": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Abs, float_kind(site, true)?, x),
    }

    /// Float function `acos`.
    op Acos = "acos": FloatUnary {}

    /// Float function `acosh`.
    op Acosh = "acosh": FloatUnary {}

    /// Float function `asin`.
    op Asin = "asin": FloatUnary {}

    /// Float function `asinh`.
    op Asinh = "asinh": FloatUnary {}

    /// Float function `atan`.
    op Atan = "atan": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Atan), float_kind(site, true)?, x),
    }

    /// Float function `atanh`.
    op Atanh = "atanh": FloatUnary {}

    /// Float function `cbrt`.
    op Cbrt = "cbrt": FloatUnary {}

    /// Float function `ceil`.
    op Ceil = "ceil": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::ToWhole(Rounding::Up), float_kind(site, true)?, x),
    }

    /// Float function `cos`.
    op Cos = "cos": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Cos), float_kind(site, true)?, x),
    }

    /// Float function `cosh`.
    op Cosh = "cosh": FloatUnary {}

    /// Float function `erf`.
    op Erf = "erf": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Erf), float_kind(site, true)?, x),
    }

    /// Float function `erfc`: 1 without `erf`.
    op Erfc = "erfc": FloatUnary { since: 21 }

    /// Float function `exp`.
    op Exp = "exp": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Exp), float_kind(site, true)?, x),
    }

    /// Float function `exp2`.
    op Exp2 = "exp2": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Exp2), float_kind(site, true)?, x),
    }

    /// Float function `expm1`.
    op Expm1 = "expm1": FloatUnary { fold: crate::math_fold::fold }

    /// Float function `floor`.
    op Floor = "floor": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::ToWhole(Rounding::Down), float_kind(site, true)?, x),
    }

    /// Float function `log`.
    op Log = "log": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Log), float_kind(site, true)?, x),
    }

    /// Float function `log10`.
    op Log10 = "log10": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Log10), float_kind(site, true)?, x),
    }

    /// Float function `log1p`.
    op Log1p = "log1p": FloatUnary { fold: crate::math_fold::fold }

    /// Float function `log2`.
    op Log2 = "log2": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Log2), float_kind(site, true)?, x),
    }

    /// Float function `round`.
    op Round = "round": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::ToWhole(Rounding::NearestAway), float_kind(site, true)?, x),
    }

    /// Float function `roundeven`.
    op Roundeven = "roundeven": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::ToWhole(Rounding::NearestEven), float_kind(site, true)?, x),
    }

    /// Float function `rsqrt`.
    op Rsqrt = "rsqrt": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Rsqrt), float_kind(site, true)?, x),
    }

    /// Float function `sin`.
    op Sin = "sin": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Sin), float_kind(site, true)?, x),
    }

    /// Float function `sinh`.
    op Sinh = "sinh": FloatUnary {}

    /// Float function `sqrt`.
    op Sqrt = "sqrt": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Sqrt, float_kind(site, true)?, x),
    }

    /// Float function `tan`.
    op Tan = "tan": FloatUnary { fold: crate::math_fold::fold }

    /// Float function `tanh`.
    op Tanh = "tanh": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::Function(FloatFunction::Tanh), float_kind(site, true)?, x),
    }

    /// Float function `trunc`.
    op Trunc = "trunc": FloatUnary {
        fold: crate::math_fold::fold,
        value: |site, algebra, x| algebra.float(FloatOp::ToWhole(Rounding::ToZero), float_kind(site, true)?, x),
    }
}

/// Compares the magnitude of a float with a constant.
fn compare_magnitude<A: Algebra>(
    algebra: &mut A,
    format: FloatFormat,
    predicate: FloatPredicate,
    value: &A::Word,
    limit: Bits,
) -> A::Word {
    let magnitude = algebra.float(FloatOp::Abs, format, std::slice::from_ref(value));
    let limit = algebra.constant(limit);
    algebra.float(FloatOp::Compare(predicate), format, &[magnitude, limit])
}
