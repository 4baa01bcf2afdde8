//! `outline`: turns loops for static scheduling into functions of their own, which an elastic kernel calls.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::STYLE;
use sluice_dialects::{arith, func, memref, scf, sluice};
use sluice_ir::text::print_type;
use sluice_ir::{
    Body, Context, Diagnostics, Module, NewOperation, OperationId, Type, TypeKind, ValueDefinition,
    ValueId, View,
};

use crate::analysis::linear::bounds;
use crate::analysis::transitive_operands::{Part, all_transitive_operands};

/// The value of [`STYLE`] for a loop that is scheduled statically.
pub const STATIC: &str = "static";

/// The value of [`STYLE`] for a loop that becomes an elastic circuit.
pub const ELASTIC: &str = "elastic";

fn is_loop(view: View<'_>) -> bool {
    matches!(view.name(), scf::For::NAME | scf::While::NAME)
}

/// Returns whether the marked operation is a region: the function then gets its operations, not the operation itself.
fn is_region(view: View<'_>) -> bool {
    view.name() == scf::ExecuteRegion::NAME
}

fn style<'a>(view: View<'a>) -> Option<&'a str> {
    view.attribute(STYLE)?.as_str(view.context)
}

/// Returns the outermost loops and regions of a function for which `is_wanted` holds, in text order.
fn outermost(
    body: &Body,
    context: &Context,
    is_wanted: &dyn Fn(View<'_>) -> bool,
) -> Vec<OperationId> {
    let mut found: Vec<OperationId> = Vec::new();
    let mut inside: BTreeSet<OperationId> = BTreeSet::new();
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        let is_one = is_loop(view) || is_region(view) && style(view) == Some(STATIC);
        if is_one && !inside.contains(&op) && is_wanted(view) {
            inside.extend(body.walk(op));
            found.push(op);
        }
    }
    found
}

/// Marks all outermost loops for static scheduling, except loops that are elastic, contain an elastic loop or are inside one.
pub fn mark_others(context: &Context, body: &mut Body) {
    let elastic: Vec<OperationId> = outermost(body, context, &|view| style(view) == Some(ELASTIC));
    let inside: BTreeSet<OperationId> = elastic.iter().flat_map(|op| body.walk(*op)).collect();
    let is_other = |view: View<'_>| {
        let mut all = body.walk(view.id).into_iter();
        all.all(|op| !inside.contains(&op))
    };
    for op in outermost(body, context, &is_other) {
        body.set_attribute(op, context.name(STYLE), context.string_attribute(STATIC));
    }
}

/// Returns the outermost regular loops: their iterations depend only on their counters and on values computed before them.
/// Returns none if all loops are regular or none is.
pub fn regular_loops(context: &Context, body: &Body) -> Vec<OperationId> {
    let regular = outermost(body, context, &is_regular);
    let inside: BTreeSet<OperationId> = regular.iter().flat_map(|op| body.walk(*op)).collect();
    let mut all = body.walk_all().into_iter();
    let has_others = all.any(|op| is_loop(View::new(context, body, op)) && !inside.contains(&op));
    match has_others {
        true => regular,
        false => Vec::new(),
    }
}

fn is_regular(view: View<'_>) -> bool {
    let inside: BTreeSet<OperationId> = view.body.walk(view.id).into_iter().collect();
    inside.iter().all(|op| {
        let inner = view.at(*op);
        match inner.name() {
            scf::While::NAME => false,
            scf::For::NAME => {
                let mut bounds = inner.operands().take(3);
                bounds.all(|bound| is_counted(view, &inside, bound))
            }
            _ => true,
        }
    })
}

/// Returns whether a value in a loop depends only on counters and on values computed before the loop; initial values of results
/// are not restricted.
fn is_counted(around: View<'_>, inside: &BTreeSet<OperationId>, value: ValueId) -> bool {
    let body = around.body;
    all_transitive_operands(body, value, u32::MAX, |value| {
        match body.value_definition(value) {
            ValueDefinition::Result { operation, .. } => {
                if !inside.contains(&operation) {
                    return Part::Right;
                }
                let is_arith = around.at(operation).name().starts_with("arith.");
                Part::through(Some(operation).filter(|_| is_arith))
            }
            ValueDefinition::Argument { block, index } => {
                let holder = body.block_parent_operation(block);
                let holder = holder.filter(|holder| inside.contains(holder));
                Part::is(
                    holder.is_none_or(|holder| {
                        index == 0 && around.at(holder).name() == scf::For::NAME
                    }),
                )
            }
        }
    })
}

