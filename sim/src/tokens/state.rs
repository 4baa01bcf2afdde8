//! What the registers of each node hold, and how they move at the end of a cycle.

use std::collections::VecDeque;

use smallvec::SmallVec;

use super::graph::Kind;

/// A token outside of a channel.
pub(super) type Token = SmallVec<[u64; 2]>;

/// The registers of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// None, or only what was computed last.
    None,
    /// Whether the argument was not taken yet.
    Pending(bool),
    /// Which outputs were taken.
    Taken(SmallVec<[bool; 4]>),
    /// The input that was chosen, and which outputs were taken.
    Chosen(Option<usize>, SmallVec<[bool; 4]>),
    /// Registers in a row, the first one at the input; each is a queue of one or two tokens.
    Row(Vec<VecDeque<Token>>),
    Queue(VecDeque<Token>),
    /// All move together; the last one is the output.
    Pipeline(VecDeque<Option<Token>>),
    /// The result, and how many cycles it takes until it is there.
    Iterative(Option<(usize, Token)>),
    /// Results in their order, the oldest first, and how many cycles each takes until it is there.
    Shared(VecDeque<(usize, Token)>),
    /// The answer that waits, and whether "done" does.
    Port(Option<Token>, bool),
}

impl State {
    /// After reset.
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
            Kind::Queue(_) => Self::Queue(VecDeque::new()),
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

    /// The same but for the places that tokens have in a row of registers.
    pub(super) fn tokens(&self) -> Self {
        match self {
            Self::Row(row) => Self::Queue(row.iter().rev().flatten().cloned().collect()),
            other => other.clone(),
        }
    }

    /// How many tokens wait in it.
    pub(super) fn n_tokens(&self) -> usize {
        match self {
            Self::None | Self::Taken(_) | Self::Chosen(..) => 0,
            Self::Pending(is_pending) => usize::from(*is_pending),
            Self::Row(row) => row.iter().map(VecDeque::len).sum(),
            Self::Queue(queue) => queue.len(),
            Self::Pipeline(row) => row.iter().filter(|token| token.is_some()).count(),
            Self::Iterative(result) => usize::from(result.is_some()),
            Self::Shared(results) => results.len(),
            Self::Port(answer, done) => usize::from(answer.is_some()) + usize::from(*done),
        }
    }
}

/// Moves the tokens of registers in a row; says whether any did.
///
/// `taken` is whether the last one's token is taken, `next` what comes into the first, which has room for it.
pub(super) fn advance(
    row: &mut [VecDeque<Token>],
    n_slots: usize,
    taken: bool,
    next: Option<Token>,
) -> bool {
    let is_moved = taken || next.is_some();
    let mut is_shifted = false;
    // Whether the register behind takes a token: with two slots by what it held before the edge, with one also where it gives its own.
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
