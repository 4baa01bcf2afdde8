//! Dialect arith: integer and float arithmetic.

mod casts;
mod enums;
mod fold;

use smallvec::{SmallVec, smallvec};

use sluice_ir::algebra::{FloatOp, FloatPredicate};
use sluice_ir::definition::{Site, TypeConstraint};
use sluice_ir::types::FloatKind;
use sluice_ir::{
    Attribute, AttributeKind, Context, Diagnostics, Location, NewOperation, Type, TypeKind, View,
};

use crate::constraints::{
    ANY_TYPE, BOOL_LIKE, FLOAT_LIKE, INTEGER_LIKE_OR_MEMREF, SIGNLESS_FIXED_WIDTH,
    SIGNLESS_INTEGER_LIKE, TYPED_VALUE, UNIT,
};

use crate::defined::{
    divides_by_constant, divides_by_safe_constant, divisor_is_not_zero, quotient_fits, shift_fits,
};
use crate::messages::{op_error, quoted};

pub(crate) use casts::verify_index_cast;
pub use enums::allows_reassociation;
pub(crate) use enums::no_fastmath;
pub use enums::{
    ATOMIC_KIND, ATOMIC_KINDS, FASTMATH, FASTMATH_FLAGS, FLOAT_PREDICATE, FLOAT_PREDICATES,
    INTEGER_PREDICATE, INTEGER_PREDICATES, OVERFLOW, OVERFLOW_FLAGS, ROUNDING_MODE, ROUNDING_MODES,
};
use enums::{FASTMATH_ATTRIBUTE, OVERFLOW_ATTRIBUTE, no_overflow};
use fold::{
    fold_add, fold_and, fold_cast, fold_compare, fold_division, fold_extremum, fold_mul, fold_or,
    fold_select, fold_shift, fold_sub, fold_xor,
};

