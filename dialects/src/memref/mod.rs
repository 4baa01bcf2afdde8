//! memref: memories.

mod access;
mod allocation;
mod atomic;
mod dma;
mod global;
mod reassociation;
mod subview;
mod views;

pub(crate) mod strided;

use sluice_ir::{Diagnostics, View};

pub use access::{Cast, Copy, Dim, Load, MemorySpaceCast, Prefetch, Rank, Store};
pub(crate) use access::{parse_hints, print_hints};
pub(crate) use allocation::check_scopes;
pub use allocation::{
    Alloc, Alloca, AllocaScope, AllocaScopeReturn, AssumeAlignment, Dealloc, Realloc,
};
pub use atomic::{AtomicRmw, AtomicYield, GenericAtomicRmw};
pub use dma::{DmaStart, DmaWait};
pub use global::{GetGlobal, Global};
pub use reassociation::{CollapseShape, ExpandShape};
pub use subview::{ReinterpretCast, Subview};
pub use views::{ExtractAlignedPointerAsIndex, ExtractStridedMetadata, Reshape, Transpose, ViewOp};

sluice_ods::dialect! {
    dialect "memref" {
        summary: "Memories",
        materialize_constant: crate::arith::materialize,
        groups: [
            access::OPERATIONS, allocation::OPERATIONS, atomic::OPERATIONS, dma::OPERATIONS, global::OPERATIONS,
            reassociation::OPERATIONS, subview::OPERATIONS, views::OPERATIONS
        ],
    }
}

/// Records an error that names the operation.
fn op_error(view: View<'_>, diagnostics: &mut Diagnostics, message: impl AsRef<str>) {
    let message = format!("'{}' op {}", view.name(), message.as_ref());
    diagnostics.error(view.location(), message);
}

/// A type in quotes, as messages have it.
fn quoted(view: View<'_>, ty: sluice_ir::Type) -> String {
    format!("'{}'", sluice_ir::text::print_type(view.context, ty))
}
