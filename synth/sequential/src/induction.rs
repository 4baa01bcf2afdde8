//! Proof of equivalence classes by induction: they hold in the first state, and in each successor of a state in which all of them
//! hold.
//!
//! A counterexample to the induction may be an unreachable state, for example a state with two tokens in a loop that carries one.
//! The registers that cause the counterexample are taken from the solver's model. If no simulated state agrees with it in these
//! registers, a cube of a few of these bits is excluded. From then on, the induction also has to prove that no state contains the
//! cube. If a simulated state agrees with it, simulation continues from that state and splits the classes that differ. So
//! simulation refutes wrong equalities, and the solver proves the others.

use sluice_ir::watch::Watch;
use sluice_sat::Answer;

use crate::classes::{Classes, Sample};
use crate::frames::{Frame, Gates};
use crate::logic::Logic;
use crate::reached::{Cube, Met, Reached};
use crate::simulation::{Random, evaluate, run, run_on};
use crate::{Evidence, MAX_PROVED_BITS};

/// The effort for finding equal nodes.
struct Effort {
    /// Cycles of the first simulation.
    n_cycles: usize,
    /// The limit of nodes over all counterexamples: each one costs as much as the circuit has nodes. Beyond it, nothing is
    /// merged.
    max_nodes: usize,
    /// The limit of counterexample states that are examined, for each register and in all.
    max_states_each: usize,
    max_states: usize,
    /// The limit of those that turn out to be reachable: with more of them, the first simulation covered too little.
    max_reached: usize,
}

/// The first effort. If equalities follow from the turns of tokens, the proof needs at most 3 states for each register, and at
/// most 1,200.
const LITTLE: Effort = Effort {
    n_cycles: 400,
    max_nodes: 4_000_000,
    max_states_each: 3,
    max_states: 1500,
    max_reached: 20,
};

/// The second effort, for small circuits for which the first was too small. That is the case with queued stores and speculative
/// iterations. In the examples for which it is enough, the proof needs at most 1,554 states, of which 85 are reachable.
const MUCH: Effort = Effort {
    n_cycles: 2000,
    max_nodes: 8_000_000,
    max_states_each: 10,
    max_states: 2000,
    max_reached: 120,
};

/// The most registers of a small circuit: in larger ones the second effort takes seconds and is hardly ever enough.
const SMALL: usize = 500;

/// The name of the step that is skipped after the time limit: then no nets are equal, which is always correct.
pub(crate) const MERGING: &str = "merging of equal nets";

/// Words of 64 states that are recorded for each cycle: all of the first simulation, and one of simulations that continue from a
/// state.
const ALL_WORDS: usize = 4;
const FEW_WORDS: usize = 1;

/// Returns the classes of nodes that are equal, or inverse, in every cycle after a reset. It also returns the number of merged
/// registers as a share of those that no simulation separates. After the time limit, no node is equal to another.
pub(crate) fn classes(logic: &Logic, evidence: Evidence, watch: &Watch) -> (Classes, f64) {
    let n_registers = logic.registers.len();
    let efforts: &[Effort] = match evidence {
        Evidence::Runs => {
            let mut random = Random::new();
            return (seen(logic, LITTLE.n_cycles, &mut random, watch, None), 1.0);
        }
        Evidence::Proof if n_registers <= SMALL => &[LITTLE, MUCH],
        Evidence::Proof if n_registers <= MAX_PROVED_BITS => &[LITTLE],
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

/// Returns the classes that no simulation splits; records the simulated states in `reached`.
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

/// Returns the classes proved by induction, and the share of merged registers that remains; `None` if the proof needs more states
/// than may be examined. With `looks_at_states` false, each counterexample splits a class.
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
    let max_cases = effort.max_nodes / logic.nodes.len();
    let max_states = effort.max_states_each * logic.registers.len();
    let max_states = max_states.min(effort.max_states).min(max_cases);
    let mut induction = Induction {
        logic,
        watch,
        classes,
        random,
        sample: Vec::with_capacity(logic.nodes.len()),
        n_cases_left: max_cases,
        reached,
        cubes: Vec::new(),
        n_states_left: if looks_at_states { max_states } else { 0 },
        n_reached_left: effort.max_reached,
        looks_at_states,
        is_given_up: false,
    };
    induction.hold_at_first();
    while !induction.hold_in_the_next() {
        if looks_at_states && induction.n_states_left == 0 {
            // Losing an invariant would cost one proof step for each of its cubes, and few of the equalities that depend on them
            // would remain.
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

/// Returns the number of registers that are equal to another node.
fn n_merged(logic: &Logic, classes: &Classes) -> u32 {
    let registers = logic.registers.iter();
    let merged = registers.filter(|register| classes.leader(register.node).is_some());
    u32::try_from(merged.count()).unwrap_or(u32::MAX)
}

/// The state of the induction.
struct Induction<'a> {
    logic: &'a Logic,
    watch: &'a Watch,
    classes: Classes,
    random: Random,
    /// A buffer for a sample.
    sample: Vec<Sample>,
    n_cases_left: usize,
    /// States reached by simulation.
    reached: Reached,
    /// Cubes that no state contains, as far as is known. The first state contains none of them.
    cubes: Vec<Cube>,
    n_states_left: usize,
    n_reached_left: usize,
    /// Whether counterexamples are examined for reachability; otherwise each of them splits a class.
    looks_at_states: bool,
    /// Whether the limit of states has been exceeded.
    is_given_up: bool,
}

impl Induction<'_> {
    /// Keeps the equalities that hold in the first state.
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

    /// Keeps the equalities and cubes that hold in each successor of a state in which all of them hold. Returns `false` if any
    /// was dropped.
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

    /// Compares the members of each class in a frame, and splits classes whose members can differ after a state that may be
    /// reachable. Returns `false` if there were any.
    ///
    /// Nodes that are equal share one variable from then on. So most gates after them are identical, and need no comparison.
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

    /// Drops all equalities, which is always correct; returns `true`.
    fn give_up(&mut self) -> bool {
        self.classes.part_all();
        self.cubes.clear();
        true
    }

    /// Keeps the cubes that no successor of a state without them contains. Returns `false` if any was dropped.
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

    /// Excludes the part of the solver's state that decides the next values of `registers`, if no simulated state agrees with it.
    /// If one agrees, simulation continues from there. Returns `false` if nothing is excluded.
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

/// Evaluates the solver's state: the first case has the free variables of its model, the others have random ones.
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
