//! Allocation, binding, controller and datapath: lowers scheduled IR to hw, comb and seq.
//!
//! `docs/SYNTHESIS.md` defines the input and the output form. Every block of the scheduled form becomes a frame that runs on a
//! token; every value becomes a wire and, if it lives longer, registers; every access becomes an input of a memory port.

mod calls;
mod check;
mod control;
mod frame;
mod function;
mod memory;
mod register_file;
mod scheduled;
mod shell;
mod unit_circuit;
mod units;
mod values;

pub use shell::bind;
pub use sluice_dialects::interface::{ArgumentPorts, Interface};
