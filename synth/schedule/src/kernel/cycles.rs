//! Exact cycle counts of loops.

use sluice_ir::Exact;

/// Returns `1 + (n - 1) * ii + depth` for `n >= 1` iterations, 1 for none.
pub(crate) fn pipelined(n: Exact, ii: u32, depth: u32) -> Exact {
    match n.is_zero() {
        true => Exact::ONE,
        false => n.minus(1).times(ii).plus(depth).plus(1),
    }
}

/// Returns `1 + n * cycles`.
pub(crate) fn sequential(n: Exact, cycles: Exact) -> Exact {
    n.times(cycles).plus(1)
}

/// Entries and iterations of a loop in a nest with varying bounds, over one run of the outermost loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Totals {
    /// Number of entries.
    pub(crate) entries: Exact,
    /// Number of entries without an iteration.
    pub(crate) empty_entries: Exact,
    /// Iterations of all entries.
    pub(crate) iterations: Exact,
}

impl Totals {
    /// Returns the sum of [`pipelined`] over all entries: `empty + (iterations - full) * ii + full * (depth + 1)`, where full
    /// entries are those with at least one iteration.
    pub(crate) fn pipelined(self, ii: u32, depth: u32) -> Exact {
        let full = self.entries.minus(self.empty_entries);
        let steady = self.iterations.minus(full).times(ii);
        let filling = full.times(Exact::from(depth).plus(1));
        steady.plus(filling).plus(self.empty_entries)
    }

    /// Returns the sum of [`sequential`] over all entries: each iteration takes `cycles`, and all iterations together take
    /// `varying` more.
    pub(crate) fn sequential(self, cycles: Exact, varying: Exact) -> Exact {
        self.iterations
            .times(cycles)
            .plus(varying)
            .plus(self.entries)
    }
}

#[cfg(test)]
mod tests {
    use sluice_ir::Exact;

    use super::{Totals, pipelined, sequential};

    fn number(n: i64) -> Exact {
        Exact::from(n)
    }

    #[test]
    fn formulas() {
        let pipelined = |n: i64, ii, depth| pipelined(number(n), ii, depth);
        assert_eq!(pipelined(0, 3, 7), number(1));
        assert_eq!(pipelined(1, 3, 7), number(8));
        assert_eq!(pipelined(16, 1, 4), number(20));
        assert_eq!(sequential(number(0), number(9)), number(1));
        assert_eq!(sequential(number(16), number(22)), number(353));
    }

    #[test]
    fn cycles_have_more_than_64_bits() {
        let n = Exact::power_of_two(62);
        assert_eq!(
            pipelined(n, 8, 9).to_string(),
            "36893488147419103234",
            "8 * 2^62 - 8 + 9 + 1"
        );
        let far = sequential(n, sequential(n, n));
        assert_eq!(far.to_string(), "more than 2^126");
    }

    #[test]
    fn totals_are_sums() {
        let totals = Totals {
            entries: number(4),
            empty_entries: number(1),
            iterations: number(6),
        };
        let one_by_one = [0, 1, 2, 3].map(|n| pipelined(number(n), 2, 5));
        assert_eq!(totals.pipelined(2, 5), Exact::sum(one_by_one));
        let one_by_one = [0, 1, 2, 3].map(|n| sequential(number(n), number(7)));
        assert_eq!(
            totals.sequential(number(7), number(0)),
            Exact::sum(one_by_one)
        );
    }
}
