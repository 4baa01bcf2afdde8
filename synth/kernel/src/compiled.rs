//! The result of compiling a kernel: scheduled form, circuit, Verilog and estimates, or the reason of the failure.

use std::collections::BTreeMap;
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

/// The reason why compilation failed.
#[derive(Clone, Debug, Error)]
pub enum Failure {
    /// An error in the user's input, rendered with locations and source excerpts.
    #[error("{0}")]
    Input(String),
    /// An internal error of Sluice, rendered.
    #[error("{0}")]
    Internal(String),
}

/// A compiled function, which can be verified and written.
pub struct Compiled {
    /// The context of all modules.
    pub context: Context,
    /// The kernel as it was read: the reference.
    pub source: Module,
    /// The kernel after floats were brought into another order, if the user allows one: it is the reference then, with the arguments of
    /// the form in which arrays are in banks.
    pub reordered: Option<Module>,
    /// The source text of the kernel.
    pub source_text: String,
    /// The scheduled form, or the dataflow graph of an elastic kernel.
    pub scheduled: Module,
    /// The scheduled forms of the functions that a dataflow graph calls.
    pub callees: Vec<Module>,
    /// The circuit.
    pub circuit: Module,
    /// Name of the kernel.
    pub top: String,
    /// Ports of the kernel.
    pub interface: Interface,
    /// Verilog text.
    pub verilog: String,
    /// The target device.
    pub device: Device,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// Warnings, rendered.
    pub warnings: String,
    /// The configuration, with the results of all choices that depend on profile data.
    pub config: Config,
    /// True if stores could use load-store queues and the configuration leaves this choice open.
    pub can_queue_stores: bool,
    /// True if a loop could run one iteration for each index value and the configuration leaves this choice open.
    pub can_predict: bool,
    /// True if an elastic circuit has regular loops beside others, so that a schedule could run them, and the choice is open.
    pub has_regular_loops: bool,
    /// The first buffer placement of an elastic circuit, if a longer search may find a better one.
    pub coarse_placing: Option<CoarsePlacing>,
    /// Timing of the units of float operations in the scheduled form, by
    /// [`float_key`](sluice_dialects::sluice::float_key).
    pub float_units: BTreeMap<String, FloatUnit>,
    /// The mapped circuit, computed on first use; `None` if mapping fails.
    pub mapped: OnceLock<Option<Mapped>>,
}

/// Timing of the unit of a float operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatUnit {
    /// Cycles from start to result.
    pub latency_cycles: u32,
    /// From the operands to the first register, or the whole delay if there is none, in ns.
    pub input_delay_ns: f64,
    /// From the last register to the result in ns.
    pub output_delay_ns: f64,
}

impl Compiled {
    /// Returns the expected result of synthesis, before the fitted correction factors of the device are applied.
    pub fn mapped(&self) -> Option<&Mapped> {
        let map =
            || sluice_techmap::map(&self.context, &self.circuit, &self.top, &self.device).ok();
        self.mapped.get_or_init(map).as_ref()
    }

    /// Returns the expected cells and clock; `None` if the circuit cannot be flattened, an error that circuit checks report
    /// earlier.
    pub fn estimate(&self) -> Option<Estimate> {
        Some(estimate::of_mapped(self.mapped()?, &self.device))
    }

    /// Returns the name of the kernel's Verilog module.
    pub fn verilog_name(&self) -> String {
        let name = sluice_rtl_out::module_name(&self.context, &self.circuit, &self.top);
        name.unwrap_or_else(|| self.top.clone())
    }
}

/// Renders diagnostics with excerpts of the source.
pub fn render(context: &Context, diagnostics: &Diagnostics, source: &str, file: &str) -> String {
    diagnostics.render(context, &[(file, source)])
}

/// Creates a context with all dialects. Unregistered operations are accepted when parsing, so that the legality check reports
/// them.
pub fn context(limits: &Limits) -> Context {
    let mut context = sluice_dialects::context();
    context.limits.clone_from(limits);
    context.allow_unregistered = true;
    context.affine_restrictions = false;
    context
}

/// Prints a module with the value names of the source.
pub fn text(context: &Context, module: &Module) -> String {
    let options = PrintOptions {
        value_names: ValueNames::Source,
        ..PrintOptions::default()
    };
    print_module(context, module, &options)
}

/// Returns the location of a module.
pub fn place(module: &Module) -> Location {
    module.body.location(module.operation)
}

/// Returns the latency of a kernel in the scheduled form, in cycles from start to done; `None` if it depends on the data.
pub fn cycles_of(context: &Context, scheduled: &Module, top: &str) -> Option<Exact> {
    let op = scheduled.lookup_symbol(context, top)?;
    let view = View::new(context, scheduled.inner(), op);
    view.attribute(sluice::CYCLES)?.as_exact(context)
}
