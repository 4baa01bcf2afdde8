//! Elastic circuits: control flow to handshake graphs.
//!
//! The graph form, and what it means in every cycle, is in `docs/ELASTIC.md`.

mod buffers;
mod channels;
mod fan_out;
mod graph;
mod live;
mod lower;
mod simplify;
mod units;

pub use buffers::place_buffers;
pub use lower::lower_to_handshake;
