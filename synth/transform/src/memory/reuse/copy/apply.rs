//! Creates a reuse copy: its memory, its reads and its fillers.

use sluice_dialects::{arith, memref, scf, synthesis_form::outer_operation};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, ValueId, View};

use super::{Plan, Prefill};
use crate::analysis::dependence::access_of;
use crate::build::{binary, constant, name};
use crate::datapath::if_convert::guard_store;
use crate::memory::promote::materialise;

/// Creates the copy: the reads take their values from it, the fillers write to it.
pub(in crate::memory::reuse) fn apply(
    context: &Context,
    body: &mut Body,
    plan: &Plan,
    reads: &[OperationId],
) {
    let element = body
        .ty(plan.memory)
        .element_type(context)
        .expect("a memref has an element type");
    let region = body.top_regions().next().expect("a function has a body");
    let entry = body.blocks(region)[0];
    let first = body
        .first_operation(entry)
        .expect("a block ends in a terminator");
    let location = body.location(reads[0]);
    let mut builder = Builder::before(context, body, first);
    builder.location = location;
    let segments = context.dense_i32_array(&[0, 0]);
    let made = builder.operation(
        memref::Alloca::NAME,
        &[],
        &[context.memref_type(&[plan.words], element)],
        &[("operandSegmentSizes", segments)],
    );
    let copy = body.result(made, 0);
    if let Some(array) = body.value_name(plan.memory) {
        let name = context.name(&format!("{}_copy", context.text(array)));
        body.set_value_name(copy, Some(name));
    }
    for read in reads {
        let anchor = outer_operation(View::new(context, body, *read));
        let index = address(context, body, *read, anchor);
        let slot = slot(context, body, anchor, index, plan);
        body.set_operand(*read, 0, copy);
        body.set_operand(*read, 1, slot);
    }
    for filler in &plan.fillers {
        let anchor = outer_operation(View::new(context, body, *filler));
        let index = address(context, body, *filler, anchor);
        let slot = slot(context, body, anchor, index, plan);
        let writes = name(context, body, *filler) == memref::Store::NAME;
        let value = if writes {
            body.operand(*filler, 0)
        } else {
            body.result(*filler, 0)
        };
        let behind = body.next(anchor).expect("a block ends in a terminator");
        let location = body.location(*filler);
        let mut builder = Builder::before(context, body, behind);
        builder.location = location;
        let store = builder.operation(memref::Store::NAME, &[value, copy, slot], &[], &[]);
        if anchor != *filler {
            let condition = body.operand(anchor, 0);
            guard_store(context, body, behind, store, condition);
        }
    }
    if let Some(prefill) = &plan.prefill {
        fill_in_front(context, body, plan, copy, prefill);
    }
}

/// Emits the address of an access before `anchor`, which is the access or its guard.
fn address(
    context: &Context,
    body: &mut Body,
    access: OperationId,
    anchor: OperationId,
) -> ValueId {
    let operand = if name(context, body, access) == memref::Store::NAME {
        2
    } else {
        1
    };
    if anchor == access {
        return body.operand(access, operand);
    }
    let known = access_of(context, body, access).expect("it is an access");
    materialise(context, body, anchor, &known.address)
}

/// Emits the slot of a word.
fn slot(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    index: ValueId,
    plan: &Plan,
) -> ValueId {
    if plan.is_whole {
        return index;
    }
    let location = body.location(anchor);
    let mut builder = Builder::before(context, body, anchor);
    builder.location = location;
    let mask = i64::try_from(plan.words - 1).expect("a memory has fewer than 2^63 words");
    let mask = constant(&mut builder, context.index_type(), mask);
    binary(&mut builder, arith::Andi::NAME, index, mask)
}

/// Emits a loop before another one that copies a range of words into the copy.
fn fill_in_front(
    context: &Context,
    body: &mut Body,
    plan: &Plan,
    copy: ValueId,
    prefill: &Prefill,
) {
    let loop_op = prefill.loop_op;
    let index = context.index_type();
    let location = body.location(loop_op);
    let element = body.ty(copy).element_type(context);
    let element = element.expect("a memref has an element type");
    let number = |n: u64| i64::try_from(n).expect("a memory has fewer than 2^63 words");
    // The constant part is in the bounds, so that without outer loops the counter itself is the address.
    let base = (!prefill.base.terms.is_empty())
        .then(|| materialise(context, body, loop_op, &prefill.base));
    let mut builder = Builder::before(context, body, loop_op);
    builder.location = location;
    let bounds = [prefill.low, prefill.high + 1, 1];
    let bounds = bounds.map(|bound| constant(&mut builder, index, bound));
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
    new.operands = bounds.to_vec().into();
    new.n_regions = 1;
    let made = builder.create(new);
    let region = body.regions(made)[0];
    let block = body.append_block(region);
    let counter = body.add_argument(block, index, location);
    body.set_value_name(counter, Some(context.name("filled")));
    let mut builder = Builder::at_end(context, body, block, location);
    let cell = base.map_or(counter, |base| {
        binary(&mut builder, arith::Addi::NAME, base, counter)
    });
    let load = builder.operation(memref::Load::NAME, &[plan.memory, cell], &[element], &[]);
    let value = builder.body.result(load, 0);
    let is_direct = base.is_none() && u64::try_from(prefill.high).is_ok_and(|h| h < plan.words);
    let slot = if plan.is_whole || is_direct {
        cell
    } else {
        let mask = constant(&mut builder, index, number(plan.words) - 1);
        binary(&mut builder, arith::Andi::NAME, cell, mask)
    };
    builder.operation(memref::Store::NAME, &[value, copy, slot], &[], &[]);
    builder.operation(scf::Yield::NAME, &[], &[], &[]);
}
