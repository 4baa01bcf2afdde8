//! `fuse`: loop fusion of two adjacent loops.
//!
//! Source: K. Kennedy, K. McKinley, LCPC 1993: legal if no dependence from the first loop to the second would become backward,
//! that is, if no iteration of the second needs a value of a later iteration of the first. If the loops have different bounds,
//! the iterations that only one of them has stay in separate loops before and after.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::scf;
use sluice_dialects::sluice::FUSE;
use sluice_ir::exact::trips;
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, ValueId};

use super::nest::{between, counter, is_movable, operations, statement, title};
use crate::analysis::dependence_vectors::{Outside, Pair, references};
use crate::analysis::linear::{Linear, linear};
use crate::build::{constant, constant_i64, max_value_of, name};

/// Fuses `op` with the next loop. Of several adjacent loops, the last pair is fused first.
pub(super) fn fuse(context: &Context, body: &mut Body, op: OperationId) -> Result<(), String> {
    match following(context, body, op)? {
        Some(second) => join(context, body, op, second),
        None => Ok(()),
    }
}

/// Returns whether a loop before `op` in its block is to be fused with it.
fn is_second(context: &Context, body: &Body, op: OperationId) -> bool {
    let before = std::iter::successors(body.previous(op), |op| body.previous(*op));
    let mut loops = before.filter(|op| name(context, body, *op) == scf::For::NAME);
    loops
        .next()
        .is_some_and(|before| body.attribute_named(context, before, FUSE).is_some())
}

/// Returns the next loop after `op`, if only movable operations are between; `None` after the last loop of a fused group.
fn following(
    context: &Context,
    body: &Body,
    op: OperationId,
) -> Result<Option<OperationId>, String> {
    let mut next = body.next(op);
    let mut in_the_way = None;
    while let Some(other) = next {
        if name(context, body, other) == scf::For::NAME {
            return match in_the_way {
                Some(other_op) => Err(format!(
                    "{} is between {} and {}: move it, or remove the directive",
                    statement(context, body, other_op),
                    title(context, body, op),
                    statement(context, body, other)
                )),
                None => Ok(Some(other)),
            };
        }
        let uses_result = || {
            let mut operands = body.operands(other);
            operands.any(|value| body.defining_operation(value) == Some(op))
        };
        if in_the_way.is_none() && (!is_movable(context, body, &[op], other) || uses_result()) {
            in_the_way = Some(other);
        }
        next = body.next(other);
    }
    if is_second(context, body, op) {
        return Ok(None);
    }
    let words = title(context, body, op);
    Err(format!(
        "no loop follows {words} in its block: remove the directive, or put it on the first of two loops"
    ))
}

/// Moves the operations between two loops to before the first; returns false if one needs the first loop.
fn clear_between(body: &mut Body, first: OperationId, second: OperationId) -> bool {
    let mut after = BTreeSet::from([first]);
    let mut moved = Vec::new();
    let mut next = body.next(first);
    while let Some(op) = next.filter(|op| *op != second) {
        let mut operands = body.operands(op);
        let depends = operands.any(|value| {
            body.defining_operation(value)
                .is_some_and(|made| after.contains(&made))
        });
        if depends {
            after.insert(op);
            return false;
        }
        moved.push(op);
        next = body.next(op);
    }
    for op in moved {
        body.move_before(first, op);
    }
    true
}

/// Start and end of two loops.
struct Ranges {
    /// Start values, each with a constant offset relative to the first loop's start.
    starts: [(ValueId, i64); 2],
    ends: [(ValueId, i64); 2],
    step: i64,
}

