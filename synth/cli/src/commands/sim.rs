//! `sluice sim`

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use sluice_flow::check::{difference, predicted_cycles, simulate, unmet};
use sluice_flow::circuit::{Backend, Circuit, Vcd, parse_value};

use super::kernel::{Data, Kernel, references};
use super::suite::Suite;
use crate::output::{Done, error_text, input, print, read, write_all, write_file};

/// Arguments of `sim`.
#[derive(Args)]
pub(crate) struct Sim {
    #[command(flatten)]
    kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Write the waves of the first data set, or of the circuit, to this file
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    #[command(flatten)]
    circuit: OfCircuit,
    #[command(flatten)]
    suite: Suite,
}

/// What is said of a circuit, a file with `hw.module`s and no functions.
#[derive(Args)]
#[command(next_help_heading = "Circuits: files with hw.module and no functions")]
struct OfCircuit {
    /// The module on top; without, the last that no other has an instance of
    #[arg(long, value_name = "NAME")]
    top: Option<String>,
    /// Cycles to run; 1, if not said
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Stop after the cycle in which this output is not 0
    #[arg(long, value_name = "OUTPUT")]
    until: Option<String>,
    /// An input and its value, decimal or after `0x` hexadecimal; others are 0
    #[arg(long, value_name = "INPUT=VALUE")]
    set: Vec<String>,
    /// An input that is 1 for two cycles before
    #[arg(long, value_name = "INPUT")]
    reset: Option<String>,
    /// How cycles are computed; `auto` is bytecode at first, machine code in long runs
    #[arg(long, value_enum)]
    backend: Option<How>,
    /// Say how long the start and the run took
    #[arg(long)]
    time: bool,
    /// Write the circuit as Verilog to this file instead
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
}

/// Backends on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum How {
    Auto,
    Bytecode,
    Native,
}

impl From<How> for Backend {
    fn from(how: How) -> Self {
        match how {
            How::Auto => Self::Auto,
            How::Bytecode => Self::Bytecode,
            How::Native => Self::Native,
        }
    }
}

impl Sim {
    pub(crate) fn run(self) -> Done<()> {
        let start = Instant::now();
        let path = &self.kernel.kernel;
        if path.is_dir() {
            self.only_for("a file", &self.of_files())?;
            self.only_for("a circuit", &self.circuit.asked())?;
            return self.suite.run(&self.kernel, &self.data);
        }
        self.only_for("a folder", &self.suite.asked())?;
        let source = read(path)?;
        let file = path.display().to_string();
        let top = self.circuit.top.as_deref();
        // Only what may be a circuit is read as one before it is compiled.
        if source.contains("hw.module")
            && let Some(circuit) = Circuit::read(&source, &file, top)?
        {
            return self.circuit.run(&circuit, self.vcd.as_deref(), start);
        }
        self.only_for("a circuit", &self.circuit.asked())?;
        let mut notes = String::new();
        let vcd = self.vcd.as_deref();
        let checked = check(&self.kernel, &source, &self.data, vcd, &mut notes);
        error_text(&notes);
        print(&checked?.text);
        Ok(())
    }

    /// What was asked for that only a file has.
    fn of_files(&self) -> Vec<&'static str> {
        asked(&[
            ("--vcd", self.vcd.is_some()),
            ("--data", self.data.data.is_some()),
        ])
    }

    /// Options that say nothing of what is run are errors.
    fn only_for(&self, what: &str, options: &[&str]) -> Done<()> {
        let path = self.kernel.kernel.display();
        match options {
            [] => Ok(()),
            _ => Err(input(format!(
                "error: {path} is not {what}, which {} is for",
                options.join(", ")
            ))),
        }
    }
}

/// The options that were given.
pub(super) fn asked(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = options.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).collect()
}

/// A kernel whose circuit agreed with the interpreter on all its data.
pub(super) struct Checked {
    /// What to say.
    pub(super) text: String,
    pub(super) n_cases: usize,
    /// Cycles of all data sets together.
    pub(super) n_cycles: u64,
}

