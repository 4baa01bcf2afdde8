//! Circuits as input: `hw.module`s for simulation, without a kernel.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sluice_dialects::{
    context, func, handshake, hw,
    hw::{module_ports, recursive_instances, width_bits},
    seq::{self, Image},
};
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::passes::named;
use sluice_ir::printable::printable;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_kernel::compiled::{Failure, render};
use sluice_kernel::frontend::read;
use sluice_kernel::renames::warn_of_verilog_names;
use sluice_rtl_out::Options;
use sluice_rtl_out::lockstep::{Clock, Lockstep, Ports, lockstep};
use sluice_sim::cycle::{BatchError, find_combinational_loops};
use sluice_transform::{MODULES, check_expansion};

use crate::assertions::Reset;
use crate::data_words::Files;
use crate::memory_files::{Format, Wanted, words};
use crate::parameters;

pub use crate::parameters::parse_parameter;
pub use sluice_dialects::hw::{Direction, Port};
pub use sluice_ir::bits::Bits;
pub use sluice_sim::cycle::{
    Backend, BatchSimulator, ClockTiming, CycleSimulator, IdleClock, Memory, Model, Models,
    Observe, Settings, Surroundings, UninitialisedRead,
};

/// Returns the names of the modules of which a circuit has instances.
fn instantiated<'c>(context: &'c Context, module: &Module) -> Vec<&'c str> {
    let inner = module.inner();
    let circuits = named(context, module, hw::Module::NAME).into_iter();
    circuits
        .flat_map(|op| {
            let body = View::new(context, inner, op).inner();
            let names = body.walk_all().into_iter().filter_map(|op| {
                let view = View::new(context, body, op);
                let name = view.attribute("moduleName")?;
                name.as_flat_symbol(context)
            });
            names.collect::<Vec<_>>()
        })
        .collect()
}

/// A module of a text, ready for simulation or printing.
pub struct Circuit {
    context: Context,
    module: Module,
    source: String,
    file: String,
    /// The name of the top module.
    pub top: String,
    /// True if it was compiled from a dataflow graph.
    is_graph: bool,
    /// Initial words of memories that come from files.
    images: Arc<BTreeMap<Image, Vec<Bits>>>,
    /// Errors of these files.
    wrong_images: String,
}

impl Circuit {
    /// Reads the circuit of a text; `None` if the text has functions (which are kernels), no `hw.module`, or a dataflow graph
    /// with the name `top`.
    ///
    /// The top is the module with that name, or else the last one of which no other module has an instance.
    ///
    /// # Errors
    /// Errors of the text; an unknown top.
    pub fn read(source: &str, file: &str, top: Option<&str>) -> Result<Option<Self>, Failure> {
        Self::with_parameters(source, file, top, &[], &Limits::default())
    }

    /// Reads the circuit of a text with values for parameters of the top, by their names.
    ///
    /// # Errors
    /// As for [`Circuit::read`]; also unknown parameters, and values that do not fit them.
    pub fn with_parameters(
        source: &str,
        file: &str,
        top: Option<&str>,
        given: &[(String, String)],
        limits: &Limits,
    ) -> Result<Option<Self>, Failure> {
        let mut context = context();
        context.limits.clone_from(limits);
        let mut module = read(&context, source, file)?;
        let top = top.map(printable);
        let top = top.as_deref();
        if !named(&context, &module, func::Func::NAME).is_empty() {
            return Ok(None);
        }
        let recursive = recursive_instances(&context, &module);
        if recursive.has_errors() {
            return Err(Failure::Input(render(&context, &recursive, source, file)));
        }
        sluice_transform::lower_arcs(&context, &mut module)
            .map_err(|found| Failure::Input(render(&context, &found, source, file)))?;
        let inner = module.inner();
        let names = |op: &str| -> Vec<&str> {
            let all = named(&context, &module, op).into_iter();
            all.filter_map(|op| View::new(&context, inner, op).symbol_name())
                .collect()
        };
        let is_graph = top.is_some_and(|top| names(handshake::Func::NAME).contains(&top));
        let names = names(hw::Module::NAME);
        if names.is_empty() || is_graph {
            return Ok(None);
        }
        let used = instantiated(&context, &module);
        let chosen = match top {
            Some(top) => names.iter().find(|name| **name == top),
            None => names
                .iter()
                .rfind(|name| !used.contains(name))
                .or(names.last()),
        };
        let Some(top) = chosen.map(|name| (*name).to_owned()) else {
            let top = top.unwrap_or_default();
            return Err(Failure::Input(format!(
                "{file}: error: there is no `hw.module @{top}`; {}\n",
                did_you_mean(top, &names)
            )));
        };
        let mut found = Diagnostics::new();
        parameters::give(&context, &mut module, &top, given, &mut found);
        if sluice_transform::specialise_modules(&context, &mut module, Some(&top))
            && !found.has_errors()
        {
            sluice_ir::verifier::verify(&context, &module, &mut found);
            parameters::without_numbers(&context, &module, &top, &mut found);
        }
        if !found.has_errors() {
            check_expansion(&context, &module, MODULES, &mut found);
            check_widths(&context, &module, &mut found);
        }
        if found.has_errors() {
            return Err(Failure::Input(render(&context, &found, source, file)));
        }
        let has_rings = |module: &Module| {
            find_combinational_loops(&context, module, &top, &Models::default()).has_errors()
        };
        if has_rings(&module) {
            sluice_transform::split_values(&context, &mut module);
            if has_rings(&module) {
                // Flatten only if that removes the combinational loop, because the hierarchy is the user's.
                let mut flat = module.clone();
                if sluice_transform::flatten_modules(&context, &mut flat) {
                    sluice_transform::split_values(&context, &mut flat);
                    if !has_rings(&flat) {
                        module = flat;
                    }
                }
            }
        }
        Ok(Some(Self {
            context,
            module,
            source: source.to_owned(),
            file: file.to_owned(),
            top,
            is_graph: false,
            images: Arc::default(),
            wrong_images: String::new(),
        }))
    }

