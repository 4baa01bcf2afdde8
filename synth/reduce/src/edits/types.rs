//! Changes of a type in the whole module: of values, in attributes, and of the data in them.

use sluice_ir::bits::Bits;
use sluice_ir::{
    Attribute, AttributeKind, Body, Context, Exact, Module, OperationId, Type, TypeKind,
};

/// Returns the replacement of a type, or the type itself.
pub(super) type Change<'c> = dyn Fn(&Context, Type) -> Type + 'c;

/// Returns every type of a value in the module once, in program order.
pub(super) fn all_types(module: &Module) -> Vec<Type> {
    let mut found = Vec::new();
    let mut add = |ty: Type| {
        if !found.contains(&ty) {
            found.push(ty);
        }
    };
    let inner = module.inner();
    for function in module.top_level_operations() {
        if !inner.is_isolated(function) {
            continue;
        }
        let body = inner.inner(function);
        for_each_value(body, &mut |value| add(body.ty(value)));
    }
    found
}

fn for_each_value(body: &Body, run: &mut dyn FnMut(sluice_ir::ValueId)) {
    let top: Vec<_> = body.top_regions().collect();
    for region in top {
        arguments(body, region, run);
    }
    for op in body.walk_all() {
        body.results(op).iter().for_each(|result| run(*result));
        if !body.is_isolated(op) {
            for region in body.regions(op) {
                arguments(body, *region, run);
            }
        }
    }
}

fn arguments(body: &Body, region: sluice_ir::RegionId, run: &mut dyn FnMut(sluice_ir::ValueId)) {
    for block in body.blocks(region) {
        body.arguments(*block).iter().for_each(|value| run(*value));
    }
}

/// Changes every type of the module.
pub(super) fn change_all(context: &Context, module: &mut Module, change: &Change<'_>) {
    for op in module.top_level_operations() {
        let inner = module.inner_mut();
        change_attributes(context, inner, op, change);
        if !inner.is_isolated(op) {
            continue;
        }
        let body = inner.inner_mut(op);
        let mut values = Vec::new();
        for_each_value(body, &mut |value| values.push(value));
        for value in values {
            let ty = changed(context, body.ty(value), change);
            body.set_type(value, ty);
        }
        for op in body.walk_all() {
            change_attributes(context, body, op, change);
        }
    }
}

fn change_attributes(context: &Context, body: &mut Body, op: OperationId, change: &Change<'_>) {
    for (name, attribute) in body.attributes(op).to_vec() {
        let new = changed_attribute(context, attribute, change);
        if new != attribute {
            body.set_attribute(op, name, new);
        }
    }
}

/// Returns a type with its components changed first, and then changed itself.
fn changed(context: &Context, ty: Type, change: &Change<'_>) -> Type {
    let inner = match ty.kind(context) {
        TypeKind::MemRef {
            shape,
            element,
            layout,
            memory_space,
        } => context.ty(TypeKind::MemRef {
            shape: shape.clone(),
            element: changed(context, *element, change),
            layout: *layout,
            memory_space: *memory_space,
        }),
        TypeKind::RankedTensor {
            shape,
            element,
            encoding,
        } => context.ty(TypeKind::RankedTensor {
            shape: shape.clone(),
            element: changed(context, *element, change),
            encoding: *encoding,
        }),
        TypeKind::Function { inputs, results } => {
            let all = |types: &[Type]| -> Vec<Type> {
                let types = types.iter();
                types.map(|ty| changed(context, *ty, change)).collect()
            };
            context.function_type(&all(inputs), &all(results))
        }
        _ => ty,
    };
    change(context, inner)
}

fn changed_attribute(context: &Context, attribute: Attribute, change: &Change<'_>) -> Attribute {
    match attribute.kind(context) {
        AttributeKind::Integer { ty, value } => {
            let new = changed(context, *ty, change);
            match new.width_bits(context) {
                Some(width) if new != *ty => context.integer_attribute(new, resized(value, width)),
                _ => attribute,
            }
        }
        AttributeKind::Type(ty) => context.type_attribute(changed(context, *ty, change)),
        AttributeKind::DenseElements { ty, values, splat } => {
            let new = changed(context, *ty, change);
            let words = new.n_elements(context).and_then(Exact::to_usize);
            let width = new
                .element_type(context)
                .and_then(|e| e.width_bits(context));
            let (Some(words), Some(width)) = (words, width) else {
                return attribute;
            };
            if new == *ty || values.is_empty() {
                return attribute;
            }
            let n = if *splat { 1 } else { words };
            let values = values.iter().cycle().take(n);
            let kind = AttributeKind::DenseElements {
                ty: new,
                values: values.map(|value| resized(value, width)).collect(),
                splat: *splat,
            };
            context.attribute(kind)
        }
        AttributeKind::Array(all) => {
            let all = all.iter();
            let new: Vec<_> = all
                .map(|one| changed_attribute(context, *one, change))
                .collect();
            context.array_attribute(&new)
        }
        _ => attribute,
    }
}

fn resized(value: &Bits, width: u32) -> Bits {
    if width <= value.width() {
        value.trunc(width)
    } else {
        value.sext(width)
    }
}
