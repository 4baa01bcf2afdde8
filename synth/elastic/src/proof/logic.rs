//! Boolean logic of the abstract machine: concrete bits, or literals of a SAT formula.

use sluice_sat::{Limits, Literal, Solver};

/// The logic that a machine computes with.
pub(super) trait Logic {
    /// A bit.
    type Bit: Copy + PartialEq;

    /// Returns a known bit.
    fn constant(&mut self, value: bool) -> Self::Bit;
    /// Returns an unconstrained bit if `wanted`. Every machine of a graph requests these bits in the same order.
    fn free(&mut self, wanted: Self::Bit) -> Self::Bit;
    /// Returns the negation.
    fn not(&mut self, a: Self::Bit) -> Self::Bit;
    /// Returns the conjunction.
    fn and(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// Returns the disjunction.
    fn or(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Returns `a` if the condition holds, else `b`.
    fn choose(&mut self, condition: Self::Bit, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        if a == b {
            return a;
        }
        let otherwise = self.not(condition);
        let (a, b) = (self.and(condition, a), self.and(otherwise, b));
        self.or(a, b)
    }

    /// Returns whether the bits differ.
    fn differ(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let inverse = self.not(b);
        self.choose(a, inverse, b)
    }

    /// Returns the conjunction of all bits.
    fn all(&mut self, bits: &[Self::Bit]) -> Self::Bit {
        let yes = self.constant(true);
        bits.iter().fold(yes, |all, bit| self.and(all, *bit))
    }
}

/// Concrete bits; unconstrained bits take the values of `choices` in order, then `false`.
#[derive(Clone, Debug, Default)]
pub(super) struct ConcreteLogic {
    pub(super) choices: Vec<bool>,
    pub(super) n_used: usize,
}

impl Logic for ConcreteLogic {
    type Bit = bool;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn free(&mut self, wanted: bool) -> bool {
        if !wanted {
            return false;
        }
        self.n_used += 1;
        self.choices.get(self.n_used - 1).copied().unwrap_or(false)
    }

    fn not(&mut self, a: bool) -> bool {
        !a
    }

    fn and(&mut self, a: bool, b: bool) -> bool {
        a && b
    }
}

/// A bit of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Term {
    Constant(bool),
    Literal(Literal),
}

/// The clauses that define the terms created so far.
///
/// Source: G. S. Tseitin, On the complexity of derivation in propositional calculus, 1968: one literal per gate.
pub(super) struct Formula {
    pub(super) solver: Solver,
    /// The unconstrained bits in order, each with the term that tells whether it is requested.
    pub(super) choices: Vec<(Term, Literal)>,
}

impl Formula {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            solver: Solver::new(limits),
            choices: Vec::new(),
        }
    }

    /// Returns the value of a term in the model.
    pub(super) fn holds(&self, term: Term) -> bool {
        match term {
            Term::Constant(value) => value,
            Term::Literal(literal) => self.solver.holds(literal),
        }
    }

    /// Returns the values of the requested unconstrained bits in the model, in order.
    pub(super) fn chosen(&self) -> Vec<bool> {
        let wanted = self
            .choices
            .iter()
            .filter(|(wanted, _)| self.holds(*wanted));
        wanted
            .map(|(_, literal)| self.solver.holds(*literal))
            .collect()
    }
}

impl Logic for Formula {
    type Bit = Term;

    fn constant(&mut self, value: bool) -> Term {
        Term::Constant(value)
    }

    fn free(&mut self, wanted: Term) -> Term {
        if wanted == Term::Constant(false) {
            return wanted;
        }
        let literal = self.solver.literal();
        self.choices.push((wanted, literal));
        Term::Literal(literal)
    }

    fn not(&mut self, a: Term) -> Term {
        match a {
            Term::Constant(value) => Term::Constant(!value),
            Term::Literal(literal) => Term::Literal(!literal),
        }
    }

    fn and(&mut self, a: Term, b: Term) -> Term {
        match (a, b) {
            (Term::Constant(false), _) | (_, Term::Constant(false)) => Term::Constant(false),
            (Term::Constant(true), other) | (other, Term::Constant(true)) => other,
            (Term::Literal(a), Term::Literal(b)) if a == b => Term::Literal(a),
            (Term::Literal(a), Term::Literal(b)) if a == !b => Term::Constant(false),
            (Term::Literal(a), Term::Literal(b)) => {
                let both = self.solver.literal();
                self.solver.clause(&[!both, a]);
                self.solver.clause(&[!both, b]);
                self.solver.clause(&[both, !a, !b]);
                Term::Literal(both)
            }
        }
    }
}
