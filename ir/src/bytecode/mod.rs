//! MLIR bytecode: reads and writes versions 0 to 6.
//!
//! A file is a magic number, a version, the name of its producer and sections: strings, dialects with the names of their
//! operations, attributes and types as a table with offsets (so that each is decoded when it is first needed), operations,
//! properties, resources. Attributes and types of the builtin dialect have a binary encoding, all others are stored as text.
//! Codes and properties that MLIR 20 to 24 added are read; a file is written for the oldest version that has all of its operations.
//! Source: MLIR, "Bytecode Format".

mod builtin;
mod encoding;
mod numbering;
mod read;
mod read_affine;
mod read_attributes;
mod read_operations;
mod write;
mod write_attributes;

pub use read::{read, read_with};
pub use write::{UnsupportedVersion, WriteOptions, needed_version, write};

/// The newest version, which is written by default.
pub const VERSION: u64 = 6;

/// The first four bytes.
const MAGIC: [u8; 4] = *b"ML\xEFR";

/// Returns true if `data` starts with the magic number of bytecode.
pub fn is_bytecode(data: &[u8]) -> bool {
    data.starts_with(&MAGIC)
}

/// The version that introduced each feature.
mod since {
    /// Dialects have versions.
    pub(super) const DIALECT_VERSIONS: u64 = 1;
    /// The regions of isolated operations are sections.
    pub(super) const LAZY_LOADING: u64 = 2;
    /// Use-list orders.
    pub(super) const USE_LIST_ORDERS: u64 = 3;
    /// Unknown locations of block arguments are omitted; the number of operation names is stored.
    pub(super) const ELIDED_LOCATIONS: u64 = 4;
    /// Properties have a section.
    pub(super) const PROPERTIES: u64 = 5;
    /// Segment sizes are sparse arrays.
    pub(super) const SEGMENT_SIZES: u64 = 6;
}

/// Section numbers.
mod section {
    pub(super) const STRING: u8 = 0;
    pub(super) const DIALECT: u8 = 1;
    pub(super) const ATTRIBUTES: u8 = 2;
    pub(super) const ATTRIBUTE_OFFSETS: u8 = 3;
    pub(super) const IR: u8 = 4;
    pub(super) const RESOURCE: u8 = 5;
    pub(super) const RESOURCE_OFFSETS: u8 = 6;
    pub(super) const DIALECT_VERSIONS: u8 = 7;
    pub(super) const PROPERTIES: u8 = 8;
    /// Number of sections.
    pub(super) const COUNT: u8 = 9;

    /// Returns the name of section `number` in messages.
    pub(super) fn name(number: u8) -> &'static str {
        match number {
            STRING => "String",
            DIALECT => "Dialect",
            ATTRIBUTES => "AttrType",
            ATTRIBUTE_OFFSETS => "AttrTypeOffset",
            IR => "IR",
            RESOURCE => "Resource",
            RESOURCE_OFFSETS => "ResourceOffset",
            DIALECT_VERSIONS => "DialectVersions",
            PROPERTIES => "Properties",
            _ => "header",
        }
    }
}

/// Bits for the parts that an operation has.
mod mask {
    pub(super) const ATTRIBUTES: u8 = 1;
    pub(super) const RESULTS: u8 = 2;
    pub(super) const OPERANDS: u8 = 4;
    pub(super) const SUCCESSORS: u8 = 8;
    pub(super) const REGIONS: u8 = 16;
    pub(super) const USE_LIST_ORDERS: u8 = 32;
    pub(super) const PROPERTIES: u8 = 64;
}
