//! A kernel as it is read and as it is compiled: text, function, names and circuit.

pub mod banks;
pub mod choices;
pub mod compiled;
pub mod frontend;
pub mod input;
pub mod own_names;
mod printable_names;
