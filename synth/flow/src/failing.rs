//! Classification of a kernel's failure, either an internal error or a difference between interpreter and simulation; and
//! comparison of two failures.

use std::collections::BTreeMap;

use sluice_config::Config;
use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::{Argument, Outcome};
use sluice_sim::testbench::{CircuitOutcome, Unwatched};
use sluice_verify::check::{
    Manner, Stopped, difference, interpret_within, predicted_cycles, simulate_all, simulate_within,
};
use sluice_verify::data::{Case, Idle, Random, Ranges, check_room, random_case};

use crate::pipeline::compile;

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The compiler refuses the kernel.
    Refused,
    /// The compiler reports an internal error.
    Internal,
    /// The circuit cannot be simulated, or does not finish.
    Simulation,
    /// Interpreter and cycle simulation give different results.
    Answers,
    /// The number of cycles differs from the prediction.
    Cycles,
}

/// A failure of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The kind of failure.
    pub kind: Kind,
    /// Description of the failure.
    pub fact: String,
}

impl Failing {
    fn new(kind: Kind, fact: impl Into<String>) -> Self {
        Self {
            kind,
            fact: fact.into(),
        }
    }

    /// Returns whether another failure probably has the same cause: it has the same kind, and if a message describes the error,
    /// its words are the same except for numbers and names.
    pub fn is_like(&self, other: &Self) -> bool {
        let is_told = match self.kind {
            Kind::Refused | Kind::Internal | Kind::Simulation => true,
            Kind::Answers | Kind::Cycles => false,
        };
        self.kind == other.kind && (!is_told || words(&self.fact) == words(&other.fact))
    }
}

/// Returns the first line with an error, without location, numbers and names; names of operations and passes stay.
fn words(fact: &str) -> String {
    let told = fact
        .lines()
        .find_map(|line| line.split_once("error: ").map(|(_, after)| after));
    let line = told.unwrap_or_else(|| fact.lines().next().unwrap_or_default());
    // If the error is a list, its first entry is enough.
    let line = line.split(';').next().unwrap_or_default();
    let mut words = String::new();
    for (i, part) in line.split('`').enumerate() {
        let is_quoted = i % 2 == 1;
        let is_known = line.contains("pass `") || (part.contains('.') && !part.contains(' '));
        if !is_quoted || is_known {
            words.extend(part.chars().filter(|c| !c.is_ascii_digit() && *c != '-'));
        }
    }
    words
}

/// Data sets for the runs.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Idle cycles between data sets that run one after the other; `None` resets the circuit before each.
    pub idle: Option<Idle>,
    /// Number of random data sets.
    pub n_random: u32,
    /// Seed of the random data sets.
    pub seed: u64,
    /// Ranges of random values, by argument.
    pub ranges: Ranges,
    /// Given data sets, by argument. Values are used as far as they fit the kernel; the rest is random.
    pub given: Vec<BTreeMap<String, Argument>>,
}

/// The amount of simulation: a limit, or the work done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Operations of the interpreter for each data set.
    pub operations: u64,
    /// Cycles of the circuit for each data set, if none are predicted.
    pub cycles: u64,
}

impl Work {
    /// The largest amount that is run of any kernel.
    pub const MOST: Self = Self {
        operations: Limit::ReferenceOperations.row().default,
        cycles: Limit::SimulatedCycles.row().default,
    };

    /// Returns a limit for kernels that are smaller than one with this amount of work.
    pub fn with_margin(self) -> Self {
        let more = |n: u64, least: u64, most: u64| n.saturating_mul(2).max(least).min(most);
        Self {
            operations: more(self.operations, 100_000, Self::MOST.operations),
            cycles: more(self.cycles, 100_000, Self::MOST.cycles),
        }
    }
}

/// The result of examining a kernel.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The failure, if there is one.
    pub failing: Option<Failing>,
    /// The work that was done to find it.
    pub work: Work,
}

/// Compiles a kernel and runs it on the interpreter and the cycle simulator.
///
/// # Errors
/// The interpreter's reason why the kernel is undefined for most data: then no statement is possible.
pub fn examine(
    source: &str,
    file: &str,
    config: &Config,
    inputs: &Inputs,
    most: Work,
) -> Result<Examined, String> {
    let mut work = Work {
        operations: 0,
        cycles: 0,
    };
    let failing = match compile(source, file, config) {
        Err(Failure::Internal(message)) => Some(Failing::new(Kind::Internal, message)),
        Err(Failure::Input(message)) if message.contains("internal: ") => {
            Some(Failing::new(Kind::Internal, message))
        }
        Err(Failure::Input(message)) => Some(Failing::new(Kind::Refused, message)),
        Ok(compiled) => run(&compiled, inputs, most, &mut work)?,
    };
    Ok(Examined { failing, work })
}

