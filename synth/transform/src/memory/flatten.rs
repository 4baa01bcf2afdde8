//! `flatten-memrefs`: converts every memref to a row-major memref of rank 1.

use sluice_dialects::{arith, func, memref, sluice};
use sluice_ir::bits::Bits;
use sluice_ir::exact::{n_elements, row_major_strides};
use sluice_ir::{
    Attribute, AttributeKind, Body, Builder, Context, Diagnostics, Exact, Module, OperationId,
    Type, TypeKind, ValueId,
};

use crate::build::{binary, constant, name};

/// Flattens the memrefs of all functions and globals; functions keep the source shapes in `sluice.arguments`.
pub fn flatten_memrefs(context: &Context, module: &mut Module, diagnostics: &mut Diagnostics) {
    let ops = module.top_level_operations();
    for op in ops {
        match name(context, module.inner(), op) {
            func::Func::NAME => flatten_function(context, module.inner_mut(), op, diagnostics),
            memref::Global::NAME => flatten_global(context, module.inner_mut(), op),
            _ => {}
        }
    }
}

/// Returns the rank-1 type of a memref type; `None` if it is no memref or cannot be flattened.
fn flat_type(context: &Context, ty: Type) -> Option<Type> {
    let TypeKind::MemRef {
        shape,
        element,
        layout: None,
        ..
    } = ty.kind(context)
    else {
        return None;
    };
    let sizes: Option<Vec<u64>> = shape.iter().copied().collect();
    // `legality` rejects larger ones before.
    let n_elements = n_elements(&sizes?).to_u64()?;
    Some(context.memref_type(&[n_elements], *element))
}

fn flatten_global(context: &Context, inner: &mut Body, op: OperationId) {
    let attribute = inner
        .attribute_named(context, op, "type")
        .and_then(|a| a.as_type(context));
    let Some((ty, flat)) = attribute.and_then(|ty| Some((ty, flat_type(context, ty)?))) else {
        return;
    };
    inner.set_attribute(op, context.name("type"), context.type_attribute(flat));
    let initial = inner.attribute_named(context, op, "initial_value");
    if let Some(AttributeKind::DenseElements { values, splat, .. }) =
        initial.map(|a| a.kind(context))
    {
        let shape: Vec<_> = flat
            .static_shape(context)
            .unwrap_or_default()
            .into_iter()
            .map(Some)
            .collect();
        let element = ty
            .element_type(context)
            .expect("a memref has an element type");
        let tensor = context.ty(TypeKind::RankedTensor {
            shape: shape.into(),
            element,
            encoding: None,
        });
        let kind = AttributeKind::DenseElements {
            ty: tensor,
            values: values.clone(),
            splat: *splat,
        };
        let flat_value = context.attribute(kind);
        inner.set_attribute(op, context.name("initial_value"), flat_value);
    }
}

fn describe(context: &Context, name: Option<&str>, ty: Type) -> Attribute {
    let mut entries = vec![(context.name("type"), context.type_attribute(ty))];
    if let Some(name) = name {
        entries.push((context.name("name"), context.string_attribute(name)));
    }
    let scalar = ty.element_type(context).unwrap_or(ty);
    if let Some(width) = scalar.width_bits(context) {
        entries.push((
            context.name("width"),
            context.i64_attribute(i64::from(width)),
        ));
    }
    if let Some(shape) = ty.static_shape(context) {
        let shape: Vec<i64> = shape
            .into_iter()
            .filter_map(|s| i64::try_from(s).ok())
            .collect();
        entries.push((context.name("shape"), context.dense_i64_array(&shape)));
    }
    context.dictionary_attribute(&entries)
}

