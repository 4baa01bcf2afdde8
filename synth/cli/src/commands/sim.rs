//! `sluice sim`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use sluice_flow::check::{difference, predicted_cycles, simulate, unmet, watch};
use sluice_flow::circuit::{Backend, Circuit, CycleSimulator, Observe, Options, parse_value};
use sluice_sim::testbench::CircuitOutcome;

use super::answers::{Answers, Questions};
use super::kernel::{Data, Kernel, references};
use super::suite::Suite;
use super::waves::Waves;
use crate::output::{Done, error_text, input, print, read, write_file};

/// Arguments of `sim`.
#[derive(Args)]
pub(crate) struct Sim {
    #[command(flatten)]
    kernel: Kernel,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    circuit: OfCircuit,
    #[command(flatten)]
    suite: Suite,
}

/// What a run is looked at for, besides whether it is right.
#[derive(Args, Default)]
pub(super) struct Looks {
    #[command(flatten)]
    waves: Waves,
    #[command(flatten)]
    questions: Questions,
}

/// What is said of a circuit, a file with `hw.module`s and no functions.
#[derive(Args, Default)]
#[command(next_help_heading = "Circuits: files with hw.module and no functions")]
pub(super) struct OfCircuit {
    /// The module on top; without, the last that no other has an instance of
    #[arg(long, value_name = "NAME")]
    pub(super) top: Option<String>,
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
            self.only_for("a kernel", &self.looks.questions.of_kernels())?;
            return self.circuit.run(&circuit, &self.looks, start);
        }
        self.only_for("a circuit", &self.circuit.asked())?;
        let mut notes = String::new();
        let checked = check(&self.kernel, &source, &self.data, &self.looks, &mut notes);
        error_text(&notes);
        print(&checked?.text);
        Ok(())
    }

    /// What was asked for that only a file has.
    fn of_files(&self) -> Vec<&'static str> {
        let mut found = self.looks.waves.asked();
        found.extend(self.looks.questions.asked());
        found.extend(asked(&[("--data", self.data.data.is_some())]));
        found
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
    looks: &Looks,
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
    let Looks { waves, questions } = looks;
    let with_waves = waves.is_wanted()?;
    let is_asked = !questions.asked().is_empty();
    let mut answers = Answers::default();
    let mut all_cycles = Vec::new();
    for (i, (case, expected)) in cases.iter().zip(&expected).enumerate() {
        let of_set = |why: String| input(format!("data set {i}: {why}"));
        let agrees = |outcome: &CircuitOutcome| {
            let found = difference(&compiled, expected, &outcome.results, &outcome.memories);
            if let Some(found) = found {
                let message = format!("the circuit disagrees with the interpreter: {found}");
                return Err(message);
            }
            match predicted.filter(|predicted| *predicted != outcome.cycles) {
                Some(predicted) => {
                    let cycles = outcome.cycles;
                    Err(format!("{cycles} cycles, {predicted} were predicted"))
                }
                None => Ok(outcome.cycles),
            }
        };
        let cycles = simulate(&compiled, case).and_then(|outcome| agrees(&outcome));
        // The waves of the first data set, and then of the one that fails.
        if with_waves && (i == 0 || cycles.is_err()) {
            let (_, mut simulator) = watch(&compiled, case, Observe::Signals).map_err(of_set)?;
            waves.write(&mut simulator, &compiled.top)?;
        }
        let cycles = cycles.map_err(of_set)?;
        if is_asked {
            let (_, simulator) = watch(&compiled, case, Observe::Signals).map_err(of_set)?;
            questions.look(&mut answers, (&compiled, case), simulator, cycles);
        }
        all_cycles.push(cycles);
    }
    let unmet = unmet(&compiled, &asked.expect, &all_cycles);
    if !unmet.is_empty() {
        return Err(input(unmet.join("\n")));
    }
    let mut text = agreement(&compiled.top, "cycle simulation", &all_cycles, predicted);
    text += &questions.answer(&answers, Some(&compiled), &compiled.top)?;
    Ok(Checked {
        text,
        n_cases: cases.len(),
        n_cycles: all_cycles.iter().sum(),
    })
}

