//! `sluice sim FOLDER` and `sluice cosim FOLDER`: runs every kernel below a folder, and every circuit with data, in parallel;
//! writes a file for CI.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sluice_ir::printable::printable;
use sluice_kernel::input::InputKind;
use sluice_verify::circuit::Settings;

use super::check::{check, data_sets};
use super::junit::{self, Ran as OfFile};
use super::kernel::{Data, Kernel, circuit};
use super::outcomes::Log;
use super::sequences::{Given, check_sequences, is_circuit};
use crate::commands::requests::asked;
use crate::commands::task::{Checked, Task};
use crate::files::write_file;
use crate::limiting::pool;
use crate::output::{Done, Stop, fault, input, print};

/// Suffixes of files that `sluice compile` writes, which are not kernels themselves.
const WRITTEN: [&str; 2] = [".scheduled.mlir", ".rtl.mlir"];

/// File name of the only kernel of a folder.
const KERNEL: &str = "kernel.mlir";

/// What is said of a folder of kernels.
#[derive(Args)]
#[command(next_help_heading = "Folders: every kernel below is run on its data")]
pub(super) struct Suite {
    /// Only kernels whose path has this in it
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Write what came of each data set as JUnit XML; of a file too
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Kernels at once; as many as there are cores, if not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// How often each kernel is run, with the next seeds for random data; once, if not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeat: Option<u64>,
    /// Begin nothing more after a failure
    #[arg(long)]
    fail_fast: bool,
}

/// A kernel of the run, also if it was skipped.
struct Ran {
    name: String,
    seconds: f64,
    /// `None` if it was skipped after a failure.
    outcome: Option<Result<Checked, Stop>>,
    /// The path relative to the folder.
    file: String,
    /// The seed, if it is run with several.
    seed: Option<u64>,
    /// The path relative to the working directory.
    path: PathBuf,
    log: Log,
    /// The command that runs only this file.
    again: String,
}

