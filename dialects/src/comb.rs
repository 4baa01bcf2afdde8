//! comb: combinational operations on bit vectors, in CIRCT's syntax.
//!
//! Divisions by zero have the value of the algebra: quotient all ones, remainder the dividend.

use smallvec::{SmallVec, smallvec};

use sluice_ir::definition::{
    AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage, Site, TypeConstraint,
};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Type, View};

use crate::constraints::{I1, I32, UNIT};

static BITS: TypeConstraint = TypeConstraint {
    summary: "a signless integer bitvector",
    check: |context, ty| ty.is_signless_integer(context),
    only: None,
    class: None,
};

/// Predicates of `comb.icmp`.
pub static PREDICATES: EnumDefinition = EnumDefinition {
    name: "ICmpPredicate",
    storage: EnumStorage::Integer(64),
    cases: &[
        ("eq", 0),
        ("ne", 1),
        ("slt", 2),
        ("sle", 3),
        ("sgt", 4),
        ("sge", 5),
        ("ult", 6),
        ("ule", 7),
        ("ugt", 8),
        ("uge", 9),
        ("ceq", 10),
        ("cne", 11),
        ("weq", 12),
        ("wne", 13),
    ],
    flags: false,
};

static PREDICATE: AttributeConstraint = AttributeConstraint {
    summary: "hw.icmp comparison predicate",
    check: |context, a| a.as_i64(context).is_some_and(|p| (0..14).contains(&p)),
    syntax: AttributeSyntax::Enumeration(&PREDICATES),
};

fn bit(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    Ok(smallvec![site.context.integer_type(1)])
}

fn sum_of_widths(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let widths: Option<Vec<u32>> = site
        .operand_types
        .iter()
        .map(|t| t.integer_width_bits(site.context))
        .collect();
    let width = widths
        .ok_or("a concatenation is of integers")?
        .into_iter()
        .sum();
    Ok(smallvec![site.context.integer_type(width)])
}

macro_rules! fold {
    ($algebra:ident, $x:ident, $method:ident) => {{
        let mut result = $x[0].clone();
        for word in &$x[1..] {
            result = $algebra.$method(&result, word);
        }
        Some(smallvec![result])
    }};
}

