//! Iterations of an outermost loop that do what the one before did, and are counted instead of run.
//!
//! Where the bounds inside do not depend on its counter, and all accesses of a memory move by one number of cells from one of its
//! iterations to the next, an iteration meets what the iterations before it touched: those as far back as its cells reach. Once as many
//! have run, every further one finds the same as the one before, further by that number, and no distance is new. The cells may be slots
//! of a buffer, which start again behind the last one.

use super::Walker;

/// Iterations beyond those that reach each other: the first one has nothing before it, and the second one is the first that finds variables
/// and cells as all others do.
const MORE_ITERATIONS: u64 = 2;

/// How the accesses of a memory move from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Move {
    cells: i64,
    /// Behind so many cells they start again from the first one.
    around: Option<i64>,
}

/// Counts that grow by the same number in every iteration.
pub(super) struct Counts {
    steps: u64,
    busy_steps: u64,
    iterations: u64,
    /// Entries and empty ones of each loop.
    entries: Vec<(u64, u64)>,
}

/// The greatest common divisor.
fn greatest_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Walker<'_> {
    /// How each memory that has an order moves from one iteration of the outermost loop to the next; `None` if iterations differ
    /// otherwise.
    pub(super) fn moves(&self) -> Option<Vec<Move>> {
        let step = self.nest.loops[0].step;
        for (lower, upper) in &self.bounds[1..] {
            if lower.factor(0)? != 0 || upper.factor(0)? != 0 {
                return None;
            }
        }
        let mut moves: Vec<Option<Move>> = vec![None; self.of_memory.len()];
        for access in self.of_group.iter().flatten().map(|a| &self.accesses[*a]) {
            if let Some(condition) = &access.condition
                && condition.factor(0)? != 0
            {
                return None;
            }
            let Some(address) = &access.address else {
                continue;
            };
            let (factor, around) = address.factor_around(0)?;
            let cells = factor.checked_mul(step)?;
            let moved = Move { cells, around };
            if *moves[access.memory].get_or_insert(moved) != moved {
                return None;
            }
        }
        Some(moves.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// How many iterations run until all others do what the last one did, after the first one ran.
    pub(super) fn different_iterations(&self, moves: &[Move]) -> u64 {
        let reach = moves.iter().zip(&self.touched).map(|(moved, touched)| {
            if let Some(around) = moved.around {
                // Behind so many iterations, the same cells come again, and nothing older is left of the same access.
                let around = around.unsigned_abs();
                return around / greatest_divisor(around, moved.cells.unsigned_abs());
            }
            let (first, last) = touched.unwrap_or((0, 0));
            let cells = last.abs_diff(first);
            let reach = cells.checked_div(moved.cells.unsigned_abs());
            reach.unwrap_or(0).saturating_add(1)
        });
        reach.max().unwrap_or(0).saturating_add(MORE_ITERATIONS)
    }

    /// What is counted now.
    pub(super) fn counts(&self) -> Counts {
        let entries = self.seen.iter().map(|seen| {
            let facts = seen.as_ref();
            facts.map_or((0, 0), |facts| (facts.entries, facts.empty_entries))
        });
        Counts {
            steps: self.steps,
            busy_steps: self.busy_steps,
            iterations: self.iterations,
            entries: entries.collect(),
        }
    }

    /// Counts `n` iterations more like the one that ran since `before`; `None` if there are too many steps.
    pub(super) fn count_again(&mut self, before: &Counts, n: u64) -> Option<()> {
        let more = |now: u64, before: u64| now.checked_add((now - before).checked_mul(n)?);
        self.steps = more(self.steps, before.steps).filter(|n| *n <= super::MOST_STEPS)?;
        self.busy_steps = more(self.busy_steps, before.busy_steps)?;
        self.iterations = more(self.iterations, before.iterations)?;
        for (facts, (entries, empty)) in self.seen.iter_mut().zip(&before.entries) {
            if let Some(facts) = facts {
                facts.entries = more(facts.entries, *entries)?;
                facts.empty_entries = more(facts.empty_entries, *empty)?;
            }
        }
        Some(())
    }
}
