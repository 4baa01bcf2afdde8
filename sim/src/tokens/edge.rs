//! The clock edge: tokens that are taken move into and out of registers.

use super::TokenError;
use super::evaluation::Evaluation;
use super::graph::{Graph, Kind};
use super::machine::{Machine, Meets};
use super::memories::Memories;
use super::order::Orders;
use super::state::{State, Token, advance};

impl Machine {
    /// Updates all registers at the clock edge; returns whether any has changed.
    ///
    /// # Errors
    /// A store with an undefined address or value, or outside of the memory; outputs of a lazy fork that are not all ready in the
    /// same cycle.
    pub(super) fn edge(
        &mut self,
        graph: &Graph<'_>,
        orders: &Orders,
        memories: &mut Memories,
    ) -> Result<bool, TokenError> {
        let mut is_changed = false;
        for word in 0..self.worklist.edge_words() {
            let mut left = self.worklist.take_edge(word);
            while left != 0 {
                let number = orders.edge[word * 64 + left.trailing_zeros() as usize];
                left &= left - 1;
                if self.tick(graph, number, memories)? {
                    is_changed = true;
                    self.worklist.wake(orders, number);
                }
            }
        }
        Ok(is_changed)
    }

    fn tick(
        &mut self,
        graph: &Graph<'_>,
        number: usize,
        memories: &mut Memories,
    ) -> Result<bool, TokenError> {
        let node = &graph.nodes[number];
        let (inputs, outputs) = (&node.inputs[..], &node.outputs[..]);
        let goes =
            |machine: &Self, channel: usize| machine.valid[channel] && machine.ready[channel];
        let is_changed = match &node.kind {
            Kind::Return
            | Kind::Join(_)
            | Kind::Sink
            | Kind::Source
            | Kind::Never
            | Kind::Mux
            | Kind::Branch => false,
            Kind::LazyFork => {
                let n_ready = outputs.iter().filter(|out| self.ready[**out]).count();
                if self.valid[inputs[0]] && n_ready > 0 && n_ready < outputs.len() {
                    return Err(TokenError::at(
                        node.location,
                        format!("the outputs of `{}` are not ready together", node.name),
                    ));
                }
                false
            }
            Kind::Argument => {
                let is_taken = goes(self, outputs[0]);
                if is_taken {
                    self.states[number] = State::Pending(false);
                }
                is_taken
            }
            Kind::Fork | Kind::Unpack | Kind::Sync => {
                let is_valid = self.all_valid(inputs);
                is_valid && self.tick_fork(number, outputs, None)
            }
            Kind::Merge => {
                let chosen = self.merged(number, inputs);
                chosen.is_some() && self.tick_fork(number, outputs, chosen)
            }
            Kind::Registers(..) | Kind::Cells(..) => {
                let n_slots = if matches!(node.kind, Kind::Cells(..)) {
                    1
                } else {
                    2
                };
                let (taken, next) = (goes(self, outputs[0]), self.taken_token(inputs[0]));
                match &mut self.states[number] {
                    State::Row(row) => advance(row, n_slots, taken, next),
                    _ => false,
                }
            }
            Kind::Fifo(_) => {
                let (taken, next) = (goes(self, outputs[0]), self.taken_token(inputs[0]));
                let is_empty = self.states[number].n_tokens() == 0;
                match &mut self.states[number] {
                    // The token passes through the empty FIFO.
                    _ if is_empty && taken => false,
                    State::Fifo(queue) => {
                        let is_changed = taken || next.is_some();
                        if taken {
                            queue.pop_front();
                        }
                        queue.extend(next);
                        is_changed
                    }
                    _ => false,
                }
            }
            Kind::Pipeline(evaluation, _) => {
                let next = self.entered(inputs, evaluation);
                let is_free = !self.valid[outputs[0]] || self.ready[outputs[0]];
                match &mut self.states[number] {
                    State::Pipeline(row) if is_free => {
                        let is_changed = next.is_some() || row.iter().any(Option::is_some);
                        row.pop_back();
                        row.push_front(next);
                        is_changed
                    }
                    _ => false,
                }
            }
            Kind::Iterative(evaluation, latency) => {
                let next = self.entered(inputs, evaluation);
                match next {
                    Some(token) => {
                        self.states[number] = State::Iterative(Some((latency - 1, token)));
                        true
                    }
                    None => self.tick_iterative(number, goes(self, outputs[0])),
                }
            }
            Kind::Shared(evaluation, turns) => {
                let (is_taken, next) = (goes(self, outputs[0]), self.entered(inputs, evaluation));
                self.tick_shared(number, turns.latency, is_taken, next)
            }
            Kind::Call(callee) => {
                let is_asked = inputs.iter().all(|input| goes(self, *input));
                if is_asked {
                    self.gather(inputs);
                    let callee = &graph.callees[*callee];
                    let answer = callee.run(graph, number, &self.scratch, memories)?;
                    self.accesses.insert(number, answer.accesses);
                    self.states[number] =
                        State::Iterative(Some((answer.latency_cycles - 1, answer.token)));
                    return Ok(true);
                }
                self.tick_iterative(number, goes(self, outputs[0]))
            }
            Kind::Load(memory) => {
                let (answered, noted) = (goes(self, outputs[0]), goes(self, outputs[1]));
                let asked = self.taken_token(inputs[0]);
                let answer = match asked {
                    Some(address) => Some(match self.meets[number] {
                        Meets::Word(data) => Token::from_slice(self.token(data)),
                        Meets::Nothing | Meets::Store(_) => {
                            memories.load(graph, *memory, &address, number)?
                        }
                    }),
                    None => None,
                };
                self.tick_port(number, answer, (answered, noted), false)
            }
            Kind::Store(memory) => {
                let noted = goes(self, outputs[0]);
                let stored = self.taken_token(inputs[0]).zip(self.taken_token(inputs[1]));
                if let Some((data, address)) = &stored {
                    memories.store(graph, *memory, address, data, number)?;
                }
                self.tick_port(number, None, (false, noted), stored.is_some())
            }
        };
        if is_changed && node.kind.is_buffer() {
            let most = &mut self.most_tokens[number];
            *most = (*most).max(self.states[number].n_tokens());
        }
        Ok(is_changed)
    }

