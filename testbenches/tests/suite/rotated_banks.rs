//! Accesses at constant distances from each other in an array with banks: random kernels agree with the interpreter.
//!
//! `bank` lets such accesses use their banks together. The distances, strides and numbers of banks are random, in one or two
//! dimensions. Loads, stores and stores under conditions alternate. So groups end at accesses that may touch the same elements.

use std::fmt::Write as _;

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::banks::banked_arrays;
use sluice_kernel::compiled::Failure;
use sluice_testbenches::random_check::run;
use sluice_testbenches::sweep;
use sluice_verify::data::Random;

const N_KERNELS: u64 = 12;

/// Greatest distance of an index from the multiple of the counter.
const MAX_DISTANCE: u64 = 20;

/// One dimension of the array: the index is `counter * stride + distance`.
struct Dim {
    counter: String,
    stride: u64,
    trip_count: u64,
}

fn one_of<T: Copy>(random: &mut Random, all: &[T]) -> T {
    let last = all.len() as u64 - 1;
    all[usize::try_from(random.up_to(last)).expect("few items")]
}

/// Returns a kernel and its configuration.
fn kernel(seed: u64) -> (String, String) {
    let random = &mut Random::new(seed);
    let n_dims = one_of(random, &[1, 1, 2]);
    let dims = (0..n_dims).map(|dim| Dim {
        counter: format!("i{dim}"),
        stride: one_of(random, &[1, 1, 2, 3, 5]),
        trip_count: 1 + random.up_to(5),
    });
    let dims: Vec<Dim> = dims.collect();
    let (array, results) = types(&dims);
    let body = body(random, &dims, &array, &results);
    let mut text = format!("func.func @f(%x: {array}, %y: {results}) {{\n");
    for dim in &dims {
        let _ = writeln!(
            text,
            "affine.for %{} = 0 to {} {{",
            dim.counter, dim.trip_count
        );
    }
    let _ = writeln!(text, "{body}{}return\n}}", "}\n".repeat(dims.len()));
    (text, config(random, &dims))
}

/// Returns the types of the array and of the array of results.
fn types(dims: &[Dim]) -> (String, String) {
    let size = |dim: &Dim| format!("{}x", dim.stride * dim.trip_count + MAX_DISTANCE);
    let sizes: String = dims.iter().map(size).collect();
    let trip_counts: String = dims
        .iter()
        .map(|dim| format!("{}x", dim.trip_count))
        .collect();
    (
        format!("memref<{sizes}i16>"),
        format!("memref<{trip_counts}i16>"),
    )
}

fn body(random: &mut Random, dims: &[Dim], array: &str, results: &str) -> String {
    let most = one_of(random, &[3, 7, MAX_DISTANCE]);
    let mut body = String::new();
    let mut last = String::new();
    for number in 0..2 + random.up_to(6) {
        let index =
            |dim: &Dim| format!("%{} * {} + {}", dim.counter, dim.stride, random.up_to(most));
        let indices: Vec<String> = dims.iter().map(index).collect();
        let element = format!("%x[{}] : {array}", indices.join(", "));
        let kind = if last.is_empty() { 0 } else { random.up_to(9) };
        match kind {
            0..6 => {
                let _ = writeln!(body, "%v{number} = affine.load {element}");
                let load = format!("%v{number}");
                if !last.is_empty() {
                    let _ = writeln!(body, "%s{number} = arith.muli {last}, {load} : i16");
                }
                last = if last.is_empty() {
                    load
                } else {
                    format!("%s{number}")
                };
            }
            6..9 => {
                let _ = writeln!(body, "affine.store {last}, {element}");
            }
            _ => {
                let _ = writeln!(body, "%c{number} = arith.trunci {last} : i16 to i1");
                let _ = writeln!(
                    body,
                    "scf.if %c{number} {{ affine.store {last}, {element} }}"
                );
            }
        }
    }
    let counters: Vec<String> = dims.iter().map(|dim| format!("%{}", dim.counter)).collect();
    let _ = writeln!(
        body,
        "affine.store {last}, %y[{}] : {results}",
        counters.join(", ")
    );
    body
}

fn config(random: &mut Random, dims: &[Dim]) -> String {
    let first = if random.up_to(1) == 0 {
        0
    } else {
        dims.len() - 1
    };
    let splits = (first..dims.len()).map(|dim| {
        let n_banks = 2 + random.up_to(5);
        format!("{{dim: {dim}, factor: {n_banks}}}")
    });
    let splits: Vec<String> = splits.collect();
    let mut config = format!("banks: {{x: [{}]}}\n", splits.join(", "));
    if random.up_to(9) < 7 {
        config += "reuse: off\n";
    }
    if let (Some(inner), 0..3) = (dims.last(), random.up_to(9)) {
        let _ = writeln!(
            config,
            "loops: {{{}: {{unroll: {}}}}}",
            inner.counter, inner.trip_count
        );
    }
    if random.up_to(9) == 0 {
        config += "style: elastic\n";
    }
    config
}

/// Returns the number of accesses that select a bank.
fn check(seed: u64) -> Result<i64, String> {
    let (text, config) = kernel(seed);
    let config = Config::from_yaml(&config, "kernel.yaml").map_err(|all| all[0].to_string())?;
    let compiled = compile(&text, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)?;
    run(&compiled, seed).map_err(|found| format!("{:?}: {}", found.kind, found.fact))?;
    let arrays = banked_arrays(&compiled.context, &compiled.scheduled, "f");
    Ok(arrays.iter().map(|array| array.n_chosen).sum())
}

#[test]
fn accesses_at_constant_distances_in_banks_are_right() {
    let seeds: Vec<u64> = (0..sweep::cases(N_KERNELS)).collect();
    let results: Vec<_> = seeds
        .into_par_iter()
        .map(|seed| (seed, check(seed)))
        .collect();
    let wrong = results.iter().filter_map(|(seed, result)| {
        let why = result.as_ref().err()?;
        let (text, config) = kernel(*seed);
        Some(format!("seed {seed}: {why}\n{config}{text}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let n_chosen: i64 = results
        .iter()
        .filter_map(|(_, result)| result.clone().ok())
        .sum();
    assert!(n_chosen > 0, "no access selects its bank");
}
