//! The loops of functions and of a module, in the order in which a walk finds them.

use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, View};

/// The loops of a function.
pub(crate) fn loops_in(context: &Context, body: &Body) -> Vec<OperationId> {
    let mut all = body.walk_all();
    all.retain(|op| View::new(context, body, *op).name() == "scf.for");
    all
}

/// The loops of all functions, each with its function.
pub(crate) fn loops(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let functions = named(context, module, "func.func").into_iter();
    functions
        .flat_map(|function| {
            let all = loops_in(context, module.inner().inner(function));
            all.into_iter().map(move |op| (function, op))
        })
        .collect()
}
