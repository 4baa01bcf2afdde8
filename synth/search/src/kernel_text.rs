//! A kernel as text, for choices that compile it in several ways.

use sluice_config::Config;
use sluice_kernel::compiled::{Compiled, Failure};

use crate::setting::Order;

/// The text of a kernel, and how it is compiled in one way.
#[derive(Clone, Copy)]
pub struct KernelText<'a> {
    /// MLIR.
    pub source: &'a str,
    /// The name of the file, for messages.
    pub file: &'a str,
    /// The order of passes.
    pub order: &'static Order,
    /// Compiles a source of a file as a configuration says, without choices between circuits.
    pub compile_once: fn(&str, &str, &Config) -> Result<Compiled, Failure>,
}

impl KernelText<'_> {
    /// The circuit that a configuration asks for.
    ///
    /// # Errors
    /// What is wrong with the input, or with Sluice.
    pub fn compile(&self, config: &Config) -> Result<Compiled, Failure> {
        (self.compile_once)(self.source, self.file, config)
    }
}
