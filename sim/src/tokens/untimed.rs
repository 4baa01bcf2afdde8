//! Runs without time: every channel is a queue without end, and operations fire when they can.

use std::collections::VecDeque;

use smallvec::{SmallVec, smallvec};

use super::TokenError;
use super::graph::{Data, Graph, Kind};
use super::memories::Memories;
use super::state::Token;
use super::undefined;
use super::waiting::Marking;
use super::words::{DEFINED, at_most};

/// Channels, and the tokens that go to them.
type Outputs = SmallVec<[(usize, Token); 4]>;

/// Queues between the nodes, and who may fire next.
#[derive(Debug)]
pub(super) struct Untimed<'m, 'g> {
    graph: &'m Graph<'g>,
    queues: Vec<VecDeque<Token>>,
    /// What a channel has at any time once its queue is empty.
    streams: Vec<Option<Token>>,
    waiting: VecDeque<usize>,
    is_waiting: Vec<bool>,
    /// Which of those that may fire does: the one that waits longest, or a random one.
    random: Option<u64>,
    pub(super) memories: Memories,
    /// The operands of `return`, once it has fired.
    pub(super) results: Option<Vec<Token>>,
    pub(super) n_firings: u64,
}

/// A channel with more or fewer tokens than before the start, or others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// Number of the channel.
    pub channel: usize,
    /// Its name.
    pub name: String,
    /// Tokens once nothing moves any more.
    pub n_tokens: usize,
    /// Tokens at rest before the start. Where as many are left, they hold something else.
    pub n_before: usize,
}

impl<'m, 'g> Untimed<'m, 'g> {
    /// The graph after reset; nothing has been given to it yet.
    pub(super) fn new(graph: &'m Graph<'g>, memories: Memories, random: Option<u64>) -> Self {
        let mut made = Self {
            graph,
            queues: vec![VecDeque::new(); graph.channels.len()],
            streams: vec![None; graph.channels.len()],
            waiting: VecDeque::new(),
            is_waiting: vec![false; graph.nodes.len()],
            random,
            memories,
            results: None,
            n_firings: 0,
        };
        for node in &graph.nodes {
            for token in node.kind.initial() {
                made.queues[node.outputs[0]].push_back(token.iter().copied().collect());
            }
        }
        made.find_streams();
        for node in 0..graph.nodes.len() {
            made.wake(node);
        }
        made
    }

    /// The start token, or an argument.
    pub(super) fn offer(&mut self, node: usize, token: &[u64]) {
        let output = self.graph.nodes[node].outputs[0];
        self.push(output, token.iter().copied().collect());
    }

    /// Fires until nothing can.
    ///
    /// # Errors
    /// More firings than `most_firings`; something that is not defined matters.
    pub(super) fn run(&mut self, most_firings: u64) -> Result<(), TokenError> {
        while let Some(node) = self.next() {
            self.is_waiting[node] = false;
            if !self.fire(node)? {
                continue;
            }
            self.n_firings += 1;
            if self.n_firings > most_firings {
                return Err(TokenError::Endless {
                    n_firings: most_firings,
                });
            }
            self.wake(node);
        }
        Ok(())
    }

