//! Runs a compiled kernel on its data and compares everything that says what is right.

use sluice_flow::check::{
    Manner, against_golden, difference, predicted_cycles, simulate_all, unmet, watch,
};
use sluice_flow::circuit::{CycleSimulator, Observe};
use sluice_flow::data::Idle;
use sluice_flow::pipeline::Compiled;
use sluice_sim::interpreter::Outcome;
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Watch};

use super::answers::Answers;
use super::kernel::{Asked, references};
use super::sim::Looks;
use super::suite::Task;
use crate::companion::Companion;
use crate::models::Models;
use crate::output::{Done, Stop, input};

/// What is done besides the cycle simulation.
#[derive(Clone, Copy)]
pub(super) enum With<'a> {
    /// Waves, and questions about the run, if any are asked.
    Looks(&'a Looks),
    /// Verilator runs too, and every port is compared in every cycle.
    Verilator(&'a Models),
}

/// A kernel whose circuit agreed with what says what is right on all its data.
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
pub(super) fn check(task: Task<'_>, source: &str, notes: &mut String) -> Done<Checked> {
    let config = task.kernel.configuration()?;
    let compiled = task
        .kernel
        .compile_text(source, &config, &mut |_, _, _| {})?;
    notes.push_str(&compiled.warnings);
    check_compiled(task, &compiled, notes)
}

/// Runs a kernel on all its data; notes are added to `notes`.
pub(super) fn check_compiled(
    task: Task<'_>,
    compiled: &Compiled,
    notes: &mut String,
) -> Done<Checked> {
    let mut asked = task.data.asked(&task.kernel.kernel, compiled)?;
    task.runs.apply(&mut asked);
    notes.push_str(&asked.note);
    let expected = asked
        .has_reference
        .then(|| references(compiled, &asked.cases))
        .transpose()?;
    let (outcomes, said) = run(task, compiled, &asked)?;
    let all = outcomes.and_then(|outcomes| {
        agree(compiled, &asked, expected.as_deref(), &outcomes)?;
        Ok(outcomes)
    });
    let outcomes = all.or_else(|(i, why)| {
        // The run alone, with its waves.
        if let With::Looks(looks) = task.with
            && asked.idle_cycles.is_none()
            && i > 0
            && looks.waves.is_wanted()?
        {
            let watched = watch(compiled, &asked.cases[i], Observe::Signals).map_err(input)?;
            let (_, mut simulator) = watched;
            looks.waves.write(&mut simulator, &compiled.top)?;
        }
        Err(input(format!("data set {i}: {why}")))
    })?;
    let all_cycles: Vec<u64> = outcomes.iter().map(|outcome| outcome.cycles).collect();
    let unmet = unmet(compiled, &asked.expect, &asked.cases, &all_cycles);
    if !unmet.is_empty() {
        return Err(input(unmet.join("\n")));
    }
    let reference = match asked.has_reference {
        true => "interpreter",
        false => "golden values",
    };
    let mut witnesses = vec![reference, "cycle simulation"];
    if matches!(task.with, With::Verilator(_)) {
        witnesses.push("Verilator");
    }
    let predicted = predicted_cycles(compiled);
    Ok(Checked {
        text: agreement(&compiled.top, &witnesses, &all_cycles, predicted) + &said,
        reference,
        n_cases: all_cycles.len(),
        n_cycles: all_cycles.iter().sum(),
    })
}

/// A data set, and what is wrong with it.
type Wrong = (usize, String);

/// Compares the outcomes with what says what is right, and with the predicted cycles.
fn agree(
    compiled: &Compiled,
    asked: &Asked,
    expected: Option<&[Outcome]>,
    outcomes: &[CircuitOutcome],
) -> Result<(), Wrong> {
    let predicted = predicted_cycles(compiled);
    for (i, outcome) in outcomes.iter().enumerate() {
        let CircuitOutcome {
            results,
            memories,
            cycles,
        } = outcome;
        let wrong = |who: &str, found: &str| {
            let message = format!("the circuit disagrees with {who}: {found}");
            Err((i, message))
        };
        let expected = expected.map(|expected| &expected[i]);
        if let Some(found) =
            expected.and_then(|expected| difference(compiled, expected, results, memories))
        {
            return wrong("the interpreter", &found);
        }
        if let Some(found) = against_golden(compiled, &asked.cases[i], outcome) {
            return wrong("`expect`", &found);
        }
        if let Some(predicted) = predicted.filter(|predicted| predicted != cycles) {
            return Err((i, format!("{cycles} cycles, {predicted} were predicted")));
        }
    }
    Ok(())
}

/// The outcomes of all data sets, and the answers to what was asked about the runs.
fn run(
    task: Task<'_>,
    compiled: &Compiled,
    asked: &Asked,
) -> Done<(Result<Vec<CircuitOutcome>, Wrong>, String)> {
    let seed = task.data.seed;
    let manner = Manner {
        timeout_cycles: asked.expect.timeout_cycles,
        idle: asked
            .idle_cycles
            .map(|most_cycles| Idle { most_cycles, seed }),
    };
    match task.with {
        With::Looks(looks) => {
            let mut looking = Looking {
                looks,
                compiled,
                with_waves: looks.waves.is_wanted()?,
                last: match &manner.idle {
                    Some(_) => asked.cases.len().saturating_sub(1),
                    None => 0,
                },
                data_set: 0,
                answers: Answers::default(),
                stop: None,
            };
            let outcomes = simulate_all(compiled, &asked.cases, &manner, &mut looking);
            if let Some(stop) = looking.stop {
                return Err(stop);
            }
            let said = match &outcomes {
                Ok(_) => looks.questions.answer(&looking.answers, &compiled.top)?,
                Err(_) => String::new(),
            };
            Ok((outcomes, said))
        }
        With::Verilator(models) => {
            let mut companion = Companion::of_kernel(models, compiled)?;
            let outcomes = simulate_all(compiled, &asked.cases, &manner, &mut companion);
            // What a simulation was stopped for was seen by its companion.
            companion.finish()?;
            Ok((outcomes, String::new()))
        }
    }
}

/// Writes waves and answers questions while the data sets are run.
struct Looking<'a> {
    looks: &'a Looks,
    compiled: &'a Compiled,
    with_waves: bool,
    /// The data set after which the waves are written: the last where all are one run.
    last: usize,
    data_set: usize,
    answers: Answers,
    /// Why waves could not be written.
    stop: Option<Stop>,
}

