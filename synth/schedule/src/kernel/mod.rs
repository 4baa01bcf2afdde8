//! Translates the synthesis form into the scheduled form: one problem per block is solved, checked, and written back as
//! attributes.
//!
//! `docs/SYNTHESIS.md` defines the attributes and the timing of a block.

mod block;
mod cones;
mod cycles;
mod extract;
mod timed;
mod wiring;

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{MAX_SHARERS, REGISTERED_OPERANDS, UNIT_WIDTH};
use sluice_dialects::{func, scf, sluice, synthesis_form::guarded_division};
use sluice_ir::{
    AttributeKind, BlockId, Body, Context, Diagnostics, Exact, Location, Module, OperationId, View,
};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;

use crate::certificate::Certificate;
use crate::error::{Nearest, ScheduleError};
use crate::naming::Naming;
use crate::options::SolverOptions;
use crate::problem::{Initiation, Problem, Schedule};
use crate::slack::slack_ns;
use crate::solution_cache::SolutionCache;
use crate::solve::Solution;
use block::{BlockKind, Extraction, Forms, Forwarded, Hardware, UnitNeeds};
use cycles::Totals;

pub use timed::{TimedBlock, timed_blocks};

/// Options of scheduling.
#[derive(Clone, Debug)]
pub struct ScheduleOptions {
    /// Clock period in ns, register times and uncertainty included.
    pub clock_period_ns: f64,
    /// The period for which paths are scheduled, in ns: at most the clock period. Iterative units are chosen for the clock
    /// period, because shorter steps would cost cycles in every use.
    pub path_period_ns: f64,
    /// The period that a unit and its operand multiplexers must fit together, in ns; otherwise a register separates them.
    pub choice_period_ns: f64,
    /// Limit of units for an operator class (by its name in device files); no entry means no limit.
    pub limits: BTreeMap<String, u32>,
    /// Largest initiation interval to try.
    pub max_ii: u32,
    /// True if combinational results may go to the next iteration without a register, where that lowers the II.
    pub forwards: bool,
    /// Timing of the units of float operations, by [`float_key`](sluice::float_key), or the reason why there is none.
    pub float_units: BTreeMap<String, Result<UnitTiming, String>>,
    /// Limits of the solver.
    pub solver: SolverOptions,
    /// Cache of problems that were solved before.
    pub known: SolutionCache,
}

/// Timing of a pipelined unit that takes operands in every cycle, as that of an
/// [`Implementation`](sluice_oplib::implementation::Implementation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitTiming {
    /// Cycles from start to result.
    pub latency_cycles: u32,
    /// From the operands to the first register, or the whole delay if there is none, in ns.
    pub input_delay_ns: f64,
    /// From the last register to the result in ns.
    pub output_delay_ns: f64,
}

impl UnitTiming {
    /// Returns the timing of a scheduled block from its arguments, which its first operations read, to its result, which the last
    /// operation of the problem reads. Values that one iteration passes to the next do not count.
    pub fn of_block(problem: &Problem, schedule: &Schedule) -> Self {
        let mut problem = problem.clone();
        problem
            .dependences
            .retain(|dependence| dependence.distance == 0);
        let arrivals = crate::slack::arrivals_ns(&problem, schedule);
        let last = problem.operations.len().saturating_sub(1);
        let first_cycle = Self::first_cycle(schedule);
        let end = schedule.start.get(last).copied().unwrap_or(first_cycle);
        let latency_cycles = end.saturating_sub(first_cycle);
        let output_ns = arrivals.get(last).copied().unwrap_or(0.0);
        let timed = schedule.start.iter().zip(&problem.operations);
        let input_ns = timed
            .zip(&arrivals)
            .take(last)
            .filter(|((start, _), _)| **start == first_cycle)
            .map(|((_, operation), arrival)| arrival + operation.input_delay_ns)
            .fold(0.0, f64::max);
        Self {
            latency_cycles,
            input_delay_ns: input_ns,
            output_delay_ns: if latency_cycles == 0 { 0.0 } else { output_ns },
        }
    }

