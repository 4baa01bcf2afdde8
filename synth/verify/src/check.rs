//! Checks of a compiled kernel: interpreter, cycle simulator, expected results, predicted cycles.

use sluice_config::Step;
use sluice_dialects::{handshake, interface::ArgumentPorts};
use sluice_ir::Exact;
use sluice_ir::algebra::FloatFormat;
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::passes::named;
use sluice_ir::suggestion::did_you_mean;
use sluice_kernel::compiled::{Compiled, cycles_of};
use sluice_sim::cycle::{CycleSimulator, Observe, Settings};
use sluice_sim::interpreter::{Argument, Interpreter, Outcome, Outcomes};
use sluice_sim::testbench::{CircuitOutcome, Run, Testbench, TestbenchError, Watch, run};
use thiserror::Error;

use crate::data::{Case, Expect, Idle, Random};
use crate::deadlock::waiting;
use crate::exercise::{LoopRun, loop_runs};
use crate::float_words::{agree, differs, shown};
use crate::stage_arguments::{arguments_of, memories_of as memories_of_source};

/// Returns the latency of the schedule: cycles from `start` to `done`, if it is known.
pub fn latency_cycles(compiled: &Compiled) -> Option<Exact> {
    cycles_of(&compiled.context, &compiled.scheduled, &compiled.top)
}

/// Returns the predicted cycles from `start` to `done`, if they are known and fit 64 bits.
pub fn predicted_cycles(compiled: &Compiled) -> Option<u64> {
    latency_cycles(compiled)?.to_u64()
}

/// Returns the cycles after which a circuit hangs: 1000 more than predicted, or `unpredicted` without a prediction.
pub fn enough_cycles(compiled: &Compiled, unpredicted: u64) -> u64 {
    let predicted = predicted_cycles(compiled);
    let enough = predicted.map(|cycles| Exact::from(cycles).plus(1000).to_u64());
    enough.map_or(unpredicted, |enough| enough.unwrap_or(u64::MAX))
}

/// Runs the reference model.
///
/// # Errors
/// The reason why the interpreter stopped, with the location.
pub fn interpret(compiled: &Compiled, case: &Case) -> Result<Outcome, String> {
    let run = run_reference(compiled, case, reference_operations(compiled), None);
    run.map(|run| run.outcome)
        .map_err(|why| told(compiled, why))
}

/// As [`interpret`], with the iterations of each loop.
///
/// # Errors
/// As [`interpret`].
pub fn interpret_loops(
    compiled: &Compiled,
    case: &Case,
) -> Result<(Outcome, Vec<LoopRun>), String> {
    let counted = Some(Outcomes::of_loops());
    let run = run_reference(compiled, case, reference_operations(compiled), counted);
    let run = run.map_err(|why| told(compiled, why))?;
    Ok((run.outcome, loop_runs(compiled, &run.ways)))
}

/// Operations of the interpreter up to which loops are counted where nothing else needs the run.
const COUNTED_OPERATIONS: u64 = 4_000_000;

/// Returns the iterations of each loop on a data set whose answers the interpreter is not asked for; `None` where it does not come to the
/// end in a few million operations.
pub fn loops_of_short_run(compiled: &Compiled, case: &Case) -> Option<Vec<LoopRun>> {
    let counted = Some(Outcomes::of_loops());
    let run = run_reference(compiled, case, COUNTED_OPERATIONS, counted).ok()?;
    Some(loop_runs(compiled, &run.ways))
}

fn reference_operations(compiled: &Compiled) -> u64 {
    compiled.context.limits.of(Limit::ReferenceOperations)
}

fn told(compiled: &Compiled, why: Stopped) -> String {
    match why {
        Stopped::TooLong(why) => {
            let excess = compiled.context.limits.excess(Limit::ReferenceOperations);
            format!("{why}; {}", excess.hint())
        }
        Stopped::Undefined(why) => why,
    }
}

/// The reason why the interpreter did not finish, with the location.
#[derive(Clone, Debug, Error)]
pub enum Stopped {
    /// The limit on operations was reached.
    #[error("{0}")]
    TooLong(String),
    /// The kernel is undefined for the data.
    #[error("{0}")]
    Undefined(String),
}

/// Does the same as [`interpret`] with a limit on operations; also returns the number of operations.
///
/// # Errors
/// The reason why it stopped.
pub fn interpret_within(
    compiled: &Compiled,
    case: &Case,
    most_operations: u64,
) -> Result<(Outcome, u64), Stopped> {
    let run = run_reference(compiled, case, most_operations, None)?;
    Ok((run.outcome, run.n_operations))
}

