//! Functions shared by all families of edits: bodies of functions, constants at their start, replacement of values.

use sluice_dialects::{arith, func};
use sluice_ir::bits::Bits;
use sluice_ir::definition::Traits;
use sluice_ir::passes::named;
use sluice_ir::{
    Attribute, AttributeKind, BlockId, Body, Builder, Context, Module, NewOperation, OperationId,
    Type, TypeKind, ValueDefinition, ValueId,
};

use super::Edit;

/// Returns the functions with their bodies.
pub(super) fn functions<'m>(
    context: &Context,
    module: &'m Module,
) -> impl Iterator<Item = (OperationId, &'m Body)> {
    let inner = module.inner();
    let all = named(context, module, func::Func::NAME).into_iter();
    all.map(|op| (op, inner.inner(op)))
}

/// Returns an edit of the body of a function.
pub(super) fn of_body(
    function: OperationId,
    run: impl Fn(&Context, &mut Body) -> bool + 'static,
) -> Edit {
    Box::new(move |context, module| {
        let inner = module.inner_mut();
        !inner.is_erased(function) && run(context, inner.inner_mut(function))
    })
}

/// Returns the entry block of a function.
pub(super) fn entry(body: &Body) -> Option<BlockId> {
    let mut regions = body.top_regions();
    regions.find_map(|region| body.blocks(region).first().copied())
}

/// Returns whether `op` has the traits.
pub(super) fn has(context: &Context, body: &Body, op: OperationId, traits: Traits) -> bool {
    body.definition(context, op).is_some_and(|d| d.has(traits))
}

/// Returns whether `value` still exists.
pub(super) fn is_live(body: &Body, value: ValueId) -> bool {
    match body.value_definition(value) {
        ValueDefinition::Result { operation, .. } => !body.is_erased(operation),
        ValueDefinition::Argument { block, index } => {
            let index = usize::try_from(index).expect("32 bits are an index");
            body.parent_region(block).is_some() && body.arguments(block).get(index) == Some(&value)
        }
    }
}

/// Returns whether there are constants of a type.
pub(super) fn has_constants(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::Integer { .. } => ty.is_signless_integer(context),
        TypeKind::Index | TypeKind::Float(_) => true,
        _ => false,
    }
}

/// Returns a small number as a constant attribute of a type; for floats only 0.
fn constant_attribute(context: &Context, ty: Type, number: u64) -> Option<Attribute> {
    let width_bits = ty.width_bits(context)?;
    let bits = Bits::from_u64(width_bits.min(64), number).zext(width_bits);
    match ty.kind(context) {
        TypeKind::Integer { .. } if ty.is_signless_integer(context) => {
            Some(context.integer_attribute(ty, bits))
        }
        TypeKind::Index => Some(context.integer_attribute(ty, bits)),
        TypeKind::Float(_) if number == 0 => {
            Some(context.attribute(AttributeKind::Float { ty, bits }))
        }
        _ => None,
    }
}

/// Returns a constant at the start of the function; an existing one is reused.
pub(super) fn constant(
    context: &Context,
    body: &mut Body,
    ty: Type,
    number: u64,
) -> Option<ValueId> {
    let attribute = constant_attribute(context, ty, number)?;
    let block = entry(body)?;
    let is_constant = |op: &OperationId| has(context, body, *op, Traits::CONSTANT_LIKE);
    let same = body
        .operations(block)
        .take_while(is_constant)
        .find(|op| body.attribute_named(context, *op, "value") == Some(attribute));
    if let Some(same) = same {
        return Some(body.result(same, 0));
    }
    let first = body.first_operation(block)?;
    let mut builder = Builder::before(context, body, first);
    let op = builder.operation(arith::Constant::NAME, &[], &[ty], &[("value", attribute)]);
    Some(body.result(op, 0))
}

/// Replaces all uses of `old` by `new`, which keeps its name.
pub(super) fn substitute(body: &mut Body, old: ValueId, new: ValueId) {
    let name = body.value_name(new);
    body.replace_all_uses(old, new);
    body.set_value_name(new, name);
}

/// Replaces all uses of `value` by the constant 0; returns `false` if its type has no constants.
pub(super) fn zero(context: &Context, body: &mut Body, value: ValueId) -> bool {
    if body.is_unused(value) {
        return true;
    }
    let ty = body.ty(value);
    match constant(context, body, ty, 0) {
        Some(zero) => {
            substitute(body, value, zero);
            true
        }
        None => false,
    }
}

/// Replaces an operation by the same one with other operands, some of its results, and these attributes instead of its own; the
/// regions are moved.
///
/// Precondition: results that are dropped have no uses.
pub(super) fn rebuild(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    operands: &[ValueId],
    is_kept: impl Fn(usize) -> bool,
    attributes: &[(&str, Attribute)],
) -> OperationId {
    let mut new = NewOperation::new(body.name(op), body.location(op));
    let results = body.results(op).to_vec();
    let kept: Vec<ValueId> = results
        .iter()
        .enumerate()
        .filter(|(i, _)| is_kept(*i))
        .map(|(_, result)| *result)
        .collect();
    new.operands = operands.into();
    new.result_types = kept.iter().map(|result| body.ty(*result)).collect();
    new.attributes = body.attributes(op).to_vec();
    new.successors = body.successors(op).into();
    new.n_regions = body.regions(op).len();
    let made = body.create(context, new);
    for (name, attribute) in attributes {
        body.set_attribute(made, context.name(name), *attribute);
    }
    body.insert_before(op, made);
    let regions: Vec<_> = body.regions(op).to_vec();
    for (from, to) in regions.into_iter().zip(body.regions(made).to_vec()) {
        body.move_blocks(from, to);
    }
    for (old, new) in kept.into_iter().zip(body.results(made).to_vec()) {
        body.replace_all_uses(old, new);
    }
    body.erase(op);
    made
}

/// Returns all elements but the one at `index`.
pub(super) fn without<T: Copy>(all: &[T], index: usize) -> Vec<T> {
    let others = all.iter().enumerate().filter(|(i, _)| *i != index);
    others.map(|(_, one)| *one).collect()
}
