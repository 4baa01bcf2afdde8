//! The search for the least II and the least length: bounds first, then the heuristic, then the exact program for the gap.

use crate::bounds::{ceiling, length_bound};
use crate::constraints::{Constraints, Edge};
use crate::heuristic::{self, Paths, Priority};
use crate::longest_path::earliest_starts;
use crate::options::{Objective, SolverOptions};
use crate::problem::Problem;
use crate::reservation::{contending, own_units};
use crate::task::{Answer, Method, Task, ends};
use crate::unit_order::{Ordered, fix_order};

/// Result of a search for the least II.
pub struct IiSearch {
    /// The least II for which there is a schedule, and that schedule.
    pub found: Option<(i64, Ordered)>,
    /// Every II below this one was proved impossible.
    pub proved_from: i64,
    /// True if every II was proved impossible.
    pub impossible: bool,
    /// Steps that were not finished.
    pub remarks: Vec<String>,
}

/// Searches for the least II from `first`, which is a proved bound, up to `last`.
pub fn find_min_ii(
    problem: &Problem,
    constraints: &Constraints,
    first: i64,
    last: i64,
    options: &SolverOptions,
) -> IiSearch {
    let mut search = IiSearch {
        found: None,
        proved_from: first,
        impossible: false,
        remarks: Vec::new(),
    };
    if let Some(method) = options.method {
        search.climb(problem, constraints, method, last, options);
        if search.found.is_none() && search.proved_from <= last {
            search.accept_no_overlap(problem, constraints, first, last, options);
        }
        return search;
    }
    let (attempts, step) = heuristic_attempts(problem, first, options);
    for ii in (first..=last).step_by(step).take(attempts) {
        if let Some(ordered) = heuristic_schedule(problem, constraints, Some(ii), options) {
            search.found = Some((ii, ordered));
            break;
        }
    }
    if search.found.is_none()
        && search.accept_no_overlap(problem, constraints, first, last, options)
    {
        return search;
    }
    search.close_gap(problem, constraints, last, options);
    search
}

/// Limits of operations times IIs for the heuristic and for the slower methods: a large problem costs more at each II, and gains
/// less from one cycle. Up to 3,125 and 2,500 operations these limits change nothing.
const HEURISTIC_II_OPERATIONS: usize = 200_000;
const EXACT_II_OPERATIONS: usize = 20_000;

/// Returns the number of IIs that the heuristic tries, and their spacing: for a large problem they reach to twice the first.
fn heuristic_attempts(problem: &Problem, first: i64, options: &SolverOptions) -> (usize, usize) {
    let all = options.heuristic_ii_attempts;
    let attempts = all.min(HEURISTIC_II_OPERATIONS / problem.operations.len().max(1));
    match attempts < all {
        true => {
            let attempts = attempts.max(2);
            let first = usize::try_from(first).unwrap_or(1);
            (attempts, first.div_ceil(attempts - 1).max(1))
        }
        false => (all, 1),
    }
}

/// Number of random priority orders that are tried where the usual ones fail.
const VARIATIONS: u64 = 8;

/// Divisor of the SAT solver's effort after an II that it did not decide.
const UNSETTLED: u64 = 4;

const OVER: &str = "the time is over";

impl IiSearch {
    fn accept(
        &mut self,
        problem: &Problem,
        constraints: &Constraints,
        ii: i64,
        placement: &heuristic::Placement,
    ) {
        self.found = Some((ii, fix_order(problem, constraints, Some(ii), placement)));
    }

    /// Falls back on iterations that do not overlap; returns true if every II is impossible.
    fn accept_no_overlap(
        &mut self,
        problem: &Problem,
        constraints: &Constraints,
        first: i64,
        last: i64,
        options: &SolverOptions,
    ) -> bool {
        match without_overlap(problem, constraints, first, last, options) {
            NoOverlap::Found(ii, ordered) => self.found = Some((ii, ordered)),
            NoOverlap::Impossible => self.impossible = true,
            NoOverlap::Unknown => {}
        }
        self.impossible
    }

