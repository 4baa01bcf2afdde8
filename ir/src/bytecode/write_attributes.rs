//! Writes attributes and types: those of the builtin dialect in binary, all others as text.

use super::builtin::{DYNAMIC, attribute as code, ty as type_code};
use super::encoding::{put_number, put_signed};
use super::numbering::{Numbering, float_code, layout_of};
use super::write::Strings;
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::ids::{Attribute, Location, Type};
use crate::location::LocationKind;
use crate::raw;
use crate::text::{print_attribute, print_type};
use crate::types::{Dimension, Signedness, TypeKind};

/// Appends an attribute; returns true if it has a binary encoding.
pub(super) fn attribute(
    out: &mut Vec<u8>,
    strings: &mut Strings,
    numbering: &Numbering<'_>,
    attribute: Attribute,
) -> bool {
    let context = numbering.context;
    match attribute.kind(context) {
        AttributeKind::Array(elements) => {
            put_number(out, code::ARRAY);
            put_number(out, elements.len() as u64);
            for element in elements {
                put_number(out, numbering.attribute(*element));
            }
        }
        AttributeKind::Dictionary(entries) => {
            put_number(out, code::DICTIONARY);
            put_number(out, entries.len() as u64);
            for (name, value) in entries {
                put_number(out, numbering.text(*name));
                put_number(out, numbering.attribute(*value));
            }
        }
        AttributeKind::String { value, ty: None } => {
            put_number(out, code::STRING);
            put_number(out, strings.index(value));
        }
        AttributeKind::String {
            value,
            ty: Some(ty),
        } => {
            put_number(out, code::TYPED_STRING);
            put_number(out, strings.index(value));
            put_number(out, numbering.ty(*ty));
        }
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            put_number(out, code::FLAT_SYMBOL);
            put_number(out, numbering.text(*root));
        }
        AttributeKind::SymbolRef { root, nested } => {
            put_number(out, code::SYMBOL);
            put_number(out, numbering.text(*root));
            put_number(out, nested.len() as u64);
            for name in nested {
                let symbol = context.symbol_attribute(context.text(*name));
                put_number(out, numbering.attribute(symbol));
            }
        }
        AttributeKind::Type(ty) => {
            put_number(out, code::TYPE);
            put_number(out, numbering.ty(*ty));
        }
        AttributeKind::Unit => put_number(out, code::UNIT),
        AttributeKind::Integer { ty, value } => {
            put_number(out, code::INTEGER);
            put_number(out, numbering.ty(*ty));
            bits(out, value);
        }
        AttributeKind::Float { ty, bits: value } => {
            put_number(out, code::FLOAT);
            put_number(out, numbering.ty(*ty));
            bits(out, value);
        }
        AttributeKind::Location(place) => location(out, numbering, *place),
        AttributeKind::DenseResource { key, ty } => {
            put_number(out, code::DENSE_RESOURCE);
            put_number(out, numbering.ty(*ty));
            put_number(out, numbering.resource(*key));
        }
        AttributeKind::DenseArray { element, values } => {
            put_number(out, code::DENSE_ARRAY);
            put_number(out, numbering.ty(*element));
            put_number(out, values.len() as u64);
            let mut data = Vec::new();
            values.iter().for_each(|value| raw::push(&mut data, value));
            blob(out, &data);
        }
        AttributeKind::DenseElements { ty, values, splat } => {
            put_number(out, code::DENSE);
            put_number(out, numbering.ty(*ty));
            blob(out, &dense_data(numbering, *ty, values, *splat));
        }
        AttributeKind::DenseStrings { ty, values } => {
            put_number(out, code::DENSE_STRINGS);
            put_number(out, numbering.ty(*ty));
            put_number(out, u64::from(values.len() == 1));
            for value in values {
                put_number(out, strings.index(value));
            }
        }
        AttributeKind::SparseElements {
            ty,
            indices,
            values,
        } => {
            put_number(out, code::SPARSE);
            put_number(out, numbering.ty(*ty));
            put_number(out, numbering.attribute(*indices));
            put_number(out, numbering.attribute(*values));
        }
        AttributeKind::Distinct { referenced, .. } => {
            put_number(out, code::DISTINCT);
            put_number(out, numbering.attribute(*referenced));
        }
        AttributeKind::AffineMap(_)
        | AttributeKind::IntegerSet(_)
        | AttributeKind::StridedLayout { .. }
        | AttributeKind::Dialect { .. }
        | AttributeKind::Opaque { .. } => {
            out.extend_from_slice(print_attribute(context, attribute).as_bytes());
            out.push(0);
            return false;
        }
    }
    true
}

