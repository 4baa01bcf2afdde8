//! Tests of the flow against recorded results.
//!
//! All tests are one program, because each test program links the whole compiler.

mod budget;
mod conformance;
mod diverge;
mod instruments;
mod memory_results;
mod passes;
mod pipelines;
mod runs;
mod versions;
