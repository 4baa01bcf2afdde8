//! Tests of the solvers against brute force, planted optima and the literature.
//!
//! One test program for all suites: each test program links the whole compiler.

mod exhaustive;
mod large;
mod planted;
mod problems;
mod text;
