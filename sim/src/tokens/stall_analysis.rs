//! Analysis of stalls: why a loop of a graph does not start its next iteration, or why the results do not come, in a given cycle.

use super::deadlock::Lack;
use super::graph::{Graph, Kind};
use super::machine::{Machine, Meets};
use super::recording::Cycle;
use super::state::State;
use super::words::at_most;

/// A loop: each token that is taken from `starts` starts an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterated {
    /// The output channel of the register that selects between the first iteration and the later ones.
    pub starts: usize,
    /// The number of the loop around it.
    pub around: Option<usize>,
}

/// The cause of a stall: the end of a chain of dependences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// An operation with a latency, or a memory access: its result is not available yet, or it cannot accept operands.
    Works,
    /// A register that a token passes in this cycle.
    Passes,
    /// Another access uses the memory port, or another operation uses the shared unit.
    Port,
    /// A full buffer that loses a token at the end of the cycle.
    Full,
    /// A branch or mux whose token takes the other way.
    Turn,
    /// The loop with this number, which is nested in the loop of the query.
    Nested(usize),
    /// Something outside of the loop of the query.
    Outside,
    /// A token that will not come again.
    Gone,
}

/// The reason why something does not happen in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The cause at the end of the chain of dependences.
    pub cause: Cause,
    /// The channel at the cause.
    pub channel: usize,
    /// Whether the chain goes through the previous iteration: through a channel that leads back to the start of the loop of the
    /// query.
    pub is_recurrence: bool,
    /// Whether some channel on the chain lacks a token, rather than room for one.
    pub needs_token: bool,
    /// The fewest cycles until the cause can be resolved, if nothing else delays it.
    pub cycles: u64,
}

type Place = (usize, Lack);

/// The state of queries that follow the chain of dependences in a cycle.
///
/// If something waits for several things, the query follows the one that is resolved last, as far as latencies tell. Among
/// several that are resolved together, it follows the first in program order.
#[derive(Clone, Debug)]
pub struct Holding {
    loops: Vec<Iterated>,
    /// The innermost loop around each channel.
    of: Vec<Option<usize>>,
    /// The loop to which a channel carries a value back for the next iteration.
    back: Vec<Option<usize>>,
    /// The result for each place, with the number of the query that computed it.
    known: Vec<(u64, Option<Held>)>,
    question: u64,
}

impl Holding {
    /// Creates the state for these loops, in any order, and the innermost loop around each channel.
    pub(super) fn new(graph: &Graph<'_>, loops: &[Iterated], of: &[Option<usize>]) -> Self {
        let mut back = vec![None; graph.channels.len()];
        for node in &graph.nodes {
            if let (Kind::Mux, [select, _, again]) = (&node.kind, &node.inputs[..]) {
                let root = root(graph, *select);
                back[*again] = loops.iter().position(|other| other.starts == root);
            }
        }
        Self {
            loops: loops.to_vec(),
            of: of.to_vec(),
            back,
            known: vec![(0, None); 2 * graph.channels.len()],
            question: 0,
        }
    }

    /// Returns `around` itself if `number` is that loop, or its child that contains loop `number`; `None` if `number` is outside
    /// of `around`.
    fn below(&self, around: usize, number: Option<usize>) -> Option<usize> {
        let mut at = number?;
        for _ in 0..=self.loops.len() {
            let outer = match at == around {
                true => return Some(at),
                false => self.loops[at].around?,
            };
            if outer == around {
                return Some(at);
            }
            at = outer;
        }
        None
    }

    fn ask(&mut self, cycle: &Cycle<'_>, within: Option<usize>, places: &[Place]) -> Option<Held> {
        self.question += 1;
        let mut search = Search {
            graph: cycle.graph,
            machine: cycle.machine,
            holding: self,
            within,
        };
        search.last(places, 0)
    }
}