/// Outlines every outermost loop or region of `top` that is marked for static scheduling. The function is private and not
/// inlined. Its name is `top` plus the name of the counter, or plus the name that the region has.
///
/// # Errors
/// To `diagnostics`: a loop that uses outside values for which circuits have no ports.
pub fn outline(context: &Context, module: &mut Module, top: &str, diagnostics: &mut Diagnostics) {
    let Some(function) = module.lookup_symbol(context, top) else {
        return;
    };
    let body = module.inner().inner(function);
    let marked = outermost(body, context, &|view| style(view) == Some(STATIC));
    for op in marked {
        outline_loop(context, module, function, op, diagnostics);
    }
}

/// How a value from outside a loop enters its function.
enum Entry {
    /// As an argument.
    Argument,
    /// As an argument of fewer bits, for a value that is never negative and fits the type.
    Narrow(Type),
    /// The function recomputes the value.
    Copied(OperationId),
}

fn outline_loop(
    context: &Context,
    module: &mut Module,
    function: OperationId,
    op: OperationId,
    diagnostics: &mut Diagnostics,
) {
    let source = module.inner().inner(function).clone();
    let view = View::new(context, &source, op);
    let mut entries: Vec<(ValueId, Entry)> = Vec::new();
    for value in values_from_around(view) {
        match entry(view, value) {
            Some(entry) => entries.push((value, entry)),
            None => {
                let name = source.value_name(value).map(|name| context.text(name));
                let message = format!(
                    "a loop with `style: static` in an elastic kernel uses `{}` of type `{}`: integers, `index` and memories of integers can be passed to it",
                    name.unwrap_or("a value"),
                    print_type(context, source.ty(value))
                );
                diagnostics.error(view.location(), message);
                return;
            }
        }
    }
    let name = free_name(context, module, view, function);
    let types: Vec<Type> = entries
        .iter()
        .filter_map(|(value, entry)| match entry {
            Entry::Argument => Some(source.ty(*value)),
            Entry::Narrow(ty) => Some(*ty),
            Entry::Copied(_) => None,
        })
        .collect();
    let results: Vec<Type> = view.result_types().collect();
    let made = declare(context, module, &name, (&types, &results), view);
    if view.attribute(sluice::DEPENDENCES).is_some() || is_region(view) {
        // An empty list states that the dependences are known: the function contains only the loop, and a region has none.
        let none = context.array_attribute(&[]);
        let name = context.name(sluice::DEPENDENCES);
        module.inner_mut().set_attribute(made, name, none);
    }
    let inner = module.inner_mut();
    let target = inner.inner_mut(made);
    let region = target
        .top_regions()
        .next()
        .expect("a function has a region");
    let block = target.append_block(region);
    let mut values: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for (value, entry) in &entries {
        let inside = match entry {
            Entry::Copied(op) => {
                let copied = target.copy_from(context, &source, *op, &mut values);
                target.append(block, copied);
                continue;
            }
            Entry::Argument => target.add_argument(block, source.ty(*value), view.location()),
            Entry::Narrow(ty) => {
                let argument = target.add_argument(block, *ty, view.location());
                target.set_value_name(argument, source.value_name(*value));
                cast(
                    context,
                    target,
                    argument,
                    source.ty(*value),
                    view,
                    |body, op| {
                        body.append(block, op);
                    },
                )
            }
        };
        if target.value_name(inside).is_none() {
            target.set_value_name(inside, source.value_name(*value));
        }
        values.insert(*value, inside);
    }
    let (inside, given) = match view.entry_block(0).filter(|_| is_region(view)) {
        Some(block) => {
            let (inside, end): (Vec<_>, Vec<_>) = source
                .operations(block)
                .partition(|inner| view.at(*inner).name() != scf::Yield::NAME);
            let given: Vec<ValueId> = end.iter().flat_map(|end| source.operands(*end)).collect();
            (inside, given)
        }
        None => (vec![op], view.results().to_vec()),
    };
    for op in inside {
        let copied = target.copy_from(context, &source, op, &mut values);
        target.append(block, copied);
    }
    let mut end = NewOperation::new(context.operation_name(func::Return::NAME), view.location());
    end.operands = given.iter().map(|value| values[value]).collect();
    let end = target.create(context, end);
    target.append(block, end);

    let caller = module.inner_mut().inner_mut(function);
    let mut call = NewOperation::new(context.operation_name(func::Call::NAME), view.location());
    for (value, entry) in &entries {
        match entry {
            Entry::Argument => call.operands.push(*value),
            Entry::Narrow(ty) => {
                let narrow = cast(context, caller, *value, *ty, view, |body, made| {
                    body.insert_before(op, made);
                });
                call.operands.push(narrow);
            }
            Entry::Copied(_) => {}
        }
    }
    call.result_types = results.into();
    call.attributes = vec![(context.name("callee"), context.symbol_attribute(&name))];
    let call = caller.create(context, call);
    caller.insert_before(op, call);
    let new = caller.results(call).to_vec();
    for (old, new) in caller.results(op).to_vec().iter().zip(&new) {
        let name = caller.value_name(*old);
        caller.set_value_name(*new, name);
    }
    crate::build::replace(caller, op, &new);
}

