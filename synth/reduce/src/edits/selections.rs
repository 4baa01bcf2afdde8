//! Edits that replace a conditional by both of its branches, and by selects between the yielded values.

use sluice_dialects::{arith, scf};
use sluice_ir::{Body, Builder, Context, Module, OperationId, View};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, of_body, substitute};
use super::regions::splice;

/// Returns an edit for each `scf.if` with two branches.
pub(super) fn selections(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let view = View::new(context, body, op);
            let has_branches = view.regions().len() == 2 && view.entry_block(1).is_some();
            if view.name() == scf::If::NAME && has_branches {
                edits.push(of_body(function, move |context, body| {
                    !body.is_erased(op) && select(context, body, op)
                }));
            }
        }
    }
    edits
}

fn select(context: &Context, body: &mut Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let (condition, regions) = (view.operand(0), view.regions().to_vec());
    let Some(yes) = splice(body, op, regions[0], &[]) else {
        return false;
    };
    let Some(no) = splice(body, op, regions[1], &[]) else {
        return false;
    };
    let results = body.results(op).to_vec();
    if yes.len() != results.len() || no.len() != results.len() {
        return false;
    }
    for (result, (yes, no)) in results.into_iter().zip(yes.into_iter().zip(no)) {
        let ty = body.ty(result);
        let mut builder = Builder::before(context, body, op);
        let choice = builder.operation(arith::Select::NAME, &[condition, yes, no], &[ty], &[]);
        let chosen = body.result(choice, 0);
        substitute(body, result, chosen);
    }
    body.erase(op);
    true
}
