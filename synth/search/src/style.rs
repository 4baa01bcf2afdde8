//! `style: auto`: choice between a static schedule and an elastic circuit by the time on the available data.

use sluice_config::{Config, Effort, LoopDirectives, MAX_AHEAD, Regions, Speculate, Style, Use};
use sluice_ir::text::{PrintOptions, print_module};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_verify::check::simulate_within;

use crate::comparing::{
    CELLS, Runs, WORTH_WHILE, cases, cells, faster_or_plain, for_enough, missed_clock, noted,
    ratio, with_choices_of,
};
use crate::elastic::{Forms, forms};
use crate::kernel_text::KernelText;
use crate::placing::is_brief;
use crate::speculation::{ahead_or_not, compile_scheduled, may_speculate};

/// Cycles after which a simulation is stopped when two elastic circuits of one kernel are compared.
const FEW_CYCLES: u64 = 400_000;

/// Number of registers that a token passes on its way back to a loop.
const PASSED_REGISTERS: u32 = 2;

/// Below this ratio of times, an elastic circuit is chosen over a static schedule, however many cells it has.
const WORTH_ANY_CELLS: f64 = 0.953;

/// Below this ratio of times, buffer placement of the slower circuit is not refined: it cannot change the winner.
const CLEARLY_FASTER: f64 = 0.85;

/// Above this ratio of times, buffer placement of the second circuit is not refined.
const CLEARLY_SLOWER: f64 = 1.15;

/// Ratio of times of two elastic circuits below which the faster one is chosen; else the smaller one is.
const SAME_TIME: f64 = 0.99;

/// Compiles a kernel both ways and keeps one circuit; its notes give the reason.
///
/// # Errors
/// Errors of the input, if neither way works.
pub fn compile_faster(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let elastic_config = Config {
        style: Style::Elastic,
        ..config.clone()
    };
    let is_elastic = |wished: &LoopDirectives| wished.style == Some(Style::Elastic);
    if !config.streams.is_empty() || config.loops.values().any(is_elastic) {
        // Only an elastic circuit supports streams, and loops that are not scheduled statically.
        let elastic = compile_elastic(kernel, &elastic_config)?;
        return with_regions(kernel, elastic);
    }
    let scheduled = compile_scheduled(kernel, &scheduled_config(config));
    let watch = &config.tool_limits.watch;
    if scheduled.is_ok() && watch.cut("an elastic circuit") {
        return scheduled;
    }
    if let Ok(kept) = &scheduled
        && sluice_transform::has_float_operations(&kept.context, &kept.scheduled)
    {
        // Tokens would pass every operation inside the units, which costs far more than what they gain.
        let why = "scheduled: elastic circuits are not tried for kernels with floats";
        return scheduled.map(|kept| noted(kept, why));
    }
    let speculate = scheduled.as_ref().map(|found| &found.config.speculate);
    let elastic = match speculate {
        Ok(speculate) => {
            let config = as_scheduled(&elastic_config, scheduled.as_ref().ok());
            compile_elastic_as(kernel, &config, speculate)
        }
        Err(_) => compile_elastic(kernel, &elastic_config),
    };
    match (scheduled, elastic) {
        (Ok(scheduled), Ok(elastic)) => {
            let elastic = with_regions(kernel, elastic)?;
            Ok(faster(scheduled, elastic, config.profile.as_deref()))
        }
        // An internal error of either way is reported, also if the other one would have been kept.
        (Err(why @ Failure::Internal(_)), _) | (_, Err(why @ Failure::Internal(_))) => Err(why),
        (Ok(kept), Err(why)) => {
            let why = first_line(&why);
            Ok(noted(
                kept,
                &format!("scheduled: there is no elastic circuit for it: {why}"),
            ))
        }
        (Err(why), Ok(kept)) => {
            let kept = with_regions(kernel, kept)?;
            let why = first_line(&why);
            Ok(noted(
                kept,
                &format!("elastic: there is no schedule for it: {why}"),
            ))
        }
        (Err(why), Err(_)) => Err(why),
    }
}

/// Returns the elastic circuit, or one whose regular loops have a static schedule, if that takes less time, or the same time with
/// fewer cells.
///
/// # Errors
/// Internal errors.
fn with_regions(kernel: KernelText<'_>, elastic: Compiled) -> Result<Compiled, Failure> {
    let watch = &elastic.config.tool_limits.watch;
    if !elastic.has_regular_loops
        || elastic.config.effort == Effort::Low
        || watch.cut("schedules for regular loops of an elastic circuit")
    {
        return Ok(elastic);
    }
    let config = Config {
        regions: Regions::Regular,
        // Outlining loops into functions changes the numbers of the loops.
        speculate: match &elastic.config.speculate {
            Speculate::Ahead(_) => return Ok(elastic),
            said => said.clone(),
        },
        coarse_placing: None,
        ..elastic.config.clone()
    };
    let regions = kernel.compile(&config);
    let regions = match regions.and_then(|regions| refined(kernel, regions)) {
        Ok(regions) => regions,
        Err(why @ Failure::Internal(_)) => return Err(why),
        Err(Failure::Input(_)) => return Ok(elastic),
    };
    let profile = config.profile.as_deref();
    let runs = Runs::of(&elastic, &regions, profile);
    let share = runs.weighed(&elastic, &regions);
    let is_smaller = || share * SAME_TIME <= 1.0 && cells(&regions) < cells(&elastic);
    if runs.is_empty() || share >= SAME_TIME && !is_smaller() {
        return Ok(elastic);
    }
    let (before, after) = runs.sums();
    let why = format!(
        "regions: a schedule runs regular loops, {after} cycles instead of {before} on {}",
        runs.describe()
    );
    Ok(noted(regions, &why))
}