/// Runs a kernel, whose text was read, on all its data; warnings are added to `notes`.
pub(super) fn check(
    kernel: &Kernel,
    source: &str,
    data: &Data,
    vcd: Option<&Path>,
    notes: &mut String,
) -> Done<Checked> {
    let config = kernel.configuration()?;
    let compiled = kernel.compile_text(source, &config, &mut |_, _, _| {})?;
    notes.push_str(&compiled.warnings);
    let asked = data.asked(&kernel.kernel, &compiled)?;
    notes.push_str(&asked.note);
    let cases = &asked.cases;
    let expected = references(&compiled, cases)?;
    let predicted = predicted_cycles(&compiled);
    let mut all_cycles = Vec::new();
    for (i, (case, expected)) in cases.iter().zip(&expected).enumerate() {
        let (outcome, waves) = simulate(&compiled, case, vcd.is_some() && i == 0)
            .map_err(|why| input(format!("data set {i}: {why}")))?;
        if let (Some(path), Some(waves)) = (vcd, waves) {
            write_waves(path, waves)?;
        }
        if let Some(found) = difference(&compiled, expected, &outcome.results, &outcome.memories) {
            return Err(input(format!(
                "data set {i}: the circuit disagrees with the interpreter: {found}\n{}",
                advice(kernel)
            )));
        }
        if let Some(predicted) = predicted.filter(|p| *p != outcome.cycles) {
            let message = format!(
                "data set {i}: {} cycles, {predicted} were predicted\n{}",
                outcome.cycles,
                advice(kernel)
            );
            return Err(input(message));
        }
        all_cycles.push(outcome.cycles);
    }
    let unmet = unmet(&compiled, &asked.expect, &all_cycles);
    if !unmet.is_empty() {
        return Err(input(unmet.join("\n")));
    }
    Ok(Checked {
        text: agreement(&compiled.top, "cycle simulation", &all_cycles, predicted),
        n_cases: cases.len(),
        n_cycles: all_cycles.iter().sum(),
    })
}

/// What tells more of a disagreement.
fn advice(kernel: &Kernel) -> String {
    let path = kernel.kernel.display();
    format!(
        "note: `sluice diverge {path}` names where they part first, `sluice reduce {path}` makes the kernel smaller"
    )
}

fn write_waves(path: &Path, vcd: String) -> Done<()> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    write_all(folder, &[(name, vcd)])
}

