//! Bit representation of constants and fields of hw, as defined by `hw.bitcast`.

use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, AttributeKind, Context, Type};

use super::attributes::{parameter, parameters as parts};
use super::misc::evaluate;
use super::types::{array_parts, canonical, fields, parameters, width_bits};

/// Returns the bits of a constant of a type: a number, a case of an enumeration, or a list of constants with the first in the
/// highest bits.
pub fn constant_bits(context: &Context, attribute: Attribute, ty: Type) -> Option<Bits> {
    let ty = canonical(context, ty);
    if let Some(value) = attribute.integer(context) {
        let width = u32::try_from(width_bits(context, ty)?).ok()?;
        return (value.width() == width).then(|| value.clone());
    }
    if let Some([case, _]) = parts(context, attribute, "hw.enum.field") {
        let number = parameters(context, ty, "hw.enum")?
            .iter()
            .position(|known| known == case)?;
        let width = u32::try_from(width_bits(context, ty)?).ok()?;
        return Some(Bits::from_u64(width, u64::try_from(number).ok()?));
    }
    let all = attribute.as_array(context)?;
    let types: Vec<Type> = match array_parts(context, ty) {
        Some((_, element)) => vec![element; all.len()],
        None => fields(context, ty)?.iter().map(|field| field.ty).collect(),
    };
    let mut whole = Bits::zero(0);
    for (attribute, ty) in all.iter().zip(types) {
        whole = Bits::concat(&whole, &constant_bits(context, *attribute, ty)?);
    }
    Some(whole)
}

/// Returns lowest bit and width of each field. The last field of a structure has the lowest bits. A field of a union starts at
/// its offset, by default 0, so that fields without an offset share their lowest bits.
pub fn field_places(context: &Context, ty: Type) -> Option<Vec<(u32, u32)>> {
    let all = fields(context, ty)?;
    let is_union = parameters(context, canonical(context, ty), "hw.union").is_some();
    let mut end = u32::try_from(width_bits(context, ty)?).ok()?;
    all.iter()
        .map(|field| {
            let width = u32::try_from(width_bits(context, field.ty)?).ok()?;
            if is_union {
                return Some((u32::try_from(field.offset).ok()?, width));
            }
            end = end.checked_sub(width)?;
            Some((end, width))
        })
        .collect()
}

/// Returns the parameter names of a module or an instance with their values.
pub fn parameter_values(
    context: &Context,
    list: Attribute,
) -> Vec<(String, Type, Option<Attribute>)> {
    let all = list.as_array(context).unwrap_or_default().iter();
    all.filter_map(|one| parameter(context, *one))
        .map(|parameter| (parameter.name, parameter.ty, parameter.value))
        .collect()
}

/// An expression over parameters.
pub enum Expression<'c> {
    /// A number.
    Number(&'c Bits),
    /// The value of a parameter.
    Parameter(&'c str),
    /// An operation, by the last part of its name, and its operands.
    Operation(&'c str, Vec<Attribute>),
}

/// Parses an attribute as an expression over parameters.
pub fn parameter_expression(context: &Context, attribute: Attribute) -> Option<Expression<'_>> {
    if let Some(value) = attribute.integer(context) {
        return Some(Expression::Number(value));
    }
    let AttributeKind::Dialect { name, parameters } = attribute.kind(context) else {
        return None;
    };
    let name = context.text(*name);
    if name == "hw.param.decl.ref" {
        return Some(Expression::Parameter(parameters.first()?.as_str(context)?));
    }
    let operation = name.strip_prefix("hw.param.expr.")?;
    let is_operand = |part: &&Attribute| part.as_type(context).is_none();
    let operands = parameters.iter().filter(is_operand).copied().collect();
    Some(Expression::Operation(operation, operands))
}

/// Returns the value of an expression over parameters whose values are known.
pub fn parameter_bits(
    context: &Context,
    attribute: Attribute,
    value_of: &dyn Fn(&str) -> Option<Bits>,
) -> Option<Bits> {
    let (operation, operands) = match parameter_expression(context, attribute)? {
        Expression::Number(value) => return Some(value.clone()),
        Expression::Parameter(name) => return value_of(name),
        Expression::Operation(operation, operands) => (operation, operands),
    };
    let values: Option<Vec<Attribute>> = operands
        .iter()
        .map(|operand| {
            let value = parameter_bits(context, *operand, value_of)?;
            Some(context.integer_attribute(context.integer_type(value.width()), value))
        })
        .collect();
    evaluate(context, operation, &values?)?
        .integer(context)
        .cloned()
}
