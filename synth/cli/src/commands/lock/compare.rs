//! Compares the figures of a kernel with the locked ones, and finds the causes of differences.

use sluice_report::loops::{PipelinedLoop, dominant_loop};

use super::entry::{Entry, Interval, Latency, Measured, Upstream};
use super::tolerances::{Tolerance, Tolerances};
use crate::commands::check::data_sets;

/// The severity of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The figure is worse than tolerated.
    Worse,
    /// It cannot be compared, or is another circuit with the same figures: an error as if it were worse.
    Other,
    /// The figure is better.
    Better,
    /// The figure is worse and tolerated, or neither worse nor better.
    Tolerated,
}

impl Verdict {
    /// Whether it is an error.
    pub(super) fn is_failure(self) -> bool {
        matches!(self, Self::Worse | Self::Other)
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Other => "changed",
            Self::Better => "better",
            Self::Tolerated => "tolerated",
        }
    }
}

/// A figure that is not the locked one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// `latency`, `II of loop `i``, `lut`, ...
    pub(super) figure: String,
    pub(super) verdict: Verdict,
    pub(super) locked: String,
    pub(super) now: String,
    /// In percent of the locked figure, or how it changed.
    pub(super) change: String,
    /// The causes that are known, a line each.
    pub(super) because: Vec<String>,
}

/// The differences of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) differences: Vec<Difference>,
    /// The inputs of a kernel that differ from the lock.
    pub(super) upstream: String,
}

impl Difference {
    /// The figure with both values, in a line.
    pub(super) fn line(&self) -> String {
        let Self {
            figure,
            verdict,
            locked,
            now,
            change,
            ..
        } = self;
        let change = match change.is_empty() {
            true => String::new(),
            false => format!(" ({change})"),
        };
        format!("{figure} is {}: {locked} -> {now}{change}", verdict.text())
    }
}

impl Comparison {
    pub(super) fn with(
        &self,
        verdict: impl Fn(Verdict) -> bool,
    ) -> impl Iterator<Item = &Difference> {
        let all = self.differences.iter();
        all.filter(move |difference| verdict(difference.verdict))
    }
}

/// Compares a kernel with its entry in the lock.
pub(super) fn compare(locked: &Entry, measured: &Measured, tolerances: &Tolerances) -> Comparison {
    let now = &measured.entry;
    let mut found = Vec::new();
    if locked.device == now.device {
        clock(locked, now, &mut found);
        latency(locked, measured, tolerances.of("latency"), &mut found);
        intervals(locked, measured, tolerances.of("ii"), &mut found);
        cells(locked, measured, tolerances, &mut found);
        fmax(locked, now, tolerances.of("fmax"), &mut found);
        if locked.verilog != now.verilog && found.is_empty() && !tolerances.any_verilog {
            found.push(Difference {
                figure: "verilog".to_owned(),
                verdict: Verdict::Other,
                locked: shortened(&locked.verilog),
                now: shortened(&now.verilog),
                change: "SHA-256; every figure is as locked".to_owned(),
                because: Vec::new(),
            });
        }
    } else {
        found.push(Difference {
            figure: "device".to_owned(),
            verdict: Verdict::Other,
            locked: locked.device.clone(),
            now: now.device.clone(),
            change: "figures of different devices are not compared".to_owned(),
            because: Vec::new(),
        });
    }
    Comparison {
        differences: found,
        upstream: upstream(locked, measured),
    }
}

fn shortened(hash: &str) -> String {
    format!("{}...", hash.get(..12).unwrap_or(hash))
}

