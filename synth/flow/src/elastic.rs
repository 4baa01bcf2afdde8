//! Kernels as elastic circuits: from the source to the graph form of docs/ELASTIC.md.

use sluice_elastic::Target;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_oplib::device::Device;

use crate::config::Config;
pub(crate) use crate::passes::CIRCUIT;
use crate::passes::{GRAPH, PASSES, PROOF, STRUCTURE, Setting};
use crate::pipeline::{Failure, choose_top, context, manager, read, render};

/// Passes for schedules alone: steps that share a loop, and values kept for so many cycles.
const STATIC_ONLY: &[&str] = &["restructure", "reuse", "coalesce", "bypass"];

/// A kernel as a dataflow graph.
pub struct Network {
    /// The context of both modules.
    pub context: Context,
    /// The kernel as it was read: the reference.
    pub source: Module,
    /// The graph, with buffers.
    pub graph: Module,
    /// Name of the kernel.
    pub top: String,
}

/// The graph of a kernel.
///
/// # Errors
/// What is wrong with the input, and what has no elastic circuit, with its place.
pub fn network(source: &str, file: &str, config: &Config) -> Result<Network, Failure> {
    let context = context();
    let module = read(&context, source, file)?;
    let input = |message: String| Failure::Input(format!("{file}: error: {message}\n"));
    let top = choose_top(&context, &module, config).map_err(input)?;
    let device = Device::built_in(&config.device).map_err(|why| input(why.to_string()))?;
    let mut graph = module.clone();
    let mut diagnostics = Diagnostics::new();
    let setting = Setting::new(config, &top, &device);
    prepare(
        &context,
        &mut graph,
        &setting,
        &mut diagnostics,
        &mut |_, _| {},
    );
    if diagnostics.has_errors() {
        return Err(Failure::Input(render(&context, &diagnostics, source, file)));
    }
    Ok(Network {
        source: module,
        graph,
        top,
        context,
    })
}

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
    let (lowering, placing) = GRAPH.split_at(GRAPH.len() - 1);
    let steps: Vec<_> = STRUCTURE
        .iter()
        .chain(shared)
        .chain(lowering)
        .copied()
        .collect();
    manager(&steps, setting).run(context, module, diagnostics, after);
    if diagnostics.has_errors() {
        return;
    }
    let share = path_share(context, module, setting);
    sluice_elastic::place_buffers(context, module, &target(setting, share));
    for step in placing {
        after(step.name, module);
    }
    manager(PROOF, setting).run(context, module, diagnostics, after);
}

/// For what buffers are placed where paths may take a share of the period.
pub(crate) fn target<'a>(setting: &Setting<'a>, path_share: f64) -> Target<'a> {
    Target {
        device: setting.device,
        clock_period_ns: setting.clock_period_ns,
        path_share,
    }
}

/// The share with which the circuit is expected to keep the clock in the fewest cycles; where it keeps it with none, cycles are weighed
/// against the clock.
///
/// A register on a ring costs a cycle of every iteration, and what gates become in look-up tables is only known once they are covered.
fn path_share(context: &Context, graph: &Module, setting: &Setting<'_>) -> f64 {
    let mut best: Option<(f64, f64)> = None;
    for share in PATH_SHARES {
        let mut circuit = graph.clone();
        sluice_elastic::place_buffers(context, &mut circuit, &target(setting, *share));
        let interval_cycles = sluice_elastic::mean_interval_cycles(context, &circuit);
        let mut found = Diagnostics::new();
        manager(CIRCUIT, setting).run(context, &mut circuit, &mut found, &mut |_, _| {});
        let mapped = match found.has_errors() {
            true => None,
            false => crate::mapping::map(context, &circuit, setting.top, setting.device).ok(),
        };
        let Some(mapped) = mapped else {
            continue;
        };
        let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
        let missed = (period_ns / setting.clock_period_ns).max(1.0);
        let cost = interval_cycles * missed.powi(MISSED_CLOCK);
        if best.is_none_or(|(least, _)| cost < least * ALIKE) {
            best = Some((cost, *share));
        }
        if missed <= 1.0 {
            break;
        }
    }
    best.map_or(1.0, |(_, share)| share)
}

/// Shares that are tried, the greatest first.
const PATH_SHARES: &[f64] = &[2.0, 1.6, 1.35, 1.15, 1.0, 0.85];

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 3;

/// Costs nearer to each other than this are alike.
const ALIKE: f64 = 0.99;
