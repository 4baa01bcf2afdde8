//! Search for the first point where the reference models differ: the pass, the write and its cycle, or the register.
//!
//! Three pairs run in lock-step: the interpreter on the source and on the module after each pass; the interpreter on the
//! scheduled form and the ports of the circuit; the circuit as bytecode and as machine code.
//! ports of the circuit; the circuit as bytecode and as machine code.

mod backends;
mod passes;
mod ports;

use sluice_config::Config;
use sluice_dialects::func;
use sluice_ir::{Context, Location, Module};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::Outcome;
use sluice_verify::data::Case;

use crate::pipeline::compile_watched;

pub use backends::Backends;

/// A kernel with the module after each pass.
pub struct Stages {
    /// The compiled kernel.
    pub compiled: Compiled,
    /// Pass name and module after it, in order, up to the scheduled form.
    pub stages: Vec<(String, Module)>,
}

/// The result of comparing one pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They agree; the text says what was compared.
    Agree(String),
    /// They differ; the text describes the first point.
    Part(String),
    /// They could not be compared; the text gives the reason.
    Unknown(String),
}

/// Compiles a kernel and keeps the module after each pass.
///
/// # Errors
/// As for [`compile_watched`].
pub fn stages(source: &str, file: &str, config: &Config) -> Result<Stages, Failure> {
    let mut stages = Vec::new();
    let compiled = compile_watched(source, file, config, &mut |pass, module, context| {
        let is_kernel = !sluice_ir::passes::named(context, module, func::Func::NAME).is_empty();
        if is_kernel {
            stages.push((pass.to_owned(), module.clone()));
        }
    })?;
    Ok(Stages { compiled, stages })
}

/// Compares the three pairs for a data set and returns the name and result of each, in the order of the stages. `expected` is the
/// interpreter's result for the source.
pub fn compare(
    kernel: &Stages,
    case: &Case,
    expected: &Outcome,
    backends: Backends,
) -> [(&'static str, Verdict); 3] {
    let compiled = &kernel.compiled;
    [
        ("passes", passes::compare(kernel, case, expected)),
        ("ports", ports::compare(kernel, case)),
        ("backends", backends::compare(compiled, case, backends)),
    ]
}

/// Formats a location as file, line and column.
fn place(context: &Context, location: Location) -> String {
    match location.file_line_column(context) {
        Some((file, line, column)) => format!("{file}:{line}:{column}"),
        None => "an unknown place".to_owned(),
    }
}
