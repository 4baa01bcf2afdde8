//! Types: builtin types as an enum, dialect types as a name with parameters.

use crate::context::Context;
use crate::exact::{self, Exact};
use crate::ids::{Attribute, Name, Type};

/// The signedness of an integer type; `Signless` is the type of `arith`, the others are upstream's `si8`, `ui8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i8`
    Signless,
    /// `si8`
    Signed,
    /// `ui8`
    Unsigned,
}

/// The builtin floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// `f4E2M1FN`, since MLIR 20
    F4E2M1FN,
    /// `f6E2M3FN`, since MLIR 20
    F6E2M3FN,
    /// `f6E3M2FN`, since MLIR 20
    F6E3M2FN,
    /// `f8E5M2`
    F8E5M2,
    /// `f8E4M3`
    F8E4M3,
    /// `f8E4M3FN`
    F8E4M3FN,
    /// `f8E3M4`, since MLIR 20
    F8E3M4,
    /// `f8E8M0FNU`, powers of two without a sign, since MLIR 20
    F8E8M0FNU,
    /// `f8E5M2FNUZ`
    F8E5M2FNUZ,
    /// `f8E4M3FNUZ`
    F8E4M3FNUZ,
    /// `f8E4M3B11FNUZ`
    F8E4M3B11FNUZ,
    /// `bf16`
    BF16,
    /// `f16`
    F16,
    /// `tf32`, 19 bits
    TF32,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `f80`
    F80,
    /// `f128`
    F128,
}

impl FloatKind {
    /// Every format, in the order of the declaration.
    pub const ALL: [Self; 18] = [
        Self::F4E2M1FN,
        Self::F6E2M3FN,
        Self::F6E3M2FN,
        Self::F8E5M2,
        Self::F8E4M3,
        Self::F8E4M3FN,
        Self::F8E3M4,
        Self::F8E8M0FNU,
        Self::F8E5M2FNUZ,
        Self::F8E4M3FNUZ,
        Self::F8E4M3B11FNUZ,
        Self::BF16,
        Self::F16,
        Self::TF32,
        Self::F32,
        Self::F64,
        Self::F80,
        Self::F128,
    ];

    /// Returns the keyword of this format in the text form.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::F4E2M1FN => "f4E2M1FN",
            Self::F6E2M3FN => "f6E2M3FN",
            Self::F6E3M2FN => "f6E3M2FN",
            Self::F8E3M4 => "f8E3M4",
            Self::F8E8M0FNU => "f8E8M0FNU",
            Self::F8E5M2 => "f8E5M2",
            Self::F8E4M3 => "f8E4M3",
            Self::F8E4M3FN => "f8E4M3FN",
            Self::F8E5M2FNUZ => "f8E5M2FNUZ",
            Self::F8E4M3FNUZ => "f8E4M3FNUZ",
            Self::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            Self::BF16 => "bf16",
            Self::F16 => "f16",
            Self::TF32 => "tf32",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F80 => "f80",
            Self::F128 => "f128",
        }
    }

    /// Returns the width of a value of this format.
    pub fn width_bits(self) -> u32 {
        match self {
            Self::F4E2M1FN => 4,
            Self::F6E2M3FN | Self::F6E3M2FN => 6,
            Self::F8E5M2
            | Self::F8E4M3
            | Self::F8E4M3FN
            | Self::F8E3M4
            | Self::F8E8M0FNU
            | Self::F8E5M2FNUZ
            | Self::F8E4M3FNUZ
            | Self::F8E4M3B11FNUZ => 8,
            Self::BF16 | Self::F16 => 16,
            Self::TF32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::F80 => 80,
            Self::F128 => 128,
        }
    }
}

/// One dimension of a shaped type: `None` is dynamic (`?`).
pub type Dimension = Option<u64>;

