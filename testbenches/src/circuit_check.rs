//! Comparison of random circuits on both backends of the cycle simulator and under Verilator: the checksums must be equal in
//! every cycle.

use std::fmt::Write as _;

use sluice_kernel::compiled::Failure;
use sluice_verify::circuit::{
    Backend, BatchSimulator, Bits, Circuit, ClockTiming, Settings, Surroundings,
};

use crate::random_circuit::circuit;
use crate::verilator::{build, run};

/// The module that instantiates all circuits of a batch.
const TOP: &str = "several";

/// The period of the slow clock in ticks; its first edge is in tick 1.
const SLOW: u32 = 3;

/// Returns the text of circuits for `n` seeds from the first one on, and a module that instantiates them, with an output for
/// each.
pub fn batch(first_seed: u64, n: u64) -> String {
    let mut text = "module {\n".to_owned();
    let (mut instances, mut ports, mut names, mut types) =
        (String::new(), String::new(), Vec::new(), Vec::new());
    // Every other batch is rich, so that both kinds of stepping are tested.
    let is_rich = first_seed / 25 % 2 == 1;
    for number in 0..n {
        text += &circuit(&format!("circuit{number}"), first_seed + number, is_rich);
        let _ = write!(ports, ", out sum{number} : i64");
        let _ = writeln!(
            instances,
            "    %sum{number} = hw.instance \"c{number}\" @circuit{number}(clock: %clock: !seq.clock, slow: %slow: !seq.clock, reset: %reset: i1) -> (sum: i64)"
        );
        names.push(format!("%sum{number}"));
        types.push("i64");
    }
    let _ = write!(
        text,
        "  hw.module @{TOP}(in %clock : !seq.clock, in %slow : !seq.clock, in %reset : i1{ports}) {{\n{instances}    hw.output {} : {}\n  }}\n}}\n",
        names.join(", "),
        types.join(", ")
    );
    text
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The first difference, if there is one: its cycle and its seed.
    pub fault: Option<String>,
    /// Seeds of circuits on which only Verilator's optimisations differ: without some of them Verilator agrees with the
    /// simulator.
    pub in_doubt: Vec<u64>,
}

impl From<Option<String>> for Found {
    fn from(fault: Option<String>) -> Self {
        let in_doubt = Vec::new();
        Self { fault, in_doubt }
    }
}

/// Runs circuits of `n` seeds on all engines.
///
/// # Errors
/// The reason why a circuit cannot be read, simulated or built.
pub fn check(
    first_seed: u64,
    n: u64,
    n_cycles: u64,
    with_verilator: bool,
) -> Result<Found, String> {
    let text = batch(first_seed, n);
    let failed = |failure: Failure| match failure {
        Failure::Input(message) | Failure::Internal(message) => message,
    };
    let circuit = Circuit::read(&text, "circuits.mlir", Some(TOP)).map_err(failed)?;
    let circuit = circuit.ok_or("the text has no circuit")?;
    let slow = sums(&circuit, Backend::Bytecode, n_cycles).map_err(failed)?;
    let differ = |what: &str, found: &[Vec<u64>]| {
        let mut pairs = slow.iter().zip(found).enumerate();
        pairs.find_map(|(cycle, (slow, found))| {
            let at = slow.iter().zip(found).position(|(a, b)| a != b)?;
            let seed = first_seed + at as u64;
            Some(format!(
                "seed {seed}, cycle {cycle}: {:#x} by bytecode, {:#x} by {what}",
                slow[at], found[at]
            ))
        })
    };
    for form in Backend::machine_code() {
        let fast = sums(&circuit, form, n_cycles).map_err(failed)?;
        if let Some(found) = differ(&format!("machine code ({form:?})"), &fast) {
            return Ok(Some(found).into());
        }
    }
    let settings = Settings {
        surroundings: surroundings(),
        ..Settings::default()
    };
    // Circuits with other clock edges cannot run in batches.
    if circuit
        .simulator(&settings)
        .map_err(failed)?
        .has_plain_ticks()
    {
        let side_by_side = sums_of_batch(&circuit, n_cycles).map_err(failed)?;
        if let Some(found) = differ("one of several runs", &side_by_side) {
            return Ok(Some(found).into());
        }
    }
    if !with_verilator {
        return Ok(Found::default());
    }
    let verilog = circuit.verilog().map_err(failed)?;
    let mut open: Vec<usize> = (0..slow.first().map_or(0, Vec::len)).collect();
    let (mut first, mut in_doubt) = (None, Vec::new());
    let mut why_not = String::new();
    for (attempt, without) in LEFT_OUT.iter().enumerate() {
        let theirs = match verilated(&verilog, n, n_cycles, without) {
            Ok(theirs) => theirs,
            Err(why) => {
                why_not = why;
                continue;
            }
        };
        if theirs.len() != slow.len() {
            return Err(format!("Verilator ran {} cycles", theirs.len()));
        }
        let agrees = |at: &usize| slow.iter().zip(&theirs).all(|(a, b)| a[*at] == b[*at]);
        let (same, others): (Vec<usize>, Vec<usize>) = open.into_iter().partition(agrees);
        if attempt > 0 {
            in_doubt.extend(same.iter().map(|at| first_seed + *at as u64));
        }
        if others.is_empty() {
            in_doubt.sort_unstable();
            let fault = None;
            return Ok(Found { fault, in_doubt });
        }
        first = first.or_else(|| differ("Verilator", &theirs));
        open = others;
    }
    match first {
        None => Err(why_not),
        fault => Ok(Found { fault, in_doubt }),
    }
}

