//! A compiled kernel, with what it was made of, and why there is none.

use std::sync::OnceLock;

use sluice_config::{CoarsePlacing, Config};
use sluice_dialects::interface::Interface;
use sluice_dialects::sluice;
use sluice_ir::limits::Limits;
use sluice_ir::text::{PrintOptions, ValueNames, print_module};
use sluice_ir::{Context, Diagnostics, Exact, Location, Module, View};
use sluice_oplib::device::Device;
use sluice_techmap::Mapped;
use sluice_techmap::estimate::{self, Estimate};
use thiserror::Error;

/// What went wrong.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// The user's input; rendered, with places and excerpts.
    #[error("{0}")]
    Input(String),
    /// A fault of Sluice; rendered.
    #[error("{0}")]
    Internal(String),
}

/// One function ready to be checked and written.
pub struct Compiled {
    /// The context of all modules.
    pub context: Context,
    /// The kernel as it was read: the reference.
    pub source: Module,
    /// The text it was read from.
    pub source_text: String,
    /// The scheduled form, or the dataflow graph.
    pub scheduled: Module,
    /// The scheduled forms of what a dataflow graph calls.
    pub callees: Vec<Module>,
    /// The circuit.
    pub circuit: Module,
    /// Name of the kernel.
    pub top: String,
    /// Ports of the kernel.
    pub interface: Interface,
    /// Verilog text.
    pub verilog: String,
    /// Device.
    pub device: Device,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// Warnings, rendered.
    pub warnings: String,
    /// The configuration with every choice made that looks at data.
    pub config: Config,
    /// Whether stores could wait in a queue, which was left open.
    pub can_queue_stores: bool,
    /// Whether loops could run at every value of an index, which was left open.
    pub can_predict: bool,
    /// Whether an elastic circuit has loops beside others that a schedule could run, which was left open.
    pub has_regular_loops: bool,
    /// How buffers of an elastic circuit were placed, where looking for others may find a better placing.
    pub coarse_placing: Option<CoarsePlacing>,
    /// The circuit mapped to the device, once somebody asked; `None` where it cannot be.
    pub mapped: OnceLock<Option<Mapped>>,
}

impl Compiled {
    /// What synthesis is expected to make of the circuit, before the factors of the device's fit.
    pub fn mapped(&self) -> Option<&Mapped> {
        let map =
            || sluice_techmap::map(&self.context, &self.circuit, &self.top, &self.device).ok();
        self.mapped.get_or_init(map).as_ref()
    }

    /// Expected cells and clock; `None` where the circuit cannot be flattened, which its checks would have said.
    pub fn estimate(&self) -> Option<Estimate> {
        Some(estimate::of_mapped(self.mapped()?, &self.device))
    }

    /// The name that the kernel has in its Verilog.
    pub fn verilog_name(&self) -> String {
        let name = sluice_rtl_out::module_name(&self.context, &self.circuit, &self.top);
        name.unwrap_or_else(|| self.top.clone())
    }
}

/// Renders diagnostics with excerpts of the source.
pub fn render(context: &Context, diagnostics: &Diagnostics, source: &str, file: &str) -> String {
    diagnostics.render(context, &[(file, source)])
}

/// All dialects; what is registered nowhere is read too, so that legality can say what it thinks of it.
pub fn context(limits: &Limits) -> Context {
    let mut context = sluice_dialects::context();
    context.limits.clone_from(limits);
    context.allow_unregistered = true;
    context.affine_restrictions = false;
    context
}

/// The text of a module with the names of the source.
pub fn text(context: &Context, module: &Module) -> String {
    let options = PrintOptions {
        value_names: ValueNames::Source,
        ..PrintOptions::default()
    };
    print_module(context, module, &options)
}

/// The location of a module.
pub fn place(module: &Module) -> Location {
    module.body.location(module.operation)
}

/// The cycles of a kernel in the scheduled form, from start to done; `None` where they depend on the data.
pub fn cycles_of(context: &Context, scheduled: &Module, top: &str) -> Option<Exact> {
    let op = scheduled.lookup_symbol(context, top)?;
    let view = View::new(context, scheduled.inner(), op);
    view.attribute(sluice::CYCLES)?.as_exact(context)
}
