//! `reassociate`: lets loops accumulate floats without waiting for each addition, where their order is free.
//!
//! A sum that a loop carries takes as many cycles for each iteration as its adder has stages, because each addition waits for the one
//! before. Such a loop is unrolled until its iteration has as much other work as that. The terms of one iteration are then added among
//! themselves, and their sum to the carried value: one addition of the recurrence for all of them. Products, and fused products and sums,
//! get a carried value for each copy instead, which are joined after the loop.

use std::collections::BTreeMap;

use sluice_dialects::sluice::BALANCE;
use sluice_dialects::{arith, memref, scf, sluice};
use sluice_ir::algebra::{Algebra, Concrete, FloatFormat, FloatOp};
use sluice_ir::bits::Bits;
use sluice_ir::{
    BlockId, Body, Builder, Context, Module, NewOperation, OperationId, ValueId, View,
};

use crate::analysis::linear::loop_of;
use crate::build::{
    all_named, binary, carry, constant, constant_bits, constant_i64, max_value_of, name, select,
    yield_more,
};
use crate::datapath::balance::balance;
use crate::loops::unroll::{split_at, unroll_by};
use crate::lowering::float_words::REASSOC;

/// Returns whether a module has float operations whose order is free.
pub fn has_free_order(context: &Context, module: &Module) -> bool {
    let inner = module.inner();
    let mut functions = module.top_level_operations().into_iter();
    functions.any(|function| {
        inner.is_isolated(function) && {
            let body = inner.inner(function);
            let mut all = body.walk_all().into_iter();
            all.any(|op| is_free(context, body, op))
        }
    })
}

/// Returns whether an operation is a float operation whose order is free.
pub(crate) fn is_free(context: &Context, body: &Body, op: OperationId) -> bool {
    name(context, body, op) == sluice::Float::NAME
        && View::new(context, body, op).attribute(REASSOC).is_some()
}

/// Facts about the units of an operation.
#[derive(Clone, Copy)]
pub struct Unit {
    /// Cycles after which a unit can take its own result as an operand.
    pub turn_cycles: u32,
    /// Number of units, if it is limited.
    pub limit: Option<u32>,
}

/// A value that a loop accumulates.
struct Reduction {
    /// Its number among the carried values.
    index: usize,
    op: FloatOp,
    format: FloatFormat,
    /// Cycles after which the next iteration can go on with the result.
    turn_cycles: u32,
    /// Cycles for which an iteration keeps the units busy.
    busy_cycles: u32,
}