    /// Updates an operation that holds one token, in a cycle without a new token; returns whether anything has changed.
    fn tick_iterative(&mut self, number: usize, is_taken: bool) -> bool {
        match &mut self.states[number] {
            State::Iterative(Some((left, _))) if *left > 0 => {
                *left -= 1;
                true
            }
            State::Iterative(result) => {
                if is_taken {
                    *result = None;
                }
                is_taken
            }
            _ => false,
        }
    }

    /// Updates an operation at a shared unit; returns whether anything has changed.
    fn tick_shared(
        &mut self,
        number: usize,
        latency: usize,
        is_taken: bool,
        next: Option<Token>,
    ) -> bool {
        let State::Shared(results) = &mut self.states[number] else {
            return false;
        };
        let is_changed = is_taken || next.is_some() || results.iter().any(|(left, _)| *left > 0);
        if is_taken {
            results.pop_front();
        }
        for (left, _) in results.iter_mut() {
            *left = left.saturating_sub(1);
        }
        results.extend(next.map(|token| (latency - 1, token)));
        is_changed
    }

    /// Returns the result for the operands, if they are taken in this cycle.
    fn entered(&mut self, inputs: &[usize], evaluation: &Evaluation<'_>) -> Option<Token> {
        let is_taken = inputs.iter().all(|i| self.valid[*i] && self.ready[*i]);
        is_taken.then(|| {
            self.gather(inputs);
            evaluation.result(&self.scratch).into_iter().collect()
        })
    }

    /// Records which outputs were taken. Clears this record, and the choice of a merge, once all were taken. Returns whether
    /// anything has changed.
    fn tick_fork(&mut self, number: usize, outputs: &[usize], choice: Option<usize>) -> bool {
        let is_whole = self.all_go(number, outputs);
        let mut is_changed = false;
        let taken = match &mut self.states[number] {
            State::Taken(taken) => taken,
            State::Chosen(chosen, taken) => {
                let stays = choice.filter(|_| !is_whole);
                is_changed = *chosen != stays;
                *chosen = stays;
                taken
            }
            _ => return false,
        };
        for (taken, output) in taken.iter_mut().zip(outputs) {
            let now = !is_whole && (*taken || self.ready[*output]);
            is_changed |= *taken != now;
            *taken = now;
        }
        is_changed
    }

    /// Updates the registers of a memory port: the new request, the outputs that were taken, a completed store. Returns whether
    /// anything has changed.
    fn tick_port(
        &mut self,
        number: usize,
        asked: Option<Token>,
        (answered, noted): (bool, bool),
        stored: bool,
    ) -> bool {
        let State::Port(answer, done) = &mut self.states[number] else {
            return false;
        };
        let is_changed = asked.is_some() || answered || noted || stored;
        *done = (*done && !noted) || asked.is_some() || stored;
        if let Some(stalls) = self.stalls.as_mut().filter(|_| asked.is_some() || stored) {
            stalls.hide(number);
        }
        if answered || asked.is_some() {
            *answer = asked;
        }
        is_changed
    }
}
