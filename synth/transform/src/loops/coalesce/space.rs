//! Inserts idle steps between groups, so that enough steps lie between the definition of a value and its use.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{memref, synthesis_form::divides};
use sluice_ir::{Body, Context, OperationId, View};

use super::Limits;
use super::nest::{Bound, Child, GroupIndex, LoopIndex, Nest, Place, VariableIndex};
use super::recurrence::Recurrences;
use super::run::Run;
use super::simulation::run;
use crate::build::{constant_i64, name};

/// Up to this number, idle steps have a flag each; more are counted by a loop.
const MAX_SINGLE_STEPS: u64 = 3;

/// Maximum number of repair iterations; spacing that is still missing stays missing.
const MAX_ITERATIONS: usize = 4;

/// The same if the nest waits for quotients first: repairing one after the other takes more iterations.
const MAX_ITERATIONS_WITH_WAITS: usize = 8;

/// The requested spacing, in steps.
#[derive(Clone, Copy)]
pub(super) struct Requests {
    /// See [`SPACING`](sluice_dialects::sluice::SPACING).
    pub(super) spacing: u64,
    /// See [`ROWS`](sluice_dialects::sluice::ROWS).
    pub(super) rows: u64,
    /// See [`WAITS`](sluice_dialects::sluice::WAITS).
    pub(super) waits: bool,
    /// Number of steps that a division takes.
    pub(super) division: u64,
}

