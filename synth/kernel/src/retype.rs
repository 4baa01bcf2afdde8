//! Static types for array arguments: `memref.cast` joins an argument to what uses its type with open dimensions.

use std::collections::BTreeMap;

use sluice_dialects::{func, memref};
use sluice_ir::passes::named;
use sluice_ir::{
    Body, Builder, Context, Module, NewOperation, OperationId, Type, TypeKind, ValueId, View,
};

/// Returns the types of arguments and results of a function.
pub(crate) fn signature<'a>(view: View<'a>) -> Option<(&'a [Type], &'a [Type])> {
    let ty = view.attribute("function_type")?.as_type(view.context)?;
    match ty.kind(view.context) {
        TypeKind::Function { inputs, results } => Some((inputs, results)),
        _ => None,
    }
}

/// Returns whether a type is a memref with a dimension of unknown size.
pub(crate) fn is_open(context: &Context, ty: Type) -> bool {
    match ty.kind(context) {
        TypeKind::MemRef { shape, .. } => shape.iter().any(Option::is_none),
        _ => false,
    }
}

/// Gives arguments of a function, by number, static types. Its body and its callers see them through casts.
pub(crate) fn retype(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    types: &BTreeMap<usize, Type>,
) {
    let view = View::new(context, module.inner(), function);
    let (Some(entry), Some((inputs, results))) = (view.entry_block(0), signature(view)) else {
        return;
    };
    let name = view.symbol_name().unwrap_or_default().to_owned();
    let mut inputs = inputs.to_vec();
    for (number, ty) in types {
        if let Some(input) = inputs.get_mut(*number) {
            *input = *ty;
        }
    }
    let ty = context.type_attribute(context.function_type(&inputs, results));
    let inner = module.inner_mut();
    inner.set_attribute(function, context.name("function_type"), ty);
    let body = inner.inner_mut(function);
    let Some(first) = body.operations(entry).next() else {
        return;
    };
    for (number, ty) in types {
        let Some(argument) = body.arguments(entry).get(*number).copied() else {
            continue;
        };
        let open = body.ty(argument);
        let (cast, seen) = cast(context, body, first, argument, open);
        body.replace_all_uses(argument, seen);
        body.set_operands(cast, &[argument]);
        body.set_type(argument, *ty);
    }
    for caller in named(context, module, func::Func::NAME) {
        let body = module.inner_mut().inner_mut(caller);
        for call in calls(context, body, &name) {
            for (number, ty) in types {
                let given = body.operand(call, *number);
                if body.ty(given) != *ty {
                    let (_, given) = cast(context, body, call, given, *ty);
                    body.set_operand(call, *number, given);
                }
            }
        }
    }
}

/// Gives the arguments of the functions `kept`, which stay functions of their own, the static types that all their calls agree on.
pub(crate) fn retype_kept(context: &Context, module: &mut Module, kept: &[String]) {
    // Each round gives a type to an argument at least, of a callee of a function of the round before.
    while kept.iter().any(|name| retype_callee(context, module, name)) {}
}

/// Gives arguments of one function the types that all its calls agree on; returns whether there are any.
fn retype_callee(context: &Context, module: &mut Module, name: &str) -> bool {
    let Some(function) = module.lookup_symbol(context, name) else {
        return false;
    };
    let view = View::new(context, module.inner(), function);
    let Some((inputs, _)) = signature(view).filter(|_| view.entry_block(0).is_some()) else {
        return false;
    };
    let mut types = BTreeMap::new();
    for (number, ty) in inputs.iter().enumerate() {
        if is_open(context, *ty)
            && let Some(given) = common_type(context, module, name, number)
        {
            types.insert(number, given);
        }
    }
    retype(context, module, function, &types);
    !types.is_empty()
}

/// Returns the static type that all calls of a function give for one argument.
fn common_type(context: &Context, module: &Module, name: &str, number: usize) -> Option<Type> {
    let mut common = None;
    for caller in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(caller);
        for call in calls(context, body, name) {
            let given = body.ty(without_casts(context, body, body.operand(call, number)));
            if given.static_shape(context).is_none() || common.is_some_and(|ty| ty != given) {
                return None;
            }
            common = Some(given);
        }
    }
    common
}

/// Returns the memory that casts of its type show.
fn without_casts(context: &Context, body: &Body, mut memory: ValueId) -> ValueId {
    while let Some(op) = body.defining_operation(memory) {
        let view = View::new(context, body, op);
        if view.name() != memref::Cast::NAME {
            break;
        }
        memory = view.operand(0);
    }
    memory
}

/// Returns the calls of a function in a body.
fn calls(context: &Context, body: &Body, name: &str) -> Vec<OperationId> {
    let is_call = |op: &OperationId| {
        let view = View::new(context, body, *op);
        let callee = view.attribute("callee");
        view.name() == func::Call::NAME
            && callee.and_then(|a| a.as_flat_symbol(context)) == Some(name)
    };
    body.walk_all().into_iter().filter(is_call).collect()
}

/// Creates a cast of a memory to a type before an operation; returns the cast and its result.
fn cast(
    context: &Context,
    body: &mut Body,
    before: OperationId,
    memory: ValueId,
    ty: Type,
) -> (OperationId, ValueId) {
    let location = body.value_location(memory);
    let mut new = NewOperation::new(context.operation_name(memref::Cast::NAME), location);
    new.operands = [memory].into_iter().collect();
    new.result_types = [ty].into_iter().collect();
    let cast = Builder::before(context, body, before).create(new);
    (cast, body.result(cast, 0))
}
