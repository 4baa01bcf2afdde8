//! `sluice explore --engine slurm`, with scripts in place of the commands of Slurm: a cluster of one node that runs tasks in order.
//! `testbenches/slurm/run` uses a real one.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::explore::SUMS;

const SPACE: &str = "clock_period_ns: [2, 3, 4, 5, 6, 7]
unroll: {i: [1, 3]}
slurm: {partition: short, at_once: 2, cpus_per_task: 2, time_limit_minutes: 9, memory_mib: 700, submissions: 2, options: [--qos=low]}
";

/// A job is a file with its name while it runs. A task with a file `lose-N` is killed. `hold` keeps jobs from starting.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >> "$QUEUE/calls"
[ ! -e "$QUEUE/refuse" ] || { echo "sbatch: error: invalid partition specified: short" >&2; exit 1; }
for word; do
    case $word in
        --array=*) last=${word#--array=0-}; last=${last%%%*} ;;
        --job-name=*) name=${word#--job-name=} ;;
        --output=*) log=${word#--output=} ;;
        --chdir=*) cd "${word#--chdir=}" ;;
    esac
    script=$word
done
touch "$QUEUE/$name"
(
    while [ -e "$QUEUE/hold" ]; do sleep 0.05; done
    for task in $(seq 0 "$last"); do
        export SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=2
        messages=$(echo "$log" | sed "s/%a/$task/")
        if [ -e "$QUEUE/lose-$task" ]; then
            echo "slurmstepd: error: out of memory" > "$messages"
        else
            sh "$script" > "$messages" 2>&1
        fi
    done
    rm "$QUEUE/$name"
) > /dev/null 2>&1 &
echo "7;local"
"#;

/// With a file `away` the controller does not answer.
const SQUEUE: &str = r#"#!/bin/sh
[ ! -e "$QUEUE/away" ] || { echo "squeue: error: Socket timed out" >&2; exit 1; }
for word; do
    case $word in
        --name=*) [ ! -e "$QUEUE/${word#--name=}" ] || echo 7 ;;
    esac
done
"#;

/// Three tasks fit into an array.
const SCONTROL: &str = "#!/bin/sh\necho 'MaxArraySize            = 4'\n";

struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let site = Self { folder };
        std::fs::create_dir(site.path("queue")).expect("a folder can be made");
        site.write("k.mlir", SUMS);
        site.write("space.yaml", SPACE);
        for (name, script) in [
            ("sbatch", SBATCH),
            ("squeue", SQUEUE),
            ("scontrol", SCONTROL),
        ] {
            site.write(name, script);
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(site.path(name), mode).expect("it is there");
        }
        site
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is written")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sluice"));
        let path = format!("{}:/usr/bin:/bin", self.folder.path().display());
        command
            .args(["explore", "k.mlir", "--config", "space.yaml"])
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("QUEUE", self.path("queue"))
            .env("NO_COLOR", "1");
        command
    }

    /// Explores into a folder; the exit code must be the one expected. Returns standard output and standard error.
    fn explore(&self, output: &str, more: &[&str], expected_code: i32) -> (String, String) {
        let arguments = [&["-o", output], more].concat();
        let output = self.command(&arguments).output();
        let output: Output = output.expect("the command starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(expected_code), "{out}{error}");
        (out, error)
    }

    fn n_calls(&self) -> usize {
        self.read("queue/calls").lines().count()
    }
}

const SLURM: &[&str] = &["--engine", "slurm", "--allow-failures"];

/// The files of a folder with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut all: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a file"))
        })
        .collect();
    all.sort();
    all
}

#[test]
fn results_are_those_of_a_local_run() {
    let site = Site::new();
    let (local, _) = site.explore("local", &["--allow-failures"], 0);
    let (out, error) = site.explore("cluster", SLURM, 0);
    assert_eq!(local, out);
    assert_eq!(error, "note: submitted 12 points as job 7\n");
    for part in ["", "points"] {
        let of = |name: &str| contents(&site.path(name).join(part));
        assert!(of("local") == of("cluster"), "{part}");
    }
    let jobs = std::fs::read_dir(site.path("cluster/slurm")).expect("it is kept");
    assert_eq!(jobs.count(), 0, "a job that is done leaves nothing");
    let calls = site.read("queue/calls");
    let expected = "--parsable --array=0-2%2 --requeue --cpus-per-task=2 --partition=short --time=9 --mem=700M --qos=low --job-name=sluice-";
    assert!(calls.starts_with(expected), "{calls}");
}

