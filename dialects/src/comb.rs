//! Dialect comb: combinational operations on bit vectors, in CIRCT's syntax.
//!
//! Divisions by zero have the value that the algebra defines: quotient all ones, remainder the dividend.

use smallvec::{SmallVec, smallvec};

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage, Site,
};
use sluice_ir::text::{Delimiter, ParseResult, Parser, Printer};
use sluice_ir::{Attribute, AttributeKind, Context, Diagnostics, Type, View};

use crate::constraints::{ANY_TYPE, I1, I32, UNIT};
use crate::hw::{INTEGER_TYPE, canonical, integer_type};
use crate::messages::op_error;

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
    check: AttributeCheck::Is(|context, a| PREDICATES.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&PREDICATES),
};

fn bit(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    Ok(smallvec![site.context.integer_type(1)])
}

fn sum_of_widths(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let mut widths = site
        .operand_types
        .iter()
        .map(|ty| canonical(site.context, *ty).integer_width_bits(site.context));
    let width = widths.try_fold(0u32, |sum, width| sum.checked_add(width?));
    let ty = width.and_then(|width| integer_type(site.context, i64::from(width)));
    let ty = ty.ok_or("a concatenation is of integers, and has at most 2^24 - 1 bits")?;
    Ok(smallvec![ty])
}

/// Returns true if the operand types determine the result type, as the custom form requires.
fn widths_are_known(view: View<'_>) -> bool {
    view.with_site(sum_of_widths).is_ok()
}

macro_rules! fold {
    ($algebra:ident, $x:ident, $method:ident) => {{
        let mut result = $x[0].clone();
        for word in &$x[1..] {
            result = $algebra.$method(&result, word);
        }
        result
    }};
}

