//! Checks of a compiled kernel: interpreter, cycle simulator, expected answers, predicted cycles.

use sluice_dialects::interface::ArgumentPorts;
use sluice_ir::View;
use sluice_ir::bits::Bits;
use sluice_ir::suggestion::did_you_mean;
use sluice_sim::cycle::{Backend, CycleSimulator, Vcd};
use sluice_sim::interpreter::{Argument, Interpreter, Outcome};
use sluice_sim::testbench::{CircuitOutcome, run};

use crate::data::{Case, Expect};
use crate::pipeline::Compiled;

/// The latency the schedule promises: cycles from `start` to `done`, where it is known.
pub fn predicted_cycles(compiled: &Compiled) -> Option<u64> {
    let op = compiled
        .scheduled
        .lookup_symbol(&compiled.context, &compiled.top)?;
    let view = View::new(&compiled.context, compiled.scheduled.inner(), op);
    u64::try_from(view.attribute("sluice.cycles")?.as_i64(&compiled.context)?).ok()
}

/// Operations after which the reference is given up: a kernel that does not end for its data.
pub const MOST_OPERATIONS: u64 = 100_000_000;

/// Cycles after which a circuit is given up whose latency is not predicted.
pub const MOST_CYCLES: u64 = 50_000_000;

/// Runs the reference.
///
/// # Errors
/// Why the interpreter stopped, with the place.
pub fn interpret(compiled: &Compiled, case: &Case) -> Result<Outcome, String> {
    let (outcome, _) = interpret_within(compiled, case, MOST_OPERATIONS)?;
    Ok(outcome)
}

/// As [`interpret`], given up after so many operations; says how many there were.
///
/// # Errors
/// As [`interpret`].
pub fn interpret_within(
    compiled: &Compiled,
    case: &Case,
    most_operations: u64,
) -> Result<(Outcome, u64), String> {
    let mut interpreter = Interpreter::new(&compiled.context, &compiled.source);
    interpreter.step_limit = most_operations;
    let outcome = interpreter
        .run(&compiled.top, &case.arguments)
        .map_err(
            |error| match error.location.file_line_column(&compiled.context) {
                Some((file, line, column)) => {
                    format!("{file}:{line}:{column}: error: {}", error.message)
                }
                None => error.message,
            },
        )?;
    Ok((outcome, interpreter.steps))
}

/// Runs the circuit on the cycle simulator, with waves if asked.
///
/// # Errors
/// What kept it from finishing.
pub fn simulate(
    compiled: &Compiled,
    case: &Case,
    waves: bool,
) -> Result<(CircuitOutcome, Option<String>), String> {
    simulate_within(compiled, case, waves, MOST_CYCLES)
}

/// As [`simulate`], given up after so many cycles where none are predicted.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_within(
    compiled: &Compiled,
    case: &Case,
    waves: bool,
    most_cycles: u64,
) -> Result<(CircuitOutcome, Option<String>), String> {
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let simulator = CycleSimulator::of_kernel(context, circuit, &compiled.interface, Backend::Auto);
    let mut simulator = simulator.map_err(|found| found.to_text(context))?;
    let mut vcd = waves.then(|| Vcd::new(&simulator, &compiled.top));
    let limit = predicted_cycles(compiled).map_or(most_cycles, |cycles| cycles + 1000);
    let outcome = run(
        &mut simulator,
        &compiled.interface,
        &case.arguments,
        limit,
        vcd.as_mut(),
    );
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok((outcome, vcd.map(Vcd::finish)))
}

/// The first difference between what was computed and what was expected, in words.
pub fn difference(
    compiled: &Compiled,
    expected: &Outcome,
    results: &[Bits],
    memories: &[Vec<Bits>],
) -> Option<String> {
    for (i, (want, got)) in expected.results.iter().zip(results).enumerate() {
        if want != got {
            return Some(format!("result{i} is {got}, expected {want}"));
        }
    }
    let names = compiled
        .interface
        .arguments
        .iter()
        .zip(&compiled.interface.sources)
        .filter_map(|(argument, name)| match argument {
            ArgumentPorts::Memory { .. } => Some(name),
            ArgumentPorts::Scalar { .. } => None,
        });
    for ((name, want), got) in names.zip(&expected.memories).zip(memories) {
        for (at, (want, got)) in want.iter().zip(got).enumerate() {
            if want != got {
                return Some(format!("{name}[{at}] is {got}, expected {want}"));
            }
        }
    }
    None
}

/// The first difference between the reference and the answers that came with the data.
pub fn against_answers(compiled: &Compiled, case: &Case, outcome: &Outcome) -> Option<String> {
    let mut memory = 0;
    for (i, argument) in compiled.interface.arguments.iter().enumerate() {
        let ArgumentPorts::Memory { .. } = argument else {
            continue;
        };
        let name = &compiled.interface.sources[i];
        let contents = &outcome.memories[memory];
        memory += 1;
        let (want, mentioned) = match (case.outputs.get(name), &case.arguments[i]) {
            (Some(want), _) => (want, true),
            (None, Argument::Memory(before)) if !case.outputs.is_empty() => (before, false),
            _ => continue,
        };
        if let Some(at) = (0..contents.len()).find(|at| want.get(*at) != contents.get(*at)) {
            let (got, want) = (&contents[at], &want[at]);
            return Some(if mentioned {
                format!("{name}[{at}] is {got}, the data file expects {want}")
            } else {
                format!(
                    "{name}[{at}] is {got}, was {want}, and `outputs` does not speak of `{name}`"
                )
            });
        }
    }
    for (i, result) in outcome.results.iter().enumerate() {
        if let Some(want) = case
            .outputs
            .get(&format!("result{i}"))
            .and_then(|w| w.first())
            && want != result
        {
            return Some(format!(
                "result{i} is {result}, the data file expects {want}"
            ));
        }
    }
    None
}

/// What of the expectations is not met, a line each; `cycles` are those of the data sets.
///
/// A loop is named as in the report, or by the last of the counters that a flattened nest has.
pub fn unmet(compiled: &Compiled, expect: &Expect, cycles: &[u64]) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(latency) = expect.latency_cycles
        && let Some(other) = cycles.iter().find(|cycles| **cycles != latency)
    {
        found.push(format!("expect: latency {latency}, found {other} cycles"));
    }
    let loops = crate::report::intervals(compiled);
    for (name, ii) in &expect.ii {
        let of_nest = |known: &str| known.rsplit('_').next() == Some(name);
        let same = loops.iter().find(|(known, _)| known == name);
        match same.or_else(|| loops.iter().find(|(known, _)| of_nest(known))) {
            Some((_, found_ii)) if found_ii == ii => {}
            Some((known, found_ii)) => {
                found.push(format!(
                    "expect: II {ii} of loop `{known}`, found {found_ii}"
                ));
            }
            None => {
                let known: Vec<&str> = loops.iter().map(|(known, _)| known.as_str()).collect();
                let advice = did_you_mean(name, &known);
                found.push(format!(
                    "expect: II {ii} of loop `{name}`, which is not pipelined; {advice}"
                ));
            }
        }
    }
    found
}
