//! The program of `testbenches/random`: runs random programs on all engines, and reduces and saves those with faults.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sluice_testbenches::random_batch::{Engines, Report, run, smaller};
use sluice_testbenches::random_check::{Finding, keep_panics, words};
use sluice_testbenches::random_program::Program;
use sluice_testbenches::{oracle, verilator};

const USAGE: &str = "usage: testbenches/random [--count N] [--seed S] [--threads T] [--batch B] [--out DIR] [--no-verilator] [--no-oracle] [--elastic]
Runs N random programs (1000), from seed S (1) on, through interpreter, cycle simulator, Verilator and mlir-cpu-runner,
B (40) at once, on T (2) threads; with `--elastic` as elastic circuits. A fault is made small and written to DIR (target/random).
`--print` prints the program of seed S and its configuration instead.";

/// Time limit for reducing one faulty program.
const SHRINK_LIMIT: Duration = Duration::from_secs(90);

/// A program whose compilation and simulation takes longer counts as a fault. This is CPU time, so other load on the machine does
/// not matter.
const PROGRAM_LIMIT: Duration = Duration::from_secs(180);

/// After this many times that limit in wall time, everything is stopped.
const PATIENCE: u32 = 10;

/// The number of faults of each kind that are reduced; further ones add little information.
const SHRUNK_PER_KIND: usize = 3;

struct Options {
    count: u64,
    seed: u64,
    threads: u64,
    batch: u64,
    out: PathBuf,
    engines: Engines,
    print: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        count: 1000,
        seed: 1,
        threads: 2,
        batch: 40,
        out: PathBuf::from("target/random"),
        engines: Engines {
            verilator: true,
            oracle: true,
            elastic: false,
        },
        print: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64, String> {
            let text = arguments.next().unwrap_or_default();
            let number = text
                .parse()
                .map_err(|_| format!("`{argument}` needs a number"))?;
            if number == 0 && argument != "--seed" {
                return Err(format!("`{argument}` is at least 1"));
            }
            Ok(number)
        };
        match argument.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--threads" => options.threads = number()?,
            "--batch" => options.batch = number()?,
            "--out" => {
                options.out = PathBuf::from(arguments.next().ok_or("`--out` needs a folder")?)
            }
            "--no-verilator" => options.engines.verilator = false,
            "--no-oracle" => options.engines.oracle = false,
            "--elastic" => options.engines.elastic = true,
            "--print" => options.print = true,
            "--help" | "-h" => return Err(String::new()),
            unknown => return Err(format!("unknown option `{unknown}`")),
        }
    }
    Ok(options)
}

/// A program that a thread is compiling and simulating.
#[derive(Clone, Copy)]
struct Running {
    seed: u64,
    since: Instant,
    /// Its share of the CPU time.
    worked: Duration,
}

enum Message {
    /// A thread has started a program, or the work after the last program of its batch.
    Started(u64, Option<u64>),
    Done(Report),
    /// The fault, and the reduced program if there is one.
    Fault(Box<(Program, Finding, Option<Program>)>),
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => Arc::new(options),
        Err(why) => {
            if !why.is_empty() {
                eprintln!("error: {why}");
            }
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.print {
        let program = options.engines.program(options.seed);
        print!("{}// kernel.yaml\n{}", program.text(), commented(&program));
        return ExitCode::SUCCESS;
    }
    let missing = [
        (
            options.engines.verilator && !verilator::available(),
            "verilator",
            "--no-verilator",
        ),
        (
            options.engines.oracle && !oracle::available(),
            "mlir-19-tools",
            "--no-oracle",
        ),
    ];
    for (is_missing, package, flag) in missing {
        if is_missing {
            eprintln!(
                "error: `{package}` is not installed: apt-get install {package}, or `{flag}`"
            );
            return ExitCode::from(2);
        }
    }
    keep_panics();
    let (sender, receiver) = channel();
    let next = Arc::new(AtomicU64::new(options.seed));
    let findings: Arc<Mutex<Vec<Finding>>> = Arc::default();
    for thread in 0..options.threads {
        let (options, sender) = (Arc::clone(&options), sender.clone());
        let (next, findings) = (Arc::clone(&next), Arc::clone(&findings));
        std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || work(thread, &options, &next, &findings, &sender))
            .expect("a thread can be started");
    }
    drop(sender);
    report(&options, &receiver)
}

fn commented(program: &Program) -> String {
    program
        .configuration()
        .lines()
        .map(|line| format!("// {line}\n"))
        .collect()
}

fn work(
    thread: u64,
    options: &Options,
    next: &AtomicU64,
    findings: &Mutex<Vec<Finding>>,
    sender: &Sender<Message>,
) {
    let end = options.seed + options.count;
    // The receiver lives as long as the process; if it ended, a lost message does not matter.
    let send = |message| drop(sender.send(message));
    loop {
        let first = next.fetch_add(options.batch, Ordering::SeqCst);
        if first >= end {
            return;
        }
        let seeds: Vec<u64> = (first..end.min(first + options.batch)).collect();
        let mut report = run(&seeds, options.engines, &mut |seed| {
            send(Message::Started(thread, seed));
        });
        for (program, finding) in std::mem::take(&mut report.wrong) {
            let n_like = {
                let mut findings = findings
                    .lock()
                    .expect("no thread panics while it holds the list");
                findings.push(finding.clone());
                findings
                    .iter()
                    .filter(|other| finding.is_like(other))
                    .count()
            };
            let until = Instant::now() + SHRINK_LIMIT;
            let small = (n_like <= SHRUNK_PER_KIND)
                .then(|| smaller(&program, &finding, &mut || Instant::now() < until));
            send(Message::Fault(Box::new((program, finding, small))));
        }
        send(Message::Done(report));
    }
}

