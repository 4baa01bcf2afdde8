//! Gives each channel exactly one use: inserts forks for several uses and sinks for none.

use sluice_dialects::handshake;
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Module, NewOperation, TypeKind, ValueId, View};

use crate::channels::Channels;
use crate::inline::FUNCTION;

/// Inserts forks and sinks in every graph of a module, so that each channel has exactly one use, like CIRCT's `materialize`.
pub fn materialise(context: &Context, module: &mut Module) {
    for function in named(context, module, FUNCTION) {
        let view = View::new(context, module.inner(), function);
        if view.entry_block(0).is_some() {
            fan_out(context, module.inner_mut().inner_mut(function));
        }
    }
}

/// Removes forks and sinks; a channel may then have any number of uses.
pub(crate) fn fan_in(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        match context.operation_text(body.name(op)) {
            handshake::Sink::NAME => {}
            handshake::Fork::NAME => {
                let value = body.operands(op).next();
                // A fork of its own result never gets a token.
                let Some(value) = value.filter(|value| !body.results(op).contains(value)) else {
                    continue;
                };
                for result in body.results(op).to_vec() {
                    body.replace_all_uses(result, value);
                }
            }
            _ => continue,
        }
        body.erase(op);
    }
}

/// Duplicates values that always have a token, once per use: a fork would let one use wait until another one takes the token,
/// which a multiplexer may never do.
fn copy_sourced(context: &Context, body: &mut Body) {
    let sourced = Channels::new(context, body).sourced();
    for channel in sourced.into_iter().rev() {
        let uses: Vec<_> = body.uses(channel).collect();
        let Some(op) = body.defining_operation(channel) else {
            continue;
        };
        if body.results(op).len() > 1 {
            continue;
        }
        for (user, index) in uses.into_iter().skip(1) {
            let mut new = NewOperation::new(body.name(op), body.location(op));
            new.operands = body.operands(op).collect();
            new.result_types = [body.ty(channel)].into_iter().collect();
            new.attributes = body.attributes(op).to_vec();
            let copy = body.create(context, new);
            body.insert_after(op, copy);
            let result = body.result(copy, 0);
            body.set_operand(user, index, result);
        }
    }
}

/// Inserts forks and sinks, so that each channel has exactly one use.
pub(crate) fn fan_out(context: &Context, body: &mut Body) {
    copy_sourced(context, body);
    let Some(region) = body.top_regions().next() else {
        return;
    };
    let block = body.blocks(region)[0];
    let mut values: Vec<ValueId> = body.arguments(block).to_vec();
    for op in body.walk_all() {
        values.extend(body.results(op));
    }
    for value in values {
        if matches!(body.ty(value).kind(context), TypeKind::MemRef { .. }) {
            continue;
        }
        let uses: Vec<_> = body.uses(value).collect();
        if uses.len() == 1 {
            continue;
        }
        let location = body.value_location(value);
        let name = match uses.is_empty() {
            true => handshake::Sink::NAME,
            false => handshake::Fork::NAME,
        };
        let mut new = NewOperation::new(context.operation_name(name), location);
        new.operands = [value].into_iter().collect();
        new.result_types = vec![body.ty(value); uses.len()].into();
        let op = body.create(context, new);
        match body.defining_operation(value) {
            Some(maker) => body.insert_after(maker, op),
            None => body.prepend(block, op),
        }
        for (i, (user, index)) in uses.into_iter().enumerate() {
            let copy = body.result(op, i);
            body.set_operand(user, index, copy);
        }
    }
}
