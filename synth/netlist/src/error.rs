//! Why there is no circuit for something.

use sluice_ir::{Location, View};

/// Why there is no circuit: a promise that what a circuit is made of does not keep.
#[derive(Clone, Debug)]
pub struct CircuitError {
    /// Where.
    pub location: Location,
    /// What was promised.
    pub message: String,
}

/// Something made for a circuit, or why not.
pub type Built<T> = Result<T, CircuitError>;

/// An error at an operation.
pub fn broken(view: View<'_>, message: impl Into<String>) -> CircuitError {
    CircuitError {
        location: view.location(),
        message: format!("`{}`: {}", view.name(), message.into()),
    }
}
