//! `sluice sim FOLDER` and `sluice cosim FOLDER`: runs every kernel below a folder, and every circuit with data, in parallel;
//! writes a file for CI.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sluice_ir::printable::printable;
use sluice_verify::circuit::Settings;

use super::check::{check_compiled, compiled};
use super::discover::{Found, Selection, relative};
use super::formats::{Format, document, lines, tap};
use super::junit::{self, Ran as OfFile};
use super::kernel::{Data, Kernel, circuit};
use super::lock::{Judged, Locking, Opened};
use super::missing_data::circuit_without_data;
use super::outcomes::Log;
use super::sequences::{Given, check_sequences, is_circuit};
use crate::commands::requests::asked;
use crate::commands::task::{Checked, IdleData, Task};
use crate::files::write_file;
use crate::limiting::pool;
use crate::output::{Done, Stop, command_line, error_text, fault, input, print};

/// Options of a folder of kernels.
#[derive(Args)]
#[command(next_help_heading = "Folders: every kernel below is run on its data")]
pub(super) struct Suite {
    #[command(flatten)]
    selection: Selection,
    /// Write the result of each data set to this file as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Format of the results on the standard output
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Format>,
    /// Number of kernels that run at the same time; default: number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Number of runs of each kernel, with consecutive seeds for random data; default: 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    repeat: Option<u64>,
    /// Do not start more kernels after a failure
    #[arg(long)]
    fail_fast: bool,
    #[command(flatten)]
    locking: Locking,
}

/// A kernel that was run, or was to be.
pub(super) struct Ran {
    pub(super) name: String,
    pub(super) seconds: f64,
    /// Nothing where it was left out after a failure.
    pub(super) outcome: Option<Result<Checked, Stop>>,
    /// The file, as it is found from the folder.
    pub(super) file: String,
    /// The seed, where it is run with several.
    pub(super) seed: Option<u64>,
    /// The file, as it is found from here.
    path: PathBuf,
    pub(super) log: Log,
    /// The command that runs it alone.
    pub(super) again: Option<String>,
    /// Its figures against the locked ones.
    judged: Option<Judged>,
}

