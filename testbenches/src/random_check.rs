//! Comparison of a random program on compiler, interpreter and cycle simulator.

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

/// The number of cycles in which an elastic circuit is compared with its graph.
const MAX_COMPARED: u64 = 2000;

/// The most idle cycles between a `done` and the next `start` in consecutive runs.
const MAX_IDLE: u64 = 5;

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A panic anywhere.
    Panic,
    /// A supported program was rejected.
    Rejected,
    /// The compiler reported an internal error.
    Internal,
    /// The interpreter stopped at a defined operation.
    Interpreter,
    /// The circuit did not finish or could not be run.
    Simulator,
    /// Interpreter and cycle simulator give different results.
    Answers,
    /// The latency differs from the prediction.
    Cycles,
    /// A run after other runs, whose data stay in the memories until it starts, differs from a run after a reset.
    Idle,
    /// There are more units than the configuration allows.
    Units,
    /// Verilator reports warnings or errors.
    Lint,
    /// Interpreter and Verilator give different results or latencies.
    Verilator,
    /// Interpreter and oracle give different results.
    Oracle,
    /// A circuit differs from its dataflow graph, or the results of the graph depend on stalls.
    Tokens,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of the fault.
    pub kind: Kind,
    /// Its description.
    pub fact: String,
}

impl Finding {
    pub(crate) fn new(kind: Kind, fact: impl Into<String>) -> Self {
        Self {
            kind,
            fact: fact.into(),
        }
    }

    /// Returns whether another fault is probably the same: of the same kind, and if it has a message, with the same words except
    /// for numbers and names.
    pub fn is_like(&self, other: &Self) -> bool {
        let payload_text = matches!(
            self.kind,
            Kind::Panic
                | Kind::Rejected
                | Kind::Internal
                | Kind::Interpreter
                | Kind::Simulator
                | Kind::Lint
        );
        self.kind == other.kind && (!payload_text || words(&self.fact) == words(&other.fact))
    }
}

/// Returns the first line of an error without numbers and names.
pub fn words(fact: &str) -> String {
    let line = fact
        .lines()
        .find_map(|line| line.split_once("error: ").map(|(_, after)| after))
        .unwrap_or_else(|| fact.lines().next().unwrap_or_default());
    let mut words = String::new();
    for (i, part) in line.split('`').enumerate() {
        // Every other part is quoted: a name in the program, unless it is the name of an operation.
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
    /// The interpreter's results.
    pub expected: Vec<Outcome>,
}

/// The result of checking a program.
pub enum Verdict {
    /// All engines agree.
    Agrees(Box<Prepared>),
    /// The configuration is infeasible; the message.
    Infeasible(String),
    /// A fault.
    Wrong(Finding),
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Captures panics of the code under test for the report, instead of printing them.
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
        let payload_text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("panic");
        Finding::new(
            Kind::Panic,
            if kept.is_empty() {
                payload_text.to_owned()
            } else {
                kept
            },
        )
    })
}

/// Returns the default configuration with the functions that stay instances, because those are part of the program.
fn without_directives(config: &Config) -> Config {
    Config {
        keep: config.keep.clone(),
        ..Config::default()
    }
}

/// Returns the configuration without the directives that reorder iterations; most of them are illegal for a random nest.
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

/// Returns the configuration in which the compiler chooses how memories are implemented.
fn without_storage(config: &Config) -> Config {
    let mut config = config.clone();
    config.storage.clear();
    config
}

/// Returns the configuration without requested copies of loops, and without banks.
fn without_copies(config: &Config) -> Config {
    let mut config = config.clone();
    for directives in config.loops.values_mut() {
        directives.jam = None;
    }
    config.banks.clear();
    config
}

/// Compiles a program, and runs it on interpreter and cycle simulator.
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
            // If the order of iterations is rejected, the program is checked without it; then with the compiler's choice of
            // memories, and then without copies and banks.
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
            let plain = without_directives(&program.config);
            let has_directives = program.config != plain;
            let kind = if message.contains("internal") {
                Kind::Internal
            } else if has_directives
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

/// Runs random data sets on interpreter and cycle simulator; returns them with their results.
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

/// Runs all data sets without resets in between, with idle cycles and noise on the inputs; memories keep the contents from the
/// run before until each start.
///
/// # Errors
/// The first result or cycle count that differs from that after a reset.
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
            most_cycles: MAX_IDLE,
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
        // In an elastic circuit, unused tokens may still move after `done`.
        if !is_elastic(compiled) && outcome.cycles != cycles[i] {
            let why = format!("{} cycles, {} after a reset", outcome.cycles, cycles[i]);
            return Err(wrong(i, why));
        }
    }
    Ok(())
}

/// Returns whether the kernel was compiled to a dataflow graph instead of a schedule.
fn is_elastic(compiled: &Compiled) -> bool {
    let (context, module) = (&compiled.context, &compiled.scheduled);
    let op = module.lookup_symbol(context, &compiled.top);
    op.is_some_and(|op| View::new(context, module.inner(), op).name() == "handshake.func")
}

/// Compares the circuit of an elastic kernel with its graph, and the graph with itself under other firing orders and stalls.
///
/// # Errors
/// The first difference.
fn check_tokens(compiled: &Compiled, case: &Case, seed: u64) -> Result<(), String> {
    let found = compare(compiled, case, MAX_COMPARED)?.outcome;
    let mut tokens = Tokens::new(compiled, case)?;
    tokens.without_time(Some(seed), &found)?;
    tokens.stalled(seed, &found)?;
    Ok(())
}