    /// Tries one method from the bound upwards.
    fn climb(
        &mut self,
        problem: &Problem,
        constraints: &Constraints,
        method: Method,
        last: i64,
        options: &SolverOptions,
    ) {
        let mut unfinished = None;
        for ii in (self.proved_from..=last).take(options.heuristic_ii_attempts) {
            if options.is_over() {
                unfinished = unfinished.or(Some((ii, OVER.to_owned())));
                break;
            }
            let task = Task {
                problem,
                constraints,
                ii: Some(ii),
                length: None,
            };
            match method.solve(&task, options) {
                Answer::Found(placement) => {
                    self.accept(problem, constraints, ii, &placement);
                    break;
                }
                Answer::Impossible if unfinished.is_none() => self.proved_from = ii + 1,
                Answer::Impossible => {}
                Answer::Unknown(reason) => unfinished = unfinished.or(Some((ii, reason))),
            }
        }
        self.remark_unfinished(unfinished);
    }

    /// Searches between the bound and the II found: proofs and schedules from below, then schedules from above.
    fn close_gap(
        &mut self,
        problem: &Problem,
        constraints: &Constraints,
        last: i64,
        options: &SolverOptions,
    ) {
        let task = |ii: i64| Task {
            problem,
            constraints,
            ii: Some(ii),
            length: None,
        };
        let attempts_at_most = match options.deadline {
            // The time limit bounds the attempts.
            Some(_) => options.exact_ii_attempts,
            None => options
                .exact_ii_attempts
                .min(EXACT_II_OPERATIONS / problem.operations.len().max(1)),
        };
        let end = |search: &Self| search.found.as_ref().map_or(last, |(ii, _)| ii - 1);
        for ii in (self.proved_from..=end(self)).take(attempts_at_most) {
            if options.is_over() {
                break;
            }
            let paths = Paths::new(constraints, Some(ii));
            let varied = (0..VARIATIONS).find_map(|seed| {
                let priority = Priority::Varied(seed);
                let budget = options.budget(problem) / 2;
                heuristic::place(problem, paths.as_ref()?, priority, budget)
            });
            if let Some(placement) = varied {
                self.accept(problem, constraints, ii, &placement);
                break;
            }
        }
        let mut unfinished = None;
        let mut attempts = 0;
        let mut ii = self.proved_from;
        // If one II was not decided, the same effort hardly decides the next one.
        let mut less = *options;
        while ii <= end(self) && attempts < attempts_at_most {
            attempts += 1;
            if options.is_over() {
                unfinished = unfinished.or(Some((ii, OVER.to_owned())));
                break;
            }
            let answer = match Method::Sat.solve(&task(ii), &less) {
                Answer::Unknown(why) => {
                    less.sat_effort /= UNSETTLED;
                    self.other_ways(&task(ii), why, options)
                }
                answer => answer,
            };
            match answer {
                Answer::Found(placement) => {
                    self.accept(problem, constraints, ii, &placement);
                    break;
                }
                Answer::Impossible if unfinished.is_none() => self.proved_from = ii + 1,
                Answer::Impossible => {}
                Answer::Unknown(reason) => unfinished = unfinished.or(Some((ii, reason))),
            }
            ii += 1;
        }
        if attempts_at_most < options.exact_ii_attempts && ii <= end(self) && unfinished.is_none() {
            let count = problem.operations.len();
            unfinished = Some((ii, format!("{count} operations are too many to go on")));
        }
        // An II far below may be out of reach where one just below the II found is not.
        while let Some((found, _)) = self.found
            && found > ii
            && attempts < 2 * attempts_at_most
            && !options.is_over()
        {
            attempts += 1;
            match Method::Sat.solve(&task(found - 1), options) {
                Answer::Found(placement) => {
                    self.accept(problem, constraints, found - 1, &placement);
                }
                Answer::Impossible | Answer::Unknown(_) => break,
            }
        }
        self.remark_unfinished(unfinished);
    }

    /// Tries other methods on a task that the SAT solver did not decide: another heuristic, then the integer program if it is
    /// small.
    fn other_ways(&self, task: &Task<'_>, why: String, options: &SolverOptions) -> Answer {
        let quick = SolverOptions {
            placements_per_operation: 2,
            ..*options
        };
        for (method, options) in [(Method::SdcModulo, &quick), (Method::TimeRow, options)] {
            match method.solve(task, options) {
                Answer::Unknown(_) => {}
                answer => return answer,
            }
        }
        Answer::Unknown(why)
    }

