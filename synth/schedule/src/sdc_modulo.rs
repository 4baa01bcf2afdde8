//! Modulo scheduling on a system of difference constraints: operations are pinned one at a time, and unpinned on conflict.
//!
//! Source: Z. Zhang and B. Liu, SDC-based modulo scheduling for pipeline synthesis, ICCAD 2013; A. Canis, S. D. Brown and
//! J. H. Anderson, Modulo SDC scheduling with recurrence minimization in high-level synthesis, FPL 2014, algorithm 2.
//! Differs: the least solution of the system is kept up to date by propagation, so no linear program is solved; an operation that
//! finds no free slot is pushed to the slot whose holder was evicted the longest ago.

use std::collections::BTreeSet;

use crate::constraints::Constraints;
use crate::heuristic::Placement;
use crate::longest_path::{earliest_starts, tails};
use crate::problem::{OperationId, Problem};
use crate::reservation::{Reservations, contending, own_units};
use crate::task::{Answer, Task, bounded};

/// Number of constraint visits before the search gives up. On a loop of 32,000 operations, 100 million visits took ten seconds.
const EFFORT: usize = 20_000_000;

/// Searches for a placement; gives up after `budget` pins, or when these take too long.
pub fn place(task: &Task<'_>, budget: usize) -> Answer {
    let constraints = bounded(task);
    let period = task.ii.unwrap_or(0);
    let Ok(head) = earliest_starts(&constraints, period) else {
        return Answer::Impossible;
    };
    let table_ii = task.ii.and_then(|ii| usize::try_from(ii).ok());
    let reservations = Reservations::new(task.problem, table_ii);
    let ids = task.problem.operation_ids();
    if ids
        .into_iter()
        .any(|id| reservations.clashes_with_itself(task.problem, id))
    {
        return Answer::Impossible;
    }
    let tail = tails(&constraints, period);
    let mut system = System::new(&constraints, period, head);
    let contends = contending(task.problem);
    // Operations with the longest path to the end come first.
    let key = |index: usize, system: &System| (-tail[index], system.start[index], index);
    let mut open: BTreeSet<(i64, i64, usize)> = (0..constraints.operation_count)
        .filter(|&index| contends[index])
        .map(|index| key(index, &system))
        .collect();
    let mut table = Table {
        problem: task.problem,
        reservations,
        unit: own_units(task.problem),
    };
    let mut last_start = vec![None; constraints.operation_count];
    let span = task.ii.unwrap_or_else(|| task.length.unwrap_or(0)).max(1);
    for _ in 0..budget {
        if system.effort == 0 {
            return Answer::Unknown("the heuristic ran out of effort".to_owned());
        }
        let Some((_, _, index)) = open.pop_first() else {
            let mut start = system.start;
            start.truncate(constraints.operation_count);
            return Answer::Found(Placement {
                start,
                unit: table.unit,
            });
        };
        let id = OperationId::from_index(index);
        let first = system.start[index];
        let free = (first..first + span).find_map(|start| {
            let unit = table.reservations.free_unit(task.problem, id, start)?;
            Some((start, unit))
        });
        // If a start is too late for other pins, every later start is too.
        let free = free.filter(|(start, _)| system.pin(index, *start));
        if let Some((start, unit)) = free {
            table.take(index, unit, start);
            last_start[index] = Some(start);
            continue;
        }
        // No free slot: evict the operations that occupy one.
        let earliest = system.head[index];
        let start = match last_start[index] {
            Some(last) if last >= earliest => last + 1,
            _ => earliest,
        };
        let start = start.min(system.latest(index).unwrap_or(i64::MAX));
        let unit = table.cheapest_unit(id, start);
        for holder in table.reservations.holders(task.problem, id, unit, start) {
            let holder = holder.index();
            table.release(holder, system.unpin(holder));
            open.insert(key(holder, &system));
        }
        while !system.pin(index, start) {
            if system.effort == 0 {
                return Answer::Unknown("the heuristic ran out of effort".to_owned());
            }
            let Some(other) = system.in_the_way(index, start) else {
                return Answer::Unknown("no operation can give way".to_owned());
            };
            table.release(other, system.unpin(other));
            open.insert(key(other, &system));
        }
        table.take(index, unit, start);
        last_start[index] = Some(start);
    }
    Answer::Unknown("the heuristic ran out of pins".to_owned())
}

struct Table<'a> {
    problem: &'a Problem,
    reservations: Reservations,
    unit: Vec<Option<usize>>,
}