sluice_ods::dialect! {
    dialect "comb" { summary: "Combinational operations" }

    /// Any number of integers of one type, combined by one operation from left to right.
    class Fold {
        traits: [PURE, COMMUTATIVE, SAME_TYPE_OPERANDS, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { inputs: variadic INTEGER_TYPE },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: INTEGER_TYPE },
        assembly: "(`bin` $twoState^)? $inputs attr-dict `:` type($result)",
    }

    /// Two integers of one type, and a result of that type.
    class Binary {
        traits: [PURE, SAME_TYPE_OPERANDS, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: INTEGER_TYPE, rhs: INTEGER_TYPE },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: INTEGER_TYPE },
        assembly: "(`bin` $twoState^)? $lhs `,` $rhs attr-dict `:` type($result)",
    }

    /// Sum, wrapped.
    op Add = "add": Fold { value: |_, algebra, x| fold!(algebra, x, add) }

    /// Product, wrapped.
    op Mul = "mul": Fold { value: |_, algebra, x| fold!(algebra, x, mul) }

    /// Conjunction.
    op And = "and": Fold { value: |_, algebra, x| fold!(algebra, x, and) }

    /// Disjunction.
    op Or = "or": Fold { value: |_, algebra, x| fold!(algebra, x, or) }

    /// Exclusive or.
    op Xor = "xor": Fold { value: |_, algebra, x| fold!(algebra, x, xor) }


    /// Difference, wrapped.
    op Sub = "sub": Binary { value: |_, algebra, x| algebra.sub(&x[0], &x[1]) }

    /// Shift to the left.
    op Shl = "shl": Binary { value: |_, algebra, x| algebra.shl(&x[0], &x[1]) }

    /// Logical shift to the right.
    op Shru = "shru": Binary { value: |_, algebra, x| algebra.lshr(&x[0], &x[1]) }

    /// Arithmetic shift to the right.
    op Shrs = "shrs": Binary { value: |_, algebra, x| algebra.ashr(&x[0], &x[1]) }

    /// Unsigned quotient.
    op Divu = "divu": Binary { value: |_, algebra, x| algebra.udiv(&x[0], &x[1]) }

    /// Signed quotient.
    op Divs = "divs": Binary { value: |_, algebra, x| algebra.sdiv(&x[0], &x[1]) }

    /// Unsigned remainder.
    op Modu = "modu": Binary { value: |_, algebra, x| algebra.urem(&x[0], &x[1]) }

    /// Signed remainder.
    op Mods = "mods": Binary { value: |_, algebra, x| algebra.srem(&x[0], &x[1]) }

    /// Comparison.
    op Icmp = "icmp" {
        traits: [PURE, SAME_TYPE_OPERANDS],
        operands: { lhs: INTEGER_TYPE, rhs: INTEGER_TYPE },
        attributes: { predicate: PREDICATE, two_state("twoState"): optional UNIT },
        results: { result: I1 },
        assembly: "(`bin` $twoState^)? $predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
        infer: bit,
        meaning: |site, algebra, x| {
            let number = site.attribute("predicate")?.as_i64(site.context)?;
            let predicate = crate::predicate::Predicate::from_number(number)?;
            Some(smallvec![predicate.compare(algebra, &x[0], &x[1])])
        },
    }

    /// The exclusive or of all bits.
    op Parity = "parity" {
        traits: [PURE],
        operands: { input: INTEGER_TYPE },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: I1 },
        assembly: "(`bin` $twoState^)? $input attr-dict `:` type($input)",
        infer: bit,
        value: |_, algebra, x| algebra.parity(&x[0]),
    }

    /// Concatenation of the operands, the first in the highest bits.
    op Concat = "concat" {
        traits: [PURE],
        operands: { inputs: variadic INTEGER_TYPE },
        results: { result: INTEGER_TYPE },
        assembly: "$inputs attr-dict `:` type($inputs)",
        custom_if: widths_are_known,
        infer: sum_of_widths,
        value: |_, algebra, x| fold!(algebra, x, concat),
    }

    /// Concatenation of copies of the operand.
    op Replicate = "replicate" {
        traits: [PURE],
        operands: { input: INTEGER_TYPE },
        results: { result: INTEGER_TYPE },
        assembly: "$input attr-dict `:` functional-type($input, $result)",
        verify: verify_replicate,
        value: |site, algebra, x| {
            let times = site.result_width_bits(0) / site.operand_width_bits(0).max(1);
            let mut result = x[0].clone();
            for _ in 1..times {
                result = algebra.concat(&result, &x[0]);
            }
            result
        },
    }

    /// A range of bits.
    op Extract = "extract" {
        traits: [PURE],
        operands: { input: INTEGER_TYPE },
        attributes: { low_bit("lowBit"): I32 },
        results: { result: INTEGER_TYPE },
        assembly: "$input `from` $lowBit attr-dict `:` functional-type($input, $result)",
        verify: verify_extract,
        value: |site, algebra, x| {
            let low = u32::try_from(site.attribute("lowBit")?.as_i64(site.context)?).ok()?;
            algebra.extract(&x[0], low, site.result_width_bits(0))
        },
    }

    /// Selects one of two values.
    op Mux = "mux" {
        traits: [PURE],
        rules: [AllTypesMatch(&["true_value", "false_value", "result"])],
        operands: { cond: I1, true_value: ANY_TYPE, false_value: ANY_TYPE },
        attributes: { two_state("twoState"): optional UNIT },
        results: { result: ANY_TYPE },
        assembly: "(`bin` $twoState^)? $cond `,` $true_value `,` $false_value attr-dict `:` type($result)",
        value: |_, algebra, x| algebra.ite(&x[0], &x[1], &x[2]),
    }

    /// The bits in reverse order.
    op Reverse = "reverse" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { input: INTEGER_TYPE },
        results: { result: INTEGER_TYPE },
        assembly: "$input attr-dict `:` type($input)",
        value: |site, algebra, x| {
            let width = site.operand_width_bits(0);
            let bits: Vec<_> = (0..width).map(|i| algebra.extract(&x[0], i, 1)).collect();
            let (first, rest) = bits.split_first()?;
            let mut result = first.clone();
            for bit in rest {
                result = algebra.concat(&result, bit);
            }
            result
        },
    }

    /// A bit of a table, indexed by the operands, the first in the highest bit.
    op TruthTable = "truth_table" {
        traits: [PURE],
        operands: { inputs: variadic I1 },
        attributes: { lookup_table("lookupTable"): BITS_ARRAY },
        results: { result: I1 },
        assembly: "$inputs `->` $lookupTable attr-dict",
        verify: verify_truth_table,
        meaning: |site, algebra, x| {
            let table = table(site.context, site.attribute("lookupTable")?)?;
            let n_inputs = u32::try_from(x.len()).ok().filter(|n| *n <= 16)?;
            let wide = u32::try_from(table.len()).ok()?;
            let mut bits = sluice_ir::bits::Bits::zero(wide);
            for (i, bit) in table.iter().enumerate() {
                if *bit {
                    let one = sluice_ir::bits::Bits::from_u64(wide, 1);
                    bits = bits.or(&one.shl_by(u32::try_from(i).ok()?));
                }
            }
            let all = algebra.constant(bits);
            if n_inputs == 0 {
                return Some(smallvec![all]);
            }
            let mut index = x[0].clone();
            for bit in &x[1..] {
                index = algebra.concat(&index, bit);
            }
            let index = match wide > n_inputs {
                true => algebra.zext(&index, wide),
                false => index,
            };
            let shifted = algebra.lshr(&all, &index);
            Some(smallvec![algebra.extract(&shifted, 0, 1)])
        },
    }
}

