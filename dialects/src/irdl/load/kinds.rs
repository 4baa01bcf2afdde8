//! Names of the kinds of types and attributes, as used by `irdl.base` and in messages.

use sluice_ir::{Attribute, AttributeKind, Context, LocationKind, Type, TypeKind};

/// The kinds of builtin types that are not floats.
const TYPES: [&str; 12] = [
    "builtin.complex",
    "builtin.function",
    "builtin.index",
    "builtin.integer",
    "builtin.memref",
    "builtin.none",
    "builtin.opaque",
    "builtin.tensor",
    "builtin.tuple",
    "builtin.unranked_memref",
    "builtin.unranked_tensor",
    "builtin.vector",
];

/// The kinds of builtin attributes.
const ATTRIBUTES: [&str; 24] = [
    "builtin.affine_map",
    "builtin.array",
    "builtin.call_site_loc",
    "builtin.dense_array",
    "builtin.dense_int_or_fp_elements",
    "builtin.dense_resource_elements",
    "builtin.dense_string_elements",
    "builtin.dictionary",
    "builtin.distinct",
    "builtin.file_line_loc",
    "builtin.float",
    "builtin.fused_loc",
    "builtin.integer",
    "builtin.integer_set",
    "builtin.name_loc",
    "builtin.opaque",
    "builtin.opaque_loc",
    "builtin.sparse_elements",
    "builtin.strided_layout",
    "builtin.string",
    "builtin.symbol_ref",
    "builtin.type",
    "builtin.unit",
    "builtin.unknown_loc",
];

/// Returns true if there are types of this kind.
pub(super) fn is_type_kind(context: &Context, name: &str) -> bool {
    let float = name.strip_prefix("builtin.").is_some_and(|keyword| {
        let mut all = sluice_ir::types::FloatKind::ALL.iter();
        all.any(|kind| kind.keyword() == keyword)
    });
    float || TYPES.contains(&name) || context.type_definition(name).is_some()
}

/// Returns true if there are attributes of this kind.
pub(super) fn is_attribute_kind(context: &Context, name: &str) -> bool {
    ATTRIBUTES.contains(&name) || context.attribute_definition(name).is_some()
}

/// Returns the kind of a type.
pub(super) fn type_kind(context: &Context, ty: Type) -> &str {
    use sluice_ir::types::FloatKind;
    match ty.kind(context) {
        TypeKind::Integer { .. } => "builtin.integer",
        TypeKind::Index => "builtin.index",
        TypeKind::Float(FloatKind::F4E2M1FN) => "builtin.f4E2M1FN",
        TypeKind::Float(FloatKind::F6E2M3FN) => "builtin.f6E2M3FN",
        TypeKind::Float(FloatKind::F6E3M2FN) => "builtin.f6E3M2FN",
        TypeKind::Float(FloatKind::F8E3M4) => "builtin.f8E3M4",
        TypeKind::Float(FloatKind::F8E8M0FNU) => "builtin.f8E8M0FNU",
        TypeKind::Float(FloatKind::F8E5M2) => "builtin.f8E5M2",
        TypeKind::Float(FloatKind::F8E4M3) => "builtin.f8E4M3",
        TypeKind::Float(FloatKind::F8E4M3FN) => "builtin.f8E4M3FN",
        TypeKind::Float(FloatKind::F8E5M2FNUZ) => "builtin.f8E5M2FNUZ",
        TypeKind::Float(FloatKind::F8E4M3FNUZ) => "builtin.f8E4M3FNUZ",
        TypeKind::Float(FloatKind::F8E4M3B11FNUZ) => "builtin.f8E4M3B11FNUZ",
        TypeKind::Float(FloatKind::BF16) => "builtin.bf16",
        TypeKind::Float(FloatKind::F16) => "builtin.f16",
        TypeKind::Float(FloatKind::TF32) => "builtin.tf32",
        TypeKind::Float(FloatKind::F32) => "builtin.f32",
        TypeKind::Float(FloatKind::F64) => "builtin.f64",
        TypeKind::Float(FloatKind::F80) => "builtin.f80",
        TypeKind::Float(FloatKind::F128) => "builtin.f128",
        TypeKind::None => "builtin.none",
        TypeKind::Complex(_) => "builtin.complex",
        TypeKind::Function { .. } => "builtin.function",
        TypeKind::Tuple(_) => "builtin.tuple",
        TypeKind::Vector { .. } => "builtin.vector",
        TypeKind::RankedTensor { .. } => "builtin.tensor",
        TypeKind::UnrankedTensor(_) => "builtin.unranked_tensor",
        TypeKind::MemRef { .. } => "builtin.memref",
        TypeKind::UnrankedMemRef { .. } => "builtin.unranked_memref",
        TypeKind::Dialect { name, .. } => context.text(*name),
        TypeKind::Opaque { .. } => "builtin.opaque",
    }
}

/// Returns the kind of an attribute.
pub(super) fn attribute_kind(context: &Context, attribute: Attribute) -> &str {
    match attribute.kind(context) {
        AttributeKind::Unit => "builtin.unit",
        AttributeKind::Integer { .. } => "builtin.integer",
        AttributeKind::Float { .. } => "builtin.float",
        AttributeKind::String { .. } => "builtin.string",
        AttributeKind::Array(_) => "builtin.array",
        AttributeKind::Dictionary(_) => "builtin.dictionary",
        AttributeKind::Type(_) => "builtin.type",
        AttributeKind::SymbolRef { .. } => "builtin.symbol_ref",
        AttributeKind::AffineMap(_) => "builtin.affine_map",
        AttributeKind::IntegerSet(_) => "builtin.integer_set",
        AttributeKind::DenseElements { .. } => "builtin.dense_int_or_fp_elements",
        AttributeKind::DenseStrings { .. } => "builtin.dense_string_elements",
        AttributeKind::SparseElements { .. } => "builtin.sparse_elements",
        AttributeKind::DenseArray { .. } => "builtin.dense_array",
        AttributeKind::DenseResource { .. } => "builtin.dense_resource_elements",
        AttributeKind::StridedLayout { .. } => "builtin.strided_layout",
        AttributeKind::Distinct { .. } => "builtin.distinct",
        AttributeKind::Location(location) => match &*location.kind(context) {
            LocationKind::Unknown => "builtin.unknown_loc",
            LocationKind::File { .. } | LocationKind::Range { .. } => "builtin.file_line_loc",
            LocationKind::Name { .. } => "builtin.name_loc",
            LocationKind::CallSite { .. } => "builtin.call_site_loc",
            LocationKind::Fused { .. } => "builtin.fused_loc",
        },
        AttributeKind::Dialect { name, .. } => context.text(*name),
        AttributeKind::Opaque { .. } => "builtin.opaque",
    }
}
