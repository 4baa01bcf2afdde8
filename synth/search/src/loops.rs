//! The loops of a function or module, in walk order.

use sluice_dialects::sluice::NEST;
use sluice_dialects::{func, scf};
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, OperationId, View};

/// Returns the loops of a function.
pub fn loops_in(context: &Context, body: &Body) -> Vec<OperationId> {
    let mut all = body.walk_all();
    all.retain(|op| View::new(context, body, *op).name() == scf::For::NAME);
    all
}

/// Returns the loops of all functions, each with its function.
pub fn loops(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let functions = named(context, module, func::Func::NAME).into_iter();
    functions
        .flat_map(|function| {
            let all = loops_in(context, module.inner().inner(function));
            all.into_iter().map(move |op| (function, op))
        })
        .collect()
}

/// Returns the loops of a module in the scheduled form: also the `while` loops that nests became.
pub(crate) fn scheduled_loops(
    context: &Context,
    module: &Module,
) -> Vec<(OperationId, OperationId)> {
    let mut all = loops(context, module);
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let is_nest = |op: &OperationId| {
            View::new(context, body, *op).name() == scf::While::NAME
                && body.attribute_named(context, *op, NEST).is_some()
        };
        let nests = body.walk_all().into_iter().filter(is_nest);
        all.extend(nests.map(|op| (function, op)));
    }
    all
}

/// Returns whether an operation has a directive of the user or of an earlier pass.
pub(crate) fn has_directive(context: &Context, body: &Body, op: OperationId) -> bool {
    let mut attributes = body.attributes(op).iter();
    attributes.any(|(name, _)| context.text(*name).starts_with("sluice."))
}
