//! A dataflow graph as tables: channels, and the nodes between them.

use std::cell::RefCell;

use sluice_dialects::interface::Interface;
use sluice_ir::{Location, ValueId};

use super::evaluation::Evaluation;
use super::words::Layout;
use crate::cycle::CycleSimulator;

/// A channel of the graph: a value of the function in the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Unique name: that of its producer, followed by `#` and a number where the producer has several outputs.
    pub name: String,
    /// The value in the IR.
    pub value: ValueId,
    /// The name of the producer.
    pub from: String,
    /// The name of the consumer.
    pub to: String,
    /// Where the value is defined.
    pub location: Location,
    /// Width of each integer in a token: empty for a token without data, several for a tuple.
    pub widths_bits: Vec<u32>,
}

/// A dataflow graph in the form that the simulator can run.
///
/// Invariant: every channel is an output of one node and an input of one node.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) location: Location,
    pub(super) channels: Vec<Channel>,
    pub(super) layouts: Vec<Layout>,
    /// The producer of each channel.
    pub(super) producers: Vec<usize>,
    /// The consumer of each channel.
    pub(super) consumers: Vec<usize>,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) memories: Vec<Memory>,
    /// The circuits that are called.
    pub(super) callees: Vec<Callee>,
    pub(super) parameters: Vec<Parameter>,
    /// The output channels of the address queues of stores.
    pub(super) pending: Vec<usize>,
    /// The nodes that use shared units, in program order.
    pub(super) sharers: Vec<usize>,
    /// The node whose firing ends a run.
    pub(super) end: usize,
}

impl Graph<'_> {
    /// Returns the number of shared units.
    pub(super) fn n_units(&self) -> usize {
        let units = self.sharers.iter().filter_map(|node| self.turns(*node));
        units.map(|turns| turns.unit + 1).max().unwrap_or(0)
    }

    /// Returns how a node uses a shared unit, if it does.
    pub(super) fn turns(&self, node: usize) -> Option<Turns> {
        match self.nodes[node].kind {
            Kind::Shared(_, turns) => Some(turns),
            _ => None,
        }
    }

    /// Returns the address queues that an access has to check: those of its memory, but none for a store whose own address comes
    /// from one of them.
    pub(super) fn watched(&self, node: usize) -> &[Pending] {
        let (Kind::Load(memory) | Kind::Store(memory)) = self.nodes[node].kind else {
            return &[];
        };
        let pending = &self.memories[memory].pending;
        match pending.iter().any(|pending| pending.store == node) {
            true => &[],
            false => pending,
        }
    }
}

/// An argument of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parameter {
    /// A scalar: the node that produces its token.
    Scalar { node: usize, width_bits: u32 },
    Memory {
        n_words: usize,
        width_bits: u32,
        /// The number of the memory in the graph, if the kernel uses it.
        memory: Option<usize>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    /// The identifier by which instances refer to it.
    pub(super) id: Option<i64>,
    pub(super) n_words: usize,
    pub(super) width_bits: u32,
    /// The contents after reset, for a memory that is not an argument; zeros if absent.
    pub(super) initial: Option<Vec<u64>>,
    /// Whether words are read or written in order, whatever the address.
    pub(super) is_stream: bool,
    /// The address queues of its stores.
    pub(super) pending: Vec<Pending>,
}

/// A queue of the addresses of a store whose data are not available yet; other accesses to the memory compare their addresses
/// with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    /// The node of the queue.
    pub(super) queue: usize,
    /// The input channel of the queue.
    pub(super) input: usize,
    /// The output channel of the queue.
    pub(super) output: usize,
    /// The channel of the data that the store joins with the address.
    pub(super) data: usize,
    /// The memory port of the store, as a node.
    pub(super) store: usize,
}

#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) name: String,
    pub(super) location: Location,
    pub(super) kind: Kind<'a>,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
}

