//! Trial compilation: a copy of the module is taken to the scheduled form to measure the cost of a choice.

use sluice_ir::{Context, Diagnostics, Exact, Module};
use sluice_kernel::compiled::cycles_of;
use sluice_techmap::Mapped;

use crate::setting::{Setting, manager};

/// A module in the scheduled form, with the cycles of its kernel.
pub struct Trial {
    pub module: Module,
    /// Cycles from `start` to `done`; `None` if they depend on the data.
    pub cycles: Option<Exact>,
}

/// Schedules a copy of the module; `None` if it has errors. `finish` brings a module into the scheduled form.
pub fn trial(
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

/// Returns the expected synthesis result of the circuit of a scheduled module; `None` if it has errors.
pub fn mapped(context: &Context, scheduled: &Module, setting: &Setting<'_>) -> Option<Mapped> {
    let (mut circuit, mut found) = (scheduled.clone(), Diagnostics::new());
    manager(setting.order.bind, setting).run(context, &mut circuit, &mut found, &mut |_, _| {});
    if found.has_errors() {
        return None;
    }
    sluice_techmap::map(context, &circuit, setting.top, setting.device).ok()
}