/// Emits an `arith.index_castui` between `index` and an integer.
fn cast(
    context: &Context,
    body: &mut Body,
    value: ValueId,
    ty: Type,
    view: View<'_>,
    place: impl FnOnce(&mut Body, OperationId),
) -> ValueId {
    let mut new = NewOperation::new(
        context.operation_name(arith::IndexCastui::NAME),
        view.location(),
    );
    new.operands.push(value);
    new.result_types.push(ty);
    let op = body.create(context, new);
    place(body, op);
    body.result(op, 0)
}

/// Returns the values that a loop uses but does not define, in order of first use.
fn values_from_around(view: View<'_>) -> Vec<ValueId> {
    let body = view.body;
    let inside = body.walk(view.id);
    let mut made: BTreeSet<ValueId> = BTreeSet::new();
    for op in &inside {
        if *op != view.id {
            made.extend(body.results(*op));
        }
        for region in body.regions(*op) {
            for block in body.blocks(*region) {
                made.extend(body.arguments(*block));
            }
        }
    }
    let mut found = Vec::new();
    for op in inside {
        for operand in body.operands(op) {
            if !made.contains(&operand) && !found.contains(&operand) {
                found.push(operand);
            }
        }
    }
    found
}

fn entry(view: View<'_>, value: ValueId) -> Option<Entry> {
    let (body, context) = (view.body, view.context);
    if let Some(op) = body.defining_operation(value)
        && matches!(
            view.at(op).name(),
            arith::Constant::NAME | memref::GetGlobal::NAME
        )
    {
        return Some(Entry::Copied(op));
    }
    let is_integer = |ty: Type| ty.is_index(context) || ty.is_signless_integer(context);
    match body.ty(value).kind(context) {
        TypeKind::MemRef { element, .. } if is_integer(*element) => Some(Entry::Argument),
        TypeKind::Index => Some(match index_bits(view, value) {
            Some(width_bits) => Entry::Narrow(context.integer_type(width_bits)),
            None => Entry::Argument,
        }),
        _ if is_integer(body.ty(value)) => Some(Entry::Argument),
        _ => None,
    }
}

/// Returns the width in bits of an `index` value known to be non-negative, if it is less than the full width.
fn index_bits(view: View<'_>, value: ValueId) -> Option<u32> {
    let (low, high) = bounds(view.context, view.body, value)?;
    let width_bits = (64 - high.leading_zeros()).max(1);
    (low >= 0 && width_bits < 63).then_some(width_bits)
}

/// Returns an unused function name.
fn free_name(context: &Context, module: &Module, view: View<'_>, function: OperationId) -> String {
    let kernel = View::new(context, module.inner(), function);
    let kernel = kernel.symbol_name().unwrap_or("kernel");
    let given = view.attribute(sluice::NAME);
    let counter = view.entry_block(0);
    let counter = counter.and_then(|block| view.body.arguments(block).first().copied());
    let counter = counter.and_then(|counter| view.body.value_name(counter));
    let counter = counter.map_or("loop", |name| context.text(name));
    let what = given.and_then(|name| name.as_str(context));
    let wanted = format!("{kernel}_{}", what.unwrap_or(counter));
    let is_free = |name: &String| module.lookup_symbol(context, name).is_none();
    let mut others = (2..).map(|n| format!("{wanted}_{n}"));
    match is_free(&wanted) {
        true => wanted,
        false => others
            .find(is_free)
            .expect("there are more numbers than names"),
    }
}

fn declare(
    context: &Context,
    module: &mut Module,
    name: &str,
    (inputs, results): (&[Type], &[Type]),
    view: View<'_>,
) -> OperationId {
    let ty = context.function_type(inputs, results);
    let mut new = NewOperation::new(context.operation_name(func::Func::NAME), view.location());
    new.attributes = vec![
        (context.name("sym_name"), context.string_attribute(name)),
        (context.name("function_type"), context.type_attribute(ty)),
        (
            context.name("sym_visibility"),
            context.string_attribute("private"),
        ),
        (context.name(sluice::NO_INLINE), context.unit_attribute()),
    ];
    new.n_regions = 1;
    let inner = module.inner_mut();
    let block = inner.blocks(inner.top_regions().next().expect("a module has a region"))[0];
    let made = inner.create(context, new);
    inner.append(block, made);
    made
}
