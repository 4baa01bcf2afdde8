//! The memories that hold tensors, and the decision whether one may be overwritten.

use sluice_dialects::memref;
use sluice_ir::{Builder, OperationId, Type, ValueDefinition, ValueId};

use super::{Rewriter, memory_type};
use crate::build::constant;

/// Where a tensor is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// The memory, or the part of one. `None` for a tensor with arbitrary elements, which gets a memory where it is written.
    pub(super) memory: Option<ValueId>,
    /// The whole memory of which `memory` is a part.
    pub(super) root: Option<ValueId>,
    /// False for arguments and constants.
    pub(super) is_writable: bool,
    /// True if the elements are arbitrary.
    pub(super) is_arbitrary: bool,
}

impl Held {
    pub(super) fn new(memory: ValueId) -> Self {
        Self {
            memory: Some(memory),
            root: Some(memory),
            is_writable: true,
            is_arbitrary: false,
        }
    }

    pub(super) fn read_only(memory: ValueId) -> Self {
        Self {
            is_writable: false,
            ..Self::new(memory)
        }
    }

    pub(super) const ARBITRARY: Self = Self {
        memory: None,
        root: None,
        is_writable: true,
        is_arbitrary: true,
    };
}

impl Rewriter<'_> {
    /// Records where a tensor is.
    pub(super) fn hold(&mut self, tensor: ValueId, held: Held) {
        if let Some(root) = held.root {
            self.holders.entry(root).or_default().push(tensor);
        }
        self.held.insert(tensor, held);
    }

    /// Records that a tensor is a part or another view of the memory of `source`.
    pub(super) fn hold_view(&mut self, tensor: ValueId, source: ValueId, memory: ValueId) {
        let source = self.held.get(&source).copied().unwrap_or(Held::ARBITRARY);
        let held = Held {
            memory: Some(memory),
            ..source
        };
        self.hold(tensor, held);
    }

    pub(super) fn held(&self, tensor: ValueId) -> Result<Held, String> {
        let held = self.held.get(&tensor).copied();
        held.ok_or_else(|| "reads a tensor that has no memory form".to_owned())
    }

    /// Returns the memory that holds a tensor, for reading before `op`.
    pub(super) fn memory(&mut self, op: OperationId, tensor: ValueId) -> Result<ValueId, String> {
        let held = self.held(tensor)?;
        if let Some(memory) = held.memory {
            return Ok(memory);
        }
        let memory = self.allocate(op, self.body.ty(tensor), None, Some(tensor))?;
        let held = Held {
            is_arbitrary: true,
            ..Held::new(memory)
        };
        self.hold(tensor, held);
        Ok(memory)
    }

    /// Allocates a memory for a tensor of this type: at the beginning of the function if its size is known, else before `op` with
    /// the sizes of the memory `like`. It gets the name of the value `named`.
    pub(super) fn allocate(
        &mut self,
        op: OperationId,
        tensor: Type,
        like: Option<ValueId>,
        named: Option<ValueId>,
    ) -> Result<ValueId, String> {
        let context = self.context;
        let ty = memory_type(context, tensor).ok_or("makes a tensor of unknown rank")?;
        let name = named.and_then(|value| self.body.value_name(value));
        let first = self
            .entry
            .and_then(|entry| self.body.first_operation(entry));
        let location = self.body.location(op);
        let is_known = ty.static_shape(context).is_some();
        let before = first.filter(|_| is_known).unwrap_or(op);
        let mut builder = Builder::before(context, self.body, before);
        builder.location = location;
        let mut sizes = Vec::new();
        if !is_known {
            let like = like.ok_or("makes a tensor whose sizes are not known here")?;
            let shape = sluice_dialects::linalg::sizes(context, ty).unwrap_or_default();
            let open = shape.iter().enumerate().filter(|(_, size)| size.is_none());
            for (dim, _) in open {
                sizes.push(size_of(&mut builder, like, dim));
            }
        }
        let memory = allocation(&mut builder, ty, &sizes);
        self.body.set_value_name(memory, name);
        Ok(memory)
    }

    /// Returns the memory in which `op` makes a tensor that replaces `old`: that of `old`, if no operation reads `old` afterwards and `op`
    /// may work in place, else a new one. A new one holds the elements of `old` if `keeps` is true.
    pub(super) fn destination(
        &mut self,
        op: OperationId,
        old: ValueId,
        result: Option<ValueId>,
        keeps: bool,
    ) -> Result<ValueId, String> {
        if self.can_overwrite(old, op)
            && let Some(memory) = self.held(old)?.memory
        {
            return Ok(memory);
        }
        self.fresh(op, old, result, keeps)
    }

    /// Returns a new memory for a tensor that replaces `old`, with its elements if `keeps` is true.
    pub(super) fn fresh(
        &mut self,
        op: OperationId,
        old: ValueId,
        result: Option<ValueId>,
        keeps: bool,
    ) -> Result<ValueId, String> {
        let held = self.held(old)?;
        let ty = self.tensor_type(old);
        let memory = self.allocate(op, ty, held.memory, result)?;
        if let Some(from) = held.memory.filter(|_| keeps && !held.is_arbitrary) {
            self.copy(op, from, memory);
        }
        Ok(memory)
    }

    /// Returns the type of a tensor, also if its value is an argument that has become a memory.
    pub(super) fn tensor_type(&self, tensor: ValueId) -> Type {
        let ty = self.body.ty(tensor);
        sluice_dialects::memref::tensor_type(self.context, ty).unwrap_or(ty)
    }

    /// Copies a memory to another one before `op`.
    pub(super) fn copy(&mut self, op: OperationId, from: ValueId, to: ValueId) {
        let mut builder = self.before(op);
        builder.operation(memref::Copy::NAME, &[from, to], &[], &[]);
    }

    /// Returns true if `op` may overwrite the memory of a tensor: all that reads the memory comes before `op`, in every iteration.
    pub(super) fn can_overwrite(&self, tensor: ValueId, op: OperationId) -> bool {
        let Some(held) = self.held.get(&tensor).filter(|held| held.is_writable) else {
            return false;
        };
        let Some(holders) = held.root.and_then(|root| self.holders.get(&root)) else {
            return false;
        };
        let block = self.body.parent_block(op);
        if self.block_of(tensor) != block {
            return false;
        }
        holders.iter().all(|holder| {
            self.body.uses(*holder).all(|(user, _)| {
                user == op && *holder == tensor
                    || self
                        .ancestor_in(user, block)
                        .is_some_and(|at| self.precedes(at, op))
            })
        })
    }

    fn block_of(&self, value: ValueId) -> Option<sluice_ir::BlockId> {
        match self.body.value_definition(value) {
            ValueDefinition::Result { operation, .. } => self.body.parent_block(operation),
            ValueDefinition::Argument { .. } => self.body.defining_block(value),
        }
    }

    /// Returns the operation in `block` that is `op` or contains it.
    fn ancestor_in(
        &self,
        op: OperationId,
        block: Option<sluice_ir::BlockId>,
    ) -> Option<OperationId> {
        let mut current = Some(op);
        while let Some(op) = current {
            if self.body.parent_block(op) == block {
                return Some(op);
            }
            current = self.body.parent_operation(op);
        }
        None
    }

    fn precedes(&self, first: OperationId, second: OperationId) -> bool {
        let mut next = self.body.next(first);
        while let Some(op) = next {
            if op == second {
                return true;
            }
            next = self.body.next(op);
        }
        false
    }
}

/// Emits `memref.alloc`.
pub(super) fn allocation(builder: &mut Builder<'_>, ty: Type, sizes: &[ValueId]) -> ValueId {
    let context = builder.context;
    let groups = [i32::try_from(sizes.len()).unwrap_or(0), 0];
    let groups = context.dense_i32_array(&groups);
    let attributes = [("operandSegmentSizes", groups)];
    let op = builder.operation(memref::Alloc::NAME, sizes, &[ty], &attributes);
    builder.body.result(op, 0)
}

/// Emits the size of a dimension of a memory.
pub(super) fn size_of(builder: &mut Builder<'_>, memory: ValueId, dim: usize) -> ValueId {
    let index = builder.context.index_type();
    let dim = constant(builder, index, i64::try_from(dim).unwrap_or(i64::MAX));
    let op = builder.operation(memref::Dim::NAME, &[memory, dim], &[index], &[]);
    builder.body.result(op, 0)
}
