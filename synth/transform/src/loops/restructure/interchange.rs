//! `interchange`: permutes the loops of a nest.
//!
//! Source: M. Wolfe, "High Performance Compilers for Parallel Computing", 1996, chapter 9: an order is legal if no dependence
//! vector becomes negative. Statements between the loops are first moved to separate loops, if dependences allow it.

use std::collections::BTreeMap;

use sluice_dialects::scf;
use sluice_ir::{Body, Context, OperationId};

use super::distribute::isolate;
use super::nest::{carried, carries, counter_name, dependence, only_loop, operations, sink, title};
use super::scan::{
    Level, bounds_of, constraints, counters, eliminate, emit, is_rectangular, move_body,
    without_redundant,
};
use crate::analysis::dependence_vectors::{
    Counter, Dependence, Direction, Outside, dependences, is_forward, references,
};
use crate::build::name;

/// Maximum number of loops of a nest that is permuted.
const MAX_LOOPS: usize = 6;

/// Permutes the loops of the nest with outermost loop `op` to the order of `names`.
pub(super) fn interchange(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    names: &[String],
) -> Result<(), String> {
    let mut chain = find_chain(context, body, op, names)?;
    if let Some(carrying) = chain.iter().find(|op| carries(body, **op)) {
        let what = carried(context, body, *carrying);
        return Err(format!(
            "{what}: keep the value in a memory, or leave the order as it is"
        ));
    }
    for outer in (0..chain.len() - 1).rev() {
        chain[outer] = isolate(context, body, chain[outer], chain[outer + 1])?;
        // Isolating may have replaced the inner loops by copies.
        for at in outer + 1..chain.len() {
            chain[at] = only_loop(context, body, chain[at - 1])
                .map_err(|_| "internal: a loop that was isolated has statements".to_owned())?;
        }
    }
    let name_of = |op: &OperationId| counter_name(context, body, *op).unwrap_or_default();
    let order: Vec<usize> = names
        .iter()
        .filter_map(|wanted| chain.iter().position(|op| name_of(op) == wanted))
        .collect();
    check(context, body, &chain, &order)?;
    let counters = counters(context, body, &chain)?;
    let levels = levels(context, body, &chain, &counters, &order)?;
    sink(body, &chain);
    let mut values = BTreeMap::new();
    let (block, _) = emit(context, body, chain[0], &levels, &mut values);
    move_body(body, &chain, block, &values);
    Ok(())
}

/// Returns the loops of these names, from `op` inwards.
fn find_chain(
    context: &Context,
    body: &Body,
    op: OperationId,
    names: &[String],
) -> Result<Vec<OperationId>, String> {
    let own = counter_name(context, body, op).unwrap_or_default();
    let wanted = |name: &str| names.iter().filter(|n| *n == name).count();
    if names.len() < 2 || names.len() > MAX_LOOPS || names.iter().any(|n| wanted(n) > 1) {
        return Err(format!(
            "an order has from 2 to {MAX_LOOPS} different loops, outermost first"
        ));
    }
    if wanted(own) == 0 {
        return Err(format!(
            "the order of a nest is set at its outermost loop, which is {}: the names are those of the nest",
            title(context, body, op)
        ));
    }
    let mut chain = vec![op];
    while chain.len() < names.len() {
        let around = chain[chain.len() - 1];
        let inner: Vec<OperationId> = operations(body, around)
            .into_iter()
            .filter(|op| name(context, body, *op) == scf::For::NAME)
            .collect();
        let found: Vec<OperationId> = inner
            .iter()
            .copied()
            .filter(|op| {
                let name = counter_name(context, body, *op);
                let is_new = chain
                    .iter()
                    .all(|c| counter_name(context, body, *c) != name);
                is_new && name.is_some_and(|name| wanted(name) > 0)
            })
            .collect();
        let words = title(context, body, around);
        match found.as_slice() {
            [one] => chain.push(*one),
            [] => {
                let there: Vec<String> = inner.iter().map(|op| title(context, body, *op)).collect();
                let there = match there.as_slice() {
                    [] => "no loop".to_owned(),
                    all => all.join(", "),
                };
                return Err(format!(
                    "no further loop of the order is directly in {words}; there is {there}"
                ));
            }
            _ => {
                return Err(format!(
                    "several loops of the order are next to each other in {words}: fuse or distribute them first"
                ));
            }
        }
    }
    Ok(chain)
}

