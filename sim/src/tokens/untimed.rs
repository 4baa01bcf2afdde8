//! Untimed runs: every channel is an unbounded FIFO, and operations fire when they can.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::TokenError;
use super::deadlock::Marking;
use super::emission::{Operands, emit, streams};
use super::graph::{Graph, Kind};
use super::memories::Memories;
use super::random::Random;
use super::state::Token;
use super::undefined;
use super::words::{DEFINED, at_most};

/// The tokens on a channel; their words follow one another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Queue {
    words: VecDeque<u64>,
    n_tokens: usize,
}

/// The contents of all channels, and the worklist of nodes that may fire.
#[derive(Debug)]
pub(super) struct Untimed<'m, 'g> {
    graph: &'m Graph<'g>,
    queues: Vec<Queue>,
    /// The token that a channel always has once its FIFO is empty, if there is one.
    streams: Vec<Option<Vec<u64>>>,
    waiting: VecDeque<usize>,
    is_waiting: Vec<bool>,
    /// The random choice of the next node; without it, the node that waits longest is next.
    random: Option<Random>,
    pub(super) memories: Memories,
    /// The operands of `return`, after it has fired.
    pub(super) results: Option<Vec<Token>>,
    pub(super) n_firings: u64,
    operands: Operands,
}

/// A channel whose tokens differ, in number or value, from those before the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// Number of the channel.
    pub channel: usize,
    /// Its name.
    pub name: String,
    /// Tokens after the run, once nothing can fire any more.
    pub n_tokens: usize,
    /// Tokens before the start. If the number is the same, their values differ.
    pub n_before: usize,
}

impl<'m, 'g> Untimed<'m, 'g> {
    /// Creates the graph in its state after reset, without arguments.
    pub(super) fn new(graph: &'m Graph<'g>, memories: Memories, seed: Option<u64>) -> Self {
        let mut made = Self {
            graph,
            queues: vec![Queue::default(); graph.channels.len()],
            streams: streams(graph),
            waiting: VecDeque::new(),
            is_waiting: vec![false; graph.nodes.len()],
            random: seed.map(Random::new),
            memories,
            results: None,
            n_firings: 0,
            operands: Operands::default(),
        };
        for node in &graph.nodes {
            for token in node.kind.initial() {
                made.push(node.outputs[0], token);
            }
        }
        for node in 0..graph.nodes.len() {
            made.wake(node);
        }
        made
    }

    /// Puts the start token, or the token of an argument, on its channel.
    pub(super) fn offer(&mut self, node: usize, token: &[u64]) {
        let output = self.graph.nodes[node].outputs[0];
        self.push(output, token);
    }

    /// Fires nodes until none can fire.
    ///
    /// # Errors
    /// More firings than `max_firings`; the use of an undefined value.
    pub(super) fn run(&mut self, max_firings: u64) -> Result<(), TokenError> {
        while let Some(node) = self.next() {
            self.is_waiting[node] = false;
            if !self.fire(node)? {
                continue;
            }
            self.n_firings += 1;
            if self.n_firings > max_firings {
                return Err(TokenError::Endless {
                    n_firings: max_firings,
                });
            }
            self.wake(node);
        }
        Ok(())
    }

    /// Returns the channels whose contents differ from those in `idle`, which is the same graph before the start.
    pub(super) fn leftover(&self, idle: &Self) -> Vec<Leftover> {
        let pairs = idle.queues.iter().zip(&self.queues).enumerate();
        let different = pairs.filter(|(_, (before, now))| before != now);
        different
            .map(|(channel, (before, now))| Leftover {
                channel,
                name: self.graph.channels[channel].name.clone(),
                n_tokens: now.n_tokens,
                n_before: before.n_tokens,
            })
            .collect()
    }

    fn wake(&mut self, node: usize) {
        if !self.is_waiting[node] {
            self.is_waiting[node] = true;
            self.waiting.push_back(node);
        }
    }

    fn next(&mut self) -> Option<usize> {
        let (Some(random), n @ 1..) = (&mut self.random, self.waiting.len()) else {
            return self.waiting.pop_front();
        };
        let n = u64::try_from(n).unwrap_or(u64::MAX);
        let at = usize::try_from(random.next() % n).unwrap_or(0);
        self.waiting.swap_remove_back(at)
    }

    fn push(&mut self, channel: usize, token: &[u64]) {
        let queue = &mut self.queues[channel];
        queue.words.extend(token);
        queue.n_tokens += 1;
        self.wake(self.graph.consumers[channel]);
    }

    fn is_queued(&self, channel: usize) -> bool {
        self.queues[channel].n_tokens > 0
    }

    fn is_there(&self, channel: usize) -> bool {
        self.is_queued(channel) || self.streams[channel].is_some()
    }

    /// Moves the first token of a channel to the operands.
    fn pop(&mut self, channel: usize) {
        let queue = &mut self.queues[channel];
        match (&self.streams[channel], queue.n_tokens) {
            (Some(token), 0) => self.operands.push(token.iter().copied()),
            _ => {
                queue.n_tokens -= 1;
                let n_words = self.graph.layouts[channel].n_words;
                self.operands.push(queue.words.drain(..n_words));
            }
        }
    }

