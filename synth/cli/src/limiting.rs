//! `--limit`, which every command accepts, and readers that respect limits.

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
    /// Returns the limits of this run, without those of a configuration.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for one in &self.set_limits {
            limits.overrule(one);
        }
        limits.watch = self.watch.clone();
        limits
    }
}

/// Reads a file, or the standard input for `-`, up to the limit: pipes and devices may have no end, and reported sizes may be
/// wrong.
///
/// # Errors
/// A message without the name of the file.
pub(crate) fn read_at_most(path: &Path, limits: &Limits, limit: Limit) -> Result<Vec<u8>, String> {
    let most = limits.of(limit);
    let mut source: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path).map_err(|why| why.to_string())?;
        let known = file.metadata().map_err(|why| why.to_string())?;
        if known.is_file() {
            // A file that is too long is not read at all.
            let checked = limits.check(limit, known.len());
            checked.map_err(|excess| format!("the file has {excess}"))?;
        }
        Box::new(file)
    };
    let mut data = Vec::new();
    let read = source.by_ref().take(most).read_to_end(&mut data);
    read.map_err(|why| why.to_string())?;
    // Read one more byte to see whether the input ends at the limit.
    let rest = source.take(1).read_to_end(&mut Vec::new());
    match rest.map_err(|why| why.to_string())? {
        0 => Ok(data),
        _ => {
            let hint = limits.excess(limit).hint();
            Err(format!("the file has more than {most} bytes: {hint}"))
        }
    }
}

/// Returns a reader of the files that data files name: words of memories and streams.
pub(crate) fn data_files(limits: &Limits) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    |name| read_at_most(Path::new(name), limits, Limit::FileBytes)
}

/// Reads the files that configurations name: devices.
pub(crate) fn config_files(limits: &Limits) -> impl FnMut(&str) -> Result<String, String> {
    |name| {
        let data = read_at_most(Path::new(name), limits, Limit::ConfigBytes)?;
        String::from_utf8(data).map_err(|why| {
            let at = why.utf8_error().valid_up_to();
            format!("expected UTF-8 text, byte {at} is not")
        })
    }
}

/// Creates a thread pool with the requested number of threads, or one for each core. If the system allows fewer threads, prints a
/// note.
///
/// # Errors
/// More threads than the limit allows, or no thread at all.
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

/// Prints a note if there are fewer threads than wanted.
fn say_fewer(n_had: usize, n_wanted: usize) {
    if n_had < n_wanted {
        error_text(&format!(
            "note: the system has no room for {n_wanted} threads, {n_had} are used\n"
        ));
    }
}

/// Returns the number of threads to use.
///
/// # Errors
/// More threads than the limit allows.
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

/// Returns the number of threads for which the address space is large enough: each has a stack and a part of the allocator's
/// memory.
fn most_threads() -> usize {
    usize::try_from(address_space() / ADDRESSES_OF_THREAD).map_or(usize::MAX, |n| n.max(1))
}

/// Address space that a thread may need, in bytes.
const ADDRESSES_OF_THREAD: u64 = 1 << 30;

fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Stack of a thread without a limit on the address space: deeply nested input is processed by recursion, and only used pages
/// take memory.
const STACK_BYTES: usize = 1 << 30;

/// Returns the stack of each of some threads in bytes: together at most an eighth of the process's address space.
pub(crate) fn stack_bytes(n_threads: usize) -> usize {
    let share = address_space() / 8 / (n_threads as u64).max(1);
    usize::try_from(share).map_or(STACK_BYTES, |share| share.clamp(1 << 22, STACK_BYTES))
}

/// Returns the bytes of address space that the process may use.
pub(crate) fn address_space() -> u64 {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max address space"));
    // The value may be `unlimited`, which is not a number.
    let soft = line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    soft.unwrap_or(u64::MAX)
}

/// Checks the number of an option against its limit.
pub(crate) fn check_count(
    option: &str,
    limit: Limit,
    count: impl TryInto<u128>,
    limits: &Limits,
) -> Done<()> {
    let checked = limits.check(limit, count);
    checked.map_err(|excess| input(format!("error: {option}: {excess}")))
}