/// Returns the data of dense elements; a splat of single bits is one byte.
fn dense_data(numbering: &Numbering<'_>, ty: Type, values: &[Bits], splat: bool) -> Vec<u8> {
    let context = numbering.context;
    let element = ty.element_type(context).unwrap_or(ty);
    let parts = match element.kind(context) {
        TypeKind::Complex(_) => 2,
        _ => 1,
    };
    let width = values.first().map_or(8, Bits::width);
    if splat && width == 1 && parts == 1 {
        return vec![if values[0].is_zero() { 0 } else { 0xFF }];
    }
    raw::pack(values, width, parts)
}

fn blob(out: &mut Vec<u8>, data: &[u8]) {
    put_number(out, data.len() as u64);
    out.extend_from_slice(data);
}

/// Writes a value of known width: a byte, a signed number, or the words up to the last non-zero one.
fn bits(out: &mut Vec<u8>, value: &Bits) {
    match value.width() {
        0..=8 => out.push(value.low_u64() as u8),
        9..=64 => put_signed(out, value.low_u64().cast_signed()),
        _ => {
            let limbs = value.limbs();
            let used = limbs.iter().rposition(|limb| *limb != 0).unwrap_or(0) + 1;
            put_number(out, used as u64);
            for limb in &limbs[..used] {
                put_signed(out, limb.cast_signed());
            }
        }
    }
}

/// Appends a location.
pub(super) fn location(out: &mut Vec<u8>, numbering: &Numbering<'_>, place: Location) {
    match &*place.kind(numbering.context) {
        LocationKind::Unknown => put_number(out, code::UNKNOWN),
        LocationKind::File { file, line, column } => {
            put_number(out, code::FILE);
            put_number(out, numbering.text(*file));
            put_number(out, u64::from(*line));
            put_number(out, u64::from(*column));
        }
        LocationKind::Range {
            file,
            line,
            column,
            end_line,
            end_column,
        } => {
            put_number(out, code::FILE_RANGE);
            put_number(out, numbering.text(*file));
            let numbers = match line == end_line {
                true => vec![line, column, end_column],
                false => vec![line, column, end_line, end_column],
            };
            put_number(out, numbers.len() as u64);
            for number in numbers {
                put_number(out, u64::from(*number));
            }
        }
        LocationKind::Name { name, child } => {
            put_number(out, code::NAME);
            put_number(out, numbering.text(*name));
            put_number(out, numbering.location(*child));
        }
        LocationKind::CallSite { callee, caller } => {
            put_number(out, code::CALL_SITE);
            put_number(out, numbering.location(*callee));
            put_number(out, numbering.location(*caller));
        }
        LocationKind::Fused { parts, metadata } => {
            let with = metadata.is_some();
            put_number(
                out,
                if with {
                    code::FUSED_WITH_METADATA
                } else {
                    code::FUSED
                },
            );
            put_number(out, parts.len() as u64);
            for part in parts {
                put_number(out, numbering.location(*part));
            }
            if let Some(metadata) = metadata {
                put_number(out, numbering.attribute(*metadata));
            }
        }
    }
}

