//! Timing of a scheduled form: the problem of each block, with the start times of its operations and their delays within cycles.
//!
//! The scheduled form has start times, but no dependences and no delays. They are extracted again, and a block is returned only if
//! the checker accepts its start times for them.

use sluice_dialects::{func, scf, sluice};
use sluice_ir::{Attribute, BlockId, Body, Context, Module, OperationId, View};
use sluice_oplib::device::Device;

use super::block::{self, BlockKind, Extraction, Forms, Forwarded, Hardware};
use super::{ScheduleOptions, extract};
use crate::bounds::{recurrence_bound, resource_bound};
use crate::certificate::Culprit;
use crate::checker::{give_units, verify};
use crate::constraints::{Constraints, min_gap};
use crate::problem::{Dependence, DependenceKind, Initiation, Problem, Schedule};
use crate::slack::{arrivals_ns, slack_ns};
use crate::solve::{ii_culprit, length_culprit};

/// A scheduled block with its dependences and delays.
#[derive(Clone, Debug)]
pub struct TimedBlock {
    /// The function, in the body of the module.
    pub function: OperationId,
    /// The loop or conditional of the block, in the body of the function; `None` for a block of the function itself.
    pub around: Option<OperationId>,
    /// The problem.
    pub problem: Problem,
    /// The start times.
    pub schedule: Schedule,
    /// The IR operation of each problem operation; `None` for those that only represent a timing condition.
    pub operations: Vec<Option<OperationId>>,
    /// For each operation, how many ns after the clock edge its last operand arrives.
    pub arrivals_ns: Vec<f64>,
    /// For each operation, by how many ns its operands could arrive later.
    pub slack_ns: Vec<f64>,
    /// The constraint that prevents a smaller II; for a block that runs once, a shorter length.
    pub culprit: Culprit,
}

impl TimedBlock {
    /// Returns the cycles that a dependence keeps between the starts of its operations, less the distance times the II.
    pub fn gap_cycles(&self, dependence: &Dependence) -> i64 {
        min_gap(&self.problem, dependence)
    }

    /// Returns the cycles by which the second operation of a dependence could start earlier.
    pub fn spare_cycles(&self, dependence: &Dependence) -> i64 {
        let start = |id| i64::from(self.schedule.start_of(id));
        let apart = i64::from(self.schedule.ii.unwrap_or(0)) * i64::from(dependence.distance);
        start(dependence.to) + apart - start(dependence.from) - self.gap_cycles(dependence)
    }
}

/// Returns the blocks of a module in scheduled form; blocks whose start times do not fit the extracted problem are left out.
///
/// `options` are those of the schedule. A unit may have been given a shorter period together with its operand multiplexers than
/// the form records: `choice_period_ns` and the clock period are both tried.
pub fn timed_blocks(
    context: &Context,
    module: &Module,
    device: &Device,
    options: &ScheduleOptions,
) -> Vec<TimedBlock> {
    let mut found = Vec::new();
    let of_clock = ScheduleOptions {
        choice_period_ns: options.clock_period_ns,
        ..options.clone()
    };
    for function in module.top_level_operations() {
        let view = View::new(context, module.inner(), function);
        if view.name() != func::Func::NAME || view.entry_block(0).is_none() {
            continue;
        }
        let body = view.inner();
        let forms = Forms::of(context, body, &options.limits).as_scheduled(context, body);
        let reader = Reader {
            context,
            body,
            function,
            hardware: [options, &of_clock].map(|options| Hardware {
                device,
                options,
                forms: &forms,
            }),
        };
        let dependences = view.attribute(sluice::DEPENDENCES);
        for region in body.top_regions() {
            for block in body.blocks(region) {
                let kind = BlockKind::Sequential { dependences };
                reader.add(None, &[*block], &kind, &mut found);
                reader.nested(*block, &mut found);
            }
        }
    }
    found
}

struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
    function: OperationId,
    /// The ways in which the units may have been chosen.
    hardware: [Hardware<'a>; 2],
}

