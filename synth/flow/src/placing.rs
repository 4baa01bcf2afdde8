//! For which periods buffers are placed: what gates become in look-up tables is only known once they are covered.

use std::collections::BTreeSet;
use std::iter;

use rayon::prelude::*;
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::TokenSimulator;

use crate::config::{Buffers, Config};
use crate::elastic::target;
use crate::mapping::Mapped;
use crate::passes::{CIRCUIT, MERGE_EQUAL_NETS, Setting, Step};
use crate::pipeline::manager;

/// A way to place buffers, and what is expected of it.
#[derive(Clone, Copy)]
pub(crate) struct Placing {
    pub(crate) shares: Shares,
    /// Whether nothing better is to be found: it keeps the clock, and takes no longer than with the fewest registers.
    pub(crate) is_enough: bool,
}

/// The placing with which the data beside the kernel are expected to take the least time, with like shares for paths and for ways of `ready`.
///
/// A register on a ring costs a cycle of every iteration, and a slot on a way of `ready` is only needed where channels do not wait
/// together anyway: for small circuits that is found out first.
///
/// A programme takes longer than rules: it begins near the shares that are right for rules.
pub(crate) fn best(context: &Context, graph: &Module, setting: &Setting<'_>) -> Option<Placing> {
    let rules = Config {
        buffers: Buffers::Rules,
        ..setting.config.clone()
    };
    let by_rules = Setting {
        config: &rules,
        ..setting.clone()
    };
    let data = data(context, graph, &by_rules);
    let mut search = Search::new(context, graph, &by_rules, &data);
    search.go_through(&UNCUT_SHARES.map(uncut));
    search.go_through(&PATH_SHARES.map(alike));
    let found = search.best?.placing;
    if setting.config.buffers == Buffers::Rules {
        return Some(found);
    }
    let (path, ready) = found.shares;
    let first = PATH_SHARES.iter().position(|share| *share <= path);
    let first = first.unwrap_or(PATH_SHARES.len() - 1);
    let shares = &PATH_SHARES[first.saturating_sub(LOOSER)..];
    let by =
        |ways: fn(f64) -> Shares| -> Vec<Shares> { shares.iter().copied().map(ways).collect() };
    let mut search = Search::new(context, graph, setting, &data);
    search.most_trials = EXACT_TRIALS;
    if ready == UNCUT {
        search.go_through(&by(uncut));
    }
    search.go_through(&by(alike));
    search.best.map(|best| best.placing)
}

/// The best placing around known shares: others for ways of `ready` with the best one for paths, then the other way round, as long as that
/// helps.
pub(crate) fn best_near(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    shares: Shares,
) -> Option<Placing> {
    let data = data(context, graph, setting);
    let mut search = Search::new(context, graph, setting, &data);
    search.attempt(shares);
    for _ in 0..MOST_ROUNDS {
        let before = search.best?.placing.shares;
        search.attempt_all(&READY_SHARES.map(|ready| (before.0, ready)));
        let (_, ready) = search.best?.placing.shares;
        search.attempt_all(&PATH_SHARES.map(|path| (path, ready)));
        if search.best?.placing.shares == before {
            break;
        }
    }
    for steps in FINE_STEPS {
        let (path, ready) = search.best?.placing.shares;
        search.attempt_all(&steps.map(|step| (path * step.0, ready * step.1)));
    }
    search.best.map(|best| best.placing)
}

/// Shares with ways of `ready` that are not cut.
fn uncut(path: f64) -> Shares {
    (path, UNCUT)
}

/// The same share for both.
fn alike(path: f64) -> Shares {
    (path, path)
}

/// Shares of the period for paths and for ways of `ready`.
type Shares = (f64, f64);

/// Arguments of the data sets beside the kernel.
fn data(context: &Context, graph: &Module, setting: &Setting<'_>) -> Vec<Vec<Argument>> {
    let mut placed = graph.clone();
    sluice_elastic::place_buffers(context, &mut placed, &target(setting));
    crate::depths::usual(context, &placed, setting)
}

/// The best placing so far.
#[derive(Clone, Copy)]
struct Best {
    /// Cycles, weighed against the clock.
    cycles: f64,
    /// The same, weighed against cells.
    cost: f64,
    placing: Placing,
}

/// A placing that is tried.
struct Trial {
    shares: Shares,
    text: String,
    time: Option<Time>,
    circuit: Module,
    mapped: Option<Mapped>,
    /// Whether equal nets are worth looking for.
    merges: bool,
}

/// A search for shares.
struct Search<'a> {
    context: &'a Context,
    graph: &'a Module,
    setting: &'a Setting<'a>,
    data: &'a [Vec<Argument>],
    tried: Vec<Shares>,
    /// Placings that were tried, as text.
    seen: BTreeSet<String>,
    /// Whether equal nets are looked for in every trial that cuts ways of `ready`, and in those that do not: known behind the first.
    merges: [Option<bool>; 2],
    /// Placings that keep the clock.
    n_keeping: usize,
    /// Cycles of the first trial, which has the fewest registers, and how they were found.
    first: Option<Time>,
    best: Option<Best>,
    /// Different placings that are tried.
    most_trials: usize,
}

