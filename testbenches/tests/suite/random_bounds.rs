//! Loops with bounds near powers of two: circuits of every style agree with the interpreter. The loops are random
//! (`testbenches/bounds` runs more), and those in `tests/bounds`, which have expected results and latencies.
//!
//! In these files, a line `// run: 5, 7 -> 9` gives arguments and results. A line `// latency: N` gives the cycles of the static
//! circuit from start to done.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sluice_config::{Config, Style};
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::Argument;
use sluice_testbenches::oracle::{available, required};
use sluice_testbenches::random_bounds::{Engines, Report, run};
use sluice_testbenches::sweep;
use sluice_verify::check::{interpret, latency_cycles, simulate};
use sluice_verify::data::Case;

const N_KERNELS: u64 = 50;

#[test]
fn loops_near_powers_of_two_do_what_they_mean() {
    let is_there = available();
    assert!(is_there || !required(), "`mlir-19-tools` is missing");
    let engines = Engines {
        verilator: 0,
        oracle: is_there,
    };
    let n_kernels = sweep::cases(N_KERNELS);
    let parts: Vec<u64> = (0..n_kernels).step_by(50).collect();
    let parts = parts.into_par_iter();
    let reports: Vec<Report> = parts.map(|first| run(first..first + 50, engines)).collect();
    let mut report = Report::default();
    reports.into_iter().for_each(|part| report.add(part));
    let wrong: Vec<String> = report
        .wrong
        .iter()
        .map(|(seed, why)| format!("seed {seed}: {why}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{}\nrepeat: testbenches/bounds --count 1 --seed SEED, and the same with --print",
        wrong.join("\n")
    );
    let n_compared = report.n_compared as u64;
    assert!(n_compared * 4 > n_kernels * 3, "{n_compared} kernels end");
}

fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bounds");
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    all.sort();
    all
}

fn numbers(text: &str) -> Vec<i64> {
    let all = text.split(',').map(|number| number.trim().parse());
    all.collect::<Result<_, _>>().expect("numbers of 64 bits")
}

/// Compares a kernel with the lines at its beginning.
///
/// # Errors
/// The first difference.
fn check(text: &str, style: Style) -> Result<(), String> {
    let config = Config {
        style,
        ..Config::default()
    };
    let compiled = compile(text, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
    for line in lines {
        if let Some(expected) = line.strip_prefix("latency: ") {
            let found = latency_cycles(&compiled).map(|cycles| cycles.to_string());
            if style == Style::Static && found.as_deref() != Some(expected) {
                return Err(format!("latency {found:?}, not {expected}"));
            }
        }
        let Some((arguments, expected)) = line
            .strip_prefix("run: ")
            .and_then(|run| run.split_once(" -> "))
        else {
            continue;
        };
        let scalars = compiled.interface.arguments.iter().zip(numbers(arguments));
        let scalars = scalars.map(|(argument, number)| {
            let sluice_dialects::interface::ArgumentPorts::Scalar { width_bits, .. } = argument
            else {
                panic!("arguments are numbers");
            };
            Argument::Scalar(Bits::from_i64(*width_bits, number))
        });
        let case = Case {
            arguments: scalars.collect(),
            ..Case::default()
        };
        let signed = |words: &[Bits]| words.iter().map(Bits::to_i64).collect::<Option<Vec<_>>>();
        let expected = Some(numbers(expected));
        let reference = interpret(&compiled, &case)?;
        if signed(&reference.results) != expected {
            return Err(format!("`{line}`: {:?} interpreted", reference.results));
        }
        let found = simulate(&compiled, &case)?;
        if signed(&found.results) != expected {
            return Err(format!("`{line}`: {:?} in the circuit", found.results));
        }
    }
    Ok(())
}

#[test]
fn kernels_with_large_bounds_are_right() {
    let kernels = kernels();
    assert!(!kernels.is_empty(), "no kernels found");
    let runs = kernels.par_iter().flat_map_iter(|path| {
        let styles = [Style::Static, Style::Elastic, Style::Auto];
        styles.into_iter().map(move |style| (path, style))
    });
    let wrong: Vec<String> = runs
        .filter_map(|(path, style)| {
            let text = std::fs::read_to_string(path).expect("a kernel can be read");
            if style != Style::Static && !text.contains("// run: ") {
                return None;
            }
            let why = check(&text, style).err()?;
            Some(format!("{}: {style:?}: {why}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
