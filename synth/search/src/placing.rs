//! Search for the shares of the clock period at which buffers are placed. It maps trial circuits, since only mapping shows how
//! gates fit into look-up tables.

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

/// A placing of buffers, and its expected quality.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// The shares of the clock period, and the kinds of buffers.
    pub placing: Placing,
    /// If this placing meets the clock: one that misses it but takes fewer cycles.
    pub near: Option<Placing>,
    /// True if no further search is needed: it meets the clock and takes no longer than with the fewest registers, or the search
    /// is brief.
    pub(crate) is_enough: bool,
    /// True if those of its nets that no simulation separates are proved to be equal.
    pub has_proved_nets: bool,
}

/// Returns the placing that is expected to take the least time on the data of the profile, with equal shares for paths and for
/// `ready` paths.
///
/// A register on a cycle of the graph costs a clock cycle in every iteration. A slot on a `ready` path is only needed where
/// channels do not wait together anyway; for small circuits, the search tries this first.
/// An integer program takes longer than rules, so it begins near the shares that are best for rules.
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

/// Searches with placement by rules only. Trials first treat nets as equal if no simulation separates them. If this is not proved
/// for the best placing, the cheapest placings are judged again with a proof by equalities alone. For circuits too large for a
/// proof, that search tries all shares.
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
        let better = search.cheapest(MAX_AGAIN);
        // Cycles of runs do not depend on the evidence for equal nets, and the fewest cycles are those of all trials so far.
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

/// Returns the best placing near a known one: varies the share for `ready` paths, then the share for paths and the buffers, as
/// long as that helps.
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
        // If the estimates were wrong, use the coarse placing with its own.
        search = Search::new(context, graph, setting, &data, evidence);
        search.attempt_all(&[coarse.placing]);
        if let Some(best) = &mut search.best {
            best.chosen.has_proved_nets = true;
        }
    }
    search.chosen()
}

/// Returns the evidence for equal nets in trials of a circuit whose equal nets were proved before, or were not.
fn evidence(has_proved_nets: bool) -> Evidence {
    match has_proved_nets {
        true => Evidence::Runs,
        false => Evidence::Equalities,
    }
}

/// Returns the arguments of the data sets of the profile.
fn data(context: &Context, graph: &Module, setting: &Setting<'_>) -> Vec<Vec<Argument>> {
    let mut placed = graph.clone();
    sluice_elastic::place_buffers(context, &mut placed, &setting.target());
    crate::depths::usual(context, &placed, setting)
}

/// The best placing so far.
#[derive(Clone, Copy)]
struct Best {
    /// Cycles, with a penalty for a missed clock.
    cycles: f64,
    /// The same, weighted with cells.
    cost: f64,
    /// True if its structure proves that it finishes.
    ends: bool,
    keeps_clock: bool,
    chosen: Chosen,
}

/// A placing with its cycles and cost.
struct Judged {
    placing: Placing,
    cycles: f64,
    /// Cost as in [`Best`].
    cost: f64,
}

/// A search for the best placing.
struct Search<'a> {
    context: &'a Context,
    graph: &'a Module,
    setting: &'a Setting<'a>,
    data: &'a [Vec<Argument>],
    /// Evidence for treating nets as equal.
    evidence: Evidence,
    /// Whether merging equal nets is worth its time; the first trial decides.
    is_worth: Option<bool>,
    /// True if the circuits are too large to prove all equal nets.
    is_great: bool,
    tried: Vec<Placing>,
    /// Graphs with placed buffers that were tried, as text.
    seen: BTreeSet<Arc<str>>,
    /// Results of this search, and of a previous one.
    before: Before,
    /// True if another search may follow and reuse the results.
    comes_again: bool,
    /// Number of placings that meet the clock; a better one counts only if it is proved to finish.
    n_keeping: usize,
    /// True if no loop chooses between several paths.
    is_regular: bool,
    /// The fewest cycles of the first trials, which have the fewest registers, and how they were measured.
    first: Option<Time>,
    best: Option<Best>,
    /// All judged placings.
    judged: Vec<Judged>,
    /// Maximum number of different placings that are tried.
    most_trials: usize,
    /// Step in a list of shares: every `stride`-th one is tried.
    stride: usize,
    /// The result of the function `is_brief`.
    is_brief: bool,
}

/// The time of a placing.
#[derive(Clone, Copy)]
struct Time {
    cycles: f64,
    /// True if the data were run; else the cycles are the mean interval of the loops.
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
        let stride = n_operations(graph).div_ceil(MAX_OPERATIONS).max(1);
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

    /// Returns the best placing, and the one near it.
    fn chosen(&self) -> Option<Chosen> {
        let near = self.near();
        self.best.map(|best| Chosen {
            near,
            is_enough: best.chosen.is_enough || self.is_brief,
            ..best.chosen
        })
    }

    /// Returns the cheapest judged placings, the best one first.
    fn cheapest(&self, most: usize) -> Vec<Placing> {
        let mut judged: Vec<&Judged> = self.judged.iter().collect();
        judged.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let best = self.best.map(|best| best.chosen.placing);
        let others = judged.into_iter().map(|judged| judged.placing);
        let others = others.filter(|placing| Some(*placing) != best);
        best.into_iter().chain(others).take(most).collect()
    }

    /// Tries to prove that those nets of the best placing that no simulation separates are equal, so that its estimate holds.
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

/// Counts the operations of all functions of a module.
pub fn n_operations(graph: &Module) -> usize {
    let functions = graph.top_level_operations().into_iter();
    functions
        .map(|function| graph.inner().inner(function).walk_all().len())
        .sum()
}

/// Operations of a graph up to which all shares are tried; the time of a trial grows with the graph.
const MAX_OPERATIONS: usize = 500;

/// Operations of a graph from which on the search is brief: a trial takes seconds.
const MANY_OPERATIONS: usize = 4000;

/// Returns whether the search is brief and tries no other form of the kernel: the user asked for low effort, or the graph is too
/// large.
pub(crate) fn is_brief(graph: &Module, config: &Config) -> bool {
    config.effort == Effort::Low || n_operations(graph) >= MANY_OPERATIONS
}

/// Share of the candidate register bits that must be proved equal, if estimates treat all candidates as equal.
const PROVED: f64 = 0.97;

/// Number of placings that are judged again if the equal nets of the best one are not proved.
const MAX_AGAIN: usize = 8;

/// An integer program needs fewer registers for the same clock, so its search starts this many shares before the best share for
/// rules.
const LOOSER: usize = 2;

/// Maximum number of different placings that are tried with an integer program.
const EXACT_TRIALS: usize = 6;
