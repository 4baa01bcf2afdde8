//! Programs on 64-bit words that describe one clock cycle of a synchronous machine. They are optimised, then interpreted as
//! bytecode or compiled to machine code. Both give the same state after every cycle.

#[cfg(feature = "native")]
mod batch;
mod bytecode;
mod demand;
mod graph;
mod machine;
#[cfg(feature = "native")]
mod native;
mod plan;
mod program;
#[cfg_attr(
    not(feature = "native"),
    allow(dead_code, reason = "rows are of machine code")
)]
mod rows;

#[cfg(feature = "native")]
pub use batch::{Batch, Packing};
pub use graph::{Binary, Function, Graph, Node, Word, compute, mask};
pub use machine::{Backend, Clock, Machine};
pub use program::{Array, Program, Update, Write, limb_bits, n_limbs};
