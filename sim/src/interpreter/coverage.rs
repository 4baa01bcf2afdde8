//! Coverage of a run: how often each outcome of every branch, choice and loop occurred.

use rustc_hash::FxHashMap;
use sluice_ir::{Location, View};

use super::Interpreter;

/// The counts of outcomes, by location and name of the operation.
///
/// Outcomes of conditionals and choices: 0 where the condition holds, 1 where it does not. Of switches: 0 for the default, then the cases.
/// Of loops: 0 for no iteration, 1 for one, 2 for more.
#[derive(Clone, Default, Debug)]
pub struct Outcomes {
    counts: FxHashMap<(Location, String), Vec<u64>>,
}

impl Outcomes {
    /// Returns how often an outcome of an operation occurred.
    pub fn count(&self, view: View<'_>, outcome: usize) -> u64 {
        let key = (view.location(), view.name().to_owned());
        let counts = self.counts.get(&key);
        counts
            .and_then(|counts| counts.get(outcome))
            .copied()
            .unwrap_or(0)
    }

    fn add(&mut self, view: View<'_>, outcome: usize) {
        let key = (view.location(), view.name().to_owned());
        let counts = self.counts.entry(key).or_default();
        if counts.len() <= outcome {
            counts.resize(outcome + 1, 0);
        }
        counts[outcome] += 1;
    }
}

impl Interpreter<'_> {
    /// Counts an outcome, if outcomes are recorded.
    pub(super) fn note(&mut self, view: View<'_>, outcome: usize) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.add(view, outcome);
        }
    }
}
