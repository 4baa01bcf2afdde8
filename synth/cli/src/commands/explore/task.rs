//! `sluice explore-task`, which the tasks of a job array run

use std::path::PathBuf;

use clap::Args;
use sluice_flow::explore::Inputs;
use sluice_ir::limits::Limit;

use super::cache::Cache;
use super::job::{INPUTS, task_file};
use super::run;
use crate::files::within;
use crate::limiting::{Limiting, pool, read_at_most};
use crate::output::{Done, input};

/// Arguments of `explore-task`.
#[derive(Args)]
pub(crate) struct ExploreTask {
    /// Folder of the job
    job: PathBuf,
    /// Folder for the results
    results: PathBuf,
    /// Number of the task
    task: usize,
    /// Number of points that are compiled at the same time
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

impl ExploreTask {
    pub(crate) fn run(self) -> Done<()> {
        let limits = self.limiting.limits();
        let read = |path: PathBuf| {
            let failed = |why| input(format!("{}: error: {why}", path.display()));
            let data = read_at_most(&path, &limits, Limit::FileBytes).map_err(failed)?;
            String::from_utf8(data).map_err(|why| failed(why.to_string()))
        };
        let shared = read(within(&self.job, INPUTS))?;
        let points = read(task_file(self.task).within(&self.job))?;
        let cache = Cache::open(self.results).with_cut(self.job);
        let program = cache.identity().unwrap_or_default();
        let inputs = Inputs::of_texts(&shared, &points, program)
            .map_err(|why| input(format!("error: {why}")))?;
        let pool = pool(self.threads, &inputs.limits)?;
        // A point without a circuit is a result.
        run::run(&pool, inputs, &cache).map(|_| ())
    }
}
