//! Determinism: Verilog, the IR after every pass and the reports are identical on one thread and on two, and in every run.

use std::path::Path;

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile_watched;
use sluice_kernel::compiled::{Failure, text};
use sluice_testbenches::random_program::program;

/// Examples with several loops, several functions, wide values and data-dependent branches.
const EXAMPLES: &[&str] = &["chain", "gcd", "insertion_sort", "matvec_i96", "sobel"];

/// Seeds of random programs, some with several functions.
const SEEDS: std::ops::Range<u64> = 500..512;

struct Kernel {
    name: String,
    source: String,
    config: Config,
}

fn kernels() -> Vec<Kernel> {
    let mut kernels: Vec<Kernel> = EXAMPLES
        .iter()
        .map(|name| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../examples")
                .join(name)
                .join("kernel.mlir");
            Kernel {
                name: (*name).to_owned(),
                source: std::fs::read_to_string(path)
                    .expect("the example is part of the repository"),
                config: Config::default(),
            }
        })
        .collect();
    kernels.extend(SEEDS.map(|seed| {
        let program = program(seed);
        Kernel {
            name: format!("seed {seed}"),
            source: program.text(),
            config: program.config,
        }
    }));
    kernels
}

/// Returns all outputs, each with the name of its stage.
fn bytes(kernel: &Kernel) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let compiled = compile_watched(
        &kernel.source,
        "kernel.mlir",
        &kernel.config,
        &mut |pass, module, context| parts.push((pass.to_owned(), text(context, module))),
    );
    match compiled {
        Ok(compiled) => {
            parts.push(("report".to_owned(), sluice_report::text(&compiled)));
            parts.push((
                "json".to_owned(),
                sluice_report::to_json(&compiled).to_string(),
            ));
            parts.push(("verilog".to_owned(), compiled.verilog));
        }
        Err(Failure::Input(message) | Failure::Internal(message)) => {
            parts.push(("message".to_owned(), message));
        }
    }
    parts
}

#[test]
fn one_thread_and_two_threads_write_the_same() {
    let kernels = kernels();
    let on = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .stack_size(32 << 20)
            .build()
            .expect("threads can be started");
        pool.install(|| {
            kernels
                .par_iter()
                .map(bytes)
                .collect::<Vec<Vec<(String, String)>>>()
        })
    };
    let (one, two, again) = (on(1), on(2), on(2));
    for (kernel, ((one, two), again)) in kernels.iter().zip(one.iter().zip(&two).zip(&again)) {
        for other in [two, again] {
            assert_eq!(one.len(), other.len(), "{}: number of stages", kernel.name);
            for ((stage, first), (_, second)) in one.iter().zip(other) {
                assert!(first == second, "{}: {stage} differs", kernel.name);
            }
        }
    }
    let verilog = one.iter().flatten().filter(|(stage, _)| stage == "verilog");
    assert!(
        verilog.count() * 2 > kernels.len(),
        "most kernels get as far as Verilog"
    );
}
