//! Circuits of the functions that an elastic kernel calls.

use std::collections::BTreeMap;

use sluice_ir::{Attribute, Exact, Module};

/// The circuits of called functions, by function name.
pub type Callees = BTreeMap<String, Made>;

/// The circuit of a function.
pub struct Made {
    /// The scheduled form.
    pub scheduled: Module,
    /// The module with the circuit and its operator instances.
    pub circuit: Module,
    /// Type of the function before binding.
    pub ty: Option<Attribute>,
    /// Cycles from `start` to `done`, if they are known.
    pub cycles: Option<Exact>,
}
