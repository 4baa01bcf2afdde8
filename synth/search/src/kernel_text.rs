//! The source text of a kernel, for choices that compile it in several ways.

use sluice_config::Config;
use sluice_kernel::compiled::{Compiled, Failure};

use crate::setting::Order;

/// The source text of a kernel, and the function that compiles it.
#[derive(Clone, Copy)]
pub struct KernelText<'a> {
    /// MLIR source.
    pub source: &'a str,
    /// Name of the file, for messages.
    pub file: &'a str,
    /// The order of passes.
    pub order: &'static Order,
    /// Compiles the source (first argument) of a file (second argument) with a configuration, without choices between circuits.
    pub compile_once: fn(&str, &str, &Config) -> Result<Compiled, Failure>,
}

impl KernelText<'_> {
    /// Compiles the kernel with a configuration.
    ///
    /// # Errors
    /// Errors of the input, and internal errors.
    pub fn compile(&self, config: &Config) -> Result<Compiled, Failure> {
        (self.compile_once)(self.source, self.file, config)
    }
}
