//! Comparison of two reports in JSON: the figures before and after, and which of them became better.

use std::cmp::Ordering;
use std::fmt::Write;

use serde_json::{Value, json};
use sluice_ir::Exact;

use crate::latency::{exact_json, exact_of_json};
use crate::markup::Origin;

/// A figure of both reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Name, with the unit.
    pub name: String,
    /// The figure of each report; `None` if it has none.
    pub before: Option<Figure>,
    /// The same after the change.
    pub after: Option<Figure>,
    /// True if a larger figure is better.
    is_larger_better: bool,
    origin: Origin,
}

/// A figure, with its 90 % interval if it is estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The same for a count, which may have more digits than the other.
    pub exact: Option<Exact>,
    /// Lower and upper end of the interval.
    pub interval: Option<(f64, f64)>,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The figure became better.
    Better,
    /// It became worse.
    Worse,
    /// It is the same.
    Same,
    /// The estimates differ by less than their intervals.
    Open,
    /// Only one report has it.
    Missing,
}

impl Outcome {
    /// Returns the word for the outcome.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::Open => "within the intervals",
            Self::Missing => "in one report only",
        }
    }
}

/// Two reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Description of each report: kernel, device and clock.
    pub titles: [String; 2],
    /// The figures.
    pub figures: Vec<Compared>,
}

impl Comparison {
    /// Compares two reports.
    ///
    /// # Errors
    /// The reason why the first value is not a report.
    pub fn of(before: &Value, after: &Value) -> Result<Self, String> {
        if title(before).is_none() {
            return Err("it has no `kernel` or `graph`, so it is no report in JSON".to_owned());
        }
        let both = [before, after];
        let mut figures = Vec::new();
        let mut add = |name: &str, is_larger_better, origin, figures_of: [Option<Figure>; 2]| {
            let [before, after] = figures_of;
            if before.is_some() || after.is_some() {
                figures.push(Compared {
                    name: name.to_owned(),
                    before,
                    after,
                    is_larger_better,
                    origin,
                });
            }
        };
        let cycles = both.map(|report| exact_of_json(&report["latency_cycles"]));
        let counted = cycles.map(|cycles| cycles.map(Figure::count));
        add("latency, cycles", false, Origin::Proved, counted);
        let runs = both.map(|report| measured_cycles(report).map(Figure::plain));
        add("cycles of the data sets", false, Origin::Measured, runs);
        let clock = |report: &Value| report["clock_period_ns"].as_f64();
        let time = [0, 1].map(|at| {
            let cycles = cycles[at].map(Exact::to_f64);
            Some(Figure::plain(cycles? * clock(both[at])? / 1000.0))
        });
        if both.map(clock)[0] != both.map(clock)[1] {
            add("time at the clock period, µs", false, Origin::Proved, time);
        }
        for name in loop_names(both) {
            for (key, words) in [("ii", "II"), ("depth", "depth"), ("cycles", "cycles")] {
                let figure = both.map(|report| {
                    let of = loop_of(report, &name)?;
                    exact_of_json(&of[key]).map(Figure::count)
                });
                add(&format!("{name}: {words}"), false, Origin::Proved, figure);
            }
        }
        for (key, name, is_larger_better) in [
            ("lut", "LUT", false),
            ("ff", "FF", false),
            ("dsp", "DSP", false),
            ("bram", "BRAM", false),
            ("fmax_mhz", "clock, MHz", true),
        ] {
            let figure = both.map(|report| Figure::estimated(&report["estimate"][key]));
            add(name, is_larger_better, Origin::Estimated, figure);
        }
        Ok(Self {
            titles: both.map(|report| title(report).unwrap_or_default()),
            figures,
        })
    }

    /// Formats the comparison for a terminal.
    pub fn text(&self) -> String {
        let [before, after] = &self.titles;
        let mut text = format!("\ncompared with {before}; this is {after}\n");
        let width = self.figures.iter().map(|of| of.name.chars().count());
        let width = width.max().unwrap_or(0).max(6);
        let _ = writeln!(
            text,
            "  {:width$} {:>12} {:>12} {:>9}  outcome",
            "figure", "before", "after", "change"
        );
        for of in &self.figures {
            let _ = writeln!(
                text,
                "  {:width$} {:>12} {:>12} {:>9}  {}",
                of.name,
                shown(of.before),
                shown(of.after),
                of.change(),
                of.outcome().word()
            );
        }
        text
    }

