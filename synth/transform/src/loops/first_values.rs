//! `first-values`: moves the initialisation of a memory into the next loop nest, if that nest overwrites the same words: its
//! first read of each word is replaced by the initial value.
//!
//! `for j { y[j] = v }; for i { for j { y[j] = y[j] + x } }` becomes `for i { for j { y[j] = (i is first ? v : y[j]) + x } }`.
//! If the nest reads each word only once, the value takes the place of the load. Both may be nests of several loops.

use sluice_dialects::{aliases, arith, memref, scf};
use sluice_ir::effects::Effects;
use sluice_ir::{Body, Builder, Context, Exact, OperationId, ValueId, View};

use crate::analysis::linear::{Linear, is_invariant, linear, loop_of};
use crate::build::{EQ, binary, compare, constant, constant_i64, is_pure, name, select};

/// Applies the rewriting to every loop, and every nest, that only fills words of one memory with a value.
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

/// A nest of loops that stores one value into words of a memory, each once.
struct Fill {
    op: OperationId,
    memory: ValueId,
    value: ValueId,
    cells: Cells,
}

/// Different addresses: all sums of `first` and, for each axis, a multiple of its stride.
#[derive(PartialEq, Eq)]
struct Cells {
    first: i64,
    /// Stride and number of multiples, with growing strides. No two axes could be one.
    axes: Vec<(i64, Exact)>,
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

/// Returns the words that an address covers over the iterations of nested loops; `None` if anything else influences it, if a number
/// is unknown, or if an address may occur twice.
fn cells(context: &Context, body: &Body, loops: &[OperationId], address: &Linear) -> Option<Cells> {
    let mut rest = address.clone();
    let mut first = 0i64;
    let mut axes: Vec<(i64, Exact)> = Vec::new();
    for op in loops {
        let known = loop_of(context, body, *op)?;
        let factor = rest.coefficient(known.variable);
        let lower = constant_i64(context, body, body.operand(*op, 0))?;
        first = first.checked_add(lower.checked_mul(factor)?)?;
        rest = rest.without(known.variable);
        let mut stride = factor.checked_mul(known.step?)?;
        let count = known.trip_count?;
        if stride == 0 || !count.is_positive() {
            return None;
        }
        if stride < 0 {
            let last = count.minus(1).to_i64()?;
            first = first.checked_add(stride.checked_mul(last)?)?;
            stride = stride.checked_neg()?;
        }
        if count != Exact::from(1) {
            axes.push((stride, count));
        }
    }
    axes.sort_by_key(|(stride, _)| *stride);
    let mut merged: Vec<(i64, Exact)> = Vec::new();
    for (stride, count) in axes {
        match merged.last_mut() {
            Some((inner, inner_count)) => {
                let span = inner_count.times(Exact::from(*inner));
                match span.cmp(&Exact::from(stride)) {
                    std::cmp::Ordering::Equal => *inner_count = inner_count.times(count),
                    std::cmp::Ordering::Less => merged.push((stride, count)),
                    std::cmp::Ordering::Greater => return None,
                }
            }
            None => merged.push((stride, count)),
        }
    }
    Some(Cells {
        first: first.checked_add(rest.as_constant()?)?,
        axes: merged,
    })
}

/// Returns the loops of a nest from the outermost, and its store, if the nest has only that one effect.
fn only_store(
    context: &Context,
    body: &Body,
    op: OperationId,
) -> Option<(Vec<OperationId>, OperationId)> {
    let mut loops = vec![op];
    loop {
        let inside = *loops.last()?;
        let is_plain = body.results(inside).is_empty() && body.attributes(inside).is_empty();
        if !is_plain {
            return None;
        }
        let block = body.entry_block(inside, 0)?;
        let mut effects = Vec::new();
        for inner in body.operations(block) {
            match name(context, body, inner) {
                memref::Store::NAME | scf::For::NAME => effects.push(inner),
                scf::Yield::NAME => {}
                _ if is_pure(View::new(context, body, inner)) => {}
                _ => return None,
            }
        }
        let [only] = effects[..] else {
            return None;
        };
        if is_loop(context, body, only) {
            loops.push(only);
        } else {
            return Some((loops, only));
        }
    }
}

fn fill_of(context: &Context, body: &Body, op: OperationId) -> Option<Fill> {
    if !is_loop(context, body, op) {
        return None;
    }
    let (loops, store) = only_store(context, body, op)?;
    let operands: Vec<ValueId> = body.operands(store).collect();
    let &[value, memory, address] = operands.as_slice() else {
        return None;
    };
    let fixed = is_invariant(body, op, value) && is_invariant(body, op, memory);
    let cells = cells(context, body, &loops, &linear(context, body, address))?;
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
    // Every enclosing loop has a known trip count.
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
    let same = cells(context, body, &covering, &address)? == filled.cells;
    same.then_some(Reading { load, first_in })
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
    let read = body.result(reading.load, 0);
    let users: Vec<(OperationId, usize)> = body.uses(read).collect();
    let value = match is_first {
        Some(is_first) => {
            let mut builder = Builder::before(context, body, behind);
            select(&mut builder, is_first, filled.value, read)
        }
        // Each word is read only once.
        None => filled.value,
    };
    for (user, at) in users {
        body.set_operand(user, at, value);
    }
    if body.is_unused(read) {
        body.erase(reading.load);
    }
    body.erase(filled.op);
}
