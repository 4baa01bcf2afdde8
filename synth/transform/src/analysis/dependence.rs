//! Dependences between memory accesses: exact for linear addresses, conservative for the rest.

use sluice_dialects::{aliases, memref, scf, sluice};
use sluice_ir::{BlockId, Body, Context, Exact, OperationId, ValueId, View};

use crate::analysis::linear::{Linear, Loop, is_invariant, linear, loop_bounds, loop_of, range_of};
use crate::build::name;

/// A `memref.load` or `memref.store` with its memory and linear address.
#[derive(Clone, Debug)]
pub(crate) struct MemoryAccess {
    pub(crate) op: OperationId,
    pub(crate) memory: ValueId,
    pub(crate) address: Linear,
    pub(crate) writes: bool,
}

/// Returns the access that an operation performs, if it is a load or store.
pub(crate) fn access_of(context: &Context, body: &Body, op: OperationId) -> Option<MemoryAccess> {
    let (memory, index, writes) = match name(context, body, op) {
        memref::Load::NAME => (0, 1, false),
        memref::Store::NAME => (1, 2, true),
        _ => return None,
    };
    if body.n_operands(op) != index + 1 {
        return None;
    }
    let address = linear(context, body, body.operand(op, index));
    Some(MemoryAccess {
        op,
        memory: body.operand(op, memory),
        address,
        writes,
    })
}

/// Returns whether the address is in bounds for all values of the enclosing counters.
pub(crate) fn stays_inside(context: &Context, body: &Body, access: &MemoryAccess) -> bool {
    let size = body.ty(access.memory).n_elements(context);
    let range = range_of(context, body, &access.address, 0);
    size.zip(range)
        .is_some_and(|(size, (low, high))| low >= 0 && Exact::from(high) < size)
}

/// Returns the accesses directly in `block`, including those in guards, in text order.
pub(crate) fn accesses_in(context: &Context, body: &Body, block: BlockId) -> Vec<MemoryAccess> {
    let mut found = Vec::new();
    for op in body.operations(block) {
        let view = View::new(context, body, op);
        if view.name() == scf::If::NAME && view.attribute(sluice::GUARD).is_some() {
            let inner = view
                .entry_block(0)
                .map(|b| body.operations(b).collect::<Vec<_>>())
                .unwrap_or_default();
            found.extend(
                inner
                    .into_iter()
                    .filter_map(|op| access_of(context, body, op)),
            );
        } else {
            found.extend(access_of(context, body, op));
        }
    }
    found
}

/// A dependence as the attribute of a loop stores it: access numbers of source and sink, and the distance in iterations.
pub(crate) type Edge = [i64; 3];

/// Returns the dependences stored in the attribute of a loop.
pub(crate) fn written_edges(context: &Context, body: &Body, loop_op: OperationId) -> Vec<Edge> {
    let listed = body
        .attribute_named(context, loop_op, sluice::DEPENDENCES)
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let triples = listed.iter().filter_map(|entry| {
        let [from, to, distance] = entry.as_dense_array_i64(context)?[..] else {
            return None;
        };
        Some([from, to, distance])
    });
    triples.collect()
}

/// Stores the dependences in the attribute of a loop.
pub(crate) fn write_edges(
    context: &Context,
    body: &mut Body,
    loop_op: OperationId,
    edges: &[Edge],
) {
    let all: Vec<_> = edges
        .iter()
        .map(|edge| context.dense_i64_array(edge))
        .collect();
    let all = context.array_attribute(&all);
    body.set_attribute(loop_op, context.name(sluice::DEPENDENCES), all);
}

