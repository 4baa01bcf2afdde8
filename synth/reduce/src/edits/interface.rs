//! Edits of arguments and results of functions, which also update the calls.

use sluice_ir::definition::Traits;
use sluice_ir::{Context, Location, Module, OperationId, Type, TypeKind, ValueId, View};

use super::Edit;
use super::place::{entry, functions, has, rebuild, without, zero};

/// Returns edits that remove each argument of each function; its uses get 0.
pub(super) fn arguments(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for (function, body) in functions(context, module) {
        let n = entry(body).map_or(0, |block| body.arguments(block).len());
        for at in (0..n).rev() {
            edits.push(Box::new(move |context, module| {
                drop_argument(context, module, function, at)
            }));
        }
    }
    edits
}

/// Returns edits that remove each result of each function; its uses in callers get 0.
pub(super) fn results(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for (function, _) in functions(context, module) {
        let n = signature(context, module, function).map_or(0, |(_, results)| results.len());
        for at in (0..n).rev() {
            edits.push(Box::new(move |context, module| {
                drop_result(context, module, function, at)
            }));
        }
    }
    edits
}

/// Adds an argument at the end; `None` if the function is called.
pub(super) fn add_argument(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    ty: Type,
) -> Option<ValueId> {
    let name = symbol(context, module, function)?;
    let (mut inputs, results) = signature(context, module, function)?;
    if !calls(context, module, &name).is_empty() {
        return None;
    }
    inputs.push(ty);
    set_signature(context, module, function, &inputs, &results);
    let array = "arg_attrs";
    let listed = module.inner().attribute_named(context, function, array);
    if let Some(all) = listed.and_then(|a| a.as_array(context)) {
        let mut all = all.to_vec();
        all.push(context.dictionary_attribute(&[]));
        let all = context.array_attribute(&all);
        let name = context.name(array);
        module.inner_mut().set_attribute(function, name, all);
    }
    let body = module.inner_mut().inner_mut(function);
    let block = entry(body)?;
    Some(body.add_argument(block, ty, Location::UNKNOWN))
}

/// Returns the types of arguments and results.
pub(super) fn signature(
    context: &Context,
    module: &Module,
    function: OperationId,
) -> Option<(Vec<Type>, Vec<Type>)> {
    let inner = module.inner();
    let ty = inner.attribute_named(context, function, "function_type")?;
    match ty.as_type(context)?.kind(context) {
        TypeKind::Function { inputs, results } => Some((inputs.to_vec(), results.to_vec())),
        _ => None,
    }
}

/// Sets the types of arguments and results.
pub(super) fn set_signature(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    inputs: &[Type],
    results: &[Type],
) {
    let ty = context.type_attribute(context.function_type(inputs, results));
    let name = context.name("function_type");
    module.inner_mut().set_attribute(function, name, ty);
}

fn symbol(context: &Context, module: &Module, function: OperationId) -> Option<String> {
    let view = View::new(context, module.inner(), function);
    view.symbol_name().map(str::to_owned)
}

/// Returns the name, inputs and results of a function; `None` if it has been erased.
fn known(
    context: &Context,
    module: &Module,
    function: OperationId,
) -> Option<(String, Vec<Type>, Vec<Type>)> {
    if module.inner().is_erased(function) {
        return None;
    }
    let name = symbol(context, module, function)?;
    let (inputs, results) = signature(context, module, function)?;
    Some((name, inputs, results))
}

/// Returns the calls of a function, each with the function that contains it.
pub(super) fn calls(
    context: &Context,
    module: &Module,
    name: &str,
) -> Vec<(OperationId, OperationId)> {
    let mut found = Vec::new();
    for (function, body) in functions(context, module) {
        for op in body.walk_all() {
            let callee = body.attribute_named(context, op, "callee");
            if callee.and_then(|a| a.as_flat_symbol(context)) == Some(name) {
                found.push((function, op));
            }
        }
    }
    found
}

fn drop_argument(context: &Context, module: &mut Module, function: OperationId, at: usize) -> bool {
    let Some((name, inputs, results)) = known(context, module, function) else {
        return false;
    };
    let body = module.inner_mut().inner_mut(function);
    let Some(block) = entry(body) else {
        return false;
    };
    let Some(argument) = body.arguments(block).get(at).copied() else {
        return false;
    };
    if !zero(context, body, argument) {
        return false;
    }
    body.remove_argument(block, at);
    set_signature(context, module, function, &without(&inputs, at), &results);
    drop_attributes(context, module, function, "arg_attrs", at);
    for (caller, call) in calls(context, module, &name) {
        let body = module.inner_mut().inner_mut(caller);
        let operands: Vec<ValueId> = body.operands(call).collect();
        body.set_operands(call, &without(&operands, at));
    }
    true
}

fn drop_result(context: &Context, module: &mut Module, function: OperationId, at: usize) -> bool {
    let Some((name, inputs, results)) = known(context, module, function) else {
        return false;
    };
    if at >= results.len() {
        return false;
    }
    let body = module.inner_mut().inner_mut(function);
    let regions: Vec<_> = body.top_regions().collect();
    let returns: Vec<OperationId> = regions
        .iter()
        .flat_map(|region| body.blocks(*region))
        .filter_map(|block| body.last_operation(*block))
        .filter(|op| has(context, body, *op, Traits::TERMINATOR))
        .filter(|op| body.successors(*op).is_empty())
        .collect();
    for last in returns {
        let operands: Vec<ValueId> = body.operands(last).collect();
        body.set_operands(last, &without(&operands, at));
    }
    set_signature(context, module, function, &inputs, &without(&results, at));
    drop_attributes(context, module, function, "res_attrs", at);
    for (caller, call) in calls(context, module, &name) {
        let body = module.inner_mut().inner_mut(caller);
        let Some(result) = body.results(call).get(at).copied() else {
            return false;
        };
        if !zero(context, body, result) {
            return false;
        }
        let operands: Vec<ValueId> = body.operands(call).collect();
        rebuild(context, body, call, &operands, |i| i != at, &[]);
    }
    true
}

fn drop_attributes(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    name: &str,
    at: usize,
) {
    let listed = module.inner().attribute_named(context, function, name);
    if let Some(all) = listed.and_then(|a| a.as_array(context)) {
        let all = context.array_attribute(&without(all, at));
        let name = context.name(name);
        module.inner_mut().set_attribute(function, name, all);
    }
}
