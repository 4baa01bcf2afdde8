//! `sluice lock`, and `--locked` of runs of folders: figures of kernels that must not get worse.

mod compare;
mod entry;
mod file;
mod markdown;
mod tolerances;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use clap::Args;
use rayon::prelude::*;
use sluice_config::{Config, nearest_place, render};
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::Compiled;

use super::discover::{Found, Kind, Selection, kind, relative};
use super::junit::{self, Ran};
use super::kernel::{Data, Kernel};
use super::outcomes::{Came, DataSet, Log};
use crate::commands::requests::asked;
use crate::files::{within, write_file};
use crate::limiting::pool;
use crate::output::{self, Done, Stop, error_text, fault, input, print};
use compare::{Comparison, Verdict, compare};
use entry::{Entry, Latency, Measured, Runs, Upstream};
use file::LockFile;

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
    /// Compare with the lock instead of writing it: figures that are worse are errors
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    selection: Selection,
    /// Figures that are better are errors too
    #[arg(long, requires = "check")]
    strict: bool,
    /// Write the result of each figure as JUnit XML
    #[arg(long, value_name = "FILE", requires = "check")]
    junit: Option<PathBuf>,
    /// Write a short table of the differences, in Markdown
    #[arg(long, value_name = "FILE", requires = "check")]
    markdown: Option<PathBuf>,
    /// Number of kernels at once; default: number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// What a run of a folder compares with the lock of the folder.
#[derive(Args)]
pub(super) struct Locking {
    /// Compare the figures of each kernel with `sluice.lock` in the folder: those that are worse are errors
    #[arg(long)]
    locked: bool,
    /// With `--locked`, figures that are better are errors too
    #[arg(long, requires = "locked")]
    strict: bool,
    /// With `--locked`, write a short table of the differences, in Markdown
    #[arg(long, value_name = "FILE", requires = "locked")]
    markdown: Option<PathBuf>,
}

/// A lock that was read.
pub(super) struct Opened {
    path: PathBuf,
    text: String,
    lock: LockFile,
    /// The command that updates it.
    update: String,
    is_strict: bool,
}

/// A kernel that was compared with the lock.
pub(super) struct Judged {
    /// By its path from the folder of the lock.
    pub(super) file: String,
    path: PathBuf,
    outcome: Result<Comparison, Stop>,
    is_strict: bool,
    seconds: f64,
}

impl Judged {
    /// The error of the kernel, if there is one.
    pub(super) fn failure(&self) -> Option<String> {
        let comparison = match &self.outcome {
            Err(stop) => return Some(stop.message.trim_end().to_owned()),
            Ok(comparison) => comparison,
        };
        let is_failure = |verdict: Verdict| {
            verdict.is_failure() || (self.is_strict && verdict == Verdict::Better)
        };
        comparison.with(is_failure).next()?;
        let mut text = String::new();
        for difference in comparison.with(is_failure) {
            let _ = writeln!(text, "{}: error: {}", self.file, difference.line());
            for line in &difference.because {
                let _ = writeln!(text, "  {line}");
            }
        }
        let _ = write!(text, "  upstream: {}", comparison.upstream);
        Some(text)
    }

    pub(super) fn is_better(&self) -> bool {
        let better = |verdict| verdict == Verdict::Better;
        matches!(&self.outcome, Ok(comparison) if comparison.with(better).next().is_some())
    }

    /// Differences that are no errors, a line each.
    pub(super) fn remarks(&self) -> Vec<String> {
        let Ok(comparison) = &self.outcome else {
            return Vec::new();
        };
        let is_remark = |verdict: Verdict| match verdict {
            Verdict::Better => !self.is_strict,
            Verdict::Tolerated => true,
            Verdict::Worse | Verdict::Other => false,
        };
        comparison
            .with(is_remark)
            .map(|difference| format!("lock: {}", difference.line()))
            .collect()
    }

