//! `sluice lock`, and `--locked` of runs of folders: figures of kernels that must not get worse.

mod compare;
mod entry;
mod file;
mod judge;
mod markdown;
mod tolerances;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use rayon::prelude::*;
use sluice_ir::limits::Limits;

use super::discover::{Found, Kind, Selection, kind, relative};
use super::junit::{self, Ran};
use super::kernel::{Data, Kernel};
use super::outcomes::Log;
use crate::commands::requests::asked;
use crate::files::{within, write_file};
use crate::limiting::pool;
use crate::output::{Done, Stop, error_text, fault, input, print};
use entry::{Entry, Latency, Measured, Runs};
use file::LockFile;
use judge::upstream;

pub(super) use judge::{Judged, Opened};

/// The name of the file.
const FILE_NAME: &str = "sluice.lock";

/// The lock of a folder.
fn lock_in(folder: &Path) -> PathBuf {
    within(folder, FILE_NAME)
}

/// Arguments of `lock`.
#[derive(Args)]
pub(crate) struct Lock {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    /// Compare the kernels with the lock file instead of writing it; a figure that is worse is an error
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    selection: Selection,
    /// Report figures that are better as errors too
    #[arg(long, requires = "check")]
    strict: bool,
    /// Write the result of each figure as JUnit XML
    #[arg(long, value_name = "FILE", requires = "check")]
    junit: Option<PathBuf>,
    /// Write a short table of the differences, in Markdown
    #[arg(long, value_name = "FILE", requires = "check")]
    markdown: Option<PathBuf>,
    /// Number of kernels that are compiled at the same time; default: number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// Options of the comparison with the lock of a folder.
#[derive(Args)]
pub(super) struct Locking {
    /// Compare the figures of each kernel with `sluice.lock` in the folder; a figure that is worse is an error
    #[arg(long)]
    locked: bool,
    /// With `--locked`, report figures that are better as errors too
    #[arg(long, requires = "locked")]
    strict: bool,
    /// With `--locked`, write a short table of the differences, in Markdown
    #[arg(long, value_name = "FILE", requires = "locked")]
    markdown: Option<PathBuf>,
}

impl Locking {
    /// Returns the given options.
    pub(super) fn asked(&self) -> Vec<&'static str> {
        asked(&[
            ("--locked", self.locked),
            ("--strict", self.strict),
            ("--markdown", self.markdown.is_some()),
        ])
    }

    /// Reads the lock of a folder, where it is asked for.
    pub(super) fn open(&self, folder: &Path, limits: &Limits) -> Done<Option<Opened>> {
        if !self.locked {
            return Ok(None);
        }
        let update = format!("sluice lock {}", folder.display());
        Opened::read(&lock_in(folder), update, self.strict, limits).map(Some)
    }

    /// Writes the table, where it is asked for.
    pub(super) fn write<'a>(&self, judged: impl Iterator<Item = &'a Judged>) -> Done<()> {
        match &self.markdown {
            Some(path) => {
                let judged: Vec<&Judged> = judged.collect();
                write_file(path, markdown::markdown(&judged).as_bytes())
            }
            None => Ok(()),
        }
    }
}

/// Compiles a kernel and measures it.
fn measure(kernel: &Kernel) -> Done<Measured> {
    let run = || {
        let (source, config) = (kernel.source()?, kernel.configuration()?);
        let compiled = kernel.compile_circuit(&source, &config)?;
        let upstream = upstream(kernel, &source, &config)?;
        let mut cases = || {
            let asked = Data::beside().asked(kernel, &compiled);
            let asked = asked.map_err(|stop| stop.message)?;
            Ok(match asked.missing {
                Some(_) => Vec::new(),
                None => asked.cases,
            })
        };
        let file = kernel.kernel.display().to_string();
        let measured = Measured::of(&compiled, &file, upstream, Runs::Cases(&mut cases));
        measured.map_err(|why| input(format!("{file}: error: {why}")))
    };
    // A fault in one kernel is no reason to lose the others.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(fault()))
}

/// The kernels that are locked together.
struct Locked {
    file: PathBuf,
    /// Paths from the folder of the lock, and from here.
    kernels: Vec<(String, PathBuf)>,
    /// Whether they are all kernels of the folder.
    is_folder: bool,
}

