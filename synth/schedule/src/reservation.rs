//! The modulo reservation table: which operation holds which unit in which slot.

use crate::problem::{Operation, OperationId, Problem, Resource, ResourceId};

/// Finds the operations that compete for a unit: their resource has fewer units than users.
pub fn contending(problem: &Problem) -> Vec<bool> {
    let users = user_counts(problem);
    let contends =
        |resource: ResourceId| users[resource.index()] > problem.resource(resource).count;
    problem
        .operations
        .iter()
        .map(|operation| operation.resource.is_some_and(contends))
        .collect()
}

/// Returns a separate unit for each operation that does not compete.
pub fn own_units(problem: &Problem) -> Vec<Option<usize>> {
    let contends = contending(problem);
    let mut next = vec![0; problem.resources.len()];
    let mut own = |(operation, contends): (&Operation, bool)| {
        let resource = operation.resource.filter(|_| !contends)?;
        next[resource.index()] += 1;
        Some(next[resource.index()] - 1)
    };
    problem
        .operations
        .iter()
        .zip(contends)
        .map(&mut own)
        .collect()
}

fn user_counts(problem: &Problem) -> Vec<u32> {
    let mut used = vec![0u32; problem.resources.len()];
    for operation in &problem.operations {
        if let Some(resource) = operation.resource {
            used[resource.index()] += 1;
        }
    }
    used
}

/// The cells of all units; without an II the rows grow with the schedule.
#[derive(Clone, Debug)]
pub struct Reservations {
    ii: Option<usize>,
    /// Holders by resource, unit and slot.
    holders: Vec<Vec<Vec<Option<OperationId>>>>,
}

impl Reservations {
    /// Creates an empty table; `ii` is none for operations that run once.
    pub fn new(problem: &Problem, ii: Option<usize>) -> Self {
        let units = |(resource, used): (&Resource, u32)| {
            // Units beyond the number of users are never used.
            let count = usize::try_from(resource.count.min(used)).expect("a 32-bit count fits");
            vec![vec![None; ii.unwrap_or(0)]; count]
        };
        Self {
            ii,
            holders: problem
                .resources
                .iter()
                .zip(user_counts(problem))
                .map(units)
                .collect(),
        }
    }

    /// Returns the first unit that is free for `operation` from cycle `start` on.
    pub fn free_unit(
        &self,
        problem: &Problem,
        operation: OperationId,
        start: i64,
    ) -> Option<usize> {
        let resource = problem.operation(operation).resource?;
        self.holders[resource.index()].iter().position(|unit| {
            self.slots(problem, operation, start)
                .all(|slot| unit.get(slot).copied().flatten().is_none())
        })
    }

    /// Returns true if an occupancy longer than II makes the operation clash with its own next iteration.
    pub fn clashes_with_itself(&self, problem: &Problem, operation: OperationId) -> bool {
        let operation = problem.operation(operation);
        operation.resource.is_some()
            && self.ii.is_some_and(|ii| {
                usize::try_from(operation.occupancy_cycles).expect("it fits") > ii
            })
    }

    /// Returns the operations that must be evicted so that `operation` gets `unit` from cycle `start` on.
    pub fn holders(
        &self,
        problem: &Problem,
        operation: OperationId,
        unit: usize,
        start: i64,
    ) -> Vec<OperationId> {
        let Some(resource) = problem.operation(operation).resource else {
            return Vec::new();
        };
        let row = &self.holders[resource.index()][unit];
        let mut found: Vec<OperationId> = self
            .slots(problem, operation, start)
            .filter_map(|slot| row.get(slot).copied().flatten())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the number of units that the table has of the resource of `operation`.
    pub fn unit_count(&self, problem: &Problem, operation: OperationId) -> usize {
        problem
            .operation(operation)
            .resource
            .map_or(0, |resource| self.holders[resource.index()].len())
    }

    /// Reserves `unit` for `operation` from cycle `start` on; the cells must be free.
    pub fn take(&mut self, problem: &Problem, operation: OperationId, unit: usize, start: i64) {
        self.fill(problem, operation, unit, start, Some(operation));
    }

    /// Frees the cells.
    pub fn release(&mut self, problem: &Problem, operation: OperationId, unit: usize, start: i64) {
        self.fill(problem, operation, unit, start, None);
    }

    fn fill(
        &mut self,
        problem: &Problem,
        operation: OperationId,
        unit: usize,
        start: i64,
        value: Option<OperationId>,
    ) {
        let Some(resource) = problem.operation(operation).resource else {
            return;
        };
        let slots: Vec<usize> = self.slots(problem, operation, start).collect();
        let row = &mut self.holders[resource.index()][unit];
        for slot in slots {
            if slot >= row.len() {
                row.resize(slot + 1, None);
            }
            row[slot] = value;
        }
    }

    fn slots(
        &self,
        problem: &Problem,
        operation: OperationId,
        start: i64,
    ) -> impl Iterator<Item = usize> + use<> {
        let first = usize::try_from(start).expect("starts are not negative");
        let occupancy = usize::try_from(problem.operation(operation).occupancy_cycles)
            .expect("a 32-bit count fits");
        let ii = self.ii;
        (first..first + occupancy).map(move |cycle| ii.map_or(cycle, |ii| cycle % ii))
    }
}
