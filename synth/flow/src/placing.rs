//! For which periods buffers are placed: what gates become in look-up tables is only known once they are covered.

use std::collections::BTreeSet;
use std::iter;

use rayon::prelude::*;
use sluice_elastic::{Backs, Placing};
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_sequential::{Evidence, MOST_PROVED_BITS};
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::TokenSimulator;

use crate::comparing::CELLS;
use crate::config::{Buffers, CoarsePlacing, Config};
use crate::elastic::target;
use crate::mapping::Mapped;
use crate::passes::{CIRCUIT, MERGE_EQUAL_NETS, Setting, Step};
use crate::pipeline::manager;

/// A way to place buffers, and what is expected of it.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) placing: Placing,
    /// Whether nothing better is to be found: it keeps the clock, and takes no longer than with the fewest registers.
    pub(crate) is_enough: bool,
    /// Whether its nets that no run parts are proved to be equal.
    pub(crate) has_proved_nets: bool,
}

/// The placing with which the data beside the kernel are expected to take the least time, with like shares for paths and for ways of `ready`.
///
/// A register on a ring costs a cycle of every iteration, and a slot on a way of `ready` is only needed where channels do not wait
/// together anyway: for small circuits that is found out first.
///
/// A programme takes longer than rules: it begins near the shares that are right for rules.
pub(crate) fn best(context: &Context, graph: &Module, setting: &Setting<'_>) -> Option<Chosen> {
    let rules = Config {
        buffers: Buffers::Rules,
        ..setting.config.clone()
    };
    let by_rules = Setting {
        config: &rules,
        ..setting.clone()
    };
    let data = data(context, graph, &by_rules);
    let by_runs = Evidence::Runs;
    let found = Search::of(context, graph, &by_rules, &data, by_runs, &mut |search| {
        search.go_through_all();
    });
    let found = found.best?.chosen;
    if setting.config.buffers == Buffers::Rules {
        return Some(found);
    }
    let (path, ready) = (found.placing.path_share, found.placing.ready_share);
    let first = PATH_SHARES.iter().position(|share| *share <= path);
    let first = first.unwrap_or(PATH_SHARES.len() - 1);
    let shares = &PATH_SHARES[first.saturating_sub(LOOSER)..];
    let by =
        |ways: fn(f64) -> Shares| -> Vec<Shares> { shares.iter().copied().map(ways).collect() };
    let mut search = Search::new(
        context,
        graph,
        setting,
        &data,
        evidence(found.has_proved_nets),
    );
    search.most_trials = EXACT_TRIALS;
    if ready == UNCUT {
        search.go_through(&by(uncut));
    }
    search.go_through(&by(alike));
    search.prove();
    search.best.map(|best| best.chosen)
}

/// The best placing around known shares: others for ways of `ready` with the best one for paths, then the other way round, as long as that
/// helps.
pub(crate) fn best_near(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    coarse: CoarsePlacing,
) -> Option<Chosen> {
    let data = data(context, graph, setting);
    let evidence = evidence(coarse.has_proved_nets);
    let mut around = Some(coarse.placing);
    let found = Search::of(context, graph, setting, &data, evidence, &mut |search| {
        // Where estimates did not hold, the coarse placing does not either.
        let placing = around.take().or_else(|| {
            search.go_through_all();
            search.best.map(|best| best.chosen.placing)
        });
        if let Some(placing) = placing {
            search.go_around(placing);
        }
    });
    found.best.map(|best| best.chosen)
}

/// Why nets are taken for equal in trials of a circuit whose equal nets were proved before, or not.
fn evidence(has_proved_nets: bool) -> Evidence {
    match has_proved_nets {
        true => Evidence::Runs,
        false => Evidence::Equalities,
    }
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
    /// Whether its structure proves that it comes to its end.
    ends: bool,
    chosen: Chosen,
}

/// A placing that is tried.
struct Trial {
    placing: Placing,
    graph: Module,
    mapped: Option<Mapped>,
}

