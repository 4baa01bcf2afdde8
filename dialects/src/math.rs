//! math: integer functions with a meaning, float functions as text.

use smallvec::smallvec;

use sluice_ir::definition::Site;

use crate::arith::{FASTMATH_FLAGS, no_fastmath};
use crate::constraints::{FLOAT_LIKE, SIGNLESS_INTEGER_LIKE};

fn is_scalar(site: Site<'_>) -> bool {
    let mut types = site.operand_types.iter().chain(site.result_types);
    types.all(|ty| ty.width_bits(site.context).is_some())
}

sluice_ods::dialect! {
    dialect "math" { summary: "Mathematical functions", materialize_constant: crate::arith::materialize }

    /// Absolute value of a signed integer; the lowest value stays as it is.
    op Absi = "absi" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$operand attr-dict `:` type($result)",
        meaning: |site, algebra, x| {
            if !is_scalar(site) {
                return None;
            }
            let width = algebra.width(&x[0]);
            let zero = algebra.number(width, 0);
            let negative = algebra.slt(&x[0], &zero);
            let negated = algebra.neg(&x[0]);
            Some(smallvec![algebra.ite(&negative, &negated, &x[0])])
        },
    }

    /// Number of bits that are one.
    op Ctpop = "ctpop" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$operand attr-dict `:` type($result)",
        meaning: |site, algebra, x| {
            if !is_scalar(site) {
                return None;
            }
            Some(smallvec![algebra.count_ones(&x[0])])
        },
    }

    /// Number of zeros above the highest one.
    op Ctlz = "ctlz" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$operand attr-dict `:` type($result)",
        meaning: |site, algebra, x| {
            if !is_scalar(site) {
                return None;
            }
            Some(smallvec![algebra.count_leading_zeros(&x[0])])
        },
    }

    /// Number of zeros below the lowest one.
    op Cttz = "cttz" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$operand attr-dict `:` type($result)",
        meaning: |site, algebra, x| {
            if !is_scalar(site) {
                return None;
            }
            Some(smallvec![algebra.count_trailing_zeros(&x[0])])
        },
    }

    /// Power of integers, modulo 2 to their width; to a negative exponent the inverse, rounded to 0.
    op Ipowi = "ipowi" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| {
            if !is_scalar(site) {
                return None;
            }
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
            Some(smallvec![algebra.ite(&is_negative, &inverse, &power)])
        },
    }

    /// Power of a float and an integer.
    op Fpowi = "fpowi" {
        traits: [PURE, ELEMENTWISE],
        rules: [AllTypesMatch(&["lhs", "result"])],
        operands: { lhs: FLOAT_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)",
    }

    /// Product and sum with one rounding.
    op Fma = "fma" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { a: FLOAT_LIKE, b: FLOAT_LIKE, c: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `atan2`.
    op Atan2 = "atan2" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `copysign`.
    op Copysign = "copysign" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `powf`.
    op Powf = "powf" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `absf`.
    op Absf = "absf" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `acos`.
    op Acos = "acos" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `acosh`.
    op Acosh = "acosh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `asin`.
    op Asin = "asin" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `asinh`.
    op Asinh = "asinh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `atan`.
    op Atan = "atan" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `atanh`.
    op Atanh = "atanh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `cbrt`.
    op Cbrt = "cbrt" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `ceil`.
    op Ceil = "ceil" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `cos`.
    op Cos = "cos" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `cosh`.
    op Cosh = "cosh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `erf`.
    op Erf = "erf" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `exp`.
    op Exp = "exp" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `exp2`.
    op Exp2 = "exp2" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `expm1`.
    op Expm1 = "expm1" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `floor`.
    op Floor = "floor" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `log`.
    op Log = "log" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `log10`.
    op Log10 = "log10" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `log1p`.
    op Log1p = "log1p" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `log2`.
    op Log2 = "log2" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `round`.
    op Round = "round" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `roundeven`.
    op Roundeven = "roundeven" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `rsqrt`.
    op Rsqrt = "rsqrt" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `sin`.
    op Sin = "sin" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `sinh`.
    op Sinh = "sinh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Float function `sqrt`.
    op Sqrt = "sqrt" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `tan`.
    op Tan = "tan" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `tanh`.
    op Tanh = "tanh" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }

    /// Float function `trunc`.
    op Trunc = "trunc" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        fold: crate::math_fold::fold,
    }
}
