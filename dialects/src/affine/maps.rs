//! Operations that evaluate affine maps.

use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer};
use sluice_ir::{Diagnostics, View};

use super::{map_of, n_inputs, op_error, resolve_indices};
use crate::constraints::{AFFINE_MAP, INDEX};

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
    op DelinearizeIndex = "delinearize_index" {
        traits: [PURE],
        operands: { linear_index: INDEX, basis: variadic INDEX },
        results: { multi_index: variadic INDEX },
        assembly: "$linear_index `into` ` ` `(` $basis `)` attr-dict `:` type($multi_index)",
        verify: verify_delinearize_index,
    }
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

/// Returns the digits of `d0` in a mixed-radix system with `n_bases` bases, given as symbols; the first digit is unbounded.
pub fn digits(n_bases: u32) -> AffineMap {
    // From the last digit to the first; `stride` is the product of the bases of the digits already done.
    let mut stride = AffineExpr::Constant(1);
    let mut results = Vec::new();
    for base in (0..n_bases).rev() {
        let above = stride.clone() * AffineExpr::Symbol(base);
        let rest = match base {
            0 => AffineExpr::Dim(0),
            _ => AffineExpr::Dim(0).modulo(above.clone()),
        };
        results.push(rest.floor_div(stride));
        stride = above;
    }
    results.reverse();
    AffineMap {
        n_dims: 1,
        n_symbols: n_bases,
        results,
    }
}

fn verify_delinearize_index(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_bases = view.operands().len() - 1;
    if n_bases == 0 {
        op_error(view, diagnostics, "basis should not be empty");
    } else if view.results().len() != n_bases {
        let message = "should return an index for each basis element";
        op_error(view, diagnostics, message);
    }
}