impl Suite {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--filter", self.filter.is_some()),
            ("--jobs", self.jobs.is_some()),
            ("--repeat", self.repeat.is_some()),
            ("--fail-fast", self.fail_fast),
        ])
    }

    pub(super) fn run(&self, task: Task<'_>) -> Done<()> {
        let Task { kernel, data, .. } = task;
        let folder = &kernel.kernel;
        let mut found = Vec::new();
        discover(folder, kernel, &mut Vec::new(), &mut found)?;
        let wanted = |path: &PathBuf| {
            let text = path.to_string_lossy();
            self.filter
                .as_ref()
                .is_none_or(|filter| text.contains(filter.as_str()))
        };
        found.retain(wanted);
        if found.is_empty() {
            let what = self.filter.as_ref().map_or_else(String::new, |filter| {
                format!(" with `{filter}` in its path")
            });
            return Err(input(format!(
                "error: there is no kernel{what} below {}: files with a `func.func` are looked for, and circuits with a `data.yaml`",
                folder.display()
            )));
        }
        let runs: Vec<(PathBuf, u64)> = found
            .iter()
            .flat_map(|path| (0..self.repeat.unwrap_or(1)).map(|n| (path.clone(), data.seed + n)))
            .collect();
        let (begin, started) = (Instant::now(), SystemTime::now());
        let bar = ProgressBar::new(runs.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        let has_failed = AtomicBool::new(false);
        let pool = pool(self.jobs.map(usize::from), &kernel.limits())?;
        let one = |(path, seed): &(PathBuf, u64)| {
            let ran = self.one(task, path, *seed, &has_failed);
            bar.set_message(printable(&ran.name).into_owned());
            bar.inc(1);
            ran
        };
        let all: Vec<Ran> = pool.install(|| {
            let runs = runs.par_iter().with_max_len(1);
            runs.map(one).collect()
        });
        bar.finish_and_clear();
        let seconds = begin.elapsed().as_secs_f64();
        if let Some(path) = &self.junit {
            let files: Vec<OfFile<'_>> = all.iter().map(Ran::of_file).collect();
            let text = junit::text(started, &files);
            write_file(path, text.as_bytes())?;
        }
        print(&summary(&all, seconds));
        let failed = all.iter().filter(|ran| ran.failure().is_some()).count();
        if failed == 0 {
            return Ok(());
        }
        let code = all
            .iter()
            .filter_map(|ran| ran.failure().map(|stop| stop.code))
            .max();
        Err(Stop {
            code: code.unwrap_or(1),
            message: format!("{failed} of {} runs failed\n", all.len()),
        })
    }

    /// Runs a single file, and writes its results as JUnit XML if requested.
    pub(super) fn file(&self, path: &Path, run: impl FnOnce(&mut Log) -> Done<()>) -> Done<()> {
        let (begin, started) = (Instant::now(), SystemTime::now());
        let mut log = Log::default();
        let outcome = run(&mut log);
        if let Some(junit) = &self.junit {
            let seconds = begin.elapsed().as_secs_f64();
            let name = path.display().to_string();
            let ran = OfFile {
                file: &name,
                path,
                seed: None,
                seconds,
                outcome: Some(outcome.as_ref().map(|()| "")),
                log: &log,
                again: None,
            };
            let text = junit::text(started, &[ran]);
            write_file(junit, text.as_bytes())?;
        }
        outcome
    }

    fn one(&self, task: Task<'_>, path: &Path, seed: u64, has_failed: &AtomicBool) -> Ran {
        let Task {
            command,
            kernel,
            data,
            runs,
            ..
        } = task;
        let relative = path.strip_prefix(&kernel.kernel).unwrap_or(path);
        let mut name = relative.display().to_string();
        let file = name.clone();
        let mut again = format!("sluice {command} {}", quoted(&path.display().to_string()));
        for (option, value) in [
            (
                "--config",
                kernel
                    .config
                    .as_ref()
                    .map(|path| path.display().to_string()),
            ),
            ("--device", kernel.device.clone()),
            (
                "--clock-period-ns",
                kernel.clock_period_ns.map(|period| period.to_string()),
            ),
            (
                "--random",
                (data.random > 0).then(|| data.random.to_string()),
            ),
            ("--seed", (seed != 1).then(|| seed.to_string())),
            ("--idle", runs.idle.map(|most| most.to_string())),
            ("--timeout", runs.timeout.map(|cycles| cycles.to_string())),
        ] {
            if let Some(value) = value {
                let _ = write!(again, " {option} {}", quoted(&value));
            }
        }
        if runs.pauses {
            again += " --pauses";
        }
        if self.repeat.is_some() {
            let _ = write!(name, " (seed {seed})");
        }
        let begin = Instant::now();
        let mut log = Log::default();
        let outcome = (!(self.fail_fast && has_failed.load(Ordering::Relaxed))).then(|| {
            let kernel = Kernel {
                kernel: path.to_owned(),
                ..kernel.clone()
            };
            let data = Data {
                seed,
                ..data.clone()
            };
            // An internal error in one kernel must not stop the others.
            let run = || {
                let task = Task {
                    kernel: &kernel,
                    data: &data,
                    ..task
                };
                let source = kernel.source()?;
                if is_circuit(&source)
                    && let Some(given) = Given::read(task.data, &kernel, &source, None)?
                    && let Some(circuit) = circuit(&kernel, &source, given.top())?
                {
                    let circuit = circuit.with_memories();
                    let settings = Settings::default();
                    return check_sequences(task, &circuit, &given, settings, &mut log);
                }
                check(task, &source, &mut log)
            };
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(fault()))
        });
        if matches!(outcome, Some(Err(_))) {
            has_failed.store(true, Ordering::Relaxed);
        }
        Ran {
            name,
            seconds: begin.elapsed().as_secs_f64(),
            outcome,
            file,
            seed: self.repeat.is_some().then_some(seed),
            path: path.to_owned(),
            log,
            again,
        }
    }
}

