//! The passes `scf-forall-to-for` and `scf-forall-to-parallel`: loops over all points of a space become loops of other kinds.

use sluice_dialects::scf;
use sluice_ir::{Body, Context, Diagnostics, OperationId, View};

/// Replaces every `scf.forall` by an `scf.parallel`. Returns these, outer ones first.
pub(crate) fn to_parallel(
    context: &Context,
    body: &mut Body,
    found: &mut Diagnostics,
) -> Vec<OperationId> {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if view.name() == scf::Forall::NAME && !view.results().is_empty() {
            let message = "an `scf.forall` with results does not become another loop: bufferize the tensors first";
            found.error(view.location(), message);
        }
    }
    match found.has_errors() {
        true => Vec::new(),
        false => sluice_transform::lower_forall(context, body),
    }
}

/// Replaces every `scf.forall` by a nest of `scf.for`.
pub(crate) fn to_for(context: &Context, body: &mut Body, found: &mut Diagnostics) {
    for op in to_parallel(context, body, found) {
        sluice_transform::parallel_to_nest(context, body, op);
    }
}
