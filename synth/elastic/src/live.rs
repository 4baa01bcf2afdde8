//! What nothing needs goes.

use std::collections::BTreeSet;

use sluice_ir::{Body, Context, OperationId};

/// Removes the operations of a graph that neither a result nor a memory needs, rings of them too.
pub(crate) fn remove_dead(context: &Context, body: &mut Body) {
    let ops = body.walk_all();
    let is_root = |op: &OperationId| {
        let name = context.operation_text(body.name(*op));
        matches!(
            name,
            "handshake.return"
                | "handshake.store"
                | "handshake.memory"
                | "handshake.extmemory"
                | "handshake.instance"
        )
    };
    let mut open: Vec<OperationId> = ops.iter().copied().filter(is_root).collect();
    let mut live: BTreeSet<OperationId> = open.iter().copied().collect();
    while let Some(op) = open.pop() {
        let operands: Vec<_> = body.operands(op).collect();
        for operand in operands {
            if let Some(op) = body.defining_operation(operand)
                && live.insert(op)
            {
                open.push(op);
            }
        }
    }
    let dead: Vec<OperationId> = ops.into_iter().filter(|op| !live.contains(op)).collect();
    for op in &dead {
        body.set_operands(*op, &[]);
    }
    for op in dead {
        body.erase(op);
    }
}
