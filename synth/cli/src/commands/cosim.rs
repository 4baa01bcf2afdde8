//! `sluice cosim`

use std::collections::BTreeSet;

use clap::Args;
use sluice_sim::testbench::Watch as _;
use sluice_verify::assertions::Assertion;
use sluice_verify::circuit::{Circuit, Settings};
use sluice_verify::data::Random;

use super::asserting::{Assertions, asserted, held, observed};
use super::check::check;
use super::drive::Drive;
use super::kernel::{Data, Kernel, Runs, circuit};
use super::outcomes::Log;
use super::sequences::{Given, check_sequences, is_circuit};
use super::sim::outputs;
use super::suite::Suite;
use crate::commands::requests::{asked, only_for};
use crate::commands::task::{IdleData, Task, With};
use crate::companion::Companion;
use crate::models::{Cache, Models};
use crate::output::{Done, error_text, input, print};

/// Arguments of `cosim`.
#[derive(Args)]
pub(crate) struct Cosim {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    assertions: Assertions,
    #[command(flatten)]
    cache: Cache,
    #[command(flatten)]
    circuit: OfCircuit,
    #[command(flatten)]
    suite: Suite,
}

/// Options of a circuit, a file with `hw.module`s and no functions.
#[derive(Args)]
#[command(next_help_heading = "Circuits: files with hw.module or handshake.func and no kernel")]
struct OfCircuit {
    #[command(flatten)]
    drive: Drive,
    /// Give each input without `--set` a random value in each cycle; `--seed` selects the values
    #[arg(long)]
    random_inputs: bool,
}

impl Cosim {
    pub(crate) fn run(self) -> Done<()> {
        let path = &self.kernel.kernel;
        let mut of_circuit = self.circuit.drive.asked();
        of_circuit.extend(asked(&[("--random-inputs", self.circuit.random_inputs)]));
        if path.is_dir() {
            let of_file = asked(&[
                ("--keep", self.cache.keep.is_some()),
                ("--data", self.data.data.is_some()),
            ]);
            let of_file = [self.assertions.asked(), of_file].concat();
            only_for(path, &[("a file", &of_file), ("a circuit", &of_circuit)])?;
            let models = self.cache.open()?;
            return self.suite.run(self.task(&[], &models));
        }
        self.suite.file(path, |log| self.run_file(&of_circuit, log))
    }

    /// Runs a file; `of_circuit` are the given options that are only for circuits.
    fn run_file(&self, of_circuit: &[&'static str], log: &mut Log) -> Done<()> {
        let path = &self.kernel.kernel;
        let assertions = self.assertions.read(&self.kernel.limits())?;
        let source = self.kernel.source()?;
        let mut without_data = of_circuit.to_vec();
        without_data.retain(|option| !["--top", "--parameter"].contains(option));
        without_data.extend(asked(&[("--random", self.data.random > 0)]));
        let top = self.circuit.drive.top.as_deref();
        let is_wanted = self.data.data.is_some() || without_data.is_empty();
        let given = match is_wanted && is_circuit(&source) {
            true => Given::read(&self.data, &self.kernel, &source, top)?,
            false => None,
        };
        let top = self.circuit.drive.top(given.as_ref());
        if let Some(circuit) = circuit(&self.kernel, &source, top)? {
            let of_compilation = self.kernel.of_compilation(&circuit);
            if let Some(given) = given {
                let wrong = [
                    ("a folder", &self.suite.asked()[..]),
                    ("a kernel or a dataflow graph", &of_compilation),
                    ("a kernel", &self.runs.of_kernels()),
                    ("run without a data file", &without_data),
                ];
                only_for(path, &wrong)?;
                let models = self.cache.open()?;
                let task = self.task(&assertions, &models);
                let circuit = circuit.with_memories();
                let settings = Settings::default();
                let checked = check_sequences(task, &circuit, &given, settings, log);
                print(&checked?.text);
                return Ok(());
            }
            let wrong = [
                ("a folder", &self.suite.asked()[..]),
                ("a kernel or a dataflow graph", &of_compilation),
                ("a kernel", &self.data.of_kernels()),
                ("a kernel", &self.runs.asked()),
            ];
            only_for(path, &wrong)?;
            let (models, seed) = (self.cache.open()?, self.data.seed);
            let circuit_run = &self.circuit;
            return circuit_run.run(&circuit, &models, seed, &assertions, log);
        }
        let of_folder = self.suite.asked();
        only_for(path, &[("a folder", &of_folder), ("a circuit", of_circuit)])?;
        let models = self.cache.open()?;
        let task = self.task(&assertions, &models);
        let checked = check(task, &source, log);
        error_text(&log.said());
        print(&checked?.text);
        Ok(())
    }
}

impl Cosim {
    fn task<'a>(&'a self, assertions: &'a [Assertion], models: &'a Models) -> Task<'a> {
        Task {
            command: "cosim",
            kernel: &self.kernel,
            data: &self.data,
            runs: &self.runs,
            assertions,
            with: With::Verilator(models),
            idle_data: IdleData::Warns,
        }
    }
}

