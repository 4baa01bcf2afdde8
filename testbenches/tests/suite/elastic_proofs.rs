//! Deadlock proofs of dataflow graphs: those of all examples succeed. A graph with changed buffers is proved only if it runs.

use std::path::Path;

use sluice_config::Style;
use sluice_dialects::handshake::BUFFER_KINDS;
use sluice_elastic::{Verdict, prove};
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Module, OperationId, View};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::tokens::{TokenError, TokenSimulator};
use sluice_testbenches::random_program::program;
use sluice_testbenches::sweep;
use sluice_verify::data::{Case, Random};

use crate::elastic_graphs::{checked_kernels, elastic, shipped};

/// Cycles after which a run fails.
const MAX_CYCLES: u64 = 1_000_000;

fn function(network: &Compiled, module: &Module) -> OperationId {
    module
        .lookup_symbol(&network.context, &network.top)
        .expect("the kernel")
}

fn verdict(network: &Compiled, module: &Module) -> Verdict {
    prove(View::new(
        &network.context,
        module.inner(),
        function(network, module),
    ))
}

fn graph(folder: &Path) -> &'static Compiled {
    elastic(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
}

#[test]
fn graphs_of_examples_are_proved() {
    let mut wrong = Vec::new();
    for folder in checked_kernels() {
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let network = graph(&folder);
        let body = network.scheduled.inner();
        let said = body.attribute_named(
            &network.context,
            function(network, &network.scheduled),
            "sluice.deadlock_free",
        );
        match (verdict(network, &network.scheduled), said) {
            (Verdict::Proved { method }, _) => println!("{name}: {method}"),
            // Loops that pass words to one another were simulated instead.
            (Verdict::Unknown { .. }, Some(said)) => {
                println!(
                    "{name}: {}",
                    said.as_str(&network.context).unwrap_or_default()
                );
            }
            (other, _) => wrong.push(format!("{name}: {other:?}")),
        }
        if said.is_none() {
            wrong.push(format!("{name}: the function does not say so"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns whether a run of a graph ends in a deadlock; `None` if the graph cannot be run cycle by cycle.
fn reaches_deadlock(network: &Compiled, module: &Module, case: &Case) -> Option<bool> {
    let mut simulator = TokenSimulator::new(&network.context, module, &network.top).ok()?;
    simulator.check_timing().ok()?;
    let ran = simulator.run(&case.arguments, MAX_CYCLES);
    Some(matches!(ran, Err(TokenError::Deadlock(_))))
}

/// Examples with one loop, nested loops, and conditionals in loops.
const BROKEN: &[&str] = &[
    "gcd",
    "dot",
    "crc32",
    "insertion_sort",
    "peers/gcd_subtractive",
    "irregular/degrees",
    "irregular/run_length",
    "irregular/spmv",
];

/// An example whose buffers are changed, with its buffers and a data set for runs.
struct Broken {
    name: &'static str,
    network: &'static Compiled,
    case: Case,
    function: OperationId,
    buffers: Vec<OperationId>,
    n_proved: usize,
    n_deadlocks: usize,
}

impl Broken {
    fn new(name: &'static str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = root
            .parent()
            .expect("the workspace")
            .join("examples")
            .join(name);
        let network = graph(&folder);
        let data = shipped(&folder, network).unwrap_or_else(|why| panic!("{name}: {why}"));
        let case = data.cases.into_iter().next();
        let function = function(network, &network.scheduled);
        let body = View::new(&network.context, network.scheduled.inner(), function).inner();
        // Without its address queue, a store would be hidden from loads. That would be a different graph, not the same one with
        // different buffers.
        let is_buffer = |op: &OperationId| {
            let view = View::new(&network.context, body, *op);
            view.name() == "handshake.buffer" && view.attribute("sluice.pending").is_none()
        };
        let buffers = body.walk_all().into_iter().filter(is_buffer).collect();
        Self {
            name,
            case: case.expect("a case"),
            function,
            buffers,
            network,
            n_proved: 0,
            n_deadlocks: 0,
        }
    }

    fn starts(&self, buffer: OperationId) -> bool {
        let body = self.network.scheduled.inner().inner(self.function);
        body.attribute_named(&self.network.context, buffer, "initValues")
            .is_some()
    }

    /// Compares the verdict on a graph with a run of it.
    fn judge(&mut self, broken: &Module) -> Verdict {
        let Self { name, network, .. } = self;
        let found = verdict(network, broken);
        let reaches_deadlock = || reaches_deadlock(network, broken, &self.case);
        match &found {
            Verdict::Proved { method } => {
                assert_ne!(
                    reaches_deadlock(),
                    Some(true),
                    "{name}: proved, and in a deadlock: {method}"
                );
                self.n_proved += 1;
            }
            Verdict::Deadlock {
                waiting_channels, ..
            } => {
                assert!(!waiting_channels.is_empty(), "{name}: nothing waits");
                self.n_deadlocks += 1;
            }
            // Graphs with combinational loops are rejected when circuits are built.
            Verdict::Unknown { .. } => assert!(
                reaches_deadlock() != Some(true),
                "{name}: not known, and in a deadlock"
            ),
        }
        found
    }
}

fn remove(body: &mut Body, buffer: OperationId) {
    let (from, to) = (body.operand(buffer, 0), body.result(buffer, 0));
    body.replace_all_uses(to, from);
    body.erase(buffer);
}

#[test]
fn graphs_without_a_buffer_are_proved_only_if_they_run() {
    let (mut n_proved, mut n_deadlocks) = (0, 0);
    for name in BROKEN {
        let mut example = Broken::new(name);
        for buffer in example.buffers.clone() {
            let mut broken = example.network.scheduled.clone();
            let body = broken.inner_mut().inner_mut(example.function);
            if example.starts(buffer) {
                // Without the initial token, the first iteration cannot start.
                body.remove_attribute(buffer, example.network.context.name("initValues"));
                let found = example.judge(&broken);
                assert!(
                    matches!(found, Verdict::Deadlock { .. }),
                    "{name}: a token is missing"
                );
                assert_eq!(
                    reaches_deadlock(example.network, &broken, &example.case),
                    Some(true)
                );
            } else {
                remove(body, buffer);
                example.judge(&broken);
            }
        }
        n_proved += example.n_proved;
        n_deadlocks += example.n_deadlocks;
    }
    println!("{n_proved} proved, {n_deadlocks} deadlocks");
    assert!(
        n_proved >= 20 && n_deadlocks >= 8,
        "{n_proved} proved, {n_deadlocks} deadlocks"
    );
}

#[test]
fn graphs_with_other_buffers_are_proved_only_if_they_run() {
    let (mut n_proved, mut n_deadlocks) = (0, 0);
    for name in BROKEN {
        let mut example = Broken::new(name);
        let mut random = Random::new(7);
        for _ in 0..60 {
            let mut broken = example.network.scheduled.clone();
            let body = broken.inner_mut().inner_mut(example.function);
            let context = &example.network.context;
            for buffer in &example.buffers {
                if example.starts(*buffer) || !random.next_u64().is_multiple_of(8) {
                    continue;
                }
                let (kind, cut) = match random.next_u64() % 4 {
                    0 => (1, None),
                    1 => (0, Some("data")),
                    2 => (0, None),
                    _ => {
                        remove(body, *buffer);
                        continue;
                    }
                };
                let slots = Bits::from_u64(32, 1);
                let slots = context.integer_attribute(context.integer_type(32), slots);
                body.set_attribute(*buffer, context.name("slots"), slots);
                let kind = BUFFER_KINDS.attribute(context, kind);
                body.set_attribute(*buffer, context.name("bufferType"), kind);
                body.remove_attribute(*buffer, context.name("sluice.cut"));
                if let Some(cut) = cut {
                    body.set_attribute(
                        *buffer,
                        context.name("sluice.cut"),
                        context.string_attribute(cut),
                    );
                }
            }
            example.judge(&broken);
        }
        n_proved += example.n_proved;
        n_deadlocks += example.n_deadlocks;
    }
    println!("{n_proved} proved, {n_deadlocks} deadlocks");
    assert!(
        n_proved >= 100 && n_deadlocks >= 1,
        "{n_proved} proved, {n_deadlocks} deadlocks"
    );
}

/// Seed of the first random program, and the number of programs in the gate.
const FIRST_PROGRAM: u64 = 13;
const N_PROGRAMS: u64 = 6;

#[test]
fn graphs_of_random_programs_are_proved() {
    let mut wrong = Vec::new();
    let mut n_proved = 0;
    let n_programs = sweep::cases(N_PROGRAMS);
    for seed in FIRST_PROGRAM..FIRST_PROGRAM + n_programs {
        let mut program = program(seed);
        program.config.style = Style::Elastic;
        // Otherwise flattened nests would be compiled too, and compared.
        program.config.flatten = false;
        // Calls that remain have no elastic circuit.
        program.config.keep.clear();
        let network = match compile(&program.text(), "kernel.mlir", &program.config) {
            Ok(network) => network,
            Err(Failure::Input(message) | Failure::Internal(message)) => {
                if message.contains("deadlock") {
                    wrong.push(format!("seed {seed}: {message}"));
                }
                continue;
            }
        };
        match verdict(&network, &network.scheduled) {
            Verdict::Proved { .. } => n_proved += 1,
            other => wrong.push(format!("seed {seed}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_proved * 3 >= n_programs, "{n_proved} graphs");
}
