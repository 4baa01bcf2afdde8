//! Questions about a run besides its correctness: the use of its cycles, and its coverage.

use std::path::PathBuf;

use clap::Args;
use sluice_kernel::compiled::Compiled;
use sluice_report::stalls::Stalls;
use sluice_sim::cycle::CycleSimulator;
use sluice_verify::coverage::Coverage;
use sluice_verify::data::Case;

use crate::commands::requests::asked;
use crate::files::write_file;
use crate::output::{Done, input};

/// Questions about a run.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Questions")]
pub(super) struct Questions {
    /// Print the use of each cycle of all data sets: an iteration that began, or the cause of a stall
    #[arg(long)]
    stalls: bool,
    /// Write the use of each cycle as a trace for Perfetto or Chrome; one cycle is shown as 1 µs
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print the coverage of all data sets: branches and loops of the source, controllers, bits of signals
    #[arg(long)]
    coverage: bool,
    /// Write the coverage as JSON, with a list of everything that no data set exercises
    #[arg(long, value_name = "FILE")]
    coverage_json: Option<PathBuf>,
}

/// The results collected so far.
#[derive(Default)]
pub(super) struct Answers {
    stalls: Stalls,
    coverage: Coverage,
    /// The simulator of the last analysed circuit.
    simulator: Option<CycleSimulator>,
}

impl Questions {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        let mut found = self.of_kernels();
        found.extend(asked(&[
            ("--coverage", self.coverage),
            ("--coverage-json", self.coverage_json.is_some()),
        ]));
        found
    }

    /// Returns the given options that only kernels support.
    pub(super) fn of_kernels(&self) -> Vec<&'static str> {
        asked(&[("--stalls", self.stalls), ("--trace", self.trace.is_some())])
    }

    fn of_coverage(&self) -> bool {
        self.coverage || self.coverage_json.is_some()
    }

    /// Analyses the last `n_cycles` of a recorded run of a kernel.
    pub(super) fn look(
        &self,
        answers: &mut Answers,
        (compiled, case): (&Compiled, &Case),
        mut simulator: CycleSimulator,
        n_cycles: u64,
    ) -> Done<()> {
        if !self.of_kernels().is_empty() {
            let looked = answers
                .stalls
                .look(compiled, case, &mut simulator, n_cycles);
            looked.map_err(|why| input(format!("error: {why}")))?;
        }
        if self.of_coverage() {
            answers.coverage.look(compiled, case, &mut simulator);
        }
        answers.simulator = Some(simulator);
        Ok(())
    }

    /// Analyses a recorded run of a circuit.
    pub(super) fn look_at_circuit(&self, answers: &mut Answers, mut simulator: CycleSimulator) {
        answers.coverage.look_at_circuit(&mut simulator);
        answers.simulator = Some(simulator);
    }

    /// Returns the text to print, and writes the requested files.
    pub(super) fn answer(
        &self,
        answers: &Answers,
        compiled: Option<&Compiled>,
        top: &str,
    ) -> Done<String> {
        let mut text = String::new();
        if let Some(path) = &self.trace {
            let trace = answers.stalls.trace(top).to_string();
            write_file(path, trace.as_bytes())?;
        }
        if self.stalls {
            text += &answers.stalls.text();
        }
        if let Some(simulator) = &answers.simulator {
            if let Some(path) = &self.coverage_json {
                let found = answers.coverage.to_json(compiled, simulator);
                write_file(path, format!("{found:#}\n").as_bytes())?;
            }
            if self.coverage {
                text += &answers.coverage.text(compiled, simulator);
            }
        }
        Ok(text)
    }
}