impl Lock {
    pub(crate) fn run(self) -> Done<()> {
        let locked = self.kernels()?;
        match self.check {
            true => self.compare(&locked),
            false => self.write(&locked),
        }
    }

    /// The kernels that are asked for, and the file of their lock.
    fn kernels(&self) -> Done<Locked> {
        let path = &self.kernel.kernel;
        if path.is_dir() {
            let found = Found::below(path, &self.kernel)?;
            let mut kernels = Vec::new();
            for (file, kind) in found.runs {
                let name = relative(&file, path);
                if kind == Kind::Kernel && self.selection.has(&name) {
                    kernels.push((name, file));
                }
            }
            return Ok(Locked {
                file: lock_in(path),
                kernels,
                is_folder: true,
            });
        }
        if kind(path, &self.kernel)? != Kind::Kernel {
            return Err(input(format!(
                "{}: error: a kernel, a file with a `func.func`, or a folder of kernels is locked",
                path.display()
            )));
        }
        let failed = |why: std::io::Error| input(format!("{}: error: {why}", path.display()));
        let whole = path.canonicalize().map_err(failed)?;
        let folder = whole.parent().unwrap_or(&whole);
        // The nearest lock around the kernel, or else one beside it.
        let around = folder.ancestors().find(|at| lock_in(at).is_file());
        let root = around.unwrap_or(folder);
        let shown = match root == folder {
            true => path.with_file_name(FILE_NAME),
            false => lock_in(root),
        };
        Ok(Locked {
            file: shown,
            kernels: vec![(relative(&whole, root), path.clone())],
            is_folder: false,
        })
    }

    /// The command that updates the lock.
    fn update(&self) -> String {
        format!("sluice lock {}", self.kernel.kernel.display())
    }

    fn of(&self, path: &Path) -> Kernel {
        Kernel {
            kernel: path.to_owned(),
            ..self.kernel.clone()
        }
    }

    fn write(&self, locked: &Locked) -> Done<()> {
        let limits = self.kernel.limits();
        // Tolerances stay, and kernels that are not looked at.
        let before = match locked.file.exists() {
            true => Opened::read(&locked.file, self.update(), false, &limits)?.lock,
            false => LockFile::default(),
        };
        let pool = pool(self.jobs.map(usize::from), &limits)?;
        let measured: Vec<(&String, Done<Measured>)> = pool.install(|| {
            let kernels = locked.kernels.par_iter().with_max_len(1);
            kernels
                .map(|(file, path)| (file, measure(&self.of(path))))
                .collect()
        });
        let mut lock = before.clone();
        if locked.is_folder {
            lock.kernels.retain(|file, _| !self.selection.has(file));
        }
        let (mut errors, mut code) = (Vec::new(), 1);
        for (file, measured) in measured {
            match measured {
                Ok(measured) => {
                    warn(&measured);
                    lock.kernels.insert(file.clone(), measured.entry);
                }
                Err(stop) => {
                    code = code.max(stop.code);
                    errors.push(stop.message.trim_end().to_owned());
                }
            }
        }
        if !errors.is_empty() {
            let message = format!("{}\nnothing is written", errors.join("\n"));
            return Err(Stop { code, message });
        }
        if lock.kernels.is_empty() {
            return Err(input(format!(
                "error: there is no kernel below {}: files with a `func.func` are looked for",
                self.kernel.kernel.display()
            )));
        }
        write_file(&locked.file, lock.text().as_bytes())?;
        print(&written(&locked.file, &before, &lock));
        Ok(())
    }