/// Describes the inputs of a kernel that differ from the lock.
fn upstream(locked: &Entry, measured: &Measured) -> String {
    let now = &measured.entry;
    let Upstream {
        sluice,
        source,
        configuration,
        data,
    } = &locked.upstream;
    let hash = |what: &str, was: Option<&String>, is: Option<&String>| match (was, is) {
        (was, is) if was == is => None,
        (None, _) => Some(format!("there is a {what}, there was none")),
        (_, None) => Some(format!("there is no {what} any more")),
        (Some(was), Some(is)) => {
            let (was, is) = (shortened(was), shortened(is));
            Some(format!("the {what} changed (SHA-256 {was} -> {is})"))
        }
    };
    let mut all: Vec<String> = [
        hash("source", Some(source), Some(&now.upstream.source)),
        hash(
            "configuration",
            configuration.as_ref(),
            now.upstream.configuration.as_ref(),
        ),
        hash("data file", data.as_ref(), now.upstream.data.as_ref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    if locked.device != now.device {
        all.push(format!("the device: {} -> {}", locked.device, now.device));
    }
    if locked.clock_period_ns.to_bits() != now.clock_period_ns.to_bits() {
        let (was, is) = (locked.clock_period_ns, now.clock_period_ns);
        all.push(format!("the clock period: {was} -> {is} ns"));
    }
    if *sluice != now.upstream.sluice {
        all.push(format!("Sluice {sluice} -> {}", now.upstream.sluice));
    }
    if measured.is_cut {
        all.push("the time for compiling was up, so the figures depend on the machine".to_owned());
    }
    match all[..] {
        [] => "source, configuration, data file and version of Sluice are as locked: the build of Sluice differs, or the lock was edited"
            .to_owned(),
        _ => all.join("; "),
    }
}

/// How a number changed, in percent.
fn percent(locked: f64, now: f64) -> String {
    match locked == 0.0 {
        true => format!("{:+}", now - locked),
        false => format!("{:+.1} %", 100.0 * (now / locked - 1.0)),
    }
}

/// Where a figure is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Good {
    Low,
    High,
}

/// Compares two numbers; `None` where they are the same.
fn numbers(
    (locked, now): (f64, f64),
    good: Good,
    tolerance: Tolerance,
) -> Option<(Verdict, String)> {
    let worse_by = match good {
        Good::Low => now - locked,
        Good::High => locked - now,
    };
    let change = percent(locked, now);
    match worse_by {
        _ if worse_by.abs() < 1e-9 => None,
        _ if worse_by < 0.0 => Some((Verdict::Better, change)),
        _ if tolerance.allows(worse_by, locked) => Some((
            Verdict::Tolerated,
            format!("{change}, up to {} tolerated", tolerance.text()),
        )),
        _ => Some((
            Verdict::Worse,
            format!("{change}, {} tolerated", tolerance.text()),
        )),
    }
}

fn clock(locked: &Entry, now: &Entry, found: &mut Vec<Difference>) {
    let (was, is) = (locked.clock_period_ns, now.clock_period_ns);
    if let Some((verdict, change)) = numbers((was, is), Good::Low, Tolerance::Amount(0.0)) {
        found.push(Difference {
            figure: "clock period".to_owned(),
            verdict,
            locked: format!("{was} ns"),
            now: format!("{is} ns"),
            change,
            because: vec!["each cycle takes this time".to_owned()],
        });
    }
}

fn latency(locked: &Entry, measured: &Measured, tolerance: Tolerance, found: &mut Vec<Difference>) {
    let shown = |latency: &Latency| match latency {
        Latency::Cycles(cycles) => in_cycles(*cycles),
        Latency::DataSets(all) => {
            format!("depends on the data, {}", data_sets(all.len()))
        }
        Latency::NotCounted => "not counted".to_owned(),
    };
    let because = || {
        let mut lines: Vec<String> = Vec::new();
        if let Some(of) = dominant_loop(&measured.loops) {
            lines.push(of.cycles_explained());
            let was = locked.loops.iter().find(|was| was.name == of.name);
            if let Some(was) = was.filter(|was| was.ii != of.ii) {
                lines.push(format!("its II was {}: {}", was.ii, was.because));
            }
        }
        lines
    };
    let now = &measured.entry.latency;
    let mut push = |figure: String, verdict, locked: String, now: String, change| {
        found.push(Difference {
            figure,
            verdict,
            locked,
            now,
            change,
            because: because(),
        });
    };
    match (&locked.latency, now) {
        (Latency::Cycles(was), Latency::Cycles(is)) => {
            let both = (whole(*was), whole(*is));
            let changed = numbers(both, Good::Low, tolerance);
            // Numbers that floating point does not tell apart differ all the same.
            let changed = changed.or_else(|| {
                (was != is).then(|| (Verdict::Other, "by less than one in 2^53".to_owned()))
            });
            if let Some((verdict, change)) = changed {
                push(
                    "latency".to_owned(),
                    verdict,
                    shown(&locked.latency),
                    shown(now),
                    change,
                );
            }
        }
        (Latency::DataSets(was), Latency::DataSets(is)) if was.len() == is.len() => {
            let sets = was.iter().zip(is).enumerate();
            for (number, (was, is)) in sets {
                let both = (whole(u128::from(*was)), whole(u128::from(*is)));
                if let Some((verdict, change)) = numbers(both, Good::Low, tolerance) {
                    let figure = format!("latency of data set {number}");
                    let (was, is) = (in_cycles((*was).into()), in_cycles((*is).into()));
                    push(figure, verdict, was, is, change);
                }
            }
        }
        (was, is) if was == is => {}
        (was, is) => {
            let change = "cannot be compared".to_owned();
            push(
                "latency".to_owned(),
                Verdict::Other,
                shown(was),
                shown(is),
                change,
            );
        }
    }
}

fn in_cycles(n: u128) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} cycle{s}")
}

/// A number of cycles as a floating-point number; exact up to 2^53.
fn whole(cycles: u128) -> f64 {
    sluice_ir::Exact::from(i128::try_from(cycles).unwrap_or(i128::MAX)).to_f64()
}

/// Numbers the loops of each name in order.
fn occurrences<T>(
    all: &[T],
    name: impl Fn(&T) -> &str,
) -> impl Iterator<Item = (String, usize, &T)> {
    all.iter().enumerate().map(move |(at, one)| {
        let before = all[..at].iter().filter(|other| name(other) == name(one));
        (name(one).to_owned(), before.count(), one)
    })
}

