//! The wait relation between events: a token is offered on a channel, or is taken from it.
//!
//! An event happens once in every execution of the domain of its channel. It happens when all events that it waits for have
//! happened, according to the table of operations in docs/ELASTIC.md. Combinational dependences count as waits too, which is
//! conservative.

use super::domains::{Domain, Domains};
use super::network::{Kind, Network};

/// The kind of an event of a channel's token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// `valid` is set.
    Offered,
    /// `valid` is set, and the consumer is ready.
    Taken,
}

/// Returns the index of an event.
pub(super) fn event(channel: usize, what: What) -> usize {
    2 * channel + usize::from(what == What::Taken)
}

/// Returns the channel of an event, and its kind.
pub(super) fn at(event: usize) -> (usize, What) {
    let what = match event % 2 {
        0 => What::Offered,
        _ => What::Taken,
    };
    (event / 2, what)
}

/// The relation between the execution of an event and that of the event it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The same execution, or one side of a condition in it.
    Same,
    /// The execution of the same domain this many before, at least one; if there is none, there is no wait.
    Earlier(usize),
    /// As `Earlier`, from the first iteration of a loop, so that it also leads to an earlier execution of the enclosing code.
    Before(usize),
    /// The iteration after the one from which the token comes back.
    Next(usize),
    /// The previous iteration.
    Previous(usize),
    /// From an execution of the domain around a loop to the loop's first iteration.
    FirstDown(usize),
    /// From the first iteration to the execution around the loop.
    FirstUp(usize),
    /// From an execution of the domain around a loop to the loop's last iteration.
    LastDown(usize),
    /// From the last iteration to the execution around the loop.
    LastUp(usize),
    /// Across a FIFO between loops, to the iteration that produces the token. Each iteration of either loop has one token, in the
    /// same order.
    Given,
    /// Backwards across the FIFO, to the iteration that takes the token `n_tokens` earlier.
    TakenBefore {
        n_tokens: usize,
        /// True if that token belongs to an earlier call.
        is_of_earlier_call: bool,
    },
}

/// A wait of one event for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wait {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) step: Step,
}

/// Returns all waits of a graph.
pub(super) fn waits(network: &Network, domains: &Domains) -> Vec<Wait> {
    let mut list = List {
        network,
        domains,
        found: Vec::new(),
    };
    for channel in 0..network.channels.len() {
        list.add((channel, What::Taken), (channel, What::Offered), Step::Same);
    }
    for number in 0..network.nodes.len() {
        list.node(number);
    }
    // An access after the announcement of an address may have to wait until the word is written, and so may the end.
    for pending in &network.pending {
        let (known, request) = (pending.known, pending.request);
        list.add((known, What::Offered), (request, What::Taken), Step::Same);
    }
    list.found
}

struct List<'a> {
    network: &'a Network,
    domains: &'a Domains,
    found: Vec<Wait>,
}

