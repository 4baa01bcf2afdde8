//! `first-values`: moves the initialisation of a memory into the next loop nest, if that nest overwrites the same words: its
//! first read of each word is replaced by the initial value.
//!
//! `for j { y[j] = v }; for i { for j { y[j] = y[j] + x } }` becomes `for i { for j { y[j] = (i is first ? v : y[j]) + x } }`.

use sluice_dialects::{aliases, arith, memref, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{Body, Builder, Context, Exact, OperationId, ValueId, View};

use crate::analysis::linear::{Linear, is_invariant, linear, loop_of};
use crate::build::{EQ, binary, compare, constant, constant_i64, is_pure, name, select};

/// Applies the rewriting to every loop that only fills words of one memory with a value.
pub fn first_values(context: &Context, body: &mut Body) {
    for op in body.walk_all() {
        if body.is_erased(op) {
            continue;
        }
        let Some(filled) = fill_of(context, body, op) else {
            continue;
        };
        if let Some(reading) = reading_behind(context, body, &filled) {
            replace(context, body, &filled, &reading);
        }
    }
}

/// A loop that stores one value into words of a memory, each once.
struct Fill {
    op: OperationId,
    memory: ValueId,
    value: ValueId,
    cells: Cells,
}

/// Addresses with a constant stride.
#[derive(PartialEq, Eq)]
struct Cells {
    first: i64,
    stride: i64,
    count: Exact,
}

/// The only load of the memory in a nest; it comes before the only store, which has the same address.
struct Reading {
    load: OperationId,
    /// The nest reads a word for the first time if all these loops are in their first iteration.
    first_in: Vec<OperationId>,
}

fn is_loop(context: &Context, body: &Body, op: OperationId) -> bool {
    name(context, body, op) == scf::For::NAME
}

/// Returns the words that an address covers over the iterations of a loop; `None` if anything else influences it or a number is
/// unknown.
fn cells(context: &Context, body: &Body, op: OperationId, address: &Linear) -> Option<Cells> {
    let known = loop_of(context, body, op)?;
    let factor = address.coefficient(known.variable);
    let first = constant_i64(context, body, body.operand(op, 0))?;
    let rest = address.without(known.variable).as_constant()?;
    let cells = Cells {
        first: rest.checked_add(first.checked_mul(factor)?)?,
        stride: factor.checked_mul(known.step?)?,
        count: known.trip_count?,
    };
    (factor != 0 && cells.count.is_positive()).then_some(cells)
}

fn fill_of(context: &Context, body: &Body, op: OperationId) -> Option<Fill> {
    let is_plain =
        is_loop(context, body, op) && body.results(op).is_empty() && body.attributes(op).is_empty();
    if !is_plain {
        return None;
    }
    let block = body.entry_block(op, 0)?;
    let mut stores = Vec::new();
    for inner in body.operations(block) {
        match name(context, body, inner) {
            memref::Store::NAME => stores.push(inner),
            scf::Yield::NAME => {}
            _ if is_pure(View::new(context, body, inner)) => {}
            _ => return None,
        }
    }
    let [store] = stores[..] else {
        return None;
    };
    let operands: Vec<ValueId> = body.operands(store).collect();
    let &[value, memory, address] = operands.as_slice() else {
        return None;
    };
    let fixed = is_invariant(body, op, value) && is_invariant(body, op, memory);
    let cells = cells(context, body, op, &linear(context, body, address))?;
    fixed.then_some(Fill {
        op,
        memory,
        value,
        cells,
    })
}

/// Returns whether an operation, including its regions, may access a memory or has it as an operand.
fn touches(context: &Context, body: &Body, op: OperationId, memory: ValueId) -> bool {
    let mut all = body.walk(op).into_iter();
    let effects = Effects::of(context, body, op);
    all.any(|inner| body.operands(inner).any(|value| value == memory))
        || aliases::may_hold(context, body, &effects.reads, memory)
        || aliases::may_hold(context, body, &effects.writes, memory)
}

/// Returns whether an operation in a nest may access a memory that is not one of its operands.
fn touched_otherwise(context: &Context, body: &Body, nest: OperationId, memory: ValueId) -> bool {
    let others = body.walk(nest).into_iter();
    let mut others = others.filter(|op| !body.operands(*op).any(|value| value == memory));
    others.any(|op| {
        let effects = Effects::own(context, body, op);
        let touched = [&effects.reads, &effects.writes];
        touched
            .iter()
            .any(|memories| aliases::may_hold(context, body, memories, memory))
    })
}

/// Finds the load in the first loop after the fill that accesses its memory.
fn reading_behind(context: &Context, body: &Body, filled: &Fill) -> Option<Reading> {
    let mut next = body.next(filled.op);
    while let Some(op) = next.filter(|op| !touches(context, body, *op, filled.memory)) {
        next = body.next(op);
    }
    let nest = next.filter(|op| is_loop(context, body, *op))?;
    let users: Vec<OperationId> = body
        .walk(nest)
        .into_iter()
        .filter(|op| body.operands(*op).any(|value| value == filled.memory))
        .collect();
    let &[load, store] = users.as_slice() else {
        return None;
    };
    if touched_otherwise(context, body, nest, filled.memory) {
        return None;
    }
    let kinds = (name(context, body, load), name(context, body, store));
    if kinds != (memref::Load::NAME, memref::Store::NAME) || body.operand(store, 1) != filled.memory
    {
        return None;
    }
    let block = body.parent_block(load)?;
    if body.parent_block(store) != Some(block) || !is_before(body, load, store) {
        return None;
    }
    let address = linear(context, body, body.operand(load, 1));
    if linear(context, body, body.operand(store, 2)) != address {
        return None;
    }
    // Every enclosing loop has a known trip count, and exactly one of them determines the address.
    let around = std::iter::successors(body.parent_operation(load), |op| {
        (*op != nest).then(|| body.parent_operation(*op)).flatten()
    });
    let (mut first_in, mut covering) = (Vec::new(), Vec::new());
    for op in around {
        let known = loop_of(context, body, op)?;
        constant_i64(context, body, body.operand(op, 0))?;
        if !known.trip_count?.is_positive() {
            return None;
        }
        match address.coefficient(known.variable) {
            0 => first_in.push(op),
            _ => covering.push(op),
        }
    }
    let &[covering] = covering.as_slice() else {
        return None;
    };
    let same = cells(context, body, covering, &address)? == filled.cells;
    // Without a loop in `first_in`, the nest reads each word only once, so this pass has no first iteration to select.
    (same && !first_in.is_empty()).then_some(Reading { load, first_in })
}

/// Returns whether an operation comes before another one of its block.
fn is_before(body: &Body, first: OperationId, second: OperationId) -> bool {
    let mut behind = std::iter::successors(body.next(first), |op| body.next(*op));
    behind.any(|op| op == second)
}

fn replace(context: &Context, body: &mut Body, filled: &Fill, reading: &Reading) {
    let behind = body.next(reading.load).expect("the store is after it");
    let mut is_first: Option<ValueId> = None;
    for op in &reading.first_in {
        let block = body.entry_block(*op, 0).expect("a loop has a body");
        let (counter, lower) = (body.arguments(block)[0], body.operand(*op, 0));
        let lower = constant_i64(context, body, lower).expect("it is known");
        let mut builder = Builder::before(context, body, behind);
        let ty = builder.body.ty(counter);
        let lower = constant(&mut builder, ty, lower);
        let here = compare(&mut builder, EQ, counter, lower);
        is_first = Some(match is_first {
            Some(all) => binary(&mut builder, arith::Andi::NAME, all, here),
            None => here,
        });
    }
    let is_first = is_first.expect("there is a loop around");
    let read = body.result(reading.load, 0);
    let users: Vec<(OperationId, usize)> = body.uses(read).collect();
    let mut builder = Builder::before(context, body, behind);
    let value = select(&mut builder, is_first, filled.value, read);
    for (user, at) in users {
        body.set_operand(user, at, value);
    }
    body.erase(filled.op);
}