fn width(view: View<'_>, ty: Type) -> Option<u64> {
    canonical(view.context, ty)
        .width_bits(view.context)
        .map(u64::from)
}

fn verify_replicate(view: View<'_>, diagnostics: &mut Diagnostics) {
    let from = width(view, view.ty(view.operand(0)));
    let to = width(view, view.ty(view.result(0)));
    let (Some(from), Some(to)) = (from, to) else {
        return;
    };
    if from > to {
        op_error(
            view,
            diagnostics,
            "replicate cannot shrink bitwidth of operand",
        );
    } else if to.checked_rem(from).unwrap_or(to) != 0 {
        let message = "replicate must produce integer multiple of operand";
        op_error(view, diagnostics, message);
    }
}

fn verify_extract(view: View<'_>, diagnostics: &mut Diagnostics) {
    let low = view
        .attribute("lowBit")
        .and_then(|a| a.integer(view.context));
    let low = low.and_then(|low| low.to_u64());
    let from = width(view, view.ty(view.operand(0)));
    let to = width(view, view.ty(view.result(0)));
    let (Some(low), Some(from), Some(to)) = (low, from, to) else {
        return;
    };
    if low.checked_add(to).is_none_or(|end| end > from) {
        op_error(view, diagnostics, "from bit too large for input");
    }
}

static BITS_ARRAY: AttributeConstraint = AttributeConstraint {
    summary: "i1 dense array attribute",
    check: AttributeCheck::Is(|context, a| table(context, a).is_some()),
    syntax: AttributeSyntax::Custom {
        parse: parse_table,
        print: print_table,
    },
};

/// Returns the bits of `array<i1: ...>`.
pub fn table(context: &Context, attribute: Attribute) -> Option<Vec<bool>> {
    match attribute.kind(context) {
        AttributeKind::DenseArray { element, .. }
            if element.integer_width_bits(context) == Some(1) =>
        {
            let values = attribute.as_dense_array_i64(context)?;
            Some(values.into_iter().map(|bit| bit != 0).collect())
        }
        _ => None,
    }
}

/// Parses `[true, false]`.
fn parse_table(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let context = parser.context();
    let mut bits = Vec::new();
    parser.parse_comma_separated(Delimiter::Square, |p| {
        bits.push(p.parse_keyword_of(&["false", "true"])? == 1);
        Ok(())
    })?;
    let values = bits
        .into_iter()
        .map(|bit| sluice_ir::bits::Bits::from_u64(1, u64::from(bit)));
    Ok(context.attribute(AttributeKind::DenseArray {
        element: context.integer_type(1),
        values: values.collect(),
    }))
}

fn print_table(printer: &mut Printer<'_>, attribute: Attribute) {
    let bits = table(printer.context(), attribute).unwrap_or_default();
    printer.text("[");
    printer.comma_separated(bits.iter(), |printer, bit| {
        printer.text(if *bit { "true" } else { "false" });
    });
    printer.text("]");
}

fn verify_truth_table(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_inputs = view.operands().len();
    let table = view.attribute("lookupTable");
    let table = table.and_then(|a| table_of(view, a)).unwrap_or_default();
    if n_inputs >= 64 {
        let message = "Truth tables support a maximum of 63 inputs on your platform";
        op_error(view, diagnostics, message);
    } else if table as u64 != 1 << n_inputs {
        op_error(view, diagnostics, "Expected lookup table of 2^n length");
    }
}

fn table_of(view: View<'_>, attribute: Attribute) -> Option<usize> {
    table(view.context, attribute).map(|bits| bits.len())
}
