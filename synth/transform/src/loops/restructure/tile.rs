//! `tile`: tiling of a loop or a nest of loops into blocks of iterations.
//!
//! Source: M. Wolf, M. Lam, "A data locality optimizing algorithm", PLDI 1991: legal if no dependence vector has a negative
//! element within the tiled loops, unless an outer loop carries it. A single tiled loop keeps its order.

use std::collections::BTreeMap;

use sluice_dialects::sluice::TILE;
use sluice_ir::{Body, Context, Exact, OperationId, ValueId};

use super::nest::{carried, carries, counter_name, dependence, only_loop, sink, statement, title};
use super::scan::{
    Level, bounds_of, constraints, counters, eliminate, emit, is_rectangular, move_body,
};
use crate::analysis::dependence_vectors::{
    Counter, Dependence, Direction, Outside, dependences, references, unit,
};
use crate::analysis::linear::{Linear, loop_of};

/// Tiles `op` together with inner loops that have the directive too, if they are perfectly nested.
pub(super) fn tile(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    size: i64,
) -> Result<(), String> {
    let (mut chain, mut sizes) = (vec![op], vec![size]);
    while let Ok(inner) = only_loop(context, body, chain[chain.len() - 1]) {
        let Some(size) = body.attribute_named(context, inner, TILE) else {
            break;
        };
        sizes.push(super::count(context, TILE, size)?);
        body.remove_attribute(inner, context.name(TILE));
        chain.push(inner);
    }
    not_alone(context, body, &chain)?;
    if let Some(carrying) = chain.iter().find(|op| carries(body, **op)) {
        let what = carried(context, body, *carrying);
        return Err(format!("{what}: keep the value in a memory to tile it"));
    }
    check(context, body, &chain)?;
    let counters = counters(context, body, &chain)?;
    let trips: Vec<Option<Exact>> = chain
        .iter()
        .map(|op| loop_of(context, body, *op).and_then(|l| l.trip_count))
        .collect();
    let levels = levels(context, body, &chain, &counters, &sizes, &trips)?;
    sink(body, &chain);
    let mut values = BTreeMap::new();
    let (block, _) = emit(context, body, chain[0], &levels, &mut values);
    move_body(body, &chain, block, &values);
    Ok(())
}

/// Reports an inner loop that is to be tiled too but has statements beside it: it would be tiled separately.
fn not_alone(context: &Context, body: &Body, chain: &[OperationId]) -> Result<(), String> {
    let last = chain[chain.len() - 1];
    let Err(Some(in_the_way)) = only_loop(context, body, last) else {
        return Ok(());
    };
    let inner = super::nest::operations(body, last)
        .into_iter()
        .find(|op| body.attribute_named(context, *op, TILE).is_some());
    match inner {
        Some(inner) => Err(format!(
            "{} is in the way between {} and {}, which are to be tiled together: distribute {} first, or tile one of them",
            statement(context, body, in_the_way),
            title(context, body, last),
            title(context, body, inner),
            title(context, body, last)
        )),
        None => Ok(()),
    }
}

fn is_permutable(found: &Dependence, n: usize) -> bool {
    found.directions[..n]
        .iter()
        .all(|direction| *direction != Direction::Backward)
}

fn check(context: &Context, body: &Body, chain: &[OperationId]) -> Result<(), String> {
    if chain.len() == 1 {
        return Ok(());
    }
    let outside = Outside {
        context,
        body,
        loops: &chain[..1],
    };
    let references = references(context, body, chain[0], chain[0]);
    let found = dependences(&outside, &references, chain.len());
    let Some(forbidding) = found.iter().find(|d| !is_permutable(d, chain.len())) else {
        return Ok(());
    };
    let most = (1..chain.len())
        .rev()
        .find(|n| found.iter().all(|d| is_permutable(d, *n)))
        .unwrap_or(1);
    let words = |ops: &[OperationId]| {
        let titles: Vec<String> = ops.iter().map(|op| title(context, body, *op)).collect();
        titles.join(", ")
    };
    Err(format!(
        "{} cannot be tiled together: {}, which has a negative element; what holds: {} tiled {}",
        words(chain),
        dependence(&outside, &references, forbidding),
        words(&chain[..most]),
        if most == 1 { "alone" } else { "together" }
    ))
}

/// Returns the loops over tiles, then those within a tile.
fn levels(
    context: &Context,
    body: &Body,
    chain: &[OperationId],
    counters: &[Counter],
    sizes: &[i64],
    trips: &[Option<Exact>],
) -> Result<Vec<Level>, String> {
    let is_rectangular = is_rectangular(counters);
    if let Some(at) = counters
        .iter()
        .position(|c| c.step != 1)
        .filter(|_| !is_rectangular)
    {
        return Err(format!(
            "{} has a step of {} in a nest whose bounds depend on its counters: only steps of 1 can be tiled there",
            title(context, body, chain[at]),
            counters[at].step
        ));
    }
    // A tile is identified by its first counter, which has no value yet. In forms, unused value indices stand for it.
    let firsts: Vec<ValueId> = (0..chain.len())
        .map(|level| ValueId::from_index(body.value_capacity() + level))
        .collect();
    let (mut tiles, mut points) = (Vec::new(), Vec::new());
    let mut known: Vec<Linear> = Vec::new();
    for (level, counter) in counters.iter().enumerate() {
        let op = chain[level];
        let needs_division = || {
            format!(
                "the tiles of {} would need a division in their bounds: tile it alone",
                title(context, body, op)
            )
        };
        let first = unit(firsts[level]);
        let extent = sizes[level]
            .checked_mul(counter.step)
            .ok_or_else(|| "a tile is too large".to_owned())?;
        let mut within = first.clone();
        within.constant = extent - 1;
        // The bounds cover all points of the outer tiles, whose first counters are known.
        known.extend(constraints(counter));
        let mut left = known.clone();
        for around in &counters[..level] {
            left = eliminate(&left, around.value).ok_or_else(needs_division)?;
        }
        let (lower, last) = if is_rectangular {
            (counter.lower.clone(), counter.last.clone())
        } else {
            bounds_of(&left, counter.value).ok_or_else(needs_division)?
        };
        let value = unit(counter.value);
        known.extend(value.minus(&first));
        known.extend(within.minus(&value));
        known.extend(lower.iter().filter_map(|low| first.minus(low)));
        let name =
            counter_name(context, body, op).map(|name| context.name(&format!("{name}_tile")));
        tiles.push(Level {
            old: firsts[level],
            lower,
            last,
            step: extent,
            name,
            attributes: Vec::new(),
            location: body.location(op),
        });
        // In a rectangular nest, no tile starts before the loop does.
        let lower = if is_rectangular {
            vec![first]
        } else {
            let all = counter.lower.iter().cloned();
            // Invariant lower bounds are omitted, because tiles start at them.
            let varying = all.filter(|low| counters.iter().any(|c| low.coefficient(c.value) != 0));
            varying.chain([first]).collect()
        };
        let divides =
            trips[level].is_some_and(|n| n.is_multiple_of(sizes[level])) && is_rectangular;
        let last = if divides {
            vec![within]
        } else {
            counter.last.iter().cloned().chain([within]).collect()
        };
        points.push(Level {
            old: counter.value,
            lower,
            last,
            step: counter.step,
            name: body.value_name(counter.value),
            attributes: body.attributes(op).to_vec(),
            location: body.location(op),
        });
    }
    tiles.extend(points);
    Ok(tiles)
}
