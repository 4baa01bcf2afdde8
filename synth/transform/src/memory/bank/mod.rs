//! `bank`: array partitioning into several memories, so that several elements are accessed in one cycle.
//!
//! `sluice.banks` on an argument of a function or on a local memory requests it, see [`directive`]. A local memory becomes one
//! memory per bank, an argument becomes one argument per bank. If the coefficients of the counters determine the bank of an
//! access, it goes directly to that bank and never conflicts with accesses of other banks. Otherwise a load reads all possible
//! banks and selects, and a store writes under a condition. Accesses that never meet in a bank do so together, see [`groups`].
//!
//! Source: Y. Wang, P. Li, J. Cong, "Theory and algorithm for generalized memory partitioning in high-level synthesis", FPGA 2014
//! (banks and addresses of cyclic and block-cyclic partitions). Differs: the bank is decided for each access from its linear
//! form; an access pattern is seen as a whole only where its accesses differ by constants.

mod access;
mod counters;
mod directive;
mod groups;
mod place;
mod rotate;

use sluice_dialects::sluice::{ARRAY, BANKED, BANKS, STORAGE};
use sluice_dialects::{func, memref, partition::Partition};
use sluice_ir::{
    Attribute, Body, Builder, Context, Diagnostics, Location, Module, OperationId, Type, TypeKind,
    ValueId,
};

use crate::build::{all_named, name};
use access::{choice_of, rewrite};
use counters::count_iterations;

/// Splits the arrays of all functions that have the attribute.
pub fn bank(context: &Context, module: &mut Module, diagnostics: &mut Diagnostics) {
    for op in module.top_level_operations() {
        if name(context, module.inner(), op) == func::Func::NAME {
            bank_function(context, module.inner_mut(), op, diagnostics);
        }
    }
}

/// An array that becomes banks.
struct Array {
    value: ValueId,
    name: String,
    partition: Partition,
    element: Type,
}

fn bank_function(
    context: &Context,
    inner: &mut Body,
    op: OperationId,
    diagnostics: &mut Diagnostics,
) {
    let asked = asked_arrays(context, inner, op);
    if asked.is_empty() {
        return;
    }
    let mut arrays = Vec::new();
    for (value, attribute) in asked {
        match array(context, inner.inner(op), value, attribute) {
            Ok(array) if array.partition.n_banks() > 1 => arrays.push(array),
            Ok(_) => {}
            Err((location, message)) => {
                diagnostics.error(location, message);
            }
        }
    }
    if diagnostics.has_errors() {
        return;
    }
    let body = inner.inner_mut(op);
    count_iterations(context, body);
    let mut entries = Vec::new();
    let argument_banks = widen_signature(context, inner, op, &arrays);
    let body = inner.inner_mut(op);
    for array in arrays {
        let (banks, first) = match argument_banks.iter().find(|(v, ..)| *v == array.value) {
            Some((_, first, banks)) => (banks.clone(), Some(*first)),
            None => (local_banks(context, body, &array), None),
        };
        let (straight, chosen) = rewrite_accesses(context, body, &array, &banks);
        entries.push(entry(context, &array, first, [straight, chosen]));
        if first.is_none()
            && let Some(made) = body.defining_operation(array.value)
        {
            body.erase(made);
        }
    }
    remove_old_arguments(context, inner, op, &argument_banks);
    if !entries.is_empty() {
        inner.set_attribute(op, context.name(BANKED), context.array_attribute(&entries));
    }
}

