//! Registers on the rings that set the pace of loops are spared: what joins such a ring late gets a register of its own instead.
//!
//! Where two channels meet, the later one decides when the result is there. A path from the side that takes most of the cycle then asks for a
//! register behind the join, on the ring, where it costs a cycle of every iteration; in front of the join it costs none, as long as no
//! ring of the same length leads through it. So the registers of a ring are taken out, its own delays alone ask for new ones, and what is gained is kept.

use std::collections::BTreeSet;

use sluice_ir::{Body, Context, OperationId};

use crate::channels::{Channels, Use};

use super::pace::{Pace, Passages};
use super::{Target, has_reason, rings, timing};

/// Rings that are spared for one loop.
const MOST_RINGS: usize = 8;

/// The ring that sets the pace of a loop.
struct Ring {
    interval_cycles: u32,
    /// The operands by which it goes on.
    uses: BTreeSet<Use>,
    /// Registers for the clock on it.
    registers: Vec<OperationId>,
    /// Registers on it that close rings, where it has a latency without them.
    closing: Vec<OperationId>,
}

impl Ring {
    /// Whether there is nothing to be taken out.
    fn is_bare(&self) -> bool {
        self.registers.is_empty() && self.closing.is_empty()
    }
}

/// Spares registers on rings, if loops are faster then. Rings of the same length are spared together: a loop is as slow as each of them.
pub(super) fn spare(context: &Context, body: &mut Body, target: &Target<'_>) {
    let mut found = rings(context, body);
    let mut best = pace(&found);
    for number in 0..found.len() {
        if found[number].is_bare() {
            continue;
        }
        let mut tried = body.clone();
        let mut spared = BTreeSet::new();
        for _ in 0..MOST_RINGS {
            let ring = &found[number];
            if ring.is_bare() {
                break;
            }
            spared.extend(ring.uses.iter().copied());
            for register in &ring.registers {
                take_out(&mut tried, *register);
            }
            rings::close_beside(context, &mut tried, &ring.closing, &spared);
            timing::cut_around(context, &mut tried, target, &spared);
            found = rings(context, &tried);
            let now = pace(&found);
            if now < best {
                best = now;
                *body = tried.clone();
            } else if now > best {
                break;
            }
        }
        found = rings(context, body);
    }
}

/// The sum of the logarithms of all intervals.
fn pace(rings: &[Ring]) -> f64 {
    let intervals = rings.iter().map(|ring| f64::from(ring.interval_cycles));
    intervals.map(f64::ln).sum()
}

/// The rings of all loops.
fn rings(context: &Context, body: &Body) -> Vec<Ring> {
    let channels = Channels::new(context, body);
    let passages = Passages::of(channels);
    let rings = passages.loops.iter().map(|this| {
        let pace = Pace::of(&passages, this);
        let behind = pace.ring.iter().cycle().skip(1);
        let mut uses = BTreeSet::new();
        let mut registers = Vec::new();
        let mut closing = Vec::new();
        let mut latency_cycles = 0;
        for (from, to) in pace.ring.iter().zip(behind) {
            let Some((op, result)) = channels.maker(*to) else {
                continue;
            };
            if has_reason(context, body, op, timing::CLOCK) {
                registers.push(op);
                continue;
            }
            let passages = channels.passages(op, result).into_iter();
            let own = passages.filter(|passage| body.operand(op, passage.operand) == *from);
            if rings::is_register(channels, op) {
                closing.push(op);
            } else {
                latency_cycles += own.clone().map(|p| p.latency_cycles).max().unwrap_or(0);
            }
            uses.extend(own.map(|passage| (op, passage.operand)));
        }
        if latency_cycles == 0 {
            closing.clear();
        }
        Ring {
            interval_cycles: pace.interval_cycles,
            uses,
            registers,
            closing,
        }
    });
    rings.collect()
}

/// Takes a register out of its channel.
fn take_out(body: &mut Body, register: OperationId) {
    let (channel, before) = (body.result(register, 0), body.operand(register, 0));
    body.replace_all_uses(channel, before);
    body.erase(register);
}
