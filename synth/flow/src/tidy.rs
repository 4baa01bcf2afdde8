//! Small helpers between passes: clean-up, verification, and function types after narrowing.

use sluice_dialects::{builtin, handshake, hw, memref, seq, sluice};
use sluice_ir::passes::named;
use sluice_ir::{AttributeKind, Body, Context, Module, OperationId, TypeKind, View};

/// Folds, merges common subexpressions and removes dead operations.
pub(crate) fn tidy(context: &Context, body: &mut Body) {
    sluice_ir::simplify::simplify(context, body);
}

/// Narrows the channels of graphs from other tools to the width they need. Their arguments and results keep their types; `index`
/// becomes `i64`.
pub(crate) fn narrow_graphs(context: &Context, module: &mut Module) {
    for function in named(context, module, handshake::Func::NAME) {
        let view = View::new(context, module.inner(), function);
        let ours = view.attribute(sluice::ARGUMENTS).is_some();
        let ty = view
            .attribute("function_type")
            .and_then(|a| a.as_type(context));
        let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) else {
            continue;
        };
        if ours
            || view.entry_block(0).is_none()
            || !sluice_transform::narrow_graph(context, module.inner_mut().inner_mut(function))
        {
            continue;
        }
        let convert = |types: &[sluice_ir::Type]| -> Vec<_> {
            let types = types.iter();
            types
                .map(|ty| sluice_transform::channel_type(context, *ty))
                .collect()
        };
        let ty = context.function_type(&convert(inputs), &convert(results));
        let ty = context.type_attribute(ty);
        let inner = module.inner_mut();
        inner.set_attribute(function, context.name("function_type"), ty);
    }
}

/// Updates function types to the types of the entry blocks, in which `index` became integers.
pub(crate) fn interface_types(context: &Context, module: &mut Module) {
    for op in module.top_level_operations() {
        let view = View::new(context, module.inner(), op);
        let ty = view
            .attribute("function_type")
            .and_then(|a| a.as_type(context))
            .map(|t| t.kind(context));
        let Some(TypeKind::Function { inputs, results }) = ty else {
            continue;
        };
        let convert = |types: &[sluice_ir::Type]| -> Vec<_> {
            types
                .iter()
                .map(|t| sluice_transform::interface_type(context, *t))
                .collect()
        };
        let ty = context.function_type(&convert(inputs), &convert(results));
        let ty = context.type_attribute(ty);
        module
            .inner_mut()
            .set_attribute(op, context.name("function_type"), ty);
    }
    for op in module.top_level_operations() {
        let inner = module.inner_mut();
        let view = View::new(context, inner, op);
        if view.name() != memref::Global::NAME {
            continue;
        }
        let Some(ty) = view.attribute("type").and_then(|a| a.as_type(context)) else {
            continue;
        };
        let converted = sluice_transform::interface_type(context, ty);
        if converted == ty {
            continue;
        }
        let initial = view.attribute("initial_value").map(|a| a.kind(context));
        if let Some(AttributeKind::DenseElements {
            ty: shaped,
            values,
            splat,
        }) = initial
        {
            let element = context.integer_type(64);
            let shape = shaped
                .static_shape(context)
                .unwrap_or_default()
                .into_iter()
                .map(Some)
                .collect();
            let ty = context.ty(TypeKind::RankedTensor {
                shape,
                element,
                encoding: None,
            });
            let kind = AttributeKind::DenseElements {
                ty,
                values: values.clone(),
                splat: *splat,
            };
            let value = context.attribute(kind);
            inner.set_attribute(op, context.name("initial_value"), value);
        }
        inner.set_attribute(op, context.name("type"), context.type_attribute(converted));
    }
}

/// Removes unused operations from every circuit module.
pub(crate) fn tidy_circuit(context: &Context, circuit: &mut Module) {
    for op in circuit.top_level_operations() {
        let body = circuit.inner_mut().inner_mut(op);
        loop {
            let dead: Vec<OperationId> = body
                .walk_all()
                .into_iter()
                .filter(|op| {
                    let view = View::new(context, body, *op);
                    let stateless = view.name().starts_with("comb.")
                        || matches!(
                            view.name(),
                            hw::Constant::NAME | hw::AggregateConstant::NAME | hw::ArrayGet::NAME
                        )
                        || matches!(
                            view.name(),
                            seq::Compreg::NAME
                                | seq::CompregCe::NAME
                                | builtin::UnrealizedConversionCast::NAME
                        );
                    stateless && view.results().iter().all(|r| body.is_unused(*r))
                })
                .collect();
            if dead.is_empty() {
                break;
            }
            for op in dead.into_iter().rev() {
                body.erase(op);
            }
        }
    }
}
