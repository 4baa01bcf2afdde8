//! Kernels as elastic circuits: from the source to the graph form of docs/ELASTIC.md.

use sluice_ir::{Context, Diagnostics, Module};
use sluice_oplib::device::Device;

use crate::config::Config;
use crate::passes::{GRAPH, PASSES, PROOF, STRUCTURE, Setting};
pub(crate) use crate::passes::CIRCUIT;
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
    prepare(&context, &mut graph, &setting, &mut diagnostics, &mut |_, _| {});
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
    let steps: Vec<_> = STRUCTURE.iter().chain(shared).chain(GRAPH).chain(PROOF).copied().collect();
    manager(&steps, setting).run(context, module, diagnostics, after);
}
