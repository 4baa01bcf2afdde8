//! Queries on the operations and values from which circuits are built.

use sluice_dialects::value_names::derived_name;
use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, TypeKind, ValueId, View};

use crate::error::{Built, broken};

/// Returns an integer attribute that fits `u32`.
pub fn number(view: View<'_>, name: &str) -> Option<u32> {
    u32::try_from(view.attribute(name)?.as_i64(view.context)?).ok()
}

/// Returns the width of an integer value.
///
/// # Errors
/// The value has another type.
pub fn integer_width(view: View<'_>, value: ValueId) -> Built<u32> {
    view.ty(value)
        .integer_width_bits(view.context)
        .ok_or_else(|| broken(view, "a value that is not an integer"))
}

/// Returns the number of words of a memory, and their width in bits.
///
/// # Errors
/// The value is not a memref of rank 1 with static size and integer elements.
pub fn memory_shape(view: View<'_>, value: ValueId) -> Built<(u32, u32)> {
    let TypeKind::MemRef { shape, element, .. } = view.ty(value).kind(view.context) else {
        return Err(broken(view, "not a memref"));
    };
    let depth = match shape.as_ref() {
        [Some(depth)] => u32::try_from(*depth).ok(),
        _ => None,
    };
    let depth = depth.ok_or_else(|| broken(view, "memories have rank 1 and static size here"))?;
    let width = element
        .integer_width_bits(view.context)
        .ok_or_else(|| broken(view, "memories hold integers here"))?;
    Ok((depth, width))
}

/// Returns the width of an address in bits: `max(1, ceil(log2 depth))`.
pub fn address_bits(depth_words: u32) -> u32 {
    depth_words.next_power_of_two().trailing_zeros().max(1)
}

/// Returns the source name of a value, or the name that [`derived_name`] gives it.
pub fn value_name(view: View<'_>, value: ValueId) -> String {
    if let Some(name) = view.body.value_name(value) {
        return view.context.text(name).to_owned();
    }
    let Some(op) = view.body.defining_operation(value) else {
        return "arg".to_owned();
    };
    let given = |value| {
        let name = view.body.value_name(value);
        name.map(|name| view.context.text(name).to_owned())
    };
    derived_name(view.at(op), &given)
}

/// Returns the `depth_words` words of a table: those of the `memref.global` in `module` that a `memref.get_global` refers to.
///
/// # Errors
/// The global does not exist, or has no constant value.
pub fn table_words(view: View<'_>, module: View<'_>, depth_words: u32) -> Built<Vec<Bits>> {
    let context = view.context;
    let missing = || broken(view, "the table's `memref.global` has no constant value");
    let symbol = view.attribute("name");
    let symbol = symbol.and_then(|name| name.as_flat_symbol(context));
    let block = module.entry_block(0).ok_or_else(missing)?;
    let inner = module.inner();
    let mut all = inner
        .operations(block)
        .map(|op| View::new(context, inner, op));
    let global = all.find(|global| symbol.is_some() && global.symbol_name() == symbol);
    let value = global.ok_or_else(missing)?.attribute("initial_value");
    match value.map(|value| value.kind(context)) {
        Some(AttributeKind::DenseElements {
            values,
            splat: true,
            ..
        }) => Ok(vec![values[0].clone(); depth_words as usize]),
        Some(AttributeKind::DenseElements { values, .. }) => Ok(values.to_vec()),
        _ => Err(missing()),
    }
}
