//! Constraints on types and attributes, with the wording of upstream's messages.

use sluice_ir::definition::AttributeCondition::{IntMinValue, IntPositive};
use sluice_ir::definition::{
    AttributeCheck, AttributeCondition, AttributeConstraint, AttributeSyntax, TypeCheck,
    TypeConstraint,
};
use sluice_ir::text::{ParseResult, Parser, Printer};
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

fn is_number(context: &Context, ty: Type) -> bool {
    ty.is_signless_integer(context) || matches!(ty.kind(context), TypeKind::Float(_))
}

fn is_memref(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::MemRef { .. })
}

fn is_any_memref(context: &Context, ty: Type) -> bool {
    is_memref(context, ty) || matches!(ty.kind(context), TypeKind::UnrankedMemRef { .. })
}

fn is_vector(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::Vector { .. })
}

fn is_function(context: &Context, ty: Type) -> bool {
    matches!(ty.kind(context), TypeKind::Function { .. })
}

fn memref_of(context: &Context, ty: Type, rank: usize, fits: impl Fn(Type) -> bool) -> bool {
    matches!(ty.kind(context), TypeKind::MemRef { shape, element, .. } if shape.len() == rank && fits(*element))
}

fn has_width(context: &Context, attribute: Attribute, width_bits: u32) -> bool {
    attribute.ty(context).is_some_and(|ty| {
        ty.is_signless_integer(context) && ty.integer_width_bits(context) == Some(width_bits)
    })
}

fn dense_array(context: &Context, attribute: Attribute, width_bits: u32) -> bool {
    matches!(attribute.kind(context), AttributeKind::DenseArray { element, .. }
        if element.integer_width_bits(context) == Some(width_bits))
}

/// Parses a string; a type after it belongs to the operation.
fn parse_string(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    if let Some(attribute) = parser.parse_optional_string_attribute() {
        return Ok(attribute);
    }
    let position = parser.position();
    parser.parse_attribute()?;
    Err(parser.error(position, "invalid kind of attribute specified"))
}

fn print_string(printer: &mut Printer<'_>, attribute: Attribute) {
    printer.attribute_without_type(attribute);
}

/// Returns true for lists of lists of indices such as `[[0, 1], [2]]`.
fn is_index_lists(context: &Context, attribute: Attribute) -> bool {
    let all = |a: Attribute, fits: &dyn Fn(Attribute) -> bool| {
        a.as_array(context)
            .is_some_and(|elements| elements.iter().all(|e| fits(*e)))
    };
    all(attribute, &|list| all(list, &|n| has_width(context, n, 64)))
}

