//! `sluice sim`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use sluice_kernel::compiled::Compiled;
use sluice_verify::assertions::Assertion;
use sluice_verify::check::unwritten;
use sluice_verify::circuit::{Circuit, CycleSimulator, Observe, Settings};

use super::answers::Answers;
use super::asserting::Assertions;
use super::batch::Batch;
use super::check::check_compiled;
use super::kernel::{Data, Kernel, Runs, circuit};
use super::outcomes::Log;
use super::running::{Driven, Running};
use super::sequences::{Given, check_sequences, is_circuit};
use super::suite::Suite;
use crate::commands::looks::Looks;
use crate::commands::requests::{asked, only_for};
use crate::commands::task::{IdleData, Task, With};
use crate::files::write_file;
use crate::output::{Done, error_text, hexadecimal, input, print};

/// Arguments of `sim`.
#[derive(Args)]
pub(crate) struct Sim {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    assertions: Assertions,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    circuit: OfCircuit,
    #[command(flatten)]
    batch: Batch,
    #[command(flatten)]
    suite: Suite,
}

/// Options of a circuit, a file with `hw.module`s or dataflow graphs and no kernel.
#[derive(Args, Default)]
#[command(next_help_heading = "Circuits: files with hw.module or handshake.func and no kernel")]
struct OfCircuit {
    #[command(flatten)]
    running: Running,
    /// Warn if a memory word is read before it is written; this also works for kernels
    #[arg(long)]
    uninitialised: bool,
    /// Print the time that the start and the run took
    #[arg(long)]
    time: bool,
    /// Write the circuit to this file as Verilog instead of simulating it
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
}

impl Sim {
    pub(crate) fn run(self) -> Done<()> {
        let start = Instant::now();
        let path = &self.kernel.kernel;
        let with = With::Looks(&self.looks);
        let assertions = self.assertions.read(&self.kernel.limits())?;
        let task = Task {
            command: "sim",
            kernel: &self.kernel,
            data: &self.data,
            runs: &self.runs,
            assertions: &assertions,
            with,
            idle_data: IdleData::Warns,
        };
        if path.is_dir() {
            let wrong = [
                ("a file", &self.of_files()[..]),
                ("a circuit", &self.of_circuits()),
            ];
            only_for(path, &wrong)?;
            return self.suite.run(task);
        }
        let run = |log: &mut Log| self.run_file(task, log, start);
        self.suite.file(path, run)
    }

    fn run_file(&self, task: Task<'_>, log: &mut Log, start: Instant) -> Done<()> {
        let path = &self.kernel.kernel;
        let assertions = task.assertions;
        let source = self.kernel.source()?;
        let given = self.sequences(&source)?;
        let top = self.circuit.running.drive.top(given.as_ref());
        if let Some(circuit) = circuit(&self.kernel, &source, top)? {
            let of_compilation = self.kernel.of_compilation(&circuit);
            if let Some(given) = given {
                let wrong = [
                    ("a folder", &self.suite.asked()[..]),
                    ("a kernel or a dataflow graph", &of_compilation),
                    ("a kernel", &self.looks.questions.of_kernels()),
                    ("a kernel", &self.runs.of_kernels()),
                    ("run without a data file", &self.without_data()),
                ];
                only_for(path, &wrong)?;
                return self.run_sequences(task, &circuit.with_memories(), &given, log);
            }
            let wrong = [
                ("a folder", &self.suite.asked()[..]),
                ("a kernel or a dataflow graph", &of_compilation),
                ("a kernel", &self.looks.questions.of_kernels()),
                ("a kernel", &self.data.of_kernels()),
                ("a kernel", &self.runs.asked()),
            ];
            only_for(path, &wrong)?;
            if self.batch.is_wanted() {
                let mut others = self.circuit.of_one_run();
                others.extend(self.looks.waves.asked());
                others.extend(self.looks.questions.asked());
                others.extend(self.assertions.asked());
                only_for(path, &[("run once with --batch", &others)])?;
                let running = &self.circuit.running;
                let text =
                    self.batch
                        .run(&circuit, running, self.data.seed, &self.kernel.limits())?;
                print(&text);
                return Ok(());
            }
            let looks = &self.looks;
            return self.circuit.run(&circuit, looks, assertions, start, log);
        }
        let wrong = [
            ("a folder", &self.suite.asked()[..]),
            ("a circuit", &self.of_circuits()),
        ];
        only_for(path, &wrong)?;
        let config = self.kernel.configuration()?;
        let compiled = self.kernel.compile_circuit(&source, &config)?;
        log.notes.clone_from(&compiled.warnings);
        let checked = check_compiled(task, &compiled, log);
        error_text(&log.said());
        print(&checked?.text);
        if self.circuit.uninitialised {
            error_text(&self.unwritten_memory(&compiled)?);
        }
        Ok(())
    }

