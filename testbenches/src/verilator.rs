//! Several compiled kernels in one Verilated model: lint, answers, cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use sluice_dialects::interface::Interface;
use sluice_rtl_out::harness::{
    Bench, SEVERAL, answers_of_several, main_cpp_of_several, module_of_several, stimulus,
};
use sluice_sim::interpreter::Argument;
use sluice_verify::check::{difference, predicted_cycles, simulate};
use tempfile::TempDir;

use crate::oracle::required;
use crate::random_check::{Finding, Kind, Prepared};

/// Cycles after which a data set whose latency is not known is given up.
const CYCLE_LIMIT: u64 = 2_000_000;

/// Whether Verilator can be run.
pub fn available() -> bool {
    Command::new("verilator")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Whether a test can go through Verilator.
///
/// # Panics
/// Without it where a missing tool must fail a test, see [`required`].
pub fn available_or_excused() -> bool {
    let is_there = available();
    assert!(
        is_there || !required(),
        "Verilator is missing: install `verilator`"
    );
    is_there
}

/// Kernels in one model at most.
const MOST_TOGETHER: usize = 40;

/// What is wrong with the first `most` kernels by Verilator, a line for each with its name; nothing where a test goes without.
///
/// # Panics
/// As [`available_or_excused`], and where the kernels cannot share a model.
pub fn wrong<N: Display>(names: &[N], kernels: &[Prepared], most: usize) -> Vec<String> {
    if !available_or_excused() {
        return Vec::new();
    }
    let checked: Vec<&Prepared> = kernels.iter().take(most).collect();
    let mut found = Vec::new();
    let parts = checked.chunks(MOST_TOGETHER);
    for (part, names) in parts.zip(names.chunks(MOST_TOGETHER)) {
        let findings = check(part).expect("the kernels share a model");
        for (name, finding) in names.iter().zip(findings) {
            found.extend(finding.map(|found| format!("{name}: {:?}: {}", found.kind, found.fact)));
        }
    }
    found
}

/// What is wrong with each kernel under Verilator.
///
/// # Errors
/// What kept the model from being built or run, where it is not the fault of one kernel.
pub fn check(kernels: &[&Prepared]) -> Result<Vec<Option<Finding>>, String> {
    let mut findings: Vec<Option<Finding>> = vec![None; kernels.len()];
    loop {
        let alive: Vec<usize> = (0..kernels.len())
            .filter(|k| findings[*k].is_none())
            .collect();
        if alive.is_empty() {
            return Ok(findings);
        }
        let chosen: Vec<&Prepared> = alive.iter().map(|k| kernels[*k]).collect();
        match model(&chosen)? {
            Ok(made) => {
                for (k, finding) in alive.into_iter().zip(made) {
                    findings[k] = finding;
                }
                return Ok(findings);
            }
            Err(linted) => {
                for (at, message) in linted {
                    findings[alive[at]] = Some(Finding::new(Kind::Lint, message));
                }
            }
        }
    }
}

/// Findings of a model, or the kernels that Verilator complains of.
type Model = Result<Vec<Option<Finding>>, BTreeMap<usize, String>>;

fn model(kernels: &[&Prepared]) -> Result<Model, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    let benches: Vec<Bench<'_>> = kernels
        .iter()
        .map(|kernel| Bench {
            interface: &kernel.compiled.interface,
            cycle_limit: predicted_cycles(&kernel.compiled)
                .map_or(CYCLE_LIMIT, |cycles| cycles + 1000),
        })
        .collect();
    let mut files = vec![format!("{SEVERAL}.v")];
    let mut stimuli = String::new();
    for (k, kernel) in kernels.iter().enumerate() {
        let name = format!("kernel{k}.v");
        write(
            &name,
            &with_own_names(
                &kernel.compiled.verilog,
                &kernel.compiled.interface.module,
                k,
            ),
        )?;
        files.push(name);
        let words: Vec<Vec<_>> = kernel
            .cases
            .iter()
            .map(|case| {
                let words = |argument: &Argument| match argument {
                    Argument::Scalar(word) => vec![word.clone()],
                    Argument::Memory(cells) => cells.clone(),
                };
                case.arguments.iter().map(words).collect()
            })
            .collect();
        stimuli += &stimulus(&words);
    }
    write(&files[0], &module_of_several(&benches))?;
    write("main.cpp", &main_cpp_of_several(&benches))?;
    write("stimulus.txt", &stimuli)?;

    let mut arguments = vec!["-Wall", "--output-split", "0"];
    arguments.extend(files.iter().map(String::as_str));
    if let Err(message) = build(folder.path(), SEVERAL, &arguments) {
        let linted = complaints(&message);
        return if linted.is_empty() {
            Err(message)
        } else {
            Ok(Err(linted))
        };
    }
    let printed = run(folder.path(), &["stimulus.txt"])?;
    let interfaces: Vec<&Interface> = benches.iter().map(|bench| bench.interface).collect();
    let all = answers_of_several(&interfaces, &printed);
    let findings = kernels.iter().zip(all).map(|(kernel, answers)| {
        let wrong = match answers {
            Err(why) => Some(why),
            Ok(answers) => compare(kernel, &answers),
        };
        wrong.map(|fact| Finding::new(Kind::Verilator, fact))
    });
    Ok(Ok(findings.collect()))
}

