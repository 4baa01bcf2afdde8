//! `flatten-modules`: inlines instances that lie on a word-level combinational cycle into the enclosing module.
//!
//! The cycle may be false: individual bits of the ports may not depend on themselves. `split-values` detects that once all
//! operations are in one module. Here, every output of an instance is assumed to depend combinationally on all of its inputs.
//!
//! Complexity: each iteration is linear in the number of operations.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::hw::{self, Direction, ParameterValues};
use sluice_ir::limits::Limit;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, NewOperation, OperationId, ValueId, View};

use crate::circuits::specialise::fill_body;
use crate::circuits::split_values::combinational_loops;

/// Maximum nesting depth of inlined instances.
const DEEPEST: usize = 64;

/// Inlines all instances on combinational cycles, in all circuits; returns whether there were any.
pub fn flatten_modules(context: &Context, module: &mut Module) -> bool {
    let mut n_left = context.limits.size(Limit::Operations);
    let mut is_changed = false;
    for op in named(context, module, hw::Module::NAME) {
        for _ in 0..DEEPEST {
            let found = instances_in_loops(context, module.inner().inner(op));
            let mut is_done = true;
            for instance in found {
                if dissolve(context, module, op, instance, &mut n_left) {
                    is_done = false;
                }
            }
            if is_done {
                break;
            }
            is_changed = true;
        }
    }
    is_changed
}

/// Returns the instances of a module that are on combinational cycles.
fn instances_in_loops(context: &Context, body: &Body) -> Vec<OperationId> {
    let among: BTreeSet<ValueId> = combinational_loops(context, body)
        .into_iter()
        .flatten()
        .collect();
    let all = body.walk_all().into_iter();
    all.filter(|op| {
        let results = body.results(*op);
        View::new(context, body, *op).name() == hw::Instance::NAME
            && (results.iter().any(|result| among.contains(result))
                || body.operands(*op).any(|operand| results.contains(&operand)))
    })
    .collect()
}

/// Inlines an instance; returns false if that is not possible.
fn dissolve(
    context: &Context,
    module: &mut Module,
    around: OperationId,
    instance: OperationId,
    n_left: &mut usize,
) -> bool {
    let view = View::new(context, module.inner().inner(around), instance);
    let values = ParameterValues::of(view);
    let name = |attribute: &str| {
        let text = view.attribute(attribute);
        text.and_then(|a| a.as_str(context)).unwrap_or_default()
    };
    let path = name("instanceName").to_owned();
    let of = view.attribute("moduleName");
    let of = of.and_then(|a| a.as_flat_symbol(context));
    let of = of.and_then(|name| module.lookup_symbol(context, name));
    let Some(of) = of.filter(|of| *of != around) else {
        return false;
    };
    let inside = View::new(context, module.inner(), of);
    let Some(block) = inside
        .entry_block(0)
        .filter(|_| inside.name() == hw::Module::NAME)
    else {
        return false;
    };
    let body = inside.inner();
    let has_regions = |op: OperationId| !body.regions(op).is_empty() && !body.is_isolated(op);
    let operations: Vec<OperationId> = body.operations(block).collect();
    let is_inout = |port: &hw::Port| port.direction == Direction::InOut;
    if operations.len() > *n_left
        || operations.iter().any(|op| has_regions(*op))
        || hw::module_ports(inside).iter().any(is_inout)
    {
        return false;
    }
    if passes_itself(view, inside) {
        return false;
    }
    *n_left -= operations.len();
    let mut source = body.clone();
    fill_body(context, &mut source, &values);
    let target = module.inner_mut().inner_mut(around);
    let mut made: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    let given = target.operands(instance).collect::<Vec<_>>();
    made.extend(source.arguments(block).iter().copied().zip(given));
    let mut copies = Vec::new();
    let mut outputs = Vec::new();
    for op in operations {
        if View::new(context, &source, op).name() == hw::Output::NAME {
            outputs = source.operands(op).collect();
            continue;
        }
        let copy = copied(context, &source, op, target, &path);
        target.insert_before(instance, copy);
        let results = source.results(op).iter().copied();
        made.extend(results.zip(target.results(copy).to_vec()));
        copies.push((op, copy));
    }
    // Operations may be in any order, so operands are set after all copies exist.
    for (op, copy) in copies {
        let operands: Vec<ValueId> = source.operands(op).map(|old| made[&old]).collect();
        target.set_operands(copy, &operands);
    }
    // The value of a result may be another result of the same instance.
    let results = target.results(instance).to_vec();
    let own: BTreeMap<ValueId, ValueId> = results
        .iter()
        .copied()
        .zip(outputs.into_iter().map(|old| made[&old]))
        .collect();
    for result in &results {
        let mut end = own[result];
        while let Some(next) = own.get(&end) {
            end = *next;
        }
        target.replace_all_uses(*result, end);
    }
    target.erase(instance);
    true
}

/// Returns whether a module passes an input through to an output, and the instance connects that output back to the input,
/// perhaps through other such paths.
fn passes_itself(instance: View<'_>, of: View<'_>) -> bool {
    let body = of.inner();
    let block = of.entry_block(0);
    let output = block.and_then(|block| body.operations(block).last());
    let arguments = block.map_or(&[][..], |block| body.arguments(block));
    let given: Vec<ValueId> = instance.operands().collect();
    let outputs = output.into_iter().flat_map(|output| body.operands(output));
    let through: BTreeMap<ValueId, ValueId> = instance
        .results()
        .iter()
        .copied()
        .zip(outputs)
        .filter_map(|(result, value)| {
            let input = arguments.iter().position(|argument| *argument == value)?;
            Some((result, given[input]))
        })
        .collect();
    through.keys().any(|start| {
        let mut at = *start;
        let mut n_steps = 0;
        while let Some(next) = through.get(&at) {
            (at, n_steps) = (*next, n_steps + 1);
            if n_steps > through.len() {
                return true;
            }
        }
        false
    })
}

/// Returns a copy of an operation without operands; its names are prefixed by the instance path.
fn copied(
    context: &Context,
    source: &Body,
    op: OperationId,
    target: &mut Body,
    path: &str,
) -> OperationId {
    let view = View::new(context, source, op);
    let mut new = NewOperation::new(source.name(op), source.location(op));
    new.result_types = view.result_types().collect();
    new.n_regions = view.regions().len();
    new.attributes = view.attributes().to_vec();
    let made = target.create(context, new);
    if source.is_isolated(op) {
        target.put_body(made, Box::new(source.inner(op).clone()));
    }
    for (old, new) in view.results().iter().zip(target.results(made).to_vec()) {
        let name = source.value_name(*old);
        let name = name.map(|name| context.name(&format!("{path}.{}", context.text(name))));
        target.set_value_name(new, name);
    }
    for attribute in ["name", "instanceName"] {
        let name = context.name(attribute);
        let text = source.attribute(op, name).and_then(|a| a.as_str(context));
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let text = context.string_attribute(&format!("{path}.{text}"));
            target.set_attribute(made, name, text);
        }
    }
    made
}
