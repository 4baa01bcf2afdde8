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

#[cfg(test)]
mod tests {
    use super::{pipelined, sequential};

    #[test]
    fn formulas() {
        assert_eq!(pipelined(0, 3, 7), Some(1));
        assert_eq!(pipelined(1, 3, 7), Some(8));
        assert_eq!(pipelined(16, 1, 4), Some(20));
        assert_eq!(sequential(0, 9), Some(1));
        assert_eq!(sequential(16, 22), Some(353));
    }
}
