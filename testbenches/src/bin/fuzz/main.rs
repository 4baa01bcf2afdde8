//! The program of `testbenches/fuzz`: damaged inputs, which must end in a result or an error.
//!
//! Inputs are the project's own test files, changed by a seeded generator. A worker process feeds them one by one and writes each
//! down before; the command itself watches, so that an input that overflows the stack or does not end is found too.

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

/// An input that takes longer is a fault.
const MAX_INPUT_TIME: Duration = Duration::from_secs(5);

/// An input that takes longer is ended, with its worker.
const HANG_TIME: Duration = Duration::from_secs(30);

/// An input after which the process has held more at once is a fault.
const MAX_INPUT_BYTES: u64 = 1 << 30;

/// Faults after which the command ends.
const MAX_FAULTS: u64 = 20;

struct Options {
    kind: String,
    seconds: u64,
    seed: u64,
    out: PathBuf,
    is_worker: bool,
}

impl Options {
    /// The file with the input that the worker has at hand.
    fn current(&self) -> PathBuf {
        self.out.join(format!("current-{}", self.kind))
    }
}

/// Forgets the largest size that this process has had; does nothing where the system has no such thing.
fn forget_peak() {
    drop(std::fs::write("/proc/self/clear_refs", "5"));
}

/// The largest size since then, in bytes; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// The time that all threads of this process have computed, in steps of 10 ms; `None` where the system does not say.
fn computed() -> Option<Duration> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything. After it: user and system time are fields 12 and 13.
    let (_, fields) = status.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<u64> = ticks.map(|field| field.parse::<u64>().ok()).sum();
    ticks.map(|ticks| Duration::from_millis(ticks * 10))
}

/// Feeds inputs until the time is up; the number of faults.
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
        // On a machine that does other work too, an input is not to blame for waiting.
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

/// Writes down an input that is at fault.
fn keep(options: &Options, count: u64, data: &[u8]) -> Result<PathBuf, String> {
    let file = options
        .out
        .join(format!("{}-{}-{count}", options.kind, options.seed));
    std::fs::write(&file, data).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(file)
}

/// Runs a worker to its end, or ends it where one input does not; says what happened in the second case.
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

/// Starts workers until the time is up; the number of faults.
fn fuzz(mut options: Options) -> Result<u64, String> {
    std::fs::create_dir_all(&options.out)
        .map_err(|why| format!("{}: {why}", options.out.display()))?;
    drop(std::fs::remove_file(options.current()));
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let mut faults = 0;
    loop {
        let status = watch(&options)?;
        // A worker that comes to its end says by its code how many inputs were at fault.
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
    // Regions may nest as deep as the parser lets them.
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    match worker
        .spawn(move || work(&options))
        .map(std::thread::JoinHandle::join)
    {
        Ok(Ok(done)) => report(done),
        _ => ExitCode::FAILURE,
    }
}
