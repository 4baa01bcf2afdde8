//! Satisfiability: literals, clauses, and a search that may be asked again under other assumptions.
//!
//! No timeout is silent: a search that was stopped says so, and is neither satisfied nor refuted.
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

/// A variable, or that it does not hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(Lit);

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// What a search says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// All clauses hold in the model.
    Satisfied,
    /// They cannot hold together with the assumptions.
    Refuted,
    /// The limits ended the search.
    Stopped,
}

/// How much work a solver may do.
pub struct Limits {
    /// Work of all searches: literals of clauses learnt, and for each conflict 100 and a share of the formula.
    pub effort: u64,
    /// Asked now and then whether to stop; where it hangs on a clock, so does the answer.
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

/// Counts what the solver learns, and stops it.
struct Meter {
    learnt: u64,
    /// Literals of the formula, which propagation passes by.
    n_literals: usize,
    limits: Limits,
}

/// Of so many literals in the formula, propagation passes by about one for each conflict.
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

/// Clauses, and the search for values of their variables.
pub struct Solver {
    solver: batsat::Solver<Meter>,
    n_literals: usize,
    /// Room for a clause.
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

    /// The same, with values drawn at random for what the search is free in, the same ones each time: one that it finds says more of what else
    /// there is.
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

    /// Returns a new variable; the search tries false first and then what it was last.
    pub fn literal(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var(lbool::UNDEF, true), true))
    }

    /// Returns a new variable that clauses give a value for all values of others: the search tries none of its own.
    pub fn dependent(&mut self) -> Literal {
        Literal(Lit::new(self.solver.new_var(lbool::UNDEF, false), true))
    }

    /// At least one of these holds. `false` where the clauses now contradict each other.
    pub fn clause(&mut self, literals: &[Literal]) -> bool {
        self.n_literals += literals.len();
        self.clause.clear();
        self.clause.extend(literals.iter().map(|literal| literal.0));
        self.solver.add_clause_reuse(&mut self.clause)
    }

    /// Literals in all clauses.
    pub fn n_literals(&self) -> usize {
        self.n_literals
    }

    /// Searches values for which all clauses and these literals hold; what was learnt stays for the next search.
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

    /// Returns true if a literal holds in the model of the last search that was satisfied.
    pub fn holds(&self, literal: Literal) -> bool {
        let index = usize::try_from(literal.0.var().idx()).ok();
        let value = index.and_then(|index| self.solver.get_model().get(index).copied());
        value.is_some_and(|value| (value == lbool::TRUE) == literal.0.sign())
    }
}