/// A run of the interpreter.
struct ReferenceRun {
    outcome: Outcome,
    n_operations: u64,
    /// The ways that it went, where these are counted.
    ways: Outcomes,
}

fn run_reference(
    compiled: &Compiled,
    case: &Case,
    most_operations: u64,
    counted: Option<Outcomes>,
) -> Result<ReferenceRun, Stopped> {
    let (context, interface) = (&compiled.context, &compiled.interface);
    let reference = compiled.reordered.as_ref().unwrap_or(&compiled.source);
    let mut interpreter = Interpreter::new(context, reference);
    interpreter.step_limit = most_operations;
    let mut ways_of_source = None;
    let outcome = match &compiled.reordered {
        None => {
            interpreter.outcomes = counted;
            interpreter.run(&compiled.top, &case.arguments)
        }
        Some(module) => {
            // Loops and branches are those of the source.
            if counted.is_some() {
                let mut source = Interpreter::new(context, &compiled.source);
                source.step_limit = most_operations;
                source.outcomes = counted;
                let _ = source.run(&compiled.top, &case.arguments);
                ways_of_source = source.outcomes.take();
            }
            let arguments = arguments_of(context, module, interface, case);
            let outcome = interpreter.run(&compiled.top, &arguments);
            outcome.map(|outcome| Outcome {
                memories: memories_of_source(interface, &outcome.memories),
                ..outcome
            })
        }
    };
    let n_operations = interpreter.steps;
    let outcome = outcome.map_err(|error| {
        let place = error.location.file_line_column(&compiled.context);
        let why = match place {
            Some((file, line, column)) => {
                format!("{file}:{line}:{column}: error: {}", error.message)
            }
            None => error.message,
        };
        match n_operations > most_operations {
            true => Stopped::TooLong(why),
            false => Stopped::Undefined(why),
        }
    })?;
    Ok(ReferenceRun {
        outcome,
        n_operations,
        ways: ways_of_source
            .or_else(|| interpreter.outcomes.take())
            .unwrap_or_default(),
    })
}

/// Runs the circuit on the cycle simulator.
///
/// # Errors
/// The reason why it did not finish.
pub fn simulate(compiled: &Compiled, case: &Case) -> Result<CircuitOutcome, String> {
    simulate_within(compiled, case, most_cycles(compiled))
}

/// Does the same as [`simulate`], with a limit on cycles if none are predicted.
///
/// # Errors
/// As for [`simulate`].
pub fn simulate_within(
    compiled: &Compiled,
    case: &Case,
    most_cycles: u64,
) -> Result<CircuitOutcome, String> {
    let mut simulator = simulator(compiled, Observe::Ports, None)?;
    run_on(&mut simulator, compiled, case, most_cycles)
}

/// Does the same as [`simulate`], and returns a simulator that recorded every cycle and shows the observed signals. If the run
/// did not finish, the reason is returned together with the simulator.
///
/// # Errors
/// The reason why the circuit cannot be simulated.
pub fn watch(
    compiled: &Compiled,
    case: &Case,
    observe: Observe,
) -> Result<(Result<CircuitOutcome, String>, CycleSimulator), String> {
    let mut simulator = simulator(compiled, observe, None)?;
    simulator.record();
    let outcome = run_on(&mut simulator, compiled, case, most_cycles(compiled));
    Ok((outcome, simulator))
}

fn simulator(
    compiled: &Compiled,
    observe: Observe,
    stream_seed: Option<u64>,
) -> Result<CycleSimulator, String> {
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let settings = Settings {
        observe,
        stream_seed,
        foresight: is_elastic(compiled),
        ..Settings::default()
    };
    CycleSimulator::of_kernel(context, circuit, &compiled.interface, &settings)
        .map_err(|found| found.to_text(context))
}

fn run_on(
    simulator: &mut CycleSimulator,
    compiled: &Compiled,
    case: &Case,
    most_cycles: u64,
) -> Result<CircuitOutcome, String> {
    let limit = cycle_limit(compiled, case.timeout_cycles, most_cycles);
    run(simulator, &compiled.interface, &case.arguments, limit).map_err(|error| error.to_string())
}

/// Returns the cycles after which a circuit without a predicted latency is stopped.
pub fn most_cycles(compiled: &Compiled) -> u64 {
    compiled.context.limits.of(Limit::SimulatedCycles)
}

/// Returns whether the circuit is elastic, so that it may deadlock.
fn is_elastic(compiled: &Compiled) -> bool {
    !named(
        &compiled.context,
        &compiled.scheduled,
        handshake::Func::NAME,
    )
    .is_empty()
}

