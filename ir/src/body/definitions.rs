//! The definition of a value, packed in eight bytes for a body.

use crate::ids::{BlockId, OperationId};

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDefinition {
    /// Result `index` of an operation.
    Result {
        /// The operation.
        operation: OperationId,
        /// Position among its results.
        index: u32,
    },
    /// Argument `index` of a block.
    Argument {
        /// The block.
        block: BlockId,
        /// Position among its arguments.
        index: u32,
    },
}

/// A [`ValueDefinition`]: the id of the operation or block, and the position with a mark for arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedDefinition {
    owner: u32,
    position: u32,
}

/// Marker bit in the position of an argument.
const ARGUMENT: u32 = 1 << 31;

impl From<ValueDefinition> for PackedDefinition {
    fn from(definition: ValueDefinition) -> Self {
        let (owner, index, mark) = match definition {
            ValueDefinition::Result { operation, index } => (operation.index(), index, 0),
            ValueDefinition::Argument { block, index } => (block.index(), index, ARGUMENT),
        };
        assert!(index < ARGUMENT, "fewer than 2^31 results or arguments");
        Self {
            owner: u32::try_from(owner).expect("ids have 32 bits"),
            position: index | mark,
        }
    }
}

impl PackedDefinition {
    #[inline]
    pub(super) fn unpack(self) -> ValueDefinition {
        let owner = self.owner as usize;
        let index = self.position & !ARGUMENT;
        if self.position & ARGUMENT == 0 {
            let operation = OperationId::from_index(owner);
            ValueDefinition::Result { operation, index }
        } else {
            let block = BlockId::from_index(owner);
            ValueDefinition::Argument { block, index }
        }
    }
}
