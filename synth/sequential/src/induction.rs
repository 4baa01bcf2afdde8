//! Equal in the first state, and equal in the next state wherever all are equal in one: then always equal.
//!
//! A state from which an equality is lost may be one that no run comes to, such as one with two tokens on a ring for one. The registers of it
//! that decide on the loss are told from what the solver found; where no state of a run holds the same in all of these, a few of the bits
//! are excluded, and from then on it is to be shown of them as well that no state behind has them. Where a run does come to such a state, it
//! goes on from there, and what it then differs in is parted. So what is wrong is found by runs, and what is right by a solver.

use sluice_ir::watch::Watch;
use sluice_sat::Answer;

use crate::classes::{Classes, Sample};
use crate::frames::{Frame, Gates};
use crate::logic::Logic;
use crate::reached::{Cube, Met, Reached};
use crate::simulation::{Random, evaluate, run, run_on};
use crate::{Evidence, MOST_PROVED_BITS};

/// How much is done to find equal nodes.
struct Effort {
    /// Cycles of the first runs.
    n_cycles: usize,
    /// Nodes of all cases in which a solver finds that nodes differ, until a circuit is left as it is: a case costs as much as it has nodes.
    most_nodes: usize,
    /// States that are looked at, for each register, and in all.
    most_states_each: usize,
    most_states: usize,
    /// Of these, states that turn out to be reached: where there are more, the first runs saw too little of what there is.
    most_reached: usize,
}

/// What is done first. Where equalities follow from how tokens take turns, it takes 3 states for each register at most, and 1,200.
const LITTLE: Effort = Effort {
    n_cycles: 400,
    most_nodes: 4_000_000,
    most_states_each: 3,
    most_states: 1500,
    most_reached: 20,
};

/// What is done for small circuits where that was too little, as it may be where stores wait in queues and rounds start ahead. In the
/// examples in which it is enough, it takes 1,554 states at most, of which 85 are reached.
const MUCH: Effort = Effort {
    n_cycles: 2000,
    most_nodes: 8_000_000,
    most_states_each: 10,
    most_states: 2000,
    most_reached: 120,
};

/// Registers of a small circuit: in greater ones more effort takes seconds, and is hardly ever enough.
const SMALL: usize = 500;

/// What is left out once the time of a run is up: nothing is equal then, which holds always.
pub(crate) const MERGING: &str = "merging of equal nets";

/// Words of 64 states each that a cycle of a run gives: all of the first runs, and a few of those from a state on.
const ALL_WORDS: usize = 4;
const FEW_WORDS: usize = 1;

/// Classes of nodes that are equal, or inverse, in every cycle after a reset, and the share of merged registers that are left of those that
/// no run parts. Once the time is up, no node is equal to another.
pub(crate) fn classes(logic: &Logic, evidence: Evidence, watch: &Watch) -> (Classes, f64) {
    let n_registers = logic.registers.len();
    let efforts: &[Effort] = match evidence {
        Evidence::Runs => {
            let mut random = Random::new();
            return (seen(logic, LITTLE.n_cycles, &mut random, watch, None), 1.0);
        }
        Evidence::Proof if n_registers <= SMALL => &[LITTLE, MUCH],
        Evidence::Proof if n_registers <= MOST_PROVED_BITS => &[LITTLE],
        Evidence::Proof | Evidence::Equalities => &[],
    };
    let proved = efforts
        .iter()
        .find_map(|effort| held(logic, effort, watch, true));
    let by_equalities = || {
        let found = held(logic, &LITTLE, watch, false).expect("no state is looked at");
        match evidence {
            Evidence::Proof => (found.0, 0.0),
            _ => found,
        }
    };
    proved.unwrap_or_else(by_equalities)
}

/// Classes of nodes that no run parts; the states of the runs go to `reached`.
fn seen(
    logic: &Logic,
    n_cycles: usize,
    random: &mut Random,
    watch: &Watch,
    mut reached: Option<&mut Reached>,
) -> Classes {
    let is_wanted = logic.named();
    let mut classes: Option<Classes> = None;
    run(logic, n_cycles, random, watch, &mut |sample| {
        let classes = classes.get_or_insert_with(|| Classes::new(sample, &is_wanted));
        classes.refine(sample);
        if let Some(reached) = reached.as_deref_mut() {
            reached.add(logic, sample, ALL_WORDS);
        }
    });
    classes.expect("a run has a cycle")
}

