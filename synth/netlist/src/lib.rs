//! Netlists of hw, comb and seq under construction, and the frame that every kernel's circuit has: what `bind` and `elastic` share.
//!
//! Absent: schedules and tokens. Whoever builds a circuit knows when something happens; this crate knows what it is made of.

pub mod banks;
pub mod circuit;
mod divider;
pub mod error;
pub mod generators;
mod interleaved;
pub mod kernel;
pub mod operators;
pub mod source;
