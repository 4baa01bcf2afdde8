//! Tests the generic passes against the output of mlir-opt 19 for the same files.
//!
//! The first line of `passes/<name>.mlir` gives the pipeline for its parts; `passes/<name>.out` holds the output of mlir-opt
//! (`record.sh` writes it). This test does not need mlir-opt.

use std::path::{Path, PathBuf};

use sluice_flow::opt::{Options, run};
use sluice_flow::pipeline::all_names;
use sluice_passes::pipeline::Pipeline;

const MARKER: &str = "// -----\n";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let entries = std::fs::read_dir(folder).expect("the folder of the tests is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "mlir"))
        .collect();
    files.sort();
    files
}

#[test]
fn we_answer_as_mlir_opt_does() {
    let mut problems = Vec::new();
    let files = files();
    assert!(!files.is_empty(), "there are files");
    for path in files {
        let file = path.display().to_string();
        let (source, recorded) = (read(&path), read(&path.with_extension("out")));
        let pipeline = source.lines().next().unwrap_or_default();
        let pipeline = pipeline.strip_prefix("// pipeline: ");
        let pipeline = Pipeline::parse(
            pipeline.expect("the first line says which passes run"),
            &all_names(),
        );
        let options = Options {
            allow_unregistered: true,
            pipeline: pipeline.unwrap_or_else(|error| panic!("{file}: {error}")),
            ..Options::default()
        };
        let (sources, answers): (Vec<_>, Vec<_>) = (
            source.split(MARKER).collect(),
            recorded.split(MARKER).collect(),
        );
        assert_eq!(sources.len(), answers.len(), "{file}: run record.sh");
        for (number, (source, theirs)) in sources.iter().zip(answers).enumerate() {
            let answer = run(source.as_bytes().to_vec(), "part.mlir", &options);
            let ours = String::from_utf8_lossy(&answer.output);
            if answer.failed || ours.trim_end() != theirs.trim_end() {
                problems.push(format!(
                    "{file} {number}:\nours:\n{}{}\nmlir-opt:\n{}",
                    answer.messages,
                    ours.trim_end(),
                    theirs.trim_end()
                ));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{}\n{} problems\nrepeat: cargo test -p sluice-flow --test suite passes\naccept: synth/flow/tests/passes/record.sh",
        problems.join("\n\n"),
        problems.len()
    );
}
