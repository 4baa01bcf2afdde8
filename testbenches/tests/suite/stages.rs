//! The runner of file tests. In `stages/<stage>/*.mlir`, the first line gives the passes to run, and the expected module follows
//! the input. In `stages/errors/*.mlir`, comments give the errors that `compile` must report, each at its line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sluice_config::Config;
use sluice_flow::pipeline::{compile, optimise, pass_names};
use sluice_kernel::compiled::Failure;

/// The prefix of each line of an expectation.
const EXPECTED: &str = "//> ";

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of the tests is there");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "mlir"))
        .collect();
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stages")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a test file can be read")
}

/// Returns the value of a header line `// key: value`.
fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut lines = text.lines().take_while(|line| line.starts_with("// "));
    lines.find_map(|line| {
        line.strip_prefix("// ")?
            .strip_prefix(key)?
            .strip_prefix(": ")
    })
}

/// Returns the configuration in the header line `// config: ...`, one line of YAML.
fn config(text: &str) -> Config {
    match header(text, "config").map(|yaml| Config::from_yaml(yaml, "header")) {
        Some(Ok(config)) => config,
        Some(Err(why)) => panic!("the header holds a bad configuration: {why:?}"),
        None => Config::default(),
    }
}

#[test]
fn every_stage_gives_what_its_files_expect() {
    let mut wrong = String::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root())
        .expect("the folder of the tests is there")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.is_dir() && !path.ends_with("errors"))
        .collect();
    folders.sort();
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let text = read(&path);
        let passes: Vec<String> = header(&text, "passes")
            .unwrap_or_else(|| panic!("{}: the first line says `// passes: ...`", path.display()))
            .split(", ")
            .map(str::to_owned)
            .collect();
        let is_source = |line: &&str| !line.starts_with(EXPECTED.trim_end());
        let source: String = text
            .lines()
            .filter(is_source)
            .fold(String::new(), |mut all, line| {
                all += line;
                all.push('\n');
                all
            });
        let found = match optimise(
            &source,
            "kernel.mlir",
            &passes,
            &config(&text),
            false,
            false,
            &mut |_, _| {},
        ) {
            Ok(found) => found,
            Err(Failure::Input(message) | Failure::Internal(message)) => message,
        };
        let expected: String = found.lines().fold(String::new(), |mut all, line| {
            writeln!(all, "{}", format!("{EXPECTED}{line}").trim_end()).expect("strings grow");
            all
        });
        let wanted = format!("{}\n\n{expected}", source.trim_end());
        if wanted == text {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, wanted).expect("a test file can be written");
            continue;
        }
        let line = wanted.lines().zip(text.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or_else(|| wanted.lines().count().min(text.lines().count()));
        writeln!(
            wrong,
            "{}:{}: found `{}`, expected `{}`",
            path.display(),
            line + 1,
            wanted.lines().nth(line).unwrap_or_default(),
            text.lines().nth(line).unwrap_or_default(),
        )
        .expect("strings grow");
    }
    assert!(
        wrong.is_empty(),
        "{wrong}repeat: cargo test -p sluice-testbenches --test suite stages\n\
         accept: UPDATE_EXPECT=1 cargo test -p sluice-testbenches --test suite stages"
    );
}

#[test]
fn every_pass_has_a_file() {
    let missing: Vec<&str> = pass_names()
        .map(|(name, _)| name)
        .filter(|name| !root().join(name).is_dir())
        .collect();
    assert!(
        missing.is_empty(),
        "no file tests in {}/ for the passes {missing:?}",
        root().display()
    );
}

/// Returns the errors that a file expects: `//~ error: text` on its own line, `//~^ error: text` on the line after it (one line
/// further up for each `^`), `//~ error without a place: text` anywhere.
fn expected_errors(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let up = mark.chars().take_while(|c| *c == '^').count();
            let mark = mark[up..].trim();
            if let Some(what) = mark.strip_prefix("error without a place: ") {
                all.push((0, what.to_owned()));
                continue;
            }
            let what = mark.strip_prefix("error: ");
            let what =
                what.unwrap_or_else(|| panic!("line {}: write `//~ error: text`", number + 1));
            all.push((number + 1 - up, what.to_owned()));
        }
    }
    all
}

/// Returns the errors in rendered diagnostics, with their lines.
fn found_errors(message: &str) -> Vec<(usize, String)> {
    let of = |line: &str| {
        let rest = line.strip_prefix("kernel.mlir")?;
        let (place, what) = rest.split_once(" error: ")?;
        let line = place
            .trim_matches(':')
            .split(':')
            .next()?
            .parse()
            .unwrap_or(0);
        Some((line, what.to_owned()))
    };
    message.lines().filter_map(of).collect()
}

#[test]
fn every_error_is_found_where_it_is() {
    let mut wrong = String::new();
    for path in files(&root().join("errors")) {
        let text = read(&path);
        let mut expected_errors = expected_errors(&text);
        let message = match compile(&text, "kernel.mlir", &config(&text)) {
            Ok(_) => String::new(),
            Err(Failure::Input(message)) => message,
            Err(Failure::Internal(message)) => {
                format!("kernel.mlir:0:0: error: internal: {message}")
            }
        };
        let place = path.display();
        for (line, what) in found_errors(&message) {
            match expected_errors
                .iter()
                .position(|(at, text)| *at == line && what.contains(text.as_str()))
            {
                Some(position) => drop(expected_errors.remove(position)),
                None => {
                    writeln!(wrong, "{place}:{line}: not asked for: {what}").expect("strings grow")
                }
            }
        }
        for (line, what) in expected_errors {
            writeln!(wrong, "{place}:{line}: not found: {what}").expect("strings grow");
        }
    }
    assert!(
        wrong.is_empty(),
        "{wrong}repeat: cargo test -p sluice-testbenches --test suite stages"
    );
}
