//! Dead code elimination in dataflow graphs.

use sluice_dialects::handshake;
use sluice_dialects::sluice::MEMORIES;
use sluice_ir::patterns::keep_what_is_needed;
use sluice_ir::{Body, Context, OperationId, View};

/// Removes the operations of a graph that neither a result nor a memory needs, including dead cycles.
///
/// The end waits only for live operations: without this, a dead call of a scheduled circuit without memories would still run when
/// the next call begins.
pub(crate) fn remove_dead(context: &Context, body: &mut Body) {
    let is_root = |op: &OperationId| {
        let memories = View::new(context, body, *op).attribute(MEMORIES);
        if memories.is_some_and(|memories| memories.as_array(context).is_some_and(|m| m.is_empty()))
        {
            return false;
        }
        let name = context.operation_text(body.name(*op));
        matches!(
            name,
            handshake::Return::NAME
                | handshake::Store::NAME
                | handshake::Memory::NAME
                | handshake::ExternalMemory::NAME
                | handshake::Instance::NAME
        )
    };
    let roots: Vec<OperationId> = body.walk_all().into_iter().filter(is_root).collect();
    keep_what_is_needed(body, roots);
}