    /// Returns the cycle in which a block reads its arguments: the one of its first operations.
    pub fn first_cycle(schedule: &Schedule) -> u32 {
        let all_but_last = schedule.start.len().saturating_sub(1);
        let starts = schedule.start.iter().take(all_but_last);
        starts.copied().min().unwrap_or(0)
    }
}

impl ScheduleOptions {
    /// Creates options without limits on units.
    pub fn new(clock_period_ns: f64) -> Self {
        Self {
            clock_period_ns,
            path_period_ns: clock_period_ns,
            choice_period_ns: clock_period_ns,
            limits: BTreeMap::new(),
            max_ii: 4096,
            forwards: true,
            float_units: BTreeMap::new(),
            solver: SolverOptions::default(),
            known: SolutionCache::default(),
        }
    }
}

/// Schedules every function of a module in synthesis form.
///
/// # Errors
/// All infeasible constraints: each with its operations and the nearest value that can be met.
pub fn schedule(
    context: &Context,
    module: &mut Module,
    device: &Device,
    options: &ScheduleOptions,
) -> Result<(), Diagnostics> {
    schedule_seen(context, module, device, options, &mut |_, _| {})
}

/// Schedules as [`schedule`] does; `seen` gets every problem that was solved, with its schedule.
///
/// # Errors
/// The errors of [`schedule`].
pub fn schedule_seen(
    context: &Context,
    module: &mut Module,
    device: &Device,
    options: &ScheduleOptions,
    seen: &mut dyn FnMut(&Problem, &Schedule),
) -> Result<(), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut cycles_of: BTreeMap<String, Option<Exact>> = BTreeMap::new();
    // Callees first, so that the cycles of a call are known; recursion was rejected earlier.
    let mut open: Vec<OperationId> = module
        .top_level_operations()
        .into_iter()
        .filter(|op| is_function(context, module, *op))
        .collect();
    while !open.is_empty() {
        let ready = open.iter().position(|op| {
            callees(context, module, *op)
                .iter()
                .all(|callee| cycles_of.contains_key(callee))
        });
        let op = open.remove(ready.unwrap_or(0));
        let name = View::new(context, module.inner(), op)
            .symbol_name()
            .unwrap_or_default()
            .to_owned();
        let location = module.inner().location(op);
        let dependences = module
            .inner()
            .attribute_named(context, op, sluice::DEPENDENCES);
        let mut body = module
            .inner_mut()
            .take_body(op)
            .expect("a function is isolated");
        let mut scheduler = Scheduler {
            context,
            hardware: Hardware {
                device,
                options,
                forms: &Forms::of(context, &body, &options.limits),
            },
            cycles_of: &cycles_of,
            found: Found::default(),
        };
        let outcome =
            scheduler.schedule_with_uniform_registers(&mut body, &name, location, dependences);
        module.inner_mut().put_body(op, body);
        diagnostics.append(scheduler.found.diagnostics);
        for (problem, schedule) in &scheduler.found.solved {
            seen(problem, schedule);
        }
        let inner = module.inner_mut();
        if let Some(depth) = outcome.depth {
            inner.set_attribute(
                op,
                context.name(sluice::DEPTH),
                context.i64_attribute(i64::from(depth)),
            );
        }
        if let Some(cycles) = outcome.cycles {
            set_cycles(context, inner, op, cycles);
        }
        cycles_of.insert(name, outcome.cycles);
    }
    let op = module.operation;
    let mut set_ns = |name: &str, ns: f64| {
        let number = context.attribute(AttributeKind::Float {
            ty: context.float_type(sluice_ir::types::FloatKind::F64),
            bits: sluice_ir::bits::Bits::from_u64(64, ns.to_bits()),
        });
        module.body.set_attribute(op, context.name(name), number);
    };
    set_ns(sluice::CLOCK_PERIOD_NS, options.clock_period_ns);
    if options.path_period_ns < options.clock_period_ns {
        set_ns(sluice::PATH_PERIOD_NS, options.path_period_ns);
    }
    module.body.set_attribute(
        op,
        context.name(sluice::DEVICE),
        context.string_attribute(&device.name),
    );
    if diagnostics.has_errors() {
        Err(diagnostics)
    } else {
        Ok(())
    }
}

