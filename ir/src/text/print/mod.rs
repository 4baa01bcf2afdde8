//! Implementation of the printer: values, types, attributes, aliases, operations, declarative formats.

pub(crate) mod aliases;
mod attributes;
mod format;
mod operations;
mod pieces;
mod types;
pub(crate) mod users;
pub(crate) mod values;
