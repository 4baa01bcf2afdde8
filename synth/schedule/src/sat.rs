//! Placement by Boolean satisfiability: decides if there is one at an II, within a length if one is given.
//!
//! Operations that compete for units and depend on each other in a cycle can move relative to each other by only a few cycles.
//! Each of these groups is described by order literals "starts in cycle t or later", which make every least distance a row of
//! two-literal clauses; the group's first member ranges over one II. Different groups share only the slots of the units. All
//! other operations can move by multiples of the II: they take the slots that are left.
//!
//! Source: J. M. Crawford and A. B. Baker, Experimental results on the application of satisfiability algorithms to
//! scheduling problems, AAAI 1994 (order literals); C. Sinz, Towards an optimal CNF encoding of Boolean cardinality
//! constraints, CP 2005, section 2 (counters). Differs: literals per group and not per iteration, slots modulo II.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use sluice_sat::{Answer as Verdict, Limits, Literal, Solver};

use crate::constraints::{Constraints, Edge};
use crate::exact::irreducible_gaps;
use crate::heuristic::Placement;
use crate::longest_path::{earliest_starts, settle_slots};
use crate::options::{Deadline, SatLimits};
use crate::paths_to_targets::PathsToTargets;
use crate::problem::{OperationId, Problem};
use crate::reservation::{Reservations, contending, own_units};
use crate::task::{Answer, Task, ends};

/// A length relates all operations to each other; above this number the distances of all pairs take too long to find.
const MAX_BOUND: usize = 400;

/// Searches for a placement by satisfiability.
pub fn place(task: &Task<'_>, limits: SatLimits) -> Answer {
    let Task {
        problem,
        ii,
        length,
        ..
    } = *task;
    let bounded = match length {
        Some(length) => &task
            .constraints
            .with(ends(task.constraints, length).collect::<Vec<_>>()),
        None => task.constraints,
    };
    let period = ii.unwrap_or(0);
    let Ok(earliest) = earliest_starts(bounded, period) else {
        return Answer::Impossible;
    };
    if length.is_some() {
        let n_members = contending(problem)
            .iter()
            .filter(|contends| **contends)
            .count();
        if n_members > MAX_BOUND {
            return Answer::Unknown(format!(
                "{n_members} operations compete for units within the length, more than {MAX_BOUND}"
            ));
        }
    }
    if ii.is_none() && length.is_none() {
        return Answer::Unknown("the length has no bound".to_owned());
    }
    if ii.is_some_and(|ii| {
        problem
            .operations
            .iter()
            .any(|op| op.resource.is_some() && i64::from(op.occupancy_cycles) > ii)
    }) {
        return Answer::Impossible;
    }
    let mut formula = Formula::new(problem, bounded, ii, limits);
    match formula.build(&earliest) {
        Err(Stop::Impossible) => return Answer::Impossible,
        Err(Stop::TooLarge) => {
            return Answer::Unknown(format!(
                "its formula has more than {} literals",
                limits.literals
            ));
        }
        Ok(()) => {}
    }
    match formula.solver.solve(&[]) {
        Verdict::Satisfied => {}
        Verdict::Refuted => return Answer::Impossible,
        Verdict::Stopped => {
            return Answer::Unknown("the effort allowed to the SAT solver ran out".to_owned());
        }
    }
    match formula.placement() {
        Some(placement) => Answer::Found(placement),
        None => Answer::Unknown("the SAT solver returned an inexact solution".to_owned()),
    }
}

enum Stop {
    Impossible,
    TooLarge,
}

/// An operation with a range of starts: it starts in cycle `first` plus the number of its true literals.
struct Moving {
    operation: usize,
    first: i64,
    /// Literal number k means that it starts in cycle `first + k + 1` or later.
    later: Vec<Literal>,
    /// The unit it is on, where units are distinguished.
    unit: Vec<Literal>,
}

