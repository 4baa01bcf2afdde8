//! Construction of netlists of hw, comb and seq, and the parts that every kernel's circuit has; `bind` and `elastic` share this
//! crate.
//!
//! Absent: schedules and tokens. The code that builds a circuit knows when something happens; this crate knows which hardware
//! does it.

pub mod banks;
pub mod circuit;
mod divider;
pub mod error;
pub mod generators;
mod interleaved;
pub mod kernel;
pub mod operators;
pub mod source;
