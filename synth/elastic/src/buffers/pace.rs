//! How fast a loop goes, and when its tokens are where in a steady state.
//!
//! Token `n` is on a channel in cycle `time + n * interval`: a passage of `l` cycles that goes through `k` tokens which are there from the
//! start asks for `time(to) >= time(from) + l - k * interval`. The least interval is the greatest quotient of cycles and tokens of a ring,
//! rounded up; the earliest times for it are the longest ways from the heads.

use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::{OperationId, ValueId};

use crate::channels::{Channels, Use, is_memory};

use super::loops::Loop;

/// The pace of a loop.
pub(super) struct Pace {
    /// Cycles between iterations, if nothing waits for room.
    pub(super) interval_cycles: u32,
    times: BTreeMap<ValueId, i64>,
    /// The channels of a ring for which a shorter interval is too short, in the direction of the tokens; none where a unit is busy for that
    /// long.
    pub(super) ring: Vec<ValueId>,
    /// The operands of all loops by which tokens come back.
    pub(super) backs: BTreeSet<Use>,
}

/// A passage between two channels of a loop.
struct Way {
    from: usize,
    to: usize,
    latency_cycles: i64,
    /// Tokens on it before the first iteration.
    n_tokens: i64,
}

impl Pace {
    /// The pace of a loop: an iteration of a loop in it counts as one passage.
    pub(super) fn of(channels: Channels<'_>, this: &Loop, all: &[Loop]) -> Self {
        let backs: BTreeSet<Use> = all.iter().flat_map(|l| l.backs(channels)).collect();
        let own: BTreeSet<Use> = this.backs(channels).into_iter().collect();
        let inner: BTreeSet<OperationId> = {
            let others = all.iter().filter(|l| l.starter != this.starter);
            others.map(|l| l.starter).collect()
        };
        let is_cut = |at: &Use| backs.contains(at) || channels.has_tokens(at.0);
        let direct = |channel: ValueId| -> Vec<ValueId> {
            let passages = entering(channels, this, channel).into_iter();
            let kept = passages.filter(|(at, _)| !is_cut(at));
            kept.map(|(at, _)| channels.body.operand(at.0, at.1))
                .collect()
        };
        let order = channels.in_order(&direct);
        let inside = order
            .into_iter()
            .filter(|channel| is_in(channels, this, *channel));
        let order: Vec<ValueId> = inside.collect();
        let numbers: BTreeMap<ValueId, usize> = order
            .iter()
            .enumerate()
            .map(|(i, channel)| (*channel, i))
            .collect();
        let mut ways = Vec::new();
        for (to, channel) in order.iter().enumerate() {
            for (at, latency_cycles) in entering(channels, this, *channel) {
                let from = numbers.get(&channels.body.operand(at.0, at.1));
                let is_foreign = backs.contains(&at) && !own.contains(&at) || inner.contains(&at.0);
                let (Some(from), false) = (from, is_foreign) else {
                    continue;
                };
                ways.push(Way {
                    from: *from,
                    to,
                    latency_cycles: i64::from(latency_cycles),
                    // The select of a head says what came back, which is one token as well.
                    n_tokens: i64::from(own.contains(&at) || channels.has_tokens(at.0)),
                });
            }
        }
        let busy = this
            .operations
            .iter()
            .map(|op| channels.occupancy_cycles(*op));
        let least = busy.max().unwrap_or(1).max(1);
        let most = ways.iter().map(|way| way.latency_cycles).sum::<i64>();
        let most = u32::try_from(most).unwrap_or(u32::MAX).max(least);
        let (interval_cycles, times) = fastest(order.len(), &ways, least, most);
        let ring = match interval_cycles > least {
            true => earliest(order.len(), &ways, interval_cycles - 1).err(),
            false => None,
        };
        let ring = ring
            .unwrap_or_default()
            .into_iter()
            .map(|i| order[i])
            .collect();
        Self {
            ring,
            interval_cycles,
            times: order.into_iter().zip(times).collect(),
            backs,
        }
    }

    /// When the token of iteration 0 is on a channel of the loop.
    pub(super) fn time(&self, channel: ValueId) -> Option<i64> {
        self.times.get(&channel).copied()
    }
}

/// The operands that a channel of the loop follows from, with the cycles between.
fn entering(channels: Channels<'_>, this: &Loop, channel: ValueId) -> Vec<(Use, u32)> {
    let Some((op, result)) = channels
        .maker(channel)
        .filter(|_| is_in(channels, this, channel))
    else {
        return Vec::new();
    };
    let passages = channels.passages(op, result).into_iter();
    passages
        .map(|p| ((op, p.operand), p.latency_cycles))
        .collect()
}

/// Whether a channel is of the loop: a memory's is where the one who asked is.
fn is_in(channels: Channels<'_>, this: &Loop, channel: ValueId) -> bool {
    let Some((op, result)) = channels.maker(channel) else {
        return false;
    };
    if !is_memory(channels.view(op)) {
        return this.operations.contains(&op);
    }
    channels.passages(op, result).iter().any(|passage| {
        let request = channels.maker(channels.body.operand(op, passage.operand));
        request.is_some_and(|(asker, _)| this.operations.contains(&asker))
    })
}

/// The least interval, from `least` to `most`, for which there are times, and the earliest times.
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

/// The earliest times for an interval.
///
/// Ways go on from the channel that set a time last: once these lead back to themselves, the ring takes longer, and always will.
///
/// # Errors
/// A ring that takes longer.
fn earliest(n_channels: usize, ways: &[Way], interval_cycles: u32) -> Result<Vec<i64>, Vec<usize>> {
    let mut times = vec![0_i64; n_channels];
    let mut before: Vec<Option<usize>> = vec![None; n_channels];
    // Ways are in the order of their ends: every round goes through all but those that come back.
    loop {
        let mut changed = false;
        for way in ways {
            let span = way.latency_cycles - way.n_tokens * i64::from(interval_cycles);
            let time = times[way.from] + span;
            if time > times[way.to] {
                times[way.to] = time;
                before[way.to] = Some(way.from);
                changed = true;
            }
        }
        if !changed {
            return Ok(times);
        }
        if let Some(ring) = ring(&before) {
            return Err(ring);
        }
    }
}

/// A ring of those before each other, in the direction of the tokens, if there is one.
fn ring(before: &[Option<usize>]) -> Option<Vec<usize>> {
    // The walk in which a channel was met; 0: none yet.
    let mut met = vec![0; before.len()];
    for start in 0..before.len() {
        let mut at = start;
        while met[at] == 0 {
            met[at] = start + 1;
            match before[at] {
                Some(next) => at = next,
                None => break,
            }
        }
        if met[at] == start + 1 && before[at].is_some() {
            let mut found = vec![at];
            while let Some(next) = before[found[found.len() - 1]].filter(|next| *next != at) {
                found.push(next);
            }
            found.reverse();
            return Some(found);
        }
    }
    None
}
