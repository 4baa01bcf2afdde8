//! Runs the dataflow graphs in `sim/tests/tokens`, timed and untimed, and compares the outcomes with those in the files.
//!
//! In a file, `// run ARGUMENTS` precedes `// -> OUTCOME`. Arguments are decimal numbers and lists of them. The outcome consists
//! of results, memories, the cycles from `start` to `done`, and the channels with tokens that a second run would find; or it is
//! the error. `UPDATE_EXPECT=1` accepts.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use sluice_ir::bits::Bits;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module, TypeKind, View};
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::{Leftover, Recording, TokenError, TokenSimulator};

/// The runs of these files take fewer cycles.
pub const MAX_CYCLES: u64 = 1000;

/// Number of random firing orders for each run.
const N_SEEDS: u64 = 5;

pub fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tokens");
    let entries = fs::read_dir(folder).expect("the files are there");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "mlir"));
    files.sort();
    assert!(files.len() >= 12, "the files are there");
    files
}

pub fn parsed(context: &Context, text: &str, name: &str) -> Module {
    let mut diagnostics = Diagnostics::new();
    let module = parse_module(context, text, name, &mut diagnostics);
    assert!(
        !diagnostics.has_errors(),
        "{}",
        diagnostics.to_text(context)
    );
    let module = module.expect("a module without errors");
    sluice_ir::verifier::verify(context, &module, &mut diagnostics);
    assert!(
        !diagnostics.has_errors(),
        "{}",
        diagnostics.to_text(context)
    );
    module
}

/// Returns the name of the only function, and the width in bits of the words of each argument.
pub fn function(context: &Context, module: &Module) -> (String, Vec<u32>) {
    let op = module.top_level_operations()[0];
    let view = View::new(context, module.inner(), op);
    let block = view.entry_block(0).expect("a body");
    let body = view.inner();
    let width = |ty: sluice_ir::Type| match ty.kind(context) {
        TypeKind::MemRef { element, .. } => element.width_bits(context),
        _ => ty.width_bits(context),
    };
    let arguments = body.arguments(block).iter();
    let widths = arguments.filter_map(|argument| width(body.ty(*argument)));
    (
        view.symbol_name().expect("a name").to_owned(),
        widths.collect(),
    )
}

fn number(text: &str, width_bits: u32) -> Bits {
    Bits::from_i64(width_bits, text.trim().parse().expect("a decimal number"))
}

pub fn arguments(mut text: &str, widths_bits: &[u32]) -> Vec<Argument> {
    let mut arguments = Vec::new();
    for width_bits in widths_bits {
        text = text.trim_start();
        let (argument, rest) = match text.strip_prefix('[') {
            Some(list) => {
                let (list, rest) = list.split_once(']').expect("a list ends");
                let words = list.split(',').map(|word| number(word, *width_bits));
                (Argument::Memory(words.collect()), rest)
            }
            None => {
                let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
                (Argument::Scalar(number(word, *width_bits)), rest)
            }
        };
        arguments.push(argument);
        text = rest;
    }
    assert_eq!(text.trim(), "", "more arguments than the function has");
    arguments
}

fn outcome(results: &[Bits], memories: &[Vec<Bits>]) -> String {
    let mut words: Vec<String> = results.iter().map(Bits::to_signed_string).collect();
    for memory in memories {
        let cells: Vec<String> = memory.iter().map(Bits::to_signed_string).collect();
        words.push(format!("[{}]", cells.join(", ")));
    }
    words.join(" ")
}

fn left(leftover: &[Leftover]) -> String {
    let mut text = String::new();
    for left in leftover {
        let Leftover {
            name,
            n_tokens,
            n_before,
            ..
        } = left;
        write!(text, "; left on `{name}`: {n_tokens}, before {n_before}").expect("text");
    }
    text
}

fn wrong(error: &TokenError) -> String {
    match error {
        TokenError::Deadlock(deadlock) => deadlock.to_string(),
        error => format!("error: {error}"),
    }
}