/// Classes that hold in the first state, and behind one in which they hold, with the share of merged registers that are left; `None` where
/// that takes more states than may be looked at. Where none are, what is lost from any state is lost.
fn held(
    logic: &Logic,
    effort: &Effort,
    watch: &Watch,
    looks_at_states: bool,
) -> Option<(Classes, f64)> {
    let mut random = Random::new();
    let mut reached = Reached::new(logic);
    let for_states = looks_at_states.then_some(&mut reached);
    let classes = seen(logic, effort.n_cycles, &mut random, watch, for_states);
    let n_before = n_merged(logic, &classes);
    let most_cases = effort.most_nodes / logic.nodes.len();
    let most_states = effort.most_states_each * logic.registers.len();
    let most_states = most_states.min(effort.most_states).min(most_cases);
    let mut induction = Induction {
        logic,
        watch,
        classes,
        random,
        sample: Vec::with_capacity(logic.nodes.len()),
        n_cases_left: most_cases,
        reached,
        cubes: Vec::new(),
        n_states_left: if looks_at_states { most_states } else { 0 },
        n_reached_left: effort.most_reached,
        looks_at_states,
        is_given_up: false,
    };
    induction.hold_at_first();
    while !induction.hold_in_the_next() {
        if looks_at_states && induction.n_states_left == 0 {
            // What was excluded is lost bit by bit, and little of what follows from it is left.
            return None;
        }
    }
    let n_left = n_merged(logic, &induction.classes);
    let left = match n_before {
        0 => 1.0,
        _ => f64::from(n_left) / f64::from(n_before),
    };
    Some((induction.classes, left))
}

/// Registers that are equal to something else.
fn n_merged(logic: &Logic, classes: &Classes) -> u32 {
    let registers = logic.registers.iter();
    let merged = registers.filter(|register| classes.leader(register.node).is_some());
    u32::try_from(merged.count()).unwrap_or(u32::MAX)
}

/// What may be equal always.
struct Induction<'a> {
    logic: &'a Logic,
    watch: &'a Watch,
    classes: Classes,
    random: Random,
    /// Room for a sample.
    sample: Vec<Sample>,
    n_cases_left: usize,
    /// States of runs.
    reached: Reached,
    /// What no state has, as far as is known. The first state has none of it.
    cubes: Vec<Cube>,
    n_states_left: usize,
    n_reached_left: usize,
    /// Whether states are looked at; else what is lost from any state is lost.
    looks_at_states: bool,
    /// Whether there was one more than may be looked at.
    is_given_up: bool,
}

