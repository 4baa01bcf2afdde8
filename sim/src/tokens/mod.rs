//! The token simulator: runs a `handshake.func` in the graph form of docs/ELASTIC.md, without a circuit.
//!
//! [`TokenSimulator::run_untimed`] lets every operation fire when it can, with unbounded FIFOs as channels. It computes the
//! results of the graph. [`TokenSimulator::run`] settles `valid`, `ready` and data of every channel in every cycle. It also
//! computes the timing. Both share the reader of the graph and the declared meaning of `arith`. They share nothing with the
//! passes that create graphs or circuits.
//!
//! An undefined value (of a division by zero, or of a load outside of a memory) is a token with a mark. It is an error only where
//! it decides the path of a token, is stored, or is a result.
//!
//! ```
//! use sluice_ir::Diagnostics;
//! use sluice_ir::bits::Bits;
//! use sluice_ir::text::parse_module;
//! use sluice_sim::interpreter::Argument;
//! use sluice_sim::tokens::TokenSimulator;
//!
//! let text = "handshake.func @twice(%a: i8, %start: none) -> (i8, none) {
//!   %both:2 = fork [2] %a : i8
//!   %sum = arith.addi %both#0, %both#1 : i8
//!   %late = buffer [2] seq %sum : i8
//!   return %late, %start : i8, none
//! }";
//! let context = sluice_dialects::context();
//! let mut diagnostics = Diagnostics::new();
//! let module = parse_module(&context, text, "twice.mlir", &mut diagnostics).ok_or("no module")?;
//! let mut simulator = TokenSimulator::new(&context, &module, "twice")
//!     .map_err(|found| found.to_text(&context))?;
//!
//! let arguments = [Argument::Scalar(Bits::from_u64(8, 21))];
//! let ran = simulator.run(&arguments, 100).map_err(|error| error.to_string())?;
//! assert_eq!(ran.outcome.results, [Bits::from_u64(8, 42)]);
//! // The token is available from cycle 1 on and leaves the two registers in cycle 3; `done` is 1 in the cycle after that.
//! assert_eq!(ran.outcome.cycles, 4);
//! // Cycles in which the channel waited for a token.
//! let late = simulator.channels().iter().position(|channel| channel.name == "late");
//! let late = late.ok_or("no channel")?;
//! assert_eq!(simulator.statistics().channels[late].starved_cycles, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod callee;
mod calls;
mod deadlock;
mod edge;
mod emission;
mod evaluation;
mod formula;
mod graph;
mod machine;
mod memories;
mod order;
mod ports;
mod random;
mod reading;
mod recording;
mod stall_analysis;
mod stalls;
mod state;
mod statistics;
mod untimed;
mod words;
mod worklist;

use std::fmt;

use sluice_ir::bits::Bits;
use sluice_ir::{Context, Diagnostics, Location, Module};

use crate::interpreter::{Argument, Outcome, RunError};
use crate::testbench::CircuitOutcome;
use graph::{Graph, Kind, Node, Parameter};
use machine::{Machine, Standing};
use memories::Memories;
use order::Orders;
use stalls::Stalls;
use state::Token;
use words::{DEFINED, Layout};

pub use deadlock::{Deadlock, Lack, Wait};
pub use graph::Channel;
pub use recording::{Cycle, Recording};
pub use stall_analysis::{Cause, Held, Holding, Iterated};
pub use statistics::{BufferStatistics, ChannelStatistics, Statistics};
pub use untimed::Leftover;

/// The result of an untimed run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UntimedOutcome {
    /// Results and memories.
    pub outcome: Outcome,
    /// Channels whose contents differ from those before the start; if there are any, a second run would be wrong.
    pub leftover: Vec<Leftover>,
    /// How often operations fired.
    pub n_firings: u64,
}

/// The result of a timed run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedOutcome {
    /// Results, memories, and the cycles from `start` to `done`.
    pub outcome: CircuitOutcome,
    /// Output channels of registers whose contents, once nothing changes any more, differ from those before the start.
    pub leftover: Vec<Leftover>,
}

/// The reason why a run has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenError {
    /// The arguments do not fit the function.
    Arguments(String),
    /// An operation without a defined meaning, with its location.
    Run(RunError),
    /// No node can make progress any more.
    Deadlock(Deadlock),
    /// The results were not available within the cycle limit.
    TimeOut {
        /// Cycles waited.
        n_cycles: u64,
    },
    /// Operations fire without end.
    Endless {
        /// Firings after which the run was stopped.
        n_firings: u64,
    },
}