/// Describes why a run of a data set failed. For a deadlock, a second run finds the channels that wait.
fn failure(
    compiled: &Compiled,
    (case, number): (&Case, usize),
    manner: &Manner,
    error: &TestbenchError,
) -> String {
    let limits = &compiled.context.limits;
    let cycles = match error {
        TestbenchError::Deadlock { cycles, .. } => cycles,
        TestbenchError::TimeOut { cycles, .. } if *cycles == limits.of(Limit::SimulatedCycles) => {
            let hint = limits.excess(Limit::SimulatedCycles).hint();
            return format!("{error}; {hint}");
        }
        error => return error.to_string(),
    };
    let seed = seed_of(manner, number);
    let found = simulator(compiled, Observe::Signals, seed).map(|mut simulator| {
        // This run fails in the same way, after the same number of cycles.
        let _ = run(
            &mut simulator,
            &compiled.interface,
            &case.arguments,
            *cycles,
        );
        waiting(&mut simulator).text()
    });
    format!("{error}{}", found.unwrap_or_default())
}

/// Returns the seed of the random stream pauses for a data set.
fn seed_of(manner: &Manner, number: usize) -> Option<u64> {
    let number = u64::try_from(number).unwrap_or(0);
    manner.stream_seed.map(|seed| seed.wrapping_add(number))
}

/// Returns the cycles after which a run is stopped.
fn cycle_limit(compiled: &Compiled, timeout_cycles: Option<u64>, most_cycles: u64) -> u64 {
    timeout_cycles.unwrap_or_else(|| enough_cycles(compiled, most_cycles))
}

/// Options for running the data sets of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// Cycles after which a run is stopped; by default some more than predicted.
    pub timeout_cycles: Option<u64>,
    /// Run the data sets one after the other, with idle cycles in between. `None` resets the circuit before each.
    pub idle: Option<Idle>,
    /// Seed of random stream pauses; `None` for no pauses.
    pub stream_seed: Option<u64>,
}

/// Runs the circuit on all data sets, observed by `watch`.
///
/// # Errors
/// The index of the data set that failed, and the reason.
pub fn simulate_all(
    compiled: &Compiled,
    cases: &[Case],
    manner: &Manner,
    watch: &mut dyn Watch,
) -> Result<Vec<CircuitOutcome>, (usize, String)> {
    let simulator = |i: usize, watch: &dyn Watch| {
        let observe = watch.observe();
        let seed = seed_of(manner, i);
        let mut simulator = simulator(compiled, observe, seed).map_err(|why| (i, why))?;
        if watch.records() {
            simulator.record();
        }
        Ok(simulator)
    };
    let limit = |case: &Case| {
        let timeout = case.timeout_cycles.or(manner.timeout_cycles);
        cycle_limit(compiled, timeout, most_cycles(compiled))
    };
    let mut outcomes = Vec::new();
    let Some(idle) = &manner.idle else {
        for (i, case) in cases.iter().enumerate() {
            watch.data_set(i).map_err(|why| (i, why))?;
            let mut simulator = simulator(i, watch)?;
            let outcome = Testbench::new(&mut simulator, &compiled.interface, watch)
                .and_then(|mut bench| bench.run(&case.arguments, &Run::within(limit(case)), watch));
            let failed = |why| (i, failure(compiled, (case, i), manner, &why));
            outcomes.push(outcome.map_err(failed)?);
        }
        return Ok(outcomes);
    };
    let mut random = Random::new(idle.seed);
    // A gap is counted from `done` to `start`: a gap of 0 is a start in the cycle of `done`.
    let mut gaps = vec![1 + random.up_to(idle.most_cycles)];
    gaps.extend(cases.iter().skip(1).map(|_| random.up_to(idle.most_cycles)));
    watch.data_set(0).map_err(|why| (0, why))?;
    let mut simulator = simulator(0, watch)?;
    let mut bench = Testbench::new(&mut simulator, &compiled.interface, watch)
        .map_err(|why| (0, why.to_string()))?;
    for (i, case) in cases.iter().enumerate() {
        watch.data_set(i).map_err(|why| (i, why))?;
        let next = cases.get(i + 1).filter(|_| gaps[i + 1] == 0);
        let run = Run {
            cycle_limit: limit(case),
            idle_cycles: gaps[i].saturating_sub(1),
            noise: Some(Bits::from_u64(64, random.next_u64())),
            next: next.map(|case| case.arguments.as_slice()),
        };
        let outcome = bench.run(&case.arguments, &run, watch);
        let failed = |why| (i, failure(compiled, (case, i), manner, &why));
        outcomes.push(outcome.map_err(failed)?);
    }
    Ok(outcomes)
}

