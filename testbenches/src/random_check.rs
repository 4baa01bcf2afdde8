//! What each engine says to a random program: compiler, interpreter, cycle simulator.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::Outcome;
use sluice_sim::testbench::Unwatched;
use sluice_verify::check::{
    Manner, difference, interpret, predicted_cycles, simulate, simulate_all,
};
use sluice_verify::data::{Case, Idle, Random, Ranges, random_case};

use crate::random_program::Program;
use crate::token_check::{Tokens, compare};

/// Data sets per program.
const N_CASES: usize = 3;

/// Cycles of a data set in which an elastic circuit is compared with its graph.
const MOST_COMPARED: u64 = 2000;

/// Cycles between a `done` and the next `start` at most, where runs follow each other.
const MOST_IDLE: u64 = 5;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A panic anywhere.
    Panic,
    /// A supported program was rejected.
    Rejected,
    /// The compiler found a fault of its own.
    Internal,
    /// The interpreter stopped at a defined operation.
    Interpreter,
    /// The circuit did not finish or could not be run.
    Simulator,
    /// Interpreter and cycle simulator have different answers.
    Answers,
    /// The latency is not as predicted.
    Cycles,
    /// A run behind others, with their words in the memories until it starts, is not what it is after a reset.
    Idle,
    /// There are more units than the configuration allows.
    Units,
    /// Verilator has warnings or errors.
    Lint,
    /// Interpreter and Verilator have different answers or latencies.
    Verilator,
    /// Interpreter and the oracle have different answers.
    Oracle,
    /// A circuit does not do what its dataflow graph does, or that depends on when somebody waits.
    Tokens,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of fault.
    pub kind: Kind,
    /// In words.
    pub fact: String,
}

impl Finding {
    pub(crate) fn new(kind: Kind, fact: impl Into<String>) -> Self {
        Self {
            kind,
            fact: fact.into(),
        }
    }

    /// Whether another fault is likely to be the same: of the same kind, and where a message says what is wrong, with the
    /// same words but for numbers and names.
    pub fn is_like(&self, other: &Self) -> bool {
        let told = matches!(
            self.kind,
            Kind::Panic
                | Kind::Rejected
                | Kind::Internal
                | Kind::Interpreter
                | Kind::Simulator
                | Kind::Lint
        );
        self.kind == other.kind && (!told || words(&self.fact) == words(&other.fact))
    }
}

/// The first line that tells an error, without numbers and names.
pub fn words(fact: &str) -> String {
    let line = fact
        .lines()
        .find_map(|line| line.split_once("error: ").map(|(_, after)| after))
        .unwrap_or_else(|| fact.lines().next().unwrap_or_default());
    let mut words = String::new();
    for (i, part) in line.split('`').enumerate() {
        // Every other part stands in quotes: a name of the program, unless it is that of an operation.
        if i % 2 == 0 || (part.contains('.') && !part.contains(' ')) {
            words.extend(part.chars().filter(|c| !c.is_ascii_digit()));
        }
    }
    words
}

/// A program on which compiler, interpreter and cycle simulator agree.
pub struct Prepared {
    /// The compiled kernel.
    pub compiled: Compiled,
    /// Data sets.
    pub cases: Vec<Case>,
    /// The interpreter's answers.
    pub expected: Vec<Outcome>,
}

/// What became of a program.
pub enum Verdict {
    /// Everything agrees.
    Agrees(Box<Prepared>),
    /// The configuration cannot be met; the message.
    Infeasible(String),
    /// A fault.
    Wrong(Finding),
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Panics of the code under test are kept for the report instead of printed.
pub fn keep_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !IS_GUARDED.get() {
            return print(info);
        }
        let text = info.to_string().replace('\n', " ");
        PANIC.with(|panic| *panic.borrow_mut() = text);
    }));
}

pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Finding> {
    IS_GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    IS_GUARDED.set(false);
    outcome.map_err(|payload| {
        let kept = PANIC.with(|panic| std::mem::take(&mut *panic.borrow_mut()));
        let told = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        Finding::new(
            Kind::Panic,
            if kept.is_empty() {
                told.to_owned()
            } else {
                kept
            },
        )
    })
}

/// The default configuration, but with the functions that stay instances: those are part of the program.
fn without_wishes(config: &Config) -> Config {
    Config {
        keep: config.keep.clone(),
        ..Config::default()
    }
}

/// The configuration without the directives that reorder iterations, most of which are illegal for a random nest.
fn without_restructuring(config: &Config) -> Config {
    let mut config = config.clone();
    for directives in config.loops.values_mut() {
        directives.distribute = None;
        directives.fuse = None;
        directives.interchange.clear();
        directives.tile = None;
        directives.peel_first = None;
        directives.peel_last = None;
    }
    config
}

/// The configuration with memories held as the compiler chooses.
fn without_storage(config: &Config) -> Config {
    let mut config = config.clone();
    config.storage.clear();
    config
}

/// The configuration without copies of loops that were asked for by name, and without banks.
fn without_copies(config: &Config) -> Config {
    let mut config = config.clone();
    for directives in config.loops.values_mut() {
        directives.jam = None;
    }
    config.banks.clear();
    config
}

/// Compiles a program and runs it on interpreter and cycle simulator.
pub fn check(program: &Program) -> Verdict {
    match guarded(|| check_unguarded(program)) {
        Ok(verdict) => verdict,
        Err(finding) => Verdict::Wrong(finding),
    }
}

