//! Waves in files: value change dumps and FST, of a whole run or of some of its cycles.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use clap::Args;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use sluice_flow::circuit::CycleSimulator;
use sluice_sim::cycle::{
    Change, Changes, ScopeTree, Signal, SignalKind, Step, TIME_PER_CYCLE, Vcd, push_digits,
};

use super::sim::asked;
use crate::output::{Done, Growing, Stop, input, write_file};

/// Where waves go, and of which cycles.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Waves")]
pub(super) struct Waves {
    /// Write the waves of the first data set, or of one that fails, or of the circuit, as a value change dump
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// The same as FST, for GTKWave and Surfer: smaller files
    #[arg(long, value_name = "FILE")]
    fst: Option<PathBuf>,
    /// First cycle of the waves; cycles count from 0, those of the reset included
    #[arg(long, value_name = "CYCLE")]
    wave_from: Option<u64>,
    /// Last cycle of the waves
    #[arg(long, value_name = "CYCLE")]
    wave_to: Option<u64>,
    /// Only the last cycles of the run, so many
    #[arg(long, value_name = "N", conflicts_with_all = ["wave_from", "wave_to"])]
    wave_last: Option<u64>,
}

impl Waves {
    /// What was asked for.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--vcd", self.vcd.is_some()),
            ("--fst", self.fst.is_some()),
            ("--wave-from", self.wave_from.is_some()),
            ("--wave-to", self.wave_to.is_some()),
            ("--wave-last", self.wave_last.is_some()),
        ])
    }

    /// Whether there is a file to write.
    pub(super) fn is_wanted(&self) -> Done<bool> {
        let is_wanted = self.vcd.is_some() || self.fst.is_some();
        if let (false, Some(option)) = (is_wanted, self.asked().first()) {
            return Err(input(format!(
                "error: {option} is of waves; say where they go with --fst or --vcd"
            )));
        }
        Ok(is_wanted)
    }

    /// Writes the waves of a run that was recorded.
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
        if let Some(path) = &self.vcd {
            let mut vcd = Vcd::new(simulator, top);
            let mut file = Growing::new(path)?;
            let mut outcome = Ok(());
            simulator.replay(from, to, |simulator| {
                if outcome.is_ok() {
                    vcd.sample(simulator);
                    if vcd.n_bytes() > MOST_BYTES {
                        outcome = file.append(&vcd.take());
                    }
                }
            });
            outcome?;
            file.append(&vcd.take())?;
            file.finish()?;
        }
        if let Some(path) = &self.fst {
            let data = fst(simulator, top, from, to).map_err(|why| failed(path, &why))?;
            write_file(path, &data)?;
        }
        Ok(())
    }
}

fn failed(path: &Path, why: &FstWriteError) -> Stop {
    input(format!("error: {}: {why}", path.display()))
}

/// Bytes of changes after which they are put behind the others.
const MOST_BYTES: usize = 1 << 24;

/// The waves of some cycles as FST.
fn fst(
    simulator: &mut CycleSimulator,
    top: &str,
    from: u64,
    to: u64,
) -> Result<Vec<u8>, FstWriteError> {
    let mut changes = Changes::new(simulator);
    let (mut body, ids) = header(simulator, &changes, top, from)?;
    let widths: Vec<u32> = simulator.signals().map(|s| s.width_bits.max(1)).collect();
    let lengths: Vec<usize> = changes
        .controllers()
        .iter()
        .map(sluice_sim::cycle::Controller::most_characters)
        .collect();
    let mut outcome: Result<(), FstWriteError> = Ok(());
    let mut digits = Vec::new();
    simulator.replay(from, to, |simulator| {
        let mut step = || {
            let time = simulator.cycle * TIME_PER_CYCLE;
            body.time_change(time)?;
            body.signal_change(ids.clock, b"1")?;
            let mut first_error = Ok(());
            changes.sample(simulator, |change| {
                digits.clear();
                let id = match change {
                    Change::Value(index, limbs) => {
                        push_digits(&mut digits, widths[index], limbs);
                        ids.signals[index]
                    }
                    Change::Text(index, text) => {
                        let fill = lengths[index] - text.len();
                        let characters = text.bytes().chain(std::iter::repeat_n(b' ', fill));
                        for character in characters {
                            push_digits(&mut digits, 8, &[u64::from(character)]);
                        }
                        ids.controllers[index]
                    }
                };
                let changed = body.signal_change(id, &digits);
                if first_error.is_ok() {
                    first_error = changed;
                }
            });
            first_error?;
            body.time_change(time + TIME_PER_CYCLE / 2)?;
            body.signal_change(ids.clock, b"0")?;
            if body.size() > MOST_BYTES {
                body.flush()?;
            }
            Ok(())
        };
        if outcome.is_ok() {
            outcome = step();
        }
    });
    outcome?;
    Ok(body.finish()?.into_inner())
}

