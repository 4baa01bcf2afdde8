//! Removes gates without effect, and replaces gates by cheaper computations.

use sluice_dialects::{arith, handshake};
use sluice_ir::{Body, Context, NewOperation, OperationId, ValueId, View};

use crate::graph::Graph;

/// Simplifies a graph in which values may have any number of uses:
///
/// * a value that both sides of a conditional pass on unchanged bypasses it: `mux c, [(cond_br c, x).false, (cond_br c, x).true]`
///   is `x`;
/// * a choice between two values that always have a token becomes `arith.select`.
///
/// `may_go` returns whether a chosen value may arrive without waiting for the select input.
pub(crate) fn simplify(graph: &mut Graph<'_>, may_go: &dyn Fn(ValueId, ValueId) -> bool) {
    loop {
        let mut changed = false;
        for op in graph.body.walk_all() {
            let view = View::new(graph.context, graph.body, op);
            if view.name() != handshake::Mux::NAME || view.operands().len() != 3 {
                continue;
            }
            let [select, on_false, on_true] = [0, 1, 2].map(|i| view.operand(i));
            let unchanged = passed_by(view, select, on_false, on_true);
            let unchanged = unchanged.filter(|_| may_go(select, view.result(0)));
            if let Some(value) = unchanged {
                let chosen = graph.body.result(op, 0);
                graph.body.replace_all_uses(chosen, value);
                graph.body.erase(op);
                changed = true;
            } else if graph.is_sourced(on_false) && graph.is_sourced(on_true) {
                computed(graph.context, graph.body, op);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

/// Returns the value that goes through both sides of a condition and comes out unchanged.
fn passed_by(
    view: View<'_>,
    select: ValueId,
    on_false: ValueId,
    on_true: ValueId,
) -> Option<ValueId> {
    let branch = view.body.defining_operation(on_false)?;
    let branch = view.at(branch);
    let is_same = branch.name() == handshake::ConditionalBranch::NAME
        && branch.operand(0) == select
        && branch.results() == [on_true, on_false];
    is_same.then(|| branch.operand(1))
}

/// Replaces a choice between two values that always have a token by a computation.
fn computed(context: &Context, body: &mut Body, op: OperationId) {
    let chosen = body.result(op, 0);
    let mut new = NewOperation::new(
        context.operation_name(arith::Select::NAME),
        body.location(op),
    );
    new.operands = [0, 2, 1].iter().map(|i| body.operand(op, *i)).collect();
    new.result_types = [body.ty(chosen)].into_iter().collect();
    let select = body.create(context, new);
    body.insert_before(op, select);
    let result = body.result(select, 0);
    body.set_value_name(result, body.value_name(chosen));
    body.replace_all_uses(chosen, result);
    body.erase(op);
}
