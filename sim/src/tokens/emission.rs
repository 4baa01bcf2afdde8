//! The output tokens of nodes without state, and the channels that always have a token.

use super::graph::{Data, Graph, Kind};
use super::words::at_most;

/// Tokens, one after the other.
#[derive(Clone, Default, Debug)]
pub(super) struct Operands {
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl Operands {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    /// Appends a token.
    pub(super) fn push(&mut self, token: impl Iterator<Item = u64>) {
        self.words.extend(token);
        self.ends.push(self.words.len());
    }

    /// Returns the words of all tokens.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns token number `index`.
    pub(super) fn token(&self, index: usize) -> &[u64] {
        let begin = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        &self.words[begin..self.ends[index]]
    }

    /// Returns the tokens in order.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.ends.len()).map(|index| self.token(index))
    }
}

/// Calls `give` with each output of a node and its token for these operands. The operands of a mux are the selecting token and
/// the selected one.
pub(super) fn emit(
    graph: &Graph<'_>,
    number: usize,
    operands: &Operands,
    mut give: impl FnMut(usize, &[u64]),
) {
    let node = &graph.nodes[number];
    let outputs = &node.outputs[..];
    match &node.kind {
        Kind::Join(Data::Copies(from)) => {
            for (output, from) in outputs.iter().zip(from) {
                give(*output, operands.token(*from));
            }
        }
        Kind::Join(Data::Constant(token)) => give(outputs[0], token),
        Kind::Join(Data::Nothing) | Kind::Source => give(outputs[0], &[]),
        Kind::Join(Data::Pack) => give(outputs[0], operands.words()),
        Kind::Join(Data::Value(evaluation))
        | Kind::Pipeline(evaluation, _)
        | Kind::Iterative(evaluation, _)
        | Kind::Shared(evaluation, _) => {
            give(outputs[0], &evaluation.result(operands.words()));
        }
        Kind::Sync => {
            for (output, token) in outputs.iter().zip(operands.tokens()) {
                give(*output, token);
            }
        }
        Kind::Unpack => {
            let mut begin = 0;
            for output in outputs {
                let end = begin + graph.layouts[*output].n_words;
                give(*output, &operands.words()[begin..end]);
                begin = end;
            }
        }
        Kind::Mux => give(outputs[0], operands.token(1)),
        Kind::Branch => {
            let side = usize::from(operands.token(0).get(1) == Some(&0));
            give(outputs[side], operands.token(1));
        }
        Kind::Fork | Kind::LazyFork | Kind::Registers(..) | Kind::Cells(..) | Kind::Fifo(_) => {
            for output in outputs {
                give(*output, operands.token(0));
            }
        }
        Kind::Argument
        | Kind::Return
        | Kind::Sink
        | Kind::Never
        | Kind::Merge
        | Kind::Call(_)
        | Kind::Load(_)
        | Kind::Store(_) => {}
    }
}

/// Returns the constant token of each channel that always has a token once its buffers are empty; `None` for all other channels.
pub(super) fn streams(graph: &Graph<'_>) -> Vec<Option<Vec<u64>>> {
    let mut streams: Vec<Option<Vec<u64>>> = vec![None; graph.channels.len()];
    let mut operands = Operands::default();
    loop {
        let mut is_changed = false;
        for (number, node) in graph.nodes.iter().enumerate() {
            let inputs = &node.inputs[..];
            let mut used = inputs.to_vec();
            if let Kind::Mux = node.kind {
                match &streams[inputs[0]] {
                    Some(select) => {
                        used = vec![inputs[0], inputs[1 + at_most(select, inputs.len() - 2)]];
                    }
                    None => continue,
                }
            }
            operands.clear();
            let are_there = used.iter().all(|input| match &streams[*input] {
                Some(token) => {
                    operands.push(token.iter().copied());
                    true
                }
                None => false,
            });
            if are_there {
                emit(graph, number, &operands, |output, token| {
                    is_changed |= streams[output].is_none();
                    streams[output] = Some(token.to_vec());
                });
            }
        }
        if !is_changed {
            return streams;
        }
    }
}
