//! Token times in the steady state: times of the first iteration; each later iteration follows after one interval.

use std::collections::BTreeMap;

use sluice_dialects::handshake;
use sluice_ir::OperationId;

use super::super::network::{Nested, Network, Way};
use super::linear_program::{LinearProgram, Subject, Sum, Variable, value};
use super::paths::Choice;

/// Relative execution counts of loops.
pub(super) struct Weights {
    loops: Vec<f64>,
    run: f64,
}

/// Assumed iterations of a loop per iteration of its outer loop, if none were counted.
const USUAL_ITERATIONS: f64 = 8.0;

impl Weights {
    /// Computes the share of each loop in all iterations; `iterations` is indexed by first-iteration register.
    pub(super) fn of(network: &Network<'_>, iterations: &BTreeMap<OperationId, f64>) -> Self {
        let weight = |nested: &Nested| {
            let counted = iterations.get(&nested.this.starter).copied();
            let depth = i32::try_from(nested.depth + 1).unwrap_or(i32::MAX);
            counted
                .unwrap_or_else(|| USUAL_ITERATIONS.powi(depth))
                .max(1.0)
        };
        let loops: Vec<f64> = network.loops.iter().map(weight).collect();
        let sum = loops.iter().sum::<f64>() + 1.0;
        Self {
            loops: loops.into_iter().map(|weight| weight / sum).collect(),
            run: sum.recip(),
        }
    }
}

/// The variables for the pace of a graph.
pub(super) struct Pace {
    /// For each loop: the interval in cycles.
    intervals: Vec<Variable>,
    /// Cycles of a run in which every loop has one iteration.
    run: Variable,
}

/// The intervals that a program found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) intervals: Vec<f64>,
    run: f64,
}

impl Pace {
    /// Adds the constraints `time(to) >= time(from) + latency - interval * tokens` for every dependence, and minimises the
    /// weighted sum of intervals. Known lower bounds of intervals are used.
    pub(super) fn least(
        program: &mut LinearProgram,
        network: &Network<'_>,
        choices: &[Option<Choice>],
        weights: &Weights,
        least: &[u32],
    ) -> Self {
        let max_cycles = max_cycles(network);
        let pace = Self {
            intervals: network
                .loops
                .iter()
                .zip(least)
                .map(|(nested, least)| nested.busy_cycles.max(*least))
                .map(|least| program.real(f64::from(least), max_cycles))
                .collect(),
            run: program.real(0.0, max_cycles),
        };
        for (interval, weight) in pace.intervals.iter().zip(&weights.loops) {
            program.cost(*interval, *weight);
        }
        program.cost(pace.run, weights.run);
        for (i, nested) in network.loops.iter().enumerate() {
            if let Some(parent) = nested.parent {
                program.at_least(pace.intervals[parent], pace.intervals[i]);
            }
        }
        let wires = network.wires.iter();
        let times: Vec<Variable> = wires.map(|_| program.real(0.0, max_cycles)).collect();
        let behind = |wire: usize| -> Sum {
            let time = Sum::from(times[wire]);
            match choices[wire] {
                Some(choice) => time.plus(1.0, choice.registers),
                None => time,
            }
        };
        for way in &network.ways {
            program.subject = about(way.to);
            let mut early = behind(way.from).and(f64::from(way.latency_cycles));
            if let Some(around) = way.again {
                early = early.plus(-1.0, pace.intervals[around]);
            }
            program.at_least(times[way.to], early);
        }
        for wire in &network.last {
            program.subject = about(*wire);
            program.at_least(pace.run, behind(*wire));
        }
        pace
    }

    pub(super) fn found(&self, values: &[f64]) -> Found {
        // Removes the numerical error of the solver.
        let exact = |variable: &Variable| {
            let found = value(values, *variable);
            let fine = (found * FINE).round() / FINE;
            if (fine - found).abs() < 1e-4 {
                fine
            } else {
                found
            }
        };
        Found {
            intervals: self.intervals.iter().map(exact).collect(),
            run: value(values, self.run).ceil(),
        }
    }
}

/// Intervals are ratios of few cycles and few tokens: 840 is divisible by all numbers up to 8.
const FINE: f64 = 840.0;

/// Returns an upper bound of token times in cycles.
fn max_cycles(network: &Network<'_>) -> f64 {
    let latencies: u32 = network.ways.iter().map(|way| way.latency_cycles).sum();
    let n_wires = u32::try_from(network.wires.len()).unwrap_or(u32::MAX);
    f64::from(latencies + n_wires + 1)
}

/// Returns the subject of rows about a channel, in cycles.
fn about(wire: usize) -> Option<Subject> {
    Some(Subject {
        wire,
        unit: "cycles",
    })
}

/// The slot variable of a channel, with its other buffer variables.
pub(super) struct Room {
    pub(super) choice: Choice,
    pub(super) slots: Variable,
}

