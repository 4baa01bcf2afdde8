//! A job array of Slurm: a folder with its inputs, its script, and the messages of its tasks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sluice_flow::explore::{Inputs, Slurm};
use sluice_ir::limits::{Limit, Limits};

use crate::files::{FileName, folders_in, make_numbered_folder, remove_folder, within, write_all};
use crate::limiting::read_at_most;
use crate::output::{Done, input};
use crate::processes::{Patience, run_well};

/// The file with the inputs that all tasks share.
pub(super) const INPUTS: &str = "inputs.json";

/// The file that says which job it is. It is written last.
const JOB: &str = "job.json";

/// Added to errors of programs that cannot be started.
const ADVICE: &str =
    "; `--engine slurm` needs the commands of Slurm (Debian: `apt-get install slurm-client`)";

/// Tasks that a cluster takes in one array, where it does not say how many: the default of Slurm.
const MOST_TASKS: usize = 1000;

/// A job array that was submitted.
pub(super) struct Job {
    pub(super) folder: PathBuf,
    /// Number of the job.
    pub(super) id: String,
    /// Name of the job: no other job has it.
    name: String,
    /// Points of each task.
    task_points: usize,
    /// The file names of the points, in the order of the tasks.
    points: Vec<String>,
}

/// Where jobs are kept, and how long the commands of Slurm may take.
pub(super) struct Jobs {
    /// The folder with a folder for each job.
    pub(super) folder: PathBuf,
    /// The folder of the results.
    pub(super) results: PathBuf,
    pub(super) patience: Patience,
}

/// Some points of an exploration, and the file name of each.
pub(super) struct Wanted<'a> {
    pub(super) inputs: &'a Inputs,
    /// Their positions.
    pub(super) points: &'a [usize],
    pub(super) names: &'a [String],
    /// The hash of the running program.
    pub(super) program: &'a str,
}

/// Returns the file name of the points of a task.
pub(super) fn task_file(task: usize) -> FileName {
    FileName::numbered("task-", task, ".json")
}