/// Returns the first dependence that an order violates.
fn holds(dependences: &[Dependence], order: &[usize]) -> Option<usize> {
    dependences.iter().position(|found| {
        let permuted = order.iter().map(|level| found.directions[*level]);
        is_forward(permuted) == Some(false)
    })
}

fn check(
    context: &Context,
    body: &Body,
    chain: &[OperationId],
    order: &[usize],
) -> Result<(), String> {
    let outside = Outside {
        context,
        body,
        loops: &chain[..1],
    };
    let references = references(context, body, chain[0], chain[0]);
    let found = dependences(&outside, &references, chain.len());
    let Some(forbidding) = holds(&found, order) else {
        return Ok(());
    };
    let inversions = |other: &[usize]| {
        let place = |order: &[usize], level: usize| order.iter().position(|l| *l == level);
        let pairs = (0..order.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| {
                (place(order, *a) < place(order, *b)) != (place(other, *a) < place(other, *b))
            })
            .count()
    };
    let nearest = permutations(order.len())
        .into_iter()
        .filter(|order| holds(&found, order).is_none())
        .min_by_key(|other| inversions(other))
        .unwrap_or_else(|| (0..order.len()).collect());
    let words = |order: &[usize]| {
        let titles: Vec<String> = order
            .iter()
            .map(|level| title(context, body, chain[*level]))
            .collect();
        titles.join(", ")
    };
    let advice = if nearest.iter().copied().eq(0..order.len()) {
        "only the order of the source does".to_owned()
    } else {
        format!("the nearest that does: {}", words(&nearest))
    };
    let forbids = dependence(&outside, &references, &found[forbidding]);
    let permuted: Vec<&str> = order
        .iter()
        .map(|level| match found[forbidding].directions[*level] {
            Direction::Forward => "<",
            Direction::Same => "=",
            Direction::Backward => ">",
        })
        .collect();
    Err(format!(
        "the order {} does not hold: {forbids}, which would become ({}); {advice}",
        words(order),
        permuted.join(", ")
    ))
}

/// Returns all permutations of `n` loops, sorted.
pub(super) fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let next = (0..n).filter(|i| !order.contains(i)).collect::<Vec<_>>();
                next.into_iter().map(move |i| {
                    let mut longer = order.clone();
                    longer.push(i);
                    longer
                })
            })
            .collect();
    }
    all
}

/// Returns the loops in the new order with their bounds.
fn levels(
    context: &Context,
    body: &Body,
    chain: &[OperationId],
    counters: &[Counter],
    order: &[usize],
) -> Result<Vec<Level>, String> {
    let words = |level: usize| title(context, body, chain[level]);
    let mut bounds: BTreeMap<usize, _> = BTreeMap::new();
    if is_rectangular(counters) {
        for level in order {
            let counter = &counters[*level];
            bounds.insert(*level, (counter.lower.clone(), counter.last.clone()));
        }
    } else {
        if let Some(level) = (0..counters.len()).find(|level| counters[*level].step != 1) {
            return Err(format!(
                "{} has a step of {} in a nest whose bounds depend on its counters: only steps of 1 can be put in another order",
                words(level),
                counters[level].step
            ));
        }
        let all = counters.iter().flat_map(constraints).collect();
        let mut left = without_redundant(all);
        for level in order.iter().rev() {
            let value = counters[*level].value;
            let needs_division = || {
                format!(
                    "the bounds of {} would need a division in this order: leave it where it is",
                    words(*level)
                )
            };
            let found = bounds_of(&left, value).ok_or_else(needs_division)?;
            bounds.insert(*level, found);
            left = eliminate(&left, value).ok_or_else(needs_division)?;
        }
    }
    let levels = order.iter().map(|level| {
        let op = chain[*level];
        let (lower, last) = bounds.remove(level).expect("every level has bounds");
        if lower.is_empty() || last.is_empty() {
            return Err(format!(
                "{} would have no bounds in this order",
                words(*level)
            ));
        }
        Ok(Level {
            old: counters[*level].value,
            lower,
            last,
            step: counters[*level].step,
            name: body.value_name(counters[*level].value),
            attributes: body.attributes(op).to_vec(),
            location: body.location(op),
        })
    });
    levels.collect()
}