fn ranges(
    context: &Context,
    body: &Body,
    first: OperationId,
    second: OperationId,
) -> Result<Ranges, String> {
    let words = || {
        format!(
            "{} and {}",
            title(context, body, first),
            title(context, body, second)
        )
    };
    let (a, b) = (counter(body, first), counter(body, second));
    if body.ty(a) != body.ty(b) {
        return Err(format!("the counters of {} have different types", words()));
    }
    let steps = [first, second].map(|op| constant_i64(context, body, body.operand(op, 2)));
    let [Some(step), Some(other)] = steps else {
        return Err(format!("the steps of {} are not constants", words()));
    };
    if step != other || step <= 0 {
        return Err(format!(
            "the steps of {} are {step} and {other}: equal steps would hold",
            words()
        ));
    }
    let form = |value: ValueId| match constant_i64(context, body, value) {
        Some(constant) => Linear {
            constant,
            terms: BTreeMap::new(),
        },
        None => linear(context, body, value),
    };
    let ends = |i: usize| -> Option<[(ValueId, i64); 2]> {
        let values = [first, second].map(|op| body.operand(op, i));
        let [low, high] = values.map(form);
        Some([
            (values[0], 0),
            (values[1], high.minus(&low)?.as_constant()?),
        ])
    };
    let unknown = |what: &str| {
        format!(
            "how far the {what} of {} lie apart is not a constant: write the same bounds",
            words()
        )
    };
    let found = Ranges {
        starts: ends(0).ok_or_else(|| unknown("lower bounds"))?,
        ends: ends(1).ok_or_else(|| unknown("upper bounds"))?,
        step,
    };
    if step > 1 && (found.starts[1].1 != 0) {
        return Err(format!(
            "{} have a step of {step} and do not start together: equal lower bounds would hold",
            words()
        ));
    }
    let is_known = |op: OperationId| {
        (0..2).all(|i| constant_i64(context, body, body.operand(op, i)).is_some())
    };
    let differ = found.starts[1].1 != 0 || found.ends[1].1 != 0;
    if differ && !(is_known(first) && is_known(second)) {
        return Err(format!(
            "{} have different numbers of iterations, which are not constants: write the same bounds",
            words()
        ));
    }
    Ok(found)
}

fn check(
    context: &Context,
    body: &Body,
    first: OperationId,
    second: OperationId,
) -> Result<(), String> {
    let loops = [first, second];
    let outside = Outside {
        context,
        body,
        loops: &loops,
    };
    let before = references(context, body, first, first);
    let behind = references(context, body, second, second);
    for source in &before {
        for sink in &behind {
            if source.memory != sink.memory || !(source.writes || sink.writes) {
                continue;
            }
            let pair = Pair::new(&outside, source, sink, 1);
            if !pair.has_backward() {
                continue;
            }
            let words = between(context, body, source, sink);
            let (distance, advice) = match pair.least(0, 1) {
                Some(least) => (
                    least.to_string(),
                    format!(
                        "it would be legal if {} ran {} after {}, with its bounds and subscripts moved by as much",
                        title(context, body, second),
                        -least,
                        title(context, body, first)
                    ),
                ),
                None => (
                    ">".to_owned(),
                    "no constant shift would hold: leave the loops apart".to_owned(),
                ),
            };
            return Err(format!(
                "{} and {} cannot be fused: {words} would run backwards, its vector is ({distance}); {advice}",
                title(context, body, first),
                title(context, body, second),
            ));
        }
    }
    Ok(())
}

fn join(
    context: &Context,
    body: &mut Body,
    first: OperationId,
    second: OperationId,
) -> Result<(), String> {
    let uses_first = |op: OperationId| {
        let mut operands = body.operands(op);
        operands.any(|value| body.defining_operation(value) == Some(first))
    };
    let inside = body.walk(second);
    if inside.into_iter().any(uses_first) {
        return Err(format!(
            "{} uses what {} gives when it ends: they stay apart",
            title(context, body, second),
            title(context, body, first)
        ));
    }
    if !clear_between(body, first, second) {
        return Err(format!(
            "the operations between {} and {} need the first loop: the loops stay separate",
            title(context, body, first),
            title(context, body, second)
        ));
    }
    let ranges = ranges(context, body, first, second)?;
    check(context, body, first, second)?;
    make(context, body, first, second, &ranges);
    Ok(())
}

/// Emits the iterations of `op` from one value to another as a loop before `anchor`; returns its results.
fn part(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    anchor: OperationId,
    (from, to): (i64, i64),
    inits: &[ValueId],
) -> Vec<ValueId> {
    let copy = body.copy(context, op, &mut BTreeMap::new());
    body.insert_before(anchor, copy);
    let ty = body.ty(counter(body, op));
    let mut builder = Builder::before(context, body, copy);
    let (from, to) = (
        constant(&mut builder, ty, from),
        constant(&mut builder, ty, to),
    );
    body.set_operand(copy, 0, from);
    body.set_operand(copy, 1, to);
    for (i, init) in inits.iter().enumerate() {
        body.set_operand(copy, 3 + i, *init);
    }
    body.results(copy).to_vec()
}

