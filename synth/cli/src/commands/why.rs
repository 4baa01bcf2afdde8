//! `sluice why`

use std::time::Instant;

use clap::Args;
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::cycle::{Cause, How, Limits, SourcePlace, ends_path};
use sluice_verify::check::watch;
use sluice_verify::circuit::{CycleSimulator, Observe};

use super::kernel::{Data, Kernel, circuit};
use super::running::Running;
use super::sequences::{Given, is_circuit, sequence_seen};
use crate::commands::requests::only_for;
use crate::output::{Done, error_text, hexadecimal, input, print};

/// Arguments of `why`.
#[derive(Args)]
pub(crate) struct Why {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Name of the signal, as in the waveforms; if several instances have such a signal, INSTANCE.SIGNAL
    #[arg(long, value_name = "NAME")]
    signal: String,
    /// Cycle to explain, counted as in the waveforms: from 0, including the cycles of the reset; default: the last cycle
    #[arg(long, value_name = "N")]
    cycle: Option<u64>,
    /// Number of the data set, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    data_set: usize,
    /// Maximum number of values between the signal and the last line of the explanation
    #[arg(long, value_name = "N", default_value_t = 12)]
    depth: usize,
    /// Maximum number of lines; the values nearest to the signal are printed
    #[arg(long, value_name = "N", default_value_t = 40)]
    lines: usize,
    /// Also explain logic, multiplexers and wires that have no name
    #[arg(long)]
    logic: bool,
    #[command(flatten)]
    circuit: Running,
}

impl Why {
    pub(crate) fn run(self) -> Done<()> {
        let path = &self.kernel.kernel;
        let source = self.kernel.source()?;
        let top = self.circuit.drive.top.as_deref();
        let is_driven = !self.circuit.drive.asked().is_empty();
        let given = match is_circuit(&source) && (self.data.data.is_some() || !is_driven) {
            true => Given::read(&self.data, &self.kernel, &source, top)?,
            false => None,
        };
        let top = self.circuit.drive.top(given.as_ref());
        if let Some(circuit) = circuit(&self.kernel, &source, top)? {
            if let Some(given) = given {
                let driven = self.circuit.drive.asked();
                only_for(path, &[("run without a data file", &driven)])?;
                let circuit = circuit.with_memories();
                let settings = self.circuit.settings(Observe::Everything)?;
                let (simulator, wrong) =
                    sequence_seen(&circuit, &given, settings, self.data_set, self.data.seed)?;
                if let Some(why) = wrong {
                    error_text(&format!("note: {why}\n"));
                }
                return self.answer(simulator, &circuit.top);
            }
            let wrong = [
                (
                    "a kernel or a dataflow graph",
                    &self.kernel.of_compilation(&circuit)[..],
                ),
                ("a kernel", &self.data.of_kernels()),
            ];
            only_for(path, &wrong)?;
            let settings = self.circuit.settings(Observe::Everything)?;
            let driven = self.circuit.run(&circuit, &settings, &[], Instant::now())?;
            return self.answer(driven.simulator, &circuit.top);
        }
        only_for(path, &[("a circuit", &self.circuit.asked())])?;
        let compiled = self
            .kernel
            .compile_circuit(&source, &self.kernel.configuration()?)?;
        error_text(&compiled.warnings);
        let cases = self.data.cases(&self.kernel, &compiled)?;
        let Some(case) = cases.get(self.data_set) else {
            return Err(input(format!(
                "error: there is no data set {}; there are {}",
                self.data_set,
                cases.len()
            )));
        };
        let (outcome, simulator) = watch(&compiled, case, Observe::Everything).map_err(input)?;
        if let Err(why) = outcome {
            error_text(&format!("note: {why}\n"));
        }
        self.answer(simulator, &compiled.top)
    }

    fn answer(&self, mut simulator: CycleSimulator, top: &str) -> Done<()> {
        let index = self.signal(&simulator, top)?;
        let last = simulator.cycle.saturating_sub(1);
        let cycle = self.cycle.unwrap_or(last);
        if cycle > last {
            return Err(input(format!(
                "error: there is no cycle {cycle}; the last one of the run is {last}"
            )));
        }
        let limits = Limits {
            max_depth: self.depth.max(1),
            max_values: self.lines.max(1),
            with_logic: self.logic,
        };
        let causes = simulator.why(index, cycle, limits);
        let lines: Vec<(String, String)> = causes.iter().map(line).collect();
        let width = lines.iter().map(|(left, _)| left.chars().count()).max();
        let width = width.unwrap_or(0).min(70);
        let mut text = String::new();
        for (left, right) in lines {
            text += format!("{left:<width$}  {right}").trim_end();
            text.push('\n');
        }
        print(&text);
        Ok(())
    }

    /// Returns the index of the requested signal.
    fn signal(&self, simulator: &CycleSimulator, top: &str) -> Done<usize> {
        let paths: Vec<String> = simulator.signals().map(|signal| signal.path()).collect();
        let wanted = self.signal.as_str();
        let wanted = wanted
            .strip_prefix(top)
            .and_then(|rest| rest.strip_prefix('.'))
            .unwrap_or(wanted);
        if let Some(index) = paths.iter().position(|path| path == wanted) {
            return Ok(index);
        }
        let inside: Vec<usize> = (0..paths.len())
            .filter(|index| ends_path(&paths[*index], wanted))
            .collect();
        match inside[..] {
            [index] => Ok(index),
            [] => {
                let known: Vec<&str> = paths.iter().map(String::as_str).collect();
                let hint = did_you_mean(wanted, &known);
                Err(input(format!(
                    "error: @{top} has no signal `{wanted}`; {hint}"
                )))
            }
            _ => {
                let all: Vec<&str> = inside.iter().map(|index| paths[*index].as_str()).collect();
                Err(input(format!(
                    "error: several signals are called `{wanted}`: `{}`",
                    all.join("`, `")
                )))
            }
        }
    }
}

/// Describes a value and its cause.
fn line(cause: &Cause) -> (String, String) {
    let Cause {
        depth,
        name,
        operation,
        value,
        cycle,
        ..
    } = cause;
    let name = name.as_deref().unwrap_or(operation);
    let indent = "  ".repeat(*depth);
    let left = format!("{indent}{name} = {} in cycle {cycle}", hexadecimal(value));
    let mut parts = Vec::new();
    if cause.name.is_some() && !operation.is_empty() {
        parts.push(operation.clone());
    }
    parts.extend(cause.place.as_ref().map(SourcePlace::to_string));
    match cause.how {
        How::Computed => {}
        How::TakenOver(at) if at + 1 == *cycle => {}
        How::TakenOver(at) => parts.push(format!("held since the end of cycle {at}")),
        How::FromTheStart => parts.push("as it was at the start".to_owned()),
        How::Given => parts.push("given from outside".to_owned()),
        How::Elsewhere => parts.push("explained elsewhere".to_owned()),
    }
    if !cause.note.is_empty() {
        parts.push(cause.note.clone());
    }
    if cause.is_cut {
        parts.push("...".to_owned());
    }
    (left, parts.join(", "))
}
