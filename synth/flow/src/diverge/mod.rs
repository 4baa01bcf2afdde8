//! Where witnesses part first: after which pass, at which write of which cycle, in which register.
//!
//! Three pairs run in lock-step: the interpreter on the source and on what each pass left; the interpreter on the scheduled form and the
//! ports of the circuit; the circuit as bytecode and as machine code.

mod backends;
mod passes;
mod ports;

use sluice_config::Config;
use sluice_dialects::{
    func,
    interface::{ArgumentPorts, Interface},
};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Location, Module, View};
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_sim::interpreter::{Argument, Outcome};
use sluice_verify::data::Case;

use crate::pipeline::compile_watched;

pub use backends::Backends;

/// A kernel with what each pass left of it.
pub struct Stages {
    /// The kernel, compiled.
    pub compiled: Compiled,
    /// Pass and module, in order, up to the scheduled form.
    pub stages: Vec<(String, Module)>,
}

/// What a pair of witnesses says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They agree; what was compared, in words.
    Agree(String),
    /// Where they part first.
    Part(String),
    /// They could not be compared, and why.
    Unknown(String),
}

/// Compiles a kernel and keeps what each pass left.
///
/// # Errors
/// As [`compile_watched`].
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

/// What the three pairs say of a data set, in the order of the stages, with the name of each pair; `expected` is the answer for the source.
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

/// The arguments as a function of a stage takes them: arrays in banks are one memory for each bank.
fn arguments_of(
    context: &Context,
    module: &Module,
    interface: &Interface,
    case: &Case,
) -> Vec<Argument> {
    let op = module.lookup_symbol(context, &interface.module);
    let n = op.map_or(0, |op| {
        let view = View::new(context, module.inner(), op);
        let block = view.entry_block(0);
        block.map_or(0, |block| view.inner().arguments(block).len())
    });
    if n == case.arguments.len() {
        return case.arguments.clone();
    }
    let mut all = Vec::new();
    for (ports, argument) in interface.arguments.iter().zip(&case.arguments) {
        match (ports, argument) {
            (
                ArgumentPorts::Memory {
                    banks: Some(banks),
                    width_bits,
                    ..
                },
                Argument::Memory(words),
            ) => {
                let padding = Bits::zero(*width_bits);
                let contents = banks.partition.scatter(words, &padding);
                all.extend(contents.into_iter().map(Argument::Memory));
            }
            _ => all.push(argument.clone()),
        }
    }
    all
}

/// The memories of a stage as those of the source.
fn memories_of(interface: &Interface, memories: &[Vec<Bits>]) -> Vec<Vec<Bits>> {
    let arrays = interface
        .arguments
        .iter()
        .filter(|ports| matches!(ports, ArgumentPorts::Memory { .. }));
    if arrays.clone().count() == memories.len() {
        return memories.to_vec();
    }
    let mut left = memories.iter();
    arrays
        .map(|ports| match ports {
            ArgumentPorts::Memory {
                banks: Some(banks), ..
            } => {
                let n = ports.memories().len();
                let contents: Vec<Vec<Bits>> = left.by_ref().take(n).cloned().collect();
                banks.partition.gather(&contents)
            }
            ArgumentPorts::Memory { banks: None, .. } | ArgumentPorts::Scalar { .. } => {
                left.next().cloned().unwrap_or_default()
            }
        })
        .collect()
}

/// File, line and column of a location.
fn place(context: &Context, location: Location) -> String {
    match location.file_line_column(context) {
        Some((file, line, column)) => format!("{file}:{line}:{column}"),
        None => "an unknown place".to_owned(),
    }
}
