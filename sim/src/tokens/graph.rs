//! A dataflow graph as plain tables: channels, and the nodes between them.

use std::cell::RefCell;

use sluice_dialects::interface::Interface;
use sluice_ir::{Location, ValueId};

use super::evaluation::Evaluation;
use super::words::Layout;
use crate::cycle::CycleSimulator;

/// A channel of the graph: a value of the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Unique: the name of what makes its tokens, with `#` and a number where that makes several.
    pub name: String,
    /// The value.
    pub value: ValueId,
    /// What makes its tokens.
    pub from: String,
    /// What takes them.
    pub to: String,
    /// Where the value is defined.
    pub location: Location,
    /// Width of each integer in a token: none of a token without data, several of a tuple.
    pub widths_bits: Vec<u32>,
}

/// A graph that was found to be in the form that can be run.
///
/// Invariant: every channel is an output of one node and an input of one node.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) location: Location,
    pub(super) channels: Vec<Channel>,
    pub(super) layouts: Vec<Layout>,
    /// The node whose output each channel is.
    pub(super) producers: Vec<usize>,
    /// The node whose input each channel is.
    pub(super) consumers: Vec<usize>,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) memories: Vec<Memory>,
    /// What calls run.
    pub(super) callees: Vec<Callee>,
    pub(super) parameters: Vec<Parameter>,
    /// The channels behind queues of addresses of stores.
    pub(super) pending: Vec<usize>,
    /// The nodes that share units, in the order of the text.
    pub(super) sharers: Vec<usize>,
    /// The node that ends a run.
    pub(super) end: usize,
}

impl Graph<'_> {
    /// Units that are shared.
    pub(super) fn n_units(&self) -> usize {
        let units = self.sharers.iter().filter_map(|node| self.turns(*node));
        units.map(|turns| turns.unit + 1).max().unwrap_or(0)
    }

    /// How a node shares a unit, if it does.
    pub(super) fn turns(&self, node: usize) -> Option<Turns> {
        match self.nodes[node].kind {
            Kind::Shared(_, turns) => Some(turns),
            _ => None,
        }
    }

    /// The queues of addresses that an access looks at: of its memory, unless it stores what waits in one of them.
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

/// What an argument of the kernel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parameter {
    /// The token that this node gives away.
    Scalar { node: usize, width_bits: u32 },
    Memory {
        n_words: usize,
        width_bits: u32,
        /// The memory of the graph, if it is used.
        memory: Option<usize>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Memory {
    /// What instances call it.
    pub(super) id: Option<i64>,
    pub(super) n_words: usize,
    pub(super) width_bits: u32,
    /// What a memory that is no argument holds after reset, if it is not zeros.
    pub(super) initial: Option<Vec<u64>>,
    /// Whether words come, or go, in their order, whatever the address.
    pub(super) is_stream: bool,
    /// The queues in which addresses of stores wait for their data.
    pub(super) pending: Vec<Pending>,
}

/// A queue of addresses in front of a store, which other accesses of the memory look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pending {
    /// The node of the queue.
    pub(super) queue: usize,
    /// The channel in front of it.
    pub(super) input: usize,
    /// The channel behind it.
    pub(super) output: usize,
    /// The data that the store joins with the address.
    pub(super) data: usize,
    /// The port that stores: its node.
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

/// What a node does, docs/ELASTIC.md.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// Gives one token away after the start.
    Argument,
    Return,
    /// All outputs have a token where all inputs have one, and are ready together by construction.
    Join(Data<'a>),
    /// An operation of so many registers in a row.
    Pipeline(Evaluation<'a>, usize),
    /// A division: one at a time, in so many cycles.
    Iterative(Evaluation<'a>, usize),
    /// An operation that takes turns with others at one unit.
    Shared(Evaluation<'a>, Turns),
    /// A circuit of a schedule: one call at a time.
    Call(usize),
    /// Joins all inputs; the output of each is forked.
    Sync,
    /// A fork of which each output has a part of the token.
    Unpack,
    Fork,
    LazyFork,
    Sink,
    Source,
    Never,
    Mux,
    /// `cond_br`
    Branch,
    /// `merge`; with the index, `control_merge`.
    Merge,
    /// Registers of two slots in a row, with what they hold after reset, the first nearest to the output.
    Registers(usize, Vec<Vec<u64>>),
    /// Registers of one slot in a row, likewise.
    Cells(usize, Vec<Vec<u64>>),
    /// A queue that tokens pass where it is empty.
    Queue(usize),
    /// A port of a memory: address to data and done.
    Load(usize),
    /// A port of a memory: data and address to done.
    Store(usize),
}

/// How an operation shares a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turns {
    /// The number of the unit.
    pub(super) unit: usize,
    pub(super) latency: usize,
    /// Tokens that it may have between its inputs and who takes the output.
    pub(super) credits: usize,
    /// Whether the unit has one token at a time.
    pub(super) is_iterative: bool,
}

/// What the outputs of a join hold.
#[derive(Debug)]
pub(super) enum Data<'a> {
    /// Output k holds what this input holds.
    Copies(Vec<usize>),
    Constant(Vec<u64>),
    /// Tokens without data.
    Nothing,
    /// All inputs, one behind the other.
    Pack,
    Value(Evaluation<'a>),
}

impl Kind<'_> {
    /// Whether `valid` or data of an output depend on inputs in the same cycle.
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
            | Self::Queue(_) => true,
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

    /// Whether `ready` of an input depends on `ready` of outputs in the same cycle, or on that of others who have their turn before.
    pub(super) fn passes_back(&self) -> bool {
        match self {
            Self::Registers(..) | Self::Queue(_) => false,
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

    /// Whether tokens may wait in it, one after the other.
    pub(super) fn is_buffer(&self) -> bool {
        matches!(
            self,
            Self::Registers(..) | Self::Cells(..) | Self::Queue(_) | Self::Pipeline(..)
        )
    }

    /// How many tokens a buffer has room for.
    pub(super) fn capacity(&self) -> usize {
        match self {
            Self::Registers(n, _) => 2 * n,
            Self::Cells(n, _) | Self::Queue(n) | Self::Pipeline(_, n) => *n,
            _ => 0,
        }
    }

    /// The tokens that are in a buffer after reset.
    pub(super) fn initial(&self) -> &[Vec<u64>] {
        match self {
            Self::Registers(_, initial) | Self::Cells(_, initial) => initial,
            _ => &[],
        }
    }
}

/// The circuit behind an instance.
pub(crate) struct Callee {
    pub(crate) simulator: RefCell<CycleSimulator>,
    pub(crate) interface: Interface,
    /// What each argument is: a memory of the graph, else the next scalar of the token.
    pub(crate) arguments: Vec<Option<usize>>,
}
