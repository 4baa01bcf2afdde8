//! Removes throughput buffers that are not needed, because their tokens may wait elsewhere until the next token arrives.
//!
//! In the steady state, every token of a loop follows the previous one after one interval. The times at which it arrives at a
//! channel and leaves it are two variables, and operations and buffers impose difference constraints on them. The buffers suffice
//! for the intervals if and only if these constraints have a solution. Buffers are removed one by one, the widest first, as long
//! as there is a solution.
//!
//! Source: as for the second linear program of [`super::exact`], whose constraints these are for given buffers.

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

/// The work limit for one graph, in visited constraints.
const MAX_WORK: usize = 40_000_000;

/// Removes the throughput buffers that the intervals do not require.
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

/// The steady-state times of a graph: for each channel, when a token arrives and when it leaves.
struct Rooms<'a> {
    network: &'a Network<'a>,
    /// For each loop: the interval.
    intervals: Vec<i64>,
    /// An upper bound of all times.
    max_cycles: i64,
    /// The throughput buffers, with the channel after each.
    candidates: Vec<(OperationId, usize)>,
    /// For each channel: whether tokens may wait on it.
    may_wait: Vec<bool>,
}

/// The constraints, with the numbers of those that depend on buffers.
struct Constraints {
    differences: Differences,
    /// For each channel: the constraint that a token leaves as soon as it arrives.
    at_once: Vec<Option<usize>>,
    /// For each dependence: the constraints of its operation.
    of_ways: Vec<Range<usize>>,
    /// As in [`Rooms`].
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
        // Innermost loops first: the interval of an outer loop is at least that of its inner loops.
        let mut by_depth: Vec<usize> = (0..intervals.len()).collect();
        by_depth.sort_by_key(|i| std::cmp::Reverse(network.loops[*i].depth));
        for i in by_depth {
            if let Some(parent) = network.loops[i].parent {
                intervals[parent] = intervals[parent].max(intervals[i]);
            }
        }
        let latencies = network.ways.iter().map(|way| i64::from(way.latency_cycles));
        let max_cycles = latencies.sum::<i64>() + intervals.iter().max().copied().unwrap_or(1);
        let mut rooms = Self {
            network,
            intervals,
            max_cycles: 2 * max_cycles + 4,
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

    /// Returns the cycles between two tokens of a channel.
    fn every(&self, inside: Option<usize>) -> i64 {
        inside.map_or(self.max_cycles, |i| self.intervals[i])
    }

    /// Returns the buffers that are not needed.
    fn spared(&self) -> Vec<OperationId> {
        let mut gone = Vec::new();
        let Some(mut constraints) = self.relaxed() else {
            return gone;
        };
        constraints.differences.keep_ends();
        let width_bits = |wire: usize| self.network.wires[wire].width_bits;
        let mut candidates = self.candidates.clone();
        candidates.sort_by_key(|(_, wire)| std::cmp::Reverse(width_bits(*wire)));
        for (op, wire) in candidates {
            if constraints.differences.is_exhausted() {
                break;
            }
            let (without, new) = self.without(wire, &constraints);
            if constraints.differences.exchange(&without, &new) {
                gone.push(op);
            }
        }
        gone
    }

    /// Returns the constraints with all buffers, and their earliest times; channels where tokens must wait then are marked as
    /// such.
    fn relaxed(&self) -> Option<Constraints> {
        let mut constraints = self.build_constraints();
        loop {
            // Solutions with late ends are accepted here; only cycles matter.
            let graph_cycle = match constraints.differences.go_on() {
                Ok(()) => break,
                Err(Fault::Later | Fault::Unknown) => return None,
                Err(Fault::Cycle(graph_cycle)) => graph_cycle,
            };
            let mut is_changed = false;
            for difference in graph_cycle {
                let wire = difference.to / 2;
                if difference.from != leaves(wire) || difference.to != comes(wire) {
                    continue;
                }
                if let Some(number) = constraints.at_once[wire].take() {
                    constraints.may_wait[wire] = true;
                    constraints.differences.drop(number);
                    is_changed = true;
                }
            }
            if !is_changed {
                return None;
            }
        }
        constraints
            .differences
            .solve()
            .is_ok()
            .then_some(constraints)
    }

    /// Returns the constraints with all buffers.
    fn build_constraints(&self) -> Constraints {
        let channels = self.network.channels;
        let wires = &self.network.wires;
        let ends = self.network.last.iter().map(|wire| comes(*wire)).collect();
        let mut constraints = Constraints {
            differences: Differences::new(2 * wires.len(), ends, MAX_WORK),
            at_once: vec![None; wires.len()],
            of_ways: Vec::new(),
            may_wait: self.may_wait.clone(),
        };
        let differences = &mut constraints.differences;
        for (i, wire) in wires.iter().enumerate() {
            let every = self.every(wire.inside);
            differences.ask(difference(leaves(i), comes(i), 0));
            // The next token arrives after this one has left.
            differences.ask(difference(comes(i), leaves(i), 1 - every));
            let maker = channels.maker(wire.channel);
            if !self.may_wait[i] && !maker.is_some_and(|(op, _)| self.is_buffer(op)) {
                // Paths differ between iterations: a token that waits here must not block one that need not wait.
                constraints.at_once[i] = Some(differences.len());
                differences.ask(difference(comes(i), leaves(i), 0));
            }
        }
        for way in &self.network.ways {
            let first = differences.len();
            let passed = self.pass(way, true);
            passed.into_iter().for_each(|new| differences.ask(new));
            constraints.of_ways.push(first..differences.len());
        }
        constraints
    }

    /// Returns the constraints to drop if the buffer before a channel is removed, and their replacements.
    fn without(&self, wire: usize, constraints: &Constraints) -> (Vec<usize>, Vec<Difference>) {
        let ways = self.network.ways.iter().zip(&constraints.of_ways);
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for (way, numbers) in ways.filter(|(way, _)| way.to == wire) {
            gone.extend(numbers.clone());
            new.extend(self.pass(way, false));
        }
        if !constraints.may_wait[wire] {
            new.push(difference(comes(wire), leaves(wire), 0));
        }
        (gone, new)
    }

    /// Returns whether an operation is a buffer without an initial token.
    fn is_buffer(&self, op: OperationId) -> bool {
        let channels = self.network.channels;
        channels.view(op).name() == handshake::Buffer::NAME && !channels.has_tokens(op)
    }

    /// Returns the constraints that an operation imposes on an input and an output token; `has_buffer` tells whether to model it
    /// as a buffer.
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
            let is_fifo = channels.is_fifo(op);
            let holds_ready = channels.holds_ready(op);
            let n_places = n_slots + i64::from(holds_ready && !is_fifo);
            let room = every * n_places - i64::from(holds_ready);
            let comes = match is_fifo {
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
                // A channel outside the loop has another interval.
                true => {
                    let outer = self.every(self.network.wires[made].inside);
                    difference(comes(made), leaves(made), 1 - outer)
                }
                false => difference(leaves(taken), leaves(made), back),
            };
            return vec![difference(comes(made), comes(taken), -back), leaves];
        }
        let room = match way.again {
            // A register with an initial token has a second slot.
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

/// Returns the variable for the arrival of a channel's token.
fn comes(wire: usize) -> usize {
    2 * wire
}

/// Returns the variable for its departure.
fn leaves(wire: usize) -> usize {
    2 * wire + 1
}
