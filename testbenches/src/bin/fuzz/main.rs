//! The program of `testbenches/fuzz`: mutated inputs must give a result or an error.
//!
//! The inputs are the project's own test files, changed by a seeded generator. A worker process runs them one by one, and saves
//! each input before it runs it. The main process watches the worker, so it also finds inputs that overflow the stack or do not
//! terminate.

mod corpus;
mod damage;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use damage::Random;
use targets::{KINDS, Target};

const USAGE: &str = "usage: testbenches/fuzz [--kind KIND] [--seconds N] [--seed S] [--out DIR]
Feeds damaged inputs for N (60) seconds from seed S (1) on. KIND is `text` (the default) or `bytecode`: parser, verifier and printers;
`yaml`: configurations, which compile a kernel within a budget of 1 s, explorations, scheduling problems; `data`: data files, which are
run; `lsp`: messages to the language server. Inputs that panic, take more than 5 s or more than 1 GB are written to DIR (target/fuzz).";

/// An input that takes longer than this counts as a fault.
const MAX_INPUT_TIME: Duration = Duration::from_secs(5);

/// After this time the worker is killed.
const HANG_TIME: Duration = Duration::from_secs(30);

/// An input for which the process needs more memory than this counts as a fault.
const MAX_INPUT_BYTES: u64 = 1 << 30;

/// Faults after which the program stops.
const MAX_FAULTS: u64 = 20;

struct Options {
    kind: String,
    seconds: u64,
    seed: u64,
    out: PathBuf,
    is_worker: bool,
}

impl Options {
    /// Returns the file with the current input of the worker.
    fn current(&self) -> PathBuf {
        self.out.join(format!("current-{}", self.kind))
    }
}

/// Resets the peak memory size of this process, if the system supports it.
fn forget_peak() {
    drop(std::fs::write("/proc/self/clear_refs", "5"));
}

/// Returns the peak memory size since the last reset in bytes; 0 if the system does not report it.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// Returns the CPU time of all threads of this process, with a resolution of 10 ms; `None` if the system does not report it.
fn computed() -> Option<Duration> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain anything. Counted after it, user and system time are fields 12 and 13.
    let (_, fields) = status.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<u64> = ticks.map(|field| field.parse::<u64>().ok()).sum();
    ticks.map(|ticks| Duration::from_millis(ticks * 10))
}

/// Runs inputs until the time is up; returns the number of faults.
fn work(options: &Options) -> Result<u64, String> {
    let target = Target::new(&options.kind).ok_or(USAGE)?;
    let start = Instant::now();
    let mut random = Random::new(options.seed);
    let (mut count, mut faults) = (0u64, 0u64);
    let current = options.current();
    std::panic::set_hook(Box::new(|_| {}));
    while start.elapsed() < Duration::from_secs(options.seconds) && faults < MAX_FAULTS {
        count += 1;
        let input = target.draw(&mut random, count);
        std::fs::write(&current, &input.data)
            .map_err(|why| format!("{}: {why}", current.display()))?;
        forget_peak();
        let (before, computed_before) = (Instant::now(), computed());
        let result = catch_unwind(AssertUnwindSafe(|| target.feed(&input)));
        // Waiting on a busy machine must not count, so the smaller of wall time and CPU time is used.
        let computing = computed()
            .zip(computed_before)
            .map(|(now, then)| now - then);
        let time = before.elapsed().min(computing.unwrap_or(Duration::MAX));
        let bytes = peak_bytes();
        let fault = match result {
            Err(panic) => {
                let message = panic.downcast_ref::<String>().cloned();
                let message =
                    message.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                format!("panic: {}", message.unwrap_or_default())
            }
            Ok(()) if time > MAX_INPUT_TIME => format!("slow: {time:.1?}"),
            Ok(()) if bytes > MAX_INPUT_BYTES => format!("memory: {} MB", bytes >> 20),
            Ok(()) => continue,
        };
        faults += 1;
        let file = keep(options, count, &input.data)?;
        println!("{fault}\n  {} {}", file.display(), target.describe(&input));
    }
    println!("{}: {count} inputs, {faults} faults", options.kind);
    Ok(faults)
}

/// Saves an input that causes a fault.
fn keep(options: &Options, count: u64, data: &[u8]) -> Result<PathBuf, String> {
    let file = options
        .out
        .join(format!("{}-{}-{count}", options.kind, options.seed));
    std::fs::write(&file, data).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(file)
}

/// Runs a worker to its end, or kills it if an input does not terminate; then the error describes this.
fn watch(options: &Options) -> Result<ExitStatus, String> {
    let program = std::env::current_exe().map_err(|why| why.to_string())?;
    let mut worker = Command::new(program)
        .args(["--worker", "--kind", &options.kind])
        .args(["--seconds", &options.seconds.to_string()])
        .args(["--seed", &options.seed.to_string()])
        .arg("--out")
        .arg(&options.out)
        .spawn()
        .map_err(|why| why.to_string())?;
    loop {
        if let Some(status) = worker.try_wait().map_err(|why| why.to_string())? {
            return Ok(status);
        }
        let written = std::fs::metadata(options.current()).and_then(|file| file.modified());
        let age = written.ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > HANG_TIME) {
            worker.kill().map_err(|why| why.to_string())?;
            return worker.wait().map_err(|why| why.to_string());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Starts workers until the time is up; returns the number of faults.
fn fuzz(mut options: Options) -> Result<u64, String> {
    std::fs::create_dir_all(&options.out)
        .map_err(|why| format!("{}: {why}", options.out.display()))?;
    drop(std::fs::remove_file(options.current()));
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let mut faults = 0;
    loop {
        let status = watch(&options)?;
        // The exit code of a worker that ends by itself is the number of faults.
        if let Some(code) = status.code() {
            return Ok(faults + u64::try_from(code).unwrap_or(1));
        }
        faults += 1;
        let data = std::fs::read(options.current()).unwrap_or_default();
        let file = keep(&options, 0, &data)?;
        println!(
            "ended by {status}: an overflow of the stack, or more than {HANG_TIME:?}\n  {}",
            file.display()
        );
        drop(std::fs::remove_file(options.current()));
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || faults >= MAX_FAULTS {
            return Ok(faults);
        }
        options.seconds = left.as_secs();
        options.seed += 1_000_000;
    }
}

fn arguments() -> Option<Options> {
    let mut options = Options {
        kind: "text".to_owned(),
        seconds: 60,
        seed: 1,
        out: PathBuf::from("target/fuzz"),
        is_worker: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => options.seconds = words.next()?.parse().ok()?,
            "--seed" => options.seed = words.next()?.parse().ok()?,
            "--kind" => {
                options.kind = words.next().filter(|kind| KINDS.contains(&kind.as_str()))?
            }
            "--out" => options.out = words.next()?.into(),
            "--worker" => options.is_worker = true,
            _ => return None,
        }
    }
    Some(options)
}

fn report(done: Result<u64, String>) -> ExitCode {
    match done {
        Ok(faults) => ExitCode::from(u8::try_from(faults).unwrap_or(u8::MAX)),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    let Some(options) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if !options.is_worker {
        return report(fuzz(options));
    }
    // Regions may nest as deeply as the parser allows, so a large stack is needed.
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    match worker
        .spawn(move || work(&options))
        .map(std::thread::JoinHandle::join)
    {
        Ok(Ok(done)) => report(done),
        _ => ExitCode::FAILURE,
    }
}
