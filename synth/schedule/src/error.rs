//! Errors of scheduling: wrong input, infeasible constraints, a search that gave up, or an internal error.

use crate::checker::Violation;
use crate::problem::OperationId;

/// The reason why there is no schedule.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// The problem itself is wrong; all faults, one sentence each.
    #[error("{}", .0.join("; "))]
    Input(Vec<String>),
    /// No schedule meets the constraints.
    #[error("{0}")]
    Infeasible(Box<Infeasible>),
    /// No schedule was found, and none was proved impossible.
    #[error("{0}")]
    Unsolved(String),
    /// A solver returned a schedule that the checker rejects: an internal error.
    #[error("internal: the schedule of `{problem}` fails its check: {}", violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Internal {
        /// Name of the problem.
        problem: String,
        /// The violations that the checker found.
        violations: Vec<Violation>,
    },
}

/// A constraint that cannot be met, the operations concerned, and the nearest value that can be met.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Infeasible {
    /// The constraint.
    pub constraint: Constraint,
    /// The operations that need more.
    pub operations: Vec<OperationId>,
    /// The nearest value that can be met, where one is known.
    pub nearest: Option<Nearest>,
    /// The whole finding as one sentence.
    pub message: String,
}

/// The constraint that cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The clock period is shorter than a delay that no register can cut.
    ClockPeriod,
    /// The II asked for is too small.
    InitiationInterval,
    /// An earliest or latest start, or an order with a greatest distance, is too tight.
    Window,
    /// There is no unit at all of a kind that is used.
    ResourceCount,
}

/// The nearest value that can be met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nearest {
    /// Usable clock period in ns.
    ClockPeriodNs(f64),
    /// Initiation interval.
    Ii(u32),
    /// Latest start of an operation.
    Latest(OperationId, u32),
    /// Number of units.
    Count(u32),
}
