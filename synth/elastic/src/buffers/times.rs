//! Computes the least loop intervals for a clock period, and the arrival time of every signal: the cycle, and the time after its
//! edge.
//!
//! A signal that would be too late for its user waits in a register for the next edge. So the time of a result is a monotone
//! function of the operand times, and commutes with adding whole cycles. Intervals are feasible if and only if the longest paths,
//! reduced by the intervals at back edges, are bounded; these paths are then the earliest times over all register placements. If
//! they are unbounded, a graph cycle exceeds its interval; intervals start at lower bounds and grow until no such cycle is left.
//! If a cycle passes through several loops, the interval of the outermost one grows; other trade-offs may be equally good.
//!
//! Source: Leiserson, Saxe, Retiming synchronous circuitry, Algorithmica 1991 (times for a clock as a least fixpoint); Cong,
//! Zhang, An efficient and versatile scheduling algorithm based on SDC formulation, DAC 2006 (difference constraints with
//! chaining). Differs: the function rounds up to a clock edge where required, so nothing is linearised, and all loops are in one
//! system, each with its own interval.

use crate::longest::find_cycle;

use super::delays::{Arrival, Delays, Stage};
use super::network::Network;

/// Minimum delay of every operation, as a share of the path limit, so that no cycle is without a register.
const MIN_SHARE: f64 = 1e-6;

/// Number of iterations over all channels between searches for the cause of growth: the first and the maximum.
const FIRST_WINDOW: usize = 16;
const MAX_WINDOW: usize = 256;

/// The arrival time of the signals of a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Time {
    pub(super) cycle: i64,
    /// The time within the cycle.
    pub(super) at: Arrival,
}

impl Time {
    pub(super) fn latest(self, other: Self) -> Self {
        match self.cycle.cmp(&other.cycle) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Self {
                cycle: self.cycle,
                at: self.at.latest(other.at),
            },
        }
    }

    /// Returns whether it is at least as late as `other`.
    pub(super) fn is_behind(self, other: Self) -> bool {
        self.cycle > other.cycle || self.cycle == other.cycle && other.at.is_within(self.at)
    }
}

/// Returns whether a time is at least one cycle later than another.
pub(super) fn is_cycle_later((time, other): (&Time, &Time)) -> bool {
    let cycle = other.cycle + 1;
    time.is_behind(Time { cycle, ..*other })
}

/// A timing dependence of one channel on another.
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The operand of the operation between them.
    operand: usize,
    pub(super) latency_cycles: i64,
    /// The loop whose interval is subtracted, for a back edge.
    pub(super) around: Option<usize>,
}

/// A graph cycle that takes longer than its intervals.
pub(super) struct Longer {
    /// The loop whose interval must grow.
    pub(super) around: usize,
    pub(super) by_cycles: u32,
    /// True if it is the only loop that could.
    pub(super) is_only: bool,
}

/// A network with the delays of its operations, for a clock period.
pub(super) struct Clocked<'a> {
    pub(super) network: &'a Network<'a>,
    pub(super) path_ns: f64,
    /// Delay of a slot on a path.
    pub(super) gate_ns: f64,
    /// For each channel: the delays of the operation that defines it.
    stages: Vec<Option<Stage>>,
    pub(super) ways: Vec<Way>,
    /// For each channel: the incoming and the outgoing dependences.
    pub(super) into: Vec<Vec<usize>>,
    pub(super) out: Vec<Vec<usize>>,
    /// The channels in topological order within an iteration.
    order: Vec<usize>,
    /// For each channel: whether it has a register regardless of timing.
    cut: Vec<bool>,
}

/// The earliest times for the least intervals.
pub(super) struct Times {
    /// For each loop: the interval.
    pub(super) intervals: Vec<u32>,
    /// For each loop: a lower bound of its interval in all solutions, since only growth that no other loop could have taken is
    /// counted.
    pub(super) least: Vec<u32>,
    /// For each channel: the arrival time.
    pub(super) times: Vec<Time>,
}

