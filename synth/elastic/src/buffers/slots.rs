//! Balances reconvergent paths of different latencies: adds slots to the shorter paths for the tokens in flight.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_dialects::sluice::{BUSY, II, RING};
use sluice_ir::{Body, Context, OperationId, ValueId};

use super::loops::Loop;
use super::pace::{Pace, Passages};
use super::{Room, Wanted, has_reason, insert};
use crate::channels::{Channels, MAX_PENDING, Use, is_memory};
use crate::graph::{BufferKind, set_buffer};

/// Returns the operations that define channels, with their source names.
fn names(channels: Channels<'_>, critical_cycle: &[ValueId], between: &str) -> String {
    let name = |channel: &ValueId| {
        let (op, _) = channels.maker(*channel)?;
        let view = channels.view(op);
        let operation = view.name().trim_start_matches("handshake.");
        match channels.body.value_name(*channel) {
            Some(name) => Some(format!("%{} = {operation}", channels.context.text(name))),
            // Operations that only forward tokens are not informative for the reader of the source.
            None if matches!(operation, "fork" | "buffer" | "cond_br") || is_memory(view) => None,
            None => Some(operation.to_owned()),
        }
    };
    let names: Vec<String> = critical_cycle.iter().filter_map(name).collect();
    names.join(between)
}

/// Returns the operation that defines a channel, with the channel's source name.
pub(super) fn name(channels: Channels<'_>, channel: ValueId) -> String {
    let Some((op, _)) = channels.maker(channel) else {
        return "an argument".to_owned();
    };
    let operation = channels.view(op).name().trim_start_matches("handshake.");
    match channels.body.value_name(channel) {
        Some(name) => format!("`%{} = {operation}`", channels.context.text(name)),
        None => format!("`{operation}`"),
    }
}

/// The reason of these buffers.
pub(super) const THROUGHPUT: &str = "throughput";

/// Maximum number of slots of a buffer.
const MAX_SLOTS: u32 = 64;

/// An operand whose tokens arrive early.
struct Shortage {
    at: Use,
    /// Number of cycles that a token waits there.
    early_cycles: u32,
    interval_cycles: u32,
    /// True if all tokens wait for the same time.
    is_regular: bool,
}

impl Shortage {
    /// Returns the FIFO that holds the waiting tokens.
    ///
    /// A full FIFO accepts no token in the cycle in which it gives one away, so it needs one slot more than there are tokens in
    /// flight.
    fn queue(&self, max_slots: u32) -> Wanted {
        let slots = self.early_cycles / self.interval_cycles + 1;
        Wanted {
            kind: BufferKind::Fifo,
            slots: slots.min(max_slots),
            cut: None,
            reason: THROUGHPUT,
        }
    }

    /// Returns the buffer that holds the waiting tokens.
    ///
    /// Registers in a row accept a token in the cycle in which they give one away, so `early / II` of them, rounded up, suffice.
    /// They delay no token, because each waits at least that long. If the waiting time varies, a FIFO is used.
    fn buffer(&self, room: Room) -> Wanted {
        if !self.is_regular && room != Room::Registers {
            return self.queue(MAX_SLOTS);
        }
        let slots = self.early_cycles.div_ceil(self.interval_cycles);
        Wanted {
            kind: BufferKind::Chain,
            slots: slots.min(MAX_SLOTS),
            cut: Some("data"),
            reason: THROUGHPUT,
        }
    }
}

/// Adds buffers in every loop for operands that arrive before the others.
pub(super) fn add(context: &Context, body: &mut Body, room: Room) {
    for (at, wanted) in wanted(Channels::new(context, body), room) {
        let channels = Channels::new(context, body);
        match pending_queue(channels, at).or_else(|| own_fifo(channels, at)) {
            Some(queue) if wanted.kind == BufferKind::Fifo => {
                set_buffer(context, body, queue, wanted.kind, wanted.slots, wanted.cut);
            }
            _ => {
                insert(context, body, at, &wanted);
            }
        }
    }
}

/// Gives store address queues as many slots as they need.
pub(super) fn widen(context: &Context, body: &mut Body) {
    for (at, wanted) in wanted(Channels::new(context, body), Room::Kept) {
        if let Some(queue) = pending_queue(Channels::new(context, body), at) {
            set_buffer(context, body, queue, wanted.kind, wanted.slots, wanted.cut);
        }
    }
}

