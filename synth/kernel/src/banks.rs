//! Banked arrays of a compiled kernel, for reports and for the comments in the Verilog.

use sluice_dialects::partition::Partition;
use sluice_dialects::sluice::BANKED;
use sluice_ir::{Attribute, Body, Context, Module, OperationId, ValueId, View};

/// An array that is partitioned into banks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankedArray {
    /// Name in the source.
    pub name: String,
    /// The mapping of elements to banks.
    pub partition: Partition,
    /// Number of accesses whose bank is known at compile time, so that the scheduler avoids bank conflicts.
    pub n_straight: i64,
    /// Number of accesses that select the bank at run time.
    pub n_chosen: i64,
    /// True if the array is an argument; its banks then have ports.
    pub is_argument: bool,
}

/// Returns the banked arrays of the function `top`, arguments and local memories, in the order in which they were partitioned.
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

/// Sets the banking that `wish` returns for arguments of a function. If it returns `None`, the argument keeps its attribute.
pub fn banks_of_arguments(
    context: &Context,
    inner: &mut Body,
    function: OperationId,
    wish: &dyn Fn(&Body, ValueId) -> Option<Attribute>,
) {
    let Some(entry) = inner.entry_block(function, 0) else {
        return;
    };
    let body = inner.inner(function);
    let key = context.name("arg_attrs");
    let banks = context.name(sluice_dialects::sluice::BANKS);
    let given = inner.attribute(function, key);
    let given = given.and_then(|a| a.as_array(context)).unwrap_or_default();
    let mut changed = false;
    let mut all = Vec::new();
    for (i, argument) in body.arguments(entry).iter().enumerate() {
        let own = given.get(i).and_then(|a| a.as_dictionary(context));
        let mut own = own.unwrap_or_default().to_vec();
        if let Some(wish) = wish(body, *argument) {
            own.retain(|(name, _)| *name != banks);
            own.push((banks, wish));
            changed = true;
        }
        all.push(context.dictionary_attribute(&own));
    }
    if changed {
        inner.set_attribute(function, key, context.array_attribute(&all));
    }
}
