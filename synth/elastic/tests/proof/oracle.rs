//! Reference model: decides whether a small graph can deadlock by exploring all reachable states, cycle by cycle.
//!
//! It shares no code with the prover: signals are iterated to a fixpoint, registers are modelled individually, and an
//! unconstrained bit is chosen when the previous one was taken.

use std::collections::BTreeMap;

use crate::graph::{Graph, Op};

/// Maximum number of states.
const MAX_STATES: usize = 60_000;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    /// True if the tokens of both arguments and of the start were taken.
    taken: [bool; 3],
    bits: [bool; 2],
    /// For each operation: tokens, by register if there are several.
    tokens: Vec<Vec<Vec<bool>>>,
    /// For each operation, the outputs of a fork that were taken.
    done: Vec<[bool; 2]>,
    /// For each operation, the next bit of a comparison.
    next: Vec<bool>,
    is_over: bool,
}

struct Signals {
    valid: Vec<bool>,
    ready: Vec<bool>,
    bit: Vec<bool>,
}

/// Returns whether the end is reachable from every state; `None` if there are too many states.
pub fn always_ends(graph: &Graph) -> Option<bool> {
    let mut numbers: BTreeMap<State, usize> = BTreeMap::new();
    let (mut states, mut before): (Vec<State>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    let mut open: Vec<(State, Option<usize>)> = starts(graph)
        .into_iter()
        .map(|state| (state, None))
        .collect();
    let mut ends = Vec::new();
    while let Some((state, from)) = open.pop() {
        let number = *numbers.entry(state.clone()).or_insert(states.len());
        if number == states.len() {
            states.push(state.clone());
            before.push(Vec::new());
            if state.is_over {
                ends.push(number);
            } else {
                open.extend(
                    following(graph, &state)
                        .into_iter()
                        .map(|next| (next, Some(number))),
                );
            }
        }
        before[number].extend(from);
        if states.len() > MAX_STATES {
            return None;
        }
    }
    let mut has_way = vec![false; states.len()];
    while let Some(number) = ends.pop() {
        if !std::mem::replace(&mut has_way[number], true) {
            ends.extend(&before[number]);
        }
    }
    Some(has_way.iter().all(|has_way| *has_way))
}

fn starts(graph: &Graph) -> Vec<State> {
    let tokens = graph.ops.iter().map(|(op, _, _)| match op {
        Op::Fifo(_) => vec![Vec::new()],
        // The first token is nearest to the output, which is the last register.
        Op::Row { n, initial, .. } => (0..*n)
            .map(|i| initial.get(n - 1 - i).map_or(Vec::new(), |bit| vec![*bit]))
            .collect(),
        _ => Vec::new(),
    });
    let state = State {
        taken: [false; 3],
        bits: [false; 2],
        tokens: tokens.collect(),
        done: vec![[false; 2]; graph.ops.len()],
        next: vec![false; graph.ops.len()],
        is_over: false,
    };
    let mut found = vec![state];
    for i in 0..2 {
        found = found
            .into_iter()
            .flat_map(|state| {
                [false, true].map(|bit| {
                    let mut state = state.clone();
                    state.bits[i] = bit;
                    state
                })
            })
            .collect();
    }
    for (i, (op, _, _)) in graph.ops.iter().enumerate() {
        if let Op::Compare = op {
            found = chosen(found, i);
        }
    }
    found
}

fn chosen(states: Vec<State>, op: usize) -> Vec<State> {
    let both = |state: State| {
        [false, true].map(|bit| {
            let mut state = state.clone();
            state.next[op] = bit;
            state
        })
    };
    states.into_iter().flat_map(both).collect()
}

fn settle(graph: &Graph, state: &State) -> Signals {
    let mut s = Signals {
        valid: vec![false; graph.n_channels],
        ready: vec![false; graph.n_channels],
        bit: vec![false; graph.n_channels],
    };
    for i in 0..3 {
        s.valid[i] = !state.taken[i];
    }
    s.bit[0] = state.bits[0];
    s.bit[1] = state.bits[1];
    for _ in 0..graph.n_channels + 2 {
        for (number, (op, i, o)) in graph.ops.iter().enumerate() {
            match op {
                Op::Fork => {
                    for (out, is_done) in o.iter().zip(state.done[number]) {
                        s.valid[*out] = s.valid[i[0]] && !is_done;
                        s.bit[*out] = s.bit[i[0]];
                    }
                }
                Op::Mux => {
                    let from = i[1 + usize::from(s.bit[i[0]])];
                    s.valid[o[0]] = s.valid[i[0]] && s.valid[from];
                    s.bit[o[0]] = s.bit[from];
                }
                Op::Branch => {
                    for (out, side) in o.iter().zip([true, false]) {
                        s.valid[*out] = s.valid[i[0]] && s.valid[i[1]] && s.bit[i[0]] == side;
                        s.bit[*out] = s.bit[i[1]];
                    }
                }
                Op::And | Op::Compare => {
                    s.valid[o[0]] = s.valid[i[0]] && s.valid[i[1]];
                    s.bit[o[0]] = match op {
                        Op::And => s.bit[i[0]] && s.bit[i[1]],
                        _ => state.next[number],
                    };
                }
                Op::Fifo(_) => {
                    let first = state.tokens[number][0].first();
                    s.valid[o[0]] = first.is_some() || s.valid[i[0]];
                    s.bit[o[0]] = first.copied().unwrap_or(s.bit[i[0]]);
                }
                Op::Row { .. } => {
                    let first = state.tokens[number]
                        .last()
                        .and_then(|register| register.first());
                    s.valid[o[0]] = first.is_some();
                    s.bit[o[0]] = first.copied().unwrap_or(false);
                }
                Op::Sink => {}
                Op::End => s.valid[o[0]] = i.iter().all(|c| s.valid[*c]),
            }
        }
    }
    for _ in 0..graph.n_channels + 2 {
        for (number, (op, i, o)) in graph.ops.iter().enumerate() {
            match op {
                Op::Fork => s.ready[i[0]] = (0..2).all(|k| state.done[number][k] || s.ready[o[k]]),
                Op::Mux => {
                    let chosen = 1 + usize::from(s.bit[i[0]]);
                    for k in 1..3 {
                        s.ready[i[k]] = s.valid[i[0]] && k == chosen && s.ready[o[0]];
                    }
                    s.ready[i[0]] = s.valid[i[chosen]] && s.ready[o[0]];
                }
                Op::Branch => {
                    let out = o[usize::from(!s.bit[i[0]])];
                    s.ready[i[0]] = s.valid[i[1]] && s.ready[out];
                    s.ready[i[1]] = s.valid[i[0]] && s.ready[out];
                }
                Op::And | Op::Compare => {
                    s.ready[i[0]] = s.valid[i[1]] && s.ready[o[0]];
                    s.ready[i[1]] = s.valid[i[0]] && s.ready[o[0]];
                }
                Op::Fifo(n) => s.ready[i[0]] = state.tokens[number][0].len() < *n,
                Op::Row { .. } => {
                    s.ready[i[0]] = moves(op, &state.tokens[number], s.ready[o[0]])[0]
                }
                Op::Sink => s.ready[i[0]] = true,
                Op::End => {
                    let all = i.iter().all(|c| s.valid[*c]);
                    i.iter().for_each(|c| s.ready[*c] = all);
                }
            }
        }
    }
    s
}

/// Returns for each register of a row whether it accepts a token.
fn moves(op: &Op, registers: &[Vec<bool>], is_ready: bool) -> Vec<bool> {
    let is_cut = matches!(op, Op::Row { is_cut: true, .. });
    let mut takes = vec![false; registers.len()];
    let mut behind = is_ready;
    for (register, takes) in registers.iter().zip(&mut takes).rev() {
        *takes = match is_cut {
            true => register.is_empty() || behind,
            false => register.len() < 2,
        };
        behind = *takes;
    }
    takes
}

/// Returns the states after a cycle.
fn following(graph: &Graph, state: &State) -> Vec<State> {
    let s = settle(graph, state);
    let goes = |channel: usize| s.valid[channel] && s.ready[channel];
    let mut next = state.clone();
    for i in 0..3 {
        next.taken[i] |= goes(i);
    }
    for i in 0..2 {
        // A bit that was taken has no meaning any more.
        next.bits[i] &= !next.taken[i];
    }
    let mut asked = Vec::new();
    for (number, (op, i, o)) in graph.ops.iter().enumerate() {
        match op {
            Op::Fork => {
                let is_over = goes(i[0]);
                for (out, is_done) in o.iter().zip(&mut next.done[number]) {
                    *is_done = !is_over && (*is_done || goes(*out));
                }
            }
            Op::Compare if goes(o[0]) => asked.push(number),
            Op::Fifo(_) => {
                let queue = &mut next.tokens[number][0];
                if goes(i[0]) {
                    queue.push(s.bit[i[0]]);
                }
                if goes(o[0]) {
                    queue.remove(0);
                }
            }
            Op::Row { .. } => {
                let before = &state.tokens[number];
                let takes = moves(op, before, s.ready[o[0]]);
                let after = &mut next.tokens[number];
                let last = before.len() - 1;
                if goes(o[0]) {
                    after[last].remove(0);
                }
                for k in (0..last).rev() {
                    if takes[k + 1] && !before[k].is_empty() {
                        let token = after[k].remove(0);
                        after[k + 1].push(token);
                    }
                }
                if goes(i[0]) {
                    after[0].push(s.bit[i[0]]);
                }
            }
            Op::End => next.is_over |= s.valid[o[0]],
            _ => {}
        }
    }
    asked.into_iter().fold(vec![next], chosen)
}
