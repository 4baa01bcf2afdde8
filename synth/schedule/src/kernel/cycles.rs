//! Cycles of loops, exactly.

/// `1 + (n - 1) * ii + depth` for `n >= 1` iterations, 1 for none.
pub(crate) fn pipelined(n: u64, ii: u32, depth: u32) -> Option<u64> {
    match n {
        0 => Some(1),
        n => (n - 1)
            .checked_mul(u64::from(ii))?
            .checked_add(u64::from(depth))?
            .checked_add(1),
    }
}

/// `1 + n * cycles`
pub(crate) fn sequential(n: u64, cycles: u64) -> Option<u64> {
    n.checked_mul(cycles)?.checked_add(1)
}

/// How often a loop of a nest with varying bounds runs, over one run of the outermost loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Totals {
    /// Times it is entered.
    pub(crate) entries: u64,
    /// Times it is entered without an iteration.
    pub(crate) empty_entries: u64,
    /// Iterations of all entries.
    pub(crate) iterations: u64,
}

impl Totals {
    /// The sum of [`pipelined`] over all entries: `empty + (iterations - full) * ii + full * (depth + 1)`, where full entries
    /// are those with an iteration.
    pub(crate) fn pipelined(self, ii: u32, depth: u32) -> Option<u64> {
        let full = self.entries.checked_sub(self.empty_entries)?;
        self.iterations
            .checked_sub(full)?
            .checked_mul(u64::from(ii))?
            .checked_add(full.checked_mul(u64::from(depth) + 1)?)?
            .checked_add(self.empty_entries)
    }

    /// The sum of [`sequential`] over all entries, with `cycles` of every iteration and `varying` of all of them together.
    pub(crate) fn sequential(self, cycles: u64, varying: u64) -> Option<u64> {
        self.iterations
            .checked_mul(cycles)?
            .checked_add(varying)?
            .checked_add(self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::{Totals, pipelined, sequential};

    #[test]
    fn formulas() {
        assert_eq!(pipelined(0, 3, 7), Some(1));
        assert_eq!(pipelined(1, 3, 7), Some(8));
        assert_eq!(pipelined(16, 1, 4), Some(20));
        assert_eq!(sequential(0, 9), Some(1));
        assert_eq!(sequential(16, 22), Some(353));
    }

    #[test]
    fn totals_are_sums() {
        let totals = Totals {
            entries: 4,
            empty_entries: 1,
            iterations: 6,
        };
        let one_by_one = [0, 1, 2, 3].map(|n| pipelined(n, 2, 5).expect("small"));
        assert_eq!(totals.pipelined(2, 5), Some(one_by_one.iter().sum()));
        let one_by_one = [0, 1, 2, 3].map(|n| sequential(n, 7).expect("small"));
        assert_eq!(totals.sequential(7, 0), Some(one_by_one.iter().sum()));
    }
}
