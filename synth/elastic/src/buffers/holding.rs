//! Selects the channels at which `ready` is registered, so that `ready` has no combinational cycle and no late path: the cheapest
//! set of channels that hits all cycles and all late paths.

use std::collections::BTreeMap;

use super::delays::{Arrival, Delays};
use super::feedback_vertex_set::{closing, feedback_vertex_set};
use super::ready::{find_ready_sources, joined};
use super::times::Clocked;

/// Cost in bits of a slot in addition to its data bits, because a token in a slot can be delayed.
const SLOT_BITS: f64 = 2.0;

/// Cost in bits of a slot on a path without slack for its gate.
const LATE_BITS: f64 = 100.0;

/// Arrival times of `ready`.
struct Timed {
    /// Limit of a `ready` path.
    ready_ns: f64,
    /// For each channel: the arrival time of the signals its tokens wait for, and the gate delay of its user.
    times: Vec<(f64, f64)>,
}

impl Timed {
    /// Returns the parts of late paths where a cut makes the rest of the path meet the limit.
    fn late(&self, ways: &[Vec<usize>], held: &[bool]) -> Vec<Vec<usize>> {
        let mut ready_ns = vec![0.0_f64; ways.len()];
        let mut because: Vec<Option<usize>> = vec![None; ways.len()];
        let mut found = Vec::new();
        for i in in_order(ways, held) {
            let (joined_ns, gates_ns) = self.times[i];
            let mut at_ns = joined_ns;
            for to in ways[i].iter().filter(|to| !held[**to]) {
                if ready_ns[*to] > at_ns {
                    at_ns = ready_ns[*to];
                    because[i] = Some(*to);
                }
            }
            at_ns += gates_ns;
            if at_ns > self.ready_ns {
                let way: Vec<usize> = {
                    let way = std::iter::successors(because[i], |i| because[*i]);
                    way.take(ways.len()).collect()
                };
                let helps = |i: &usize| at_ns - ready_ns[*i] <= self.ready_ns;
                let mut part: Vec<usize> = way.iter().copied().filter(helps).collect();
                if part.is_empty() {
                    part = way;
                }
                if !part.is_empty() {
                    found.push(part);
                    at_ns = 0.0;
                    because[i] = None;
                }
            }
            ready_ns[i] = at_ns;
        }
        found
    }
}

/// Returns the channels in topological order of their `ready` dependences; there are no cycles left.
fn in_order(ways: &[Vec<usize>], held: &[bool]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; ways.len()];
    for start in 0..ways.len() {
        let mut stack = vec![(start, false)];
        while let Some((i, is_done)) = stack.pop() {
            if is_done {
                order.push(i);
            } else if !seen[i] {
                seen[i] = true;
                stack.push((i, true));
                let later = ways[i].iter().filter(|to| !held[**to]);
                stack.extend(later.map(|to| (*to, false)));
            }
        }
    }
    order
}

impl Clocked<'_> {
    /// Returns the channels that must register `ready`, for a given choice of registers, and for each whether it closes a cycle.
    /// A channel with a register does so in it, any other in a slot.
    pub(super) fn holding(
        &self,
        chosen: &[bool],
        delays: &Delays<'_>,
        ready_ns: Option<f64>,
    ) -> BTreeMap<usize, bool> {
        let channels = self.network.channels;
        let wires = self.network.wires.iter().enumerate();
        let holds = |i: usize| chosen[i] && self.is_cut(i);
        let later = wires.map(|(i, wire)| {
            let later = match holds(i) {
                true => Vec::new(),
                false => find_ready_sources(channels, wire.channel),
            };
            let numbers = later.into_iter();
            numbers.filter_map(|c| self.network.number(c)).collect()
        });
        let ways: Vec<Vec<usize>> = later.collect();
        let costs = self.costs(chosen);
        let timed = ready_ns.and_then(|ready_ns| self.timed(chosen, delays, ready_ns));
        let late = |held: &[bool]| {
            timed
                .as_ref()
                .map_or_else(Vec::new, |timed| timed.late(&ways, held))
        };
        let is_free: Vec<bool> = self.network.wires.iter().map(|wire| wire.is_free).collect();
        let held = feedback_vertex_set(&ways, &costs, &is_free, &late);
        closing(&ways, &held).into_iter().collect()
    }

    /// Computes the arrival times that the timing of `ready` needs, for a choice of registers.
    fn timed(&self, chosen: &[bool], delays: &Delays<'_>, ready_ns: f64) -> Option<Timed> {
        let channels = self.network.channels;
        let (arrivals, _) = self.arrivals(chosen)?;
        let wires = self.network.wires.iter();
        let times = wires.map(|wire| {
            let user = wire.user.0;
            let joined = joined(channels, user, wire.channel).into_iter();
            let numbered =
                joined.filter_map(|(other, decides)| Some((self.network.number(other)?, decides)));
            let decision_ns = delays.decision_ns(channels, wire.channel);
            let late_ns = numbered
                .filter(|(other, _)| !chosen[*other])
                .map(|(other, decides)| match decides {
                    true => arrivals[other].decided_ns(decision_ns),
                    false => arrivals[other].valid_ns,
                });
            (late_ns.fold(0.0, f64::max), delays.gates_ns(channels, user))
        });
        Some(Timed {
            ready_ns,
            times: times.collect(),
        })
    }

    /// Returns the cost in bits of registering `ready`, for each channel.
    fn costs(&self, chosen: &[bool]) -> Vec<f64> {
        let spare_ns = self.spare_ns(chosen);
        let wires = self.network.wires.iter().enumerate();
        wires
            .map(|(i, wire)| {
                let bits = f64::from(wire.width_bits);
                match () {
                    () if chosen[i] => bits,
                    () if spare_ns[i] < self.gate_ns => bits + SLOT_BITS + LATE_BITS,
                    () => bits + SLOT_BITS,
                }
            })
            .collect()
    }

    /// Returns the slack in ns of the paths through each channel, for a choice of registers.
    fn spare_ns(&self, chosen: &[bool]) -> Vec<f64> {
        let n_wires = chosen.len();
        let Some((arrivals, order)) = self.arrivals(chosen) else {
            return vec![0.0; n_wires];
        };
        let mut left = vec![Arrival::default(); n_wires];
        for wire in order.into_iter().rev() {
            for way in self.out[wire].iter().map(|way| &self.ways[*way]) {
                let goes_on = self.is_path(way, chosen) && !chosen[way.to];
                let after = match goes_on {
                    true => left[way.to],
                    false => Arrival::default(),
                };
                left[wire] = left[wire].latest(self.before(way, after));
            }
        }
        (0..n_wires)
            .map(|i| {
                let (at, left) = match chosen[i] {
                    true => (arrivals[i], Arrival::default()),
                    false => (arrivals[i], left[i]),
                };
                self.path_ns - (at.data_ns + left.data_ns).max(at.valid_ns + left.valid_ns)
            })
            .collect()
    }
}
