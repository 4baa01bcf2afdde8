//! Arguments and memories of a kernel in the form of a stage, where an array may be in banks.

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Module, View};
use sluice_sim::interpreter::Argument;

use crate::data::Case;

/// Returns the arguments in the form that a function of a stage expects: an array in banks is one memory per bank.
pub fn arguments_of(
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

/// Converts the memories of a stage to those of the source.
pub fn memories_of(interface: &Interface, memories: &[Vec<Bits>]) -> Vec<Vec<Bits>> {
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
