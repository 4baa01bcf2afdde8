//! How an exploration uses Slurm: the keys of `slurm` in a space file, and the job array that they ask for.

use serde_yaml::Value;
use sluice_config::{Part, Reader};
use sluice_ir::suggestion::did_you_mean;

/// How jobs are submitted. Each task of a job array compiles some points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slurm {
    /// The partition; otherwise the default one of the cluster.
    pub partition: Option<String>,
    /// Maximum number of tasks that run at the same time.
    pub at_once: Option<u32>,
    /// Points of a task; otherwise there are about 100 tasks.
    pub points_per_task: Option<u32>,
    /// Processors of a task, and so the points that it compiles at the same time.
    pub cpus_per_task: u32,
    /// Time limit of a task in minutes; otherwise the default one of the partition.
    pub time_limit_minutes: Option<u32>,
    /// Memory of a task in MiB; otherwise the default one of the partition.
    pub memory_mib: Option<u32>,
    /// How often points without a result are submitted before they count as failed.
    pub submissions: u32,
    /// More options of `sbatch`.
    pub options: Vec<String>,
}

/// Tasks of an array where the space does not say how many points a task has: a few for each processor of a cluster, so that all end at
/// about the same time, and few enough that starting them costs little.
const TASKS: usize = 100;

impl Default for Slurm {
    fn default() -> Self {
        Self {
            partition: None,
            at_once: None,
            points_per_task: None,
            cpus_per_task: 1,
            time_limit_minutes: None,
            memory_mib: None,
            submissions: 3,
            options: Vec::new(),
        }
    }
}

const KEYS: [&str; 8] = [
    "partition",
    "at_once",
    "points_per_task",
    "cpus_per_task",
    "time_limit_minutes",
    "memory_mib",
    "submissions",
    "options",
];

/// Options of `sbatch` that Sluice gives, or that submit no job as it needs it.
const REFUSED_OPTIONS: [&str; 12] = [
    "--array",
    "--chdir",
    "--help",
    "--job-name",
    "--output",
    "--parsable",
    "--quiet",
    "--test-only",
    "--usage",
    "--version",
    "--wait",
    "--wrap",
];

/// Greatest value of a count: Slurm keeps them in 32 bits, and some of their values mean something else.
const MOST: u64 = 1 << 30;

impl Slurm {
    /// Reads `slurm`, entry `at` of a space file.
    pub(super) fn read(reader: &mut Reader<'_>, at: usize, value: &Value) -> Self {
        let mut slurm = Self::default();
        let Some(table) = value.as_mapping() else {
            let message = format!(
                "`slurm` maps keys to values; its keys are {}",
                KEYS.join(", ")
            );
            reader.error_at_entry(&[at], Part::Value, message);
            return slurm;
        };
        for (i, (key, value)) in table.iter().enumerate() {
            let key = key.as_str().unwrap_or_default();
            if !KEYS.contains(&key) {
                let message = format!("unknown key `{key}`; {}", did_you_mean(key, &KEYS));
                reader.error_at_entry(&[at, i], Part::Key, message);
            } else if key == "options" {
                slurm.read_options(reader, [at, i], value);
            } else if let Err(message) = slurm.set(key, value) {
                reader.error_at_entry(&[at, i], Part::Value, message);
            }
        }
        slurm
    }

    fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let count = || {
            let count = value.as_u64().filter(|n| (1..=MOST).contains(n));
            let count = count.and_then(|n| u32::try_from(n).ok());
            count.ok_or_else(|| format!("`{key}` is a whole number from 1 to {MOST}"))
        };
        match key {
            "partition" => {
                let is_name = |name: &&str| !name.is_empty() && !name.contains(char::is_whitespace);
                let name = value.as_str().filter(is_name);
                let name = name.ok_or("`partition` is the name of a partition of the cluster")?;
                self.partition = Some(name.to_owned());
            }
            "at_once" => self.at_once = Some(count()?),
            "points_per_task" => self.points_per_task = Some(count()?),
            "cpus_per_task" => self.cpus_per_task = count()?,
            "time_limit_minutes" => self.time_limit_minutes = Some(count()?),
            "memory_mib" => self.memory_mib = Some(count()?),
            "submissions" => self.submissions = count()?,
            // `options` is read by itself.
            _ => {}
        }
        Ok(())
    }

    /// Reads `options`, entry `at`.
    fn read_options(&mut self, reader: &mut Reader<'_>, at: [usize; 2], value: &Value) {
        const FORM: &str =
            "`options` is a list of long options of sbatch, for example `--account=chips`";
        let Some(list) = value.as_sequence() else {
            return reader.error_at_entry(&at, Part::Value, FORM);
        };
        for (i, option) in list.iter().enumerate() {
            let place = [at[0], at[1], i];
            let Some(option) = option.as_str().filter(|text| text.starts_with("--")) else {
                reader.error_at_entry(&place, Part::Value, FORM);
                continue;
            };
            let name = option.split('=').next().unwrap_or_default();
            // sbatch takes any beginning of a name that is no other one's.
            let refused = REFUSED_OPTIONS.iter().find(|known| known.starts_with(name));
            if let Some(refused) = refused {
                let message =
                    format!("`{refused}` cannot be set for an exploration: leave `{name}` out");
                reader.error_at_entry(&place, Part::Value, message);
            }
            self.options.push(option.to_owned());
        }
    }

    /// Returns the number of points of each task, so that `n_points` points are at most `most_tasks` tasks.
    pub fn task_points(&self, n_points: usize, most_tasks: usize) -> usize {
        let least = n_points.div_ceil(most_tasks.max(1)).max(1);
        let asked = self.points_per_task.map_or_else(
            || n_points.div_ceil(TASKS),
            |n| usize::try_from(n).unwrap_or(usize::MAX),
        );
        asked.max(least)
    }

    /// Returns the options of `sbatch` for a job array of this many tasks.
    pub fn arguments(&self, n_tasks: usize) -> Vec<String> {
        let mut array = format!("--array=0-{}", n_tasks.saturating_sub(1));
        if let Some(most) = self.at_once {
            array += &format!("%{most}");
        }
        let mut all = vec!["--parsable".to_owned(), array, "--requeue".to_owned()];
        all.push(format!("--cpus-per-task={}", self.cpus_per_task));
        if let Some(partition) = &self.partition {
            all.push(format!("--partition={partition}"));
        }
        if let Some(minutes) = self.time_limit_minutes {
            all.push(format!("--time={minutes}"));
        }
        if let Some(mib) = self.memory_mib {
            all.push(format!("--mem={mib}M"));
        }
        all.extend(self.options.iter().cloned());
        all
    }
}
