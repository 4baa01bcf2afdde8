//! Random programs: the interpreter and the cycle simulator agree, and the cycles are as predicted.
//!
//! `SLUICE_RANDOM_PROGRAMS=1000` runs more than the gate does; `SLUICE_RANDOM_SEED=n` starts elsewhere.

use sluice_flow::check::{difference, interpret, predicted_cycles, simulate};
use sluice_flow::config::Config;
use sluice_flow::data::{Random, Ranges, random_case};
use sluice_flow::pipeline::{Failure, compile};
use sluice_testbenches::random_program::program;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

/// What is wrong with the program of this seed.
fn disagreement(seed: u64) -> Option<String> {
    let source = program(seed);
    let compiled = match compile(
        &source,
        "random.mlir",
        &Config::default(),
        &mut |_, _, _| {},
    ) {
        Ok(compiled) => compiled,
        Err(Failure::Input(message) | Failure::Internal(message)) => return Some(message),
    };
    let mut random = Random::new(seed);
    for _ in 0..3 {
        let case = random_case(&compiled.interface, &Ranges::new(), &mut random);
        let expected = match interpret(&compiled, &case) {
            Ok(expected) => expected,
            Err(why) => return Some(format!("interpreter: {why}")),
        };
        let outcome = match simulate(&compiled, &case, false) {
            Ok((outcome, _)) => outcome,
            Err(why) => return Some(format!("simulator: {why}")),
        };
        if let Some(found) = difference(&compiled, &expected, &outcome.results, &outcome.memories) {
            return Some(found);
        }
        if let Some(predicted) = predicted_cycles(&compiled).filter(|p| *p != outcome.cycles) {
            return Some(format!(
                "{} cycles, {predicted} were predicted",
                outcome.cycles
            ));
        }
    }
    None
}

#[test]
fn interpreter_and_circuit_agree() {
    let first = number("SLUICE_RANDOM_SEED", 1);
    let mut wrong = Vec::new();
    for seed in first..first + number("SLUICE_RANDOM_PROGRAMS", 100) {
        if let Some(found) = disagreement(seed) {
            wrong.push(format!("seed {seed}: {found}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nrepeat: SLUICE_RANDOM_SEED=<seed> SLUICE_RANDOM_PROGRAMS=1 cargo test -p sluice-testbenches --test random_programs",
        wrong.join("\n")
    );
}
