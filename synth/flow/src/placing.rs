//! For which periods buffers are placed: what gates become in look-up tables is only known once they are covered.

use std::collections::BTreeSet;

use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Diagnostics, Module, View};

use crate::config::{Buffers, Config};
use crate::elastic::target;
use crate::passes::{CIRCUIT, MERGE_EQUAL_NETS, Setting};
use crate::pipeline::manager;

/// A way to place buffers, and what is expected of it.
#[derive(Clone, Copy)]
pub(crate) struct Placing {
    /// Shares of the period for paths and for ways of `ready`.
    pub(crate) shares: (f64, f64),
    pub(crate) period_ns: f64,
}

/// The placing with which the circuit is expected to keep the clock in the fewest cycles; where it keeps it with none, cycles are weighed
/// against the clock.
///
/// A register on a ring costs a cycle of every iteration, and a slot on a way of `ready` is only needed where channels do not wait
/// together anyway: for small circuits that is found out first.
///
/// A programme takes longer than rules: it begins near the shares that are right for rules.
pub(crate) fn best(context: &Context, graph: &Module, setting: &Setting<'_>) -> Option<Placing> {
    let whole = PATH_SHARES.iter().map(|share| (*share, UNCUT));
    let cut = PATH_SHARES.iter().map(|share| (*share, *share));
    let all: Vec<(f64, f64)> = whole.chain(cut).collect();
    if setting.config.buffers == Buffers::Rules {
        return best_of(context, graph, setting, &all);
    }
    let config = Config {
        buffers: Buffers::Rules,
        ..setting.config.clone()
    };
    let by_rules = Setting {
        config: &config,
        ..setting.clone()
    };
    let first = best_of(context, graph, &by_rules, &all)?.shares;
    let first = all.iter().position(|shares| *shares == first)?;
    let behind = all.into_iter().skip(first.saturating_sub(LOOSER));
    let tighter = TIGHTER_SHARES.iter().map(|share| (*share, *share));
    let tried: Vec<(f64, f64)> = behind.chain(tighter).collect();
    best_of(context, graph, setting, &tried)
}

/// The best of some shares, in their order.
fn best_of(
    context: &Context,
    graph: &Module,
    setting: &Setting<'_>,
    all: &[(f64, f64)],
) -> Option<Placing> {
    let mut best: Option<(bool, f64, Placing)> = None;
    let mut seen = BTreeSet::new();
    let mut is_small = true;
    // Of the first trial, which has the fewest registers.
    let mut least_interval_cycles = None;
    // Ways of `ready` for which a share that keeps the clock was found.
    let mut kept = None;
    for shares in all.iter().copied() {
        let is_cut = shares.1 != UNCUT;
        if !is_cut && !is_small || kept == Some(is_cut) {
            continue;
        }
        let mut circuit = graph.clone();
        let tried = setting.with_shares(shares.0, shares.1);
        crate::exact_buffers::place_buffers(context, &mut circuit, &target(&tried), &tried);
        crate::depths::shorten(context, &mut circuit, setting.top);
        if !seen.insert(print_module(context, &circuit, &PrintOptions::default())) {
            continue;
        }
        if setting.config.buffers == Buffers::Exact && seen.len() > EXACT_TRIALS {
            break;
        }
        let interval_cycles = sluice_elastic::mean_interval_cycles(context, &circuit);
        let least_interval_cycles = *least_interval_cycles.get_or_insert(interval_cycles);
        let mut ignored = Diagnostics::new();
        let merging = CIRCUIT
            .iter()
            .position(|step| step.name == MERGE_EQUAL_NETS);
        let (to_circuit, behind) = CIRCUIT.split_at(merging.expect("the pass is in the list"));
        manager(to_circuit, setting).run(context, &mut circuit, &mut ignored, &mut |_, _| {});
        is_small = n_registers(context, &circuit) <= SMALL;
        if !is_cut && !is_small {
            continue;
        }
        let rest = if is_small { behind } else { &behind[1..] };
        manager(rest, setting).run(context, &mut circuit, &mut ignored, &mut |_, _| {});
        let mapped = match ignored.has_errors() {
            true => None,
            false => crate::mapping::map(context, &circuit, setting.top, setting.device).ok(),
        };
        let Some(mapped) = mapped else {
            continue;
        };
        let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
        let missed = (period_ns / setting.clock_period_ns).max(1.0);
        let misses = missed > 1.0;
        let cost = interval_cycles * missed.powi(MISSED_CLOCK);
        let is_better = best.is_none_or(|(before, least, _)| match misses == before {
            true => cost < least * ALIKE,
            false => !misses,
        });
        if is_better {
            best = Some((misses, cost, Placing { shares, period_ns }));
        }
        if !misses {
            kept = Some(is_cut);
        }
        if !misses && (is_cut || interval_cycles <= least_interval_cycles) {
            break;
        }
    }
    best.map(|(_, _, placing)| placing)
}

/// Registers of a circuit, of any width.
fn n_registers(context: &Context, circuit: &Module) -> usize {
    let modules = circuit.top_level_operations().into_iter();
    modules
        .map(|op| {
            let inner = circuit.inner().inner(op);
            let ops = inner.walk_all().into_iter();
            let registers = ops.filter(|op| {
                let name = View::new(context, inner, *op).name();
                name.starts_with("seq.compreg")
            });
            registers.count()
        })
        .sum()
}

/// Shares that are tried, the greatest first.
const PATH_SHARES: &[f64] = &[2.0, 1.6, 1.35, 1.15, 1.0, 0.85];

/// Shares that are tried with a programme too: it puts no register where the delays of operations ask for none.
const TIGHTER_SHARES: &[f64] = &[0.7, 0.55];

/// Shares in front of that which is right for rules with which a programme begins: it needs fewer registers for the same clock.
const LOOSER: usize = 2;

/// Different placings that are tried with a programme.
const EXACT_TRIALS: usize = 6;

/// The share of ways of `ready` that are not cut.
const UNCUT: f64 = 1000.0;

/// Registers of a circuit for which equal nets are looked for in every trial: that takes a tenth of a second.
const SMALL: usize = 300;

/// The power to which a missed clock counts: more than the time it loses, since it was asked for.
const MISSED_CLOCK: i32 = 2;

/// Costs nearer to each other than this are alike.
const ALIKE: f64 = 0.99;
