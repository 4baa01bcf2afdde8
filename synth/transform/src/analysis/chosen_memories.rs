//! Removes memory-typed values: memories that loops carry (rotating buffers) and memories that a condition selects.
//!
//! A loop that permutes its memories is unrolled by the period of the permutation; then each access has one fixed memory. Any
//! other memory value becomes an integer that identifies the memory. An access through it becomes one conditional access per
//! possible memory.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{JAM, UNROLL};
use sluice_dialects::{affine, arith, scf};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, TypeKind, ValueId, View};

use crate::analysis::linear::loop_of;
use crate::build::{
    EQ, all_named, binary, compare, constant, constant_i64, erase_dead, max_value_of, name,
    too_many_copies,
};
use crate::loops::unroll::{split_at, unroll_by};

/// Loops that end before a second iteration, and whether they always have a first one.
type RunOnce = BTreeMap<OperationId, bool>;

/// Maximum period of a permutation for which a loop is unrolled.
const MAX_TURNS: usize = 4;

/// Replaces all values that may be one of several memories, if these are arguments or allocated in the first block.
pub(crate) fn resolve_choices(context: &Context, body: &mut Body) {
    if chosen(context, body).is_empty() {
        return;
    }
    erase_dead(context, body);
    let mut run_once = BTreeMap::new();
    // Outer loops first, because unrolling them multiplies the inner ones.
    while all_named(context, body, scf::For::NAME)
        .into_iter()
        .any(|op| take_turns(context, body, op, &mut run_once).is_some())
    {}
    let Some(sources) = Sources::of(context, body, &run_once) else {
        return;
    };
    sources.replace_the_only(context, body);
    if sources.are_bound(context, body) {
        return;
    }
    sources.number(context, body);
}

fn is_memory(context: &Context, body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).kind(context), TypeKind::MemRef { .. })
}

/// Operations that pass memories on as operands, results or block arguments.
const CARRIERS: &[&str] = &[
    affine::For::NAME,
    affine::If::NAME,
    affine::Yield::NAME,
    arith::Select::NAME,
    scf::Condition::NAME,
    scf::For::NAME,
    scf::If::NAME,
    scf::While::NAME,
    scf::Yield::NAME,
];

fn is_carrier(context: &Context, body: &Body, op: OperationId) -> bool {
    CARRIERS.binary_search(&name(context, body, op)).is_ok()
}

/// Returns the memory-typed results and block arguments of the carriers.
fn chosen(context: &Context, body: &Body) -> Vec<ValueId> {
    let mut all = Vec::new();
    for op in body.walk_all() {
        if !is_carrier(context, body, op) {
            continue;
        }
        all.extend(body.results(op));
        for region in body.regions(op) {
            for block in body.blocks(*region) {
                all.extend(body.arguments(*block));
            }
        }
    }
    all.retain(|value| is_memory(context, body, *value));
    all
}

/// Returns the terminator of a region of one block.
fn end_of(body: &Body, op: OperationId, region: usize) -> Option<OperationId> {
    body.last_operation(body.entry_block(op, region)?)
}

/// Unrolls a loop that permutes its memories by the period of the permutation, so that the memories no longer change.
fn take_turns(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    run_once: &mut RunOnce,
) -> Option<()> {
    let turns = turns(context, body, op)?;
    if run_once.contains_key(&op)
        || [UNROLL, JAM]
            .iter()
            .any(|request| body.attribute_named(context, op, request).is_some())
    {
        return None;
    }
    let block = body.entry_block(op, 0)?;
    let ty = body.ty(body.arguments(block)[0]);
    let [lower, upper, step] = [0, 1, 2].map(|i| body.operand(op, i));
    let turns_i64 = i64::try_from(turns).ok()?;
    // The remaining iterations become a separate loop, hence one more copy.
    if too_many_copies(context, body, op, turns_i64 + 1).is_some() {
        return None;
    }
    let n = loop_of(context, body, op).and_then(|l| l.trip_count);
    let step_by = constant_i64(context, body, step)?;
    let mut builder = Builder::before(context, body, op);
    let (middle, n_rest) = match n {
        Some(n) => {
            let n_rest = n.remainder(turns_i64)?.to_i64()?;
            let whole = constant(&mut builder, ty, n.minus(n_rest).times(step_by));
            (
                binary(&mut builder, arith::Addi::NAME, lower, whole),
                n_rest,
            )
        }
        None if turns == 2 && step_by == 1 => {
            let n = binary(&mut builder, arith::Subi::NAME, upper, lower);
            let zero = constant(&mut builder, ty, 0);
            let n = binary(&mut builder, arith::Maxsi::NAME, n, zero);
            let even = constant(&mut builder, ty, -2);
            let whole = binary(&mut builder, arith::Andi::NAME, n, even);
            (binary(&mut builder, arith::Addi::NAME, lower, whole), 1)
        }
        None => return None,
    };
    let middle = match constant_i64(context, builder.body, lower).zip(n) {
        Some((lower, n)) => {
            let end = n.minus(n_rest).times(step_by).plus(lower);
            match end <= max_value_of(context, ty) {
                true => constant(&mut builder, ty, end),
                // If the end does not fit the type, there are no remaining iterations.
                false => upper,
            }
        }
        None => middle,
    };
    if n_rest == 0 {
        body.set_operand(op, 1, middle);
    } else {
        let rest = split_at(context, body, op, middle);
        if n_rest > 1 {
            unroll_by(context, body, rest, n_rest).ok()?;
        }
        run_once.insert(rest, n.is_some());
    }
    unroll_by(context, body, op, turns_i64).ok()
}

