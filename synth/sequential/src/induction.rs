//! Equal in the first state, and equal in the next state wherever all are equal in one: then always equal.

use std::collections::BTreeMap;

use sluice_sat::{Answer, Limits, Literal as Variable, Solver};

use crate::classes::{Classes, Sample};
use crate::logic::{Literal, Logic, Node};
use crate::simulation::{Random, evaluate, run};

/// Work of a solver until nodes about which nothing is known count as different.
const EFFORT: u64 = 20_000_000;

/// Gates as clauses: none twice, and none that follows from constants.
struct Gates {
    solver: Solver,
    known: BTreeMap<[Variable; 2], Variable>,
    never: Variable,
}

impl Gates {
    fn new() -> Self {
        let mut solver = Solver::new(Limits {
            effort: EFFORT,
            ..Limits::default()
        });
        let never = solver.literal();
        solver.clause(&[!never]);
        Self {
            solver,
            known: BTreeMap::new(),
            never,
        }
    }

    fn constant(&self, value: bool) -> Variable {
        signed(self.never, value)
    }

    fn and(&mut self, a: Variable, b: Variable) -> Variable {
        match () {
            () if a == self.never || b == self.never || a == !b => return self.never,
            () if a == !self.never || a == b => return b,
            () if b == !self.never => return a,
            () => {}
        }
        let key = if a < b { [a, b] } else { [b, a] };
        let solver = &mut self.solver;
        *self.known.entry(key).or_insert_with(|| {
            let both = solver.literal();
            solver.clause(&[!both, a]);
            solver.clause(&[!both, b]);
            solver.clause(&[both, !a, !b]);
            both
        })
    }

    fn equal(&mut self, a: Variable, b: Variable) {
        self.solver.clause(&[!a, b]);
        self.solver.clause(&[a, !b]);
    }
}

fn signed(variable: Variable, is_inverse: bool) -> Variable {
    if is_inverse { !variable } else { variable }
}

/// Nodes of all cases in which a solver finds that nodes differ, until a circuit is left as it is: a case costs as much as it has nodes.
const MOST_NODES: usize = 30_000_000;

/// A cycle: a variable for each node, the same one for nodes that are known to be equal.
struct Frame {
    variables: Vec<Variable>,
}

impl Frame {
    /// All but the gates; `held` gives what registers hold.
    fn new(gates: &mut Gates, logic: &Logic, held: &dyn Fn(&mut Gates, usize) -> Variable) -> Self {
        let nodes = logic.nodes.iter().enumerate();
        let variables = nodes.map(|(number, node)| match node {
            _ if number == 0 => gates.never,
            Node::Held(register) => held(gates, *register),
            Node::Free => gates.solver.literal(),
            Node::And(..) => gates.never,
        });
        Self {
            variables: variables.collect(),
        }
    }

    fn of(&self, literal: Literal) -> Variable {
        signed(self.variables[literal.node()], literal.is_inverse())
    }

    /// Makes the gate of a node, if it is one, of what is known of those before it.
    fn make(&mut self, gates: &mut Gates, logic: &Logic, node: usize) {
        if let Node::And(a, b) = &logic.nodes[node] {
            self.variables[node] = gates.and(self.of(*a), self.of(*b));
        }
    }

    /// The first one of the class of a node, with the sign of the node.
    fn leader(&self, classes: &Classes, node: usize) -> Option<Variable> {
        let (first, is_inverse) = classes.leader(node)?;
        Some(signed(self.variables[first], is_inverse))
    }
}

/// Classes of nodes that are equal, or inverse, in every cycle after a reset.
pub(crate) fn classes(logic: &Logic) -> Classes {
    let mut random = Random::new();
    let is_wanted = logic.named();
    let mut classes: Option<Classes> = None;
    run(logic, &mut random, &mut |sample| {
        let classes = classes.get_or_insert_with(|| Classes::new(sample, &is_wanted));
        classes.refine(sample);
    });
    let mut classes = classes.expect("a run has a cycle");
    let mut n_cases_left = MOST_NODES / logic.nodes.len();
    hold_at_first(logic, &mut classes, &mut random, &mut n_cases_left);
    while !hold_in_the_next(logic, &mut classes, &mut random, &mut n_cases_left) {}
    classes
}

/// Keeps what holds in the first state.
fn hold_at_first(
    logic: &Logic,
    classes: &mut Classes,
    random: &mut Random,
    n_cases_left: &mut usize,
) {
    let mut gates = Gates::new();
    let frame = Frame::new(
        &mut gates,
        logic,
        &|gates, register| match logic.registers[register].first {
            Some(first) => gates.constant(first),
            None => gates.solver.literal(),
        },
    );
    compare(logic, classes, &mut gates, frame, random, n_cases_left);
}

/// Keeps what holds in each state behind one in which all of it holds. `false` where that was less than before.
fn hold_in_the_next(
    logic: &Logic,
    classes: &mut Classes,
    random: &mut Random,
    n_cases_left: &mut usize,
) -> bool {
    let mut gates = Gates::new();
    let mut now = Frame::new(&mut gates, logic, &|gates, _| gates.solver.literal());
    for node in 0..logic.nodes.len() {
        now.make(&mut gates, logic, node);
        if let Some(first) = now.leader(classes, node) {
            let own = std::mem::replace(&mut now.variables[node], first);
            if own != first {
                gates.equal(own, first);
            }
        }
    }
    let next = Frame::new(&mut gates, logic, &|_, register| {
        now.of(logic.registers[register].next)
    });
    compare(logic, classes, &mut gates, next, random, n_cases_left)
}

/// Compares all members of classes in a frame, and parts those that can differ. `false` where there were any.
///
/// What is equal is one variable from then on: most gates behind it are then the same ones, and are not compared.
fn compare(
    logic: &Logic,
    classes: &mut Classes,
    gates: &mut Gates,
    mut frame: Frame,
    random: &mut Random,
    n_cases_left: &mut usize,
) -> bool {
    let mut is_all = true;
    for node in 0..logic.nodes.len() {
        frame.make(gates, logic, node);
        let own = frame.variables[node];
        while let Some(first) = frame.leader(classes, node).filter(|first| *first != own) {
            let mut answer = gates.solver.solve(&[own, !first]);
            if answer == Answer::Refuted {
                answer = gates.solver.solve(&[!own, first]);
            }
            match answer {
                Answer::Refuted => {
                    gates.equal(own, first);
                    frame.variables[node] = first;
                    break;
                }
                Answer::Satisfied if *n_cases_left == 0 => {
                    // Nothing is equal to anything, which holds always.
                    classes.part_all();
                    return true;
                }
                Answer::Satisfied => {
                    is_all = false;
                    *n_cases_left -= 1;
                    classes.refine(&around(logic, &gates.solver, &frame, random));
                }
                Answer::Stopped => {
                    is_all = false;
                    classes.part(node);
                }
            }
        }
    }
    is_all
}

/// The state that the solver found, with its free variables in the first case and others drawn at random.
fn around(logic: &Logic, solver: &Solver, frame: &Frame, random: &mut Random) -> Vec<Sample> {
    let found = |node: usize| solver.holds(frame.variables[node]);
    let held = |register: usize| {
        let is_set = found(logic.registers[register].node);
        [if is_set { u64::MAX } else { 0 }; 4]
    };
    let mut free = |node: usize| {
        let mut words = random.words();
        words[0] = (words[0] & !1) | u64::from(found(node));
        words
    };
    let mut sample = Vec::with_capacity(logic.nodes.len());
    evaluate(logic, &held, &mut free, &mut sample);
    sample
}