impl OfCircuit {
    fn run(
        &self,
        circuit: &Circuit,
        models: &Models,
        seed: u64,
        assertions: &[Assertion],
        log: &mut Log,
    ) -> Done<()> {
        let settings = Settings {
            observe: observed(assertions),
            surroundings: self.drive.surroundings()?,
            ..Settings::default()
        };
        let mut driven = self
            .drive
            .prepared(circuit, &settings, false, self.random_inputs)?;
        let mut companion =
            Companion::of_circuit(models, circuit, &driven.simulator, &BTreeSet::new())?;
        log.begin(
            None,
            std::iter::once((Some(format!("@{}", circuit.top)), None)),
        );
        let resets = self.drive.resets();
        let mut watch = asserted(assertions, &resets, &driven.simulator, None, &mut companion)?;
        watch.begin(&driven.simulator).map_err(input)?;
        let mut random = Random::new(seed);
        let ports = driven.simulator.inputs().enumerate();
        let free: Vec<(usize, u32)> = ports
            .filter(|(index, _)| self.random_inputs && !driven.held.contains(index))
            .map(|(index, port)| (index, port.width_bits))
            .collect();
        let mut n_done = 0;
        let mut is_over = false;
        let watched = driven
            .reset(|simulator| {
                for (index, width_bits) in &free {
                    simulator.set_input(*index, &random.word(*width_bits, None));
                }
                watch.cycle(simulator).map_err(input)
            })
            .and_then(|()| {
                while n_done < driven.n_cycles && !is_over {
                    for (index, width_bits) in &free {
                        let word = random.word(*width_bits, None);
                        driven.simulator.set_input(*index, &word);
                    }
                    watch.cycle(&mut driven.simulator).map_err(input)?;
                    n_done += 1;
                    let output = driven.until.map(|until| driven.simulator.output(until));
                    is_over = output.is_some_and(|output| !output.is_zero());
                }
                watch.over().map_err(input)
            });
        let held = match (assertions, &watched) {
            ([], _) | (_, Err(_)) => String::new(),
            (_, Ok(())) => held(&watch, assertions.len()),
        };
        // If the companion stopped the simulation, it has the reason.
        companion
            .finish()
            .map_err(|parted| log.failed_alone(parted.into()))?;
        watched.map_err(|stop| log.failed_alone(stop))?;
        let text = format!(
            "@{}: cycle simulation = Verilator on {n_done} cycles\n{}{held}",
            circuit.top,
            outputs(&driven.simulator)
        );
        if let Some(name) = self.drive.until.as_deref().filter(|_| !is_over) {
            let why = self.drive.never(name, n_done, circuit.limits());
            log.failed(0, &why);
            return Err(input(format!("{text}error: {why}")));
        }
        print(&text);
        Ok(())
    }
}
