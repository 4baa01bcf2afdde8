//! Cuts late `ready` paths, which run against the direction of the tokens, by slots.

use std::collections::BTreeSet;

use sluice_dialects::{handshake, sluice};
use sluice_ir::{Body, Context, OperationId, ValueId};

use super::delays::{Arrival, Delays};
use super::timing::arrivals;
use super::{Target, Wanted, insert};
use crate::channels::{ChannelMap, Channels, Port, is_memory};
use crate::graph::BufferKind;

/// A slot that registers `ready`.
pub(super) const SLOT: Wanted = Wanted {
    kind: BufferKind::Fifo,
    slots: 1,
    cut: None,
    reason: "clock of ready",
};

/// The share of the period before which no slot is placed on a path.
const EARLIEST: f64 = 0.4;

/// Cost of a new slot in bits relative to an existing register that could also register `ready`, because a slot lengthens data
/// paths.
const SLOT_BITS: u32 = 8;

/// Maximum number of cutting iterations; each shortens the longest paths.
const MAX_ITERATIONS: usize = 8;

/// Places slots on channels of late `ready` paths: for each path, on the narrowest channel that is far enough from its end.
pub(super) fn cut(context: &Context, body: &mut Body, target: &Target<'_>) {
    if !target.times_ready() {
        return;
    }
    let usable_ns = target.ready_ns();
    let delays = target.delays();
    for _ in 0..MAX_ITERATIONS {
        let chosen = late(Channels::new(context, body), &delays, usable_ns);
        if chosen.is_empty() {
            break;
        }
        for channel in chosen {
            let channels = Channels::new(context, body);
            if let Some(register) = register_of(channels, channel) {
                body.remove_attribute(register, context.name(sluice::CUT));
            } else if let Some(at) = channels.user(channel) {
                insert(context, body, at, &SLOT);
            }
        }
    }
}

/// Returns the register after a channel, if it could also register `ready`.
fn register_of(channels: Channels<'_>, channel: ValueId) -> Option<OperationId> {
    let (user, _) = channels.user(channel)?;
    let is_register =
        channels.view(user).name() == handshake::Buffer::NAME && !channels.is_fifo(user);
    (is_register && !channels.holds_ready(user)).then_some(user)
}

/// The arrival time of a channel's `ready`, and the later channel that determines it.
#[derive(Clone, Copy)]
struct Ready {
    at_ns: f64,
    because: Option<ValueId>,
}

/// Returns channels to cut, so that no `ready` arrives later than the limit.
fn late(channels: Channels<'_>, delays: &Delays<'_>, usable_ns: f64) -> Vec<ValueId> {
    let forward = arrivals(channels, delays, usable_ns).0;
    let always: BTreeSet<ValueId> = channels.sourced().into_iter().collect();
    let mut ready: ChannelMap<Ready> = ChannelMap::default();
    let mut chosen: Vec<ValueId> = Vec::new();
    for channel in channels.in_order(&|channel| find_ready_sources(channels, channel)) {
        if always.contains(&channel) {
            continue;
        }
        let Some((user, _)) = channels.user(channel) else {
            continue;
        };
        let mut latest = Ready {
            at_ns: 0.0,
            because: None,
        };
        for later in find_ready_sources(channels, channel) {
            let known = ready.get(later).map_or(0.0, |ready| ready.at_ns);
            if known > latest.at_ns {
                latest = Ready {
                    at_ns: known,
                    because: Some(later),
                };
            }
        }
        let decision_ns = delays.decision_ns(channels, channel);
        for (other, decides) in joined(channels, user, channel) {
            let arrival: Arrival = forward.get(other).copied().unwrap_or_default();
            let at_ns = match decides {
                true => arrival.decided_ns(decision_ns),
                false => arrival.valid_ns,
            };
            if at_ns > latest.at_ns {
                latest = Ready {
                    at_ns,
                    because: None,
                };
            }
        }
        latest.at_ns += delays.gates_ns(channels, user);
        if latest.at_ns > usable_ns {
            let cut = narrowest(channels, &ready, latest.because, usable_ns * EARLIEST);
            if let Some(cut) = cut {
                if !chosen.contains(&cut) {
                    chosen.push(cut);
                }
                latest = Ready {
                    at_ns: 0.0,
                    because: None,
                };
            }
        }
        ready.insert(channel, latest);
    }
    chosen
}

