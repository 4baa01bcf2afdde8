//! Operations that evaluate affine maps.

use smallvec::{SmallVec, smallvec};

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::definition::FoldResult;
use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{Attribute, Diagnostics, ValueId, View};

use super::{map_of, n_inputs, op_error, resolve_indices};
use crate::constraints::{AFFINE_MAP, I64_ARRAY, INDEX, UNIT};
use crate::index_lists::{DYNAMIC, n_dynamic, numbers, parse_index_list};

sluice_ods::dialect! {
    group "affine";

    /// The value of an affine map.
    op Apply = "apply" {
        traits: [PURE],
        operands: { map_operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_apply, print_map_op),
        verify: verify_apply,
    }

    /// The smallest value of an affine map.
    op Min = "min" {
        traits: [PURE],
        operands: { operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_map_op, print_map_op),
        verify: verify_extremum,
    }

    /// The largest value of an affine map.
    op Max = "max" {
        traits: [PURE],
        operands: { operands: variadic INDEX },
        attributes: { map: AFFINE_MAP },
        results: { result: INDEX },
        assembly: custom(parse_map_op, print_map_op),
        verify: verify_extremum,
    }

    /// The digits of a number in a mixed-radix system with the given bases.
    ///
    /// There are as many bases as digits, or one less: the first digit is not bounded. A base is a number or an operand; before
    /// MLIR 20, all are operands.
    op DelinearizeIndex = "delinearize_index" {
        traits: [PURE],
        operands: { linear_index: INDEX, basis: variadic INDEX },
        attributes: { static_basis: I64_ARRAY since 20 },
        results: { multi_index: variadic INDEX },
        assembly: custom(parse_delinearize_index, print_delinearize_index),
        custom_if: bases_can_be_read,
        verify: verify_delinearize_index,
        fold: fold_delinearize_index,
    }

    /// The number with the given digits in a mixed-radix system with the given bases.
    ///
    /// There are as many bases as digits, or one less: the first base has no meaning. A base is a number or an operand. Digits that
    /// are `disjoint` are not negative and below their bases.
    op LinearizeIndex = "linearize_index" {
        since: 20,
        traits: [PURE, ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { multi_index: variadic INDEX, basis: variadic INDEX },
        attributes: { static_basis: I64_ARRAY, disjoint: flag UNIT },
        results: { linear_index: INDEX },
        assembly: custom(parse_linearize_index, print_linearize_index),
        verify: verify_linearize_index,
        fold: fold_linearize_index,
    }
}

/// A base of a mixed-radix system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A number.
    Known(i64),
    /// The value of an operand.
    Value(ValueId),
}

/// Returns the bases of an `affine.delinearize_index` or `affine.linearize_index`.
pub fn bases(view: View<'_>) -> Vec<Base> {
    let mut operands = view.operand_group(1).into_iter();
    match view.attribute("static_basis") {
        None => operands.map(Base::Value).collect(),
        Some(_) => numbers(view, "static_basis")
            .into_iter()
            .filter_map(|number| match number {
                DYNAMIC => operands.next().map(Base::Value),
                number => Some(Base::Known(number)),
            })
            .collect(),
    }
}

/// Returns the maps of the digits of `d0`: the first one is not bounded. Bases that are values are symbols, in order; `bases` are
/// those of all digits but the first.
fn digits_of(bases: &[Base]) -> AffineMap {
    // From the last digit to the first; `stride` is the product of the bases of the digits already done.
    let mut stride = AffineExpr::Constant(1);
    let mut results = Vec::new();
    let parts = expressions(bases);
    for base in parts.iter().rev() {
        let above = stride.clone() * base.clone();
        results.push(AffineExpr::Dim(0).modulo(above.clone()).floor_div(stride));
        stride = above;
    }
    results.push(AffineExpr::Dim(0).floor_div(stride));
    results.reverse();
    AffineMap {
        n_dims: 1,
        n_symbols: n_values(bases),
        results,
    }
}