impl<'a> Clocked<'a> {
    pub(super) fn new(network: &'a Network<'a>, delays: &Delays<'_>, path_ns: f64) -> Self {
        let channels = network.channels;
        let n_wires = network.wires.len();
        let makers = network.wires.iter().map(|w| channels.maker(w.channel));
        let stages = makers
            .map(|maker| maker.map(|(op, result)| delays.of(channels, op, result)))
            .collect();
        let mut ways = Vec::new();
        let (mut into, mut out) = (vec![Vec::new(); n_wires], vec![Vec::new(); n_wires]);
        for way in &network.ways {
            let Some((op, _)) = channels.maker(network.wires[way.to].channel) else {
                continue;
            };
            let has_token = channels.has_tokens(op);
            let around = match way.again {
                None if has_token => network.around(op),
                around => around,
            };
            // An initial token that is not part of a loop arrives once only.
            if has_token && around.is_none() {
                continue;
            }
            into[way.to].push(ways.len());
            out[way.from].push(ways.len());
            ways.push(Way {
                from: way.from,
                to: way.to,
                operand: network.wires[way.from].user.1,
                latency_cycles: i64::from(way.latency_cycles),
                around,
            });
        }
        let mut clocked = Self {
            network,
            path_ns,
            gate_ns: delays.gate_ns(),
            stages,
            ways,
            into,
            out,
            order: Vec::new(),
            cut: vec![false; n_wires],
        };
        clocked.order = clocked.in_order();
        clocked
    }

    fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.network.wires.len()];
        for start in 0..seen.len() {
            let mut stack = vec![(start, false)];
            while let Some((wire, is_done)) = stack.pop() {
                if is_done {
                    order.push(wire);
                } else if !seen[wire] {
                    seen[wire] = true;
                    stack.push((wire, true));
                    let ways = self.into[wire].iter().map(|way| &self.ways[*way]);
                    let direct = ways.filter(|way| way.around.is_none());
                    stack.extend(direct.map(|way| (way.from, false)));
                }
            }
        }
        order
    }

    /// Returns the least intervals, where outer loops grow as inner ones require, and the earliest times; `None` if a cycle has
    /// no token or no solution is found.
    pub(super) fn fastest(&self) -> Option<Times> {
        let loops = &self.network.loops;
        let mut intervals: Vec<u32> = loops.iter().map(|nested| nested.busy_cycles).collect();
        let mut least = intervals.clone();
        let mut is_least = vec![true; intervals.len()];
        loop {
            let longer = match self.earliest(&intervals) {
                Ok(times) => {
                    return Some(Times {
                        intervals,
                        least,
                        times,
                    });
                }
                Err(longer) => longer?,
            };
            intervals[longer.around] += longer.by_cycles;
            is_least[longer.around] &= longer.is_only;
            if is_least[longer.around] {
                least[longer.around] = intervals[longer.around];
            }
        }
    }

    /// Adds registers where tokens of loops come back, as far as no interval grows by them; returns the new times.
    pub(super) fn cut_backs(&mut self, found: Times) -> Times {
        let times = self.cut_all(&self.backs(), &found.intervals, &found.times);
        Times {
            times: times.unwrap_or(found.times),
            ..found
        }
    }

    /// Returns the channels through which tokens of loops come back.
    pub(super) fn backs(&self) -> Vec<usize> {
        let mut backs: Vec<usize> = Vec::new();
        for way in &self.ways {
            let wire = &self.network.wires[way.from];
            let mut loops = self.network.loops.iter();
            let is_head = loops.any(|nested| nested.this.heads.contains(&wire.user.0));
            if way.around.is_some() && is_head && wire.is_free && !backs.contains(&way.from) {
                backs.push(way.from);
            }
        }
        backs
    }

    /// Adds registers to as many of these channels as the intervals permit; returns the times if any was added. `without` holds
    /// the times without them.
    fn cut_all(
        &mut self,
        wires: &[usize],
        intervals: &[u32],
        without: &[Time],
    ) -> Option<Vec<Time>> {
        if wires.is_empty() {
            return None;
        }
        wires.iter().for_each(|wire| self.cut[*wire] = true);
        // A register makes no signal earlier.
        if let Ok(times) = self.earliest_from(without.to_vec(), intervals) {
            return Some(times);
        }
        wires.iter().for_each(|wire| self.cut[*wire] = false);
        if wires.len() == 1 {
            return None;
        }
        let (first, second) = wires.split_at(wires.len() / 2);
        let before = self.cut_all(first, intervals, without);
        let without = before.as_deref().unwrap_or(without);
        let both = self.cut_all(second, intervals, without);
        both.or(before)
    }

    /// Returns the arrival time after a dependence, from that of its operand.
    pub(super) fn through(&self, way: &Way, at: Arrival) -> Arrival {
        let Some(stage) = &self.stages[way.to] else {
            return at;
        };
        let mut behind = stage.through(way.operand, at);
        behind.valid_ns += self.path_ns * MIN_SHARE;
        behind
    }

    /// Returns the remaining path delay before a dependence, from the remaining delay after it.
    pub(super) fn before(&self, way: &Way, left: Arrival) -> Arrival {
        let stage = self.stages[way.to].as_ref();
        stage.map_or(left, |stage| stage.before(way.operand, left))
    }

    /// Returns when the user of a channel takes it: after a register, if it arrives too late.
    pub(super) fn taken(&self, wire: usize, time: Time) -> Time {
        match self.cut[wire] || self.is_late(wire, time.at) {
            true => Time {
                cycle: time.cycle + 1,
                at: Arrival::default(),
            },
            false => time,
        }
    }

    /// Returns whether a channel has a register regardless of timing.
    pub(super) fn is_cut(&self, wire: usize) -> bool {
        self.cut[wire]
    }

    /// Returns whether a channel arrives too late for its users, and a register would help.
    pub(super) fn is_late(&self, wire: usize, at: Arrival) -> bool {
        let is_too_long = |at: Arrival| {
            let mut ways = self.out[wire].iter().map(|way| &self.ways[*way]);
            ways.any(|way| self.through(way, at).all_ns() > self.path_ns)
        };
        self.network.wires[wire].is_free && at.all_ns() > 0.0 && is_too_long(at)
    }

    /// Returns the arrival time of a channel that comes from registers of its operation.
    pub(super) fn registered(&self, wire: usize) -> Option<Arrival> {
        self.stages[wire].as_ref().and_then(Stage::registered)
    }

    /// Returns the time of a result, from the time at which an operand is taken.
    pub(super) fn made(&self, way: &Way, taken: Time, intervals: &[u32]) -> Time {
        let registered = self.registered(way.to);
        let back = way.around.map_or(0, |around| i64::from(intervals[around]));
        Time {
            cycle: taken.cycle + way.latency_cycles - back,
            at: registered.unwrap_or_else(|| self.through(way, taken.at)),
        }
    }

    /// Returns the earliest times for given intervals.
    fn earliest(&self, intervals: &[u32]) -> Result<Vec<Time>, Option<Longer>> {
        let first = (0..self.stages.len()).map(|wire| Time {
            cycle: 0,
            at: self.registered(wire).unwrap_or_default(),
        });
        self.earliest_from(first.collect(), intervals)
    }

    /// Returns the earliest times for given intervals, none before the given times.
    fn earliest_from(
        &self,
        mut times: Vec<Time>,
        intervals: &[u32],
    ) -> Result<Vec<Time>, Option<Longer>> {
        // The dependence that last set each time.
        let mut because: Vec<Option<usize>> = vec![None; times.len()];
        let mut window = FIRST_WINDOW;
        while window <= MAX_WINDOW {
            let start = times.clone();
            for _ in 0..window {
                let changed = |way: &usize, to: usize| because[to] = Some(*way);
                if !self.propagate(&mut times, intervals, &|_| true, changed) {
                    return Ok(times);
                }
                let before = because.iter().map(|way| way.map(|way| self.ways[way].from));
                let mut before: Vec<Option<usize>> = before.collect();
                while let Some(graph_cycle) = find_cycle(&before) {
                    let behind = graph_cycle.iter().cycle().skip(1).take(graph_cycle.len());
                    let ways = behind.filter_map(|wire| because[*wire]);
                    let ways: Vec<&Way> = ways.map(|way| &self.ways[way]).collect();
                    match self.turned(&ways, times[graph_cycle[0]], intervals) {
                        Ok(end) => times[graph_cycle[0]] = end,
                        Err(by_cycles) => return Err(self.longer(&ways, by_cycles)),
                    }
                    // If a pass around the cycle makes nothing later, the entry stems from an earlier value, and would hide other
                    // cycles.
                    (because[graph_cycle[0]], before[graph_cycle[0]]) = (None, None);
                }
            }
            let later: Vec<bool> = times.iter().zip(&start).map(is_cycle_later).collect();
            if let Some(longer) = self.longer_together(&later, &times, intervals, window) {
                return Err(Some(longer));
            }
            window *= 2;
        }
        Err(None)
    }

    /// Propagates along all dependences once; returns whether a time changed.
    pub(super) fn propagate(
        &self,
        times: &mut [Time],
        intervals: &[u32],
        is_open: &dyn Fn(&Way) -> bool,
        mut changed: impl FnMut(&usize, usize),
    ) -> bool {
        let mut is_changed = false;
        for to in &self.order {
            for number in &self.into[*to] {
                let way = &self.ways[*number];
                if !is_open(way) {
                    continue;
                }
                let made = self.made(way, self.taken(way.from, times[way.from]), intervals);
                if !times[*to].is_behind(made) {
                    times[*to] = times[*to].latest(made);
                    changed(number, *to);
                    is_changed = true;
                }
            }
        }
        is_changed
    }
}