fn run(
    compiled: &Compiled,
    inputs: &Inputs,
    most: Work,
    work: &mut Work,
) -> Result<Option<Failing>, String> {
    let all = defined(compiled, inputs, most, work)?;
    // In one run, a data set that does not finish hides the results of earlier ones too.
    let mut together = match &inputs.idle {
        Some(idle) => match run_together(compiled, &all, idle, most) {
            Ok(outcomes) => Some(outcomes.into_iter()),
            Err(why) => return Ok(Some(Failing::new(Kind::Simulation, why))),
        },
        None => None,
    };
    for (i, (case, expected)) in all.iter().enumerate() {
        let outcome = match together.as_mut().and_then(Iterator::next) {
            Some(outcome) => outcome,
            None => match simulate_within(compiled, case, most.cycles) {
                Ok(outcome) => outcome,
                Err(why) => return Ok(Some(Failing::new(Kind::Simulation, why))),
            },
        };
        work.cycles = work.cycles.max(outcome.cycles);
        if let Some(found) = difference(compiled, expected, &outcome.results, &outcome.memories) {
            let fact = format!("data set {i}: the circuit disagrees with the interpreter: {found}");
            return Ok(Some(Failing::new(Kind::Answers, fact)));
        }
        if let Some(predicted) = predicted_cycles(compiled).filter(|p| *p != outcome.cycles) {
            let fact = format!(
                "data set {i}: {} cycles, {predicted} were predicted",
                outcome.cycles
            );
            return Ok(Some(Failing::new(Kind::Cycles, fact)));
        }
    }
    Ok(None)
}

/// Runs the data sets one after the other, with idle cycles between them.
fn run_together(
    compiled: &Compiled,
    all: &[(Case, Outcome)],
    idle: &Idle,
    most: Work,
) -> Result<Vec<CircuitOutcome>, String> {
    let cases: Vec<Case> = all.iter().map(|(case, _)| case.clone()).collect();
    let manner = Manner {
        timeout_cycles: predicted_cycles(compiled).is_none().then_some(most.cycles),
        idle: Some(idle.clone()),
        stream_seed: None,
    };
    simulate_all(compiled, &cases, &manner, &mut Unwatched).map_err(|(_, why)| why)
}

/// Returns data sets for which the kernel is defined, with the interpreter's results.
fn defined(
    compiled: &Compiled,
    inputs: &Inputs,
    most: Work,
    work: &mut Work,
) -> Result<Vec<(Case, Outcome)>, String> {
    check_room(&compiled.interface, &compiled.context.limits)?;
    let mut random = Random::new(inputs.seed);
    let mut found = Vec::new();
    let mut undefined = 0;
    let mut given = inputs.given.iter();
    let wanted = inputs.given.len() + usize::try_from(inputs.n_random).unwrap_or(usize::MAX);
    while found.len() < wanted {
        let mut case = random_case(&compiled.interface, &inputs.ranges, &mut random);
        if let Some(known) = given.next() {
            fit(&compiled.interface, known, &mut case);
        }
        match interpret_within(compiled, &case, most.operations) {
            Ok((outcome, operations)) => {
                work.operations = work.operations.max(operations);
                found.push((case, outcome));
            }
            Err(why) => {
                undefined += 1;
                // A kernel that finished within less before: data for which it does not finish end the search instead of being
                // drawn again.
                let is_endless = most != Work::MOST && matches!(why, Stopped::TooLong(_));
                if is_endless || undefined > 4 * (wanted + 2) {
                    return Err(why.to_string());
                }
            }
        }
    }
    Ok(found)
}

/// Copies the given values of a data set into a random one. Words are resized to the width of the argument, memories to its
/// number of words.
fn fit(interface: &Interface, known: &BTreeMap<String, Argument>, case: &mut Case) {
    let resized = |word: &Bits, width: u32| match width <= word.width() {
        true => word.trunc(width),
        false => word.sext(width),
    };
    let arguments = interface.arguments.iter().zip(&interface.sources);
    for ((ports, name), argument) in arguments.zip(&mut case.arguments) {
        match (ports, known.get(name), argument) {
            (
                ArgumentPorts::Scalar { width_bits, .. },
                Some(Argument::Scalar(word)),
                Argument::Scalar(drawn),
            ) => *drawn = resized(word, *width_bits),
            (
                ArgumentPorts::Memory { width_bits, .. },
                Some(Argument::Memory(words)),
                Argument::Memory(drawn),
            ) => {
                for (drawn, word) in drawn.iter_mut().zip(words) {
                    *drawn = resized(word, *width_bits);
                }
            }
            _ => {}
        }
    }
}