/// Follows a channel back through forks and buffers that are empty after reset.
fn root(graph: &Graph<'_>, channel: usize) -> usize {
    let mut root = channel;
    for _ in 0..graph.channels.len() {
        let node = &graph.nodes[graph.producers[root]];
        let is_passed = match &node.kind {
            Kind::Fork => true,
            kind @ (Kind::Registers(..) | Kind::Cells(..) | Kind::Fifo(_)) => {
                kind.initial().is_empty()
            }
            _ => false,
        };
        match is_passed {
            true => root = node.inputs[0],
            false => break,
        }
    }
    root
}

impl Cycle<'_> {
    /// Returns the reason why a loop starts no iteration in this cycle; `None` if one starts.
    pub fn held(&self, holding: &mut Holding, number: usize) -> Option<Held> {
        let starts = holding.loops[number].starts;
        let lack = match (self.valid(starts), self.ready(starts)) {
            (true, true) => return None,
            (true, false) => Lack::Room,
            (false, _) => Lack::Token,
        };
        let gone = Held::of(Cause::Gone, starts, 0);
        Some(
            holding
                .ask(self, Some(number), &[(starts, lack)])
                .unwrap_or(gone),
        )
    }

    /// Returns whether the next iteration to start is the first one of the loop.
    pub fn is_before(&self, holding: &Holding, number: usize) -> bool {
        let starts = holding.loops[number].starts;
        self.valid(starts) && self.machine.token(starts).iter().all(|word| *word == 0)
    }

    /// Returns the reason why the results are not taken in this cycle, and the innermost loop around its cause; `None` if they
    /// are taken.
    pub fn end_held(&self, holding: &mut Holding) -> Option<(Held, Option<usize>)> {
        let inputs = self.graph.nodes[self.graph.end].inputs.iter();
        let missing = inputs
            .filter(|input| !self.valid(**input))
            .map(|input| (*input, Lack::Token));
        // The end of a run also waits until all address queues of stores are empty.
        let queues = self
            .graph
            .pending
            .iter()
            .filter(|queue| self.valid(**queue));
        let waiting = queues.map(|queue| (*queue, Lack::Room));
        let places: Vec<Place> = missing.chain(waiting).collect();
        let held = holding.ask(self, None, &places)?;
        Some((held, holding.of[held.channel]))
    }
}

impl Held {
    fn of(cause: Cause, channel: usize, cycles: u64) -> Self {
        Self {
            cause,
            channel,
            is_recurrence: false,
            needs_token: false,
            cycles,
        }
    }
}

struct Search<'s, 'g> {
    graph: &'s Graph<'g>,
    machine: &'s Machine,
    holding: &'s mut Holding,
    within: Option<usize>,
}

impl Search<'_, '_> {
    /// Returns the reason that is resolved last among several places, `cycles` later.
    fn last(&mut self, places: &[Place], cycles: u64) -> Option<Held> {
        let mut last: Option<Held> = None;
        for place in places {
            let Some(found) = self.place(*place) else {
                continue;
            };
            if last.is_none_or(|last| found.cycles + cycles > last.cycles) {
                last = Some(Held {
                    cycles: found.cycles + cycles,
                    ..found
                });
            }
        }
        last
    }

    /// Returns the reason why a place waits; `None` if the chain of dependences leads back to that place.
    fn place(&mut self, place: Place) -> Option<Held> {
        let (channel, lack) = place;
        let index = 2 * channel + usize::from(lack == Lack::Room);
        if self.holding.known[index].0 == self.holding.question {
            return self.holding.known[index].1;
        }
        // A cyclic dependence gives no reason.
        self.holding.known[index] = (self.holding.question, None);
        let stop = self.within.and_then(|within| {
            let of = self.holding.of[channel];
            match self.holding.below(within, of) {
                Some(inside) if inside == within => None,
                Some(inside) => Some(Cause::Nested(inside)),
                None => Some(Cause::Outside),
            }
        });
        let found = match (stop, lack) {
            (Some(cause), _) => Some(Held::of(cause, channel, 1)),
            (None, Lack::Token) => self.token(channel),
            (None, Lack::Room) => self.room(channel),
        };
        let is_back = self.within.is_some() && self.holding.back[channel] == self.within;
        let found = found.map(|found| Held {
            is_recurrence: found.is_recurrence || is_back && lack == Lack::Token,
            needs_token: found.needs_token || lack == Lack::Token,
            ..found
        });
        self.holding.known[index] = (self.holding.question, found);
        found
    }

