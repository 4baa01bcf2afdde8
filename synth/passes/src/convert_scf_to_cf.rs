//! The `convert-scf-to-cf` pass: structured control flow becomes blocks and branches.
//!
//! Source: MLIR, `SCFToControlFlow`. Blocks are in the order of the text: condition, body, and what follows.

use sluice_dialects::{arith, cf, scf, scf::index_switch_cases};
use sluice_ir::bits::Bits;
use sluice_ir::definition::{RegionConstraint, Traits};
use sluice_ir::{
    AttributeKind, BlockId, Body, Builder, Context, Diagnostics, NewOperation, OperationId,
    RegionId, TypeKind, ValueId, View,
};

use crate::emit::{binary, branch, compare, conditional_branch, replace, split_block, value};
use crate::forall_loops;

/// Predicate of `arith.cmpi`: signed less than.
const SLT: i64 = 2;

/// The operations that become branches.
const CONVERTED: [&str; 7] = [
    scf::For::NAME,
    scf::While::NAME,
    scf::If::NAME,
    scf::ExecuteRegion::NAME,
    scf::IndexSwitch::NAME,
    scf::Parallel::NAME,
    scf::Forall::NAME,
];

/// Converts all structured control flow of a body.
pub(crate) fn convert(context: &Context, body: &mut Body, found: &mut Diagnostics) {
    for op in body.walk_all() {
        if let Err(message) = check(View::new(context, body, op)) {
            found.error(body.location(op), message);
        }
    }
    if found.has_errors() {
        return;
    }
    forall_loops::to_parallel(context, body, found);
    sluice_transform::lower_parallel(context, body);
    // Outer operations come first, so each region has one block when its operation is converted.
    for op in body.walk_all() {
        match context.operation_text(body.name(op)) {
            scf::For::NAME => convert_for(context, body, op),
            scf::While::NAME => convert_while(context, body, op),
            scf::If::NAME => convert_if(context, body, op),
            scf::ExecuteRegion::NAME => convert_region(context, body, op),
            scf::IndexSwitch::NAME => convert_switch(context, body, op),
            _ => None,
        };
    }
}

/// Refuses operations in a region that can have one block only.
fn check(view: View<'_>) -> Result<(), String> {
    let name = view.name();
    if !CONVERTED.contains(&name) {
        return Ok(());
    }
    let Some(parent) = view.body.parent_operation(view.id) else {
        return Ok(());
    };
    let parent = view.at(parent);
    let Some(definition) = parent.definition() else {
        return Ok(());
    };
    let takes_one = |constraint: RegionConstraint| match constraint {
        RegionConstraint::Any => false,
        RegionConstraint::Sized(n) | RegionConstraint::MaxSized(n) => n <= 1,
    };
    let takes_one = definition.has(Traits::SINGLE_BLOCK)
        || definition
            .regions
            .iter()
            .any(|region| takes_one(region.constraint));
    if takes_one && !CONVERTED.contains(&parent.name()) && parent.name() != scf::Reduce::NAME {
        return Err(format!(
            "`{name}` would become several blocks, but a region of `{}` has one block only",
            parent.name()
        ));
    }
    Ok(())
}

/// Moves the blocks of `region` after `anchor`; returns the last one.
fn blocks_after(body: &mut Body, anchor: BlockId, region: RegionId) -> BlockId {
    let mut last = anchor;
    for block in body.blocks(region).to_vec() {
        body.move_block_after(last, block);
        last = block;
    }
    last
}

/// Replaces the terminator of `block` by a branch that passes on its operands.
fn leave_to(context: &Context, body: &mut Body, block: BlockId, to: BlockId) {
    if let Some(last) = body.last_operation(block) {
        let values: Vec<ValueId> = body.operands(last).collect();
        branch(&mut Builder::before(context, body, last), to, &values);
        body.erase(last);
    }
}

