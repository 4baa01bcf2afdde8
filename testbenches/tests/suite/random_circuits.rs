//! Random circuits have the same state after every cycle on bytecode, machine code and Verilator; `testbenches/circuits` runs
//! more of them.

use sluice_testbenches::circuit_check::{Found, check};
use sluice_testbenches::verilator::available_or_excused;

#[test]
fn random_circuits_agree_with_verilator() {
    // The second batch has falling edges, clocks derived from data, and asynchronous resets.
    for first_seed in [1, 26] {
        let found = check(first_seed, 25, 300, available_or_excused());
        assert_eq!(found, Ok(Found::default()));
    }
}

#[test]
fn random_circuits_agree_on_both_backends() {
    for first_seed in [1000, 2025, 3000, 4025] {
        let found = check(first_seed, 25, 100, false);
        assert_eq!(found, Ok(Found::default()));
    }
}
