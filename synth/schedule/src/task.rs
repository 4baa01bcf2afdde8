//! The input and the output of a solver.

use std::str::FromStr;

use crate::constraints::{Constraints, Edge, Origin};
use crate::heuristic::Placement;
use crate::problem::Problem;

/// The input of a solver.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// Its constraints.
    pub constraints: &'a Constraints,
    /// The II; none for operations that run once.
    pub ii: Option<i64>,
    /// The length within which all operations must end, if there is a limit.
    pub length: Option<i64>,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A placement.
    Found(Placement),
    /// A proof that there is no placement.
    Impossible,
    /// Neither was decided, with the reason.
    Unknown(String),
}

/// A method that searches for a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Difference constraints alone; decides problems without competition for units.
    Sdc,
    /// Iterative modulo scheduling.
    Ims,
    /// Modulo scheduling on a system of difference constraints, with backtracking.
    SdcModulo,
    /// Integer program with one binary variable per operation and slot.
    TimeRow,
    /// Integer program with binary variables per pair of operations.
    Pairwise,
    /// Boolean satisfiability.
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

/// Returns the constraints of a task, with the limit of its length.
pub(crate) fn bounded(task: &Task<'_>) -> Constraints {
    match task.length {
        Some(length) => task.constraints.with(ends(task.constraints, length)),
        None => task.constraints.clone(),
    }
}

/// Returns the constraints that every operation ends within the length.
pub fn ends(constraints: &Constraints, length: i64) -> impl Iterator<Item = Edge> + '_ {
    (0..constraints.operation_count).map(move |index| Edge {
        from: index,
        to: constraints.zero(),
        weight: constraints.span[index] - length,
        distance: 0,
        origin: Origin::Length,
    })
}
