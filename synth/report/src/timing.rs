//! Timing of the sections of a report: delays within cycles, dependences, the constraint that sets the II, and the use of units.

use std::collections::BTreeMap;

use sluice_dialects::sluice;
use sluice_ir::{AttributeKind, Context, Module, OperationId};
use sluice_kernel::compiled::Compiled;
use sluice_schedule::certificate::Culprit;
use sluice_schedule::kernel::{ScheduleOptions, TimedBlock, UnitTiming, timed_blocks};
use sluice_schedule::problem::{Dependence, DependenceKind, OperationId as ProblemId, Problem};

use crate::{Place, Section};

/// The timed blocks of a kernel and of the functions that it calls.
pub(crate) struct Timing {
    /// Each block with the position of its module: 0 is the kernel's.
    blocks: Vec<(usize, TimedBlock)>,
}

/// The delays of an operation in ns, after the clock edge of the cycle in which it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Delays {
    /// Arrival of the last operand.
    pub(crate) arrival_ns: f64,
    /// End of a combinational operation; otherwise the time at which the operands are in its first register.
    pub(crate) taken_ns: f64,
    /// For an operation of one or more cycles: the time in its last cycle at which the result is there.
    pub(crate) result_ns: f64,
    /// How much later the operands could arrive.
    pub(crate) slack_ns: f64,
    /// Cycles from start to result.
    pub(crate) latency_cycles: i64,
}

/// A dependence between two rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Iterations by which the second operation is later.
    pub(crate) distance: u32,
    /// Minimum cycles between the starts, the distance times the II not counted.
    pub(crate) gap_cycles: i64,
    /// Cycles by which the second operation could start earlier.
    pub(crate) spare_cycles: i64,
    /// True if a value flows; otherwise only the order matters.
    pub(crate) is_data: bool,
}

/// The constraint that prevents a smaller II, or a shorter block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Operations that wait for each other across iterations.
    Recurrence {
        rows: Vec<usize>,
        latency_cycles: u32,
        distance: u32,
    },
    /// Operations on a unit or port that is always busy.
    Unit { name: String, rows: Vec<usize> },
    /// Operations on units and recurrences, which together forbid more than alone.
    Together { rows: Vec<usize> },
    /// The longest path of a block that runs once.
    Path { rows: Vec<usize> },
}

impl Limit {
    /// Returns the rows that take part.
    pub(crate) fn rows(&self) -> &[usize] {
        match self {
            Self::Recurrence { rows, .. }
            | Self::Unit { rows, .. }
            | Self::Together { rows }
            | Self::Path { rows } => rows,
        }
    }
}

/// Use of a limited unit, such as a memory port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnitUse {
    /// Name, such as ``read port of `%A` ``.
    pub(crate) name: String,
    /// Number of such units.
    pub(crate) count: u32,
    /// For each slot (start mod II, or the cycle in a block that runs once), the rows that hold a unit in it.
    pub(crate) slots: Vec<Vec<usize>>,
}

/// A step of a path within a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) row: usize,
    /// Time after the clock edge at which the step begins and ends.
    pub(crate) from_ns: f64,
    pub(crate) to_ns: f64,
}

/// The timing of a section.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timed {
    /// For each row its delays; `None` if they are not known.
    pub(crate) delays: Vec<Option<Delays>>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) limit: Option<Limit>,
    pub(crate) units: Vec<UnitUse>,
    /// The longest path within a cycle.
    pub(crate) path: Vec<Step>,
    /// Part of the clock period that is usable for logic, in ns.
    pub(crate) usable_ns: Option<f64>,
}

impl Timing {
    pub(crate) fn of(compiled: &Compiled) -> Self {
        let modules = std::iter::once(&compiled.scheduled).chain(&compiled.callees);
        let mut blocks = Vec::new();
        for (number, module) in modules.enumerate() {
            let options = options(compiled, module);
            let found = timed_blocks(&compiled.context, module, &compiled.device, &options);
            blocks.extend(found.into_iter().map(|block| (number, block)));
        }
        Self { blocks }
    }

