//! The result of an extraction, and the restrictions that it must keep.

use std::collections::BTreeMap;

use egg::Id;

use crate::language::Node;

/// The chosen node of each class, operands canonical.
pub(crate) type Chosen = BTreeMap<Id, Node>;

/// Restrictions of an extraction so that no recurrence gets longer and no value is used before its definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Classes on recurrences, each with its node in the current block.
    pub(crate) nodes: BTreeMap<Id, Node>,
    /// Classes that recurrences read, each with the recurrent leaves that the block makes it from: there is no path from other
    /// leaves.
    pub(crate) leaves: BTreeMap<Id, Leaves>,
    /// For each class of the block, the position of the latest leaf on which it may depend.
    pub(crate) latest: BTreeMap<Id, usize>,
}

/// A set of leaves, as bits by their number modulo the width of the word.
pub(crate) type Leaves = u128;
