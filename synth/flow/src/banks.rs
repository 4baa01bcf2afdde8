//! What became of the arrays that are in banks, for reports and for the reader of the Verilog.

use sluice_dialects::partition::Partition;
use sluice_ir::{Context, Module, View};
use sluice_transform::BANKED;

/// An array in banks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankedArray {
    /// Name in the source.
    pub name: String,
    /// Which element is where.
    pub partition: Partition,
    /// Accesses whose bank is known: those of one step never meet in a bank.
    pub n_straight: i64,
    /// Accesses that choose among banks at run time.
    pub n_chosen: i64,
    /// Whether it is an argument; its banks have ports then.
    pub is_argument: bool,
}

/// The arrays of the function `top` that are in banks, arguments and local memories, in the order in which they were split.
pub fn banked_arrays(context: &Context, module: &Module, top: &str) -> Vec<BankedArray> {
    let Some(op) = module.lookup_symbol(context, top) else {
        return Vec::new();
    };
    let listed = View::new(context, module.inner(), op).attribute(BANKED);
    let entries = listed.and_then(|a| a.as_array(context)).unwrap_or_default();
    let read = entries.iter().filter_map(|entry| {
        let entries = entry.as_dictionary(context)?;
        let get = |name: &str| {
            let entry = entries.iter().find(|(n, _)| context.text(*n) == name);
            entry.map(|(_, attribute)| *attribute)
        };
        Some(BankedArray {
            name: get("array")?.as_str(context)?.to_owned(),
            partition: Partition::from_attribute(context, get("partition")?)?,
            n_straight: get("straight")?.as_i64(context)?,
            n_chosen: get("chosen")?.as_i64(context)?,
            is_argument: get("first").is_some(),
        })
    });
    read.collect()
}
