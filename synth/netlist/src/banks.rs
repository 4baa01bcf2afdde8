//! Interfaces of kernels with banked arrays: the banks, which are separate arguments of the circuit, become one argument again.

use sluice_dialects::interface::{ArgumentPorts, Banks, Interface, MemoryPorts};
use sluice_dialects::partition::Partition;
use sluice_dialects::sluice;
use sluice_ir::{Attribute, Context, View};

use crate::error::{Built, broken};

/// Returns the interface as callers see it: arguments that are banks of one array, according to `sluice.banked` on the function,
/// become one argument.
///
/// # Errors
/// An array whose number of arguments is not its number of banks.
pub fn with_banks(view: View<'_>, flat: &Interface) -> Built<Interface> {
    let context = view.context;
    let banked = view.attribute(sluice::BANKED);
    let banked = banked.and_then(|a| a.as_array(context)).unwrap_or_default();
    let mut whole = Interface {
        arguments: Vec::new(),
        sources: Vec::new(),
        ..flat.clone()
    };
    let mut next = 0;
    while next < flat.arguments.len() {
        let mut arrays = banked
            .iter()
            .filter_map(|entry| BankedArgument::read(context, *entry));
        let array = arrays.find(|array| array.first == next);
        let Some(array) = array else {
            whole.arguments.push(flat.arguments[next].clone());
            whole.sources.push(flat.sources[next].clone());
            next += 1;
            continue;
        };
        let n_banks = usize::try_from(array.partition.n_banks()).unwrap_or(usize::MAX);
        let memories: Vec<MemoryPorts> = flat
            .arguments
            .iter()
            .skip(next)
            .take(n_banks)
            .flat_map(ArgumentPorts::memories)
            .collect();
        let words = array.partition.n_words();
        let (Some(first), Ok(depth_words), true) = (
            memories.first(),
            u32::try_from(words),
            memories.len() == n_banks,
        ) else {
            return Err(broken(view, "an array has as many arguments as banks"));
        };
        let shape = array.partition.shape.iter();
        whole.arguments.push(ArgumentPorts::Memory {
            name: array.name.clone(),
            depth_words,
            width_bits: first.width_bits,
            shape: shape.filter_map(|size| i64::try_from(*size).ok()).collect(),
            read: memories.iter().any(|memory| memory.read),
            write: memories.iter().any(|memory| memory.write),
            stream: false,
            banks: Some(Banks {
                partition: array.partition,
                memories,
            }),
        });
        whole.sources.push(array.name);
        next += n_banks;
    }
    Ok(whole)
}

/// An entry of `sluice.banked` for one array.
struct BankedArgument {
    name: String,
    first: usize,
    partition: Partition,
}

impl BankedArgument {
    fn read(context: &Context, entry: Attribute) -> Option<Self> {
        let entries = entry.as_dictionary(context)?;
        let get = |name: &str| {
            let entry = entries.iter().find(|(n, _)| context.text(*n) == name);
            entry.map(|(_, attribute)| *attribute)
        };
        Some(Self {
            name: get("array")?.as_str(context)?.to_owned(),
            first: usize::try_from(get("first")?.as_i64(context)?).ok()?,
            partition: Partition::from_attribute(context, get("partition")?)?,
        })
    }
}
