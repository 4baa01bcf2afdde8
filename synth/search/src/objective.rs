//! Objective of choices that trade area for cycles: cycles x cells^weight.

use sluice_ir::{Context, Diagnostics, Exact, Module};

use crate::costs::LUT_PER_DSP;
use crate::setting::Setting;
use crate::trial::{mapped, trial};

/// The cost of a kernel, as far as it is known before synthesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Cycles from `start` to `done`.
    pub cycles: Exact,
    /// Look-up tables without carry cells, plus flip-flops, plus multiplier blocks converted to look-up tables; 1 if the weight
    /// is 0.
    cells: f64,
    weight: f64,
}

impl Cost {
    /// Returns whether this cost is lower.
    pub(crate) fn is_less_than(self, other: Self) -> bool {
        self.measure() < other.measure()
    }

    fn measure(self) -> f64 {
        self.cycles.max(Exact::ONE).to_f64() * self.cells.powf(self.weight)
    }
}

/// A module in the scheduled form with its cost.
pub struct Judged {
    pub module: Module,
    pub cost: Cost,
}

/// Schedules and binds a copy of the module, and computes its cost; `None` if it has errors or the cycles depend on the data.
/// `finish` brings a module into the scheduled form.
///
/// The cells come from the mapping used for estimates. Compare them only with cells of the same scheduling objective.
pub fn judge(
    context: &Context,
    module: &Module,
    setting: &Setting<'_>,
    finish: impl Fn(&mut Module, &mut Diagnostics),
) -> Option<Judged> {
    let trial = trial(context, module, setting.top, finish)?;
    let weight = setting.config.area_weight;
    let cost = Cost {
        cycles: trial.cycles?,
        cells: if weight > 0.0 {
            cells(context, &trial.module, setting)?
        } else {
            1.0
        },
        weight,
    };
    Some(Judged {
        module: trial.module,
        cost,
    })
}

/// Returns the cost in look-up tables, flip-flops and multiplier blocks of the circuit that a scheduled module becomes.
fn cells(context: &Context, scheduled: &Module, setting: &Setting<'_>) -> Option<f64> {
    let mapped = mapped(context, scheduled, setting)?;
    let blocks = mapped.area.dsp * LUT_PER_DSP;
    Some((mapped.tables + mapped.area.ff + blocks).max(1.0))
}
