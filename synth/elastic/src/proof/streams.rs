//! Graphs with streams: words arrive at every argument and leave at every result forever, independently.
//!
//! Such a graph may produce fewer or more words than it consumes. A deadlock is a state from which the words of an argument are
//! never taken any more. An operation that always takes its tokens delays no other, so it is removed together with everything
//! after it: results, operations that lead only to them, and `merge`s, each of whose inputs is taken sooner or later. The rest
//! falls into independent parts.

use std::collections::BTreeMap;

use super::network::{Input, Kind, Network, Node};

/// Returns the parts of a graph, without operations that always take their tokens.
pub(super) fn parts(network: &Network) -> Vec<Network> {
    let mut network = network.clone();
    pass_on_results(&mut network);
    // Loads that match a pending store wait for it, so they belong to the same part.
    if !network.pending.is_empty() {
        return vec![network];
    }
    leave_out(&mut network);
    split(&network)
}

/// Replaces the return by a sink for every result.
fn pass_on_results(network: &mut Network) {
    let is_end = |node: &Node| node.kind == Kind::Return;
    while let Some(end) = network.nodes.iter().position(is_end) {
        let Node { name, inputs, .. } = network.nodes[end].clone();
        let mut channels = inputs.iter().filter_map(|input| input.channel());
        let sink = |channel: Option<usize>| Node {
            name: name.clone(),
            kind: Kind::Sink,
            inputs: channel.map(Input::Channel).into_iter().collect(),
            outputs: Vec::new(),
        };
        network.nodes[end] = sink(channels.next());
        for channel in channels {
            network.channels[channel].to = network.nodes.len();
            network.nodes.push(sink(Some(channel)));
        }
    }
}

/// Returns whether a node always takes its input tokens, provided that its output tokens are taken.
fn takes_all(node: &Node) -> bool {
    let n_inputs = node.inputs.iter().filter_map(|input| input.channel());
    match &node.kind {
        Kind::Sink | Kind::Merge => true,
        Kind::Join(_) | Kind::Fork(_) | Kind::Pipeline(_) | Kind::Port => n_inputs.count() == 1,
        Kind::Buffer(buffer) => !buffer.is_between_loops,
        Kind::Argument | Kind::Return | Kind::Mux | Kind::Branch => false,
    }
}

/// Replaces operations that always take their tokens by sinks.
fn leave_out(network: &mut Network) {
    let mut is_taken = vec![false; network.channels.len()];
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for node in network.nodes.iter().rev().filter(|node| takes_all(node)) {
            if !node.outputs.iter().all(|output| is_taken[*output]) {
                continue;
            }
            for input in node.inputs.iter().filter_map(|input| input.channel()) {
                is_changed |= !std::mem::replace(&mut is_taken[input], true);
            }
        }
    }
    let is_left_out = |node: &Node| {
        let mut inputs = node.inputs.iter().filter_map(|input| input.channel());
        let has_inputs = inputs.clone().next().is_some();
        node.kind != Kind::Sink && has_inputs && inputs.all(|input| is_taken[input])
    };
    let is_left_out: Vec<bool> = network.nodes.iter().map(is_left_out).collect();
    for (channel, is_taken) in is_taken.into_iter().enumerate() {
        let to = network.channels[channel].to;
        if is_taken && network.nodes[to].kind != Kind::Sink {
            network.channels[channel].to = network.nodes.len();
            let name = network.nodes[to].name.clone();
            network.nodes.push(Node {
                name,
                kind: Kind::Sink,
                inputs: vec![Input::Channel(channel)],
                outputs: Vec::new(),
            });
        }
    }
    let is_kept = |node: usize| {
        !is_left_out
            .get(node)
            .is_some_and(|is_left_out| *is_left_out)
    };
    *network = kept(network, &is_kept);
}

/// Returns the connected components of a graph.
fn split(network: &Network) -> Vec<Network> {
    let mut part_of: Vec<usize> = (0..network.nodes.len()).collect();
    fn find(part_of: &mut [usize], mut node: usize) -> usize {
        while part_of[node] != node {
            part_of[node] = part_of[part_of[node]];
            node = part_of[node];
        }
        node
    }
    for channel in &network.channels {
        let ends = [channel.from, channel.to].map(|node| find(&mut part_of, node));
        part_of[ends[0].max(ends[1])] = ends[0].min(ends[1]);
    }
    let all: Vec<usize> = (0..network.nodes.len())
        .map(|node| find(&mut part_of, node))
        .collect();
    let mut firsts = all.clone();
    firsts.sort_unstable();
    firsts.dedup();
    let part = |first: &usize| kept(network, &|node| all[node] == *first);
    let mut parts: Vec<Network> = firsts.iter().map(part).collect();
    parts.retain(|part| !part.channels.is_empty());
    parts
}

/// Returns a graph without some nodes and their output channels.
fn kept(network: &Network, is_kept: &dyn Fn(usize) -> bool) -> Network {
    let mut numbers = BTreeMap::new();
    let mut found = Network::default();
    for (old, channel) in network.channels.iter().enumerate() {
        if is_kept(channel.from) {
            numbers.insert(old, found.channels.len());
            found.channels.push(channel.clone());
        }
    }
    let channel = |old: &usize| numbers.get(old).copied();
    for (number, node) in network.nodes.iter().enumerate() {
        if !is_kept(number) {
            continue;
        }
        let at = found.nodes.len();
        let input = |input: &Input| match input {
            Input::Channel(old) => channel(old).map(Input::Channel),
            Input::Always(bit) => Some(Input::Always(*bit)),
        };
        let node = Node {
            inputs: node.inputs.iter().filter_map(input).collect(),
            outputs: node.outputs.iter().filter_map(channel).collect(),
            ..node.clone()
        };
        for input in node.inputs.iter().filter_map(|input| input.channel()) {
            found.channels[input].to = at;
        }
        for output in &node.outputs {
            found.channels[*output].from = at;
        }
        found.nodes.push(node);
    }
    found
}
