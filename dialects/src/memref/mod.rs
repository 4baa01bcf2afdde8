//! Dialect memref: memories.

mod access;
mod allocation;
mod atomic;
mod dma;
mod global;
mod reassociation;
mod subview;
mod views;
mod window;

pub(crate) mod strided;

use crate::messages::{op_error, quoted};

pub use access::{Cast, Copy, Dim, Load, MemorySpaceCast, Prefetch, Rank, Store};
pub(crate) use access::{parse_hints, print_hints};
pub(crate) use allocation::check_scopes;
pub use allocation::{
    Alloc, Alloca, AllocaScope, AllocaScopeReturn, AssumeAlignment, Dealloc, DistinctObjects,
    Realloc,
};
pub use atomic::{AtomicRmw, AtomicYield, GenericAtomicRmw};
pub use dma::{DmaStart, DmaWait};
pub use global::value_type as tensor_type;
pub use global::{GetGlobal, Global};
pub use reassociation::{CollapseShape, ExpandShape};
pub(crate) use reassociation::{check_groups, groups, parse_expand_shape, print_expand_shape};
pub use strided::{Strided, strided};
pub(crate) use subview::is_shape_without_ones;
pub use subview::{ReinterpretCast, Subview, subview_type};
pub use views::{ExtractAlignedPointerAsIndex, ExtractStridedMetadata, Reshape, Transpose, ViewOp};
pub use window::{Extent, WINDOWS, Window, extents, window};

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
