//! The untimed interpreter and the cycle simulator.

pub mod cycle;
pub mod interpreter;
pub mod testbench;
