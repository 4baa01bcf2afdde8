//! Iterative modulo scheduling: places operations by priority and evicts placed operations on conflict.
//!
//! Source: B. R. Rau, Iterative modulo scheduling, MICRO 1994, section 3. Differs: chaining cuts are constraints like any
//! other; starts are bounded by the windows of the problem; without an II the same code is a list scheduler.

use std::collections::BTreeSet;

use crate::constraints::{Constraints, Edge};
use crate::longest_path::{earliest_starts, latest_starts, tails};
use crate::problem::{OperationId, Problem};
use crate::reservation::{Reservations, contending, own_units};

/// Start and unit of every operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Start cycles.
    pub start: Vec<i64>,
    /// Units, for the operations that have a resource.
    pub unit: Vec<Option<usize>>,
}

/// The order in which operations are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The operation with the longest path to the end first.
    Height,
    /// The operation with the least slack between earliest and latest start first.
    Slack,
    /// As `Height`, with a random deviation of up to a sixteenth of the length, drawn from this seed.
    Varied(u64),
}

/// Returns a number from 0 to below `limit` that depends only on the seed and the place (the finaliser of SplitMix64).
fn deviation(seed: u64, place: usize, limit: i64) -> i64 {
    let place = u64::try_from(place).unwrap_or(0);
    let mut bits = (seed << 32 | place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    i64::try_from((bits >> 33) % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
}

/// The constraints of a problem at an II, or of operations that run once, as searches of all priorities need them.
pub struct Paths<'a> {
    rank: &'a [usize],
    ii: Option<i64>,
    head: Vec<i64>,
    tail: Vec<i64>,
    latest: Vec<Option<i64>>,
    /// Constraints between operations, by source and by target.
    leaving: Vec<Vec<Edge>>,
    arriving: Vec<Vec<Edge>>,
}

impl<'a> Paths<'a> {
    /// Returns `None` if no starts keep the constraints.
    pub fn new(constraints: &'a Constraints, ii: Option<i64>) -> Option<Self> {
        let period = ii.unwrap_or(0);
        let count = constraints.operation_count;
        let head = earliest_starts(constraints, period).ok()?;
        let mut leaving = vec![Vec::new(); count];
        let mut arriving = vec![Vec::new(); count];
        for edge in &constraints.edges {
            if edge.from < count && edge.to < count && edge.from != edge.to {
                leaving[edge.from].push(*edge);
                arriving[edge.to].push(*edge);
            }
        }
        Some(Self {
            rank: &constraints.rank,
            ii,
            head,
            tail: tails(constraints, period),
            latest: latest_starts(constraints, period),
            leaving,
            arriving,
        })
    }
}

/// Searches for a placement; gives up after `budget` placements of operations.
pub fn place(
    problem: &Problem,
    paths: &Paths<'_>,
    priority: Priority,
    budget: usize,
) -> Option<Placement> {
    Search::new(problem, paths, priority)?.run(budget)
}

/// Sort key: urgency, earliest start, place in data order; the least comes first.
type Key = (i64, i64, usize);

struct Search<'a> {
    problem: &'a Problem,
    paths: &'a Paths<'a>,
    period: i64,
    /// True for each operation that competes with others for a unit.
    contends: Vec<bool>,
    key: Vec<Key>,
    start: Vec<Option<i64>>,
    last_start: Vec<Option<i64>>,
    unit: Vec<Option<usize>>,
    reservations: Reservations,
    /// Operations to place, most urgent first.
    open: BTreeSet<(Key, usize)>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, paths: &'a Paths<'a>, priority: Priority) -> Option<Self> {
        let ii = paths.ii;
        let (head, tail, rank) = (&paths.head, &paths.tail, paths.rank);
        let count = rank.len();
        let length = (0..count)
            .map(|index| head[index] + tail[index])
            .max()
            .unwrap_or(0);
        let key = (0..count)
            .map(|index| match priority {
                Priority::Height => (-tail[index], head[index], rank[index]),
                Priority::Varied(seed) => (
                    deviation(seed, index, length / 16 + 2) - tail[index],
                    head[index],
                    rank[index],
                ),
                Priority::Slack => (length - tail[index] - head[index], head[index], rank[index]),
            })
            .collect::<Vec<_>>();
        let table_ii = ii.map(usize::try_from).transpose().ok()?;
        let reservations = Reservations::new(problem, table_ii);
        if problem
            .operation_ids()
            .any(|id| reservations.clashes_with_itself(problem, id))
        {
            return None;
        }
        let open = (0..count).map(|index| (key[index], index)).collect();
        Some(Self {
            problem,
            paths,
            period: ii.unwrap_or(0),
            contends: contending(problem),
            key,
            start: vec![None; count],
            last_start: vec![None; count],
            unit: vec![None; count],
            reservations,
            open,
        })
    }

    fn run(mut self, budget: usize) -> Option<Placement> {
        let mut placed = 0;
        while let Some((_, index)) = self.open.pop_first() {
            if placed == budget {
                return None;
            }
            placed += 1;
            self.place(index);
        }
        let start = self
            .start
            .into_iter()
            .map(|start| start.expect("every operation was placed"))
            .collect();
        let unit = self
            .unit
            .into_iter()
            .zip(own_units(self.problem))
            .map(|(placed, own)| placed.or(own))
            .collect();
        Some(Placement { start, unit })
    }

    fn place(&mut self, index: usize) {
        let id = OperationId::from_index(index);
        let mut first = self.paths.head[index];
        for edge in &self.paths.arriving[index] {
            if let Some(start) = self.start[edge.from] {
                first = first.max(start + edge.gap(self.period));
            }
        }
        if let Some(latest) = self.paths.latest[index] {
            first = first.min(latest);
        }
        let (start, unit) = match self.free_slot(id, first) {
            Some((start, unit)) => (start, unit),
            None => {
                let start = self.forced_start(index, first);
                let unit = Some(self.cheapest_unit(id, start));
                (start, unit)
            }
        };
        if let Some(unit) = unit {
            for holder in self.reservations.holders(self.problem, id, unit, start) {
                self.evict(holder.index());
            }
            self.reservations.take(self.problem, id, unit, start);
        }
        self.start[index] = Some(start);
        self.last_start[index] = Some(start);
        self.unit[index] = unit;
        self.evict_violated(index, start);
    }

    /// Returns the first start from `first` on with a free unit, within II cycles and the window.
    fn free_slot(&self, id: OperationId, first: i64) -> Option<(i64, Option<usize>)> {
        if !self.contends[id.index()] {
            return Some((first, None));
        }
        let mut last = self.paths.ii.map_or(i64::MAX, |ii| first + ii - 1);
        if let Some(latest) = self.paths.latest[id.index()] {
            last = last.min(latest);
        }
        let mut start = first;
        while start <= last {
            if let Some(unit) = self.reservations.free_unit(self.problem, id, start) {
                return Some((start, Some(unit)));
            }
            start += 1;
        }
        None
    }

    fn forced_start(&self, index: usize, first: i64) -> i64 {
        let start = match self.last_start[index] {
            Some(last) => first.max(last + 1),
            None => first,
        };
        match self.paths.latest[index] {
            Some(latest) if start > latest => first,
            _ => start,
        }
    }

    fn cheapest_unit(&self, id: OperationId, start: i64) -> usize {
        (0..self.reservations.unit_count(self.problem, id))
            .min_by_key(|&unit| {
                self.reservations
                    .holders(self.problem, id, unit, start)
                    .len()
            })
            .expect("a resource in use has at least one unit")
    }

    /// Evicts every placed operation whose constraint with `index` no longer holds.
    fn evict_violated(&mut self, index: usize, start: i64) {
        let mut violated = Vec::new();
        for edge in &self.paths.leaving[index] {
            if self.start[edge.to].is_some_and(|other| other < start + edge.gap(self.period)) {
                violated.push(edge.to);
            }
        }
        for edge in &self.paths.arriving[index] {
            if self.start[edge.from].is_some_and(|other| start < other + edge.gap(self.period)) {
                violated.push(edge.from);
            }
        }
        for other in violated {
            self.evict(other);
        }
    }

    fn evict(&mut self, index: usize) {
        let Some(start) = self.start[index].take() else {
            return;
        };
        if let Some(unit) = self.unit[index].take() {
            self.reservations
                .release(self.problem, OperationId::from_index(index), unit, start);
        }
        self.open.insert((self.key[index], index));
    }
}