/// Returns the operation that holds a constant.
pub fn materialize(
    context: &Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<NewOperation> {
    let mut new = NewOperation::new(context.operation_name("arith.constant"), location);
    new.result_types.push(ty);
    new.attributes.push((context.name("value"), value));
    Some(new)
}

fn compared_integers(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    check_compared(site, "lhs", &SIGNLESS_INTEGER_LIKE)?;
    compared(site)
}

fn compared_floats(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    check_compared(site, "lhs", &FLOAT_LIKE)?;
    compared(site)
}

/// Infers the result of a test of a float.
pub(crate) fn tested_float(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    check_compared(site, "operand", &FLOAT_LIKE)?;
    compared(site)
}

/// Checks the operand type: the result type is only known for valid operands.
fn check_compared(site: Site<'_>, name: &str, constraint: &TypeConstraint) -> Result<(), String> {
    match site.operand_types.first() {
        Some(ty) if !constraint.accepts(site.context, *ty) => Err(format!(
            "'{name}' must be {}, but got '{}'",
            constraint.description(),
            sluice_ir::text::print_type(site.context, *ty)
        )),
        _ => Ok(()),
    }
}

/// Returns true if the result of a comparison has the type that follows from the operands.
pub(crate) fn is_compared(view: View<'_>) -> bool {
    let wanted = view.with_site(compared);
    wanted.is_ok_and(|wanted| view.result_types().eq(wanted))
}

/// Returns `i1`, or a vector or tensor of it with the shape of the operands.
fn compared(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let operand = site
        .operand_types
        .first()
        .ok_or("a comparison has operands")?;
    Ok(smallvec![of_bits(site.context, *operand)])
}

/// Returns the vector or tensor type `ty` with `i1` as elements; `i1` for any other type.
fn of_bits(context: &Context, ty: Type) -> Type {
    let bit = context.integer_type(1);
    let mut kind = ty.kind(context).clone();
    match &mut kind {
        TypeKind::Vector { element, .. }
        | TypeKind::RankedTensor { element, .. }
        | TypeKind::UnrankedTensor(element) => *element = bit,
        _ => return bit,
    }
    context.ty(kind)
}

/// Returns the float format of the first operand or of the first result.
pub(crate) fn float_kind(site: Site<'_>, operand: bool) -> Option<FloatKind> {
    let ty = if operand {
        *site.operand_types.first()?
    } else {
        *site.result_types.first()?
    };
    match ty.kind(site.context) {
        TypeKind::Float(kind) => Some(*kind),
        _ => None,
    }
}

/// Returns true if the types are scalars, and the rounding mode is the default one.
fn is_rounded_scalar(site: Site<'_>) -> bool {
    site.is_scalar() && rounds_to_nearest_even(site)
}

/// Returns true if a float operation uses the default rounding mode.
fn rounds_to_nearest_even(site: Site<'_>) -> bool {
    let mode = site.attribute("roundingmode");
    mode.is_none_or(|mode| ROUNDING_MODES.value(site.context, mode) == Some(0))
}

fn constant_type(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let value = site.attribute("value").ok_or("a constant has a value")?;
    let ty = type_of(site.context, value).ok_or("the value of a constant has a type")?;
    Ok(smallvec![ty])
}

/// Returns the type of a value; a string without a type has type `none`.
fn type_of(context: &Context, value: Attribute) -> Option<Type> {
    match value.kind(context) {
        AttributeKind::String { ty: None, .. } => Some(context.none_type()),
        _ => value.ty(context),
    }
}

fn verify_constant(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (Some(value), ty) = (view.attribute("value"), view.ty(view.result(0))) else {
        return;
    };
    let is_elements = matches!(
        value.kind(context),
        AttributeKind::DenseElements { .. }
            | AttributeKind::DenseStrings { .. }
            | AttributeKind::SparseElements { .. }
            | AttributeKind::DenseResource { .. }
    );
    let is_splat = matches!(
        value.kind(context),
        AttributeKind::DenseElements { splat: true, .. }
    );
    let is_number = matches!(
        value.kind(context),
        AttributeKind::Integer { .. } | AttributeKind::Float { .. }
    );
    let is_scalable =
        matches!(ty.kind(context), TypeKind::Vector { scalable, .. } if scalable.contains(&true));
    let message = if ty.integer_width_bits(context).is_some() && !ty.is_signless_integer(context) {
        "integer return type must be signless"
    } else if !is_number && !is_elements {
        "value must be an integer, float, or elements attribute"
    } else if is_scalable && !is_splat {
        "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
    } else {
        return;
    };
    diagnostics.error(view.location(), format!("'arith.constant' op {message}"));
}

sluice_ods::dialect! {
    dialect "arith" {
        summary: "Integer and float arithmetic",
        attributes: [OVERFLOW_ATTRIBUTE, FASTMATH_ATTRIBUTE],
        materialize_constant: materialize,
    }

    /// Two integers of one type, and a result of that type.
    class IntegerBinary {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { result: SIGNLESS_INTEGER_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        defined_if: Site::is_scalar,
    }

    /// The same, with overflow flags.
    class Wrapping: IntegerBinary {
        traits: [PURE],
        attributes: { overflow_flags("overflowFlags"): OVERFLOW_FLAGS = no_overflow },
        assembly: "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
    }

    /// The same, with a flag for results without a remainder.
    class Exact: IntegerBinary {
        attributes: { is_exact("isExact"): optional UNIT since 22 },
        assembly: "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
    }

    /// The halves of a product that is twice as wide as its operands.
    class WideProduct {
        traits: [PURE, COMMUTATIVE, ELEMENTWISE],
        rules: [AllTypesMatch(&["lhs", "rhs", "low", "high"])],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { low: SIGNLESS_INTEGER_LIKE, high: SIGNLESS_INTEGER_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($lhs)",
        defined_if: Site::is_scalar,
    }

    /// A value as one of another type.
    class Cast {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [Predicate {
            summary: "input and output have the same tensor dimensions",
            check: casts::same_tensor_dimensions,
        }],
        operands: { input: SIGNLESS_FIXED_WIDTH },
        results: { output: SIGNLESS_FIXED_WIDTH },
        assembly: "$input attr-dict `:` type($input) `to` type($output)",
        defined_if: Site::is_scalar,
    }

    /// The same, with a flag for operands that are not negative.
    class ZeroExtension: Cast {
        attributes: { non_negative("nonNeg"): optional UNIT since 23 },
        assembly: "$input (`nneg` $nonNeg^)? attr-dict `:` type($input) `to` type($output)",
    }

    /// A float as one of another format.
    class FloatCast {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [Predicate {
            summary: "input and output have the same tensor dimensions",
            check: casts::same_tensor_dimensions,
        }],
        operands: { input: FLOAT_LIKE },
        attributes: { roundingmode: optional ROUNDING_MODE, fastmath: optional FASTMATH_FLAGS },
        results: { output: FLOAT_LIKE },
        assembly: "$input ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($output)",
        defined_if: is_rounded_scalar,
    }

    /// Two floats of one type, and a result of that type.
    class FloatBinary {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// The same, with a rounding mode.
    class RoundedBinary: FloatBinary {
        attributes: {
            roundingmode: optional ROUNDING_MODE since 24,
            fastmath: FASTMATH_FLAGS = no_fastmath,
        },
        assembly: "$lhs `,` $rhs ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        defined_if: rounds_to_nearest_even,
    }

    /// A constant.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: TYPED_VALUE },
        results: { result: ANY_TYPE },
        rules: [Predicate {
            summary: "all of {value, result} have same type",
            check: |view| view.attribute("value").is_some_and(|value| type_of(view.context, value) == Some(view.ty(view.result(0)))),
        }],
        assembly: "attr-dict $value",
        infer: constant_type,
        verify: verify_constant,
    }

    /// Sum, wrapped.
    op Addi = "addi": Wrapping {
        traits: [COMMUTATIVE],
        fold: fold_add,
        value: |_, algebra, x| algebra.add(&x[0], &x[1]),
    }

    /// Difference, wrapped.
    op Subi = "subi": Wrapping {
        fold: fold_sub,
        value: |_, algebra, x| algebra.sub(&x[0], &x[1]),
    }

    /// Product, wrapped.
    op Muli = "muli": Wrapping {
        traits: [COMMUTATIVE],
        fold: fold_mul,
        value: |_, algebra, x| algebra.mul(&x[0], &x[1]),
    }

    /// Conjunction.
    op Andi = "andi": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_and,
        value: |_, algebra, x| algebra.and(&x[0], &x[1]),
    }

    /// Disjunction.
    op Ori = "ori": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_or,
        value: |_, algebra, x| algebra.or(&x[0], &x[1]),
    }

    /// Exclusive or.
    op Xori = "xori": IntegerBinary {
        traits: [PURE, COMMUTATIVE],
        fold: fold_xor,
        value: |_, algebra, x| algebra.xor(&x[0], &x[1]),
    }

    /// Shift to the left.
    op Shli = "shli": Wrapping {
        fold: fold_shift,
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.shl(&x[0], &x[1])
        },
    }

    /// Arithmetic shift to the right.
    op Shrsi = "shrsi": Exact {
        traits: [PURE],
        fold: fold_shift,
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.ashr(&x[0], &x[1])
        },
    }

    /// Logical shift to the right.
    op Shrui = "shrui": Exact {
        traits: [PURE],
        fold: fold_shift,
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.lshr(&x[0], &x[1])
        },
    }

    /// Signed maximum.
    op Maxsi = "maxsi": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_extremum,
        value: |_, algebra, x| algebra.smax(&x[0], &x[1]),
    }

    /// Unsigned maximum.
    op Maxui = "maxui": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_extremum,
        value: |_, algebra, x| algebra.umax(&x[0], &x[1]),
    }

    /// Signed minimum.
    op Minsi = "minsi": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_extremum,
        value: |_, algebra, x| algebra.smin(&x[0], &x[1]),
    }

    /// Unsigned minimum.
    op Minui = "minui": IntegerBinary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        fold: fold_extremum,
        value: |_, algebra, x| algebra.umin(&x[0], &x[1]),
    }

    /// Unsigned quotient.
    op Divui = "divui": Exact {
        speculatable: divides_by_constant,
        fold: fold_division,
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.udiv(&x[0], &x[1])
        },
    }

    /// Signed quotient, rounded to zero.
    op Divsi = "divsi": Exact {
        speculatable: divides_by_safe_constant,
        fold: fold_division,
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.sdiv(&x[0], &x[1])
        },
    }

    /// Unsigned remainder.
    op Remui = "remui": IntegerBinary {
        speculatable: divides_by_constant,
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.urem(&x[0], &x[1])
        },
    }

    /// Signed remainder.
    op Remsi = "remsi": IntegerBinary {
        speculatable: divides_by_safe_constant,
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.srem(&x[0], &x[1])
        },
    }

    /// Unsigned quotient, rounded up.
    op Ceildivui = "ceildivui": IntegerBinary {
        speculatable: divides_by_constant,
        fold: fold_division,
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.ceil_udiv(&x[0], &x[1])
        },
    }

    /// Signed quotient, rounded up.
    op Ceildivsi = "ceildivsi": IntegerBinary {
        speculatable: divides_by_safe_constant,
        fold: fold_division,
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.ceil_sdiv(&x[0], &x[1])
        },
    }

    /// Signed quotient, rounded down.
    op Floordivsi = "floordivsi": IntegerBinary {
        speculatable: divides_by_safe_constant,
        fold: fold_division,
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.floor_sdiv(&x[0], &x[1])
        },
    }

    /// Sum and carry out.
    op AdduiExtended = "addui_extended" {
        traits: [PURE, COMMUTATIVE, ELEMENTWISE],
        rules: [AllTypesMatch(&["lhs", "rhs", "sum"])],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { sum: SIGNLESS_INTEGER_LIKE, overflow: BOOL_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
        meaning: |site, algebra, x| {
            let width = algebra.width(&x[0]);
            let a = algebra.zext(&x[0], width + 1);
            let b = algebra.zext(&x[1], width + 1);
            let wide = algebra.add(&a, &b);
            Some(smallvec![algebra.trunc(&wide, width), algebra.extract(&wide, width, 1)])
        },
        defined_if: Site::is_scalar,
    }

    /// Difference and borrow.
    op SubuiExtended = "subui_extended" {
        since: 24,
        traits: [PURE, ELEMENTWISE],
        rules: [AllTypesMatch(&["lhs", "rhs", "diff"])],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        results: { diff: SIGNLESS_INTEGER_LIKE, borrow: BOOL_LIKE },
        assembly: "$lhs `,` $rhs attr-dict `:` type($diff) `,` type($borrow)",
        meaning: |site, algebra, x| {
            let difference = algebra.sub(&x[0], &x[1]);
            let borrow = algebra.ult(&x[0], &x[1]);
            Some(smallvec![difference, borrow])
        },
        defined_if: Site::is_scalar,
    }

    /// Both halves of the double-width product.
    op MulsiExtended = "mulsi_extended": WideProduct {
        meaning: |site, algebra, x| {
            let width = algebra.width(&x[0]);
            let a = algebra.sext(&x[0], width * 2);
            let b = algebra.sext(&x[1], width * 2);
            let wide = algebra.mul(&a, &b);
            Some(smallvec![algebra.trunc(&wide, width), algebra.extract(&wide, width, width)])
        },
    }

    /// Both halves of the double-width product.
    op MuluiExtended = "mului_extended": WideProduct {
        meaning: |site, algebra, x| {
            let width = algebra.width(&x[0]);
            let a = algebra.zext(&x[0], width * 2);
            let b = algebra.zext(&x[1], width * 2);
            let wide = algebra.mul(&a, &b);
            Some(smallvec![algebra.trunc(&wide, width), algebra.extract(&wide, width, width)])
        },
    }

    /// Zero extension.
    op Extui = "extui": ZeroExtension {
        verify: casts::verify_extension,
        fold: fold_cast,
        value: |site, algebra, x| algebra.zext(&x[0], site.result_width_bits(0)),
    }

    /// Sign extension.
    op Extsi = "extsi": Cast {
        verify: casts::verify_extension,
        fold: fold_cast,
        value: |site, algebra, x| algebra.sext(&x[0], site.result_width_bits(0)),
    }

    /// The low bits.
    op Trunci = "trunci": Cast {
        attributes: { overflow_flags("overflowFlags"): OVERFLOW_FLAGS = no_overflow since 21 },
        assembly: "$input (`overflow` `` $overflowFlags^)? attr-dict `:` type($input) `to` type($output)",
        verify: casts::verify_truncation,
        fold: fold_cast,
        value: |site, algebra, x| algebra.trunc(&x[0], site.result_width_bits(0)),
    }

    /// Cast between integers and `index`, sign-extended.
    op IndexCast = "index_cast": Cast {
        operands: { input: INTEGER_LIKE_OR_MEMREF },
        results: { output: INTEGER_LIKE_OR_MEMREF },
        verify: casts::verify_index_cast,
        fold: fold_cast,
        value: |site, algebra, x| {
            let width = site.result_width_bits(0);
            let from = algebra.width(&x[0]);
            if width >= from { algebra.sext(&x[0], width) } else { algebra.trunc(&x[0], width) }
        },
    }

    /// Cast between integers and `index`, zero-extended.
    op IndexCastui = "index_castui": ZeroExtension {
        operands: { input: INTEGER_LIKE_OR_MEMREF },
        results: { output: INTEGER_LIKE_OR_MEMREF },
        verify: casts::verify_index_cast,
        fold: fold_cast,
        value: |site, algebra, x| {
            let width = site.result_width_bits(0);
            let from = algebra.width(&x[0]);
            if width >= from { algebra.zext(&x[0], width) } else { algebra.trunc(&x[0], width) }
        },
    }

    /// Reinterprets the bits as another type.
    op Bitcast = "bitcast": Cast {
        operands: { input: ANY_TYPE },
        results: { output: ANY_TYPE },
        verify: casts::verify_bitcast,
        fold: fold_cast,
        value: |_, algebra, x| x[0].clone(),
    }

    /// Integer comparison.
    op Cmpi = "cmpi" {
        traits: [PURE, SAME_TYPE_OPERANDS, ELEMENTWISE],
        operands: { lhs: SIGNLESS_INTEGER_LIKE, rhs: SIGNLESS_INTEGER_LIKE },
        attributes: { predicate: INTEGER_PREDICATE },
        results: { result: BOOL_LIKE },
        rules: [Predicate {
            summary: "result type has i1 element type and same shape as operands",
            check: is_compared,
        }],
        assembly: "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
        infer: compared_integers,
        fold: fold_compare,
        value: |site, algebra, x| {
            let number = site.attribute("predicate")?.as_i64(site.context)?;
            let predicate = crate::predicate::Predicate::from_number(number)?;
            predicate.compare(algebra, &x[0], &x[1])
        },
        defined_if: Site::is_scalar,
    }

    /// Selects one of two values.
    op Select = "select" {
        traits: [PURE, ELEMENTWISE],
        rules: [
            AllTypesMatch(&["true_value", "false_value", "result"]),
            Predicate { summary: "condition is signless i1 or has matching shape", check: condition_fits }
        ],
        operands: { condition: BOOL_LIKE, true_value: ANY_TYPE, false_value: ANY_TYPE },
        results: { result: ANY_TYPE },
        assembly: custom(parse_select, print_select),
        verify: verify_select,
        fold: fold_select,
        value: |_, algebra, x| algebra.ite(&x[0], &x[1], &x[2]),
        defined_if: Site::is_scalar,
    }

    /// Float operation `addf`.
    op Addf = "addf": RoundedBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::Add, float_kind(site, true)?, x),
    }

    /// Float operation `subf`.
    op Subf = "subf": RoundedBinary { value: |site, algebra, x| algebra.float(FloatOp::Sub, float_kind(site, true)?, x) }

    /// Float operation `mulf`.
    op Mulf = "mulf": RoundedBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::Mul, float_kind(site, true)?, x),
    }

    /// Float operation `divf`.
    op Divf = "divf": RoundedBinary { value: |site, algebra, x| algebra.float(FloatOp::Div, float_kind(site, true)?, x) }

    /// Float operation `remf`.
    op Remf = "remf": FloatBinary { value: |site, algebra, x| algebra.float(FloatOp::Rem, float_kind(site, true)?, x) }

    /// Float operation `maximumf`.
    op Maximumf = "maximumf": FloatBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::Maximum, float_kind(site, true)?, x),
    }

    /// Float operation `minimumf`.
    op Minimumf = "minimumf": FloatBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::Minimum, float_kind(site, true)?, x),
    }

    /// Float operation `maxnumf`.
    op Maxnumf = "maxnumf": FloatBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::MaxNum, float_kind(site, true)?, x),
    }

    /// Float operation `minnumf`.
    op Minnumf = "minnumf": FloatBinary {
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::MinNum, float_kind(site, true)?, x),
    }

    /// Float operation `maximumnumf`: the number, of a number and NaN.
    op Maximumnumf = "maximumnumf": FloatBinary {
        since: 24,
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::MaxNum, float_kind(site, true)?, x),
    }

    /// Float operation `minimumnumf`: the number, of a number and NaN.
    op Minimumnumf = "minimumnumf": FloatBinary {
        since: 24,
        traits: [COMMUTATIVE],
        value: |site, algebra, x| algebra.float(FloatOp::MinNum, float_kind(site, true)?, x),
    }

    /// Float negation.
    op Negf = "negf" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
        value: |site, algebra, x| algebra.float(FloatOp::Neg, float_kind(site, true)?, x),
    }

    /// Float comparison.
    op Cmpf = "cmpf" {
        traits: [PURE, SAME_TYPE_OPERANDS, ELEMENTWISE],
        operands: { lhs: FLOAT_LIKE, rhs: FLOAT_LIKE },
        attributes: { predicate: FLOAT_PREDICATE, fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: BOOL_LIKE },
        rules: [Predicate {
            summary: "result type has i1 element type and same shape as operands",
            check: is_compared,
        }],
        assembly: "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)",
        infer: compared_floats,
        value: |site, algebra, x| {
            let number = usize::try_from(site.attribute("predicate")?.as_i64(site.context)?).ok()?;
            let predicate = *FloatPredicate::ALL.get(number)?;
            algebra.float(FloatOp::Compare(predicate), float_kind(site, true)?, x)
        },
    }

    /// Cast to a wider float.
    op Extf = "extf" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [Predicate {
            summary: "input and output have the same tensor dimensions",
            check: casts::same_tensor_dimensions,
        }],
        operands: { input: FLOAT_LIKE },
        attributes: { fastmath: optional FASTMATH_FLAGS },
        results: { output: FLOAT_LIKE },
        assembly: "$input (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `to` type($output)",
        verify: casts::verify_extension,
        value: |site, algebra, x| algebra.float(FloatOp::Convert(float_kind(site, false)?), float_kind(site, true)?, x),
        defined_if: Site::is_scalar,
    }

    /// Cast to a narrower float.
    op Truncf = "truncf": FloatCast {
        verify: casts::verify_truncation,
        value: |site, algebra, x| algebra.float(FloatOp::Convert(float_kind(site, false)?), float_kind(site, true)?, x),
    }

    /// Cast to another float of the same width.
    op Convertf = "convertf": FloatCast {
        since: 24,
        verify: casts::verify_other_format,
        value: |site, algebra, x| algebra.float(FloatOp::Convert(float_kind(site, false)?), float_kind(site, true)?, x),
    }

    /// Cast to a wider float, multiplied by a scale.
    op ScalingExtf = "scaling_extf" {
        since: 21,
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [Predicate {
            summary: "input and output have the same tensor dimensions",
            check: casts::same_tensor_dimensions,
        }],
        operands: { input: FLOAT_LIKE, scale: FLOAT_LIKE },
        attributes: { fastmath: optional FASTMATH_FLAGS },
        results: { output: FLOAT_LIKE },
        assembly: "$input `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` type($output)",
        verify: casts::verify_extension,
    }

    /// Cast to a narrower float, divided by a scale.
    op ScalingTruncf = "scaling_truncf" {
        since: 21,
        traits: [PURE, SAME_OPERANDS_AND_RESULT_SHAPE, ELEMENTWISE],
        rules: [Predicate {
            summary: "input and output have the same tensor dimensions",
            check: casts::same_tensor_dimensions,
        }],
        operands: { input: FLOAT_LIKE, scale: FLOAT_LIKE },
        attributes: { roundingmode: optional ROUNDING_MODE, fastmath: optional FASTMATH_FLAGS },
        results: { output: FLOAT_LIKE },
        assembly: "$input `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($input) `,` type($scale) `to` type($output)",
        verify: casts::verify_truncation,
    }

    /// Zero in place of a number whose exponent is below that of normal numbers.
    op FlushDenormals = "flush_denormals" {
        since: 24,
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE, ELEMENTWISE],
        operands: { operand: FLOAT_LIKE },
        attributes: { fastmath: FASTMATH_FLAGS = no_fastmath },
        results: { result: FLOAT_LIKE },
        assembly: "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
    }

    /// Signed integer to float.
    op Sitofp = "sitofp": Cast {
        results: { output: FLOAT_LIKE },
        value: |site, algebra, x| algebra.float(FloatOp::FromSigned, float_kind(site, false)?, x),
    }

    /// Unsigned integer to float.
    op Uitofp = "uitofp": ZeroExtension {
        results: { output: FLOAT_LIKE },
        value: |site, algebra, x| algebra.float(FloatOp::FromUnsigned, float_kind(site, false)?, x),
    }

    /// Float to signed integer.
    op Fptosi = "fptosi": Cast {
        operands: { input: FLOAT_LIKE },
        value: |site, algebra, x| algebra.float(FloatOp::ToSigned(site.result_width_bits(0)), float_kind(site, true)?, x),
    }

    /// Float to unsigned integer.
    op Fptoui = "fptoui": Cast {
        operands: { input: FLOAT_LIKE },
        value: |site, algebra, x| algebra.float(FloatOp::ToUnsigned(site.result_width_bits(0)), float_kind(site, true)?, x),
    }
}

