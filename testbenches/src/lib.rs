//! File tests, random programs and the test command.

pub mod oracle;
pub mod random_program;
