//! `sluice sim --batch`: many runs of a circuit side by side.

use std::fmt::Write as _;
use std::time::Instant;

use clap::Args;
use sluice_ir::limits::{Limit, Limits};
use sluice_verify::circuit::{Bits, Circuit, Observe};
use sluice_verify::data::Random;

use super::running::Running;
use crate::commands::requests::asked;
use crate::limiting::{check_count, n_threads};
use crate::output::{Done, hexadecimal, input};

/// Many runs at once.
#[derive(Args, Default)]
#[command(next_help_heading = "Circuits: files with hw.module or handshake.func and no kernel")]
pub(super) struct Batch {
    /// Simulate N copies of the circuit side by side; inputs without `--set` are random, and each copy has its own seed
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Number of threads that simulate the copies of `--batch`; default: number of cores
    #[arg(long, value_name = "N", requires = "batch", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print the speed of the simulated copies
    #[arg(long, requires = "batch")]
    batch_time: bool,
}

impl Batch {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--batch", self.batch.is_some()),
            ("--threads", self.threads.is_some()),
            ("--batch-time", self.batch_time),
        ])
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.batch.is_some()
    }

    /// Runs all simulations; prints the outputs of each before the last edge, and the speed.
    pub(super) fn run(
        &self,
        circuit: &Circuit,
        running: &Running,
        seed: u64,
        limits: &Limits,
    ) -> Done<String> {
        let n_runs = self.batch.unwrap_or(1);
        if n_runs == 0 {
            return Err(input("error: --batch is a number above 0"));
        }
        check_count("--batch", Limit::DataSets, n_runs as u128, limits)?;
        // The settings of inputs are checked and applied as for one run.
        let (drive, settings) = (&running.drive, running.settings(Observe::Ports)?);
        let prepared = drive.prepared(circuit, &settings, false, false)?;
        if let (Some(_), Some(until)) = (prepared.until, &drive.until) {
            return Err(input(format!(
                "error: --until {until} ends one run, not a batch of them"
            )));
        }
        let n_threads = n_threads(self.threads.map(usize::from), limits)?;
        let mut batch = circuit.batch(&settings.surroundings, n_runs, n_threads)?;
        let mut random = Random::new(seed);
        let widths: Vec<u32> = batch.inputs().map(|port| port.width_bits).collect();
        for run in 0..n_runs {
            for (index, width_bits) in widths.iter().enumerate() {
                let value = match prepared.held.contains(&index) {
                    true => prepared.simulator.input(index),
                    false => random.word(*width_bits, None),
                };
                batch.set_input(run, index, &value);
            }
        }
        if let Some(reset) = prepared.reset {
            let width_bits = widths[reset];
            let ones = Bits::zero(width_bits).not();
            for (value, n_cycles) in [(ones, 2), (Bits::zero(width_bits), 0)] {
                for run in 0..n_runs {
                    batch.set_input(run, reset, &value);
                }
                batch.run_cycles(n_cycles);
            }
        }
        let begin = Instant::now();
        batch.run_cycles(prepared.n_cycles.saturating_sub(1));
        let seconds = begin.elapsed().as_secs_f64();
        batch.evaluate();
        let mut text = format!(
            "@{}: {n_runs} runs of {} cycles\n",
            circuit.top, prepared.n_cycles
        );
        for run in 0..n_runs {
            let outputs = batch.outputs().enumerate().map(|(index, port)| {
                let value = hexadecimal(&batch.output(run, index));
                format!("{} = {value}", port.name)
            });
            let outputs = outputs.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "  run {run}: {outputs}");
        }
        if self.batch_time {
            let n_cycles = prepared.n_cycles.saturating_sub(1) as f64 * n_runs as f64;
            let _ = writeln!(
                text,
                "{:.2} million cycles per second of all runs together",
                n_cycles / seconds.max(1e-9) / 1e6
            );
        }
        Ok(text)
    }
}