    fn valid(&self, channel: usize) -> bool {
        self.machine.valid[channel]
    }

    fn goes(&self, channel: usize) -> bool {
        self.valid(channel) && self.machine.ready[channel]
    }

    /// Returns the channels among these that have no token.
    fn missing(&self, channels: &[usize]) -> Vec<Place> {
        let missing = channels.iter().filter(|channel| !self.valid(**channel));
        missing.map(|channel| (*channel, Lack::Token)).collect()
    }

    /// Returns the channels among these whose token is not taken.
    fn blocked(&self, channels: &[usize]) -> Vec<Place> {
        let blocked = channels
            .iter()
            .filter(|channel| self.valid(**channel) && !self.machine.ready[**channel]);
        blocked.map(|channel| (*channel, Lack::Room)).collect()
    }

    /// Follows the first of these lists that is not empty; without any, returns `end`.
    fn first(&mut self, lists: [Vec<Place>; 2], cycles: u64, end: Held) -> Option<Held> {
        match lists.into_iter().find(|list| !list.is_empty()) {
            Some(list) => self.last(&list, cycles),
            None => Some(end),
        }
    }

    /// Returns the cycles until the oldest token in a chain of registers reaches the output.
    fn left(&self, number: usize) -> Option<u64> {
        let left = match &self.machine.states[number] {
            State::Row(row) => row.iter().rev().position(|register| !register.is_empty()),
            State::Pipeline(row) => row.iter().rev().position(Option::is_some),
            State::Iterative(Some((left, _))) => Some(*left),
            State::Shared(results) => results.front().map(|(left, _)| *left),
            _ => None,
        };
        left.map(count)
    }

    /// Returns the channel that names a memory access in the program: the result of a load, or the input of the port of a store.
    fn access(&self, number: usize) -> usize {
        let node = &self.graph.nodes[number];
        match node.kind {
            Kind::Load(_) => {
                let load = self.graph.consumers[node.outputs[0]];
                self.graph.nodes[load].outputs[0]
            }
            _ => node.inputs[0],
        }
    }

    fn chosen(&self, inputs: &[usize]) -> usize {
        inputs[1 + at_most(self.machine.token(inputs[0]), inputs.len() - 2)]
    }

    /// Returns the reason why a channel has no token.
    fn token(&mut self, channel: usize) -> Option<Held> {
        let number = self.graph.producers[channel];
        let graph = self.graph;
        let node = &graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        let missing = self.missing(inputs);
        match &node.kind {
            Kind::Argument | Kind::Source | Kind::Never | Kind::Return | Kind::Sink => {
                Some(Held::of(Cause::Gone, channel, 0))
            }
            Kind::Join(_) | Kind::LazyFork | Kind::Fifo(_) | Kind::Merge => self.last(&missing, 0),
            Kind::Fork | Kind::Unpack | Kind::Sync => {
                let blocked = self.blocked(outputs);
                let end = Held::of(Cause::Passes, channel, 1);
                self.first([missing, blocked], 0, end)
            }
            Kind::Mux => match self.valid(inputs[0]) {
                true => self.place((self.chosen(inputs), Lack::Token)),
                false => self.place((inputs[0], Lack::Token)),
            },
            Kind::Branch => {
                let blocked = self.blocked(outputs);
                let end = Held::of(Cause::Turn, inputs[0], 1);
                self.first([missing, blocked], 0, end)
            }
            Kind::Registers(..)
            | Kind::Cells(..)
            | Kind::Pipeline(..)
            | Kind::Iterative(..)
            | Kind::Shared(..)
            | Kind::Call(_) => {
                let (cause, latency) = match node.kind {
                    Kind::Registers(n, _) | Kind::Cells(n, _) => (Cause::Passes, count(n)),
                    Kind::Pipeline(_, n) | Kind::Iterative(_, n) => (Cause::Works, count(n)),
                    Kind::Shared(_, turns) => (Cause::Works, count(turns.latency)),
                    Kind::Call(_) => (Cause::Works, 1),
                    _ => (Cause::Passes, 1),
                };
                let end = |cycles| Held::of(cause, channel, cycles);
                match self.left(number) {
                    Some(left) => Some(end(left.max(1))),
                    None => {
                        let blocked = self.blocked(inputs);
                        self.first([missing, blocked], latency, end(latency))
                    }
                }
            }
            Kind::Load(_) | Kind::Store(_) => {
                let blocked = self.blocked(inputs);
                let end = Held::of(Cause::Works, self.access(number), 1);
                self.first([missing, blocked], 1, end)
            }
        }
    }