impl Ran {
    fn of_file(&self) -> OfFile<'_> {
        let outcome = self.outcome.as_ref();
        OfFile {
            file: &self.file,
            path: &self.path,
            seed: self.seed,
            seconds: self.seconds,
            outcome: outcome.map(|outcome| outcome.as_ref().map(|checked| checked.text.as_str())),
            log: &self.log,
            again: Some(&self.again),
        }
    }

    fn failure(&self) -> Option<&Stop> {
        self.outcome.as_ref()?.as_ref().err()
    }
}

/// Finds the kernels below a folder, sorted by path: `kernel.mlir` if it exists, else every file with a function, and circuits
/// with data beside them.
///
/// Follows symbolic links to folders, except to the enclosing folders in `around`, which would give endless recursion.
fn discover(
    folder: &Path,
    asked: &Kernel,
    around: &mut Vec<PathBuf>,
    found: &mut Vec<PathBuf>,
) -> Done<()> {
    let failed = |why: std::io::Error| input(format!("{}: error: {why}", folder.display()));
    let own = folder.canonicalize().map_err(failed)?;
    if around.contains(&own) {
        return Ok(());
    }
    around.push(own);
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort();
    // If there is a `kernel.mlir`, it uses the configuration and the data of the folder.
    let has_kernel = entries.iter().any(|path| path.ends_with(KERNEL));
    for path in entries {
        let name = path.to_string_lossy();
        if path.is_dir() {
            discover(&path, asked, around, found)?;
        } else if name.ends_with(".mlir")
            && (!has_kernel || path.ends_with(KERNEL))
            && !WRITTEN.iter().any(|ending| name.ends_with(ending))
            && is_run(&path, asked)?
        {
            found.push(path);
        }
    }
    around.pop();
    Ok(())
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Returns whether a file is a kernel, or a circuit with data beside it.
fn is_run(path: &Path, asked: &Kernel) -> Done<bool> {
    let kernel = Kernel {
        kernel: path.to_owned(),
        ..asked.clone()
    };
    let source = kernel.source()?;
    if is_circuit(&source) {
        // Errors of its data are reported when it is run.
        let given = Given::read(&Data::beside(), &kernel, &source, None);
        return Ok(given.map_or(true, |given| given.is_some()));
    }
    Ok(InputKind::of(&source, "") == InputKind::Kernel)
}

/// Formats a line for each run, the failures with their messages and the commands that repeat them, and the totals.
fn summary(all: &[Ran], seconds: f64) -> String {
    let mut text = String::new();
    let width = all.iter().map(|ran| ran.name.len()).max().unwrap_or(0);
    let (mut passed, mut failed, mut left_out, mut n_cycles) = (0, 0, 0, 0);
    for ran in all {
        let name = format!("{:width$}", ran.name);
        match &ran.outcome {
            Some(Ok(checked)) => {
                passed += 1;
                n_cycles += checked.n_cycles;
                let (sets, cycles) = (data_sets(checked.n_cases), checked.n_cycles);
                let _ = writeln!(
                    text,
                    "ok      {name}  {sets}, {cycles} cycles, {:.2} s",
                    ran.seconds
                );
            }
            Some(Err(stop)) => {
                failed += 1;
                let _ = writeln!(text, "FAILED  {name}  {:.2} s", ran.seconds);
                for line in stop.message.trim_end().lines() {
                    let _ = writeln!(text, "        {line}");
                }
                let _ = writeln!(text, "        again: {}", ran.again);
            }
            None => {
                left_out += 1;
                let _ = writeln!(text, "left    {name}");
            }
        }
    }
    let _ = write!(
        text,
        "{passed} passed, {failed} failed, {n_cycles} cycles, {seconds:.2} s"
    );
    if left_out > 0 {
        let _ = write!(text, "; {left_out} left out after a failure");
    }
    text.push('\n');
    text
}