    /// Returns the timing of a section; without delays and dependences where the blocks are not known.
    pub(crate) fn of_section(&self, section: &Section) -> Timed {
        let mut timed = Timed {
            delays: vec![None; section.rows.len()],
            ..Timed::default()
        };
        let rows = section.rows.iter().enumerate();
        let rows: BTreeMap<OperationId, usize> = rows.map(|(row, of)| (of.id, row)).collect();
        let Place {
            module,
            function,
            around,
        } = section.place;
        for (number, block) in &self.blocks {
            if (*number, block.function, block.around) == (module, function, around) {
                add(&mut timed, block, &rows);
            }
        }
        timed
    }
}

/// Returns the options with which a module was scheduled, as far as the problem of a block depends on them.
fn options(compiled: &Compiled, module: &Module) -> ScheduleOptions {
    let mut options = ScheduleOptions::new(compiled.clock_period_ns);
    if let Some(ns) = path_period_ns(&compiled.context, module) {
        options.path_period_ns = ns;
        options.choice_period_ns = ns;
    }
    options.limits.clone_from(&compiled.config.limits);
    let units = compiled.float_units.iter().map(|(key, unit)| {
        let timing = UnitTiming {
            latency_cycles: unit.latency_cycles,
            input_delay_ns: unit.input_delay_ns,
            output_delay_ns: unit.output_delay_ns,
        };
        (key.clone(), Ok(timing))
    });
    options.float_units = units.collect();
    options
}

/// Returns the period in ns for which the paths of a module are scheduled, if it is shorter than the clock period.
pub(crate) fn path_period_ns(context: &Context, module: &Module) -> Option<f64> {
    let period = module.view(context).attribute(sluice::PATH_PERIOD_NS)?;
    match period.kind(context) {
        AttributeKind::Float { bits, .. } => bits.to_u64().map(f64::from_bits),
        _ => None,
    }
}

/// Adds a block to the timing of its section.
fn add(timed: &mut Timed, block: &TimedBlock, rows: &BTreeMap<OperationId, usize>) {
    let problem = &block.problem;
    let row = |id: ProblemId| rows.get(&block.operations[id.index()]?).copied();
    for id in problem.operation_ids() {
        let Some(row) = row(id) else { continue };
        let operation = problem.operation(id);
        let arrival_ns = block.arrivals_ns[id.index()];
        timed.delays[row] = Some(Delays {
            arrival_ns,
            taken_ns: arrival_ns + operation.input_delay_ns,
            result_ns: operation.output_delay_ns,
            slack_ns: block.slack_ns[id.index()],
            latency_cycles: i64::from(operation.latency_cycles),
        });
    }
    for dependence in &problem.dependences {
        if let (Some(from), Some(to)) = (row(dependence.from), row(dependence.to)) {
            timed.edges.push(Edge {
                from,
                to,
                distance: dependence.distance,
                gap_cycles: block.gap_cycles(dependence),
                spare_cycles: block.spare_cycles(dependence),
                is_data: matches!(dependence.kind, DependenceKind::Data { .. }),
            });
        }
    }
    timed.limit = timed.limit.take().or_else(|| limit(block, &row));
    timed.units.extend(units(block, &row));
    let path = longest_path(block, &row);
    let end = |path: &[Step]| path.last().map_or(0.0, |step| step.to_ns);
    if end(&path) > end(&timed.path) {
        timed.path = path;
    }
    timed.usable_ns = Some(problem.clock_period_ns);
}

