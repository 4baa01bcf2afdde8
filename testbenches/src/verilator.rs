//! Runs several compiled kernels in one Verilator model: compares lint, results and cycles.

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

/// Cycles after which a data set of unknown latency fails.
const CYCLE_LIMIT: u64 = 2_000_000;

/// Returns whether Verilator can be run.
pub fn available() -> bool {
    Command::new("verilator")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Returns whether a test can use Verilator.
///
/// # Panics
/// If it is missing and a missing tool must fail a test, see [`required`].
pub fn available_or_excused() -> bool {
    let is_there = available();
    assert!(
        is_there || !required(),
        "Verilator is missing: install `verilator`"
    );
    is_there
}

/// The most kernels in one model.
const MAX_TOGETHER: usize = 40;

/// Returns the faults that Verilator finds in the first `most` kernels, one line each with the kernel's name. Empty if a test may
/// go without Verilator.
///
/// # Panics
/// As [`available_or_excused`], and if the kernels cannot share a model.
pub fn wrong<N: Display>(names: &[N], kernels: &[Prepared], most: usize) -> Vec<String> {
    if !available_or_excused() {
        return Vec::new();
    }
    let checked: Vec<&Prepared> = kernels.iter().take(most).collect();
    let mut found = Vec::new();
    let parts = checked.chunks(MAX_TOGETHER);
    for (part, names) in parts.zip(names.chunks(MAX_TOGETHER)) {
        let findings = check(part).expect("the kernels share a model");
        for (name, finding) in names.iter().zip(findings) {
            found.extend(finding.map(|found| format!("{name}: {:?}: {}", found.kind, found.fact)));
        }
    }
    found
}

/// Returns the fault of each kernel under Verilator, if there is one.
///
/// # Errors
/// The reason why the model cannot be built or run, if it is not the fault of one kernel.
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

/// The findings of a model, or Verilator's complaints by kernel.
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

    let mut arguments = vec!["-Wall", "-Wno-DECLFILENAME", "--output-split", "0"];
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

/// Builds a model of the module `top` in a folder, from these flags and files and from `main.cpp`, which uses the class `Vdut`.
///
/// C++ is compiled without optimisation, because a test simulates few cycles. Verilator's makefile appends `-Os` to `-CFLAGS`; on
/// large circuits that takes twenty times as long.
///
/// # Errors
/// The output of Verilator or of the C++ compiler.
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
        if let Some(header) = &library.header {
            verilate.args(["-CFLAGS", "-include", "-CFLAGS", header]);
        }
    }
    let printed = finish(folder, verilate)?;
    if library.is_none()
        && let Some(library) = Library::of(&folder.join("obj_dir"), &printed)
    {
        // Another model may have been built first.
        let _ = LIBRARY.set(library);
    }
    Ok(())
}

/// The objects of Verilator's own library, taken from the first model that is built, and its header, precompiled. Compiling them
/// is most of the build time of a small model.
static LIBRARY: OnceLock<Library> = OnceLock::new();

struct Library {
    objects: String,
    /// The path of a header with a precompiled form beside it, if the compiler could make one.
    header: Option<String>,
    _folder: TempDir,
}

impl Library {
    /// Returns the library objects that a model was built with; `printed` is the output of its build.
    fn of(built: &Path, printed: &str) -> Option<Self> {
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
            header: precompiled_header(folder.path(), printed),
            _folder: folder,
        })
    }
}

/// Compiles the headers that every model includes, with the compiler and options that built a model, and returns the path to
/// include. A compiler that does not accept the result reads the header itself.
fn precompiled_header(folder: &Path, printed: &str) -> Option<String> {
    let is_compilation = |line: &&str| line.contains(" -c -o main.o ");
    let (command, _) = printed.lines().find(is_compilation)?.split_once(" -c ")?;
    let mut words = command.split_whitespace();
    let header = folder.join("model.h");
    std::fs::write(&header, "#include \"verilated.h\"\n#include <fstream>\n").ok()?;
    let mut compiler = Command::new(words.next()?);
    compiler
        .args(words)
        .args(["-x", "c++-header", "model.h", "-o", "model.h.gch"]);
    finish(folder, compiler).ok()?;
    header.to_str().map(str::to_owned)
}

/// Runs the model that was built in a folder; returns its output.
///
/// # Errors
/// Its output, if it fails.
pub fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut model = Command::new(folder.join("obj_dir").join("Vdut"));
    model.args(arguments);
    finish(folder, model)
}

/// Runs a program in a folder; returns its output, or all of its messages if it fails.
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

/// Returns the first complaint about the file of each kernel.
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

/// Renames all modules of a Verilog text except the kernel's, because other kernels have dividers of the same name.
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
