//! Options of all commands that compile a kernel, and of the data sets that it runs on.

use std::path::{Path, PathBuf};

use clap::Args;
use sluice_config::{Config, Step, is_path, nearest_place, read_device, render};
use sluice_dialects::{handshake, hw};
use sluice_flow::graphs::Graph;
use sluice_flow::pipeline::{compile, compile_circuit};
use sluice_ir::limits::{Limit, Limits};
use sluice_kernel::compiled::Compiled;
use sluice_verify::circuit::Circuit;
use sluice_verify::data::{Case, DataFile, Expect};
use sluice_verify::drawing::Drawing;

use crate::clock::timed;
use crate::commands::missing_data::MissingData;
use crate::commands::requests::asked;
use crate::limiting::{Limiting, check_count, config_files, data_files};
use crate::output::{self, Done, error_text, input};

/// A kernel and how to compile it.
#[derive(Args, Clone)]
pub(crate) struct Kernel {
    /// File with the kernel, MLIR text
    pub(crate) kernel: PathBuf,
    /// File with the configuration, YAML; default: NAME.yaml beside NAME.mlir, if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Device to use instead of the one in the configuration: the name of the device, or the path of a device file
    #[arg(long)]
    pub(crate) device: Option<String>,
    /// Clock period in ns to use instead of the one in the configuration
    #[arg(long, value_name = "NS")]
    pub(crate) clock_period_ns: Option<f64>,
    /// Prefix of the names of modules below the top, in place of the configuration's; an option of the commands that write Verilog.
    #[arg(skip)]
    pub(crate) prefix: Option<String>,
    /// Load the dialects that this file defines in the dialect irdl; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) irdl_file: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

/// Reads the configuration in `given`, else in the `.yaml` file beside the kernel, else the default.
pub(crate) fn read_config(given: Option<&Path>, kernel: &Path, limits: &Limits) -> Done<Config> {
    let beside = kernel.with_extension("yaml");
    let path = given.or_else(|| beside.exists().then_some(beside.as_path()));
    let mut config = match path {
        Some(path) => {
            let text = output::read_config(path, limits)?;
            let file = path.display().to_string();
            let config = Config::with_files(&text, &file, &mut config_files(limits));
            config.map_err(|errors| input(render(&errors)))?
        }
        None => Config::default(),
    };
    config.tool_limits.overrule(limits);
    Ok(config)
}

/// Sets the device of a name, or that of a file.
fn set_device(config: &mut Config, device: &str, limits: &Limits) -> Done<()> {
    let wrong = |why: String| input(format!("error: --device: {why}"));
    if !is_path(device) {
        return config.set_device(device).map_err(wrong);
    }
    let text = config_files(limits)(device);
    let text = text.map_err(|why| wrong(format!("`{device}` cannot be read: {why}")))?;
    let read = read_device(&text, device).map_err(|errors| input(render(&errors)))?;
    config.give_device(read);
    Ok(())
}

impl Kernel {
    /// Returns the given options that only affect the compilation of kernels and dataflow graphs, if the circuit comes from
    /// neither.
    pub(super) fn of_compilation(&self, circuit: &Circuit) -> Vec<&'static str> {
        let is_given = !circuit.is_graph();
        asked(&[
            ("--config", is_given && self.config.is_some()),
            ("--device", is_given && self.device.is_some()),
            (
                "--clock-period-ns",
                is_given && self.clock_period_ns.is_some(),
            ),
        ])
    }