impl Table<'_> {
    fn take(&mut self, index: usize, unit: usize, start: i64) {
        let id = OperationId::from_index(index);
        self.reservations.take(self.problem, id, unit, start);
        self.unit[index] = Some(unit);
    }

    fn release(&mut self, index: usize, start: i64) {
        let id = OperationId::from_index(index);
        if let Some(unit) = self.unit[index].take() {
            self.reservations.release(self.problem, id, unit, start);
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
}

/// Difference constraints and pins, with their least solution.
struct System {
    /// Targets with their gaps, by source. The last node is cycle 0, which is pinned.
    leaving: Vec<Vec<(usize, i64)>>,
    /// Sources with their gaps, by target.
    arriving: Vec<Vec<(usize, i64)>>,
    start: Vec<i64>,
    head: Vec<i64>,
    pin: Vec<Option<i64>>,
    /// Position of each node in an order in which data flows forwards: in it, most starts are raised once.
    rank: Vec<usize>,
    /// Remaining number of constraint visits.
    effort: usize,
    /// True if a pin was removed and the least solution must be recomputed.
    is_stale: bool,
}

impl System {
    fn new(constraints: &Constraints, period: i64, head: Vec<i64>) -> Self {
        let count = constraints.operation_count + 1;
        let mut leaving = vec![Vec::new(); count];
        let mut arriving = vec![Vec::new(); count];
        for edge in &constraints.edges {
            if edge.from != edge.to {
                leaving[edge.from].push((edge.to, edge.gap(period)));
                arriving[edge.to].push((edge.from, edge.gap(period)));
            }
        }
        let mut pin = vec![None; count];
        pin[constraints.zero()] = Some(0);
        let mut rank = constraints.rank.clone();
        rank.push(count);
        Self {
            leaving,
            arriving,
            start: head.clone(),
            head,
            pin,
            rank,
            effort: EFFORT,
            is_stale: false,
        }
    }

    /// Fixes a start if the system allows it; otherwise changes nothing.
    fn pin(&mut self, index: usize, start: i64) -> bool {
        self.refresh();
        if start < self.start[index] {
            return false;
        }
        let before = self.pin[index].replace(start);
        match self.raise(index, start) {
            Ok(()) => true,
            Err(_) => {
                self.pin[index] = before;
                false
            }
        }
    }

    /// Removes a pin and returns the start it had fixed.
    fn unpin(&mut self, index: usize) -> i64 {
        self.is_stale = true;
        let start = self.start[index];
        self.pin[index].take().unwrap_or(start)
    }

    /// Raises a start and all starts that follow from it; if a pin would have to move, restores everything and returns that pin.
    fn raise(&mut self, index: usize, start: i64) -> Result<(), usize> {
        let mut undo = vec![(index, self.start[index])];
        self.start[index] = start;
        let settled = self.settle(BTreeSet::from([(self.rank[index], index)]), &mut undo);
        if settled.is_err() {
            for (node, start) in undo.into_iter().rev() {
                self.start[node] = start;
            }
        }
        settled
    }

    /// Propagates raised starts from `open` and records the old values; stops at a pin that would have to move.
    fn settle(
        &mut self,
        mut open: BTreeSet<(usize, usize)>,
        undo: &mut Vec<(usize, i64)>,
    ) -> Result<(), usize> {
        while let Some((_, node)) = open.pop_first() {
            self.effort = self.effort.saturating_sub(self.leaving[node].len());
            for &(to, gap) in &self.leaving[node] {
                let least = self.start[node] + gap;
                if least <= self.start[to] {
                    continue;
                }
                if self.pin[to].is_some_and(|pin| least > pin) {
                    return Err(to);
                }
                undo.push((to, self.start[to]));
                self.start[to] = least;
                open.insert((self.rank[to], to));
            }
        }
        Ok(())
    }

    /// Recomputes the least solution for the current pins.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        self.start.clone_from(&self.head);
        let mut open = BTreeSet::new();
        for (index, pin) in self.pin.iter().enumerate() {
            if let Some(pin) = pin.filter(|pin| *pin > self.start[index]) {
                self.start[index] = pin;
                open.insert((self.rank[index], index));
            }
        }
        // The pins were compatible before one of them was removed.
        let _ = self.settle(open, &mut Vec::new());
    }

    /// Returns the latest start that leaves enough time for operations with fixed limits; none if there are no limits.
    fn latest(&self, index: usize) -> Option<i64> {
        let zero = self.leaving.len() - 1;
        self.leaving[index]
            .iter()
            .filter(|(to, _)| *to == zero)
            .map(|(_, gap)| -gap)
            .min()
    }

    /// Returns a pinned operation that prevents `index` from starting in cycle `start`.
    fn in_the_way(&mut self, index: usize, start: i64) -> Option<usize> {
        self.refresh();
        let zero = self.leaving.len() - 1;
        if start < self.start[index] {
            // Find the pin that pushes it beyond the start: the chain of tight constraints ends there.
            let mut at = index;
            for _ in 0..self.leaving.len() {
                let (tight, _) = *self.arriving[at]
                    .iter()
                    .find(|(from, gap)| self.start[*from] + gap == self.start[at])?;
                at = tight;
                if self.pin[at].is_some() {
                    return Some(at).filter(|&at| at != zero && at != index);
                }
            }
            return None;
        }
        self.raise(index, start)
            .err()
            .filter(|&other| other != zero && other != index)
    }
}
