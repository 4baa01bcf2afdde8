//! Runs a compiled kernel on its data and compares all models that give expected results.

use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Outcome;
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Unwatched, Watch};
use sluice_verify::assertions::Reset;
use sluice_verify::check::{
    Manner, against_golden, difference, predicted_cycles, simulate_all, unmet, watch,
};
use sluice_verify::circuit::{CycleSimulator, Observe, Settings};
use sluice_verify::data::{Case, Idle};

use super::answers::Answers;
use super::asserting::{asserted, held, observed};
use super::kernel::{Asked, Kernel, references};
use super::outcomes::{Log, Timed};
use super::waves::Waves;
use crate::commands::looks::Looks;
use crate::commands::task::{Checked, Task, With};
use crate::companion::Companion;
use crate::output::{Done, Stop, input};

/// Compiles a kernel from its text and runs it on all its data. Notes warnings and the result of each data set in `log`.
pub(super) fn check(task: Task<'_>, source: &str, log: &mut Log) -> Done<Checked> {
    let config = task.kernel.configuration()?;
    let compiled = match task.with {
        With::Looks(_) => task.kernel.compile_circuit(source, &config),
        With::Verilator(_) => task.kernel.compile_text(source, &config),
    }?;
    log.notes.push_str(&compiled.warnings);
    check_compiled(task, &compiled, log)
}

/// Runs a kernel on all its data. Notes the result of each data set in `log`.
pub(super) fn check_compiled(task: Task<'_>, compiled: &Compiled, log: &mut Log) -> Done<Checked> {
    let mut asked = task.data.asked(task.kernel, compiled)?;
    task.runs.apply(&mut asked, &task.kernel.limits())?;
    log.notes.push_str(&asked.note);
    let sets = asked.cases.iter().map(|case| (None, case.line));
    log.begin(asked.file.as_deref(), sets);
    let expected = asked
        .has_reference
        .then(|| references(compiled, &asked.cases))
        .transpose()
        .map_err(|(i, why)| {
            log.failed(i, &why);
            input(format!("data set {i}: {why}"))
        })?;
    asked.expect.assertions.extend_from_slice(task.assertions);
    let (outcomes, held) = run(task, compiled, &asked, log)?;
    let all = outcomes.and_then(|outcomes| {
        agree(task, compiled, &asked, expected.as_deref(), &outcomes)?;
        Ok(outcomes)
    });
    let outcomes = all.or_else(|(i, why)| {
        // Repeat the failing run alone, with its waves.
        if let With::Looks(looks) = task.with
            && asked.idle_cycles.is_none()
            && i > 0
            && looks.waves.is_wanted()?
        {
            let watched = watch(compiled, &asked.cases[i], Observe::Waves).map_err(input)?;
            let (_, mut simulator) = watched;
            looks.waves.write(&mut simulator, &compiled.top)?;
        }
        log.failed(i, &why);
        log.passed_before(i);
        Err(input(format!("data set {i}: {why}")))
    })?;
    let all_cycles: Vec<u64> = outcomes.iter().map(|outcome| outcome.cycles).collect();
    let loops = sluice_report::intervals(compiled);
    let unmet = unmet(&asked.expect, &asked.cases, &all_cycles, &loops);
    for unmet in &unmet {
        for number in &unmet.data_sets {
            log.failed(*number, &unmet.message);
        }
        if unmet.data_sets.is_empty() {
            log.unmet.push(unmet.message.clone());
        }
    }
    log.passed_before(all_cycles.len());
    if !unmet.is_empty() {
        let lines = unmet.into_iter().map(|unmet| unmet.message);
        return Err(input(lines.collect::<Vec<_>>().join("\n")));
    }
    let said = match task.with {
        With::Looks(looks) => answers(looks, compiled, &asked.cases, &all_cycles)?,
        With::Verilator(_) => String::new(),
    };
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
        text: agreement(&compiled.top, &witnesses, &all_cycles, predicted) + &held + &said,
        reference,
        n_cases: all_cycles.len(),
        n_cycles: all_cycles.iter().sum(),
    })
}

/// Returns advice on how to investigate a difference.
fn advice(kernel: &Kernel) -> String {
    let path = kernel.kernel.display();
    format!(
        "note: `sluice diverge {path}` names where they part first, `sluice reduce {path}` makes the kernel smaller"
    )
}

/// The index of a failed data set, and the reason.
type Wrong = (usize, String);

/// Compares the results with all expected results, and with the predicted cycles.
fn agree(
    task: Task<'_>,
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
        let advised = |why: String| Err((i, format!("{why}\n{}", advice(task.kernel))));
        let expected = expected.map(|expected| &expected[i]);
        if let Some(found) =
            expected.and_then(|expected| difference(compiled, expected, results, memories))
        {
            return advised(format!(
                "the circuit disagrees with the interpreter: {found}"
            ));
        }
        if let Some(found) = against_golden(compiled, &asked.cases[i], outcome) {
            return Err((i, format!("the circuit disagrees with `expect`: {found}")));
        }
        if let Some(predicted) = predicted.filter(|predicted| predicted != cycles) {
            return advised(format!("{cycles} cycles, {predicted} were predicted"));
        }
    }
    Ok(())
}

