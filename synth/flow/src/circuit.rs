//! Circuits given as such: `hw.module`s to simulate, without a kernel.

use sluice_dialects::context;
use sluice_dialects::hw::module_ports;
pub use sluice_dialects::hw::{Direction, Port};
pub use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::suggestion::did_you_mean;
use sluice_ir::{Context, Module, View};
use sluice_rtl_out::lockstep::{Clock, Lockstep, Ports, lockstep};
use sluice_sim::cycle::BatchError;
pub use sluice_sim::cycle::{
    Backend, BatchSimulator, ClockTiming, CycleSimulator, Memory, Model, Models, Observe, Settings,
    Surroundings, UninitialisedRead,
};

use crate::assertions::Reset;
use crate::pipeline::{Failure, read, render};

/// A module of a text, ready to be simulated or printed.
pub struct Circuit {
    context: Context,
    module: Module,
    source: String,
    file: String,
    /// The name of the module on top.
    pub top: String,
    /// Whether it was made of a dataflow graph.
    is_graph: bool,
}

impl Circuit {
    /// The circuit of a text: nothing where it has functions, which are kernels, no `hw.module`, or a dataflow graph of the name that is said.
    ///
    /// The top is the module of that name, or else the last that no other has an instance of.
    ///
    /// # Errors
    /// What is wrong with the text; a top that is not there.
    pub fn read(source: &str, file: &str, top: Option<&str>) -> Result<Option<Self>, Failure> {
        let context = context();
        let module = read(&context, source, file)?;
        let inner = module.inner();
        let names = |op: &str| -> Vec<&str> {
            let all = named(&context, &module, op).into_iter();
            all.filter_map(|op| View::new(&context, inner, op).symbol_name())
                .collect()
        };
        let is_graph = top.is_some_and(|top| names("handshake.func").contains(&top));
        let has_functions = !named(&context, &module, "func.func").is_empty();
        let names = names("hw.module");
        if names.is_empty() || has_functions || is_graph {
            return Ok(None);
        }
        let used: Vec<&str> = named(&context, &module, "hw.module")
            .into_iter()
            .flat_map(|op| {
                let body = View::new(&context, inner, op).inner();
                body.walk_all()
                    .into_iter()
                    .filter_map(|op| {
                        let view = View::new(&context, body, op);
                        let name = view.attribute("moduleName")?;
                        name.as_flat_symbol(&context)
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
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
        Ok(Some(Self {
            context,
            module,
            source: source.to_owned(),
            file: file.to_owned(),
            top,
            is_graph: false,
        }))
    }

    /// The circuit that was made of a dataflow graph in a text; `top` names a module of it.
    pub(crate) fn of_graph(
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
        }
    }

    /// What resets it where nothing is said: who wrote a dataflow graph wrote no port for that.
    pub fn own_resets(&self) -> Vec<Reset> {
        let own = self.is_graph.then(|| Reset::high("reset"));
        own.into_iter().collect()
    }

    /// The same with the memories around it, if it is that of a graph whose arguments some are: called as these.
    pub fn with_memories(mut self) -> Self {
        if let Some(top) = sluice_elastic::surround(&self.context, &mut self.module, &self.top) {
            self.top = top;
        }
        self
    }

    /// Its modules as text.
    pub fn text(&self) -> String {
        crate::pipeline::text(&self.context, &self.module)
    }

    /// The names of the inputs of the top module that are clocks: of that type, or bits that are only made clocks.
    pub fn clocks(&self) -> Vec<String> {
        let inner = self.module.inner();
        let all = named(&self.context, &self.module, "hw.module").into_iter();
        let mut all = all.map(|op| View::new(&self.context, inner, op));
        let top = all.find(|view| view.symbol_name() == Some(&self.top));
        top.map_or_else(Vec::new, sluice_sim::cycle::clock_inputs)
    }

    /// A simulator of it.
    ///
    /// # Errors
    /// What cannot be simulated, with its place; clocks and models that fit nothing.
    pub fn simulator(&self, settings: &Settings) -> Result<CycleSimulator, Failure> {
        CycleSimulator::with_settings(&self.context, &self.module, &self.top, settings).map_err(
            |found| Failure::Input(render(&self.context, &found, &self.source, &self.file)),
        )
    }

    /// Simulators of it that run side by side, so many, on so many threads.
    ///
    /// # Errors
    /// What cannot be simulated, with its place; what machine code cannot be made of.
    pub fn batch(
        &self,
        surroundings: &Surroundings,
        n_runs: usize,
        n_threads: usize,
    ) -> Result<BatchSimulator, Failure> {
        let (context, module, top) = (&self.context, &self.module, &self.top);
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

    /// A Verilator model of it that runs in step with a simulator of it; `verilog` is its own, and `images` are the names of memories
    /// that hold at the beginning what files say.
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

    /// The name that it has in its Verilog.
    pub fn verilog_name(&self) -> String {
        let name = sluice_rtl_out::module_name(&self.context, &self.module, &self.top);
        name.unwrap_or_else(|| self.top.clone())
    }

    /// Its ports, each with the name that it has in its Verilog.
    pub fn verilog_ports(&self) -> Vec<(Port, String)> {
        let op = self.module.lookup_symbol(&self.context, &self.top);
        let view = op.map(|op| View::new(&self.context, self.module.inner(), op));
        let ports = view.map(module_ports).unwrap_or_default();
        let names = sluice_rtl_out::port_names(&ports);
        ports.into_iter().zip(names).collect()
    }

    /// A line on memory that was read before it was written.
    pub fn warning(&self, read: &UninitialisedRead) -> String {
        read.to_text(&self.context) + "\n"
    }

    /// Its Verilog.
    ///
    /// # Errors
    /// What has no Verilog, with its place.
    pub fn verilog(&self) -> Result<String, Failure> {
        let header = format!("Sluice {}", env!("CARGO_PKG_VERSION"));
        sluice_rtl_out::emit(&self.context, &self.module, &header).map_err(|found| {
            Failure::Input(render(&self.context, &found, &self.source, &self.file))
        })
    }
}

/// The ports of a simulator, for a model that runs in step with it.
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

/// A value of a port, decimal or after `0x` hexadecimal.
///
/// # Errors
/// What is no number, or has more bits than the port.
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

/// A clock as `name=period` or `name=period:phase`.
///
/// # Errors
/// What is not of this form; a phase that is not below the period.
pub fn parse_clock(text: &str) -> Result<ClockTiming, String> {
    let form = || "CLOCK=PERIOD or CLOCK=PERIOD:PHASE is expected, in whole ticks".to_owned();
    let (name, timing) = text.split_once('=').ok_or_else(form)?;
    let (period, phase) = timing.split_once(':').unwrap_or((timing, "0"));
    let number = |text: &str| text.parse::<u32>().map_err(|_| form());
    let (period, phase) = (number(period)?, number(phase)?);
    if period == 0 || period > MOST_TICKS {
        return Err(format!("a period is 1 to {MOST_TICKS} ticks"));
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

/// The longest period of a clock in ticks.
const MOST_TICKS: u32 = 1 << 20;

/// The low bits of a number.
pub fn bits(width_bits: u32, value: u64) -> Bits {
    Bits::from_u64(width_bits.min(64), value).zext(width_bits)
}
