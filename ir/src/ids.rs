//! Ids: `u32` newtypes that index dense vectors; `Option<Id>` takes no extra space.

use std::fmt;
use std::num::NonZeroU32;

macro_rules! body_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Invariant: an id is only meaningful for the [`Body`](crate::Body) that made it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of the entry at `index` of its dense vector.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).expect("a body holds fewer than 2^32 entries");
                Self(NonZeroU32::new(raw).expect("index + 1 is not zero"))
            }

            /// The index of this entry in its dense vector.
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.index())
            }
        }
    };
}

body_id! {
    /// An operation in a body.
    OperationId
}
body_id! {
    /// A block in a body.
    BlockId
}
body_id! {
    /// A region in a body.
    RegionId
}
body_id! {
    /// An operation result or a block argument in a body.
    ValueId
}
body_id! {
    /// One operand slot of one operation: a use of a value.
    UseId
}

macro_rules! context_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Invariant: two ids of one [`Context`](crate::Context) are equal exactly when the interned things are equal.
        /// The order of ids depends on the order of interning and must never reach an output.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            #[inline]
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

context_id! {
    /// An interned type.
    Type
}
context_id! {
    /// An interned attribute.
    Attribute
}
context_id! {
    /// An interned source location.
    Location
}
context_id! {
    /// An interned string: attribute names, symbol names, file names, value names.
    Name
}
context_id! {
    /// An interned operation name together with its definition, if a dialect declares it.
    OperationName
}
