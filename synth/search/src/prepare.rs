//! Compilation of a kernel from its source to the scheduled form: the passes in order, and the choices between them.

use sluice_dialects::func;
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, View};

use crate::attempts::Attempts;
use crate::flattening::complete;
use crate::loop_choices::choose_loops;
use crate::setting::{Setting, manager};

/// Brings a module into scheduled form. Calls `after` with the module after each pass.
///
/// # Errors
/// All unsupported constructs.
pub fn prepare(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) {
    sluice_transform::check_structure(context, module, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    let order = setting.order;
    let passes = order.passes;
    if let Some(structured) = structured(context, module, setting) {
        *module = structured;
        after(order.structure[0].name, module);
    }
    let (first, rest) = passes.split_at(order.position_of("restructure"));
    manager(first, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    choose_loops(context, module, setting, rest);
    let (first, rest) = rest.split_at(order.position_of("jam") - first.len());
    manager(first, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    if setting.config.parallel {
        let attempts = Attempts::new(setting, rest);
        let unflattened = |module: &mut Module, found: &mut Diagnostics| {
            let steps = &passes[order.position_of("jam")..order.position_of("coalesce")];
            manager(steps, &attempts.trial).run(context, module, found, &mut |_, _| {});
        };
        let finish = |module: &mut Module, found: &mut Diagnostics| {
            attempts.finish(context, module, found);
        };
        let finish_with_copies = |module: &mut Module, found: &mut Diagnostics| {
            attempts.finish_with_copies(context, module, found);
        };
        crate::parallel::choose(
            context,
            module,
            setting,
            &unflattened,
            &finish,
            &finish_with_copies,
        );
    }
    complete(context, module, setting, rest, diagnostics, after);
}

/// Returns the module with conditionals and loops instead of blocks and branches, if it has several blocks and the result is
/// legal. Loops that remain as blocks are not pipelined.
fn structured(context: &Context, module: &Module, setting: &Setting<'_>) -> Option<Module> {
    let inner = module.inner();
    let functions = named(context, module, func::Func::NAME).into_iter();
    let mut regions = functions.flat_map(|op| {
        View::new(context, inner, op)
            .regions()
            .to_vec()
            .into_iter()
            .map(move |r| (op, r))
    });
    if !regions.any(|(op, region)| inner.inner(op).blocks(region).len() > 1) {
        return None;
    }
    let mut lifted = module.clone();
    let mut found = Diagnostics::new();
    manager(setting.order.structure, setting).run(context, &mut lifted, &mut found, &mut |_, _| {});
    let mut tried = lifted.clone();
    if !found.has_errors() {
        let judged = &setting.order.passes[..=setting.order.position_of("legality")];
        manager(judged, setting).run(context, &mut tried, &mut found, &mut |_, _| {});
    }
    (!found.has_errors()).then_some(lifted)
}
