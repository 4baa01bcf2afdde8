//! Ends of blocks that no execution reaches: they may do anything, so they return.

use sluice_dialects::{func, scf, ub};
use sluice_ir::{Body, Builder, Context, OperationId, Type, TypeKind};

use crate::build::{all_named, anything};

/// Replaces every `ub.unreachable` of a body by a `func.return` or an `scf.yield` of arbitrary values. It stays, and `legality`
/// reports it, if the function never returns, or returns memories.
pub(crate) fn lower_unreachable(context: &Context, body: &mut Body) {
    for op in all_named(context, body, ub::Unreachable::NAME) {
        let Some((end, types)) = way_out(context, body, op) else {
            continue;
        };
        let has_width = |ty: &Type| {
            let is_float = matches!(ty.kind(context), TypeKind::Float(_));
            is_float || ty.width_bits(context).is_some()
        };
        if !types.iter().all(has_width) {
            continue;
        }
        let mut builder = Builder::before(context, body, op);
        let values: Vec<_> = types.iter().map(|ty| anything(&mut builder, *ty)).collect();
        builder.operation(end, &values, &[], &[]);
        body.erase(op);
    }
}

/// Returns the operation that leaves the region around `op`, and the types that it passes.
fn way_out(context: &Context, body: &Body, op: OperationId) -> Option<(&'static str, Vec<Type>)> {
    match body.parent_operation(op) {
        Some(parent) => {
            let results = body.results(parent).iter();
            let types = results.map(|value| body.ty(*value)).collect();
            (crate::build::name(context, body, parent) == scf::ExecuteRegion::NAME)
                .then_some((scf::Yield::NAME, types))
        }
        None => {
            let end = all_named(context, body, func::Return::NAME);
            let types = body.operands(*end.first()?).map(|value| body.ty(value));
            Some((func::Return::NAME, types.collect()))
        }
    }
}
