//! Turns memories that a kernel returns into arguments, because a memory needs ports while a result is one word.

use sluice_dialects::{func, memref};
use sluice_ir::{
    Attribute, BlockId, Body, Builder, Context, Module, Name, OperationId, Type, TypeKind, ValueId,
    View,
};

/// Adds an argument to the function `top`, after the others, for each returned memory of known size. A memory that the function
/// allocates at its beginning and returns becomes the argument. Other memories are copied to the argument before the return. A
/// function that another function calls stays unchanged.
pub fn results_to_arguments(context: &Context, module: &mut Module, top: &str) {
    let Some(function) = module.lookup_symbol(context, top) else {
        return;
    };
    let view = View::new(context, module.inner(), function);
    if view.name() != func::Func::NAME || is_named(context, module, top) {
        return;
    }
    let (Some(entry), Some((_, results))) = (view.entry_block(0), signature(view)) else {
        return;
    };
    let memories: Vec<usize> = (0..results.len())
        .filter(|i| in_ports(context, results[*i]).is_some())
        .collect();
    if memories.is_empty() {
        return;
    }
    let added: Vec<Type> = memories
        .iter()
        .filter_map(|i| in_ports(context, results[*i]))
        .collect();
    let body = module.inner_mut().inner_mut(function);
    for (i, ty) in memories.iter().zip(&added) {
        add_argument(context, body, entry, *i, *ty);
    }
    drop_operands(context, body, &memories);
    change_signature(context, module, function, &memories, &added);
}

/// Returns the type of the argument for a memory result, if its size is known.
fn in_ports(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::MemRef { element, .. } => {
            Some(context.memref_type(&ty.static_shape(context)?, *element))
        }
        _ => None,
    }
}

/// Returns whether an operation refers to the function by name: a call or a function constant.
pub fn is_named(context: &Context, module: &Module, top: &str) -> bool {
    module.top_level_operations().into_iter().any(|op| {
        let body = module.inner().inner(op);
        body.walk_all().into_iter().any(|inside| {
            let view = View::new(context, body, inside);
            let mut values = view.attributes().iter().map(|(_, value)| value);
            values.any(|value| value.as_flat_symbol(context) == Some(top))
        })
    })
}

/// Returns the types of the arguments and results of a function.
fn signature<'a>(view: View<'a>) -> Option<(&'a [Type], &'a [Type])> {
    let ty = view.attribute("function_type")?.as_type(view.context)?;
    match ty.kind(view.context) {
        TypeKind::Function { inputs, results } => Some((inputs, results)),
        _ => None,
    }
}

/// Returns the return operations of a function.
fn returns(context: &Context, body: &Body) -> Vec<OperationId> {
    let all = body.walk_all().into_iter();
    all.filter(|op| View::new(context, body, *op).name() == func::Return::NAME)
        .collect()
}

/// Adds an argument that receives the value of result `result` at every return.
fn add_argument(context: &Context, body: &mut Body, entry: BlockId, result: usize, ty: Type) {
    let returns = returns(context, body);
    let given: Vec<ValueId> = returns.iter().map(|op| body.operand(*op, result)).collect();
    let Some(first) = given.first().copied() else {
        return;
    };
    let argument = body.add_argument(entry, ty, body.value_location(first));
    let allocated = body.defining_operation(first).filter(|op| {
        let view = View::new(context, body, *op);
        matches!(view.name(), memref::Alloc::NAME | memref::Alloca::NAME)
            && body.parent_block(*op) == Some(entry)
            && body.ty(first) == ty
    });
    let is_one = given.iter().all(|value| *value == first);
    match allocated.filter(|_| is_one) {
        Some(allocation) => {
            body.set_value_name(argument, body.value_name(first));
            body.replace_all_uses(first, argument);
            body.erase(allocation);
        }
        None => {
            let name = free_name(context, body, entry, result);
            body.set_value_name(argument, Some(name));
            for (op, value) in returns.into_iter().zip(given) {
                let mut builder = Builder::before(context, body, op);
                memref::Copy::build(&mut builder, value, argument);
            }
        }
    }
}

/// Returns an unused name for the argument of a result. It is not `result0` and so on, because the remaining scalar results get
/// these names without gaps.
fn free_name(context: &Context, body: &Body, entry: BlockId, result: usize) -> Name {
    let arguments = body.arguments(entry).iter();
    let taken: Vec<Name> = arguments
        .filter_map(|argument| body.value_name(*argument))
        .collect();
    let mut text = format!("returned{result}");
    while taken.contains(&context.name(&text)) {
        text.push('_');
    }
    context.name(&text)
}

/// Removes these results from the operands of the returns.
fn drop_operands(context: &Context, body: &mut Body, results: &[usize]) {
    for op in returns(context, body) {
        let kept: Vec<ValueId> = body.operands(op).collect();
        let kept = without(&kept, results);
        body.set_operands(op, &kept);
    }
}

fn without<T: Copy>(all: &[T], left_out: &[usize]) -> Vec<T> {
    let kept = all.iter().enumerate();
    kept.filter(|(i, _)| !left_out.contains(i))
        .map(|(_, one)| *one)
        .collect()
}

fn change_signature(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    memories: &[usize],
    added: &[Type],
) {
    let view = View::new(context, module.inner(), function);
    let (inputs, results) = signature(view).expect("it was read before");
    let inputs: Vec<Type> = inputs.iter().chain(added).copied().collect();
    let ty = context.function_type(&inputs, &without(results, memories));
    let listed = |name: &str| -> Option<Vec<Attribute>> {
        Some(view.attribute(name)?.as_array(context)?.to_vec())
    };
    let of_arguments = listed("arg_attrs").map(|mut all| {
        all.resize(inputs.len(), context.dictionary_attribute(&[]));
        all
    });
    let of_results = listed("res_attrs").map(|all| without(&all, memories));
    let mut set = |name: Name, value: Attribute| {
        module.inner_mut().set_attribute(function, name, value);
    };
    set(context.name("function_type"), context.type_attribute(ty));
    if let Some(all) = of_arguments {
        set(context.name("arg_attrs"), context.array_attribute(&all));
    }
    if let Some(all) = of_results {
        set(context.name("res_attrs"), context.array_attribute(&all));
    }
}
