//! Allocation, binding, controller and datapath: scheduled IR to hw, comb and seq.
//!
//! The forms on both sides are described in `docs/SYNTHESIS.md`. Every block of the scheduled form becomes a frame that runs
//! on a token; every value becomes a wire and, where it lives on, registers; every access becomes a term of a memory port.

mod calls;
mod check;
mod control;
mod frame;
mod function;
mod memory;
mod register_file;
mod scheduled;
mod shell;
mod units;
mod values;

pub use shell::bind;
pub use sluice_dialects::interface::{ArgumentPorts, Interface};