impl Suite {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        let mut all = self.selection.asked();
        all.extend(asked(&[
            ("--format", self.format.is_some()),
            ("--jobs", self.jobs.is_some()),
            ("--repeat", self.repeat.is_some()),
            ("--fail-fast", self.fail_fast),
        ]));
        all.extend(self.locking.asked());
        all
    }

    pub(super) fn run(&self, task: Task<'_>) -> Done<()> {
        let Task { kernel, data, .. } = task;
        let folder = &kernel.kernel;
        let lock = self.locking.open(folder, &kernel.limits())?;
        let found = self.found(kernel)?;
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
            let ran = self.one(task, path, *seed, lock.as_ref(), &has_failed);
            bar.set_message(printable(&ran.name).into_owned());
            bar.inc(1);
            ran
        };
        let mut all: Vec<Ran> = pool.install(|| {
            let runs = runs.par_iter().with_max_len(1);
            runs.map(one).collect()
        });
        bar.finish_and_clear();
        if let Some(lock) = &lock {
            let found: Vec<String> = all.iter().map(|ran| ran.file.clone()).collect();
            let missing = lock.missing(&found, &self.selection);
            all.extend(missing.into_iter().map(Ran::of_missing));
        }
        let seconds = begin.elapsed().as_secs_f64();
        let junit_text = || {
            let files: Vec<OfFile<'_>> = all.iter().map(Ran::of_file).collect();
            junit::text(started, &files)
        };
        if let Some(path) = &self.junit {
            write_file(path, junit_text().as_bytes())?;
        }
        self.locking
            .write(all.iter().filter_map(|ran| ran.judged.as_ref()))?;
        print(&match self.format.unwrap_or_default() {
            Format::Text => lines(&all, seconds),
            Format::Tap => tap(&all),
            Format::Junit => junit_text(),
            Format::Json => document(&all, seconds),
        });
        let codes = all.iter().filter_map(|ran| Some(ran.failure()?.code));
        match codes.clone().max() {
            None => Ok(()),
            Some(code) => Err(Stop {
                code,
                message: format!("{} of {} runs failed\n", codes.count(), all.len()),
            }),
        }
    }

    /// The kernels and circuits to be run.
    fn found(&self, kernel: &Kernel) -> Done<Vec<PathBuf>> {
        let folder = &kernel.kernel;
        let Found { runs, without_data } = Found::below(folder, kernel)?;
        let is_wanted = |path: &Path| self.selection.has(&relative(path, folder));
        let n_found = runs.len();
        let runs = runs.into_iter().map(|(path, _)| path);
        let wanted: Vec<PathBuf> = runs.filter(|path| is_wanted(path)).collect();
        if wanted.is_empty() && n_found > 0 && self.selection.is_part() {
            error_text("note: no kernel is in this part\n");
        } else if wanted.is_empty() {
            let what = self.selection.filter.as_ref();
            let what = what.map_or_else(String::new, |text| format!(" with `{text}` in its path"));
            return Err(input(format!(
                "error: there is no kernel{what} below {}: files with a `func.func` are looked for, and circuits with a `data.yaml`",
                folder.display()
            )));
        }
        let without_data: Vec<_> = without_data.iter().filter(|path| is_wanted(path)).collect();
        if let [first, ..] = without_data[..] {
            let (n, first) = (without_data.len(), first.display());
            error_text(&format!(
                "note: circuits without data are not run: {n}, the first is {first}\n"
            ));
        }
        Ok(wanted)
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

    /// The command that runs a file alone.
    fn again(task: Task<'_>, path: &Path, seed: u64) -> String {
        let Task {
            command,
            kernel,
            data,
            runs,
            ..
        } = task;
        let of_data = [
            (
                "--random",
                (data.random > 0).then(|| data.random.to_string()),
            ),
            ("--seed", (seed != 1).then(|| seed.to_string())),
            ("--idle", runs.idle.map(|most| most.to_string())),
            ("--timeout", runs.timeout.map(|cycles| cycles.to_string())),
        ];
        let options = kernel.options().into_iter().chain(of_data);
        let mut again = command_line(command, path, options);
        if runs.pauses {
            again += " --pauses";
        }
        again
    }

    fn one(
        &self,
        task: Task<'_>,
        path: &Path,
        seed: u64,
        lock: Option<&Opened>,
        has_failed: &AtomicBool,
    ) -> Ran {
        let file = relative(path, &task.kernel.kernel);
        let name = match self.repeat {
            Some(_) => format!("{file} (seed {seed})"),
            None => file.clone(),
        };
        let begin = Instant::now();
        let (mut log, mut judged) = (Log::default(), None);
        let outcome = (!(self.fail_fast && has_failed.load(Ordering::Relaxed))).then(|| {
            let kernel = Kernel {
                kernel: path.to_owned(),
                ..task.kernel.clone()
            };
            let data = Data {
                seed,
                ..task.data.clone()
            };
            let task = Task {
                kernel: &kernel,
                data: &data,
                idle_data: IdleData::Fails,
                ..task
            };
            // A fault in one kernel is no reason to lose the others.
            let run = || run_file(task, &file, lock, &mut log, &mut judged);
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
            again: Some(Self::again(task, path, seed)),
            judged,
        }
    }
}

/// Runs a kernel or circuit of a folder; a kernel is compared with the lock too.
fn run_file(
    task: Task<'_>,
    file: &str,
    lock: Option<&Opened>,
    log: &mut Log,
    judged: &mut Option<Judged>,
) -> Done<Checked> {
    let kernel = task.kernel;
    let source = kernel.source()?;
    if is_circuit(&source) {
        let given = Given::read(task.data, kernel, &source, None)?;
        let given = given.ok_or_else(|| input(circuit_without_data(&kernel.kernel)))?;
        if let Some(circuit) = circuit(kernel, &source, given.top())? {
            let (circuit, settings) = (circuit.with_memories(), Settings::default());
            return check_sequences(task, &circuit, &given, settings, log);
        }
    }
    let config = kernel.configuration()?;
    let compiled = compiled(task, &source, &config, log)?;
    let checked = check_compiled(task, &compiled, log)?;
    let Some(lock) = lock else {
        return Ok(checked);
    };
    let found = lock.judge_compiled(
        file,
        kernel,
        &source,
        &config,
        &compiled,
        &checked.own_cycles,
    );
    found.note(log);
    let failure = found.failure();
    *judged = Some(found);
    match failure {
        Some(failure) => Err(input(failure)),
        None => Ok(checked),
    }
}

impl Ran {
    /// A kernel that is in the lock and not in the folder.
    fn of_missing(judged: Judged) -> Self {
        Self {
            name: judged.file.clone(),
            seconds: 0.0,
            outcome: Some(Err(input(judged.failure().unwrap_or_default()))),
            file: judged.file.clone(),
            seed: None,
            path: PathBuf::from(&judged.file),
            log: Log::default(),
            again: None,
            judged: Some(judged),
        }
    }

    fn of_file(&self) -> OfFile<'_> {
        let outcome = self.outcome.as_ref();
        OfFile {
            file: &self.file,
            path: &self.path,
            seed: self.seed,
            seconds: self.seconds,
            outcome: outcome.map(|outcome| outcome.as_ref().map(|checked| checked.text.as_str())),
            log: &self.log,
            again: self.again.as_deref(),
        }
    }

    pub(super) fn failure(&self) -> Option<&Stop> {
        self.outcome.as_ref()?.as_ref().err()
    }
}