impl Jobs {
    /// Returns a job that still runs and has some of the points. Removes the folders of jobs that ended.
    pub(super) fn running(&self, names: &[String]) -> Done<Option<Job>> {
        let names: BTreeSet<&String> = names.iter().collect();
        for folder in folders_in(&self.folder) {
            let Some(job) = Job::read(folder) else {
                // Another process makes it, or another program did.
                continue;
            };
            let has_some = job.points.iter().any(|name| names.contains(name));
            if !self.is_running(&job)? {
                remove_folder(&job.folder)?;
            } else if has_some {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// Whether tasks of a job wait or run.
    pub(super) fn is_running(&self, job: &Job) -> Done<bool> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--format=%A"]);
        command.arg(format!("--name={}", job.name));
        let jobs = run_well(&mut command, self.patience.of_tool(), ADVICE)?;
        Ok(!jobs.trim().is_empty())
    }

    /// Returns the number of tasks that the cluster takes in one array.
    fn most_tasks(&self) -> usize {
        let mut command = Command::new("scontrol");
        command.args(["show", "config"]);
        let config = run_well(&mut command, self.patience.of_tool(), ADVICE).unwrap_or_default();
        let mut lines = config.lines();
        let most = lines.find_map(|line| line.trim().strip_prefix("MaxArraySize"));
        let most = most.and_then(|most| most.trim_start_matches([' ', '=']).trim().parse().ok());
        // The greatest number of a task is below it.
        most.map_or(MOST_TASKS, |most: usize| most.saturating_sub(1).max(1))
    }

    /// Submits a job for some points.
    ///
    /// # Errors
    /// Slurm is missing, or refuses the job.
    pub(super) fn submit(&self, slurm: &Slurm, wanted: &Wanted<'_>) -> Done<Job> {
        let n_points = wanted.points.len();
        let task_points = slurm.task_points(n_points, self.most_tasks());
        let n_tasks = n_points.div_ceil(task_points);
        let folder = make_numbered_folder(&self.folder, "job-")?;
        let submitted = self.submit_in(slurm, wanted, &folder, (n_tasks, task_points));
        if submitted.is_err() {
            remove_folder(&folder)?;
        }
        submitted
    }

    fn submit_in(
        &self,
        slurm: &Slurm,
        wanted: &Wanted<'_>,
        folder: &Path,
        (n_tasks, task_points): (usize, usize),
    ) -> Done<Job> {
        let n_points = wanted.points.len();
        let shared = wanted.inputs.shared_text(wanted.program);
        let mut files = vec![
            (FileName::fixed(INPUTS), shared),
            (FileName::fixed("job.sh"), self.script(folder)?),
        ];
        for task in 0..n_tasks {
            let begin = task * task_points;
            let range = begin..(begin + task_points).min(n_points);
            let text = wanted.inputs.points_text(wanted.points, range);
            files.push((task_file(task), text));
        }
        write_all(folder, &files)?;
        let name = job_name(&absolute(folder)?);
        let mut command = Command::new("sbatch");
        // In names of files `%` begins what Slurm replaces.
        let log = absolute(folder)?.display().to_string().replace('%', "%%") + "/task-%a.log";
        command.args(slurm.arguments(n_tasks));
        command.arg(format!("--job-name={name}"));
        command.arg(format!("--output={log}"));
        command.arg(format!("--chdir={}", absolute(Path::new("."))?.display()));
        command.arg(within(folder, "job.sh"));
        let output = run_well(&mut command, self.patience.of_tool(), ADVICE)?;
        // The number, and after a semicolon the name of the cluster.
        let id = output.trim().split(';').next().unwrap_or_default();
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(input(format!(
                "error: `sbatch` did not print the number of a job, but `{}`; is one of the `options` of `slurm` the reason?",
                output.trim()
            )));
        }
        let job = Job {
            folder: folder.to_owned(),
            id: id.to_owned(),
            name,
            task_points,
            points: wanted.names.to_vec(),
        };
        write_all(folder, &[(FileName::fixed(JOB), job.to_json())])?;
        Ok(job)
    }

    /// Returns the script of each task.
    fn script(&self, folder: &Path) -> Done<String> {
        let program = std::env::current_exe()
            .map_err(|why| input(format!("error: the path of `sluice` is unknown: {why}")))?;
        Ok(format!(
            "#!/bin/sh\n# Compiles the points of one task of a job array.\nexec {} explore-task {} {} \\\n    \"$SLURM_ARRAY_TASK_ID\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
            quoted(&program),
            quoted(&absolute(folder)?),
            quoted(&absolute(&self.results)?),
        ))
    }
}

impl Job {
    fn to_json(&self) -> String {
        let value = json!({
            "id": self.id, "name": self.name, "task_points": self.task_points, "points": self.points,
        });
        serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
    }

    fn read(folder: PathBuf) -> Option<Self> {
        let path = within(&folder, JOB);
        let text = read_at_most(&path, &Limits::default(), Limit::FileBytes).ok()?;
        let value: Value = serde_json::from_slice(&text).ok()?;
        let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
        let points = value.get("points")?.as_array()?.iter();
        Some(Self {
            id: text("id")?,
            name: text("name")?,
            task_points: usize::try_from(value.get("task_points")?.as_u64()?).ok()?,
            points: points
                .map(|name| Some(name.as_str()?.to_owned()))
                .collect::<Option<_>>()?,
            folder,
        })
    }

    /// Returns the path of the messages of the task that has a point, and the last line of them.
    pub(super) fn messages(&self, name: &str) -> Option<(PathBuf, String)> {
        let point = self.points.iter().position(|known| known == name)?;
        let task = point / self.task_points.max(1);
        let path = FileName::numbered("task-", task, ".log").within(&self.folder);
        let text = read_at_most(&path, &Limits::default(), Limit::FileBytes).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        Some((path, last.unwrap_or_default().trim().to_owned()))
    }
}

/// Returns a name that no other job has: folders of jobs differ.
fn job_name(folder: &Path) -> String {
    let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    let digits: String = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
    format!("sluice-{digits}")
}

/// Returns the absolute path of a folder.
///
/// # Errors
/// Slurm cannot write messages there: in the name of their file a backslash turns off the number of the task.
fn absolute(path: &Path) -> Done<PathBuf> {
    let failed = |why: &str| input(format!("{}: error: {why}", path.display()));
    let path = std::fs::canonicalize(path).map_err(|why| failed(&why.to_string()))?;
    match path.to_str().is_some_and(|path| !path.contains('\\')) {
        true => Ok(path),
        false => Err(failed(
            "Slurm cannot use a path with a backslash, or one that is not UTF-8: use another folder",
        )),
    }
}

/// Returns a path as a word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