/// Returns the smallest distance `d >= from` such that `sink`, `d` iterations later, may access the address of `source`.
///
/// Source: G. Goff, K. Kennedy, C.-W. Tseng, "Practical dependence testing", PLDI 1991 (strong and weak SIV, GCD and range
/// tests). Differs: weak tests enumerate the iterations if there are few.
pub(crate) fn distance(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    around: &Loop,
    source: &Linear,
    sink: &Linear,
    from: i64,
) -> Option<i64> {
    let varies = |form: &Linear| {
        form.terms
            .keys()
            .any(|v| *v != around.variable && !is_invariant(body, loop_op, *v))
    };
    let last = around.trip_count.map(|n| n.minus(1));
    let possible = |d: i64| d >= from && last.is_none_or(|last| Exact::from(d) <= last);
    let last = last.and_then(Exact::to_i64);
    if varies(source) || varies(sink) {
        return conflict_possible(context, body, loop_op, around, source, sink)
            .then_some(from)
            .filter(|d| possible(*d));
    }
    let (k_source, k_sink) = (
        source.coefficient(around.variable),
        sink.coefficient(around.variable),
    );
    let rest = source
        .without(around.variable)
        .minus(&sink.without(around.variable));
    let Some(rest) = rest.and_then(|r| r.as_constant()) else {
        return conflict_possible(context, body, loop_op, around, source, sink)
            .then_some(from)
            .filter(|d| possible(*d));
    };
    // k_source * i + rest = k_sink * (i + d * step)
    match (k_source, k_sink, around.step) {
        (0, 0, _) => (rest == 0).then_some(from).filter(|d| possible(*d)),
        (a, b, Some(step)) if a == b => {
            let per_iteration = a.checked_mul(step)?;
            (rest % per_iteration == 0)
                .then(|| rest / per_iteration)
                .filter(|d| possible(*d))
        }
        (a, b, Some(step)) => match (around.range, last) {
            (Some((low, _)), Some(last)) if last <= 65_536 => {
                enumerate(a, b, rest, (low, step, last), from)
            }
            _ => conflict_possible(context, body, loop_op, around, source, sink).then_some(from),
        },
        _ => conflict_possible(context, body, loop_op, around, source, sink).then_some(from),
    }
}

/// Returns the smallest distance by enumerating all iterations of the source.
fn enumerate(
    a: i64,
    b: i64,
    rest: i64,
    (low, step, last): (i64, i64, i64),
    from: i64,
) -> Option<i64> {
    let mut smallest: Option<i64> = None;
    let (positive, sign) = (Exact::from(b.unsigned_abs()), b.signum());
    for n in 0..=last {
        let counter = Exact::from(n).times(step).plus(low);
        let target = counter.times(a).plus(rest);
        if b == 0 {
            if target.is_zero() && Exact::from(n).plus(from) <= Exact::from(last) {
                smallest = Some(smallest.map_or(from, |s| s.min(from)));
            }
            continue;
        }
        // The iteration number of the sink.
        let target = target.times(sign);
        let steps = target
            .divided_down(positive)
            .filter(|_| target.is_multiple_of(positive))
            .map(|counter| counter.minus(low));
        let Some(m) = steps.filter(|steps| steps.is_multiple_of(step)) else {
            continue;
        };
        let m = m.divided_down(step).and_then(Exact::to_i64);
        let d = m.and_then(|m| Exact::from(m).minus(n).to_i64());
        if let (Some(m), Some(d)) = (m, d)
            && (0..=last).contains(&m)
            && d >= from
        {
            smallest = Some(smallest.map_or(d, |s| s.min(d)));
        }
    }
    smallest
}