    /// Notes what came of each figure, as that of a data set.
    pub(super) fn note(&self, log: &mut Log) {
        let set = |name: String, came: Came| DataSet {
            name,
            line: None,
            place: None,
            exercised: String::new(),
            seconds: 0.0,
            came,
        };
        let is_strict = self.is_strict;
        if let Ok(comparison) = &self.outcome {
            for difference in &comparison.differences {
                let is_failed = difference.verdict.is_failure()
                    || (is_strict && difference.verdict == Verdict::Better);
                let mut why = vec![difference.line()];
                why.extend(difference.because.iter().cloned());
                why.push(format!("upstream: {}", comparison.upstream));
                log.data_sets.push(set(
                    format!("lock: {}", difference.figure),
                    match is_failed {
                        true => Came::Failed(why.join("\n")),
                        false => Came::Passed,
                    },
                ));
            }
            if comparison.differences.is_empty() {
                log.data_sets.push(set("lock".to_owned(), Came::Passed));
            }
        }
        for remark in self.remarks() {
            log.warn(None, remark);
        }
    }
}

impl Locking {
    /// What was asked for.
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

impl Opened {
    fn read(path: &Path, update: String, is_strict: bool, limits: &Limits) -> Done<Self> {
        if !path.exists() {
            let path = path.display();
            return Err(input(format!(
                "{path}: error: there is no lock; `{update}` writes it"
            )));
        }
        let text = output::read_config(path, limits)?;
        let lock = LockFile::read(&text, &path.display().to_string(), limits);
        let lock = lock.map_err(|errors| input(render(&errors)))?;
        Ok(Self {
            path: path.to_owned(),
            text,
            lock,
            update,
            is_strict,
        })
    }

    /// Compares a kernel, whose path from the folder is `file`, with its entry.
    fn judge(&self, file: &str, path: &Path, measure: impl FnOnce() -> Done<Measured>) -> Judged {
        let begin = Instant::now();
        let outcome = match self.lock.kernels.get(file) {
            None => Err(input(format!(
                "{}: error: the kernel is not in {}; `{}` adds it",
                path.display(),
                self.path.display(),
                self.update
            ))),
            Some(locked) => {
                measure().map(|measured| compare(locked, &measured, &self.lock.tolerances))
            }
        };
        Judged {
            file: file.to_owned(),
            path: path.to_owned(),
            outcome,
            is_strict: self.is_strict,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }

    /// Compares a kernel that was compiled, and whose own data sets took these cycles.
    pub(super) fn judge_compiled(
        &self,
        file: &str,
        kernel: &Kernel,
        source: &str,
        config: &Config,
        compiled: &Compiled,
        cycles: &[u64],
    ) -> Judged {
        self.judge(file, &kernel.kernel, || {
            let upstream = upstream(kernel, source, config)?;
            let path = kernel.kernel.display().to_string();
            Measured::of(compiled, &path, upstream, Runs::Cycles(cycles)).map_err(input)
        })
    }

    /// The kernels of the lock that were not found, though they are among those that are wanted.
    pub(super) fn missing(&self, found: &[String], selection: &Selection) -> Vec<Judged> {
        let locked = self.lock.kernels.keys();
        let missing = locked.filter(|file| selection.has(file) && !found.contains(file));
        missing
            .map(|file| {
                let at = ["kernels".into(), file.as_str().into()];
                let (line, column) = nearest_place(&self.text, &at);
                let path = self.path.display();
                Judged {
                    file: file.clone(),
                    path: self.path.with_file_name(file),
                    outcome: Err(input(format!(
                        "{path}:{line}:{column}: error: `{file}` is locked and is not in the folder; `{}` removes it",
                        self.update
                    ))),
                    is_strict: self.is_strict,
                    seconds: 0.0,
                }
            })
            .collect()
    }
}

/// What a kernel is made from.
fn upstream(kernel: &Kernel, source: &str, config: &Config) -> Done<Upstream> {
    let beside = kernel.kernel.with_extension("yaml");
    let path = kernel.config.clone();
    let path = path.or_else(|| beside.exists().then_some(beside));
    let text = path.map(|path| output::read_config(&path, &kernel.limits()));
    Ok(Upstream::of(source, text.transpose()?.as_deref(), config))
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

/// What changed in a lock that was written.
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
