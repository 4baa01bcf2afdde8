//! Tests of device files, valid and invalid.
//!
//! One test program for all suites: each test program links the whole compiler.

mod bad_files;
mod devices;
