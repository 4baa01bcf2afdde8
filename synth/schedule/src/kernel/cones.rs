//! Logic of single bits that one look-up table takes: the delay of a table is counted once per table, not once per operation.
//!
//! Source: J. Cong, Y. Ding, "FlowMap", IEEE TCAD 1994 (cuts of few inputs). Differs: cones are grown greedily from the operands
//! on, which never finds a smaller depth than there is.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::extract::is_constant;

/// Inputs that the look-up tables of every FPGA have at least.
const TABLE_INPUTS: usize = 4;

/// The operations of `order` (one block, values before their uses) that share the table of every operation that reads them.
pub(crate) fn inside_tables(
    context: &Context,
    body: &Body,
    order: &[OperationId],
) -> BTreeSet<OperationId> {
    let mut leaves: BTreeMap<OperationId, BTreeSet<ValueId>> = BTreeMap::new();
    let mut taken: BTreeSet<(OperationId, OperationId)> = BTreeSet::new();
    for op in order {
        let view = View::new(context, body, *op);
        if !is_bit_logic(view) {
            continue;
        }
        let mut inputs: BTreeSet<ValueId> = view
            .operands()
            .filter(|v| !is_constant(context, body, *v))
            .collect();
        for operand in inputs.clone() {
            let Some(maker) = body.defining_operation(operand) else {
                continue;
            };
            let Some(behind) = leaves.get(&maker) else {
                continue;
            };
            let mut together = inputs.clone();
            together.remove(&operand);
            together.extend(behind);
            if together.len() <= TABLE_INPUTS {
                inputs = together;
                taken.insert((*op, maker));
            }
        }
        leaves.insert(*op, inputs);
    }
    let shares = |maker: &OperationId| {
        let mut uses = body.uses(body.result(*maker, 0)).peekable();
        let inverts = body.operands(*maker).any(|v| is_constant(context, body, v));
        uses.peek().is_some()
            && uses.all(|(user, index)| {
                // An inverted condition is the same selection the other way round.
                let chooses = inverts && index == 0 && chooses(View::new(context, body, user));
                chooses || taken.contains(&(user, *maker))
            })
    };
    leaves.keys().copied().filter(shares).collect()
}

fn chooses(view: View<'_>) -> bool {
    matches!(view.name(), "arith.select" | "scf.if")
}

fn is_bit_logic(view: View<'_>) -> bool {
    let logic = matches!(
        view.name(),
        "arith.andi" | "arith.ori" | "arith.xori" | "arith.select"
    );
    logic && view.ty(view.result(0)).integer_width_bits(view.context) == Some(1)
}
