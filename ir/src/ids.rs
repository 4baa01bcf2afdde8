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
            /// Returns the id of the entry at `index` of its dense vector.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).expect("a body holds fewer than 2^32 entries");
                Self(NonZeroU32::new(raw).expect("index + 1 is not zero"))
            }

            /// Returns the index of this entry in its dense vector.
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
        /// Invariant: two ids of one [`Context`](crate::Context) are equal exactly when the interned values are equal. The order
        /// of ids depends on the order of interning and must never reach an output.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Returns the id of the value that was interned as number `index`.
            #[inline]
            pub(crate) fn interned(index: u32) -> Self {
                let raw = NonZeroU32::MIN.checked_add(index);
                Self(raw.expect("fewer than 2^32 - 1 interned values"))
            }

            /// Returns the number under which it was interned.
            #[inline]
            pub(crate) fn index(self) -> usize {
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

context_id! {
    /// An interned type.
    Type
}
context_id! {
    /// An interned attribute.
    Attribute
}
/// A source location: a file, line and column that fit are encoded in the id, all others are interned.
///
/// Invariant: two ids of one [`Context`](crate::Context) are equal exactly when the locations are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(u64);

/// Marks a location that is encoded in the id: 20 bits of a file name, 24 of a line, 19 of a column below it.
const IN_PLACE: u64 = 1 << 63;
const LINE_BITS: u32 = 24;
const COLUMN_BITS: u32 = 19;

impl Location {
    /// `loc(unknown)`: every context interns it first.
    pub const UNKNOWN: Self = Self(0);

    /// Returns the location that was interned as number `index`.
    pub(crate) const fn interned(index: u32) -> Self {
        Self(index as u64)
    }

    /// Encodes a file location in the id, if it fits.
    #[inline]
    pub(crate) fn in_file(file: Name, line: u32, column: u32) -> Option<Self> {
        let file = file.0.get() - 1;
        let fits = file >> (63 - LINE_BITS - COLUMN_BITS) == 0
            && line >> LINE_BITS == 0
            && column >> COLUMN_BITS == 0;
        let packed = u64::from(file) << (LINE_BITS + COLUMN_BITS)
            | u64::from(line) << COLUMN_BITS
            | u64::from(column);
        fits.then_some(Self(IN_PLACE | packed))
    }

    /// Returns true if the location is encoded in the id.
    pub(crate) fn is_in_place(self) -> bool {
        self.0 & IN_PLACE != 0
    }

    /// Returns file, line and column of a location encoded in the id; otherwise the number under which it was interned.
    #[inline]
    pub(crate) fn unpack(self) -> Result<(Name, u32, u32), usize> {
        if self.0 & IN_PLACE == 0 {
            return Err(self.0 as usize);
        }
        let part = |shift: u32, bits: u32| ((self.0 >> shift) & ((1 << bits) - 1)) as u32;
        let file = part(LINE_BITS + COLUMN_BITS, 63 - LINE_BITS - COLUMN_BITS);
        Ok((
            Name::interned(file),
            part(COLUMN_BITS, LINE_BITS),
            part(0, COLUMN_BITS),
        ))
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unpack() {
            Ok((file, line, column)) => write!(f, "Location({file:?}:{line}:{column})"),
            Err(index) => write!(f, "Location({index})"),
        }
    }
}

context_id! {
    /// An interned string: attribute names, symbol names, file names, value names.
    Name
}
context_id! {
    /// An interned operation name together with its definition, if a dialect declares it.
    OperationName
}
