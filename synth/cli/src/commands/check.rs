//! Runs a compiled kernel on its data and compares all models that give expected results.

use sluice_config::{Config, Step};
use sluice_kernel::compiled::Compiled;
use sluice_report::loops::pipelined_loops;
use sluice_sim::testbench::{CircuitOutcome, TestbenchError, Unwatched, Watch};
use sluice_verify::assertions::Reset;
use sluice_verify::check::{
    Manner, against_golden, difference, predicted_cycles, simulate_all, unmet, watch,
};
use sluice_verify::circuit::{CycleSimulator, Observe, Settings};
use sluice_verify::data::{Case, Idle};

use super::answers::Answers;
use super::asserting::{asserted, held, observed};
use super::expectations::cause;
use super::kernel::{Asked, Kernel};
use super::outcomes::{Log, Timed};
use super::references::{Reference, WrongReference, idle_data, references};
use super::waves::Waves;
use crate::commands::looks::Looks;
use crate::commands::task::{Checked, IdleData, Task, With};
use crate::companion::Companion;
use crate::output::{Done, Stop, input};

/// Compiles a kernel from its text and runs it on all its data. Notes warnings and the result of each data set in `log`.
pub(super) fn check(task: Task<'_>, source: &str, log: &mut Log) -> Done<Checked> {
    let config = task.kernel.configuration()?;
    let compiled = compiled(task, source, &config, log)?;
    check_compiled(task, &compiled, log)
}

/// Compiles a kernel, whose text was read, for its runs; warnings are noted in `log`.
pub(super) fn compiled(
    task: Task<'_>,
    source: &str,
    config: &Config,
    log: &mut Log,
) -> Done<Compiled> {
    let compiled = match task.with {
        With::Looks(_) => task.kernel.compile_circuit(source, config),
        With::Verilator(_) => task.kernel.compile_text(source, config),
    }?;
    log.notes.push_str(&compiled.warnings);
    Ok(compiled)
}

/// Runs a kernel on all its data. Notes the result of each data set in `log`.
pub(super) fn check_compiled(task: Task<'_>, compiled: &Compiled, log: &mut Log) -> Done<Checked> {
    let mut asked = task.data.asked(task.kernel, compiled)?;
    if let Some(missing) = &asked.missing {
        match task.idle_data {
            IdleData::Fails => return Err(input(missing.error())),
            IdleData::Warns => log.warn(None, missing.warning(task.data.seed)),
        }
    }
    task.runs.apply(&mut asked, &task.kernel.limits())?;
    log.notes.push_str(&asked.note);
    let sets = asked.cases.iter().map(|case| (None, case.line));
    log.begin(asked.file.as_ref().map(|file| file.path.as_path()), sets);
    let references = asked
        .has_reference
        .then(|| references(compiled, &asked.cases))
        .transpose()
        .map_err(|wrong| {
            let WrongReference { number, path, why } = wrong;
            refused(&asked, log, (number, path.as_deref(), &why))
        })?;
    let idle = idle_data(task, compiled, &asked, references.as_deref(), log);
    asked.expect.assertions.extend_from_slice(task.assertions);
    let (outcomes, held) = run(task, compiled, &asked, log)?;
    let all = outcomes.and_then(|outcomes| {
        agree(task, compiled, &asked, references.as_deref(), &outcomes)?;
        Ok(outcomes)
    });
    let outcomes = all.or_else(|(i, path, why)| {
        // The run alone, with its waves.
        if let With::Looks(looks) = task.with
            && asked.idle_cycles.is_none()
            && i > 0
            && looks.waves.is_wanted()?
        {
            let watched = watch(compiled, &asked.cases[i], Observe::Waves).map_err(input)?;
            let (_, mut simulator) = watched;
            looks.waves.write(&mut simulator, &compiled.top)?;
        }
        let stop = refused(&asked, log, (i, path.as_deref(), &why));
        log.passed_before(i);
        Err(stop)
    })?;
    let all_cycles: Vec<u64> = outcomes.iter().map(|outcome| outcome.cycles).collect();
    check_expectations(compiled, &asked, &all_cycles, log)?;
    if let Some(idle) = idle {
        for number in 0..asked.cases.len() {
            log.failed(number, &idle);
        }
        return Err(input(idle));
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
        own_cycles: all_cycles.into_iter().take(asked.n_own).collect(),
    })
}