    /// Returns the first token of a channel; empty if there is none.
    fn first(&self, channel: usize) -> Token {
        let n_words = self.graph.layouts[channel].n_words;
        match &self.streams[channel] {
            Some(token) if !self.is_queued(channel) => Token::from_slice(token),
            _ => self.queues[channel]
                .words
                .iter()
                .take(n_words)
                .copied()
                .collect(),
        }
    }

    /// Returns whether a waiting store has the address of an access.
    fn is_held(&self, number: usize) -> bool {
        let watched = self.graph.watched(number);
        if watched.is_empty() {
            return false;
        }
        let node = &self.graph.nodes[number];
        let asked = self.first(node.inputs[usize::from(matches!(node.kind, Kind::Store(_)))]);
        let mut channels = watched.iter().flat_map(|pending| {
            let port = self.graph.nodes[pending.store].inputs[1];
            [pending.input, pending.output, port]
        });
        channels.any(|channel| {
            let n_words = self.graph.layouts[channel].n_words;
            let words = &self.queues[channel].words;
            let mut starts = (0..self.queues[channel].n_tokens).map(|token| token * n_words);
            starts.any(|start| (1..n_words).all(|i| words[start + i] == asked[i]))
        })
    }

    /// Fires a node once, if it can fire.
    fn fire(&mut self, number: usize) -> Result<bool, TokenError> {
        let graph = self.graph;
        let node = &graph.nodes[number];
        let inputs = &node.inputs[..];
        let chosen: SmallVec<[usize; 2]>;
        let used = match &node.kind {
            Kind::Argument | Kind::Source | Kind::Never => return Ok(false),
            Kind::Return if self.results.is_some() => return Ok(false),
            Kind::Mux if !self.is_there(inputs[0]) => return Ok(false),
            Kind::Mux => {
                let input = 1 + at_most(&self.first(inputs[0]), inputs.len() - 2);
                chosen = SmallVec::from_buf([inputs[0], inputs[input]]);
                &chosen[..]
            }
            Kind::Merge => {
                let first = inputs.iter().find(|input| self.is_queued(**input));
                chosen = first.copied().into_iter().collect();
                &chosen[..]
            }
            _ => inputs,
        };
        let is_there = !used.is_empty() && used.iter().all(|input| self.is_there(*input));
        // A node whose inputs all always have a token need not fire: its outputs always have one too. The return and nodes with
        // memory accesses must fire.
        let acts = matches!(
            node.kind,
            Kind::Return | Kind::Call(_) | Kind::Load(_) | Kind::Store(_)
        );
        if !is_there || !(acts || used.iter().any(|input| self.is_queued(*input))) {
            return Ok(false);
        }
        if self.is_held(number) {
            return Ok(false);
        }
        if matches!(node.kind, Kind::Mux | Kind::Branch) {
            let mark = self.first(inputs[0]).first().copied();
            if let Some(mark) = mark.filter(|mark| *mark != DEFINED) {
                return Err(undefined(graph, mark, number));
            }
        }
        self.operands.clear();
        for input in used {
            self.pop(*input);
        }
        let operands = std::mem::take(&mut self.operands);
        match &node.kind {
            Kind::Return => {
                self.results = Some(operands.tokens().map(Token::from_slice).collect());
            }
            Kind::Merge => {
                self.push(node.outputs[0], operands.token(0));
                if let Some(index) = node.outputs.get(1) {
                    let chosen = inputs.iter().position(|input| *input == used[0]);
                    let mut token = Token::from_elem(0, graph.layouts[*index].n_words);
                    token[0] = DEFINED;
                    token[1] = u64::try_from(chosen.unwrap_or(0)).unwrap_or(u64::MAX);
                    self.push(*index, &token);
                }
            }
            Kind::Call(callee) => {
                let words = operands.words();
                let answer =
                    graph.callees[*callee].run(graph, number, words, &mut self.memories)?;
                self.push(node.outputs[0], &answer.token);
            }
            Kind::Load(memory) => {
                let answer = self
                    .memories
                    .load(graph, *memory, operands.token(0), number)?;
                self.push(node.outputs[0], &answer);
                self.push(node.outputs[1], &[]);
            }
            Kind::Store(memory) => {
                let (data, address) = (operands.token(0), operands.token(1));
                self.memories.store(graph, *memory, address, data, number)?;
                self.push(node.outputs[0], &[]);
                let mut pending = graph.memories[*memory].pending.iter();
                if pending.any(|pending| pending.store == number) {
                    let looks = |other: &usize| {
                        let mut watched = graph.watched(*other).iter();
                        watched.any(|pending| pending.store == number)
                    };
                    (0..graph.nodes.len())
                        .filter(looks)
                        .for_each(|other| self.wake(other));
                }
            }
            _ => emit(graph, number, &operands, |output, token| {
                self.push(output, token);
            }),
        }
        self.operands = operands;
        Ok(true)
    }
}

impl Marking for Untimed<'_, '_> {
    fn has_token(&self, channel: usize) -> bool {
        self.is_there(channel)
    }

    fn is_blocked(&self, _channel: usize) -> bool {
        false
    }

    fn token(&self, channel: usize) -> Token {
        self.first(channel)
    }

    fn n_tokens(&self, channel: usize) -> usize {
        self.queues[channel].n_tokens
    }
}