struct Formula<'a> {
    problem: &'a Problem,
    constraints: &'a Constraints,
    ii: Option<i64>,
    contends: Vec<bool>,
    solver: Solver,
    limits: SatLimits,
    moving: Vec<Moving>,
}

/// Operations that bound each other's starts, and the least distances between them.
struct Group {
    members: Vec<usize>,
    /// Longest paths by position in `members`; the last position is cycle 0 if the group is bound to it.
    longest: Vec<Vec<Option<i64>>>,
    is_bound_to_zero: bool,
}

impl<'a> Formula<'a> {
    fn new(
        problem: &'a Problem,
        constraints: &'a Constraints,
        ii: Option<i64>,
        limits: SatLimits,
    ) -> Self {
        let solver = Solver::new(Limits {
            effort: limits.effort,
            is_over: Box::new(move || limits.deadline.is_some_and(Deadline::is_over)),
        });
        Self {
            problem,
            constraints,
            ii,
            contends: contending(problem),
            solver,
            limits,
            moving: Vec::new(),
        }
    }

    fn build(&mut self, earliest: &[i64]) -> Result<(), Stop> {
        let mut groups = self.groups(earliest);
        // The largest group first: it may be fixed, since all slots can be rotated together.
        groups.sort_by_key(|group| {
            (
                Reverse(group.is_bound_to_zero),
                Reverse(group.members.len()),
                group.members[0],
            )
        });
        let mut can_rotate = !groups.first().is_some_and(|group| group.is_bound_to_zero);
        for group in &groups {
            self.add_group(group, can_rotate)?;
            can_rotate = false;
        }
        self.add_single_users(can_rotate)?;
        self.add_units()
    }

    fn clause(&mut self, literals: &[Literal]) -> Result<(), Stop> {
        if self.solver.n_literals() + literals.len() > self.limits.literals {
            return Err(Stop::TooLarge);
        }
        if self.solver.clause(literals) {
            Ok(())
        } else {
            Err(Stop::Impossible)
        }
    }

    fn literal(&mut self) -> Literal {
        self.solver.literal()
    }

