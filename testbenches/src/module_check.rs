//! Comparison of modules of any circuit under random inputs: the cycle simulator against Verilator, for every output in every
//! cycle.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use sluice_kernel::compiled::Failure;
use sluice_verify::circuit::{
    Backend, Bits, Circuit, ClockTiming, Direction, Settings, Surroundings,
};

use crate::verilator::{build, finish, run};

/// The most bits of a port of the module that instantiates all others.
const CHUNK: u32 = 64;

/// A module to compare.
pub struct Subject {
    /// Its circuit, whose top is the module.
    pub circuit: Circuit,
    /// The timing of its clocks; other clocks rise in every cycle.
    pub clocks: Vec<ClockTiming>,
}

/// A module that has been simulated, with its Verilog.
pub struct Prepared {
    top: String,
    verilog: String,
    clocks: Vec<ClockTiming>,
    inputs: Vec<(String, u32)>,
    outputs: Vec<(String, u32)>,
    /// Chunks of the outputs in every cycle.
    shown: Vec<Vec<u64>>,
}

/// The random numbers, equal here and in the C++ harness (G. Marsaglia, 2003).
struct Stimulus(u64);

impl Stimulus {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

fn message(failure: Failure) -> String {
    match failure {
        Failure::Input(message) | Failure::Internal(message) => message,
    }
}

fn chunks(width: u32) -> impl Iterator<Item = u32> {
    (0..width.div_ceil(CHUNK)).map(move |at| (width - at * CHUNK).min(CHUNK))
}

fn mask(bits: u32) -> u64 {
    match bits {
        CHUNK.. => u64::MAX,
        _ => (1 << bits) - 1,
    }
}

/// Returns the outputs of a module in `n_cycles` cycles with random inputs, on a backend.
///
/// # Errors
/// The reason why it cannot be simulated.
pub fn simulated(
    subject: &Subject,
    backend: Backend,
    n_cycles: u64,
) -> Result<Vec<Vec<u64>>, String> {
    let mut simulator = subject
        .circuit
        .simulator(&Settings {
            backend,
            surroundings: Surroundings {
                clocks: subject.clocks.clone(),
                ..Surroundings::default()
            },
            ..Settings::default()
        })
        .map_err(message)?;
    let inputs: Vec<u32> = simulator.inputs().map(|port| port.width_bits).collect();
    let n_outputs = simulator.outputs().len();
    let mut stimulus = Stimulus(SEED);
    let mut shown = Vec::new();
    simulator.evaluate();
    for _ in 0..n_cycles {
        for (index, width) in inputs.iter().enumerate() {
            let limbs: Vec<u64> = chunks(*width)
                .map(|bits| stimulus.next() & mask(bits))
                .collect();
            simulator.set_input(index, &Bits::from_limbs(*width, &limbs));
        }
        simulator.run_cycle();
        let mut all = Vec::new();
        for index in 0..n_outputs {
            let value = simulator.output(index);
            let n = chunks(value.width()).count();
            all.extend((0..n).map(|limb| value.limb(limb)));
        }
        shown.push(all);
    }
    if simulator.is_unsettled() {
        return Err("clocks or asynchronous resets go on changing within a cycle".to_owned());
    }
    Ok(shown)
}

/// Simulates a module and emits its Verilog.
///
/// # Errors
/// The reason why it cannot be simulated or emitted.
pub fn prepare(subject: &Subject, n_cycles: u64) -> Result<Prepared, String> {
    let shown = simulated(subject, Backend::Bytecode, n_cycles)?;
    let simulator = subject
        .circuit
        .simulator(&Settings {
            surroundings: Surroundings {
                clocks: subject.clocks.clone(),
                ..Surroundings::default()
            },
            ..Settings::default()
        })
        .map_err(message)?;
    let (mut clocks, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    let mut of_inputs = simulator.inputs().map(|port| port.width_bits);
    let mut of_outputs = simulator.outputs().map(|port| port.width_bits);
    for (port, name) in subject.circuit.verilog_ports() {
        let is_output = port.direction == Direction::Output;
        let mut all = simulator.clocks().iter();
        match all.find(|clock| !is_output && clock.name == port.name) {
            Some(clock) => clocks.push(ClockTiming {
                name,
                ..clock.clone()
            }),
            None if is_output => outputs.extend(of_outputs.next().map(|width| (name, width))),
            None => inputs.extend(of_inputs.next().map(|width| (name, width))),
        }
    }
    Ok(Prepared {
        top: subject.circuit.verilog_name(),
        verilog: subject.circuit.verilog().map_err(message)?,
        clocks,
        inputs,
        outputs,
        shown,
    })
}

/// Returns Verilator's complaint about each module, if there is one; finds the modules by bisection.
pub fn complaints(modules: &[&Prepared]) -> Vec<Option<String>> {
    match (lint(modules), modules) {
        (Ok(()), _) => vec![None; modules.len()],
        (Err(why), [_]) => vec![Some(why)],
        (Err(_), _) => {
            let (first, rest) = modules.split_at(modules.len() / 2);
            let mut found = complaints(first);
            found.extend(complaints(rest));
            found
        }
    }
}

fn lint(modules: &[&Prepared]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let file = folder.path().join("all.v");
    std::fs::write(file, text_of(modules)).map_err(|error| format!("all.v: {error}"))?;
    let mut verilate = Command::new("verilator");
    verilate.args([
        "--lint-only",
        "-Wno-fatal",
        "--top-module",
        "all_modules",
        "all.v",
    ]);
    finish(folder.path(), verilate).map(|_| ()).map_err(|why| {
        let error = why.lines().find(|line| line.contains("%Error"));
        error.unwrap_or("Verilator failed").to_owned()
    })
}

/// Returns the Verilog of the modules and of the one that instantiates them.
fn text_of(modules: &[&Prepared]) -> String {
    let mut text = String::new();
    for (number, module) in modules.iter().enumerate() {
        text += &with_own_names(&module.verilog, number);
    }
    text + &around(modules)
}

/// Returns the first difference of each module, if there is one.
///
/// # Errors
/// The reason why the model of all modules cannot be built or run.
pub fn compare(modules: &[&Prepared], n_cycles: u64) -> Result<Vec<Option<String>>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("all.v", &text_of(modules))?;
    write("main.cpp", &harness(modules, n_cycles))?;
    build(folder.path(), "all_modules", &["-Wno-fatal", "all.v"])?;
    let printed = run(folder.path(), &[])?;
    let mut lines = printed.lines();
    let mut found = Vec::new();
    for module in modules {
        let theirs: Vec<Vec<u64>> = lines
            .by_ref()
            .take(usize::try_from(n_cycles).map_err(|error| error.to_string())?)
            .map(|line| {
                let words = line.split_whitespace();
                words
                    .filter_map(|word| u64::from_str_radix(word, 16).ok())
                    .collect()
            })
            .collect();
        let mut pairs = module.shown.iter().zip(&theirs).enumerate();
        let different = pairs.find(|(_, (ours, theirs))| ours != theirs);
        found.push(different.map(|(cycle, (ours, theirs))| {
            format!(
                "@{}, cycle {cycle}: {ours:x?}, {theirs:x?} by Verilator",
                module.top
            )
        }));
    }
    Ok(found)
}

/// Returns name and width of each chunk of a list of ports.
fn chunk_ports(letter: char, number: usize, ports: &[(String, u32)]) -> Vec<(String, u32)> {
    let mut all = Vec::new();
    for (port, (_, width)) in ports.iter().enumerate() {
        for (chunk, bits) in chunks(*width).enumerate() {
            all.push((format!("{letter}{number}_{port}_{chunk}"), bits));
        }
    }
    all
}

/// Returns the module that instantiates all others.
fn around(modules: &[&Prepared]) -> String {
    let (mut ports, mut instances) = (Vec::new(), String::new());
    for (number, module) in modules.iter().enumerate() {
        let mut pins = Vec::new();
        for clock in 0..module.clocks.len() {
            ports.push(format!("input wire c{number}_{clock}"));
            let name = &module.clocks[clock].name;
            pins.push(format!(".{name}(c{number}_{clock})"));
        }
        for (letter, direction, of) in [
            ('i', "input", &module.inputs),
            ('o', "output", &module.outputs),
        ] {
            let all = chunk_ports(letter, number, of);
            for (name, bits) in &all {
                ports.push(format!("{direction} wire [{}:0] {name}", bits - 1));
            }
            let mut rest = all.into_iter();
            for (port, width) in of.iter() {
                let own = rest.by_ref().take(chunks(*width).count());
                let mut own: Vec<String> = own.map(|(name, _)| name).collect();
                own.reverse();
                if !own.is_empty() {
                    pins.push(format!(".{port}({{{}}})", own.join(", ")));
                }
            }
        }
        let _ = writeln!(
            instances,
            "  {}_of{number} m{number} (\n    {}\n  );",
            module.top,
            pins.join(",\n    ")
        );
    }
    format!(
        "module all_modules (\n  {}\n);\n{instances}endmodule\n",
        ports.join(",\n  ")
    )
}

/// Returns the C++ harness: it sets inputs after the falling edges, reads outputs before the rising edges, and simulates the two
/// halves of a tick in order.
fn harness(modules: &[&Prepared], n_cycles: u64) -> String {
    let mut text = String::from(
        "#include \"Vdut.h\"\n#include <cstdio>\n#include <cstdint>\nstatic uint64_t state;\n\
         static uint64_t next() {\n  state ^= state << 13;\n  state ^= state >> 7;\n  state ^= state << 17;\n  return state;\n}\n\
         static Vdut top;\n",
    );
    for (number, module) in modules.iter().enumerate() {
        let _ = writeln!(
            text,
            "static void run{number}() {{\n  state = {SEED}ull;\n  for (uint64_t tick = 0; tick < {n_cycles}; tick++) {{"
        );
        for (name, bits) in chunk_ports('i', number, &module.inputs) {
            let _ = writeln!(text, "    top.{name} = next() & {}ull;", mask(bits));
        }
        text += "    top.eval();\n";
        for (name, _) in chunk_ports('o', number, &module.outputs) {
            let _ = writeln!(
                text,
                "    std::printf(\"%llx \", (unsigned long long)top.{name});"
            );
        }
        text += "    std::puts(\"\");\n    for (uint64_t half = 2 * tick; half < 2 * tick + 2; half++) {\n";
        for (clock, timing) in module.clocks.iter().enumerate() {
            let (period, phase) = (2 * timing.period, 2 * timing.phase);
            let middle = (phase + timing.period) % period;
            let _ = writeln!(
                text,
                "      if (half % {period} == {phase}) top.c{number}_{clock} = 1;\n      else if (half % {period} == {middle}) top.c{number}_{clock} = 0;"
            );
        }
        text += "      top.eval();\n    }\n  }\n}\n";
    }
    text += "int main() {\n  top.eval();\n";
    for number in 0..modules.len() {
        let _ = writeln!(text, "  run{number}();");
    }
    text + "}\n"
}

/// Appends a number to the names of all modules in a Verilog text.
fn with_own_names(verilog: &str, number: usize) -> String {
    let mut text = String::with_capacity(verilog.len());
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let modules: BTreeSet<&str> = verilog
        .lines()
        .filter_map(|line| line.strip_prefix("module "))
        .filter_map(|rest| rest.split(|c: char| !is_name(c)).next())
        .collect();
    for line in verilog.lines() {
        // The name of a module is the second word of its header and the first word of an instance.
        let trimmed = line.trim_start();
        let first = trimmed.split(|c: char| !is_name(c)).next().unwrap_or("");
        let rest = trimmed.strip_prefix("module ").unwrap_or(trimmed);
        let name = rest.split(|c: char| !is_name(c)).next().unwrap_or("");
        if modules.contains(name) && (first == "module" || rest.contains(" (")) {
            let head = &line[..line.len() - rest.len()];
            let _ = writeln!(text, "{head}{name}_of{number}{}", &rest[name.len()..]);
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
