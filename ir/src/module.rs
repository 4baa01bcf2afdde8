//! A whole program: a body whose only operation is the top-level one, usually `builtin.module`.

use crate::body::Body;
use crate::context::Context;
use crate::ids::OperationId;
use crate::resources::Resources;
use crate::view::View;

/// A top-level operation with the body that contains it.
#[derive(Clone, Debug)]
pub struct Module {
    /// Contains only the top-level operation.
    pub body: Body,
    /// The top-level operation.
    pub operation: OperationId,
    /// Data in addition to the operations.
    pub resources: Resources,
}

impl Module {
    /// Creates a program without resources.
    pub fn new(body: Body, operation: OperationId) -> Self {
        Self {
            body,
            operation,
            resources: Resources::default(),
        }
    }

    /// Returns a view of the top-level operation.
    pub fn view<'a>(&'a self, context: &'a Context) -> View<'a> {
        View::new(context, &self.body, self.operation)
    }

    /// Returns the body of the top-level operation, which contains its functions.
    pub fn inner(&self) -> &Body {
        self.body.inner(self.operation)
    }

    /// Returns the body of the top-level operation, mutable.
    pub fn inner_mut(&mut self) -> &mut Body {
        self.body.inner_mut(self.operation)
    }

    /// Returns the operations in the top-level operation's first region, first block.
    pub fn top_level_operations(&self) -> Vec<OperationId> {
        let block = self.body.entry_block(self.operation, 0);
        block
            .map(|block| self.inner().operations(block).collect())
            .unwrap_or_default()
    }

    /// Returns the operation at the top level whose symbol is `name`.
    pub fn lookup_symbol(&self, context: &Context, name: &str) -> Option<OperationId> {
        let inner = self.inner();
        let mut ops = self.top_level_operations().into_iter();
        ops.find(|op| View::new(context, inner, *op).symbol_name() == Some(name))
    }
}
