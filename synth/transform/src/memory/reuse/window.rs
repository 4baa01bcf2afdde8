//! Sliding windows: values that a loop read or wrote a few iterations before stay in registers.
//!
//! The load becomes a carried value; the initial values are loaded before the loop.
//!
//! Source: D. Callahan, S. Carr, K. Kennedy, "Improving register allocation for subscripted variables", PLDI 1990, sections 3 and
//! 4. Differs: a simulation of the loops at compile time decides whether a word is unchanged between two accesses.

use std::collections::BTreeMap;

use sluice_dialects::memref;
use sluice_dialects::sluice::WINDOW_OF;
use sluice_ir::{Body, Builder, Context, OperationId, ValueId};

use super::trace::{Event, Probe, Trace, is_innermost, start_of, trace};
use crate::analysis::dependence::{MemoryAccess, access_of};
use crate::analysis::linear::Linear;
use crate::build::{carry, name, yield_more};
use crate::memory::promote::materialise;

/// Maximum number of iterations for which a value is kept.
pub(super) const MAX_DISTANCE: i64 = 8;

/// The accesses that loads may take values from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sources {
    /// Other loads only.
    Loads,
    /// Loads and stores; a stored value creates a recurrence.
    All,
}

/// A load that takes the value of another access some iterations earlier.
struct Pair {
    load: MemoryAccess,
    source: MemoryAccess,
    /// The distance in iterations, at least 1.
    distance: i64,
    /// The addresses of the initial values before the loop: that of iteration `distance - 1` first.
    first: Vec<Linear>,
}

/// Returns whether the value of any load of the loop can be kept.
pub(super) fn has_window(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    sources: Sources,
) -> bool {
    !pairs(context, body, loop_op, sources).is_empty()
}

/// Keeps all possible values; returns the new loop, or `None` if there is nothing to keep.
pub(super) fn slide(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    sources: Sources,
    next_group: &mut i64,
) -> Option<OperationId> {
    let pairs = pairs(context, body, loop_op, sources);
    if pairs.is_empty() {
        return None;
    }
    // Loads of one chain form a group, together with the access at its start.
    let mut groups: BTreeMap<OperationId, i64> = BTreeMap::new();
    let taken: BTreeMap<OperationId, OperationId> =
        pairs.iter().map(|p| (p.load.op, p.source.op)).collect();
    // The initial values are loaded in the order in which the leader would have loaded them, for all chains together.
    let mut firsts: Vec<(i64, usize, usize)> = Vec::new();
    let mut group_of: Vec<i64> = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        let mut leader = pair.source.op;
        while let Some(source) = taken.get(&leader) {
            leader = *source;
        }
        let group = *groups.entry(leader).or_insert_with(|| {
            *next_group += 1;
            *next_group - 1
        });
        group_of.push(group);
        let ahead = iterations_ahead(context, body, loop_op, leader, &pair.load);
        for position in 0..pair.first.len() {
            // The value at this position belongs to iteration `distance - 1 - position` of the load.
            let iteration = i64::try_from(pair.first.len() - 1 - position).unwrap_or(0);
            firsts.push((iteration - ahead, number, position));
        }
    }
    firsts.sort_unstable();
    let mut read: BTreeMap<(usize, usize), ValueId> = BTreeMap::new();
    for (_, number, position) in firsts {
        let pair = &pairs[number];
        let element = body.ty(body.result(pair.load.op, 0));
        let index = materialise(context, body, loop_op, &pair.first[position]);
        let mut builder = Builder::before(context, body, loop_op);
        builder.location = builder.body.location(pair.load.op);
        let group = context.i64_attribute(group_of[number]);
        let memory = pair.load.memory;
        let load = builder.operation(
            memref::Load::NAME,
            &[memory, index],
            &[element],
            &[(WINDOW_OF, group)],
        );
        read.insert((number, position), builder.body.result(load, 0));
    }
    let inits: Vec<ValueId> = read.into_values().collect();
    for (leader, group) in &groups {
        if name(context, body, *leader) == memref::Load::NAME {
            body.set_attribute(
                *leader,
                context.name(WINDOW_OF),
                context.i64_attribute(*group),
            );
        }
    }
    let (carried, arguments) = carry(context, body, loop_op, &inits);
    let mut kept: Vec<&[ValueId]> = Vec::new();
    let mut rest = &arguments[..];
    for pair in &pairs {
        let (own, others) = rest.split_at(pair.first.len());
        kept.push(own);
        rest = others;
    }
    // The last argument of a pair is the value of the load.
    let mut values: BTreeMap<OperationId, ValueId> = BTreeMap::new();
    for (pair, own) in pairs.iter().zip(&kept) {
        let value = *own.last().expect("a distance is at least 1");
        let result = body.result(pair.load.op, 0);
        if let Some(name) = body.value_name(result) {
            body.set_value_name(value, Some(name));
        }
        body.replace_all_uses(result, value);
        values.insert(pair.load.op, value);
    }
    let mut yielded = Vec::new();
    for (pair, own) in pairs.iter().zip(&kept) {
        let source = values.get(&pair.source.op).copied();
        let source = source.unwrap_or_else(|| {
            if pair.source.writes {
                body.operand(pair.source.op, 0)
            } else {
                body.result(pair.source.op, 0)
            }
        });
        yielded.push(source);
        yielded.extend(&own[..own.len() - 1]);
    }
    yield_more(body, carried, &yielded);
    for pair in &pairs {
        body.erase(pair.load.op);
    }
    Some(carried)
}

