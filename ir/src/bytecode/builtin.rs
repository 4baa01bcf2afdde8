//! Codes of the attributes and types of the builtin dialect.

use crate::types::FloatKind;

/// Attribute codes.
pub(super) mod attribute {
    pub(in super::super) const ARRAY: u64 = 0;
    pub(in super::super) const DICTIONARY: u64 = 1;
    pub(in super::super) const STRING: u64 = 2;
    pub(in super::super) const TYPED_STRING: u64 = 3;
    pub(in super::super) const FLAT_SYMBOL: u64 = 4;
    pub(in super::super) const SYMBOL: u64 = 5;
    pub(in super::super) const TYPE: u64 = 6;
    pub(in super::super) const UNIT: u64 = 7;
    pub(in super::super) const INTEGER: u64 = 8;
    pub(in super::super) const FLOAT: u64 = 9;
    pub(in super::super) const CALL_SITE: u64 = 10;
    pub(in super::super) const FILE: u64 = 11;
    pub(in super::super) const FUSED: u64 = 12;
    pub(in super::super) const FUSED_WITH_METADATA: u64 = 13;
    pub(in super::super) const NAME: u64 = 14;
    pub(in super::super) const UNKNOWN: u64 = 15;
    pub(in super::super) const DENSE_RESOURCE: u64 = 16;
    pub(in super::super) const DENSE_ARRAY: u64 = 17;
    pub(in super::super) const DENSE: u64 = 18;
    pub(in super::super) const DENSE_STRINGS: u64 = 19;
    pub(in super::super) const SPARSE: u64 = 20;
    pub(in super::super) const DISTINCT: u64 = 21;
    /// Since MLIR 20.
    pub(in super::super) const FILE_RANGE: u64 = 22;
    /// Since MLIR 24.
    pub(in super::super) const AFFINE_MAP: u64 = 23;
    /// Since MLIR 24.
    pub(in super::super) const INTEGER_SET: u64 = 24;
    /// Since MLIR 24.
    pub(in super::super) const STRIDED_LAYOUT: u64 = 25;
}

/// Type codes.
pub(super) mod ty {
    pub(in super::super) const INTEGER: u64 = 0;
    pub(in super::super) const INDEX: u64 = 1;
    pub(in super::super) const FUNCTION: u64 = 2;
    pub(in super::super) const COMPLEX: u64 = 9;
    pub(in super::super) const MEMREF: u64 = 10;
    pub(in super::super) const MEMREF_IN_SPACE: u64 = 11;
    pub(in super::super) const NONE: u64 = 12;
    pub(in super::super) const TENSOR: u64 = 13;
    pub(in super::super) const ENCODED_TENSOR: u64 = 14;
    pub(in super::super) const TUPLE: u64 = 15;
    pub(in super::super) const UNRANKED_MEMREF: u64 = 16;
    pub(in super::super) const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
    pub(in super::super) const UNRANKED_TENSOR: u64 = 18;
    pub(in super::super) const VECTOR: u64 = 19;
    pub(in super::super) const SCALABLE_VECTOR: u64 = 20;
}

/// The float types that have a code.
pub(super) const FLOATS: [(u64, FloatKind); 6] = [
    (3, FloatKind::BF16),
    (4, FloatKind::F16),
    (5, FloatKind::F32),
    (6, FloatKind::F64),
    (7, FloatKind::F80),
    (8, FloatKind::F128),
];

/// The float types that have a code since MLIR 24. They are written as text, which all versions read.
pub(super) const LATER_FLOATS: [(u64, FloatKind); 12] = [
    (21, FloatKind::TF32),
    (22, FloatKind::F8E5M2),
    (23, FloatKind::F8E4M3),
    (24, FloatKind::F8E4M3FN),
    (25, FloatKind::F8E5M2FNUZ),
    (26, FloatKind::F8E4M3FNUZ),
    (27, FloatKind::F8E4M3B11FNUZ),
    (28, FloatKind::F8E3M4),
    (29, FloatKind::F4E2M1FN),
    (30, FloatKind::F6E2M3FN),
    (31, FloatKind::F6E3M2FN),
    (32, FloatKind::F8E8M0FNU),
];

/// A dynamic size, as shapes store it.
pub(super) const DYNAMIC: i64 = i64::MIN;
