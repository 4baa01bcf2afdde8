//! Deadlock analysis: the chain or cycle of channels that wait for one another.

use std::fmt;

use sluice_ir::{Diagnostics, Location};

use super::graph::{Graph, Kind};
use super::state::Token;
use super::words::at_most;

/// The signal that a channel waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lack {
    /// The consumer needs a token, and none comes.
    Token,
    /// The channel has a token that is not taken.
    Room,
}

/// A channel in a chain of waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Number of the channel.
    pub channel: usize,
    /// Its name.
    pub name: String,
    /// The producer.
    pub from: String,
    /// The consumer.
    pub to: String,
    /// Where the channel is defined.
    pub location: Location,
    /// The signal that it waits for.
    pub lack: Lack,
    /// Tokens on the channel and in its producer.
    pub n_tokens: usize,
}

/// A deadlock: nothing can happen any more, and there is no result.
///
/// Each channel waits for the next one. In a cycle, the last waits for the first; otherwise it waits for something that never
/// comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// The first cycle after the start in which nothing changes; `None` for untimed runs.
    pub cycle: Option<u64>,
    /// Whether `waits` is a cycle.
    pub is_cyclic: bool,
    /// The channels that wait; if they are not a cycle, from the results on.
    pub waits: Vec<Wait>,
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deadlock")?;
        if let Some(cycle) = self.cycle {
            write!(f, " in cycle {cycle}")?;
        }
        f.write_str(match self.is_cyclic {
            true => ": these wait for one another",
            false => ": these wait, each for the next",
        })?;
        for wait in &self.waits {
            write!(f, "\n  {wait}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, from, to, .. } = self;
        match self.lack {
            Lack::Token => write!(f, "`{to}` for a token of `{name}`")?,
            Lack::Room => write!(f, "`{from}` until `{to}` takes a token of `{name}`")?,
        }
        match self.n_tokens {
            0 => Ok(()),
            1 => f.write_str(", 1 token"),
            n => write!(f, ", {n} tokens"),
        }
    }
}

impl Deadlock {
    /// Returns the deadlock as an error with a note at each channel.
    pub fn to_diagnostics(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::new();
        let location = self.waits.first().map(|wait| wait.location);
        let what = match self.is_cyclic {
            true => "channels wait for one another",
            false => "the results wait for what cannot come",
        };
        let message = match self.cycle {
            Some(cycle) => format!("deadlock in cycle {cycle}: {what}"),
            None => format!("deadlock: {what}"),
        };
        let error = diagnostics.error(location.unwrap_or(Location::UNKNOWN), message);
        for wait in &self.waits {
            error.note(wait.location, wait.to_string());
        }
        diagnostics
    }
}

/// The distribution of tokens over the channels of a graph.
pub(super) trait Marking {
    /// Returns whether the channel has a token.
    fn has_token(&self, channel: usize) -> bool;
    /// Returns whether the channel has a token that is not taken.
    fn is_blocked(&self, channel: usize) -> bool;
    /// Returns the first token of the channel; empty if there is none.
    fn token(&self, channel: usize) -> Token;
    /// Returns the number of tokens on the channel and in its producer.
    fn n_tokens(&self, channel: usize) -> usize;
}

type Place = (usize, Lack);

/// Finds the reason why the results do not come.
pub(super) fn find_deadlock(
    graph: &Graph<'_>,
    marking: &dyn Marking,
    cycle: Option<u64>,
) -> Deadlock {
    let missing = |channel: &&usize| !marking.has_token(**channel);
    let starts = graph.nodes[graph.end].inputs.iter().filter(missing);
    let starts = starts.map(|start| (*start, Lack::Token));
    // The end of a run also waits until all address queues of stores are empty.
    let pending = graph
        .pending
        .iter()
        .filter(|queue| marking.is_blocked(**queue));
    let starts = starts.chain(pending.map(|queue| (*queue, Lack::Room)));
    let mut waits = Vec::new();
    let mut is_cyclic = false;
    for start in starts {
        let (path, found) = search(graph, marking, start);
        if waits.is_empty() || found {
            (waits, is_cyclic) = (path, found);
        }
        if found {
            break;
        }
    }
    let wait = |(channel, lack): Place| {
        let at = &graph.channels[channel];
        Wait {
            channel,
            name: at.name.clone(),
            from: at.from.clone(),
            to: at.to.clone(),
            location: at.location,
            lack,
            n_tokens: marking.n_tokens(channel),
        }
    };
    Deadlock {
        cycle,
        is_cyclic,
        waits: waits.into_iter().map(wait).collect(),
    }
}

/// Searches from `start` for a cycle of places that wait for one another; else returns the path to a place that waits for none.
fn search(graph: &Graph<'_>, marking: &dyn Marking, start: Place) -> (Vec<Place>, bool) {
    let index = |(channel, lack): Place| 2 * channel + usize::from(lack == Lack::Room);
    let mut seen = vec![false; 2 * graph.channels.len()];
    let mut path: Vec<(Place, Vec<Place>)> = vec![(start, reasons(graph, marking, start))];
    let mut dead_end: Option<Vec<Place>> = None;
    seen[index(start)] = true;
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
        if seen[index(next)] {
            continue;
        }
        seen[index(next)] = true;
        let further = reasons(graph, marking, next);
        let is_end = further.is_empty();
        path.push((next, further));
        if is_end && dead_end.is_none() {
            dead_end = Some(path.iter().map(|(place, _)| *place).collect());
        }
    }
    (dead_end.unwrap_or_else(|| vec![start]), false)
}

/// Returns the places that a place waits for directly.
fn reasons(graph: &Graph<'_>, marking: &dyn Marking, (channel, lack): Place) -> Vec<Place> {
    let number = match lack {
        Lack::Token => graph.producers[channel],
        Lack::Room => graph.consumers[channel],
    };
    let node = &graph.nodes[number];
    let needs_inputs = lack == Lack::Token || !node.kind.is_buffer();
    let inputs = relevant(graph, marking, number);
    let missing = inputs
        .into_iter()
        .filter(|input| needs_inputs && *input != channel && !marking.has_token(*input))
        .map(|input| (input, Lack::Token));
    let mut reasons: Vec<Place> = missing.collect();
    // An access waits until the data of a store with the same address are available.
    let data = graph.watched(number).iter().map(|pending| pending.data);
    let data = data.filter(|data| lack == Lack::Room && !marking.has_token(*data));
    reasons.extend(data.map(|data| (data, Lack::Token)));
    if lack == Lack::Room || reasons.is_empty() {
        let outputs = node.outputs.iter().copied();
        let blocked = outputs.filter(|output| *output != channel && marking.is_blocked(*output));
        reasons.extend(blocked.map(|output| (output, Lack::Room)));
    }
    reasons
}

/// Returns the inputs that a node needs now.
fn relevant(graph: &Graph<'_>, marking: &dyn Marking, number: usize) -> Vec<usize> {
    let node = &graph.nodes[number];
    match &node.kind {
        Kind::Mux => {
            let select = node.inputs[0];
            if !marking.has_token(select) {
                return vec![select];
            }
            let chosen = at_most(&marking.token(select), node.inputs.len() - 2);
            vec![node.inputs[1 + chosen]]
        }
        _ => node.inputs.clone(),
    }
}
