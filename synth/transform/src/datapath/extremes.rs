//! Splits minima and maxima that are too slow for one cycle into a comparison and a selection, which may be in separate cycles.

use sluice_dialects::arith;
use sluice_ir::{Body, Builder, Context, View};

use crate::build::{compare, replace, select};

/// Returns the predicate of `arith.cmpi` under which the first operand is the result.
fn predicate(name: &str) -> Option<i64> {
    Some(match name {
        arith::Minsi::NAME => 2,
        arith::Maxsi::NAME => 4,
        arith::Minui::NAME => 6,
        arith::Maxui::NAME => 8,
        _ => return None,
    })
}

/// Splits minima and maxima whose width is too slow for one cycle.
pub fn split_extremes(context: &Context, body: &mut Body, is_too_slow: &dyn Fn(u32) -> bool) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let Some(predicate) = predicate(view.name()) else {
            continue;
        };
        let (a, b) = (view.operand(0), view.operand(1));
        let ty = body.ty(a);
        if !ty.integer_width_bits(context).is_some_and(is_too_slow) {
            continue;
        }
        let mut builder = Builder::before(context, body, op);
        let compared = compare(&mut builder, predicate, a, b);
        let chosen = select(&mut builder, compared, a, b);
        replace(body, op, &[chosen]);
    }
}
