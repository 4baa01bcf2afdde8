//! `sluice reduce`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_config::{Config, render};
use sluice_flow::failing::{Failing, Inputs, Kind, Work, examine};
use sluice_flow::pipeline::compile;
use sluice_flow::reduction::{Answer, smaller};
use sluice_ir::limits::Limit;
use sluice_verify::data::{DataFile, Idle, Ranges};

use super::check::data_sets;
use super::kernel::{Data, Kernel};
use crate::faults::{Panic, guarded, keep_panics};
use crate::files::{FileName, namesake, write_file};
use crate::limiting::{check_count, data_files};
use crate::output::{Done, error, input, print_bytes, read_config};

/// Arguments of `reduce`.
#[derive(Args)]
pub(crate) struct Reduce {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    #[command(flatten)]
    data: Data,
    /// Run the data sets one after the other without a reset between them, with up to N idle cycles between `done` and `start`
    #[arg(long, value_name = "N")]
    idle: Option<u64>,
    /// Keep a smaller kernel only if its failure contains this text
    #[arg(long, value_name = "TEXT", conflicts_with = "test")]
    error: Option<String>,
    /// Test each candidate with this shell command; it gets the path of the candidate, and exit code 0 means that the candidate still fails
    #[arg(long, value_name = "COMMAND")]
    test: Option<String>,
    /// Maximum number of candidates to try
    #[arg(long, value_name = "N")]
    attempts: Option<u64>,
    /// File for the smaller kernel; default: the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Default number of random data sets of each candidate.
const RANDOM_DATA_SETS: u32 = 4;

/// The failure that the reduction preserves.
enum Symptom {
    /// A panic of the compiler.
    Panic(Panic),
    /// Any other failure.
    Failing(Failing),
    /// The command of `--test` succeeded.
    Command,
}

impl Symptom {
    /// Returns whether another symptom is the same failure.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Panic(a), Self::Panic(b)) => a.place == b.place,
            (Self::Failing(a), Self::Failing(b)) => a.is_like(b),
            (Self::Command, Self::Command) => true,
            (Self::Panic(_) | Self::Failing(_) | Self::Command, _) => false,
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Panic(panic) => format!("a panic at {}: {}", panic.place, panic.message),
            Self::Failing(failing) => failing.fact.trim_end().to_owned(),
            Self::Command => "the command succeeds".to_owned(),
        }
    }

    fn contains(&self, text: &str) -> bool {
        self.describe().contains(text)
    }
}

/// Judges whether candidates still fail.
struct Judge<'r> {
    asked: &'r Reduce,
    config: Config,
    file: String,
    inputs: Inputs,
    /// Path to which candidates for a command are written.
    candidate: Option<(tempfile::TempDir, PathBuf)>,
}

impl Reduce {
    pub(crate) fn run(self) -> Done<()> {
        keep_panics();
        let path = &self.kernel.kernel;
        let limits = self.kernel.limits();
        check_count("--idle", Limit::IdleCycles, self.idle.unwrap_or(0), &limits)?;
        let source = self.kernel.source()?;
        let config = self.kernel.configuration()?;
        let judge = Judge {
            inputs: self.inputs(&source, &config)?,
            candidate: self.test.as_ref().map(|_| candidate(path)).transpose()?,
            asked: &self,
            file: path.display().to_string(),
            config,
        };
        let (symptom, work) = judge.first(&source)?;
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} attempts, {msg}") {
            bar.set_style(style);
        }
        // The progress bar is only visible on a terminal.
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let (mut n_attempts, mut n_held) = (0, 0);
        let mut stop = None;
        let mut ask = |text: &str| {
            if self.attempts.is_some_and(|most| n_attempts >= most) {
                return Answer::Stop;
            }
            n_attempts += 1;
            bar.inc(1);
            match judge.judge(text, work) {
                Ok(Some((found, _))) if self.is_same(&symptom, &found) => {
                    n_held += 1;
                    bar.set_message(format!("{} lines", n_lines(text)));
                    Answer::Holds
                }
                Ok(_) => Answer::Lost,
                Err(why) => {
                    stop = Some(why);
                    Answer::Stop
                }
            }
        };
        let smallest = smaller(&source, &judge.file, &judge.config, &mut ask)?;
        bar.finish_and_clear();
        if let Some(stop) = stop {
            return Err(stop);
        }
        let text = if n_held == 0 {
            source.clone()
        } else {
            smallest
        };
        match &self.output {
            Some(path) => write_file(path, text.as_bytes())?,
            None => print_bytes(text.as_bytes()),
        }
        let found = judge.judge(&text, work)?.map(|(found, _)| found);
        let budget = match self.attempts.is_some_and(|most| n_attempts >= most) {
            true => ", and no more are allowed",
            false => "",
        };
        let attempts = if n_attempts == 1 {
            "attempt"
        } else {
            "attempts"
        };
        error(&format!(
            "{} lines of {} are left after {n_attempts} {attempts}{budget}; still: {}",
            n_lines(&text),
            n_lines(&source),
            found.unwrap_or(symptom).describe()
        ));
        Ok(())
    }

    /// Returns whether a failure is the original one; with `--error`, its text must also contain the given text.
    fn is_same(&self, symptom: &Symptom, found: &Symptom) -> bool {
        match (&self.error, symptom, found) {
            (Some(text), Symptom::Failing(one), Symptom::Failing(other)) => {
                one.kind == other.kind && found.contains(text)
            }
            (Some(text), _, _) => symptom.is_like(found) && found.contains(text),
            (None, _, _) => symptom.is_like(found),
        }
    }

    /// Returns the inputs of candidates: ranges and data sets of the data file, as far as they fit, and random data.
    fn inputs(&self, source: &str, config: &Config) -> Done<Inputs> {
        let idle = |most_cycles| Idle {
            most_cycles,
            seed: self.data.seed,
        };
        let mut inputs = Inputs {
            n_random: match self.data.random {
                0 => RANDOM_DATA_SETS,
                random => random,
            },
            seed: self.data.seed,
            idle: self.idle.map(idle),
            ranges: Ranges::new(),
            given: Vec::new(),
        };
        if self.test.is_some() {
            return Ok(inputs);
        }
        let Some(path) = self.data.file(&self.kernel.kernel)? else {
            return Ok(inputs);
        };
        let limits = self.kernel.limits();
        let text = read_config(&path, &limits)?;
        let file = self.kernel.kernel.display().to_string();
        let compiled = guarded(|| compile(source, &file, config));
        // Without an interface there is nothing to run.
        let Ok(Ok(compiled)) = compiled else {
            return Ok(inputs);
        };
        let name = path.display().to_string();
        let mut files = data_files(&limits);
        let data = DataFile::read(&text, &name, &compiled.interface, &mut files, &limits)
            .map_err(|errors| input(render(&errors)))?;
        inputs.ranges = data.ranges;
        inputs.idle = inputs.idle.or(data.idle_cycles.map(idle));
        let sources = &compiled.interface.sources;
        inputs.given = data
            .cases
            .into_iter()
            .map(|case| sources.iter().cloned().zip(case.arguments).collect())
            .collect();
        Ok(inputs)
    }
}

