//! Latency formulas: for every kernel with a known latency, the formula gives the cycles of the simulation. A formula derived at
//! one size also gives the cycles at another size with the same schedule.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::Exact;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_report::latency::{Latency, formulas};
use sluice_testbenches::sweep;
use sluice_verify::check::{predicted_cycles, simulate};
use sluice_verify::data::{Random, Ranges, random_case};

use crate::examples_end_to_end::{self, on_two_threads};

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .join("examples");
    let mut found: Vec<PathBuf> = ["", "polybench", "peers"]
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("the examples"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("kernel.mlir").exists())
        .collect();
    found.sort();
    assert!(found.len() > 40, "the examples are there");
    found
}

fn compiled(file: &Path, config: &Config) -> Compiled {
    let source = fs::read_to_string(file).expect("a kernel");
    let name = file.display().to_string();
    match compile(&source, &name, config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(message) | Failure::Internal(message)) => panic!("{message}"),
    }
}

/// Returns the simulated cycles for a random data set; the latency does not depend on the data.
fn simulated(compiled: &Compiled) -> u64 {
    let case = random_case(&compiled.interface, &Ranges::new(), &mut Random::new(3));
    let outcome = simulate(compiled, &case).expect("the circuit finishes");
    outcome.cycles
}

fn kernel_formula(compiled: &Compiled) -> Option<Latency> {
    formulas(compiled).kernel
}

fn without_flattening() -> Config {
    Config {
        flatten: false,
        ..Config::default()
    }
}

#[test]
fn formulas_give_the_cycles_of_the_simulation() {
    let n_static = AtomicUsize::new(0);
    let mut kernels = examples_end_to_end::examples();
    kernels.extend(examples_end_to_end::benchmarks());
    let n_kernels = kernels.len();
    on_two_threads(kernels, |(name, folder)| {
        let alone = compiled(&folder.join("kernel.mlir"), &without_flattening());
        for compiled in [examples_end_to_end::compiled(&name, &folder), &alone] {
            let Some(predicted) = predicted_cycles(compiled) else {
                continue;
            };
            let formula = kernel_formula(compiled);
            let formula = formula.unwrap_or_else(|| panic!("{name}: no formula"));
            let cycles = formula.cycles().and_then(Exact::to_u64);
            assert_eq!(cycles, Some(predicted), "{name}: {formula}");
            assert_eq!(simulated(compiled), predicted, "{name}: {formula}");
            n_static.fetch_add(1, Ordering::Relaxed);
        }
    });
    let n_static = n_static.into_inner();
    assert!(
        n_static > n_kernels,
        "most kernels have a known latency in both forms: {n_static}"
    );
}

#[test]
fn formulas_hold_at_other_sizes() {
    // Nests without idle steps, so the formula depends on trip counts.
    let kernels = ["2mm", "atax", "doitgen", "gemm", "gesummv", "jacobi-2d"];
    let found: Vec<(&str, bool)> = sweep::every_nth(2, kernels)
        .into_par_iter()
        .flat_map_iter(|kernel| [(kernel, true), (kernel, false)])
        .map(|(kernel, flatten)| {
            let config = Config {
                flatten,
                ..Config::default()
            };
            let folder = folders()
                .into_iter()
                .find(|f| f.ends_with(Path::new("polybench").join(kernel)));
            let folder = folder.expect("the kernel is there");
            let small = compiled(&folder.join("kernel.mlir"), &config);
            let large = compiled(&folder.join("mini.mlir"), &config);
            let formulas = [&small, &large].map(|c| kernel_formula(c).expect("a formula"));
            // Wider addresses may take longer; only if the constants are equal is the formula the same for both sizes.
            let is_same = formulas[0].to_string() == formulas[1].to_string();
            if is_same {
                let values: Vec<Option<Exact>> =
                    formulas[1].symbols.iter().map(|s| s.value).collect();
                let cycles = formulas[0]
                    .formula
                    .evaluate(&values)
                    .expect("all are known");
                assert_eq!(
                    cycles.to_u64().expect("a number of cycles"),
                    simulated(&large),
                    "{kernel}: {}",
                    formulas[0]
                );
            }
            (kernel, is_same)
        })
        .collect();
    let n_same = found.iter().filter(|(_, is_same)| *is_same).count();
    assert!(
        n_same * 2 >= found.len(),
        "too few sizes have the same schedule: {found:?}"
    );
}
