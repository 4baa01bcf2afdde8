//! Bundles loop-carried values that arrive at the same time into one token: values that an iteration computes within a cycle,
//! only from such values of the previous iteration, share one register, one `mux` and one `cond_br`.
//!
//! No value waits longer: there is no register on the path of these values, and all are available as soon as the previous
//! iteration is.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{handshake, sluice};
use sluice_ir::{Body, Context, OperationId, Type, ValueId, View};

use crate::graph::Graph;

/// Bundles the values of every loop of a graph in which values may have any number of uses.
pub(crate) fn bundle(graph: &mut Graph<'_>) {
    let mut loops: BTreeMap<ValueId, Vec<OperationId>> = BTreeMap::new();
    for op in graph.body.walk_all() {
        let view = View::new(graph.context, graph.body, op);
        if view.name() == handshake::Mux::NAME && is_starter(view, view.operand(0)) {
            loops.entry(view.operand(0)).or_default().push(op);
        }
    }
    for heads in loops.into_values() {
        let all_carried = at_once(graph.context, graph.body, &heads);
        for bundle in bundles(graph, all_carried) {
            join(graph, &bundle);
        }
    }
    let ops = graph.body.walk_all();
    let end = ops.into_iter().find(|op| {
        let name = graph.body.name(*op);
        graph.context.operation_text(name) == handshake::Return::NAME
    });
    if let Some(end) = end {
        graph.body.move_to_end(graph.block, end);
    }
}

/// The channels that a value waits for before it is computed within a cycle.
type Arrival = BTreeSet<ValueId>;

/// Groups carried values with the same loop condition whose initial values arrive at the same time, so that none waits for
/// another. Values that always have a token join any group.
fn bundles(graph: &Graph<'_>, all_carried: Vec<Carried>) -> Vec<Vec<Carried>> {
    let mut found: BTreeMap<(ValueId, Arrival), Vec<Carried>> = BTreeMap::new();
    for carried in all_carried {
        let begun = graph.body.operand(carried.head, 1);
        let arrival = arrival(graph.context, graph.body, begun);
        found
            .entry((carried.condition, arrival))
            .or_default()
            .push(carried);
    }
    let mut at_rest: BTreeMap<ValueId, Vec<Carried>> = BTreeMap::new();
    found.retain(|(condition, arrival), all_carried| {
        if arrival.is_empty() {
            at_rest.insert(*condition, std::mem::take(all_carried));
        }
        !arrival.is_empty()
    });
    for (condition, all_carried) in at_rest {
        let mut same = found
            .iter_mut()
            .filter(|((other, _), _)| *other == condition);
        match same.next() {
            Some((_, others)) => others.extend(all_carried),
            None => {
                found.insert((condition, Arrival::new()), all_carried);
            }
        }
    }
    found
        .into_values()
        .filter(|all_carried| all_carried.len() > 1)
        .collect()
}

fn arrival(context: &Context, body: &Body, value: ValueId) -> Arrival {
    let mut found = Arrival::new();
    let mut seen = BTreeSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let maker = body
            .defining_operation(value)
            .map(|op| View::new(context, body, op));
        match maker.filter(|view| is_at_once(*view)) {
            Some(view) => open.extend(view.operands().filter(|x| seen.insert(*x))),
            None => {
                found.insert(value);
            }
        }
    }
    found
}

/// Returns whether an operation yields its result in the cycle of its operands.
fn is_at_once(view: View<'_>) -> bool {
    match view.name() {
        handshake::Constant::NAME
        | handshake::Source::NAME
        | handshake::Join::NAME
        | handshake::Sync::NAME => true,
        name => name.starts_with("arith.") && latency_cycles(view) == 0,
    }
}

/// Returns whether a value comes from a register that has a token after reset.
fn is_starter(view: View<'_>, value: ValueId) -> bool {
    let maker = view.body.defining_operation(value).map(|op| view.at(op));
    maker.is_some_and(|maker| {
        maker.name() == handshake::Buffer::NAME && maker.attribute("initValues").is_some()
    })
}

/// The operations that carry a value around a loop.
#[derive(Clone, Copy)]
struct Carried {
    /// The `mux` at the start of an iteration.
    head: OperationId,
    /// The `cond_br` at the end of an iteration.
    branch: OperationId,
    condition: ValueId,
}

/// Returns the carried values whose next values are computed, within a cycle, only from such values.
fn at_once(context: &Context, body: &Body, heads: &[OperationId]) -> Vec<Carried> {
    let mut found: BTreeMap<OperationId, (Carried, BTreeSet<OperationId>)> = BTreeMap::new();
    for head in heads {
        let view = View::new(context, body, *head);
        if view.operands().len() != 3 {
            continue;
        }
        let back = view.operand(2);
        let Some(branch) = body.defining_operation(back).map(|op| view.at(op)) else {
            continue;
        };
        if branch.name() != handshake::ConditionalBranch::NAME || branch.result(0) != back {
            continue;
        }
        let carried = Carried {
            head: *head,
            branch: branch.id,
            condition: branch.operand(0),
        };
        if let Some(needed) = needed(context, body, branch.operand(1), heads) {
            found.insert(*head, (carried, needed));
        }
    }
    loop {
        let n_found = found.len();
        let known: BTreeSet<OperationId> = found.keys().copied().collect();
        found.retain(|_, (_, needed)| needed.is_subset(&known));
        if found.len() == n_found {
            break;
        }
    }
    found.into_values().map(|(carried, _)| carried).collect()
}