    /// Creates the circuit that was compiled from a dataflow graph in a text; `top` names one of its modules.
    pub fn of_graph(
        context: Context,
        module: Module,
        source: &str,
        file: &str,
        top: String,
    ) -> Self {
        Self {
            context,
            module,
            source: source.to_owned(),
            file: file.to_owned(),
            top,
            is_graph: true,
            images: Arc::default(),
            wrong_images: String::new(),
        }
    }

    /// Returns the limits with which it was read.
    pub fn limits(&self) -> &Limits {
        &self.context.limits
    }

    /// Returns whether it was compiled from a dataflow graph.
    pub fn is_graph(&self) -> bool {
        self.is_graph
    }

    /// Returns the default resets: a circuit of a dataflow graph has a reset port that is not in the source.
    pub fn own_resets(&self) -> Vec<Reset> {
        let own = self.is_graph.then(|| Reset::high("reset"));
        own.into_iter().collect()
    }

    /// Adds memories around the circuit if it comes from a graph with memories as arguments. The memories have the names of these
    /// arguments.
    pub fn with_memories(mut self) -> Self {
        if let Some(top) = sluice_elastic::surround(&self.context, &mut self.module, &self.top) {
            self.top = top;
        }
        self
    }

    /// Reads the files with the initial words of its memories. `files` returns the contents of a file, by its path relative to
    /// the circuit.
    ///
    /// Words that are not in the file are 0. Errors are reported when the circuit is simulated, because its Verilog needs no
    /// file.
    pub fn read_images(&mut self, files: Files<'_>) {
        let mut found: BTreeMap<Image, Vec<Bits>> = BTreeMap::new();
        let mut wrong = String::new();
        // Larger memories are not simulated.
        let most_words = self.context.limits.of(Limit::SimulatedWords);
        for (view, image) in images(&self.context, &self.module) {
            let Ok(n_words) = usize::try_from(image.depth.min(most_words)) else {
                continue;
            };
            if found.contains_key(&image) {
                continue;
            }
            let wanted = Wanted {
                shape: vec![n_words],
                format: None,
                width_bits: image.width_bits,
                fill: Some(Bits::zero(image.width_bits)),
            };
            let format = match image.is_binary {
                true => Format::Readmemb,
                false => Format::Readmemh,
            };
            let path = Path::new(&self.file).with_file_name(&image.file);
            let path = path.display().to_string();
            let data = match files(&path) {
                Ok(data) => data,
                Err(why) => {
                    let mut missing = Diagnostics::new();
                    let message =
                        format!("the first words are in `{path}`, which is not read: {why}");
                    missing.error(view.location(), message);
                    wrong += &render(&self.context, &missing, &self.source, &self.file);
                    continue;
                }
            };
            match words(&data, format, &wanted) {
                Ok(words) => {
                    found.insert(image, words);
                }
                Err(misfits) => {
                    for misfit in misfits {
                        let place = misfit
                            .place
                            .map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
                        wrong += &format!("{path}{place}: error: {}\n", misfit.message);
                    }
                }
            }
        }
        self.images = Arc::new(found);
        self.wrong_images = wrong;
    }

    /// Returns its modules as text.
    pub fn text(&self) -> String {
        sluice_kernel::compiled::text(&self.context, &self.module)
    }