/// Returns the arrays with the attribute, and removes the attribute.
fn asked_arrays(context: &Context, inner: &mut Body, op: OperationId) -> Vec<(ValueId, Attribute)> {
    let mut found = Vec::new();
    let key = context.name(BANKS);
    let arg_attrs = context.name("arg_attrs");
    let entry = inner.entry_block(op, 0);
    let attributes = inner.attribute(op, arg_attrs);
    let attributes = attributes.and_then(|a| a.as_array(context));
    if let (Some(entry), Some(all)) = (entry, attributes) {
        let arguments = inner.inner(op).arguments(entry).to_vec();
        let mut rest = Vec::new();
        for (value, attributes) in arguments.iter().zip(all) {
            let entries = attributes.as_dictionary(context).unwrap_or_default();
            let request = entries.iter().find(|(name, _)| *name == key);
            found.extend(request.map(|(_, request)| (*value, *request)));
            let kept: Vec<_> = entries.iter().filter(|(n, _)| *n != key).copied().collect();
            rest.push(context.dictionary_attribute(&kept));
        }
        if !found.is_empty() {
            inner.set_attribute(op, arg_attrs, context.array_attribute(&rest));
        }
    }
    let body = inner.inner_mut(op);
    for op in all_named(context, body, memref::Alloca::NAME) {
        if let Some(request) = body.remove_attribute(op, key) {
            found.push((body.result(op, 0), request));
        }
    }
    found
}

/// Returns the partition requested for one array, or an error with its location.
fn array(
    context: &Context,
    body: &Body,
    value: ValueId,
    attribute: Attribute,
) -> Result<Array, (Location, String)> {
    let made = body.defining_operation(value);
    let location = made.map_or_else(|| body.value_location(value), |op| body.location(op));
    let given = made
        .and_then(|op| body.attribute_named(context, op, ARRAY))
        .and_then(|a| a.as_str(context));
    let own = body.value_name(value).map(|name| context.text(name));
    let name_of_array = given.or(own).unwrap_or("array").to_owned();
    let ty = body.ty(value);
    let shape = ty.static_shape(context);
    let memory = matches!(ty.kind(context), TypeKind::MemRef { layout: None, .. });
    let (Some(shape), Some(element), true) = (shape, ty.element_type(context), memory) else {
        let message = format!("`{name_of_array}` is no array of constant size: it has no banks");
        return Err((location, message));
    };
    let partition = directive::partition(context, attribute, &name_of_array, &shape)
        .map_err(|message| (location, message))?;
    for (user, operand) in body.uses(value) {
        let is_access = matches!(
            (name(context, body, user), operand),
            (memref::Load::NAME, 0) | (memref::Store::NAME, 1)
        );
        if !is_access {
            let message = format!(
                "`{name_of_array}` is in banks and cannot go to `{}`: let the callee be inlined",
                name(context, body, user)
            );
            return Err((body.location(user), message));
        }
    }
    Ok(Array {
        value,
        name: name_of_array,
        partition,
        element,
    })
}

fn bank_type(context: &Context, array: &Array) -> Type {
    context.memref_type(&array.partition.bank_shape(), array.element)
}

fn bank_name(context: &Context, array: &Array, bank: u64) -> sluice_ir::Name {
    context.name(&format!("{}_{bank}", array.name))
}

/// A former array argument: its value, the argument number of its first bank, and its banks.
type ArgumentBanks = (ValueId, i64, Vec<ValueId>);

/// Adds arguments for the banks, in the order of the arrays, which remain for now because of their uses.
fn widen_signature(
    context: &Context,
    inner: &mut Body,
    op: OperationId,
    arrays: &[Array],
) -> Vec<ArgumentBanks> {
    let mut made = Vec::new();
    let Some(entry) = inner.entry_block(op, 0) else {
        return made;
    };
    let body = inner.inner_mut(op);
    let old = body.arguments(entry).to_vec();
    if !arrays.iter().any(|array| old.contains(&array.value)) {
        return made;
    }
    let n_old = old.len();
    for value in old {
        let location = body.value_location(value);
        match arrays.iter().find(|array| array.value == value) {
            Some(array) => {
                let first = body.arguments(entry).len() - n_old;
                let ty = bank_type(context, array);
                let banks = (0..array.partition.n_banks())
                    .map(|bank| {
                        let new = body.add_argument(entry, ty, location);
                        body.set_value_name(new, Some(bank_name(context, array, bank)));
                        new
                    })
                    .collect();
                let first = i64::try_from(first).expect("few arguments");
                made.push((value, first, banks));
            }
            None => {
                let new = body.add_argument(entry, body.ty(value), location);
                body.set_value_name(new, body.value_name(value));
                body.replace_all_uses(value, new);
            }
        }
    }
    made
}

