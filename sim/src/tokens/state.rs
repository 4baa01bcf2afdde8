//! The registers of each node, and their update at the clock edge.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::graph::Kind;

/// A token that is not on a channel.
pub(super) type Token = SmallVec<[u64; 2]>;

/// The registers of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// No registers, or only the last computed result.
    None,
    /// Whether the argument has not been taken yet.
    Pending(bool),
    /// Which outputs have been taken.
    Taken(SmallVec<[bool; 4]>),
    /// The chosen input, and which outputs have been taken.
    Chosen(Option<usize>, SmallVec<[bool; 4]>),
    /// A chain of registers, the first one at the input; each is a FIFO of one or two tokens.
    Row(Vec<VecDeque<Token>>),
    Fifo(VecDeque<Token>),
    /// A pipeline: all stages move together; the last one is the output.
    Pipeline(VecDeque<Option<Token>>),
    /// The result, and the number of cycles until it is available.
    Iterative(Option<(usize, Token)>),
    /// Results in order, the oldest first, with the number of cycles until each is available.
    Shared(VecDeque<(usize, Token)>),
    /// The answer that waits to be taken, and whether the `done` token waits.
    Port(Option<Token>, bool),
}

impl State {
    /// Returns the state after reset.
    pub(super) fn reset(kind: &Kind<'_>, n_outputs: usize) -> Self {
        let taken = || SmallVec::from_elem(false, n_outputs);
        match kind {
            Kind::Argument => Self::Pending(false),
            Kind::Sync | Kind::Unpack | Kind::Fork => Self::Taken(taken()),
            Kind::Merge => Self::Chosen(None, taken()),
            Kind::Registers(n, initial) | Kind::Cells(n, initial) => {
                let mut row = vec![VecDeque::new(); *n];
                for (register, token) in row.iter_mut().rev().zip(initial) {
                    register.push_back(token.iter().copied().collect());
                }
                Self::Row(row)
            }
            Kind::Fifo(_) => Self::Fifo(VecDeque::new()),
            Kind::Pipeline(_, latency) => Self::Pipeline(vec![None; *latency].into()),
            Kind::Iterative(..) | Kind::Call(_) => Self::Iterative(None),
            Kind::Shared(..) => Self::Shared(VecDeque::new()),
            Kind::Load(_) | Kind::Store(_) => Self::Port(None, false),
            Kind::Return
            | Kind::Join(_)
            | Kind::LazyFork
            | Kind::Sink
            | Kind::Source
            | Kind::Never
            | Kind::Mux
            | Kind::Branch => Self::None,
        }
    }

    /// Returns the state without the positions of tokens in a chain of registers.
    pub(super) fn tokens(&self) -> Self {
        match self {
            Self::Row(row) => Self::Fifo(row.iter().rev().flatten().cloned().collect()),
            other => other.clone(),
        }
    }

    /// Returns the number of tokens in the node.
    pub(super) fn n_tokens(&self) -> usize {
        match self {
            Self::None | Self::Taken(_) | Self::Chosen(..) => 0,
            Self::Pending(is_pending) => usize::from(*is_pending),
            Self::Row(row) => row.iter().map(VecDeque::len).sum(),
            Self::Fifo(queue) => queue.len(),
            Self::Pipeline(row) => row.iter().filter(|token| token.is_some()).count(),
            Self::Iterative(result) => usize::from(result.is_some()),
            Self::Shared(results) => results.len(),
            Self::Port(answer, done) => usize::from(answer.is_some()) + usize::from(*done),
        }
    }
}

/// Moves the tokens in a chain of registers; returns whether anything has changed.
///
/// `taken` says whether the token of the last register is taken. `next` enters the first register, which has room for it.
pub(super) fn advance(
    row: &mut [VecDeque<Token>],
    n_slots: usize,
    taken: bool,
    next: Option<Token>,
) -> bool {
    let is_moved = taken || next.is_some();
    let mut is_shifted = false;
    // Whether the next register takes a token. A register with two slots decides by its contents before the edge. A register with
    // one slot also takes one if it gives its own away.
    let mut takes = taken;
    for i in (0..row.len()).rev() {
        let had = row[i].len();
        let gives = takes && had > 0;
        if gives {
            let token = row[i].pop_front();
            if let (Some(token), Some(behind)) = (token, row.get_mut(i + 1)) {
                behind.push_back(token);
                is_shifted = true;
            }
        }
        takes = match n_slots {
            1 => had == 0 || gives,
            _ => had < n_slots,
        };
    }
    if let (Some(token), Some(first)) = (next, row.first_mut()) {
        first.push_back(token);
    }
    is_moved || is_shifted
}
