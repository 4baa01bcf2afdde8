//! Idle steps between groups: a value that one group makes is read by another only after so many steps.

use std::collections::BTreeMap;

use sluice_dialects::synthesis_form::is_division;
use sluice_ir::{Body, Context, OperationId, View};

use super::nest::{GroupIndex, LoopIndex, Nest, Place};
use super::walk::{Run, run};
use crate::build::name;

/// More idle steps than this are counted; fewer have a flag each.
const MOST_SINGLE_STEPS: u64 = 3;

/// What is wanted of a nest, in steps.
#[derive(Clone, Copy)]
pub(super) struct Wishes {
    /// See [`SPACING`](super::SPACING).
    pub(super) spacing: u64,
    /// See [`ROWS`](super::ROWS).
    pub(super) rows: u64,
    /// Steps that a division takes.
    pub(super) division: u64,
}

/// Runs the nest, with idle steps where less than `spacing` steps lie between a group and one behind it that needs what it made.
pub(super) fn space(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &mut Nest,
    mut host: Vec<GroupIndex>,
    wishes: Wishes,
) -> Option<(Run, Vec<GroupIndex>)> {
    let counted = run(context, body, root, nest)?;
    fill_short_rows(context, body, nest, &counted, wishes.rows);
    // Each round repairs all places at once; one can make another superfluous, never worse.
    for _ in 0..4 {
        let counted = run(context, body, root, nest)?;
        let missing = missing_steps(context, body, nest, &counted, wishes);
        if missing.is_empty() {
            return Some((counted, host));
        }
        // From behind, so that positions stay.
        for ((around, at), n) in missing.into_iter().rev() {
            if n > MOST_SINGLE_STEPS {
                nest.add_idle_loop(around, at, n);
                host.push(nest.groups.len() - 1);
                continue;
            }
            for _ in 0..n {
                nest.add_idle_step(around, at);
                host.push(nest.groups.len() - 1);
            }
        }
    }
    let counted = run(context, body, root, nest)?;
    Some((counted, host))
}

/// Fills up entries of innermost loops with few iterations, if cells come back too soon because of them.
fn fill_short_rows(context: &Context, body: &Body, nest: &mut Nest, counted: &Run, spacing: u64) {
    for ((from, to), distance) in &counted.dependences {
        let flows = name(context, body, *from) == "memref.store"
            && name(context, body, *to) == "memref.load";
        let (from, to) = (group_of(body, nest, *from), group_of(body, nest, *to));
        if !flows || *distance == 0 || *distance >= spacing || from != to {
            continue;
        }
        let around = nest.groups[from.expect("accesses are in groups")].around;
        let facts = counted.counters[around];
        let is_innermost = nest.loops[around].children.len() == 1;
        if is_innermost && (facts.fewest < spacing || facts.empty_entries > 0) {
            nest.loops[around].least_iterations = spacing;
        }
    }
}

fn group_of(body: &Body, nest: &Nest, access: OperationId) -> Option<GroupIndex> {
    let outer = body.parent_operation(access);
    let holds = |op: &OperationId| *op == access || Some(*op) == outer;
    nest.groups
        .iter()
        .position(|group| group.ops.iter().any(holds))
}

/// Idle steps that are missing, by the loop and the position among its children in front of which they belong.
fn missing_steps(
    context: &Context,
    body: &Body,
    nest: &Nest,
    counted: &Run,
    wishes: Wishes,
) -> BTreeMap<(LoopIndex, usize), u64> {
    let mut missing = BTreeMap::new();
    let mut want = |from: GroupIndex, to: GroupIndex, distance: u64, spacing: u64| {
        // What runs in the first step of a loop behind it, or in the last step of one in front, is not moved by a step between.
        let moves = !matches!(nest.groups[from].place, Place::First(_))
            && !matches!(nest.groups[to].place, Place::Last(_));
        if distance < spacing
            && moves
            && let Some(place) = between(nest, from, to)
        {
            let known = missing.entry(place).or_insert(0);
            *known = (spacing - distance).max(*known);
        }
    };
    for ((group, variable), (distance, by)) in &counted.recalls {
        let maker = body.defining_operation(nest.variables[*variable].like);
        let divides = maker.is_some_and(|op| is_division(View::new(context, body, op)));
        let own = if divides { wishes.division } else { 0 };
        want(*by, *group, *distance, wishes.spacing + own);
    }
    for ((from, to), distance) in &counted.dependences {
        let flows = name(context, body, *from) == "memref.store"
            && name(context, body, *to) == "memref.load";
        if let (true, Some(from), Some(to)) = (
            flows && *distance > 0,
            group_of(body, nest, *from),
            group_of(body, nest, *to),
        ) {
            want(from, to, *distance, wishes.spacing);
        }
    }
    missing
}

/// The place in front of what holds `to`, in the innermost loop around both, if `from` stands before it there.
fn between(nest: &Nest, from: GroupIndex, to: GroupIndex) -> Option<(LoopIndex, usize)> {
    let path = |group: GroupIndex| {
        let (mut around, at) = nest.position(group);
        let mut path = vec![(around, at)];
        while let Some((parent, at)) = nest.loops[around].parent {
            path.push((parent, at));
            around = parent;
        }
        path
    };
    let behind = path(to);
    path(from).into_iter().find_map(|(around, at)| {
        let (_, position) = behind.iter().find(|(other, _)| *other == around)?;
        Some((at < *position).then_some((around, *position)))
    })?
}
