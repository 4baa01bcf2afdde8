//! The workloads that `testbenches/ratchet/run` measures: `ratchet --list`, `ratchet NAME`.
//!
//! They are deterministic: no clock, no random numbers without a seed, one thread. The simulator uses the form of code that is
//! the same on every machine.

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

use sluice_config::Config;
use sluice_flow::pipeline::{self, compile_circuit};
use sluice_flow::schedule_problem::{self, SolverOptions};
use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Context, Diagnostics, Module, bytecode, verifier};
use sluice_testbenches::ratchet::{problems, text};
use sluice_verify::circuit::{Backend, Circuit, Settings};

/// Numbers of functions and operations of the module that is parsed, verified and printed.
const MODULE: (usize, usize) = (20, 500);

/// Kernels of `examples` to compile, each with its configuration.
const KERNELS: [(&str, &str); 5] = [
    ("gcd", ""),
    ("fir", ""),
    ("histogram", ""),
    ("crc32", ""),
    ("prefix_sum", "style: elastic\n"),
];

/// Circuits to simulate, with the number of cycles.
const CIRCUITS: [(&str, &str, u64); 3] = [
    (
        "registers",
        include_str!("../../ratchet/registers.mlir"),
        4000,
    ),
    ("memory", include_str!("../../ratchet/memory.mlir"), 4000),
    ("wide", include_str!("../../ratchet/wide.mlir"), 2000),
];

struct Workload {
    name: String,
    run: Box<dyn Fn()>,
}

fn workloads() -> Vec<Workload> {
    let mut all = Vec::new();
    let mut add = |name: &str, run: Box<dyn Fn()>| {
        all.push(Workload {
            name: name.to_owned(),
            run,
        });
    };
    add("parse", Box::new(parse));
    add("verify", Box::new(verify));
    add("print", Box::new(print));
    add("bytecode", Box::new(through_bytecode));
    add("canonicalize", Box::new(canonicalize));
    for (kernel, config) in KERNELS {
        let run = move || compile_kernel(kernel, config);
        add(&format!("compile {kernel}"), Box::new(run));
    }
    add("schedule 20 loops", Box::new(schedule));
    for (name, source, n_cycles) in CIRCUITS {
        let run = move || simulate(source, n_cycles);
        add(&format!("simulate {name}"), Box::new(run));
    }
    all
}

/// Instructions are counted only inside this function; everything else is preparation.
#[inline(never)]
fn measured<R>(work: impl FnOnce() -> R) -> R {
    black_box(work())
}

fn module(context: &Context, source: &str) -> Module {
    let mut found = Diagnostics::new();
    let module = parse_module(context, source, "module.mlir", &mut found);
    module.expect("the text is right")
}

fn parse() {
    let (context, source) = (sluice_dialects::context(), text(MODULE));
    let _module = measured(|| module(&context, &source));
}

fn verify() {
    let context = sluice_dialects::context();
    let module = module(&context, &text(MODULE));
    let mut found = Diagnostics::new();
    measured(|| verifier::verify(&context, &module, &mut found));
    assert!(!found.has_errors(), "the module is right");
}

fn print() {
    let context = sluice_dialects::context();
    let module = module(&context, &text(MODULE));
    let text = measured(|| print_module(&context, &module, &PrintOptions::default()));
    assert!(!text.is_empty(), "a module is some text");
}

fn through_bytecode() {
    let context = sluice_dialects::context();
    let module = module(&context, &text(MODULE));
    let read = measured(|| {
        let options = bytecode::WriteOptions::default();
        let data = bytecode::write(&context, &module, &options).ok()?;
        bytecode::read(&context, &data, "module.mlirbc", &mut Diagnostics::new())
    });
    assert!(read.is_some(), "what was written can be read");
}

fn canonicalize() {
    let source = text(MODULE);
    let passes = ["canonicalize".to_owned()];
    let config = Config::default();
    let printed = measured(|| {
        let mut nothing = |_: &str, _: &str| {};
        pipeline::optimise(
            &source,
            "module.mlir",
            &passes,
            &config,
            false,
            false,
            &mut nothing,
        )
    });
    assert!(printed.is_ok(), "the pass runs");
}

fn compile_kernel(kernel: &str, config: &str) {
    let file = format!("examples/{kernel}/kernel.mlir");
    let source =
        std::fs::read_to_string(Path::new(&file)).expect("run at the root of the repository");
    let config = Config::from_yaml(config, "config.yaml").expect("the configuration is right");
    let compiled = measured(|| compile_circuit(&source, &file, &config));
    assert!(
        compiled.is_ok_and(|compiled| !compiled.verilog.is_empty()),
        "the example compiles"
    );
}

fn schedule() {
    let source = problems(20);
    measured(|| {
        let given = schedule_problem::read(&source, "loops.yaml", None);
        let Ok(schedule_problem::Given::Problems(file)) = given else {
            panic!("the file has problems, and they are right");
        };
        for problem in &file.problems {
            problem
                .solve(&SolverOptions::default())
                .expect("there is a schedule");
        }
    });
}

fn simulate(source: &str, n_cycles: u64) {
    let circuit = Circuit::read(source, "circuit.mlir", None);
    let circuit = circuit.ok().flatten().expect("the circuit is right");
    let settings = Settings {
        backend: Backend::Bytecode,
        ..Settings::default()
    };
    measured(|| {
        let mut simulator = circuit
            .simulator(&settings)
            .expect("the circuit can be simulated");
        for _ in 0..n_cycles {
            simulator.run_cycle();
        }
        black_box(simulator.output(0));
    });
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.join(" ");
    if name == "--list" {
        for workload in workloads() {
            println!("{}", workload.name);
        }
        return ExitCode::SUCCESS;
    }
    let Some(workload) = workloads()
        .into_iter()
        .find(|workload| workload.name == name)
    else {
        eprintln!("usage: ratchet --list | ratchet NAME; there is no workload `{name}`");
        return ExitCode::from(2);
    };
    // All work is done by this thread: with several threads the count would differ from run to run.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread();
    pool.build_global().expect("nothing ran in parallel so far");
    (workload.run)();
    ExitCode::SUCCESS
}