    /// Returns the groups of operations that compete for units and whose starts bound each other from both sides.
    /// `earliest` has the least starts of all nodes.
    fn groups(&self, earliest: &[i64]) -> Vec<Group> {
        let count = self.constraints.operation_count;
        let zero = self.constraints.zero();
        let period = self.ii.unwrap_or(0);
        let mut graph = DiGraph::<(), ()>::with_capacity(count + 1, self.constraints.edges.len());
        for _ in 0..=count {
            graph.add_node(());
        }
        for edge in &self.constraints.edges {
            graph.add_edge(NodeIndex::new(edge.from), NodeIndex::new(edge.to), ());
        }
        let mut group_of = vec![0; count + 1];
        let components = tarjan_scc(&graph);
        for (number, component) in components.iter().enumerate() {
            for node in component {
                group_of[node.index()] = number;
            }
        }
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); components.len()];
        for edge in &self.constraints.edges {
            if group_of[edge.from] == group_of[edge.to] && edge.from != edge.to {
                edges[group_of[edge.from]].push(*edge);
            }
        }
        let mut groups = Vec::new();
        let mut place = vec![usize::MAX; count + 1];
        for (component, edges) in components.iter().zip(edges) {
            let mut nodes: Vec<usize> = component.iter().map(|node| node.index()).collect();
            nodes.sort_unstable();
            let is_bound_to_zero = nodes.contains(&zero);
            let members: Vec<usize> = nodes
                .iter()
                .copied()
                .filter(|&node| node != zero && self.contends[node])
                .collect();
            if members.is_empty() || (members.len() == 1 && !is_bound_to_zero) {
                continue;
            }
            for (position, &node) in nodes.iter().enumerate() {
                place[node] = position;
            }
            let mut ends = members.clone();
            if is_bound_to_zero {
                ends.push(zero);
            }
            let earliest = nodes.iter().map(|node| earliest[*node]).collect();
            let ends_of = |edge: &Edge| (place[edge.from], place[edge.to]);
            let gaps = edges.iter().map(|edge| (ends_of(edge), edge.gap(period)));
            let local = PathsToTargets::new(gaps, earliest);
            let longest = ends
                .iter()
                .map(|&to| {
                    let all = local.longest_to(place[to]);
                    ends.iter().map(|&from| all[place[from]]).collect()
                })
                .collect();
            groups.push(Group {
                members,
                longest,
                is_bound_to_zero,
            });
        }
        groups
    }

    fn add_group(&mut self, group: &Group, can_rotate: bool) -> Result<(), Stop> {
        let n_members = group.members.len();
        let (anchor, last) = match (group.is_bound_to_zero, self.ii) {
            (true, _) => (n_members, 0),
            (false, _) if can_rotate => (0, 0),
            (false, Some(ii)) => (0, ii - 1),
            (false, None) => (0, 0),
        };
        let base = self.moving.len();
        for (position, &operation) in group.members.iter().enumerate() {
            let after = group.longest[position][anchor].unwrap_or(0);
            let before = group.longest[anchor][position].unwrap_or(0);
            self.add_moving(operation, after, last - before)?;
        }
        let gaps = irreducible_gaps(&group.longest);
        for (from, to, gap) in gaps {
            if from < n_members && to < n_members {
                self.add_gap(base + from, base + to, gap)?;
            }
        }
        Ok(())
    }

    /// Adds an operation that starts in a cycle from `first` to `last`.
    fn add_moving(&mut self, operation: usize, first: i64, last: i64) -> Result<(), Stop> {
        if last < first {
            return Err(Stop::Impossible);
        }
        let later: Vec<Literal> = (first..last).map(|_| self.literal()).collect();
        for pair in later.windows(2) {
            self.clause(&[!pair[1], pair[0]])?;
        }
        self.moving.push(Moving {
            operation,
            first,
            later,
            unit: Vec::new(),
        });
        Ok(())
    }

    /// Adds the clauses that `to` starts at least `gap` cycles after `from`.
    fn add_gap(&mut self, from: usize, to: usize, gap: i64) -> Result<(), Stop> {
        let first = self.moving[from].first;
        let n_starts = self.moving[from].later.len();
        for k in 0..=n_starts {
            let start = first + index(k);
            let mut clause = Vec::new();
            if k > 0 {
                clause.push(!self.moving[from].later[k - 1]);
            }
            let target = &self.moving[to];
            // `to` starts in cycle `start + gap` or later.
            let place = start + gap - target.first;
            if place <= 0 {
                continue;
            }
            if let Some(later) = usize::try_from(place - 1)
                .ok()
                .and_then(|place| target.later.get(place))
            {
                clause.push(*later);
            }
            self.clause(&clause)?;
        }
        Ok(())
    }

    /// Returns true if an operation of a resource holds its unit for more than one cycle: then operations cannot simply take the
    /// slots left.
    fn is_held(&self, resource: usize) -> bool {
        self.problem.operations.iter().any(|operation| {
            operation.resource.map(|id| id.index()) == Some(resource)
                && operation.occupancy_cycles > 1
        })
    }

    /// Adds operations that are alone in their group, on resources where some operation holds its unit for more than one cycle.
    fn add_single_users(&mut self, mut can_rotate: bool) -> Result<(), Stop> {
        let Some(ii) = self.ii else { return Ok(()) };
        let mut moves = vec![false; self.constraints.operation_count];
        for moving in &self.moving {
            moves[moving.operation] = true;
        }
        for resource in 0..self.problem.resources.len() {
            if !self.is_held(resource) {
                continue;
            }
            for (operation, moves) in moves.iter().enumerate() {
                let mine = self.problem.operations[operation].resource;
                let is_mine = mine.map(|id| id.index()) == Some(resource);
                if is_mine && self.contends[operation] && !moves {
                    self.add_moving(operation, 0, if can_rotate { 0 } else { ii - 1 })?;
                    can_rotate = false;
                }
            }
        }
        Ok(())
    }

    /// Adds the clauses that no two operations hold a unit at the same time.
    fn add_units(&mut self) -> Result<(), Stop> {
        for resource in 0..self.problem.resources.len() {
            let users: Vec<usize> = (0..self.moving.len())
                .filter(|&moving| {
                    let operation = &self.problem.operations[self.moving[moving].operation];
                    operation.resource.map(|id| id.index()) == Some(resource)
                })
                .collect();
            if users.is_empty() {
                continue;
            }
            let count = self.problem.resources[resource].count;
            let all = self.problem.operations.iter().zip(&self.contends);
            let work: i64 = all
                .filter(|(operation, contends)| {
                    **contends && operation.resource.map(|id| id.index()) == Some(resource)
                })
                .map(|(operation, _)| i64::from(operation.occupancy_cycles))
                .sum();
            if self.ii.is_some_and(|ii| work > ii * i64::from(count)) {
                return Err(Stop::Impossible);
            }
            let n_units = usize::try_from(count).expect("a 32-bit count fits");
            if self.ii.is_some() && count > 1 && self.is_held(resource) {
                self.choose_units(&users, n_units)?;
                for unit in 0..n_units {
                    self.add_slots(&users, 1, Some(unit))?;
                }
            } else {
                self.add_slots(&users, n_units, None)?;
            }
        }
        Ok(())
    }

    /// Places every user on one unit; the n-th user is on one of the first n, since units are interchangeable.
    fn choose_units(&mut self, users: &[usize], n_units: usize) -> Result<(), Stop> {
        for (ordinal, &user) in users.iter().enumerate() {
            let units: Vec<Literal> = (0..n_units.min(ordinal + 1))
                .map(|_| self.literal())
                .collect();
            self.clause(&units)?;
            self.moving[user].unit = units;
        }
        Ok(())
    }

    /// Allows in every slot at most `limit` of `users` to hold a unit; only those on `unit`, if one is given.
    fn add_slots(
        &mut self,
        users: &[usize],
        limit: usize,
        unit: Option<usize>,
    ) -> Result<(), Stop> {
        // For each slot, the literals "this user holds a unit in it".
        let mut holders: BTreeMap<i64, Vec<Literal>> = BTreeMap::new();
        for &user in users {
            let on_unit = match unit {
                None => None,
                Some(unit) => match self.moving[user].unit.get(unit) {
                    None => continue,
                    Some(literal) => Some(*literal),
                },
            };
            let moving = &self.moving[user];
            let occupancy = i64::from(self.problem.operations[moving.operation].occupancy_cycles);
            let later = moving.later.clone();
            let first = moving.first;
            let mut mine: BTreeMap<i64, Literal> = BTreeMap::new();
            for k in 0..=later.len() {
                let start = first + index(k);
                for cycle in start..start + occupancy {
                    let slot = self.ii.map_or(cycle, |ii| cycle.rem_euclid(ii));
                    let holds = match mine.get(&slot) {
                        Some(literal) => *literal,
                        None => {
                            let literal = self.literal();
                            mine.insert(slot, literal);
                            literal
                        }
                    };
                    let mut clause = vec![holds];
                    clause.extend(on_unit.map(|literal| !literal));
                    if k > 0 {
                        clause.push(!later[k - 1]);
                    }
                    if k < later.len() {
                        clause.push(later[k]);
                    }
                    self.clause(&clause)?;
                }
            }
            for (slot, literal) in mine {
                holders.entry(slot).or_default().push(literal);
            }
        }
        for literals in holders.values() {
            self.at_most(literals, limit)?;
        }
        Ok(())
    }

    /// Adds the clauses that at most `limit` of `literals` hold.
    fn at_most(&mut self, literals: &[Literal], limit: usize) -> Result<(), Stop> {
        const PAIRWISE: usize = 6;
        if literals.len() <= limit {
            return Ok(());
        }
        if limit == 0 {
            for literal in literals {
                self.clause(&[!*literal])?;
            }
            return Ok(());
        }
        if limit == 1 && literals.len() <= PAIRWISE {
            for (position, one) in literals.iter().enumerate() {
                for other in &literals[position + 1..] {
                    self.clause(&[!*one, !*other])?;
                }
            }
            return Ok(());
        }
        // Counter: `before[k]` means that more than k of the literals so far hold.
        let mut before: Vec<Literal> = Vec::new();
        for (position, literal) in literals.iter().enumerate() {
            if before.len() == limit {
                self.clause(&[!*literal, !before[limit - 1]])?;
            }
            if position + 1 == literals.len() {
                break;
            }
            let now: Vec<Literal> = (0..limit.min(position + 1))
                .map(|_| self.literal())
                .collect();
            for (k, more) in now.iter().enumerate() {
                if let Some(already) = before.get(k) {
                    self.clause(&[!*already, *more])?;
                }
                if k == 0 {
                    self.clause(&[!*literal, *more])?;
                } else if let Some(fewer) = before.get(k - 1) {
                    self.clause(&[!*literal, !*fewer, *more])?;
                }
            }
            before = now;
        }
        Ok(())
    }

    /// Returns the starts and units of the model; all other operations take the slots that are left.
    fn placement(&self) -> Option<Placement> {
        let holds = |literal: Literal| self.solver.holds(literal);
        let count = self.constraints.operation_count;
        let mut slots: Vec<Option<i64>> = vec![None; count];
        let mut units = own_units(self.problem);
        let table_ii = self.ii.map(usize::try_from).transpose().ok()?;
        let mut reservations = Reservations::new(self.problem, table_ii);
        let mut moving: Vec<(i64, &Moving)> = self
            .moving
            .iter()
            .map(|moving| {
                let start = moving.first
                    + index(
                        moving
                            .later
                            .iter()
                            .filter(|literal| holds(**literal))
                            .count(),
                    );
                (self.ii.map_or(start, |ii| start.rem_euclid(ii)), moving)
            })
            .collect();
        moving.sort_by_key(|(slot, moving)| (*slot, moving.operation));
        for (slot, moving) in moving {
            let id = OperationId::from_index(moving.operation);
            let chosen = moving.unit.iter().position(|literal| holds(*literal));
            let unit = match chosen {
                Some(unit) => reservations
                    .holders(self.problem, id, unit, slot)
                    .is_empty()
                    .then_some(unit)?,
                None => reservations.free_unit(self.problem, id, slot)?,
            };
            reservations.take(self.problem, id, unit, slot);
            slots[moving.operation] = Some(slot);
            units[moving.operation] = Some(unit);
        }
        let period = self.ii.unwrap_or(0);
        // Operations that only wait for a unit take the first free slot from their earliest start on.
        let head = settle_slots(self.constraints, period, &slots)?;
        let mut rest: Vec<usize> = (0..count)
            .filter(|&operation| self.contends[operation] && slots[operation].is_none())
            .collect();
        rest.sort_by_key(|&operation| (head[operation], self.constraints.rank[operation]));
        for operation in rest {
            let id = OperationId::from_index(operation);
            let ii = self.ii?;
            let (start, unit) = (head[operation]..head[operation] + ii).find_map(|start| {
                let unit = reservations.free_unit(self.problem, id, start)?;
                Some((start, unit))
            })?;
            reservations.take(self.problem, id, unit, start);
            slots[operation] = Some(start.rem_euclid(ii));
            units[operation] = Some(unit);
        }
        let start = settle_slots(self.constraints, period, &slots)?;
        Some(Placement { start, unit: units })
    }
}

fn index(position: usize) -> i64 {
    i64::try_from(position).expect("a position in memory fits 64 bits")
}
