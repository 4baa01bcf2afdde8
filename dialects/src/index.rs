//! Dialect index: arithmetic on `index`, which is 64 bits wide here.

use smallvec::{SmallVec, smallvec};

use sluice_ir::algebra::Algebra;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage, Site,
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
    check: AttributeCheck::Is(|context, a| PREDICATES.is_case(context, a)),
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
    extension: None,
};

/// Returns the operation that holds a constant.
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

/// Returns the number of the predicate of `index.cmp`.
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

    /// Two indices, and a result of type `index`.
    class Binary {
        operands: { lhs: INDEX, rhs: INDEX },
        results: { result: INDEX },
        assembly: "$lhs `,` $rhs attr-dict",
    }

    /// Between integers and `index`.
    class Cast {
        traits: [PURE],
        operands: { input: INTEGER_OR_INDEX },
        results: { output: INTEGER_OR_INDEX },
        assembly: "$input attr-dict `:` type($input) `to` type($output)",
        verify: crate::arith::verify_index_cast,
    }

    /// Sum, wrapped.
    op Add = "add": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.add(&x[0], &x[1]),
    }

    /// Difference, wrapped.
    op Sub = "sub": Binary {
        traits: [PURE],
        value: |_, algebra, x| algebra.sub(&x[0], &x[1]),
    }

    /// Product, wrapped.
    op Mul = "mul": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.mul(&x[0], &x[1]),
    }

    /// Signed quotient, rounded towards zero.
    op Divs = "divs": Binary {
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.sdiv(&x[0], &x[1])
        },
    }

    /// Unsigned quotient.
    op Divu = "divu": Binary {
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.udiv(&x[0], &x[1])
        },
    }

    /// Signed quotient, rounded up.
    op Ceildivs = "ceildivs": Binary {
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.ceil_sdiv(&x[0], &x[1])
        },
    }

    /// Unsigned quotient, rounded up.
    op Ceildivu = "ceildivu": Binary {
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.ceil_udiv(&x[0], &x[1])
        },
    }

    /// Signed quotient, rounded down.
    op Floordivs = "floordivs": Binary {
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.floor_sdiv(&x[0], &x[1])
        },
    }

    /// Signed remainder.
    op Rems = "rems": Binary {
        value: |_, algebra, x| {
            quotient_fits(algebra, &x[0], &x[1]);
            algebra.srem(&x[0], &x[1])
        },
    }

    /// Unsigned remainder.
    op Remu = "remu": Binary {
        value: |_, algebra, x| {
            divisor_is_not_zero(algebra, &x[1]);
            algebra.urem(&x[0], &x[1])
        },
    }

    /// Signed maximum.
    op Maxs = "maxs": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.smax(&x[0], &x[1]),
    }

    /// Unsigned maximum.
    op Maxu = "maxu": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.umax(&x[0], &x[1]),
    }

    /// Signed minimum.
    op Mins = "mins": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.smin(&x[0], &x[1]),
    }

    /// Unsigned minimum.
    op Minu = "minu": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.umin(&x[0], &x[1]),
    }

    /// Shift to the left.
    op Shl = "shl": Binary {
        traits: [PURE],
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.shl(&x[0], &x[1])
        },
    }

    /// Arithmetic shift to the right.
    op Shrs = "shrs": Binary {
        traits: [PURE],
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.ashr(&x[0], &x[1])
        },
    }

    /// Logical shift to the right.
    op Shru = "shru": Binary {
        traits: [PURE],
        value: |_, algebra, x| {
            shift_fits(algebra, &x[1]);
            algebra.lshr(&x[0], &x[1])
        },
    }

    /// Conjunction.
    op And = "and": Binary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        value: |_, algebra, x| algebra.and(&x[0], &x[1]),
    }

    /// Disjunction.
    op Or = "or": Binary {
        traits: [PURE, COMMUTATIVE, IDEMPOTENT],
        value: |_, algebra, x| algebra.or(&x[0], &x[1]),
    }

    /// Exclusive or.
    op Xor = "xor": Binary {
        traits: [PURE, COMMUTATIVE],
        value: |_, algebra, x| algebra.xor(&x[0], &x[1]),
    }

    /// Cast between integers and `index`, sign-extended.
    op Casts = "casts": Cast {
        value: |site, algebra, x| {
            let width = site.result_width_bits(0);
            resize(algebra, &x[0], width, true)
        },
    }

    /// Cast between integers and `index`, zero-extended.
    op Castu = "castu": Cast {
        value: |site, algebra, x| {
            let width = site.result_width_bits(0);
            resize(algebra, &x[0], width, false)
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
        value: |site, algebra, x| {
            let number = PREDICATES.value(site.context, site.attribute("pred")?)?;
            let predicate = crate::predicate::Predicate::from_number(i64::try_from(number).ok()?)?;
            predicate.compare(algebra, &x[0], &x[1])
        },
    }

    /// The width of `index` in bits.
    op Sizeof = "sizeof" {
        traits: [PURE],
        results: { result: INDEX },
        assembly: "attr-dict",
        value: |_, algebra, _x| algebra.number(INDEX_WIDTH_BITS, u64::from(INDEX_WIDTH_BITS)),
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
