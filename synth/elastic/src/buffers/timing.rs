//! Adds registers to paths that are longer than the clock period.

use std::collections::BTreeSet;

use sluice_dialects::handshake;
use sluice_ir::{Body, Context, ValueId};

use crate::channels::{ChannelMap, Channels, Use, is_memory};
use crate::graph::BufferKind;

use super::cycles::at_once;
use super::delays::{Arrival, Delays};
use super::loops::loops;
use super::{Target, Wanted, insert};

/// A register on a path.
const REGISTER: Wanted = Wanted {
    kind: BufferKind::Chain,
    slots: 1,
    cut: Some("data"),
    reason: CLOCK,
};

/// The reason of these registers.
pub(super) const CLOCK: &str = "clock";

/// Adds registers to channels whose tokens arrive too late for their users.
///
/// A late signal that enters a loop gets its register before the loop, where it only delays the first iteration by a cycle.
pub(super) fn cut(context: &Context, body: &mut Body, target: &Target<'_>) {
    let usable_ns = target.path_ns();
    let delays = target.delays();
    let (known, mut late) = arrivals(Channels::new(context, body), &delays, usable_ns);
    if late.is_empty() {
        return;
    }
    let channels = Channels::new(context, body);
    let entries = late_entries(channels, &delays, usable_ns, (&known, &late));
    if !entries.is_empty() {
        for at in entries {
            insert(context, body, at, &REGISTER);
        }
        (_, late) = arrivals(Channels::new(context, body), &delays, usable_ns);
    }
    for at in late {
        insert(context, body, at, &REGISTER);
    }
}

/// Returns the loop entries whose late arrival alone makes something in the loop late, with the arrival times and the late uses.
fn late_entries(
    channels: Channels<'_>,
    delays: &Delays<'_>,
    usable_ns: f64,
    (known, late): (&ChannelMap<Arrival>, &[Use]),
) -> Vec<Use> {
    let found = loops(channels);
    let heads = found.iter().flat_map(|this| &this.heads);
    let entries: BTreeSet<Use> = heads.map(|head| (*head, 1)).collect();
    let (_, anyway) = arrivals_behind(channels, delays, usable_ns, &entries);
    let mut chosen = BTreeSet::new();
    for at in late
        .iter()
        .filter(|at| !anyway.contains(at) && !entries.contains(at))
    {
        let around = found.iter().filter(|this| this.operations.contains(&at.0));
        let Some(innermost) = around.min_by_key(|this| this.operations.len()) else {
            continue;
        };
        let own = innermost.heads.iter().map(|head| (*head, 1));
        chosen.extend(own.filter(|(head, index)| {
            let entry = channels.body.operand(*head, *index);
            known
                .get(entry)
                .is_some_and(|arrival| arrival.all_ns() > 0.0)
        }));
    }
    chosen.into_iter().collect()
}

/// Returns the arrival times of tokens, and the uses before which a register is needed.
pub(super) fn arrivals(
    channels: Channels<'_>,
    delays: &Delays<'_>,
    usable_ns: f64,
) -> (ChannelMap<Arrival>, Vec<Use>) {
    arrivals_behind(channels, delays, usable_ns, &BTreeSet::new())
}

/// Computes the arrival times with assumed registers before some uses.
fn arrivals_behind(
    channels: Channels<'_>,
    delays: &Delays<'_>,
    usable_ns: f64,
    registers: &BTreeSet<Use>,
) -> (ChannelMap<Arrival>, Vec<Use>) {
    let always: BTreeSet<ValueId> = channels.sourced().into_iter().collect();
    let mut arrivals: ChannelMap<Arrival> = ChannelMap::default();
    let mut found = Vec::new();
    let order = channels.in_order(&|channel| at_once(channels, channel));
    let stages = order.into_iter().filter_map(|channel| {
        let (op, result) = channels.maker(channel)?;
        let stage = delays.of(channels, op, result);
        if let Some(after) = stage.registered() {
            arrivals.insert(channel, after);
        }
        Some((channel, op, result, stage))
    });
    let (registered, direct): (Vec<_>, Vec<_>) =
        stages.partition(|(.., stage)| stage.registered().is_some());
    // Inputs of registers are checked after the combinational signals are known.
    for (channel, op, result, stage) in direct.into_iter().chain(registered) {
        let mut latest = Arrival::default();
        for passage in channels.passages(op, result) {
            let at = (op, passage.operand);
            let before = channels.body.operand(op, passage.operand);
            if always.contains(&before) {
                continue;
            }
            let known = arrivals.get(before).filter(|_| !registers.contains(&at));
            let mut arrival = known.copied().unwrap_or_default();
            let behind = stage.through(passage.operand, arrival);
            // No register is placed between an access and its port, in either direction.
            let is_answer = channels.maker(before).is_some_and(|(maker, _)| {
                is_memory(channels.view(maker)) && channels.view(op).name() == handshake::Load::NAME
            });
            let is_wired = is_answer || is_memory(channels.view(op)) || channels.is_watched(before);
            let may_wait = !is_wired && arrival.all_ns() > 0.0;
            if may_wait && behind.all_ns() > usable_ns {
                if !found.contains(&at) {
                    found.push(at);
                }
                arrival = Arrival::default();
            }
            latest = latest.latest(stage.through(passage.operand, arrival));
        }
        arrivals.insert(channel, stage.registered().unwrap_or(latest));
    }
    (arrivals, found)
}