impl Judge<'_> {
    /// Returns the failure of the original kernel; reports an error if it does not fail.
    fn first(&self, source: &str) -> Done<(Symptom, Work)> {
        let file = &self.file;
        let found = self.judge(source, Work::MOST)?;
        let wanted = self.asked.error.as_deref();
        match (found, wanted) {
            (Some((found, _)), Some(text)) if !found.contains(text) => Err(input(format!(
                "{file}: error: the kernel fails without `{text}` in what is said: {}",
                found.describe()
            ))),
            (Some((Symptom::Failing(failing), _)), None) if failing.kind == Kind::Refused => {
                Err(input(format!(
                    "{}\n{file}: error: the kernel is refused, which is no failure; `--error TEXT` keeps an error with that text",
                    failing.fact.trim_end()
                )))
            }
            (Some((found, work)), _) => Ok((found, work.with_margin())),
            (None, _) if self.asked.test.is_some() => Err(input(format!(
                "{file}: error: the kernel does not fail: the command says nothing of interest is in it"
            ))),
            (None, _) => Err(input(format!(
                "{file}: error: the kernel does not fail: interpreter and cycle simulation agree on {}; \
                 more of them (`--random`), another `--seed`, `--config` or `--test COMMAND` may tell more",
                data_sets(
                    self.inputs.given.len() + usize::try_from(self.inputs.n_random).unwrap_or(0)
                )
            ))),
        }
    }

    /// Returns the failure of a kernel, if it fails, and the work that was needed to find it.
    fn judge(&self, text: &str, most: Work) -> Done<Option<(Symptom, Work)>> {
        if let (Some(command), Some((_, path))) = (&self.asked.test, &self.candidate) {
            write_file(path, text.as_bytes())?;
            let is_held = succeeds(command, path)?;
            return Ok(is_held.then_some((Symptom::Command, most)));
        }
        let examined = guarded(|| examine(text, &self.file, &self.config, &self.inputs, most));
        Ok(match examined {
            Err(panic) => Some((Symptom::Panic(panic), most)),
            // A kernel that is undefined for its data does not count as failing.
            Ok(Err(_)) => None,
            Ok(Ok(examined)) => examined
                .failing
                .map(|failing| (Symptom::Failing(failing), examined.work)),
        })
    }
}

/// Creates a temporary folder for candidates, which have the file name of the kernel.
fn candidate(kernel: &Path) -> Done<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().map_err(|why| input(format!("error: {why}")))?;
    let path = namesake(folder.path(), kernel);
    let path = path.unwrap_or_else(|| FileName::fixed("kernel.mlir").within(folder.path()));
    Ok((folder, path))
}

/// Runs a shell command with a path as its last argument, ignores its output, and returns whether it succeeded.
fn succeeds(command: &str, path: &Path) -> Done<bool> {
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{command} \"$1\""))
        .arg("sh")
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let status = status.map_err(|why| input(format!("error: `{command}` does not run: {why}")))?;
    match status.code() {
        // The shell's exit codes for commands that cannot be run.
        Some(126 | 127) => Err(input(format!("error: `{command}` does not run"))),
        code => Ok(code == Some(0)),
    }
}

fn n_lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}
