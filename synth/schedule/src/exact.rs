//! Exact placement by integer linear programming: one binary per operation and slot, one stage per operation.
//!
//! Source: A. E. Eichenberger and E. S. Davidson, Efficient formulation for optimal modulo schedulers, PLDI 1997,
//! sections 3 and 4. Differs: only operations that compete for units are in the program. All others are represented by the
//! longest paths through them, which is exact because they can start at any time. Without an II there is one stage and the slots
//! are the cycles.

use good_lp::{Expression, variable};

use crate::bounds::ceiling;
use crate::constraints::{Constraints, Edge, Origin};
use crate::heuristic::Placement;
use crate::linear::{Budget, Column, Model, Outcome};
use crate::longest_path::{earliest_starts, tails};
use crate::options::Limits;
use crate::paths_to_targets::PathsToTargets;
use crate::problem::{OperationId, Problem, ResourceId};
use crate::reservation::{contending, own_units};
use crate::task::{Answer, Task};
use crate::unit_order::length as end;

/// Searches for a placement.
pub fn place(task: &Task<'_>, limits: Limits) -> Answer {
    placed(task, |program| {
        let size = program.coefficients();
        if size > limits.coefficients {
            return Err(format!(
                "its integer program has {size} coefficients, more than {}",
                limits.coefficients
            ));
        }
        program.solve(limits.budget(size))
    })
}

