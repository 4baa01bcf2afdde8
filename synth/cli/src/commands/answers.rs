//! What is asked about a run besides whether it was right: where its cycles went.

use std::path::PathBuf;

use clap::Args;
use sluice_flow::pipeline::Compiled;
use sluice_flow::stalls::Stalls;
use sluice_sim::cycle::CycleSimulator;

use super::sim::asked;
use crate::output::{Done, write_file};

/// Questions about a run.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Kernels: where the cycles went")]
pub(super) struct Questions {
    /// Say what each cycle of all data sets was spent on: an iteration that began, or what held it
    #[arg(long)]
    stalls: bool,
    /// Write the same, cycle by cycle, as a trace for Perfetto or Chrome; 1 µs is a cycle
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// What was found out so far.
#[derive(Default)]
pub(super) struct Answers {
    stalls: Stalls,
}

impl Questions {
    /// What was asked for.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[("--stalls", self.stalls), ("--trace", self.trace.is_some())])
    }

    /// Looks at a run that was recorded, at its last so many cycles.
    pub(super) fn look(
        &self,
        answers: &mut Answers,
        compiled: &Compiled,
        simulator: &mut CycleSimulator,
        n_cycles: u64,
    ) {
        answers.stalls.look(compiled, simulator, n_cycles);
    }

    /// What to say, and files.
    pub(super) fn answer(&self, answers: &Answers, top: &str) -> Done<String> {
        if let Some(path) = &self.trace {
            let trace = answers.stalls.trace(top).to_string();
            write_file(path, trace.as_bytes())?;
        }
        Ok(match self.stalls {
            true => answers.stalls.text(),
            false => String::new(),
        })
    }
}