    /// Returns the options of the command line that change what is compiled, without those of limits.
    pub(crate) fn options(&self) -> [(&'static str, Option<String>); 4] {
        let config = self.config.as_ref();
        [
            ("--config", config.map(|path| path.display().to_string())),
            ("--device", self.device.clone()),
            (
                "--clock-period-ns",
                self.clock_period_ns.map(|period| period.to_string()),
            ),
            ("--prefix", self.prefix.clone()),
        ]
    }

    /// Returns the configuration, with the options of the command line.
    pub(crate) fn configuration(&self) -> Done<Config> {
        let limits = self.limits();
        let mut config = read_config(self.config.as_deref(), &self.kernel, &limits)?;
        if let Some(device) = &self.device {
            set_device(&mut config, device, &limits)?;
        }
        if let Some(period) = self.clock_period_ns {
            let set = config.set_clock_period_ns(period);
            set.map_err(|why| input(format!("error: --clock-period-ns is {why}")))?;
        }
        if let Some(prefix) = &self.prefix {
            let set = config.set_prefix(prefix);
            set.map_err(|why| input(format!("error: --prefix is {why}")))?;
        }
        // Where two files may be meant, there is no compilation to stop: who runs the data says so.
        if let Ok(Some(data)) = Data::beside().file(&self.kernel) {
            config.profile = Some(output::read_config(&data, &limits)?);
        }
        Ok(config)
    }

    /// Returns the limits without those of a configuration.
    pub(crate) fn limits(&self) -> Limits {
        self.limiting.limits()
    }

    /// Reads the text of the kernel.
    pub(crate) fn source(&self) -> Done<String> {
        output::read(&self.kernel, &self.limits())
    }

    /// Compiles the text of the kernel; does not print its warnings.
    pub(crate) fn compile_text(&self, source: &str, config: &Config) -> Done<Compiled> {
        let file = self.kernel.display().to_string();
        timed(config, |config| Ok(compile(source, &file, config)?))
    }

    /// Compiles the text of the kernel for callers that write no Verilog.
    pub(crate) fn compile_circuit(&self, source: &str, config: &Config) -> Done<Compiled> {
        let file = self.kernel.display().to_string();
        timed(config, |config| Ok(compile_circuit(source, &file, config)?))
    }
}

/// The top module of a text, and its parameters.
#[derive(Clone, Copy, Default)]
pub(super) struct Top<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) parameters: &'a [(String, String)],
}

/// Returns the circuit of a text, or that of a dataflow graph, whose warnings are printed; `None` for a kernel.
pub(super) fn circuit(kernel: &Kernel, source: &str, top: Top<'_>) -> Done<Option<Circuit>> {
    if let Some(mut circuit) = given_circuit(kernel, source, top)? {
        circuit.read_images(&mut data_files(&kernel.limits()));
        return Ok(Some(circuit));
    }
    let graph = graph(kernel, source, top.name)?;
    Ok(graph.map(|graph| {
        error_text(&graph.warnings);
        graph.circuit
    }))
}

/// Reads the circuit of a text; `None` if the text has functions, no circuit, or a dataflow graph with the given name.
pub(super) fn given_circuit(kernel: &Kernel, source: &str, top: Top<'_>) -> Done<Option<Circuit>> {
    // Do not parse texts that cannot be circuits.
    if !source.contains(hw::Module::NAME) {
        return Ok(None);
    }
    let file = kernel.kernel.display().to_string();
    // A circuit has no configuration: errors of a configuration are reported where it is needed.
    let limits = match kernel.configuration() {
        Ok(config) => config.tool_limits,
        Err(_) => kernel.limits(),
    };
    Ok(Circuit::with_parameters(
        source,
        &file,
        top.name,
        top.parameters,
        &limits,
    )?)
}

/// Compiles the dataflow graph of a text; `None` if it has none or is a kernel.
pub(super) fn graph(kernel: &Kernel, source: &str, top: Option<&str>) -> Done<Option<Graph>> {
    if !source.contains(handshake::Func::NAME) {
        return Ok(None);
    }
    let mut config = kernel.configuration()?;
    if let Some(top) = top {
        config.top = Some(top.to_owned());
    }
    let file = kernel.kernel.display().to_string();
    timed(&config, |config| Ok(Graph::read(source, &file, config)?))
}