/// A search for shares.
struct Search<'a> {
    context: &'a Context,
    graph: &'a Module,
    setting: &'a Setting<'a>,
    data: &'a [Vec<Argument>],
    /// Why nets are taken for equal.
    evidence: Evidence,
    /// Whether equal nets are worth looking for: the first trial tells.
    is_worth: Option<bool>,
    /// Whether the circuits are too great for all equal nets to be proved.
    is_great: bool,
    tried: Vec<Placing>,
    /// Shares for paths, and what they are as tight as no loop is slower by it.
    tight: Vec<(f64, f64)>,
    /// Placings that were tried, as text.
    seen: BTreeSet<String>,
    /// Placings that keep the clock, and are proved to come to their end if they are better.
    n_keeping: usize,
    /// The fewest cycles of the first trials, which have the fewest registers, and how they were found.
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
        evidence: Evidence,
    ) -> Self {
        Self {
            context,
            graph,
            setting,
            data,
            evidence,
            is_worth: None,
            is_great: false,
            seen: BTreeSet::new(),
            n_keeping: 0,
            tried: Vec::new(),
            tight: Vec::new(),
            first: None,
            best: None,
            most_trials: usize::MAX,
        }
    }

    /// A search in some way: by runs, if the equal nets of what it finds are proved to be, or else by equalities.
    fn of(
        context: &'a Context,
        graph: &'a Module,
        setting: &'a Setting<'a>,
        data: &'a [Vec<Argument>],
        evidence: Evidence,
        go: &mut dyn FnMut(&mut Self),
    ) -> Self {
        let mut search = Self::new(context, graph, setting, data, evidence);
        go(&mut search);
        if evidence == Evidence::Runs && !search.prove() {
            let is_worth = search.is_worth.filter(|is_worth| !is_worth);
            search = Self::new(context, graph, setting, data, Evidence::Equalities);
            search.is_worth = is_worth;
            go(&mut search);
        }
        search
    }

    /// Tries like shares for both, first with ways of `ready` that are not cut.
    fn go_through_all(&mut self) {
        self.go_through(&UNCUT_SHARES.map(uncut));
        self.go_through(&PATH_SHARES.map(alike));
    }

    /// Tries shares in their order until the clock is kept, unless nothing better is to be found; two at a time behind the first, with which
    /// it is found out what is best where tokens of loops come back.
    fn go_through(&mut self, all: &[Shares]) {
        let n_keeping = self.n_keeping;
        let (first, others) = all.split_at(all.len().min(1));
        for shares in iter::once(first).chain(others.chunks(2)) {
            let is_enough = self.best.is_some_and(|best| best.chosen.is_enough);
            if is_enough || n_keeping < self.n_keeping {
                break;
            }
            let backs: &[Backs] = match &self.best {
                Some(best) => &[best.chosen.placing.backs],
                // A programme chooses that itself.
                None if self.setting.config.buffers == Buffers::Exact => &BACKS[..1],
                None => &BACKS,
            };
            let mut placings = Vec::new();
            for (path_share, ready_share) in shares {
                let path_share = self.tightest(*path_share);
                placings.extend(backs.iter().map(|backs| Placing {
                    path_share,
                    ready_share: *ready_share,
                    backs: *backs,
                }));
            }
            self.attempt_all(&placings);
        }
    }

    /// A share for paths as tight as no loop is slower by it, as far as that is between it and the next one that is tried.
    fn tightest(&mut self, path_share: f64) -> f64 {
        let known = self.tight.iter().find(|(share, _)| *share == path_share);
        if let Some((_, tight)) = known {
            return *tight;
        }
        let next = PATH_SHARES.iter().find(|share| **share < path_share);
        let tight = next.and_then(|next| {
            let (placed_for, range) = (target(self.setting), (path_share, *next));
            sluice_elastic::tightest_path_share(self.context, self.graph, &placed_for, range)
        });
        let tight = tight.unwrap_or(path_share);
        self.tight.push((path_share, tight));
        tight
    }

    /// Tries what is near to the best of some placings, as long as that helps.
    fn go_around(&mut self, start: Placing) {
        let best = |search: &Self| search.best.map_or(start, |best| best.chosen.placing);
        self.attempt_all(&BACKS.map(|backs| Placing { backs, ..start }));
        for _ in 0..MOST_ROUNDS {
            let before = best(self);
            self.attempt_all(&READY_SHARES.map(|ready_share| Placing {
                ready_share,
                ..before
            }));
            let now = best(self);
            let path_shares = PATH_SHARES.map(|share| self.tightest(share));
            self.attempt_all(&path_shares.map(|path_share| Placing { path_share, ..now }));
            let now = best(self);
            self.attempt_all(&BACKS.map(|backs| Placing { backs, ..now }));
            if best(self) == before {
                break;
            }
        }
        for steps in FINE_STEPS {
            let now = best(self);
            self.attempt_all(&steps.map(|(path, ready)| Placing {
                path_share: now.path_share * path,
                ready_share: now.ready_share * ready,
                ..now
            }));
        }
    }

    /// Tries to prove that nets of the best placing which no run parts are equal, so that it is what it was taken for.
    fn prove(&mut self) -> bool {
        let Some(best) = self.best else { return true };
        if self.is_great {
            return false;
        }
        let (mut trial, _) = self.placed(best.chosen.placing);
        let merged = self.merged(&mut trial.graph, Some(Evidence::Proof));
        let has_proved_nets = merged.nets.is_some_and(|nets| nets.share >= PROVED);
        if let Some(best) = &mut self.best {
            best.chosen.has_proved_nets = has_proved_nets;
        }
        has_proved_nets
    }

    /// Tries placings that do not hang on each other.
    fn attempt_all(&mut self, all: &[Placing]) {
        let new = all.iter().filter(|placing| !self.tried.contains(placing));
        let new: Vec<Placing> = new.copied().collect();
        self.tried.extend(&new);
        let has_enough = self.seen.len() >= self.most_trials;
        if has_enough || self.is_great && self.evidence == Evidence::Runs {
            return;
        }
        let this = &*self;
        let placed: Vec<(Trial, String)> = new
            .into_par_iter()
            .map(|placing| this.placed(placing))
            .collect();
        let mut others = Vec::new();
        for (trial, text) in placed {
            if self.seen.len() < self.most_trials && self.seen.insert(text) {
                others.push(trial);
            }
        }
        let this = &*self;
        let timed: Vec<(Trial, Option<Time>)> = others
            .into_par_iter()
            .map(|trial| {
                let time = this.time(&trial.graph);
                (trial, time)
            })
            .collect();
        let mut open = Vec::new();
        let least = timed.iter().filter_map(|(_, time)| *time);
        let least = least.min_by(|a, b| a.cycles.total_cmp(&b.cycles));
        self.first = self.first.or(least);
        for (trial, time) in timed {
            let Some(time) = time else { continue };
            // A clock that is missed makes it no better.
            if time.cycles < self.most_cycles() {
                open.push((trial, time));
            }
        }
        let is_worth = self.is_worth;
        if let (None, Some((trial, _))) = (is_worth, open.first_mut()) {
            let merged = self.map(trial);
            let n_bits = merged.nets.map_or(0, |nets| nets.n_bits);
            self.is_worth = Some(merged.left < WORTH && n_bits <= MOST_MERGED_BITS);
            self.is_great = n_bits > MOST_PROVED_BITS;
        }
        let this = &*self;
        let others = open.iter_mut().skip(usize::from(is_worth.is_none()));
        let others: Vec<&mut Trial> = others.map(|(trial, _)| trial).collect();
        others.into_par_iter().for_each(|trial| {
            this.map(trial);
        });
        for (trial, time) in open {
            self.judge(&trial, time);
        }
    }

    /// The graph with buffers placed in some way, and its text.
    fn placed(&self, placing: Placing) -> (Trial, String) {
        let (context, setting) = (self.context, self.setting);
        let mut circuit = self.graph.clone();
        let tried = setting.with_placing(placing);
        crate::exact_buffers::place_buffers(context, &mut circuit, &target(&tried), &tried);
        crate::depths::shorten(context, &mut circuit, setting.top);
        let text = print_module(context, &circuit, &PrintOptions::default());
        let trial = Trial {
            placing,
            graph: circuit,
            mapped: None,
        };
        (trial, text)
    }

    /// Fewer cycles than these are better.
    fn most_cycles(&self) -> f64 {
        let best = self.best.filter(|best| best.ends);
        best.map_or(f64::INFINITY, |best| best.cycles)
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
        let cycles = match misses {
            true => time.cycles * missed.powi(MISSED_CLOCK) * MISSES,
            false => time.cycles,
        };
        let n_cells = mapped.area.lut + mapped.area.ff;
        let cost = cycles * n_cells.max(1.0).powf(CELLS);
        let is_better = self.best.is_none_or(|best| cost < best.cost * ALIKE);
        let is_open = self.best.is_none_or(|best| !best.ends);
        if !is_better && !is_open {
            self.n_keeping += usize::from(!misses);
            return;
        }
        // What is not proved to come to its end by its structure is kept only as long as nothing else is.
        let ends = sluice_elastic::is_proved_by_structure(self.context, &trial.graph);
        self.n_keeping += usize::from(!misses && ends);
        if is_open && (ends || is_better) || is_better && ends {
            let chosen = Chosen {
                placing: trial.placing,
                is_enough: ends && !misses && time.cycles <= first.cycles,
                has_proved_nets: false,
            };
            self.best = Some(Best {
                cycles,
                cost,
                ends,
                chosen,
            });
        }
    }

    /// What a graph takes for the data, or, where there are none or they take too long, between iterations; `None` where a run fails that
    /// did not before, or takes longer than the best one.
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
        let best = self.most_cycles().ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "cycles are whole, and more than fit are as good as any"
        )]
        let most_cycles = (MOST_CHANNEL_CYCLES / n_channels).min(best as u64);
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

    /// Maps the circuit of a trial with equal nets merged.
    fn map(&self, trial: &mut Trial) -> Merged {
        let (context, setting) = (self.context, self.setting);
        let mut circuit = trial.graph.clone();
        let evidence = (self.is_worth != Some(false)).then_some(self.evidence);
        let merged = self.merged(&mut circuit, evidence);
        if !merged.found.has_errors() {
            trial.mapped = crate::mapping::map(context, &circuit, setting.top, setting.device).ok();
        }
        merged
    }

    /// Makes a circuit of a graph, with equal nets merged, if there is evidence to be asked for.
    fn merged(&self, circuit: &mut Module, evidence: Option<Evidence>) -> Merged {
        let (context, setting) = (self.context, self.setting);
        let mut found = Diagnostics::new();
        let merging = CIRCUIT
            .iter()
            .position(|step| step.name == MERGE_EQUAL_NETS);
        let (to_circuit, behind) = CIRCUIT.split_at(merging.expect("the pass is in the list"));
        let mut run = |steps: &[Step], circuit: &mut Module| {
            manager(steps, setting).run(context, circuit, &mut found, &mut |_, _| {});
            n_registers(context, circuit)
        };
        let n_before = run(to_circuit, circuit);
        let nets = evidence
            .map(|evidence| sluice_sequential::merge_equal_nets(context, circuit, &[], evidence));
        let n_behind = run(&behind[1..], circuit);
        Merged {
            nets,
            left: f64::from(n_behind) / f64::from(n_before.max(1)),
            found,
        }
    }
}

