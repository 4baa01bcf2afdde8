//! Kernels as elastic circuits: from the source to the graph form.

use sluice_ir::{Context, Diagnostics, Module};

use crate::passes::{ELASTIC, PASSES, Setting};
use crate::pipeline::manager;

/// Passes for schedules alone: steps that share a loop, and values kept for so many cycles.
const STATIC_ONLY: &[&str] = &["restructure", "reuse", "coalesce", "bypass"];

/// The last pass before circuits.
const LAST: &str = "place-buffers";

/// Brings a module into graph form, with buffers. `after` sees the module after each pass.
///
/// # Errors
/// Unsupported constructs, all of them, to `diagnostics`.
pub(crate) fn prepare(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) {
    sluice_transform::legality::check_structure(context, module, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    let shared = PASSES.iter().filter(|step| !STATIC_ONLY.contains(&step.name));
    let last = ELASTIC.iter().position(|step| step.name == LAST);
    let own = ELASTIC.iter().take(last.map_or(0, |last| last + 1));
    let steps: Vec<_> = shared.chain(own).copied().collect();
    manager(&steps, setting).run(context, module, diagnostics, after);
}