impl TokenError {
    fn at(location: Location, message: String) -> Self {
        Self::Run(RunError { location, message })
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(what) => f.write_str(what),
            Self::Run(error) => error.fmt(f),
            Self::Deadlock(deadlock) => deadlock.fmt(f),
            Self::TimeOut { n_cycles } => {
                write!(
                    f,
                    "time-out: no results within {n_cycles} cycles after `start`"
                )
            }
            Self::Endless { n_firings } => {
                write!(f, "gave up after operations had fired {n_firings} times")
            }
        }
    }
}

/// Returns the error that an undefined token is used at a node.
fn undefined(graph: &Graph<'_>, mark: u64, node: usize) -> TokenError {
    let origin = usize::try_from(mark.saturating_sub(1)).ok();
    let origin = origin.and_then(|origin| graph.nodes.get(origin));
    let origin: &Node<'_> = origin.unwrap_or(&graph.nodes[node]);
    let message = format!(
        "what `{}` gives is not defined, and `{}` needs it",
        origin.name, graph.nodes[node].name
    );
    TokenError::at(origin.location, message)
}

/// A simulator of one dataflow graph; it can run the graph any number of times.
#[derive(Debug)]
pub struct TokenSimulator<'a> {
    graph: Graph<'a>,
    /// The evaluation orders of a cycle, or the combinational loops because of which there are none.
    orders: Result<Orders, Diagnostics>,
    machine: Machine,
    memories: Memories,
    statistics: Statistics,
    /// Firings after which an untimed run fails.
    pub firing_limit: u64,
    /// The seed with which untimed runs choose at random among the operations that can fire; without it the order is first-in,
    /// first-out. Results do not depend on it, unless accesses to a memory lack an order.
    pub firing_seed: Option<u64>,
    /// The seed of random stalls of memory ports and of the return in timed runs; without it there are none. In every second
    /// cycle on average a port takes no request and the return takes no results. An answer is delayed by a random number of
    /// cycles. Results do not depend on it.
    pub stall_seed: Option<u64>,
    /// Whether timed runs continue after an undefined word is stored or is a result, as if it were an arbitrary word. For runs of
    /// which only the cycle count is needed.
    pub takes_anything: bool,
    /// Whether timed runs evaluate every operation in every cycle, not only those whose signals have changed. It is slower and
    /// gives the same results.
    pub looks_at_all: bool,
}

impl<'a> TokenSimulator<'a> {
    /// Creates a simulator of the function `name` of a verified module.
    ///
    /// # Errors
    /// Everything in the function that the graph form does not allow, with its location.
    pub fn new(context: &'a Context, module: &'a Module, name: &str) -> Result<Self, Diagnostics> {
        let graph = reading::read(context, module, name)?;
        let orders = order::orders(&graph);
        Ok(Self {
            machine: Machine::new(&graph),
            memories: Memories::new(&graph),
            statistics: Statistics::default(),
            graph,
            orders,
            firing_limit: 1 << 26,
            firing_seed: None,
            stall_seed: None,
            takes_anything: false,
            looks_at_all: false,
        })
    }

    /// Returns the channels by number: arguments first, then results in program order.
    pub fn channels(&self) -> &[Channel] {
        &self.graph.channels
    }

    /// Returns whether the graph can be run cycle by cycle.
    ///
    /// # Errors
    /// Combinational loops of `valid` or `ready`; only [`TokenSimulator::run_untimed`] runs a graph with such loops.
    pub fn check_timing(&self) -> Result<(), &Diagnostics> {
        self.orders.as_ref().map(|_| ())
    }

    /// Returns the statistics of the last timed run, whether it succeeded or failed.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Creates the state of queries why loops stall; `of` gives the innermost loop around each channel.
    pub fn holding(&self, loops: &[Iterated], of: &[Option<usize>]) -> Holding {
        Holding::new(&self.graph, loops, of)
    }

    /// Runs without time, from reset until nothing can fire.
    ///
    /// # Errors
    /// Arguments that do not fit; no results; the use of an undefined value; too many firings.
    pub fn run_untimed(&self, arguments: &[Argument]) -> Result<UntimedOutcome, TokenError> {
        self.check(arguments)?;
        let mut memories = Memories::new(&self.graph);
        fill(&self.graph, &mut memories, arguments);
        let mut run = untimed::Untimed::new(&self.graph, memories, self.firing_seed);
        for (node, token) in self.offers(arguments) {
            run.offer(node, &token);
        }
        run.run(self.firing_limit)?;
        let Some(tokens) = run.results.take() else {
            let deadlock = deadlock::find_deadlock(&self.graph, &run, None);
            return Err(TokenError::Deadlock(deadlock));
        };
        let mut idle = untimed::Untimed::new(&self.graph, Memories::new(&self.graph), None);
        idle.run(self.firing_limit)?;
        Ok(UntimedOutcome {
            outcome: Outcome {
                results: self.results(&tokens)?,
                memories: self.contents(&run.memories, arguments),
            },
            leftover: run.leftover(&idle),
            n_firings: run.n_firings,
        })
    }