    fn remark_unfinished(&mut self, unfinished: Option<(i64, String)>) {
        let found = self.found.as_ref().map(|(ii, _)| *ii);
        if let Some((ii, reason)) = unfinished
            && found.is_none_or(|found| ii < found)
        {
            self.remarks.push(format!(
                "whether II {ii} is possible was not settled: {reason}"
            ));
        }
    }
}

/// Returns the shortest of the heuristic's schedules at an II, or for operations that run once.
pub fn heuristic_schedule(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
    options: &SolverOptions,
) -> Option<Ordered> {
    let budget = options.budget(problem);
    if !contending(problem).contains(&true) {
        return unlimited_schedule(problem, constraints, ii);
    }
    let paths = Paths::new(constraints, ii)?;
    let mut best: Option<Ordered> = None;
    for priority in [Priority::Height, Priority::Slack] {
        if let Some(placement) = heuristic::place(problem, &paths, priority, budget) {
            let ordered = fix_order(problem, constraints, ii, &placement);
            if best
                .as_ref()
                .is_none_or(|best| ordered.length < best.length)
            {
                best = Some(ordered);
            }
        }
    }
    best
}

/// Returns the earliest starts as the schedule, if no operations compete for units.
fn unlimited_schedule(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
) -> Option<Ordered> {
    let occupied = |operation: &crate::problem::Operation| {
        operation
            .resource
            .map_or(0, |_| i64::from(operation.occupancy_cycles))
    };
    if ii.is_some_and(|ii| {
        problem
            .operations
            .iter()
            .any(|operation| occupied(operation) > ii)
    }) {
        return None;
    }
    let mut start = earliest_starts(constraints, ii.unwrap_or(0)).ok()?;
    start.truncate(constraints.operation_count);
    Some(fix_order(
        problem,
        constraints,
        ii,
        &heuristic::Placement {
            start,
            unit: own_units(problem),
        },
    ))
}

/// Result of a search for operations that run once.
pub enum BlockSearch {
    /// A schedule.
    Found(Ordered),
    /// A proof that there is no schedule.
    Impossible,
    /// Neither was decided, with the reason.
    Unknown(String),
}

/// Returns a schedule of operations that run once; the exact program is the last resort where latest starts and units defeat the
/// heuristic. The constraints must have earliest starts.
pub fn block(problem: &Problem, constraints: &Constraints, options: &SolverOptions) -> BlockSearch {
    if let Some(ordered) = heuristic_schedule(problem, constraints, None, options) {
        return BlockSearch::Found(ordered);
    }
    let length = sufficient_length(problem, constraints);
    let task = Task {
        problem,
        constraints,
        ii: None,
        length: Some(length),
    };
    match exact(&task, options) {
        Answer::Found(placement) => {
            BlockSearch::Found(fix_order(problem, constraints, None, &placement))
        }
        Answer::Impossible => BlockSearch::Impossible,
        Answer::Unknown(reason) => BlockSearch::Unknown(reason),
    }
}

/// Result of scheduling iterations so that they do not overlap on any unit.
enum NoOverlap {
    Found(i64, Ordered),
    /// A proof that not even one iteration can be scheduled.
    Impossible,
    Unknown,
}

/// Returns a schedule whose iterations do not overlap on any unit, which exists wherever no latest start forbids it.
fn without_overlap(
    problem: &Problem,
    constraints: &Constraints,
    first: i64,
    last: i64,
    options: &SolverOptions,
) -> NoOverlap {
    let mut within = constraints.clone();
    within.edges.retain(|edge| edge.distance == 0);
    let block = match block(problem, &within, options) {
        BlockSearch::Found(block) => block,
        BlockSearch::Impossible => return NoOverlap::Impossible,
        BlockSearch::Unknown(_) => return NoOverlap::Unknown,
    };
    let needs = |edge: &Edge| {
        if edge.distance == 0 || edge.from == constraints.zero() || edge.to == constraints.zero() {
            return first;
        }
        ceiling(
            edge.weight + block.start[edge.from] - block.start[edge.to],
            edge.distance,
        )
    };
    let mut ii = constraints
        .edges
        .iter()
        .map(needs)
        .max()
        .unwrap_or(first)
        .max(first);
    for index in 0..problem.resources.len() {
        let users: Vec<usize> =
            crate::bounds::users(problem, crate::problem::ResourceId::from_index(index))
                .map(|id| id.index())
                .collect();
        let begin = users
            .iter()
            .map(|&user| block.start[user])
            .min()
            .unwrap_or(0);
        let end = users
            .iter()
            .map(|&user| block.start[user] + i64::from(problem.operations[user].occupancy_cycles))
            .max()
            .unwrap_or(0);
        ii = ii.max(end - begin);
    }
    let placement = heuristic::Placement {
        start: block.start,
        unit: block.unit,
    };
    if ii > last {
        return NoOverlap::Unknown;
    }
    NoOverlap::Found(ii, fix_order(problem, constraints, Some(ii), &placement))
}