/// Sets of Verilator optimisations to disable, tried one after the other until it agrees. In Verilator 5.006, those of signed
/// comparisons, constants, wide words and graphs are sometimes wrong. Disabling all of them sometimes causes an internal error.
/// With `-O0`, an inverted clock has an edge at the very start.
const LEFT_OUT: [&[&str]; 5] = [
    &["-fno-expand"],
    &["-fno-const", "-fno-expand", "-fno-dfg"],
    &["-O0"],
    &["-fno-const", "-fno-expand"],
    &["-fno-const", "-fno-expand", "-fno-gate"],
];

/// Returns the timing of the clocks of a circuit.
fn surroundings() -> Surroundings {
    let clock = |name: &str, period: u32, phase: u32| ClockTiming {
        name: name.to_owned(),
        period,
        phase,
    };
    Surroundings {
        clocks: vec![clock("clock", 1, 0), clock("slow", SLOW, 1)],
        ..Surroundings::default()
    }
}

/// Returns the outputs of the last of five runs in a batch, which is in a different vector than the first.
fn sums_of_batch(circuit: &Circuit, n_cycles: u64) -> Result<Vec<Vec<u64>>, Failure> {
    const N_RUNS: usize = 5;
    let mut batch = circuit.batch(&surroundings(), N_RUNS, 2)?;
    let reset = batch.inputs().position(|port| port.name == "reset");
    let set = |batch: &mut BatchSimulator, value: u64| {
        for run in 0..N_RUNS {
            batch.set_input(run, reset.unwrap_or(0), &Bits::from_u64(1, value));
        }
    };
    set(&mut batch, 1);
    batch.run_cycles(2);
    set(&mut batch, 0);
    let mut all = Vec::new();
    for cycle in 0..n_cycles {
        batch.evaluate();
        let run = if cycle % 2 == 0 { 0 } else { N_RUNS - 1 };
        let outputs = 0..batch.outputs().len();
        all.push(outputs.map(|at| batch.output(run, at).limb(0)).collect());
        batch.run_cycles(1);
    }
    Ok(all)
}

/// Returns the outputs in every cycle after a reset of two cycles.
fn sums(circuit: &Circuit, backend: Backend, n_cycles: u64) -> Result<Vec<Vec<u64>>, Failure> {
    let mut simulator = circuit.simulator(&Settings {
        backend,
        surroundings: surroundings(),
        ..Settings::default()
    })?;
    let reset = simulator.input_index("reset").unwrap_or(0);
    simulator.set_input(reset, &Bits::from_u64(1, 1));
    simulator.run_cycles(2);
    simulator.set_input(reset, &Bits::from_u64(1, 0));
    let mut all = Vec::new();
    for _ in 0..n_cycles {
        simulator.run_cycle();
        let outputs = 0..simulator.outputs().len();
        all.push(outputs.map(|at| simulator.output(at).low_u64()).collect());
    }
    Ok(all)
}

fn verilated(
    verilog: &str,
    n: u64,
    n_cycles: u64,
    without: &[&str],
) -> Result<Vec<Vec<u64>>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("circuits.v", verilog)?;
    let mut prints = String::new();
    for number in 0..n {
        let _ = writeln!(
            prints,
            "        std::printf(\"%llx \", (unsigned long long)top.sum{number});"
        );
    }
    write(
        "main.cpp",
        &format!(
            "#include \"Vdut.h\"\n#include <cstdio>\nint main() {{\n    Vdut top;\n    top.reset = 1;\n\
             \x20   for (int i = 0; i < {n_cycles}; i++) {{\n        if (i == 2) top.reset = 0;\n        top.eval();\n\
             \x20       if (i >= 2) {{\n{prints}        std::puts(\"\");\n        }}\n\
             \x20       for (int half = 2 * i; half < 2 * i + 2; half++) {{\n            top.clock = half % 2 == 0;\n\
             \x20           if (half % {0} == 2) top.slow = 1;\n            if (half % {0} == {1}) top.slow = 0;\n\
             \x20           top.eval();\n        }}\n    }}\n}}\n",
            2 * SLOW,
            (2 + SLOW) % (2 * SLOW),
            n_cycles = n_cycles + 2
        ),
    )?;
    let mut arguments = vec!["-Wno-fatal", "--x-initial", "0", "circuits.v"];
    arguments.extend(without);
    build(folder.path(), TOP, &arguments)?;
    let printed = run(folder.path(), &[])?;
    let line = |line: &str| -> Result<Vec<u64>, String> {
        line.split_whitespace()
            .map(|word| u64::from_str_radix(word, 16).map_err(|error| error.to_string()))
            .collect()
    };
    printed.lines().map(line).collect()
}
