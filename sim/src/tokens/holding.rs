//! What keeps a loop of a graph from its next iteration, and the results from coming, in one cycle.

use super::graph::{Graph, Kind};
use super::machine::{Machine, Meets};
use super::recording::Cycle;
use super::state::State;
use super::waiting::Lack;
use super::words::at_most;

/// A loop: every token of `starts` that is taken starts an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iterated {
    /// The output of the register that selects between the first iteration and the others.
    pub starts: usize,
    /// The number of the loop in whose iterations it is entered.
    pub around: Option<usize>,
}

/// What is waited for at the end of all that wait for one another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// An operation with a latency, or an access to a memory: its result is not there yet, or it has no room.
    Works,
    /// A register that a token passes.
    Passes,
    /// Another access has the port of the memory, or another operation the unit.
    Port,
    /// A buffer that is full, and gives a token away at the end of the cycle.
    Full,
    /// A choice whose token goes the other way.
    Turn,
    /// A loop of this number, in the iterations of the one that was asked for.
    Nested(usize),
    /// What is not in the loop that was asked for.
    Outside,
    /// A token that does not come again.
    Gone,
}

/// Why something does not happen in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// What is waited for.
    pub cause: Cause,
    /// The channel behind what is waited for.
    pub channel: usize,
    /// Whether the way there leads through the iteration before: by a channel that comes back to the loop that was asked for.
    pub is_recurrence: bool,
    /// Whether a token lacks on the way there, and not only room.
    pub needs_token: bool,
    /// Cycles until it can be there, if nothing else waits.
    pub cycles: u64,
}

type Place = (usize, Lack);

/// The question what waits for what in a cycle, asked as often as one likes.
///
/// Of several things that something waits for, the one that comes last is followed, as far as latencies tell; of those that come
/// together, the first one in the text.
#[derive(Clone, Debug)]
pub struct Holding {
    loops: Vec<Iterated>,
    /// The innermost loop in whose iterations each channel has its tokens.
    of: Vec<Option<usize>>,
    /// The loop to which a channel comes back with what an iteration gives the next one.
    back: Vec<Option<usize>>,
    /// What was found of each place, and in which question.
    known: Vec<(u64, Option<Held>)>,
    question: u64,
}

impl Holding {
    /// Loops, the outer ones before those in them or not, and for each channel the innermost loop around it.
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

    /// The child of `around` that is, or is around, a loop; `around` itself; none where it is neither.
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

/// The channel that a channel has its tokens from, by way of forks and buffers that are empty after reset.
fn root(graph: &Graph<'_>, channel: usize) -> usize {
    let mut root = channel;
    for _ in 0..graph.channels.len() {
        let node = &graph.nodes[graph.producers[root]];
        let is_passed = match &node.kind {
            Kind::Fork => true,
            kind @ (Kind::Registers(..) | Kind::Cells(..) | Kind::Queue(_)) => {
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
    /// What keeps a loop from starting an iteration; `None` in a cycle in which one starts.
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

    /// Whether the first iteration of a loop is the next one to start.
    pub fn is_before(&self, holding: &Holding, number: usize) -> bool {
        let starts = holding.loops[number].starts;
        self.valid(starts) && self.machine.token(starts).iter().all(|word| *word == 0)
    }

    /// What keeps the results from being taken, and the loop in whose iterations that is; `None` in the cycle in which they are.
    pub fn end_held(&self, holding: &mut Holding) -> Option<(Held, Option<usize>)> {
        let inputs = self.graph.nodes[self.graph.end].inputs.iter();
        let missing = inputs
            .filter(|input| !self.valid(**input))
            .map(|input| (*input, Lack::Token));
        // The end waits until no address of a store waits.
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
    /// Of several places, what comes last, so many cycles later.
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

    /// What a place waits for; `None` where that is itself.
    fn place(&mut self, place: Place) -> Option<Held> {
        let (channel, lack) = place;
        let index = 2 * channel + usize::from(lack == Lack::Room);
        if self.holding.known[index].0 == self.holding.question {
            return self.holding.known[index].1;
        }
        // A ring of waits leads nowhere.
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

    /// Channels of these that have no token.
    fn missing(&self, channels: &[usize]) -> Vec<Place> {
        let missing = channels.iter().filter(|channel| !self.valid(**channel));
        missing.map(|channel| (*channel, Lack::Token)).collect()
    }

    /// Channels of these whose tokens are not taken.
    fn blocked(&self, channels: &[usize]) -> Vec<Place> {
        let blocked = channels
            .iter()
            .filter(|channel| self.valid(**channel) && !self.machine.ready[**channel]);
        blocked.map(|channel| (*channel, Lack::Room)).collect()
    }

    /// The first of these lists that is not empty; else what it comes to.
    fn first(&mut self, lists: [Vec<Place>; 2], cycles: u64, end: Held) -> Option<Held> {
        match lists.into_iter().find(|list| !list.is_empty()) {
            Some(list) => self.last(&list, cycles),
            None => Some(end),
        }
    }

    /// Cycles until the oldest token in a row of registers is on the output.
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

    /// The channel by which an access to a memory is known in the text: the load's answer, or what the store gives its port.
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

    /// Why a channel has no token.
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
            Kind::Join(_) | Kind::LazyFork | Kind::Queue(_) | Kind::Merge => self.last(&missing, 0),
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

    /// Why the token of a channel is not taken.
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
            Kind::Queue(_) | Kind::Registers(..) | Kind::Cells(..) => {
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
