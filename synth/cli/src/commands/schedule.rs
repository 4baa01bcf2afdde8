//! `sluice schedule`

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use sluice_flow::schedule_problem::{
    Deadline, Figures, Form, Given, Method, Objective, Outcome, ProblemFile, SolverOptions,
    json_document, read as read_problems, read_kernel, summary_line,
};
use sluice_ir::limits::Limits;

use super::kernel;
use crate::limiting::{Limiting, pool};
use crate::output::{Done, input, print, read, read_config};

/// Arguments of `schedule`.
#[derive(Args)]
pub(crate) struct Schedule {
    /// File with scheduling problems (YAML, or MLIR with instances of the dialect `ssp`), or a kernel, whose own problems are solved; or a folder with such files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the results
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Method to search for the smallest II; `auto` uses all methods in turn
    #[arg(long, value_enum, default_value = "auto")]
    solver: Solver,
    /// Objectives to minimise, the most important first
    #[arg(long, value_enum, default_value = "length")]
    objective: Goal,
    /// Time limit for each problem, in seconds of real time; without it the number of search steps is limited, and results are the same on every machine
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// Number of problems that are solved at the same time; default: number of cores
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Clock period in ns to use instead of the one in the problems
    #[arg(long, value_name = "NS")]
    cycle_time: Option<f64>,
    /// Check the start times in the files instead of searching for better ones
    #[arg(long, conflicts_with_all = ["format", "solver", "objective", "time_limit", "advice", "summary"])]
    check: bool,
    /// Search for changes to the problem that would lower the II
    #[arg(long)]
    advice: bool,
    /// Print one line for each problem, and the totals
    #[arg(long, conflicts_with = "format")]
    summary: bool,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
    Ssp,
}

#[derive(Clone, Copy, ValueEnum)]
enum Solver {
    Auto,
    Sdc,
    Ims,
    SdcModulo,
    TimeRow,
    Pairwise,
    Sat,
}

#[derive(Clone, Copy, ValueEnum)]
enum Goal {
    Ii,
    Length,
    Registers,
}

