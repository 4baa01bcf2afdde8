//! Tests conformance with mlir-opt 19: compares its recorded results for 194 inputs with ours.
//!
//! `conformance/cases/NNN-area.mlir` is an input, `.args` the options, `.out` the output of mlir-opt (none if there is no such
//! file), `.err` its messages; an error among them means that the case is refused. `conformance/disagreements.txt` lists the
//! cases in which we differ, each with the reason. A case that agrees must not be in the list (`UPDATE_EXPECT=1` removes it).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

mod test_dialect;

use sluice_flow::opt::{Options, SPLIT_MARKER, run};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ir/tests/conformance")
}

fn read(file: &Path) -> String {
    // Recorded messages may hold any byte.
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns `line:column: error: message` of the first error, without the file name.
fn first_error(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.contains(": error: "))
        .unwrap_or_default();
    let line = line.replace('\0', "");
    line.split_once(".mlir:")
        .map_or(line.clone(), |(_, rest)| rest.to_owned())
}

/// Returns our result; `None` if an option is unknown.
fn answer(file: &Path, arguments: &str) -> Option<Result<String, String>> {
    let mut options = Options {
        dialects: vec![&test_dialect::DIALECT],
        ..Options::default()
    };
    for argument in arguments.split_whitespace() {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let print = &mut options.print;
        match name {
            "--allow-unregistered-dialect" => options.allow_unregistered = true,
            "--no-implicit-module" => options.parse.implicit_module = false,
            "--split-input-file" if value.is_empty() => options.split = Some(SPLIT_MARKER.into()),
            "--split-input-file" => options.split = Some(value.to_owned()),
            "--verify-diagnostics" => options.verify_diagnostics = true,
            "--mlir-print-op-generic" => print.generic = true,
            "--mlir-print-debuginfo" => print.locations = true,
            "--mlir-print-local-scope" => print.local_scope = true,
            "--mlir-print-value-users" => print.value_users = true,
            "--mlir-print-unique-ssa-ids" => print.unique_names = true,
            "--mlir-elide-elementsattrs-if-larger" => {
                print.elide_elements_above = Some(value.parse().ok()?);
            }
            "--mlir-print-assume-verified" => {}
            _ => return None,
        }
    }
    let name = file.file_name().expect("a case has a name");
    let source = std::fs::read(file).expect("a readable case");
    let answer = run(source, &name.to_string_lossy(), &options);
    Some(if answer.failed {
        Err(first_error(&answer.messages))
    } else {
        Ok(String::from_utf8_lossy(&answer.output).into_owned())
    })
}

fn agrees(file: &Path) -> Result<(), String> {
    let Some(ours) = answer(file, &read(&file.with_extension("args"))) else {
        return Err("an option is not supported".to_owned());
    };
    let recorded = |extension| {
        let path = file.with_extension(extension);
        if path.exists() {
            read(&path)
        } else {
            String::new()
        }
    };
    let error = first_error(&recorded("err"));
    let theirs = if error.is_empty() {
        Ok(recorded("out"))
    } else {
        Err(error)
    };
    if ours == theirs {
        return Ok(());
    }
    let text =
        |answer: Result<String, String>| answer.unwrap_or_else(|error| format!("error at {error}"));
    Err(format!("ours:\n{}\ntheirs:\n{}", text(ours), text(theirs)))
}

#[test]
fn we_answer_as_mlir_opt_does() {
    let listed = folder().join("disagreements.txt");
    let known: BTreeMap<String, String> = read(&listed)
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(number, reason)| (number.to_owned(), reason.to_owned()))
        .collect();
    let entries = std::fs::read_dir(folder().join("cases")).expect("the cases are there");
    let mut cases: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    cases.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "mlir")
    });
    cases.sort();
    assert_eq!(cases.len(), 194, "all cases are there");
    let mut still = BTreeMap::new();
    let mut problems = Vec::new();
    for case in &cases {
        let name = case
            .file_stem()
            .expect("a case has a name")
            .to_string_lossy();
        let number = name.split('-').next().unwrap_or_default().to_owned();
        match (agrees(case), known.get(&number)) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => problems.push(format!(
                "{name} agrees now: take it out of {}",
                listed.display()
            )),
            (Err(_), Some(reason)) => {
                still.insert(number, reason.clone());
            }
            (Err(difference), None) => {
                problems.push(format!("{name} disagrees\n{difference}"));
                still.insert(number, "unknown".to_owned());
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let lines: String = still
            .iter()
            .map(|(number, reason)| format!("{number} {reason}\n"))
            .collect();
        std::fs::write(&listed, lines).expect("the folder is writable");
    }
    let repeat = "repeat: cargo test -p sluice-flow --test suite conformance";
    assert!(
        problems.is_empty(),
        "{}\n{repeat}\naccept: UPDATE_EXPECT=1",
        problems.join("\n\n")
    );
}
