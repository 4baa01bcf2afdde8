//! The cycle-accurate machine: first settles the signals of a cycle, then updates the registers.

use std::collections::BTreeMap;

use super::deadlock::Marking;
use super::graph::{Data, Graph, Kind, Pending};
use super::order::Orders;
use super::stalls::Stalls;
use super::state::{State, Token};
use super::words::{DEFINED, at_most};
use super::worklist::Worklist;
use super::{TokenError, undefined};
use crate::tokens::callee::Accesses;

/// The result of comparing the address of an access with the waiting addresses of stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meets {
    /// No waiting store has this address.
    Nothing,
    /// One store has this address and is written in this cycle: the load takes its word from this channel.
    Word(usize),
    /// A store has this address, and the access has to wait for the data on this channel.
    Store(usize),
}

/// The signals of all channels and the registers of all nodes.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) valid: Vec<bool>,
    pub(super) ready: Vec<bool>,
    /// The words of all channels; meaningless where a channel is not valid.
    pub(super) data: Vec<u64>,
    /// The position of the first word of each channel, and finally the number of all words.
    pub(super) offsets: Vec<usize>,
    pub(super) states: Vec<State>,
    /// The most tokens in each node at the end of a cycle.
    pub(super) most_tokens: Vec<usize>,
    /// The sum over cycles of the tokens in each buffer.
    pub(super) sum_tokens: Vec<u64>,
    /// The nodes that are buffers.
    buffers: Vec<usize>,
    /// The random stalls, if they are enabled.
    pub(super) stalls: Option<Stalls>,
    /// The operands with which the result of each node was computed last.
    operands: Vec<Vec<u64>>,
    /// The result for each access of the comparison with the waiting addresses of stores.
    pub(super) meets: Vec<Meets>,
    /// For each call node, the memory ports that its last call uses.
    pub(super) accesses: BTreeMap<usize, Accesses>,
    /// For each memory, whether the read port is busy, and whether the write port is.
    is_busy: Vec<[bool; 2]>,
    /// Whether each shared unit accepts no more tokens in this cycle.
    is_taken: Vec<bool>,
    pub(super) scratch: Vec<u64>,
    /// The nodes that have to be evaluated.
    pub(super) worklist: Worklist,
    /// Whether all nodes are evaluated in every cycle.
    pub(super) looks_at_all: bool,
    /// Nodes that got a token from outside.
    offered: Vec<usize>,
}

