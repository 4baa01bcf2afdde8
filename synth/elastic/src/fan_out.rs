//! One use for each channel: forks where there are several, sinks where there is none.

use sluice_ir::{Body, Context, NewOperation, TypeKind, ValueId};

/// Makes forks and sinks, so that each channel has exactly one use.
pub(crate) fn fan_out(context: &Context, body: &mut Body) {
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
            true => "handshake.sink",
            false => "handshake.fork",
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