impl Watch for Looking<'_> {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.data_set = number;
        Ok(())
    }

    fn observe(&self) -> Observe {
        let is_asked = !self.looks.questions.asked().is_empty();
        match is_asked || (self.with_waves && self.data_set <= self.last) {
            true => Observe::Signals,
            false => Observe::Ports,
        }
    }

    fn end(
        &mut self,
        simulator: &mut CycleSimulator,
        outcome: Result<&CircuitOutcome, &TestbenchError>,
    ) -> Result<(), String> {
        let questions = &self.looks.questions;
        if let Ok(outcome) = outcome
            && !questions.asked().is_empty()
        {
            questions.look(&mut self.answers, self.compiled, simulator, outcome.cycles);
        }
        let is_last = self.data_set == self.last || (outcome.is_err() && self.data_set < self.last);
        if self.with_waves && is_last {
            let written = self.looks.waves.write(simulator, &self.compiled.top);
            self.stop = written.err();
        }
        match &self.stop {
            Some(stop) => Err(stop.message.clone()),
            None => Ok(()),
        }
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        simulator.run_cycle();
        Ok(())
    }

    fn until(
        &mut self,
        simulator: &mut CycleSimulator,
        output: usize,
        most_cycles: u64,
    ) -> Result<u64, String> {
        Ok(simulator.run_until(output, most_cycles))
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