/// Runs the circuit, and returns for each port of an internal memory the first word that it read before the word was written.
///
/// # Errors
/// The reason why the run did not finish.
pub fn unwritten(compiled: &Compiled, case: &Case) -> Result<Vec<String>, String> {
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let settings = Settings {
        uninitialised: true,
        ..Settings::default()
    };
    let simulator = CycleSimulator::of_kernel(context, circuit, &compiled.interface, &settings);
    let mut simulator = simulator.map_err(|found| found.to_text(context))?;
    run_on(&mut simulator, compiled, case, most_cycles(compiled))?;
    let found = simulator.uninitialised_reads().into_iter();
    Ok(found.map(|read| read.to_text(context)).collect())
}

/// Describes the first difference between computed and expected values.
pub fn difference(
    compiled: &Compiled,
    expected: &Outcome,
    results: &[Bits],
    memories: &[Vec<Bits>],
) -> Option<String> {
    for (i, (want, got)) in expected.results.iter().zip(results).enumerate() {
        if want != got {
            let format = compiled.interface.result_format(i);
            return Some(differs(&format!("result{i}"), got, want, format));
        }
    }
    for ((memory, want), got) in memories_of(compiled).zip(&expected.memories).zip(memories) {
        if let Some(found) = first_difference(&memory, want, got, 0) {
            return Some(found);
        }
    }
    None
}

/// A memory argument.
struct MemoryArgument<'a> {
    /// Its name in the source.
    name: &'a str,
    shape: &'a [i64],
    /// The format of its words, if they are floats.
    format: Option<FloatFormat>,
}

/// Returns the memories, in the order of the arguments.
fn memories_of(compiled: &Compiled) -> impl Iterator<Item = MemoryArgument<'_>> {
    let interface = &compiled.interface;
    let arguments = interface.arguments.iter().zip(&interface.sources);
    let arguments = arguments.enumerate();
    arguments.filter_map(|(position, (argument, name))| match argument {
        ArgumentPorts::Memory { shape, .. } => Some(MemoryArgument {
            name,
            shape,
            format: interface.argument_format(position),
        }),
        ArgumentPorts::Scalar { .. } => None,
    })
}

fn first_difference(
    memory: &MemoryArgument<'_>,
    want: &[Bits],
    got: &[Bits],
    tolerance_ulp: u64,
) -> Option<String> {
    let mut pairs = want.iter().zip(got).enumerate();
    let (at, (want, got)) =
        pairs.find(|(_, (want, got))| !agree(got, want, memory.format, tolerance_ulp))?;
    let place = format!("{}[{}]", memory.name, subscripts(memory.shape, at));
    Some(differs(&place, got, want, memory.format))
}

/// Formats the subscripts of a word of an array of this shape.
pub fn subscripts(shape: &[i64], word: usize) -> String {
    let mut left = word;
    let mut all: Vec<String> = shape
        .iter()
        .rev()
        .map(|extent| {
            let extent = usize::try_from(*extent).unwrap_or(1).max(1);
            let own = left % extent;
            left /= extent;
            own.to_string()
        })
        .collect();
    all.reverse();
    all.join(", ")
}

/// An output that is not the one of the data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its name in the data file; `None` where the data file does not name it.
    pub output: Option<String>,
    /// The first word that differs, both values.
    pub message: String,
}

/// The first difference between what the circuit computed and the golden values of the data set.
pub fn against_golden(
    compiled: &Compiled,
    case: &Case,
    found: &CircuitOutcome,
) -> Option<Mismatch> {
    let mismatch = |output: &str, message: String| Mismatch {
        output: Some(output.to_owned()),
        message,
    };
    for (i, result) in found.results.iter().enumerate() {
        if let Some(want) = case
            .golden
            .get(&format!("result{i}"))
            .and_then(|w| w.first())
            && !agree(
                result,
                want,
                compiled.interface.result_format(i),
                case.tolerance_ulp,
            )
        {
            let format = compiled.interface.result_format(i);
            let message = differs(&format!("result{i}"), result, want, format);
            return Some(mismatch(&format!("result{i}"), message));
        }
    }
    let mut memories = memories_of(compiled).zip(&found.memories);
    memories.find_map(|(memory, got)| {
        let want = case.golden.get(memory.name)?;
        let found = first_difference(&memory, want, got, case.tolerance_ulp);
        found.map(|message| mismatch(memory.name, message))
    })
}

