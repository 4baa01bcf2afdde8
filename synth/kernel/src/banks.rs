//! What became of the arrays that are in banks, for reports and for the reader of the Verilog.

use sluice_dialects::partition::Partition;
use sluice_dialects::sluice::BANKED;
use sluice_ir::{Attribute, Body, Context, Module, OperationId, ValueId, View};

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

/// Asks for the banks that `wish` gives for the arguments of a function; what is asked of the others stays.
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