/// Checks that there is one condition for all elements, or one for each.
fn condition_fits(view: View<'_>) -> bool {
    let context = view.context;
    let (condition, result) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if condition == context.integer_type(1) {
        return true;
    }
    let shape = |ty: Type| match ty.kind(context) {
        TypeKind::Vector { shape, .. } => Some(shape.iter().copied().map(Some).collect()),
        TypeKind::RankedTensor { shape, .. } => Some(shape.to_vec()),
        _ => None,
    };
    shape(condition) == shape(result)
}

/// Checks that a condition other than a single bit has the shape of the result, with bits as elements.
fn verify_select(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (condition, result) = (view.ty(view.operand(0)), view.ty(view.result(0)));
    if condition == context.integer_type(1) {
        return;
    }
    let wanted = of_bits(context, result);
    let message = if wanted == context.integer_type(1) {
        format!(
            "expected condition to be a signless i1, but got {}",
            quoted(view, condition)
        )
    } else if condition == wanted {
        return;
    } else {
        format!(
            "expected condition type to have the same shape as the result type, expected {}, but got {}",
            quoted(view, wanted),
            quoted(view, condition)
        )
    };
    op_error(view, diagnostics, message);
}

fn parse_select(
    parser: &mut sluice_ir::text::Parser<'_>,
    state: &mut sluice_ir::text::OperationState,
) -> sluice_ir::text::ParseResult<()> {
    let position = parser.position();
    let operands = parser.parse_operand_list(sluice_ir::text::Delimiter::None)?;
    let [condition, a, b] = operands[..] else {
        return Err(parser.error(position, "expected 3 operands"));
    };
    parser.parse_attribute_dictionary(state)?;
    let first = parser.parse_colon_type()?;
    // The type of a condition other than `i1` is written first.
    let (condition_type, ty) = if parser.parse_optional_punctuation(",") {
        (first, parser.parse_type()?)
    } else {
        (parser.context().integer_type(1), first)
    };
    parser.resolve_operand(condition, condition_type, state)?;
    parser.resolve_operands_of_type(&[a, b], ty, state)?;
    state.add_results(&[ty]);
    Ok(())
}

fn print_select(printer: &mut sluice_ir::text::Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operands(view.operands());
    printer.attribute_dictionary(view, &[]);
    printer.text(" : ");
    let condition = view.ty(view.operand(0));
    if condition.integer_width_bits(view.context) != Some(1) {
        printer.ty(condition);
        printer.text(", ");
    }
    printer.ty(view.ty(view.result(0)));
}
