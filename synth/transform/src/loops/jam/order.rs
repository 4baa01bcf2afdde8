//! Finds accesses whose order would change if a loop were jammed.

use sluice_dialects::scf;
use sluice_ir::{Body, Context, OperationId};

use crate::analysis::dependence_vectors::{Direction, Outside, Pair, Reference, references};
use crate::analysis::linear::loop_of;
use crate::build::name;

/// Two accesses whose order would change.
pub(super) struct Conflict {
    /// The access that must come first.
    pub(super) first: OperationId,
    /// The access that would come before it.
    pub(super) second: OperationId,
    /// Distance in iterations of the jammed loop.
    pub(super) distance: i64,
}

/// Returns the loops inside `op` that jamming fuses: nested directly in it or in one another, not in conditionals.
pub(super) fn fused_loops(context: &Context, body: &Body, op: OperationId) -> Vec<OperationId> {
    let mut found = Vec::new();
    let mut waiting = vec![op];
    while let Some(around) = waiting.pop() {
        let inner: Vec<OperationId> = body
            .entry_block(around, 0)
            .map(|block| body.operations(block).collect())
            .unwrap_or_default();
        for inner in inner {
            if name(context, body, inner) == scf::For::NAME {
                found.push(inner);
                waiting.push(inner);
            }
        }
    }
    found
}

/// An access with its position in the nest.
struct Access {
    reference: Reference,
    /// For the jammed loop and every enclosing fused loop, outermost first: the segment of its block that contains the access. A
    /// segment is a fused loop or the code between two fused loops.
    segments: Vec<usize>,
}

/// Returns the accesses under `op`. The first counters of each reference are those of the jammed loop and of the fused ones.
fn accesses(context: &Context, body: &Body, op: OperationId) -> Vec<Access> {
    let located = |reference: Reference| {
        let chain: Vec<OperationId> =
            std::iter::successors(Some(reference.op), |op| body.parent_operation(*op))
                .take_while(|around| *around != op)
                .collect();
        let mut segments = Vec::new();
        for inner in chain.into_iter().rev() {
            let is_loop = name(context, body, inner) == scf::For::NAME;
            let block = body.parent_block(inner);
            let before = block.map_or(0, |block| {
                body.operations(block)
                    .take_while(|op| *op != inner)
                    .filter(|op| name(context, body, *op) == scf::For::NAME)
                    .count()
            });
            segments.push(2 * before + usize::from(is_loop));
            if !is_loop {
                break;
            }
        }
        Access {
            reference,
            segments,
        }
    };
    let all = references(context, body, op, op);
    all.into_iter().map(located).collect()
}

/// Returns the pair of accesses with the smallest distance whose order changes when `op` is jammed by `factor`.
pub(super) fn conflict(
    context: &Context,
    body: &Body,
    op: OperationId,
    factor: i64,
) -> Option<Conflict> {
    let step = loop_of(context, body, op)?.step?;
    let outside = Outside {
        context,
        body,
        loops: &[op],
    };
    let all = accesses(context, body, op);
    let mut found: Option<Conflict> = None;
    for first in &all {
        for second in &all {
            let (a, b) = (&first.reference, &second.reference);
            if a.memory != b.memory || !(a.writes || b.writes) {
                continue;
            }
            let below = found.as_ref().map_or(factor, |known| known.distance);
            let distance = change_places(&outside, first, second, step, below);
            if let Some(distance) = distance {
                found = Some(Conflict {
                    first: a.op,
                    second: b.op,
                    distance,
                });
            }
        }
    }
    found
}

/// Returns the minimum distance below `below`, in iterations of the jammed loop, at which `second` accesses a word that `first`
/// accessed earlier but would run before it.
fn change_places(
    outside: &Outside<'_>,
    first: &Access,
    second: &Access,
    step: i64,
    below: i64,
) -> Option<i64> {
    let n_fused = first.segments.len().min(second.segments.len());
    let n_common = (first.reference.counters.iter())
        .zip(&second.reference.counters)
        .take(n_fused)
        .take_while(|(a, b)| a.value == b.value)
        .count();
    let pair = Pair::new(outside, &first.reference, &second.reference, n_common);
    let near = pair.within(0, 1, i128::from(step) * i128::from(below - 1));
    if !near.may_hold() {
        return None;
    }
    let least = |pair: &Pair<'_>| pair.least(0, 1).map_or(1, |values| values / step);
    // The second access now runs before the first if its iteration of a fused loop is earlier. In equal iterations, it does so
    // only if its segment is earlier; copies of one segment stay in order.
    let mut same = near;
    let mut found: Option<i64> = None;
    for level in 1..n_common {
        let earlier = same.toward(level, Direction::Backward);
        if earlier.may_hold() {
            found = found.into_iter().chain([least(&earlier)]).min();
        }
        same = same.toward(level, Direction::Same);
    }
    let is_behind = second.segments[n_common - 1] < first.segments[n_common - 1];
    if is_behind && same.may_hold() {
        found = found.into_iter().chain([least(&same)]).min();
    }
    found
}
