//! Which buffers for throughput are not needed: what waits may wait where it is, as long as it is gone when the next token comes.
//!
//! In a steady state every token of a loop comes an interval behind the one before. When it comes to an end of a channel and leaves it
//! are two times, and what operations and buffers ask of these are differences; so buffers have enough room for the intervals if
//! and only if the longest ways between times have an end. Buffers are taken out one by one, the widest first, as long as they have.
//!
//! Source: as for the second programme of [`super::exact`], whose rows these are with buffers given.

use std::collections::BTreeMap;
use std::ops::Range;

use sluice_dialects::handshake;
use sluice_ir::{Body, Context, OperationId};

use crate::channels::Channels;

use super::differences::{Difference, Differences, Fault};
use super::network::{Network, Way};
use super::pace::{Pace, Passages};
use super::slots::THROUGHPUT;
use super::{Room, has_reason, take_out};

/// Looks at differences that one graph may take.
const MOST_WORK: usize = 40_000_000;

/// Takes out the buffers for throughput that intervals do without.
pub(super) fn spare(context: &Context, body: &mut Body, room: Room) {
    if room == Room::Kept {
        return;
    }
    let gone = {
        let channels = Channels::new(context, body);
        let network = Network::of(channels);
        Rooms::of(&network).spared()
    };
    for op in gone {
        take_out(body, op);
    }
}

/// Times of a graph in a steady state: two for each channel, when a token comes and when it leaves.
struct Rooms<'a> {
    network: &'a Network<'a>,
    /// By loop.
    intervals: Vec<i64>,
    /// More cycles than anything takes.
    most_cycles: i64,
    /// Buffers for throughput, with the channel behind each.
    candidates: Vec<(OperationId, usize)>,
    /// By channel: whether tokens may wait on it.
    may_wait: Vec<bool>,
}

/// What must hold, with the numbers of what hangs on buffers.
struct Asked {
    differences: Differences,
    /// By channel: that a token on it leaves as it comes.
    at_once: Vec<Option<usize>>,
    /// By way: what its operation asks.
    of_ways: Vec<Range<usize>>,
    /// As of [`Rooms`].
    may_wait: Vec<bool>,
}

impl<'a> Rooms<'a> {
    fn of(network: &'a Network<'a>) -> Self {
        let channels = network.channels;
        let passages = Passages::of(channels);
        let paces = passages.loops.iter().map(|this| {
            let pace = Pace::of(&passages, this);
            (this.starter, i64::from(pace.interval_cycles))
        });
        let paces: BTreeMap<OperationId, i64> = paces.collect();
        let of_loop = |starter: OperationId| paces.get(&starter).copied().unwrap_or(1);
        let mut intervals: Vec<i64> = network
            .loops
            .iter()
            .map(|nested| of_loop(nested.this.starter).max(i64::from(nested.busy_cycles)))
            .collect();
        // The innermost first: an iteration takes as long as one of those in it.
        let mut by_depth: Vec<usize> = (0..intervals.len()).collect();
        by_depth.sort_by_key(|i| std::cmp::Reverse(network.loops[*i].depth));
        for i in by_depth {
            if let Some(parent) = network.loops[i].parent {
                intervals[parent] = intervals[parent].max(intervals[i]);
            }
        }
        let latencies = network.ways.iter().map(|way| i64::from(way.latency_cycles));
        let most_cycles = latencies.sum::<i64>() + intervals.iter().max().copied().unwrap_or(1);
        let mut rooms = Self {
            network,
            intervals,
            most_cycles: 2 * most_cycles + 4,
            candidates: Vec::new(),
            may_wait: network
                .wires
                .iter()
                .map(|wire| !wire.is_free || !network.chooses(wire.inside))
                .collect(),
        };
        let wires = network.wires.iter().enumerate();
        let candidates = wires.filter_map(|(i, wire)| {
            let (op, _) = channels.maker(wire.channel)?;
            let is_own = has_reason(channels.context, channels.body, op, THROUGHPUT);
            is_own.then_some((op, i))
        });
        rooms.candidates = candidates.collect();
        rooms
    }

    /// Cycles between the tokens of a channel.
    fn every(&self, inside: Option<usize>) -> i64 {
        inside.map_or(self.most_cycles, |i| self.intervals[i])
    }

    /// The buffers that are not needed.
    fn spared(&self) -> Vec<OperationId> {
        let mut gone = Vec::new();
        let Some(mut asked) = self.relaxed() else {
            return gone;
        };
        asked.differences.keep_ends();
        let width_bits = |wire: usize| self.network.wires[wire].width_bits;
        let mut candidates = self.candidates.clone();
        candidates.sort_by_key(|(_, wire)| std::cmp::Reverse(width_bits(*wire)));
        for (op, wire) in candidates {
            if asked.differences.is_exhausted() {
                break;
            }
            let (without, new) = self.without(wire, &asked);
            if asked.differences.exchange(&without, &new) {
                gone.push(op);
            }
        }
        gone
    }