impl Machine {
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        let mut offsets = vec![0];
        for layout in &graph.layouts {
            offsets.push(offsets[offsets.len() - 1] + layout.n_words);
        }
        let mut made = Self {
            valid: vec![false; graph.channels.len()],
            ready: vec![false; graph.channels.len()],
            data: vec![0; offsets[offsets.len() - 1]],
            offsets,
            states: Vec::new(),
            most_tokens: Vec::new(),
            sum_tokens: Vec::new(),
            buffers: (0..graph.nodes.len())
                .filter(|node| graph.nodes[*node].kind.is_buffer())
                .collect(),
            stalls: None,
            operands: vec![Vec::new(); graph.nodes.len()],
            meets: vec![Meets::Nothing; graph.nodes.len()],
            accesses: BTreeMap::new(),
            is_busy: vec![[false; 2]; graph.memories.len()],
            is_taken: vec![false; graph.n_units()],
            scratch: Vec::new(),
            worklist: Worklist::default(),
            looks_at_all: false,
            offered: Vec::new(),
        };
        made.reset(graph);
        made
    }

    /// Sets all registers to their values after reset.
    pub(super) fn reset(&mut self, graph: &Graph<'_>) {
        let nodes = graph.nodes.iter();
        self.states = nodes
            .map(|node| State::reset(&node.kind, node.outputs.len()))
            .collect();
        self.forget_tokens();
        self.worklist = Worklist::all(graph);
        self.offered.clear();
        for node in &graph.nodes {
            if let Kind::Join(Data::Constant(token)) = &node.kind {
                self.put(node.outputs[0], token);
            }
        }
    }

    /// Disables the random stalls.
    pub(super) fn end_stalls(&mut self, graph: &Graph<'_>) {
        if self.stalls.take().is_some() {
            self.worklist = Worklist::all(graph);
        }
    }

    /// Resets the statistics of tokens in nodes.
    pub(super) fn forget_tokens(&mut self) {
        self.most_tokens = self.states.iter().map(State::n_tokens).collect();
        self.sum_tokens = vec![0; self.states.len()];
    }

    /// Adds the tokens in buffers in this cycle to the statistics.
    pub(super) fn count_tokens(&mut self) {
        for node in &self.buffers {
            // The conversion does not fail: a number of tokens in memory fits 64 bits.
            let n_tokens = u64::try_from(self.states[*node].n_tokens()).unwrap_or(u64::MAX);
            self.sum_tokens[*node] += n_tokens;
        }
    }

    /// Gives a node the start token or the token of an argument; it is valid from the next cycle on.
    pub(super) fn offer(&mut self, graph: &Graph<'_>, node: usize, token: &[u64]) {
        self.states[node] = State::Pending(true);
        self.offered.push(node);
        self.put(graph.nodes[node].outputs[0], token);
    }

    pub(super) fn token(&self, channel: usize) -> &[u64] {
        &self.data[self.offsets[channel]..self.offsets[channel + 1]]
    }

    fn put(&mut self, channel: usize, token: &[u64]) {
        let place = self.offsets[channel]..self.offsets[channel + 1];
        let held = &mut self.data[place];
        if held != token {
            held.copy_from_slice(token);
            self.worklist.moved.push(channel);
        }
    }

    /// Copies the token of a channel from the words that begin at `from`.
    fn copy_from(&mut self, from: usize, channel: usize) {
        let (to, end) = (self.offsets[channel], self.offsets[channel + 1]);
        let mut is_new = false;
        // Most tokens have two words, so a plain loop is used.
        for i in 0..end - to {
            let word = self.data[from + i];
            is_new |= self.data[to + i] != word;
            self.data[to + i] = word;
        }
        if is_new {
            self.worklist.moved.push(channel);
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        self.copy_from(self.offsets[from], to);
    }

    /// Sets whether a channel has a token.
    fn offers(&mut self, channel: usize, is_valid: bool) {
        if self.valid[channel] != is_valid {
            self.valid[channel] = is_valid;
            self.worklist.moved.push(channel);
        }
    }

    /// Sets whether the token of a channel is taken.
    fn takes(&mut self, channel: usize, is_ready: bool) {
        if self.ready[channel] != is_ready {
            self.ready[channel] = is_ready;
            self.worklist.moved.push(channel);
        }
    }

    pub(super) fn taken_token(&self, channel: usize) -> Option<Token> {
        let is_taken = self.valid[channel] && self.ready[channel];
        is_taken.then(|| Token::from_slice(self.token(channel)))
    }

    pub(super) fn all_valid(&self, inputs: &[usize]) -> bool {
        inputs.iter().all(|input| self.valid[*input])
    }

    /// Settles all signals of a cycle.
    ///
    /// # Errors
    /// An undefined token decides the path of another token.
    pub(super) fn settle(&mut self, graph: &Graph<'_>, orders: &Orders) -> Result<(), TokenError> {
        if let Some(stalls) = &mut self.stalls {
            stalls.draw();
        }
        if self.looks_at_all || self.stalls.is_some() {
            self.worklist = Worklist::all(graph);
        }
        for node in self.offered.drain(..) {
            self.worklist.wake(orders, node);
        }
        self.worklist.pass_forward(orders);
        let mut word = 0;
        while let Some(node) = self.worklist.next_forward(orders, &mut word) {
            self.forward(graph, node)?;
            self.worklist.pass_forward(orders);
        }
        self.is_busy.fill([false; 2]);
        if !self.accesses.is_empty() {
            for memory in 0..graph.memories.len() {
                self.is_busy[memory] = [false, true].map(|w| self.is_called(graph, memory, w));
            }
        }
        self.is_taken.fill(false);
        for node in &graph.sharers {
            let works = match &self.states[*node] {
                State::Shared(results) => results.iter().any(|(left, _)| *left > 0),
                _ => false,
            };
            if let Some(turns) = graph.turns(*node).filter(|turns| turns.is_iterative) {
                self.is_taken[turns.unit] |= works;
            }
        }
        self.worklist.turn(orders);
        let mut word = 0;
        while let Some(node) = self.worklist.next_back(orders, &mut word) {
            self.back(graph, node);
            self.worklist.pass_back(orders);
        }
        Ok(())
    }

    /// Returns whether a call uses a port of a memory in this cycle. A call has priority over all other accesses.
    pub(super) fn is_called(&self, graph: &Graph<'_>, memory: usize, writes: bool) -> bool {
        self.accesses.iter().any(|(number, accesses)| {
            let (Kind::Call(callee), State::Iterative(Some((left, _)))) =
                (&graph.nodes[*number].kind, &self.states[*number])
            else {
                return false;
            };
            let cycle = accesses.len().checked_sub(left + 1);
            let used = cycle.map_or(0, |cycle| accesses[cycle]);
            let mut passed = graph.callees[*callee].memories().enumerate();
            passed.any(|(place, passed)| {
                passed == memory && used >> (2 * place + usize::from(writes)) & 1 == 1
            })
        })
    }

    /// Sets the output of a node that has one output, from its registers.
    fn give(&mut self, channel: usize, token: Option<Token>) {
        self.offers(channel, token.is_some());
        if let Some(token) = token {
            self.put(channel, &token);
        }
    }

    /// Returns whether the answer of a port is visible: a random stall may delay it.
    fn shows(&self, node: usize) -> bool {
        self.stalls.as_ref().is_none_or(|stalls| stalls.shows(node))
    }

    /// Returns whether a node takes no token in this cycle, because of a random stall or because its answer is not visible yet.
    fn holds(&self, node: usize) -> bool {
        let hides = self.states[node].n_tokens() > 0 && !self.shows(node);
        let stalls = self.stalls.as_ref();
        hides || stalls.is_some_and(|stalls| stalls.holds(node))
    }

    /// Computes `valid` and data of the outputs of a node.
    fn forward(&mut self, graph: &Graph<'_>, number: usize) -> Result<(), TokenError> {
        let node = &graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        match &node.kind {
            Kind::Return | Kind::Sink => {}
            Kind::Source => self.offers(outputs[0], true),
            Kind::Never => self.offers(outputs[0], false),
            Kind::Argument => {
                let is_pending = matches!(self.states[number], State::Pending(true));
                self.offers(outputs[0], is_pending);
            }
            Kind::Join(data) => {
                let is_valid = self.all_valid(inputs);
                for output in outputs {
                    self.offers(*output, is_valid);
                }
                if is_valid {
                    self.join(number, data, inputs, outputs);
                }
            }
            Kind::Sync => {
                let is_valid = self.all_valid(inputs);
                for (i, output) in outputs.iter().enumerate() {
                    self.offers(*output, is_valid && !self.is_taken(number, i));
                    self.copy(inputs[i], *output);
                }
            }
            Kind::Unpack => {
                let mut from = self.offsets[inputs[0]];
                for (i, output) in outputs.iter().enumerate() {
                    self.offers(*output, self.valid[inputs[0]] && !self.is_taken(number, i));
                    self.copy_from(from, *output);
                    from += self.offsets[output + 1] - self.offsets[*output];
                }
            }
            Kind::Fork => {
                let is_valid = self.valid[inputs[0]];
                for (i, output) in outputs.iter().enumerate() {
                    let is_offered = is_valid && !self.is_taken(number, i);
                    self.offers(*output, is_offered);
                    if is_offered {
                        self.copy(inputs[0], *output);
                    }
                }
            }
            Kind::LazyFork => {
                for output in outputs {
                    self.offers(*output, self.valid[inputs[0]]);
                    self.copy(inputs[0], *output);
                }
            }
            Kind::Mux => {
                let chosen = self.choice(inputs);
                let is_valid = chosen.is_some_and(|input| self.valid[input]);
                self.offers(outputs[0], is_valid);
                if let Some(input) = chosen.filter(|_| is_valid) {
                    self.defined(graph, inputs[0], number)?;
                    self.copy(input, outputs[0]);
                }
            }
            Kind::Branch => {
                let is_valid = self.all_valid(inputs);
                let side = self.side(inputs);
                for (i, output) in outputs.iter().enumerate() {
                    self.offers(*output, is_valid && i == side);
                    self.copy(inputs[1], *output);
                }
                if is_valid {
                    self.defined(graph, inputs[0], number)?;
                }
            }
            Kind::Merge => {
                let chosen = self.merged(number, inputs);
                for (i, output) in outputs.iter().enumerate() {
                    self.offers(*output, chosen.is_some() && !self.is_taken(number, i));
                }
                if let Some(chosen) = chosen {
                    self.copy(inputs[chosen], outputs[0]);
                    if let Some(index) = outputs.get(1) {
                        let n_words = self.offsets[index + 1] - self.offsets[*index];
                        let mut token = Token::from_elem(DEFINED, n_words);
                        // The verifier has checked that the index is wide enough for the number.
                        token[1] = u64::try_from(chosen).unwrap_or(u64::MAX);
                        self.put(*index, &token);
                    }
                }
            }
            Kind::Fifo(_) => {
                let State::Fifo(queue) = &self.states[number] else {
                    return Ok(());
                };
                match queue.front().cloned() {
                    Some(token) => self.give(outputs[0], Some(token)),
                    None => {
                        self.offers(outputs[0], self.valid[inputs[0]]);
                        self.copy(inputs[0], outputs[0]);
                    }
                }
            }
            Kind::Registers(..) | Kind::Cells(..) => {
                let State::Row(row) = &self.states[number] else {
                    return Ok(());
                };
                let token = row.last().and_then(|register| register.front()).cloned();
                self.give(outputs[0], token);
            }
            Kind::Pipeline(..) => {
                let State::Pipeline(row) = &self.states[number] else {
                    return Ok(());
                };
                let token = row.back().cloned().flatten();
                self.give(outputs[0], token);
            }
            Kind::Iterative(..) | Kind::Call(_) => {
                let token = match &self.states[number] {
                    State::Iterative(Some((0, token))) => Some(token.clone()),
                    _ => None,
                };
                self.give(outputs[0], token);
            }
            Kind::Shared(..) => {
                let token = match &self.states[number] {
                    State::Shared(results) => results.front().filter(|(left, _)| *left == 0),
                    _ => None,
                };
                let token = token.map(|(_, token)| token.clone());
                self.give(outputs[0], token);
            }
            Kind::Load(_) => {
                let State::Port(answer, done) = &self.states[number] else {
                    return Ok(());
                };
                let is_shown = self.shows(number);
                let (answer, done) = (answer.clone(), *done && is_shown);
                self.give(outputs[0], answer.filter(|_| is_shown));
                self.offers(outputs[1], done);
            }
            Kind::Store(_) => {
                let is_done = matches!(self.states[number], State::Port(_, true));
                self.offers(outputs[0], is_done && self.shows(number));
            }
        }
        Ok(())
    }

    /// Computes the data of a join whose inputs are all valid.
    fn join(&mut self, number: usize, data: &Data<'_>, inputs: &[usize], outputs: &[usize]) {
        match data {
            Data::Copies(from) => {
                for (output, from) in outputs.iter().zip(from) {
                    self.copy(inputs[*from], *output);
                }
            }
            // The reset has already set the constant.
            Data::Constant(_) | Data::Nothing => {}
            Data::Pack => {
                self.gather(inputs);
                let token = std::mem::take(&mut self.scratch);
                self.put(outputs[0], &token);
                self.scratch = token;
            }
            Data::Value(evaluation) => {
                self.gather(inputs);
                if self.scratch == self.operands[number] {
                    return;
                }
                let result = evaluation.result(&self.scratch);
                self.put(outputs[0], &result);
                std::mem::swap(&mut self.scratch, &mut self.operands[number]);
            }
        }
    }

    /// Gathers the words of channels, one after the other, in `scratch`.
    pub(super) fn gather(&mut self, channels: &[usize]) {
        self.scratch.clear();
        for channel in channels {
            let place = self.offsets[*channel]..self.offsets[channel + 1];
            self.scratch.extend_from_slice(&self.data[place]);
        }
    }

    pub(super) fn is_taken(&self, number: usize, output: usize) -> bool {
        match &self.states[number] {
            State::Taken(taken) | State::Chosen(_, taken) => taken[output],
            _ => false,
        }
    }

    /// Returns the input that the selecting token of a mux refers to.
    fn choice(&self, inputs: &[usize]) -> Option<usize> {
        let select = inputs[0];
        let choice = || inputs[1 + at_most(self.token(select), inputs.len() - 2)];
        self.valid[select].then(choice)
    }

    /// Returns the output that the condition of a branch selects: the first if it is true.
    fn side(&self, inputs: &[usize]) -> usize {
        usize::from(self.token(inputs[0]).get(1) == Some(&0))
    }

    /// Returns the input whose token a merge passes on: the one it has chosen already, else the first valid one.
    pub(super) fn merged(&self, number: usize, inputs: &[usize]) -> Option<usize> {
        match &self.states[number] {
            State::Chosen(Some(chosen), _) => Some(*chosen),
            _ => inputs.iter().position(|input| self.valid[*input]),
        }
    }

    /// Checks that a token is defined, because it decides something at a node.
    ///
    /// # Errors
    /// The token is not defined.
    fn defined(&self, graph: &Graph<'_>, channel: usize, node: usize) -> Result<(), TokenError> {
        match self.token(channel).first() {
            None | Some(&DEFINED) => Ok(()),
            Some(mark) => Err(undefined(graph, *mark, node)),
        }
    }

    /// Returns whether each output of a node is taken in this cycle or was taken before.
    pub(super) fn all_go(&self, number: usize, outputs: &[usize]) -> bool {
        let mut outputs = outputs.iter().enumerate();
        outputs.all(|(i, output)| self.is_taken(number, i) || self.ready[*output])
    }

    /// Returns whether no waiting store blocks an access. A store blocks it if the addresses are equal, unless its word is
    /// written in this cycle and a load can take it.
    fn is_free(&mut self, graph: &Graph<'_>, number: usize) -> bool {
        let watched = graph.watched(number);
        if watched.is_empty() {
            return true;
        }
        let mut meets = Meets::Nothing;
        for pending in watched {
            meets = match (meets, self.met(graph, number, *pending)) {
                (met, Meets::Nothing) => met,
                (Meets::Nothing, met) => met,
                (Meets::Store(data), _) => Meets::Store(data),
                (Meets::Word(_), _) => Meets::Store(pending.data),
            };
        }
        self.meets[number] = meets;
        !matches!(meets, Meets::Store(_))
    }

    /// Compares the address of an access with one address queue.
    fn met(&self, graph: &Graph<'_>, number: usize, pending: Pending) -> Meets {
        let node = &graph.nodes[number];
        let is_load = matches!(node.kind, Kind::Load(_));
        let State::Fifo(queue) = &self.states[pending.queue] else {
            return Meets::Nothing;
        };
        let asked = self.token(node.inputs[usize::from(!is_load)]);
        let is_same = |token: &[u64]| token[1..] == asked[1..];
        let is_coming = self.valid[pending.input] && is_same(self.token(pending.input));
        let n_same = queue.iter().filter(|token| is_same(token)).count() + usize::from(is_coming);
        // The address at the output of the queue is the oldest one.
        let is_oldest = self.valid[pending.output] && is_same(self.token(pending.output));
        let written = &graph.nodes[pending.store].inputs;
        let is_written = written.iter().all(|i| self.valid[*i] && self.ready[*i]);
        match n_same {
            0 => Meets::Nothing,
            1 if is_load && is_oldest && is_written => Meets::Word(pending.data),
            _ => Meets::Store(pending.data),
        }
    }

    /// Takes all inputs together: sets `ready` of each input if `goes` holds and all other inputs are valid.
    fn take_together(&mut self, inputs: &[usize], goes: bool) {
        let n_missing = inputs.iter().filter(|input| !self.valid[**input]).count();
        for input in inputs {
            let others = n_missing - usize::from(!self.valid[*input]);
            self.takes(*input, goes && others == 0);
        }
    }

    /// Computes `ready` of the inputs of a node.
    fn back(&mut self, graph: &Graph<'_>, number: usize) {
        let node = &graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        match &node.kind {
            Kind::Argument | Kind::Source | Kind::Never => {}
            Kind::Sink => self.takes(inputs[0], true),
            Kind::Return => {
                let waits = graph.pending.iter().any(|queue| self.valid[*queue]);
                self.take_together(inputs, !waits && !self.holds(number));
            }
            Kind::Join(_) | Kind::LazyFork => {
                let goes = outputs.iter().all(|output| self.ready[*output]);
                self.take_together(inputs, goes);
            }
            Kind::Sync | Kind::Unpack | Kind::Fork => {
                let goes = self.all_go(number, outputs);
                self.take_together(inputs, goes);
            }
            Kind::Pipeline(..) => {
                let goes = !self.valid[outputs[0]] || self.ready[outputs[0]];
                self.take_together(inputs, goes);
            }
            Kind::Iterative(..) | Kind::Call(_) => {
                let goes = match &self.states[number] {
                    State::Iterative(Some((left, _))) => *left == 0 && self.ready[outputs[0]],
                    _ => true,
                };
                self.take_together(inputs, goes);
            }
            Kind::Shared(_, turns) => {
                let has_credit = self.states[number].n_tokens() < turns.credits;
                let goes = has_credit && !self.is_taken[turns.unit];
                self.is_taken[turns.unit] |= goes && self.all_valid(inputs);
                self.take_together(inputs, goes);
            }
            Kind::Mux => {
                let chosen = self.choice(inputs);
                let goes = self.ready[outputs[0]];
                self.takes(
                    inputs[0],
                    goes && chosen.is_some_and(|input| self.valid[input]),
                );
                for input in &inputs[1..] {
                    self.takes(*input, goes && chosen == Some(*input));
                }
            }
            Kind::Branch => {
                let goes = self.valid[inputs[0]] && self.ready[outputs[self.side(inputs)]];
                self.takes(inputs[0], goes && self.valid[inputs[1]]);
                self.takes(inputs[1], goes);
            }
            Kind::Merge => {
                let chosen = self.merged(number, inputs);
                let goes = self.all_go(number, outputs);
                for (i, input) in inputs.iter().enumerate() {
                    self.takes(*input, goes && chosen == Some(i));
                }
            }
            Kind::Fifo(n_slots) => {
                let n_tokens = self.states[number].n_tokens();
                self.takes(inputs[0], n_tokens < *n_slots);
            }
            Kind::Registers(..) => {
                if let State::Row(row) = &self.states[number] {
                    self.takes(inputs[0], row[0].len() < 2);
                }
            }
            Kind::Cells(..) => {
                if let State::Row(row) = &self.states[number] {
                    let is_full = row.iter().all(|register| !register.is_empty());
                    self.takes(inputs[0], !is_full || self.ready[outputs[0]]);
                }
            }
            Kind::Load(memory) | Kind::Store(memory) => {
                let is_write = matches!(node.kind, Kind::Store(_));
                let mut answers = outputs.iter();
                let has_room = answers.all(|out| !self.valid[*out] || self.ready[*out]);
                let has_room = has_room && !self.holds(number) && self.is_free(graph, number);
                let busy = &mut self.is_busy[*memory][usize::from(is_write)];
                let goes = has_room && !*busy;
                *busy |= goes && inputs.iter().all(|input| self.valid[*input]);
                self.take_together(inputs, goes);
            }
        }
    }
}

/// The state of a machine, as the search for a deadlock sees it.
pub(super) struct Standing<'m, 'g>(pub(super) &'m Machine, pub(super) &'m Graph<'g>);

impl Marking for Standing<'_, '_> {
    fn has_token(&self, channel: usize) -> bool {
        self.0.valid[channel]
    }

    fn is_blocked(&self, channel: usize) -> bool {
        self.0.valid[channel] && !self.0.ready[channel]
    }

    fn token(&self, channel: usize) -> Token {
        Token::from_slice(self.0.token(channel))
    }

    fn n_tokens(&self, channel: usize) -> usize {
        let from = self.1.producers[channel];
        let here = usize::from(self.0.valid[channel]);
        here.max(self.0.states[from].n_tokens())
    }
}
