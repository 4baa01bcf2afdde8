//! `--limit`, which every command takes, and readers that stop at a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::watch::Watch;

use crate::output::{Done, error_text, input};

/// Limits that were set on the command line.
#[derive(Args, Clone, Default)]
pub(crate) struct Limiting {
    /// Raise or lower a limit; `sluice limits` lists them
    #[arg(long = "limit", value_name = "NAME=VALUE", value_parser = parse, help_heading = "Limits")]
    set_limits: Vec<Limits>,
    #[arg(skip)]
    watch: Watch,
}

fn parse(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    limits.set_text(text)?;
    Ok(limits)
}

impl Limiting {
    /// The limits of this run, where no configuration has its say.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for one in &self.set_limits {
            limits.overrule(one);
        }
        limits.watch = self.watch.clone();
        limits
    }
}

/// Reads a file, or the standard input for `-`, up to the limit: pipes and devices may have no end, and sizes may lie.
///
/// # Errors
/// In words, without the name of the file.
pub(crate) fn read_at_most(path: &Path, limits: &Limits, limit: Limit) -> Result<Vec<u8>, String> {
    let most = limits.of(limit);
    let mut source: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path).map_err(|why| why.to_string())?;
        let known = file.metadata().map_err(|why| why.to_string())?;
        if known.is_file() {
            // What is too long is not read at all.
            let checked = limits.check(limit, known.len());
            checked.map_err(|excess| format!("the file has {excess}"))?;
        }
        Box::new(file)
    };
    let mut data = Vec::new();
    let read = source.by_ref().take(most).read_to_end(&mut data);
    read.map_err(|why| why.to_string())?;
    // Whether there is more is known once a byte more was asked for.
    let rest = source.take(1).read_to_end(&mut Vec::new());
    match rest.map_err(|why| why.to_string())? {
        0 => Ok(data),
        _ => {
            let hint = limits.excess(limit).hint();
            Err(format!("the file has more than {most} bytes: {hint}"))
        }
    }
}

/// Files that data name: words of memories and streams.
pub(crate) fn data_files(limits: &Limits) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    |name| read_at_most(Path::new(name), limits, Limit::FileBytes)
}

/// As many threads as are asked for, or as there are cores; fewer where the system has no more, which is said.
///
/// # Errors
/// More are asked for than the limit allows, or there is not one.
pub(crate) fn pool(asked: Option<usize>, limits: &Limits) -> Done<ThreadPool> {
    let n_threads = n_threads(asked, limits)?;
    let mut n_had = n_threads;
    loop {
        let pool = ThreadPoolBuilder::new()
            .num_threads(n_had)
            .stack_size(stack_bytes(n_had))
            .build();
        match pool {
            Ok(pool) => {
                say_fewer(n_had, n_threads);
                return Ok(pool);
            }
            Err(why) if n_had == 1 => return Err(input(format!("error: no thread: {why}"))),
            Err(_) => n_had /= 2,
        }
    }
}

/// Says that there are fewer threads than were wanted, if so.
fn say_fewer(n_had: usize, n_wanted: usize) {
    if n_had < n_wanted {
        error_text(&format!(
            "note: the system has no room for {n_wanted} threads, {n_had} are used\n"
        ));
    }
}

/// The number of threads to use.
///
/// # Errors
/// More are asked for than the limit allows.
pub(crate) fn n_threads(asked: Option<usize>, limits: &Limits) -> Done<usize> {
    let wanted = match asked {
        Some(asked) if asked > 0 => {
            let checked = limits.check(Limit::Threads, asked as u128);
            checked.map_err(|excess| input(format!("error: {excess}")))?;
            asked
        }
        _ => available().min(limits.size(Limit::Threads)),
    };
    let n_had = wanted.min(most_threads());
    say_fewer(n_had, wanted);
    Ok(n_had)
}

/// Threads for which there are addresses: each has a stack and a part of the memory that is managed.
fn most_threads() -> usize {
    usize::try_from(address_space() / ADDRESSES_OF_THREAD).map_or(usize::MAX, |n| n.max(1))
}

/// Addresses that a thread may need, in bytes.
const ADDRESSES_OF_THREAD: u64 = 1 << 30;

fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Stack of a thread where nothing bounds addresses: what is nested deeply is walked by recursion, and only what is used takes memory.
const STACK_BYTES: usize = 1 << 30;

/// Stack of each of some threads, in bytes: together at most an eighth of the addresses that the process may use.
pub(crate) fn stack_bytes(n_threads: usize) -> usize {
    let share = address_space() / 8 / (n_threads as u64).max(1);
    usize::try_from(share).map_or(STACK_BYTES, |share| share.clamp(1 << 22, STACK_BYTES))
}

/// Bytes of addresses that the process may use.
pub(crate) fn address_space() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max address space"));
    // `unlimited` is no number.
    let soft = line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    soft.unwrap_or(u64::MAX)
}

/// Compares the number of an option with its limit.
pub(crate) fn check_count(
    option: &str,
    limit: Limit,
    count: impl TryInto<u128>,
    limits: &Limits,
) -> Done<()> {
    let checked = limits.check(limit, count);
    checked.map_err(|excess| input(format!("error: {option}: {excess}")))
}
