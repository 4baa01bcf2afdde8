//! Rewrites calls that pass one memory as two arguments: the call goes to a copy of the callee with one argument less.
//!
//! Only callees that stay instances need this. Later passes assume that different arguments of a function are different memories.

use sluice_dialects::{func, memref};
use sluice_ir::{Body, Context, Module, NewOperation, OperationId, TypeKind, ValueId, View};

/// A call that passes the same memory twice.
struct Alias {
    caller: OperationId,
    call: OperationId,
    callee: String,
    /// Positions of the argument that is kept and of the argument that is removed.
    first: usize,
    second: usize,
}

/// Rewrites calls and callees until all memory arguments of each call are different memories.
pub(crate) fn merge_aliases(context: &Context, module: &mut Module) {
    // Every iteration removes an argument from a call, and a copy has no more calls than its original, so the loop terminates.
    while let Some(alias) = find(context, module) {
        let Some(function) = module.lookup_symbol(context, &alias.callee) else {
            return;
        };
        let symbol = copy_without(context, module, function, &alias);
        let body = module.inner_mut().inner_mut(alias.caller);
        let mut operands: Vec<ValueId> = body.operands(alias.call).collect();
        operands.remove(alias.second);
        body.set_operands(alias.call, &operands);
        let callee = context.symbol_attribute(&symbol);
        body.set_attribute(alias.call, context.name("callee"), callee);
    }
}

/// Returns the memory that a chain of casts starts from.
fn root(context: &Context, body: &Body, value: ValueId) -> ValueId {
    let mut value = value;
    while let Some(op) = body.defining_operation(value) {
        if View::new(context, body, op).name() != memref::Cast::NAME {
            break;
        }
        value = body.operand(op, 0);
    }
    value
}

fn find(context: &Context, module: &Module) -> Option<Alias> {
    for caller in module.top_level_operations() {
        if View::new(context, module.inner(), caller).name() != func::Func::NAME {
            continue;
        }
        let body = module.inner().inner(caller);
        for call in body.walk_all() {
            let view = View::new(context, body, call);
            let callee = (view.name() == func::Call::NAME)
                .then(|| view.attribute("callee")?.as_flat_symbol(context))
                .flatten();
            let Some(callee) = callee else {
                continue;
            };
            let memories: Vec<(usize, ValueId)> = view
                .operands()
                .enumerate()
                .filter(|(_, v)| matches!(body.ty(*v).kind(context), TypeKind::MemRef { .. }))
                .map(|(i, v)| (i, root(context, body, v)))
                .collect();
            for (at, (second, memory)) in memories.iter().enumerate() {
                let twin = memories[..at].iter().find(|(_, other)| other == memory);
                if let Some((first, _)) = twin {
                    return Some(Alias {
                        caller,
                        call,
                        callee: callee.to_owned(),
                        first: *first,
                        second: *second,
                    });
                }
            }
        }
    }
    None
}

/// Copies the function and replaces uses of the second argument by the first. Returns the symbol of the copy.
fn copy_without(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    alias: &Alias,
) -> String {
    let symbol = (0..)
        .map(|n| format!("{}_shared{n}", alias.callee))
        .find(|symbol| module.lookup_symbol(context, symbol).is_none())
        .expect("some number is free");
    let view = View::new(context, module.inner(), function);
    let mut new = NewOperation::new(module.inner().name(function), view.location());
    new.attributes = view.attributes().to_vec();
    new.n_regions = view.regions().len();
    let inner = view.inner().clone();
    let ty = view
        .attribute("function_type")
        .and_then(|a| a.as_type(context));
    let outer = module.inner_mut();
    let copy = outer.create(context, new);
    outer.put_body(copy, Box::new(inner));
    outer.insert_after(function, copy);
    outer.set_attribute(
        copy,
        context.name("sym_name"),
        context.string_attribute(&symbol),
    );
    let private = context.string_attribute("private");
    outer.set_attribute(copy, context.name("sym_visibility"), private);
    if let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) {
        let mut inputs = inputs.to_vec();
        inputs.remove(alias.second);
        let ty = context.function_type(&inputs, results);
        outer.set_attribute(
            copy,
            context.name("function_type"),
            context.type_attribute(ty),
        );
    }
    let attributes = context.name("arg_attrs");
    let given = outer.attribute(copy, attributes);
    if let Some(all) = given.and_then(|a| a.as_array(context)) {
        let mut all = all.to_vec();
        all.remove(alias.second);
        outer.set_attribute(copy, attributes, context.array_attribute(&all));
    }
    let region = outer.regions(copy)[0];
    let body = outer.inner_mut(copy);
    let entry = *body
        .blocks(region)
        .first()
        .expect("legality rejects calls of functions without a body");
    let (kept, removed) = (
        body.arguments(entry)[alias.first],
        body.arguments(entry)[alias.second],
    );
    body.replace_all_uses(removed, kept);
    body.remove_argument(entry, alias.second);
    symbol
}
