//! Dispatch to the solvers, which share one signature: from a problem and an II, perhaps a length, to a placement, a proof that
//! there is none, or neither.

use crate::heuristic::{self, Paths, Placement, Priority};
use crate::longest_path::earliest_starts;
use crate::options::SolverOptions;
use crate::problem::OperationId;
use crate::reservation::{Reservations, contending, own_units};
use crate::task::{Answer, Method, Task, bounded};
use crate::{exact, pairwise, sat, sdc_modulo};

impl Method {
    /// Searches for a placement.
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

/// Returns the earliest starts, if they also keep the limits of the units.
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
    let Some(paths) = Paths::new(&constraints, task.ii) else {
        return Answer::Impossible;
    };
    let budget = options.budget(task.problem);
    let found = [Priority::Height, Priority::Slack]
        .into_iter()
        .find_map(|priority| heuristic::place(task.problem, &paths, priority, budget));
    match found {
        Some(placement) => Answer::Found(placement),
        None => Answer::Unknown("the heuristic ran out of placements".to_owned()),
    }
}