/// Returns the buffers for operands that arrive before others.
fn wanted(channels: Channels<'_>, room: Room) -> BTreeMap<Use, Wanted> {
    let mut wanted: BTreeMap<Use, Wanted> = BTreeMap::new();
    let passages = Passages::of(channels);
    let found = &passages.loops;
    let always = channels.sourced().into_iter().collect();
    for this in found {
        let is_inside = |other: &&Loop| {
            other.operations.len() < this.operations.len()
                && other
                    .heads
                    .iter()
                    .all(|head| this.operations.contains(head))
        };
        let inner: Vec<&Loop> = found.iter().filter(is_inside).collect();
        for shortage in shortages(channels, &passages, this, &inner, &always) {
            let buffer = match pending_queue(channels, shortage.at) {
                Some(_) => shortage.queue(MAX_PENDING),
                None => shortage.buffer(room),
            };
            let known = wanted.get(&shortage.at).map_or(0, |known| known.slots);
            if buffer.slots > known {
                wanted.insert(shortage.at, buffer);
            }
        }
    }
    wanted
}

/// Records on the first-iteration register of each loop its interval and the cycle that determines it.
pub(super) fn note_intervals(context: &Context, body: &mut Body) {
    let mut intervals = Vec::new();
    {
        let channels = Channels::new(context, body);
        let passages = Passages::of(channels);
        for this in &passages.loops {
            let pace = Pace::of(&passages, this);
            let critical_cycle = names(channels, &pace.critical_cycle, " -> ");
            let (busy_cycles, busy) = channels.busiest(&this.operations);
            let of_busy = busy.iter().filter(|_| busy_cycles == pace.interval_cycles);
            let results: Vec<ValueId> = of_busy.map(|op| body.result(*op, 0)).collect();
            let busy = names(channels, &results, ", ");
            intervals.push((this.starter, pace.interval_cycles, [critical_cycle, busy]));
        }
    }
    for (starter, interval_cycles, why) in intervals {
        for (name, why) in [RING, BUSY].into_iter().zip(why) {
            if !why.is_empty() {
                let why = context.string_attribute(&why);
                body.set_attribute(starter, context.name(name), why);
            }
        }
        let interval = context.i64_attribute(i64::from(interval_cycles));
        body.set_attribute(starter, context.name(II), interval);
    }
}

/// Returns the store address queue on the channel of a use.
fn pending_queue(channels: Channels<'_>, at: Use) -> Option<OperationId> {
    let (op, _) = channels.maker(channels.body.operand(at.0, at.1))?;
    channels.is_pending(op).then_some(op)
}

/// Returns the existing throughput FIFO on the channel of a use.
fn own_fifo(channels: Channels<'_>, at: Use) -> Option<OperationId> {
    let (op, _) = channels.maker(channels.body.operand(at.0, at.1))?;
    let is_own = has_reason(channels.context, channels.body, op, THROUGHPUT);
    (is_own && channels.is_fifo(op)).then_some(op)
}

/// Returns the operands of operations of a loop, without those of inner loops, that arrive before others, with the waiting times.
fn shortages(
    channels: Channels<'_>,
    passages: &Passages<'_>,
    this: &Loop,
    inner: &[&Loop],
    always: &BTreeSet<ValueId>,
) -> Vec<Shortage> {
    let is_choice = |op: &OperationId| {
        channels.view(*op).name() == handshake::Mux::NAME && !this.heads.contains(op)
    };
    let is_regular = !this.operations.iter().any(is_choice);
    let pace = Pace::of(passages, this);
    let mut found = Vec::new();
    for op in &this.operations {
        let view = channels.view(*op);
        let is_inner = inner.iter().any(|l| l.operations.contains(op));
        let is_inner_head = inner.iter().any(|l| l.heads.contains(op));
        if is_inner && !is_inner_head || is_memory(view) {
            continue;
        }
        // The last result of a load is its request, at which address and order token join.
        let Some(result) = view.results().len().checked_sub(1) else {
            continue;
        };
        let Some(last) = pace.time(view.result(result)) else {
            continue;
        };
        for passage in channels.passages(*op, result) {
            let at = (*op, passage.operand);
            let operand = view.operand(passage.operand);
            if passages.is_back(&at) || always.contains(&operand) {
                continue;
            }
            if let Some(time) = pace.time(operand) {
                let early = last - time - i64::from(passage.latency_cycles);
                if let Ok(early_cycles @ 1..) = u32::try_from(early) {
                    found.push(Shortage {
                        at,
                        early_cycles,
                        interval_cycles: pace.interval_cycles,
                        is_regular,
                    });
                }
            }
        }
    }
    found
}
