//! Helpers for patterns: look up constants and definitions, create operations.

use sluice_dialects::arith;
use sluice_ir::bits::Bits;
use sluice_ir::patterns::Rewriter;
use sluice_ir::simplify::constant_of;
use sluice_ir::{
    Attribute, AttributeKind, Body, Context, NewOperation, OperationId, Type, ValueId, View,
};

/// Declares patterns of benefit 1, each by its name, root operations and rewrite function.
macro_rules! patterns {
    ($($name:literal $roots:tt $rewrite:ident)*) => {
        &[$(&Pattern { name: $name, roots: &$roots, benefit: 1, rewrite: $rewrite },)*]
    };
}

pub(super) use patterns;

/// Returns the bits of a constant scalar, or the bits that all elements of a constant vector or tensor have.
pub(super) fn splat(context: &Context, body: &Body, value: ValueId) -> Option<Bits> {
    match constant_of(context, body, value)?.kind(context) {
        AttributeKind::Integer { value, .. } => Some(value.clone()),
        AttributeKind::Float { bits, .. } => Some(bits.clone()),
        AttributeKind::DenseElements {
            values,
            splat: true,
            ..
        } => values.first().cloned(),
        _ => None,
    }
}

/// Returns the operation that defines `value`, if it has the name `name`.
pub(super) fn made_by<'a>(view: View<'a>, value: ValueId, name: &str) -> Option<View<'a>> {
    let op = view.at(view.body.defining_operation(value)?);
    (op.name() == name).then_some(op)
}

/// Returns the width of a scalar, or of the elements of a vector or tensor.
pub(super) fn width_of(context: &Context, ty: Type) -> Option<u32> {
    let element = ty.element_type(context).unwrap_or(ty);
    element.width_bits(context)
}

/// Returns a constant attribute of `ty`. For a vector or tensor, all elements are `bits`.
pub(super) fn splat_attribute(context: &Context, ty: Type, bits: Bits) -> Attribute {
    let is_float = |ty: Type| matches!(ty.kind(context), sluice_ir::TypeKind::Float(_));
    if ty.element_type(context).is_some() {
        let values = Box::new([bits]);
        let splat = true;
        return context.attribute(AttributeKind::DenseElements { ty, values, splat });
    }
    match is_float(ty) {
        true => context.attribute(AttributeKind::Float { ty, bits }),
        false => context.integer_attribute(ty, bits),
    }
}

/// Creates a constant before `op`.
pub(super) fn constant(r: &mut Rewriter<'_>, op: OperationId, ty: Type, bits: Bits) -> ValueId {
    let value = splat_attribute(r.context, ty, bits);
    let location = r.body().location(op);
    let mut new = NewOperation::new(r.context.operation_name(arith::Constant::NAME), location);
    new.result_types.push(ty);
    new.attributes.push((r.context.name("value"), value));
    let made = r.create(op, new);
    r.body().result(made, 0)
}

/// Creates an operation with one result before `op`.
pub(super) fn make(
    r: &mut Rewriter<'_>,
    op: OperationId,
    name: &str,
    operands: &[ValueId],
    ty: Type,
    attributes: &[(&str, Attribute)],
) -> ValueId {
    let location = r.body().location(op);
    let mut new = NewOperation::new(r.context.operation_name(name), location);
    new.operands = operands.into();
    new.result_types.push(ty);
    let named = attributes.iter();
    new.attributes = named.map(|(name, a)| (r.context.name(name), *a)).collect();
    let made = r.create(op, new);
    r.body().result(made, 0)
}

/// Replaces the only result of `op` by a value.
pub(super) fn become_value(r: &mut Rewriter<'_>, op: OperationId, value: ValueId) -> bool {
    r.replace(op, &[value]);
    true
}

/// Replaces `op` by another operation whose result has the same type.
pub(super) fn become_op(
    r: &mut Rewriter<'_>,
    op: OperationId,
    name: &str,
    operands: &[ValueId],
    attributes: &[(&str, Attribute)],
) -> bool {
    let ty = r.body().ty(r.body().result(op, 0));
    let value = make(r, op, name, operands, ty, attributes);
    become_value(r, op, value)
}

/// Replaces `op` by an operation with these operands and the results `kept`. The other results of `op` have no uses. The regions
/// move to the new operation; the caller has already updated their terminators.
pub(super) fn rebuild(r: &mut Rewriter<'_>, op: OperationId, operands: &[ValueId], kept: &[usize]) {
    let view = r.view(op);
    let results = view.results().to_vec();
    let mut new = NewOperation::new(view.body.name(op), view.location());
    new.operands = operands.into();
    new.result_types = kept.iter().map(|i| view.ty(results[*i])).collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = view.regions().len();
    let made = r.create(op, new);
    r.update(made, |body| {
        let pairs: Vec<_> = body
            .regions(op)
            .iter()
            .copied()
            .zip(body.regions(made).to_vec())
            .collect();
        for (from, to) in pairs {
            body.move_blocks(from, to);
        }
    });
    for (new, i) in kept.iter().enumerate() {
        let value = r.body().result(made, new);
        r.replace_value(results[*i], value);
    }
    r.erase(op);
}
