//! Programs that Sluice starts: each runs until it ends or reaches its time limit, and messages include how it ended.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use clap::Args;

use crate::output::{Done, error, input};

/// How long other programs may take.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Patience {
    /// Time limit in seconds for another program: Verilator with its compiler, or a synthesis tool (default 600), or the next answer of a model
    /// (120)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    tool_timeout: Option<u64>,
}

/// Default time limit of a tool.
const TOOL: Duration = Duration::from_secs(600);

/// Default time limit for an answer of a model.
const ANSWER: Duration = Duration::from_secs(120);

impl Patience {
    /// Returns the time limit of a tool.
    pub(crate) fn of_tool(self) -> Duration {
        self.tool_timeout.map_or(TOOL, Duration::from_secs)
    }

    /// Returns the time limit of one of several attempts of a tool, for which `own` is usually enough.
    pub(crate) fn of_attempt(self, own: Duration) -> Duration {
        self.tool_timeout
            .map_or(own, |seconds| Duration::from_secs(seconds).min(own))
    }

    /// Returns the time limit for an answer of a model.
    pub(crate) fn of_answer(self) -> Duration {
        self.tool_timeout.map_or(ANSWER, Duration::from_secs)
    }
}

/// The way in which a program ended.
pub(crate) enum Ended {
    /// With exit code 0.
    Well,
    /// With another exit code, or by a signal.
    Badly(ExitStatus),
    /// It was stopped at its time limit.
    TooLate,
}

/// How a program ended, and what it printed.
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Runs a program and waits for it.
///
/// # Errors
/// The program cannot be started.
pub(crate) fn run(command: &mut Command, patience: Duration) -> std::io::Result<Ran> {
    // Use files, because a child that outlives the program would keep a pipe open and block the reader.
    let (output, errors) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::from(output.try_clone()?))
        .stderr(Stdio::from(errors.try_clone()?));
    let mut group = Group::start(command)?;
    let ended = match group.wait(patience)? {
        Some(status) if status.success() => Ended::Well,
        Some(status) => Ended::Badly(status),
        None => Ended::TooLate,
    };
    Ok(Ran {
        ended,
        output: text(output)?,
        errors: text(errors)?,
    })
}

fn text(mut file: File) -> std::io::Result<String> {
    let mut data = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut data)?;
    Ok(String::from_utf8_lossy(&data).into_owned())
}

/// Runs a program that must succeed, and returns its standard output. `advice` is added to the error if it cannot be started.
pub(crate) fn run_well(command: &mut Command, patience: Duration, advice: &str) -> Done<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let ran = run(command, patience)
        .map_err(|why| input(format!("error: `{program}` does not run: {why}{advice}")))?;
    match ran.ended {
        Ended::Well => Ok(ran.output),
        ended => Err(input(failure(
            &program,
            &ended,
            patience,
            &(ran.errors + &ran.output),
        ))),
    }
}

/// Formats the error of a program: how it ended and what it printed.
pub(crate) fn failure(program: &str, ended: &Ended, patience: Duration, said: &str) -> String {
    let how = match ended {
        Ended::Well => format!("`{program}` ended well"),
        Ended::Badly(status) => format!("`{program}` failed, {status}"),
        Ended::TooLate => format!(
            "`{program}` was stopped after {} s; `--tool-timeout SECONDS` gives it more",
            patience.as_secs()
        ),
    };
    match said.trim() {
        "" => format!("error: {how}; it said nothing"),
        said => format!("error: {how}:\n{said}"),
    }
}

/// A program with all processes that it starts.
struct Group {
    child: Child,
}

/// Process groups that are running.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

static INTERRUPTS: Once = Once::new();

/// The action of the next interrupt in place of ending the process.
static INSTEAD: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Lets the next interrupt do something; the one after it ends the process.
pub(crate) fn on_interrupt(instead: impl FnOnce() + Send + 'static) {
    if let Ok(mut held) = INSTEAD.lock() {
        *held = Some(Box::new(instead));
    }
    handle_interrupts();
}

/// Lets interrupts end the process again.
pub(crate) fn end_on_interrupt() {
    if let Ok(mut held) = INSTEAD.lock() {
        *held = None;
    }
}

fn handle_interrupts() {
    INTERRUPTS.call_once(|| {
        // A group of its own gets no interrupt from the terminal.
        let handler = ctrlc::set_handler(|| {
            if let Ok(running) = RUNNING.lock() {
                running.iter().for_each(|leader| stop(*leader));
            }
            let instead = INSTEAD.lock().ok().and_then(|mut held| held.take());
            match instead {
                Some(instead) => instead(),
                None => std::process::exit(130),
            }
        });
        if let Err(why) = handler {
            error(&format!("note: interrupts are not handled: {why}"));
        }
    });
}

impl Group {
    fn start(command: &mut Command) -> std::io::Result<Self> {
        handle_interrupts();
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        let mut running = RUNNING.lock();
        let child = command.spawn()?;
        if let Ok(running) = &mut running {
            running.insert(child.id());
        }
        Ok(Self { child })
    }

    /// Returns its exit status; `None` if it was stopped.
    fn wait(&mut self, patience: Duration) -> std::io::Result<Option<ExitStatus>> {
        let status = wait(&mut self.child, patience)?;
        if status.is_none() {
            stop(self.child.id());
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Ok(mut running) = RUNNING.lock() {
            running.remove(&self.child.id());
        }
    }
}

/// Ends all processes of a group. On a system without process groups, only the leader is ended.
fn stop(leader: u32) {
    if cfg!(unix) {
        let _ = Command::new("sh")
            .args(["-c", "kill -KILL -- -\"$1\"", "sh", &leader.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

/// Waits for a program; returns `None` if it takes longer.
pub(crate) fn wait(child: &mut Child, patience: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > patience {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Starts a program that another thread may just have written. A child that is being started by another thread can keep the file
/// open for a moment.
pub(crate) fn spawn_written(command: &mut Command) -> std::io::Result<Child> {
    let start = Instant::now();
    loop {
        match command.spawn() {
            Err(why)
                if why.kind() == std::io::ErrorKind::ExecutableFileBusy
                    && start.elapsed() < Duration::from_secs(2) =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            started => return started,
        }
    }
}
