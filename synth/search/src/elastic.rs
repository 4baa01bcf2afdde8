//! Compilation of kernels to elastic circuits: from the source to the dataflow graph of docs/ELASTIC.md.

use std::sync::Arc;

use sluice_config::{Buffers, CoarsePlacing, Config, Effort};
use sluice_dialects::handshake;
use sluice_elastic::Placing;
use sluice_ir::limits::Limit;
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{AttributeKind, Context, Diagnostics, Module, View};
use sluice_kernel::compiled::place;
use sluice_kernel::frontend::Kernel;
use sluice_techmap::Mapped;

use crate::called_circuits::Callees;
use crate::kernel_text::KernelText;
use crate::placing::{Chosen, n_operations};
use crate::setting::{OUTLINE, Order, Setting, Step, manager};

/// Passes for static schedules only: they need a fixed number of cycles for kept values, or a number of ports per cycle of an
/// interval.
const STATIC_ONLY: &[&str] = &["reuse", "share-accesses", "bypass", "free-guards"];

/// The results of preparing a kernel, besides its graph.
#[derive(Default)]
pub struct Prepared {
    /// The circuits of the called functions.
    pub callees: Arc<Callees>,
    /// The placing of buffers, if a further search may find a better one.
    pub coarse: Option<CoarsePlacing>,
    /// True if a stronger proof than by equalities alone is worth its time when nets are merged.
    pub has_proved_nets: bool,
}

/// Reports to `diagnostics` each FIFO with more slots than a circuit may have.
pub fn check_depths(context: &Context, module: &Module, diagnostics: &mut Diagnostics) {
    let inner = module.inner();
    let graphs = inner.walk_all().into_iter();
    for graph in graphs.filter(|op| inner.is_isolated(*op)) {
        let body = inner.inner(graph);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if !is_fifo(view) {
                continue;
            }
            let slots = view.attribute("slots").and_then(|a| a.as_i64(context));
            let slots = slots.and_then(|slots| u64::try_from(slots).ok());
            let checked = context.limits.check(Limit::FifoSlots, slots.unwrap_or(0));
            if let Err(excess) = checked {
                diagnostics.error(view.location(), format!("a buffer has {excess}"));
            }
        }
    }
}

/// Returns whether an operation is a buffer of the type `fifo`. Buffers of the type `seq` have another limit.
fn is_fifo(view: View<'_>) -> bool {
    let kind = view
        .attribute("bufferType")
        .map(|kind| kind.kind(view.context));
    let number = match kind {
        Some(AttributeKind::Dialect { parameters, .. }) => parameters.first(),
        _ => None,
    };
    view.name() == handshake::Buffer::NAME && number.and_then(|a| a.as_i64(view.context)) == Some(1)
}

/// Brings a module into graph form, with buffers, and tries to prove that it finishes. Calls `after` with the module after each
/// pass.
///
/// # Errors
/// Every unsupported construct, and deadlocks, to `diagnostics`.
pub fn prepare(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) -> Prepared {
    let none = Prepared::default();
    sluice_transform::check_structure(context, module, diagnostics);
    if diagnostics.has_errors() {
        return none;
    }
    let order = setting.order;
    let steps: Vec<Step> = structured(order).chain(order.graph).copied().collect();
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
    // Circuits with a static schedule use these options.
    if setting.callees.is_empty() {
        warn_of_wishes(module, setting.config, diagnostics);
    }
    let chosen = place_buffers(context, module, &mut setting, diagnostics, after);
    let has_proved_nets = chosen.is_none_or(|chosen| chosen.has_proved_nets);
    crate::depths::choose(context, module, &setting, diagnostics);
    if diagnostics.has_errors() {
        return none;
    }
    manager(setting.order.proof, &setting).run(context, module, diagnostics, after);
    let is_open =
        setting.config.coarse_placing.is_none() && setting.config.buffers == Buffers::Rules;
    let coarse = chosen.filter(|chosen| is_open && !chosen.is_enough);
    Prepared {
        callees: setting.callees,
        coarse: coarse.map(|chosen| CoarsePlacing {
            placing: chosen.placing,
            near: chosen.near,
            has_proved_nets,
            proved: Arc::clone(&setting.proved),
        }),
        has_proved_nets,
    }
}

