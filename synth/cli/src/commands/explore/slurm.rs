//! The points of an exploration, compiled by job arrays of Slurm. The jobs go on when this process ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use sluice_flow::explore::{Inputs, Outcome, PointResult, Slurm};

use super::cache::Cache;
use super::job::{Job, Jobs, Wanted};
use super::note_known;
use super::run::{Results, bar};
use crate::files::remove_folder;
use crate::output::{Done, error_text, input, print};
use crate::processes::{Patience, end_on_interrupt, on_interrupt};

/// Shortest and longest time between two looks at the results.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(10)];

/// Time in which results of a job that ended may still appear: network file systems show new files late.
const LATE: Duration = Duration::from_secs(5);

/// How jobs are submitted, and where results go.
pub(super) struct Cluster<'a> {
    pub(super) slurm: &'a Slurm,
    /// The folder of the exploration.
    pub(super) output: &'a Path,
    pub(super) patience: Patience,
}

/// How the wait for a job ended.
enum Waited {
    Ended,
    /// All results are there, and Slurm does not say whether the job ended.
    Complete,
    Interrupted,
}

/// Results that arrive while jobs run.
struct Arrivals<'a> {
    inputs: &'a Inputs,
    cache: Cache,
    results: Vec<Option<PointResult>>,
    bar: &'a ProgressBar,
}

impl Arrivals<'_> {
    /// Returns the positions of the points without a result.
    fn missing(&self) -> Vec<usize> {
        let all = 0..self.results.len();
        all.filter(|i| self.results[*i].is_none()).collect()
    }

    /// Looks for new results; whether some are still missing.
    fn look(&mut self) -> bool {
        for i in self.missing() {
            self.results[i] = self.cache.find(self.inputs, &self.inputs.points[i]);
            if self.results[i].is_some() {
                self.bar.inc(1);
            }
        }
        self.results.iter().any(Option::is_none)
    }
}

impl Cluster<'_> {
    /// Submits the points that the cache does not know, and waits for them. Returns `None` if it does not wait; points that an interrupt
    /// left out have no result.
    pub(super) fn run(&self, inputs: Inputs, cache: &Cache, detach: bool) -> Done<Option<Results>> {
        let Some(program) = cache.identity() else {
            return Err(input(
                "error: the running program cannot be read, so that results of other builds cannot be told apart",
            ));
        };
        let jobs = Jobs {
            folder: self.output.join("slurm"),
            results: self.output.join("points"),
            patience: self.patience,
        };
        let results = cache.find_all(&inputs);
        let n_known = results.iter().flatten().count();
        note_known(n_known, results.len());
        let bar = bar(results.len() - n_known);
        let mut arrivals = Arrivals {
            inputs: &inputs,
            cache: cache.clone(),
            results,
            bar: &bar,
        };
        let (tell, interrupts) = channel();
        let mut n_submissions = 0;
        let mut last = None;
        let mut is_interrupted = false;
        loop {
            let missing = arrivals.missing();
            if missing.is_empty() || n_submissions == self.slurm.submissions {
                break;
            }
            let names: Vec<String> = missing
                .iter()
                .filter_map(|i| cache.file_name(&inputs, &inputs.points[*i]))
                .collect();
            let job = match jobs.running(&names)? {
                Some(job) => {
                    say(
                        &bar,
                        &format!("note: waiting for job {}, submitted before\n", job.id),
                    );
                    job
                }
                None => {
                    n_submissions += 1;
                    let wanted = Wanted {
                        inputs: &inputs,
                        points: &missing,
                        names: &names,
                        program,
                    };
                    let job = jobs.submit(self.slurm, &wanted)?;
                    let n = missing.len();
                    let s = if n == 1 { "" } else { "s" };
                    say(
                        &bar,
                        &format!("note: submitted {n} point{s} as job {}\n", job.id),
                    );
                    job
                }
            };
            if detach {
                print(&format!(
                    "job {} goes on; the same command without `--detach` waits for it and shows the results\n",
                    job.id
                ));
                return Ok(None);
            }
            let tell = tell.clone();
            on_interrupt(move || {
                let _ = tell.send(());
            });
            arrivals.cache = cache.with_cut(job.folder.clone());
            match wait(&jobs, &job, &mut arrivals, &interrupts)? {
                Waited::Interrupted => {
                    say(
                        &bar,
                        &format!("note: job {} goes on; `scancel {0}` ends it\n", job.id),
                    );
                    is_interrupted = true;
                    break;
                }
                Waited::Ended if arrivals.missing().is_empty() => remove_folder(&job.folder)?,
                Waited::Ended | Waited::Complete => {}
            }
            last = Some(job);
        }
        bar.finish_and_clear();
        end_on_interrupt();
        if let Some(job) = last.filter(|_| !is_interrupted) {
            for i in arrivals.missing() {
                let name = cache.file_name(&inputs, &inputs.points[i]);
                let lost = lost(&job, &name.unwrap_or_default(), n_submissions);
                arrivals.results[i] = Some(lost);
            }
        }
        let results = arrivals.results;
        Ok(Some((Arc::new(inputs), results)))
    }
}

/// Waits until all results are there and the job ended, or until it ended without them.
fn wait(
    jobs: &Jobs,
    job: &Job,
    arrivals: &mut Arrivals<'_>,
    interrupts: &Receiver<()>,
) -> Done<Waited> {
    let [mut pause, longest] = PAUSES;
    let mut answered = Instant::now();
    let mut ended: Option<Instant> = None;
    loop {
        let is_missing = arrivals.look();
        match jobs.is_running(job) {
            Ok(is_running) => {
                answered = Instant::now();
                ended = (!is_running).then(|| ended.unwrap_or(answered));
            }
            // The controller of a busy cluster is away for moments.
            Err(why) if is_missing && answered.elapsed() > jobs.patience.of_tool() => {
                return Err(why);
            }
            Err(_) if !is_missing => return Ok(Waited::Complete),
            Err(_) => {}
        }
        if let Some(ended) = ended {
            if !is_missing || ended.elapsed() > LATE {
                return Ok(Waited::Ended);
            }
            pause = PAUSES[0];
        }
        match interrupts.recv_timeout(pause) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(Waited::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
        }
        pause = (pause * 3 / 2).min(longest);
    }
}

/// The result of a point whose tasks ended without one.
fn lost(job: &Job, name: &str, n_submissions: u32) -> PointResult {
    let s = if n_submissions == 1 { "" } else { "s" };
    let mut reason = format!("no result after {n_submissions} submission{s}");
    if let Some((path, last)) = job.messages(name) {
        let last = if last.is_empty() { "no message" } else { &last };
        reason += &format!("; {}: {last}", path.display());
    }
    PointResult {
        outcome: Outcome::Failed {
            reason,
            is_internal: false,
        },
        files: BTreeMap::new(),
        is_cut: false,
    }
}

/// Prints a note above the bar.
fn say(bar: &ProgressBar, note: &str) {
    bar.suspend(|| error_text(note));
}