/// Returns the number of iterations by which the first access of a chain precedes a load in it.
fn iterations_ahead(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    leader: OperationId,
    load: &MemoryAccess,
) -> i64 {
    let leader = access_of(context, body, leader);
    let ahead = leader.and_then(|leader| leader.address.minus(&load.address)?.as_constant());
    let stride = start_of(context, body, loop_op)
        .and_then(|(counter, _, step)| load.address.coefficient(counter).checked_mul(step));
    ahead
        .zip(stride)
        .map_or(0, |(ahead, stride)| ahead / stride)
}

/// Returns the loads whose values can be kept, each with the nearest suitable source.
fn pairs(context: &Context, body: &Body, loop_op: OperationId, sources: Sources) -> Vec<Pair> {
    let candidates = candidates(context, body, loop_op, sources);
    if candidates.is_empty() {
        return Vec::new();
    }
    let mut probes = Vec::new();
    for pair in &candidates {
        probes.extend(pair.first.iter().map(|address| Probe {
            loop_op,
            memory: pair.load.memory,
            address: address.clone(),
        }));
    }
    let Some(trace) = trace(context, body, &probes) else {
        return Vec::new();
    };
    let holds = check(&trace, loop_op, &candidates);
    let mut chosen: Vec<Pair> = Vec::new();
    for (pair, holds) in candidates.into_iter().zip(holds) {
        let has_one = chosen.iter().any(|other| other.load.op == pair.load.op);
        if holds && !has_one {
            chosen.push(pair);
        }
    }
    chosen
}

/// Returns loads directly in the body with the accesses of the same address in earlier iterations, the nearest first.
fn candidates(context: &Context, body: &Body, loop_op: OperationId, sources: Sources) -> Vec<Pair> {
    let Some(block) = body.entry_block(loop_op, 0) else {
        return Vec::new();
    };
    let Some((counter, lower, step)) = start_of(context, body, loop_op) else {
        return Vec::new();
    };
    if !is_innermost(context, body, loop_op) {
        return Vec::new();
    }
    let ops = body.operations(block);
    let accesses: Vec<MemoryAccess> = ops.filter_map(|op| access_of(context, body, op)).collect();
    let mut found = Vec::new();
    for load in accesses.iter().filter(|access| !access.writes) {
        let stride = load.address.coefficient(counter).checked_mul(step);
        let Some(stride) = stride.filter(|stride| *stride != 0) else {
            continue;
        };
        let mut own = Vec::new();
        for source in &accesses {
            if source.memory != load.memory || (source.writes && sources == Sources::Loads) {
                continue;
            }
            let ahead = source.address.minus(&load.address);
            let Some(ahead) = ahead.and_then(|form| form.as_constant()) else {
                continue;
            };
            let distance = ahead / stride;
            if ahead % stride != 0 || !(1..=MAX_DISTANCE).contains(&distance) {
                continue;
            }
            let at = |iteration: i64| {
                let from = load.address.without(counter);
                let factor = load.address.coefficient(counter);
                let mut form = from.plus(&lower, factor)?;
                let beyond = stride.checked_mul(iteration)?;
                form.constant = form.constant.checked_add(beyond)?;
                Some(form)
            };
            let first: Option<Vec<Linear>> = (0..distance).rev().map(at).collect();
            if let Some(first) = first {
                own.push(Pair {
                    load: load.clone(),
                    source: source.clone(),
                    distance,
                    first,
                });
            }
        }
        own.sort_by_key(|pair| pair.distance);
        found.extend(own);
    }
    found
}

