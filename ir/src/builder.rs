//! A builder that creates operations at an insertion point.

use crate::body::{Body, NewOperation};
use crate::context::Context;
use crate::ids::{Attribute, BlockId, Location, OperationId, Type, ValueId};

/// The place where new operations are inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InsertionPoint {
    /// At the end of a block.
    End(BlockId),
    /// Before an operation.
    Before(OperationId),
}

/// Creates operations in a body.
pub struct Builder<'a> {
    /// Context.
    pub context: &'a Context,
    /// Body that receives the operations.
    pub body: &'a mut Body,
    /// Insertion point.
    pub point: InsertionPoint,
    /// Location of the new operations.
    pub location: Location,
}

impl<'a> Builder<'a> {
    /// Returns a builder that appends to `block`.
    pub fn at_end(
        context: &'a Context,
        body: &'a mut Body,
        block: BlockId,
        location: Location,
    ) -> Self {
        Self {
            context,
            body,
            point: InsertionPoint::End(block),
            location,
        }
    }

    /// Returns a builder that inserts before `op`, with its location.
    pub fn before(context: &'a Context, body: &'a mut Body, op: OperationId) -> Self {
        let location = body.location(op);
        Self {
            context,
            body,
            point: InsertionPoint::Before(op),
            location,
        }
    }

    /// Inserts a detached operation at the insertion point.
    pub fn insert(&mut self, op: OperationId) {
        match self.point {
            InsertionPoint::End(block) => self.body.append(block, op),
            InsertionPoint::Before(anchor) => self.body.insert_before(anchor, op),
        }
    }

    /// Creates and inserts an operation.
    pub fn create(&mut self, new: NewOperation) -> OperationId {
        let op = self.body.create(self.context, new);
        self.insert(op);
        op
    }

    /// Creates an operation by name.
    pub fn operation(
        &mut self,
        name: &str,
        operands: &[ValueId],
        result_types: &[Type],
        attributes: &[(&str, Attribute)],
    ) -> OperationId {
        let mut new = NewOperation::new(self.context.operation_name(name), self.location);
        new.operands = operands.into();
        new.result_types = result_types.into();
        new.attributes = attributes
            .iter()
            .map(|(name, a)| (self.context.name(name), *a))
            .collect();
        self.create(new)
    }
}