/// Returns bases as expressions: those that are values are symbols, in order.
fn expressions(bases: &[Base]) -> Vec<AffineExpr> {
    let mut symbol = 0;
    let mut one = |base: &Base| match base {
        Base::Known(number) => AffineExpr::Constant(*number),
        Base::Value(_) => {
            symbol += 1;
            AffineExpr::Symbol(symbol - 1)
        }
    };
    bases.iter().map(&mut one).collect()
}

fn n_values(bases: &[Base]) -> u32 {
    let values = bases.iter().filter(|base| matches!(base, Base::Value(_)));
    u32::try_from(values.count()).unwrap_or(u32::MAX)
}

/// Returns the bases of all digits but the first, which has none that counts.
fn inner_bases(view: View<'_>, n_digits: usize) -> Vec<Base> {
    let bases = bases(view);
    let skipped = bases.len().saturating_sub(n_digits.saturating_sub(1));
    bases.into_iter().skip(skipped).collect()
}

/// Returns the values among bases, in order.
fn values_of(bases: &[Base]) -> impl Iterator<Item = ValueId> {
    bases.iter().filter_map(|base| match base {
        Base::Known(_) => None,
        Base::Value(value) => Some(*value),
    })
}

/// Returns the value of an `affine.delinearize_index` or `affine.linearize_index` as a map for each result, with its operands: first
/// those of its dimensions, then those of its symbols.
pub fn index_map(view: View<'_>) -> Option<(AffineMap, Vec<ValueId>)> {
    match view.name() {
        "affine.delinearize_index" => {
            let bases = inner_bases(view, view.results().len());
            let mut operands = vec![view.operand(0)];
            operands.extend(values_of(&bases));
            Some((digits_of(&bases), operands))
        }
        "affine.linearize_index" => {
            let mut operands = view.operand_group(0).to_vec();
            let bases = inner_bases(view, operands.len());
            let n_dims = u32::try_from(operands.len()).ok()?;
            // From the first digit to the last, as in Horner's scheme.
            let mut sum = match n_dims {
                0 => AffineExpr::Constant(0),
                _ => AffineExpr::Dim(0),
            };
            for (digit, base) in (1..n_dims).zip(expressions(&bases)) {
                sum = sum * base + AffineExpr::Dim(digit);
            }
            operands.extend(values_of(&bases));
            let map = AffineMap {
                n_dims,
                n_symbols: n_values(&bases),
                results: vec![sum],
            };
            Some((map, operands))
        }
        _ => None,
    }
}

/// Returns the constants of bases, if all are known and positive.
fn constant_bases(bases: &[Base], operands: &[(ValueId, Option<i64>)]) -> Option<Vec<i64>> {
    let known = |base: &Base| match base {
        Base::Known(number) => Some(*number),
        Base::Value(value) => {
            let found = operands.iter().find(|(operand, _)| operand == value);
            found.and_then(|(_, number)| *number)
        }
    };
    let all: Option<Vec<i64>> = bases.iter().map(known).collect();
    all.filter(|bases| bases.iter().all(|base| *base > 0))
}

/// Returns the operands with their constants, where these are known.
fn known_operands(view: View<'_>, operands: &[Option<Attribute>]) -> Vec<(ValueId, Option<i64>)> {
    let constants = operands.iter();
    let constants = constants.map(|constant| constant.and_then(|a| a.as_i64(view.context)));
    view.operands().zip(constants).collect()
}

fn fold_delinearize_index(
    view: View<'_>,
    operands: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let context = view.context;
    let n_digits = view.results().len();
    // A number with a single digit is that digit.
    if n_digits == 1 {
        return Some(smallvec![FoldResult::Value(view.operand(0))]);
    }
    let known = known_operands(view, operands);
    let bases = constant_bases(&inner_bases(view, n_digits), &known)?;
    let mut rest = known.first()?.1?;
    let mut digits = Vec::new();
    for base in bases.iter().rev() {
        digits.push(rest.rem_euclid(*base));
        rest = rest.div_euclid(*base);
    }
    digits.push(rest);
    let constant = |digit| FoldResult::Constant(context.index_attribute(digit));
    Some(digits.into_iter().rev().map(constant).collect())
}

