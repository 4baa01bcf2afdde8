//! Checks a property of a value and all values it is computed from, visiting each once.

use std::collections::{BTreeSet, VecDeque};

use sluice_ir::{Body, OperationId, ValueId};

/// The contribution of one value to the property.
pub(crate) enum Part {
    /// The value satisfies the property, whatever its operands.
    Right,
    /// The value violates the property.
    Wrong,
    /// The value satisfies the property if all operands of this operation do.
    Through(OperationId),
}

impl Part {
    /// Converts a final answer.
    pub(crate) fn is(right: bool) -> Self {
        match right {
            true => Self::Right,
            false => Self::Wrong,
        }
    }

    /// Continues through the operation if there is one; otherwise the property is violated.
    pub(crate) fn through(made: Option<OperationId>) -> Self {
        made.map_or(Self::Wrong, Self::Through)
    }
}

/// Returns whether `value` and its transitive operands satisfy the property given by `part`; false if a chain has more than
/// `max_depth` operations.
pub(crate) fn all_transitive_operands(
    body: &Body,
    value: ValueId,
    max_depth: u32,
    part: impl Fn(ValueId) -> Part,
) -> bool {
    let mut seen = BTreeSet::from([value]);
    // Breadth first, so that each value is first reached at its smallest depth.
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
