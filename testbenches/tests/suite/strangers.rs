//! The kernels in `tests/strangers` come close to the fewest cycles that are possible for them.
//!
//! They are written as other tools and people write kernels. `name.mlir` is a kernel, `name.yaml` its configuration if it needs one,
//! and `name.floor` the fewest cycles that are known to be possible. `testbenches/strangers FOLDER` prints a table of any such folder.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::Failure;
use sluice_verify::check::predicted_cycles;

/// Cycles above 1.05 times the floor that a kernel may take, to fill and to empty its pipelines.
const FILLING: u64 = 16;

fn kernels() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strangers");
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let mut all: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    all.sort();
    all
}

fn check(path: &Path) -> Result<(), String> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|why| why.to_string());
    let config = match read(&path.with_extension("yaml")) {
        Ok(text) => Config::from_yaml(&text, "kernel.yaml").map_err(|all| all[0].to_string())?,
        Err(_) => Config::default(),
    };
    let floor = read(&path.with_extension("floor"))?;
    let floor: u64 = floor
        .trim()
        .parse()
        .map_err(|why| format!("floor: {why}"))?;
    let compiled = compile(&read(path)?, "kernel.mlir", &config)
        .map_err(|(Failure::Input(message) | Failure::Internal(message))| message)?;
    let cycles = predicted_cycles(&compiled).ok_or("the latency depends on the data")?;
    match cycles <= floor + floor / 20 + FILLING {
        true => Ok(()),
        false => Err(format!("{cycles} cycles, where {floor} are possible")),
    }
}

#[test]
fn kernels_of_strangers_come_close_to_the_fewest_cycles() {
    let kernels = kernels();
    assert!(!kernels.is_empty(), "no kernels found");
    let results = kernels.par_iter().map(|path| (path, check(path)));
    let wrong =
        results.filter_map(|(path, result)| Some(format!("{}: {}", path.display(), result.err()?)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
