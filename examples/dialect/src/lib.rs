//! The dialect `fixed`: arithmetic on fixed-point numbers that integers hold, with rounding and saturation.
//!
//! It shows every mechanism of `sluice_ods::dialect!`; `docs/contributing/dialect.md` explains them.

mod fold;
mod interfaces;
mod meaning;
pub mod passes;
mod patterns;
mod syntax;
mod verify;

use sluice_dialects::constraints::{ANY_INTEGER, I32_ARRAY, INDEX, TYPED};
use sluice_ir::definition::AttributeCondition::{ArrayMinCount, IntMaxValue, IntPositive};
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, Site, TraitRule, TypeCheck, TypeConstraint,
};
use sluice_ir::{Context, Type};
use smallvec::{SmallVec, smallvec};

pub use interfaces::{Cost, Inventory, Width};
pub use verify::KEEPS_FORMAT;

use fold::{fold_add, materialize};
use interfaces::{Adder, Multiplier, Names, StreamBits};
use meaning::{clamped, product, sum};
use patterns::{FORWARD_PACK, MULTIPLY_BY_ONE};
use syntax::{parse_range, print_range};
use verify::{has_wide_format, verify_attribute, verify_format, verify_pick};

/// Numbers: integers without a sign of their own.
static NUMBER: TypeConstraint = TypeConstraint {
    summary: "fixed-point number (`iN`)",
    check: TypeCheck::Is(|context, ty| ty.is_signless_integer(context)),
    only: None,
    class: None,
    unqualified: None,
};

/// Numbers that are no bits: a constraint made from others, which describes itself.
static WIDE_NUMBER: TypeConstraint =
    TypeConstraint::combined(TypeCheck::AllOf(&[&NUMBER, &NOT_BIT]));

static BIT: TypeConstraint = TypeConstraint {
    summary: "bit",
    check: TypeCheck::Is(|context, ty| ty.integer_width_bits(context) == Some(1)),
    only: None,
    class: None,
    unqualified: None,
};

static NOT_BIT: TypeConstraint = TypeConstraint::combined(TypeCheck::Not(&BIT));

/// Numbers, or points in time.
static NUMBER_OR_TOKEN: TypeConstraint =
    TypeConstraint::combined(TypeCheck::AnyOf(&[&NUMBER, &TOKEN]));

/// An integer of 32 bits, from 1 to 64.
static TAPS: AttributeConstraint = AttributeConstraint::confined(
    &sluice_dialects::constraints::I32,
    &[IntPositive, IntMaxValue(64)],
);

/// At least one typed value.
static VALUES: AttributeConstraint = AttributeConstraint::combined(AttributeCheck::Confined(
    &AttributeConstraint::combined(AttributeCheck::ArrayOf(&TYPED)),
    &[ArrayMinCount(1)],
));

fn constant_type(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let value = site
        .attribute("value")
        .and_then(|value| value.ty(site.context));
    value
        .map(|ty| smallvec![ty])
        .ok_or_else(|| "a constant has a value".to_owned())
}

fn element_of(context: &Context, ty: Type) -> Option<Type> {
    let format = Stream::cast(context, ty)?.format(context);
    Some(context.integer_type(format.width(context)))
}

