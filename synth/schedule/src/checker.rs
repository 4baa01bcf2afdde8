//! Independent checker: verifies a schedule against its problem and shares no code with the solvers.

use std::collections::BTreeMap;

use crate::problem::{
    DependenceKind, Initiation, OperationId, Problem, ResourceId, Schedule, TIMING_TOLERANCE_NS,
};

/// One constraint that a schedule breaks.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Violation {
    /// The schedule does not have one entry per operation.
    #[error("the schedule has {found} {what} entries for {expected} operations")]
    Shape {
        /// Name of the list.
        what: &'static str,
        /// Number of entries found.
        found: usize,
        /// Number of operations.
        expected: usize,
    },
    /// The II is missing, not asked for or outside its range.
    #[error("II {found:?} does not fit the initiation {asked:?}")]
    Ii {
        /// II of the schedule.
        found: Option<u32>,
        /// The initiation that the problem requires.
        asked: Initiation,
    },
    /// A start lies outside the window of its operation.
    #[error("{operation} starts in cycle {start}, outside its window")]
    Window {
        /// The operation.
        operation: OperationId,
        /// Its start.
        start: u32,
    },
    /// A dependence is not kept.
    #[error("{from} -> {to} needs a gap of {needed} cycles and has {found}")]
    Dependence {
        /// The operation that comes first.
        from: OperationId,
        /// The operation that waits.
        to: OperationId,
        /// Required gap in cycles.
        needed: i64,
        /// Actual gap in cycles, iterations included.
        found: i64,
    },
    /// A combinational path is longer than the clock period.
    #[error(
        "the path ending in {operation} takes {arrival_ns:.3} ns, more than the clock period of {clock_period_ns:.3} ns"
    )]
    Timing {
        /// Last operation of the path.
        operation: OperationId,
        /// Delay of the path.
        arrival_ns: f64,
        /// Usable clock period.
        clock_period_ns: f64,
    },
    /// An operation has no start time within its cycle, and others have.
    #[error("{operation} has no start time within its cycle")]
    InCycleMissing {
        /// The operation.
        operation: OperationId,
    },
    /// The start time within a cycle is not a valid time, or leaves too little of the cycle for the delay.
    #[error("{operation} starts {start_ns} ns into its cycle, not between 0 and {latest_ns} ns")]
    InCycle {
        /// The operation.
        operation: OperationId,
        /// Its start within the cycle.
        start_ns: f64,
        /// The latest start that leaves enough time for its delay.
        latest_ns: f64,
    },
    /// A chained operation starts before its operand has arrived within the cycle.
    #[error("{from} -> {to} needs {needed_ns} ns of the cycle and has {found_ns} ns")]
    InCycleOrder {
        /// The operation that comes first.
        from: OperationId,
        /// The operation that waits.
        to: OperationId,
        /// Time at which the result arrives.
        needed_ns: f64,
        /// Time at which the reader starts.
        found_ns: f64,
    },
    /// Combinational operations wait for each other within a cycle.
    #[error("{operation} is part of a combinational cycle")]
    CombinationalCycle {
        /// One operation of the cycle.
        operation: OperationId,
    },
    /// An operation on a limited resource has no unit, or one that does not exist.
    #[error("{operation} has unit {unit:?}, which does not exist")]
    Unit {
        /// The operation.
        operation: OperationId,
        /// Its unit.
        unit: Option<u32>,
    },
    /// Two operations, or two iterations of one operation, hold the same unit in the same slot.
    #[error("{first} and {second} both hold unit {unit} of {resource} in slot {slot}")]
    Conflict {
        /// Operation that holds the unit.
        first: OperationId,
        /// Operation that needs the same unit.
        second: OperationId,
        /// The resource.
        resource: ResourceId,
        /// The unit.
        unit: u32,
        /// Cycle, or cycle modulo II.
        slot: u64,
    },
    /// The length differs from the length that the operations take.
    #[error("the schedule claims {claimed} cycles and takes {found}")]
    Length {
        /// Length that the schedule states.
        claimed: u32,
        /// Length that the operations take.
        found: u64,
    },
}

/// Checks every constraint of `problem` on `schedule`.
///
/// # Errors
///
/// All violations, in the order window, dependence, timing, resource, length.
pub fn verify(problem: &Problem, schedule: &Schedule) -> Result<(), Vec<Violation>> {
    let mut violations = Vec::new();
    check_shape(problem, schedule, &mut violations);
    if !violations.is_empty() {
        return Err(violations);
    }
    check_windows(problem, schedule, &mut violations);
    check_dependences(problem, schedule, &mut violations);
    check_timing(problem, schedule, &mut violations);
    check_units(problem, schedule, &mut violations);
    check_length(problem, schedule, &mut violations);
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations)
    }
}

