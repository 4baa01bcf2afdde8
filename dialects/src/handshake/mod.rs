//! Dialect handshake: dataflow graphs of operations that pass tokens, in CIRCT's syntax.
//!
//! A function is a graph region: operations may use results that are defined after them. A value is a channel that carries one
//! token at a time; `none` is a token without data.

mod flow;
mod function;
mod memory;

use crate::messages::op_error;
use sluice_ir::TypeKind;
use sluice_ir::definition::{TypeCheck, TypeConstraint};

pub use flow::{
    BUFFER_KINDS, Branch, Buffer, ConditionalBranch, Constant, ControlMerge, Fork, Join, LazyFork,
    Merge, Mux, Never, Pack, Sink, Source, Sync, Unpack,
};
pub use function::{Func, Instance, Return};
pub use memory::{ExternalMemory, Load, Memory, Store};

sluice_ods::dialect! {
    dialect "handshake" {
        summary: "Dataflow graphs of operations that pass tokens",
        attributes: [flow::BUFFER_KIND_ATTRIBUTE],
        groups: [function::OPERATIONS, flow::OPERATIONS, memory::OPERATIONS],
    }
}

static NONE: TypeConstraint = TypeConstraint {
    summary: "none type",
    check: TypeCheck::Is(|context, ty| ty == context.none_type()),
    only: Some(|context| context.none_type()),
    class: None,
    unqualified: None,
};

static TUPLE: TypeConstraint = TypeConstraint {
    summary: "tuple with any combination of any type values",
    check: TypeCheck::Is(|context, ty| matches!(ty.kind(context), TypeKind::Tuple(_))),
    only: None,
    class: None,
    unqualified: None,
};