    fn compare(&self, locked: &Locked) -> Done<()> {
        let limits = self.kernel.limits();
        let opened = Opened::read(&locked.file, self.update(), self.strict, &limits)?;
        let started = SystemTime::now();
        let pool = pool(self.jobs.map(usize::from), &limits)?;
        let mut judged: Vec<Judged> = pool.install(|| {
            let kernels = locked.kernels.par_iter().with_max_len(1);
            kernels
                .map(|(file, path)| opened.judge(file, path, || measure(&self.of(path))))
                .collect()
        });
        if locked.is_folder {
            let found: Vec<String> = judged.iter().map(|of| of.file.clone()).collect();
            judged.extend(opened.missing(&found, &self.selection));
        }
        if judged.is_empty() && !self.selection.is_part() {
            return Err(input(format!(
                "error: no kernel of {} is compared",
                locked.file.display()
            )));
        }
        if let Some(path) = &self.junit {
            write_file(path, junit_text(started, &judged).as_bytes())?;
        }
        if let Some(path) = &self.markdown {
            let judged: Vec<&Judged> = judged.iter().collect();
            write_file(path, markdown::markdown(&judged).as_bytes())?;
        }
        print(&compared(&judged));
        let failed = judged.iter().filter(|of| of.failure().is_some());
        let codes = failed.map(|of| of.outcome.as_ref().err().map_or(1, |stop| stop.code));
        match codes.clone().max() {
            None => Ok(()),
            Some(code) => Err(Stop {
                code,
                message: format!(
                    "kernels that are not as locked: {} of {}; where that is meant, `{}` updates the lock\n",
                    codes.count(),
                    judged.len(),
                    opened.update
                ),
            }),
        }
    }
}

/// Warns of figures that another run may not find again.
fn warn(measured: &Measured) {
    let file = &measured.file;
    if measured.is_cut {
        error_text(&format!(
            "{file}: warning: the time for compiling was up: the figures depend on the speed of the machine; `--limit compile_seconds=N` gives it more\n"
        ));
    }
    if measured.entry.latency == Latency::DataSets(Vec::new()) {
        error_text(&format!(
            "{file}: warning: the latency depends on the data and is not locked: there is no data file with `cases`\n"
        ));
    }
}

/// Describes the changes of a written lock.
fn written(path: &Path, before: &LockFile, now: &LockFile) -> String {
    let is_new = |file: &&String| !before.kernels.contains_key(*file);
    let is_changed = |(file, entry): &(&String, &Entry)| {
        before
            .kernels
            .get(*file)
            .is_some_and(|before| before != *entry)
    };
    let n_new = now.kernels.keys().filter(is_new).count();
    let n_changed = now.kernels.iter().filter(is_changed).count();
    let gone = |file: &&String| !now.kernels.contains_key(*file);
    let n_gone = before.kernels.keys().filter(gone).count();
    format!(
        "wrote {}: kernels: {}, new: {n_new}, changed: {n_changed}, removed: {n_gone}\n",
        path.display(),
        now.kernels.len()
    )
}

fn junit_text(started: SystemTime, judged: &[Judged]) -> String {
    let logs: Vec<Log> = judged
        .iter()
        .map(|of| {
            let mut log = Log::default();
            of.note(&mut log);
            log
        })
        .collect();
    let stop = input("");
    let runs: Vec<Ran<'_>> = judged
        .iter()
        .zip(&logs)
        .map(|(of, log)| Ran {
            file: &of.file,
            path: &of.path,
            seed: None,
            seconds: of.seconds,
            outcome: Some(match (&of.outcome, of.failure()) {
                (Err(stop), _) => Err(stop),
                (Ok(_), Some(_)) => Err(&stop),
                (Ok(_), None) => Ok(""),
            }),
            log,
            again: None,
        })
        .collect();
    junit::text(started, &runs)
}

/// A line for each kernel, with what is not as locked, and the sums.
fn compared(judged: &[Judged]) -> String {
    let width = judged.iter().map(|of| of.file.len()).max().unwrap_or(0);
    let mut text = String::new();
    let (mut n_failed, mut n_better) = (0, 0);
    for of in judged {
        let failure = of.failure();
        let verdict = match (&failure, of.is_better()) {
            (Some(_), _) => "FAILED",
            (None, true) => "better",
            (None, false) => "ok",
        };
        n_failed += u32::from(failure.is_some());
        n_better += u32::from(failure.is_none() && of.is_better());
        let line = format!("{verdict:6}  {:width$}", of.file);
        let _ = writeln!(text, "{}", line.trim_end());
        let remarks = of.remarks();
        let failure = failure.iter().flat_map(|failure| failure.lines());
        for line in failure.chain(remarks.iter().map(String::as_str)) {
            let _ = writeln!(text, "        {line}");
        }
    }
    let n_ok = judged.len();
    let _ = writeln!(
        text,
        "{n_ok} compared, {n_failed} not as locked, {n_better} better"
    );
    text
}
