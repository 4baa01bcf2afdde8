//! Time limit, progress display and memory watch of a command. They only set flags, print, or end the process.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sluice_config::Config;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::watch::Watch;

use crate::output::error;

/// Interval between updates of the progress display.
const TELLS: Duration = Duration::from_millis(100);

/// No progress is shown before this time, since most compilations are then finished.
const QUIET: Duration = Duration::from_secs(1);

/// Runs a compilation whose searches end at the time limit. Shows progress if the standard error is a terminal.
pub(crate) fn timed<T>(config: &Config, run: impl FnOnce(&Config) -> T) -> T {
    let is_shown = std::io::stderr().is_terminal();
    with_time(&config.tool_limits, is_shown, |limits| {
        run(&Config {
            tool_limits: limits.clone(),
            ..config.clone()
        })
    })
}

/// Does the same for work without a configuration; `is_shown` tells whether progress is shown.
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
            // Processor time counts too, because other processes may use the processors in the meantime.
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
        // The thread ends at once.
        let _ = clock.join();
    }
    outcome
}

/// Starts a clock: the function returns the seconds since now.
pub(crate) fn stopwatch() -> impl Fn() -> f64 {
    let begin = Instant::now();
    move || begin.elapsed().as_secs_f64()
}

/// Returns the processor time of the process so far, if the system provides it.
fn cpu_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program name is in parentheses and may contain blanks; times are in hundredths of a second.
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

/// Interval between checks of the memory.
const LOOKS: Duration = Duration::from_millis(20);

/// Memory in bytes that must stay free: more than is allocated between two checks.
const RESERVE: u64 = 96 << 20;

/// Ends the process with a message about its current task shortly before memory runs out, because a failed allocation cannot be
/// caught.
///
/// Respects the limits of the process and its control group, and the memory of the machine. Does nothing if `/proc` is missing.
pub(crate) fn watch_memory(limits: &Limits) {
    let Some(most) = most_bytes() else {
        return;
    };
    let watch = limits.watch.clone();
    // If this thread cannot start, there is no message when memory runs out.
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

/// Maximum bytes of address space and of resident memory of the process.
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

/// Returns the value of a line of `/proc/meminfo`, in KiB.
fn kib_of(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the reason why memory is short, if it is.
fn is_short(most: Most) -> Option<String> {
    // Numbers of pages: total address space, then resident.
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
