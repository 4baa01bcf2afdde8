//! States of the finite state machine that sequences a flattened nest, and its counters.

use sluice_ir::{Context, Type, ValueId};

use crate::loops::coalesce::nest::{GroupIndex, LoopIndex};

/// A state that the control carries from step to step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    /// True if this group is active.
    Turn(GroupIndex),
    /// The counter of this loop.
    Counter(LoopIndex),
    /// True if this is the first step of this loop.
    Entered(LoopIndex),
    /// True if this is the last iteration of this loop.
    InLast(LoopIndex),
    /// True if this iteration of this loop is not a padding iteration.
    Works(LoopIndex),
    /// The counter of this loop times a constant, for addresses: updated by addition instead of multiplication.
    Scaled(LoopIndex, i64),
}

/// The counter values, with the types of their loops.
pub(crate) type Counters = Vec<Option<ValueId>>;

/// Returns the type of a counter in the control, just wide enough for its observed range, and whether it is signed.
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
