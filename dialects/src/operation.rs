//! Enumeration of the operations of all dialects.

use sluice_ir::View;

use crate::{
    affine, arc, arith, bufferization, builtin, cf, comb, fsm, func, handshake, hw, index, irdl,
    linalg, llvm, math, memref, scf, seq, sluice, ssp, tensor, ub,
};

macro_rules! operation {
    ($($variant:ident = $module:ident),*) => {
        /// An operation of one of the dialects in this crate.
        ///
        /// Code that decides by operation matches on this enum and on the enum of a dialect, without `_` for the dialects that it
        /// handles. A new operation of these dialects does not compile until all these places handle it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operation {
            $(#[doc = concat!("One of `", stringify!($module), "`.")] $variant($module::Op),)*
        }

        impl Operation {
            /// Returns the operation with a full name.
            pub fn from_name(name: &str) -> Option<Self> {
                let (dialect, _) = name.split_once('.')?;
                match dialect {
                    $(stringify!($module) => $module::Op::from_name(name).map(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns the operation of a view; `None` for operations that are not declared in this crate.
            pub fn of(view: View<'_>) -> Option<Self> {
                Self::from_name(view.name())
            }

            /// Returns the full name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant(op) => op.name(),)*
                }
            }
        }
    };
}

operation! {
    Affine = affine, Arc = arc, Arith = arith, Bufferization = bufferization, Builtin = builtin, Cf = cf, Comb = comb, Fsm = fsm, Func = func, Handshake = handshake, Hw = hw,
    Index = index, Irdl = irdl, Linalg = linalg, Llvm = llvm, Math = math, Memref = memref, Scf = scf, Seq = seq, Sluice = sluice, Ssp = ssp, Tensor = tensor, Ub = ub
}
