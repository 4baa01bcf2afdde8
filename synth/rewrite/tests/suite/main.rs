//! Rewritten blocks: what they mean and what they cost.
//!
//! One program for all of them: each test program holds the whole compiler.

mod bodies;
mod soundness;