    /// The channels that do not hold what they hold in `idle`, the same graph at rest before the start.
    pub(super) fn leftover(&self, idle: &Self) -> Vec<Leftover> {
        let pairs = idle.queues.iter().zip(&self.queues).enumerate();
        let different = pairs.filter(|(_, (before, now))| before != now);
        different
            .map(|(channel, (before, now))| Leftover {
                channel,
                name: self.graph.channels[channel].name.clone(),
                n_tokens: now.len(),
                n_before: before.len(),
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
        let (Some(state), n @ 1..) = (&mut self.random, self.waiting.len()) else {
            return self.waiting.pop_front();
        };
        // SplitMix64.
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = *state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        let n = u64::try_from(n).unwrap_or(u64::MAX);
        self.waiting
            .swap_remove_back(usize::try_from(word % n).unwrap_or(0))
    }

    fn push(&mut self, channel: usize, token: Token) {
        self.queues[channel].push_back(token);
        self.wake(self.graph.consumers[channel]);
    }

    fn is_there(&self, channel: usize) -> bool {
        !self.queues[channel].is_empty() || self.streams[channel].is_some()
    }

    fn pop(&mut self, channel: usize) -> Token {
        let token = self.queues[channel].pop_front();
        let token = token.or_else(|| self.streams[channel].clone());
        token.expect("it was seen that there is a token")
    }

    fn peek(&self, channel: usize) -> &[u64] {
        let first = self.queues[channel].front();
        first
            .or(self.streams[channel].as_ref())
            .map_or(&[], |token| &token[..])
    }

    /// What is there at any time, because all that it is made of is.
    fn find_streams(&mut self) {
        let graph = self.graph;
        loop {
            let mut is_changed = false;
            for (number, node) in graph.nodes.iter().enumerate() {
                let is_open = |made: &Self| {
                    let mut outputs = node.outputs.iter();
                    outputs.any(|output| made.streams[*output].is_none())
                };
                if !is_open(self) {
                    continue;
                }
                for (channel, token) in self.streaming(number) {
                    is_changed |= self.streams[channel].is_none();
                    self.streams[channel] = Some(token);
                }
            }
            if !is_changed {
                return;
            }
        }
    }

    /// The outputs of a node that are there at any time.
    fn streaming(&self, number: usize) -> Outputs {
        let node = &self.graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        let stream = |input: &usize| self.streams[*input].clone();
        let all = || inputs.iter().map(stream).collect::<Option<Vec<_>>>();
        match &node.kind {
            Kind::Source => smallvec![(outputs[0], Token::new())],
            Kind::Join(_) | Kind::Pipeline(..) | Kind::Iterative(..) | Kind::Sync | Kind::Fork => {
                match all().filter(|inputs| !inputs.is_empty()) {
                    Some(tokens) => self.outputs(number, &tokens),
                    None => Outputs::new(),
                }
            }
            Kind::LazyFork | Kind::Unpack | Kind::Registers(..) | Kind::Cells(..) => match all() {
                Some(tokens) => self.outputs(number, &tokens),
                None => Outputs::new(),
            },
            Kind::Queue(_) => stream(&inputs[0])
                .map(|token| (outputs[0], token))
                .into_iter()
                .collect(),
            Kind::Mux => {
                let chosen =
                    stream(&inputs[0]).map(|select| inputs[1 + at_most(&select, inputs.len() - 2)]);
                let token = chosen.and_then(|input| stream(&input));
                token.map(|token| (outputs[0], token)).into_iter().collect()
            }
            Kind::Branch => match all() {
                Some(tokens) => self.outputs(number, &tokens),
                None => Outputs::new(),
            },
            Kind::Argument
            | Kind::Return
            | Kind::Sink
            | Kind::Never
            | Kind::Merge
            | Kind::Load(_)
            | Kind::Store(_) => Outputs::new(),
        }
    }

    /// The outputs of a node without memory for a token at each input.
    fn outputs(&self, number: usize, tokens: &[Token]) -> Outputs {
        let node = &self.graph.nodes[number];
        let outputs = &node.outputs[..];
        let words = || {
            tokens
                .iter()
                .flatten()
                .copied()
                .collect::<SmallVec<[u64; 16]>>()
        };
        let each = |token: &Token| outputs.iter().map(|out| (*out, token.clone())).collect();
        match &node.kind {
            Kind::Join(Data::Copies(from)) => {
                let pairs = outputs.iter().zip(from);
                pairs
                    .map(|(output, from)| (*output, tokens[*from].clone()))
                    .collect()
            }
            Kind::Join(Data::Constant(token)) => smallvec![(outputs[0], Token::from_slice(token))],
            Kind::Join(Data::Nothing) => smallvec![(outputs[0], Token::new())],
            Kind::Join(Data::Pack) => smallvec![(outputs[0], words().into_iter().collect())],
            Kind::Join(Data::Value(evaluation))
            | Kind::Pipeline(evaluation, _)
            | Kind::Iterative(evaluation, _) => {
                let result = evaluation.result(&words());
                smallvec![(outputs[0], result.into_iter().collect())]
            }
            Kind::Sync => outputs
                .iter()
                .copied()
                .zip(tokens.iter().cloned())
                .collect(),
            Kind::Unpack => {
                let (words, mut at) = (words(), 0);
                let part = |output: &usize| {
                    let end = at + self.graph.layouts[*output].n_words;
                    let part = Token::from_slice(&words[at..end]);
                    at = end;
                    (*output, part)
                };
                outputs.iter().map(part).collect()
            }
            Kind::Branch => {
                let side = usize::from(tokens[0].get(1) == Some(&0));
                smallvec![(outputs[side], tokens[1].clone())]
            }
            Kind::Fork
            | Kind::LazyFork
            | Kind::Registers(..)
            | Kind::Cells(..)
            | Kind::Queue(_) => each(&tokens[0]),
            Kind::Argument
            | Kind::Return
            | Kind::Sink
            | Kind::Source
            | Kind::Never
            | Kind::Mux
            | Kind::Merge
            | Kind::Load(_)
            | Kind::Store(_) => Outputs::new(),
        }
    }

    /// Fires a node once, if it can.
    fn fire(&mut self, number: usize) -> Result<bool, TokenError> {
        let graph = self.graph;
        let node = &graph.nodes[number];
        let inputs = &node.inputs[..];
        let mut used: SmallVec<[usize; 4]> = SmallVec::from_slice(inputs);
        match &node.kind {
            Kind::Argument | Kind::Source | Kind::Never => return Ok(false),
            Kind::Return if self.results.is_some() => return Ok(false),
            Kind::Mux => {
                if !self.is_there(inputs[0]) {
                    return Ok(false);
                }
                let chosen = 1 + at_most(self.peek(inputs[0]), inputs.len() - 2);
                used = SmallVec::from_slice(&[inputs[0], inputs[chosen]]);
            }
            Kind::Merge => {
                let first = inputs.iter().find(|input| !self.queues[**input].is_empty());
                used = first.copied().into_iter().collect();
            }
            _ => {}
        }
        let is_there = !used.is_empty() && used.iter().all(|input| self.is_there(*input));
        // What only takes streams only makes streams, but for memories and the end.
        let has_queue = used.iter().any(|input| !self.queues[*input].is_empty());
        let acts = matches!(node.kind, Kind::Return | Kind::Load(_) | Kind::Store(_));
        if !is_there || !(has_queue || acts) {
            return Ok(false);
        }
        if matches!(node.kind, Kind::Mux | Kind::Branch) {
            let mark = self.peek(inputs[0]).first().copied();
            if let Some(mark) = mark.filter(|mark| *mark != DEFINED) {
                return Err(undefined(graph, mark, number));
            }
        }
        let tokens: SmallVec<[Token; 4]> = used.iter().map(|input| self.pop(*input)).collect();
        match &node.kind {
            Kind::Return => self.results = Some(tokens.into_vec()),
            Kind::Sink => {}
            Kind::Mux => self.push(node.outputs[0], tokens[1].clone()),
            Kind::Merge => {
                let chosen = inputs.iter().position(|input| *input == used[0]);
                self.push(node.outputs[0], tokens[0].clone());
                if let Some(index) = node.outputs.get(1) {
                    let mut token = Token::from_elem(0, graph.layouts[*index].n_words);
                    token[0] = DEFINED;
                    token[1] = u64::try_from(chosen.unwrap_or(0)).unwrap_or(u64::MAX);
                    self.push(*index, token);
                }
            }
            Kind::Load(memory) => {
                let answer = self.memories.load(*memory, &tokens[0], number);
                self.push(node.outputs[0], answer);
                self.push(node.outputs[1], Token::new());
            }
            Kind::Store(memory) => {
                self.memories
                    .store(graph, *memory, &tokens[1], &tokens[0], number)?;
                self.push(node.outputs[0], Token::new());
            }
            _ => {
                for (output, token) in self.outputs(number, &tokens) {
                    self.push(output, token);
                }
            }
        }
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

    fn token(&self, channel: usize) -> &[u64] {
        self.peek(channel)
    }

    fn n_tokens(&self, channel: usize) -> usize {
        self.queues[channel].len()
    }
}
