//! Kernels as elastic circuits: from the source to the graph form of docs/ELASTIC.md.

use std::sync::Arc;

use sluice_elastic::Target;
use sluice_ir::{Context, Diagnostics, Module};

use crate::callees::Callees;
use crate::config::{Buffers, Config};
pub(crate) use crate::passes::CIRCUIT;
use crate::passes::{GRAPH, OUTLINE, PASSES, PLACING, PROOF, STRUCTURE, Setting};
use crate::pipeline::{manager, place};

/// Passes for schedules alone: values kept for so many cycles.
const STATIC_ONLY: &[&str] = &["reuse", "bypass"];

/// Brings a module into graph form, with buffers, and proves that it comes to its end. `after` sees the module after each pass. Gives the
/// circuits that the kernel calls.
///
/// # Errors
/// Unsupported constructs, all of them, and deadlocks, to `diagnostics`.
pub(crate) fn prepare(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) -> Arc<Callees> {
    let none = Arc::default();
    sluice_transform::legality::check_structure(context, module, diagnostics);
    if diagnostics.has_errors() {
        return none;
    }
    let shared = PASSES
        .iter()
        .filter(|step| !STATIC_ONLY.contains(&step.name));
    let steps: Vec<_> = STRUCTURE
        .iter()
        .chain(shared)
        .chain(GRAPH)
        .copied()
        .collect();
    let outlined = steps.iter().position(|step| step.name == OUTLINE);
    let (first, rest) = steps.split_at(outlined.map_or(0, |at| at + 1));
    manager(first, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return none;
    }
    let mut setting = setting.clone();
    setting.callees = Arc::new(crate::callees::circuits(context, module, &setting));
    manager(rest, &setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return none;
    }
    // Circuits of schedules heed them.
    if setting.callees.is_empty() {
        warn_of_wishes(module, setting.config, diagnostics);
    }
    if setting.config.buffers == Buffers::Exact {
        let runs = crate::exact_buffers::loop_runs(context, module, &setting);
        setting.loop_runs = Arc::new(runs);
    }
    let chosen = crate::placing::best(context, module, &setting);
    let shares = chosen.map_or((1.0, 1.0), |chosen| chosen.shares);
    if let Some(period_ns) = chosen.map(|chosen| chosen.period_ns)
        && period_ns > setting.clock_period_ns
    {
        let message = format!(
            "the elastic circuit is expected to need {period_ns:.1} ns, more than the clock period of {} ns",
            setting.clock_period_ns
        );
        diagnostics.warning(place(module), message);
    }
    let setting = setting.with_shares(shares.0, shares.1);
    manager(PLACING, &setting).run(context, module, diagnostics, after);
    crate::depths::choose(context, module, &setting, diagnostics);
    if diagnostics.has_errors() {
        return none;
    }
    manager(PROOF, &setting).run(context, module, diagnostics, after);
    setting.callees
}

/// A warning for each wish that says something of schedules alone.
fn warn_of_wishes(module: &Module, config: &Config, found: &mut Diagnostics) {
    let place = place(module);
    let mut warn = |wish: &str, why: &str| {
        let message = format!("`{wish}` has no effect with `style: elastic`: {why}");
        found.warning(place, message);
    };
    if !config.limits.is_empty() {
        warn("limits", "each operation has a unit of its own");
    }
    for (name, wished) in &config.loops {
        if wished.ii.is_some() || wished.pipeline.is_some() {
            let why = "iterations start as soon as what they wait for is there";
            warn(&format!("loops.{name}: ii, pipeline"), why);
        }
    }
}

/// For what buffers are placed.
pub(crate) fn target<'a>(setting: &Setting<'a>) -> Target<'a> {
    Target {
        device: setting.device,
        clock_period_ns: setting.clock_period_ns,
        path_share: setting.path_share,
        ready_share: setting.ready_share,
    }
}