    /// Returns the reason why the token of a channel is not taken.
    fn room(&mut self, channel: usize) -> Option<Held> {
        let number = self.graph.consumers[channel];
        let graph = self.graph;
        let node = &graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        let (missing, blocked) = (self.missing(inputs), self.blocked(outputs));
        let passes = Held::of(Cause::Passes, channel, 1);
        match &node.kind {
            Kind::Argument | Kind::Source | Kind::Never | Kind::Sink => None,
            Kind::Join(_)
            | Kind::LazyFork
            | Kind::Pipeline(..)
            | Kind::Sync
            | Kind::Unpack
            | Kind::Fork
            | Kind::Return => self.first([missing, blocked], 0, passes),
            Kind::Branch => {
                let turn = Held::of(Cause::Turn, inputs[0], 1);
                self.first([missing, blocked], 0, turn)
            }
            Kind::Iterative(..) | Kind::Call(_) => {
                let left = self.left(number).unwrap_or(0);
                let works = Held::of(Cause::Works, outputs[0], left.max(1));
                self.first([missing, blocked], 0, works)
            }
            Kind::Shared(_, turns) => {
                let spent = self.machine.states[number].n_tokens() >= turns.credits;
                let left = self.left(number).unwrap_or(0).max(1);
                let cause = match spent {
                    true => Held::of(Cause::Works, outputs[0], left),
                    false => Held::of(Cause::Port, outputs[0], 1),
                };
                let waits = self.goes(channel).then_some(passes);
                let blocked = if spent { blocked } else { Vec::new() };
                self.first([missing, blocked], 0, waits.unwrap_or(cause))
            }
            Kind::Mux => {
                let select = inputs[0];
                if !self.valid(select) {
                    return self.place((select, Lack::Token));
                }
                let chosen = self.chosen(inputs);
                let turn = Held::of(Cause::Turn, select, 1);
                match self.valid(chosen) {
                    true => self.first([blocked, Vec::new()], 0, turn),
                    false => self.place((chosen, Lack::Token)),
                }
            }
            Kind::Merge => {
                let turn = Held::of(Cause::Turn, outputs[0], 1);
                self.first([blocked, Vec::new()], 0, turn)
            }
            Kind::Fifo(_) | Kind::Registers(..) | Kind::Cells(..) => {
                let full = Held::of(Cause::Full, outputs[0], 1);
                self.first([blocked, Vec::new()], 0, full)
            }
            Kind::Load(_) | Kind::Store(_) => {
                let port = Held::of(Cause::Port, self.access(number), 1);
                let waits = self.goes(channel).then_some(passes);
                let data = match self.machine.meets[number] {
                    Meets::Store(data) => self.missing(&[data]),
                    Meets::Nothing | Meets::Word(_) => Vec::new(),
                };
                let missing = [missing, data].concat();
                self.first([missing, blocked], 0, waits.unwrap_or(port))
            }
        }
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
