//! The flow against recorded answers.
//!
//! One program for all of them: each test program holds the whole compiler.

mod budget;
mod conformance;
mod diverge;
mod memory_results;
mod passes;
mod pipelines;
mod runs;