sluice_ods::dialect! {
    dialect "comb" { summary: "Combinational operations" }

    /// Sum, wrapped.
    op Add = "add" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
        meaning: |site, algebra, x| fold!(algebra, x, add),
    }

    /// Product, wrapped.
    op Mul = "mul" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
        meaning: |site, algebra, x| fold!(algebra, x, mul),
    }

    /// Conjunction.
    op And = "and" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
        meaning: |site, algebra, x| fold!(algebra, x, and),
    }

    /// Disjunction.
    op Or = "or" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
        meaning: |site, algebra, x| fold!(algebra, x, or),
    }

    /// Exclusive or.
    op Xor = "xor" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
        meaning: |site, algebra, x| fold!(algebra, x, xor),
    }


    /// Difference, wrapped.
    op Sub = "sub" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.sub(&x[0], &x[1])]),
    }

    /// Shift to the left.
    op Shl = "shl" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.shl(&x[0], &x[1])]),
    }

    /// Logical shift to the right.
    op Shru = "shru" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.lshr(&x[0], &x[1])]),
    }

    /// Arithmetic shift to the right.
    op Shrs = "shrs" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.ashr(&x[0], &x[1])]),
    }

    /// Unsigned quotient.
    op Divu = "divu" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.udiv(&x[0], &x[1])]),
    }

    /// Signed quotient.
    op Divs = "divs" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.sdiv(&x[0], &x[1])]),
    }

    /// Unsigned remainder.
    op Modu = "modu" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.urem(&x[0], &x[1])]),
    }

    /// Signed remainder.
    op Mods = "mods" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.srem(&x[0], &x[1])]),
    }

    /// Comparison.
    op Icmp = "icmp" {
        traits: [PURE, SAME_TYPE_OPERANDS],
        operands: { lhs: BITS, rhs: BITS },
        attributes: { predicate: PREDICATE, two_state("twoState"): optional UNIT },
        results: { result: I1 },
        assembly: "(`bin` $twoState^)? $predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
        infer: bit,
        meaning: |site, algebra, x| {
            let (a, b) = (&x[0], &x[1]);
            Some(smallvec![match site.attribute("predicate")?.as_i64(site.context)? {
                0 | 10 | 12 => algebra.eq(a, b),
                1 | 11 | 13 => algebra.ne(a, b),
                2 => algebra.slt(a, b),
                3 => algebra.sle(a, b),
                4 => algebra.sgt(a, b),
                5 => algebra.sge(a, b),
                6 => algebra.ult(a, b),
                7 => algebra.ule(a, b),
                8 => algebra.ugt(a, b),
                _ => algebra.uge(a, b),
            }])
        },
    }

    /// The exclusive or of all bits.
    op Parity = "parity" {
        traits: [PURE],
        operands: { input: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: I1 },
        assembly: "(`bin` $twoState^)? $input attr-dict `:` type($input)",
        infer: bit,
        meaning: |site, algebra, x| Some(smallvec![algebra.parity(&x[0])]),
    }

    /// Operands side by side, the first one on top.
    op Concat = "concat" {
        traits: [PURE],
        operands: { inputs: variadic BITS },
        results: { result: BITS },
        assembly: "$inputs attr-dict `:` type($inputs)",
        infer: sum_of_widths,
        meaning: |site, algebra, x| fold!(algebra, x, concat),
    }

    /// Copies side by side.
    op Replicate = "replicate" {
        traits: [PURE],
        operands: { input: BITS },
        results: { result: BITS },
        assembly: "$input attr-dict `:` functional-type($input, $result)",
        meaning: |site, algebra, x| {
            let times = site.result_width_bits(0) / site.operand_width_bits(0).max(1);
            let mut result = x[0].clone();
            for _ in 1..times {
                result = algebra.concat(&result, &x[0]);
            }
            Some(smallvec![result])
        },
    }

    /// Some bits.
    op Extract = "extract" {
        traits: [PURE],
        operands: { input: BITS },
        attributes: { low_bit("lowBit"): I32 },
        results: { result: BITS },
        assembly: custom(parse_extract, print_extract),
        meaning: |site, algebra, x| {
            let low = u32::try_from(site.attribute("lowBit")?.as_i64(site.context)?).ok()?;
            Some(smallvec![algebra.extract(&x[0], low, site.result_width_bits(0))])
        },
    }

    /// One of two values.
    op Mux = "mux" {
        traits: [PURE],
        rules: [AllTypesMatch(&["true_value", "false_value", "result"])],
        operands: { cond: I1, true_value: BITS, false_value: BITS },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: BITS },
        assembly: "(`bin` $twoState^)? $cond `,` $true_value `,` $false_value attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.ite(&x[0], &x[1], &x[2])]),
    }
}

fn parse_extract(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let input = parser.parse_operand()?;
    parser.parse_keyword("from")?;
    let low = parser.parse_integer()?;
    let ty = context.integer_type(32);
    let low = context.integer_attribute(ty, sluice_ir::bits::Bits::from_i64(32, low));
    state.set_attribute(context, "lowBit", low);
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let (inputs, results) = parser.parse_function_type()?;
    parser.resolve_operands(&[input], &inputs, position, state)?;
    state.add_results(&results);
    Ok(())
}

fn print_extract(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    let low = view
        .attribute("lowBit")
        .and_then(|a| a.as_i64(view.context))
        .unwrap_or(0);
    printer.text(&format!(" from {low}"));
    printer.attribute_dictionary(view, &["lowBit"]);
    printer.text(" : ");
    let results: Vec<_> = view.result_types().collect();
    printer.functional_type(view.operand_types(), &results);
}
