//! Demotes loop-carried sums to the memory word they are finally stored to, so that each term becomes a separate statement.

use std::collections::BTreeMap;

use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, ValueId, View};

use super::super::nest::{computes, operations};
use super::statement::only_computes;
use crate::analysis::dependence_vectors::{Outside, Pair, Reference, references};
use crate::analysis::linear::{is_invariant, linear};
use crate::build::name;

/// Demotes carried values of loops inside `root`, if each has a word to stay in; other loops are unchanged.
pub(super) fn demote(context: &Context, body: &mut Body, root: OperationId) {
    for op in body.walk(root) {
        let is_sum = op != root
            && !body.is_erased(op)
            && name(context, body, op) == scf::For::NAME
            && !body.results(op).is_empty()
            && !only_computes(context, body, op);
        if !is_sum {
            continue;
        }
        let results = body.results(op).to_vec();
        let cells: Option<Vec<Cell>> = (0..results.len())
            .map(|at| cell(context, body, op, at))
            .collect();
        if let Some(cells) = cells
            && are_apart(context, body, op, &cells)
        {
            replace(context, body, op, &cells);
        }
    }
}

/// A memory word that can hold a carried value.
struct Cell {
    memory: ValueId,
    indices: Vec<ValueId>,
    reference: Reference,
    /// True if the initial value is loaded from the word.
    has_first: bool,
}

/// Returns the word that result `at` of a loop, or a value computed from it, is stored to.
fn cell(context: &Context, body: &Body, op: OperationId, at: usize) -> Option<Cell> {
    let block = body.parent_block(op)?;
    let behind: Vec<OperationId> =
        std::iter::successors(body.next(op), |op| body.next(*op)).collect();
    let mut made = vec![body.result(op, at)];
    let mut store = None;
    for (place, later) in behind.iter().enumerate() {
        let uses = body.operands(*later).any(|value| made.contains(&value));
        let view = View::new(context, body, *later);
        if view.name() == memref::Store::NAME && made.contains(&view.operand(0)) {
            store = Some((place, *later));
            break;
        }
        if uses && computes(view) {
            made.extend(body.results(*later));
        }
        // A loop without memory accesses may compute a value from the sum.
        let inside = body.walk(*later);
        let reads = inside
            .iter()
            .any(|op| body.operands(*op).any(|v| made.contains(&v)));
        if reads && only_computes(context, body, *later) {
            made.extend(body.results(*later));
        }
    }
    let (place, store) = store?;
    let memory = body.operand(store, 1);
    if body.ty(memory).element_type(context) != Some(body.ty(body.result(op, at))) {
        return None;
    }
    let indices: Vec<ValueId> = body.operands(store).skip(2).collect();
    let known_before = |value: &ValueId| {
        let mut known = Vec::new();
        is_made_before(context, body, op, *value, &mut known)
    };
    if !indices.iter().all(known_before) || !is_invariant(body, op, memory) {
        return None;
    }
    let forms = indices
        .iter()
        .map(|index| Some(linear(context, body, *index)));
    let reference = Reference {
        op: store,
        memory,
        writes: true,
        counters: Vec::new(),
        subscripts: forms.collect(),
    };
    let loops = [op];
    let outside = Outside {
        context,
        body,
        loops: &loops,
    };
    let is_apart = |other: &Reference| {
        other.memory != memory || !Pair::new(&outside, &reference, other, 0).may_hold()
    };
    for other in std::iter::once(&op).chain(&behind[..place]) {
        let touches = |op: &OperationId| {
            let view = View::new(context, body, *op);
            !matches!(
                view.name(),
                memref::Load::NAME
                    | memref::Store::NAME
                    | scf::For::NAME
                    | scf::Yield::NAME
                    | scf::If::NAME
            ) && !computes(view)
        };
        let is_sum = *other == op || body.regions(*other).is_empty();
        if body.walk(*other).iter().any(touches)
            || !(is_sum || only_computes(context, body, *other))
            || !references(context, body, *other, *other)
                .iter()
                .all(is_apart)
        {
            return None;
        }
    }
    let first = body.operand(op, 3 + at);
    let has_first = body.defining_operation(first).is_some_and(|load| {
        let view = View::new(context, body, load);
        let same = view.name() == memref::Load::NAME
            && view.operand(0) == memory
            && body.parent_block(load) == Some(block)
            && view
                .operands()
                .skip(1)
                .map(|index| Some(linear(context, body, index)))
                .eq(reference.subscripts.iter().cloned());
        let between = std::iter::successors(body.next(load), |op| body.next(*op));
        let mut between = between.take_while(|between| *between != op);
        same && between.all(|op| {
            let view = View::new(context, body, op);
            computes(view) || view.name() == memref::Load::NAME
        })
    });
    Some(Cell {
        memory,
        indices,
        reference,
        has_first,
    })
}

