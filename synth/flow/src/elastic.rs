//! Kernels as elastic circuits: from the source to the graph form of docs/ELASTIC.md.

use sluice_elastic::Target;
use sluice_ir::{Context, Diagnostics, Module};

use crate::config::Config;
pub(crate) use crate::passes::CIRCUIT;
use crate::passes::{GRAPH, PASSES, PLACING, PROOF, STRUCTURE, Setting};
use crate::pipeline::{manager, place};

/// Passes for schedules alone: steps that share a loop, and values kept for so many cycles.
const STATIC_ONLY: &[&str] = &["reuse", "coalesce", "bypass"];

/// Brings a module into graph form, with buffers, and proves that it comes to its end. `after` sees the module after each pass.
///
/// # Errors
/// Unsupported constructs, all of them, and deadlocks, to `diagnostics`.
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
    let shared = PASSES
        .iter()
        .filter(|step| !STATIC_ONLY.contains(&step.name));
    let steps: Vec<_> = STRUCTURE
        .iter()
        .chain(shared)
        .chain(GRAPH)
        .copied()
        .collect();
    manager(&steps, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    warn_of_wishes(module, setting.config, diagnostics);
    let share = path_share(context, module, setting, diagnostics);
    let setting = setting.with_path_share(share);
    manager(PLACING, &setting).run(context, module, diagnostics, after);
    crate::depths::choose(context, module, &setting, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    manager(PROOF, &setting).run(context, module, diagnostics, after);
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
        if wished.flatten == Some(true) {
            warn(
                &format!("loops.{name}.flatten"),
                "loops stay apart, and overlap by themselves",
            );
        }
    }
}

/// For what buffers are placed.
pub(crate) fn target<'a>(setting: &Setting<'a>) -> Target<'a> {
    Target {
        device: setting.device,
        clock_period_ns: setting.clock_period_ns,
        path_share: setting.path_share,
    }
}

/// The share with which the circuit is expected to keep the clock in the fewest cycles; where it keeps it with none, cycles are weighed
/// against the clock.
///
/// A register on a ring costs a cycle of every iteration, and what gates become in look-up tables is only known once they are covered.
///
/// Where it keeps it with none, a warning says what is expected.
fn path_share(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    found: &mut Diagnostics,
) -> f64 {
    let mut best: Option<(f64, f64, f64)> = None;
    for share in PATH_SHARES {
        let mut circuit = graph.clone();
        let tried = setting.with_path_share(*share);
        sluice_elastic::place_buffers(context, &mut circuit, &target(&tried));
        crate::depths::shorten(context, &mut circuit, setting.top);
        let interval_cycles = sluice_elastic::mean_interval_cycles(context, &circuit);
        let mut ignored = Diagnostics::new();
        manager(CIRCUIT, setting).run(context, &mut circuit, &mut ignored, &mut |_, _| {});
        let mapped = match ignored.has_errors() {
            true => None,
            false => crate::mapping::map(context, &circuit, setting.top, setting.device).ok(),
        };
        let Some(mapped) = mapped else {
            continue;
        };
        let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
        let missed = (period_ns / setting.clock_period_ns).max(1.0);
        let cost = interval_cycles * missed.powi(MISSED_CLOCK);
        if best.is_none_or(|(least, _, _)| cost < least * ALIKE) {
            best = Some((cost, *share, period_ns));
        }
        if missed <= 1.0 {
            break;
        }
    }
    let Some((_, share, period_ns)) = best else {
        return 1.0;
    };
    if period_ns > setting.clock_period_ns {
        let message = format!(
            "the elastic circuit is expected to need {period_ns:.1} ns, more than the clock period of {} ns",
            setting.clock_period_ns
        );
        found.warning(place(graph), message);
    }
    share
}

/// Shares that are tried, the greatest first.
const PATH_SHARES: &[f64] = &[2.0, 1.6, 1.35, 1.15, 1.0, 0.85];

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 3;

/// Costs nearer to each other than this are alike.
const ALIKE: f64 = 0.99;