    /// What must hold with all buffers, and the earliest times; where tokens wait then, they may.
    fn relaxed(&self) -> Option<Asked> {
        let mut asked = self.asked();
        loop {
            // Times that are too late show the rings that are left as well.
            let ring = match asked.differences.go_on() {
                Ok(()) => break,
                Err(Fault::Later | Fault::Unknown) => return None,
                Err(Fault::Ring(ring)) => ring,
            };
            let mut is_changed = false;
            for difference in ring {
                let wire = difference.to / 2;
                if difference.from != leaves(wire) || difference.to != comes(wire) {
                    continue;
                }
                if let Some(number) = asked.at_once[wire].take() {
                    asked.may_wait[wire] = true;
                    asked.differences.drop(number);
                    is_changed = true;
                }
            }
            if !is_changed {
                return None;
            }
        }
        asked.differences.solve().is_ok().then_some(asked)
    }

    /// What must hold with all buffers.
    fn asked(&self) -> Asked {
        let channels = self.network.channels;
        let wires = &self.network.wires;
        let ends = self.network.last.iter().map(|wire| comes(*wire)).collect();
        let mut asked = Asked {
            differences: Differences::new(2 * wires.len(), ends, MOST_WORK),
            at_once: vec![None; wires.len()],
            of_ways: Vec::new(),
            may_wait: self.may_wait.clone(),
        };
        let differences = &mut asked.differences;
        for (i, wire) in wires.iter().enumerate() {
            let every = self.every(wire.inside);
            differences.ask(difference(leaves(i), comes(i), 0));
            // The next token is offered once this one is gone.
            differences.ask(difference(comes(i), leaves(i), 1 - every));
            let maker = channels.maker(wire.channel);
            if !self.may_wait[i] && !maker.is_some_and(|(op, _)| self.is_buffer(op)) {
                // Ways differ from iteration to iteration: what waits here must not hold up what does not.
                asked.at_once[i] = Some(differences.len());
                differences.ask(difference(comes(i), leaves(i), 0));
            }
        }
        for way in &self.network.ways {
            let first = differences.len();
            let passed = self.pass(way, true);
            passed.into_iter().for_each(|new| differences.ask(new));
            asked.of_ways.push(first..differences.len());
        }
        asked
    }

    /// What is not asked for without the buffer in front of a channel, and what is instead.
    fn without(&self, wire: usize, asked: &Asked) -> (Vec<usize>, Vec<Difference>) {
        let ways = self.network.ways.iter().zip(&asked.of_ways);
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for (way, numbers) in ways.filter(|(way, _)| way.to == wire) {
            gone.extend(numbers.clone());
            new.extend(self.pass(way, false));
        }
        if !asked.may_wait[wire] {
            new.push(difference(comes(wire), leaves(wire), 0));
        }
        (gone, new)
    }

    /// Whether an operation is a buffer without a token from the start.
    fn is_buffer(&self, op: OperationId) -> bool {
        let channels = self.network.channels;
        channels.view(op).name() == handshake::Buffer::NAME && !channels.has_tokens(op)
    }

    /// What an operation asks of a token that it takes and one that it makes; with the buffer, if it is one.
    fn pass(&self, way: &Way, has_buffer: bool) -> Vec<Difference> {
        let channels = self.network.channels;
        let (taken, made) = (way.from, way.to);
        let wire = &self.network.wires[taken];
        let every = self.every(wire.inside);
        let back = way.again.map_or(0, |i| self.every(Some(i)));
        let latency = i64::from(way.latency_cycles);
        let maker = channels.maker(self.network.wires[made].channel);
        let buffer = maker.map(|(op, _)| op).filter(|op| self.is_buffer(*op));
        if let Some(op) = buffer.filter(|_| has_buffer) {
            let n_slots = i64::from(channels.number(op, "slots").unwrap_or(1));
            let is_queue = channels.is_queue(op);
            let holds_ready = channels.holds_ready(op);
            let n_places = n_slots + i64::from(holds_ready && !is_queue);
            let room = every * n_places - i64::from(holds_ready);
            let comes = match is_queue {
                true => difference(comes(made), comes(taken), 0),
                false => difference(comes(made), leaves(taken), latency),
            };
            let leaves = difference(leaves(taken), leaves(made), -room);
            return match channels.is_pending(op) {
                true => vec![comes],
                false => vec![comes, leaves],
            };
        }
        if way.latency_cycles == 0 || buffer.is_some() {
            let leaves = match way.leaves {
                // What leaves a loop is of another pace.
                true => {
                    let outer = self.every(self.network.wires[made].inside);
                    difference(comes(made), leaves(made), 1 - outer)
                }
                false => difference(leaves(taken), leaves(made), back),
            };
            return vec![difference(comes(made), comes(taken), -back), leaves];
        }
        let room = match way.again {
            // A register with a token from the start has a second slot.
            Some(_) => every - 1,
            None => latency.max(every),
        };
        vec![
            difference(comes(made), leaves(taken), latency - back),
            difference(leaves(taken), leaves(made), -room),
        ]
    }
}

fn difference(to: usize, from: usize, cycles: i64) -> Difference {
    Difference { from, to, cycles }
}

/// The number of the time at which the token of a channel comes.
fn comes(wire: usize) -> usize {
    2 * wire
}

/// The number of the time at which it leaves.
fn leaves(wire: usize) -> usize {
    2 * wire + 1
}