/// Emits one loop for the common iterations, and loops for iterations that only one has.
fn make(
    context: &Context,
    body: &mut Body,
    first: OperationId,
    second: OperationId,
    ranges: &Ranges,
) {
    let loops = [first, second];
    let mut carried: [Vec<ValueId>; 2] = loops.map(|op| body.operands(op).skip(3).collect());
    let (mut from, mut to) = (ranges.starts[0].0, ranges.ends[0].0);
    let constants = |pair: &[(ValueId, i64); 2]| pair.map(|(v, _)| constant_i64(context, body, v));
    let (starts, ends) = (constants(&ranges.starts), constants(&ranges.ends));
    let mut rests: [Option<(i64, i64)>; 2] = [None, None];
    if let ([Some(a), Some(b)], [Some(c), Some(d)]) = (starts, ends)
        && (a, c) != (b, d)
    {
        let (starts, ends) = ([a, b], [c, d]);
        let start = a.max(b);
        let n = trips(start.into(), c.min(d).into(), ranges.step.into());
        let end = n.unwrap_or_default().times(ranges.step).plus(start);
        // If the counter after the last common iteration exceeds its type, there is no further iteration.
        let ty = body.ty(counter(body, first));
        let end = end.min(max_value_of(context, ty));
        let end = end.to_i64().unwrap_or(i64::MAX);
        for (i, op) in loops.into_iter().enumerate() {
            if starts[i] < start {
                let until = start.min(ends[i]);
                carried[i] = part(context, body, op, first, (starts[i], until), &carried[i]);
            }
            if end < ends[i] {
                rests[i] = Some((end.max(starts[i]), ends[i]));
            }
        }
        let ty = body.ty(counter(body, first));
        let mut builder = Builder::before(context, body, first);
        from = constant(&mut builder, ty, start);
        to = constant(&mut builder, ty, end);
    }
    let fused = both(context, body, loops, [from, to], &carried);
    let results = body.results(fused).to_vec();
    let n = carried[0].len();
    let mut given = [results[..n].to_vec(), results[n..].to_vec()];
    for (i, op) in loops.into_iter().enumerate() {
        if let Some(rest) = rests[i] {
            given[i] = part(context, body, op, first, rest, &given[i]);
        }
    }
    for (op, values) in loops.into_iter().zip(given) {
        for (old, new) in body.results(op).to_vec().into_iter().zip(values) {
            body.replace_all_uses(old, new);
        }
        body.erase(op);
    }
}

/// Emits a loop with copies of both bodies before the first loop.
fn both(
    context: &Context,
    body: &mut Body,
    loops: [OperationId; 2],
    [from, to]: [ValueId; 2],
    carried: &[Vec<ValueId>; 2],
) -> OperationId {
    let [first, second] = loops;
    let location = body.location(first);
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
    let step = body.operand(first, 2);
    new.operands.extend([from, to, step]);
    new.operands.extend(carried.iter().flatten().copied());
    new.result_types = loops
        .iter()
        .flat_map(|op| body.results(*op).iter().map(|v| body.ty(*v)))
        .collect();
    new.attributes = body.attributes(first).to_vec();
    for (name, value) in body.attributes(second) {
        if new.attributes.iter().all(|(known, _)| known != name) {
            new.attributes.push((*name, *value));
        }
    }
    new.n_regions = 1;
    let fused = body.create(context, new);
    body.insert_before(first, fused);
    let region = body.regions(fused)[0];
    let block = body.append_block(region);
    let old = counter(body, first);
    let at = body.add_argument(block, body.ty(old), location);
    body.set_value_name(at, body.value_name(old));
    let mut passed = Vec::new();
    for op in loops {
        let inner = body.entry_block(op, 0).expect("a loop has a body");
        let arguments = body.arguments(inner).to_vec();
        let mut values = BTreeMap::from([(arguments[0], at)]);
        for argument in &arguments[1..] {
            let ty = body.ty(*argument);
            let new = body.add_argument(block, ty, location);
            body.set_value_name(new, body.value_name(*argument));
            values.insert(*argument, new);
        }
        for inner in operations(body, op) {
            let copy = body.copy(context, inner, &mut values);
            body.append(block, copy);
        }
        let of_loop = crate::build::yielded(body, op, 0).into_iter();
        passed.extend(of_loop.map(|v| values.get(&v).copied().unwrap_or(v)));
    }
    let mut builder = Builder::at_end(context, body, block, location);
    builder.operation(scf::Yield::NAME, &passed, &[], &[]);
    fused
}
