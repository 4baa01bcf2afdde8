//! The solvers behind one signature: a problem and an II, perhaps a length, give a placement, a proof that there is none,
//! or neither.

use std::str::FromStr;

use crate::constraints::Constraints;
use crate::heuristic::{self, Placement, Priority};
use crate::longest_path::earliest_starts;
use crate::problem::OperationId;
use crate::problem::Problem;
use crate::reservation::{Reservations, contending, own_units};
use crate::search::ends;
use crate::solve::SolverOptions;
use crate::{exact, pairwise, sat, sdc_modulo};

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

    /// The name of the method.
    pub fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(_, method)| *method == self);
        row.map_or("", |(name, _)| name)
    }

    /// Searches a placement.
    pub fn solve(self, task: &Task<'_>, options: &SolverOptions) -> Answer {
        match self {
            Self::Sdc => differences(task),
            Self::Ims => iterative(task, options),
            Self::SdcModulo => sdc_modulo::place(task, options.budget(task.problem)),
            Self::TimeRow => exact::place(task, options.exact_limits()),
            Self::Pairwise => pairwise::place(task, options.exact_limits()),
            Self::Sat => sat::place(task, options.sat_limits()),
        }
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

/// The constraints of a task, its length among them.
pub(crate) fn bounded(task: &Task<'_>) -> Constraints {
    match task.length {
        Some(length) => task.constraints.with(ends(task.constraints, length)),
        None => task.constraints.clone(),
    }
}

/// The earliest starts, if they happen to suit the units.
fn differences(task: &Task<'_>) -> Answer {
    let constraints = bounded(task);
    let Ok(mut start) = earliest_starts(&constraints, task.ii.unwrap_or(0)) else {
        return Answer::Impossible;
    };
    start.truncate(constraints.operation_count);
    let contends = contending(task.problem);
    let mut unit = own_units(task.problem);
    let table_ii = task.ii.and_then(|ii| usize::try_from(ii).ok());
    let mut reservations = Reservations::new(task.problem, table_ii);
    let mut order: Vec<usize> = (0..start.len()).collect();
    order.sort_by_key(|&index| (start[index], index));
    for index in order {
        let id = OperationId::from_index(index);
        if reservations.clashes_with_itself(task.problem, id) {
            return Answer::Impossible;
        }
        if !contends[index] {
            continue;
        }
        let Some(free) = reservations.free_unit(task.problem, id, start[index]) else {
            return Answer::Unknown(
                "operations compete for units, which difference constraints do not express"
                    .to_owned(),
            );
        };
        reservations.take(task.problem, id, free, start[index]);
        unit[index] = Some(free);
    }
    Answer::Found(Placement { start, unit })
}

fn iterative(task: &Task<'_>, options: &SolverOptions) -> Answer {
    let constraints = bounded(task);
    if earliest_starts(&constraints, task.ii.unwrap_or(0)).is_err() {
        return Answer::Impossible;
    }
    let budget = options.budget(task.problem);
    let found = [Priority::Height, Priority::Slack]
        .into_iter()
        .find_map(|priority| {
            heuristic::place(task.problem, &constraints, task.ii, priority, budget)
        });
    match found {
        Some(placement) => Answer::Found(placement),
        None => Answer::Unknown("the heuristic ran out of placements".to_owned()),
    }
}
