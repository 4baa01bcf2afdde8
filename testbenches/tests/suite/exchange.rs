//! Exchange with mlir-opt 19: a file that one writes, as text or as any version of bytecode, is read by the other with the same
//! meaning.
//!
//! Every second file goes through one version of bytecode, in turn; `testbenches/sweep` uses all files and versions.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::{VERSION, WriteOptions};
use sluice_testbenches::{oracle, sweep};

/// Returns the output of mlir-opt for `input`; `None` if it rejects the input.
fn theirs(command: &str, input: &[u8], options: &[String]) -> Option<Vec<u8>> {
    let mut child = Command::new(command)
        .args(["--allow-unregistered-dialect", "-"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("mlir-opt starts");
    // It may stop reading early, so a write error is ignored.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    let output = child.wait_with_output().expect("mlir-opt ends");
    output.status.success().then_some(output.stdout)
}

fn ours(input: &[u8], bytecode: Option<u64>) -> Option<Vec<u8>> {
    let options = Options {
        allow_unregistered: true,
        bytecode: bytecode.map(|version| WriteOptions {
            version,
            ..WriteOptions::default()
        }),
        ..Options::default()
    };
    let answer = run(input.to_vec(), "-", &options);
    (!answer.failed).then_some(answer.output)
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let cases = root.join("ir/tests/conformance/cases");
    for entry in std::fs::read_dir(cases).expect("the cases are there") {
        files.push(entry.expect("a readable folder").path());
    }
    for entry in std::fs::read_dir(root.join("examples")).expect("the examples are there") {
        files.push(entry.expect("a readable folder").path().join("kernel.mlir"));
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "mlir") && file.exists());
    files.sort();
    files
}

#[test]
fn text_and_bytecode_cross() {
    let Some(command) = oracle::mlir_opt() else {
        assert!(
            !oracle::required(),
            "`mlir-opt-19` is missing: install `mlir-19-tools`"
        );
        let note = "SKIPPED text_and_bytecode_cross: no `mlir-opt-19`";
        writeln!(std::io::stderr(), "{note}").expect("stderr is open");
        return;
    };
    let all_versions = sweep::factor() > 1;
    let mut faults = Vec::new();
    let mut count = 0_usize;
    for file in sweep::every_nth(2, files()) {
        let source = std::fs::read(&file).expect("a readable file");
        let (Some(wanted), Some(text)) = (theirs(command, &source, &[]), ours(&source, None))
        else {
            continue;
        };
        if text != wanted {
            // It is valid only with its own options; the conformance test covers it.
            continue;
        }
        count += 1;
        let name = file.display();
        let has_properties = String::from_utf8_lossy(&wanted).contains("<{");
        // One version only: starting mlir-opt takes longer than everything else.
        let turn = u64::try_from(count).expect("a small number") % (VERSION + 1);
        let is_asked = |version: u64| all_versions || version == turn;
        for version in (0..=VERSION).filter(|version| is_asked(*version)) {
            if has_properties && version < 5 {
                // There, mlir-opt drops the properties of unregistered operations.
                continue;
            }
            let bytecode = ours(&source, Some(version)).expect("what is accepted can be written");
            if theirs(command, &bytecode, &[]).as_ref() != Some(&wanted) {
                faults.push(format!(
                    "{name}: our bytecode of version {version} is read differently"
                ));
            }
            let options = [
                "--emit-bytecode".to_owned(),
                format!("--emit-bytecode-version={version}"),
            ];
            let bytecode = theirs(command, &source, &options).expect("mlir-opt writes bytecode");
            if ours(&bytecode, None).as_ref() != Some(&wanted) {
                faults.push(format!(
                    "{name}: we read their bytecode of version {version} differently"
                ));
            }
        }
    }
    let least = if all_versions { 110 } else { 55 };
    assert!(count > least, "only {count} files are exchanged");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
