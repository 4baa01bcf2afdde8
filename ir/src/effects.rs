//! Memory effects of operations, derived from their declarations; no other module defines them.
//!
//! Passes that move, remove, merge or forward accesses use this module. An operation that is not registered may have any effect.

use std::collections::BTreeSet;

use crate::body::Body;
use crate::context::Context;
use crate::definition::{Effect, OperationDefinition, Traits};
use crate::ids::{BlockId, OperationId, ValueId};
use crate::view::View;

/// The memories that an operation accesses in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memories {
    /// The memories that these values refer to.
    These(BTreeSet<ValueId>),
    /// Any memory.
    Any,
}

impl Default for Memories {
    fn default() -> Self {
        Self::These(BTreeSet::new())
    }
}

impl Memories {
    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::These(values) if values.is_empty())
    }

    /// Returns true if `may_be` holds for one of them; always true for any memory.
    pub fn any(&self, may_be: impl FnMut(ValueId) -> bool) -> bool {
        match self {
            Self::These(values) => values.iter().copied().any(may_be),
            Self::Any => true,
        }
    }

    fn insert_all(&mut self, values: impl IntoIterator<Item = ValueId>) {
        if let Self::These(all) = self {
            all.extend(values);
        }
    }

    fn add(&mut self, other: Self) {
        match other {
            Self::These(values) => self.insert_all(values),
            Self::Any => *self = Self::Any,
        }
    }
}

/// The memory effects of an operation.
///
/// Source: MLIR, `MemoryEffectOpInterface`. Differs: freeing counts as writing. An operation without declared effects has none if
/// it is a terminator, defines a symbol or has a meaning; has the effects of its regions if it has regions; and may have any
/// effect otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Memories that are read.
    pub reads: Memories,
    /// Memories that are written or freed.
    pub writes: Memories,
    /// True if memory is allocated.
    pub allocates: bool,
}

impl Effects {
    /// Returns the effects of an operation and of all operations in its regions.
    pub fn of(context: &Context, body: &Body, op: OperationId) -> Self {
        let mut effects = Self::default();
        // Operations in an isolated body are counted by `own`: their values are not values of this body.
        for inner in body.walk(op) {
            effects.add(Self::own(context, body, inner));
        }
        effects
    }

    /// Returns the effects of an operation, without those of the operations in its regions unless they are isolated.
    pub fn own(context: &Context, body: &Body, op: OperationId) -> Self {
        let view = View::new(context, body, op);
        match Declared::of(view.definition(), !view.regions().is_empty()) {
            Declared::Nothing => Self::default(),
            Declared::Anything => Self::anything(),
            Declared::Listed(listed) => Self::listed(view, listed),
            Declared::OfRegions if body.is_isolated(op) => {
                let touches = |op: OperationId| Self::of(context, view.inner(), op).touches();
                match operations_inside(view).any(touches) {
                    true => Self::anything(),
                    false => Self::default(),
                }
            }
            Declared::OfRegions => Self::default(),
        }
    }

    /// Returns all possible effects.
    pub fn anything() -> Self {
        Self {
            reads: Memories::Any,
            writes: Memories::Any,
            allocates: true,
        }
    }

    /// Returns true if memory is read or written.
    pub fn touches(&self) -> bool {
        !self.reads.is_empty() || !self.writes.is_empty()
    }

    fn listed(view: View<'_>, listed: &[Effect]) -> Self {
        let mut effects = Self::default();
        for effect in listed {
            match effect {
                Effect::Read(group) => effects.reads.add(operands(view, *group)),
                Effect::Write(group) | Effect::Free(group) => {
                    effects.writes.add(operands(view, *group));
                }
                Effect::Allocate(_) => effects.allocates = true,
                Effect::Unknown => return Self::anything(),
            }
        }
        effects
    }

    fn add(&mut self, other: Self) {
        self.reads.add(other.reads);
        self.writes.add(other.writes);
        self.allocates |= other.allocates;
    }
}

/// Returns the operands of a group; any memory if the operation does not fit its declaration.
fn operands(view: View<'_>, group: usize) -> Memories {
    match view.operand_segment(group) {
        Some((start, len)) => Memories::These(view.operands().skip(start).take(len).collect()),
        None => Memories::Any,
    }
}

fn operations_inside(view: View<'_>) -> impl Iterator<Item = OperationId> {
    let inner = view.inner();
    let blocks = view.regions().iter().flat_map(|r| inner.blocks(*r));
    blocks.flat_map(|block: &BlockId| inner.operations(*block))
}