/// Answers the questions about the runs; each run starts after a reset.
fn answers(looks: &Looks, compiled: &Compiled, cases: &[Case], cycles: &[u64]) -> Done<String> {
    let questions = &looks.questions;
    if questions.asked().is_empty() {
        return Ok(String::new());
    }
    let mut answers = Answers::default();
    for (case, cycles) in cases.iter().zip(cycles) {
        let (_, simulator) = watch(compiled, case, Observe::Signals).map_err(input)?;
        questions.look(&mut answers, (compiled, case), simulator, *cycles)?;
    }
    questions.answer(&answers, Some(compiled), &compiled.top)
}

/// The results of all data sets, or the first failure.
type Outcomes = Result<Vec<CircuitOutcome>, Wrong>;

/// Runs all data sets, with `within` called in each cycle, and describes the assertions.
fn simulate(
    compiled: &Compiled,
    asked: &Asked,
    manner: &Manner,
    within: &mut dyn Watch,
    log: &mut Log,
) -> Done<(Outcomes, String)> {
    let assertions = &asked.expect.assertions;
    if assertions.is_empty() {
        let mut timed = Timed::new(within);
        let outcomes = simulate_all(compiled, &asked.cases, manner, &mut timed);
        log.took(&timed.seconds());
        return Ok((outcomes, String::new()));
    }
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let settings = Settings {
        observe: observed(assertions),
        ..Settings::default()
    };
    let simulator = CycleSimulator::of_kernel(context, circuit, &compiled.interface, &settings)
        .map_err(|found| input(found.to_text(context)))?;
    let mut asserting = asserted(
        assertions,
        &[Reset::high("reset")],
        &simulator,
        Some(compiled),
        within,
    )?;
    let mut timed = Timed::new(&mut asserting);
    let outcomes = simulate_all(compiled, &asked.cases, manner, &mut timed);
    log.took(&timed.seconds());
    let said = match outcomes {
        Ok(_) => held(&asserting, assertions.len()),
        Err(_) => String::new(),
    };
    Ok((outcomes, said))
}

/// Runs all data sets; returns their results and the description of the assertions.
pub(crate) fn run(
    task: Task<'_>,
    compiled: &Compiled,
    asked: &Asked,
    log: &mut Log,
) -> Done<(Outcomes, String)> {
    let seed = task.data.seed;
    let manner = Manner {
        timeout_cycles: asked.expect.timeout_cycles,
        stream_seed: task.runs.pauses.then_some(seed),
        idle: asked
            .idle_cycles
            .map(|most_cycles| Idle { most_cycles, seed }),
    };
    match task.with {
        With::Looks(looks) if looks.waves.is_wanted()? => {
            let last = match &manner.idle {
                Some(_) => asked.cases.len().saturating_sub(1),
                None => 0,
            };
            let mut showing = Showing::new(&looks.waves, &compiled.top, last);
            let outcomes = simulate(compiled, asked, &manner, &mut showing, log);
            showing.stopped()?;
            outcomes
        }
        With::Looks(_) => simulate(compiled, asked, &manner, &mut Unwatched, log),
        With::Verilator(models) => {
            let mut companion = Companion::of_kernel(models, compiled)?;
            let outcomes = simulate(compiled, asked, &manner, &mut companion, log);
            // If the companion stopped the simulation, it has the reason.
            companion.finish().map_err(|parted| log.parted(parted))?;
            outcomes
        }
    }
}

/// Writes the waves of the first data set, or of all data sets if they are one run.
pub(super) struct Showing<'a> {
    waves: &'a Waves,
    top: &'a str,
    /// The data set after which the waves are written.
    last: usize,
    data_set: usize,
    /// The reason why waves could not be written.
    stop: Option<Stop>,
}

impl<'a> Showing<'a> {
    /// Creates a writer for the waves after data set `last`, or after an earlier one that fails.
    pub(super) fn new(waves: &'a Waves, top: &'a str, last: usize) -> Self {
        Self {
            waves,
            top,
            last,
            data_set: 0,
            stop: None,
        }
    }

    /// Returns the error if the waves could not be written.
    pub(super) fn stopped(self) -> Done<()> {
        self.stop.map_or(Ok(()), Err)
    }
}

impl Watch for Showing<'_> {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.data_set = number;
        Ok(())
    }

    fn observe(&self) -> Observe {
        match self.data_set <= self.last {
            true => Observe::Waves,
            false => Observe::Ports,
        }
    }

    fn end(
        &mut self,
        simulator: &mut CycleSimulator,
        outcome: Result<&CircuitOutcome, &TestbenchError>,
    ) -> Result<(), String> {
        if self.data_set == self.last || (outcome.is_err() && self.data_set < self.last) {
            self.stop = self.waves.write(simulator, self.top).err();
        }
        match &self.stop {
            Some(stop) => Err(stop.message.clone()),
            None => Ok(()),
        }
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        Unwatched.cycle(simulator)
    }

    fn until(
        &mut self,
        simulator: &mut CycleSimulator,
        output: usize,
        most_cycles: u64,
    ) -> Result<u64, String> {
        Unwatched.until(simulator, output, most_cycles)
    }
}

/// Formats a number of data sets.
pub(super) fn data_sets(n: usize) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} data set{s}")
}

/// Formats one line about the models that agree.
pub(super) fn agreement(
    top: &str,
    witnesses: &[&str],
    cycles: &[u64],
    predicted: Option<u64>,
) -> String {
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
        "@{top}: {} on {}, {span} cycles{promise}\n",
        witnesses.join(" = "),
        data_sets(cycles.len())
    )
}