/// Returns the period of the permutation of the memories that a loop carries, if it is larger than one.
fn turns(context: &Context, body: &Body, op: OperationId) -> Option<usize> {
    let block = body.entry_block(op, 0)?;
    let arguments = &body.arguments(block)[1..];
    let last = body.last_operation(block)?;
    let places: Vec<usize> = (0..arguments.len())
        .filter(|i| is_memory(context, body, arguments[*i]))
        .collect();
    let next = |place: usize| {
        let handed_on = body.operand(last, place);
        arguments.iter().position(|argument| *argument == handed_on)
    };
    let mut now = places.clone();
    for turn in 1..=MAX_TURNS {
        now = now.into_iter().map(next).collect::<Option<_>>()?;
        if now == places {
            return (turn > 1).then_some(turn);
        }
    }
    None
}

/// The possible memories of each memory value.
struct Sources {
    memories: Vec<ValueId>,
    of: BTreeMap<ValueId, BTreeSet<usize>>,
}

impl Sources {
    /// Returns `None` if a value may be anything other than a function argument or an allocation of the first block.
    fn of(context: &Context, body: &Body, run_once: &RunOnce) -> Option<Self> {
        let chosen: BTreeSet<ValueId> = chosen(context, body).into_iter().collect();
        let mut made = Self {
            memories: Vec::new(),
            of: chosen
                .iter()
                .map(|value| (*value, BTreeSet::new()))
                .collect(),
        };
        let edges = edges(context, body, run_once);
        let region = body.top_regions().next()?;
        let [entry] = body.blocks(region) else {
            return None;
        };
        for (from, _) in &edges {
            if chosen.contains(from) || made.memories.contains(from) {
                continue;
            }
            if body.defining_block(*from) != Some(*entry) {
                return None;
            }
            made.memories.push(*from);
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (from, to) in &edges {
                let more: BTreeSet<usize> = match made.memories.iter().position(|m| m == from) {
                    Some(number) => [number].into(),
                    None => made.of[from].clone(),
                };
                let all = made.of.entry(*to).or_default();
                let before = all.len();
                all.extend(more);
                is_changed |= all.len() > before;
            }
        }
        let is_known = made.of.values().all(|all| !all.is_empty());
        is_known.then_some(made)
    }

    /// Replaces a value with a single possible memory by that memory.
    fn replace_the_only(&self, context: &Context, body: &mut Body) {
        for (value, all) in &self.of {
            if let (Some(only), 1) = (all.first(), all.len()) {
                let users: Vec<_> = body.uses(*value).collect();
                for (user, operand) in users {
                    // Carriers are left: they will carry an integer or be erased.
                    if !is_carrier(context, body, user) {
                        body.set_operand(user, operand, self.memories[*only]);
                    }
                }
            }
        }
    }

    /// Returns whether an operation that cannot be guarded uses a value with several possible memories.
    fn are_bound(&self, context: &Context, body: &Body) -> bool {
        let takers = self.of.keys().flat_map(|value| body.uses(*value));
        let mut takers = takers.filter(|(user, _)| !is_carrier(context, body, *user));
        takers.any(|(user, _)| {
            let mut results = body.results(user).iter();
            let block = body.parent_block(user);
            let ends_block = block.and_then(|block| body.last_operation(block)) == Some(user);
            ends_block || results.any(|result| is_memory(context, body, *result))
        })
    }

    /// Replaces memory values by integers and expands the operations that use them, once per possible memory.
    fn number(&self, context: &Context, body: &mut Body) {
        let width = usize::BITS - self.memories.len().leading_zeros();
        let ty = context.integer_type(width);
        let users: BTreeSet<OperationId> = self
            .of
            .keys()
            .flat_map(|value| body.uses(*value).map(|(user, _)| user).collect::<Vec<_>>())
            .filter(|user| !is_carrier(context, body, *user))
            .collect();
        for op in body.walk_all() {
            if !is_carrier(context, body, op) {
                continue;
            }
            for operand in 0..body.n_operands(op) {
                let value = body.operand(op, operand);
                if let Some(number) = self.memories.iter().position(|memory| *memory == value) {
                    let mut builder = Builder::before(context, body, op);
                    let number = i64::try_from(number).unwrap_or(i64::MAX);
                    let number = constant(&mut builder, ty, number);
                    body.set_operand(op, operand, number);
                }
            }
        }
        for value in self.of.keys() {
            body.set_type(*value, ty);
        }
        for user in users {
            self.dispatch(context, body, user);
        }
        erase_dead(context, body);
    }

