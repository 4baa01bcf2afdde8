//! Breaks combinational cycles of channels, both of tokens and of `ready`.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use sluice_dialects::{handshake, sluice};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::loops::loops;
use super::{Wanted, insert};
use crate::channels::{Channels, Port, Use, is_memory};
use crate::graph::BufferKind;

/// The reason of registers and slots on cycles.
pub(super) const CYCLE: &str = "ring";

/// A register of two slots, which registers data, `valid` and `ready`.
const BOTH: Wanted = Wanted {
    kind: BufferKind::Chain,
    slots: 1,
    cut: None,
    reason: CYCLE,
};

/// A slot in which a blocked token waits; it registers `ready`.
pub(super) const SLOT: Wanted = Wanted {
    kind: BufferKind::Fifo,
    slots: 1,
    cut: None,
    reason: CYCLE,
};

/// Inserts a register on every remaining cycle.
pub(super) fn close(context: &Context, body: &mut Body) {
    while let Some(cycle) = find_cycle(Channels::new(context, body)) {
        insert(context, body, cycle[0], &BOTH);
    }
}

/// Inserts a slot where tokens of loops come back, after the branches that decide on it or before them.
pub(super) fn hold_backs(context: &Context, body: &mut Body, is_early: bool) {
    let channels = Channels::new(context, body);
    let always: BTreeSet<ValueId> = channels.sourced().into_iter().collect();
    let mut places: Vec<Use> = backs(channels);
    if is_early {
        for back in &mut places {
            *back = in_front_of_branch(channels, *back);
        }
    }
    // A channel that always has a token is on no cycle.
    places.retain(|at| !always.contains(&body.operand(at.0, at.1)));
    for at in places {
        insert(context, body, at, &SLOT);
    }
}

/// Returns the operands through which tokens of all loops come back.
fn backs(channels: Channels<'_>) -> Vec<Use> {
    let found = loops(channels);
    found.iter().flat_map(|l| l.backs(channels)).collect()
}

/// Returns the operand before the branch through which tokens come back.
fn in_front_of_branch(channels: Channels<'_>, back: Use) -> Use {
    let channel = channels.body.operand(back.0, back.1);
    match channels.maker(channel) {
        Some((op, 0)) if channels.view(op).name() == handshake::ConditionalBranch::NAME => (op, 1),
        _ => back,
    }
}

/// Gives registers with an initial token a second slot, so that no `ready` cycle passes through them.
pub(super) fn start_with_both(context: &Context, body: &mut Body) {
    let cut = context.name(sluice::CUT);
    for op in body.walk_all() {
        let starts = body.attribute_named(context, op, "initValues").is_some();
        if starts && context.operation_text(body.name(op)) == handshake::Buffer::NAME {
            body.remove_attribute(op, cut);
        }
    }
}

/// Returns the channels that a channel depends on combinationally.
pub(super) fn at_once(channels: Channels<'_>, channel: ValueId) -> Vec<ValueId> {
    let Some((op, result)) = channels.maker(channel) else {
        return Vec::new();
    };
    let passages = channels.passages(op, result).into_iter();
    let direct = passages.filter(|passage| passage.latency_cycles == 0);
    direct
        .map(|p| channels.body.operand(op, p.operand))
        .collect()
}

/// Returns the operands of a cycle without a register, or of a combinational `ready` cycle.
fn find_cycle(channels: Channels<'_>) -> Option<Vec<Use>> {
    let forward = |op: OperationId, result: usize| -> Vec<usize> {
        let passages = channels.passages(op, result).into_iter();
        let direct = passages.filter(|passage| passage.latency_cycles == 0);
        direct.map(|passage| passage.operand).collect()
    };
    search_cycle(channels, &forward).or_else(|| search_cycle(channels, &backward(channels)))
}

/// Returns a function that computes the operands whose `ready` depends on that of a result.
fn backward(channels: Channels<'_>) -> impl Fn(OperationId, usize) -> Vec<usize> {
    move |op, result| {
        let view = channels.view(op);
        if is_memory(view) {
            return giving_way(channels, view, result);
        }
        if channels.holds_ready(op) {
            return Vec::new();
        }
        let passages = channels.passages(op, result).into_iter();
        passages.map(|passage| passage.operand).collect()
    }
}

/// Returns the requests whose acceptance depends on that of an answer: those of its port and of earlier ports, which yield to it.
fn giving_way(channels: Channels<'_>, memory: View<'_>, result: usize) -> Vec<usize> {
    let ports = Port::all(channels, memory);
    let at = ports.iter().position(|port| port.results.contains(&result));
    let Some(at) = at else {
        return Vec::new();
    };
    let before = ports[..=at].iter();
    let alike = before.filter(|port| port.stores == ports[at].stores);
    alike
        .flat_map(|port| port.operands.iter().copied())
        .collect()
}

/// Returns the operands of a cycle, found by a depth-first search against the token direction, the closing one first; `through`
/// returns the operands that a result depends on.
fn search_cycle(
    channels: Channels<'_>,
    through: &dyn Fn(OperationId, usize) -> Vec<usize>,
) -> Option<Vec<Use>> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum State {
        Open,
        Closed,
    }
    let mut states: BTreeMap<ValueId, State> = BTreeMap::new();
    for op in channels.operations() {
        for start in channels.body.results(op) {
            if states.contains_key(start) {
                continue;
            }
            // Channels with the operands still to visit, and the operands on the path between them.
            let mut stack: Vec<(ValueId, Vec<Use>)> = Vec::new();
            let mut between: Vec<Use> = Vec::new();
            let hangs_on = |channel: ValueId| -> Vec<Use> {
                let maker = channels.maker(channel);
                maker.map_or_else(Vec::new, |(op, result)| {
                    through(op, result).into_iter().map(|i| (op, i)).collect()
                })
            };
            states.insert(*start, State::Open);
            stack.push((*start, hangs_on(*start)));
            while let Some((channel, left)) = stack.last_mut() {
                let Some(at) = left.pop() else {
                    states.insert(*channel, State::Closed);
                    stack.pop();
                    between.pop();
                    continue;
                };
                let before = channels.body.operand(at.0, at.1);
                match states.get(&before) {
                    Some(State::Open) => {
                        let first = stack.iter().position(|(channel, _)| *channel == before);
                        let around = between.split_off(first.unwrap_or(0));
                        return Some(iter::once(at).chain(around.into_iter().rev()).collect());
                    }
                    Some(State::Closed) => {}
                    None => {
                        states.insert(before, State::Open);
                        between.push(at);
                        stack.push((before, hangs_on(before)));
                    }
                }
            }
        }
    }
    None
}
