//! `style: auto`: a schedule or an elastic circuit, whichever takes less time for the data at hand.

use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Module};

use crate::check::{interpret_within, simulate_within};
use crate::choices;
use crate::config::{Config, Style};
use crate::data::{Case, DataFile, Random, Ranges, random_case};
use crate::pipeline::{Compiled, Failure, compile, compile_once};

/// Data sets that are run at most.
const MOST_CASES: usize = 6;

/// Random data sets, where no others are at hand.
const N_RANDOM: usize = 4;

/// Operations of the reference after which a data set is left out: it takes too long to decide anything by.
const MOST_OPERATIONS: u64 = 3_000_000;

/// Cycles after which a circuit is given up.
const MOST_CYCLES: u64 = 3_000_000;

/// The same where two ways to one elastic circuit are compared.
const FEW_CYCLES: u64 = 400_000;

/// A way to one circuit takes this share of the time of another at most where it is chosen for the time; else the smaller one is.
const SAME_TIME: f64 = 0.99;

/// An elastic circuit takes at most this share of the time of a schedule where it is chosen: it is larger.
const WORTH_WHILE: f64 = 0.95;

/// Compiles a kernel both ways and keeps one; its choices say why.
///
/// # Errors
/// What is wrong with the input, if neither way can be gone.
pub(crate) fn compile_faster(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let with = |style| Config {
        style,
        ..config.clone()
    };
    let static_config = Config {
        // Queues are in elastic circuits alone.
        depths: std::collections::BTreeMap::new(),
        ..with(Style::Static)
    };
    if !config.streams.is_empty() {
        // Only an elastic circuit has streams.
        return compile(source, file, &with(Style::Elastic), after);
    }
    let scheduled = compile(source, file, &static_config, after);
    let elastic = compile(source, file, &with(Style::Elastic), after);
    match (scheduled, elastic) {
        (Ok(scheduled), Ok(elastic)) => Ok(faster(scheduled, elastic, config.profile.as_deref())),
        // A fault of Sluice is one whichever way would have been kept.
        (Err(why @ Failure::Internal(_)), _) | (_, Err(why @ Failure::Internal(_))) => Err(why),
        (Ok(kept), Err(why)) => {
            let why = first_line(&why);
            Ok(noted(
                kept,
                &format!("scheduled: there is no elastic circuit for it: {why}"),
            ))
        }
        (Err(why), Ok(kept)) => {
            let why = first_line(&why);
            Ok(noted(
                kept,
                &format!("elastic: there is no schedule for it: {why}"),
            ))
        }
        (Err(why), Err(_)) => Err(why),
    }
}

/// Compiles a kernel to an elastic circuit, with its nests as one loop each or as they are, whichever takes less time.
///
/// # Errors
/// What is wrong with the input.
pub(crate) fn compile_elastic(
    source: &str,
    file: &str,
    config: &Config,
    after: &mut dyn FnMut(&str, &Module, &Context),
) -> Result<Compiled, Failure> {
    let is_said = config.loops.values().any(|wished| wished.flatten.is_some());
    if is_said || !config.flatten {
        return compile_once(source, file, config, after);
    }
    let apart = Config {
        flatten: false,
        ..config.clone()
    };
    // In one loop, addresses are no longer those of the source, from which streams and queues follow: errors are those of the nests.
    let mut one_loop = None;
    let apart = rayon::in_place_scope(|scope| {
        scope.spawn(|_| one_loop = Some(compile_once(source, file, config, &mut |_, _, _| {})));
        compile_once(source, file, &apart, after)
    })?;
    let one_loop = match one_loop {
        Some(Ok(one_loop)) => one_loop,
        // A fault of Sluice is one whichever way would have been kept.
        Some(Err(why @ Failure::Internal(_))) => return Err(why),
        Some(Err(Failure::Input(_))) | None => return Ok(apart),
    };
    Ok(match is_better(&one_loop, &apart, config.profile.as_deref()) {
        true => noted(one_loop, "loops: nests are one loop each"),
        false => apart,
    })
}

/// Whether the first of two elastic circuits of one kernel takes less time, or as much with fewer cells.
fn is_better(one_loop: &Compiled, apart: &Compiled, profile: Option<&str>) -> bool {
    let text = |compiled: &Compiled| {
        let options = PrintOptions::default();
        print_module(&compiled.context, &compiled.circuit, &options)
    };
    if text(one_loop) == text(apart) {
        return true;
    }
    let (cases, _) = cases(one_loop, profile);
    let mut sum = 0.0;
    for case in &cases {
        let cycles = |compiled| {
            let found = simulate_within(compiled, case, FEW_CYCLES);
            found.ok().map(|found| ratio(found.cycles.max(1)))
        };
        match (cycles(one_loop), cycles(apart)) {
            (Some(one_loop), Some(apart)) => sum += (one_loop / apart).ln(),
            (Some(_), None) => sum -= 1.0,
            (None, Some(_)) => sum += 1.0,
            (None, None) => {}
        }
    }
    let n_cases = ratio(u64::try_from(cases.len().max(1)).unwrap_or(u64::MAX));
    let share = (sum / n_cases).exp() * missed_clock(one_loop) / missed_clock(apart);
    match () {
        () if share < SAME_TIME => true,
        () if share * SAME_TIME > 1.0 => false,
        () => cells(one_loop) <= cells(apart),
    }
}

