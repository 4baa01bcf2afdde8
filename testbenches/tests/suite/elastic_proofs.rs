//! Dataflow graphs that are proved to come to their end: those of all examples. Broken ones are not proved, unless they run.

use std::fs;
use std::path::Path;

use sluice_elastic::{Verdict, prove};
use sluice_flow::config::Config;
use sluice_flow::data::{Case, DataFile};
use sluice_flow::elastic::{Network, network};
use sluice_flow::pipeline::compile;
use sluice_ir::{Module, OperationId, View};
use sluice_sim::tokens::{TokenError, TokenSimulator};

use crate::elastic_graphs::kernels;

/// Cycles after which a run is given up.
const MOST_CYCLES: u64 = 1_000_000;

fn function(network: &Network, module: &Module) -> OperationId {
    module
        .lookup_symbol(&network.context, &network.top)
        .expect("the kernel")
}

fn verdict(network: &Network, module: &Module) -> Verdict {
    prove(View::new(
        &network.context,
        module.inner(),
        function(network, module),
    ))
}

fn graph(folder: &Path) -> Network {
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    network(&source, "kernel.mlir", &Config::default())
        .unwrap_or_else(|_| panic!("no graph of {}", folder.display()))
}

#[test]
fn graphs_of_all_examples_are_proved() {
    let mut wrong = Vec::new();
    for folder in kernels() {
        let name = folder
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let network = graph(&folder);
        match verdict(&network, &network.graph) {
            Verdict::Proved { method } => println!("{name}: {method}"),
            other => wrong.push(format!("{name}: {other:?}")),
        }
        let body = network.graph.inner();
        let said = body.attribute_named(
            &network.context,
            function(&network, &network.graph),
            "sluice.deadlock_free",
        );
        if said.is_none() {
            wrong.push(format!("{name}: the function does not say so"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first case of an example.
fn case(folder: &Path) -> Case {
    let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
    let compiled = compile(
        &source,
        "kernel.mlir",
        &Config::default(),
        &mut |_, _, _| {},
    );
    let compiled = compiled.unwrap_or_else(|_| panic!("{} compiles", folder.display()));
    let text = fs::read_to_string(folder.join("data.yaml")).expect("data");
    let data = DataFile::read(&text, "data.yaml", &compiled.interface, &mut |_| {
        Err("no files".to_owned())
    });
    let data = data.unwrap_or_else(|_| panic!("data of {}", folder.display()));
    data.cases.into_iter().next().expect("a case")
}

/// Whether a graph stands still in a run; `None` where it cannot be run cycle by cycle.
fn stands_still(network: &Network, module: &Module, case: &Case) -> Option<bool> {
    let mut simulator = TokenSimulator::new(&network.context, module, &network.top).ok()?;
    simulator.check_timing().ok()?;
    let ran = simulator.run(&case.arguments, MOST_CYCLES);
    Some(matches!(ran, Err(TokenError::Deadlock(_))))
}

#[test]
fn broken_graphs_are_proved_only_if_they_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .join("examples");
    let (mut n_proved, mut n_deadlocks) = (0, 0);
    for name in [
        "gcd",
        "dot",
        "crc32",
        "insertion_sort",
        "peers/gcd_subtractive",
        "irregular/run_length",
        "irregular/spmv",
    ] {
        let folder = root.join(name);
        let (network, case) = (graph(&folder), case(&folder));
        let function = function(&network, &network.graph);
        let buffers: Vec<OperationId> = {
            let body = View::new(&network.context, network.graph.inner(), function).inner();
            let is_buffer = |op: &OperationId| {
                network.context.operation_text(body.name(*op)) == "handshake.buffer"
            };
            body.walk_all().into_iter().filter(is_buffer).collect()
        };
        for buffer in buffers {
            let mut broken = network.graph.clone();
            let body = broken.inner_mut().inner_mut(function);
            let initial = network.context.name("initValues");
            let starts = body.attribute(buffer, initial).is_some();
            match starts {
                // Nothing says that the first iteration is the first.
                true => {
                    body.remove_attribute(buffer, initial);
                }
                false => {
                    let (from, to) = (body.operand(buffer, 0), body.result(buffer, 0));
                    body.replace_all_uses(to, from);
                    body.erase(buffer);
                }
            }
            match verdict(&network, &broken) {
                Verdict::Proved { method } => {
                    assert!(!starts, "{name}: proved without a token: {method}");
                    assert_ne!(
                        stands_still(&network, &broken, &case),
                        Some(true),
                        "{name}: proved, and stands still: {method}"
                    );
                    n_proved += 1;
                }
                Verdict::Deadlock { ring, .. } => {
                    assert!(!ring.is_empty(), "{name}: nothing waits");
                    n_deadlocks += 1;
                }
                Verdict::Unknown { .. } => {
                    let runs = stands_still(&network, &broken, &case);
                    assert!(runs.is_none(), "{name}: not known, but it can be run");
                }
            }
            if starts {
                assert!(
                    matches!(verdict(&network, &broken), Verdict::Deadlock { .. }),
                    "{name}: a token is missing"
                );
                assert_eq!(
                    stands_still(&network, &broken, &case),
                    Some(true),
                    "{name}: a token is missing"
                );
            }
        }
    }
    println!("{n_proved} proved, {n_deadlocks} deadlocks");
    assert!(
        n_proved >= 20 && n_deadlocks >= 8,
        "{n_proved} proved, {n_deadlocks} deadlocks"
    );
}
