//! Extrapolates iterations of an outermost loop that repeat the behaviour of the previous one, instead of simulating them.
//!
//! This applies if the inner bounds do not depend on its counter, and all accesses of a memory advance by the same number of
//! words per iteration. An iteration then only meets words of a limited number of earlier iterations. After that many iterations,
//! every further one behaves like the previous one, shifted by a constant, and no new distance occurs. The addresses may wrap
//! around in a circular buffer.

use super::StepSimulator;

/// Additional iterations to simulate: the first one has no predecessor, and the second is the first that sees variables and words
/// as all later ones do.
const MORE_ITERATIONS: u64 = 2;

/// The movement of the accesses of a memory from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Move {
    cells: i64,
    /// The size of a circular buffer after which addresses wrap around.
    around: Option<i64>,
}

/// Counters that grow by the same amount in every iteration.
pub(super) struct Counts {
    steps: u64,
    busy_steps: u64,
    iterations: u64,
    /// The numbers of entries and of empty entries of each loop.
    entries: Vec<(u64, u64)>,
}

/// Returns the greatest common divisor.
fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl StepSimulator<'_> {
    /// Returns the movement of each memory from one iteration of the outermost loop to the next; `None` if iterations differ in
    /// any other way.
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

    /// Returns the number of iterations to simulate until all others behave like the last one; called after the first one ran.
    pub(super) fn different_iterations(&self, moves: &[Move]) -> u64 {
        let reach = moves.iter().zip(&self.touched).map(|(moved, touched)| {
            if let Some(around) = moved.around {
                // After this number of iterations the same words recur, and they overwrite all older accesses.
                let around = around.unsigned_abs();
                return around / greatest_common_divisor(around, moved.cells.unsigned_abs());
            }
            let (first, last) = touched.unwrap_or((0, 0));
            let cells = last.abs_diff(first);
            let reach = cells.checked_div(moved.cells.unsigned_abs());
            reach.unwrap_or(0).saturating_add(1)
        });
        reach.max().unwrap_or(0).saturating_add(MORE_ITERATIONS)
    }

    /// Returns the current counts.
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

    /// Adds the counts of `n` more iterations like the one since `before`; `None` if there are too many steps.
    pub(super) fn count_again(&mut self, before: &Counts, n: u64) -> Option<()> {
        let more = |now: u64, before: u64| now.checked_add((now - before).checked_mul(n)?);
        self.steps = more(self.steps, before.steps).filter(|n| *n <= super::MAX_STEPS)?;
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