/// The effects that a declaration states.
enum Declared {
    Nothing,
    Listed(&'static [Effect]),
    OfRegions,
    Anything,
}

impl Declared {
    fn of(definition: Option<&'static OperationDefinition>, has_regions: bool) -> Self {
        let Some(definition) = definition else {
            return Self::Anything;
        };
        if definition.has(Traits::PURE) {
            return Self::Nothing;
        }
        if !definition.effects.is_empty() {
            return Self::Listed(definition.effects);
        }
        // An operation that defines a symbol runs only when it is called.
        if definition.has(Traits::SYMBOL) || definition.meaning.is_some() {
            return Self::Nothing;
        }
        if has_regions || definition.has(Traits::RECURSIVE_MEMORY_EFFECTS) {
            return Self::OfRegions;
        }
        match definition.has(Traits::TERMINATOR) {
            true => Self::Nothing,
            false => Self::Anything,
        }
    }
}

/// Returns the memory of the first operand if all results of the operation refer to it.
pub fn viewed_memory(view: View<'_>) -> Option<ValueId> {
    let is_view = view.has(Traits::VIEW_LIKE);
    view.operands().next().filter(|_| is_view)
}

/// Returns true if the operation that defines `value` allocates its memory.
pub fn is_allocated(view: View<'_>, value: ValueId) -> bool {
    let effects = view.definition().map_or(&[][..], |known| known.effects);
    effects.iter().any(|effect| match effect {
        Effect::Allocate(group) => view.result_group(*group).contains(&value),
        Effect::Read(_) | Effect::Write(_) | Effect::Free(_) | Effect::Unknown => false,
    })
}

/// Returns true if an operation may be executed speculatively: it has no effect, and no operands for which it is undefined.
///
/// Source: MLIR, `isMemoryEffectFree` and `isSpeculatable`.
pub fn is_hoistable(context: &Context, body: &Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let Some(definition) = view.definition() else {
        return false;
    };
    if definition.has(Traits::TERMINATOR) && !definition.has(Traits::PURE) {
        return false;
    }
    let by_traits = definition.has(Traits::PURE) || definition.has(Traits::SPECULATABLE);
    let may_run = definition.speculatable.map_or(by_traits, |may| may(view));
    let effects = Effects::own(context, body, op);
    may_run
        && !effects.touches()
        && !effects.allocates
        && operations_inside(view).all(|inner| is_hoistable(context, view.inner(), inner))
}

/// Returns true if `op` may be erased once its results have no uses: it is pure, or it only reads or allocates.
pub fn erasable_when_unused(context: &Context, body: &Body, op: OperationId) -> bool {
    let Some(definition) = body.definition(context, op) else {
        return false;
    };
    if definition.has(Traits::TERMINATOR) || body.results(op).is_empty() {
        return false;
    }
    definition.has(Traits::PURE)
        || (!definition.effects.is_empty() && Effects::own(context, body, op).writes.is_empty())
}

/// Returns true if `op` and its regions only read and allocate, so that `op` is dead once its results are unused.
///
/// Source: MLIR, `wouldOpBeTriviallyDead`.
pub fn trivially_dead_when_unused(context: &Context, body: &Body, op: OperationId) -> bool {
    let is_kept = body
        .definition(context, op)
        .is_none_or(|d| d.has(Traits::TERMINATOR) || d.has(Traits::SYMBOL));
    !is_kept && only_reads_and_allocates(context, body, op)
}

fn only_reads_and_allocates(context: &Context, body: &Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let Some(definition) = view.definition() else {
        return false;
    };
    if definition.has(Traits::PURE) || !definition.effects.is_empty() {
        return Effects::own(context, body, op).writes.is_empty();
    }
    let mut inside = operations_inside(view);
    let is_harmless = |op| only_reads_and_allocates(context, view.inner(), op);
    match view.regions().is_empty() {
        // An operation without results holds state or represents a circuit, so it is kept.
        true => !view.results().is_empty() || definition.has(Traits::TERMINATOR),
        false => definition.has(Traits::RECURSIVE_MEMORY_EFFECTS) && inside.all(is_harmless),
    }
}

/// Returns true if `op` has no regions and computes the same results from the same operands: it is pure, or undefined for some
/// operands and pure for all others, as divisions are.
pub fn computes(context: &Context, body: &Body, op: OperationId) -> bool {
    body.definition(context, op).is_some_and(|definition| {
        let is_defined_for_some =
            definition.has(Traits::ELEMENTWISE) || definition.speculatable.is_some();
        let is_free = is_defined_for_some && definition.effects.is_empty();
        !definition.has(Traits::TERMINATOR)
            && (definition.has(Traits::PURE) || is_free)
            && body.regions(op).is_empty()
    })
}

/// Returns true if `op` and its regions only compute values.
///
/// Source: MLIR, `isMemoryEffectFree`.
pub fn is_free_of_effects(context: &Context, body: &Body, op: OperationId) -> bool {
    let view = View::new(context, body, op);
    let Some(definition) = view.definition() else {
        return false;
    };
    if definition.has(Traits::PURE) || !definition.effects.is_empty() {
        return definition.has(Traits::PURE);
    }
    let mut inside = operations_inside(view);
    definition.has(Traits::RECURSIVE_MEMORY_EFFECTS)
        && inside.all(|op| is_free_of_effects(context, view.inner(), op))
}
