//! index: arithmetic on `index`, which is 64 bits wide here.

use smallvec::{SmallVec, smallvec};

use sluice_ir::algebra::Algebra;
use sluice_ir::definition::{
    AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition, EnumStorage, Site,
};
use sluice_ir::types::INDEX_WIDTH_BITS;
use sluice_ir::{Attribute, Context, Location, NewOperation, Type};

use crate::arith::INTEGER_PREDICATES;
use crate::constraints::{BOOL, I1, INDEX, INDEX_ATTRIBUTE, INTEGER_OR_INDEX};
use crate::defined::{divisor_is_not_zero, quotient_fits, shift_fits};

/// Predicates of `index.cmp`, numbered as those of `arith.cmpi`.
static PREDICATES: EnumDefinition = EnumDefinition {
    name: "IndexCmpPredicate",
    storage: EnumStorage::Dialect("index.cmp_predicate"),
    cases: INTEGER_PREDICATES.cases,
    flags: false,
};

static PREDICATE: AttributeConstraint = AttributeConstraint {
    summary: "index comparison predicate kind",
    check: |context, a| PREDICATES.value(context, a).is_some(),
    syntax: AttributeSyntax::Enumeration(&PREDICATES),
};

static PREDICATE_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "index.cmp_predicate",
    summary: "index comparison predicate kind",
    parse: &|parser| parser.parse_enum_attribute(&PREDICATES),
    print: &|printer, parameters| {
        let value = parameters.first().and_then(|p| p.as_i64(printer.context()));
        let value = value.and_then(|v| u64::try_from(v).ok()).unwrap_or(0);
        let keyword = PREDICATES.keywords(value).unwrap_or_default();
        printer.text(" ");
        printer.text(&keyword);
    },
};

/// The operation that holds a constant.
pub fn materialize(
    context: &Context,
    value: Attribute,
    ty: Type,
    location: Location,
) -> Option<NewOperation> {
    let name = match (ty.is_index(context), ty.integer_width_bits(context)) {
        (true, _) => "index.constant",
        (_, Some(1)) => "index.bool.constant",
        _ => "arith.constant",
    };
    let mut new = NewOperation::new(context.operation_name(name), location);
    new.result_types.push(ty);
    new.attributes.push((context.name("value"), value));
    Some(new)
}

/// The number of `index.cmp`'s predicate.
pub fn predicate(context: &Context, attribute: Attribute) -> Option<u64> {
    PREDICATES.value(context, attribute)
}

fn resize<A: Algebra>(algebra: &mut A, word: &A::Word, width: u32, signed: bool) -> A::Word {
    match (width >= algebra.width(word), signed) {
        (false, _) => algebra.trunc(word, width),
        (true, true) => algebra.sext(word, width),
        (true, false) => algebra.zext(word, width),
    }
}

fn bit(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    Ok(smallvec![site.context.integer_type(1)])
}

