//! The shared setting of a compilation, which passes read besides the module; and passes as rows of a table.

use std::sync::Arc;

use sluice_config::Config;
use sluice_dialects::func;
use sluice_elastic::{LoopRuns, Placing, Target};
use sluice_ir::passes::{Pass, PassManager, Scope};
use sluice_ir::{Body, Context, Diagnostics, Module};
use sluice_oplib::device::Device;
use sluice_schedule::SolutionCache;
use sluice_sequential::{Evidence, Proved};
use sluice_transform::CopySizes;

use crate::called_circuits::Callees;
use crate::float_units::FloatUnits;
use crate::integer_programs::Answered;
use crate::trial_cache::Known;

/// The inputs of passes besides the module.
#[derive(Clone)]
pub struct Setting<'a> {
    /// Options of the user.
    pub config: &'a Config,
    /// Name of the kernel.
    pub top: &'a str,
    /// The target device.
    pub device: &'a Device,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// The order of passes.
    pub order: &'static Order,
    /// The periods for which paths are scheduled.
    pub paths: PathPeriods,
    /// Only the cycles of the schedule matter: registers are not minimised, and no advice is given.
    pub is_trial: bool,
    /// A trial without rewriting of data paths. It only compares spacings, and rewriting changes all of them alike.
    pub is_sketch: bool,
    /// Cache of rewriting results, also of trials.
    pub rewrites: Arc<sluice_rewrite::Cache>,
    /// Cache of schedules.
    pub solutions: SolutionCache,
    /// Cache of trial results.
    pub known: Arc<Known>,
    /// Cache of solved integer programs for buffer placement.
    pub answered: Arc<Answered>,
    /// Schedules of the units of float operations.
    pub float_units: Arc<FloatUnits>,
    /// Circuits of functions that an elastic kernel calls, by name.
    pub callees: Arc<Callees>,
    /// Number of iterations of the loops of an elastic circuit.
    pub(crate) loop_runs: Arc<LoopRuns>,
    /// The placing of the buffers of an elastic circuit.
    pub placing: Placing,
    /// Evidence for treating nets as equal.
    pub evidence: Evidence,
    /// Results of earlier proofs that nets are equal.
    pub proved: Arc<Proved>,
}

/// Periods for which paths are scheduled, in ns; at most the clock period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPeriods {
    /// Period for every path.
    pub path_ns: f64,
    /// Period for paths through the operand multiplexers of a shared unit.
    pub choice_ns: f64,
}

/// Maximum bits of a copy of a whole array, unless the user gives another number: such a copy pays only for small arrays.
const WHOLE_COPY_BITS: u64 = 32_768;

/// The share of the block memories of the device that one copy may take, as a divisor: several line buffers fit beside the other
/// memories of a design. Two rows of an image with 1,920 pixels of 32 bits take 7 of 240 blocks of `generic`.
const COPIES_PER_DEVICE: u64 = 16;

impl<'a> Setting<'a> {
    /// Returns the maximum sizes of local memories for data reuse.
    pub fn copy_sizes(&self) -> CopySizes {
        let of_device = self.device.block_memory_bits() / COPIES_PER_DEVICE;
        let most_bits = self.config.reuse.most_bits;
        CopySizes {
            part_bits: most_bits.unwrap_or(of_device.max(WHOLE_COPY_BITS)),
            whole_bits: most_bits.unwrap_or(WHOLE_COPY_BITS),
        }
    }

    /// Creates the setting for a configuration; the clock is that of the device if the configuration gives none.
    pub fn new(
        config: &'a Config,
        top: &'a str,
        device: &'a Device,
        order: &'static Order,
    ) -> Self {
        let clock = config.clock_period_ns;
        let coarse = config.coarse_placing.as_ref();
        let clock_period_ns = clock.unwrap_or(device.default_clock_period_ns);
        Self {
            config,
            top,
            device,
            clock_period_ns,
            order,
            paths: PathPeriods {
                path_ns: clock_period_ns,
                choice_ns: clock_period_ns,
            },
            is_trial: false,
            is_sketch: false,
            rewrites: Arc::default(),
            solutions: SolutionCache::default(),
            known: Arc::default(),
            answered: Arc::default(),
            float_units: Arc::default(),
            callees: Arc::default(),
            loop_runs: Arc::default(),
            placing: Placing::default(),
            evidence: Evidence::Proof,
            proved: coarse
                .map(|coarse| Arc::clone(&coarse.proved))
                .unwrap_or_default(),
        }
    }