/// Returns whether a value of the block of `op` can be computed before `op`.
fn is_made_before(
    context: &Context,
    body: &Body,
    op: OperationId,
    value: ValueId,
    known: &mut Vec<ValueId>,
) -> bool {
    if known.contains(&value) {
        return true;
    }
    let Some(made) = body.defining_operation(value) else {
        return is_invariant(body, op, value);
    };
    let is_before = body.parent_block(made) != body.parent_block(op)
        || std::iter::successors(body.next(made), |op| body.next(*op)).any(|next| next == op);
    let holds = is_before
        || (made != op
            && computes(View::new(context, body, made))
            && body
                .operands(made)
                .all(|operand| is_made_before(context, body, op, operand, &mut Vec::new())));
    if holds {
        known.push(value);
    }
    holds
}

/// Returns whether no two of the words can be the same.
fn are_apart(context: &Context, body: &Body, op: OperationId, cells: &[Cell]) -> bool {
    let loops = [op];
    let outside = Outside {
        context,
        body,
        loops: &loops,
    };
    cells.iter().enumerate().all(|(at, a)| {
        cells[..at].iter().all(|b| {
            a.memory != b.memory || !Pair::new(&outside, &a.reference, &b.reference, 0).may_hold()
        })
    })
}

/// Replaces a loop by one that keeps its carried values in memory words.
fn replace(context: &Context, body: &mut Body, op: OperationId, cells: &[Cell]) {
    let location = body.location(op);
    let firsts: Vec<ValueId> = body.operands(op).skip(3).collect();
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
    new.operands.extend(body.operands(op).take(3));
    new.attributes = body.attributes(op).to_vec();
    new.n_regions = 1;
    let made = body.create(context, new);
    body.insert_before(op, made);
    let (from, to) = (body.regions(op)[0], body.regions(made)[0]);
    body.move_blocks(from, to);
    let block = body.entry_block(made, 0).expect("the block just moved");
    let arguments = body.arguments(block).to_vec();
    let end = body
        .last_operation(block)
        .expect("a body ends in a terminator");
    let after = body.next(op).expect("a block ends in a terminator");
    for (at, cell) in cells.iter().enumerate() {
        let mut values = BTreeMap::new();
        for index in &cell.indices {
            copy_before(context, body, made, op, *index, &mut values);
        }
        let indices = cell.indices.iter().map(|i| values.get(i).unwrap_or(i));
        let address: Vec<ValueId> = std::iter::once(&cell.memory)
            .chain(indices)
            .copied()
            .collect();
        let ty = body.ty(firsts[at]);
        let at_store = body.location(cell.reference.op);
        if !cell.has_first {
            let mut builder = Builder::before(context, body, made);
            builder.location = at_store;
            let operands: Vec<ValueId> = [firsts[at]].into_iter().chain(address.clone()).collect();
            builder.operation(memref::Store::NAME, &operands, &[], &[]);
        }
        let inside = body
            .first_operation(block)
            .expect("a body ends in a terminator");
        for (anchor, old) in [(inside, arguments[at + 1]), (after, body.result(op, at))] {
            let mut builder = Builder::before(context, body, anchor);
            builder.location = at_store;
            let load = builder.operation(memref::Load::NAME, &address, &[ty], &[]);
            let value = body.result(load, 0);
            if body.value_name(value).is_none() {
                body.set_value_name(value, body.value_name(old));
            }
            body.replace_all_uses(old, value);
        }
        let last = body.operand(end, at);
        let mut builder = Builder::before(context, body, end);
        builder.location = at_store;
        let operands: Vec<ValueId> = [last].into_iter().chain(address).collect();
        builder.operation(memref::Store::NAME, &operands, &[], &[]);
    }
    body.set_operands(end, &[]);
    for at in (1..arguments.len()).rev() {
        body.remove_argument(block, at);
    }
    body.erase(op);
    // Loads of the initial values are now dead, unless they have other uses.
    for first in firsts {
        if let Some(load) = body.defining_operation(first)
            && name(context, body, load) == memref::Load::NAME
            && body.is_unused(first)
        {
            body.erase(load);
        }
    }
    debug_assert!(
        !operations(body, made).is_empty(),
        "the cells are read and written"
    );
}

/// Copies the operations that compute a value after `op` to before `anchor`.
fn copy_before(
    context: &Context,
    body: &mut Body,
    anchor: OperationId,
    op: OperationId,
    value: ValueId,
    values: &mut BTreeMap<ValueId, ValueId>,
) {
    let Some(made) = body.defining_operation(value) else {
        return;
    };
    let is_behind = body.parent_block(made) == body.parent_block(op)
        && std::iter::successors(body.next(op), |op| body.next(*op)).any(|next| next == made);
    if !is_behind || values.contains_key(&value) {
        return;
    }
    for operand in body.operands(made).collect::<Vec<_>>() {
        copy_before(context, body, anchor, op, operand, values);
    }
    let copy = body.copy(context, made, values);
    body.insert_before(anchor, copy);
}
