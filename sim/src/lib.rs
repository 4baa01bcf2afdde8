//! The untimed interpreter and the cycle simulator.

pub mod interpreter;
