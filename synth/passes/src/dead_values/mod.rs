//! The `remove-dead-values` pass: erases arguments, results and carried values that nothing needs.
//!
//! Source: MLIR, `RemoveDeadValues`. Differs: a function keeps its arguments and results if something else than a call refers to it;
//! version 19 reports an error for symbols that are not functions.

mod live;
mod slots;

use std::collections::BTreeSet;

use sluice_dialects::func;
use sluice_ir::definition::Traits;
use sluice_ir::effects::Effects;
use sluice_ir::{Body, Context, Diagnostics, NewOperation, OperationId, ValueId, View};

use self::live::{Function, Live, functions, is_kept};
use self::slots::{Slot, Slots};

/// Removes dead values from the functions of a module.
pub(crate) fn remove(context: &Context, body: &mut Body, op: OperationId, found: &mut Diagnostics) {
    let inner = body.inner(op);
    let all = functions(View::new(context, body, op));
    for function in &all {
        let own = inner.inner(function.op);
        let mut ops = own.walk_all().into_iter();
        if let Some(branch) = ops.find(|op| !own.successors(*op).is_empty()) {
            let view = View::new(context, own, branch);
            let message = format!(
                "`{}` has successors: values of blocks and branches are not removed; run `lift-cf-to-scf` before",
                view.name()
            );
            found.error(view.location(), message);
        }
    }
    if found.has_errors() {
        return;
    }
    let live = Live::solve(context, inner, &all);
    let inner = body.inner_mut(op);
    for number in 0..all.len() {
        clean(context, inner, &all, number, &live);
    }
    for (number, function) in all.iter().enumerate() {
        if function.is_removable {
            shrink(context, inner, &all, number, &live);
        }
    }
}

/// Removes the dead operations of a function and the dead values of its loops and conditionals; the arguments and operands of dead
/// parts of functions lose their uses.
fn clean(context: &Context, module: &mut Body, all: &[Function], number: usize, live: &Live) {
    let values = &live.values[number];
    let body = module.inner_mut(all[number].op);
    let ops = body.walk_all();
    let stays = |op: &OperationId| is_kept(context, body, *op, values);
    let kept: BTreeSet<OperationId> = ops.iter().copied().filter(stays).collect();
    let slots: Vec<Slots> = kept
        .iter()
        .filter_map(|op| Slots::of(View::new(context, body, *op)))
        .collect();
    let dead: Vec<Vec<Slot>> = slots.iter().map(|slots| slots.dead(body, values)).collect();
    for (slots, dead) in slots.iter().zip(&dead) {
        slots.remove_operands(context, body, dead);
    }
    for op in &kept {
        let view = View::new(context, body, *op);
        let callee = live.callee(number, *op).map(|callee| &all[callee]);
        if let Some(callee) = callee.filter(|callee| callee.is_removable) {
            let removed = callee.dead_arguments(&live.values[callee.number]);
            remove_operands(context, body, *op, 0, &removed);
        } else if view.name() == func::Return::NAME && all[number].is_removable {
            remove_operands(context, body, *op, 0, &live.dead_results(&all[number]));
        }
    }
    // An operation goes with all that is nested in it; users come before what they use.
    let is_dead = |body: &Body, op: OperationId| {
        !kept.contains(&op) && !View::new(context, body, op).has(Traits::TERMINATOR)
    };
    for op in ops.into_iter().rev() {
        let mut around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        if is_dead(body, op) && !around.any(|around| is_dead(body, around)) {
            body.erase(op);
        }
    }
    for (slots, dead) in slots.iter().zip(&dead) {
        slots.remove_inputs(context, body, dead);
    }
}

