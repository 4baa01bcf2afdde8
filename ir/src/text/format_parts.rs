//! Operands and types of an operation while a declarative format reads it.

use smallvec::SmallVec;

use crate::definition::{OperationDefinition, Traits, TypesOf};
use crate::ids::Type;
use crate::text::{Position, UnresolvedOperand};

/// The range of a group's operands or types among those of all groups: the first, and their number.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Span {
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        &all[self.start..self.start + self.len]
    }
}

/// An operand or result group while its operation is parsed.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    /// The operands that have been parsed.
    pub(super) operands: Span,
    /// True if the format has parsed the operands.
    pub(super) seen: bool,
    /// The types, once known.
    pub(super) types: Option<Span>,
    /// Position of the types, if they are written.
    pub(super) position: Option<Position>,
    /// Position of the operands.
    pub(super) operands_position: Option<Position>,
}

/// The operands and types of an operation that a declarative format has read, before they are resolved.
pub struct FormatParts {
    pub(super) operand_groups: SmallVec<[Group; 3]>,
    pub(super) result_groups: SmallVec<[Group; 1]>,
    /// The operands and types of all groups.
    pub(super) operands: SmallVec<[UnresolvedOperand; 4]>,
    pub(super) types: SmallVec<[Type; 4]>,
    /// `operands`, `type(operands)` and `type(results)`: not split into groups.
    pub(super) all_operands: Option<Vec<UnresolvedOperand>>,
    pub(super) all_operand_types: Option<Vec<Type>>,
    pub(super) all_result_types: Option<Vec<Type>>,
}

impl FormatParts {
    pub(super) fn new(definition: &OperationDefinition) -> Self {
        Self {
            operand_groups: SmallVec::from_elem(Group::default(), definition.operands.len()),
            result_groups: SmallVec::from_elem(Group::default(), definition.results.len()),
            operands: SmallVec::new(),
            types: SmallVec::new(),
            all_operands: None,
            all_operand_types: None,
            all_result_types: None,
        }
    }

    /// Sets the operands of group `index`, read from `position` on.
    pub fn set_operands(
        &mut self,
        index: usize,
        operands: &[UnresolvedOperand],
        position: Position,
    ) {
        let group = &mut self.operand_groups[index];
        group.seen = true;
        group.operands_position = Some(position);
        group.operands = Span {
            start: self.operands.len(),
            len: operands.len(),
        };
        self.operands.extend_from_slice(operands);
    }

    /// Returns the operands of group `index` that have been read.
    pub fn operands_of(&self, index: usize) -> &[UnresolvedOperand] {
        self.operand_groups[index].operands.of(&self.operands)
    }

    /// Returns the types of a group that have been read; empty if none have.
    pub fn types_of(&self, of: TypesOf) -> &[Type] {
        let group = match of {
            TypesOf::Operand(index) => &self.operand_groups[index],
            TypesOf::Result(index) => &self.result_groups[index],
            TypesOf::Operands => return self.all_operand_types.as_deref().unwrap_or_default(),
            TypesOf::Results => return self.all_result_types.as_deref().unwrap_or_default(),
        };
        group.types.map_or(&[], |types| types.of(&self.types))
    }

    /// Divides the types of `type(operands)` if each group was written separately: each group gets as many types as it has
    /// operands.
    pub(super) fn divide_operand_types(&mut self) {
        let n_operands = self.operands.len();
        let fits = self.all_operands.is_none()
            && (self.all_operand_types.as_ref()).is_some_and(|types| types.len() == n_operands);
        if !fits {
            return;
        }
        let mut start = self.types.len();
        self.types
            .extend(self.all_operand_types.take().into_iter().flatten());
        for group in self.operand_groups.iter_mut().filter(|group| group.seen) {
            let len = group.operands.len;
            group.types = Some(Span { start, len });
            start += len;
        }
    }

    /// Sets the types of a group, read from `position` on.
    pub fn set_types(&mut self, of: TypesOf, types: &[Type], position: Position) {
        let group = match of {
            TypesOf::Operand(index) => &mut self.operand_groups[index],
            TypesOf::Result(index) => &mut self.result_groups[index],
            TypesOf::Operands => {
                self.all_operand_types = Some(types.to_vec());
                return;
            }
            TypesOf::Results => {
                self.all_result_types = Some(types.to_vec());
                return;
            }
        };
        group.types = Some(Span {
            start: self.types.len(),
            len: types.len(),
        });
        group.position = Some(position);
        self.types.extend_from_slice(types);
    }

    /// Returns the first type of a group, if it is known.
    pub(super) fn first_type(&self, group: &Group) -> Option<Type> {
        group.types?.of(&self.types).first().copied()
    }

    /// Returns the first known type.
    pub(super) fn any_type(&self) -> Option<Type> {
        let mut groups = self.operand_groups.iter().chain(&self.result_groups);
        let all = groups.find_map(|group| self.first_type(group));
        let unsplit = [&self.all_operand_types, &self.all_result_types];
        all.or_else(|| {
            unsplit
                .into_iter()
                .flatten()
                .find_map(|types| types.first().copied())
        })
    }

    /// Returns the common type of all operands, once for each operand.
    pub(super) fn same_type_for(
        &self,
        definition: &OperationDefinition,
        n_operands: usize,
    ) -> Option<Vec<Type>> {
        let same = definition
            .traits
            .contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE)
            || definition.traits.contains(Traits::SAME_TYPE_OPERANDS);
        let known = if same {
            self.any_type()
        } else {
            let first = self.operand_groups.first();
            first.and_then(|group| self.first_type(group))
        };
        known.map(|ty| vec![ty; n_operands])
    }

    /// Sets the type of operand or result `name` if it is still unknown; returns true if it did.
    pub(super) fn learn(&mut self, definition: &OperationDefinition, name: &str, ty: Type) -> bool {
        let operand = definition
            .operands
            .iter()
            .position(|spec| spec.name == name);
        let result = definition.results.iter().position(|spec| spec.name == name);
        let group = match (operand, result) {
            (Some(index), _) => &mut self.operand_groups[index],
            (None, Some(index)) => &mut self.result_groups[index],
            (None, None) => return false,
        };
        if group.types.is_some() {
            return false;
        }
        group.types = Some(add_type(&mut self.types, ty));
        true
    }
}

pub(super) fn add_type(types: &mut SmallVec<[Type; 4]>, ty: Type) -> Span {
    types.push(ty);
    Span {
        start: types.len() - 1,
        len: 1,
    }
}

pub(super) fn fill(groups: &mut [Group], known: Option<Span>) {
    for group in groups.iter_mut().filter(|group| group.types.is_none()) {
        group.types = known;
    }
}