/// Unrolls the loops that accumulate floats in a free order. `units` returns what is known of the units of an operation.
pub fn reassociate(context: &Context, body: &mut Body, units: &dyn Fn(View<'_>) -> Option<Unit>) {
    for op in all_named(context, body, scf::For::NAME) {
        let is_innermost = body
            .walk(op)
            .into_iter()
            .all(|inner| inner == op || body.regions(inner).is_empty());
        let Some(block) = body.entry_block(op, 0).filter(|_| is_innermost) else {
            continue;
        };
        let n_carried = body.results(op).len();
        for index in 0..n_carried {
            add_always(context, body, block, index);
        }
        let found: Vec<Reduction> = (0..n_carried)
            .filter_map(|index| reduction(context, body, block, index, units))
            .collect();
        let turn = found.iter().map(|one| one.turn_cycles).max().unwrap_or(1);
        let busy = found.iter().map(|one| one.busy_cycles).max().unwrap_or(1);
        let wanted = turn.div_ceil(port_cycles(context, body, op).max(busy));
        let Some(n_copies) = unrolled(context, body, op, wanted) else {
            continue;
        };
        let (sums, others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| one.op == FloatOp::Add);
        let mut op = op;
        for one in others {
            op = accumulators(context, body, op, &one, n_copies);
        }
        if !sums.is_empty() {
            body.set_attribute(op, context.name(BALANCE), context.unit_attribute());
        }
    }
    balance(context, body);
}

/// Turns the choice between a sum and its carried value into a sum with a chosen term: negative zero changes no sum.
fn add_always(context: &Context, body: &mut Body, block: BlockId, index: usize) -> Option<()> {
    let argument = *body.arguments(block).get(index + 1)?;
    let end = body.last_operation(block)?;
    let yielded = body.operands(end).nth(index)?;
    let choice = own_operation(body, block, yielded)?;
    (name(context, body, choice) == arith::Select::NAME).then_some(())?;
    let [condition, first, second] = [0, 1, 2].map(|i| body.operand(choice, i));
    let (sum, is_first) = match (first, second) {
        (sum, kept) if kept == argument => (sum, true),
        (kept, sum) if kept == argument => (sum, false),
        _ => return None,
    };
    let addition = own_operation(body, block, sum)?;
    is_free(context, body, addition).then_some(())?;
    let view = View::new(context, body, addition);
    let (op, format) = view.with_site(sluice::float_operation)?;
    let term_place = (0..2).find(|i| view.operand(*i) != argument)?;
    let is_sum = op == FloatOp::Add && view.operand(1 - term_place) == argument;
    (is_sum && body.uses(argument).count() == 2).then_some(())?;
    let term = view.operand(term_place);
    // The condition may come after the sum, whose only use is the choice.
    body.move_before(addition, choice);
    let mut builder = Builder::before(context, body, addition);
    let ty = builder.body.ty(term);
    let nothing = constant_bits(&mut builder, ty, neutral(op, format));
    let (first, second) = if is_first {
        (term, nothing)
    } else {
        (nothing, term)
    };
    let mut builder = Builder::before(context, body, addition);
    let chosen = select(&mut builder, condition, first, second);
    body.set_operand(addition, term_place, chosen);
    body.replace_all_uses(yielded, sum);
    body.erase(choice);
    Some(())
}

/// Returns the operation in a block that makes a value with one use.
fn own_operation(body: &Body, block: BlockId, value: ValueId) -> Option<OperationId> {
    let made = body.defining_operation(value)?;
    let is_own = body.parent_block(made) == Some(block) && body.has_one_use(value);
    is_own.then_some(made)
}

/// Returns how a loop accumulates a carried value, if neither it nor a value on the way has another use in the loop.
fn reduction(
    context: &Context,
    body: &Body,
    block: BlockId,
    index: usize,
    units: &dyn Fn(View<'_>) -> Option<Unit>,
) -> Option<Reduction> {
    let chain = chain(context, body, block, index)?;
    let (operation, _) = *chain.first()?;
    let view = View::new(context, body, operation);
    let (op, format) = view.with_site(sluice::float_operation)?;
    let unit = units(view)?;
    // Copies of the body that a directive asked for are a chain, unless they are one sum.
    let turn_cycles = unit
        .turn_cycles
        .checked_mul(u32::try_from(chain.len()).ok()?)?;
    let class = sluice::float_class(view);
    let all = body.operations(block);
    let shared = all.filter(|one| sluice::float_class(View::new(context, body, *one)) == class);
    let n_shared = u32::try_from(shared.count()).ok()?;
    let busy_cycles = unit
        .limit
        .map_or(1, |limit| n_shared.div_ceil(limit.max(1)));
    Some(Reduction {
        index,
        op,
        format,
        turn_cycles,
        busy_cycles,
    })
}

/// Returns the operations from the last one that a carried value goes through to the first one, each with the place of the carried
/// operand; all are of one kind.
fn chain(
    context: &Context,
    body: &Body,
    block: BlockId,
    index: usize,
) -> Option<Vec<(OperationId, usize)>> {
    let argument = *body.arguments(block).get(index + 1)?;
    let end = body.last_operation(block)?;
    let mut value = body.operands(end).nth(index)?;
    body.has_one_use(argument).then_some(())?;
    let mut chain = Vec::new();
    let mut kind = None;
    while value != argument {
        let made = own_operation(body, block, value)?;
        is_free(context, body, made).then_some(())?;
        let view = View::new(context, body, made);
        let found = view.with_site(sluice::float_operation)?;
        (*kind.get_or_insert(found) == found).then_some(())?;
        let place = match found.0 {
            FloatOp::Fma => 2,
            FloatOp::Add | FloatOp::Mul => {
                let leads = |i: &usize| leads_to(context, body, block, view.operand(*i), argument);
                (0..2).find(leads)?
            }
            _ => return None,
        };
        chain.push((made, place));
        value = view.operand(place);
    }
    Some(chain)
}

/// Returns whether a value is a carried value, or a sum or product of it in the block.
fn leads_to(
    context: &Context,
    body: &Body,
    block: BlockId,
    value: ValueId,
    argument: ValueId,
) -> bool {
    let mut waiting = vec![value];
    let mut n_seen = 0;
    while let Some(value) = waiting.pop() {
        if value == argument {
            return true;
        }
        n_seen += 1;
        if let Some(made) = own_operation(body, block, value)
            && is_free(context, body, made)
            && n_seen < MAX_SEEN
        {
            waiting.extend(body.operands(made));
        }
    }
    false
}

/// Operations that are looked at to find a carried value: more than a body of usual size has.
const MAX_SEEN: usize = 1000;

/// Returns the cycles that the accesses of an iteration take at one port of each memory, at least 1.
fn port_cycles(context: &Context, body: &Body, op: OperationId) -> u32 {
    let mut n_accesses: BTreeMap<ValueId, u32> = BTreeMap::new();
    for inner in body.walk(op) {
        let memory = match name(context, body, inner) {
            memref::Load::NAME => body.operand(inner, 0),
            memref::Store::NAME => body.operand(inner, 1),
            _ => continue,
        };
        *n_accesses.entry(memory).or_default() += 1;
    }
    n_accesses.values().copied().max().unwrap_or(1)
}

/// Unrolls a loop so that an iteration has at least `wanted` copies of its body, or all of them; returns their number. Iterations that
/// are left become a loop after it.
fn unrolled(context: &Context, body: &mut Body, op: OperationId, wanted: u32) -> Option<u32> {
    (wanted > 1).then_some(())?;
    let form = loop_of(context, body, op)?;
    let n = u32::try_from(form.trip_count?.to_u64()?).ok()?;
    (n > 1).then_some(())?;
    // A few copies more cost less than iterations that are left.
    let divides = |copies: &u32| n.is_multiple_of(*copies);
    let n_copies = if n <= wanted {
        n
    } else {
        (wanted..2 * wanted).find(divides).unwrap_or(wanted)
    };
    let n_rest = n % n_copies;
    if n_rest > 0 {
        split(context, body, op, n - n_rest, n_rest)?;
    }
    unroll_by(context, body, op, i64::from(n_copies)).ok()?;
    Some(n_copies)
}

/// Divides a loop into one of `n_whole` iterations and one of `n_rest`, which becomes a single iteration.
fn split(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    n_whole: u32,
    n_rest: u32,
) -> Option<()> {
    let block = body.entry_block(op, 0)?;
    let ty = body.ty(body.arguments(block)[0]);
    let [lower, step] = [0, 2].map(|i| body.operand(op, i));
    let distance = constant_i64(context, body, step)?.checked_mul(i64::from(n_whole))?;
    let known = match constant_i64(context, body, lower) {
        Some(lower) => {
            let end = lower.checked_add(distance)?;
            (sluice_ir::Exact::from(end) <= max_value_of(context, ty)).then_some(())?;
            Some(end)
        }
        None => None,
    };
    let mut builder = Builder::before(context, body, op);
    let middle = match known {
        Some(end) => constant(&mut builder, ty, end),
        None => {
            let distance = constant(&mut builder, ty, distance);
            binary(&mut builder, arith::Addi::NAME, lower, distance)
        }
    };
    let rest = split_at(context, body, op, middle);
    if n_rest > 1 {
        unroll_by(context, body, rest, i64::from(n_rest)).ok()?;
    }
    body.set_attribute(rest, context.name(BALANCE), context.unit_attribute());
    Some(())
}

/// Returns the value that changes no result.
fn neutral(op: FloatOp, format: FloatFormat) -> Bits {
    let mut algebra = Concrete::new();
    match op {
        FloatOp::Mul => algebra.float(FloatOp::FromUnsigned, format, &[Bits::from_u64(1, 1)]),
        // A negative zero leaves negative zeros as they are.
        _ => algebra.float(FloatOp::Neg, format, &[Bits::zero(format.width_bits())]),
    }
}

/// Gives each copy of the body a carried value of its own. Returns the loop.
fn accumulators(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    found: &Reduction,
    n_copies: u32,
) -> OperationId {
    let block = body.entry_block(loop_op, 0).expect("a loop has a body");
    let Some(mut all) = chain(context, body, block, found.index) else {
        return loop_op;
    };
    all.reverse();
    // Copies of a directive stay together.
    let n_each = all.len() / n_copies as usize;
    if n_each == 0 || n_copies < 2 {
        return loop_op;
    }
    let n_more = n_copies as usize - 1;
    let ty = context.integer_type(found.format.width_bits());
    let mut before = Builder::before(context, body, loop_op);
    let first = constant_bits(&mut before, ty, neutral(found.op, found.format));
    let (loop_op, more) = carry(context, body, loop_op, &vec![first; n_more]);
    for (copy, own) in more.iter().enumerate() {
        let (operation, place) = all[(copy + 1) * n_each];
        body.set_operand(operation, place, *own);
    }
    let last_of = |copy: usize| all[(copy + 1) * n_each - 1].0;
    let ends: Vec<ValueId> = (0..n_copies as usize)
        .map(|copy| body.result(last_of(copy), 0))
        .collect();
    let block = body.entry_block(loop_op, 0).expect("the block just moved");
    let end = body.last_operation(block).expect("a loop yields");
    body.set_operand(end, found.index, ends[0]);
    yield_more(body, loop_op, &ends[1..]);

    let results = body.results(loop_op).to_vec();
    let own = results[found.index];
    let uses: Vec<(OperationId, usize)> = body.uses(own).collect();
    let mut partial: Vec<ValueId> = std::iter::once(own)
        .chain(results[results.len() - n_more..].iter().copied())
        .collect();
    let anchor = body.next(loop_op).expect("a terminator follows");
    let location = body.location(all[0].0);
    let op = match found.op {
        FloatOp::Mul => FloatOp::Mul,
        _ => FloatOp::Add,
    };
    while partial.len() > 1 {
        let pairs: Vec<Vec<ValueId>> = partial.chunks(2).map(<[ValueId]>::to_vec).collect();
        let join = |pair: Vec<ValueId>| match pair[..] {
            [one, other] => {
                let mut builder = Builder::before(context, body, anchor);
                builder.location = location;
                joined(&mut builder, op, found.format, one, other)
            }
            _ => pair[0],
        };
        partial = pairs.into_iter().map(join).collect();
    }
    for (user, operand) in uses {
        body.set_operand(user, operand, partial[0]);
    }
    loop_op
}

/// Adds or multiplies two partial results.
fn joined(
    builder: &mut Builder<'_>,
    op: FloatOp,
    format: FloatFormat,
    one: ValueId,
    other: ValueId,
) -> ValueId {
    let context = builder.context;
    let mut new = NewOperation::new(
        context.operation_name(sluice::Float::NAME),
        builder.location,
    );
    new.operands = [one, other].into_iter().collect();
    new.result_types = std::iter::once(context.integer_type(format.width_bits())).collect();
    let function = context.string_attribute(&sluice::function_name(op));
    new.attributes = [
        ("format", sluice::format_attribute(context, format)),
        ("function", function),
        (REASSOC, context.unit_attribute()),
    ]
    .map(|(name, value)| (context.name(name), value))
    .to_vec();
    let made = builder.create(new);
    builder.body.result(made, 0)
}