fn flatten_function(
    context: &Context,
    inner: &mut Body,
    op: OperationId,
    diagnostics: &mut Diagnostics,
) {
    let Some(TypeKind::Function { inputs, results }) = inner
        .attribute_named(context, op, "function_type")
        .and_then(|a| a.as_type(context))
        .map(|t| t.kind(context))
    else {
        return;
    };
    let location = inner.location(op);
    let Some(entry) = inner.entry_block(op, 0) else {
        return;
    };
    let body = inner.inner_mut(op);
    let arguments = body.arguments(entry).to_vec();
    let described: Vec<_> = arguments
        .iter()
        .zip(inputs)
        .map(|(value, ty)| {
            describe(
                context,
                body.value_name(*value).map(|n| context.text(n)),
                *ty,
            )
        })
        .collect();
    let described_results: Vec<_> = results
        .iter()
        .map(|ty| describe(context, None, *ty))
        .collect();
    let flat_inputs: Vec<Type> = inputs
        .iter()
        .map(|ty| flat_type(context, *ty).unwrap_or(*ty))
        .collect();
    for (value, ty) in arguments.iter().zip(&flat_inputs) {
        if matches!(ty.kind(context), TypeKind::MemRef { shape, layout, .. } if shape.len() != 1 || layout.is_some())
        {
            diagnostics.error(
                location,
                "a memref argument with a dynamic size or a layout has no port: use a static shape and the identity layout",
            );
        }
        let old = body.ty(*value);
        if old != *ty {
            flatten_uses(context, body, *value, old, *ty);
        }
    }
    for made in body.walk_all() {
        if matches!(
            name(context, body, made),
            memref::Alloca::NAME | memref::GetGlobal::NAME
        ) {
            let value = body.result(made, 0);
            let old = body.ty(value);
            if let Some(flat) = flat_type(context, old).filter(|flat| *flat != old) {
                flatten_uses(context, body, value, old, flat);
            }
        }
    }
    let function_type = context.function_type(&flat_inputs, results);
    inner.set_attribute(
        op,
        context.name("function_type"),
        context.type_attribute(function_type),
    );
    inner.set_attribute(
        op,
        context.name(sluice::ARGUMENTS),
        context.array_attribute(&described),
    );
    inner.set_attribute(
        op,
        context.name(sluice::RESULTS),
        context.array_attribute(&described_results),
    );
}

/// Gives a memory its flat type and its accesses a single index.
fn flatten_uses(context: &Context, body: &mut Body, memory: ValueId, old: Type, flat: Type) {
    let shape = old.static_shape(context).unwrap_or_default();
    body.set_type(memory, flat);
    let users: Vec<_> = body.uses(memory).collect();
    for (user, _) in users {
        let first = match name(context, body, user) {
            memref::Load::NAME => 1,
            memref::Store::NAME => 2,
            _ => continue,
        };
        let operands: Vec<_> = body.operands(user).collect();
        let mut builder = Builder::before(context, body, user);
        let index = flat_index(&mut builder, &operands[first..], &shape);
        let mut all = operands[..first].to_vec();
        all.push(index);
        body.set_operands(user, &all);
    }
}

/// Emits the row-major index `((i0 * n1 + i1) * n2 + i2) ...`.
fn flat_index(builder: &mut Builder<'_>, indices: &[ValueId], shape: &[u64]) -> ValueId {
    let ty = builder.context.index_type();
    let mut sum: Option<ValueId> = None;
    for (index, stride) in indices.iter().zip(row_major_strides(shape)) {
        let term = if stride == Exact::ONE {
            *index
        } else {
            let stride = constant(builder, ty, stride);
            binary(builder, arith::Muli::NAME, *index, stride)
        };
        sum = Some(match sum {
            None => term,
            Some(before) => binary(builder, arith::Addi::NAME, before, term),
        });
    }
    sum.unwrap_or_else(|| {
        let zero = builder.context.integer_attribute(ty, Bits::zero(64));
        let op = builder.operation(arith::Constant::NAME, &[], &[ty], &[("value", zero)]);
        builder.body.result(op, 0)
    })
}