impl Schedule {
    pub(crate) fn run(self) -> Done<()> {
        for (name, given) in [
            ("--time-limit", self.time_limit),
            ("--cycle-time", self.cycle_time),
        ] {
            if given.is_some_and(|given| !(given > 0.0 && given.is_finite())) {
                return Err(crate::output::Stop {
                    code: 2,
                    message: format!("error: {name} is a number above 0"),
                });
            }
        }
        let limits = self.limiting.limits();
        let mut files = Vec::new();
        let mut errors = Vec::new();
        for path in self.paths()? {
            match self.problems(&path, &limits) {
                Ok(file) => files.push(file),
                Err(stop) => errors.push(stop.message),
            }
        }
        if !errors.is_empty() {
            return Err(input(errors.concat()));
        }
        if self.check {
            return check(&files);
        }
        let began = Instant::now();
        let outcomes = self.solve(&files)?;
        let mut figures = Figures::default();
        for (number, (file, outcomes)) in files.iter_mut().zip(&outcomes).enumerate() {
            if self.summary {
                for (instance, outcome) in file.problems.iter().zip(outcomes) {
                    figures.add(outcome);
                    print(&(summary_line(instance, outcome) + "\n"));
                }
                continue;
            }
            // The JSON document contains all files.
            let text = match self.format {
                Format::Json => String::new(),
                Format::Text => file.show(outcomes, Form::Text),
                Format::Ssp => file.show(outcomes, Form::Ssp),
            };
            if number > 0 && !text.is_empty() {
                print("\n");
            }
            print(&text);
            for (problem, outcome) in outcomes.iter().enumerate() {
                errors.extend(outcome.as_ref().err().map(|why| file.message(problem, why)));
            }
        }
        if matches!(self.format, Format::Json) && !self.summary {
            let outcomes = outcomes.iter().map(Vec::as_slice);
            let all: Vec<_> = files.iter().zip(outcomes).collect();
            print(&json_document(&all));
        }
        if self.summary {
            let seconds = began.elapsed().as_secs_f64();
            print(&format!("{}; {seconds:.1} s\n", figures.line()));
            let failed = figures.problems - figures.solved;
            if failed > 0 {
                errors.push(format!("error: {failed} problems have no schedule\n"));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(input(errors.concat()))
        }
    }

    /// Reads the problems of a file. For a kernel, these are the problems that its compilation solves, with the configuration
    /// beside it.
    fn problems(&self, path: &Path, limits: &Limits) -> Done<ProblemFile> {
        let source = match path.extension().is_some_and(|ending| ending == "mlir") {
            true => read(path, limits)?,
            false => read_config(path, limits)?,
        };
        let file = path.display().to_string();
        match read_problems(&source, &file, self.cycle_time)? {
            Given::Problems(problems) => Ok(*problems),
            Given::Kernel => {
                let mut config = kernel::read_config(None, path, limits)?;
                config.clock_period_ns = self.cycle_time.or(config.clock_period_ns);
                Ok(read_kernel(&source, &file, &config)?)
            }
        }
    }

    /// Returns the files, those of folders sorted by name.
    fn paths(&self) -> Done<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for path in &self.files {
            if !path.is_dir() {
                paths.push(path.clone());
                continue;
            }
            let failed = |why| input(format!("{}: error: {why}", path.display()));
            let mut inside = Vec::new();
            for entry in std::fs::read_dir(path).map_err(failed)? {
                let entry = entry.map_err(failed)?.path();
                if is_problem(&entry) {
                    inside.push(entry);
                }
            }
            if inside.is_empty() {
                return Err(input(format!(
                    "{}: error: the folder holds no .mlir or .yaml file",
                    path.display()
                )));
            }
            inside.sort();
            paths.extend(inside);
        }
        Ok(paths)
    }

    fn options(&self) -> SolverOptions {
        let mut options = SolverOptions {
            relaxations: self.advice,
            method: match self.solver {
                Solver::Auto => None,
                Solver::Sdc => Some(Method::Sdc),
                Solver::Ims => Some(Method::Ims),
                Solver::SdcModulo => Some(Method::SdcModulo),
                Solver::TimeRow => Some(Method::TimeRow),
                Solver::Pairwise => Some(Method::Pairwise),
                Solver::Sat => Some(Method::Sat),
            },
            objective: match self.objective {
                Goal::Ii => Objective::Ii,
                Goal::Length => Objective::Length,
                Goal::Registers => Objective::Registers,
            },
            ..SolverOptions::default()
        };
        if let Some(seconds) = self.time_limit {
            options = options.limited_by_time(Deadline {
                now_s,
                end_s: now_s() + seconds,
            });
        }
        options
    }

    fn solve(&self, files: &[ProblemFile]) -> Done<Vec<Vec<Outcome>>> {
        let pool = pool(self.threads, &self.limiting.limits())?;
        Ok(pool.install(|| {
            files
                .par_iter()
                .map(|file| {
                    let problems = file.problems.par_iter();
                    // The time limit of a problem starts when its solution starts.
                    problems
                        .map(|problem| problem.solve(&self.options()))
                        .collect()
                })
                .collect()
        }))
    }
}

/// Returns the seconds since the first call.
fn now_s() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn is_problem(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.is_file() && matches!(extension, Some("mlir" | "yaml" | "yml"))
}

fn check(files: &[ProblemFile]) -> Done<()> {
    let mut errors = Vec::new();
    for file in files {
        for (number, instance) in file.problems.iter().enumerate() {
            match instance.check() {
                Ok(()) => print(&format!(
                    "{}: the schedule is right\n",
                    instance.problem.name
                )),
                Err(found) => {
                    errors.extend(found.iter().map(|message| file.message(number, message)));
                }
            }
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(input(errors.concat()))
    }
}
