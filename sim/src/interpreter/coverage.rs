//! Coverage of a run: how often each outcome of every branch, choice and loop occurred.

use rustc_hash::FxHashMap;
use sluice_dialects::{affine, cf, scf};
use sluice_ir::{Location, View};

use super::Interpreter;

/// The counts of outcomes, by location and name of the operation.
///
/// Outcomes of conditionals and choices: 0 where the condition holds, 1 where it does not. Of switches: 0 for the default, then the cases.
/// Of loops: 0 for no iteration, 1 for one, 2 for more.
#[derive(Clone, Default, Debug)]
pub struct Outcomes {
    counts: FxHashMap<(Location, String), Counts>,
    /// Whether only loops and branches between blocks are counted.
    is_of_loops: bool,
}

/// Counts of one operation.
#[derive(Clone, Default, Debug)]
struct Counts {
    /// By outcome.
    outcomes: Vec<u64>,
    /// Iterations of a loop, over all its entries.
    iterations: u64,
}

impl Outcomes {
    /// Counts only loops and branches between blocks, which takes less time.
    pub fn of_loops() -> Self {
        Self {
            is_of_loops: true,
            ..Self::default()
        }
    }

    /// Returns the iterations of a loop operation, over all its entries.
    pub fn iterations(&self, view: View<'_>) -> u64 {
        let key = (view.location(), view.name().to_owned());
        self.counts.get(&key).map_or(0, |counts| counts.iterations)
    }

    /// How often an outcome of an operation came.
    pub fn count(&self, view: View<'_>, outcome: usize) -> u64 {
        let key = (view.location(), view.name().to_owned());
        let counts = self.counts.get(&key);
        counts
            .and_then(|counts| counts.outcomes.get(outcome))
            .copied()
            .unwrap_or(0)
    }

    fn add(&mut self, view: View<'_>, outcome: usize, n_iterations: u64) {
        if self.is_of_loops && !is_loop_or_branch(view.name()) {
            return;
        }
        let key = (view.location(), view.name().to_owned());
        let counts = self.counts.entry(key).or_default();
        if counts.outcomes.len() <= outcome {
            counts.outcomes.resize(outcome + 1, 0);
        }
        counts.outcomes[outcome] += 1;
        counts.iterations = counts.iterations.saturating_add(n_iterations);
    }
}

fn is_loop_or_branch(name: &str) -> bool {
    [
        affine::For::NAME,
        affine::Parallel::NAME,
        scf::For::NAME,
        scf::While::NAME,
        scf::Parallel::NAME,
        scf::Forall::NAME,
        cf::Br::NAME,
        cf::CondBr::NAME,
        cf::Switch::NAME,
    ]
    .contains(&name)
}

impl Interpreter<'_> {
    /// Counts an outcome, where outcomes are counted.
    pub(super) fn note(&mut self, view: View<'_>, outcome: usize) {
        if let Some(outcomes) = &mut self.outcomes {
            outcomes.add(view, outcome, 0);
        }
    }

    /// Counts an entry of a loop with its iterations, where outcomes are counted.
    pub(super) fn note_loop(&mut self, view: View<'_>, n_iterations: u64) {
        if let Some(outcomes) = &mut self.outcomes {
            let outcome = match n_iterations {
                0 => 0,
                1 => 1,
                _ => 2,
            };
            outcomes.add(view, outcome, n_iterations);
        }
    }
}