/// Where data sets come from.
#[derive(Args, Clone)]
pub(crate) struct Data {
    /// File with data sets, YAML or JSON; default: `NAME.data.yaml` beside NAME.mlir, else `data.yaml`, or the same names with `.json`
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Number of random data sets to run in addition to those of the file
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) random: u32,
    /// Seed of the random numbers; the same seed gives the same data
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// How data sets are run.
#[derive(Args, Clone, Default)]
pub(crate) struct Runs {
    /// Run the data sets one after the other without a reset between them, with up to N idle cycles between `done` and `start`
    #[arg(long, value_name = "N")]
    pub(crate) idle: Option<u64>,
    /// Maximum number of cycles from `start` to `done`; a data set that takes longer fails
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: Option<u64>,
    /// Let each stream transfer words only in random cycles, selected by `--seed`, instead of in every cycle
    #[arg(long)]
    pub(crate) pauses: bool,
}

/// The data sets and expectations with which a kernel is checked.
pub(crate) struct Asked {
    pub(crate) cases: Vec<Case>,
    /// Of these, the data sets of the data file, which come first.
    pub(super) n_own: usize,
    /// The data file.
    pub(super) file: Option<DataText>,
    /// Set where the kernel has no data sets of its own, and no random ones were asked for.
    pub(super) missing: Option<MissingData>,
    pub(crate) expect: Expect,
    pub(crate) note: String,
    /// Maximum idle cycles between data sets that run one after the other.
    pub(crate) idle_cycles: Option<u64>,
    /// True if the interpreter is the reference model.
    pub(crate) has_reference: bool,
}

/// A data file that was read.
pub(super) struct DataText {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Asked {
    /// `file:line:column` of a part of the data file; `None` where there is no data file.
    pub(super) fn place(&self, path: &[Step]) -> Option<String> {
        let file = self.file.as_ref()?;
        let (line, column) = nearest_place(&file.text, path);
        Some(format!("{}:{line}:{column}", file.path.display()))
    }
}

impl Runs {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--idle", self.idle.is_some()),
            ("--timeout", self.timeout.is_some()),
            ("--pauses", self.pauses),
        ])
    }

    /// Returns the given options that circuits do not support.
    pub(super) fn of_kernels(&self) -> Vec<&'static str> {
        let mut all = self.asked();
        all.retain(|option| *option != "--pauses");
        all
    }

    /// Applies the options to all data sets.
    ///
    /// # Errors
    /// More idle cycles than the limit allows.
    pub(super) fn apply(&self, asked: &mut Asked, limits: &Limits) -> Done<()> {
        check_count("--idle", Limit::IdleCycles, self.idle.unwrap_or(0), limits)?;
        asked.idle_cycles = self.idle.or(asked.idle_cycles);
        if self.timeout.is_some() {
            asked.expect.timeout_cycles = self.timeout;
            for case in &mut asked.cases {
                case.timeout_cycles = self.timeout;
            }
        }
        Ok(())
    }
}

impl Data {
    /// Returns the data sets of the file beside a kernel, or a random one.
    pub(in crate::commands) fn beside() -> Self {
        Self {
            data: None,
            random: 0,
            seed: 1,
        }
    }

