//! Interfaces of the dialect, and who implements them.

use sluice_ir::{Context, Type, View};

/// The hardware that an operation needs: an interface of operations.
pub trait Cost: Sync {
    /// Returns the number of units; by default, one for each result.
    fn units(&self, view: View<'_>) -> usize {
        view.results().len()
    }

    /// Returns the name of the unit: it does not depend on the operation.
    fn unit(&self) -> &'static str;
}

/// Operations that need adders.
pub(crate) struct Adder;

impl Cost for Adder {
    fn unit(&self) -> &'static str {
        "adder"
    }
}

/// Operations that need multipliers.
pub(crate) struct Multiplier;

impl Cost for Multiplier {
    fn units(&self, view: View<'_>) -> usize {
        // Two 18-bit multipliers for each further 18 bits.
        let width = view
            .ty(view.result(0))
            .width_bits(view.context)
            .unwrap_or(0);
        usize::try_from(width.div_ceil(18)).unwrap_or(1)
    }

    fn unit(&self) -> &'static str {
        "multiplier"
    }
}

/// The bits of a value: an interface of types.
pub trait Width: Sync {
    /// Returns the number of bits.
    fn bits(&self, context: &Context, ty: Type) -> Option<u32>;
}

/// The bits of a stream.
pub(crate) struct StreamBits;

impl Width for StreamBits {
    fn bits(&self, context: &Context, ty: Type) -> Option<u32> {
        let stream = crate::Stream::cast(context, ty)?;
        let depth = stream.depth(context).unwrap_or(1);
        stream.format(context).width(context).checked_mul(depth)
    }
}

/// The names of units: an interface of the dialect as a whole.
pub trait Inventory: Sync {
    /// Returns all units that operations of the dialect need.
    fn units(&self) -> &'static [&'static str];
}

/// The units of this dialect.
pub(crate) struct Names;

impl Inventory for Names {
    fn units(&self) -> &'static [&'static str] {
        &["adder", "multiplier"]
    }
}