fn fold_linearize_index(
    view: View<'_>,
    operands: &[Option<Attribute>],
) -> Option<SmallVec<[FoldResult; 1]>> {
    let digits = view.operand_group(0);
    match digits[..] {
        [] => {
            let zero = view.context.index_attribute(0);
            return Some(smallvec![FoldResult::Constant(zero)]);
        }
        [only] => return Some(smallvec![FoldResult::Value(only)]),
        _ => {}
    }
    let known = known_operands(view, operands);
    let bases = constant_bases(&inner_bases(view, digits.len()), &known)?;
    let digits: Option<Vec<i64>> = known[..digits.len()].iter().map(|(_, n)| *n).collect();
    let digits = digits?;
    let (first, rest) = digits.split_first()?;
    let sum = rest
        .iter()
        .zip(bases)
        .try_fold(*first, |sum, (digit, base)| {
            sum.checked_mul(base)?.checked_add(*digit)
        })?;
    let sum = view.context.index_attribute(sum);
    Some(smallvec![FoldResult::Constant(sum)])
}

fn print_bases(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text("(");
    printer.comma_separated(&bases(view), |printer, base| match base {
        Base::Known(number) => printer.text(&number.to_string()),
        Base::Value(value) => printer.operand(*value),
    });
    printer.text(")");
}

fn parse_delinearize_index(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let number = parser.parse_operand()?;
    parser.parse_keyword("into")?;
    let bases = parse_index_list(parser, Delimiter::Paren)?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let types = parser.parse_type_list()?;
    let index = context.index_type();
    parser.resolve_operand(number, index, state)?;
    bases.resolve(parser, state)?;
    // Before MLIR 20 there is no list of numbers, and none is needed if all are operands.
    if n_dynamic(&bases.numbers) != bases.numbers.len() {
        bases.set(context, "static_basis", state);
    }
    state.add_results(&types);
    Ok(())
}

/// Returns true if the custom form gives the bases back: it has a list of numbers only where one of them is a number.
fn bases_can_be_read(view: View<'_>) -> bool {
    let numbers = numbers(view, "static_basis");
    let has_number = n_dynamic(&numbers) != numbers.len();
    has_number == view.attribute("static_basis").is_some()
}

fn print_delinearize_index(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    printer.operand(view.operand(0));
    printer.text(" into ");
    print_bases(printer, view);
    printer.attribute_dictionary(view, &["static_basis"]);
    printer.text(" : ");
    printer.types(view.result_types());
}

fn parse_linearize_index(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    if parser.parse_optional_keyword("disjoint") {
        state.set_attribute(context, "disjoint", context.unit_attribute());
    }
    let digits = parser.parse_operand_list(Delimiter::Square)?;
    parser.parse_keyword("by")?;
    let bases = parse_index_list(parser, Delimiter::Paren)?;
    parser.parse_attribute_dictionary(state)?;
    parser.parse_punctuation(":")?;
    let position = parser.position();
    let ty = parser.parse_type()?;
    if !ty.is_index(context) {
        let message = format!(
            "invalid kind of type specified: expected builtin.index, but found '{}'",
            print_type(context, ty)
        );
        return Err(parser.error(position, message));
    }
    parser.resolve_operands_of_type(&digits, ty, state)?;
    let n_values = bases.resolve(parser, state)?;
    bases.set(context, "static_basis", state);
    state.set_operand_segment_sizes(context, &[digits.len(), n_values]);
    state.add_results(&[ty]);
    Ok(())
}

