//! Test infrastructure: file tests, random programs and circuits, comparisons of engines, and the programs of the test
//! command.

pub mod circt_examples;
pub mod circuit_check;
pub mod module_check;
pub mod oracle;
pub mod passes;
pub mod random_batch;
pub mod random_bounds;
pub mod random_check;
pub mod random_circuit;
pub mod random_program;
mod random_state;
pub mod ratchet;
pub mod streams;
pub mod sweep;
pub mod token_check;
pub mod verilator;