    /// Expands an operation for each possible memory of its first such operand, then continues with the remaining operands.
    fn dispatch(&self, context: &Context, body: &mut Body, op: OperationId) {
        let operands: Vec<ValueId> = body.operands(op).collect();
        let found = operands.iter().enumerate();
        let found = found.map(|(i, value)| (i, *value, self.of.get(value)));
        let Some((operand, value, Some(all))) = found.into_iter().find(|(_, _, all)| all.is_some())
        else {
            return;
        };
        let (last, others) = match all.iter().copied().collect::<Vec<_>>().split_last() {
            Some((last, others)) => (*last, others.to_vec()),
            None => return,
        };
        let types: Vec<_> = View::new(context, body, op).result_types().collect();
        let location = body.location(op);
        let rest = op;
        for number in others {
            let mut builder = Builder::before(context, body, rest);
            builder.location = location;
            let ty = builder.body.ty(value);
            let this = constant(&mut builder, ty, i64::try_from(number).unwrap_or(i64::MAX));
            let is_this = compare(&mut builder, EQ, value, this);
            let mut new = NewOperation::new(context.operation_name(scf::If::NAME), location);
            new.operands = [is_this].into_iter().collect();
            new.result_types = types.iter().copied().collect();
            new.n_regions = 2;
            let choice = builder.create(new);
            let results = body.results(choice).to_vec();
            for (old, new) in body.results(rest).to_vec().into_iter().zip(&results) {
                body.replace_all_uses(old, *new);
            }
            let own = body.copy(context, rest, &mut BTreeMap::new());
            body.set_operand(own, operand, self.memories[number]);
            for (region, inner) in [(0, own), (1, rest)] {
                let region = body.regions(choice)[region];
                let block = body.append_block(region);
                let values = body.results(inner).to_vec();
                let mut builder = Builder::at_end(context, body, block, location);
                let end = builder.operation(scf::Yield::NAME, &values, &[], &[]);
                if inner == rest {
                    body.move_before(end, inner);
                } else {
                    body.insert_before(end, inner);
                    self.dispatch(context, body, inner);
                }
            }
        }
        body.set_operand(rest, operand, self.memories[last]);
        self.dispatch(context, body, rest);
    }
}

/// Returns the edges along which carriers pass memories, as pairs of source and destination.
fn edges(context: &Context, body: &Body, run_once: &RunOnce) -> Vec<(ValueId, ValueId)> {
    let mut all: Vec<(ValueId, ValueId)> = Vec::new();
    let ends = |op: OperationId, region: usize| -> Vec<ValueId> {
        let end = end_of(body, op, region);
        end.map(|end| body.operands(end).collect())
            .unwrap_or_default()
    };
    let inside = |op: OperationId, region: usize| -> Vec<ValueId> {
        let block = body.entry_block(op, region);
        block
            .map(|block| body.arguments(block).to_vec())
            .unwrap_or_default()
    };
    for op in body.walk_all() {
        let results = body.results(op).to_vec();
        let operands: Vec<ValueId> = body.operands(op).collect();
        let mut pass = |from: &[ValueId], to: &[ValueId]| {
            all.extend(from.iter().copied().zip(to.iter().copied()));
        };
        match name(context, body, op) {
            arith::Select::NAME => {
                pass(&operands[1..2], &results);
                pass(&operands[2..3], &results);
            }
            scf::If::NAME | affine::If::NAME => {
                for region in 0..body.regions(op).len() {
                    pass(&ends(op, region), &results);
                }
            }
            scf::For::NAME | affine::For::NAME => {
                let arguments = inside(op, 0);
                let carried = arguments.get(1..).unwrap_or_default();
                let first = &operands[operands.len() - carried.len()..];
                let handed_on = ends(op, 0);
                pass(first, carried);
                pass(&handed_on, &results);
                let runs = run_once.get(&op);
                if runs.is_none() {
                    pass(&handed_on, carried);
                }
                if runs != Some(&true) {
                    pass(first, &results);
                }
            }
            scf::While::NAME => {
                pass(&operands, &inside(op, 0));
                pass(&ends(op, 1), &inside(op, 0));
                let condition = ends(op, 0);
                let handed_on = condition.get(1..).unwrap_or_default();
                pass(handed_on, &inside(op, 1));
                pass(handed_on, &results);
            }
            _ => {}
        }
    }
    all.retain(|(from, _)| is_memory(context, body, *from));
    all
}
