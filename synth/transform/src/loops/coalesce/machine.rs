//! States of the machine that steps through a flattened nest, and its counters.

use sluice_ir::{Context, Type, ValueId};

use crate::loops::coalesce::nest::{GroupIndex, LoopIndex};

/// Something that control carries from step to step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    /// It is the turn of this group.
    Turn(GroupIndex),
    /// The counter of this loop.
    Counter(LoopIndex),
    /// This is the first step of this loop.
    Entered(LoopIndex),
    /// This is the last iteration of this loop.
    InLast(LoopIndex),
    /// This iteration of this loop is not one that only fills up.
    Works(LoopIndex),
    /// The counter of this loop times a number, for addresses: added up instead of multiplied.
    Scaled(LoopIndex, i64),
}

/// Values of the counters, as the loops' own values.
pub(crate) type Counters = Vec<Option<ValueId>>;

/// The type of a counter in control: just wide enough for what it was seen to be.
pub(crate) fn counter_type(context: &Context, (least, greatest): (i64, i64)) -> (Type, bool) {
    let bits = |value: u64| 64 - value.leading_zeros();
    if least >= 0 {
        (
            context.integer_type(bits(greatest.unsigned_abs()).max(1)),
            false,
        )
    } else {
        let magnitude = least.unsigned_abs().max(greatest.max(0).unsigned_abs() + 1);
        (context.integer_type(bits(magnitude - 1) + 1), true)
    }
}
