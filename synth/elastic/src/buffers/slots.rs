//! Where paths of different latencies meet, the shorter ones get slots for the tokens under way.

use std::collections::{HashMap, HashSet};

use sluice_ir::{Body, Context, OperationId, ValueId};

use crate::channels::{Channels, Use, is_memory};
use crate::graph::BufferKind;

use super::loops::{Loop, loops};
use super::{Wanted, insert};

/// Slots of a queue at most.
const MOST_SLOTS: u32 = 64;

/// Adds queues in every loop: an operand that comes `s` cycles before the others needs `s / II` slots, rounded up.
pub(super) fn add(context: &Context, body: &mut Body) {
    let mut wanted: HashMap<Use, u32> = HashMap::new();
    {
        let channels = Channels::new(context, body);
        let found = loops(channels);
        let always = channels.sourced().into_iter().collect();
        for (i, this) in found.iter().enumerate() {
            let is_inside = |other: &Loop| {
                other.operations.len() < this.operations.len()
                    && other.heads.iter().all(|head| this.operations.contains(head))
            };
            let inner = found.iter().enumerate();
            let inner: Vec<&Loop> = inner.filter(|(j, l)| *j != i && is_inside(l)).map(|(_, l)| l).collect();
            for (at, slots) in shortages(channels, this, &inner, &found, &always) {
                let known = wanted.entry(at).or_insert(0);
                *known = slots.max(*known);
            }
        }
    }
    let mut wanted: Vec<(Use, u32)> = wanted.into_iter().collect();
    wanted.sort_unstable();
    for (at, slots) in wanted {
        let queue = Wanted {
            kind: BufferKind::Queue,
            slots: slots.min(MOST_SLOTS),
            cut: None,
            reason: "throughput",
        };
        insert(context, body, at, &queue);
    }
}

/// The operands of operations of a loop, not of loops in it, that come earlier than others, with the tokens that wait there.
fn shortages(
    channels: Channels<'_>,
    this: &Loop,
    inner: &[&Loop],
    all: &[Loop],
    always: &HashSet<ValueId>,
) -> Vec<(Use, u32)> {
    let backs: HashSet<Use> = all.iter().flat_map(|l| l.backs(channels)).collect();
    let times = Times::of(channels, this, &backs);
    // The interval is at least the longest way from a head back to one.
    let own_backs = this.backs(channels);
    let returns = own_backs.iter().map(|(op, i)| times.at(channels.body.operand(*op, *i)));
    let interval = returns.max().unwrap_or(1).max(1);
    let mut found = Vec::new();
    for op in &this.operations {
        let view = channels.view(*op);
        if inner.iter().any(|l| l.operations.contains(op)) && !inner.iter().any(|l| l.heads.contains(op)) {
            continue;
        }
        if this.heads.contains(op) || is_memory(view) {
            continue;
        }
        // The last result of a load is its request, which is what joins.
        if let Some(result) = view.results().len().checked_sub(1) {
            let passages = channels.passages(*op, result);
            let uses: Vec<Use> = passages.iter().map(|p| (*op, p.operand)).collect();
            let operand = |at: &Use| channels.body.operand(at.0, at.1);
            let joined: Vec<Use> = uses
                .into_iter()
                .filter(|at| !backs.contains(at) && !always.contains(&operand(at)))
                .filter(|at| times.knows(operand(at)))
                .collect();
            let last = joined.iter().map(|at| times.at(operand(at))).max().unwrap_or(0);
            for at in joined {
                let early = last - times.at(operand(&at));
                if early > 0 {
                    found.push((at, early.div_ceil(interval)));
                }
            }
        }
    }
    found
}

/// When tokens of an iteration are on channels, in cycles after those of the heads.
struct Times {
    at: HashMap<ValueId, u32>,
}

impl Times {
    fn of(channels: Channels<'_>, this: &Loop, backs: &HashSet<Use>) -> Self {
        let passages = |channel: ValueId| -> Vec<(ValueId, u32)> {
            let Some((op, result)) = channels.maker(channel) else {
                return Vec::new();
            };
            if this.heads.contains(&op) || !Self::is_in(channels, this, op, result) {
                return Vec::new();
            }
            let passages = channels.passages(op, result).into_iter();
            passages
                .filter(|p| !backs.contains(&(op, p.operand)))
                .map(|p| (channels.body.operand(op, p.operand), p.latency_cycles))
                .collect()
        };
        let before = |channel| passages(channel).into_iter().map(|(c, _)| c).collect();
        let mut times = Self { at: HashMap::new() };
        for channel in channels.in_order(&before) {
            let Some((op, result)) = channels.maker(channel) else {
                continue;
            };
            if Self::is_in(channels, this, op, result) {
                let passages = passages(channel).into_iter();
                let latest = passages.map(|(c, latency_cycles)| times.at(c) + latency_cycles);
                times.at.insert(channel, latest.max().unwrap_or(0));
            }
        }
        times
    }

    /// Whether a result is of the loop: a memory's is where the one who asked is.
    fn is_in(channels: Channels<'_>, this: &Loop, op: OperationId, result: usize) -> bool {
        if !is_memory(channels.view(op)) {
            return this.operations.contains(&op);
        }
        channels.passages(op, result).iter().any(|passage| {
            let request = channels.body.operand(op, passage.operand);
            channels.maker(request).is_some_and(|(asker, _)| this.operations.contains(&asker))
        })
    }

    fn at(&self, channel: ValueId) -> u32 {
        self.at.get(&channel).copied().unwrap_or(0)
    }

    fn knows(&self, channel: ValueId) -> bool {
        self.at.contains_key(&channel)
    }
}
