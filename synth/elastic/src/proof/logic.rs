//! Bits of a machine: known ones, or literals of formulas.

use sluice_sat::{Limits, Literal, Solver};

/// What a machine computes with.
pub(super) trait Logic {
    /// A bit.
    type Bit: Copy + PartialEq;

    /// A bit that is known.
    fn constant(&mut self, value: bool) -> Self::Bit;
    /// A bit that may be any, where one is wanted; the same ones are asked for in the same order in every machine of a graph.
    fn free(&mut self, wanted: Self::Bit) -> Self::Bit;
    /// Not.
    fn not(&mut self, a: Self::Bit) -> Self::Bit;
    /// And.
    fn and(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit;

    /// Or.
    fn or(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// `a` where the condition holds, else `b`.
    fn choose(&mut self, condition: Self::Bit, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        if a == b {
            return a;
        }
        let otherwise = self.not(condition);
        let (a, b) = (self.and(condition, a), self.and(otherwise, b));
        self.or(a, b)
    }

    /// Whether they differ.
    fn differ(&mut self, a: Self::Bit, b: Self::Bit) -> Self::Bit {
        let inverse = self.not(b);
        self.choose(a, inverse, b)
    }

    /// Whether all hold.
    fn all(&mut self, bits: &[Self::Bit]) -> Self::Bit {
        let yes = self.constant(true);
        bits.iter().fold(yes, |all, bit| self.and(all, *bit))
    }
}

/// Known bits; free ones that are wanted are given, in order, and `false` behind the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) choices: Vec<bool>,
    pub(super) n_used: usize,
}

impl Logic for Known {
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

/// Clauses that define the terms made so far.
///
/// Source: G. S. Tseitin, On the complexity of derivation in propositional calculus, 1968: a literal for each gate.
pub(super) struct Formula {
    pub(super) solver: Solver,
    /// The free bits, in order, with the terms that say where they are wanted.
    pub(super) choices: Vec<(Term, Literal)>,
}

impl Formula {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            solver: Solver::new(limits),
            choices: Vec::new(),
        }
    }

    /// Whether a term holds in the model.
    pub(super) fn holds(&self, term: Term) -> bool {
        match term {
            Term::Constant(value) => value,
            Term::Literal(literal) => self.solver.holds(literal),
        }
    }

    /// The free bits of the model that are wanted in it, in order.
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