macro_rules! types {
    ($($(#[$doc:meta])* $name:ident = $summary:literal, $check:expr $(, only $only:expr)? $(, class $class:expr)?;)*) => {
        $($(#[$doc])* pub static $name: TypeConstraint = TypeConstraint {
            summary: $summary,
            check: TypeCheck::Is($check),
            only: types!(@optional $($only)?),
            class: types!(@optional $($class)?),
            unqualified: None,
        };)*
    };
    (@optional) => { None };
    (@optional $given:expr) => { Some($given) };
}

types! {
    /// Any type.
    ANY_TYPE = "any type", |_, _| true;
    /// `i1`, `i32`, `index`, or a vector or tensor of them.
    SIGNLESS_INTEGER_LIKE = "signless-integer-like", signless_or_index;
    /// Like [`SIGNLESS_INTEGER_LIKE`], without `index`.
    SIGNLESS_FIXED_WIDTH = "signless-fixed-width-integer-like",
        |context, ty| element_or_self(context, ty).is_signless_integer(context);
    /// A float, or a vector or tensor of floats.
    FLOAT_LIKE = "floating-point-like",
        |context, ty| matches!(element_or_self(context, ty).kind(context), TypeKind::Float(_));
    /// `i1`, or a vector or tensor of it.
    BOOL_LIKE = "bool-like", |context, ty| element_or_self(context, ty) == context.integer_type(1);
    /// `i1`
    I1 = "1-bit signless integer", |context, ty| ty.is_signless_integer(context) && ty.integer_width_bits(context) == Some(1),
        only |context| context.integer_type(1);
    /// `index`
    INDEX = "index", |context, ty| ty.is_index(context), only Context::index_type;
    /// An integer or `index`.
    SIGNLESS_INTEGER_OR_INDEX = "signless integer or index",
        |context, ty| ty.is_index(context) || ty.is_signless_integer(context);
    /// `i32`
    SIGNLESS_INTEGER = "signless integer", |context, ty| ty.is_signless_integer(context);
    /// An integer of any kind.
    ANY_INTEGER = "integer", |context, ty| ty.integer_width_bits(context).is_some();
    /// An integer of any kind, or `index`.
    INTEGER_OR_INDEX = "integer or index", |context, ty| ty.is_index(context) || ty.integer_width_bits(context).is_some();
    /// A memref.
    MEMREF = "memref of any type values",
        is_memref, class is_memref;
    /// A ranked or unranked memref.
    ANY_MEMREF = "ranked or unranked memref of any type values",
        is_any_memref, class is_any_memref;
    /// A memref with at least one dimension, or an unranked one.
    MEMREF_WITH_DIMENSIONS = "unranked.memref of any type values or non-0-ranked.memref of any type values",
        |context, ty| match ty.kind(context) {
            TypeKind::MemRef { shape, .. } => !shape.is_empty(),
            TypeKind::UnrankedMemRef { .. } => true,
            _ => false,
        };
    /// A memref of one dimension.
    MEMREF_1D = "1D memref of any type values", |context, ty| memref_of(context, ty, 1, |_| true), class is_memref;
    /// A memref without dimensions.
    MEMREF_0D = "strided memref of any type values of rank 0", |context, ty| memref_of(context, ty, 0, |_| true), class is_memref;
    /// A memref of bytes.
    MEMREF_OF_BYTES = "1D memref of 8-bit signless integer values",
        |context, ty| memref_of(context, ty, 1, |element| element == context.integer_type(8)), class is_memref;
    /// A memref that holds a shape.
    MEMREF_OF_SIZES = "1D memref of signless integer or index values",
        |context, ty| memref_of(context, ty, 1, |element| element.is_index(context) || element.is_signless_integer(context)),
        class is_memref;
    /// A memref whose layout has strides.
    STRIDED_MEMREF = "strided memref of any type values",
        |context, ty| crate::memref::strided::strided(context, ty).is_some(), class is_memref;
    /// A memref of integers or floats.
    MEMREF_OF_NUMBERS = "memref of signless integer or floating-point values",
        |context, ty| matches!(ty.kind(context), TypeKind::MemRef { element, .. } if is_number(context, *element)),
        class is_memref;
    /// An integer or a float.
    NUMBER = "signless integer or floating-point", is_number;
    /// A vector of any type with at least one dimension.
    VECTOR = "vector of any type values",
        |context, ty| matches!(ty.kind(context), TypeKind::Vector { shape, .. } if !shape.is_empty()), class is_vector;
    /// A tensor of known rank.
    RANKED_TENSOR = "ranked tensor of any type values", |context, ty| matches!(ty.kind(context), TypeKind::RankedTensor { .. });
    /// A tensor.
    TENSOR = "tensor of any type values", |context, ty| {
        matches!(ty.kind(context), TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_))
    };
    /// A function type.
    FUNCTION = "function type", is_function, class is_function;
    /// A memref or another type with elements that can be cast.
    BITCASTABLE = "signless-integer-or-float-like or memref of signless-integer or float",
        |context, ty| {
            let element = ty.element_type(context).unwrap_or(ty);
            matches!(element.kind(context), TypeKind::Float(_)) || signless_or_index(context, element)
        };
    /// An integer, `index`, or a vector, tensor or memref of them.
    INTEGER_LIKE_OR_MEMREF = "signless-integer-like or memref of signless-integer",
        |context, ty| signless_or_index(context, ty)
            || matches!(ty.kind(context), TypeKind::MemRef { element, .. } if signless_or_index(context, *element));
}

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident = $summary:literal, $check:expr, $syntax:expr;)*) => {
        $($(#[$doc])* pub static $name: AttributeConstraint =
            AttributeConstraint { summary: $summary, check: AttributeCheck::Is($check), syntax: $syntax };)*
    };
}

fn any(_: &Context, _: Attribute) -> bool {
    true
}

/// Returns true if the attribute has a type; a string without a type counts as one of type `none`.
fn is_typed(context: &Context, attribute: Attribute) -> bool {
    attribute.ty(context).is_some()
        && !matches!(attribute.kind(context), AttributeKind::DenseArray { .. })
        || attribute.as_str(context).is_some()
}

fn parse_typed(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let position = parser.position();
    let attribute = parser.parse_attribute()?;
    match is_typed(parser.context(), attribute) {
        true => Ok(attribute),
        false => Err(parser.error(position, "invalid kind of attribute specified")),
    }
}

fn i32_type(context: &Context) -> Type {
    context.integer_type(32)
}

