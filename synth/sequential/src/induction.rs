//! Equal in the first state, and equal in the next state wherever all are equal in one: then always equal.

use sluice_sat::{Answer, Limits, Literal as Variable, Solver};

use crate::classes::{Classes, Sample};
use crate::logic::{Literal, Logic, Node};
use crate::simulation::{Random, evaluate, run};

/// Work of a solver until nodes about which nothing is known count as different.
const EFFORT: u64 = 20_000_000;

/// A cycle as clauses: a variable for each node.
struct Frame {
    variables: Vec<Variable>,
}

impl Frame {
    /// `held` gives what registers hold, if that is known.
    fn new(
        solver: &mut Solver,
        logic: &Logic,
        held: &dyn Fn(&mut Solver, usize) -> Variable,
    ) -> Self {
        let mut frame = Self {
            variables: Vec::with_capacity(logic.nodes.len()),
        };
        for (number, node) in logic.nodes.iter().enumerate() {
            let variable = match node {
                Node::Held(register) => held(solver, *register),
                Node::Free | Node::And(..) => solver.literal(),
            };
            if number == 0 {
                solver.clause(&[!variable]);
            }
            if let Node::And(a, b) = node {
                let (a, b) = (frame.of(*a), frame.of(*b));
                solver.clause(&[!variable, a]);
                solver.clause(&[!variable, b]);
                solver.clause(&[variable, !a, !b]);
            }
            frame.variables.push(variable);
        }
        frame
    }

    fn of(&self, literal: Literal) -> Variable {
        signed(self.variables[literal.node()], literal.is_inverse())
    }
}

fn signed(variable: Variable, is_inverse: bool) -> Variable {
    if is_inverse { !variable } else { variable }
}

fn equal(solver: &mut Solver, a: Variable, b: Variable) {
    solver.clause(&[!a, b]);
    solver.clause(&[a, !b]);
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
    hold_at_first(logic, &mut classes, &mut random);
    while !hold_in_the_next(logic, &mut classes, &mut random) {}
    classes
}

/// Keeps what holds in the first state.
fn hold_at_first(logic: &Logic, classes: &mut Classes, random: &mut Random) {
    let mut solver = Solver::new(limits());
    let frame = Frame::new(&mut solver, logic, &|solver, register| {
        let variable = solver.literal();
        if let Some(first) = logic.registers[register].first {
            solver.clause(&[signed(variable, !first)]);
        }
        variable
    });
    compare(logic, classes, &mut solver, &frame, random);
}

/// Keeps what holds in each state behind one in which all of it holds. `false` where that was less than before.
fn hold_in_the_next(logic: &Logic, classes: &mut Classes, random: &mut Random) -> bool {
    let mut solver = Solver::new(limits());
    let now = Frame::new(&mut solver, logic, &|solver, _| solver.literal());
    for node in 0..logic.nodes.len() {
        if let Some((first, is_inverse)) = classes.leader(node) {
            let first = signed(now.variables[first], is_inverse);
            equal(&mut solver, first, now.variables[node]);
        }
    }
    let next = Frame::new(&mut solver, logic, &|_, register| {
        now.of(logic.registers[register].next)
    });
    compare(logic, classes, &mut solver, &next, random)
}

/// Compares all members of classes in a frame, and parts those that can differ. `false` where there were any.
fn compare(
    logic: &Logic,
    classes: &mut Classes,
    solver: &mut Solver,
    frame: &Frame,
    random: &mut Random,
) -> bool {
    let mut is_all = true;
    for node in 0..logic.nodes.len() {
        while let Some((first, is_inverse)) = classes.leader(node) {
            let own = frame.variables[node];
            let first = signed(frame.variables[first], is_inverse);
            if own == first {
                break;
            }
            let mut answer = solver.solve(&[own, !first]);
            if answer == Answer::Refuted {
                answer = solver.solve(&[!own, first]);
            }
            match answer {
                Answer::Refuted => {
                    equal(solver, own, first);
                    break;
                }
                Answer::Satisfied => {
                    is_all = false;
                    classes.refine(&around(logic, solver, frame, random));
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

fn limits() -> Limits {
    Limits {
        effort: EFFORT,
        ..Limits::default()
    }
}