fn first_line(why: &Failure) -> String {
    let (Failure::Input(text) | Failure::Internal(text)) = why;
    text.lines().next().unwrap_or_default().to_owned()
}

fn faster(scheduled: Compiled, elastic: Compiled, profile: Option<&str>) -> Compiled {
    let (cases, what) = cases(&scheduled, profile);
    let runs: Vec<(u64, u64)> = cases
        .iter()
        .filter_map(|case| run(&scheduled, &elastic, case))
        .collect();
    if runs.is_empty() {
        return noted(
            scheduled,
            "scheduled: there are no data to compare it with an elastic circuit on",
        );
    }
    let cycles: (u64, u64) = runs
        .iter()
        .fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    // The mean of quotients: a data set that takes long counts no more than others.
    let quotient = |(a, b): &(u64, u64)| (ratio(*b) / ratio((*a).max(1))).ln();
    let n_runs = ratio(u64::try_from(runs.len()).unwrap_or(u64::MAX));
    let mean = (runs.iter().map(quotient).sum::<f64>() / n_runs).exp();
    let share = mean * missed_clock(&elastic) / missed_clock(&scheduled);
    let n_sets = match runs.len() {
        1 => "1 data set".to_owned(),
        n => format!("{n} data sets"),
    };
    let compared = format!(
        "{} cycles by a schedule, {} by an elastic circuit on {n_sets} ({what})",
        cycles.0, cycles.1
    );
    match share < WORTH_WHILE {
        true => noted(elastic, &format!("elastic: {compared}")),
        false => noted(scheduled, &format!("scheduled: {compared}")),
    }
}

fn ratio(cycles: u64) -> f64 {
    f64::from(u32::try_from(cycles).unwrap_or(u32::MAX))
}

/// By what factor the circuit is expected to be slower than its clock.
fn missed_clock(compiled: &Compiled) -> f64 {
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let Ok(mapped) = crate::mapping::map(context, circuit, &compiled.top, &compiled.device) else {
        return 1.0;
    };
    let period = compiled.device.factors.period.expect(mapped.period_ns);
    (period.value / compiled.clock_period_ns).max(1.0)
}

/// Look-up tables and registers that are expected.
fn cells(compiled: &Compiled) -> f64 {
    let (context, circuit) = (&compiled.context, &compiled.circuit);
    let mapped = crate::mapping::map(context, circuit, &compiled.top, &compiled.device);
    mapped.map_or(f64::INFINITY, |mapped| mapped.area.lut + mapped.area.ff)
}

/// Cycles of both circuits for a data set, where both come to an end and the kernel has a meaning.
fn run(scheduled: &Compiled, elastic: &Compiled, case: &Case) -> Option<(u64, u64)> {
    interpret_within(scheduled, case, MOST_OPERATIONS).ok()?;
    let cycles = |compiled| {
        simulate_within(compiled, case, MOST_CYCLES)
            .ok()
            .map(|found| found.cycles)
    };
    cycles(scheduled).zip(cycles(elastic))
}

/// The data sets that decide, and what they are.
fn cases(compiled: &Compiled, profile: Option<&str>) -> (Vec<Case>, &'static str) {
    let mut no_files = |_: &str| Err("a profile names no files".to_owned());
    let data = profile
        .and_then(|text| DataFile::read(text, "profile", &compiled.interface, &mut no_files).ok());
    match data.filter(|data| !data.cases.is_empty()) {
        Some(mut data) => {
            data.cases.truncate(MOST_CASES);
            (data.cases, "those beside the kernel")
        }
        None => {
            let mut random = Random::new(1);
            let one = |_| random_case(&compiled.interface, &Ranges::new(), &mut random);
            ((0..N_RANDOM).map(one).collect(), "random")
        }
    }
}

fn noted(mut compiled: Compiled, sentence: &str) -> Compiled {
    let function = compiled
        .scheduled
        .lookup_symbol(&compiled.context, &compiled.top);
    if let Some(function) = function {
        choices::note(
            &compiled.context,
            &mut compiled.scheduled,
            function,
            sentence,
        );
    }
    compiled
}