/// What a placing takes.
#[derive(Clone, Copy)]
struct Time {
    cycles: f64,
    /// Whether the data were run; else it is the mean interval of the loops.
    is_run: bool,
}

impl<'a> Search<'a> {
    fn new(
        context: &'a Context,
        graph: &'a Module,
        setting: &'a Setting<'a>,
        data: &'a [Vec<Argument>],
    ) -> Self {
        Self {
            context,
            graph,
            setting,
            data,
            seen: BTreeSet::new(),
            merges: [None; 2],
            n_keeping: 0,
            tried: Vec::new(),
            first: None,
            best: None,
            most_trials: usize::MAX,
        }
    }

    /// Tries shares in their order until the clock is kept, unless nothing better is to be found; two at a time behind the first.
    fn go_through(&mut self, all: &[Shares]) {
        let n_keeping = self.n_keeping;
        let (first, others) = all.split_at(all.len().min(1));
        for shares in iter::once(first).chain(others.chunks(2)) {
            let is_enough = self.best.is_some_and(|best| best.placing.is_enough);
            let is_uncut = shares.first().is_some_and(|shares| shares.1 == UNCUT);
            let is_large = is_uncut && self.merges[1] == Some(false);
            if is_enough || is_large || n_keeping < self.n_keeping {
                break;
            }
            self.attempt_all(shares);
        }
    }

    /// Tries a placing.
    fn attempt(&mut self, shares: Shares) {
        self.attempt_all(&[shares]);
    }

    /// Tries placings that do not hang on each other.
    fn attempt_all(&mut self, all: &[Shares]) {
        let new = all.iter().filter(|shares| !self.tried.contains(shares));
        let new: Vec<Shares> = new.copied().collect();
        self.tried.extend(&new);
        let this = &*self;
        let placed: Vec<Trial> = new
            .into_par_iter()
            .map(|shares| this.placed(shares))
            .collect();
        let mut open = Vec::new();
        for trial in placed {
            let is_open =
                self.seen.len() < self.most_trials && self.seen.insert(trial.text.clone());
            let Some(time) = trial.time.filter(|_| is_open) else {
                continue;
            };
            self.first.get_or_insert(time);
            // A clock that is missed makes it no better.
            if self.best.is_none_or(|best| time.cycles < best.cycles) {
                open.push((trial, time));
            }
        }
        // Whether equal nets are worth looking for, the first one tells.
        let mut first = 0;
        if let Some((trial, _)) = open.first_mut() {
            let family = usize::from(trial.shares.1 == UNCUT);
            if self.merges[family].is_none() {
                self.map(trial);
                self.merges[family] = Some(trial.merges);
                first = 1;
            }
        }
        let this = &*self;
        open.par_iter_mut()
            .skip(first)
            .for_each(|(trial, _)| this.map(trial));
        for (trial, time) in open {
            self.judge(&trial, time);
        }
    }

    /// The graph with buffers for some shares, and what it takes.
    fn placed(&self, shares: Shares) -> Trial {
        let (context, setting) = (self.context, self.setting);
        let mut circuit = self.graph.clone();
        let tried = setting.with_shares(shares.0, shares.1);
        crate::exact_buffers::place_buffers(context, &mut circuit, &target(&tried), &tried);
        crate::depths::shorten(context, &mut circuit, setting.top);
        Trial {
            shares,
            text: print_module(context, &circuit, &PrintOptions::default()),
            time: self.time(&circuit),
            circuit,
            mapped: None,
            merges: false,
        }
    }

    /// Keeps a trial if it is the best so far.
    fn judge(&mut self, trial: &Trial, time: Time) {
        let (Some(mapped), Some(first)) = (&trial.mapped, self.first) else {
            return;
        };
        let setting = self.setting;
        let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
        let missed = period_ns / setting.clock_period_ns;
        let misses = missed > 1.0;
        self.n_keeping += usize::from(!misses);
        let cycles = match misses {
            true => time.cycles * missed.powi(MISSED_CLOCK) * MISSES,
            false => time.cycles,
        };
        let n_cells = mapped.area.lut + mapped.area.ff;
        let cost = cycles * n_cells.max(1.0).powf(CELLS);
        if self.best.is_none_or(|best| cost < best.cost * ALIKE) {
            let placing = Placing {
                shares: trial.shares,
                is_enough: !misses && time.cycles <= first.cycles,
            };
            self.best = Some(Best {
                cycles,
                cost,
                placing,
            });
        }
    }

