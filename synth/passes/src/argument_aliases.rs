//! Alias analysis for passes that, as upstream, take it that different arguments may be the same memory.

use sluice_dialects::aliases::Origin;
use sluice_ir::effects::Memories;
use sluice_ir::{Body, Context, ValueId};

/// Returns true if two memrefs may refer to the same memory.
pub(crate) fn may_alias(context: &Context, body: &Body, a: ValueId, b: ValueId) -> bool {
    let origin = |memory| Origin::of(context, body, memory);
    match (origin(a), origin(b)) {
        _ if a == b => true,
        (Origin::Argument(_), Origin::Argument(_)) => true,
        (a, b) => a.may_be(b),
    }
}

/// Returns true if a memref may refer to one of these memories.
pub(crate) fn may_hold(
    context: &Context,
    body: &Body,
    memories: &Memories,
    memory: ValueId,
) -> bool {
    memories.any(|other| may_alias(context, body, other, memory))
}
