//! Time frames: the clauses of one cycle of a circuit.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sluice_ir::watch::Watch;
use sluice_sat::{Limits, Literal as Variable, Solver};

use crate::classes::Classes;
use crate::logic::{Literal, Logic, Node};
use crate::reached::Cube;

/// Effort limit of the solver for one query; nodes count as different when it is reached.
const EFFORT: u64 = 20_000_000;

/// Gates as clauses, with structural hashing and constant folding.
pub(crate) struct Gates {
    pub(crate) solver: Solver,
    known: FxHashMap<[Variable; 2], Variable>,
    never: Variable,
}

impl Gates {
    pub(crate) fn new(watch: &Watch) -> Self {
        let watch = watch.clone();
        let mut solver = Solver::varied(Limits {
            effort: EFFORT,
            is_over: Box::new(move || watch.is_up()),
        });
        let never = solver.literal();
        solver.clause(&[!never]);
        Self {
            solver,
            known: FxHashMap::default(),
            never,
        }
    }

    pub(crate) fn constant(&self, value: bool) -> Variable {
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
            let both = solver.dependent();
            solver.clause(&[!both, a]);
            solver.clause(&[!both, b]);
            solver.clause(&[both, !a, !b]);
            both
        })
    }

    pub(crate) fn equal(&mut self, a: Variable, b: Variable) {
        self.solver.clause(&[!a, b]);
        self.solver.clause(&[a, !b]);
    }
}

fn signed(variable: Variable, is_inverse: bool) -> Variable {
    if is_inverse { !variable } else { variable }
}

/// A time frame: a variable for each node, shared by nodes that are known to be equal.
pub(crate) struct Frame {
    pub(crate) variables: Vec<Variable>,
}

impl Frame {
    /// Creates the frame without its gates; `held` gives the values of registers.
    pub(crate) fn new(
        gates: &mut Gates,
        logic: &Logic,
        held: &dyn Fn(&mut Gates, usize) -> Variable,
    ) -> Self {
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

    pub(crate) fn of(&self, literal: Literal) -> Variable {
        signed(self.variables[literal.node()], literal.is_inverse())
    }

    /// Creates the gate of an `And` node from the variables of its operands.
    pub(crate) fn make(&mut self, gates: &mut Gates, logic: &Logic, node: usize) {
        if let Node::And(a, b) = &logic.nodes[node] {
            self.variables[node] = gates.and(self.of(*a), self.of(*b));
        }
    }

    /// Returns the first node of a node's class, with the sign of the node.
    pub(crate) fn leader(&self, classes: &Classes, node: usize) -> Option<Variable> {
        let (first, is_inverse) = classes.leader(node)?;
        Some(signed(self.variables[first], is_inverse))
    }

    /// Returns the value of a node in the solver's model.
    pub(crate) fn holds(&self, gates: &Gates, node: usize) -> bool {
        gates.solver.holds(self.variables[node])
    }

    /// Returns the literals of a cube in this frame.
    pub(crate) fn bits(&self, logic: &Logic, cube: &Cube) -> Vec<Variable> {
        let bits = cube.iter().map(|(register, is_set)| {
            signed(self.variables[logic.registers[*register].node], !is_set)
        });
        bits.collect()
    }

    /// Adds the clause that no state of this frame contains a cube.
    pub(crate) fn exclude(&self, gates: &mut Gates, logic: &Logic, cube: &Cube) {
        let bits = self.bits(logic, cube).into_iter();
        gates
            .solver
            .clause(&bits.map(|bit| !bit).collect::<Vec<_>>());
    }

    /// Returns registers whose values, with those of the free variables, imply the values of some nodes in the solver's model.
    pub(crate) fn deciding(
        &self,
        gates: &Gates,
        logic: &Logic,
        nodes: &[usize],
    ) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<usize> = nodes.iter().copied().collect();
        let mut open = nodes.to_vec();
        while let Some(node) = open.pop() {
            let (a, b) = match &logic.nodes[node] {
                Node::Held(register) => {
                    found.insert(*register);
                    continue;
                }
                Node::Free => continue,
                Node::And(a, b) => (*a, *b),
            };
            let is_set =
                |literal: Literal| self.holds(gates, literal.node()) != literal.is_inverse();
            let needed = match (is_set(a), is_set(b)) {
                (true, true) => vec![a.node(), b.node()],
                (false, true) => vec![a.node()],
                (true, false) => vec![b.node()],
                // Either operand implies the result: take one that is followed already, else the one with fewer nodes before it.
                (false, false) if seen.contains(&a.node()) || seen.contains(&b.node()) => vec![],
                (false, false) => vec![a.node().min(b.node())],
            };
            open.extend(needed.into_iter().filter(|node| seen.insert(*node)));
        }
        found
    }
}