fn print_linearize_index(printer: &mut Printer<'_>, view: View<'_>) {
    if view.attribute("disjoint").is_some() {
        printer.text(" disjoint");
    }
    printer.text(" [");
    printer.operands(view.operand_group(0));
    printer.text("] by ");
    print_bases(printer, view);
    printer.attribute_dictionary(view, &["static_basis", "disjoint", "operandSegmentSizes"]);
    printer.text(" : ");
    printer.ty(view.ty(view.result(0)));
}

/// Returns the error in the bases of an operation, if there is one: a base without an operand, or one that is not positive.
fn wrong_bases(view: View<'_>) -> Option<&'static str> {
    view.attribute("static_basis")?;
    let numbers = numbers(view, "static_basis");
    if n_dynamic(&numbers) != view.operand_group(1).len() {
        return Some("expected one operand for each base that is not a number");
    }
    None
}

fn parse_apply(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    parse_map_op(parser, state)?;
    let map = state.attribute(context, "map");
    let Some(map) = map.and_then(|a| a.as_affine_map(context)) else {
        return Ok(());
    };
    let (n_results, n_wanted) = (map.results.len(), n_inputs(map));
    if state.operands.len() != n_wanted {
        return Err(parser.error(state.position, "dimension or symbol index mismatch"));
    }
    state.result_types.clear();
    for _ in 0..n_results {
        state.add_results(&[context.index_type()]);
    }
    Ok(())
}

fn parse_map_op(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let map = parser.parse_affine_map()?;
    let (n_dims, operands) = parser.parse_dimension_and_symbol_operands()?;
    if state.name == context.operation_name("affine.apply")
        && u32::try_from(n_dims) != Ok(map.n_dims)
    {
        return Err(parser.error(state.position, "dimension or symbol index mismatch"));
    }
    resolve_indices(parser, &operands, state)?;
    state.set_attribute(context, "map", context.affine_map_attribute(map));
    parser.parse_attribute_dictionary(state)?;
    state.add_results(&[context.index_type()]);
    Ok(())
}

fn print_map_op(printer: &mut Printer<'_>, view: View<'_>) {
    let map = map_of(view, "map");
    printer.text(" ");
    printer.affine_map(&map);
    let operands: Vec<_> = view.operands().collect();
    printer.dimension_and_symbol_operands(&operands, map.n_dims as usize);
    printer.attribute_dictionary(view, &["map"]);
}

fn verify_apply(view: View<'_>, diagnostics: &mut Diagnostics) {
    let map = map_of(view, "map");
    if view.operands().len() != n_inputs(&map) {
        let message = "operand count and affine map dimension and symbol count must match";
        op_error(view, diagnostics, message);
    } else if map.results.len() != 1 {
        op_error(view, diagnostics, "mapping must produce one value");
    }
}

fn verify_extremum(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.operands().len() != n_inputs(&map_of(view, "map")) {
        let message = "operand count and affine map dimension and symbol count must match";
        op_error(view, diagnostics, message);
    }
}

fn verify_delinearize_index(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (n_bases, n_digits) = (bases(view).len(), view.results().len());
    let is_positive = |base: &Base| !matches!(base, Base::Known(..=0));
    let message = if let Some(message) = wrong_bases(view) {
        message
    } else if n_digits == 0 || n_digits != n_bases && n_digits != n_bases + 1 {
        "should return an index for each basis element and up to one extra index"
    } else if !bases(view).iter().all(is_positive) {
        "no basis element may be statically non-positive"
    } else {
        return;
    };
    op_error(view, diagnostics, message);
}

fn verify_linearize_index(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (n_bases, n_digits) = (bases(view).len(), view.operand_group(0).len());
    let message = if let Some(message) = wrong_bases(view) {
        message
    } else if n_bases != n_digits && n_bases + 1 != n_digits {
        "should be passed a basis element for each index except possibly the first"
    } else {
        return;
    };
    op_error(view, diagnostics, message);
}