/// Chooses a placing, stores it in the setting and places the buffers of a graph.
pub fn place_buffers(
    context: &Context,
    module: &mut Module,
    setting: &mut Setting<'_>,
    diagnostics: &mut Diagnostics,
    after: &mut dyn FnMut(&str, &Module),
) -> Option<Chosen> {
    if setting.config.buffers == Buffers::Exact {
        let runs = crate::exact_buffers::loop_runs(context, module, setting);
        setting.loop_runs = Arc::new(runs);
    }
    let chosen = match &setting.config.coarse_placing {
        Some(coarse) => crate::placing::best_near(context, module, setting, coarse),
        None => crate::placing::best(context, module, setting),
    };
    setting.placing = chosen.map_or_else(Placing::default, |chosen| chosen.placing);
    manager(setting.order.placing, setting).run(context, module, diagnostics, after);
    chosen
}

/// Returns the passes before the graph form.
fn structured(order: &'static Order) -> impl Iterator<Item = &'static Step> {
    let shared = order
        .passes
        .iter()
        .filter(|step| !STATIC_ONLY.contains(&step.name));
    order.structure.iter().chain(shared)
}

/// Comparison of two configurations of a kernel, before it becomes a graph.
pub enum Forms {
    /// Both give the same module.
    Alike,
    /// They differ, or one of them has errors.
    Different,
    /// They differ, but compiling one is enough: the user asked for low effort, or the second module is too large.
    Enough,
}

/// Operations from which on a structured kernel is large; its graph has more, because operations that pass tokens are added.
const MANY_STRUCTURED: usize = 2000;

/// Compares the modules that two configurations of a kernel turn into a graph.
pub fn forms(kernel: KernelText<'_>, one: &Config, other: &Config) -> Forms {
    let form = |config: &Config| -> Option<(usize, String)> {
        let context = sluice_kernel::compiled::context(&config.tool_limits);
        let read =
            sluice_kernel::frontend::read_kernel(&context, kernel.source, kernel.file, config);
        let Kernel {
            mut module, top, ..
        } = read.ok()?;
        let device = config.device().ok()?;
        let setting = Setting::new(config, &top, &device, kernel.order).trial();
        let mut found = Diagnostics::new();
        sluice_transform::check_structure(&context, &module, &mut found);
        let steps: Vec<Step> = structured(kernel.order).copied().collect();
        manager(&steps, &setting).run(&context, &mut module, &mut found, &mut |_, _| {});
        let text = print_module(&context, &module, &PrintOptions::default());
        (!found.has_errors()).then(|| (n_operations(&module), text))
    };
    let is_enough = |n_operations| other.effort == Effort::Low || n_operations >= MANY_STRUCTURED;
    match (form(one), form(other)) {
        (Some(one), Some(other)) if one == other => Forms::Alike,
        (Some(_), Some((n_operations, _))) if is_enough(n_operations) => Forms::Enough,
        _ => Forms::Different,
    }
}

/// Warns if the circuit is expected to miss the clock.
pub fn warn_of_clock(
    circuit: &Module,
    mapped: &Mapped,
    setting: &Setting<'_>,
    found: &mut Diagnostics,
) {
    let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
    if period_ns > setting.clock_period_ns {
        let message = format!(
            "the elastic circuit is expected to need {period_ns:.1} ns, more than the clock period of {} ns",
            setting.clock_period_ns
        );
        found.warning(place(circuit), message);
    }
}

/// Warns about each directive that only affects static schedules.
fn warn_of_wishes(module: &Module, config: &Config, found: &mut Diagnostics) {
    let place = place(module);
    let mut warn = |wish: &str, why: &str| {
        let message = format!("`{wish}` has no effect with `style: elastic`: {why}");
        found.warning(place, message);
    };
    for (name, wished) in &config.loops {
        if wished.ii.is_some() || wished.pipeline.is_some() {
            let why = "iterations start as soon as what they wait for is there";
            warn(&format!("loops.{name}: ii, pipeline"), why);
        }
    }
}