#[test]
fn lost_tasks_are_submitted_again() {
    let site = Site::new();
    site.write("queue/lose-1", "");
    let (out, error) = site.explore("cluster", &SLURM[..2], 1);
    assert_eq!(
        error.lines().take(2).collect::<Vec<_>>(),
        [
            "note: submitted 12 points as job 7",
            "note: submitted 4 points as job 7"
        ]
    );
    assert_eq!(site.n_calls(), 2);
    // The second job has a task for every second point.
    let reason = "no result after 2 submissions; cluster/slurm/job-1/task-1.log: slurmstepd: error: out of memory";
    assert!(out.contains(reason), "{out}");
    std::fs::remove_file(site.path("queue/lose-1")).expect("it is there");
    let (out, error) = site.explore("cluster", SLURM, 0);
    let (local, _) = site.explore("local", &["--allow-failures"], 0);
    assert_eq!(out, local);
    assert!(
        error.starts_with(
            "note: 10 of 12 points were compiled before\nnote: submitted 2 points as job 7\n"
        ),
        "{error}"
    );
}

#[test]
fn a_job_goes_on_without_the_command_that_submitted_it() {
    let site = Site::new();
    site.write("queue/hold", "");
    let (out, _) = site.explore("cluster", &[SLURM, &["--detach"]].concat(), 0);
    assert!(out.starts_with("job 7 goes on; "), "{out}");
    // The job has the kernel as it was.
    site.write("k.mlir", &format!("{SUMS}// another one\n"));
    let waiting = site.command(&[&["-o", "cluster"], SLURM, &["--detach"]].concat());
    let mut waiting = waiting;
    let output = waiting.output().expect("the command starts");
    assert!(output.status.success());
    assert_eq!(
        site.n_calls(),
        2,
        "the job has none of the other kernel's points"
    );
    site.write("k.mlir", SUMS);
    let mut second = site.command(&[&["-o", "cluster"], SLURM].concat());
    let child = second
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(300));
    std::fs::remove_file(site.path("queue/hold")).expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error, "note: waiting for job 7, submitted before\n");
    let (local, _) = site.explore("local", &["--allow-failures"], 0);
    assert_eq!(String::from_utf8_lossy(&output.stdout), local);
    // The other job ends before its folder does.
    let begin = Instant::now();
    let is_busy = || std::fs::read_dir(site.path("queue")).map_or(0, Iterator::count) > 1;
    while is_busy() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(contents(&site.path("cluster/points")).len(), 24);
}

#[test]
fn an_interrupt_leaves_the_job() {
    let site = Site::new();
    site.write("queue/hold", "");
    let mut command = site.command(&[&["-o", "cluster"], SLURM].concat());
    let child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    let begin = Instant::now();
    while !site.path("cluster/slurm/job-1/job.json").exists()
        && begin.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    // The interrupt is awaited from a moment after the file is there.
    std::thread::sleep(Duration::from_millis(200));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(
        error.contains("note: job 7 goes on; `scancel 7` ends it\n"),
        "{error}"
    );
    std::fs::remove_file(site.path("queue/hold")).expect("it is there");
    let (_, error) = site.explore("cluster", SLURM, 0);
    assert!(
        error.ends_with("note: waiting for job 7, submitted before\n"),
        "{error}"
    );
    assert_eq!(site.n_calls(), 1);
}

#[test]
fn results_do_not_need_the_controller() {
    let site = Site::new();
    site.write("queue/away", "");
    let (out, _) = site.explore("cluster", SLURM, 0);
    let (local, _) = site.explore("local", &["--allow-failures"], 0);
    assert_eq!(out, local);
}

#[test]
fn paths_that_slurm_cannot_use_are_refused() {
    let site = Site::new();
    let (_, error) = site.explore("back\\slash", SLURM, 1);
    assert!(
        error.contains("error: Slurm cannot use a path with a backslash"),
        "{error}"
    );
    assert!(!site.path("queue/calls").exists());
    // The answer of an option that submits nothing is no number.
    site.write("sbatch", "#!/bin/sh\necho slurm-wlm 22.05.8\n");
    let (_, error) = site.explore("cluster", SLURM, 1);
    assert!(
        error.contains("did not print the number of a job, but `slurm-wlm 22.05.8`"),
        "{error}"
    );
}

#[test]
fn refusals_are_reported_as_they_are() {
    let site = Site::new();
    site.write("queue/refuse", "");
    let (_, error) = site.explore("cluster", SLURM, 1);
    assert_eq!(
        error,
        "error: `sbatch` failed, exit status: 1:\nsbatch: error: invalid partition specified: short\n"
    );
    let jobs = std::fs::read_dir(site.path("cluster/slurm")).expect("a folder");
    assert_eq!(jobs.count(), 0);
    let arguments = [&["-o", "cluster"], SLURM].concat();
    let output = site.command(&arguments).env("PATH", "nowhere").output();
    let output = output.expect("the command starts");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.starts_with("error: `sbatch` does not run: "),
        "{error}"
    );
    assert!(
        error.ends_with("(Debian: `apt-get install slurm-client`)\n"),
        "{error}"
    );
    let (_, error) = site.explore("local", &["--detach"], 1);
    assert_eq!(error, "error: `--detach` needs `--engine slurm`\n");
}