    /// Returns the given options that only circuits support.
    fn of_circuits(&self) -> Vec<&'static str> {
        let mut all = self.circuit.asked();
        all.extend(self.batch.asked());
        all
    }

    /// Returns the given options for runs of a circuit without a data file.
    fn without_data(&self) -> Vec<&'static str> {
        let mut all = self.circuit.asked();
        all.retain(|option| !["--top", "--parameter", "--backend"].contains(option));
        all.extend(self.batch.asked());
        all.extend(asked(&[
            ("--random", self.data.random > 0),
            ("--uninitialised", self.circuit.uninitialised),
        ]));
        all
    }

    /// Returns the data file for a circuit: the given one, or the one beside it if no other option of a run is given.
    fn sequences(&self, source: &str) -> Done<Option<Given>> {
        let is_wanted = self.data.data.is_some() || self.without_data().is_empty();
        match is_wanted && is_circuit(source) {
            true => {
                let top = self.circuit.running.drive.top.as_deref();
                Given::read(&self.data, &self.kernel, source, top)
            }
            false => Ok(None),
        }
    }

    fn run_sequences(
        &self,
        task: Task<'_>,
        circuit: &Circuit,
        given: &Given,
        log: &mut Log,
    ) -> Done<()> {
        let settings = self.circuit.running.settings(Observe::Ports)?;
        print(&check_sequences(task, circuit, given, settings, log)?.text);
        Ok(())
    }

    /// Returns the lines about reads of internal memories before they are written, over all data of a kernel; each line once.
    fn unwritten_memory(&self, compiled: &Compiled) -> Done<String> {
        let asked = self.data.asked(&self.kernel, compiled)?;
        let mut lines: Vec<String> = Vec::new();
        for (i, case) in asked.cases.iter().enumerate() {
            let found = unwritten(compiled, case);
            for line in found.map_err(|why| input(format!("data set {i}: {why}")))? {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        Ok(lines.iter().map(|line| format!("{line}\n")).collect())
    }

    /// Returns the given options that only files support.
    fn of_files(&self) -> Vec<&'static str> {
        let mut found = self.looks.waves.asked();
        found.extend(self.looks.questions.asked());
        found.extend(self.assertions.asked());
        found.extend(asked(&[
            ("--data", self.data.data.is_some()),
            ("--uninitialised", self.circuit.uninitialised),
        ]));
        found
    }
}

impl OfCircuit {
    /// Returns the given options.
    fn asked(&self) -> Vec<&'static str> {
        let mut all = self.running.asked();
        all.extend(asked(&[
            ("--time", self.time),
            ("--verilog", self.verilog.is_some()),
        ]));
        all
    }

    /// Returns the given options that a batch of runs does not support.
    fn of_one_run(&self) -> Vec<&'static str> {
        let mut all = self.running.of_one_run();
        all.extend(asked(&[
            ("--uninitialised", self.uninitialised),
            ("--time", self.time),
            ("--verilog", self.verilog.is_some()),
        ]));
        all
    }

    fn run(
        &self,
        circuit: &Circuit,
        looks: &Looks,
        assertions: &[Assertion],
        start: Instant,
        log: &mut Log,
    ) -> Done<()> {
        let Looks { waves, questions } = looks;
        if let Some(path) = &self.verilog {
            return write_file(path, circuit.verilog()?.as_bytes());
        }
        let with_waves = waves.is_wanted()?;
        let is_asked = !questions.asked().is_empty();
        let observe = match (with_waves, is_asked) {
            (true, _) => Observe::Waves,
            (false, true) => Observe::Signals,
            (false, false) => Observe::Ports,
        };
        let settings = Settings {
            uninitialised: self.uninitialised,
            ..self.running.settings(observe)?
        };
        let mut driven = self.running.run(circuit, &settings, assertions, start)?;
        log.begin(
            None,
            std::iter::once((Some(format!("@{}", circuit.top)), None)),
        );
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
        for read in simulator.uninitialised_reads() {
            error_text(&circuit.warning(&read));
        }
        if simulator.is_unsettled() {
            let message = "error: clocks or asynchronous resets go on changing within a cycle";
            return Err(input(message));
        }
        let mut text = format!("@{}: {done} cycles\n", circuit.top) + &outputs(simulator);
        if self.time {
            let later = done.saturating_sub(1);
            text += &format!(
                "first cycle after {:.2} ms; {later} cycles in {seconds:.3} s, {:.2} million per second\n",
                first.as_secs_f64() * 1e3,
                later as f64 / seconds.max(1e-9) / 1e6
            );
        }
        match &driven.asserted {
            Ok(held) => text += held,
            Err(found) => {
                log.failed(0, found);
                return Err(input(format!("{text}error: {found}")));
            }
        }
        if let (Some(name), false) = (&self.running.drive.until, driven.is_met) {
            let done = driven.done;
            let drive = &self.running.drive;
            let why = drive.never(name, done, circuit.limits());
            log.failed(0, &why);
            return Err(input(format!("{text}error: {why}")));
        }
        if is_asked {
            let mut answers = Answers::default();
            questions.look_at_circuit(&mut answers, driven.simulator);
            text += &questions.answer(&answers, None, &circuit.top)?;
        }
        print(&text);
        Ok(())
    }
}

/// Formats the outputs, a line for each.
pub(super) fn outputs(simulator: &CycleSimulator) -> String {
    let lines = simulator.outputs().enumerate().map(|(index, port)| {
        let value = hexadecimal(&simulator.output(index));
        format!("  {} = {value}\n", port.name)
    });
    lines.collect()
}