/// Returns for each pair whether the load always returns the value that its source read or wrote, and the initial values can be
/// loaded before the loop.
fn check(trace: &Trace, loop_op: OperationId, pairs: &[Pair]) -> Vec<bool> {
    let mut holds: Vec<bool> = pairs
        .iter()
        .map(|pair| {
            trace
                .memory(pair.load.memory)
                .is_some_and(|memory| !memory.is_wild)
        })
        .collect();
    let of_probe: Vec<usize> = pairs
        .iter()
        .enumerate()
        .flat_map(|(number, pair)| pair.first.iter().map(move |_| number))
        .collect();
    let of_load = |access: usize| {
        let op = trace.accesses[access].op;
        let all = pairs.iter().enumerate();
        all.filter(move |(_, pair)| pair.load.op == op)
    };
    // Times are event positions starting from 1; 0 means never.
    let mut written: Vec<Vec<usize>> = trace
        .memories
        .iter()
        .map(|memory| vec![0; usize::try_from(memory.words).unwrap_or(0)])
        .collect();
    let mut anywhere = vec![0; trace.memories.len()];
    let mut seen: BTreeMap<OperationId, Vec<usize>> = BTreeMap::new();
    let (mut entered, mut iteration, mut is_behind) = (0, 0, false);
    for (time, event) in trace.events.iter().enumerate() {
        let time = time + 1;
        match *event {
            Event::Enter { loop_op: other, .. } if other == loop_op => {
                entered = time;
                iteration = 0;
                is_behind = false;
                seen.clear();
            }
            Event::Iterate { loop_op: other } if other == loop_op => iteration += 1,
            // The later iterations behave like the earlier ones, whose events are not recorded here.
            Event::Skip { loop_op: other, .. } if other == loop_op => is_behind = true,
            Event::Enter { .. } | Event::Iterate { .. } | Event::Skip { .. } => {}
            Event::Probe { probe, cell } => {
                if cell.is_none() {
                    holds[of_probe[probe]] = false;
                }
            }
            Event::Access { access, cell } => {
                let known = &trace.accesses[access];
                let cell = cell.and_then(|cell| usize::try_from(cell).ok());
                if known.writes {
                    match cell {
                        Some(cell) => written[known.memory][cell] = time,
                        None => anywhere[known.memory] = time,
                    }
                } else {
                    for (number, pair) in of_load(access) {
                        let last = cell.map(|cell| written[known.memory][cell]);
                        let last = last.map(|last| last.max(anywhere[known.memory]));
                        let distance = usize::try_from(pair.distance).unwrap_or(usize::MAX);
                        let source = seen.get(&pair.source.op);
                        // `iteration` counts from 1.
                        let source = (iteration > distance)
                            .then(|| source.and_then(|times| times.get(iteration - distance - 1)))
                            .flatten();
                        holds[number] &= match (last, source) {
                            (None, _) => false,
                            (Some(_), _) if is_behind => true,
                            (Some(last), Some(source)) if pair.source.writes => last == *source,
                            (Some(last), Some(source)) => last < *source,
                            (Some(last), None) => iteration <= distance && last < entered,
                        };
                    }
                }
                if iteration > 0 {
                    seen.entry(known.op).or_default().push(time);
                }
            }
        }
    }
    holds
}