fn i64_type(context: &Context) -> Type {
    context.integer_type(64)
}

attributes! {
    /// Any attribute.
    ANY_ATTRIBUTE = "any attribute", any, AttributeSyntax::Generic;
    /// An attribute with a type.
    TYPED = "TypedAttr instance", |context, a| a.ty(context).is_some(), AttributeSyntax::Generic;
    /// An attribute with a type, rejected by the parser if it has none.
    TYPED_VALUE = "TypedAttr instance", is_typed, AttributeSyntax::Custom { parse: parse_typed, print: |printer, a| printer.attribute(a) };
    /// A string.
    STRING = "string attribute", |context, a| a.as_str(context).is_some(),
        AttributeSyntax::Custom { parse: parse_string, print: print_string };
    /// `["a", "b"]`
    STRINGS = "string array attribute",
        |context, a| a.as_array(context).is_some_and(|all| all.iter().all(|text| text.as_str(context).is_some())),
        AttributeSyntax::Generic;
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
    BOOL = "bool attribute", |context, a| a.as_bool(context).is_some(),
        AttributeSyntax::Untyped(|context| context.integer_type(1));
    /// `5 : i64`
    I64 = "64-bit signless integer attribute",
        |context, a| a.integer(context).is_some() && has_width(context, a, 64), AttributeSyntax::Untyped(i64_type);
    /// `5 : i32`
    I32 = "32-bit signless integer attribute",
        |context, a| a.integer(context).is_some() && has_width(context, a, 32), AttributeSyntax::Untyped(i32_type);
    /// `[[0, 1], [2]]`
    INDEX_LISTS = "Array of 64-bit integer array attributes", is_index_lists, AttributeSyntax::Generic;
    /// `array<i64: ...>`
    I64_ARRAY = "i64 dense array attribute", |context, a| dense_array(context, a, 64), AttributeSyntax::Generic;
    /// `5 : index`
    INDEX_ATTRIBUTE = "index attribute", |context, a| a.ty(context).is_some_and(|t| t.is_index(context)),
        AttributeSyntax::Untyped(Context::index_type);
    /// `[...]`
    ARRAY = "array attribute", |context, a| a.as_array(context).is_some(), AttributeSyntax::Generic;
    /// `dense<[1, 2]>`
    INTEGER_ELEMENTS = "integer elements attribute",
        |context, a| matches!(a.kind(context), AttributeKind::DenseElements { ty, .. }
            if ty.element_type(context).is_some_and(|e| e.is_index(context) || e.integer_width_bits(context).is_some())),
        AttributeSyntax::Generic;
    /// `[1, 2]`
    INTEGERS = "64-bit integer array attribute",
        |context, a| a.as_array(context).is_some_and(|all| all.iter().all(|n| has_width(context, *n, 64))),
        AttributeSyntax::Generic;
    /// `[{...}, {...}]`
    DICTIONARIES = "Array of dictionary attributes",
        |context, a| a.as_array(context).is_some_and(|all| all.iter().all(|d| d.as_dictionary(context).is_some())),
        AttributeSyntax::Generic;
    /// `affine_map<...>`
    AFFINE_MAP = "AffineMap attribute", |context, a| a.as_affine_map(context).is_some(), AttributeSyntax::Generic;
    /// `affine_set<...>`
    INTEGER_SET = "IntegerSet attribute", |context, a| a.as_integer_set(context).is_some(), AttributeSyntax::Generic;
    /// `array<i32: ...>`
    I32_ARRAY = "i32 dense array attribute", |context, a| dense_array(context, a, 32), AttributeSyntax::Generic;
    /// An integer attribute of any width.
    INTEGER = "arbitrary integer attribute", |context, a| a.integer(context).is_some(), AttributeSyntax::Generic;
}

/// `5 : i64`, not negative.
pub static I64_NOT_NEGATIVE: AttributeConstraint =
    AttributeConstraint::confined(&I64, &[IntMinValue(0)]);

/// `8 : i64`, a power of two.
pub static I64_POWER_OF_TWO: AttributeConstraint = AttributeConstraint::confined(
    &I64,
    &[AttributeCondition::AllOf(&[
        IntPositive,
        AttributeCondition::IntPowerOf2,
    ])],
);

/// `5 : i32`, above zero.
pub static I32_POSITIVE: AttributeConstraint = AttributeConstraint::confined(&I32, &[IntPositive]);

/// `3 : i32`, at most 3.
pub static LOCALITY: AttributeConstraint =
    AttributeConstraint::confined(&I32, &[IntMinValue(0), AttributeCondition::IntMaxValue(3)]);