fn compare(kernel: &Prepared, answers: &[sluice_rtl_out::harness::Answer]) -> Option<String> {
    if answers.len() != kernel.expected.len() {
        return Some(format!(
            "{} answers for {} data sets",
            answers.len(),
            kernel.expected.len()
        ));
    }
    let cases = kernel.cases.iter().zip(&kernel.expected);
    for (answer, (case, expected)) in answers.iter().zip(cases) {
        let found = difference(
            &kernel.compiled,
            expected,
            &answer.results,
            &answer.memories,
        );
        if found.is_some() {
            return found;
        }
        let cycles = match predicted_cycles(&kernel.compiled) {
            Some(cycles) => cycles,
            None => match simulate(&kernel.compiled, case) {
                Ok(outcome) => outcome.cycles,
                Err(why) => return Some(why),
            },
        };
        if answer.cycles != cycles {
            let found = answer.cycles;
            return Some(format!("{found} cycles, {cycles} of the cycle simulator"));
        }
    }
    None
}

/// Builds a model of the module `top` in a folder, of these flags and files and `main.cpp` with the class `Vdut`.
///
/// C++ is compiled without optimisation: a test simulates few cycles, and the `-Os` that Verilator's makefile puts behind all
/// `-CFLAGS` takes twenty times as long on great circuits.
///
/// # Errors
/// What Verilator or the C++ compiler say.
pub fn build(folder: &Path, top: &str, arguments: &[&str]) -> Result<(), String> {
    let mut verilate = Command::new("verilator");
    verilate
        .args(["--cc", "--exe", "--build", "-O1"])
        .args(["-MAKEFLAGS", "OPT_FAST=-O0"])
        .args(["-MAKEFLAGS", "OPT_GLOBAL=-O0"])
        .args(["--prefix", "Vdut", "--top-module", top])
        .args(arguments)
        .arg("main.cpp");
    let library = LIBRARY.get();
    if let Some(library) = library {
        verilate
            .args(["-MAKEFLAGS", "VM_GLOBAL_FAST="])
            .args(["-LDFLAGS", &library.objects]);
    }
    finish(folder, verilate)?;
    if library.is_none()
        && let Some(library) = Library::of(&folder.join("obj_dir"))
    {
        // Another model may have been there first.
        let _ = LIBRARY.set(library);
    }
    Ok(())
}

/// What every model links of Verilator's own library, three quarters of what it takes to build a small one: the objects of the first.
static LIBRARY: OnceLock<Library> = OnceLock::new();

struct Library {
    objects: String,
    _folder: TempDir,
}

impl Library {
    /// The objects of the library that a model was built with.
    fn of(built: &Path) -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let mut objects = Vec::new();
        for entry in std::fs::read_dir(built).ok()?.flatten() {
            let name = entry.file_name().into_string().ok()?;
            if name.starts_with("verilated") && name.ends_with(".o") {
                let kept = folder.path().join(name);
                std::fs::copy(entry.path(), &kept).ok()?;
                objects.push(kept.to_str()?.to_owned());
            }
        }
        objects.sort();
        (!objects.is_empty()).then(|| Self {
            objects: objects.join(" "),
            _folder: folder,
        })
    }
}

/// Runs the model that was built in a folder; gives what it printed.
///
/// # Errors
/// What it says where it does not end well.
pub fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut model = Command::new(folder.join("obj_dir").join("Vdut"));
    model.args(arguments);
    finish(folder, model)
}

/// Runs a program in a folder to its end; gives what it printed, or else all that it said.
pub(crate) fn finish(folder: &Path, mut command: Command) -> Result<String, String> {
    let output = command
        .current_dir(folder)
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!(
            "{}: {}\n{}{text}",
            command.get_program().display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// The first complaint about each kernel's file.
fn complaints(message: &str) -> BTreeMap<usize, String> {
    let mut found = BTreeMap::new();
    for line in message.lines().filter(|line| line.starts_with('%')) {
        let number = line
            .split_once("kernel")
            .and_then(|(_, rest)| rest.split_once(".v:"))
            .and_then(|(number, _)| number.parse().ok());
        if let Some(k) = number {
            found.entry(k).or_insert_with(|| line.to_owned());
        }
    }
    found
}

/// The Verilog with names of its own for all modules but the kernel's: other kernels have dividers of the same name.
fn with_own_names(verilog: &str, top: &str, k: usize) -> String {
    let modules: BTreeSet<&str> = verilog
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("module "))
        .map(|rest| {
            let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
            &rest[..end]
        })
        .filter(|name| *name != top)
        .collect();
    let mut text = String::with_capacity(verilog.len());
    let mut rest = verilog;
    while let Some(start) = rest.find(is_name) {
        text += &rest[..start];
        let after = &rest[start..];
        let end = after.find(|c: char| !is_name(c)).unwrap_or(after.len());
        text += &after[..end];
        if modules.contains(&after[..end]) {
            text += &format!("_of{k}");
        }
        rest = &after[end..];
    }
    text + rest
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}
