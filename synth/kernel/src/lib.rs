//! A kernel before and after compilation: input text, top function, names, compiled circuit.

mod array_sizes;
pub mod banks;
pub mod choices;
pub mod compiled;
pub mod frontend;
pub mod index_ports;
pub mod input;
pub mod own_names;
mod printable_names;
pub mod renames;
mod retype;