/// The first difference between the reference and the answers that came with the data.
pub fn against_answers(compiled: &Compiled, case: &Case, outcome: &Outcome) -> Option<Mismatch> {
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
        let format = compiled.interface.argument_format(i);
        // An array that `outputs` does not name stays as it was.
        let tolerance_ulp = if mentioned { case.tolerance_ulp } else { 0 };
        let is_expected = |at: usize| match (contents.get(at), want.get(at)) {
            (Some(got), Some(want)) => agree(got, want, format, tolerance_ulp),
            _ => false,
        };
        if let Some(at) = (0..contents.len()).find(|at| !is_expected(*at)) {
            let (got, want) = (shown(&contents[at], format), shown(&want[at], format));
            let at = match &compiled.interface.arguments[i] {
                ArgumentPorts::Memory { shape, .. } => subscripts(shape, at),
                ArgumentPorts::Scalar { .. } => String::new(),
            };
            let message = match mentioned {
                true => format!("{name}[{at}] is {got}, the data file expects {want}"),
                false => format!(
                    "{name}[{at}] is {got}, was {want}, and `outputs` does not speak of `{name}`"
                ),
            };
            return Some(Mismatch {
                output: mentioned.then(|| name.clone()),
                message,
            });
        }
    }
    for (i, result) in outcome.results.iter().enumerate() {
        if let Some(want) = case
            .outputs
            .get(&format!("result{i}"))
            .and_then(|w| w.first())
            && !agree(
                result,
                want,
                compiled.interface.result_format(i),
                case.tolerance_ulp,
            )
        {
            return Some(Mismatch {
                output: Some(format!("result{i}")),
                message: format!(
                    "result{i} is {}, the data file expects {}",
                    shown(result, compiled.interface.result_format(i)),
                    shown(want, compiled.interface.result_format(i))
                ),
            });
        }
    }
    None
}

/// An expectation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The data sets that do not meet it; empty if it is about the circuit as a whole.
    pub data_sets: Vec<usize>,
    /// The path to the expectation in the data file.
    pub path: Vec<Step>,
    /// The expected and the found value.
    pub message: String,
    /// The subject of the figure, for the search of the cause.
    pub figure: Figure,
}

/// A figure of a circuit that a data file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The cycles of a data set.
    Latency,
    /// The initiation interval of a loop, by its name in the report; `None` where no such loop is pipelined.
    Interval(Option<String>),
}

/// Returns the expectations that are not met; `cycles` are those of the data sets.
///
/// `loops` are the pipelined loops with their initiation intervals. A loop is named as in the report, or by the last counter of a
/// flattened nest.
pub fn unmet(
    expect: &Expect,
    cases: &[Case],
    cycles: &[u64],
    loops: &[(String, u64)],
) -> Vec<Unmet> {
    let mut found = Vec::new();
    for (i, (case, cycles)) in cases.iter().zip(cycles).enumerate() {
        if let Some(latency) = case.latency_cycles.filter(|latency| latency != cycles) {
            found.push(Unmet {
                data_sets: vec![i],
                path: vec!["cases".into(), i.into(), "expect".into(), "latency".into()],
                message: format!("data set {i}: expect: latency {latency}, found {cycles} cycles"),
                figure: Figure::Latency,
            });
        }
    }
    if let Some(latency) = expect.latency_cycles
        && let Some(other) = cycles.iter().find(|cycles| **cycles != latency)
    {
        let numbers = (0..cycles.len()).filter(|i| cycles[*i] != latency);
        found.push(Unmet {
            data_sets: numbers.collect(),
            path: vec!["expect".into(), "latency".into()],
            message: format!("expect: latency {latency}, found {other} cycles"),
            figure: Figure::Latency,
        });
    }
    for (name, ii) in &expect.ii {
        let of_circuit = |message: String, of: Option<String>| Unmet {
            data_sets: Vec::new(),
            path: vec!["expect".into(), "ii".into(), name.as_str().into()],
            message,
            figure: Figure::Interval(of),
        };
        let of_nest = |known: &str| known.rsplit('_').next() == Some(name);
        let same = loops.iter().find(|(known, _)| known == name);
        match same.or_else(|| loops.iter().find(|(known, _)| of_nest(known))) {
            Some((_, found_ii)) if found_ii == ii => {}
            Some((known, found_ii)) => {
                let message = format!("expect: II {ii} of loop `{known}`, found {found_ii}");
                found.push(of_circuit(message, Some(known.clone())));
            }
            None => {
                let known: Vec<&str> = loops.iter().map(|(known, _)| known.as_str()).collect();
                let advice = match known[..] {
                    [] => "no loop is".to_owned(),
                    _ => did_you_mean(name, &known),
                };
                let message =
                    format!("expect: II {ii} of loop `{name}`, which is not pipelined; {advice}");
                found.push(of_circuit(message, None));
            }
        }
    }
    found
}
