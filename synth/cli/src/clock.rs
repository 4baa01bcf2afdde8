//! The clock and the eye on memory that commands below have none of: both only set flags, print, or end the process.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_config::Config;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::watch::Watch;

use crate::output::error;

/// How often a terminal is told what is being done.
const TELLS: Duration = Duration::from_millis(100);

/// Compiles before this are over before anybody wonders.
const QUIET: Duration = Duration::from_secs(1);

/// Runs a compilation whose searches end when the time of the limit is up; a terminal shows what is being done, a pipe stays quiet.
pub(crate) fn timed<T>(config: &Config, run: impl FnOnce(&Config) -> T) -> T {
    let is_shown = std::io::stderr().is_terminal();
    with_time(&config.tool_limits, is_shown, |limits| {
        run(&Config {
            tool_limits: limits.clone(),
            ..config.clone()
        })
    })
}

/// The same of what has no configuration yet; `is_shown` says whether a terminal is told what is being done.
pub(crate) fn with_time<T>(limits: &Limits, is_shown: bool, run: impl FnOnce(&Limits) -> T) -> T {
    let mut limits = limits.clone();
    limits.watch = limits.watch.of_part();
    let watch = limits.watch.clone();
    let seconds = limits.of(Limit::CompileSeconds);
    let end = (seconds > 0).then(|| Duration::from_secs(seconds));
    let (done, is_done) = channel::<()>();
    let clock = thread::Builder::new().stack_size(1 << 20).spawn(move || {
        let (begin, cpu_begin) = (Instant::now(), cpu_time());
        let mut bar = None;
        loop {
            let left = end.map(|end| end.saturating_sub(begin.elapsed()).max(TELLS));
            let left = left.filter(|_| !watch.is_up()).unwrap_or(Duration::MAX);
            let wait = if is_shown { TELLS.min(left) } else { left };
            let wait = wait.min(Duration::from_secs(1 << 30));
            match is_done.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
            // On a machine with other work, time goes by in which nothing is done here.
            let own = cpu_time()
                .zip(cpu_begin)
                .map(|(now, begin)| now.saturating_sub(begin));
            if end.is_some_and(|end| begin.elapsed() >= end && own.is_none_or(|own| own >= end)) {
                watch.ring();
            }
            if is_shown && begin.elapsed() >= QUIET {
                show(&mut bar, &watch);
            }
        }
    });
    let outcome = run(&limits);
    drop(done);
    if let Ok(clock) = clock {
        // It ends at once.
        let _ = clock.join();
    }
    outcome
}

/// Processor time of the process so far, where the system says it.
fn cpu_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may have blanks; times are in hundredths of a second.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split(' ').skip(11);
    let (user, system): (u64, u64) = (times.next()?.parse().ok()?, times.next()?.parse().ok()?);
    Some(Duration::from_millis((user + system) * 10))
}

fn show(bar: &mut Option<ProgressBar>, watch: &Watch) {
    let bar = bar.get_or_insert_with(|| {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar
    });
    bar.set_message(watch.stage());
    bar.tick();
}

/// How often memory is looked at.
const LOOKS: Duration = Duration::from_millis(20);

/// Room that must be left, in bytes: more than is taken between two looks.
const RESERVE: u64 = 96 << 20;

/// Ends the process with a message that says what was being done, shortly before memory runs out: an allocation that fails cannot be caught.
///
/// Looks at the limits of the process and its control group, and at the memory of the machine. Where `/proc` is missing it does nothing.
pub(crate) fn watch_memory(limits: &Limits) {
    let Some(most) = most_bytes() else {
        return;
    };
    let watch = limits.watch.clone();
    // Without a thread for it, memory runs out without these words.
    let _ = thread::Builder::new().stack_size(1 << 18).spawn(move || {
        loop {
            thread::sleep(LOOKS);
            if let Some(why) = is_short(most) {
                let stage = watch.stage();
                let during = match stage.as_str() {
                    "" => "reading or running".to_owned(),
                    stage => format!("`{stage}`"),
                };
                error(&format!(
                    "error: memory ran out during {during}: {why}; a smaller input, or lower limits (`sluice limits`), need less"
                ));
                std::process::exit(1);
            }
        }
    });
}

/// Bytes of addresses and of resident memory that the process may have.
#[derive(Clone, Copy)]
struct Most {
    addresses: u64,
    resident: u64,
}

fn most_bytes() -> Option<Most> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let cgroup = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ];
    let cgroup = cgroup.iter().filter_map(|file| {
        let text = std::fs::read_to_string(file).ok()?;
        text.trim().parse::<u64>().ok()
    });
    Some(Most {
        addresses: crate::limiting::address_space(),
        resident: cgroup.chain([kib_of(&meminfo, "MemTotal:")? << 10]).min()?,
    })
}

/// The number of a line of `/proc/meminfo`, in KiB.
fn kib_of(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Why there is no room left, if so.
fn is_short(most: Most) -> Option<String> {
    // Pages: all addresses, resident ones.
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = statm
        .split(' ')
        .map(|n| n.parse::<u64>().unwrap_or(0) * 4096);
    let (addresses, resident) = (pages.next()?, pages.next()?);
    let is_full = |used: u64, most: u64| used.saturating_add(RESERVE.min(most / 16)) >= most;
    if is_full(addresses, most.addresses) {
        return Some(format!(
            "the process may have {} MiB of addresses (`ulimit -v`)",
            most.addresses >> 20
        ));
    }
    if is_full(resident, most.resident) {
        return Some(format!("there are {} MiB", most.resident >> 20));
    }
    None
}
