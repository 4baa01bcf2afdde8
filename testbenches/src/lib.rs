//! File tests, random programs and the test command.

pub mod circuit_check;
pub mod oracle;
pub mod passes;
pub mod random_batch;
pub mod random_check;
pub mod random_circuit;
pub mod random_program;
pub mod verilator;
