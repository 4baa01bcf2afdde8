//! What a value is made of: questions about all values that it is computed from, each asked once however often it is used.

use std::collections::{BTreeSet, VecDeque};

use sluice_ir::{Body, OperationId, ValueId};

/// What a value is to a question about values.
pub(crate) enum Part {
    /// It is as wanted, whatever it is made of.
    Right,
    /// It is not.
    Wrong,
    /// It is if all operands of the operation that makes it are.
    Through(OperationId),
}

impl Part {
    /// Whether it is as wanted.
    pub(crate) fn is(right: bool) -> Self {
        match right {
            true => Self::Right,
            false => Self::Wrong,
        }
    }

    /// Through the operation, if there is one that may make it.
    pub(crate) fn through(made: Option<OperationId>) -> Self {
        made.map_or(Self::Wrong, Self::Through)
    }
}

/// Whether `value`, and all it is made of, is as `part` wants it; not if more than `max_depth` operations lie between `value` and the last
/// of it.
pub(crate) fn is_made_of(
    body: &Body,
    value: ValueId,
    max_depth: u32,
    part: impl Fn(ValueId) -> Part,
) -> bool {
    let mut seen = BTreeSet::from([value]);
    // By depth, so that a value is first met where it is nearest.
    let mut waiting = VecDeque::from([(value, 0)]);
    while let Some((value, depth)) = waiting.pop_front() {
        let op = match part(value) {
            Part::Right => continue,
            Part::Through(op) if depth < max_depth => op,
            Part::Through(_) | Part::Wrong => return false,
        };
        for operand in body.operands(op) {
            if seen.insert(operand) {
                waiting.push_back((operand, depth + 1));
            }
        }
    }
    true
}