    /// Runs cycle by cycle, from reset until `done`, for at most `max_cycles` cycles after `start`.
    ///
    /// # Errors
    /// Arguments that do not fit; a graph with combinational loops; a deadlock; no results in time; the use of an undefined
    /// value.
    pub fn run(
        &mut self,
        arguments: &[Argument],
        max_cycles: u64,
    ) -> Result<TimedOutcome, TokenError> {
        self.run_watched(arguments, max_cycles, &mut |_| {})
    }

    /// Runs as [`TokenSimulator::run`], but computes only the number of cycles: no statistics and no leftover tokens.
    ///
    /// # Errors
    /// As [`TokenSimulator::run`].
    pub fn count_cycles(
        &mut self,
        arguments: &[Argument],
        max_cycles: u64,
    ) -> Result<u64, TokenError> {
        self.check(arguments)?;
        self.reset();
        self.begin(arguments, 0)?;
        let (tokens, number) = self.cycles(max_cycles, None)?;
        self.results(&tokens)?;
        self.machine.end_stalls(&self.graph);
        let (machine, memories) = (&mut self.machine, &mut self.memories);
        come_to_rest(&self.graph, &self.orders, machine, memories, max_cycles)?;
        Ok(number + 1)
    }

    /// Runs as [`TokenSimulator::run`], and records the signals of every channel in every cycle, also of a run that fails.
    pub fn run_recorded(
        &mut self,
        arguments: &[Argument],
        max_cycles: u64,
    ) -> (Result<TimedOutcome, TokenError>, Recording) {
        let mut recording = Recording::new(&self.graph, &self.machine);
        let watch = &mut |cycle: &Cycle<'_>| recording.add(cycle.machine);
        let outcome = self.run_watched(arguments, max_cycles, watch);
        (outcome, recording)
    }

