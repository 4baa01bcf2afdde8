//! Edits of subscripts in `affine` operations: they become 0, or one of their dimensions.

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{Body, Context, Module, OperationId, ValueId, View};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, of_body};

/// Returns edits that replace each subscript by 0, or by its first dimension.
pub(super) fn subscripts(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let Some(map) = map_of(View::new(context, body, op)) else {
                continue;
            };
            for (at, result) in map.results.iter().enumerate() {
                if result.as_constant() != Some(0) {
                    edits.push(of_body(function, move |context, body| {
                        change(context, body, op, at, |_| AffineExpr::Constant(0))
                    }));
                }
                let is_plain = matches!(result, AffineExpr::Dim(_) | AffineExpr::Constant(_));
                if !is_plain {
                    edits.push(of_body(function, move |context, body| {
                        change(context, body, op, at, |map| {
                            let used = (0..map.n_dims).find(|dim| map.results[at].uses_dim(*dim));
                            AffineExpr::Dim(used.unwrap_or(0))
                        })
                    }));
                }
            }
        }
    }
    edits
}

/// Returns the map of an access, a minimum or maximum, or an `affine.apply`.
pub(super) fn map_of(view: View<'_>) -> Option<AffineMap> {
    let known = [
        affine::Load::NAME,
        affine::Store::NAME,
        affine::Apply::NAME,
        affine::Min::NAME,
        affine::Max::NAME,
    ];
    if !known.contains(&view.name()) {
        return None;
    }
    view.attribute("map")?.as_affine_map(view.context).cloned()
}

/// Returns the number of operands before those of the map.
pub(super) fn n_before_map(view: View<'_>) -> usize {
    match view.name() {
        affine::Load::NAME => 1,
        affine::Store::NAME => 2,
        _ => 0,
    }
}

fn change(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    at: usize,
    new: impl Fn(&AffineMap) -> AffineExpr,
) -> bool {
    if body.is_erased(op) {
        return false;
    }
    let Some(mut map) = map_of(View::new(context, body, op)) else {
        return false;
    };
    if at >= map.results.len() {
        return false;
    }
    let result = new(&map);
    if matches!(result, AffineExpr::Dim(dim) if dim >= map.n_dims) || result == map.results[at] {
        return false;
    }
    map.results[at] = result;
    set_map(context, body, op, &map);
    true
}

/// Sets the map of an operation, and drops the operands that it does not use.
pub(super) fn set_map(context: &Context, body: &mut Body, op: OperationId, map: &AffineMap) {
    let view = View::new(context, body, op);
    let before = n_before_map(view);
    let operands: Vec<ValueId> = view.operands().collect();
    let mut kept = operands[..before].to_vec();
    let (mut dims, mut symbols) = (Vec::new(), Vec::new());
    let (mut n_dims, mut n_symbols) = (0, 0);
    let mut values = operands[before..].iter();
    for dim in 0..map.n_dims {
        let value = values.next();
        let is_used = map.results.iter().any(|result| result.uses_dim(dim));
        dims.push(AffineExpr::Dim(n_dims));
        if is_used {
            n_dims += 1;
            kept.extend(value);
        }
    }
    for symbol in 0..map.n_symbols {
        let value = values.next();
        symbols.push(AffineExpr::Symbol(n_symbols));
        if map.results.iter().any(|result| uses_symbol(result, symbol)) {
            n_symbols += 1;
            kept.extend(value);
        }
    }
    let results = map.results.iter();
    let map = AffineMap {
        n_dims,
        n_symbols,
        results: results
            .map(|result| result.substitute(&dims, &symbols))
            .collect(),
    };
    let name = context.name("map");
    let attribute = context.affine_map_attribute(map);
    body.set_attribute(op, name, attribute);
    body.set_operands(op, &kept);
}

fn uses_symbol(expression: &AffineExpr, symbol: u32) -> bool {
    match expression {
        AffineExpr::Symbol(other) => *other == symbol,
        AffineExpr::Dim(_) | AffineExpr::Constant(_) => false,
        AffineExpr::Add(a, b)
        | AffineExpr::Mul(a, b)
        | AffineExpr::Mod(a, b)
        | AffineExpr::FloorDiv(a, b)
        | AffineExpr::CeilDiv(a, b) => uses_symbol(a, symbol) || uses_symbol(b, symbol),
    }
}
