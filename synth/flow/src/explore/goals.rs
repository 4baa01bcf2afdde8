//! Objectives and constraints of an exploration.

use serde_yaml::Value;
use sluice_config::{Part, Reader};
use sluice_ir::suggestion::did_you_mean;

/// A figure of a point that can be minimised or bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objective {
    /// Cycles, the mean over the data sets, times the achieved clock period.
    TimeNs,
    /// Cycles of the slowest data set times the achieved clock period.
    LatencyNs,
    /// The achieved clock period: the requested one, or the expected one where that is longer.
    PeriodNs,
    /// Look-up tables.
    Lut,
    /// Flip-flops.
    Ff,
    /// Multiplier blocks.
    Dsp,
    /// Block memories.
    Bram,
}

impl Objective {
    /// All of them, in the order of the columns.
    pub const ALL: [Self; 7] = [
        Self::PeriodNs,
        Self::TimeNs,
        Self::LatencyNs,
        Self::Lut,
        Self::Ff,
        Self::Dsp,
        Self::Bram,
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::TimeNs => "time_ns",
            Self::LatencyNs => "latency_ns",
            Self::PeriodNs => "period_ns",
            Self::Lut => "lut",
            Self::Ff => "ff",
            Self::Dsp => "dsp",
            Self::Bram => "bram",
        }
    }

    /// Digits after the point that are shown. Points are compared as shown, so that a table explains itself.
    pub fn decimals(self) -> usize {
        match self {
            Self::TimeNs | Self::LatencyNs => 1,
            Self::PeriodNs => 2,
            Self::Lut | Self::Ff | Self::Dsp | Self::Bram => 0,
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|objective| objective.name() == name)
    }
}

/// Bounds of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The figure.
    pub of: Objective,
    /// The least value.
    pub min: Option<f64>,
    /// The greatest value.
    pub max: Option<f64>,
}

impl Constraint {
    /// The bound that a value misses, as text.
    pub fn missed_by(&self, value: f64) -> Option<String> {
        let name = self.of.name();
        match (self.min, self.max) {
            (_, Some(max)) if value > max => Some(format!("{name} <= {max}")),
            (Some(min), _) if value < min => Some(format!("{name} >= {min}")),
            _ => None,
        }
    }
}

/// Objectives and constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct Goals {
    /// The objectives, all minimised together.
    pub objectives: Vec<Objective>,
    /// The constraints of every point of a front.
    pub constraints: Vec<Constraint>,
}

impl Default for Goals {
    fn default() -> Self {
        Self {
            objectives: vec![
                Objective::TimeNs,
                Objective::Lut,
                Objective::Ff,
                Objective::Dsp,
                Objective::Bram,
            ],
            constraints: Vec::new(),
        }
    }
}

fn names() -> Vec<&'static str> {
    Objective::ALL.map(Objective::name).to_vec()
}

fn unknown(name: &str) -> String {
    format!(
        "no objective is called `{name}`; {}",
        did_you_mean(name, &names())
    )
}

/// Reads `objectives`, entry `at` of the file.
pub(super) fn read_objectives(reader: &mut Reader<'_>, at: usize, value: &Value) -> Vec<Objective> {
    let Some(words) = value.as_sequence().filter(|words| !words.is_empty()) else {
        let message = format!(
            "`objectives` is a list of what is minimised: {}",
            names().join(", ")
        );
        reader.error_at_entry(&[at], Part::Value, message);
        return Vec::new();
    };
    let mut found = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let message = match word.as_str() {
            None => format!("an objective is one of {}", names().join(", ")),
            Some(name) => match Objective::of_name(name) {
                None => unknown(name),
                Some(objective) if found.contains(&objective) => {
                    format!("`{name}` is in the list twice")
                }
                Some(objective) => {
                    found.push(objective);
                    continue;
                }
            },
        };
        reader.error_at_entry(&[at, i], Part::Value, message);
    }
    found
}

/// Reads `constraints`, entry `at` of the file.
pub(super) fn read_constraints(
    reader: &mut Reader<'_>,
    at: usize,
    value: &Value,
) -> Vec<Constraint> {
    const EXAMPLE: &str = "for example `lut: {max: 2000}`";
    let Some(all) = value.as_mapping() else {
        let message = format!("`constraints` maps figures to bounds, {EXAMPLE}");
        reader.error_at_entry(&[at], Part::Value, message);
        return Vec::new();
    };
    let mut found = Vec::new();
    for (i, (name, bounds)) in all.iter().enumerate() {
        let name = name.as_str().unwrap_or_default();
        let Some(of) = Objective::of_name(name) else {
            reader.error_at_entry(&[at, i], Part::Key, unknown(name));
            continue;
        };
        let Some(bounds) = bounds.as_mapping().filter(|bounds| !bounds.is_empty()) else {
            let message = format!("`{name}` has `min`, `max` or both, {EXAMPLE}");
            reader.error_at_entry(&[at, i], Part::Value, message);
            continue;
        };
        let (mut min, mut max) = (None, None);
        for (j, (bound, number)) in bounds.iter().enumerate() {
            let bound = bound.as_str().unwrap_or_default();
            let place = match bound {
                "min" => &mut min,
                "max" => &mut max,
                _ => {
                    let hint = did_you_mean(bound, &["min", "max"]);
                    let message = format!("unknown key `{bound}`; {hint}");
                    reader.error_at_entry(&[at, i, j], Part::Key, message);
                    continue;
                }
            };
            *place = number.as_f64().filter(|n| n.is_finite() && *n >= 0.0);
            if place.is_none() {
                let message = format!("`{bound}` is a number from 0");
                reader.error_at_entry(&[at, i, j], Part::Value, message);
            }
        }
        if let (Some(least), Some(most)) = (min, max)
            && least > most
        {
            let message = format!("no value of `{name}` is at least {least} and at most {most}");
            reader.error_at_entry(&[at, i], Part::Value, message);
        }
        found.push(Constraint { of, min, max });
    }
    found
}
