//! Trials: a copy of the module taken to the scheduled form, to read from it what a choice costs.

use sluice_ir::{Context, Diagnostics, Exact, Module, View};

use crate::mapping::Mapped;
use crate::passes::{BIND, Setting};
use crate::pipeline::manager;

/// A module in the scheduled form with the cycles of its kernel.
pub(crate) struct Trial {
    pub(crate) module: Module,
    /// From start to done; `None` where they depend on the data.
    pub(crate) cycles: Option<Exact>,
}

/// Schedules a copy of the module; `None` if that has errors. `finish` brings a module into the scheduled form.
pub(crate) fn trial(
    context: &Context,
    module: &Module,
    top: &str,
    finish: impl Fn(&mut Module, &mut Diagnostics),
) -> Option<Trial> {
    if context.limits.watch.cut("other schedules") {
        return None;
    }
    let (mut module, mut found) = (module.clone(), Diagnostics::new());
    finish(&mut module, &mut found);
    if found.has_errors() {
        return None;
    }
    module.lookup_symbol(context, top)?;
    let cycles = cycles_of(context, &module, top);
    Some(Trial { module, cycles })
}

/// The cycles of a kernel in the scheduled form, from start to done; `None` where they depend on the data.
pub(crate) fn cycles_of(context: &Context, scheduled: &Module, top: &str) -> Option<Exact> {
    let op = scheduled.lookup_symbol(context, top)?;
    let view = View::new(context, scheduled.inner(), op);
    view.attribute("sluice.cycles")?.as_exact(context)
}

/// What synthesis is expected to make of the circuit of a scheduled module; `None` where it has none.
pub(crate) fn mapped(
    context: &Context,
    scheduled: &Module,
    setting: &Setting<'_>,
) -> Option<Mapped> {
    let (mut circuit, mut found) = (scheduled.clone(), Diagnostics::new());
    manager(BIND, setting).run(context, &mut circuit, &mut found, &mut |_, _| {});
    if found.has_errors() {
        return None;
    }
    crate::mapping::map(context, &circuit, setting.top, setting.device).ok()
}