/// Returns the heads from which a value is computed within a cycle; `None` if it depends on anything else.
fn needed(
    context: &Context,
    body: &Body,
    value: ValueId,
    heads: &[OperationId],
) -> Option<BTreeSet<OperationId>> {
    let mut needed = BTreeSet::new();
    let mut seen = BTreeSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let view = View::new(context, body, body.defining_operation(value)?);
        if heads.contains(&view.id) {
            needed.insert(view.id);
            continue;
        }
        if !is_at_once(view) {
            return None;
        }
        open.extend(view.operands().filter(|x| seen.insert(*x)));
    }
    Some(needed)
}

fn latency_cycles(view: View<'_>) -> i64 {
    let latency = view.attribute(sluice::LATENCY);
    latency.and_then(|a| a.as_i64(view.context)).unwrap_or(0)
}

/// Merges several carried values into one; tokens without data join the narrowest value, or form a group of their own.
fn join(graph: &mut Graph<'_>, all_carried: &[Carried]) {
    let data_bits = |graph: &Graph<'_>, carried: &Carried| {
        let ty = graph.body.ty(graph.body.result(carried.head, 0));
        ty.integer_width_bits(graph.context)
    };
    let (with_data, without): (Vec<Carried>, Vec<Carried>) = all_carried
        .iter()
        .partition(|carried| data_bits(graph, carried).is_some());
    let narrowest = with_data
        .iter()
        .enumerate()
        .min_by_key(|(_, x)| data_bits(graph, x));
    if let Some((_, carried)) = narrowest {
        enter(graph, *carried, &with_data, &without);
    }
    let inside = match (narrowest, with_data.as_slice()) {
        (None, _) => graph.body.result(without[0].head, 0),
        (Some(_), [only]) => graph.body.result(only.head, 0),
        (Some((at, _)), _) => pack(graph, &with_data)[at],
    };
    for carried in &without {
        let token = graph.body.result(carried.head, 0);
        if token != inside {
            let made = graph.join(&[inside]);
            graph.body.replace_all_uses(token, made);
        }
    }
}

/// Lets the first token of a loop wait for the excluded values, if all initial values are always available: otherwise the loop
/// would begin before the call does, and load words that are not there yet.
fn enter(graph: &mut Graph<'_>, carried: Carried, with_data: &[Carried], without: &[Carried]) {
    let entry = |graph: &Graph<'_>, carried: &Carried| graph.body.operand(carried.head, 1);
    let waits = |x: &&Carried| !arrival(graph.context, graph.body, entry(graph, x)).is_empty();
    if with_data.iter().any(|x| waits(&x)) {
        return;
    }
    let Some(token) = without.iter().find(waits).map(|x| entry(graph, x)) else {
        return;
    };
    graph.location = graph.body.location(carried.head);
    let value = entry(graph, &carried);
    let value = graph.with(value, token);
    let mut operands: Vec<ValueId> = graph.body.operands(carried.head).collect();
    operands[1] = value;
    graph.body.set_operands(carried.head, &operands);
}

/// Packs values into one tuple from before the `mux`es to after the `cond_br`s.
fn pack(graph: &mut Graph<'_>, all_carried: &[Carried]) -> Vec<ValueId> {
    let (context, first) = (graph.context, all_carried[0]);
    graph.location = graph.body.location(first.head);
    let operands =
        |graph: &Graph<'_>, of: fn(&Carried) -> OperationId, index: usize| -> Vec<ValueId> {
            let each = all_carried.iter();
            each.map(|carried| graph.body.operand(of(carried), index))
                .collect()
        };
    let select = graph.body.operand(first.head, 0);
    let begun = operands(graph, |carried| carried.head, 1);
    let next = operands(graph, |carried| carried.branch, 1);
    let types: Vec<Type> = begun.iter().map(|value| graph.body.ty(*value)).collect();
    let tuple = context.ty(sluice_ir::TypeKind::Tuple(types.clone().into()));
    let packed = |graph: &mut Graph<'_>, values: &[ValueId]| {
        let op = graph.operation(handshake::Pack::NAME, values, &[tuple], &[]);
        graph.body.result(op, 0)
    };
    let begun = packed(graph, &begun);
    let back = graph.wire(tuple);
    let chosen = graph.mux(select, &[begun, back]);
    let inside = unpack(graph, chosen, &types);
    let next = packed(graph, &next);
    let (again, left) = graph.branch(first.condition, next);
    let again_parts = unpack(graph, again, &types);
    let left_parts = unpack(graph, left, &types);
    graph.connect(back, again);
    for (at, carried) in all_carried.iter().enumerate() {
        let head = graph.body.result(carried.head, 0);
        let name = graph.body.value_name(head);
        graph.body.set_value_name(inside[at], name);
        graph.body.replace_all_uses(head, inside[at]);
        let [yes, no] = [0, 1].map(|side| graph.body.result(carried.branch, side));
        graph.body.replace_all_uses(yes, again_parts[at]);
        graph.body.replace_all_uses(no, left_parts[at]);
    }
    inside
}

fn unpack(graph: &mut Graph<'_>, tuple: ValueId, types: &[Type]) -> Vec<ValueId> {
    let op = graph.operation(handshake::Unpack::NAME, &[tuple], types, &[]);
    graph.body.results(op).to_vec()
}
