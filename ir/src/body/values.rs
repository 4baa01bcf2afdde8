//! Values and their uses.

use super::{Body, UseData, ValueDefinition};
use crate::ids::{BlockId, Location, Name, OperationId, Type, UseId, ValueId};

impl Body {
    /// Returns every value of this body, including those of erased operations.
    pub fn all_values(&self) -> impl Iterator<Item = ValueId> + use<> {
        (0..self.values.len()).map(ValueId::from_index)
    }

    /// Returns the type of `value`.
    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value.index()].ty
    }

    /// Changes the type of `value`; the caller is responsible for its uses.
    pub fn set_type(&mut self, value: ValueId, ty: Type) {
        self.values[value.index()].ty = ty;
    }

    /// Returns the definition of `value`.
    #[inline]
    pub fn value_definition(&self, value: ValueId) -> ValueDefinition {
        self.values[value.index()].definition.unpack()
    }

    /// Returns the operation that defines `value`, if it is a result.
    pub fn defining_operation(&self, value: ValueId) -> Option<OperationId> {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => Some(operation),
            ValueDefinition::Argument { .. } => None,
        }
    }

    /// Returns the block in which `value` is defined.
    pub fn defining_block(&self, value: ValueId) -> Option<BlockId> {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => self.parent_block(operation),
            ValueDefinition::Argument { block, .. } => Some(block),
        }
    }

    /// Returns the source name of `value` (without `%`), kept for reports, waves and Verilog.
    pub fn value_name(&self, value: ValueId) -> Option<Name> {
        self.values[value.index()].name
    }

    /// Sets the name of `value`.
    pub fn set_value_name(&mut self, value: ValueId, name: Option<Name>) {
        self.values[value.index()].name = name;
    }

    /// Returns the location of `value`.
    pub fn value_location(&self, value: ValueId) -> Location {
        match self.value_definition(value) {
            ValueDefinition::Result { operation, .. } => self.location(operation),
            ValueDefinition::Argument { .. } => {
                let known = self.argument_locations.get(&value);
                known.copied().unwrap_or(Location::UNKNOWN)
            }
        }
    }

    /// Returns the uses of `value`, each an operation and an operand index; the latest first.
    pub fn uses(&self, value: ValueId) -> impl Iterator<Item = (OperationId, usize)> + '_ {
        std::iter::successors(self.values[value.index()].first_use, |id| {
            self.uses[id.index()].next
        })
        .map(|id| {
            let owner = self.uses[id.index()].owner;
            (
                owner,
                id.index() - self.operations[owner.index()].operands.0 as usize,
            )
        })
    }

    /// Returns true if `value` has no uses.
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.values[value.index()].first_use.is_none()
    }

    /// Returns true if exactly one operand slot uses `value`.
    pub fn has_one_use(&self, value: ValueId) -> bool {
        let first = self.values[value.index()].first_use;
        first.is_some_and(|id| self.uses[id.index()].next.is_none())
    }

    /// Replaces every use of `old` by `new`; `new` takes over the source name if it has none.
    pub fn replace_all_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        while let Some(id) = self.values[old.index()].first_use {
            self.unlink_use(id);
            self.uses[id.index()].value = new;
            self.link_use(id);
        }
        if self.values[new.index()].name.is_none() {
            self.values[new.index()].name = self.values[old.index()].name;
        }
    }

    #[inline]
    pub(super) fn push_use(&mut self, owner: OperationId, value: ValueId) {
        let id = UseId::from_index(self.uses.len());
        let next = self.values[value.index()].first_use.replace(id);
        self.uses.push(UseData {
            value,
            owner,
            next,
            previous: None,
        });
        if let Some(next) = next {
            self.uses[next.index()].previous = Some(id);
        }
    }

    pub(super) fn link_use(&mut self, id: UseId) {
        let value = self.uses[id.index()].value;
        let head = self.values[value.index()].first_use.replace(id);
        self.uses[id.index()].next = head;
        self.uses[id.index()].previous = None;
        if let Some(head) = head {
            self.uses[head.index()].previous = Some(id);
        }
    }

    pub(super) fn unlink_use(&mut self, id: UseId) {
        let UseData {
            value,
            next,
            previous,
            ..
        } = self.uses[id.index()];
        match previous {
            Some(previous) => self.uses[previous.index()].next = next,
            None => {
                if self.values[value.index()].first_use == Some(id) {
                    self.values[value.index()].first_use = next;
                }
            }
        }
        if let Some(next) = next {
            self.uses[next.index()].previous = previous;
        }
        self.uses[id.index()].next = None;
        self.uses[id.index()].previous = None;
    }
}
