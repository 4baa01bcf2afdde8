//! Costs of a circuit: cycles, clock and cells, with the intervals of the estimate.

use serde_json::{Value as Json, json};
use sluice_ir::Exact;
use sluice_oplib::mapping::Expected;
use sluice_report::latency::{exact_json, exact_of_json};
use sluice_techmap::estimate::Estimate;

use super::goals::Objective;

/// Cycles from `start` to `done`.
#[derive(Clone, Debug, PartialEq)]
pub enum Cycles {
    /// The schedule fixes them.
    Scheduled(Exact),
    /// They depend on the data, and were counted in runs.
    Runs {
        /// The mean over the data sets.
        mean: f64,
        /// Those of the slowest data set.
        worst: u64,
        /// Number of data sets.
        n_runs: usize,
        /// Whether the data sets were drawn at random: there is no data file with cases.
        is_random: bool,
    },
}

/// Costs of a circuit. Numbers have three digits after the point, which survive a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Cycles.
    pub cycles: Cycles,
    /// The clock period that was requested, in ns.
    pub clock_period_ns: f64,
    /// The clock period that the circuit is expected to need, in ns; nothing where no path runs between registers.
    pub needed_ns: Option<Expected>,
    /// Look-up tables.
    pub lut: Expected,
    /// Flip-flops.
    pub ff: Expected,
    /// Multiplier blocks.
    pub dsp: Expected,
    /// Block memories.
    pub bram: Expected,
}

/// To the third digit after the point.
fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn each(expected: Expected, of: impl Fn(f64) -> f64) -> Expected {
    Expected {
        value: of(expected.value),
        low: of(expected.low),
        high: of(expected.high),
    }
}

impl Figures {
    /// The figures of an estimate, as reports print it.
    pub(super) fn of(cycles: Cycles, clock_period_ns: f64, estimate: &Estimate) -> Self {
        let needed_ns = estimate.fmax_mhz.map(|fmax| Expected {
            value: thousandths(1000.0 / fmax.value),
            low: thousandths(1000.0 / fmax.high),
            high: thousandths(1000.0 / fmax.low),
        });
        let cells = |expected| each(expected, thousandths);
        let cycles = match cycles {
            Cycles::Runs {
                mean,
                worst,
                n_runs,
                is_random,
            } => Cycles::Runs {
                mean: thousandths(mean),
                worst,
                n_runs,
                is_random,
            },
            known @ Cycles::Scheduled(_) => known,
        };
        Self {
            cycles,
            clock_period_ns: thousandths(clock_period_ns),
            needed_ns,
            lut: cells(estimate.lut),
            ff: cells(estimate.ff),
            dsp: cells(estimate.dsp),
            bram: cells(estimate.bram),
        }
    }

    /// The mean of the cycles.
    pub fn mean_cycles(&self) -> f64 {
        match &self.cycles {
            Cycles::Scheduled(cycles) => cycles.to_f64(),
            Cycles::Runs { mean, .. } => *mean,
        }
    }

    /// The cycles of the slowest data set.
    pub fn worst_cycles(&self) -> Exact {
        match &self.cycles {
            Cycles::Scheduled(cycles) => *cycles,
            Cycles::Runs { worst, .. } => Exact::from(*worst),
        }
    }

    /// The clock period that the circuit can have.
    fn period_ns(&self) -> Expected {
        let requested = self.clock_period_ns;
        let at_least = |needed: f64| needed.max(requested);
        match self.needed_ns {
            Some(needed) => each(needed, at_least),
            None => Expected {
                value: requested,
                low: requested,
                high: requested,
            },
        }
    }

    /// A figure with its interval, with the digits that are shown.
    pub fn of_objective(&self, objective: Objective) -> Expected {
        let exact = match objective {
            Objective::TimeNs => {
                let cycles = self.mean_cycles();
                each(self.period_ns(), |period| cycles * period)
            }
            Objective::LatencyNs => {
                let cycles = self.worst_cycles().to_f64();
                each(self.period_ns(), |period| cycles * period)
            }
            Objective::PeriodNs => self.period_ns(),
            Objective::Lut => self.lut,
            Objective::Ff => self.ff,
            Objective::Dsp => self.dsp,
            Objective::Bram => self.bram,
        };
        let scale = match objective.decimals() {
            0 => 1.0,
            1 => 10.0,
            _ => 100.0,
        };
        // As numbers are printed: halves go to the even digit.
        each(exact, |value| (value * scale).round_ties_even() / scale)
    }

    /// For a file.
    pub(super) fn to_json(&self) -> Json {
        let expected = |e: Expected| json!([e.value, e.low, e.high]);
        let cycles = match &self.cycles {
            Cycles::Scheduled(cycles) => json!({"scheduled": exact_json(*cycles)}),
            Cycles::Runs {
                mean,
                worst,
                n_runs,
                is_random,
            } => {
                json!({"mean": mean, "worst": worst, "n_runs": n_runs, "is_random": is_random})
            }
        };
        json!({
            "cycles": cycles, "clock_period_ns": self.clock_period_ns,
            "needed_ns": self.needed_ns.map(expected),
            "lut": expected(self.lut), "ff": expected(self.ff), "dsp": expected(self.dsp), "bram": expected(self.bram),
        })
    }

    /// Reads the output of [`Figures::to_json`].
    pub(super) fn of_json(value: &Json) -> Option<Self> {
        let expected = |name: &str| expected_of_json(value.get(name)?);
        let cycles = value.get("cycles")?;
        let cycles = match cycles.get("scheduled") {
            Some(known) => Cycles::Scheduled(exact_of_json(known)?),
            None => Cycles::Runs {
                mean: cycles.get("mean")?.as_f64()?,
                worst: cycles.get("worst")?.as_u64()?,
                n_runs: usize::try_from(cycles.get("n_runs")?.as_u64()?).ok()?,
                is_random: cycles.get("is_random")?.as_bool()?,
            },
        };
        Some(Self {
            cycles,
            clock_period_ns: value.get("clock_period_ns")?.as_f64()?,
            needed_ns: match value.get("needed_ns")? {
                Json::Null => None,
                needed => Some(expected_of_json(needed)?),
            },
            lut: expected("lut")?,
            ff: expected("ff")?,
            dsp: expected("dsp")?,
            bram: expected("bram")?,
        })
    }
}

fn expected_of_json(value: &Json) -> Option<Expected> {
    let [value, low, high] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(Expected {
        value: value.as_f64()?,
        low: low.as_f64()?,
        high: high.as_f64()?,
    })
}