fn check_unguarded(program: &Program) -> Verdict {
    let source = program.text();
    let compiled = match compile(&source, "random.mlir", &program.config) {
        Ok(compiled) if compiled.warnings.contains("although `limits` allows") => {
            return Verdict::Wrong(Finding::new(Kind::Units, compiled.warnings));
        }
        Ok(compiled) => compiled,
        Err(Failure::Internal(message)) => {
            return Verdict::Wrong(Finding::new(Kind::Internal, message));
        }
        Err(Failure::Input(message)) => {
            // A refused order of iterations says nothing about the rest: that is checked without it; then with memories as the compiler holds them, and without copies and banks.
            let fewer = [without_restructuring, without_storage, without_copies]
                .into_iter()
                .map(|without| without(&program.config))
                .find(|config| *config != program.config);
            if let Some(config) = fewer.filter(|_| message.contains("error: ")) {
                let program = Program {
                    config,
                    ..program.clone()
                };
                return check_unguarded(&program);
            }
            let plain = without_wishes(&program.config);
            let wished = program.config != plain;
            let kind = if message.contains("internal") {
                Kind::Internal
            } else if wished
                && message.contains("error: ")
                && compile(&source, "random.mlir", &plain).is_ok()
            {
                return Verdict::Infeasible(message);
            } else {
                Kind::Rejected
            };
            return Verdict::Wrong(Finding::new(kind, message));
        }
    };
    match run(&compiled, program.seed) {
        Ok((cases, expected)) => Verdict::Agrees(Box::new(Prepared {
            compiled,
            cases,
            expected,
        })),
        Err(finding) => Verdict::Wrong(finding),
    }
}

/// Data sets with the answers on which interpreter and cycle simulator agree.
///
/// # Errors
/// The first disagreement.
pub fn run(compiled: &Compiled, seed: u64) -> Result<(Vec<Case>, Vec<Outcome>), Finding> {
    let mut random = Random::new(seed ^ 0x00da_7a00);
    let (mut cases, mut all, mut cycles) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..N_CASES {
        let case = random_case(&compiled.interface, &Ranges::new(), &mut random);
        let expected =
            interpret(compiled, &case).map_err(|why| Finding::new(Kind::Interpreter, why))?;
        let outcome =
            simulate(compiled, &case).map_err(|why| Finding::new(Kind::Simulator, why))?;
        if let Some(found) = difference(compiled, &expected, &outcome.results, &outcome.memories) {
            return Err(Finding::new(Kind::Answers, found));
        }
        if let Some(predicted) = predicted_cycles(compiled).filter(|p| *p != outcome.cycles) {
            return Err(Finding::new(
                Kind::Cycles,
                format!("{} cycles, {predicted} were predicted", outcome.cycles),
            ));
        }
        if is_elastic(compiled) {
            check_tokens(compiled, &case, seed).map_err(|why| Finding::new(Kind::Tokens, why))?;
        }
        cases.push(case);
        all.push(expected);
        cycles.push(outcome.cycles);
    }
    one_after_the_other(compiled, &cases, &all, &cycles, seed)?;
    Ok((cases, all))
}

/// Runs all data sets without a reset in between, with idle cycles, noise on the inputs, and memories that hold what the run before left.
///
/// # Errors
/// The first answer, or number of cycles, that is another one than after a reset.
fn one_after_the_other(
    compiled: &Compiled,
    cases: &[Case],
    expected: &[Outcome],
    cycles: &[u64],
    seed: u64,
) -> Result<(), Finding> {
    let wrong = |i: usize, why: String| Finding::new(Kind::Idle, format!("run {i}: {why}"));
    let manner = Manner {
        idle: Some(Idle {
            most_cycles: MOST_IDLE,
            seed,
        }),
        ..Manner::default()
    };
    let outcomes = simulate_all(compiled, cases, &manner, &mut Unwatched);
    let outcomes = outcomes.map_err(|(i, why)| wrong(i, why))?;
    for (i, outcome) in outcomes.iter().enumerate() {
        if let Some(found) = difference(compiled, &expected[i], &outcome.results, &outcome.memories)
        {
            return Err(wrong(i, found));
        }
        // Tokens that nobody waits for may still move behind a `done`.
        if !is_elastic(compiled) && outcome.cycles != cycles[i] {
            let why = format!("{} cycles, {} after a reset", outcome.cycles, cycles[i]);
            return Err(wrong(i, why));
        }
    }
    Ok(())
}

/// Whether there is a dataflow graph instead of a schedule.
fn is_elastic(compiled: &Compiled) -> bool {
    let (context, module) = (&compiled.context, &compiled.scheduled);
    let op = module.lookup_symbol(context, &compiled.top);
    op.is_some_and(|op| View::new(context, module.inner(), op).name() == "handshake.func")
}

/// # Errors
/// Where graph and circuit differ, or the graph by itself in another order or with ports that wait.
fn check_tokens(compiled: &Compiled, case: &Case, seed: u64) -> Result<(), String> {
    let found = compare(compiled, case, MOST_COMPARED)?.outcome;
    let mut tokens = Tokens::new(compiled, case)?;
    tokens.without_time(Some(seed), &found)?;
    tokens.stalled(seed, &found)?;
    Ok(())
}