fn intervals(
    locked: &Entry,
    measured: &Measured,
    tolerance: Tolerance,
    found: &mut Vec<Difference>,
) {
    let now: Vec<(String, usize, &PipelinedLoop)> =
        occurrences(&measured.loops, |of| of.name.as_str()).collect();
    let was: Vec<(String, usize, &Interval)> =
        occurrences(&locked.loops, |of| of.name.as_str()).collect();
    for (name, occurrence, is) in &now {
        let same = |(known, at, _): &&(String, usize, &Interval)| known == name && at == occurrence;
        let Some((_, _, was)) = was.iter().find(same) else {
            found.push(Difference {
                figure: format!("II of {}", is.title()),
                verdict: Verdict::Tolerated,
                locked: "no pipelined loop of this name".to_owned(),
                now: is.ii.to_string(),
                change: String::new(),
                because: vec![is.culprit.clone()],
            });
            continue;
        };
        let both = (whole(was.ii.into()), whole(is.ii.into()));
        if let Some((verdict, change)) = numbers(both, Good::Low, tolerance) {
            found.push(Difference {
                figure: format!("II of {}", is.title()),
                verdict,
                locked: was.ii.to_string(),
                now: is.ii.to_string(),
                change,
                because: vec![
                    format!("now: {}", is.culprit),
                    format!("locked: {}", was.because),
                ],
            });
        }
    }
    for (name, occurrence, was) in &was {
        let is_same =
            |(known, at, _): &(String, usize, &PipelinedLoop)| known == name && at == occurrence;
        if !now.iter().any(is_same) {
            found.push(Difference {
                figure: format!("II of loop `{name}`"),
                verdict: Verdict::Tolerated,
                locked: was.ii.to_string(),
                now: "no pipelined loop of this name".to_owned(),
                change: String::new(),
                because: Vec::new(),
            });
        }
    }
}

fn cells(
    locked: &Entry,
    measured: &Measured,
    tolerances: &Tolerances,
    found: &mut Vec<Difference>,
) {
    let (was, is) = (locked.cells, measured.entry.cells);
    for (figure, was, is) in [
        ("lut", was.lut, is.lut),
        ("ff", was.ff, is.ff),
        ("dsp", was.dsp, is.dsp),
        ("bram", was.bram, is.bram),
    ] {
        let compared = numbers((was, is), Good::Low, tolerances.of(figure));
        let Some((verdict, change)) = compared else {
            continue;
        };
        let mut because = Vec::new();
        let units = changed_units(&locked.units, &measured.entry.units);
        if !units.is_empty() {
            because.push(format!("units: {}", units.join(", ")));
        }
        if let (Some((line, lut)), "lut", Verdict::Worse) =
            (measured.lines.first(), figure, verdict)
        {
            because.push(format!(
                "most LUTs of units belong to {}:{line}: {lut:.0} LUT",
                measured.file
            ));
        }
        found.push(Difference {
            figure: figure.to_owned(),
            verdict,
            locked: was.to_string(),
            now: is.to_string(),
            change,
            because,
        });
    }
}

/// Operator classes with another number of units.
fn changed_units(was: &[(String, u64)], is: &[(String, u64)]) -> Vec<String> {
    let count = |of: &[(String, u64)], class: &str| {
        let found = of.iter().find(|(known, _)| known == class);
        found.map_or(0, |(_, count)| *count)
    };
    let mut classes: Vec<&str> = was
        .iter()
        .chain(is)
        .map(|(class, _)| class.as_str())
        .collect();
    classes.sort_unstable();
    classes.dedup();
    classes
        .into_iter()
        .map(|class| (class, count(was, class), count(is, class)))
        .filter(|(_, was, is)| was != is)
        .map(|(class, was, is)| format!("{class} {was} -> {is}"))
        .collect()
}

fn fmax(locked: &Entry, now: &Entry, tolerance: Tolerance, found: &mut Vec<Difference>) {
    let shown = |fmax: Option<f64>| fmax.map_or("none".to_owned(), |fmax| format!("{fmax} MHz"));
    let (was, is) = (locked.fmax_mhz, now.fmax_mhz);
    let compared = match (was, is) {
        (Some(was), Some(is)) => numbers((was, is), Good::High, tolerance),
        (None, None) => None,
        _ => Some((Verdict::Tolerated, String::new())),
    };
    if let Some((verdict, change)) = compared {
        let path = |what: &str, path: &Option<String>| {
            path.as_ref()
                .map(|path| format!("longest path {what}: {path}"))
        };
        let paths = [
            path("now", &now.longest_path),
            path("locked", &locked.longest_path),
        ];
        found.push(Difference {
            figure: "fmax".to_owned(),
            verdict,
            locked: shown(was),
            now: shown(is),
            change,
            because: paths.into_iter().flatten().collect(),
        });
    }
}
