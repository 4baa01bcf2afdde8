//! Alias analysis: finds memrefs that may refer to the same memory, and the memory effects of operations. Only
//! `sluice_ir::effects` also does this.
//!
//! The arguments of a function are different memories, because its ports are. For a caller that passes one memory twice, the
//! function is copied with one argument less.

use std::collections::BTreeSet;

use sluice_ir::effects::{Effects, Memories, is_allocated, viewed_memory};
use sluice_ir::{
    Attribute, BlockId, Body, Context, OperationId, TypeKind, ValueDefinition, ValueId, View,
};

/// The origin of the memory that a value refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The operation that makes this value allocates it.
    Allocated(ValueId),
    /// This argument of the function.
    Argument(ValueId),
    /// The global with this symbol.
    Global(Attribute),
    /// Unknown: a selection between memories, a value that a loop carries, the result of an unknown operation.
    Unknown,
}

impl Origin {
    /// Returns the origin of a memory, looking through views of it.
    pub fn of(context: &Context, body: &Body, memory: ValueId) -> Self {
        let mut memory = memory;
        // In unreachable blocks, views may form a cycle.
        for _ in 0..=body.value_capacity() {
            let op = match body.value_definition(memory) {
                ValueDefinition::Result { operation, .. } => operation,
                ValueDefinition::Argument { block, .. } => {
                    return match is_entry(body, block) {
                        true => Self::Argument(memory),
                        false => Self::Unknown,
                    };
                }
            };
            let view = View::new(context, body, op);
            if let Some(source) = viewed_memory(view) {
                memory = source;
            } else if is_allocated(view, memory) {
                return Self::Allocated(memory);
            } else if view.name() == "memref.get_global" {
                return view.attribute("name").map_or(Self::Unknown, Self::Global);
            } else {
                return Self::Unknown;
            }
        }
        Self::Unknown
    }

    /// Returns true if memories of these origins may be the same memory.
    pub fn may_be(self, other: Self) -> bool {
        self == other || self == Self::Unknown || other == Self::Unknown
    }
}

/// Returns true if a block is the first one of the function.
fn is_entry(body: &Body, block: BlockId) -> bool {
    let mut top = body.top_regions();
    top.next()
        .is_some_and(|region| body.blocks(region).first() == Some(&block))
}

/// Returns true if two memrefs may refer to the same memory.
pub fn may_alias(context: &Context, body: &Body, a: ValueId, b: ValueId) -> bool {
    a == b || Origin::of(context, body, a).may_be(Origin::of(context, body, b))
}

/// Returns true if a memref may refer to one of these memories.
pub fn may_hold(context: &Context, body: &Body, memories: &Memories, memory: ValueId) -> bool {
    memories.any(|other| may_alias(context, body, other, memory))
}

/// The memories that a part of the program may write.
#[derive(Clone, Debug, Default)]
pub struct Written {
    origins: BTreeSet<Origin>,
    anything: bool,
}

impl Written {
    /// Returns the memories that an operation and all operations in its regions may write.
    pub fn by(context: &Context, body: &Body, op: OperationId) -> Self {
        match Effects::of(context, body, op).writes {
            Memories::These(values) => Self {
                origins: values
                    .into_iter()
                    .map(|value| Origin::of(context, body, value))
                    .collect(),
                anything: false,
            },
            Memories::Any => Self {
                origins: BTreeSet::new(),
                anything: true,
            },
        }
    }

    /// Returns true if any memory may be written.
    pub fn is_anything(&self) -> bool {
        self.anything
    }

    /// Returns true if the memory that a memref refers to may be written.
    pub fn may_hold(&self, context: &Context, body: &Body, memory: ValueId) -> bool {
        let origin = Origin::of(context, body, memory);
        self.anything || self.origins.iter().any(|written| written.may_be(origin))
    }
}

/// Returns a description of a memory access that is not in synthesis form. The synthesis form has only `memref.load`,
/// `memref.store` and `func.call`, directly on arguments, allocations and globals.
pub fn foreign_access(view: View<'_>) -> Option<String> {
    let (context, body) = (view.context, view.body);
    let is_memory = |value: &ValueId| {
        let kind = body.ty(*value).kind(context);
        matches!(
            kind,
            TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }
        )
    };
    match view.name() {
        "memref.load" | "memref.store" | "func.call" => {
            let mut memories = view.operands().filter(is_memory);
            let unknown = memories.any(|value| match Origin::of(context, body, value) {
                Origin::Allocated(memory) | Origin::Argument(memory) => memory != value,
                Origin::Global(_) => {
                    let maker = body.defining_operation(value);
                    maker.is_none_or(|op| view.at(op).name() != "memref.get_global")
                }
                Origin::Unknown => true,
            });
            unknown.then(|| {
                format!(
                    "`{}` is of a view or of a memory that is chosen",
                    view.name()
                )
            })
        }
        name => {
            let effects = Effects::own(context, body, view.id);
            let (reads, writes) = (&effects.reads, &effects.writes);
            let what = match (
                reads == &Memories::Any || writes == &Memories::Any,
                writes.is_empty(),
            ) {
                (true, _) => "may read and write any memory",
                (false, false) => "writes memory",
                (false, true) if !reads.is_empty() => "reads memory",
                (false, true) => return None,
            };
            Some(format!("`{name}` {what}"))
        }
    }
}