fn limit(block: &TimedBlock, row: &impl Fn(ProblemId) -> Option<usize>) -> Option<Limit> {
    let rows = |all: &[ProblemId]| -> Vec<usize> { all.iter().filter_map(|id| row(*id)).collect() };
    match &block.culprit {
        Culprit::Recurrence {
            operations,
            latency_cycles,
            distance,
            ..
        } => Some(Limit::Recurrence {
            rows: rows(operations),
            latency_cycles: *latency_cycles,
            distance: *distance,
        }),
        Culprit::Resource { resource, .. } => {
            let problem = &block.problem;
            let users = problem
                .operation_ids()
                .filter(|id| problem.operation(*id).resource == Some(*resource));
            Some(Limit::Unit {
                name: problem.resource(*resource).name.clone(),
                rows: users.filter_map(row).collect(),
            })
        }
        Culprit::Path { operations, .. } => Some(Limit::Path {
            rows: rows(operations),
        }),
        Culprit::Interaction { operations } => Some(Limit::Together {
            rows: rows(operations),
        }),
        Culprit::None | Culprit::Window { .. } => None,
    }
}

fn units(block: &TimedBlock, row: &impl Fn(ProblemId) -> Option<usize>) -> Vec<UnitUse> {
    let problem = &block.problem;
    let n_slots = block.schedule.ii.unwrap_or(block.schedule.length_cycles);
    let n_slots = n_slots.max(1);
    let index = |slot: u32| usize::try_from(slot).expect("a 32-bit number fits an address");
    let mut found: Vec<UnitUse> = problem
        .resources
        .iter()
        .map(|resource| UnitUse {
            name: resource.name.clone(),
            count: resource.count,
            slots: vec![Vec::new(); index(n_slots)],
        })
        .collect();
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        if let (Some(resource), Some(row)) = (operation.resource, row(id)) {
            let start = block.schedule.start_of(id);
            for offset in 0..operation.occupancy_cycles.min(n_slots) {
                found[resource.index()].slots[index((start + offset) % n_slots)].push(row);
            }
        }
    }
    found
}

/// Two times closer than this are the same, in ns.
const SAME_NS: f64 = 1e-6;

/// Returns the longest path within a cycle, from the register at which it begins. A first step whose operation takes cycles is the
/// delay of its result.
fn longest_path(block: &TimedBlock, row: &impl Fn(ProblemId) -> Option<usize>) -> Vec<Step> {
    let problem = &block.problem;
    let end_ns =
        |id: ProblemId| block.arrivals_ns[id.index()] + problem.operation(id).input_delay_ns;
    let longest = problem.operation_ids().filter(|id| row(*id).is_some());
    let longest = longest.reduce(|best, next| match end_ns(next) > end_ns(best) {
        true => next,
        false => best,
    });
    let Some(mut at) = longest else {
        return Vec::new();
    };
    let mut path = Vec::new();
    for _ in 0..problem.operations.len() {
        let arrival_ns = block.arrivals_ns[at.index()];
        path.extend(row(at).map(|row| Step {
            row,
            from_ns: arrival_ns,
            to_ns: end_ns(at),
        }));
        if arrival_ns <= SAME_NS {
            break;
        }
        let mut before = problem.dependences.iter();
        let before = before.find_map(|edge| leaves_ns(block, problem, edge, at, arrival_ns));
        match before {
            Some((from, true)) => at = from,
            Some((from, false)) => {
                path.extend(row(from).map(|row| Step {
                    row,
                    from_ns: 0.0,
                    to_ns: arrival_ns,
                }));
                break;
            }
            None => break,
        }
    }
    path.reverse();
    path
}

/// Returns the operation whose result arrives last at `to`, and whether it is combinational.
fn leaves_ns(
    block: &TimedBlock,
    problem: &Problem,
    edge: &Dependence,
    to: ProblemId,
    arrival_ns: f64,
) -> Option<(ProblemId, bool)> {
    let from = problem.operation(edge.from);
    let is_chained = edge.kind == DependenceKind::Data { chained: true };
    if edge.to != to || !is_chained || block.spare_cycles(edge) != 0 {
        return None;
    }
    let is_combinational = from.latency_cycles == 0;
    if is_combinational && edge.distance > 0 && !edge.forwarded {
        return None;
    }
    let leaves_ns = match is_combinational {
        true => block.arrivals_ns[edge.from.index()] + from.input_delay_ns,
        false => from.output_delay_ns,
    };
    ((leaves_ns - arrival_ns).abs() <= SAME_NS).then_some((edge.from, is_combinational))
}