/// Simulates the nest, and adds idle steps until at least `spacing` steps lie between a group and a later one that depends on it.
pub(super) fn space(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &mut Nest,
    mut host: Vec<GroupIndex>,
    limits: &Limits,
    requests: Requests,
) -> Option<(Run, Vec<GroupIndex>)> {
    let counted = run(context, body, root, nest)?;
    fill_short_rows(context, body, nest, &counted, requests.rows);
    let recurrences = Recurrences::of(context, body, nest, limits);
    // Each iteration repairs all places of a kind at once, since one repair can make others unnecessary.
    let n_iterations = if requests.waits {
        MAX_ITERATIONS_WITH_WAITS
    } else {
        MAX_ITERATIONS
    };
    for _ in 0..n_iterations {
        let counted = run(context, body, root, nest)?;
        let (missing, parted) =
            missing_steps(context, body, nest, &counted, &recurrences, requests);
        if !parted.is_empty() {
            for group in parted {
                nest.groups[group].place = Place::Own;
                host[group] = group;
            }
            continue;
        }
        if let Some((row, iterations)) = row_to_delay(context, body, nest, &counted, requests)
            && delay(context, body, nest, row, iterations)
        {
            host.push(nest.groups.len() - 1);
            continue;
        }
        // If the nest waits for quotients, idle steps come first, because rows then need less padding.
        let mut filled = false;
        if missing.is_empty() || !requests.waits {
            filled = fill_for_copies(context, body, nest, &counted, &recurrences, requests);
        }
        if missing.is_empty() && !filled {
            return Some((counted, host));
        }
        // From the end, so that earlier positions stay valid.
        for ((around, at), n) in missing.into_iter().rev() {
            if n > MAX_SINGLE_STEPS {
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

/// Pads short entries of innermost loops, if words are read too soon after they were written because of them.
fn fill_short_rows(context: &Context, body: &Body, nest: &mut Nest, counted: &Run, spacing: u64) {
    for ((from, to), distance) in &counted.dependences {
        let flows = name(context, body, *from) == memref::Store::NAME
            && name(context, body, *to) == memref::Load::NAME;
        let row = |access| {
            let group = group_of(body, nest, access).expect("accesses are in groups");
            nest.groups[group].around
        };
        let around = row(*from);
        if !flows || *distance == 0 || *distance >= spacing || row(*to) != around {
            continue;
        }
        let facts = counted.counters[around];
        let steps = u64::try_from(nest.loops[around].children.len()).unwrap_or(1);
        let iterations = spacing.div_ceil(steps.max(1));
        if nest.is_row(around) && (facts.fewest < iterations || facts.empty_entries > 0) {
            nest.loops[around].min_iterations = iterations;
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

/// Returns the missing idle steps, by loop and position of the child before which they belong. Also returns the groups that
/// divide in the first step of a loop and whose quotient is on a recurrence: they need a separate step before that loop.
fn missing_steps(
    context: &Context,
    body: &Body,
    nest: &Nest,
    counted: &Run,
    recurrences: &Recurrences,
    requests: Requests,
) -> (BTreeMap<(LoopIndex, usize), u64>, BTreeSet<GroupIndex>) {
    let mut gaps = Vec::new();
    let mut parted = BTreeSet::new();
    let mut want = |from: GroupIndex, to: GroupIndex, distance: u64, spacing: u64| {
        // An idle step between does not separate a group that runs in the first step of a later loop or the last step of an
        // earlier one.
        let moves = !matches!(nest.groups[from].place, Place::First(_))
            && !matches!(nest.groups[to].place, Place::Last(_));
        if distance < spacing
            && moves
            && let Some((around, after, at)) = between(nest, from, to)
        {
            gaps.push((around, at, after, spacing - distance));
        }
    };
    for (recall, distance) in &counted.recalls {
        // A copy only passes the value on, so the distance counts from the definition of the value.
        let is_read = nest.reads_of_ops(body, recall.reader);
        if !is_read.contains(&recall.variable) {
            continue;
        }
        let source = nest.copies(body, recall.writer).remove(&recall.variable);
        let made = source.and_then(|source| {
            let makers = counted.recalls_of(recall.writer, source);
            makers.min_by_key(|(_, before)| *before)
        });
        let distance = distance + made.map_or(0, |(_, before)| before);
        let is_slow = is_quotient(context, body, nest, source.unwrap_or(recall.variable));
        let own = if is_slow { requests.division } else { 0 };
        let passes = recurrences.pass(recall.writer, recall.variable, recall.reader);
        // A group that only stores a quotient may be late; the reader of the word waits instead.
        if requests.waits && !passes && only_stores(context, body, nest, recall.reader) {
            continue;
        }
        // Short rows are padded instead.
        if own > 0
            && made.is_some_and(|(maker, _)| {
                row_between(nest, maker, recall.reader, requests.waits).is_some()
            })
        {
            continue;
        }
        if passes || own > 0 {
            let spacing = requests.spacing + own;
            let maker = made
                .filter(|_| own > 0)
                .map_or(recall.writer, |(maker, _)| maker);
            let is_first = matches!(nest.groups[maker].place, Place::First(_));
            if requests.waits && passes && own > 0 && is_first && distance < spacing {
                parted.insert(maker);
            }
            want(maker, recall.reader, distance, spacing);
        }
    }
    for ((from, to), distance) in &counted.dependences {
        let flows = name(context, body, *from) == memref::Store::NAME
            && name(context, body, *to) == memref::Load::NAME;
        if let (true, Some(from), Some(to)) = (
            flows && *distance > 0,
            group_of(body, nest, *from),
            group_of(body, nest, *to),
        ) {
            let own = if requests.waits && stores_quotient(context, body, nest, from) {
                requests.division
            } else {
                0
            };
            want(from, to, *distance, requests.spacing + own);
        }
    }
    // In the order of the readers: steps inserted for one reader also delay the later ones.
    gaps.sort_unstable();
    let mut missing: BTreeMap<(LoopIndex, usize), u64> = BTreeMap::new();
    for (around, at, after, n) in gaps {
        let there: u64 = missing
            .range((around, after + 1)..=(around, at))
            .map(|(_, n)| *n)
            .sum();
        if n > there {
            *missing.entry((around, at)).or_insert(0) += n - there;
        }
    }
    (missing, parted)
}

/// Returns whether a group consists only of stores.
fn only_stores(context: &Context, body: &Body, nest: &Nest, group: GroupIndex) -> bool {
    let group = &nest.groups[group];
    let mut ops = group.ops.iter();
    group.assignments.is_empty() && ops.all(|op| name(context, body, *op) == memref::Store::NAME)
}

/// Returns whether a group only stores, and one of the values is a quotient.
fn stores_quotient(context: &Context, body: &Body, nest: &Nest, group: GroupIndex) -> bool {
    let mut read = nest.reads_of_ops(body, group).into_iter();
    only_stores(context, body, nest, group)
        && read.any(|variable| is_quotient(context, body, nest, variable))
}

/// Returns an innermost loop that must start later, because it reads a quotient that the previous iteration stores too late. Also
/// returns the number of steps that its shortest non-empty entry and the idle steps before it should take together.
fn row_to_delay(
    context: &Context,
    body: &Body,
    nest: &Nest,
    counted: &Run,
    requests: Requests,
) -> Option<(LoopIndex, u64)> {
    let spacing = requests.spacing + requests.division;
    let late = |((from, to), distance): (&(OperationId, OperationId), &u64)| {
        let flows = name(context, body, *from) == memref::Store::NAME
            && name(context, body, *to) == memref::Load::NAME;
        let (from, to) = (group_of(body, nest, *from)?, group_of(body, nest, *to)?);
        let row = nest.groups[to].around;
        let (common, at) = nest.loops[row].parent?;
        let ends = flows
            && nest.is_row(row)
            && nest.loops[row].children.len() == 1
            && nest.groups[from].around == common
            && nest.position(from).1 > at
            && stores_quotient(context, body, nest, from);
        let missing = spacing.checked_sub(*distance).filter(|n| *n > 0)?;
        ends.then(|| (row, missing + counted.counters[row].fewest))
    };
    let all = counted.dependences.iter().filter(|_| requests.waits);
    all.filter_map(late).max_by_key(|(_, steps)| *steps)
}

/// Inserts idle steps before an innermost loop, `n` minus the number of its iterations; returns whether its bounds allow it.
fn delay(context: &Context, body: &Body, nest: &mut Nest, row: LoopIndex, n: u64) -> bool {
    let node = &nest.loops[row];
    let number = |bound: Bound| match bound {
        Bound::Number(number) => Some(number),
        Bound::Value(value) => constant_i64(context, body, value),
    };
    let n = i64::try_from(n).unwrap_or(i64::MAX);
    let bounds = match (number(node.lower), number(node.upper)) {
        (Some(lower), None) => [node.upper, Bound::Number(lower.saturating_add(n))],
        (None, Some(upper)) => [Bound::Number(upper.saturating_sub(n)), node.lower],
        _ => return false,
    };
    let Some((around, at)) = node.parent.filter(|_| node.step == 1) else {
        return false;
    };
    let is_delayed = nest.loops.iter().any(|known| {
        known.source.is_none() && (known.lower == bounds[0] || known.upper == bounds[1])
    });
    if is_delayed {
        return false;
    }
    let at = in_front_of_first_steps(nest, around, at);
    nest.add_idle_steps(around, at, bounds);
    true
}

/// Pads short entries of innermost loops if a value that is copied at the end of an iteration is used too soon after its
/// definition; returns whether it did.
fn fill_for_copies(
    context: &Context,
    body: &Body,
    nest: &mut Nest,
    counted: &Run,
    recurrences: &Recurrences,
    requests: Requests,
) -> bool {
    let mut wanted: BTreeMap<LoopIndex, u64> = BTreeMap::new();
    for (recall, distance) in &counted.recalls {
        let Some(source) = nest.copies(body, recall.writer).remove(&recall.variable) else {
            continue;
        };
        let is_read = nest.reads_of_ops(body, recall.reader);
        let is_slow = is_quotient(context, body, nest, source);
        let passes = recurrences.pass(recall.writer, recall.variable, recall.reader);
        if !is_read.contains(&recall.variable) || !(passes || is_slow) {
            continue;
        }
        let spacing = requests.spacing + if is_slow { requests.division } else { 0 };
        for (maker, before) in counted.recalls_of(recall.writer, source) {
            let missing = spacing.saturating_sub(distance + before);
            if let (true, Some(row)) = (
                missing > 0,
                row_between(nest, maker, recall.reader, requests.waits),
            ) {
                let facts = counted.counters[row];
                let fewest = if facts.empty_entries > 0 {
                    0
                } else {
                    facts.fewest
                };
                let least = wanted.entry(row).or_insert(0);
                *least = (fewest + missing).max(*least);
            }
        }
    }
    let mut filled = false;
    for (row, least) in wanted {
        let known = &mut nest.loops[row].min_iterations;
        filled |= least > *known;
        *known = least.max(*known);
    }
    filled
}

/// Returns whether a variable holds the result of a division.
fn is_quotient(context: &Context, body: &Body, nest: &Nest, variable: VariableIndex) -> bool {
    let maker = body.defining_operation(nest.variables[variable].like);
    maker.is_some_and(|op| divides(View::new(context, body, op)))
}

/// Returns an innermost loop inside the innermost common loop of two groups: the first one. With `waits`, returns one that runs
/// between the groups: the last one after `from` or, if the iteration ends between them, the first one before `to`.
fn row_between(nest: &Nest, from: GroupIndex, to: GroupIndex, waits: bool) -> Option<LoopIndex> {
    let around = |group: GroupIndex| {
        std::iter::successors(Some(nest.groups[group].around), |index| {
            Some(nest.loops[*index].parent?.0)
        })
    };
    let common = around(from).find(|index| around(to).any(|other| other == *index))?;
    let is_row = |index: &LoopIndex| nest.is_row(*index);
    if is_row(&common) {
        return None;
    }
    let n_children = nest.loops[common].children.len();
    let row = |at: usize| match nest.loops[common].children[at] {
        Child::Loop(inner) => Some(inner).filter(is_row),
        Child::Group(_) => None,
    };
    if !waits {
        return (0..n_children).find_map(row);
    }
    let (first, last) = (
        position_in(nest, common, from),
        position_in(nest, common, to),
    );
    let end = if first < last { last } else { n_children };
    let behind = (first + 1..end).rev().find_map(row);
    let in_front = || (0..last).find_map(row).filter(|_| first >= last);
    behind.or_else(in_front)
}

/// Returns the position of the child of a loop that is or contains a group.
fn position_in(nest: &Nest, around: LoopIndex, group: GroupIndex) -> usize {
    let mut place = nest.position(group);
    while place.0 != around {
        place = nest.loops[place.0]
            .parent
            .expect("the loop is around the group");
    }
    place.1
}

/// Returns the innermost common loop, the position of `from` in it, and the position before the child with `to`, if `from` comes
/// first.
fn between(nest: &Nest, from: GroupIndex, to: GroupIndex) -> Option<(LoopIndex, usize, usize)> {
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
        Some((at < *position).then(|| {
            let place = in_front_of_first_steps(nest, around, *position);
            (around, at, place)
        }))
    })?
}

/// Returns the position before the groups that run in the first step of the loop at a position: an idle step must not separate
/// them from it.
fn in_front_of_first_steps(nest: &Nest, around: LoopIndex, at: usize) -> usize {
    let runs_in_first_step = |child: &Child| match child {
        Child::Group(group) => matches!(nest.groups[*group].place, Place::First(_)),
        Child::Loop(_) => false,
    };
    let before = nest.loops[around].children[..at].iter().rev();
    at - before.take_while(|child| runs_in_first_step(child)).count()
}
