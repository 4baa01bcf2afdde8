//! The `scf-for-loop-peeling` pass: the last iteration of a loop is on its own if it may be cut short by the bound.
//!
//! Source: MLIR, `peelForLoopAndSimplifyBounds`. Differs: a minimum of a constant and of what is left is simplified, and no other one.
//! A loop that does not count in `index` stays.

use rustc_hash::FxHashSet;
use sluice_dialects::{affine, scf};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::limits::Limit;
use sluice_ir::simplify::constant_of;
use sluice_ir::{Body, Builder, Context, Diagnostics, OperationId, ValueId, ValueMap, View};

use crate::canonicalize::{self, maps::Composed};
use crate::emit::{index_constant, replace, value};

/// Operands of a loop.
const LOWER: usize = 0;
const UPPER: usize = 1;
const STEP: usize = 2;
const FIRST_INIT: usize = 3;

/// Peels the loops of a body, outer ones first. With `skips_partial`, loops in a last iteration stay.
///
/// # Errors
/// In `found`, if the copies of loops are more operations than the limit: without `skips_partial`, each level of a nest doubles them.
pub(crate) fn peel(
    context: &Context,
    body: &mut Body,
    skips_partial: bool,
    found: &mut Diagnostics,
) {
    let mut n_copied: u128 = 0;
    canonicalize::drive(context, body, &[]);
    let mut skipped: FxHashSet<OperationId> = FxHashSet::default();
    let mut waiting = loops(context, body.walk_all(), body);
    waiting.reverse();
    while let Some(op) = waiting.pop() {
        if skipped.contains(&op) {
            continue;
        }
        let Some(last) = peel_one(context, body, op) else {
            continue;
        };
        let inside = body.walk(last).into_iter().filter(|inner| *inner != last);
        let inside = loops(context, inside.collect(), body);
        if skips_partial {
            skipped.extend(inside);
            continue;
        }
        waiting.extend(inside.into_iter().rev());
        n_copied += body.walk(last).len() as u128;
        if let Err(excess) = context.limits.check(Limit::UnrolledOperations, n_copied) {
            let message = format!("the copies of peeled loops are {excess}: set `skip-partial`");
            found.error(body.location(op), message);
            return;
        }
    }
    canonicalize::drive(context, body, &[]);
}

fn loops(context: &Context, mut ops: Vec<OperationId>, body: &Body) -> Vec<OperationId> {
    ops.retain(|op| context.operation_text(body.name(*op)) == scf::For::NAME);
    ops
}

/// Peels a loop unless its step certainly divides its range. Returns the loop of the last iteration.
fn peel_one(context: &Context, body: &mut Body, op: OperationId) -> Option<OperationId> {
    let [lower, upper, step] = [LOWER, UPPER, STEP].map(|operand| body.operand(op, operand));
    let index = context.index_type();
    if body.ty(lower) != index {
        return None;
    }
    let known = [lower, upper, step].map(|v| constant_of(context, body, v)?.as_i64(context));
    let middle = match known {
        [_, _, Some(1)] => return None,
        [Some(lower), Some(upper), Some(step)] if step > 0 => {
            let left = upper.checked_sub(lower)?.rem_euclid(step);
            if left == 0 {
                return None;
            }
            Some(upper - left)
        }
        _ => None,
    };
    let mut builder = Builder::before(context, body, op);
    let middle = match middle {
        Some(middle) => index_constant(&mut builder, middle),
        None => {
            let [lower, upper, step] = [0, 1, 2].map(AffineExpr::Symbol);
            let left = (upper.clone() - lower).modulo(step);
            let map = AffineMap {
                n_dims: 0,
                n_symbols: 3,
                results: vec![upper - left],
            };
            let attributes = [("map", context.affine_map_attribute(map))];
            let operands: Vec<ValueId> = [LOWER, UPPER, STEP]
                .map(|operand| builder.body.operand(op, operand))
                .to_vec();
            value(
                &mut builder,
                affine::Apply::NAME,
                &operands,
                index,
                &attributes,
            )
        }
    };
    let last = body.copy(context, op, &mut ValueMap::default());
    body.insert_after(op, last);
    let results = body.results(op).to_vec();
    for (i, old) in results.iter().enumerate() {
        let new = body.result(last, i);
        body.replace_all_uses(*old, new);
    }
    for (i, old) in results.into_iter().enumerate() {
        body.set_operand(last, FIRST_INIT + i, old);
    }
    body.set_operand(last, LOWER, middle);
    simplify_minima(context, body, op, Part::Whole);
    simplify_minima(context, body, last, Part::Last);
    body.set_operand(op, UPPER, middle);
    Some(last)
}

/// The part of the range that a loop runs over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Iterations of a whole step.
    Whole,
    /// An iteration with less than a step left.
    Last,
}

/// Replaces minima of a constant and of what is left by the one that is smaller in this part. The bound is still that of all.
fn simplify_minima(context: &Context, body: &mut Body, op: OperationId, part: Part) {
    for inner in body.walk(op) {
        if context.operation_text(body.name(inner)) == affine::Min::NAME {
            simplify_minimum(context, body, (op, inner), part);
        }
    }
}

fn simplify_minimum(
    context: &Context,
    body: &mut Body,
    (op, minimum): (OperationId, OperationId),
    part: Part,
) -> Option<()> {
    let view = View::new(context, body, minimum);
    let block = body.entry_block(op, 0)?;
    let variable = *body.arguments(block).first()?;
    let known = |operand: usize| {
        let value = body.operand(op, operand);
        constant_of(context, body, value)?.as_i64(context)
    };
    let step = known(STEP)?;
    let map = view.attribute("map")?.as_affine_map(context)?;
    let operands: Vec<ValueId> = view.operands().collect();
    let mut all = Composed::new(map, &operands)?;
    all.canonicalise(view);
    all.simplify();
    let place = |value: ValueId| -> Option<AffineExpr> {
        let number = |i: usize| u32::try_from(i).ok();
        let in_dims = all.dims.iter().position(|other| *other == Some(value));
        let in_symbols = all.symbols.iter().position(|other| *other == Some(value));
        match (in_dims, in_symbols) {
            (Some(i), _) => Some(AffineExpr::Dim(number(i)?)),
            (None, Some(i)) => Some(AffineExpr::Symbol(number(i)?)),
            (None, None) => None,
        }
    };
    let upper = match known(UPPER) {
        Some(upper) => AffineExpr::Constant(upper),
        None => place(body.operand(op, UPPER))?,
    };
    let mut left = all.clone();
    left.results = vec![upper - place(variable)?];
    left.simplify();
    let rest = &left.results[0];
    let number = match &all.results[..] {
        [a, b] if b == rest => a.as_constant(),
        [a, b] if a == rest => b.as_constant(),
        _ => None,
    };
    let number = number?;
    let is_decided = match part {
        Part::Whole => number <= step,
        Part::Last => number >= step,
    };
    if !is_decided {
        return None;
    }
    let (map, operands) = (left.map(), left.operands());
    let index = context.index_type();
    let mut builder = Builder::before(context, body, minimum);
    let new = match part {
        Part::Whole => index_constant(&mut builder, number),
        Part::Last => {
            let attributes = [("map", context.affine_map_attribute(map))];
            let name = affine::Apply::NAME;
            value(&mut builder, name, &operands, index, &attributes)
        }
    };
    replace(body, minimum, &[new]);
    Some(())
}