impl Reader<'_> {
    fn nested(&self, block: BlockId, found: &mut Vec<TimedBlock>) {
        for op in self.body.operations(block).collect::<Vec<_>>() {
            let view = View::new(self.context, self.body, op);
            if !extract::is_compound(view) {
                continue;
            }
            let inner: Vec<BlockId> = (0..view.regions().len())
                .filter_map(|i| view.entry_block(i))
                .collect();
            let dependences = view.attribute(sluice::DEPENDENCES);
            match number(view, sluice::II) {
                Some(_) => {
                    let kind = pipelined(view, dependences);
                    self.add(Some(op), &inner, &kind, found);
                }
                None => {
                    for block in &inner {
                        let kind = BlockKind::Sequential { dependences };
                        self.add(Some(op), &[*block], &kind, found);
                    }
                }
            }
            for block in inner {
                self.nested(block, found);
            }
        }
    }

    /// Adds the first way to build the units that agrees with the start times.
    fn add(
        &self,
        around: Option<OperationId>,
        blocks: &[BlockId],
        kind: &BlockKind,
        found: &mut Vec<TimedBlock>,
    ) {
        let ii = around.and_then(|op| number(View::new(self.context, self.body, op), sluice::II));
        let ways = self.hardware.iter();
        found.extend(
            ways.filter_map(|hardware| self.timed(hardware, around, blocks, kind, ii))
                .next(),
        );
    }

    fn timed(
        &self,
        hardware: &Hardware<'_>,
        around: Option<OperationId>,
        blocks: &[BlockId],
        kind: &BlockKind,
        ii: Option<u32>,
    ) -> Option<TimedBlock> {
        let (context, body) = (self.context, self.body);
        let plain = Forwarded::new();
        let plain =
            block::extract(context, body, blocks, kind, String::new(), hardware, &plain).ok()?;
        if let Some(found) = self.accepted(&plain, around, ii) {
            return Some(found);
        }
        let forwarding = block::forwarding(context, body, blocks, kind, hardware, &plain).ok()?;
        let (forwarding, _) = forwarding?;
        self.accepted(&forwarding, around, ii)
    }

    /// Returns the block if its start times and latencies are those of the scheduled form and the checker accepts them.
    fn accepted(
        &self,
        extraction: &Extraction,
        around: Option<OperationId>,
        ii: Option<u32>,
    ) -> Option<TimedBlock> {
        let problem = &extraction.problem;
        let mut schedule = Schedule {
            start: vec![0; problem.operations.len()],
            unit: vec![None; problem.operations.len()],
            ii,
            length_cycles: 0,
        };
        for (i, op) in extraction.operations.iter().enumerate() {
            let Some(op) = op else { continue };
            let view = View::new(self.context, self.body, *op);
            schedule.start[i] = number(view, sluice::START)?;
            let of_form = number(view, sluice::LATENCY);
            if of_form.is_some_and(|latency| latency != problem.operations[i].latency_cycles) {
                return None;
            }
        }
        place_conditions(problem, &extraction.operations, &mut schedule);
        let ends = problem.operations.iter().zip(&schedule.start);
        let ends = ends.map(|(operation, start)| start + operation.span_cycles());
        schedule.length_cycles = ends.max().unwrap_or(0);
        give_units(problem, &mut schedule);
        verify(problem, &schedule).ok()?;
        let around_view = around.map(|op| View::new(self.context, self.body, op));
        let lower_bound = around_view.and_then(|view| number(view, sluice::LOWER_BOUND));
        Some(TimedBlock {
            function: self.function,
            around,
            arrivals_ns: arrivals_ns(problem, &schedule),
            slack_ns: slack_ns(problem, &schedule),
            culprit: culprit(problem, &schedule, lower_bound),
            problem: problem.clone(),
            schedule,
            operations: extraction.operations.clone(),
        })
    }
}

fn number(view: View<'_>, name: &str) -> Option<u32> {
    let number = view.attribute(name)?.as_i64(view.context)?;
    u32::try_from(number).ok()
}

fn pipelined(view: View<'_>, dependences: Option<Attribute>) -> BlockKind {
    let fixed_ii = number(view, sluice::FIXED_II);
    BlockKind::Pipelined {
        loop_op: view.id,
        dependences,
        initiation: Initiation::Every {
            min_ii: fixed_ii.unwrap_or(1),
            max_ii: fixed_ii.unwrap_or(u32::MAX),
            fixed: fixed_ii.is_some(),
        },
        is_while: view.name() == scf::While::NAME,
    }
}

/// Starts the operations that only represent a timing condition as early as their dependences allow.
fn place_conditions(problem: &Problem, operations: &[Option<OperationId>], to: &mut Schedule) {
    let ii = i64::from(to.ii.unwrap_or(0));
    // A sink takes chained results, whose paths may not fit its cycle: then it starts a cycle later.
    let usable_ns = problem.clock_period_ns;
    let arrivals = arrivals_ns(problem, to);
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        if operations[id.index()].is_some() || operation.latest.is_some() {
            continue;
        }
        let mut earliest = 0;
        for dependence in problem.dependences.iter().filter(|d| d.to == id) {
            let from = problem.operation(dependence.from);
            let start =
                i64::from(to.start_of(dependence.from)) - ii * i64::from(dependence.distance);
            let gap = match dependence.kind {
                DependenceKind::Order { min_gap_cycles } => min_gap_cycles,
                DependenceKind::Data { .. } => {
                    let path_ns = match from.latency_cycles {
                        0 => arrivals[dependence.from.index()] + from.input_delay_ns,
                        _ => from.output_delay_ns,
                    };
                    let is_late = path_ns > usable_ns + crate::problem::TIMING_TOLERANCE_NS;
                    i64::from(from.latency_cycles) + i64::from(is_late)
                }
            };
            earliest = earliest.max(start + gap);
        }
        to.start[id.index()] = u32::try_from(earliest).unwrap_or(0);
    }
}

/// Returns the constraint that prevents an II below the proved bound, or a shorter block.
fn culprit(problem: &Problem, schedule: &Schedule, lower_bound: Option<u32>) -> Culprit {
    let constraints = Constraints::new(problem);
    let Initiation::Every { min_ii, .. } = problem.initiation else {
        let length = i64::from(schedule.length_cycles);
        return length_culprit(problem, &constraints, None, length).unwrap_or(Culprit::None);
    };
    let Ok(recurrence) = recurrence_bound(&constraints) else {
        return Culprit::None;
    };
    let resource = resource_bound(problem);
    let least = i64::from(min_ii);
    let bound = recurrence.ii.max(resource.ii).max(least);
    let proved_from = lower_bound.map_or(bound, i64::from).max(bound);
    ii_culprit(
        problem,
        &constraints,
        &recurrence,
        &resource,
        proved_from,
        least,
    )
}