/// What became of a circuit with equal nets merged.
struct Merged {
    /// What the merging says of its nets, if there was any.
    nets: Option<sluice_sequential::Merged>,
    /// The share of registers that is left.
    left: f64,
    found: Diagnostics,
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

/// What is tried where tokens of loops come back.
const BACKS: [Backs; 3] = [Backs::Registers, Backs::Slots, Backs::EarlySlots];

/// Shares that are tried, the greatest first.
const PATH_SHARES: [f64; 10] = [4.0, 2.8, 2.0, 1.6, 1.35, 1.15, 1.0, 0.85, 0.7, 0.55];

/// Those that are tried while ways of `ready` are not cut.
const UNCUT_SHARES: [f64; 6] = [4.0, 2.8, 2.0, 1.35, 1.0, 0.85];

/// The share of bits of registers that are proved to be equal of those that may be, where estimates go by the latter.
const PROVED: f64 = 0.97;

/// The share of registers that is left where it is worth looking for equal nets.
const WORTH: f64 = 0.9;

/// Bits of registers of a circuit for which equal nets are looked for in each trial: for greater ones that takes seconds.
const MOST_MERGED_BITS: usize = 2000;

/// Shares for ways of `ready` that are tried with a share for paths.
const READY_SHARES: [f64; 7] = [4.0, 2.0, 1.35, 1.0, 0.85, 0.7, 0.55];

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

/// Tokens that a run of all data may look at, channels times cycles: that takes some hundredths of a second.
const MOST_CHANNEL_CYCLES: u64 = 1_000_000;

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 2;

/// What a missed clock costs at least.
const MISSES: f64 = 1.1;

/// Costs nearer to each other than this are alike.
const ALIKE: f64 = 0.99;