/// A file that is written, its header behind it.
type Body = FstBodyWriter<Cursor<Vec<u8>>>;

/// What changes are told of.
struct Ids {
    clock: FstSignalId,
    signals: Vec<FstSignalId>,
    controllers: Vec<FstSignalId>,
}

/// The tree of scopes with its variables.
fn header(
    simulator: &CycleSimulator,
    changes: &Changes,
    top: &str,
    from: u64,
) -> Result<(Body, Ids), FstWriteError> {
    let info = FstInfo {
        start_time: from * TIME_PER_CYCLE,
        timescale_exponent: -9,
        version: "Sluice".to_owned(),
        // The same run gives the same bytes.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info)?;
    header.scope(top, "", FstScopeType::Module)?;
    let clock = header.var(
        "clock",
        FstSignalType::bit_vec(1),
        FstVarType::Wire,
        FstVarDirection::Input,
        None,
    )?;
    enum Variable {
        Signal(usize),
        Controller(usize),
    }
    let signals = simulator.signals().enumerate();
    let mut variables: Vec<(&[String], Variable)> = signals
        .map(|(index, signal)| (&signal.scope[..], Variable::Signal(index)))
        .collect();
    let controllers = changes.controllers().iter().enumerate();
    variables.extend(controllers.map(|(index, of)| (&of.scope[..], Variable::Controller(index))));
    variables.sort_by(|a, b| a.0.cmp(b.0));
    let all: Vec<&Signal> = simulator.signals().collect();
    let mut signals = vec![clock; all.len()];
    let mut controllers = vec![clock; changes.controllers().len()];
    let mut tree = ScopeTree::default();
    for (scope, variable) in variables {
        enter(&mut tree, &mut header, scope)?;
        match variable {
            Variable::Signal(index) => {
                let signal = all[index];
                let (kind, direction) = match signal.kind {
                    SignalKind::Input => (FstVarType::Wire, FstVarDirection::Input),
                    SignalKind::Output => (FstVarType::Wire, FstVarDirection::Output),
                    SignalKind::Register => (FstVarType::Reg, FstVarDirection::Implicit),
                    SignalKind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
                };
                let width = signal.width_bits.max(1);
                let name = match width {
                    1 => signal.name.clone(),
                    _ => format!("{} [{}:0]", signal.name, width - 1),
                };
                let of = FstSignalType::bit_vec(width);
                signals[index] = header.var(name, of, kind, direction, None)?;
            }
            Variable::Controller(index) => {
                let controller = &changes.controllers()[index];
                let n = u32::try_from(controller.most_characters()).expect("few characters");
                controllers[index] = header.var(
                    format!("{}_times", controller.name),
                    FstSignalType::bit_vec(8 * n),
                    FstVarType::Reg,
                    FstVarDirection::Implicit,
                    None,
                )?;
            }
        }
    }
    enter(&mut tree, &mut header, &[])?;
    header.up_scope()?;
    let ids = Ids {
        clock,
        signals,
        controllers,
    };
    Ok((header.finish()?, ids))
}

/// Opens and closes scopes until the writer is in one.
fn enter(
    tree: &mut ScopeTree,
    header: &mut FstHeaderWriter<Cursor<Vec<u8>>>,
    scope: &[String],
) -> Result<(), FstWriteError> {
    let mut outcome = Ok(());
    tree.enter(scope, |step| {
        let went = match step {
            Step::Down(name) => header.scope(name, "", FstScopeType::Module),
            Step::Up => header.up_scope(),
        };
        if outcome.is_ok() {
            outcome = went;
        }
    });
    outcome
}