/// Builds the integer program of a task, solves it and completes the solution. Operations that run once need a length.
pub fn placed(
    task: &Task<'_>,
    solve: impl FnOnce(&Program<'_>) -> Result<Option<Found>, String>,
) -> Answer {
    let Task {
        problem,
        constraints,
        ii,
        length,
    } = *task;
    let period = ii.unwrap_or(0);
    let Ok(head) = earliest_starts(constraints, period) else {
        return Answer::Impossible;
    };
    let tail = tails(constraints, period);
    if let Some(length) = length
        && (0..constraints.operation_count).any(|index| head[index] + tail[index] > length)
    {
        return Answer::Impossible;
    }
    let Some(slots) = ii.or(length) else {
        return Answer::Unknown("the length has no bound".to_owned());
    };
    let contends = contending(problem);
    let members: Vec<usize> = (0..constraints.operation_count)
        .filter(|&index| contends[index])
        .collect();
    if members.len() > MAX_MEMBERS {
        return Answer::Unknown(format!(
            "{} operations compete for units, more than {MAX_MEMBERS}",
            members.len()
        ));
    }
    if ii.is_some_and(|ii| {
        problem
            .operations
            .iter()
            .any(|op| op.resource.is_some() && i64::from(op.occupancy_cycles) > ii)
    }) {
        return Answer::Impossible;
    }
    let program = Program::new(
        problem,
        constraints,
        ii,
        slots,
        &members,
        &head,
        &tail,
        length,
    );
    let Some(program) = program else {
        return Answer::Impossible;
    };
    match solve(&program) {
        Ok(None) => Answer::Impossible,
        Ok(Some(found)) => match program.complete(constraints, &found, own_units(problem)) {
            Some(placement)
                if length.is_none_or(|length| end(constraints, &placement.start) <= length) =>
            {
                Answer::Found(placement)
            }
            Some(_) | None => {
                Answer::Unknown("the integer program returned an inexact solution".to_owned())
            }
        },
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Above this number of members, the distances of all pairs are already too many for an integer program.
const MAX_MEMBERS: usize = 400;

/// Slot and unit of each member.
pub type Found = Vec<(i64, usize)>;

/// The operations that compete for units, with the bounds of their starts.
pub struct Program<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The II, if there is one.
    pub ii: Option<i64>,
    /// Number of slots: the II, or the length.
    pub slots: i64,
    /// The operations.
    pub members: &'a [usize],
    /// Slots that each member may take.
    pub choices: Vec<Vec<i64>>,
    /// Least and greatest stage of each member; the latter is none where no constraint bounds it.
    pub stages: Vec<(i64, Option<i64>)>,
    /// Least differences between members: from, to, cycles. Member `members.len()` is cycle 0.
    gaps: Vec<(usize, usize, i64)>,
    /// The gaps that the program must keep. Without a length these are only the gaps between members of one recurrence: any other
    /// gap is kept by delaying all later operations by multiples of the II, which changes no slot.
    pub binding_gaps: Vec<(usize, usize, i64)>,
    /// True for each resource whose units the program distinguishes.
    distinguishes_units: Vec<bool>,
}

impl<'a> Program<'a> {
    #[expect(
        clippy::too_many_arguments,
        reason = "the analyses are shared with the caller"
    )]
    fn new(
        problem: &'a Problem,
        constraints: &Constraints,
        ii: Option<i64>,
        slots: i64,
        members: &'a [usize],
        head: &[i64],
        tail: &[i64],
        length: Option<i64>,
    ) -> Option<Self> {
        let period = ii.unwrap_or(0);
        let mut nodes = members.to_vec();
        nodes.push(constraints.zero());
        let gaps = constraints.edges.iter();
        let gaps = gaps.map(|edge| ((edge.from, edge.to), edge.gap(period)));
        let paths = PathsToTargets::new(gaps, head.to_vec());
        // longest[to][from]
        let mut longest: Vec<Vec<Option<i64>>> = nodes
            .iter()
            .map(|&to| {
                let all = paths.longest_to(to);
                nodes.iter().map(|&from| all[from]).collect()
            })
            .collect();
        let zero = members.len();
        if let Some(length) = length {
            for (position, &index) in members.iter().enumerate() {
                let path = &mut longest[zero][position];
                *path = (*path).max(Some(tail[index] - length));
            }
        }
        let mut choices = Vec::new();
        let mut stages = Vec::new();
        for (position, &index) in members.iter().enumerate() {
            let last = longest[zero][position].map(|path| -path);
            let first = head[index];
            let reachable = |slot: &i64| match ii {
                None => *slot >= first && last.is_none_or(|last| *slot <= last),
                Some(ii) => last.is_none_or(|last| {
                    let earliest = slot + ii * ceiling(first - slot, ii);
                    earliest <= last
                }),
            };
            let mine: Vec<i64> = (0..slots).filter(reachable).collect();
            if mine.is_empty() {
                return None;
            }
            choices.push(mine);
            stages.push(match ii {
                None => (0, Some(0)),
                Some(ii) => (first.div_euclid(ii), last.map(|last| last.div_euclid(ii))),
            });
        }
        let distinguishes_units = problem
            .resources
            .iter()
            .enumerate()
            .map(|(index, resource)| {
                let long = problem.operations.iter().any(|operation| {
                    operation.resource == Some(ResourceId::from_index(index))
                        && operation.occupancy_cycles > 1
                });
                ii.is_some() && resource.count > 1 && long
            })
            .collect();
        let gaps = irreducible_gaps(&longest);
        let mut binding_gaps = gaps.clone();
        if length.is_none() {
            binding_gaps.retain(|&(from, to, _)| longest[from][to].is_some());
        }
        Some(Self {
            problem,
            ii,
            slots,
            members,
            choices,
            stages,
            gaps,
            binding_gaps,
            distinguishes_units,
        })
    }

    fn operation(&self, member: usize) -> &crate::problem::Operation {
        self.problem
            .operation(OperationId::from_index(self.members[member]))
    }

    /// Returns the resource of a member.
    pub fn resource(&self, member: usize) -> ResourceId {
        self.operation(member)
            .resource
            .expect("members compete for units")
    }

    /// Returns the number of units among which the program distinguishes for a member; 1 where it only counts.
    fn unit_choices(&self, member: usize) -> usize {
        let resource = self.resource(member);
        if !self.distinguishes_units[resource.index()] {
            return 1;
        }
        // Units are interchangeable, so the n-th user needs only the first n.
        let ordinal = (0..member)
            .filter(|&other| self.resource(other) == resource)
            .count();
        usize::try_from(self.problem.resource(resource).count)
            .expect("a 32-bit count fits")
            .min(ordinal + 1)
    }

    /// Returns an estimate of the non-zero coefficients.
    fn coefficients(&self) -> usize {
        let slots = usize::try_from(self.slots).unwrap_or(usize::MAX);
        let width = |member: usize| match self.choices.get(member) {
            Some(choices) => choices.len() * self.unit_choices(member),
            None => 1,
        };
        let ordered: usize = self
            .binding_gaps
            .iter()
            .map(|&(from, to, _)| (width(from) + width(to)).saturating_mul(slots) / 2)
            .sum();
        let counted: usize = (0..self.members.len())
            .map(|member| {
                width(member).saturating_mul(
                    usize::try_from(self.operation(member).occupancy_cycles).unwrap_or(usize::MAX),
                )
            })
            .fold(0, usize::saturating_add);
        ordered.saturating_add(counted)
    }

    fn solve(&self, budget: Budget) -> Result<Option<Found>, String> {
        let mut model = Model::default();
        // By member: slot, unit, binary.
        let mut binaries: Vec<Vec<(i64, usize, Column)>> = Vec::new();
        let mut stages: Vec<Option<Column>> = Vec::new();
        for member in 0..self.members.len() {
            let mut mine = Vec::new();
            for unit in 0..self.unit_choices(member) {
                for &slot in &self.choices[member] {
                    mine.push((slot, unit, model.column(variable().binary())));
                }
            }
            let one: Expression = mine.iter().map(|(_, _, column)| column.variable).sum();
            model.row(one.eq(1));
            binaries.push(mine);
            let (least, greatest) = self.stages[member];
            stages.push(self.ii.map(|_| {
                let definition = variable().min(float(least));
                model.column(match greatest {
                    Some(greatest) => definition.max(float(greatest)),
                    None => definition,
                })
            }));
        }
        for &(from, to, gap) in &self.binding_gaps {
            self.add_gap_rows(&mut model, &binaries, &stages, from, to, gap);
        }
        self.add_unit_rows(&mut model, &binaries);
        let values = match model.solve(budget) {
            Outcome::Optimal(values) | Outcome::Feasible(values) => values,
            Outcome::Infeasible => return Ok(None),
            Outcome::Unknown(reason) => return Err(reason),
        };
        let chosen = |mine: &Vec<(i64, usize, Column)>| {
            let best = mine
                .iter()
                .max_by(|a, b| values[a.2.index].total_cmp(&values[b.2.index]));
            best.map(|&(slot, unit, _)| (slot, unit))
                .expect("every member has a choice")
        };
        Ok(Some(binaries.iter().map(chosen).collect()))
    }

    /// Adds a row for each slot of `from`: if `from` starts there or later, `to` starts no earlier than `gap` cycles after that
    /// slot.
    fn add_gap_rows(
        &self,
        model: &mut Model,
        binaries: &[Vec<(i64, usize, Column)>],
        stages: &[Option<Column>],
        from: usize,
        to: usize,
        gap: i64,
    ) {
        let zero = self.members.len();
        for slot in 0..self.slots {
            let (wraps, limit) = match self.ii {
                Some(ii) => (
                    (slot + gap - 1).div_euclid(ii),
                    (slot + gap - 1).rem_euclid(ii),
                ),
                None => (0, slot + gap - 1),
            };
            let mut sum = Expression::from(0.0);
            let mut from_terms = 0;
            if from == zero {
                // Cycle 0 is slot 0 of stage 0.
                if slot > 0 {
                    break;
                }
                sum += 1.0;
                from_terms += 1;
            } else {
                for (_, _, column) in binaries[from].iter().filter(|(at, _, _)| *at >= slot) {
                    sum += column.variable;
                    from_terms += 1;
                }
                if let Some(stage) = stages[from] {
                    sum += stage.variable;
                }
            }
            let mut to_terms = 0;
            if to == zero {
                if limit >= 0 {
                    sum += 1.0;
                    to_terms += 1;
                }
            } else {
                for (_, _, column) in binaries[to].iter().filter(|(at, _, _)| *at <= limit) {
                    sum += column.variable;
                    to_terms += 1;
                }
                if let Some(stage) = stages[to] {
                    sum -= stage.variable;
                }
            }
            if self.ii.is_some() || (from_terms > 0 && to_terms > 0) {
                model.row(sum.leq(float(1 - wraps)));
            }
        }
    }

    /// Adds the limits of the units: in every slot at most as many operations as units, or at most one on each unit where they
    /// are distinguished.
    fn add_unit_rows(&self, model: &mut Model, binaries: &[Vec<(i64, usize, Column)>]) {
        for (index, resource) in self.problem.resources.iter().enumerate() {
            let id = ResourceId::from_index(index);
            let users: Vec<usize> = (0..self.members.len())
                .filter(|&member| self.resource(member) == id)
                .collect();
            if users.is_empty() {
                continue;
            }
            let (units, capacity) = if self.distinguishes_units[index] {
                (
                    usize::try_from(resource.count)
                        .expect("a 32-bit count fits")
                        .min(users.len()),
                    1,
                )
            } else {
                (1, resource.count)
            };
            for unit in 0..units {
                for slot in 0..self.slots {
                    let mut sum = Expression::from(0.0);
                    let mut terms = 0u32;
                    for &user in &users {
                        let occupancy = i64::from(self.operation(user).occupancy_cycles);
                        let covers = |at: i64| match self.ii {
                            Some(ii) => (slot - at).rem_euclid(ii) < occupancy,
                            None => (0..occupancy).contains(&(slot - at)),
                        };
                        for (at, of, column) in &binaries[user] {
                            if *of == unit && covers(*at) {
                                sum += column.variable;
                                terms += 1;
                            }
                        }
                    }
                    if terms > capacity {
                        model.row(sum.leq(f64::from(capacity)));
                    }
                }
            }
        }
    }

    /// Computes stages for the slots found, units where they were only counted, and starts for all other operations.
    fn complete(
        &self,
        constraints: &Constraints,
        found: &Found,
        own_units: Vec<Option<usize>>,
    ) -> Option<Placement> {
        let zero = self.members.len();
        let slot = |member: usize| if member == zero { 0 } else { found[member].0 };
        let start: Vec<i64> = match self.ii {
            None => found.iter().map(|&(slot, _)| slot).collect(),
            Some(ii) => {
                let mut stage = vec![0i64; zero + 1];
                for iteration in 0..=self.members.len() + 1 {
                    let mut changed = false;
                    for &(from, to, gap) in &self.gaps {
                        let least = stage[from] + ceiling(gap - slot(to) + slot(from), ii);
                        if least > stage[to] {
                            stage[to] = least;
                            changed = true;
                        }
                    }
                    if stage[zero] != 0 || (changed && iteration > self.members.len()) {
                        return None;
                    }
                    if !changed {
                        break;
                    }
                }
                (0..zero)
                    .map(|member| stage[member] * ii + slot(member))
                    .collect()
            }
        };
        let mut pins = Vec::new();
        for (&index, &start) in self.members.iter().zip(&start) {
            let pin = |from, to, weight| Edge {
                from,
                to,
                weight,
                distance: 0,
                origin: Origin::Length,
            };
            pins.push(pin(constraints.zero(), index, start));
            pins.push(pin(index, constraints.zero(), -start));
        }
        let mut all = earliest_starts(&constraints.with(pins), self.ii.unwrap_or(0)).ok()?;
        all.truncate(constraints.operation_count);
        let unit = self.units(found, &start, own_units)?;
        Some(Placement { start: all, unit })
    }

    /// Assigns units in order of the slots where the program only counted. This always succeeds: either every occupancy is one
    /// cycle, or there is one unit, or time does not wrap.
    fn units(
        &self,
        found: &Found,
        start: &[i64],
        mut unit: Vec<Option<usize>>,
    ) -> Option<Vec<Option<usize>>> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by_key(|&member| (start[member], member));
        let mut reservations = crate::reservation::Reservations::new(
            self.problem,
            self.ii
                .map(|ii| usize::try_from(ii).expect("an II is positive")),
        );
        for member in order {
            let id = OperationId::from_index(self.members[member]);
            let mine = if self.distinguishes_units[self.resource(member).index()] {
                let mine = found[member].1;
                reservations
                    .holders(self.problem, id, mine, start[member])
                    .is_empty()
                    .then_some(mine)?
            } else {
                reservations.free_unit(self.problem, id, start[member])?
            };
            reservations.take(self.problem, id, mine, start[member]);
            unit[id.index()] = Some(mine);
        }
        Some(unit)
    }
}

/// Returns the longest paths that are not already implied by two others.
///
/// A path over a third member that shares no cycle of length 0 with either end always implies it, because these paths order the
/// members strictly.
pub fn irreducible_gaps(longest: &[Vec<Option<i64>>]) -> Vec<(usize, usize, i64)> {
    let count = longest.len();
    let gap = |from: usize, to: usize| longest[to][from];
    let tied = |a: usize, b: usize| matches!((gap(a, b), gap(b, a)), (Some(there), Some(back)) if there + back >= 0);
    let mut gaps = Vec::new();
    for from in 0..count {
        for to in 0..count {
            let Some(cycles) = gap(from, to).filter(|_| from != to) else {
                continue;
            };
            let implied = (0..count).any(|over| {
                over != from
                    && over != to
                    && !tied(over, from)
                    && !tied(over, to)
                    && matches!((gap(from, over), gap(over, to)), (Some(a), Some(b)) if a + b >= cycles)
            });
            if !implied {
                gaps.push((from, to, cycles));
            }
        }
    }
    gaps
}

/// Converts to `f64`, exactly for every number of cycles below 2^53.
pub fn float(value: i64) -> f64 {
    value as f64
}