fn report(options: &Options, receiver: &Receiver<Message>) -> ExitCode {
    let started = Instant::now();
    let terminal = std::io::stderr().is_terminal();
    let mut all = Report::default();
    let mut n_faults = 0u64;
    let mut slow: BTreeSet<u64> = BTreeSet::new();
    let mut running: Vec<Option<Running>> =
        vec![None; usize::try_from(options.threads).expect("few threads")];
    let mut before = (started, processor_time());
    loop {
        let received = receiver.recv_timeout(Duration::from_secs(1));
        let now = (Instant::now(), processor_time());
        give_time(&mut running, before, now);
        before = now;
        match received {
            Ok(Message::Started(thread, seed)) => {
                let slot = usize::try_from(thread).expect("few threads");
                running[slot] = seed.map(|seed| Running {
                    seed,
                    since: now.0,
                    worked: Duration::ZERO,
                });
            }
            Ok(Message::Done(report)) => {
                all.add(report);
                if !terminal {
                    eprintln!(
                        "{} of {} programs, {n_faults} faults",
                        all.n_programs, options.count
                    );
                }
            }
            Ok(Message::Fault(fault)) => {
                n_faults += 1;
                if terminal {
                    eprint!("\r\x1b[K");
                }
                tell(&options.out, &fault.0, &fault.1, fault.2.as_ref());
            }
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                for Running {
                    seed,
                    since,
                    worked,
                } in running.iter().flatten()
                {
                    if *worked > PROGRAM_LIMIT && slow.insert(*seed) {
                        n_faults += 1;
                        println!(
                            "seed {seed}: not compiled and simulated within {} s of a processor\n  repeat: testbenches/random --seed {seed} --count 1",
                            PROGRAM_LIMIT.as_secs()
                        );
                    }
                    if since.elapsed() > PROGRAM_LIMIT * PATIENCE {
                        println!("seed {seed}: given up");
                        return ExitCode::FAILURE;
                    }
                }
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
        }
        if terminal {
            eprint!(
                "\r\x1b[K{} of {} programs, {n_faults} faults, {} s",
                all.n_programs,
                options.count,
                started.elapsed().as_secs()
            );
            drop(std::io::stderr().flush());
        }
    }
    if terminal {
        eprint!("\r\x1b[K");
    }
    summary(options, &all, n_faults, started.elapsed());
    if n_faults == 0 && all.errors.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Distributes the CPU time between two moments over the running programs. If the system does not report it, the wall time counts
/// for each.
fn give_time(
    running: &mut [Option<Running>],
    before: (Instant, Option<Duration>),
    now: (Instant, Option<Duration>),
) {
    let n_running = u32::try_from(running.iter().flatten().count()).expect("few threads");
    let share = match (before.1, now.1) {
        (Some(before), Some(now)) => now.saturating_sub(before) / n_running.max(1),
        _ => now.0 - before.0,
    };
    for program in running.iter_mut().flatten() {
        program.worked += share;
    }
}

/// Returns the CPU time of this process, if the system reports it: fields 14 and 15 of proc(5), `/proc/self/stat`, in hundredths
/// of a second.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may contain spaces.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<u64>> = times.map(|field| field.parse().ok()).collect();
    Some(Duration::from_millis(10 * ticks?.iter().sum::<u64>()))
}

/// Saves a faulty program, and prints the fault in a few lines.
fn tell(out: &Path, program: &Program, finding: &Finding, small: Option<&Program>) {
    let seed = program.seed;
    let folder = out.join(seed.to_string());
    let written = write(&folder, "kernel", program).and_then(|()| {
        small.map_or(Ok(()), |small| {
            write(&folder.join("smaller"), "kernel", small)
        })
    });
    println!(
        "seed {seed}: {:?}: {}",
        finding.kind,
        finding.fact.trim_end()
    );
    match written {
        Ok(()) => println!("  program: {}", folder.display()),
        Err(why) => println!("  program: {}: {why}", folder.display()),
    }
    println!("  repeat: testbenches/random --seed {seed} --count 1");
}

fn write(folder: &Path, name: &str, program: &Program) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{name}.mlir")), program.text())?;
    std::fs::write(folder.join(format!("{name}.yaml")), program.configuration())
}

fn summary(options: &Options, all: &Report, n_faults: u64, elapsed: Duration) {
    println!(
        "seeds {} to {}: {} programs in {} s",
        options.seed,
        options.seed + options.count - 1,
        all.n_programs,
        elapsed.as_secs()
    );
    println!("  interpreter and cycle simulator: {}", all.n_simulated);
    println!("  latency predicted: {}", all.n_predicted);
    println!("  Verilator: {}", all.n_verilated);
    println!("  mlir-cpu-runner: {}", all.n_oracle);
    println!("  configuration not feasible: {}", all.infeasible.len());
    let mut messages: std::collections::BTreeMap<String, (u64, u64)> =
        std::collections::BTreeMap::new();
    for (seed, message) in &all.infeasible {
        let entry = messages.entry(words(message)).or_insert((0, *seed));
        entry.0 += 1;
    }
    for (message, (n, seed)) in messages {
        println!("    {n}: {message} (seed {seed})");
    }
    for error in &all.errors {
        println!("  error: {error}");
    }
    println!("  faults: {n_faults}");
}