    /// Runs as [`TokenSimulator::run`], and calls `watch` in every cycle after its signals have settled.
    ///
    /// # Errors
    /// As [`TokenSimulator::run`].
    pub fn run_watched(
        &mut self,
        arguments: &[Argument],
        max_cycles: u64,
        watch: &mut dyn FnMut(&Cycle<'_>),
    ) -> Result<TimedOutcome, TokenError> {
        self.check(arguments)?;
        self.reset();
        self.start(arguments, 0, max_cycles, watch)
    }

    /// Resets all registers and memories.
    fn reset(&mut self) {
        self.machine.reset(&self.graph);
        self.machine.stalls = self.stall_seed.map(|seed| Stalls::new(&self.graph, seed));
        self.machine.looks_at_all = self.looks_at_all;
        self.memories = Memories::new(&self.graph);
    }

    /// Runs as [`TokenSimulator::run_watched`], without a reset. `start` comes `idle_cycles` cycles after the `done` of the
    /// previous run, which must have succeeded; with 0, in the cycle of `done` itself.
    ///
    /// # Errors
    /// As [`TokenSimulator::run`].
    pub fn run_next(
        &mut self,
        arguments: &[Argument],
        idle_cycles: u64,
        max_cycles: u64,
        watch: &mut dyn FnMut(&Cycle<'_>),
    ) -> Result<TimedOutcome, TokenError> {
        self.check(arguments)?;
        self.start(arguments, idle_cycles, max_cycles, watch)
    }

    /// Runs the idle cycles and the cycle in which `start` is accepted.
    fn begin(&mut self, arguments: &[Argument], idle_cycles: u64) -> Result<(), TokenError> {
        if let Ok(orders) = &self.orders {
            self.memories.is_idle = true;
            for _ in 0..=idle_cycles {
                self.machine.settle(&self.graph, orders)?;
                self.machine.edge(&self.graph, orders, &mut self.memories)?;
            }
        }
        self.memories.is_idle = false;
        self.memories.takes_anything = self.takes_anything;
        fill(&self.graph, &mut self.memories, arguments);
        for (node, token) in self.offers(arguments) {
            self.machine.offer(&self.graph, node, &token);
        }
        Ok(())
    }

    /// Runs the idle cycles, the cycle in which `start` is accepted, and then the kernel.
    fn start(
        &mut self,
        arguments: &[Argument],
        idle_cycles: u64,
        max_cycles: u64,
        watch: &mut dyn FnMut(&Cycle<'_>),
    ) -> Result<TimedOutcome, TokenError> {
        self.begin(arguments, idle_cycles)?;
        self.statistics = Statistics {
            channels: vec![ChannelStatistics::default(); self.graph.channels.len()],
            buffers: Vec::new(),
        };
        self.machine.forget_tokens();
        let ended = self.cycles(max_cycles, Some(watch));
        self.statistics.buffers = self.buffers();
        let (tokens, number) = ended?;
        let outcome = CircuitOutcome {
            results: self.results(&tokens)?,
            memories: self.contents(&self.memories, arguments),
            cycles: number + 1,
        };
        Ok(TimedOutcome {
            outcome,
            leftover: self.leftover(max_cycles)?,
        })
    }

    /// Runs until the results are taken; returns them and the number of the cycle. Statistics are counted only if there is a
    /// `watch`.
    fn cycles(
        &mut self,
        max_cycles: u64,
        mut watch: Option<&mut dyn FnMut(&Cycle<'_>)>,
    ) -> Result<(Vec<Token>, u64), TokenError> {
        let orders = self.orders.as_ref().map_err(|loops_found| {
            let first = loops_found.all.first();
            let message = first.map_or_else(String::new, |error| error.message.clone());
            let location = first.map_or(self.graph.location, |error| error.location);
            TokenError::at(location, message)
        })?;
        let (graph, machine) = (&self.graph, &mut self.machine);
        // Whether random stalls are disabled in this cycle, because nothing has changed in the cycle before.
        let mut is_free = false;
        // `done` comes in the cycle after the one in which the results are taken.
        for number in 1..max_cycles {
            machine.settle(graph, orders)?;
            if let Some(watch) = &mut watch {
                watch(&Cycle {
                    number,
                    machine,
                    graph,
                });
                self.statistics.count(&machine.valid, &machine.ready);
                machine.count_tokens();
            }
            let end = &graph.nodes[graph.end].inputs;
            let is_end = end
                .iter()
                .all(|input| machine.valid[*input] && machine.ready[*input]);
            let tokens = end
                .iter()
                .map(|input| Token::from_slice(machine.token(*input)));
            let tokens: Option<Vec<Token>> = is_end.then(|| tokens.collect());
            let is_changed = machine.edge(graph, orders, &mut self.memories)?;
            if let Some(tokens) = tokens {
                return Ok((tokens, number));
            }
            if is_changed {
                is_free = false;
            } else if let Some(stalls) = machine.stalls.as_mut().filter(|_| !is_free) {
                stalls.pause();
                is_free = true;
            } else {
                let standing = Standing(machine, graph);
                let deadlock = deadlock::find_deadlock(graph, &standing, Some(number));
                return Err(TokenError::Deadlock(deadlock));
            }
        }
        Err(TokenError::TimeOut {
            n_cycles: max_cycles,
        })
    }

    fn buffers(&self) -> Vec<BufferStatistics> {
        let counted = self
            .machine
            .most_tokens
            .iter()
            .zip(&self.machine.sum_tokens);
        let nodes = self.graph.nodes.iter().zip(counted);
        nodes
            .filter(|(node, _)| node.kind.is_buffer())
            .map(|(node, (most_tokens, sum_tokens))| BufferStatistics {
                name: node.name.clone(),
                channel: node.outputs[0],
                capacity: node.kind.capacity(),
                most_tokens: *most_tokens,
                token_cycles: *sum_tokens,
            })
            .collect()
    }

    /// Returns the nodes whose registers hold different tokens than before the start, compared once nothing changes any more.
    fn leftover(&self, max_cycles: u64) -> Result<Vec<Leftover>, TokenError> {
        let (mut after, mut memories) = (self.machine.clone(), self.memories.clone());
        after.end_stalls(&self.graph);
        let (graph, orders) = (&self.graph, &self.orders);
        come_to_rest(graph, orders, &mut after, &mut memories, max_cycles)?;
        let (mut before, mut memories) = (Machine::new(&self.graph), Memories::new(&self.graph));
        come_to_rest(graph, orders, &mut before, &mut memories, max_cycles)?;
        let states = before.states.iter().zip(&after.states);
        let nodes = self.graph.nodes.iter().zip(states);
        let different = nodes.filter_map(|(node, (before, after))| {
            let channel = *node.outputs.first()?;
            (before.tokens() != after.tokens()).then(|| Leftover {
                channel,
                name: self.graph.channels[channel].name.clone(),
                n_tokens: after.n_tokens(),
                n_before: before.n_tokens(),
            })
        });
        Ok(different.collect())
    }

    /// Checks that the arguments fit the function.
    fn check(&self, arguments: &[Argument]) -> Result<(), TokenError> {
        let parameters = &self.graph.parameters;
        if arguments.len() != parameters.len() {
            return Err(TokenError::Arguments(format!(
                "{} arguments are expected, not {}",
                parameters.len(),
                arguments.len()
            )));
        }
        for (i, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let wanted = match (parameter, argument) {
                (Parameter::Scalar { width_bits, .. }, Argument::Scalar(word))
                    if word.width() == *width_bits =>
                {
                    continue;
                }
                (
                    Parameter::Memory {
                        n_words,
                        width_bits,
                        ..
                    },
                    Argument::Memory(cells),
                ) if cells.len() == *n_words
                    && cells.iter().all(|cell| cell.width() == *width_bits) =>
                {
                    continue;
                }
                (Parameter::Scalar { width_bits, .. }, _) => format!("{width_bits} bits"),
                (
                    Parameter::Memory {
                        n_words,
                        width_bits,
                        ..
                    },
                    _,
                ) => format!("{n_words} words of {width_bits} bits"),
            };
            let message = format!("argument {i}: {wanted} are expected");
            return Err(TokenError::Arguments(message));
        }
        Ok(())
    }

    /// Returns the tokens of the arguments and the start token, with the nodes that produce them.
    fn offers(&self, arguments: &[Argument]) -> Vec<(usize, Vec<u64>)> {
        let mut offers = Vec::new();
        for (parameter, argument) in self.graph.parameters.iter().zip(arguments) {
            if let (Parameter::Scalar { node, .. }, Argument::Scalar(word)) = (parameter, argument)
            {
                offers.push((*node, Layout::token(word)));
            }
        }
        let is_argument = |node: &Node<'_>| matches!(node.kind, Kind::Argument);
        let start = self.graph.nodes.iter().rposition(is_argument);
        offers.extend(start.map(|start| (start, Vec::new())));
        offers
    }

    /// Returns the contents of memory arguments; those that the kernel does not use are unchanged.
    fn contents(&self, memories: &Memories, arguments: &[Argument]) -> Vec<Vec<Bits>> {
        let pairs = self.graph.parameters.iter().zip(arguments);
        pairs
            .filter_map(|(parameter, argument)| match (parameter, argument) {
                (
                    Parameter::Memory {
                        memory: Some(memory),
                        width_bits,
                        ..
                    },
                    _,
                ) => Some(memories.cells(*memory, *width_bits)),
                (_, Argument::Memory(cells)) => Some(cells.clone()),
                (_, Argument::Scalar(_)) => None,
            })
            .collect()
    }

    /// Returns the results of the kernel: the operands of `return` without the last one.
    fn results(&self, tokens: &[Token]) -> Result<Vec<Bits>, TokenError> {
        let inputs = &self.graph.nodes[self.graph.end].inputs;
        let mut results = Vec::new();
        for (input, token) in inputs.iter().zip(tokens) {
            let mark = token.first().filter(|mark| **mark != DEFINED);
            if let Some(mark) = mark.filter(|_| !self.takes_anything) {
                return Err(undefined(&self.graph, *mark, self.graph.end));
            }
            results.extend(self.graph.layouts[*input].parts(token).0);
        }
        Ok(results)
    }
}

/// Runs until nothing changes any more, but at most `max_cycles` cycles.
fn come_to_rest(
    graph: &Graph<'_>,
    orders: &Result<Orders, Diagnostics>,
    machine: &mut Machine,
    memories: &mut Memories,
    max_cycles: u64,
) -> Result<(), TokenError> {
    if let Ok(orders) = orders {
        for _ in 0..max_cycles {
            machine.settle(graph, orders)?;
            if !machine.edge(graph, orders, memories)? {
                break;
            }
        }
    }
    Ok(())
}

/// Fills the memories that are arguments.
fn fill(graph: &Graph<'_>, memories: &mut Memories, arguments: &[Argument]) {
    for (parameter, argument) in graph.parameters.iter().zip(arguments) {
        if let (
            Parameter::Memory {
                memory: Some(memory),
                ..
            },
            Argument::Memory(cells),
        ) = (parameter, argument)
        {
            memories.fill(*memory, cells);
        }
    }
}
