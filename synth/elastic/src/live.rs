//! What nothing needs goes.

use sluice_ir::patterns::keep_what_is_needed;
use sluice_ir::{Body, Context, OperationId};

/// Removes the operations of a graph that neither a result nor a memory needs, rings of them too.
pub(crate) fn remove_dead(context: &Context, body: &mut Body) {
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
    let roots: Vec<OperationId> = body.walk_all().into_iter().filter(is_root).collect();
    keep_what_is_needed(body, roots);
}