/// Checks the start times within cycles of a valid schedule. Checks nothing if no operation has such a time; if some have one,
/// all must.
///
/// A result that is used in a later cycle comes from a register. Any other result arrives after the delay of its producer, within
/// the cycle in which it is used.
///
/// # Errors
///
/// All violations.
pub fn verify_in_cycle(
    problem: &Problem,
    schedule: &Schedule,
    start_ns: &[Option<f64>],
) -> Result<(), Vec<Violation>> {
    if start_ns.iter().all(Option::is_none) {
        return Ok(());
    }
    let mut violations = Vec::new();
    for (index, start) in start_ns.iter().enumerate() {
        let operation = OperationId::from_index(index);
        let Some(start_ns) = *start else {
            violations.push(Violation::InCycleMissing { operation });
            continue;
        };
        let latest_ns = problem.clock_period_ns - problem.operation(operation).input_delay_ns;
        let fits = start_ns >= 0.0 && start_ns <= latest_ns + tolerance_ns(start_ns);
        if !fits {
            violations.push(Violation::InCycle {
                operation,
                start_ns,
                latest_ns,
            });
        }
    }
    for dependence in &problem.dependences {
        let (from, to) = (dependence.from, dependence.to);
        let start_of = |id: OperationId| start_ns.get(id.index()).copied().flatten();
        let (Some(first_ns), Some(found_ns)) = (start_of(from), start_of(to)) else {
            continue;
        };
        let DependenceKind::Data { chained: true } = dependence.kind else {
            continue;
        };
        let producer = problem.operation(from);
        if gap_cycles(schedule, from, to, dependence.distance) != i64::from(producer.latency_cycles)
        {
            continue;
        }
        let needed_ns = match producer.latency_cycles {
            0 if dependence.distance > 0 && !dependence.forwarded => continue,
            0 => first_ns + producer.input_delay_ns,
            _ => producer.output_delay_ns,
        };
        let is_there = found_ns + tolerance_ns(needed_ns) >= needed_ns;
        if !is_there {
            violations.push(Violation::InCycleOrder {
                from,
                to,
                needed_ns,
                found_ns,
            });
        }
    }
    match violations.is_empty() {
        true => Ok(()),
        false => Err(violations),
    }
}

/// Returns the tolerance for times that a file stores in single precision.
fn tolerance_ns(time_ns: f64) -> f64 {
    TIMING_TOLERANCE_NS + 2.0 * f64::from(f32::EPSILON) * time_ns.abs()
}

fn check_shape(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    let expected = problem.operations.len();
    for (what, found) in [
        ("start", schedule.start.len()),
        ("unit", schedule.unit.len()),
    ] {
        if found != expected {
            violations.push(Violation::Shape {
                what,
                found,
                expected,
            });
        }
    }
    let fits = match (problem.initiation, schedule.ii) {
        (Initiation::Once, None) => true,
        (Initiation::Once, Some(_)) | (Initiation::Every { .. }, None) => false,
        (
            Initiation::Every {
                min_ii,
                max_ii,
                fixed,
            },
            Some(ii),
        ) => ii >= 1 && ii >= min_ii && ii <= max_ii.max(min_ii) && (!fixed || ii == min_ii),
    };
    if !fits {
        violations.push(Violation::Ii {
            found: schedule.ii,
            asked: problem.initiation,
        });
    }
}

fn check_windows(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        let start = schedule.start_of(id);
        let early = operation.earliest.is_some_and(|earliest| start < earliest);
        let late = operation.latest.is_some_and(|latest| start > latest);
        if early || late {
            violations.push(Violation::Window {
                operation: id,
                start,
            });
        }
    }
}

fn check_dependences(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    for dependence in &problem.dependences {
        let latency = problem.operation(dependence.from).latency_cycles;
        let needed = match dependence.kind {
            DependenceKind::Order { min_gap_cycles } => min_gap_cycles,
            DependenceKind::Data { chained: false } => i64::from(latency) + 1,
            DependenceKind::Data { chained: true }
                if dependence.distance > 0 && latency == 0 && !dependence.forwarded =>
            {
                1
            }
            DependenceKind::Data { chained: true } => i64::from(latency),
        };
        let found = gap_cycles(
            schedule,
            dependence.from,
            dependence.to,
            dependence.distance,
        );
        if found < needed {
            violations.push(Violation::Dependence {
                from: dependence.from,
                to: dependence.to,
                needed,
                found,
            });
        }
    }
}

/// Returns the cycles from the start of `from` to the start of `to`, `distance` iterations later.
fn gap_cycles(schedule: &Schedule, from: OperationId, to: OperationId, distance: u32) -> i64 {
    let period = i64::from(schedule.ii.unwrap_or(0));
    i64::from(schedule.start_of(to)) + period * i64::from(distance)
        - i64::from(schedule.start_of(from))
}

