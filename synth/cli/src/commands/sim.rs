//! `sluice sim`

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use sluice_flow::circuit::{Backend, Circuit, Vcd};

use super::check::{With, check};
use super::drive::Drive;
use super::kernel::{Data, Kernel};
use super::suite::{Suite, Task};
use crate::output::{Done, error_text, hexadecimal, input, print, read, write_all, write_file};

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
    #[command(flatten)]
    drive: Drive,
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
            only_for(path, "a file", &self.of_files())?;
            only_for(path, "a circuit", &self.circuit.asked())?;
            return self.suite.run(Task {
                command: "sim",
                kernel: &self.kernel,
                data: &self.data,
                with: With::Waves(None),
            });
        }
        only_for(path, "a folder", &self.suite.asked())?;
        let source = read(path)?;
        let file = path.display().to_string();
        let top = self.circuit.drive.top.as_deref();
        // Only what may be a circuit is read as one before it is compiled.
        if source.contains("hw.module")
            && let Some(circuit) = Circuit::read(&source, &file, top)?
        {
            only_for(path, "a kernel", &self.data.of_kernels())?;
            return self.circuit.run(&circuit, self.vcd.as_deref(), start);
        }
        only_for(path, "a circuit", &self.circuit.asked())?;
        let mut notes = String::new();
        let with = With::Waves(self.vcd.as_deref());
        let checked = check(&self.kernel, &source, &self.data, with, &mut notes);
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
}

/// Options that say nothing of what is run are errors.
pub(super) fn only_for(path: &Path, what: &str, options: &[&str]) -> Done<()> {
    match options {
        [] => Ok(()),
        _ => Err(input(format!(
            "error: {} is not {what}, which {} is for",
            path.display(),
            options.join(", ")
        ))),
    }
}

/// The options that were given.
pub(super) fn asked(options: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = options.iter().filter(|(_, is_given)| *is_given);
    given.map(|(name, _)| *name).collect()
}

pub(super) fn write_waves(path: &Path, vcd: String) -> Done<()> {
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
        let mut all = self.drive.asked();
        all.extend(asked(&[
            ("--backend", self.backend.is_some()),
            ("--time", self.time),
            ("--verilog", self.verilog.is_some()),
        ]));
        all
    }

    fn run(&self, circuit: &Circuit, vcd: Option<&Path>, start: Instant) -> Done<()> {
        if let Some(path) = &self.verilog {
            return write_file(path, circuit.verilog()?.as_bytes());
        }
        let backend = self.backend.unwrap_or(How::Auto).into();
        let mut driven = self.drive.driven(circuit, backend)?;
        let (n_cycles, until) = (driven.n_cycles, driven.until);
        let mut waves = vcd.map(|_| Vcd::new(&driven.simulator, &circuit.top));
        driven.reset(|simulator| {
            simulator.run_cycle_into(waves.as_mut());
            Ok(())
        })?;
        let mut simulator = driven.simulator;
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
        let mut text = format!("@{}: {done} cycles\n", circuit.top) + &outputs(&simulator);
        if self.time {
            text += &format!(
                "first cycle after {:.2} ms; {} cycles in {seconds:.3} s, {:.2} million per second\n",
                first.as_secs_f64() * 1e3,
                done - before,
                (done - before) as f64 / seconds.max(1e-9) / 1e6
            );
        }
        if let Some(name) = self.drive.until.as_deref().filter(|_| !is_set(&simulator)) {
            return Err(input(format!(
                "{text}error: `{name}` was 0 in all of {done} cycles"
            )));
        }
        print(&text);
        Ok(())
    }
}

/// The outputs, a line each.
pub(super) fn outputs(simulator: &sluice_flow::circuit::CycleSimulator) -> String {
    let lines = simulator.outputs().enumerate().map(|(index, port)| {
        let value = hexadecimal(&simulator.output(index));
        format!("  {} = {value}\n", port.name)
    });
    lines.collect()
}
