//! Tests of the IR through the public interface of the crate.
//!
//! One test program for all suites: each test program links the whole compiler.

mod affine;
mod bits;
mod constraints;
mod exact;
mod float_functions;
mod floats;
mod limits;
mod numbers;
mod printable;
mod text;
mod threads;