/// Computes the arrival time at each operation by relaxing in dependence order, and compares it with the clock.
fn check_timing(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    let count = problem.operations.len();
    // Transfers without a register: the consumer sees the producer's output in the cycle it appears.
    let mut waiting_for = vec![0usize; count];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut operand_ns = vec![0.0f64; count];
    for dependence in &problem.dependences {
        let DependenceKind::Data { chained: true } = dependence.kind else {
            continue;
        };
        let producer = problem.operation(dependence.from);
        let gap = gap_cycles(
            schedule,
            dependence.from,
            dependence.to,
            dependence.distance,
        );
        if gap != i64::from(producer.latency_cycles) {
            continue;
        }
        let to = dependence.to.index();
        if producer.latency_cycles > 0 {
            operand_ns[to] = operand_ns[to].max(producer.output_delay_ns);
        } else if dependence.distance == 0 || dependence.forwarded {
            waiting_for[to] += 1;
            readers[dependence.from.index()].push(to);
        }
    }
    let mut ready: Vec<usize> = (0..count)
        .filter(|&index| waiting_for[index] == 0)
        .collect();
    let mut settled = vec![false; count];
    while let Some(index) = ready.pop() {
        settled[index] = true;
        let operation = &problem.operations[index];
        let arrival_ns = operand_ns[index] + operation.input_delay_ns;
        let worst_ns = arrival_ns.max(operation.output_delay_ns);
        if worst_ns > problem.clock_period_ns + TIMING_TOLERANCE_NS {
            violations.push(Violation::Timing {
                operation: OperationId::from_index(index),
                arrival_ns: worst_ns,
                clock_period_ns: problem.clock_period_ns,
            });
        }
        for &reader in &readers[index] {
            operand_ns[reader] = operand_ns[reader].max(arrival_ns);
            waiting_for[reader] -= 1;
            if waiting_for[reader] == 0 {
                ready.push(reader);
            }
        }
    }
    if let Some(index) = settled.iter().position(|done| !done) {
        violations.push(Violation::CombinationalCycle {
            operation: OperationId::from_index(index),
        });
    }
}

/// Fills a reservation table cell by cell.
fn check_units(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    let mut holder: BTreeMap<(ResourceId, u32, u64), OperationId> = BTreeMap::new();
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        let unit = schedule.unit[id.index()];
        let Some(resource) = operation.resource else {
            if unit.is_some() {
                violations.push(Violation::Unit {
                    operation: id,
                    unit,
                });
            }
            continue;
        };
        let Some(unit) = unit.filter(|&unit| unit < problem.resource(resource).count) else {
            violations.push(Violation::Unit {
                operation: id,
                unit,
            });
            continue;
        };
        for offset in 0..u64::from(operation.occupancy_cycles) {
            let cycle = u64::from(schedule.start_of(id)) + offset;
            let slot = schedule.ii.map_or(cycle, |ii| cycle % u64::from(ii));
            if let Some(first) = holder.insert((resource, unit, slot), id) {
                violations.push(Violation::Conflict {
                    first,
                    second: id,
                    resource,
                    unit,
                    slot,
                });
                break;
            }
        }
    }
}

fn check_length(problem: &Problem, schedule: &Schedule, violations: &mut Vec<Violation>) {
    let mut found = 0;
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        let held = operation.resource.map_or(0, |_| operation.occupancy_cycles);
        let span = 1.max(operation.latency_cycles).max(held);
        found = found.max(u64::from(schedule.start_of(id)) + u64::from(span));
    }
    if found != u64::from(schedule.length_cycles) {
        violations.push(Violation::Length {
            claimed: schedule.length_cycles,
            found,
        });
    }
}

/// Gives a unit to each operation that has none, in the order of their slots, first fit. This serves as many as possible if each
/// operation holds its unit for one cycle or no occupancy wraps around the II. The others keep no unit, which [`verify`] reports.
pub fn give_units(problem: &Problem, schedule: &mut Schedule) {
    let ii = schedule.ii.map(u64::from).filter(|ii| *ii > 0);
    let cells = |id: OperationId, start: u32| {
        let occupancy = u64::from(problem.operation(id).occupancy_cycles);
        (0..occupancy).map(move |offset| {
            let cycle = u64::from(start) + offset;
            ii.map_or(cycle, |ii| cycle % ii)
        })
    };
    let mut taken: BTreeMap<(ResourceId, u32, u64), ()> = BTreeMap::new();
    let mut waiting = Vec::new();
    for id in problem.operation_ids() {
        let Some(resource) = problem.operation(id).resource else {
            continue;
        };
        let start = schedule.start_of(id);
        match schedule.unit[id.index()] {
            Some(unit) => taken.extend(cells(id, start).map(|slot| ((resource, unit, slot), ()))),
            None => waiting.push((cells(id, start).next(), id, resource)),
        }
    }
    waiting.sort_unstable();
    for (_, id, resource) in waiting {
        let start = schedule.start_of(id);
        let free = (0..problem.resource(resource).count).find(|unit| {
            cells(id, start).all(|slot| !taken.contains_key(&(resource, *unit, slot)))
        });
        if let Some(unit) = free {
            taken.extend(cells(id, start).map(|slot| ((resource, unit, slot), ())));
        }
        schedule.unit[id.index()] = free;
    }
}
