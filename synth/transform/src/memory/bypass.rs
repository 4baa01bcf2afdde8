//! `bypass`: store-to-load forwarding across iterations: a load takes the value of a recent store from registers.
//!
//! A word that is read, changed and written back in every iteration, at an unknown address, forms a recurrence through the memory
//! (histograms, tables of counters). With the last `k` stores kept in registers and their addresses compared, a load may start
//! before these stores are done, and the dependence distance grows to `k + 1` iterations.

use std::collections::BTreeMap;

use sluice_dialects::sluice::BYPASS;
use sluice_dialects::{arith, memref, scf, sluice, synthesis_form::outer_operation};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use crate::analysis::demand::address_bits;
use crate::analysis::dependence::{write_edges, written_edges};
use crate::build::{binary, compare, constant, end_with_more, grow, is_pure, name, select, unary};

/// A store and the earlier loads of the body that depend on it across iterations.
struct Pair {
    store: OperationId,
    loads: Vec<OperationId>,
}

/// Transforms every `scf.for` with [`BYPASS`] whose dependences are known, and every such `scf.while` without accesses before
/// its condition.
pub fn bypass(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        let depth = body
            .attribute_named(context, op, BYPASS)
            .and_then(|a| a.as_i64(context))
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(0);
        let is_loop = matches!(name(context, body, op), scf::For::NAME | scf::While::NAME);
        if depth > 0 && is_loop {
            let mut current = op;
            for pair in pairs(context, body, op, depth) {
                current = keep_stores(context, body, current, &pair, depth);
            }
        }
    }
}

/// Returns whether `depth` kept stores would help a load of a loop whose dependences are known.
pub fn can_bypass(context: &Context, body: &Body, loop_op: OperationId, depth: usize) -> bool {
    !pairs(context, body, loop_op, depth).is_empty()
}

fn access_number(context: &Context, body: &Body, access: OperationId) -> Option<i64> {
    body.attribute_named(context, access, sluice::ACCESS)?
        .as_i64(context)
}

/// Returns memories with one store in the body, and the loads before it that depend on the store at a distance of at most
/// `depth`.
fn pairs(context: &Context, body: &Body, loop_op: OperationId, depth: usize) -> Vec<Pair> {
    if !has_accesses_in_body_only(context, body, loop_op) {
        return Vec::new();
    }
    let accesses: BTreeMap<i64, OperationId> = body
        .walk(loop_op)
        .into_iter()
        .filter(|op| {
            matches!(
                name(context, body, *op),
                memref::Load::NAME | memref::Store::NAME
            )
        })
        .filter_map(|op| Some((access_number(context, body, op)?, op)))
        .collect();
    let stores: Vec<(i64, OperationId)> = accesses
        .iter()
        .filter(|(_, op)| name(context, body, **op) == memref::Store::NAME)
        .map(|(number, op)| (*number, *op))
        .collect();
    let listed = written_edges(context, body, loop_op);
    let mut found = Vec::new();
    for (from, store) in &stores {
        let memory = body.operand(*store, 1);
        let others = stores
            .iter()
            .filter(|(_, other)| body.operand(*other, 1) == memory);
        if others.count() > 1 {
            continue;
        }
        let near = |d: i64| d >= 1 && usize::try_from(d).is_ok_and(|d| d <= depth);
        let loads: Vec<OperationId> = listed
            .iter()
            .filter(|[source, sink, d]| source == from && sink < from && near(*d))
            .filter_map(|[_, sink, _]| accesses.get(sink).copied())
            .filter(|op| name(context, body, *op) == memref::Load::NAME)
            .collect();
        if !loads.is_empty() {
            let store = *store;
            found.push(Pair { store, loads });
        }
    }
    found
}

/// Returns whether a loop has no accesses before its condition: these cannot see values that the body keeps.
fn has_accesses_in_body_only(context: &Context, body: &Body, loop_op: OperationId) -> bool {
    if name(context, body, loop_op) == scf::For::NAME {
        return true;
    }
    let before = body.entry_block(loop_op, 0);
    let mut before = before.into_iter().flat_map(|block| body.operations(block));
    before.all(|op| {
        let view = View::new(context, body, op);
        is_pure(view) || view.name() == scf::Condition::NAME
    })
}