    /// Returns the names of the clock inputs of the top module: those of the clock type, and bits that are only used as clocks.
    pub fn clocks(&self) -> Vec<String> {
        sluice_sim::cycle::clock_inputs(&self.context, &self.module, &self.top)
    }

    /// Adds the initial contents of memories from files to the surroundings.
    fn surroundings(&self, others: &Surroundings) -> Result<Surroundings, Failure> {
        if !self.wrong_images.is_empty() {
            return Err(Failure::Input(self.wrong_images.clone()));
        }
        Ok(Surroundings {
            images: self.images.clone(),
            ..others.clone()
        })
    }

    /// Creates a simulator of the circuit.
    ///
    /// # Errors
    /// Constructs that cannot be simulated, with their locations; clocks and models that fit nothing.
    pub fn simulator(&self, settings: &Settings) -> Result<CycleSimulator, Failure> {
        let settings = Settings {
            surroundings: self.surroundings(&settings.surroundings)?,
            ..settings.clone()
        };
        CycleSimulator::with_settings(&self.context, &self.module, &self.top, &settings).map_err(
            |found| Failure::Input(render(&self.context, &found, &self.source, &self.file)),
        )
    }

    /// Creates `n_runs` simulators of the circuit that run side by side, on the given number of threads.
    ///
    /// # Errors
    /// Constructs that cannot be simulated, with their locations; constructs without machine code.
    pub fn batch(
        &self,
        surroundings: &Surroundings,
        n_runs: usize,
        n_threads: usize,
    ) -> Result<BatchSimulator, Failure> {
        let (context, module, top) = (&self.context, &self.module, &self.top);
        let surroundings = &self.surroundings(surroundings)?;
        BatchSimulator::new(context, module, top, surroundings, n_runs, n_threads).map_err(
            |why| match why {
                BatchError::Circuit(found) => {
                    Failure::Input(render(context, &found, &self.source, &self.file))
                }
                BatchError::Clocks => Failure::Input(format!(
                    "{}: error: only circuits with one clock and synchronous resets run in batches\n",
                    self.file
                )),
                BatchError::Machine(why) => {
                    Failure::Input(format!("error: no machine code: {why}\n"))
                }
            },
        )
    }

    /// Returns a Verilator model of the circuit that runs in step with a simulator of it. `verilog` is the circuit's own Verilog;
    /// `images` are the names of memories that are initialised from files.
    pub fn lockstep(
        &self,
        verilog: &str,
        simulator: &CycleSimulator,
        images: &[&str],
    ) -> Option<Lockstep> {
        lockstep(
            &self.context,
            &self.module,
            &self.top,
            verilog,
            &ports(simulator),
            images,
        )
    }

    /// Returns its name in its Verilog.
    pub fn verilog_name(&self) -> String {
        let name = sluice_rtl_out::module_name(&self.context, &self.module, &self.top);
        name.unwrap_or_else(|| self.top.clone())
    }

    /// Returns its ports, each with its name in the Verilog.
    pub fn verilog_ports(&self) -> Vec<(Port, String)> {
        let op = self.module.lookup_symbol(&self.context, &self.top);
        let view = op.map(|op| View::new(&self.context, self.module.inner(), op));
        let ports = view.map(module_ports).unwrap_or_default();
        let names = sluice_rtl_out::names_of_ports(&self.context, &self.module, &self.top);
        ports.into_iter().zip(names).collect()
    }

    /// Warnings where the circuit or a port of it has another name in its Verilog.
    pub fn renames(&self) -> String {
        let mut found = Diagnostics::new();
        if let Some(op) = self.module.lookup_symbol(&self.context, &self.top) {
            let place = self.module.inner().location(op);
            warn_of_verilog_names(&self.context, &self.module, &self.top, place, &mut found);
        }
        render(&self.context, &found, &self.source, &self.file)
    }

    /// Formats a warning about memory that was read before it was written.
    pub fn warning(&self, read: &UninitialisedRead) -> String {
        read.to_text(&self.context) + "\n"
    }

    /// Returns its Verilog.
    ///
    /// # Errors
    /// Constructs without Verilog, with their locations.
    pub fn verilog(&self) -> Result<String, Failure> {
        self.verilog_of(&self.module)
    }

    /// Returns its Verilog without the files of initial words, for callers that initialise the memories themselves.
    ///
    /// # Errors
    /// As for [`Circuit::verilog`].
    pub fn verilog_without_images(&self) -> Result<String, Failure> {
        let mut module = self.module.clone();
        for op in module.top_level_operations() {
            if self.context.operation_text(module.inner().name(op)) != hw::Module::NAME {
                continue;
            }
            let body = module.inner_mut().inner_mut(op);
            for memory in body.walk_all() {
                if self.context.operation_text(body.name(memory)) == seq::Firmem::NAME {
                    body.remove_attribute(memory, self.context.name("init"));
                }
            }
        }
        self.verilog_of(&module)
    }

