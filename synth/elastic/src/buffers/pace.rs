//! Computes the initiation interval of a loop, and the token times in the steady state.
//!
//! Token `n` is on a channel in cycle `time + n * interval`. A path of `l` cycles through `k` initial tokens requires
//! `time(to) >= time(from) + l - k * interval`. The least interval is the maximum ratio of cycles to tokens over all cycles of the graph,
//! rounded up. The earliest times for it are the longest paths from the heads.

use std::collections::BTreeSet;

use sluice_ir::{OperationId, ValueId};

use crate::channels::{ChannelMap, Channels, Use, is_memory};
use crate::longest::longest;

use super::loops::{Loop, loops};

/// The dependences between the channels of a graph, for all of its loops.
pub(super) struct Passages<'a> {
    channels: Channels<'a>,
    /// The loops, in text order.
    pub(super) loops: Vec<Loop>,
    /// The operands of all loops through which tokens come back.
    backs: BTreeSet<Use>,
    starters: BTreeSet<OperationId>,
    /// All channels, in topological order within an iteration.
    entered: Vec<Entered>,
}

/// A channel with its predecessors.
struct Entered {
    channel: ValueId,
    /// The operations that determine the loops it belongs to: for a memory result, those that sent the request.
    owners: Vec<OperationId>,
    /// The operands it depends on, with the latencies in cycles.
    from: Vec<(Use, u32)>,
}

impl<'a> Passages<'a> {
    pub(super) fn of(channels: Channels<'a>) -> Self {
        let loops = loops(channels);
        let backs: BTreeSet<Use> = loops.iter().flat_map(|l| l.backs(channels)).collect();
        let mut known: ChannelMap<Entered> = ChannelMap::default();
        for op in channels.operations() {
            let is_memory = is_memory(channels.view(op));
            for (result, channel) in channels.body.results(op).iter().enumerate() {
                let passages = channels.passages(op, result).into_iter();
                let from: Vec<(Use, u32)> = passages
                    .map(|p| ((op, p.operand), p.latency_cycles))
                    .collect();
                let askers = from.iter().filter_map(|(at, _)| {
                    let request = channels.body.operand(at.0, at.1);
                    channels.maker(request).map(|(asker, _)| asker)
                });
                let owners = match is_memory {
                    true => askers.collect(),
                    false => vec![op],
                };
                let entered = Entered {
                    channel: *channel,
                    owners,
                    from,
                };
                known.insert(*channel, entered);
            }
        }
        let direct = |channel: ValueId| -> Vec<ValueId> {
            let from = known.get(channel).map_or(&[][..], |entered| &entered.from);
            let is_cut = |at: &Use| backs.contains(at) || channels.has_tokens(at.0);
            let kept = from.iter().filter(|(at, _)| !is_cut(at));
            kept.map(|(at, _)| channels.body.operand(at.0, at.1))
                .collect()
        };
        let order = channels.in_order(&direct).into_iter();
        Self {
            channels,
            starters: loops.iter().map(|l| l.starter).collect(),
            loops,
            backs,
            entered: order.filter_map(|channel| known.take(channel)).collect(),
        }
    }

    /// Returns whether tokens come back through an operand.
    pub(super) fn is_back(&self, at: &Use) -> bool {
        self.backs.contains(at)
    }
}

/// The interval and token times of a loop.
pub(super) struct Pace {
    /// Cycles between iterations, if no token waits for buffer space.
    pub(super) interval_cycles: u32,
    times: ChannelMap<i64>,
    /// The channels of the critical cycle that prevents a shorter interval, in the direction of the tokens; empty if a busy unit
    /// prevents it.
    pub(super) critical_cycle: Vec<ValueId>,
}

/// A dependence between two channels of a loop.
struct Way {
    from: usize,
    to: usize,
    latency_cycles: i64,
    /// Number of tokens on it before the first iteration.
    n_tokens: i64,
}

impl Pace {
    /// Computes the pace of a loop; an iteration of an inner loop counts as one passage.
    pub(super) fn of(passages: &Passages<'_>, this: &Loop) -> Self {
        let channels = passages.channels;
        let own: BTreeSet<Use> = this.backs(channels).into_iter().collect();
        let entered = passages.entered.iter();
        let inside: Vec<&Entered> = entered
            .filter(|entered| entered.owners.iter().any(|op| this.operations.contains(op)))
            .collect();
        let mut numbers: ChannelMap<usize> = ChannelMap::default();
        for (i, entered) in inside.iter().enumerate() {
            numbers.insert(entered.channel, i);
        }
        let mut ways = Vec::new();
        for (to, entered) in inside.iter().enumerate() {
            for (at, latency_cycles) in &entered.from {
                let from = numbers.get(channels.body.operand(at.0, at.1));
                let is_own = own.contains(at);
                let is_foreign = passages.is_back(at) && !is_own
                    || at.0 != this.starter && passages.starters.contains(&at.0);
                let (Some(from), false) = (from, is_foreign) else {
                    continue;
                };
                ways.push(Way {
                    from: *from,
                    to,
                    latency_cycles: i64::from(*latency_cycles),
                    // The select input of a head tells what came back, so it carries a token as well.
                    n_tokens: i64::from(is_own || channels.has_tokens(at.0)),
                });
            }
        }
        let least = channels.busy_cycles(&this.operations);
        let most = ways.iter().map(|way| way.latency_cycles).sum::<i64>();
        let most = u32::try_from(most).unwrap_or(u32::MAX).max(least);
        let (interval_cycles, times) = fastest(inside.len(), &ways, least, most);
        let critical_cycle = match interval_cycles > least {
            true => earliest(inside.len(), &ways, interval_cycles - 1).err(),
            false => None,
        };
        let critical_cycle = critical_cycle.unwrap_or_default().into_iter();
        let mut known = ChannelMap::default();
        for (entered, time) in inside.iter().zip(times) {
            known.insert(entered.channel, time);
        }
        Self {
            critical_cycle: critical_cycle.map(|i| inside[i].channel).collect(),
            interval_cycles,
            times: known,
        }
    }

    /// Returns when the token of iteration 0 is on a channel of the loop.
    pub(super) fn time(&self, channel: ValueId) -> Option<i64> {
        self.times.get(channel).copied()
    }
}

/// Returns the least feasible interval from `least` to `most`, and the earliest times.
fn fastest(n_channels: usize, ways: &[Way], least: u32, most: u32) -> (u32, Vec<i64>) {
    let (mut low, mut high) = (least, most);
    let mut best = earliest(n_channels, ways, high).unwrap_or_else(|_| vec![0; n_channels]);
    while low < high {
        let middle = low + (high - low) / 2;
        match earliest(n_channels, ways, middle) {
            Ok(times) => (best, high) = (times, middle),
            Err(_) => low = middle + 1,
        }
    }
    (high, best)
}

/// Returns the earliest times for an interval.
///
/// # Errors
/// A cycle that takes longer than the interval permits.
fn earliest(n_channels: usize, ways: &[Way], interval_cycles: u32) -> Result<Vec<i64>, Vec<usize>> {
    // Edges are sorted by their targets, so each iteration propagates along all but the back edges.
    let ways = ways.iter().map(|way| {
        let span = way.latency_cycles - way.n_tokens * i64::from(interval_cycles);
        (way.from, way.to, span)
    });
    longest(n_channels, ways)
}
