//! How many random cases and examples the tests run: few in the gate, many more or all in a sweep.

/// The environment variable that multiplies the number of random cases of each test; `testbenches/sweep` sets it.
pub const VARIABLE: &str = "SLUICE_SWEEP";

/// Returns the factor of a sweep; 1 in the gate.
///
/// # Panics
/// The variable is set and not a positive number.
#[must_use]
pub fn factor() -> u64 {
    let text = match std::env::var(VARIABLE) {
        Ok(text) => text,
        Err(_) => return 1,
    };
    let factor = text.parse().ok().filter(|factor| *factor > 0);
    factor.unwrap_or_else(|| panic!("`{VARIABLE}` is `{text}`, not a positive number"))
}

/// Returns the number of random cases that a test runs, of the number that it runs in the gate.
#[must_use]
pub fn cases(in_gate: u64) -> u64 {
    in_gate.saturating_mul(factor())
}

/// Returns the items that a test checks: every `n`th in the gate, beginning with the first, and all in a sweep.
#[must_use]
pub fn every_nth<T>(n: usize, items: impl IntoIterator<Item = T>) -> Vec<T> {
    let step = if factor() > 1 { 1 } else { n };
    items.into_iter().step_by(step).collect()
}
