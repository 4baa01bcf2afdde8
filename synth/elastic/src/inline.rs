//! Inlines instances of dataflow graphs into the graph that contains them.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_dialects::sluice::CIRCUIT;
use sluice_ir::{Body, Context, Diagnostics, Module, NewOperation, OperationId, ValueId, View};

/// The operation that holds a graph.
pub(crate) const FUNCTION: &str = handshake::Func::NAME;

const INSTANCE: &str = handshake::Instance::NAME;

/// Replaces each instance of a function by its graph, and removes the inlined functions.
///
/// # Errors
/// A function that contains an instance of itself, and instances of functions that do not exist or have no body.
pub fn inline_instances(context: &Context, module: &mut Module) -> Result<(), Diagnostics> {
    let order = callees_first(context, module)?;
    let mut inlined = BTreeSet::new();
    for function in order {
        loop {
            let instance = {
                let view = View::new(context, module.inner(), function);
                let body = view.inner();
                let block = view.entry_block(0);
                let mut ops = block.into_iter().flat_map(|block| body.operations(block));
                ops.find(|op| is_graph(context, module, View::new(context, body, *op)))
            };
            let Some(instance) = instance else {
                break;
            };
            let callee = callee(context, module, function, instance)?;
            inlined.insert(callee);
            let graph = module.inner().inner(callee).clone();
            let names = View::new(context, module.inner(), callee).entry_block(0);
            let Some(block) = names else {
                let view = View::new(context, module.inner(), callee);
                return Err(error(view, "a function without a body has no circuit"));
            };
            let body = module.inner_mut().inner_mut(function);
            let place = body.location(instance);
            let operations = graph.operations(block);
            let arguments = graph.arguments(block);
            if !inline(context, body, instance, &graph, operations, arguments) {
                let mut found = Diagnostics::new();
                found.error(place, "an instance that gives itself what it returns");
                return Err(found);
            }
        }
    }
    for function in inlined {
        module.inner_mut().erase(function);
    }
    Ok(())
}

/// Returns whether an operation is an instance of a graph, not of a statically scheduled circuit.
fn is_graph(context: &Context, module: &Module, view: View<'_>) -> bool {
    if view.name() != INSTANCE {
        return false;
    }
    let callee = view
        .attribute("module")
        .and_then(|a| a.as_flat_symbol(context));
    let callee = callee.and_then(|name| module.lookup_symbol(context, name));
    let function = callee.map(|op| View::new(context, module.inner(), op));
    function.is_none_or(|function| function.attribute(CIRCUIT).is_none())
}

fn error(view: View<'_>, message: impl Into<String>) -> Diagnostics {
    let mut found = Diagnostics::new();
    found.error(view.location(), message);
    found
}

/// Returns the function that an operation in `function` is an instance of.
fn callee(
    context: &Context,
    module: &Module,
    function: OperationId,
    instance: OperationId,
) -> Result<OperationId, Diagnostics> {
    let body = module.inner().inner(function);
    let view = View::new(context, body, instance);
    let name = view.attribute("module");
    let name = name
        .and_then(|a| a.as_flat_symbol(context))
        .unwrap_or_default();
    let callee = module.lookup_symbol(context, name);
    callee
        .filter(|op| View::new(context, module.inner(), *op).name() == FUNCTION)
        .ok_or_else(|| error(view, format!("no `{FUNCTION}` is called `{name}`")))
}

/// Returns a cycle of functions that instantiate each other, with its first function repeated at the end. The cycle is reachable
/// from `first` and contains no function of `order`.
fn cycle(
    first: OperationId,
    callees: &BTreeMap<OperationId, Vec<OperationId>>,
    order: &[OperationId],
) -> Vec<OperationId> {
    let mut path = vec![first];
    loop {
        let last = path.last().and_then(|last| callees.get(last));
        let mut left = last.into_iter().flatten();
        let Some(next) = left.find(|op| !order.contains(op)).copied() else {
            return path;
        };
        let known = path.iter().position(|op| *op == next);
        path.push(next);
        if let Some(known) = known {
            return path.split_off(known);
        }
    }
}

/// Returns the functions in topological order, callees first.
fn callees_first(context: &Context, module: &Module) -> Result<Vec<OperationId>, Diagnostics> {
    let functions = module.top_level_operations().into_iter();
    let functions: Vec<OperationId> = functions
        .filter(|op| View::new(context, module.inner(), *op).name() == FUNCTION)
        .collect();
    let mut callees: BTreeMap<OperationId, Vec<OperationId>> = BTreeMap::new();
    for function in &functions {
        let view = View::new(context, module.inner(), *function);
        let mut mine = Vec::new();
        for op in view.inner().walk_all() {
            if is_graph(context, module, View::new(context, view.inner(), op)) {
                mine.push(callee(context, module, *function, op)?);
            }
        }
        callees.insert(*function, mine);
    }
    // Repeatedly appends a function whose callees are all in the order.
    let mut order: Vec<OperationId> = Vec::new();
    while order.len() < functions.len() {
        let is_next = |op: &&OperationId| {
            !order.contains(op) && callees[*op].iter().all(|callee| order.contains(callee))
        };
        let Some(next) = functions.iter().find(is_next).copied() else {
            let mut left = functions.iter().filter(|op| !order.contains(op));
            let first = *left.next().expect("there is one left");
            let view = View::new(context, module.inner(), first);
            let path = cycle(first, &callees, &order);
            let names = path.iter().map(|op| {
                let view = View::new(context, module.inner(), *op);
                format!("@{}", view.symbol_name().unwrap_or_default())
            });
            let names: Vec<String> = names.collect();
            let message = format!(
                "a function with an instance of itself has no circuit: {}",
                names.join(" -> ")
            );
            return Err(error(view, message));
        };
        order.push(next);
    }
    Ok(order)
}

/// Copies `operations` of `graph` to before an instance and erases the instance; returns false if its result is only defined by
/// itself.
fn inline(
    context: &Context,
    body: &mut Body,
    instance: OperationId,
    graph: &Body,
    operations: impl Iterator<Item = OperationId> + Clone,
    arguments: &[ValueId],
) -> bool {
    let given: Vec<ValueId> = body.operands(instance).collect();
    let mut values: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    values.extend(arguments.iter().copied().zip(given));
    let mut copies = Vec::new();
    let mut returned = Vec::new();
    for op in operations {
        let view = View::new(context, graph, op);
        if view.name() == handshake::Return::NAME {
            returned = view.operands().collect();
            continue;
        }
        let mut new = NewOperation::new(graph.name(op), graph.location(op));
        new.result_types = view.result_types().collect();
        new.attributes = view.attributes().to_vec();
        let copy = body.create(context, new);
        body.move_before(instance, copy);
        for (old, new) in view.results().iter().zip(body.results(copy).to_vec()) {
            body.set_value_name(new, graph.value_name(*old));
            values.insert(*old, new);
        }
        copies.push((op, copy));
    }
    // Operands may be results of later operations.
    for (op, copy) in copies {
        let operands: Vec<ValueId> = graph.operands(op).map(|old| values[&old]).collect();
        body.set_operands(copy, &operands);
    }
    // A value that the callee passes through may be a result of the instance itself.
    let results = body.results(instance).to_vec();
    let mut replaced: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for (result, old) in results.iter().zip(returned) {
        let mut new = values[&old];
        while let Some(next) = replaced.get(&new) {
            new = *next;
        }
        if new == *result {
            return false;
        }
        body.replace_all_uses(*result, new);
        replaced.insert(*result, new);
    }
    body.erase(instance);
    true
}
