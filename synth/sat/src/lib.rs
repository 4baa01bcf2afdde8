//! Incremental Boolean satisfiability: literals, clauses, and a search that can be repeated under other assumptions.
//!
//! No timeout is silent: a stopped search returns its own answer, neither satisfied nor refuted.
//!
//! ```
//! use sluice_sat::{Answer, Limits, Solver};
//!
//! let mut solver = Solver::new(Limits::default());
//! let (a, b) = (solver.literal(), solver.literal());
//! solver.clause(&[a, b]);
//! solver.clause(&[!a, !b]);
//! assert_eq!(solver.solve(&[a]), Answer::Satisfied);
//! assert!(solver.holds(a) && !solver.holds(b));
//! assert_eq!(solver.solve(&[a, b]), Answer::Refuted);
//! ```

use std::fmt;
use std::ops::Not;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, lbool};

/// A variable, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(Lit);

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All clauses hold in the model that was found.
    Satisfied,
    /// The clauses cannot hold together with the assumptions.
    Refuted,
    /// The limits ended the search.
    Stopped,
}

/// Limits on the work of a solver.
pub struct Limits {
    /// Limit of the work of all searches: literals of learnt clauses, and for each conflict 100 and a share of the formula.
    pub effort: u64,
    /// Called periodically; true stops the search. If it depends on a clock, so does the answer.
    pub is_over: Box<dyn Fn() -> bool>,
}

impl Default for Limits {
    /// No limits.
    fn default() -> Self {
        Self {
            effort: u64::MAX,
            is_over: Box::new(|| false),
        }
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits")
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

/// Counts the work of the solver, and stops it at the limits.
struct Meter {
    learnt: u64,
    /// Literals of the formula, which propagation visits.
    n_literals: usize,
    limits: Limits,
}

/// For this many literals of the formula, propagation is counted as one literal per conflict.
const LITERALS_PER_STEP: usize = 1000;

impl Callbacks for Meter {
    fn on_new_clause(&mut self, clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            let literals = clause.len() + self.n_literals / LITERALS_PER_STEP;
            self.learnt += 100 + u64::try_from(literals).unwrap_or(u64::MAX);
        }
    }

    fn stop(&self) -> bool {
        self.learnt > self.limits.effort || (self.limits.is_over)()
    }
}

/// A set of clauses, and the search for values of their variables.
pub struct Solver {
    solver: batsat::Solver<Meter>,
    n_literals: usize,
    /// Buffer for a clause.
    clause: Vec<Lit>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("n_literals", &self.n_literals)
            .finish_non_exhaustive()
    }
}

impl Solver {
    /// Creates a solver without clauses.
    pub fn new(limits: Limits) -> Self {
        Self::with(limits, SolverOpts::default())
    }

    /// Creates a solver that draws free values at random, from a fixed seed: its models vary more and show more of the other
    /// solutions.
    pub fn varied(limits: Limits) -> Self {
        let options = SolverOpts {
            rnd_pol: true,
            ..SolverOpts::default()
        };
        Self::with(limits, options)
    }

    fn with(limits: Limits, options: SolverOpts) -> Self {
        let meter = Meter {
            learnt: 0,
            n_literals: 0,
            limits,
        };
        Self {
            solver: batsat::Solver::new(options, meter),
            n_literals: 0,
            clause: Vec::new(),
        }
    }

    /// Returns a new variable; the search first tries false, and then the last value.
    pub fn literal(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var(lbool::UNDEF, true), true))
    }

    /// Returns a new variable whose value follows from the others through the clauses: the search does not branch on it.
    pub fn dependent(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var(lbool::UNDEF, false), true))
    }

    /// Adds a clause: at least one of these literals holds. Returns `false` if the clauses now contradict each other.
    pub fn clause(&mut self, literals: &[Literal]) -> bool {
        self.n_literals += literals.len();
        self.clause.clear();
        self.clause.extend(literals.iter().map(|literal| literal.0));
        self.solver.add_clause_reuse(&mut self.clause)
    }

    /// Returns the number of literals in all clauses.
    pub fn n_literals(&self) -> usize {
        self.n_literals
    }

    /// Searches for values for which all clauses and these literals hold; learnt clauses stay for the next search.
    pub fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        self.solver.cb_mut().n_literals = self.n_literals;
        let assumptions: Vec<Lit> = assumptions.iter().map(|literal| literal.0).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Satisfied
        } else if answer == lbool::FALSE {
            Answer::Refuted
        } else {
            Answer::Stopped
        }
    }

    /// Returns true if a literal holds in the model of the last satisfied search.
    pub fn holds(&self, literal: Literal) -> bool {
        let index = usize::try_from(literal.0.var().idx()).ok();
        let value = index.and_then(|index| self.solver.get_model().get(index).copied());
        value.is_some_and(|value| (value == lbool::TRUE) == literal.0.sign())
    }
}