    fn verilog_of(&self, module: &Module) -> Result<String, Failure> {
        let combinational_loops =
            find_combinational_loops(&self.context, module, &self.top, &Models::default());
        if combinational_loops.has_errors() {
            let text = render(
                &self.context,
                &combinational_loops,
                &self.source,
                &self.file,
            );
            return Err(Failure::Input(text));
        }
        let header = format!("Sluice {}", env!("CARGO_PKG_VERSION"));
        // Circuits that Sluice compiled from graphs reset every register that needs a value.
        let options = Options {
            zeros_at_start: !self.is_graph,
            ..Options::default()
        };
        sluice_rtl_out::emit(&self.context, module, &header, options).map_err(|found| {
            Failure::Input(render(&self.context, &found, &self.source, &self.file))
        })
    }
}

/// Checks the width of every value against the limit.
fn check_widths(context: &Context, module: &Module, found: &mut Diagnostics) {
    for op in named(context, module, hw::Module::NAME) {
        let body = View::new(context, module.inner(), op).inner();
        let all = body.walk_all();
        let values = all
            .iter()
            .flat_map(|op| body.results(*op).iter().map(|value| (*op, *value)));
        for (op, value) in values {
            let Some(width_bits) = width_bits(context, body.ty(value)) else {
                continue;
            };
            if let Err(excess) = context.limits.check(Limit::WidthBits, width_bits) {
                let name = context.operation_text(body.name(op));
                let message = format!("the result of `{name}` has {excess}");
                found.error(body.location(op), message);
            }
        }
    }
}

/// Returns the memories with initial words in files.
fn images<'a>(context: &'a Context, module: &'a Module) -> impl Iterator<Item = (View<'a>, Image)> {
    let inner = module.inner();
    let modules = named(context, module, hw::Module::NAME).into_iter();
    modules.flat_map(move |op| {
        let body = View::new(context, inner, op).inner();
        let all: Vec<OperationId> = body.walk_all();
        let views = all.into_iter().map(move |op| View::new(context, body, op));
        views.filter_map(|view| Some((view, seq::image(view)?)))
    })
}

/// Returns the ports of a simulator, for a model that runs in step with it.
pub fn ports(simulator: &CycleSimulator) -> Ports {
    let clock = |timing: &ClockTiming| Clock {
        name: timing.name.clone(),
        period: timing.period,
        phase: timing.phase,
    };
    Ports {
        clocks: simulator.clocks().iter().map(clock).collect(),
        is_plain: simulator.has_plain_ticks(),
        inputs: simulator.inputs().map(|port| port.width_bits).collect(),
        outputs: simulator.outputs().map(|port| port.width_bits).collect(),
    }
}

/// Parses a value of a port: decimal, or hexadecimal with `0x`.
///
/// # Errors
/// A text that is not a number, or has more bits than the port.
pub fn parse_value(text: &str, width_bits: u32) -> Result<Bits, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => Bits::parse_hex(digits, width_bits),
        None => match text.strip_prefix('-') {
            Some(digits) => Bits::parse_decimal(digits, true, width_bits),
            None => Bits::parse_decimal(text, false, width_bits),
        },
    };
    parsed.ok_or_else(|| format!("a number of {width_bits} bits is expected"))
}

/// Parses a clock, written `name=period` or `name=period:phase`.
///
/// # Errors
/// Another form; a phase that is not less than the period.
pub fn parse_clock(text: &str) -> Result<ClockTiming, String> {
    let form = || "CLOCK=PERIOD or CLOCK=PERIOD:PHASE is expected, in whole ticks".to_owned();
    let (name, timing) = text.split_once('=').ok_or_else(form)?;
    let (period, phase) = timing.split_once(':').unwrap_or((timing, "0"));
    let number = |text: &str| text.parse::<u32>().map_err(|_| form());
    let (period, phase) = (number(period)?, number(phase)?);
    if period == 0 || period > MAX_TICKS {
        return Err(format!("a period is 1 to {MAX_TICKS} ticks"));
    }
    if phase >= period {
        return Err(format!("a phase is below the period, 0 to {}", period - 1));
    }
    Ok(ClockTiming {
        name: name.to_owned(),
        period,
        phase,
    })
}

/// Maximum period of a clock in ticks.
const MAX_TICKS: u32 = 1 << 20;

/// Returns a value of a given width from the low bits of a number.
pub fn bits(width_bits: u32, value: u64) -> Bits {
    Bits::from_u64(width_bits.min(64), value).zext(width_bits)
}
