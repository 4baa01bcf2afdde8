//! Why the loops of a nest stay apart, in the words of the user.

use sluice_dialects::synthesis_form::{is_division, is_guard};
use sluice_ir::{Body, Context, OperationId, View};

use super::FLATTEN;
use super::nest::is_free;
use crate::build::{constant_i64, is_pure};

/// What keeps the loops under `root` from becoming one, and the operation that does: the first one in text order.
///
/// To be asked of a loop that [`coalesce`](super::coalesce) left.
pub fn why_apart(context: &Context, body: &Body, root: OperationId) -> (OperationId, &'static str) {
    let view = |op| View::new(context, body, op);
    let is_loop = |op: &OperationId| view(*op).name() == "scf.for";
    let inside: Vec<OperationId> = body
        .walk(root)
        .into_iter()
        .filter(|op| *op != root)
        .collect();
    if !inside.iter().any(is_loop) {
        return (root, "it holds no other loop");
    }
    let within = |op: OperationId| body.walk(op).into_iter().filter(move |inner| *inner != op);
    let all = std::iter::once(root).chain(inside.iter().copied());
    for op in all {
        let off = |name: &str| {
            let wish = view(op).attribute(name).and_then(|a| a.as_bool(context));
            wish == Some(false)
        };
        let reason = match view(op).name() {
            "scf.for" if off("sluice.pipeline") => "`pipeline: false` keeps this loop apart",
            "scf.for" if off(FLATTEN) => "`flatten: false` keeps this loop apart",
            "scf.for"
                if view(op).attribute("sluice.fixed_ii").is_some()
                    && within(op).any(|op| is_loop(&op)) =>
            {
                "an `ii` is asked of this loop, which holds others"
            }
            "scf.for" if constant_i64(context, body, body.operand(op, 2)).is_none() => {
                "the step of this loop is not constant"
            }
            "scf.for"
                if !body
                    .operands(op)
                    .take(2)
                    .all(|bound| is_free(context, body, root, bound, 0)) =>
            {
                "the bounds of this loop are not sums of counters and constants"
            }
            "scf.while" => "this loop runs for as long as a condition holds",
            "func.call" => "this call takes a time of its own",
            "scf.if" if !is_guard(view(op)) => "this conditional holds more than single accesses",
            _ if is_division(view(op)) && is_in_innermost(context, body, op) => {
                "this division is in an innermost loop: a divider that every iteration uses would set the pace of all"
            }
            "scf.for" | "scf.yield" | "scf.if" | "memref.load" | "memref.store" => continue,
            _ if is_pure(view(op)) || is_division(view(op)) => continue,
            _ => "this operation takes a time of its own",
        };
        return (op, reason);
    }
    let why = "its iterations cannot be run at compile time: bounds depend on more than counters, or there are more than 2^21 steps";
    (root, why)
}

/// Whether the loop around an operation holds no other.
fn is_in_innermost(context: &Context, body: &Body, op: OperationId) -> bool {
    let mut around =
        std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
    let name = |op: OperationId| View::new(context, body, op).name();
    around
        .find(|op| name(*op) == "scf.for")
        .is_some_and(|around| {
            let mut inside = body.walk(around).into_iter().filter(|op| *op != around);
            !inside.any(|op| name(op) == "scf.for")
        })
}