/// Appends a type; returns true if it has a binary encoding.
pub(super) fn ty(out: &mut Vec<u8>, numbering: &Numbering<'_>, ty: Type) -> bool {
    let context = numbering.context;
    match ty.kind(context) {
        TypeKind::Integer {
            width_bits,
            signedness,
        } => {
            let sign = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            put_number(out, type_code::INTEGER);
            put_number(out, u64::from(*width_bits) << 2 | sign);
        }
        TypeKind::Index => put_number(out, type_code::INDEX),
        TypeKind::None => put_number(out, type_code::NONE),
        TypeKind::Float(kind) => match float_code(*kind) {
            Some(code) => put_number(out, code),
            None => return text(out, numbering, ty),
        },
        TypeKind::Function { inputs, results } => {
            put_number(out, type_code::FUNCTION);
            types(out, numbering, inputs);
            types(out, numbering, results);
        }
        TypeKind::Complex(part) => {
            put_number(out, type_code::COMPLEX);
            put_number(out, numbering.ty(*part));
        }
        TypeKind::Tuple(parts) => {
            put_number(out, type_code::TUPLE);
            types(out, numbering, parts);
        }
        TypeKind::MemRef {
            shape: sizes,
            element,
            layout,
            memory_space,
        } => {
            match memory_space {
                Some(space) => {
                    put_number(out, type_code::MEMREF_IN_SPACE);
                    put_number(out, numbering.attribute(*space));
                }
                None => put_number(out, type_code::MEMREF),
            }
            shape(out, sizes.iter().copied());
            put_number(out, numbering.ty(*element));
            let layout = layout_of(context, *layout, sizes.len());
            put_number(out, numbering.attribute(layout));
        }
        TypeKind::UnrankedMemRef {
            element,
            memory_space,
        } => {
            match memory_space {
                Some(space) => {
                    put_number(out, type_code::UNRANKED_MEMREF_IN_SPACE);
                    put_number(out, numbering.attribute(*space));
                }
                None => put_number(out, type_code::UNRANKED_MEMREF),
            }
            put_number(out, numbering.ty(*element));
        }
        TypeKind::RankedTensor {
            shape: sizes,
            element,
            encoding,
        } => {
            match encoding {
                Some(encoding) => {
                    put_number(out, type_code::ENCODED_TENSOR);
                    put_number(out, numbering.attribute(*encoding));
                }
                None => put_number(out, type_code::TENSOR),
            }
            shape(out, sizes.iter().copied());
            put_number(out, numbering.ty(*element));
        }
        TypeKind::UnrankedTensor(element) => {
            put_number(out, type_code::UNRANKED_TENSOR);
            put_number(out, numbering.ty(*element));
        }
        TypeKind::Vector {
            shape: sizes,
            scalable,
            element,
        } => {
            if scalable.contains(&true) {
                put_number(out, type_code::SCALABLE_VECTOR);
                put_number(out, scalable.len() as u64);
                for flag in scalable {
                    out.push(u8::from(*flag));
                }
            } else {
                put_number(out, type_code::VECTOR);
            }
            shape(out, sizes.iter().map(|size| Some(*size)));
            put_number(out, numbering.ty(*element));
        }
        TypeKind::Dialect { .. } | TypeKind::Opaque { .. } => return text(out, numbering, ty),
    }
    true
}

fn text(out: &mut Vec<u8>, numbering: &Numbering<'_>, ty: Type) -> bool {
    out.extend_from_slice(print_type(numbering.context, ty).as_bytes());
    out.push(0);
    false
}

fn types(out: &mut Vec<u8>, numbering: &Numbering<'_>, types: &[Type]) {
    put_number(out, types.len() as u64);
    for ty in types {
        put_number(out, numbering.ty(*ty));
    }
}

fn shape(out: &mut Vec<u8>, sizes: impl ExactSizeIterator<Item = Dimension>) {
    put_number(out, sizes.len() as u64);
    for size in sizes {
        put_signed(out, size.map_or(DYNAMIC, u64::cast_signed));
    }
}
