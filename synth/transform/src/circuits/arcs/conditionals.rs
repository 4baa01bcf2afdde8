//! If-conversion in arc functions: both branches are computed, and the condition selects the results.

use sluice_dialects::scf;
use sluice_ir::effects::is_free_of_effects;
use sluice_ir::{Body, Context, OperationId};

use crate::build::{all_named, replace, yielded};
use crate::circuits::maker::Maker;

/// Replaces every `scf.if` without effects by selections.
pub(super) fn convert_conditionals(context: &Context, body: &mut Body) {
    // Inner conditionals first.
    for op in all_named(context, body, scf::If::NAME).into_iter().rev() {
        if !is_free_of_effects(context, body, op) {
            continue;
        }
        let condition = body.operand(op, 0);
        let mut given = Vec::new();
        for region in 0..body.regions(op).len() {
            let Some(block) = body.entry_block(op, region) else {
                continue;
            };
            given.push(yielded(body, op, region));
            let mut inside: Vec<OperationId> = body.operations(block).collect();
            inside.pop();
            for inner in inside {
                body.move_before(op, inner);
            }
        }
        let mut chosen = Vec::new();
        if let [yes, no] = &given[..] {
            let mut maker = Maker::before(context, body, op);
            let pairs = yes.iter().zip(no);
            chosen.extend(pairs.map(|(yes, no)| maker.mux(condition, *yes, *no)));
        }
        replace(body, op, &chosen);
    }
}
