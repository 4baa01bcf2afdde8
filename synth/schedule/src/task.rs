//! What is asked of a solver, and what it answers.

use std::str::FromStr;

use crate::constraints::{Constraints, Edge, Origin};
use crate::heuristic::Placement;
use crate::problem::Problem;

/// What is asked of a solver.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its constraints.
    pub constraints: &'a Constraints,
    /// The II; none for operations that run once.
    pub ii: Option<i64>,
    /// The length within which all must end, if there is a limit.
    pub length: Option<i64>,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A placement.
    Found(Placement),
    /// There is none.
    Impossible,
    /// Neither was settled, with the reason.
    Unknown(String),
}

/// One way to search a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Difference constraints alone; settles what does not compete for units.
    Sdc,
    /// Iterative modulo scheduling.
    Ims,
    /// Modulo scheduling on a system of difference constraints, with backtracking.
    SdcModulo,
    /// Integer program with one binary variable per operation and slot.
    TimeRow,
    /// Integer program with binary variables per pair of operations.
    Pairwise,
    /// Satisfiability.
    Sat,
}

impl Method {
    /// All methods by name.
    pub const ALL: [(&'static str, Self); 6] = [
        ("sdc", Self::Sdc),
        ("ims", Self::Ims),
        ("sdc-modulo", Self::SdcModulo),
        ("time-row", Self::TimeRow),
        ("pairwise", Self::Pairwise),
        ("sat", Self::Sat),
    ];

    /// Returns the name of the method.
    pub fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(_, method)| *method == self);
        row.map_or("", |(name, _)| name)
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let row = Self::ALL.iter().find(|(known, _)| *known == name);
        row.map(|(_, method)| *method)
            .ok_or_else(|| format!("there is no solver `{name}`"))
    }
}

/// Returns the constraints of a task, its length among them.
pub(crate) fn bounded(task: &Task<'_>) -> Constraints {
    match task.length {
        Some(length) => task.constraints.with(ends(task.constraints, length)),
        None => task.constraints.clone(),
    }
}

/// Every operation ends within the length.
pub fn ends(constraints: &Constraints, length: i64) -> impl Iterator<Item = Edge> + '_ {
    (0..constraints.operation_count).map(move |index| Edge {
        from: index,
        to: constraints.zero(),
        weight: constraints.span[index] - length,
        distance: 0,
        origin: Origin::Length,
    })
}
