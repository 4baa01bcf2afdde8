//! Random programs: interpreter, cycle simulator, Verilator and mlir-cpu-runner agree, and the cycles are as predicted.
//!
//! This is a small part of what `testbenches/random` runs.

use std::io::Write;

use sluice_testbenches::random_batch::{self, Engines, Report};
use sluice_testbenches::{oracle, sweep, verilator};

/// Programs of the gate, and how many of them go through the outside engines.
const N_PROGRAMS: u64 = 8;
const N_OUTSIDE: u64 = 4;

/// Programs that become elastic circuits: none among them has thousands of operations.
const FIRST_ELASTIC: u64 = 13;
const N_ELASTIC: u64 = 2;

/// A program needs more stack than a test thread has; the command line uses the same size.
const STACK_BYTES: usize = 64 << 20;

fn n_outside() -> u64 {
    sweep::cases(N_OUTSIDE)
}

fn run(seeds: &[u64], engines: Engines) -> Report {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let running = thread.spawn_scoped(scope, || random_batch::run(seeds, engines, &mut |_| {}));
        let report = running.expect("a thread can be started").join();
        report.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn assert_agreement(report: &Report) {
    let mut wrong: Vec<String> = report
        .wrong
        .iter()
        .map(|(program, finding)| {
            format!(
                "seed {}: {:?}: {}\nrepeat: testbenches/random --seed {0} --count 1",
                program.seed, finding.kind, finding.fact
            )
        })
        .collect();
    wrong.extend(report.errors.iter().cloned());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn interpreter_and_circuit_agree() {
    let seeds: Vec<u64> = (1 + n_outside()..=sweep::cases(N_PROGRAMS)).collect();
    let engines = Engines {
        verilator: false,
        oracle: false,
        elastic: false,
    };
    let report = run(&seeds, engines);
    assert_agreement(&report);
    assert!(
        report.n_simulated * 5 >= report.n_programs * 4,
        "most programs and configurations are feasible: {} of {}",
        report.n_simulated,
        report.n_programs
    );
}

#[test]
fn interpreter_and_elastic_circuit_agree() {
    let seeds: Vec<u64> = (FIRST_ELASTIC..FIRST_ELASTIC + sweep::cases(N_ELASTIC)).collect();
    let engines = Engines {
        verilator: false,
        oracle: false,
        elastic: true,
    };
    assert_agreement(&run(&seeds, engines));
}

#[test]
fn all_engines_agree() {
    let engines = Engines {
        verilator: verilator::available(),
        oracle: oracle::available(),
        elastic: false,
    };
    if !engines.verilator || !engines.oracle {
        assert!(
            !oracle::required(),
            "Verilator or MLIR is missing: install `verilator` and `mlir-19-tools`"
        );
        // Written directly to the error stream, because the test runner captures printed output.
        writeln!(
            std::io::stderr(),
            "SKIPPED a part of all_engines_agree: not all of `verilator`, `mlir-opt-19`, `mlir-cpu-runner-19` are here"
        )
        .expect("stderr is open");
    }
    let seeds: Vec<u64> = (1..=n_outside()).collect();
    let report = run(&seeds, engines);
    assert_agreement(&report);
}
