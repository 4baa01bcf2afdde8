//! Timing constraints for paths of data, `valid` and `ready`: each signal has its own arrival time on every channel, and buffers
//! cut paths.

use std::collections::BTreeMap;

use sluice_ir::{OperationId, ValueId};

use super::super::Target;
use super::super::cycles::at_once;
use super::super::delays::{Arrival, Delays, Stage};
use super::super::network::Network;
use super::super::ready::{find_ready_sources, joined};
use super::linear_program::{LinearProgram, Subject, Sum, Variable};

/// The buffer variables of a channel.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    /// Number of registers in a row, which cut data and `valid`.
    pub(super) registers: Variable,
    /// True if there is a register.
    pub(super) is_cut: Variable,
    /// True if there is a FIFO, which cuts `ready`.
    pub(super) holds_ready: Variable,
}

/// Minimum delay of every operation, as a share of the period, so that no cycle is without a register.
const MIN_SHARE: f64 = 1e-4;

/// The arrival times of a channel's signals, before or after its buffers.
#[derive(Clone, Copy)]
struct Times {
    data: Variable,
    valid: Variable,
}

/// Timing constraints of a graph, for a clock period.
pub(super) struct Paths<'a> {
    network: &'a Network<'a>,
    delays: Delays<'a>,
    path_ns: f64,
    /// Limit of `ready` paths; `None`: only cycles are cut.
    ready_ns: Option<f64>,
    /// For each channel, the arrival time if every channel that may have a register has one.
    floors: Vec<Arrival>,
    ready_floors: Vec<f64>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(network: &'a Network<'a>, target: &Target<'a>) -> Self {
        let mut paths = Self {
            network,
            delays: target.delays(),
            path_ns: target.path_ns(),
            ready_ns: Some(target.ready_ns()).filter(|_| target.times_ready()),
            floors: vec![Arrival::default(); network.wires.len()],
            ready_floors: vec![0.0; network.wires.len()],
        };
        paths.find_floors();
        paths
    }

    /// Returns the operations whose own delay exceeds the period, with that delay in ns.
    pub(super) fn too_slow(&self) -> Vec<(OperationId, f64)> {
        let mut found: BTreeMap<OperationId, f64> = BTreeMap::new();
        for (from, op, result) in self.passages() {
            let stage = self.delays.of(self.network.channels, op, result);
            let through = stage.through(self.operand(op, from), self.behind_buffer(from));
            let known = found.entry(op).or_default();
            *known = known.max(through.all_ns());
        }
        let mut found: Vec<(OperationId, f64)> = found.into_iter().collect();
        found.retain(|(_, time_ns)| *time_ns > self.path_ns);
        found
    }

    /// Adds the timing constraints to a program.
    pub(super) fn ask(&self, program: &mut LinearProgram, choices: &[Option<Choice>]) {
        let behind = self.forward(program, choices);
        self.backward(program, choices, &behind);
    }

    fn forward(&self, program: &mut LinearProgram, choices: &[Option<Choice>]) -> Vec<Times> {
        let gate_ns = self.delays.gate_ns();
        let mut times = Vec::new();
        let mut behind = Vec::new();
        for (wire, (floor, choice)) in self.floors.iter().zip(choices).enumerate() {
            program.subject = Some(Subject { wire, unit: "ns" });
            let data_ns = self.path_ns.max(floor.data_ns);
            let valid_ns = self.path_ns.max(floor.valid_ns);
            let at = Times {
                data: program.real(0.0, data_ns),
                valid: program.real(0.0, valid_ns),
            };
            times.push(at);
            let Some(choice) = choice else {
                behind.push(at);
                continue;
            };
            let later = Times {
                data: program.real(0.0, data_ns + gate_ns),
                valid: program.real(0.0, valid_ns + gate_ns),
            };
            for (at, later, max_ns) in [
                (at.data, later.data, data_ns),
                (at.valid, later.valid, valid_ns),
            ] {
                let cut = Sum::from(at)
                    .plus(-max_ns - gate_ns, choice.is_cut)
                    .plus(gate_ns, choice.holds_ready);
                program.at_least(later, cut);
            }
            behind.push(later);
        }
        for (to, wire) in self.network.wires.iter().enumerate() {
            program.subject = Some(Subject {
                wire: to,
                unit: "ns",
            });
            let channels = self.network.channels;
            let Some((op, result)) = channels.maker(wire.channel) else {
                continue;
            };
            let stage = self.delays.of(channels, op, result);
            if let Some(after) = stage.registered() {
                program.at_least(times[to].data, Sum::of(after.data_ns));
                program.at_least(times[to].valid, Sum::of(after.valid_ns));
            }
            for way in self.network.ways.iter().filter(|way| way.to == to) {
                let from = &behind[way.from];
                let operand = self.operand(op, way.from);
                let least = self.path_ns * MIN_SHARE;
                let data = Sum::from(from.data).and(stage.data_ns);
                let valid = Sum::from(from.valid).and(stage.valid_ns.max(least));
                let decided = Sum::from(from.data).and(stage.valid_ns);
                let decided = Some(decided).filter(|_| stage.decides == Some(operand));
                if stage.registered().is_some() {
                    let through = stage.through(operand, self.behind_buffer(way.from));
                    let limit = Sum::of(self.path_ns.max(through.all_ns()));
                    for late in [Some(data), Some(valid), decided].into_iter().flatten() {
                        program.at_least(limit.clone(), late);
                    }
                } else {
                    program.at_least(times[to].data, data);
                    for late in [Some(valid), decided].into_iter().flatten() {
                        program.at_least(times[to].valid, late);
                    }
                }
            }
        }
        behind
    }

    fn backward(&self, program: &mut LinearProgram, choices: &[Option<Choice>], forward: &[Times]) {
        let limit_ns = self.ready_ns.unwrap_or(1.0);
        let n_wires = u32::try_from(self.network.wires.len()).unwrap_or(u32::MAX);
        let min_ns = match self.ready_ns {
            Some(ready_ns) => ready_ns * MIN_SHARE,
            None => f64::from(n_wires + 1).recip(),
        };
        let mut ready = Vec::new();
        let mut before = Vec::new();
        for (wire, (floor_ns, choice)) in self.ready_floors.iter().zip(choices).enumerate() {
            program.subject = Some(Subject { wire, unit: "ns" });
            let max_ns = limit_ns.max(*floor_ns);
            let at = program.real(0.0, max_ns);
            ready.push(at);
            let Some(choice) = choice else {
                before.push(at);
                continue;
            };
            let earlier = program.real(0.0, max_ns);
            let cut = Sum::from(at).plus(-max_ns, choice.holds_ready);
            program.at_least(earlier, cut);
            before.push(earlier);
        }
        let channels = self.network.channels;
        for (at, wire) in self.network.wires.iter().enumerate() {
            program.subject = Some(Subject {
                wire: at,
                unit: "ns of `ready`",
            });
            let gates_ns = match self.ready_ns {
                Some(_) => self.delays.gates_ns(channels, wire.user.0),
                None => 0.0,
            };
            for later in find_ready_sources(channels, wire.channel) {
                if let Some(later) = self.network.number(later) {
                    let late = Sum::from(before[later]).and(gates_ns.max(min_ns));
                    program.at_least(ready[at], late);
                }
            }
            if self.ready_ns.is_none() {
                continue;
            }
            let decided_ns = gates_ns + self.delays.decision_ns(channels, wire.channel);
            for (other, decides) in joined(channels, wire.user.0, wire.channel) {
                let Some(other) = self.network.number(other) else {
                    continue;
                };
                let times = &forward[other];
                program.at_least(ready[at], Sum::from(times.valid).and(gates_ns));
                if decides {
                    program.at_least(ready[at], Sum::from(times.data).and(decided_ns));
                }
            }
        }
    }

    /// Returns the channels that lead into an operation, with the operation and the index of the dependent result.
    fn passages(&self) -> Vec<(usize, OperationId, usize)> {
        let ways = self.network.ways.iter();
        ways.filter_map(|way| {
            let (op, result) = self.maker(way.to)?;
            Some((way.from, op, result))
        })
        .collect()
    }

    fn maker(&self, wire: usize) -> Option<(OperationId, usize)> {
        let channel = self.network.wires[wire].channel;
        self.network.channels.maker(channel)
    }

    /// Returns the index of the operand of an operation that a channel is.
    fn operand(&self, op: OperationId, wire: usize) -> usize {
        let (user, index) = self.network.wires[wire].user;
        if user == op { index } else { usize::MAX }
    }

    fn behind_buffer(&self, wire: usize) -> Arrival {
        match self.network.wires[wire].is_free {
            true => Arrival::default(),
            false => self.floors[wire],
        }
    }

    fn find_floors(&mut self) {
        let channels = self.network.channels;
        let network = self.network;
        // Dependences through channels that are cut are ignored, so that cycles do not disturb the order.
        let uncut = |mut before: Vec<ValueId>| {
            before.retain(|channel| {
                let wire = network.number(*channel);
                wire.is_none_or(|wire| !network.wires[wire].is_free)
            });
            before
        };
        for channel in channels.in_order(&|channel| uncut(at_once(channels, channel))) {
            let Some(to) = self.network.number(channel) else {
                continue;
            };
            let Some((op, result)) = channels.maker(channel) else {
                continue;
            };
            let stage: Stage = self.delays.of(channels, op, result);
            let mut latest = Arrival::default();
            for way in self.network.ways.iter().filter(|way| way.to == to) {
                let operand = self.operand(op, way.from);
                latest = latest.latest(stage.through(operand, self.behind_buffer(way.from)));
            }
            self.floors[to] = stage.registered().unwrap_or(latest);
            self.floors[to].valid_ns += self.path_ns * MIN_SHARE;
        }
        for channel in channels.in_order(&|channel| uncut(find_ready_sources(channels, channel))) {
            let Some(at) = self.network.number(channel) else {
                continue;
            };
            let user = self.network.wires[at].user.0;
            let mut latest_ns = 0.0_f64;
            for later in find_ready_sources(channels, channel) {
                let later = self.network.number(later);
                let later = later.filter(|later| !self.network.wires[*later].is_free);
                latest_ns = latest_ns.max(later.map_or(0.0, |later| self.ready_floors[later]));
            }
            let decision_ns = self.delays.decision_ns(channels, channel);
            for (other, decides) in joined(channels, user, channel) {
                if let Some(other) = self.network.number(other) {
                    let there = self.behind_buffer(other);
                    latest_ns = latest_ns.max(match decides {
                        true => there.decided_ns(decision_ns),
                        false => there.all_ns(),
                    });
                }
            }
            let gates_ns = match self.ready_ns {
                Some(ready_ns) => self
                    .delays
                    .gates_ns(channels, user)
                    .max(ready_ns * MIN_SHARE),
                None => 0.0,
            };
            self.ready_floors[at] = latest_ns + gates_ns;
        }
        if self.ready_ns.is_none() {
            self.ready_floors.fill(0.0);
        }
    }
}
