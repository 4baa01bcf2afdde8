//! Explains a deadlock: the cycle of channels that wait for each other, with their tokens.

use std::fmt;

use sluice_ir::{Location, ValueId};

use super::machine::{Machine, Registers};
use super::network::{Input, Kind};
use super::search::DeadlockState;

/// The reason why a channel blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lack {
    /// Its consumer needs a token, and none arrives.
    Token,
    /// It has a token that is never taken.
    Room,
}

/// A channel that is waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The channel.
    pub channel: ValueId,
    /// Its name.
    pub name: String,
    /// Its location in the source.
    pub location: Location,
    /// The operation that produces its tokens.
    pub from: String,
    /// The operation that consumes them.
    pub to: String,
    /// The reason why it blocks.
    pub lack: Lack,
    /// Number of tokens on the channel and in its producer.
    pub n_tokens: usize,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, from, to, .. } = self;
        match self.lack {
            Lack::Token => write!(f, "`{to}` waits for a token of `{name}`")?,
            Lack::Room => write!(f, "`{from}` waits until `{to}` takes a token of `{name}`")?,
        }
        match self.n_tokens {
            0 => Ok(()),
            1 => f.write_str(", 1 token"),
            n => write!(f, ", {n} tokens"),
        }
    }
}

type Place = (usize, Lack);

/// Returns the channels that prevent the end: each waits for the next one. The flag tells whether the last one waits for the
/// first.
pub(super) fn find_waits(machine: &Machine<'_>, deadlock: &DeadlockState) -> (Vec<Waiting>, bool) {
    let ends = machine
        .network
        .nodes
        .iter()
        .filter(|node| node.kind == Kind::Return);
    let starts = ends
        .flat_map(|node| &node.inputs)
        .filter_map(|input| input.channel());
    let starts = starts.filter(|channel| !deadlock.cycle.valid[*channel]);
    let starts = starts.map(|start| (start, Lack::Token));
    // With endless tokens, the symptom is a word that is never taken.
    let nodes = machine.network.nodes.iter();
    let arguments = nodes.filter(|node| machine.is_endless && node.kind == Kind::Argument);
    let words = arguments.flat_map(|node| &node.outputs);
    let words = words.filter(|channel| !deadlock.cycle.ready[**channel]);
    let mut best = (Vec::new(), false);
    for start in starts.chain(words.map(|word| (*word, Lack::Room))) {
        let found = search(machine, deadlock, start);
        if best.0.is_empty() || found.1 && !best.1 {
            best = found;
        }
    }
    let waiting = best.0.into_iter().map(|(number, lack)| {
        let channel = &machine.network.channels[number];
        Waiting {
            channel: channel.value,
            name: channel.name.clone(),
            location: channel.location,
            from: machine.network.nodes[channel.from].name.clone(),
            to: machine.network.nodes[channel.to].name.clone(),
            lack,
            n_tokens: n_tokens(machine, deadlock, number),
        }
    });
    (waiting.collect(), best.1)
}

fn n_tokens(machine: &Machine<'_>, deadlock: &DeadlockState, channel: usize) -> usize {
    let here = usize::from(deadlock.cycle.valid[channel]);
    let inside = match &deadlock.state.registers[machine.network.channels[channel].from] {
        Registers::Fifo(places) => places.iter().filter(|(is_there, _)| *is_there).count(),
        Registers::Pipeline(places) => places.iter().filter(|is_there| **is_there).count(),
        Registers::None | Registers::Flag(_) | Registers::Flags(_) => 0,
    };
    here.max(inside)
}

/// Returns a cycle of places that wait for one another, reachable from `start`; otherwise the path to one that waits for nothing.
fn search(machine: &Machine<'_>, deadlock: &DeadlockState, start: Place) -> (Vec<Place>, bool) {
    let mut seen: Vec<Place> = vec![start];
    let mut path = vec![(start, reasons(machine, deadlock, start))];
    let mut dead_end: Option<Vec<Place>> = None;
    while let Some((_, open)) = path.last_mut() {
        let Some(next) = open.pop() else {
            path.pop();
            continue;
        };
        if let Some(begin) = path.iter().position(|(place, _)| *place == next) {
            return (
                path[begin..].iter().map(|(place, _)| *place).collect(),
                true,
            );
        }
        if seen.contains(&next) {
            continue;
        }
        seen.push(next);
        let further = reasons(machine, deadlock, next);
        let is_end = further.is_empty();
        path.push((next, further));
        if is_end && dead_end.is_none() {
            dead_end = Some(path.iter().map(|(place, _)| *place).collect());
        }
    }
    (dead_end.unwrap_or_else(|| vec![start]), false)
}

/// Returns the places that a place directly waits for.
fn reasons(machine: &Machine<'_>, deadlock: &DeadlockState, (channel, lack): Place) -> Vec<Place> {
    let network = machine.network;
    let number = match lack {
        Lack::Token => network.channels[channel].from,
        Lack::Room => network.channels[channel].to,
    };
    let node = &network.nodes[number];
    let is_there = |input: &Input| {
        input
            .channel()
            .is_none_or(|channel| deadlock.cycle.valid[channel])
    };
    let needed: Vec<Input> = match (&node.kind, node.inputs.first()) {
        // A request that was made does not need its input again.
        (Kind::Buffer(_) | Kind::Port, _) if lack == Lack::Room => Vec::new(),
        (Kind::Mux, Some(select)) if !is_there(select) => vec![*select],
        (Kind::Mux, Some(select)) => {
            let bit = select
                .channel()
                .is_some_and(|channel| deadlock.cycle.bit[channel]);
            vec![node.inputs[1 + usize::from(bit)]]
        }
        _ => node.inputs.clone(),
    };
    let missing = needed
        .iter()
        .filter(|input| !is_there(input))
        .filter_map(|input| input.channel());
    let mut reasons: Vec<Place> = missing
        .filter(|input| *input != channel)
        .map(|input| (input, Lack::Token))
        .collect();
    // A multiplexer that chose another input leaves this one waiting.
    if node.kind == Kind::Mux
        && lack == Lack::Room
        && reasons.is_empty()
        && !needed.contains(&Input::Channel(channel))
    {
        let select = node.inputs[0].channel();
        let others = needed.iter().filter_map(|input| input.channel());
        return select
            .into_iter()
            .filter(|select| *select != channel)
            .chain(others)
            .map(|input| (input, Lack::Room))
            .collect();
    }
    if lack == Lack::Room || reasons.is_empty() {
        let outputs = node
            .outputs
            .iter()
            .copied()
            .filter(|output| *output != channel);
        let blocked = outputs
            .filter(|output| deadlock.cycle.valid[*output] && !deadlock.cycle.ready[*output]);
        reasons.extend(blocked.map(|output| (output, Lack::Room)));
    }
    reasons
}
