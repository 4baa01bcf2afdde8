//! Topological order of channel signals: each signal comes after those it depends on combinationally.

use sluice_ir::{Diagnostics, ValueId, View};

use crate::channels::is_pending;

use super::graph::{BufferKind, Graph, Kind, Node};
use super::memories::Ports;

/// A signal of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    /// `valid` and the data.
    Valid(ValueId),
    /// `ready`
    Ready(ValueId),
}

impl Signal {
    fn index(self) -> usize {
        match self {
            Self::Valid(value) => 2 * value.index(),
            Self::Ready(value) => 2 * value.index() + 1,
        }
    }

    fn describe(self, graph: &Graph<'_>) -> String {
        match self {
            Self::Valid(value) => format!("`valid` of {}", graph.describe(value)),
            Self::Ready(value) => format!("`ready` of {}", graph.describe(value)),
        }
    }
}

/// Returns all signals in topological order.
///
/// # Errors
/// Combinational cycles: loops without a register.
pub(crate) fn order(graph: &Graph<'_>) -> Result<Vec<Signal>, Diagnostics> {
    let n_signals = 2 * graph.function.inner().value_capacity();
    let mut state = vec![State::New; n_signals];
    let mut order = Vec::new();
    let arguments = graph.arguments().into_iter().map(|(_, value)| value);
    let results = graph.nodes.iter().flat_map(|node| node.view.results());
    for value in arguments.chain(results.copied()) {
        for root in [Signal::Valid(value), Signal::Ready(value)] {
            visit(graph, root, &mut state, &mut order)?;
        }
    }
    Ok(order)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// Visits signals depth first with an explicit stack, since graphs may be deep.
fn visit(
    graph: &Graph<'_>,
    root: Signal,
    state: &mut [State],
    order: &mut Vec<Signal>,
) -> Result<(), Diagnostics> {
    if state[root.index()] != State::New {
        return Ok(());
    }
    state[root.index()] = State::Open;
    let mut stack = vec![(root, needs(graph, root), 0)];
    while let Some((signal, needed, next)) = stack.last_mut() {
        let Some(need) = needed.get(*next).copied() else {
            state[signal.index()] = State::Done;
            order.push(*signal);
            stack.pop();
            continue;
        };
        *next += 1;
        match state[need.index()] {
            State::Done => {}
            State::New => {
                state[need.index()] = State::Open;
                stack.push((need, needs(graph, need), 0));
            }
            State::Open => {
                let open: Vec<Signal> = stack.iter().map(|(signal, ..)| *signal).collect();
                return Err(found_loop(graph, &open, need));
            }
        }
    }
    Ok(())
}

/// Builds the error for the combinational cycle from `again` to the end of `open`.
fn found_loop(graph: &Graph<'_>, open: &[Signal], again: Signal) -> Diagnostics {
    const MAX_NAMED: usize = 8;
    let first = open.iter().position(|signal| *signal == again);
    let around = &open[first.unwrap_or(0)..];
    let mut names: Vec<String> = Vec::new();
    for signal in around.iter().take(MAX_NAMED) {
        names.push(signal.describe(graph));
    }
    if around.len() > MAX_NAMED {
        names.push(format!("{} more", around.len() - MAX_NAMED));
    }
    names.push(again.describe(graph));
    let (Signal::Valid(value) | Signal::Ready(value)) = again;
    let location = match graph.giver(value) {
        Some(end) => graph.nodes[end.node].view.location(),
        None => graph.function.location(),
    };
    let mut found = Diagnostics::new();
    let message = format!(
        "a loop without a register: {}; expected a buffer that cuts it",
        names.join(" needs ")
    );
    found.error(location, message);
    found
}

/// Returns the signals that a signal depends on combinationally.
fn needs(graph: &Graph<'_>, signal: Signal) -> Vec<Signal> {
    match signal {
        Signal::Valid(value) => match graph.giver(value) {
            Some(end) => valid_needs(&graph.nodes[end.node], end.index),
            None => Vec::new(),
        },
        Signal::Ready(value) => {
            let end = graph.taker(value);
            ready_needs(graph, &graph.nodes[end.node], end.index)
        }
    }
}

fn valid_needs(node: &Node<'_>, result: usize) -> Vec<Signal> {
    let view = node.view;
    match node.kind {
        Kind::Join | Kind::Distribute | Kind::Mux | Kind::Branch | Kind::Merge => {
            view.operands().map(Signal::Valid).collect()
        }
        Kind::Buffer {
            kind: BufferKind::Fifo,
            ..
        } => vec![Signal::Valid(view.operand(0))],
        Kind::Load if result == 0 => vec![Signal::Valid(view.operand(1))],
        Kind::Load => [0, 2].map(|i| Signal::Valid(view.operand(i))).to_vec(),
        Kind::Buffer {
            kind: BufferKind::Full | BufferKind::Data,
            ..
        }
        | Kind::Pipeline { .. }
        | Kind::Division { .. }
        | Kind::Shared { .. }
        | Kind::Call
        | Kind::Source
        | Kind::Never
        | Kind::Memory => Vec::new(),
        Kind::Sink | Kind::Return => unreachable!("it has no results"),
    }
}

fn ready_needs(graph: &Graph<'_>, node: &Node<'_>, operand: usize) -> Vec<Signal> {
    let view = node.view;
    let all_ready = || view.results().iter().copied().map(Signal::Ready);
    let others = || {
        let operands = view.operands().enumerate();
        operands
            .filter(|(i, _)| *i != operand)
            .map(|(_, other)| Signal::Valid(other))
    };
    match node.kind {
        Kind::Join
        | Kind::Pipeline { .. }
        | Kind::Division { .. }
        | Kind::Call
        | Kind::Distribute => all_ready().chain(others()).collect(),
        Kind::Shared { unit, .. } => {
            let later = graph
                .sharers(unit)
                .skip_while(|other| other.view.id != view.id);
            let later = later.skip(1);
            let asked = later.flat_map(|other| other.view.operands().map(Signal::Valid));
            others().chain(asked).collect()
        }
        Kind::Mux | Kind::Branch | Kind::Merge => all_ready()
            .chain(view.operands().map(Signal::Valid))
            .collect(),
        Kind::Buffer {
            kind: BufferKind::Data,
            ..
        } => all_ready().collect(),
        Kind::Buffer {
            kind: BufferKind::Full | BufferKind::Fifo,
            ..
        }
        | Kind::Sink
        | Kind::Source
        | Kind::Never => Vec::new(),
        Kind::Load if operand == 1 => vec![Signal::Ready(view.result(0))],
        Kind::Load => {
            let other = view.operand(2 - operand);
            vec![Signal::Ready(view.result(1)), Signal::Valid(other)]
        }
        Kind::Memory => Ports::of(view).ready_needs(operand),
        Kind::Return => others().chain(drained(view)).collect(),
    }
}

/// Returns the signals of the store address queues, which must be empty before the end.
fn drained(end: View<'_>) -> impl Iterator<Item = Signal> {
    let block = end.body.parent_block(end.id);
    let all = block
        .into_iter()
        .flat_map(move |block| end.body.operations(block));
    let queues = all.map(move |op| end.at(op)).filter(|op| is_pending(*op));
    queues.map(|queue| Signal::Valid(queue.result(0)))
}