/// Carries the last stores through the loop and lets the loads select; returns the new loop.
fn keep_stores(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    pair: &Pair,
    depth: usize,
) -> OperationId {
    let memory = body.operand(pair.store, 1);
    let value_type = body.ty(body.operand(pair.store, 0));
    let address_type = context.integer_type(address_bits(context, body, memory));
    let bit = context.integer_type(1);
    let location = body.location(pair.store);
    let kept = [address_type, value_type, bit];
    let types = kept.repeat(depth);
    let mut builder = Builder::before(context, body, loop_op);
    let empty: Vec<ValueId> = types
        .iter()
        .map(|ty| constant(&mut builder, *ty, 0))
        .collect();
    let made = grow(context, body, loop_op, &empty, &types);
    let last_region = body.regions(made).len() - 1;
    let block = body.entry_block(made, last_region);
    let block = block.expect("the block just moved");
    if last_region > 0 {
        let before = body.entry_block(made, 0).expect("the block just moved");
        let passed: Vec<ValueId> = types
            .iter()
            .map(|ty| body.add_argument(before, *ty, location))
            .collect();
        end_with_more(body, before, &passed);
    }
    let mut entries: Vec<[ValueId; 3]> = Vec::new();
    for _ in 0..depth {
        entries.push(kept.map(|ty| body.add_argument(block, ty, location)));
    }
    for load in &pair.loads {
        select_latest_store(context, body, *load, &entries);
    }
    let last = body
        .last_operation(block)
        .expect("a loop body ends in a yield");
    let shell = outer_operation(View::new(context, body, pair.store));
    let mut yielded: Vec<ValueId> = body.operands(last).collect();
    let (value, address) = (body.operand(pair.store, 0), body.operand(pair.store, 2));
    let guard = (shell != pair.store).then(|| body.operand(shell, 0));
    let mut builder = Builder::before(context, body, last);
    builder.location = location;
    let address = unary(&mut builder, arith::IndexCast::NAME, address, address_type);
    let valid = guard.unwrap_or_else(|| constant(&mut builder, bit, -1));
    yielded.extend([address, value, valid]);
    for entry in &entries[..depth - 1] {
        yielded.extend(entry);
    }
    body.set_operands(last, &yielded);
    // Raises the distances of the dependences on the kept stores.
    let store = access_number(context, body, pair.store);
    let loads: Vec<Option<i64>> = pair
        .loads
        .iter()
        .map(|load| access_number(context, body, *load))
        .collect();
    let beyond = i64::try_from(depth + 1).unwrap_or(i64::MAX);
    let all: Vec<_> = written_edges(context, body, made)
        .into_iter()
        .map(|[from, to, distance]| {
            let kept = Some(from) == store && loads.contains(&Some(to)) && distance >= 1;
            let distance = if kept { distance.max(beyond) } else { distance };
            [from, to, distance]
        })
        .collect();
    write_edges(context, body, made, &all);
    made
}

/// Emits after a load the selection of the latest kept store with the same address, or else of the loaded value.
fn select_latest_store(
    context: &Context,
    body: &mut Body,
    load: OperationId,
    entries: &[[ValueId; 3]],
) {
    let shell = outer_operation(View::new(context, body, load));
    let read = body.result(shell, 0);
    let uses: Vec<(OperationId, usize)> = body.uses(read).collect();
    let address = body.operand(load, 1);
    let condition = (shell != load).then(|| body.operand(shell, 0));
    let behind = body.next(shell).expect("a loop body ends in a yield");
    let location = body.location(load);
    let address_type = body.ty(entries[0][0]);
    let mut builder = Builder::before(context, body, behind);
    builder.location = location;
    let address = unary(&mut builder, arith::IndexCast::NAME, address, address_type);
    let mut value = read;
    for [kept_address, kept_value, valid] in entries.iter().rev() {
        let same = compare(&mut builder, EQUAL, address, *kept_address);
        let mut hit = binary(&mut builder, arith::Andi::NAME, same, *valid);
        if let Some(condition) = condition {
            hit = binary(&mut builder, arith::Andi::NAME, hit, condition);
        }
        value = select(&mut builder, hit, *kept_value, value);
    }
    for (user, operand) in uses {
        body.set_operand(user, operand, value);
    }
}

const EQUAL: i64 = 0;