impl List<'_> {
    fn add(&mut self, from: (usize, What), to: (usize, What), step: Step) {
        self.found.push(Wait {
            from: event(from.0, from.1),
            to: event(to.0, to.1),
            step,
        });
    }

    fn node(&mut self, number: usize) {
        use What::{Offered, Taken};
        let node = &self.network.nodes[number];
        let inputs: Vec<usize> = node
            .inputs
            .iter()
            .filter_map(|input| input.channel())
            .collect();
        match &node.kind {
            // A graph with domains has no merges.
            Kind::Sink | Kind::Merge => {}
            // A call starts after the previous one has ended.
            Kind::Argument => {
                let last = self
                    .network
                    .nodes
                    .iter()
                    .filter(|node| node.kind == Kind::Return);
                let results: Vec<usize> = last
                    .flat_map(|node| &node.inputs)
                    .filter_map(|input| input.channel())
                    .collect();
                for output in &node.outputs {
                    self.add((*output, Offered), (*output, Taken), Step::Earlier(1));
                    for result in &results {
                        self.add((*output, Offered), (*result, Offered), Step::Earlier(1));
                    }
                }
            }
            Kind::Return => self.together(&inputs),
            Kind::Join(_) | Kind::Fork(_) => {
                self.together(&inputs);
                for input in &inputs {
                    for output in &node.outputs {
                        self.add((*output, Offered), (*input, Offered), Step::Same);
                        self.add((*input, Taken), (*output, Taken), Step::Same);
                    }
                }
            }
            // All registers stall if the last token is not taken.
            Kind::Pipeline(_) => {
                self.together(&inputs);
                for output in &node.outputs {
                    self.add((*output, Offered), (*output, Taken), Step::Earlier(1));
                    for input in &inputs {
                        self.add((*output, Offered), (*input, Taken), Step::Same);
                        self.add((*input, Taken), (*output, Taken), Step::Earlier(1));
                    }
                }
            }
            Kind::Port => {
                for output in &node.outputs {
                    for input in &inputs {
                        self.add((*output, Offered), (*input, Taken), Step::Same);
                        self.add((*input, Taken), (*output, Taken), Step::Earlier(1));
                    }
                }
            }
            Kind::Buffer(buffer) if buffer.is_between_loops => {
                let back = Step::TakenBefore {
                    n_tokens: buffer.capacity,
                    is_of_earlier_call: buffer.n_words.is_some_and(|n| buffer.capacity >= n),
                };
                let arrived = match buffer.is_fifo {
                    true => Offered,
                    false => Taken,
                };
                for output in &node.outputs {
                    self.add((*output, Offered), (*output, Taken), Step::Earlier(1));
                    for input in &inputs {
                        self.add((*output, Offered), (*input, arrived), Step::Given);
                        self.add((*input, Taken), (*output, Taken), back);
                    }
                }
            }
            Kind::Buffer(buffer) => {
                let before = |n: usize| match n {
                    0 => Step::Same,
                    n => Step::Earlier(n),
                };
                let n_initial = buffer.initial.len();
                let arrived = match buffer.is_fifo {
                    true => Offered,
                    false => Taken,
                };
                for output in &node.outputs {
                    self.add((*output, Offered), (*output, Taken), Step::Earlier(1));
                    for input in &inputs {
                        self.add((*output, Offered), (*input, arrived), before(n_initial));
                        self.add(
                            (*input, Taken),
                            (*output, Taken),
                            before(buffer.capacity - n_initial),
                        );
                    }
                }
            }
            Kind::Branch => self.branch(number),
            Kind::Mux => self.mux(number),
        }
    }

    /// Inputs are taken once all are offered.
    fn together(&mut self, inputs: &[usize]) {
        for one in inputs {
            for other in inputs.iter().filter(|other| *other != one) {
                self.add((*one, What::Taken), (*other, What::Offered), Step::Same);
            }
        }
    }

    fn branch(&mut self, number: usize) {
        use What::{Offered, Taken};
        let node = &self.network.nodes[number];
        let inputs: Vec<usize> = node
            .inputs
            .iter()
            .filter_map(|input| input.channel())
            .collect();
        self.together(&inputs);
        let Some(condition) = node.inputs[0].channel() else {
            return;
        };
        let ended = self
            .domains
            .ended(self.domains.of[condition], self.network.root(condition));
        for (output, is_true) in node.outputs.iter().zip([true, false]) {
            let (up, down) = match ended.filter(|_| !is_true) {
                Some(this) => (Step::LastUp(this), Step::LastDown(this)),
                None => (Step::Same, Step::Same),
            };
            for input in &inputs {
                self.add((*output, Offered), (*input, Offered), down);
                self.add((*input, Taken), (*output, Taken), up);
            }
        }
    }

    fn mux(&mut self, number: usize) {
        use What::{Offered, Taken};
        let node = &self.network.nodes[number];
        let Some(select) = node.inputs[0].channel() else {
            return;
        };
        let output = node.outputs[0];
        let from = self.network.channels[self.network.root(select)].from;
        let this = match self.domains.all[self.domains.of[output].0] {
            Domain::Loop(this) if self.domains.loops[this].header.node == from => Some(this),
            _ => None,
        };
        // The steps from the output to each side, and back.
        let steps = match this {
            Some(this) => [
                (Step::FirstUp(this), Step::FirstDown(this)),
                (Step::Previous(this), Step::Next(this)),
            ],
            None => [(Step::Same, Step::Same); 2],
        };
        self.add((output, Offered), (select, Offered), Step::Same);
        self.add((select, Taken), (output, Taken), Step::Same);
        for (input, (to_side, from_side)) in node.inputs[1..].iter().zip(steps) {
            let Some(input) = input.channel() else {
                continue;
            };
            self.add((output, Offered), (input, Offered), to_side);
            self.add((select, Taken), (input, Offered), to_side);
            self.add((input, Taken), (select, Offered), from_side);
            self.add((input, Taken), (output, Taken), from_side);
        }
    }
}
