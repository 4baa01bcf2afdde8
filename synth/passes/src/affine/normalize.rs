//! The `affine-loop-normalize` pass: loops begin at 0 and go by 1.
//!
//! Source: MLIR, `normalizeAffineFor`. Differs: an `affine.parallel` stays as it is.

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::{Body, Builder, Context, OperationId, View};

use super::{Loop, loops, promote, simplify};
use crate::canonicalize::maps::Composed;
use crate::emit::value;

/// Normalises the affine loops of a body. With `promotes`, a loop of one iteration becomes its body.
pub(crate) fn normalize(context: &Context, body: &mut Body, promotes: bool) {
    for op in loops(context, body) {
        if !(promotes && promote(context, body, op)) {
            normalize_one(context, body, op);
        }
    }
}

fn normalize_one(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let view = View::new(context, body, op);
    let mut bounds = Loop::read(view)?;
    if bounds.lower.0.single_constant() == Some(0) && bounds.step == 1 {
        return None;
    }
    let [_] = bounds.lower.0.results[..] else {
        return None;
    };
    let block = view.entry_block(0)?;
    let variable = *body.arguments(block).first()?;
    let lower = Composed::new(&bounds.lower.0, &bounds.lower.1)?;
    let upper = Composed::new(&bounds.upper.0, &bounds.upper.1)?;
    let step = AffineExpr::Constant(bounds.step);

    let mut trips = upper.join(lower.clone(), |upper, lower| {
        (upper.clone() - lower[0].clone()).ceil_div(step.clone())
    });
    trips.canonicalise(view);
    simplify::composed(&mut trips);
    let mut old = Composed::new(&AffineMap::identity(1), &[variable])?;
    old.results[0] = old.results[0].clone() * step;
    // The dimensions of the bound come before the counter.
    let mut old = lower.join(old, |lower, counter| counter[0].clone() + lower.clone());
    old.canonicalise(view);
    simplify::composed(&mut old);

    bounds.upper = (trips.map(), trips.operands());
    bounds.lower = (AffineMap::constant(0), Vec::new());
    bounds.step = 1;
    bounds.write(context, body, op);
    let first = body.first_operation(block)?;
    let uses: Vec<_> = body.uses(variable).collect();
    let mut builder = Builder::before(context, body, first);
    builder.location = builder.body.location(op);
    let map = context.affine_map_attribute(old.map());
    let index = context.index_type();
    let counter = value(
        &mut builder,
        affine::Apply::NAME,
        &old.operands(),
        index,
        &[("map", map)],
    );
    for (user, operand) in uses {
        body.set_operand(user, operand, counter);
    }
    Some(())
}
