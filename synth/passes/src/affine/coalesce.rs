//! The `affine-loop-coalescing` pass: a nest of loops becomes one loop with as many iterations.
//!
//! Source: MLIR, `coalesceLoops`. Differs: loops stay if two bounds may be negative, since their product is positive, and if a bound
//! inside the nest depends on a loop that the new one is in, since version 19 writes a wrong symbol.

use sluice_dialects::affine::{self, is_symbol};
use sluice_dialects::memref;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use super::{Loop, is_inside, perfect_nest};
use crate::emit::value;

/// Coalesces the nests of a body.
pub(crate) fn coalesce(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let is_loop =
            !body.is_erased(op) && context.operation_text(body.name(op)) == affine::For::NAME;
        if is_loop {
            bands(context, body, op);
        }
    }
}

/// Coalesces each largest band of a nest whose bounds are known before it.
fn bands(context: &Context, body: &mut Body, root: OperationId) {
    let nest = perfect_nest(context, body, root);
    // For each loop, the outermost loop before which its bounds are known.
    let known: Vec<usize> = nest
        .iter()
        .enumerate()
        .map(|(i, op)| {
            let is_before = |outer: &OperationId| {
                body.operands(*op)
                    .all(|value| !is_inside(body, *outer, value))
            };
            nest[..i].iter().position(is_before).unwrap_or(i)
        })
        .collect();
    let mut end = nest.len();
    while end > 1 {
        let starts = 0..end - 1;
        let start = starts
            .into_iter()
            .find(|start| known[*start..end].iter().all(|known| known <= start));
        if let Some(start) = start {
            one(context, body, &nest[start..end]);
            end = start + 1;
        }
        end -= 1;
    }
}

fn one(context: &Context, body: &mut Body, band: &[OperationId]) -> Option<()> {
    let bounds: Option<Vec<Loop>> = band
        .iter()
        .map(|op| Loop::read(View::new(context, body, *op)))
        .collect();
    let bounds = bounds?;
    let view = View::new(context, body, band[0]);
    let is_normal = |own: &Loop| {
        own.lower.0.single_constant() == Some(0) && own.step == 1 && own.inits.is_empty()
    };
    let is_fixed = |own: &Loop| own.upper.1.iter().all(|value| is_symbol(view, *value));
    let n_negative = bounds.iter().filter(|own| may_be_negative(view, own));
    let may_be_positive = n_negative.count() > 1;
    bounds
        .iter()
        .filter_map(|own| own.upper.0.single_constant())
        .try_fold(1i64, |product, count| product.checked_mul(count))?;
    if !bounds.iter().all(|own| is_normal(own) && is_fixed(own)) || may_be_positive {
        return None;
    }
    let product = || AffineExpr::Dim(0) * AffineExpr::Symbol(0);
    let mut builder = Builder::before(context, body, band[0]);
    let mut counts: Vec<ValueId> = Vec::new();
    let mut total = None;
    for own in &bounds {
        let count = upper_bound(&mut builder, own);
        counts.push(count);
        total = Some(match total {
            None => count,
            Some(before) => apply(&mut builder, product(), &[before, count]),
        });
    }
    let map = AffineMap {
        n_dims: 0,
        n_symbols: 1,
        results: vec![AffineExpr::Symbol(0)],
    };
    let all = Loop {
        upper: (map, vec![total?]),
        ..bounds[0].clone()
    };
    all.write(context, body, band[0]);
    let (outer, inner) = (
        body.entry_block(band[0], 0)?,
        body.entry_block(*band.last()?, 0)?,
    );
    let counters: Vec<ValueId> = band
        .iter()
        .filter_map(|op| Some(body.arguments(body.entry_block(*op, 0)?)[0]))
        .collect();
    let mut builder = Builder::before(context, body, band[1]);
    builder.location = builder.body.location(band[0]);
    let counter = counters[0];
    let mut left = counter;
    let mut computed = Vec::new();
    let mut own = Vec::new();
    for i in (0..band.len()).rev() {
        if i + 1 < band.len() {
            let quotient = AffineExpr::Dim(0).floor_div(AffineExpr::Symbol(0));
            left = apply(&mut builder, quotient, &[left, counts[i + 1]]);
            computed.extend(builder.body.defining_operation(left));
        }
        let value = match i {
            0 => left,
            _ => {
                let rest = AffineExpr::Dim(0).modulo(AffineExpr::Symbol(0));
                let value = apply(&mut builder, rest, &[left, counts[i]]);
                computed.extend(builder.body.defining_operation(value));
                value
            }
        };
        own.push((counters[i], value));
    }
    for (old, new) in own {
        let uses: Vec<_> = body.uses(old).collect();
        for (user, operand) in uses {
            if !computed.contains(&user) {
                body.set_operand(user, operand, new);
            }
        }
    }
    let last = body.last_operation(inner)?;
    for op in body.operations(inner).collect::<Vec<_>>() {
        if op != last {
            body.move_before(band[1], op);
        }
    }
    debug_assert!(body.parent_block(band[1]) == Some(outer), "a perfect nest");
    body.erase(band[1]);
    Some(())
}

/// Returns true if an upper bound may be negative: it is no positive constant and no size of a memref.
fn may_be_negative(view: View<'_>, own: &Loop) -> bool {
    let (map, operands) = &own.upper;
    let is_size = |value: &ValueId| {
        let op = view.body.defining_operation(*value);
        op.is_some_and(|op| view.at(op).name() == memref::Dim::NAME)
    };
    let is_negative = |result: &AffineExpr| match result {
        AffineExpr::Constant(value) => *value < 0,
        AffineExpr::Dim(_) | AffineExpr::Symbol(_) => !operands.iter().all(is_size),
        _ => true,
    };
    map.results.iter().any(is_negative)
}

/// Emits the upper bound of a loop.
fn upper_bound(builder: &mut Builder<'_>, own: &Loop) -> ValueId {
    let (map, operands) = &own.upper;
    let name = match map.results.len() {
        1 => affine::Apply::NAME,
        _ => affine::Min::NAME,
    };
    let index = builder.context.index_type();
    let map = builder.context.affine_map_attribute(map.clone());
    value(builder, name, operands, index, &[("map", map)])
}

/// Emits `affine.apply` of an expression with one dimension and one symbol.
fn apply(builder: &mut Builder<'_>, result: AffineExpr, operands: &[ValueId]) -> ValueId {
    let map = AffineMap {
        n_dims: 1,
        n_symbols: 1,
        results: vec![result],
    };
    let index = builder.context.index_type();
    let map = builder.context.affine_map_attribute(map);
    value(
        builder,
        affine::Apply::NAME,
        operands,
        index,
        &[("map", map)],
    )
}