/// Result of a search for the least length.
pub struct LengthSearch {
    /// The shortest schedule.
    pub ordered: Ordered,
    /// Proved lower bound: no shorter length is possible.
    pub proved_from: i64,
    /// Steps that were not finished.
    pub remarks: Vec<String>,
}

/// Limit of operations times lengths that the heuristic tries.
const HEURISTIC_LENGTH_OPERATIONS: usize = 4000;

/// Searches for the least length at the II of a schedule.
pub fn find_min_length(
    problem: &Problem,
    constraints: &Constraints,
    ii: Option<i64>,
    ordered: Ordered,
    options: &SolverOptions,
) -> LengthSearch {
    let bound = length_bound(problem, constraints, ii.unwrap_or(0)).cycles;
    let mut search = LengthSearch {
        ordered,
        proved_from: bound,
        remarks: Vec::new(),
    };
    if ii.is_some() && options.objective == Objective::Ii {
        return search;
    }
    // A large problem costs more at each length, and gains less from one cycle.
    let heuristic_attempts = (HEURISTIC_LENGTH_OPERATIONS / problem.operations.len().max(1))
        .clamp(1, options.length_attempts.max(1));
    for length in (bound..search.ordered.length).take(heuristic_attempts) {
        if options.is_over() {
            break;
        }
        let bounded = constraints.with(ends(constraints, length));
        if let Some(shorter) = heuristic_schedule(problem, &bounded, ii, options) {
            let placement = heuristic::Placement {
                start: shorter.start,
                unit: shorter.unit,
            };
            search.ordered = fix_order(problem, constraints, ii, &placement);
            break;
        }
    }
    let less = SolverOptions {
        sat_effort: options.sat_effort / 10,
        ..*options
    };
    let mut unfinished = None;
    for length in (bound..search.ordered.length).take(options.length_attempts) {
        if options.is_over() {
            unfinished = unfinished.or(Some((length, OVER.to_owned())));
            break;
        }
        let task = Task {
            problem,
            constraints,
            ii,
            length: Some(length),
        };
        match exact(&task, &less) {
            Answer::Found(placement) => {
                search.ordered = fix_order(problem, constraints, ii, &placement);
                break;
            }
            Answer::Impossible if unfinished.is_none() => search.proved_from = length + 1,
            Answer::Impossible => {}
            Answer::Unknown(reason) => {
                // A longer schedule makes a larger program: a program that is too large stays too large.
                unfinished = Some((length, reason));
                break;
            }
        }
    }
    if let Some((length, reason)) = unfinished {
        search.remarks.push(format!(
            "whether a length of {length} cycles is possible was not settled: {reason}"
        ));
    }
    search
}

/// Runs the integer program, then the SAT solver if the program is too large or does not finish.
fn exact(task: &Task<'_>, options: &SolverOptions) -> Answer {
    match Method::TimeRow.solve(task, options) {
        Answer::Unknown(why) => match Method::Sat.solve(task, options) {
            Answer::Unknown(_) => Answer::Unknown(why),
            answer => answer,
        },
        answer => answer,
    }
}

/// Returns a length within which a schedule exists if any exists: the sum of the gaps of all operations in sequence.
pub fn sufficient_length(problem: &Problem, constraints: &Constraints) -> i64 {
    let mut longest = constraints.span.clone();
    let mut earliest = 0;
    for edge in &constraints.edges {
        if edge.from == constraints.zero() {
            earliest = earliest.max(edge.weight);
        } else if edge.to != constraints.zero() {
            longest[edge.from] = longest[edge.from].max(edge.weight);
        }
    }
    for (cycles, operation) in longest.iter_mut().zip(&problem.operations) {
        *cycles = (*cycles).max(i64::from(operation.occupancy_cycles));
    }
    earliest + longest.iter().sum::<i64>()
}
