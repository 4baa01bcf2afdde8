//! For which periods buffers are placed: what gates become in look-up tables is only known once they are covered.

mod before;
mod shares;
mod trials;

use std::collections::BTreeSet;
use std::sync::Arc;

use sluice_config::{Buffers, CoarsePlacing, Config, Effort};
use sluice_elastic::Placing;
use sluice_ir::{Context, Module};
use sluice_sequential::Evidence;
use sluice_sim::interpreter::Argument;

use crate::setting::Setting;
use before::Before;
use shares::{PATH_SHARES, Shares, UNCUT, alike, uncut};

/// A way to place buffers, and what is expected of it.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// The shares of the clock period for paths.
    pub placing: Placing,
    /// What misses the clock in fewer cycles, if this one keeps it.
    pub near: Option<Placing>,
    /// Whether nothing better is looked for: it keeps the clock, and takes no longer than with the fewest registers, or little is tried.
    pub(crate) is_enough: bool,
    /// Whether its nets that no run parts are proved to be equal.
    pub has_proved_nets: bool,
}

/// The placing with which the data beside the kernel are expected to take the least time, with like shares for paths and for ways of `ready`.
///
/// A register on a ring costs a cycle of every iteration, and a slot on a way of `ready` is only needed where channels do not wait
/// together anyway: for small circuits that is found out first.
///
/// A programme takes longer than rules: it begins near the shares that are right for rules.
pub fn best(context: &Context, graph: &Module, setting: &Setting<'_>) -> Option<Chosen> {
    let rules = Config {
        buffers: Buffers::Rules,
        ..setting.config.clone()
    };
    let by_rules = Setting {
        config: &rules,
        ..setting.clone()
    };
    let data = data(context, graph, &by_rules);
    let found = by_rules_alone(context, graph, &by_rules, &data)?;
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
    search.chosen()
}

/// The same by rules: with nets taken for equal that no run parts, if those of what is found so are proved to be. Else those that were
/// better than others so are weighed again by equalities alone; all are where none was tried, since circuits are great.
fn by_rules_alone(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    data: &[Vec<Argument>],
) -> Option<Chosen> {
    let mut search = Search::new(context, graph, setting, data, Evidence::Runs);
    search.comes_again = true;
    search.go_through_all();
    if !search.prove() {
        let is_worth = search.is_worth.filter(|is_worth| !is_worth);
        let better = search.cheapest(MOST_AGAIN);
        // What runs take does not hang on why nets are taken for equal, and the fewest cycles are those of all that was tried.
        let (before, first, is_great) = (search.before, search.first, search.is_great);
        search = Search::new(context, graph, setting, data, Evidence::Equalities);
        search.is_worth = is_worth;
        search.before = before;
        search.first = first;
        match is_great {
            true => search.go_through_all(),
            false => search.attempt_all(&better),
        }
    }
    search.chosen()
}

/// The best placing around known shares: others for ways of `ready` with the best one for paths, then the other way round, as long as that
/// helps.
pub(crate) fn best_near(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    coarse: &CoarsePlacing,
) -> Option<Chosen> {
    let data = data(context, graph, setting);
    let evidence = evidence(coarse.has_proved_nets);
    let mut search = Search::new(context, graph, setting, &data, evidence);
    search.go_around(coarse.placing);
    let missing = search.best.filter(|best| !best.keeps_clock);
    let missing = missing.map(|best| best.chosen.placing);
    if let Some(near) = missing.or(coarse.near).or(search.near()) {
        search.go_near(near);
    }
    if evidence == Evidence::Runs && !search.prove() {
        // Where estimates did not hold, those of the coarse placing do.
        search = Search::new(context, graph, setting, &data, evidence);
        search.attempt_all(&[coarse.placing]);
        if let Some(best) = &mut search.best {
            best.chosen.has_proved_nets = true;
        }
    }
    search.chosen()
}

/// Why nets are taken for equal in trials of a circuit whose equal nets were proved before, or not.
fn evidence(has_proved_nets: bool) -> Evidence {
    match has_proved_nets {
        true => Evidence::Runs,
        false => Evidence::Equalities,
    }
}

/// Arguments of the data sets beside the kernel.
fn data(context: &Context, graph: &Module, setting: &Setting<'_>) -> Vec<Vec<Argument>> {
    let mut placed = graph.clone();
    sluice_elastic::place_buffers(context, &mut placed, &setting.target());
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
    keeps_clock: bool,
    chosen: Chosen,
}

