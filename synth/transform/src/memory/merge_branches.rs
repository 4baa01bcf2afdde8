//! `merge-branches`: merges accesses that both branches of a conditional make to the same word, and moves them out.
//!
//! A load that occurs in both branches moves before the conditional. Stores of both branches to the same word become one store of
//! the selected value. Each merge saves a use of a memory port in every iteration.

use sluice_dialects::{memref, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{BlockId, Body, Builder, Context, NewOperation, OperationId, ValueId, View};

use crate::analysis::dependence::{MemoryAccess, access_of, may_alias};
use crate::analysis::transitive_operands::{Part, all_transitive_operands};
use crate::build::{is_pure, name, replace};

/// Transforms every conditional, inner ones first.
pub fn merge_branches(context: &Context, body: &mut Body) {
    for op in body.walk_all().into_iter().rev() {
        if name(context, body, op) != scf::If::NAME {
            continue;
        }
        let (Some(then), Some(otherwise)) = (body.entry_block(op, 0), body.entry_block(op, 1))
        else {
            continue;
        };
        merge_loads(context, body, op, then, otherwise);
        merge_stores(context, body, op, then, otherwise);
    }
}

fn same_cell(a: &MemoryAccess, b: &MemoryAccess) -> bool {
    a.memory == b.memory && a.address == b.address
}

/// Returns whether an operation other than an access may touch memory or has regions, which are not analysed here.
fn is_opaque(view: View<'_>) -> bool {
    let is_access = access_of(view.context, view.body, view.id).is_some();
    !view.regions().is_empty()
        || (!is_access && Effects::own(view.context, view.body, view.id).touches())
}

/// Returns the loads of a block that read the state of the memory before the block.
fn first_loads(context: &Context, body: &Body, block: BlockId) -> Vec<MemoryAccess> {
    let mut stores: Vec<MemoryAccess> = Vec::new();
    let mut loads = Vec::new();
    for op in body.operations(block) {
        if is_opaque(View::new(context, body, op)) {
            break;
        }
        let Some(access) = access_of(context, body, op) else {
            continue;
        };
        if access.writes {
            stores.push(access);
        } else if !stores.iter().any(|s| may_alias(context, body, s, &access)) {
            loads.push(access);
        }
    }
    loads
}

fn merge_loads(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    then: BlockId,
    otherwise: BlockId,
) {
    for load in first_loads(context, body, then) {
        let address = body.operand(load.op, 1);
        let others = first_loads(context, body, otherwise);
        let Some(other) = others.iter().find(|other| same_cell(other, &load)) else {
            continue;
        };
        if !can_hoist(context, body, op, address) {
            continue;
        }
        hoist(body, op, address);
        body.move_before(op, load.op);
        let value = body.result(load.op, 0);
        replace(body, other.op, &[value]);
    }
}

/// Returns the last store of a block to each word, if no later operation touches the word.
fn last_stores(context: &Context, body: &Body, block: BlockId) -> Vec<MemoryAccess> {
    let ops: Vec<_> = body.operations(block).collect();
    let mut behind: Vec<MemoryAccess> = Vec::new();
    let mut stores = Vec::new();
    for op in ops.into_iter().rev() {
        if is_opaque(View::new(context, body, op)) {
            break;
        }
        let Some(access) = access_of(context, body, op) else {
            continue;
        };
        if access.writes && !behind.iter().any(|b| may_alias(context, body, b, &access)) {
            stores.push(access.clone());
        }
        behind.push(access);
    }
    stores
}

fn merge_stores(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    then: BlockId,
    otherwise: BlockId,
) {
    let mut pairs = Vec::new();
    let others = last_stores(context, body, otherwise);
    for store in last_stores(context, body, then) {
        let address = body.operand(store.op, 2);
        if let Some(other) = others.iter().find(|other| same_cell(other, &store))
            && can_hoist(context, body, op, address)
        {
            pairs.push((store.op, other.op));
        }
    }
    if pairs.is_empty() {
        return;
    }
    // A conditional with an additional result for each pair.
    let view = View::new(context, body, op);
    let n_results = view.results().len();
    let mut new = NewOperation::new(context.operation_name(scf::If::NAME), view.location());
    new.operands.push(view.operand(0));
    new.result_types.extend(view.result_types());
    for (store, _) in &pairs {
        new.result_types.push(view.ty(view.at(*store).operand(0)));
    }
    new.attributes = view.attributes().to_vec();
    new.n_regions = 2;
    for (store, _) in &pairs {
        let address = body.operand(*store, 2);
        hoist(body, op, address);
    }
    let made = body.create(context, new);
    body.insert_before(op, made);
    for region in 0..2 {
        let (from, to) = (body.regions(op)[region], body.regions(made)[region]);
        body.move_blocks(from, to);
        let block = body.blocks(to)[0];
        let last = body
            .last_operation(block)
            .expect("a branch ends in a yield");
        let mut values: Vec<ValueId> = body.operands(last).collect();
        for (then_store, else_store) in &pairs {
            let store = if region == 0 {
                *then_store
            } else {
                *else_store
            };
            values.push(body.operand(store, 0));
        }
        body.set_operands(last, &values);
    }
    let mut targets = Vec::new();
    for (then_store, else_store) in pairs {
        let location = body.location(then_store);
        targets.push((
            body.operand(then_store, 1),
            body.operand(then_store, 2),
            location,
        ));
        body.erase(then_store);
        body.erase(else_store);
    }
    // Stores were found from the last to the first; either the words differ, or the first one found executes last.
    for (i, (memory, address, location)) in targets.into_iter().enumerate() {
        let value = body.result(made, n_results + i);
        let mut builder = Builder::before(context, body, op);
        builder.location = location;
        builder.operation(memref::Store::NAME, &[value, memory, address], &[], &[]);
    }
    let results = body.results(made)[..n_results].to_vec();
    replace(body, op, &results);
}

/// Returns whether a value can be computed before `op`: it is from outside, or pure operations compute it from such values.
fn can_hoist(context: &Context, body: &Body, op: OperationId, value: ValueId) -> bool {
    all_transitive_operands(body, value, u32::MAX, |value| {
        if let Some(definition) = inside(body, op, value) {
            let is_pure = is_pure(View::new(context, body, definition));
            return Part::through(Some(definition).filter(|_| is_pure));
        }
        let block = body.defining_block(value);
        Part::is(block.is_none_or(|block| !is_within(body, op, block)))
    })
}

/// Moves the operations that compute a value to before `op`.
fn hoist(body: &mut Body, op: OperationId, value: ValueId) {
    let Some(definition) = inside(body, op, value) else {
        return;
    };
    for operand in body.operands(definition).collect::<Vec<_>>() {
        hoist(body, op, operand);
    }
    body.move_before(op, definition);
}

/// Returns the operation that defines a value, if it is inside `op`.
fn inside(body: &Body, op: OperationId, value: ValueId) -> Option<OperationId> {
    body.defining_operation(value)
        .filter(|definition| *definition != op && body.is_ancestor(op, *definition))
}

fn is_within(body: &Body, op: OperationId, block: BlockId) -> bool {
    body.block_parent_operation(block)
        .is_some_and(|parent| body.is_ancestor(op, parent))
}
