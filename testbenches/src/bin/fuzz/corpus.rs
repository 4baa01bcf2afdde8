//! The corpus of the fuzzer: files of the project from which inputs are mutated.

use std::path::{Path, PathBuf};

use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::WriteOptions;

use crate::damage::Random;

/// Folders with MLIR text and YAML files.
const FOLDERS: &[&str] = &[
    "ir/tests/conformance/cases",
    "ir/tests/text",
    "dialects/tests",
    "examples",
    "testbenches/tests/stages",
];

/// The largest kernel, in bytes, with which configurations and data are fuzzed: larger ones take seconds to compile even without
/// mutations.
const MAX_KERNEL_BYTES: usize = 1_500;

/// A kernel and the YAML files in its folder.
pub(crate) struct Kernel {
    pub(crate) file: PathBuf,
    pub(crate) text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns all files with the extension `ending`, sorted by path.
fn files(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders {
        let mut todo = vec![root().join(folder)];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).expect("a readable folder");
                todo.extend(entries.map(|entry| entry.expect("a readable folder").path()));
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(file: &PathBuf) -> Vec<u8> {
    std::fs::read(file).expect("a readable file")
}

/// Returns MLIR texts of all dialects.
pub(crate) fn texts() -> Vec<Vec<u8>> {
    files(FOLDERS, "mlir").iter().map(read).collect()
}

/// Returns the same files as bytecode, if they are valid.
pub(crate) fn bytecode() -> Vec<Vec<u8>> {
    let options = Options {
        allow_unregistered: true,
        bytecode: Some(WriteOptions::default()),
        ..Options::default()
    };
    texts()
        .into_iter()
        .map(|text| run(text, "-", &options))
        .filter(|answer| !answer.failed)
        .map(|answer| answer.output)
        .collect()
}

/// Returns the YAML files whose names end in `ending`.
pub(crate) fn yaml(ending: &str) -> Vec<Vec<u8>> {
    let all = files(&["examples", "testbenches/tests", "synth"], "yaml");
    let named = |file: &&PathBuf| file.to_string_lossy().ends_with(ending);
    all.iter().filter(named).map(read).collect()
}

/// Returns the small kernels of the examples.
pub(crate) fn kernels() -> Vec<Kernel> {
    let all = files(&["examples"], "mlir").into_iter();
    all.filter_map(|file| {
        let text = String::from_utf8(read(&file)).ok()?;
        let is_small = text.len() <= MAX_KERNEL_BYTES && text.contains("func.func");
        is_small.then_some(Kernel { file, text })
    })
    .collect()
}

/// Returns the data file in the folder of a kernel.
pub(crate) fn data_beside(kernel: &Kernel) -> Option<Vec<u8>> {
    std::fs::read(kernel.file.with_file_name("data.yaml")).ok()
}

/// Returns a random one of several files.
pub(crate) fn any<'a>(random: &mut Random, all: &'a [Vec<u8>]) -> &'a [u8] {
    match all.len() {
        0 => &[],
        n => &all[random.below(n)],
    }
}