/// A placing that was weighed against the clock.
struct Judged {
    placing: Placing,
    cycles: f64,
    /// As of [`Best`].
    cost: f64,
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
    /// Placings that were tried, as text.
    seen: BTreeSet<Arc<str>>,
    /// What this search and the one before it found, if there was one.
    before: Before,
    /// Whether another search may come behind this one.
    comes_again: bool,
    /// Placings that keep the clock, and are proved to come to their end if they are better.
    n_keeping: usize,
    /// Whether no loop takes one of several ways.
    is_regular: bool,
    /// The fewest cycles of the first trials, which have the fewest registers, and how they were found.
    first: Option<Time>,
    best: Option<Best>,
    /// All placings that were weighed against the clock.
    judged: Vec<Judged>,
    /// Different placings that are tried.
    most_trials: usize,
    /// Of shares that follow each other, every so many is tried.
    stride: usize,
    /// As [`is_brief`] says.
    is_brief: bool,
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
        let stride = n_operations(graph).div_ceil(MOST_OPERATIONS).max(1);
        Self {
            context,
            graph,
            setting,
            data,
            evidence,
            is_worth: None,
            is_great: false,
            seen: BTreeSet::new(),
            before: Before::default(),
            comes_again: false,
            n_keeping: 0,
            tried: Vec::new(),
            is_regular: sluice_elastic::has_no_choices(context, graph),
            first: None,
            best: None,
            judged: Vec::new(),
            most_trials: usize::MAX,
            stride,
            is_brief: is_brief(graph, setting.config),
        }
    }

    fn is_exact(&self) -> bool {
        self.setting.config.buffers == Buffers::Exact
    }

    /// The best placing, and what is near to it.
    fn chosen(&self) -> Option<Chosen> {
        let near = self.near();
        self.best.map(|best| Chosen {
            near,
            is_enough: best.chosen.is_enough || self.is_brief,
            ..best.chosen
        })
    }

    /// The placings that cost least of all that were weighed, the best one first.
    fn cheapest(&self, most: usize) -> Vec<Placing> {
        let mut judged: Vec<&Judged> = self.judged.iter().collect();
        judged.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let best = self.best.map(|best| best.chosen.placing);
        let others = judged.into_iter().map(|judged| judged.placing);
        let others = others.filter(|placing| Some(*placing) != best);
        best.into_iter().chain(others).take(most).collect()
    }

    /// Tries to prove that nets of the best placing which no run parts are equal, so that it is what it was taken for.
    fn prove(&mut self) -> bool {
        let Some(best) = self.best else { return true };
        if self.is_great {
            return false;
        }
        let placing = best.chosen.placing;
        let known = self.before.placed(placing).cloned();
        let anew = || self.placed(placing, &[placing.room]).into_iter().next();
        let Some(placed) = known.or_else(anew) else {
            return true;
        };
        let mut circuit = Module::clone(&placed.graph);
        let merged = self.merged(&mut circuit, Some(Evidence::Proof));
        let has_proved_nets = merged.nets.is_some_and(|nets| nets.share >= PROVED);
        if let Some(best) = &mut self.best {
            best.chosen.has_proved_nets = has_proved_nets;
        }
        has_proved_nets
    }
}

/// Operations of all functions of a module.
pub fn n_operations(graph: &Module) -> usize {
    let functions = graph.top_level_operations().into_iter();
    functions
        .map(|function| graph.inner().inner(function).walk_all().len())
        .sum()
}

/// Operations of a graph for which all shares are tried; a trial takes as much longer as a graph is greater.
const MOST_OPERATIONS: usize = 500;

/// Operations of a graph of which little is tried: a trial of it takes seconds.
const MANY_OPERATIONS: usize = 4000;

/// Whether little is tried of a graph, and no other form of the kernel: that is asked for, or the graph is too great.
pub(crate) fn is_brief(graph: &Module, config: &Config) -> bool {
    config.effort == Effort::Low || n_operations(graph) >= MANY_OPERATIONS
}

/// The share of bits of registers that are proved to be equal of those that may be, where estimates go by the latter.
const PROVED: f64 = 0.97;

/// Placings that are weighed again where equal nets of the best one are not proved.
const MOST_AGAIN: usize = 8;

/// Shares in front of that which is right for rules with which a programme begins: it needs fewer registers for the same clock.
const LOOSER: usize = 2;

/// Different placings that are tried with a programme.
const EXACT_TRIALS: usize = 6;
