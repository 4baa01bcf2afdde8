//! The tests of the dialects as a user of the crate sees them.
//!
//! One program for all of them: each test program holds the whole compiler.

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
