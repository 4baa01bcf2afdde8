//! Sums accumulated in memory: finds loop orders with the reduction loop innermost, so that the sum can be a carried value.
//!
//! `for k { for j { C[j] = C[j] + x } }` reads and writes `C[j]` in every iteration; as `for j { for k { .. } }` once per `j`.

use sluice_dialects::memref;
use sluice_ir::{Body, Context, OperationId};

use super::class::{Class, classes};
use super::statement::{self, Statement};
use super::{Place, Reordering, candidates, demote, order};
use crate::analysis::linear::{Linear, linear};
use crate::build::name;

/// Returns the legal ordering in which the innermost loop of every sum is a reduction loop, and as many loops as possible are
/// shared. Returns `None` if that already holds, or is impossible.
pub(super) fn ordering(context: &Context, body: &Body, root: OperationId) -> Option<Reordering> {
    let is_sum = |op| {
        name(context, body, op) == memref::Store::NAME && adds_up_outside(context, body, root, op)
    };
    if !body.walk(root).into_iter().any(is_sum) {
        return None;
    }
    let mut demoted = body.clone();
    demote::demote(context, &mut demoted, root);
    let statements = statement::read(context, &demoted, root).ok()?;
    let classes = classes(context, &demoted, &statements, |_| true);
    if statements.len() < 2 || classes.len() > super::MAX_CLASSES {
        return None;
    }
    let adding: Vec<Vec<usize>> = classes
        .iter()
        .map(|class| adding_loops(context, &demoted, &statements, class))
        .collect();
    let roots = [root];
    let outside = order::outside(context, &demoted, &roots);
    let conflicts = order::conflicts(&outside, &statements, &classes);
    let adds_up_inside = |places: &Vec<Place>| {
        places.iter().zip(&adding).all(|(place, adding)| {
            let inner = place.order.last();
            adding.is_empty() || inner.is_some_and(|inner| adding.contains(inner))
        })
    };
    let choices = candidates::choices(&classes, &conflicts);
    // `min_by_key` returns the first of equal candidates.
    let best = choices
        .into_iter()
        .filter(adds_up_inside)
        .min_by_key(|places| {
            let swaps: usize = places.iter().map(|place| inversions(&place.order)).sum();
            (std::cmp::Reverse(candidates::shared_loops(places)), swaps)
        })?;
    Some(Reordering { places: best })
}

/// Returns the number of pairs of loops whose order changed.
fn inversions(order: &[usize]) -> usize {
    let behind = |at: usize| {
        order[at..]
            .iter()
            .filter(|other| **other < order[at])
            .count()
    };
    (0..order.len()).map(behind).sum()
}

/// Returns the index expressions of an access whose memory is operand `at`.
fn indices(context: &Context, body: &Body, op: OperationId, at: usize) -> Vec<Linear> {
    let all = body.operands(op).skip(at + 1);
    all.map(|index| linear(context, body, index)).collect()
}

/// Returns whether a load of the same word precedes a store in its block.
fn reads_its_cell(context: &Context, body: &Body, store: OperationId) -> bool {
    let (memory, cell) = (body.operand(store, 1), indices(context, body, store, 1));
    let before = std::iter::successors(body.previous(store), |op| body.previous(*op));
    before
        .filter(|op| name(context, body, *op) == memref::Load::NAME)
        .any(|op| body.operand(op, 0) == memory && indices(context, body, op, 0) == cell)
}

/// Returns whether a store updates another word in each iteration of the innermost loop, but the same word in the iterations of
/// an outer loop.
fn adds_up_outside(context: &Context, body: &Body, root: OperationId, store: OperationId) -> bool {
    let cell = indices(context, body, store, 1);
    let around = std::iter::successors(body.parent_operation(store), |op| {
        (*op != root).then(|| body.parent_operation(*op)).flatten()
    });
    let changes: Option<Vec<bool>> = around
        .map(|op| {
            let counter = *body.arguments(body.entry_block(op, 0)?).first()?;
            Some(cell.iter().any(|form| form.coefficient(counter) != 0))
        })
        .collect();
    let Some([innermost, outer @ ..]) = changes.as_deref() else {
        return false;
    };
    *innermost && outer.contains(&false) && reads_its_cell(context, body, store)
}

/// Returns the positions of the reduction loops of a class among its counters; none if it has no sum.
fn adding_loops(
    context: &Context,
    body: &Body,
    statements: &[Statement],
    class: &Class,
) -> Vec<usize> {
    let mut stores = statements[class.like]
        .operations
        .iter()
        .filter(|op| name(context, body, **op) == memref::Store::NAME);
    let (Some(store), None) = (stores.next(), stores.next()) else {
        return Vec::new();
    };
    if !reads_its_cell(context, body, *store) {
        return Vec::new();
    }
    let cell = indices(context, body, *store, 1);
    let stays = |at: &usize| {
        let counter = class.counters[*at];
        cell.iter().all(|form| form.coefficient(counter) == 0)
    };
    (0..class.counters.len()).filter(stays).collect()
}
