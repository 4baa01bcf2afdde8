//! Operations of all dialects, to be told apart.

use sluice_ir::View;

use crate::{
    affine, arc, arith, builtin, cf, comb, fsm, func, handshake, hw, index, irdl, math, memref,
    scf, seq, ssp, ub,
};

macro_rules! operation {
    ($($variant:ident = $module:ident),*) => {
        /// An operation of one of the dialects here.
        ///
        /// Code that decides by operations matches on this and on the enum of a dialect, without `_` for the dialects that it is there for: a
        /// new operation of these does not compile until every such place has decided.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Operation {
            $(#[doc = concat!("One of `", stringify!($module), "`.")] $variant($module::Op),)*
        }

        impl Operation {
            /// Returns the operation of a full name.
            pub fn from_name(name: &str) -> Option<Self> {
                let (dialect, _) = name.split_once('.')?;
                match dialect {
                    $(stringify!($module) => $module::Op::from_name(name).map(Self::$variant),)*
                    _ => None,
                }
            }

            /// Returns which operation a view is of; `None` for those that are declared elsewhere, or nowhere.
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
    Affine = affine, Arc = arc, Arith = arith, Builtin = builtin, Cf = cf, Comb = comb, Fsm = fsm, Func = func, Handshake = handshake, Hw = hw,
    Index = index, Irdl = irdl, Math = math, Memref = memref, Scf = scf, Seq = seq, Ssp = ssp, Ub = ub
}