    /// Returns the setting with another placing of the buffers of elastic circuits.
    pub(crate) fn with_placing(&self, placing: Placing) -> Self {
        Self {
            placing,
            ..self.clone()
        }
    }

    /// Returns the target of buffer placement.
    pub fn target(&self) -> Target<'a> {
        Target {
            device: self.device,
            clock_period_ns: self.clock_period_ns,
            placing: self.placing,
        }
    }

    /// Returns the setting of a trial schedule, which is only compared with others.
    pub fn trial(&self) -> Self {
        Self {
            is_trial: true,
            ..self.clone()
        }
    }

    /// Returns the setting of a trial schedule that only compares spacings.
    pub(crate) fn sketch(&self) -> Self {
        Self {
            is_sketch: true,
            ..self.trial()
        }
    }
}

/// The scope of a step.
#[derive(Clone, Copy)]
pub enum Run {
    /// The whole module.
    Module(fn(&Setting<'_>, &Context, &mut Module, &mut Diagnostics)),
    /// The body of every function, in parallel.
    Bodies(fn(&Setting<'_>, &Context, &mut Body, &mut Diagnostics)),
    /// As the second, in modules for which the first is true; it changes no other one.
    Where(fn(&Context, &Module) -> bool, &'static Run),
}

/// A named pass of the synthesis side; `compile` runs them in the order of the list.
#[derive(Clone, Copy)]
pub struct Step {
    /// Name on the command line.
    pub name: &'static str,
    /// Reason for its position in the order.
    pub reason: &'static str,
    /// The pass itself.
    pub run: Run,
}

impl Step {
    /// Returns the pass with its setting.
    pub fn with<'a>(&self, setting: &'a Setting<'a>) -> Pass<'a> {
        let (applies, run) = match self.run {
            Run::Where(applies, run) => (Some(applies), *run),
            run => (None, run),
        };
        let scope = match run {
            Run::Where(..) => unreachable!("a condition is not nested"),
            Run::Module(run) => Scope::Module(Box::new(move |context, module, diagnostics| {
                run(setting, context, module, diagnostics)
            })),
            Run::Bodies(run) => Scope::Bodies {
                of: func::Func::NAME,
                run: Box::new(move |context, body, diagnostics| {
                    run(setting, context, body, diagnostics)
                }),
            },
        };
        Pass {
            name: self.name,
            scope,
            applies,
        }
    }

    /// Returns whether it runs on the body of each function.
    pub fn runs_on_bodies(&self) -> bool {
        let run = match &self.run {
            Run::Where(_, run) => run,
            run => run,
        };
        matches!(run, Run::Bodies(_))
    }
}

/// The pass that outlines statically scheduled loops of an elastic kernel into functions.
pub const OUTLINE: &str = "outline";

/// The pass that trials of large circuits leave out.
pub const MERGE_EQUAL_NETS: &str = "merge-equal-nets";

/// Tables of passes: `flow` defines their order, and choices run parts of them.
pub struct Order {
    /// From blocks and branches to conditionals and loops.
    pub structure: &'static [Step],
    /// From the source to the input of the scheduler.
    pub passes: &'static [Step],
    /// The scheduler.
    pub schedule: &'static [Step],
    /// From the scheduled form to circuits.
    pub bind: &'static [Step],
    /// From the input of the scheduler to a dataflow graph, for elastic circuits.
    pub graph: &'static [Step],
    /// Buffers of a dataflow graph.
    pub placing: &'static [Step],
    /// Proofs about a dataflow graph.
    pub proof: &'static [Step],
    /// From a dataflow graph to circuits.
    pub circuit: &'static [Step],
}

impl Order {
    /// Returns the position of the first pass with this name in [`Order::passes`].
    ///
    /// # Panics
    /// If there is no such pass.
    pub fn position_of(&self, pass: &str) -> usize {
        let mut passes = self.passes.iter();
        let found = passes.position(|step| step.name == pass);
        found.expect("the pass is in the list")
    }
}

/// Returns a pass manager for a table with its setting. In a trial, it verifies the module after the last pass only.
pub fn manager<'a>(steps: &[Step], setting: &'a Setting<'a>) -> PassManager<'a> {
    let mut manager = PassManager::new();
    for step in steps {
        manager.add(step.with(setting));
    }
    if setting.is_trial {
        manager.verify_last_only();
    }
    manager
}
