//! The tests of the IR as a user of the crate sees it.
//!
//! One program for all of them: each test program holds the whole compiler.

mod affine;
mod bits;
mod exact;
mod limits;
mod numbers;
mod printable;
mod text;
mod threads;
