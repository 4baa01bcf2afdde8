//! What passes may know beside the module, and a pass as a row of a table.

use std::sync::Arc;

use sluice_config::Config;
use sluice_dialects::func;
use sluice_elastic::{LoopRuns, Placing, Target};
use sluice_ir::passes::{Pass, PassManager, Scope};
use sluice_ir::{Body, Context, Diagnostics, Module};
use sluice_oplib::device::Device;
use sluice_schedule::KnownSolutions;
use sluice_sequential::{Evidence, Proved};

use crate::called_circuits::Callees;
use crate::integer_programs::Answered;
use crate::trial_cache::Known;

/// What passes may know beside the module.
#[derive(Clone)]
pub struct Setting<'a> {
    /// The user's wishes.
    pub config: &'a Config,
    /// Name of the kernel.
    pub top: &'a str,
    /// Device.
    pub device: &'a Device,
    /// Clock period in ns.
    pub clock_period_ns: f64,
    /// The order of passes.
    pub order: &'static Order,
    /// The period for which paths are scheduled.
    pub paths: PathPeriods,
    /// Only the cycles of the schedule are wanted: neither few registers nor advice.
    pub is_trial: bool,
    /// A trial in which data paths stay as they are: what is compared are spacings, which rewriting changes alike.
    pub is_sketch: bool,
    /// What rewriting found before, in trials too.
    pub rewrites: Arc<sluice_rewrite::Cache>,
    /// What was scheduled before.
    pub solutions: KnownSolutions,
    /// What trials made of modules before.
    pub known: Arc<Known>,
    /// What programmes for buffers had as answers before.
    pub answered: Arc<Answered>,
    /// Circuits of functions that an elastic kernel calls, by name.
    pub callees: Arc<Callees>,
    /// How often loops of an elastic circuit run.
    pub(crate) loop_runs: Arc<LoopRuns>,
    /// How buffers of an elastic circuit are placed.
    pub placing: Placing,
    /// Why nets are taken for equal.
    pub evidence: Evidence,
    /// What is known of equal nets.
    pub proved: Arc<Proved>,
}

/// Periods for which paths are scheduled, in ns: at most the clock's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPeriods {
    /// Every path.
    pub path_ns: f64,
    /// That through the choice of operands into a shared unit.
    pub choice_ns: f64,
}

impl<'a> Setting<'a> {
    /// The setting that the user asks for; the clock is the device's where the configuration names none.
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
            solutions: KnownSolutions::default(),
            known: Arc::default(),
            answered: Arc::default(),
            callees: Arc::default(),
            loop_runs: Arc::default(),
            placing: Placing::default(),
            evidence: Evidence::Proof,
            proved: coarse
                .map(|coarse| Arc::clone(&coarse.proved))
                .unwrap_or_default(),
        }
    }

    /// The setting with buffers of elastic circuits placed otherwise.
    pub(crate) fn with_placing(&self, placing: Placing) -> Self {
        Self {
            placing,
            ..self.clone()
        }
    }

    /// For what buffers are placed.
    pub fn target(&self) -> Target<'a> {
        Target {
            device: self.device,
            clock_period_ns: self.clock_period_ns,
            placing: self.placing,
        }
    }

    /// The setting of a schedule that is only compared with others.
    pub fn trial(&self) -> Self {
        Self {
            is_trial: true,
            ..self.clone()
        }
    }

    /// The setting of a schedule whose spacings alone are compared with others.
    pub(crate) fn sketch(&self) -> Self {
        Self {
            is_sketch: true,
            ..self.trial()
        }
    }
}

/// What a step runs on.
#[derive(Clone, Copy)]
pub enum Run {
    /// The whole module.
    Module(fn(&Setting<'_>, &Context, &mut Module, &mut Diagnostics)),
    /// The body of every function, in parallel.
    Bodies(fn(&Setting<'_>, &Context, &mut Body, &mut Diagnostics)),
}

/// A pass over the synthesis side, by name; the list is the order in which `compile` runs them.
#[derive(Clone, Copy)]
pub struct Step {
    /// Name on the command line.
    pub name: &'static str,
    /// Why it stands where it stands.
    pub reason: &'static str,
    /// The pass itself.
    pub run: Run,
}

impl Step {
    /// The pass with its setting.
    pub fn with<'a>(&self, setting: &'a Setting<'a>) -> Pass<'a> {
        let scope = match self.run {
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
        }
    }
}

/// The pass that makes functions of the loops of an elastic kernel that a schedule runs.
pub const OUTLINE: &str = "outline";

/// The pass that trials of large circuits leave out.
pub const MERGE_EQUAL_NETS: &str = "merge-equal-nets";

/// Tables of passes: `flow` fixes their order, and choices run parts of it.
pub struct Order {
    /// From blocks and branches to conditionals and loops.
    pub structure: &'static [Step],
    /// From the source to what is scheduled.
    pub passes: &'static [Step],
    /// The scheduler.
    pub schedule: &'static [Step],
    /// From the scheduled form to circuits.
    pub bind: &'static [Step],
    /// From what is scheduled elsewhere to a dataflow graph.
    pub graph: &'static [Step],
    /// Buffers of a dataflow graph.
    pub placing: &'static [Step],
    /// What is proved of a dataflow graph.
    pub proof: &'static [Step],
    /// From a dataflow graph to circuits.
    pub circuit: &'static [Step],
}

impl Order {
    /// The place of the first pass with this name among [`Order::passes`].
    ///
    /// # Panics
    /// If there is none.
    pub fn position_of(&self, pass: &str) -> usize {
        let mut passes = self.passes.iter();
        let found = passes.position(|step| step.name == pass);
        found.expect("the pass is in the list")
    }
}

/// The passes of a table with their setting; in a trial, the module is verified after the last one only.
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
