//! Attributes: constant data on operations and inside types.

use crate::affine::{AffineMap, IntegerSet};
use crate::bits::Bits;
use crate::context::Context;
use crate::exact::Exact;
use crate::ids::{Attribute, Location, Name, Type};

/// The kind of an [`Attribute`], with its contents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// `unit`
    Unit,
    /// `5 : i32`, `true`, `3 : index`; the width of `value` is the width of `ty` (64 for `index`).
    Integer {
        /// Integer or index type.
        ty: Type,
        /// The bits.
        value: Bits,
    },
    /// `1.5 : f32`; the bit pattern in the format of `ty`.
    Float {
        /// Float type.
        ty: Type,
        /// The bit pattern.
        bits: Bits,
    },
    /// `"text"`, or `"text" : !t.ty`.
    String {
        /// The bytes of the text; MLIR strings need not be UTF-8.
        value: Box<[u8]>,
        /// The type, if one was written.
        ty: Option<Type>,
    },
    /// `[1, 2]`
    Array(Box<[Attribute]>),
    /// `{a = 1}`; sorted by name text, without duplicates.
    Dictionary(Box<[(Name, Attribute)]>),
    /// A type as an attribute.
    Type(Type),
    /// `@root::@nested`
    SymbolRef {
        /// Outermost symbol.
        root: Name,
        /// Path below the root.
        nested: Box<[Name]>,
    },
    /// `affine_map<(d0) -> (d0)>`
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`
    IntegerSet(IntegerSet),
    /// `dense<...> : tensor<2xi32>` of integers, index or floats (complex: real and imaginary part alternate).
    DenseElements {
        /// Vector or tensor type with static shape.
        ty: Type,
        /// One value for every element, or a single one for a splat.
        values: Box<[Bits]>,
        /// True if `values` holds one value for all elements.
        splat: bool,
    },
    /// `dense<"text"> : tensor<2x!t.string>`
    DenseStrings {
        /// Vector or tensor type with static shape.
        ty: Type,
        /// The strings, or a single one for a splat.
        values: Box<[Box<[u8]>]>,
    },
    /// `sparse<[[0]], [1]> : tensor<4xi32>`
    SparseElements {
        /// Vector or tensor type with static shape.
        ty: Type,
        /// Dense i64 elements.
        indices: Attribute,
        /// Dense elements.
        values: Attribute,
    },
    /// `array<i32: 1, 2>`
    DenseArray {
        /// `i1`, an integer of whole bytes, or a float type.
        element: Type,
        /// The elements.
        values: Box<[Bits]>,
    },
    /// `dense_resource<key> : tensor<2xi32>`
    DenseResource {
        /// Key in the resource table.
        key: Name,
        /// Shaped type.
        ty: Type,
    },
    /// `strided<[?, 1], offset: ?>`; `None` is dynamic.
    StridedLayout {
        /// Offset in elements.
        offset: Option<i64>,
        /// Strides in elements.
        strides: Box<[Option<i64>]>,
    },
    /// `distinct[0]<attribute>`
    Distinct {
        /// The number that makes it distinct.
        id: u64,
        /// Wrapped attribute.
        referenced: Attribute,
    },
    /// `loc(...)` as a value.
    Location(Location),
    /// An attribute of a dialect that declares it, such as `#arith.overflow<nsw>`.
    Dialect {
        /// Full name without the `#`, such as `arith.overflow`.
        name: Name,
        /// Parameters in declaration order.
        parameters: Box<[Attribute]>,
    },
    /// An attribute of an undeclared dialect, kept as text.
    Opaque {
        /// Dialect name.
        dialect: Name,
        /// Everything after the dialect prefix, for example `foo<a>`.
        text: Name,
        /// The type, if one was written.
        ty: Option<Type>,
    },
}

impl Attribute {
    /// Returns the kind of this attribute, with its contents.
    #[inline]
    pub fn kind(self, context: &Context) -> &AttributeKind {
        context.attribute_kind(self)
    }

    /// Returns the bits of an integer attribute.
    pub fn integer(self, context: &Context) -> Option<&Bits> {
        match self.kind(context) {
            AttributeKind::Integer { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns the signed value of an integer attribute that fits 64 bits.
    pub fn as_i64(self, context: &Context) -> Option<i64> {
        self.integer(context)?.to_i64()
    }

    /// Returns the value of an integer attribute of any width, as a signed number.
    pub fn as_exact(self, context: &Context) -> Option<Exact> {
        self.integer(context).map(Exact::signed)
    }

    /// Returns the value of a boolean (`i1`) attribute.
    pub fn as_bool(self, context: &Context) -> Option<bool> {
        match self.kind(context) {
            AttributeKind::Integer { ty, value } if ty.integer_width_bits(context) == Some(1) => {
                Some(!value.is_zero())
            }
            _ => None,
        }
    }

    /// Returns the text of a string attribute that is UTF-8.
    pub fn as_str(self, context: &Context) -> Option<&str> {
        match self.kind(context) {
            AttributeKind::String { value, .. } => std::str::from_utf8(value).ok(),
            _ => None,
        }
    }

    /// Returns the type of a type attribute.
    pub fn as_type(self, context: &Context) -> Option<Type> {
        match self.kind(context) {
            AttributeKind::Type(ty) => Some(*ty),
            _ => None,
        }
    }

    /// Returns the elements of an array attribute.
    pub fn as_array(self, context: &Context) -> Option<&[Attribute]> {
        match self.kind(context) {
            AttributeKind::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the entries of a dictionary attribute.
    pub fn as_dictionary(self, context: &Context) -> Option<&[(Name, Attribute)]> {
        match self.kind(context) {
            AttributeKind::Dictionary(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the name of a flat symbol reference (`@name`).
    pub fn as_flat_symbol(self, context: &Context) -> Option<&str> {
        match self.kind(context) {
            AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
                Some(context.text(*root))
            }
            _ => None,
        }
    }

    /// Returns the map of an affine map attribute.
    pub fn as_affine_map(self, context: &Context) -> Option<&AffineMap> {
        match self.kind(context) {
            AttributeKind::AffineMap(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the set of an integer set attribute.
    pub fn as_integer_set(self, context: &Context) -> Option<&IntegerSet> {
        match self.kind(context) {
            AttributeKind::IntegerSet(set) => Some(set),
            _ => None,
        }
    }

    /// Returns the elements of a dense array (`array<i32: 1, 2>`) as signed integers.
    pub fn as_dense_array_i64(self, context: &Context) -> Option<Vec<i64>> {
        match self.kind(context) {
            AttributeKind::DenseArray { values, .. } => values.iter().map(Bits::to_i64).collect(),
            _ => None,
        }
    }

    /// Returns the type of a typed attribute: integer, float, elements, typed string.
    pub fn ty(self, context: &Context) -> Option<Type> {
        match self.kind(context) {
            AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::DenseElements { ty, .. }
            | AttributeKind::DenseStrings { ty, .. }
            | AttributeKind::SparseElements { ty, .. }
            | AttributeKind::DenseResource { ty, .. } => Some(*ty),
            AttributeKind::String { ty, .. } | AttributeKind::Opaque { ty, .. } => *ty,
            AttributeKind::Dialect { name, parameters } => {
                let definition = context.attribute_definition(context.text(*name))?;
                let last = parameters.last().filter(|_| definition.typed)?;
                last.as_type(context)
            }
            _ => None,
        }
    }
}