impl OfCircuit {
    /// What was asked for.
    pub(super) fn asked(&self) -> Vec<&'static str> {
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

    fn run(&self, circuit: &Circuit, looks: &Looks, start: Instant) -> Done<()> {
        let Looks { waves, questions } = looks;
        if let Some(path) = &self.verilog {
            return write_file(path, circuit.verilog()?.as_bytes());
        }
        let with_waves = waves.is_wanted()?;
        let is_asked = !questions.asked().is_empty();
        let observe = match with_waves || is_asked {
            true => Observe::Signals,
            false => Observe::Ports,
        };
        let mut driven = self.drive(circuit, observe, start)?;
        let Driven {
            simulator,
            done,
            first,
            seconds,
            ..
        } = &mut driven;
        if with_waves {
            waves.write(simulator, &circuit.top)?;
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
            let behind = done.saturating_sub(1);
            text += &format!(
                "first cycle after {:.2} ms; {behind} cycles in {seconds:.3} s, {:.2} million per second\n",
                first.as_secs_f64() * 1e3,
                behind as f64 / seconds.max(1e-9) / 1e6
            );
        }
        if let (Some(name), false) = (&self.until, driven.is_met) {
            let done = driven.done;
            return Err(input(format!(
                "{text}error: `{name}` was 0 in all of {done} cycles"
            )));
        }
        if is_asked {
            let mut answers = Answers::default();
            questions.look_at_circuit(&mut answers, driven.simulator);
            text += &questions.answer(&answers, None, &circuit.top)?;
        }
        print(&text);
        Ok(())
    }

    /// Runs a circuit as it was asked for; where something is observed, every cycle is recorded.
    pub(super) fn drive(
        &self,
        circuit: &Circuit,
        observe: Observe,
        start: Instant,
    ) -> Done<Driven> {
        let n_cycles = self.cycles.unwrap_or(1);
        let mut simulator = circuit.simulator(Options {
            backend: self.backend.unwrap_or(How::Auto).into(),
            observe,
        })?;
        if observe != Observe::Ports {
            simulator.record();
        }
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
        if let Some(reset) = reset {
            for (value, n_reset) in [(u64::MAX, 2), (0, 0)] {
                let width = inputs[reset].1;
                simulator.set_input(reset, &sluice_flow::circuit::bits(width, value));
                simulator.run_cycles(n_reset);
            }
        }
        // The first cycle on its own: from then on everything is there.
        let mut done = 0;
        if n_cycles > 0 {
            simulator.run_cycle();
            done = 1;
        }
        let first = start.elapsed();
        let is_met = |simulator: &CycleSimulator| {
            until.is_some_and(|until| !simulator.output(until).is_zero())
        };
        let begin = Instant::now();
        if done < n_cycles && !is_met(&simulator) {
            match until {
                Some(until) => done += simulator.run_until(until, n_cycles - done),
                None => {
                    // The last one shows the outputs.
                    simulator.run_cycles(n_cycles - done - 1);
                    simulator.run_cycle();
                    done = n_cycles;
                }
            }
        }
        Ok(Driven {
            is_met: is_met(&simulator),
            simulator,
            done,
            first,
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}

/// A circuit that was run.
pub(super) struct Driven {
    pub(super) simulator: CycleSimulator,
    /// Cycles, those of the reset left out.
    done: u64,
    /// Whether the output that was waited for came.
    is_met: bool,
    /// What passed until the first cycle was run, and then.
    first: Duration,
    seconds: f64,
}

/// A value without sign; one bit as a digit.
pub(super) fn hexadecimal(value: &sluice_flow::circuit::Bits) -> String {
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
