//! Errors of circuit construction.

use sluice_ir::{Location, View};

/// The reason why a circuit cannot be built: its source violates a precondition.
#[derive(Clone, Debug)]
pub struct CircuitError {
    /// The location of the violation.
    pub location: Location,
    /// The violated precondition.
    pub message: String,
}

/// The result of building a part of a circuit.
pub type Built<T> = Result<T, CircuitError>;

/// Returns an error at an operation.
pub fn broken(view: View<'_>, message: impl Into<String>) -> CircuitError {
    CircuitError {
        location: view.location(),
        message: format!("`{}`: {}", view.name(), message.into()),
    }
}
