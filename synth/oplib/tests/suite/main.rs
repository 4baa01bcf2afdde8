//! Device files, right and wrong.
//!
//! One program for all of them: each test program holds the whole compiler.

mod bad_files;
mod devices;