/// Removes the arguments that [`widen_signature`] replaced, and updates the function type.
fn remove_old_arguments(
    context: &Context,
    inner: &mut Body,
    op: OperationId,
    banks: &[ArgumentBanks],
) {
    let ty = inner
        .attribute_named(context, op, "function_type")
        .and_then(|a| a.as_type(context));
    let (Some(entry), Some(TypeKind::Function { inputs, results }), false) = (
        inner.entry_block(op, 0),
        ty.map(|ty| ty.kind(context)),
        banks.is_empty(),
    ) else {
        return;
    };
    let arg_attrs = context.name("arg_attrs");
    let attributes = inner.attribute(op, arg_attrs);
    let body = inner.inner_mut(op);
    let old = body.arguments(entry)[..inputs.len()].to_vec();
    if let Some(all) = attributes.and_then(|a| a.as_array(context)) {
        let mut widened = Vec::new();
        for (value, attributes) in old.iter().zip(all) {
            let own = banks.iter().find(|(array, ..)| array == value);
            let n = own.map_or(1, |(.., banks)| banks.len());
            widened.extend(std::iter::repeat_n(*attributes, n));
        }
        inner.set_attribute(op, arg_attrs, context.array_attribute(&widened));
    }
    let body = inner.inner_mut(op);
    for _ in &old {
        body.remove_argument(entry, 0);
    }
    let arguments = body.arguments(entry).iter();
    let types: Vec<Type> = arguments.map(|value| body.ty(*value)).collect();
    let ty = context.function_type(&types, results);
    inner.set_attribute(
        op,
        context.name("function_type"),
        context.type_attribute(ty),
    );
}

/// Creates the memories that a local array becomes.
fn local_banks(context: &Context, body: &mut Body, array: &Array) -> Vec<ValueId> {
    let op = body
        .defining_operation(array.value)
        .expect("what is no argument is made by an operation");
    let ty = bank_type(context, array);
    let storage = body.attribute_named(context, op, STORAGE);
    let mut builder = Builder::before(context, body, op);
    let segments = context.dense_i32_array(&[0, 0]);
    let mut attributes = vec![("operandSegmentSizes", segments)];
    attributes.extend(storage.map(|storage| (STORAGE, storage)));
    (0..array.partition.n_banks())
        .map(|bank| {
            let made = builder.operation(memref::Alloca::NAME, &[], &[ty], &attributes);
            let value = builder.body.result(made, 0);
            let name = bank_name(context, array, bank);
            builder.body.set_value_name(value, Some(name));
            value
        })
        .collect()
}

/// Returns the entry of [`BANKED`].
fn entry(
    context: &Context,
    array: &Array,
    first: Option<i64>,
    [straight, chosen]: [i64; 2],
) -> Attribute {
    let mut entries = vec![
        (context.name("array"), context.string_attribute(&array.name)),
        (
            context.name("partition"),
            array.partition.to_attribute(context),
        ),
        (context.name("straight"), context.i64_attribute(straight)),
        (context.name("chosen"), context.i64_attribute(chosen)),
    ];
    if let Some(first) = first {
        entries.push((context.name("first"), context.i64_attribute(first)));
    }
    context.dictionary_attribute(&entries)
}

/// Rewrites every access of an array; returns how many go directly to one bank, and how many select one.
fn rewrite_accesses(
    context: &Context,
    body: &mut Body,
    array: &Array,
    banks: &[ValueId],
) -> (i64, i64) {
    let (mut straight, mut chosen) = (0, 0);
    for group in groups::groups(context, body, array) {
        chosen += i64::try_from(group.members.len()).expect("few accesses");
        rotate::rewrite_group(context, body, array, banks, &group);
    }
    let mut users: Vec<OperationId> = body.uses(array.value).map(|(user, _)| user).collect();
    users.sort_unstable();
    for user in users {
        let choice = choice_of(context, body, array, user);
        if choice.banks.len() == 1 {
            straight += 1;
        } else {
            chosen += 1;
        }
        rewrite(context, body, user, &choice, banks);
    }
    (straight, chosen)
}