sluice_ods::dialect! {
    dialect "index" {
        summary: "Arithmetic on `index`",
        attributes: [PREDICATE_ATTRIBUTE],
        materialize_constant: materialize,
    }

    /// Sum, wrapped.
    op Add = "add" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.add(&x[0], &x[1])]),
    }

    /// Difference, wrapped.
    op Sub = "sub" {
        traits: [PURE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.sub(&x[0], &x[1])]),
    }

    /// Product, wrapped.
    op Mul = "mul" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.mul(&x[0], &x[1])]),
    }

    /// Signed quotient, rounded towards zero.
    op Divs = "divs" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            Some(smallvec![algebra.sdiv(&x[0], &x[1])])
        },
    }

    /// Unsigned quotient.
    op Divu = "divu" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            Some(smallvec![algebra.udiv(&x[0], &x[1])])
        },
    }

    /// Signed quotient, rounded up.
    op Ceildivs = "ceildivs" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            Some(smallvec![algebra.ceil_sdiv(&x[0], &x[1])])
        },
    }

    /// Unsigned quotient, rounded up.
    op Ceildivu = "ceildivu" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            Some(smallvec![algebra.ceil_udiv(&x[0], &x[1])])
        },
    }

    /// Signed quotient, rounded down.
    op Floordivs = "floordivs" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            Some(smallvec![algebra.floor_sdiv(&x[0], &x[1])])
        },
    }

    /// Signed remainder.
    op Rems = "rems" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            Some(smallvec![algebra.srem(&x[0], &x[1])])
        },
    }

    /// Unsigned remainder.
    op Remu = "remu" {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            Some(smallvec![algebra.urem(&x[0], &x[1])])
        },
    }

    /// Signed maximum.
    op Maxs = "maxs" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.smax(&x[0], &x[1])]),
    }

    /// Unsigned maximum.
    op Maxu = "maxu" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.umax(&x[0], &x[1])]),
    }

    /// Signed minimum.
    op Mins = "mins" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.smin(&x[0], &x[1])]),
    }

    /// Unsigned minimum.
    op Minu = "minu" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.umin(&x[0], &x[1])]),
    }

    /// Shift to the left.
    op Shl = "shl" {
        traits: [PURE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            Some(smallvec![algebra.shl(&x[0], &x[1])])
        },
    }

    /// Arithmetic shift to the right.
    op Shrs = "shrs" {
        traits: [PURE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            Some(smallvec![algebra.ashr(&x[0], &x[1])])
        },
    }

    /// Logical shift to the right.
    op Shru = "shru" {
        traits: [PURE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            Some(smallvec![algebra.lshr(&x[0], &x[1])])
        },
    }

    /// Conjunction.
    op And = "and" {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.and(&x[0], &x[1])]),
    }

    /// Disjunction.
    op Or = "or" {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.or(&x[0], &x[1])]),
    }

    /// Exclusive or.
    op Xor = "xor" {
        traits: [PURE, COMMUTATIVE],
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
        meaning: |_, algebra, x| Some(smallvec![algebra.xor(&x[0], &x[1])]),
    }

    /// Between integers and `index`, signed.
    op Casts = "casts" {
        traits: [PURE],
        operands: { input: INTEGER_OR_INDEX },
        results: { output: INTEGER_OR_INDEX },
        assembly: "$input attr-dict `:` type($input) `to` type($output)",
        verify: crate::arith::verify_index_cast,
        meaning: |site, algebra, x| {
            let width = site.result_width_bits(0);
            Some(smallvec![resize(algebra, &x[0], width, true)])
        },
    }

    /// Between integers and `index`, without sign.
    op Castu = "castu" {
        traits: [PURE],
        operands: { input: INTEGER_OR_INDEX },
        results: { output: INTEGER_OR_INDEX },
        assembly: "$input attr-dict `:` type($input) `to` type($output)",
        verify: crate::arith::verify_index_cast,
        meaning: |site, algebra, x| {
            let width = site.result_width_bits(0);
            Some(smallvec![resize(algebra, &x[0], width, false)])
        },
    }

    /// Comparison.
    op Cmp = "cmp" {
        traits: [PURE],
        operands: { lhs: INDEX, rhs: INDEX },
        attributes: { pred: PREDICATE },
        results: { result: I1 },
        assembly: "$pred `(` $lhs `,` $rhs `)` attr-dict",
        infer: bit,
        meaning: |site, algebra, x| {
            let (a, b) = (&x[0], &x[1]);
            let result = match PREDICATES.value(site.context, site.attribute("pred")?)? {
                0 => algebra.eq(a, b),
                1 => algebra.ne(a, b),
                2 => algebra.slt(a, b),
                3 => algebra.sle(a, b),
                4 => algebra.sgt(a, b),
                5 => algebra.sge(a, b),
                6 => algebra.ult(a, b),
                7 => algebra.ule(a, b),
                8 => algebra.ugt(a, b),
                9 => algebra.uge(a, b),
                _ => return None,
            };
            Some(smallvec![result])
        },
    }

    /// The width of `index` in bits.
    op Sizeof = "sizeof" {
        traits: [PURE],
        results: { result: INDEX },
        assembly: "attr-dict",
        meaning: |_, algebra, _x| {
            Some(smallvec![algebra.number(INDEX_WIDTH_BITS, u64::from(INDEX_WIDTH_BITS))])
        },
    }

    /// A constant.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: INDEX_ATTRIBUTE },
        results: { result: INDEX },
        assembly: "attr-dict $value",
    }

    /// A constant bit.
    op BoolConstant = "bool.constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: BOOL },
        results: { result: I1 },
        assembly: "attr-dict $value",
    }
}
