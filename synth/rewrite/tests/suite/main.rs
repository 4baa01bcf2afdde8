//! Tests of rewritten blocks: their values and their costs.
//!
//! One test program for all suites: each test program links the whole compiler.

mod bodies;
mod soundness;
