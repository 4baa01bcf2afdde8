//! Merging equal nets does not change the outputs of a circuit in any cycle after the reset.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sluice_testbenches::passes::after_passes;
use sluice_testbenches::random_circuit::circuit;
use sluice_verify::circuit::{Backend, Bits, Circuit, ClockTiming, Settings, Surroundings};

/// Adds a reset to each register without one, because the values of such registers after the reset are arbitrary.
fn with_resets(text: &str) -> String {
    let mut widths = BTreeSet::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_register = line.contains("= seq.compreg") && !line.contains(" reset ");
        match line.rsplit_once(" : i").filter(|_| is_register) {
            Some((before, width)) => {
                widths.insert(width.to_owned());
                lines.push(format!("{before} reset %reset, %zero{width} : i{width}"));
            }
            None => lines.push(line.to_owned()),
        }
    }
    let mut constants = String::new();
    for width in widths {
        let _ = match width.as_str() {
            "1" => writeln!(constants, "    %zero1 = hw.constant false"),
            _ => writeln!(constants, "    %zero{width} = hw.constant 0 : i{width}"),
        };
    }
    let (head, rest) = lines.split_first().expect("a module has a first line");
    format!("{head}\n{constants}{}\n", rest.join("\n"))
}

fn sums(text: &str, n_cycles: u64) -> Vec<u64> {
    let circuit = Circuit::read(text, "circuit.mlir", Some("circuit"));
    let circuit = circuit.ok().flatten().expect("a circuit");
    let clock = |name: &str, period: u32, phase: u32| ClockTiming {
        name: name.to_owned(),
        period,
        phase,
    };
    let settings = Settings {
        backend: Backend::Bytecode,
        surroundings: Surroundings {
            clocks: vec![clock("clock", 1, 0), clock("slow", 3, 1)],
            ..Surroundings::default()
        },
        ..Settings::default()
    };
    let simulator = circuit.simulator(&settings);
    let mut simulator = simulator.unwrap_or_else(|_| panic!("it simulates:\n{text}"));
    let reset = simulator.input_index("reset").expect("a reset");
    simulator.set_input(reset, &Bits::from_u64(1, 1));
    simulator.run_cycles(8);
    simulator.set_input(reset, &Bits::from_u64(1, 0));
    let mut all = Vec::new();
    for _ in 0..n_cycles {
        simulator.run_cycle();
        all.push(simulator.output(0).low_u64());
    }
    all
}

#[test]
fn merged_circuits_do_what_they_did() {
    let mut n_shorter = 0;
    for seed in 1..120 {
        let text = with_resets(&circuit("circuit", seed, seed % 2 == 0));
        let merged = after_passes(&text, &["merge-equal-nets"]);
        let before = after_passes(&text, &["tidy-circuit"]);
        n_shorter += usize::from(merged.lines().count() < before.lines().count());
        let (before, after) = (sums(&text, 400), sums(&merged, 400));
        let differs = before.iter().zip(&after).position(|(a, b)| a != b);
        assert_eq!(differs, None, "seed {seed}");
    }
    assert!(n_shorter > 50, "only {n_shorter} circuits became smaller");
}
