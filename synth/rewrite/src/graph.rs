//! The arithmetic of a block as an e-graph, with its inputs and its users.

use std::collections::BTreeMap;
use std::sync::Arc;

use egg::Id;
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, OperationId, ValueId};

use crate::cache::Saturated;
use crate::language::Node;

/// An arithmetic operation of the block.
pub(crate) struct Original {
    pub(crate) operation: OperationId,
    pub(crate) value: ValueId,
    /// The node, with the classes before saturation.
    pub(crate) node: Node,
    pub(crate) class: Id,
    /// True if the operation has swapped operands.
    pub(crate) swapped: bool,
}

/// An operation that is not arithmetic, with the arithmetic values that it (or an operation inside it) uses.
pub(crate) struct User {
    pub(crate) operation: OperationId,
    /// Index of the original, operation with the operand, index of the operand.
    pub(crate) demands: Vec<(usize, OperationId, usize)>,
}

/// The e-graph of a block.
pub(crate) struct BlockGraph {
    pub(crate) saturated: Arc<Saturated>,
    pub(crate) block: BlockId,
    /// Arithmetic operations in text order.
    pub(crate) originals: Vec<Original>,
    /// All other operations in text order.
    pub(crate) users: Vec<User>,
    /// The value of each leaf.
    pub(crate) leaves: Vec<ValueId>,
    /// For each leaf, the places of the carried values that it is or depends on; empty if the leaf depends on none.
    pub(crate) recurrent: Vec<Vec<usize>>,
    /// Number of users before the leaf's definition, plus one; 0 if it is defined outside or is a block argument.
    pub(crate) leaf_positions: Vec<usize>,
    /// Constants that are defined in other blocks and used in this one.
    pub(crate) outer_constants: BTreeMap<Bits, ValueId>,
}