/// Returns the configuration for a static schedule of the same kernel.
fn scheduled_config(config: &Config) -> Config {
    Config {
        style: Style::Static,
        // Only elastic circuits have FIFOs.
        depths: std::collections::BTreeMap::new(),
        ..config.clone()
    }
}

/// Compiles a kernel to an elastic circuit. Tries speculation in the loops in which a static schedule has it, and keeps it if
/// that takes less time.
///
/// # Errors
/// Errors of the input.
pub fn compile_elastic(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let is_open = config.speculate == Speculate::WhereFaster && config.streams.is_empty();
    let scheduled = match is_open && may_speculate(kernel, &config.tool_limits) {
        true => compile_scheduled(kernel, &scheduled_config(config)).ok(),
        false => None,
    };
    let speculate = match (&scheduled, &config.speculate) {
        (Some(scheduled), _) => &scheduled.config.speculate,
        (None, Speculate::WhereFaster) => &Speculate::Never,
        (None, said) => said,
    };
    let config = as_scheduled(config, scheduled.as_ref());
    compile_elastic_as(kernel, &config, speculate)
}

/// Returns the configuration with iterations at every value of an index if the static schedule has them.
fn as_scheduled(config: &Config, scheduled: Option<&Compiled>) -> Config {
    Config {
        predict: scheduled.map_or(config.predict, |found| found.config.predict),
        ..config.clone()
    }
}

/// Compiles a kernel to an elastic circuit, with the given speculation or without; adds a load-store queue if that takes less
/// time.
fn compile_elastic_as(
    kernel: KernelText<'_>,
    config: &Config,
    speculate: &Speculate,
) -> Result<Compiled, Failure> {
    let plain = compile_rounds(kernel, config, speculate)?;
    if !plain.can_queue_stores || is_brief(&plain.scheduled, config) {
        return refined(kernel, plain);
    }
    if config.tool_limits.watch.cut("load-store queues") {
        return Ok(plain);
    }
    // With a load-store queue, another form of the nests may be the faster one.
    let queued = Config {
        lsq: Use::Everywhere,
        ..config.clone()
    };
    let queued = compile_rounds(kernel, &queued, speculate);
    let profile = config.profile.as_deref();
    let (plain, queued) = refined_where_open(kernel, plain, queued, profile)?;
    faster_or_plain(plain, queued, "load-store queue", profile)
}

/// Compiles a kernel to an elastic circuit, with the given speculation or without. If the two were not compared, the buffer
/// placement can still be refined later.
fn compile_rounds(
    kernel: KernelText<'_>,
    config: &Config,
    speculate: &Speculate,
) -> Result<Compiled, Failure> {
    let with = |speculate: &Speculate| Config {
        speculate: speculate.clone(),
        ..config.clone()
    };
    if config.speculate != Speculate::WhereFaster || *speculate == Speculate::Never {
        return compile_nests(kernel, &with(speculate));
    }
    let plain = compile_nests(kernel, &with(&Speculate::Never))?;
    let watch = &config.tool_limits.watch;
    if is_brief(&plain.scheduled, config) || watch.cut("iterations started speculatively") {
        return Ok(plain);
    }
    let ahead = Config {
        speculate: as_tokens(speculate),
        coarse_placing: None,
        ..plain.config.clone()
    };
    let ahead = kernel.compile(&ahead);
    let profile = config.profile.as_deref();
    let (plain, ahead) = refined_where_open(kernel, plain, ahead, profile)?;
    match ahead {
        Ok(ahead) => {
            let runs = Runs::of(&plain, &ahead, profile);
            Ok(ahead_or_not(plain, ahead, &runs))
        }
        Err(why @ Failure::Internal(_)) => Err(why),
        Err(Failure::Input(_)) => Ok(plain),
    }
}

/// Compiles the same circuit with refined buffer placement.
fn refined(kernel: KernelText<'_>, coarse: Compiled) -> Result<Compiled, Failure> {
    let watch = &coarse.config.tool_limits.watch;
    if coarse.coarse_placing.is_none() || watch.cut("other placings of buffers") {
        return Ok(coarse);
    }
    let config = Config {
        coarse_placing: coarse.coarse_placing.clone(),
        ..coarse.config.clone()
    };
    match kernel.compile(&config) {
        Ok(fine) => Ok(with_choices_of(&coarse, fine)),
        Err(why @ Failure::Internal(_)) => Err(why),
        Err(Failure::Input(_)) => Ok(coarse),
    }
}

