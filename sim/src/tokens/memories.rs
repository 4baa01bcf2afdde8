//! The contents of the memories of a graph during a run.

use sluice_ir::bits::Bits;

use super::graph::{Graph, Memory};
use super::state::Token;
use super::words::{DEFINED, n_limbs};
use super::{TokenError, undefined};

/// The contents of all memories, in the order of the graph.
#[derive(Clone, Default, Debug)]
pub(super) struct Memories {
    /// For each memory: limbs per word, and the limbs of all words.
    contents: Vec<(usize, Vec<u64>)>,
    /// The number of the next word of a stream; `None` for other memories.
    next: Vec<Option<usize>>,
    /// Whether undefined values may be stored: an undefined value as any word, an undefined address as no store at all.
    pub(super) takes_anything: bool,
    /// Whether no run of the kernel is active: then the contents of memories, other than tables, do not belong to any run.
    pub(super) is_idle: bool,
}

impl Memories {
    /// Creates the memories after reset: zeros, or the words of tables.
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        let content = |memory: &Memory| {
            let n_limbs = n_limbs(memory.width_bits);
            let zeros = || vec![0; memory.n_words * n_limbs];
            (n_limbs, memory.initial.clone().unwrap_or_else(zeros))
        };
        Self {
            contents: graph.memories.iter().map(content).collect(),
            next: graph
                .memories
                .iter()
                .map(|memory| memory.is_stream.then_some(0))
                .collect(),
            takes_anything: false,
            is_idle: false,
        }
    }

    /// Fills a memory with the contents of an argument.
    pub(super) fn fill(&mut self, memory: usize, cells: &[Bits]) {
        self.next[memory] = self.next[memory].map(|_| 0);
        self.replace(memory, cells);
    }

    /// Replaces all words of a memory that is not a stream.
    pub(super) fn replace(&mut self, memory: usize, cells: &[Bits]) {
        let (_, words) = &mut self.contents[memory];
        words.clear();
        words.extend(cells.iter().flat_map(Bits::limbs));
    }

    /// Returns the words of a memory.
    pub(super) fn cells(&self, memory: usize, width_bits: u32) -> Vec<Bits> {
        let (n_limbs, words) = &self.contents[memory];
        let cells = words.chunks(*n_limbs);
        cells
            .map(|limbs| Bits::from_limbs(width_bits, limbs))
            .collect()
    }

    /// Returns the limbs at an address, or at the next position of a stream; `None` outside of the memory.
    fn place(&mut self, memory: usize, address: &[u64]) -> Option<std::ops::Range<usize>> {
        let at = match &mut self.next[memory] {
            Some(next) => {
                *next += 1;
                *next - 1
            }
            None => usize::try_from(*address.get(1)?).ok()?,
        };
        let (n_limbs, words) = &self.contents[memory];
        let begin = at.checked_mul(*n_limbs)?;
        let end = begin.checked_add(*n_limbs)?;
        (end <= words.len()).then_some(begin..end)
    }

    /// Reports an access while no run of the kernel is active, unless it is to a table.
    fn refuse_idle(&self, graph: &Graph<'_>, memory: usize, node: usize) -> Result<(), TokenError> {
        if !self.is_idle || graph.memories[memory].initial.is_some() {
            return Ok(());
        }
        let at = &graph.nodes[node];
        let message = format!("port `{}` is accessed before `start`", at.name);
        Err(TokenError::at(at.location, message))
    }

    /// Returns the word at an address. If the address is undefined or outside of the memory, the word is undefined; this is no
    /// error yet, because the word may be unused.
    ///
    /// # Errors
    /// No run of the kernel is active.
    pub(super) fn load(
        &mut self,
        graph: &Graph<'_>,
        memory: usize,
        address: &[u64],
        node: usize,
    ) -> Result<Token, TokenError> {
        self.refuse_idle(graph, memory, node)?;
        let place = self.place(memory, address);
        let (n_limbs, words) = &self.contents[memory];
        let mark = match (address[0], &place) {
            (DEFINED, Some(_)) => DEFINED,
            (DEFINED, None) => u64::try_from(node).unwrap_or(u64::MAX - 1) + 1,
            (mark, _) => mark,
        };
        let mut token = Token::from_slice(&[mark]);
        match place {
            Some(place) => token.extend_from_slice(&words[place]),
            None => token.extend(std::iter::repeat_n(0, *n_limbs)),
        }
        Ok(token)
    }

    /// Stores data at an address.
    ///
    /// # Errors
    /// The data or the address is undefined, the address is outside of the memory, or no run of the kernel is active.
    pub(super) fn store(
        &mut self,
        graph: &Graph<'_>,
        memory: usize,
        address: &[u64],
        data: &[u64],
        node: usize,
    ) -> Result<(), TokenError> {
        self.refuse_idle(graph, memory, node)?;
        for token in [address, data] {
            if token[0] != DEFINED && !self.takes_anything {
                return Err(undefined(graph, token[0], node));
            }
        }
        let Some(place) = self.place(memory, address) else {
            if self.takes_anything {
                return Ok(());
            }
            let at = &graph.nodes[node];
            let message = format!(
                "port `{}` stores at {}, and the memory has {} words",
                at.name, address[1], graph.memories[memory].n_words
            );
            return Err(TokenError::at(at.location, message));
        };
        self.contents[memory].1[place].copy_from_slice(&data[1..]);
        Ok(())
    }
}
