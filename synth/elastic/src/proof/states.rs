//! Explores all reachable control states of small graphs.
//!
//! A state from which no choice of bits leads to the end is a deadlock. If the end is reachable from every reachable state, a run
//! ends if it takes every choice that recurs now and then, because there are finitely many states.
//!
//! If tokens arrive forever, there is no end: then from every state it must be possible that each argument is taken.

use std::collections::BTreeMap;

use super::logic::ConcreteLogic;
use super::machine::{Machine, State};
use super::network::Kind;
use super::search::{DeadlockState, is_over};

/// Maximum number of states.
const MAX_STATES: usize = 20_000;

/// Maximum number of unconstrained bits in one cycle.
const MAX_CHOICES: usize = 10;

/// The result of the exploration.
pub(super) enum Explored {
    /// The end is reachable from each of this number of states.
    AllEnd(usize),
    /// The end is not reachable from this state.
    Stuck(Box<DeadlockState>),
    /// There are too many states.
    TooMany,
}

/// Explores all reachable states.
pub(super) fn explore(machine: &Machine<'_>) -> Explored {
    let mut numbers: BTreeMap<State<bool>, usize> = BTreeMap::new();
    let mut states: Vec<State<bool>> = Vec::new();
    let mut before: Vec<Vec<usize>> = Vec::new();
    let goals = goals(machine);
    // For each goal, the states in which it is reached.
    let mut reached: Vec<Vec<usize>> = vec![Vec::new(); goals.len()];
    let mut add = |state: State<bool>, from: Option<usize>| -> Option<State<bool>> {
        let next = numbers.len();
        let number = *numbers.entry(state.clone()).or_insert(next);
        let is_new = number == next;
        if is_new {
            before.push(Vec::new());
        }
        before[number].extend(from);
        is_new.then_some(state)
    };
    let Some(starts) = all_choices(&mut |logic| machine.start(logic)) else {
        return Explored::TooMany;
    };
    for state in starts {
        states.extend(add(state, None));
    }
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        if !is_over(machine, &state) {
            let mut is_reached = vec![false; goals.len()];
            let found = all_choices(&mut |logic| {
                let cycle = machine.settle(logic, &state);
                for (goal, is_reached) in goals.iter().zip(&mut is_reached) {
                    *is_reached |= match goal {
                        Goal::End => false,
                        Goal::Taken(channel) => cycle.valid[*channel] && cycle.ready[*channel],
                        Goal::Move => cycle.moves,
                    };
                }
                machine.edge(logic, &state, &cycle)
            });
            let Some(found) = found else {
                return Explored::TooMany;
            };
            for next in found {
                states.extend(add(next, Some(at)));
            }
            let pairs = reached.iter_mut().zip(is_reached);
            for (reached, _) in pairs.filter(|(_, is_reached)| *is_reached) {
                reached.push(at);
            }
        } else {
            reached.iter_mut().for_each(|reached| reached.push(at));
        }
        at += 1;
        if states.len() > MAX_STATES {
            return Explored::TooMany;
        }
    }
    let mut ends = vec![true; states.len()];
    for open in reached {
        let leads = leading(open, &before);
        let pairs = ends.iter_mut().zip(leads);
        pairs.for_each(|(ends, leads)| *ends &= leads);
    }
    // A state in which nothing moves is the most informative.
    let stuck = (0..states.len()).filter(|i| !ends[*i]);
    let settled = stuck.map(|i| (i, machine.settle(&mut ConcreteLogic::default(), &states[i])));
    match settled.min_by_key(|(i, cycle)| (cycle.moves, *i)) {
        Some((i, cycle)) => Explored::Stuck(Box::new(DeadlockState {
            state: states[i].clone(),
            cycle,
        })),
        None => Explored::AllEnd(states.len()),
    }
}

/// A condition that must remain reachable.
enum Goal {
    /// The end of the call.
    End,
    /// The token of an argument is taken.
    Taken(usize),
    /// Any token moves.
    Move,
}

fn goals(machine: &Machine<'_>) -> Vec<Goal> {
    if !machine.is_endless {
        return vec![Goal::End];
    }
    let nodes = machine.network.nodes.iter();
    let arguments = nodes.filter(|node| node.kind == Kind::Argument);
    let taken = arguments.flat_map(|node| &node.outputs);
    let taken: Vec<Goal> = taken.map(|channel| Goal::Taken(*channel)).collect();
    match taken.is_empty() {
        true => vec![Goal::Move],
        false => taken,
    }
}

/// Returns which states can reach one of these.
fn leading(mut open: Vec<usize>, before: &[Vec<usize>]) -> Vec<bool> {
    let mut leads = vec![false; before.len()];
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut leads[number], true) {
            open.extend(before[number].iter().copied().filter(|i| !leads[*i]));
        }
    }
    leads
}

/// Returns the results for all values of the requested bits; `None` if there are too many.
fn all_choices(
    make: &mut dyn FnMut(&mut ConcreteLogic) -> State<bool>,
) -> Option<Vec<State<bool>>> {
    let mut first = ConcreteLogic::default();
    let state = make(&mut first);
    if first.n_used > MAX_CHOICES {
        return None;
    }
    let mut found = vec![state];
    for number in 1_usize..1 << first.n_used {
        let mut logic = ConcreteLogic {
            choices: (0..first.n_used).map(|i| number >> i & 1 == 1).collect(),
            n_used: 0,
        };
        found.push(make(&mut logic));
    }
    Some(found)
}