/// Splits the block of `op` before `op`. Returns the two blocks; `op` stays the first operation of the second.
fn around(body: &mut Body, op: OperationId) -> Option<(BlockId, BlockId)> {
    let before = body.parent_block(op)?;
    Some((before, split_block(body, op)?))
}

/// Adds a block with the results of `op` as arguments, which continues at `rest`.
fn block_of_results(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    (last, rest): (BlockId, BlockId),
) -> BlockId {
    let location = body.location(op);
    let block = body.create_block();
    body.move_block_after(last, block);
    for result in body.results(op).to_vec() {
        let ty = body.ty(result);
        body.add_argument(block, ty, location);
    }
    let mut builder = Builder::at_end(context, body, block, location);
    branch(&mut builder, rest, &[]);
    block
}

fn convert_for(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let (before, rest) = around(body, op)?;
    let location = body.location(op);
    let operands: Vec<ValueId> = body.operands(op).collect();
    let [lower, upper, step, inits @ ..] = &operands[..] else {
        return None;
    };
    let region = *body.regions(op).first()?;
    let condition = *body.blocks(region).first()?;
    blocks_after(body, before, region);
    let inside = match body.first_operation(condition) {
        Some(first) => split_block(body, first)?,
        None => return None,
    };
    let arguments = body.arguments(condition).to_vec();
    let (variable, carried) = arguments.split_first()?;

    let mut entry = vec![*lower];
    entry.extend_from_slice(inits);
    let mut builder = Builder::at_end(context, body, before, location);
    branch(&mut builder, condition, &entry);

    let last = body.last_operation(inside)?;
    let mut builder = Builder::before(context, body, last);
    builder.location = location;
    let stepped = binary(&mut builder, arith::Addi::NAME, *variable, *step);
    let mut passed = vec![stepped];
    passed.extend(builder.body.operands(last));
    branch(&mut builder, condition, &passed);
    body.erase(last);

    let mut builder = Builder::at_end(context, body, condition, location);
    let goes_on = compare(&mut builder, SLT, *variable, *upper);
    conditional_branch(&mut builder, goes_on, (inside, &[]), (rest, &[]));
    replace(body, op, carried);
    Some(())
}

fn convert_while(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let (outside, rest) = around(body, op)?;
    let location = body.location(op);
    let inits: Vec<ValueId> = body.operands(op).collect();
    let [before, after] = *body.regions(op) else {
        return None;
    };
    let test = *body.blocks(before).first()?;
    let work = *body.blocks(after).first()?;
    let last = body.last_operation(test)?;
    let only_passes_on = is_only_yield(body, work);
    let tested = blocks_after(body, outside, before);
    if !only_passes_on {
        blocks_after(body, tested, after);
    }
    let mut builder = Builder::at_end(context, body, outside, location);
    branch(&mut builder, test, &inits);

    let operands: Vec<ValueId> = body.operands(last).collect();
    let (condition, passed) = operands.split_first()?;
    let taken = if only_passes_on { test } else { work };
    let mut builder = Builder::before(context, body, last);
    conditional_branch(&mut builder, *condition, (taken, passed), (rest, &[]));
    body.erase(last);
    if !only_passes_on {
        leave_to(context, body, work, test);
    }
    replace(body, op, passed);
    Some(())
}

/// Returns true if a block only yields its arguments, in order.
fn is_only_yield(body: &Body, block: BlockId) -> bool {
    let first = body.first_operation(block);
    first.is_some_and(|first| {
        body.next(first).is_none()
            && body
                .operands(first)
                .eq(body.arguments(block).iter().copied())
    })
}