/// The kind of a [`Type`], with its contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui4`; at most 16,777,215 bits.
    Integer {
        /// Width in bits.
        width_bits: u32,
        /// Signedness of the type.
        signedness: Signedness,
    },
    /// `index`
    Index,
    /// A float type such as `f32`.
    Float(FloatKind),
    /// `none`
    None,
    /// `complex<f32>`
    Complex(Type),
    /// `(i32, i32) -> i1`
    Function {
        /// Argument types.
        inputs: Box<[Type]>,
        /// Result types.
        results: Box<[Type]>,
    },
    /// `tuple<i1, i2>`
    Tuple(Box<[Type]>),
    /// `vector<2x[4]xi32>`
    Vector {
        /// Sizes, each positive.
        shape: Box<[u64]>,
        /// Per dimension: scalable or fixed.
        scalable: Box<[bool]>,
        /// Element type.
        element: Type,
    },
    /// `tensor<2x?xi32, #encoding>`
    RankedTensor {
        /// Sizes.
        shape: Box<[Dimension]>,
        /// Element type.
        element: Type,
        /// Encoding attribute.
        encoding: Option<Attribute>,
    },
    /// `tensor<*xi32>`
    UnrankedTensor(Type),
    /// `memref<2x?xi32, layout, space>`
    MemRef {
        /// Sizes.
        shape: Box<[Dimension]>,
        /// Element type.
        element: Type,
        /// Affine map or strided layout; `None` is the identity.
        layout: Option<Attribute>,
        /// Memory space.
        memory_space: Option<Attribute>,
    },
    /// `memref<*xi32, space>`
    UnrankedMemRef {
        /// Element type.
        element: Type,
        /// Memory space.
        memory_space: Option<Attribute>,
    },
    /// A type of a dialect that declares it, such as `!hw.array<4xi8>`.
    Dialect {
        /// Full name without the `!`, such as `hw.array`.
        name: Name,
        /// Parameters in declaration order; types are wrapped as type attributes.
        parameters: Box<[Attribute]>,
    },
    /// A type of an undeclared dialect, kept as text.
    Opaque {
        /// Dialect name.
        dialect: Name,
        /// Everything between the dialect prefix and the end, for example `foo<a, b>`.
        text: Name,
    },
}

impl Type {
    /// Returns the kind of this type, with its contents.
    #[inline]
    pub fn kind(self, context: &Context) -> &TypeKind {
        context.type_kind(self)
    }

    /// Returns the width of a builtin integer type of any signedness.
    pub fn integer_width_bits(self, context: &Context) -> Option<u32> {
        match self.kind(context) {
            TypeKind::Integer { width_bits, .. } => Some(*width_bits),
            _ => None,
        }
    }

    /// Returns true if this is a signless integer type (`i32`).
    pub fn is_signless_integer(self, context: &Context) -> bool {
        matches!(
            self.kind(context),
            TypeKind::Integer {
                signedness: Signedness::Signless,
                ..
            }
        )
    }

    /// Returns true if this is `index`.
    pub fn is_index(self, context: &Context) -> bool {
        matches!(self.kind(context), TypeKind::Index)
    }

    /// Returns the width of one value in bits: integers, floats, and `index` as 64; `None` for every other type.
    pub fn width_bits(self, context: &Context) -> Option<u32> {
        match self.kind(context) {
            TypeKind::Integer { width_bits, .. } => Some(*width_bits),
            TypeKind::Index => Some(INDEX_WIDTH_BITS),
            TypeKind::Float(kind) => Some(kind.width_bits()),
            _ => None,
        }
    }

    /// Returns the element type of a shaped type.
    pub fn element_type(self, context: &Context) -> Option<Type> {
        match self.kind(context) {
            TypeKind::Vector { element, .. }
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. }
            | TypeKind::UnrankedMemRef { element, .. } => Some(*element),
            TypeKind::UnrankedTensor(element) => Some(*element),
            _ => None,
        }
    }

    /// Returns the sizes of a memref, tensor or vector with static shape.
    pub fn static_shape(self, context: &Context) -> Option<Vec<u64>> {
        match self.kind(context) {
            TypeKind::Vector { shape, .. } => Some(shape.to_vec()),
            TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef { shape, .. } => {
                shape.iter().copied().collect()
            }
            _ => None,
        }
    }

    /// Returns the number of elements of a memref, tensor or vector with static shape.
    pub fn n_elements(self, context: &Context) -> Option<Exact> {
        Some(exact::n_elements(&self.static_shape(context)?))
    }
}

/// The width that `index` has when it is evaluated: upstream's default data layout.
pub const INDEX_WIDTH_BITS: u32 = 64;

/// The widest integer type.
pub const MAX_INTEGER_WIDTH_BITS: u32 = (1 << 24) - 1;
