//! Regression tests: for the kernels in `regressions/`, which once failed, interpreter and cycle simulator agree, and the
//! cycles are as predicted. Verilator, if available, runs every second one in the gate, and all in a sweep.
//!
//! `name.mlir` is a kernel with a unique name; `name.yaml` is its configuration, if it needs one.

use std::path::{Path, PathBuf};

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::check::predicted_cycles;

fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    all.sort();
    all
}

fn compiled(path: &Path) -> Result<Compiled, String> {
    let source = std::fs::read_to_string(path).map_err(|why| why.to_string())?;
    let config = match std::fs::read_to_string(path.with_extension("yaml")) {
        Ok(text) => Config::from_yaml(&text, "kernel.yaml").map_err(|all| {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            all.join("\n")
        })?,
        Err(_) => Config::default(),
    };
    compile(&source, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)
}

fn check(path: &Path) -> Result<Prepared, String> {
    let compiled = compiled(path)?;
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for seed in 0..5 {
        let (more_cases, more_expected) =
            run(&compiled, seed).map_err(|found| format!("{:?}: {}", found.kind, found.fact))?;
        cases.extend(more_cases);
        expected.extend(more_expected);
    }
    Ok(Prepared {
        compiled,
        cases,
        expected,
    })
}

#[test]
fn what_went_wrong_once_is_right() {
    let kernels = kernels();
    assert!(!kernels.is_empty(), "no kernels found");
    let (mut wrong, mut ready, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for path in &kernels {
        match check(path) {
            Ok(prepared) => {
                ready.push(prepared);
                names.push(path.display());
            }
            Err(why) => wrong.push(format!("{}: {why}", path.display())),
        }
    }
    let names = sweep::every_nth(2, names);
    let ready = sweep::every_nth(2, ready);
    wrong.extend(verilator::wrong(&names, &ready, ready.len()));
    assert!(
        wrong.is_empty(),
        "\n{}\nrepeat: cargo test -p sluice-testbenches --test suite regressions",
        wrong.join("\n")
    );
}

#[test]
fn branches_that_exclude_each_other_share_ports() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let kernels = [
        ("branches_on_one_memory", 132),
        ("many_branches_on_one_memory", 69),
    ];
    for (name, cycles) in kernels {
        let compiled = compiled(&folder.join(name).with_extension("mlir"));
        let compiled = compiled.unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(
            predicted_cycles(&compiled),
            Some(cycles),
            "{name}: 64 iterations, of two cycles and of one"
        );
    }
}
