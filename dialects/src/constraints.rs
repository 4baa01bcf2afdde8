//! Constraints on types and attributes, in the wording of upstream's messages.

use sluice_ir::definition::{AttributeConstraint, AttributeSyntax, TypeConstraint};
use sluice_ir::types::Signedness;
use sluice_ir::{Attribute, AttributeKind, Context, Type, TypeKind};

fn element_or_self(context: &Context, ty: Type) -> Type {
    match ty.kind(context) {
        TypeKind::Vector { element, .. } | TypeKind::RankedTensor { element, .. } => *element,
        TypeKind::UnrankedTensor(element) => *element,
        _ => ty,
    }
}

fn signless_or_index(context: &Context, ty: Type) -> bool {
    let element = element_or_self(context, ty);
    matches!(
        element.kind(context),
        TypeKind::Index
            | TypeKind::Integer {
                signedness: Signedness::Signless,
                ..
            }
    )
}

macro_rules! types {
    ($($(#[$doc:meta])* $name:ident = $summary:literal, $check:expr $(, only $only:expr)?;)*) => {
        $($(#[$doc])* pub static $name: TypeConstraint = TypeConstraint {
            summary: $summary,
            check: $check,
            only: types!(@only $($only)?),
        };)*
    };
    (@only) => { None };
    (@only $only:expr) => { Some($only) };
}

types! {
    /// Any type.
    ANY_TYPE = "any type", |_, _| true;
    /// `i1`, `i32`, `index`, or a vector or tensor of them.
    SIGNLESS_INTEGER_LIKE = "signless-integer-like", signless_or_index;
    /// As [`SIGNLESS_INTEGER_LIKE`], without `index`.
    SIGNLESS_FIXED_WIDTH = "signless-fixed-width-integer-like",
        |context, ty| element_or_self(context, ty).is_signless_integer(context);
    /// A float, or a vector or tensor of floats.
    FLOAT_LIKE = "floating-point-like",
        |context, ty| matches!(element_or_self(context, ty).kind(context), TypeKind::Float(_));
    /// `i1`, or a vector or tensor of it.
    BOOL_LIKE = "bool-like", |context, ty| element_or_self(context, ty).integer_width_bits(context) == Some(1);
    /// `i1`
    I1 = "1-bit signless integer", |context, ty| ty.is_signless_integer(context) && ty.integer_width_bits(context) == Some(1),
        only |context| context.integer_type(1);
    /// `index`
    INDEX = "index", |context, ty| ty.is_index(context), only Context::index_type;
    /// An integer or `index`.
    SIGNLESS_INTEGER_OR_INDEX = "signless integer or index",
        |context, ty| ty.is_index(context) || ty.is_signless_integer(context);
    /// A memref.
    MEMREF = "memref of any type values",
        |context, ty| matches!(ty.kind(context), TypeKind::MemRef { .. });
    /// A ranked or unranked memref.
    ANY_MEMREF = "ranked or unranked memref of any type values",
        |context, ty| matches!(ty.kind(context), TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. });
    /// A memref or something else with elements that can be cast.
    BITCASTABLE = "signless-integer-or-float-like or memref of signless-integer or float",
        |context, ty| matches!(element_or_self(context, ty).kind(context), TypeKind::Float(_) | TypeKind::Integer { .. });
}

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident = $summary:literal, $check:expr, $syntax:expr;)*) => {
        $($(#[$doc])* pub static $name: AttributeConstraint =
            AttributeConstraint { summary: $summary, check: $check, syntax: $syntax };)*
    };
}

fn any(_: &Context, _: Attribute) -> bool {
    true
}

fn i64_type(context: &Context) -> Type {
    context.integer_type(64)
}

attributes! {
    /// Any attribute.
    ANY_ATTRIBUTE = "any attribute", any, AttributeSyntax::Generic;
    /// An attribute with a type.
    TYPED = "TypedAttr instance", |context, a| a.ty(context).is_some(), AttributeSyntax::Generic;
    /// A string.
    STRING = "string attribute", |context, a| a.as_str(context).is_some(), AttributeSyntax::Generic;
    /// A symbol name, stored as a string.
    SYMBOL_NAME = "string attribute", |context, a| a.as_str(context).is_some(), AttributeSyntax::SymbolName;
    /// `@name`
    FLAT_SYMBOL = "flat symbol reference attribute", |context, a| a.as_flat_symbol(context).is_some(), AttributeSyntax::Generic;
    /// A type.
    TYPE = "any type attribute", |context, a| a.as_type(context).is_some(), AttributeSyntax::Type;
    /// A function type.
    FUNCTION_TYPE = "type attribute of function type",
        |context, a| a.as_type(context).is_some_and(|t| matches!(t.kind(context), TypeKind::Function { .. })), AttributeSyntax::Type;
    /// A memref type.
    MEMREF_TYPE = "memref type attribute",
        |context, a| a.as_type(context).is_some_and(|t| matches!(t.kind(context), TypeKind::MemRef { .. })), AttributeSyntax::Type;
    /// `unit`
    UNIT = "unit attribute", |context, a| matches!(a.kind(context), AttributeKind::Unit), AttributeSyntax::Unit;
    /// `true` or `false`
    BOOL = "bool attribute", |context, a| a.as_bool(context).is_some(), AttributeSyntax::Generic;
    /// `5 : i64`
    I64 = "64-bit signless integer attribute",
        |context, a| a.ty(context).is_some_and(|t| t.integer_width_bits(context) == Some(64)), AttributeSyntax::Untyped(i64_type);
    /// `5 : i32`
    I32 = "32-bit signless integer attribute",
        |context, a| a.ty(context).is_some_and(|t| t.integer_width_bits(context) == Some(32)),
        AttributeSyntax::Untyped(|context| context.integer_type(32));
    /// `5 : index`
    INDEX_ATTRIBUTE = "index attribute", |context, a| a.ty(context).is_some_and(|t| t.is_index(context)),
        AttributeSyntax::Untyped(Context::index_type);
    /// `[...]`
    ARRAY = "array attribute", |context, a| a.as_array(context).is_some(), AttributeSyntax::Generic;
    /// `affine_map<...>`
    AFFINE_MAP = "AffineMap attribute", |context, a| a.as_affine_map(context).is_some(), AttributeSyntax::Generic;
    /// `affine_set<...>`
    INTEGER_SET = "IntegerSet attribute", |context, a| a.as_integer_set(context).is_some(), AttributeSyntax::Generic;
    /// `array<i32: ...>`
    I32_ARRAY = "i32 dense array attribute", |context, a| matches!(a.kind(context), AttributeKind::DenseArray { .. }), AttributeSyntax::Generic;
    /// An integer attribute of any width.
    INTEGER = "arbitrary integer attribute", |context, a| a.integer(context).is_some(), AttributeSyntax::Generic;
}
