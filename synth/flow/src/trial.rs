//! Trials: a copy of the module taken to the scheduled form, to read from it what a choice costs.

use sluice_ir::{Context, Diagnostics, Module, View};

/// A module in the scheduled form with the cycles of its kernel.
pub(crate) struct Trial {
    pub(crate) module: Module,
    /// From start to done; `None` where they depend on the data.
    pub(crate) cycles: Option<i64>,
}

/// Schedules a copy of the module; `None` if that has errors. `finish` brings a module into the scheduled form.
pub(crate) fn trial(
    context: &Context,
    module: &Module,
    top: &str,
    finish: impl Fn(&mut Module, &mut Diagnostics),
) -> Option<Trial> {
    let (mut module, mut found) = (module.clone(), Diagnostics::new());
    finish(&mut module, &mut found);
    if found.has_errors() {
        return None;
    }
    let op = module.lookup_symbol(context, top)?;
    let cycles = View::new(context, module.inner(), op).attribute("sluice.cycles");
    let cycles = cycles.and_then(|cycles| cycles.as_i64(context));
    Some(Trial { module, cycles })
}
