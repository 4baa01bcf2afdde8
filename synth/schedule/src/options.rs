//! Options of the solvers: methods, limits and the objective.

use crate::linear::Budget;
use crate::problem::Problem;
use crate::task::Method;

/// Options of the solvers. The defaults depend only on the problem, so the result is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// Placements per operation that the heuristic may try at one II.
    pub placements_per_operation: usize,
    /// Number of IIs, from the lower bound upwards, that the heuristic tries.
    pub heuristic_ii_attempts: usize,
    /// Number of IIs, from the lower bound upwards, that the exact program tries.
    pub exact_ii_attempts: usize,
    /// Number of lengths, from the lower bound upwards, that the heuristic and the exact program try.
    pub length_attempts: usize,
    /// Greatest size of an exact program, in non-zero coefficients; 0 turns it off.
    pub exact_coefficients: usize,
    /// Branch-and-bound nodes of one exact program, times its non-zero coefficients.
    pub exact_effort: usize,
    /// Wall-clock limit of one exact program in seconds; with it, the result may depend on the machine.
    pub exact_time_limit_s: Option<f64>,
    /// Greatest number of operations for which registers are minimised by linear programming.
    pub lp_operations: usize,
    /// True if the solver searches for changes that lower the II.
    pub relaxations: bool,
    /// Greatest number of literals of a formula; 0 turns the SAT solver off.
    pub sat_literals: usize,
    /// Work of the SAT solver on one formula: literals it may learn, and for each conflict 100 and a share of the formula.
    pub sat_effort: u64,
    /// The only solver to use for the II, instead of all in turn.
    pub method: Option<Method>,
    /// The values to minimise.
    pub objective: Objective,
    /// The end of a wall-clock limit; with it, the result may depend on the machine.
    pub deadline: Option<Deadline>,
}

/// A moment by which to end, measured by a clock that the caller provides; this crate has no clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    /// The clock: seconds since some moment.
    pub now_s: fn() -> f64,
    /// The end by this clock.
    pub end_s: f64,
}

impl PartialEq for Deadline {
    fn eq(&self, other: &Self) -> bool {
        // There is only one clock, so the ends suffice.
        self.end_s == other.end_s
    }
}

impl Deadline {
    /// Returns the seconds that are left; negative after the end.
    pub fn left_s(self) -> f64 {
        self.end_s - (self.now_s)()
    }

    /// Returns true if no time is left.
    pub fn is_over(self) -> bool {
        self.left_s() <= 0.0
    }
}

/// The values that are minimised, in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objective {
    /// The II alone, or the length of operations that run once.
    Ii,
    /// The II, then the length.
    Length,
    /// The II, then the length, then the register bits.
    Registers,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            placements_per_operation: 16,
            heuristic_ii_attempts: 64,
            exact_ii_attempts: 8,
            length_attempts: 8,
            exact_coefficients: 30_000,
            exact_effort: 500_000,
            exact_time_limit_s: None,
            lp_operations: 2000,
            relaxations: true,
            sat_literals: 6_000_000,
            sat_effort: 10_000_000,
            method: None,
            objective: Objective::Registers,
            deadline: None,
        }
    }
}

impl SolverOptions {
    pub(crate) fn exact_limits(&self) -> Limits {
        Limits {
            coefficients: self.exact_coefficients,
            effort: self.exact_effort,
            time_limit_s: self.time_left_s(),
        }
    }

    /// Removes all limits except the deadline.
    pub fn limited_by_time(self, deadline: Deadline) -> Self {
        Self {
            exact_coefficients: 3_000_000,
            exact_effort: usize::MAX,
            exact_ii_attempts: usize::MAX / 4,
            length_attempts: usize::MAX / 4,
            sat_literals: 40_000_000,
            sat_effort: u64::MAX,
            deadline: Some(deadline),
            ..self
        }
    }

    /// Returns true if the deadline has passed.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_over)
    }

    pub(crate) fn sat_limits(&self) -> SatLimits {
        SatLimits {
            literals: self.sat_literals,
            effort: self.sat_effort,
            deadline: self.deadline,
        }
    }

    /// Returns the number of placements that a heuristic may try at one II.
    pub(crate) fn budget(&self, problem: &Problem) -> usize {
        self.placements_per_operation
            .saturating_mul(problem.operations.len())
    }

    /// Returns the wall-clock seconds that one exact program may take, if there is a limit.
    pub(crate) fn time_left_s(&self) -> Option<f64> {
        let left = self.deadline.map(|deadline| deadline.left_s().max(0.001));
        match (left, self.exact_time_limit_s) {
            (Some(left), Some(limit)) => Some(left.min(limit)),
            (left, limit) => left.or(limit),
        }
    }
}

/// Limits on the size of an integer program and on the work of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Greatest number of non-zero coefficients.
    pub coefficients: usize,
    /// Greatest number of branch-and-bound nodes times coefficients.
    pub effort: usize,
    /// Wall-clock limit in seconds, if the user set one.
    pub time_limit_s: Option<f64>,
}

impl Limits {
    /// Returns the budget of a program with this number of coefficients: the larger the program, the fewer nodes.
    pub fn budget(&self, coefficients: usize) -> Budget {
        let nodes = u32::try_from(self.effort / coefficients.max(1)).unwrap_or(u32::MAX);
        Budget {
            nodes: nodes.max(1),
            time_limit_s: self.time_limit_s,
        }
    }
}

/// Limits on the work of the SAT solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SatLimits {
    /// Greatest number of literals in all clauses.
    pub literals: usize,
    /// Work of the search: literals of clauses learnt, and for each conflict 100 and a share of the formula.
    pub effort: u64,
    /// The end of a wall-clock limit, if the user set one; the result may then depend on the machine.
    pub deadline: Option<Deadline>,
}