impl OfCircuit {
    /// What was asked for.
    fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--top", self.top.is_some()),
            ("--cycles", self.cycles.is_some()),
            ("--until", self.until.is_some()),
            ("--set", !self.set.is_empty()),
            ("--reset", self.reset.is_some()),
            ("--backend", self.backend.is_some()),
            ("--time", self.time),
            ("--verilog", self.verilog.is_some()),
        ])
    }

    fn run(&self, circuit: &Circuit, vcd: Option<&Path>, start: Instant) -> Done<()> {
        if let Some(path) = &self.verilog {
            return write_file(path, circuit.verilog()?.as_bytes());
        }
        let n_cycles = self.cycles.unwrap_or(1);
        let mut simulator = circuit.simulator(self.backend.unwrap_or(How::Auto).into())?;
        let no_port = |what: &str, name: &str, known: Vec<&str>| {
            input(format!(
                "error: @{} has no {what} `{name}`; there is: `{}`",
                circuit.top,
                known.join("`, `")
            ))
        };
        let inputs: Vec<(String, u32)> = simulator
            .inputs()
            .map(|port| (port.name.clone(), port.width_bits))
            .collect();
        let input_named = |name: &str| {
            let found = inputs.iter().position(|(known, _)| known == name);
            let known = || inputs.iter().map(|(name, _)| name.as_str()).collect();
            found.ok_or_else(|| no_port("input", name, known()))
        };
        for set in &self.set {
            let (name, value) = set
                .split_once('=')
                .ok_or_else(|| input(format!("error: --set {set}: INPUT=VALUE is expected")))?;
            let index = input_named(name)?;
            let value = parse_value(value, inputs[index].1)
                .map_err(|why| input(format!("error: --set {set}: {why}")))?;
            simulator.set_input(index, &value);
        }
        let reset = self.reset.as_deref().map(input_named).transpose()?;
        let until = match &self.until {
            None => None,
            Some(name) => Some(simulator.output_index(name).ok_or_else(|| {
                let known = simulator.outputs().map(|port| port.name.as_str());
                no_port("output", name, known.collect())
            })?),
        };
        let mut waves = vcd.map(|_| Vcd::new(&simulator, &circuit.top));
        if let Some(reset) = reset {
            for (value, n_reset) in [(u64::MAX, 2), (0, 0)] {
                let width = inputs[reset].1;
                simulator.set_input(reset, &sluice_flow::circuit::bits(width, value));
                for _ in 0..n_reset {
                    simulator.run_cycle_into(waves.as_mut());
                }
            }
        }
        // The first cycle on its own: from then on everything is there.
        let mut done = 0;
        let mut is_over = n_cycles == 0;
        if !is_over {
            simulator.run_cycle_into(waves.as_mut());
            done = 1;
        }
        let first = start.elapsed();
        let is_set = |simulator: &sluice_flow::circuit::CycleSimulator| {
            until.is_some_and(|until| !simulator.output(until).is_zero())
        };
        is_over |= is_set(&simulator) || done == n_cycles;
        let begin = Instant::now();
        let before = done;
        if !is_over {
            match (&mut waves, until) {
                (None, Some(until)) => done += simulator.run_until(until, n_cycles - done),
                (None, None) => {
                    // The last one shows the outputs.
                    simulator.run_cycles(n_cycles - done - 1);
                    simulator.run_cycle();
                    done = n_cycles;
                }
                (Some(waves), _) => {
                    while done < n_cycles && !is_set(&simulator) {
                        simulator.run_cycle_into(Some(&mut *waves));
                        done += 1;
                    }
                }
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        if let (Some(path), Some(waves)) = (vcd, waves) {
            write_waves(path, waves.finish())?;
        }
        if let Some(why) = simulator.why_not_native() {
            error_text(&format!("note: interpreted, not compiled: {why}"));
        }
        let mut text = format!("@{}: {done} cycles\n", circuit.top);
        for (index, port) in simulator.outputs().enumerate() {
            let value = hexadecimal(&simulator.output(index));
            text += &format!("  {} = {value}\n", port.name);
        }
        if self.time {
            text += &format!(
                "first cycle after {:.2} ms; {} cycles in {seconds:.3} s, {:.2} million per second\n",
                first.as_secs_f64() * 1e3,
                done - before,
                (done - before) as f64 / seconds.max(1e-9) / 1e6
            );
        }
        if let Some(name) = self.until.as_deref().filter(|_| !is_set(&simulator)) {
            return Err(input(format!(
                "{text}error: `{name}` was 0 in all of {done} cycles"
            )));
        }
        print(&text);
        Ok(())
    }
}

/// A value without sign; one bit as a digit.
fn hexadecimal(value: &sluice_flow::circuit::Bits) -> String {
    if value.width() <= 1 {
        return u8::from(!value.is_zero()).to_string();
    }
    let limbs = value.limbs().iter().rev();
    let digits: String = limbs.map(|limb| format!("{limb:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// One line on what agreed.
pub(crate) fn agreement(top: &str, what: &str, cycles: &[u64], predicted: Option<u64>) -> String {
    let (low, high) = (
        cycles.iter().min().copied().unwrap_or(0),
        cycles.iter().max().copied().unwrap_or(0),
    );
    let span = if low == high {
        format!("{low}")
    } else {
        format!("{low} to {high}")
    };
    let promise = if predicted.is_some() {
        ", as predicted"
    } else {
        ""
    };
    format!(
        "@{top}: interpreter = {what} on {} data sets, {span} cycles{promise}\n",
        cycles.len()
    )
}