    /// Returns the given options that only kernels support.
    pub(super) fn of_kernels(&self) -> Vec<&'static str> {
        asked(&[
            ("--data", self.data.is_some()),
            ("--random", self.random > 0),
        ])
    }

    /// Returns the data sets: those of the file, then random ones; at least one.
    pub(crate) fn cases(&self, kernel: &Kernel, compiled: &Compiled) -> Done<Vec<Case>> {
        let asked = self.asked(kernel, compiled)?;
        error_text(&asked.note);
        Ok(asked.cases)
    }

    /// Returns the data sets (those of the file, then random ones, at least one), with other expectations and notes.
    pub(crate) fn asked(&self, kernel: &Kernel, compiled: &Compiled) -> Done<Asked> {
        check_count("--random", Limit::DataSets, self.random, &kernel.limits())?;
        let limits = kernel.limits();
        let text = match self.file(&kernel.kernel)? {
            Some(path) => {
                let text = output::read_config(&path, &limits)?;
                Some(DataText { path, text })
            }
            None => None,
        };
        let file = match &text {
            Some(DataText { path, text }) => {
                let (file, mut files) = (path.display().to_string(), data_files(&limits));
                DataFile::read(text, &file, &compiled.interface, &mut files, &limits)
                    .map_err(|errors| input(render(&errors)))?
            }
            None => DataFile::default(),
        };
        // Without arguments there is only one data set.
        let is_missing =
            file.cases.is_empty() && self.random == 0 && !compiled.interface.arguments.is_empty();
        let missing = is_missing.then(|| MissingData::of(compiled, &kernel.kernel, text.as_ref()));
        let (expect, idle_cycles) = (file.expect, file.idle_cycles);
        let mut cases = file.cases;
        if !file.has_reference {
            let is_random = self.random > 0;
            let note =
                "note: no random data sets: without the interpreter nothing says what is right\n";
            return Ok(Asked {
                n_own: cases.len(),
                cases,
                file: text,
                missing,
                expect,
                note: if is_random {
                    note.to_owned()
                } else {
                    String::new()
                },
                idle_cycles,
                has_reference: false,
            });
        }
        let n_own = cases.len();
        let wanted = if cases.is_empty() {
            self.random.max(1)
        } else {
            self.random
        };
        let mut drawing = Drawing::new(compiled, &file.ranges, self.seed);
        for n_drawn in 0..wanted {
            let case = drawing.draw().map_err(|why| {
                let (n_again, _) = drawing.drawn_again();
                if n_again == 0 {
                    return input(format!("error: {why}"));
                }
                input(format!(
                    "{why}\nerror: the kernel is undefined or takes long for {n_again} of {} random data sets: give ranges under `random:` in a data file",
                    n_again + n_drawn
                ))
            })?;
            cases.push(case);
        }
        let mut note = String::new();
        let (n_again, last) = drawing.drawn_again();
        if n_again > 0 {
            let narrowed = drawing.scalar_bits().map_or_else(String::new, |bits| {
                format!(" scalars have {bits} bits at most by now;")
            });
            note = format!(
                "note: {n_again} random data sets were drawn again, the kernel is undefined or takes long for them;{narrowed} for the last: {last}\n"
            );
        }
        Ok(Asked {
            cases,
            n_own,
            file: text,
            missing,
            expect,
            note,
            idle_cycles,
            has_reference: true,
        })
    }

    /// Returns the data file: the given one, else the one beside the kernel, with the kernel's name or the general name.
    pub(in crate::commands) fn file(&self, kernel: &Path) -> Done<Option<PathBuf>> {
        if self.data.is_some() {
            return Ok(self.data.clone());
        }
        for names in [
            own_data_files(kernel),
            ["data.yaml", "data.json"].map(str::to_owned),
        ] {
            let beside = names.each_ref().map(|name| kernel.with_file_name(name));
            match beside.each_ref().map(|path| path.exists()) {
                [true, true] => {
                    let [yaml, json] = names;
                    return Err(input(format!(
                        "error: there are `{yaml}` and `{json}` beside {}: --data says which is meant",
                        kernel.display()
                    )));
                }
                [false, false] => {}
                [is_yaml, _] => {
                    let [yaml, json] = beside;
                    return Ok(Some(if is_yaml { yaml } else { json }));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the names of data files that belong to one kernel or circuit only.
pub(super) fn own_data_files(kernel: &Path) -> [String; 2] {
    let stem = kernel.file_stem().unwrap_or_default().to_string_lossy();
    ["yaml", "json"].map(|ending| format!("{stem}.data.{ending}"))
}