/// Notes that a data set is wrong, and says so at the part of the data file that says otherwise.
fn refused(asked: &Asked, log: &mut Log, wrong: (usize, Option<&[Step]>, &str)) -> Stop {
    let (number, path, why) = wrong;
    let place = path
        .and_then(|path| asked.place(path))
        .or_else(|| assertion_place(asked, why));
    log.failed_at(number, place.as_deref(), why);
    let place = place.map_or_else(String::new, |place| format!("{place}: error: "));
    input(format!("{place}data set {number}: {why}"))
}

/// The place of the assertion of the data file that a failure speaks of.
fn assertion_place(asked: &Asked, why: &str) -> Option<String> {
    let mut own = asked.expect.assertions.iter();
    let found = own.find(|assertion| {
        let text = assertion.property.text();
        why.contains(&format!("assertion `{text}` does not hold"))
    })?;
    let place = &found.place;
    // Those of the command line have no file.
    asked
        .file
        .as_ref()
        .filter(|file| *file.path == *place.file)?;
    Some(format!("{}:{}:{}", place.file, place.line, place.column))
}

/// Compares cycles and intervals with what the data file expects.
fn check_expectations(
    compiled: &Compiled,
    asked: &Asked,
    cycles: &[u64],
    log: &mut Log,
) -> Done<()> {
    let loops: Vec<(String, u64)> = pipelined_loops(compiled)
        .into_iter()
        .map(|of| (of.name, of.ii))
        .collect();
    let unmet = unmet(&asked.expect, &asked.cases, cycles, &loops);
    let mut lines = Vec::new();
    for unmet in &unmet {
        let place = asked.place(&unmet.path);
        let cause = cause(compiled, unmet, &asked.cases, cycles);
        let message = format!("{}{cause}", unmet.message);
        for number in &unmet.data_sets {
            log.failed_at(*number, place.as_deref(), &message);
        }
        let place = place.map_or_else(String::new, |place| format!("{place}: error: "));
        if unmet.data_sets.is_empty() {
            log.unmet.push(format!("{place}{message}"));
        }
        lines.push(format!("{place}{message}"));
    }
    log.passed_before(cycles.len());
    match lines[..] {
        [] => Ok(()),
        _ => Err(input(lines.join("\n"))),
    }
}

/// Returns the command that explains a difference.
fn advice(kernel: &Kernel) -> String {
    let path = kernel.kernel.display();
    format!(
        "note: `sluice diverge {path}` names where they part first, `sluice reduce {path}` makes the kernel smaller"
    )
}

/// A data set, the part of the data file that it does not meet, and what is wrong with it.
type Wrong = (usize, Option<Vec<Step>>, String);

/// Compares the results with all expected results, and with the predicted cycles.
fn agree(
    task: Task<'_>,
    compiled: &Compiled,
    asked: &Asked,
    expected: Option<&[Reference]>,
    outcomes: &[CircuitOutcome],
) -> Result<(), Wrong> {
    let predicted = predicted_cycles(compiled);
    for (i, outcome) in outcomes.iter().enumerate() {
        let CircuitOutcome {
            results,
            memories,
            cycles,
        } = outcome;
        let advised = |why: String| Err((i, None, format!("{why}\n{}", advice(task.kernel))));
        let expected = expected.map(|expected| &expected[i].outcome);
        if let Some(found) =
            expected.and_then(|expected| difference(compiled, expected, results, memories))
        {
            return advised(format!(
                "the circuit disagrees with the interpreter: {found}"
            ));
        }
        if let Some(found) = against_golden(compiled, &asked.cases[i], outcome) {
            let output = found.output.as_deref();
            let path = golden_path(i, output.unwrap_or_default());
            let why = format!("the circuit disagrees with `expect`: {}", found.message);
            return Err((i, Some(path), why));
        }
        if let Some(predicted) = predicted.filter(|predicted| predicted != cycles) {
            return advised(format!("{cycles} cycles, {predicted} were predicted"));
        }
    }
    Ok(())
}

/// The path to the golden value of an output.
fn golden_path(number: usize, output: &str) -> Vec<Step> {
    let mut path: Vec<Step> = vec!["cases".into(), number.into(), "expect".into()];
    match output.strip_prefix("result").map(str::parse::<usize>) {
        Some(Ok(result)) => path.extend(["result".into(), Step::Item(result)]),
        _ => path.extend(["memory".into(), output.into()]),
    }
    path
}

/// Answers the questions about the runs, each on its own after a reset.
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

/// As the simulator says what is wrong with a data set.
fn wrong((number, why): (usize, String)) -> Wrong {
    (number, None, why)
}

/// Runs all data sets, by what `within` does with a cycle, and says what was asserted of them.
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
        return Ok((outcomes.map_err(wrong), String::new()));
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
    Ok((outcomes.map_err(wrong), said))
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
