//! The solvers, against brute force, planted optima and the literature.
//!
//! One program for all of them: each test program holds the whole compiler.

mod exhaustive;
mod large;
mod planted;
mod problems;
mod text;