/// The kind of a node; docs/ELASTIC.md defines the kinds.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// Produces one token after the start.
    Argument,
    Return,
    /// All outputs have a token when all inputs have one. The outputs are always ready together, by construction of the graph.
    Join(Data<'a>),
    /// A pipelined operation with this number of register stages.
    Pipeline(Evaluation<'a>, usize),
    /// A division: one token at a time, with this latency in cycles.
    Iterative(Evaluation<'a>, usize),
    /// An operation that shares a unit with others.
    Shared(Evaluation<'a>, Turns),
    /// A statically scheduled circuit: one call at a time.
    Call(usize),
    /// Joins all inputs; then forks the token of each input to its own output.
    Sync,
    /// A fork of a tuple: each output gets its part of the token.
    Unpack,
    Fork,
    LazyFork,
    Sink,
    Source,
    Never,
    Mux,
    /// `cond_br`
    Branch,
    /// `merge`; with an index output it is `control_merge`.
    Merge,
    /// A chain of two-slot registers and their tokens after reset, the token nearest to the output first.
    Registers(usize, Vec<Vec<u64>>),
    /// A chain of one-slot registers and their tokens after reset, in the same order.
    Cells(usize, Vec<Vec<u64>>),
    /// A FIFO with this number of slots; a token passes through it in the same cycle while it is empty.
    Fifo(usize),
    /// A read port of a memory: takes the address, gives data and done.
    Load(usize),
    /// A write port of a memory: takes data and address, gives done.
    Store(usize),
}

/// The parameters of an operation that uses a shared unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turns {
    /// The number of the unit.
    pub(super) unit: usize,
    pub(super) latency: usize,
    /// The most tokens that it may hold between its inputs and its consumer.
    pub(super) credits: usize,
    /// Whether the unit is not pipelined, so that it holds one token at a time.
    pub(super) is_iterative: bool,
}

/// The data of the outputs of a join.
#[derive(Debug)]
pub(super) enum Data<'a> {
    /// Output k has the data of this input.
    Copies(Vec<usize>),
    Constant(Vec<u64>),
    /// Tokens without data.
    Nothing,
    /// The data of all inputs in order, as a tuple.
    Pack,
    Value(Evaluation<'a>),
}

impl Kind<'_> {
    /// Returns whether `valid` or data of an output depend on inputs in the same cycle.
    pub(super) fn passes_forward(&self) -> bool {
        match self {
            Self::Join(_)
            | Self::Sync
            | Self::Unpack
            | Self::Fork
            | Self::LazyFork
            | Self::Mux
            | Self::Branch
            | Self::Merge
            | Self::Fifo(_) => true,
            Self::Argument
            | Self::Return
            | Self::Pipeline(..)
            | Self::Iterative(..)
            | Self::Shared(..)
            | Self::Call(_)
            | Self::Sink
            | Self::Source
            | Self::Never
            | Self::Registers(..)
            | Self::Cells(..)
            | Self::Load(_)
            | Self::Store(_) => false,
        }
    }

    /// Returns whether `ready` of an input depends in the same cycle on `ready` of outputs, or on other nodes with priority at
    /// the same port or unit.
    pub(super) fn passes_back(&self) -> bool {
        match self {
            Self::Registers(..) | Self::Fifo(_) => false,
            Self::Argument | Self::Return | Self::Sink | Self::Source | Self::Never => false,
            Self::Join(_)
            | Self::Pipeline(..)
            | Self::Iterative(..)
            | Self::Shared(..)
            | Self::Call(_)
            | Self::Sync
            | Self::Unpack
            | Self::Fork
            | Self::LazyFork
            | Self::Mux
            | Self::Branch
            | Self::Merge
            | Self::Cells(..)
            | Self::Load(_)
            | Self::Store(_) => true,
        }
    }

    /// Returns whether the node can hold several tokens in order.
    pub(super) fn is_buffer(&self) -> bool {
        matches!(
            self,
            Self::Registers(..) | Self::Cells(..) | Self::Fifo(_) | Self::Pipeline(..)
        )
    }

    /// Returns the most tokens that a buffer can hold.
    pub(super) fn capacity(&self) -> usize {
        match self {
            Self::Registers(n, _) => 2 * n,
            Self::Cells(n, _) | Self::Fifo(n) | Self::Pipeline(_, n) => *n,
            _ => 0,
        }
    }

    /// Returns the tokens in a buffer after reset.
    pub(super) fn initial(&self) -> &[Vec<u64>] {
        match self {
            Self::Registers(_, initial) | Self::Cells(_, initial) => initial,
            _ => &[],
        }
    }
}

/// The circuit that an instance calls.
pub(crate) struct Callee {
    pub(crate) simulator: RefCell<CycleSimulator>,
    pub(crate) interface: Interface,
    /// The source of each argument: a memory of the graph, or the next scalar of the token.
    pub(crate) arguments: Vec<Option<usize>>,
}