    /// What a graph takes for the data, or, where there are none or they take too long, between iterations; `None` where a run fails that
    /// did not before.
    fn time(&self, graph: &Module) -> Option<Time> {
        let run = match self.first {
            Some(Time { is_run: false, .. }) => None,
            first => {
                let cycles = self.run(graph);
                if cycles.is_none() && first.is_some() {
                    return None;
                }
                cycles
            }
        };
        Some(match run {
            Some(cycles) => Time {
                cycles,
                is_run: true,
            },
            None => Time {
                cycles: sluice_elastic::mean_interval_cycles(self.context, graph),
                is_run: false,
            },
        })
    }

    /// The cycles of all data sets.
    fn run(&self, graph: &Module) -> Option<f64> {
        let mut simulator = TokenSimulator::new(self.context, graph, self.setting.top).ok()?;
        let n_channels = u64::try_from(simulator.channels().len()).ok()?.max(1);
        let most_cycles = MOST_CHANNEL_CYCLES / n_channels;
        let mut cycles = 0;
        for arguments in self.data {
            let outcome = simulator.run(arguments, most_cycles.saturating_sub(cycles));
            cycles += outcome.ok()?.outcome.cycles;
        }
        u32::try_from(cycles)
            .ok()
            .filter(|cycles| *cycles > 0)
            .map(f64::from)
    }

    /// Maps the circuit of a trial.
    fn map(&self, trial: &mut Trial) {
        let (context, setting) = (self.context, self.setting);
        let circuit = &mut trial.circuit;
        let mut ignored = Diagnostics::new();
        let merging = CIRCUIT
            .iter()
            .position(|step| step.name == MERGE_EQUAL_NETS);
        let (to_circuit, behind) = CIRCUIT.split_at(merging.expect("the pass is in the list"));
        let mut run = |steps: &[Step], circuit: &mut Module| {
            manager(steps, setting).run(context, circuit, &mut ignored, &mut |_, _| {});
            n_registers(context, circuit)
        };
        let n_before = run(to_circuit, circuit);
        let known = self.merges[usize::from(trial.shares.1 == UNCUT)];
        let n_behind = match known.unwrap_or(n_before <= LARGE) {
            true => run(behind, circuit),
            false => run(&behind[1..], circuit),
        };
        let left = f64::from(n_behind) / f64::from(n_before.max(1));
        trial.merges = n_behind <= SMALL || left < WORTH;
        if !ignored.has_errors() {
            trial.mapped = crate::mapping::map(context, circuit, setting.top, setting.device).ok();
        }
    }
}

/// Registers of a circuit, of any width.
fn n_registers(context: &Context, circuit: &Module) -> u32 {
    let modules = circuit.top_level_operations().into_iter();
    modules
        .map(|op| {
            let inner = circuit.inner().inner(op);
            let ops = inner.walk_all().into_iter();
            let registers = ops.filter(|op| {
                let name = View::new(context, inner, *op).name();
                name.starts_with("seq.compreg")
            });
            u32::try_from(registers.count()).unwrap_or(u32::MAX)
        })
        .fold(0, u32::saturating_add)
}

/// Shares that are tried, the greatest first.
const PATH_SHARES: [f64; 8] = [2.0, 1.6, 1.35, 1.15, 1.0, 0.85, 0.7, 0.55];

/// Those that are tried while ways of `ready` are not cut: in all of these trials equal nets are looked for.
const UNCUT_SHARES: [f64; 4] = [2.0, 1.35, 1.0, 0.85];

/// Shares for ways of `ready` that are tried with a share for paths.
const READY_SHARES: [f64; 6] = [2.0, 1.35, 1.0, 0.85, 0.7, 0.55];

/// Rounds of varying shares: each tries all others of both.
const MOST_ROUNDS: usize = 2;

/// What the best shares are multiplied with in the end, one after the other.
const FINE_STEPS: [[Shares; 2]; 2] = [[(1.08, 1.0), (0.93, 1.0)], [(1.0, 1.15), (1.0, 0.87)]];

/// Shares in front of that which is right for rules with which a programme begins: it needs fewer registers for the same clock.
const LOOSER: usize = 2;

/// Different placings that are tried with a programme.
const EXACT_TRIALS: usize = 6;

/// The share of ways of `ready` that are not cut.
const UNCUT: f64 = 1000.0;

/// Registers of a circuit for which equal nets are looked for in every trial: that takes some hundredths of a second.
const SMALL: u32 = 250;

/// Registers of a circuit for which they are not looked for in the first trial.
const LARGE: u32 = 1500;

/// The share of registers that is left where it is worth looking for equal nets in larger circuits: their periods are others then.
const WORTH: f64 = 0.9;

/// Tokens that a run of all data may look at, channels times cycles: that takes some hundredths of a second.
const MOST_CHANNEL_CYCLES: u64 = 1_000_000;

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 2;

/// What a missed clock costs at least.
const MISSES: f64 = 1.1;

/// The power to which cells count: a tenth more of them is as bad as a hundredth more time.
const CELLS: f64 = 0.1;

/// Costs nearer to each other than this are alike.
const ALIKE: f64 = 0.99;