fn is_function(context: &Context, module: &Module, op: OperationId) -> bool {
    let view = View::new(context, module.inner(), op);
    view.name() == func::Func::NAME && view.entry_block(0).is_some()
}

fn callees(context: &Context, module: &Module, function: OperationId) -> Vec<String> {
    let body = module.inner().inner(function);
    let calls = body
        .walk_all()
        .into_iter()
        .map(|op| View::new(context, body, op))
        .filter(|v| v.name() == func::Call::NAME);
    calls
        .filter_map(|v| Some(v.attribute("callee")?.as_flat_symbol(context)?.to_owned()))
        .collect()
}

fn set_cycles(context: &Context, body: &mut Body, op: OperationId, cycles: Exact) {
    let cycles = context.exact_attribute(cycles);
    body.set_attribute(op, context.name(sluice::CYCLES), cycles);
}

struct Outcome {
    depth: Option<u32>,
    cycles: Option<Exact>,
}

struct Scheduler<'a> {
    context: &'a Context,
    hardware: Hardware<'a>,
    cycles_of: &'a BTreeMap<String, Option<Exact>>,
    found: Found,
}

/// Secondary results of scheduling a function: messages, solved problems, and use of input registers.
#[derive(Default)]
struct Found {
    diagnostics: Diagnostics,
    solved: Vec<(Problem, Schedule)>,
    /// Limited classes with operations that have input registers at their units, and classes with operations that have none.
    registered: BTreeSet<OperatorClass>,
    unregistered: BTreeSet<OperatorClass>,
}

/// A solved block: depth and the cycles of its compound operations.
#[derive(Clone, Copy)]
struct Solved {
    depth: u32,
    ii: Option<u32>,
    /// Cycles of one run, if they are known.
    real_cycles: Option<Exact>,
    /// Cycles of one run without inner loops of varying length, and the cycles that those loops add over all runs of the nest.
    varying_cycles: Option<(Exact, Exact)>,
}

/// Input registers at units may cost at most 1/64 of the cycles of a function: without these registers paths are longer.
const SHARE: u64 = 64;

