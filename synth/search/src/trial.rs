//! Trials: a copy of the module taken to the scheduled form, to read from it what a choice costs.

use sluice_ir::{Context, Diagnostics, Exact, Module};
use sluice_kernel::compiled::cycles_of;
use sluice_techmap::Mapped;

use crate::setting::{Setting, manager};

/// A module in the scheduled form with the cycles of its kernel.
pub struct Trial {
    pub module: Module,
    /// From start to done; `None` where they depend on the data.
    pub cycles: Option<Exact>,
}

/// Schedules a copy of the module; `None` if that has errors. `finish` brings a module into the scheduled form.
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

/// What synthesis is expected to make of the circuit of a scheduled module; `None` where it has none.
pub fn mapped(context: &Context, scheduled: &Module, setting: &Setting<'_>) -> Option<Mapped> {
    let (mut circuit, mut found) = (scheduled.clone(), Diagnostics::new());
    manager(setting.order.bind, setting).run(context, &mut circuit, &mut found, &mut |_, _| {});
    if found.has_errors() {
        return None;
    }
    sluice_techmap::map(context, &circuit, setting.top, setting.device).ok()
}
