//! Judges a kernel by its entry in a lock, and formats the result.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sluice_config::{Config, nearest_place, render};
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::Compiled;

use super::compare::{Comparison, Verdict, compare};
use super::entry::{Measured, Runs, Upstream};
use super::file::LockFile;
use crate::commands::discover::Selection;
use crate::commands::kernel::Kernel;
use crate::commands::outcomes::{Came, DataSet, Log};
use crate::output::{self, Done, Stop, input};

/// A lock that was read.
pub(in crate::commands) struct Opened {
    path: PathBuf,
    text: String,
    pub(super) lock: LockFile,
    /// The command that updates it.
    pub(super) update: String,
    is_strict: bool,
}

/// A kernel that was compared with the lock.
pub(in crate::commands) struct Judged {
    /// By its path from the folder of the lock.
    pub(in crate::commands) file: String,
    pub(super) path: PathBuf,
    pub(super) outcome: Result<Comparison, Stop>,
    is_strict: bool,
    pub(super) seconds: f64,
}

impl Judged {
    /// The error of the kernel, if there is one.
    pub(in crate::commands) fn failure(&self) -> Option<String> {
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

    pub(in crate::commands) fn is_better(&self) -> bool {
        let better = |verdict| verdict == Verdict::Better;
        matches!(&self.outcome, Ok(comparison) if comparison.with(better).next().is_some())
    }

    /// Differences that are no errors, a line each.
    pub(in crate::commands) fn remarks(&self) -> Vec<String> {
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

    /// Records the result of each figure in the same form as that of a data set.
    pub(in crate::commands) fn note(&self, log: &mut Log) {
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

impl Opened {
    pub(super) fn read(
        path: &Path,
        update: String,
        is_strict: bool,
        limits: &Limits,
    ) -> Done<Self> {
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
    pub(super) fn judge(
        &self,
        file: &str,
        path: &Path,
        measure: impl FnOnce() -> Done<Measured>,
    ) -> Judged {
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
    pub(in crate::commands) fn judge_compiled(
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

    /// Returns an error for each selected kernel of the lock that the folder lacks.
    pub(in crate::commands) fn missing(
        &self,
        found: &[String],
        selection: &Selection,
    ) -> Vec<Judged> {
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

/// Returns the inputs of a compilation.
pub(super) fn upstream(kernel: &Kernel, source: &str, config: &Config) -> Done<Upstream> {
    let beside = kernel.kernel.with_extension("yaml");
    let path = kernel.config.clone();
    let path = path.or_else(|| beside.exists().then_some(beside));
    let text = path.map(|path| output::read_config(&path, &kernel.limits()));
    Ok(Upstream::of(source, text.transpose()?.as_deref(), config))
}
