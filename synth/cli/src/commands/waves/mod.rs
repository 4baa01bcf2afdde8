//! Writers of wave files: value change dumps and FST, of a whole run or of some of its cycles.

mod beginning;
mod fst;
mod sections;

use std::path::PathBuf;

use clap::Args;
use sluice_sim::cycle::{Variables, Vcd};
use sluice_verify::circuit::CycleSimulator;

use crate::commands::requests::asked;
use crate::files::Growing;
use crate::output::{Done, input};

/// Bytes of changes after which they are appended to the file.
const MAX_BYTES: usize = 1 << 24;

/// Where waves go, and of which cycles.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Waves")]
pub(super) struct Waves {
    /// Write waveforms to this file as VCD: of the first data set, or of the one that fails, or of the circuit
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// Write waveforms to this file as FST, which GTKWave and Surfer read; the files are smaller than VCD
    #[arg(long, value_name = "FILE")]
    fst: Option<PathBuf>,
    /// First cycle of the waveforms; cycles are counted from 0, including the cycles of the reset
    #[arg(long, value_name = "CYCLE")]
    wave_from: Option<u64>,
    /// Last cycle of the waveforms
    #[arg(long, value_name = "CYCLE")]
    wave_to: Option<u64>,
    /// Write only the last N cycles of the run
    #[arg(long, value_name = "N", conflicts_with_all = ["wave_from", "wave_to"])]
    wave_last: Option<u64>,
    /// Include the words of local memories that have at most this many bits
    #[arg(long, value_name = "BITS")]
    wave_memories: Option<u64>,
}

/// Default maximum bits of a memory that is shown word by word.
const MEMORY_BITS: u64 = 1024;

impl Waves {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--vcd", self.vcd.is_some()),
            ("--fst", self.fst.is_some()),
            ("--wave-from", self.wave_from.is_some()),
            ("--wave-to", self.wave_to.is_some()),
            ("--wave-last", self.wave_last.is_some()),
            ("--wave-memories", self.wave_memories.is_some()),
        ])
    }

    /// Returns whether a file is requested.
    pub(super) fn is_wanted(&self) -> Done<bool> {
        let is_wanted = self.vcd.is_some() || self.fst.is_some();
        if let (false, Some(option)) = (is_wanted, self.asked().first()) {
            return Err(input(format!(
                "error: {option} is of waves; say where they go with --fst or --vcd"
            )));
        }
        Ok(is_wanted)
    }

    /// Writes the waves of a recorded run.
    pub(super) fn write(&self, simulator: &mut CycleSimulator, top: &str) -> Done<()> {
        let end = simulator.cycle;
        let from = match self.wave_last {
            Some(n) => end.saturating_sub(n),
            None => self.wave_from.unwrap_or(0),
        };
        let to = self.wave_to.map_or(end, |to| to.saturating_add(1));
        if from >= to.min(end) {
            return Err(input(format!(
                "error: there are no cycles from {from} to {}; the run had {end}",
                to.saturating_sub(1)
            )));
        }
        let variables = Variables::new(simulator, self.wave_memories.unwrap_or(MEMORY_BITS));
        if let Some(path) = &self.vcd {
            let mut vcd = Vcd::new(simulator, &variables, top);
            let mut file = Growing::new(path)?;
            let mut outcome = Ok(());
            simulator.replay_moments(from, to, |simulator, moment| {
                if outcome.is_ok() {
                    vcd.sample(simulator, moment);
                    if vcd.n_bytes() > MAX_BYTES {
                        outcome = file.append(&vcd.take());
                    }
                }
            });
            outcome?;
            file.append(&vcd.take())?;
            file.finish()?;
        }
        if let Some(path) = &self.fst {
            fst::write(path, simulator, &variables, top, (from, to.min(end)))?;
        }
        Ok(())
    }
}