/// Returns whether two addresses of different iterations may be equal, by the GCD test and the range test.
fn conflict_possible(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    around: &Loop,
    source: &Linear,
    sink: &Linear,
) -> bool {
    // Values that vary inside the loop are separate unknowns for source and sink.
    let gcd_parts = source.terms.values().chain(sink.terms.values());
    let gcd = gcd_parts.fold(0u64, |g, c| gcd(g, c.unsigned_abs()));
    let constant = source.constant - sink.constant;
    if gcd != 0 && !constant.unsigned_abs().is_multiple_of(gcd) {
        return false;
    }
    let meets_zero = |(low, high): (i64, i64)| low <= 0 && high >= 0;
    let apart = match (
        range_of(context, body, source, 0),
        range_of(context, body, sink, 0),
    ) {
        (Some((a_low, a_high)), Some((b_low, b_high))) => a_low > b_high || b_low > a_high,
        _ => false,
    };
    if apart {
        return false;
    }
    let varies = |form: &Linear| {
        let mut terms = form.terms.keys();
        terms.any(|v| *v != around.variable && !is_invariant(body, loop_op, *v))
    };
    if varies(source) || varies(sink) || name(context, body, loop_op) != scf::For::NAME {
        return true;
    }
    // Invariant terms are the same on both sides; source and sink have different counters with the same bounds.
    let (k_source, k_sink) = (
        source.coefficient(around.variable),
        sink.coefficient(around.variable),
    );
    let Some(rest) = source.minus(&sink.without(around.variable)) else {
        return true;
    };
    if k_sink == 0 || k_source == 0 {
        let one_counter = source.minus(sink);
        return one_counter
            .and_then(|form| range_of(context, body, &form, 0))
            .is_none_or(meets_zero);
    }
    let bounded = |is_upper: bool| -> Vec<Linear> {
        let bounds = loop_bounds(context, body, loop_op, is_upper).into_iter();
        bounds
            .filter_map(|bound| rest.plus(&bound, k_sink.checked_neg()?))
            .collect()
    };
    let range = |form: &Linear| range_of(context, body, form, 0);
    let lows = bounded(k_sink > 0)
        .iter()
        .filter_map(range)
        .map(|r| r.0)
        .max();
    let highs = bounded(k_sink < 0)
        .iter()
        .filter_map(range)
        .map(|r| r.1)
        .min();
    match (lows, highs) {
        (Some(low), _) if low > 0 => false,
        (_, Some(high)) if high < 0 => false,
        _ => true,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns whether two accesses may touch the same word in one execution of a block.
pub(crate) fn may_alias(
    context: &Context,
    body: &Body,
    a: &MemoryAccess,
    b: &MemoryAccess,
) -> bool {
    if a.memory != b.memory {
        return aliases::may_alias(context, body, a.memory, b.memory);
    }
    match a.address.minus(&b.address) {
        Some(difference) => match difference.as_constant() {
            Some(constant) => constant == 0,
            None => range_of(context, body, &difference, 0)
                .is_none_or(|(low, high)| low <= 0 && high >= 0),
        },
        None => true,
    }
}

/// Returns all dependences among the accesses of a loop body: source, sink, distance.
pub(crate) fn of_loop(
    context: &Context,
    body: &Body,
    loop_op: OperationId,
    accesses: &[MemoryAccess],
) -> Vec<(usize, usize, i64)> {
    // `None` for a while loop, which has no induction variable.
    let around = loop_of(context, body, loop_op);
    let mut found = Vec::new();
    for (i, source) in accesses.iter().enumerate() {
        for (j, sink) in accesses.iter().enumerate() {
            if source.memory != sink.memory || !(source.writes || sink.writes) {
                continue;
            }
            if i < j && may_alias(context, body, source, sink) {
                found.push((i, j, 0));
            }
            let carried = match &around {
                Some(around) => distance(
                    context,
                    body,
                    loop_op,
                    around,
                    &source.address,
                    &sink.address,
                    1,
                ),
                None => while_distance(body, loop_op, source, sink),
            };
            found.extend(carried.map(|d| (i, j, d)));
        }
    }
    found
}

/// Returns the distance in a while loop: only invariant addresses can be compared, any other pair gets distance 1.
fn while_distance(
    body: &Body,
    loop_op: OperationId,
    source: &MemoryAccess,
    sink: &MemoryAccess,
) -> Option<i64> {
    let fixed = |form: &Linear| form.terms.keys().all(|v| is_invariant(body, loop_op, *v));
    if fixed(&source.address) && fixed(&sink.address) {
        let difference = source
            .address
            .minus(&sink.address)
            .and_then(|d| d.as_constant());
        return (difference.is_none_or(|d| d == 0)).then_some(1);
    }
    Some(1)
}

/// Returns the dependences within one execution of a block.
pub(crate) fn of_block(
    context: &Context,
    body: &Body,
    accesses: &[MemoryAccess],
) -> Vec<(usize, usize, i64)> {
    let mut found = Vec::new();
    for (i, source) in accesses.iter().enumerate() {
        for (j, sink) in accesses.iter().enumerate().skip(i + 1) {
            if (source.writes || sink.writes) && may_alias(context, body, source, sink) {
                found.push((i, j, 0));
            }
        }
    }
    found
}