impl Induction<'_> {
    /// Keeps what holds in the first state.
    fn hold_at_first(&mut self) {
        let logic = self.logic;
        let mut gates = Gates::new(self.watch);
        let frame = Frame::new(
            &mut gates,
            logic,
            &|gates, register| match logic.registers[register].first {
                Some(first) => gates.constant(first),
                None => gates.solver.literal(),
            },
        );
        self.compare(&mut gates, frame, None);
    }

    /// Keeps what holds in each state behind one in which all of it holds. `false` where that was less than before.
    fn hold_in_the_next(&mut self) -> bool {
        let logic = self.logic;
        let mut gates = Gates::new(self.watch);
        let mut now = Frame::new(&mut gates, logic, &|gates, _| gates.solver.literal());
        for node in 0..logic.nodes.len() {
            now.make(&mut gates, logic, node);
            if let Some(first) = now.leader(&self.classes, node) {
                let own = std::mem::replace(&mut now.variables[node], first);
                if own != first {
                    gates.equal(own, first);
                }
            }
        }
        for cube in &self.cubes {
            now.exclude(&mut gates, logic, cube);
        }
        let held = |_: &mut Gates, register: usize| now.of(logic.registers[register].next);
        let next = Frame::new(&mut gates, logic, &held);
        if !self.looks_at_states {
            return self.compare(&mut gates, next, Some(&now));
        }
        let registers = Frame::new(&mut gates, logic, &held);
        let are_equal = self.compare(&mut gates, next, Some(&now));
        let are_excluded = self.keep_excluded(&mut gates, &registers, &now);
        are_equal && are_excluded
    }

    /// Compares all members of classes in a frame, and parts those that can differ behind a state that a run may come to. `false` where there
    /// were any.
    ///
    /// What is equal is one variable from then on: most gates behind it are then the same ones, and are not compared.
    fn compare(&mut self, gates: &mut Gates, mut frame: Frame, before: Option<&Frame>) -> bool {
        let logic = self.logic;
        let mut is_all = true;
        for node in 0..logic.nodes.len() {
            frame.make(gates, logic, node);
            let own = frame.variables[node];
            while let Some(((first, _), leader)) = self
                .classes
                .leader(node)
                .zip(frame.leader(&self.classes, node))
                .filter(|(_, leader)| *leader != own)
            {
                if self.watch.cut(MERGING) {
                    return self.give_up();
                }
                let mut answer = gates.solver.solve(&[own, !leader]);
                if answer == Answer::Refuted {
                    answer = gates.solver.solve(&[!own, leader]);
                }
                let is_excluded = match (answer, before) {
                    (Answer::Refuted, _) => {
                        gates.equal(own, leader);
                        frame.variables[node] = leader;
                        break;
                    }
                    (Answer::Satisfied, Some(now)) => {
                        let registers = frame.deciding(gates, logic, &[node, first]);
                        self.excludes(gates, now, &frame, registers)
                    }
                    (Answer::Satisfied, None) => false,
                    (Answer::Stopped, _) => {
                        is_all = false;
                        self.classes.part(node);
                        break;
                    }
                };
                if is_excluded {
                    continue;
                }
                if self.is_given_up {
                    return false;
                }
                if self.n_cases_left == 0 {
                    return self.give_up();
                }
                is_all = false;
                self.n_cases_left -= 1;
                if self
                    .classes
                    .leader(node)
                    .is_some_and(|(leader, _)| leader == first)
                {
                    around(logic, gates, &frame, &mut self.random, &mut self.sample);
                    self.classes.refine(&self.sample);
                }
            }
        }
        is_all
    }

    /// Nothing is equal to anything, which holds always: `true`.
    fn give_up(&mut self) -> bool {
        self.classes.part_all();
        self.cubes.clear();
        true
    }

    /// Keeps what no state has behind one that has none of it. `false` where that was less than before.
    fn keep_excluded(&mut self, gates: &mut Gates, next: &Frame, now: &Frame) -> bool {
        let logic = self.logic;
        let mut is_all = true;
        let mut number = 0;
        while number < self.cubes.len() && !self.is_given_up {
            if self.watch.cut(MERGING) {
                return self.give_up();
            }
            let cube = &self.cubes[number];
            let is_excluded = match gates.solver.solve(&next.bits(logic, cube)) {
                Answer::Refuted => {
                    number += 1;
                    continue;
                }
                Answer::Satisfied => {
                    let registers: Vec<usize> =
                        cube.iter().map(|(register, _)| *register).collect();
                    self.excludes(gates, now, next, registers)
                }
                Answer::Stopped => false,
            };
            if !is_excluded {
                is_all = false;
                self.cubes.swap_remove(number);
            }
        }
        is_all
    }

    /// Excludes the state that the solver found, as far as it decides on what some registers hold behind it, if no state of a run is like
    /// that; runs go on from one that is. `false` where it is not excluded.
    fn excludes(
        &mut self,
        gates: &mut Gates,
        now: &Frame,
        next: &Frame,
        registers: impl IntoIterator<Item = usize>,
    ) -> bool {
        let logic = self.logic;
        if self.n_states_left == 0 {
            self.is_given_up = self.looks_at_states;
            return false;
        }
        self.n_states_left -= 1;
        let inputs = registers.into_iter();
        let inputs: Vec<usize> = inputs.map(|r| logic.registers[r].next.node()).collect();
        let deciding = now.deciding(gates, logic, &inputs).into_iter();
        let held = |register: usize| now.holds(gates, logic.registers[register].node);
        let bits: Vec<(usize, bool)> = deciding
            .map(|register| (register, held(register)))
            .collect();
        match self.reached.find(logic, &bits) {
            Met::Nothing(cube) => {
                now.exclude(gates, logic, &cube);
                self.cubes.push(cube);
                true
            }
            Met::State(_) if self.n_reached_left == 0 => {
                self.n_states_left = 0;
                self.is_given_up = true;
                false
            }
            Met::State(state) => {
                self.n_reached_left -= 1;
                let (reached, classes) = (&mut self.reached, &mut self.classes);
                let first = |node: usize| now.holds(gates, node);
                let second = |node: usize| next.holds(gates, node);
                run_on(
                    logic,
                    &state,
                    &first,
                    &second,
                    &mut self.random,
                    &mut |sample| {
                        reached.add(logic, sample, FEW_WORDS);
                        classes.refine(sample);
                    },
                );
                false
            }
            Met::Unknown => false,
        }
    }
}

/// The state that the solver found, with its free variables in the first case and others drawn at random.
fn around(
    logic: &Logic,
    gates: &Gates,
    frame: &Frame,
    random: &mut Random,
    sample: &mut Vec<Sample>,
) {
    let held = |register: usize| {
        let is_set = frame.holds(gates, logic.registers[register].node);
        [if is_set { u64::MAX } else { 0 }; 4]
    };
    let mut free = |node: usize| {
        let mut words = random.words();
        words[0] = (words[0] & !1) | u64::from(frame.holds(gates, node));
        words
    };
    evaluate(logic, &held, &mut free, sample);
}