fn convert_if(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let (before, rest) = around(body, op)?;
    let location = body.location(op);
    let condition = body.operand(op, 0);
    let [taken, otherwise] = *body.regions(op) else {
        return None;
    };
    let mut last = before;
    let mut entries = Vec::new();
    for region in [taken, otherwise] {
        let entry = body.blocks(region).first().copied();
        last = blocks_after(body, last, region);
        entries.push(entry);
    }
    let joined = match body.results(op).is_empty() {
        true => rest,
        false => block_of_results(context, body, op, (last, rest)),
    };
    for entry in entries.iter().flatten() {
        leave_to(context, body, *entry, joined);
    }
    let mut builder = Builder::at_end(context, body, before, location);
    let (taken, otherwise) = (entries[0]?, entries[1].unwrap_or(joined));
    conditional_branch(&mut builder, condition, (taken, &[]), (otherwise, &[]));
    let values = match joined == rest {
        true => Vec::new(),
        false => body.arguments(joined).to_vec(),
    };
    replace(body, op, &values);
    Some(())
}

fn convert_region(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let (before, rest) = around(body, op)?;
    let location = body.location(op);
    let region = *body.regions(op).first()?;
    let blocks = body.blocks(region).to_vec();
    let entry = *blocks.first()?;
    blocks_after(body, before, region);
    let mut builder = Builder::at_end(context, body, before, location);
    branch(&mut builder, entry, &[]);
    for block in blocks {
        let last = body.last_operation(block)?;
        if context.operation_text(body.name(last)) == scf::Yield::NAME {
            leave_to(context, body, block, rest);
        }
    }
    let values = arguments_of_results(body, op, rest);
    replace(body, op, &values);
    Some(())
}

/// Adds an argument to `block` for each result of `op`.
fn arguments_of_results(body: &mut Body, op: OperationId, block: BlockId) -> Vec<ValueId> {
    let location = body.location(op);
    let types: Vec<_> = body.results(op).iter().map(|r| body.ty(*r)).collect();
    let types = types.into_iter();
    types
        .map(|ty| body.add_argument(block, ty, location))
        .collect()
}

fn convert_switch(context: &Context, body: &mut Body, op: OperationId) -> Option<()> {
    let (before, rest) = around(body, op)?;
    let view = View::new(context, body, op);
    let (location, cases, flag) = (view.location(), index_switch_cases(view), view.operand(0));
    let (default, others) = view.regions().split_first()?;
    let (default, others) = (*default, others.to_vec());
    let mut last = before;
    let mut entries = Vec::new();
    for region in others.into_iter().chain([default]) {
        let entry = *body.blocks(region).first()?;
        last = blocks_after(body, last, region);
        leave_to(context, body, entry, rest);
        entries.push(entry);
    }
    let default = entries.pop()?;
    let values = arguments_of_results(body, op, rest);

    let mut builder = Builder::at_end(context, body, before, location);
    let word = context.integer_type(32);
    let flag = value(&mut builder, arith::IndexCast::NAME, &[flag], word, &[]);
    let mut new = NewOperation::new(context.operation_name(cf::Switch::NAME), location);
    new.operands.push(flag);
    new.successors.push(default);
    new.successors.extend(entries);
    let segments = vec![0; cases.len()];
    let numbers: Vec<Bits> = cases
        .iter()
        .map(|case| Bits::from_i64(64, *case).trunc(32))
        .collect();
    if let Some(first) = numbers.first() {
        let splat = numbers.iter().all(|number| number == first);
        let ty = context.ty(TypeKind::Vector {
            shape: Box::new([numbers.len() as u64]),
            scalable: Box::new([false]),
            element: word,
        });
        let values = match splat {
            true => Box::new([first.clone()]),
            false => numbers.into_boxed_slice(),
        };
        let elements = AttributeKind::DenseElements { ty, values, splat };
        new.attributes
            .push((context.name("case_values"), context.attribute(elements)));
    }
    new.attributes.push((
        context.name("case_operand_segments"),
        context.dense_i32_array(&segments),
    ));
    new.attributes.push((
        context.name("operandSegmentSizes"),
        context.dense_i32_array(&[1, 0, 0]),
    ));
    builder.create(new);
    replace(body, op, &values);
    Some(())
}