impl Scheduler<'_> {
    /// Schedules a function so that either all operations on units of a limited class have input registers, or none has.
    fn schedule_with_uniform_registers(
        &mut self,
        body: &mut Body,
        name: &str,
        location: Location,
        dependences: Option<sluice_ir::Attribute>,
    ) -> Outcome {
        let unscheduled = (!self.hardware.forms.is_empty()).then(|| body.clone());
        let outcome = self.function(body, name, location, dependences);
        let found = &self.found;
        let mixed: BTreeSet<_> = found
            .registered
            .intersection(&found.unregistered)
            .copied()
            .collect();
        let Some(unscheduled) = unscheduled.filter(|_| !mixed.is_empty()) else {
            return outcome;
        };
        let attempt = |all: bool| {
            let forms = self.hardware.forms.with_registers(&mixed, all);
            let mut scheduler = Scheduler {
                context: self.context,
                hardware: Hardware {
                    forms: &forms,
                    ..self.hardware
                },
                cycles_of: self.cycles_of,
                found: Found::default(),
            };
            let mut body = unscheduled.clone();
            let outcome = scheduler.function(&mut body, name, location, dependences);
            (body, outcome, scheduler.found)
        };
        let (with, without) = (attempt(true), attempt(false));
        let saves = |(_, outcome, found): &(Body, Outcome, Found)| {
            let fewer = outcome.cycles.zip(with.1.cycles);
            !found.diagnostics.has_errors()
                && fewer.is_some_and(|(fewer, cycles)| {
                    let share = cycles.divided_down(SHARE).unwrap_or_default();
                    fewer.plus(share) < cycles
                })
        };
        let (chosen, outcome, found) = if saves(&without) { without } else { with };
        *body = chosen;
        self.found = found;
        outcome
    }

    fn function(
        &mut self,
        body: &mut Body,
        name: &str,
        location: Location,
        dependences: Option<sluice_ir::Attribute>,
    ) -> Outcome {
        let Some(region) = body.top_regions().next() else {
            return Outcome {
                depth: None,
                cycles: None,
            };
        };
        let blocks = body.blocks(region).to_vec();
        let mut solved = Vec::new();
        for block in &blocks {
            self.nested(body, *block);
            let kind = BlockKind::Sequential { dependences };
            solved.push((
                *block,
                self.block(body, &[*block], &kind, format!("@{name}"), location),
            ));
        }
        if let [(_, only)] = &solved[..] {
            let Some(only) = only else {
                return Outcome {
                    depth: None,
                    cycles: None,
                };
            };
            return Outcome {
                depth: Some(only.depth),
                cycles: only.real_cycles.map(|c| c.plus(1)),
            };
        }
        for (block, solved) in solved {
            if let (Some(solved), Some(last)) = (solved, body.last_operation(block)) {
                let depth = self.context.i64_attribute(i64::from(solved.depth));
                body.set_attribute(last, self.context.name(sluice::DEPTH), depth);
            }
        }
        Outcome {
            depth: None,
            cycles: None,
        }
    }

    /// Schedules the compound operations in a block, innermost first.
    fn nested(&mut self, body: &mut Body, block: BlockId) {
        let ops: Vec<_> = body.operations(block).collect();
        for op in ops {
            let view = View::new(self.context, body, op);
            if !extract::is_compound(view) {
                continue;
            }
            let inner: Vec<BlockId> = (0..view.regions().len())
                .filter_map(|i| view.entry_block(i))
                .collect();
            for block in &inner {
                self.nested(body, *block);
            }
            self.compound(body, op, &inner);
        }
    }

    fn set(&self, body: &mut Body, op: OperationId, name: &str, value: u32) {
        body.set_attribute(
            op,
            self.context.name(name),
            self.context.i64_attribute(i64::from(value)),
        );
    }

    fn compound(&mut self, body: &mut Body, op: OperationId, blocks: &[BlockId]) {
        let view = View::new(self.context, body, op);
        let location = view.location();
        let dependences = view.attribute(sluice::DEPENDENCES);
        let innermost = !blocks.iter().any(|b| {
            body.operations(*b)
                .any(|op| extract::is_compound(View::new(self.context, body, op)))
        });
        let wanted = view
            .attribute(sluice::PIPELINE)
            .and_then(|a| a.as_bool(self.context))
            .unwrap_or(true);
        let fixed_ii = view
            .attribute(sluice::FIXED_II)
            .and_then(|a| a.as_i64(self.context))
            .and_then(|ii| u32::try_from(ii).ok());
        let title = extract::title(self.context, body, op);
        match view.name() {
            scf::For::NAME | scf::While::NAME if innermost && wanted => {
                let initiation = Initiation::Every {
                    min_ii: fixed_ii.unwrap_or(1),
                    max_ii: fixed_ii.unwrap_or(self.hardware.options.max_ii),
                    fixed: fixed_ii.is_some(),
                };
                let is_while = view.name() == scf::While::NAME;
                let kind = BlockKind::Pipelined {
                    loop_op: op,
                    dependences,
                    initiation,
                    is_while,
                };
                if let Some(solved) = self.block(body, blocks, &kind, title, location) {
                    let ii = solved.ii.expect("a pipelined block has an interval");
                    self.set(body, op, sluice::II, ii);
                    self.set(body, op, sluice::DEPTH, solved.depth);
                    let trip_count = extract::trip_count(View::new(self.context, body, op));
                    if let Some(cycles) = trip_count.map(|n| cycles::pipelined(n, ii, solved.depth))
                    {
                        set_cycles(self.context, body, op, cycles);
                    } else if let Some(totals) = self.totals(body, op) {
                        let total = totals.pipelined(ii, solved.depth);
                        self.set_total(body, op, totals, Some(total));
                    }
                }
            }
            scf::For::NAME | scf::While::NAME if fixed_ii.is_some() => {
                let why = if innermost {
                    "`pipeline: false` keeps it sequential"
                } else {
                    "only innermost loops are pipelined, this one holds another"
                };
                let message = format!("an `ii` of this loop has no effect: {why}");
                self.found.diagnostics.error(location, message);
            }
            scf::For::NAME => {
                let kind = BlockKind::Sequential { dependences };
                if let Some(solved) = self.block(body, blocks, &kind, title, location) {
                    self.set(body, op, sluice::DEPTH, solved.depth);
                    let trip_count = extract::trip_count(View::new(self.context, body, op));
                    if let Some(cycles) = trip_count
                        .zip(solved.real_cycles)
                        .map(|(n, c)| cycles::sequential(n, c))
                    {
                        set_cycles(self.context, body, op, cycles);
                    } else if let Some(totals) = self.totals(body, op) {
                        let total = solved
                            .varying_cycles
                            .map(|(cycles, varying)| totals.sequential(cycles, varying));
                        self.set_total(body, op, totals, total);
                    }
                }
            }
            scf::While::NAME => {
                for (block, name) in blocks
                    .iter()
                    .copied()
                    .zip([sluice::DEPTH_BEFORE, sluice::DEPTH_AFTER])
                {
                    let kind = BlockKind::Sequential { dependences };
                    if let Some(solved) = self.block(body, &[block], &kind, title.clone(), location)
                    {
                        self.set(body, op, name, solved.depth);
                    }
                }
            }
            scf::If::NAME => self.conditional(body, op, dependences, &title),
            _ => {
                // A call takes the cycles of its callee and one more.
                let callee = view
                    .attribute("callee")
                    .and_then(|a| a.as_flat_symbol(self.context))
                    .unwrap_or_default();
                if let Some(Some(cycles)) = self.cycles_of.get(callee) {
                    set_cycles(self.context, body, op, cycles.plus(1));
                }
            }
        }
    }

    /// Returns the entries and iterations of a loop in a nest with varying bounds.
    fn totals(&self, body: &Body, op: OperationId) -> Option<Totals> {
        let number = |name: &str| {
            let number = body.attribute_named(self.context, op, name)?;
            number.as_exact(self.context)
        };
        Some(Totals {
            entries: number(sluice::ENTRIES)?,
            empty_entries: number(sluice::EMPTY_ENTRIES)?,
            iterations: number(sluice::ITERATIONS)?,
        })
    }

    /// Sets the cycles of all entries of a loop; for the outermost loop, which is entered once, these are its cycles.
    fn set_total(&self, body: &mut Body, op: OperationId, totals: Totals, cycles: Option<Exact>) {
        let Some(cycles) = cycles else { return };
        let attribute = self.context.exact_attribute(cycles);
        body.set_attribute(op, self.context.name(sluice::TOTAL_CYCLES), attribute);
        let is_outermost = totals.entries == Exact::ONE
            && body
                .parent_operation(op)
                .is_none_or(|around| self.totals(body, around).is_none());
        if is_outermost {
            set_cycles(self.context, body, op, cycles);
        }
    }

    fn conditional(
        &mut self,
        body: &mut Body,
        op: OperationId,
        dependences: Option<sluice_ir::Attribute>,
        title: &str,
    ) {
        let location = body.location(op);
        let mut depths = Vec::new();
        let mut real: Vec<Option<Exact>> = Vec::new();
        for region in 0..2 {
            let block = body.entry_block(op, region);
            let empty = block.is_none_or(|b| {
                body.operations(b).all(|inner| {
                    let view = View::new(self.context, body, inner);
                    extract::is_free(view) && view.operands().len() == 0
                })
            });
            if empty {
                depths.push(0);
                real.push(Some(Exact::ZERO));
                continue;
            }
            let kind = BlockKind::Sequential { dependences };
            let block = block.expect("a block that is not empty is there");
            let Some(solved) = self.block(body, &[block], &kind, title.to_owned(), location) else {
                return;
            };
            depths.push(i64::from(solved.depth));
            real.push(solved.real_cycles);
        }
        if let [Some(a), Some(b)] = real[..]
            && a == b
        {
            set_cycles(self.context, body, op, a.plus(1));
        }
        body.set_attribute(
            op,
            self.context.name(sluice::DEPTHS),
            self.context.dense_i64_array(&depths),
        );
    }

    /// Solves the problem of a block and writes the start times back.
    fn block(
        &mut self,
        body: &mut Body,
        blocks: &[BlockId],
        kind: &BlockKind,
        title: String,
        location: Location,
    ) -> Option<Solved> {
        let solved = self.solution(body, blocks, kind, title);
        let (extraction, outcome) = match solved {
            Ok(solved) => solved,
            Err(found) => {
                self.found.diagnostics.append(found);
                return None;
            }
        };
        match outcome {
            Ok(solution) => {
                let solved = self.write_back(body, kind, &extraction, &solution);
                self.found
                    .solved
                    .push((extraction.problem, solution.schedule));
                Some(solved)
            }
            Err(error) => {
                self.report(body, &extraction, location, &error);
                None
            }
        }
    }

    /// Solves the problem of a block; forwards values from one iteration to the next where that lowers the II.
    fn solution(
        &self,
        body: &Body,
        blocks: &[BlockId],
        kind: &BlockKind,
        title: String,
    ) -> Result<(Extraction, Result<Solution, ScheduleError>), Diagnostics> {
        let hardware = &self.hardware;
        let plain = block::extract(
            self.context,
            body,
            blocks,
            kind,
            title,
            hardware,
            &Forwarded::new(),
        )?;
        let (options, known) = (&hardware.options.solver, &hardware.options.known);
        let forwarding = match hardware.options.forwards {
            true => block::forwarding(self.context, body, blocks, kind, hardware, &plain)?,
            false => None,
        };
        if let Some((extraction, below)) = forwarding {
            let solution = known.solve(&extraction.problem, options);
            let interval = solution.as_ref().ok().and_then(|found| found.schedule.ii);
            if interval.is_some_and(|ii| ii < below) {
                return Ok((extraction, solution));
            }
        }
        let solution = known.solve(&plain.problem, options);
        Ok((plain, solution))
    }

    fn report(
        &mut self,
        body: &Body,
        extraction: &Extraction,
        location: Location,
        error: &ScheduleError,
    ) {
        match error {
            ScheduleError::Infeasible(infeasible) => {
                let diagnostic = self
                    .found
                    .diagnostics
                    .error(location, infeasible.message.clone());
                let all = infeasible.operations.iter();
                let all = all.filter_map(|o| *extraction.operations.get(o.index())?);
                // Parts of one operation share its location.
                let mut places: Vec<Location> = all.map(|op| body.location(op)).collect();
                let mut seen = BTreeSet::new();
                places.retain(|place| seen.insert(*place));
                for place in places {
                    diagnostic.note(place, "this operation takes part");
                }
                if let Some(Nearest::ClockPeriodNs(usable_ns)) = infeasible.nearest {
                    let device = self.hardware.device;
                    let period_ns = device.clock_period_for_ns(usable_ns);
                    diagnostic.hint(format!(
                        "a clock period of {:.1} ns leaves that much on `{}`",
                        (period_ns * 10.0).ceil() / 10.0,
                        device.name
                    ));
                }
            }
            ScheduleError::Input(all) => {
                for message in all {
                    self.found.diagnostics.error(location, message.clone());
                }
            }
            ScheduleError::Unsolved(message) => {
                self.found.diagnostics.error(location, message.clone());
            }
            ScheduleError::Internal { .. } => {
                self.found.diagnostics.error(location, error.to_string());
            }
        }
    }

    fn write_back(
        &mut self,
        body: &mut Body,
        kind: &BlockKind,
        extraction: &Extraction,
        solution: &Solution,
    ) -> Solved {
        let schedule = &solution.schedule;
        let slack_ns = match extraction.units.is_empty() {
            true => Vec::new(),
            false => slack_ns(&extraction.problem, schedule),
        };
        for (i, op) in extraction.operations.iter().enumerate() {
            let Some(op) = op else { continue };
            let operation = &extraction.problem.operations[i];
            self.set(body, *op, sluice::START, schedule.start[i]);
            // A load takes one cycle unless specified otherwise.
            let says_latency = operation.latency_cycles > 0 || operation.class == "memory_read";
            if says_latency && !extract::is_compound(View::new(self.context, body, *op)) {
                self.set(body, *op, sluice::LATENCY, operation.latency_cycles);
            }
            if operation.occupancy_cycles > 1 {
                self.set(body, *op, sluice::OCCUPANCY, operation.occupancy_cycles);
            }
            let class = self.context.string_attribute(&operation.class);
            body.set_attribute(*op, self.context.name(sluice::CLASS), class);
            if let Some(structure) = extraction.structures[i] {
                let structure = self.context.string_attribute(structure);
                body.set_attribute(*op, self.context.name(sluice::STRUCTURE), structure);
            }
            if let Some(needs) = extraction.units.get(op) {
                self.write_needs(body, *op, needs);
                if let Some(most) = needs.max_sharers(self.hardware.device, slack_ns[i]) {
                    self.set(body, *op, MAX_SHARERS, most);
                }
            }
            // A guard and the operation inside it start together.
            let view = View::new(self.context, body, *op);
            if let Some(access) = extract::guarded_access(view).or_else(|| guarded_division(view)) {
                self.set(body, access, sluice::START, schedule.start[i]);
            }
        }
        let depth = schedule.length_cycles.max(1).max(schedule.ii.unwrap_or(1));
        if let BlockKind::Pipelined { loop_op, .. } = kind {
            self.certify(body, *loop_op, &extraction.problem, &solution.certificate);
        }
        let compounds = extraction.operations.iter().flatten();
        let stretch =
            compounds
                .clone()
                .try_fold((Exact::ZERO, Exact::ZERO), |(fixed, varying), op| {
                    let view = View::new(self.context, body, *op);
                    if !extract::is_compound(view) {
                        return Some((fixed, varying));
                    }
                    let number = |name: &str| view.attribute(name)?.as_exact(self.context);
                    Some(match number(sluice::CYCLES) {
                        Some(cycles) => {
                            let beyond = cycles.minus(1).max(Exact::ZERO);
                            (fixed.plus(beyond), varying)
                        }
                        None => {
                            let beyond = number(sluice::TOTAL_CYCLES)?;
                            let beyond = beyond.minus(number(sluice::ENTRIES)?);
                            (fixed, varying.plus(beyond))
                        }
                    })
                });
        let varies = compounds.clone().any(|op| {
            let view = View::new(self.context, body, *op);
            extract::is_compound(view) && view.attribute(sluice::CYCLES).is_none()
        });
        let varying_cycles = stretch.map(|(fixed, varying)| (fixed.plus(depth), varying));
        Solved {
            depth,
            ii: schedule.ii,
            real_cycles: varying_cycles.filter(|_| !varies).map(|(fixed, _)| fixed),
            varying_cycles,
        }
    }

    fn write_needs(&mut self, body: &mut Body, op: OperationId, needs: &UnitNeeds) {
        if needs.registered {
            let unit = self.context.unit_attribute();
            body.set_attribute(op, self.context.name(REGISTERED_OPERANDS), unit);
        }
        if let Some(bits) = needs.wider_bits {
            self.set(body, op, UNIT_WIDTH, bits);
        }
        if let Some(class) = needs.limited {
            let found = &mut self.found;
            let alike = match needs.registered {
                true => &mut found.registered,
                false => &mut found.unregistered,
            };
            alike.insert(class);
        }
    }

    fn certify(
        &self,
        body: &mut Body,
        op: OperationId,
        problem: &Problem,
        certificate: &Certificate,
    ) {
        if let Some(ii) = &certificate.ii {
            self.set(body, op, sluice::LOWER_BOUND, ii.lower_bound);
            if ii.res_mii < ii.lower_bound {
                self.set(body, op, sluice::RESOURCE_BOUND, ii.res_mii);
            }
        }
        let (device, options) = (self.hardware.device, self.hardware.options);
        let clock_period_ns = options.clock_period_ns;
        // A margin for paths grows with the clock period.
        let share = clock_period_ns / options.path_period_ns;
        let naming = Naming::OfSource {
            clock_period_ns,
            clock_for_usable: &|usable_ns| device.clock_period_for_ns(usable_ns) * share,
        };
        let explanation = certificate.explain_with(problem, &naming);
        let explanation = self.context.string_attribute(&explanation);
        body.set_attribute(op, self.context.name(sluice::BOUND), explanation);
    }
}
