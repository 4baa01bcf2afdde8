//! Dataflow graphs that are proved to come to their end.

use std::fs;
use std::time::Instant;

use sluice_elastic::{Verdict, prove};
use sluice_flow::config::Config;
use sluice_flow::elastic::network;
use sluice_ir::View;

use crate::elastic_graphs::kernels;

#[test]
fn graphs_of_all_examples_are_proved() {
    let mut wrong = Vec::new();
    for folder in kernels() {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let source = fs::read_to_string(folder.join("kernel.mlir")).expect("a kernel");
        let network = match network(&source, "kernel.mlir", &Config::default()) {
            Ok(network) => network,
            Err(_) => {
                wrong.push(format!("{name}: no graph"));
                continue;
            }
        };
        if let Ok(folder) = std::env::var("GRAPHS") {
            let text = sluice_ir::text::print_module(&network.context, &network.graph, &Default::default());
            fs::write(format!("{folder}/{name}.mlir"), text).expect("written");
        }
        let function = network.graph.lookup_symbol(&network.context, &network.top).expect("the kernel");
        let view = View::new(&network.context, network.graph.inner(), function);
        let begin = Instant::now();
        let verdict = prove(view);
        let time = begin.elapsed();
        match verdict {
            Verdict::Proved { method } => println!("{name}: {method}, {time:?}"),
            other => wrong.push(format!("{name}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
