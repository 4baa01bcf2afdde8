//! Names of a kernel that a configuration speaks of: loops, arrays, memories, functions.

use sluice_config::Config;
use sluice_ir::limits::Limits;
use sluice_ir::{Context, Diagnostics, Module, Severity};
use sluice_kernel::compiled::{Failure, context};
use sluice_kernel::frontend::{choose_top, read, tensors_to_memories};
use sluice_transform::{StructuredLoops, lower_linalg, results_to_arguments};

/// A kernel that was read and not compiled.
pub struct KernelNames {
    pub(super) context: Context,
    pub(super) module: Module,
}

impl KernelNames {
    /// Reads a kernel.
    ///
    /// # Errors
    /// Everything that is wrong with its text.
    pub fn read(source: &str, file: &str, limits: &Limits) -> Result<Self, Failure> {
        let context = context(limits);
        let mut module = read(&context, source, file)?;
        tensors_to_memories(&context, &mut module, source, file)?;
        // Directives name the loops of structured operations. Errors are reported when the first point is compiled.
        for (_, body) in module.inner_mut().isolated_bodies_mut() {
            let mut found = Diagnostics::new();
            lower_linalg(&context, body, StructuredLoops::Affine, &mut found);
        }
        Ok(Self { context, module })
    }

    /// The function that a configuration compiles.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn top(&self, config: &Config) -> Result<String, String> {
        choose_top(&self.context, &self.module, config)
    }

    /// Returns an error for each loop, array, memory or function that a configuration names and the kernel lacks, with a suggestion.
    pub(super) fn problems(&self, config: &Config) -> Vec<String> {
        let top = match self.top(config) {
            Ok(top) => top,
            Err(why) => return vec![why],
        };
        let mut module = self.module.clone();
        let mut found = Diagnostics::new();
        results_to_arguments(&self.context, &mut module, &top);
        crate::directives::attach(&self.context, &mut module, config, &top, &mut found);
        let errors = found.all.into_iter();
        let errors = errors.filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.map(|diagnostic| diagnostic.message).collect()
    }
}