/// Returns the channels on whose `ready` that of a channel depends combinationally.
pub(super) fn find_ready_sources(channels: Channels<'_>, channel: ValueId) -> Vec<ValueId> {
    let Some((user, index)) = channels.user(channel) else {
        return Vec::new();
    };
    let view = channels.view(user);
    if is_memory(view) {
        let ports = Port::all(channels, view);
        let own = ports.iter().position(|port| port.operands.contains(&index));
        let Some(own) = own else {
            return Vec::new();
        };
        let alike = ports[own..]
            .iter()
            .filter(|port| port.stores == ports[own].stores);
        // A load also reads the word that is being written; counting it for stores too is conservative.
        let compared = channels.compared(view, index).into_iter();
        let written = compared.flat_map(|(_, port)| port.results);
        let results = alike.flat_map(|port| &port.results).copied();
        return results.chain(written).map(|i| view.result(i)).collect();
    }
    if channels.holds_ready(user) {
        return Vec::new();
    }
    let results = 0..view.results().len();
    let hangs_on = |result: &usize| {
        let passages = channels.passages(user, *result).into_iter();
        passages.map(|p| p.operand).any(|operand| operand == index)
    };
    results.filter(hangs_on).map(|i| view.result(i)).collect()
}

/// Returns the operands that a token waits for at its user, and for each whether its data determine the destination.
pub(super) fn joined(
    channels: Channels<'_>,
    user: OperationId,
    channel: ValueId,
) -> Vec<(ValueId, bool)> {
    let view = channels.view(user);
    if is_memory(view) {
        // A port yields to requests of later ports.
        let ports = Port::all(channels, view);
        let index = channels.user(channel).map_or(0, |(_, index)| index);
        let own = ports.iter().position(|port| port.operands.contains(&index));
        let own = own.unwrap_or(ports.len());
        let alike = ports
            .iter()
            .skip(own)
            .filter(|port| port.stores == ports[own].stores);
        let operands = alike.flat_map(|port| &port.operands);
        let mut all: Vec<_> = operands.map(|i| (view.operand(*i), false)).collect();
        // A load's address is compared with pending addresses, including one that is written in this cycle.
        for (queue, port) in channels.compared(view, index) {
            all.push((view.operand(ports[own].address()), true));
            all.push((channels.view(queue).operand(0), true));
            all.extend(port.operands.iter().map(|i| (view.operand(*i), false)));
        }
        return all;
    }
    // An operation yields to later ones that share its unit.
    let sharers = channels.sharers(user).into_iter();
    let later = sharers.skip_while(|op| *op != user).skip(1);
    let later = later.flat_map(|op| channels.view(op).operands().collect::<Vec<_>>());
    let joins = !matches!(view.name(), handshake::Fork::NAME | handshake::Buffer::NAME);
    let chooses = matches!(
        view.name(),
        handshake::Mux::NAME | handshake::ConditionalBranch::NAME
    );
    let operands = view.operands().enumerate();
    let all = operands.map(|(i, operand)| (operand, chooses && i == 0));
    let own = all.filter(|(operand, decides)| joins && (*operand != channel || *decides));
    own.chain(later.map(|operand| (operand, false))).collect()
}

/// Returns the narrowest channel of a late `ready` path at which the delay is large enough for a cut to help.
fn narrowest(
    channels: Channels<'_>,
    ready: &ChannelMap<Ready>,
    from: Option<ValueId>,
    min_ns: f64,
) -> Option<ValueId> {
    let mut best: Option<(u32, ValueId)> = None;
    let mut at = from;
    while let Some(channel) = at {
        let known = ready.get(channel)?;
        if known.at_ns < min_ns {
            break;
        }
        let slot_bits = match register_of(channels, channel) {
            Some(_) => 0,
            None => SLOT_BITS,
        };
        let width_bits = channels.width_bits(channel) + slot_bits;
        if !channels.is_wired(channel) && best.is_none_or(|(narrow, _)| width_bits < narrow) {
            best = Some((width_bits, channel));
        }
        at = known.because;
    }
    let best = best.map(|(_, channel)| channel);
    best.or_else(|| from.filter(|channel| !channels.is_wired(*channel)))
}