/// Checks that a token stays unchanged on its channel until it is taken.
pub fn tokens_stay(recording: &Recording, n_channels: usize, name: &str) {
    for cycle in 1..recording.n_cycles() {
        for channel in 0..n_channels {
            let at = |cycle| recording.at(cycle, channel).expect("a cycle of the run");
            let (valid, ready, token) = at(cycle);
            if valid && !ready {
                let (is_there, _, next) = at(cycle + 1);
                assert!(is_there, "{name}: channel {channel} after cycle {cycle}");
                assert_eq!(next, token, "{name}: channel {channel} after cycle {cycle}");
            }
        }
    }
}

/// Runs a function timed and untimed; returns the outcome as text.
fn run(name: &str, simulator: &mut TokenSimulator<'_>, arguments: &[Argument]) -> String {
    let (timed, recording) = simulator.run_recorded(arguments, MAX_CYCLES);
    tokens_stay(&recording, simulator.channels().len(), name);
    let unrecorded = simulator.run(arguments, MAX_CYCLES);
    assert_eq!(
        timed, unrecorded,
        "{name}: a run does not depend on the one before"
    );
    if let Some(first) = timed
        .as_ref()
        .ok()
        .filter(|first| first.leftover.is_empty())
    {
        for idle_cycles in [0, 0, 1, 7] {
            let next = simulator.run_next(arguments, idle_cycles, MAX_CYCLES, &mut |_| {});
            assert_eq!(next.as_ref(), Ok(first), "{name}: without a reset before");
        }
    }
    let untimed = simulator.run_untimed(arguments);
    for seed in 0..N_SEEDS {
        simulator.firing_seed = Some(seed);
        let other = simulator.run_untimed(arguments);
        match (&untimed, &other) {
            (Ok(one), Ok(other)) => assert_eq!(one.outcome, other.outcome, "{name}: order"),
            (Err(_), Err(_)) => {}
            _ => panic!("{name}: {untimed:?} in one order of firing, {other:?} in another"),
        }
    }
    simulator.firing_seed = None;
    let mut text = match &timed {
        Ok(timed) => {
            let ran = &timed.outcome;
            let first = outcome(&ran.results, &ran.memories);
            let space = if first.is_empty() { "" } else { "; " };
            format!(
                "{first}{space}{} cycles{}",
                ran.cycles,
                left(&timed.leftover)
            )
        }
        Err(error) => wrong(error),
    };
    match (&timed, &untimed) {
        (Ok(timed), Ok(untimed)) => {
            let ran = &timed.outcome;
            assert_eq!(untimed.outcome.results, ran.results, "{name}: without time");
            assert_eq!(
                untimed.outcome.memories, ran.memories,
                "{name}: without time"
            );
            assert_eq!(
                untimed.leftover.is_empty(),
                timed.leftover.is_empty(),
                "{name}: {:?} without time, {:?} with",
                untimed.leftover,
                timed.leftover
            );
        }
        (_, Ok(untimed)) => {
            let ran = &untimed.outcome;
            let first = outcome(&ran.results, &ran.memories);
            write!(text, "\nwithout time: {first}{}", left(&untimed.leftover)).expect("text");
        }
        (_, Err(error)) => write!(text, "\nwithout time: {}", wrong(error)).expect("text"),
    }
    text
}

#[test]
fn graphs_give_what_their_files_say() {
    let accepts = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut different = Vec::new();
    for file in files() {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let context = sluice_dialects::context();
        let module = parsed(&context, &text, &name);
        let (function, widths_bits) = function(&context, &module);
        let mut simulator = TokenSimulator::new(&context, &module, &function)
            .unwrap_or_else(|found| panic!("{}", found.to_text(&context)));
        let mut now = String::new();
        for line in text.lines().filter(|line| !line.starts_with("// ->")) {
            writeln!(now, "{line}").expect("text");
            if let Some(given) = line.strip_prefix("// run") {
                let arguments = arguments(given, &widths_bits);
                for line in run(&name, &mut simulator, &arguments).lines() {
                    writeln!(now, "// -> {line}").expect("text");
                }
            }
        }
        if now != text {
            if accepts {
                fs::write(&file, &now).expect("the file can be written");
            }
            different.push((file, now));
        }
    }
    if let Some((file, now)) = different.first().filter(|_| !accepts) {
        panic!(
            "{}: differs, now it is\n{now}\nrepeat: cargo test -p sluice-sim graphs_give\naccept: UPDATE_EXPECT=1 cargo test -p sluice-sim graphs_give",
            file.display()
        );
    }
}
