//! Runs a compiled kernel on its data and compares everything that says what is right.

use std::path::Path;

use sluice_flow::check::{
    Manner, against_golden, difference, predicted_cycles, simulate_all, unmet,
};
use sluice_flow::circuit::{CycleSimulator, Vcd};
use sluice_flow::data::Idle;
use sluice_flow::pipeline::Compiled;
use sluice_sim::testbench::{CircuitOutcome, Unwatched, Watch};

use super::kernel::{Asked, Data, Kernel, references};
use super::sim::write_waves;
use crate::companion::Companion;
use crate::models::Models;
use crate::output::{Done, input};

/// What runs besides the cycle simulator.
#[derive(Clone, Copy)]
pub(super) enum With<'a> {
    /// Nothing; waves of the first data set go to a file, if there is one.
    Waves(Option<&'a Path>),
    /// Verilator, on every port in every cycle.
    Verilator(&'a Models),
}

/// A kernel whose circuit agreed with the interpreter on all its data.
pub(super) struct Checked {
    /// What to say.
    pub(super) text: String,
    /// What said what is right.
    pub(super) reference: &'static str,
    pub(super) n_cases: usize,
    /// Cycles of all data sets together.
    pub(super) n_cycles: u64,
}

/// Runs a kernel, whose text was read, on all its data; warnings are added to `notes`.
pub(super) fn check(
    kernel: &Kernel,
    source: &str,
    data: &Data,
    with: With<'_>,
    notes: &mut String,
) -> Done<Checked> {
    let config = kernel.configuration()?;
    let compiled = kernel.compile_text(source, &config, &mut |_, _, _| {})?;
    notes.push_str(&compiled.warnings);
    check_compiled(&compiled, &kernel.kernel, data, with, notes)
}

/// Runs a kernel, found at `path`, on all its data; notes are added to `notes`.
pub(super) fn check_compiled(
    compiled: &Compiled,
    path: &Path,
    data: &Data,
    with: With<'_>,
    notes: &mut String,
) -> Done<Checked> {
    let asked = data.asked(path, compiled)?;
    notes.push_str(&asked.note);
    let cases = &asked.cases;
    let expected = asked
        .has_reference
        .then(|| references(compiled, cases))
        .transpose()?;
    let predicted = predicted_cycles(compiled);
    let outcomes = run(compiled, &asked, data.seed, with)?;
    for (i, outcome) in outcomes.iter().enumerate() {
        let wrong = |who: &str, found: &str| {
            input(format!(
                "data set {i}: the circuit disagrees with {who}: {found}"
            ))
        };
        let expected = expected.as_ref().map(|expected| &expected[i]);
        if let Some(found) = expected.and_then(|expected| {
            difference(compiled, expected, &outcome.results, &outcome.memories)
        }) {
            return Err(wrong("the interpreter", &found));
        }
        if let Some(found) = against_golden(compiled, &cases[i], outcome) {
            return Err(wrong("`expect`", &found));
        }
        if let Some(predicted) = predicted.filter(|p| *p != outcome.cycles) {
            let message = format!(
                "data set {i}: {} cycles, {predicted} were predicted",
                outcome.cycles
            );
            return Err(input(message));
        }
    }
    let all_cycles: Vec<u64> = outcomes.iter().map(|outcome| outcome.cycles).collect();
    let unmet = unmet(compiled, &asked.expect, cases, &all_cycles);
    if !unmet.is_empty() {
        return Err(input(unmet.join("\n")));
    }
    let reference = if asked.has_reference {
        "interpreter"
    } else {
        "golden values"
    };
    let mut witnesses = vec![reference, "cycle simulation"];
    if matches!(with, With::Verilator(_)) {
        witnesses.push("Verilator");
    }
    Ok(Checked {
        text: agreement(&compiled.top, &witnesses, &all_cycles, predicted),
        reference,
        n_cases: cases.len(),
        n_cycles: all_cycles.iter().sum(),
    })
}

/// The outcomes of all data sets.
fn run(compiled: &Compiled, asked: &Asked, seed: u64, with: With<'_>) -> Done<Vec<CircuitOutcome>> {
    let manner = Manner {
        timeout_cycles: asked.expect.timeout_cycles,
        idle: asked
            .idle_cycles
            .map(|most_cycles| Idle { most_cycles, seed }),
    };
    let all = |watch: &mut dyn Watch| {
        simulate_all(compiled, &asked.cases, &manner, watch)
            .map_err(|(i, why)| input(format!("data set {i}: {why}")))
    };
    match with {
        With::Waves(None) => all(&mut Unwatched),
        With::Waves(Some(path)) => {
            let mut waves = FirstWaves {
                top: &compiled.top,
                waves: None,
                n_begun: 0,
            };
            let outcomes = all(&mut waves);
            if let Some(waves) = waves.waves {
                write_waves(path, waves.finish())?;
            }
            outcomes
        }
        With::Verilator(models) => {
            let mut companion = Companion::of_kernel(models, compiled)?;
            let outcomes = all(&mut companion);
            // What a simulation was stopped for was seen by its companion.
            companion.finish()?;
            outcomes
        }
    }
}

/// Waves of the first simulator.
struct FirstWaves<'a> {
    top: &'a str,
    waves: Option<Vcd>,
    n_begun: usize,
}

impl Watch for FirstWaves<'_> {
    fn begin(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        self.n_begun += 1;
        if self.n_begun == 1 {
            self.waves = Some(Vcd::new(simulator, self.top));
        }
        Ok(())
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        let waves = self.waves.as_mut().filter(|_| self.n_begun == 1);
        simulator.run_cycle_into(waves);
        Ok(())
    }
}

/// One line on what agreed.
fn agreement(top: &str, witnesses: &[&str], cycles: &[u64], predicted: Option<u64>) -> String {
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
        "@{top}: {} on {} data sets, {span} cycles{promise}\n",
        witnesses.join(" = "),
        cycles.len()
    )
}
