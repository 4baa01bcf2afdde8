//! Tests of the dialects through the public interface of the crate.
//!
//! One test program for all suites: each test program links the whole compiler.

mod bytecode;
mod documentation;
mod generated;
mod keys;
mod limits;
mod loading;
mod names;
mod operations;
mod partition;
mod predicate;
mod upstream;
mod value_names;