sluice_ods::dialect! {
    dialect "fixed" {
        summary: "Fixed-point numbers",
        description: "A number of format `<w, f>` is an integer of `w` bits whose lowest `f` bits are a fraction.",
        materialize_constant: materialize,
        interfaces: [dyn Inventory => &Names],
        external: ["arith.addi": dyn Cost => &Adder],
        canonicalize: [&FORWARD_PACK],
        verify_attribute: verify_attribute,
    }

    /// The number that digits are rounded to.
    enum Rounding = "rounding": attribute { Down, Nearest("to_nearest"), Even("to_even") }

    /// The ends of the range at which a result stays; at the others it wraps.
    flags Ends = "ends": i32 { Neither("none") = 0, Low, High }

    /// Width, digits of the fraction, and rounding.
    attribute Format = "format" {
        parameters: { width: u32, fraction: u32, rounding: Rounding = Rounding::Down },
        assembly: "`<` $width `,` $fraction (`,` $rounding^)? `>`",
        verify: verify_format,
    }

    /// A sequence of numbers of a format.
    type Stream = "stream" {
        parameters: { format: Format, depth: optional u32, names: Vec<String> = Vec::new() },
        assembly: "`<` struct(params) `>`",
        alias: "stream",
        interfaces: [dyn Width => &StreamBits],
    }

    /// A point in time.
    type Token = "token" {}

    /// Operations on two numbers of one type.
    class Arithmetic {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: NUMBER, rhs: NUMBER },
        results: { result: NUMBER },
        interfaces: [dyn Cost => &Adder],
    }

    /// Sum of two numbers.
    ///
    /// It stays at the ends of the range that `saturate` names.
    op Add = "add": Arithmetic {
        traits: [COMMUTATIVE],
        properties: { ends: Ends = Ends::LOW | Ends::HIGH },
        assembly: "$lhs `,` $rhs (`saturate` `(` $ends^ `)`)? attr-dict `:` type($result)",
        fold: fold_add,
        value: |site, algebra, x| sum(site, algebra, x),
    }

    /// Product of two numbers.
    op Mul = "mul": Arithmetic {
        rules: [TraitRule::Own(&KEEPS_FORMAT)],
        properties: { format: Format },
        assembly: "$lhs `,` $rhs `as` $format attr-dict `:` type($result)",
        interfaces: [dyn Cost => &Multiplier],
        canonicalize: [&MULTIPLY_BY_ONE],
        derived: { one: u64 = |view| 1 << Mul(view).format().fraction(view.context) },
        value: |site, algebra, x| product(site, algebra, x),
    }

    /// A number divided by a power of two.
    op ShiftRight = "shift_right": Arithmetic {
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        value: |_, algebra, x| algebra.ashr(&x[0], &x[1]),
    }

    /// A number multiplied by a power of two.
    op Scale = "scale": Arithmetic {
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        value: |_, algebra, x| algebra.shl(&x[0], &x[1]),
    }

    /// Quotient of two numbers, without digits of the fraction; by zero it is 1 or -1.
    op Quotient = "quotient": Arithmetic {
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
        value: |_, algebra, x| algebra.sdiv(&x[0], &x[1]),
    }

    /// A number, or the nearest end of a range.
    op Clamp = "clamp" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { value: WIDE_NUMBER, low: WIDE_NUMBER, high: WIDE_NUMBER },
        results: { result: WIDE_NUMBER },
        assembly: "$value `in` custom<Range>($low, $high, ref($value), \"to\") attr-dict `:` type($value)",
        value: |_, algebra, x| clamped(algebra, x),
    }

    /// A number that is known.
    op Constant = "constant" {
        traits: [PURE, CONSTANT_LIKE],
        attributes: { value: TYPED },
        results: { result: NUMBER },
        assembly: "$value attr-dict",
        infer: constant_type,
        value: |site, algebra, _| {
            let value = site.attribute("value").and_then(|value| value.integer(site.context)).cloned();
            algebra.constant(value.unwrap_or_else(|| sluice_ir::bits::Bits::zero(site.result_width_bits(0))))
        },
        builders: {
            /// Creates the constant of an integer.
            of_number(number: i64, width_bits: u32 = 16) {
                let ty = builder.context.integer_type(width_bits);
                let bits = sluice_ir::bits::Bits::from_i64(width_bits, number);
                let value = builder.context.integer_attribute(ty, bits);
                Self::build(builder, value)
            }
        },
    }

    /// The numbers of the case that an index names.
    op Pick = "pick" {
        traits: [PURE],
        operands: { index: INDEX, cases: nested("case_sizes") NUMBER },
        attributes: { case_sizes: I32_ARRAY },
        results: { picked: variadic NUMBER },
        assembly: "$index `of` $cases `:` type($cases) `->` type($picked) attr-dict",
        verify: verify_pick,
    }

    /// Numbers as a stream.
    op Pack = "pack" {
        traits: [PURE],
        operands: { numbers: variadic NUMBER },
        results: { stream: STREAM },
        assembly: "$numbers attr-dict `:` type($numbers) `->` type($stream)",
    }

    /// The first number of a stream.
    op First = "first" {
        traits: [PURE],
        rules: [TraitRule::TypesMatchWith {
            summary: "the result is an integer of the width of the format", from: "stream", to: "result", transform: element_of,
        }],
        operands: { stream: STREAM },
        results: { result: NUMBER },
        assembly: "$stream attr-dict `:` qualified(type($stream))",
    }

    /// A filter: its body is run for each tap.
    op Filter = "filter" {
        traits: [SINGLE_BLOCK, RECURSIVE_MEMORY_EFFECTS],
        rules: [TraitRule::ImplicitTerminator("fixed.yield")],
        operands: { after: optional TOKEN },
        attributes: { taps: TAPS, weights: optional VALUES },
        results: { done: optional TOKEN },
        regions: { body: sized(1) },
        assembly: "$taps (`after` $after^)? (`->` type($done)^)? (`weights` $weights^)? attr-dict-with-keyword $body",
        custom_if: has_wide_format,
    }

    /// Ends the body of a filter.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR],
        rules: [TraitRule::HasParent(&["fixed.filter"])],
        operands: { values: variadic NUMBER_OR_TOKEN },
        assembly: "($values^ `:` type($values))? attr-dict",
    }

    /// Continues at one of several blocks.
    op Fork = "fork" {
        traits: [TERMINATOR],
        successors: { first, others: variadic },
        assembly: "$first (`or` $others^)? attr-dict",
    }

    /// A number whose names in Rust are keywords.
    op X = "x" {
        traits: [PURE],
        operands: { type: ANY_INTEGER, in("of"): ANY_INTEGER },
        results: { move: ANY_INTEGER },
        rules: [TraitRule::AllTypesMatch(&["type", "of", "move"])],
        assembly: "$type `in` $of attr-dict `:` type($move)",
    }

    /// Sum that stays at both ends of the range.
    op AddSat = "add_sat": Arithmetic {
        deprecated: "write `fixed.add`",
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
    }
}