/// Maximum number of slots of a FIFO.
const MAX_SLOTS: u32 = 64;

/// The times at which a token arrives and leaves, before or after the buffers of a channel.
#[derive(Clone, Copy)]
struct Passing {
    comes: Variable,
    leaves: Variable,
}

/// Adds the constraints that no token waits for buffer space at the given intervals.
///
/// A token that is held blocks the one of the next iteration. So in a place with capacity `n`, each token leaves before, or in
/// the cycle in which, the `n`-th token after it arrives.
pub(super) fn room(
    program: &mut LinearProgram,
    network: &Network<'_>,
    choices: &[Option<Choice>],
    found: &Found,
) -> Vec<Option<Room>> {
    let longest = found.intervals.iter().copied().fold(found.run, f64::max);
    let horizon = 2.0 * longest + 4.0;
    let interval = |inside: Option<usize>| inside.map_or(2.0 * horizon, |i| found.intervals[i]);
    let mut ends = Vec::new();
    let mut rooms = Vec::new();
    let passing = |program: &mut LinearProgram, every: f64| {
        let at = Passing {
            comes: program.real(0.0, horizon),
            leaves: program.real(0.0, horizon),
        };
        program.at_least(at.leaves, at.comes);
        // The next token arrives after this one has left.
        program.at_least(Sum::from(at.comes).and(every - 1.0), at.leaves);
        at
    };
    for (number, (wire, choice)) in network.wires.iter().zip(choices).enumerate() {
        program.subject = about(number);
        let every = interval(wire.inside);
        let here = passing(program, every);
        let Some(choice) = *choice else {
            ends.push((here, here));
            rooms.push(None);
            continue;
        };
        if network.chooses(wire.inside) {
            // Paths differ between iterations: a token that waits here must not block one that need not wait.
            program.at_least(here.comes, here.leaves);
        }
        let there = passing(program, every);
        let slots = program.whole(MAX_SLOTS);
        program.at_least(slots, choice.holds_ready);
        let most = f64::from(MAX_SLOTS);
        program.at_least(Sum::of(0.0).plus(most, choice.holds_ready), slots);
        // True if any buffer holds a token.
        let holds = program.whole(1);
        let both = Sum::from(choice.is_cut).plus(1.0, choice.holds_ready);
        program.at_least(both, holds);
        let one = Sum::from(there.comes).plus(-1.0, choice.registers);
        program.at_least(one, here.comes);
        let entered = Sum::from(here.leaves)
            .plus(1.0, choice.registers)
            .plus(horizon, choice.is_cut)
            .and(-horizon);
        program.at_least(there.comes, entered);
        let capacity = Sum::from(here.leaves)
            .plus(every, choice.registers)
            .plus(every, slots)
            .plus(-1.0, choice.holds_ready)
            .plus(-2.0 * horizon, holds)
            .and(2.0 * horizon);
        program.at_least(capacity, there.leaves);
        let direct = Sum::from(there.leaves).plus(-horizon, holds);
        program.at_least(here.leaves, direct);
        ends.push((here, there));
        rooms.push(Some(Room { choice, slots }));
    }
    for way in &network.ways {
        program.subject = about(way.to);
        pass(program, network, way, &ends, &interval);
    }
    for wire in &network.last {
        program.subject = about(*wire);
        program.at_least(Sum::of(found.run), ends[*wire].1.comes);
    }
    rooms
}

/// Adds the constraints that an operation imposes on an input and an output token.
fn pass(
    program: &mut LinearProgram,
    network: &Network<'_>,
    way: &Way,
    ends: &[(Passing, Passing)],
    interval: &dyn Fn(Option<usize>) -> f64,
) {
    let (taken, made) = (ends[way.from].1, ends[way.to].0);
    let latency = f64::from(way.latency_cycles);
    let every = interval(network.wires[way.from].inside);
    let back = way.again.map_or(0.0, |i| interval(Some(i)));
    if way.latency_cycles == 0 {
        program.at_least(made.comes, Sum::from(taken.comes).and(-back));
        // A FIFO between loops holds its tokens, and a channel outside the loop has another interval.
        let channels = network.channels;
        let maker = channels.maker(network.wires[way.to].channel);
        let is_fifo =
            maker.is_some_and(|(op, _)| channels.view(op).name() == handshake::Buffer::NAME);
        if way.leaves {
            let outer = interval(network.wires[way.to].inside);
            program.at_least(Sum::from(made.comes).and(outer - 1.0), made.leaves);
        } else if !is_fifo {
            program.at_least(taken.leaves, Sum::from(made.leaves).and(back));
        }
        return;
    }
    program.at_least(made.comes, Sum::from(taken.leaves).and(latency - back));
    let room = match way.again {
        // A register with an initial token has a second slot.
        Some(_) => every - 1.0,
        None => latency.max(every),
    };
    program.at_least(Sum::from(taken.leaves).and(room), made.leaves);
}