/// Refines the buffer placement of two circuits if that may change the winner: not that of a circuit that is clearly slower, nor
/// that of one that is clearly faster.
///
/// # Errors
/// Internal errors.
fn refined_where_open(
    kernel: KernelText<'_>,
    plain: Compiled,
    other: Result<Compiled, Failure>,
    profile: Option<&str>,
) -> Result<(Compiled, Result<Compiled, Failure>), Failure> {
    let Ok(other) = other else {
        return Ok((refined(kernel, plain)?, other));
    };
    let runs = Runs::of(&plain, &other, profile);
    let share = match runs.is_empty() {
        true => 1.0,
        false => runs.weighed(&plain, &other),
    };
    let mut fine_other = None;
    let plain = rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            fine_other = Some(match share > CLEARLY_SLOWER {
                true => Ok(other),
                false => refined(kernel, other),
            });
        });
        match share < CLEARLY_FASTER {
            true => Ok(plain),
            false => refined(kernel, plain),
        }
    })?;
    Ok((plain, fine_other.expect("the scope waits for it")))
}

/// Converts the numbers of speculative iterations from a static schedule to an elastic circuit: a token that comes back passes
/// registers that a static schedule does not need.
fn as_tokens(speculate: &Speculate) -> Speculate {
    match speculate {
        Speculate::Ahead(rounds) => {
            let more = |rounds: &u32| match rounds {
                0 => 0,
                rounds => (rounds + PASSED_REGISTERS).min(MAX_AHEAD),
            };
            Speculate::Ahead(rounds.iter().map(more).collect())
        }
        said => said.clone(),
    }
}

/// Compiles a kernel to an elastic circuit, with its nests flattened or kept apart, whichever takes less time. Its buffer
/// placement may be refined later.
fn compile_nests(kernel: KernelText<'_>, config: &Config) -> Result<Compiled, Failure> {
    let once = |config| kernel.compile(config);
    let is_said = config.loops.values().any(|wished| wished.flatten.is_some());
    if is_said || !config.flatten || config.nests_apart {
        return once(config);
    }
    let apart = Config {
        nests_apart: true,
        ..config.clone()
    };
    if config.tool_limits.watch.cut("nests as one loop each")
        || !matches!(forms(kernel, config, &apart), Forms::Different)
    {
        return once(&apart);
    }
    // A flattened nest has other addresses than the source, and streams and queues depend on addresses. So only errors of the
    // nests kept apart are reported.
    let mut one_loop = None;
    let apart = rayon::in_place_scope(|scope| {
        scope.spawn(|_| one_loop = Some(once(config)));
        once(&apart)
    })?;
    let one_loop = match one_loop {
        Some(Ok(one_loop)) => one_loop,
        // An internal error of either way is reported, also if the other one would have been kept.
        Some(Err(why @ Failure::Internal(_))) => return Err(why),
        Some(Err(Failure::Input(_))) | None => return Ok(apart),
    };
    Ok(
        match is_better(&one_loop, &apart, config.profile.as_deref()) {
            true => noted(one_loop, "loops: nests are one loop each"),
            false => apart,
        },
    )
}

/// Returns whether the first of two elastic circuits of one kernel takes less time, or the same time with fewer cells.
fn is_better(one_loop: &Compiled, apart: &Compiled, profile: Option<&str>) -> bool {
    let text = |compiled: &Compiled| {
        let options = PrintOptions::default();
        print_module(&compiled.context, &compiled.circuit, &options)
    };
    if text(one_loop) == text(apart) {
        return true;
    }
    let (cases, _) = cases(one_loop, profile);
    let mut sums = [0u64; 2];
    for_enough(&cases, [one_loop, apart], |case| {
        let cycles = [one_loop, apart].map(|compiled| {
            let found = simulate_within(compiled, case, FEW_CYCLES);
            found.map_or(FEW_CYCLES, |found| found.cycles)
        });
        sums[0] += cycles[0];
        sums[1] += cycles[1];
        Some(cycles)
    });
    let share = ratio(sums[0].max(1)) / ratio(sums[1].max(1));
    let share = share * missed_clock(one_loop) / missed_clock(apart);
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
    let runs = Runs::of(&scheduled, &elastic, profile);
    if runs.is_empty() {
        return noted(
            scheduled,
            "scheduled: there are no data to compare it with an elastic circuit on",
        );
    }
    let share = runs.weighed(&scheduled, &elastic);
    let (scheduled_cycles, elastic_cycles) = runs.sums();
    let compared = format!(
        "{scheduled_cycles} cycles by a schedule, {elastic_cycles} by an elastic circuit on {}",
        runs.describe()
    );
    // A large gain in time justifies any number of cells, a small one not twice as many.
    let size = || cells(&elastic) / cells(&scheduled).max(1.0);
    match share < WORTH_ANY_CELLS || share * size().powf(CELLS) < WORTH_WHILE {
        true => noted(elastic, &format!("elastic: {compared}")),
        false => noted(scheduled, &format!("scheduled: {compared}")),
    }
}