    /// Returns the comparison as JSON.
    pub fn to_json(&self) -> Value {
        let figures: Vec<Value> = self
            .figures
            .iter()
            .map(|of| {
                json!({
                    "figure": of.name,
                    "before": of.before.map(Figure::to_json),
                    "after": of.after.map(Figure::to_json),
                    "outcome": of.outcome().word(),
                })
            })
            .collect();
        json!({"before": self.titles[0], "after": self.titles[1], "figures": figures})
    }
}

impl Figure {
    fn plain(value: f64) -> Self {
        Self {
            value,
            exact: None,
            interval: None,
        }
    }

    fn count(count: Exact) -> Self {
        Self {
            exact: Some(count),
            ..Self::plain(count.to_f64())
        }
    }

    fn to_json(self) -> Value {
        self.exact.map_or_else(|| json!(self.value), exact_json)
    }

    fn estimated(found: &Value) -> Option<Self> {
        Some(Self {
            interval: found["low"].as_f64().zip(found["high"].as_f64()),
            ..Self::plain(found["value"].as_f64()?)
        })
    }
}

impl Compared {
    /// Returns how the figure is known.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns whether the figure became better.
    pub fn outcome(&self) -> Outcome {
        let (Some(before), Some(after)) = (self.before, self.after) else {
            return Outcome::Missing;
        };
        let difference = after.value - before.value;
        let order = match before.exact.zip(after.exact) {
            Some((before, after)) => after.cmp(&before),
            None if difference.abs() <= 1e-9 * before.value.abs().max(1.0) => Ordering::Equal,
            None => after.value.total_cmp(&before.value),
        };
        if order.is_eq() {
            return Outcome::Same;
        }
        let overlap = before
            .interval
            .zip(after.interval)
            .is_some_and(|(a, b)| a.0 <= b.1 && b.0 <= a.1);
        match (overlap, order.is_gt() == self.is_larger_better) {
            (true, _) => Outcome::Open,
            (false, true) => Outcome::Better,
            (false, false) => Outcome::Worse,
        }
    }

    /// Returns the change in percent, or nothing.
    pub(crate) fn change(&self) -> String {
        match (self.before, self.after) {
            (Some(before), Some(after)) if before.value > 0.0 => {
                let percent = 100.0 * (after.value / before.value - 1.0);
                match percent.abs() < 0.05 {
                    true => "0 %".to_owned(),
                    false => format!("{percent:+.1} %"),
                }
            }
            _ => String::new(),
        }
    }
}

/// Formats a figure: whole numbers without decimals.
pub(crate) fn shown(figure: Option<Figure>) -> String {
    figure.map_or_else(
        || "-".to_owned(),
        |figure| match figure.exact {
            Some(count) => count.to_string(),
            None if (figure.value - figure.value.round()).abs() < 1e-9 => {
                format!("{:.0}", figure.value)
            }
            None if figure.value.abs() < 10.0 => format!("{:.2}", figure.value),
            None => format!("{:.1}", figure.value),
        },
    )
}

/// Describes a report; `None` if the value is none.
fn title(report: &Value) -> Option<String> {
    let name = report["kernel"].as_str().or(report["graph"].as_str())?;
    let device = report["device"].as_str().unwrap_or("?");
    let clock = report["clock_period_ns"].as_f64();
    let clock = clock.map_or_else(String::new, |ns| format!(" at {ns} ns"));
    Some(format!("@{name} on `{device}`{clock}"))
}

/// Returns the cycles of the data sets of an elastic circuit.
fn measured_cycles(report: &Value) -> Option<f64> {
    report["network"]["traffic"]["cycles"].as_f64()
}

/// Returns the names of the loops of both reports, in order, without their places: these move when the source changes.
fn loop_names(both: [&Value; 2]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for report in both {
        for (name, _) in loops(report) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn loop_of<'a>(report: &'a Value, name: &str) -> Option<&'a Value> {
    let mut all = loops(report).into_iter();
    all.find(|(own, _)| own == name).map(|(_, of)| of)
}

/// Returns the loops of a report by name; from the second one with the same name on they have a number.
fn loops(report: &Value) -> Vec<(String, &Value)> {
    let mut found: Vec<(String, &Value)> = Vec::new();
    for block in report["blocks"].as_array().into_iter().flatten() {
        let kind = block["kind"].as_str().unwrap_or_default();
        let title = block["title"].as_str().unwrap_or_default();
        if !kind.ends_with("loop") {
            continue;
        }
        let base = title.split(" at ").next().unwrap_or_default();
        let numbered = (2..).map(|n| format!("{base} ({n})"));
        let mut names = std::iter::once(base.to_owned()).chain(numbered);
        let is_free = |name: &String| !found.iter().any(|(taken, _)| taken == name);
        let name = names.find(is_free);
        found.push((name.unwrap_or_default(), block));
    }
    found
}
