//! What extraction chose of an e-graph, and what it keeps apart.

use std::collections::BTreeMap;

use egg::Id;

use crate::language::Node;

/// The chosen node of each class, operands canonical.
pub(crate) type Chosen = BTreeMap<Id, Node>;

/// What an extraction must leave as it is so that no recurrence gets longer and every value is there in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Classes on recurrences, each with the node that the block has for it.
    pub(crate) nodes: BTreeMap<Id, Node>,
    /// Classes that recurrences read, each with the recurrent leaves that the block makes it from: there is no path from others.
    pub(crate) leaves: BTreeMap<Id, Leaves>,
    /// For each class of the block, the position of the latest leaf that it may be made from.
    pub(crate) latest: BTreeMap<Id, usize>,
}

/// Leaves, as bits by their number modulo the width of the word.
pub(crate) type Leaves = u128;