/// Removes operands `removed` of an operation, which are counted from `first` on.
fn remove_operands(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    first: usize,
    removed: &[usize],
) {
    let view = View::new(context, body, op);
    let sizes = view.operand_group_sizes();
    let is_removed = |i: usize| i >= first && removed.contains(&(i - first));
    let operands: Vec<ValueId> = view
        .operands()
        .enumerate()
        .filter(|(i, _)| !is_removed(*i))
        .map(|(_, value)| value)
        .collect();
    let name = context.name("operandSegmentSizes");
    if let (Some(sizes), Some(_)) = (sizes, body.attribute(op, name)) {
        let mut start = 0;
        let left = sizes.into_iter().map(|size| {
            let range = start..start + size;
            start += size;
            let left = range.filter(|i| !is_removed(*i)).count();
            i32::try_from(left).unwrap_or(i32::MAX)
        });
        let left: Vec<i32> = left.collect();
        body.set_attribute(op, name, context.dense_i32_array(&left));
    }
    body.set_operands(op, &operands);
}

/// Replaces an operation by one without the results `removed`, which have no uses. Returns the new one.
fn without_results(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    removed: &[usize],
) -> OperationId {
    let view = View::new(context, body, op);
    let kept: Vec<ValueId> = view
        .results()
        .iter()
        .enumerate()
        .filter(|(i, _)| !removed.contains(i))
        .map(|(_, value)| *value)
        .collect();
    let mut new = NewOperation::new(body.name(op), view.location());
    new.operands = view.operands().collect();
    new.result_types = kept.iter().map(|value| body.ty(*value)).collect();
    new.attributes = view.attributes().to_vec();
    new.n_regions = view.regions().len();
    let made = body.create(context, new);
    body.insert_before(op, made);
    for i in 0..body.regions(op).len() {
        let (from, to) = (body.regions(op)[i], body.regions(made)[i]);
        body.move_blocks(from, to);
    }
    for (i, old) in kept.into_iter().enumerate() {
        let new = body.result(made, i);
        body.set_value_name(new, body.value_name(old));
        body.replace_all_uses(old, new);
    }
    body.erase(op);
    made
}

/// Removes the dead arguments and results of a private function; those of its calls have no uses.
fn shrink(
    context: &Context,
    module: &mut Body,
    all: &[Function],
    number: usize,
    live: &Live,
) -> Option<()> {
    let function = &all[number];
    let arguments = function.dead_arguments(&live.values[number]);
    let results = live.dead_results(function);
    for (caller, call) in live.calls_of(number) {
        let body = module.inner_mut(all[caller].op);
        if !results.is_empty() {
            without_results(context, body, call, &results);
        }
    }
    let inner = module.inner_mut(function.op);
    for index in arguments.iter().rev() {
        inner.remove_argument(function.entry, *index);
    }
    let left = |all: &[sluice_ir::Type], removed: &[usize]| -> Vec<sluice_ir::Type> {
        let kept = all.iter().enumerate().filter(|(i, _)| !removed.contains(i));
        kept.map(|(_, ty)| *ty).collect()
    };
    let view = View::new(context, module, function.op);
    let ty = view.attribute("function_type")?.as_type(context)?;
    let sluice_ir::TypeKind::Function {
        inputs,
        results: outputs,
    } = ty.kind(context)
    else {
        return None;
    };
    let new = context.function_type(&left(inputs, &arguments), &left(outputs, &results));
    let lists = [("arg_attrs", &arguments), ("res_attrs", &results)];
    let lists = lists.map(|(name, removed)| {
        let list = view.attribute(name)?.as_array(context)?;
        let kept = list
            .iter()
            .enumerate()
            .filter(|(i, _)| !removed.contains(i));
        let kept: Vec<_> = kept.map(|(_, attribute)| *attribute).collect();
        Some((name, kept))
    });
    let new = context.type_attribute(new);
    module.set_attribute(function.op, context.name("function_type"), new);
    for (name, kept) in lists.into_iter().flatten() {
        let name = context.name(name);
        match kept.is_empty() {
            true => {
                module.remove_attribute(function.op, name);
            }
            false => module.set_attribute(function.op, name, context.array_attribute(&kept)),
        }
    }
    Some(())
}

/// Returns true if an operation and those nested in it read, write and allocate nothing.
fn is_free_of_effects(context: &Context, body: &Body, op: OperationId) -> bool {
    let effects = Effects::of(context, body, op);
    !effects.touches() && !effects.allocates
}
