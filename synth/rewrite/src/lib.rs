//! Equality saturation on data paths; no other crate uses egg.
//!
//! [`rewrite`] takes the pure integer arithmetic of each block of a function body in synthesis form into an e-graph and saturates
//! it with the rows of [`rules`]. It puts the cheapest equivalent circuit back if that is strictly better under the caller's
//! [`CostModel`] and no recurrence gets longer.
//!
//! There is deliberately no clock. Saturation stops at fixed numbers of iterations and nodes, so the same input gives the same
//! output on every machine.

mod block;
mod cache;
mod chosen;
mod cost;
mod extract;
mod facts;
mod graph;
mod language;
mod pace;
mod pattern;
mod plan;
mod rebuild;
mod recurrences;
pub mod rules;

use std::collections::BTreeSet;

use sluice_dialects::sluice;
use sluice_ir::{BlockId, Body, Context, OperationId};

use crate::chosen::Kept;

pub use block::evaluate_operation;
pub use cache::Cache;
pub use cost::{Cost, CostModel, GenericCost};
pub use facts::{DataPath, Facts};
pub use language::{Node, Op};
pub use pattern::{Kind, Match, Rule, RuleForm, Term};

/// Limits of the search and the value of a delay.
#[derive(Clone, Debug)]
pub struct RewriteOptions {
    /// Limit of passes: saturation starts again from the result as long as the result improves.
    pub pass_limit: usize,
    /// Number of operations that are saturated together; longer blocks are divided, so that the time is linear in their length.
    pub window: usize,
    /// Limit of saturation iterations per pass.
    pub iteration_limit: usize,
    /// Limit of the nodes in the e-graph of a block; saturation stops above it.
    pub node_limit: usize,
    /// Matches of one rule in one iteration above which the rule pauses.
    pub match_limit: usize,
    /// Largest block, in operations, of which a part is still rewritten when rewriting all of it would lengthen a recurrence.
    pub kept_operations: usize,
    /// The area that may be spent to shorten the critical path of a block by one nanosecond.
    pub area_per_ns: f64,
    /// The area that may be spent to shorten the longest path from a loop-carried value to the next by one nanosecond.
    pub recurrence_area_per_ns: f64,
}

impl Default for RewriteOptions {
    fn default() -> Self {
        Self {
            pass_limit: 4,
            window: 256,
            iteration_limit: 10,
            node_limit: 12_000,
            match_limit: 1_000,
            kept_operations: usize::MAX,
            area_per_ns: 20.0,
            recurrence_area_per_ns: 200.0,
        }
    }
}

/// Statistics of a rewritten body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RewriteReport {
    /// Blocks with arithmetic.
    pub n_blocks: usize,
    /// Blocks that became strictly better.
    pub n_rewritten_blocks: usize,
    /// Blocks whose saturation stopped at a limit.
    pub n_limited_blocks: usize,
    /// Nodes of the largest e-graph.
    pub n_graph_nodes: usize,
    /// Arithmetic operations before, without constants.
    pub n_operations_before: usize,
    /// Arithmetic operations after.
    pub n_operations_after: usize,
    /// Sum of the areas before.
    pub area_before: f64,
    /// Sum of the areas after.
    pub area_after: f64,
    /// Longest critical path of a block before.
    pub critical_path_before_ns: f64,
    /// Longest critical path of a block after.
    pub critical_path_after_ns: f64,
    /// Longest path from a loop-carried value to the next one before.
    pub recurrence_before_ns: f64,
    /// Longest path from a loop-carried value to the next one after.
    pub recurrence_after_ns: f64,
}

/// Rewrites the arithmetic in every block of `body`, one function in synthesis form; does not enter nested isolated bodies.
///
/// Blocks inside an operation marked `sluice.guard` stay as they are: their shape is fixed. The caller must use a `cache` always
/// with the same costs.
pub fn rewrite(
    context: &Context,
    body: &mut Body,
    cost: &dyn CostModel,
    options: &RewriteOptions,
    cache: &Cache,
) -> RewriteReport {
    let mut report = RewriteReport::default();
    for block in blocks_outside_guards(context, body) {
        let all = block::arithmetic(context, body, block);
        let window = match all.len() > options.window {
            true => options.window.max(1),
            false => all.len().max(1),
        };
        // Operations of other windows count as loads do: they provide values, or use them.
        let mut excluded: BTreeSet<OperationId> = all.iter().copied().collect();
        for chunk in all.chunks(window) {
            for op in chunk {
                excluded.remove(op);
            }
            rewrite_block(
                context,
                body,
                block,
                &excluded,
                (cost, cache),
                options,
                &mut report,
            );
            excluded.extend(block::arithmetic(context, body, block));
        }
    }
    report
}

fn blocks_outside_guards(context: &Context, body: &Body) -> Vec<BlockId> {
    let mut blocks = Vec::new();
    for region in body.top_regions() {
        blocks.extend_from_slice(body.blocks(region));
    }
    for op in body.walk_all() {
        if !body.is_isolated(op) && body.attribute_named(context, op, sluice::GUARD).is_none() {
            for region in body.regions(op) {
                blocks.extend_from_slice(body.blocks(*region));
            }
        }
    }
    blocks
}

fn rewrite_block(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    excluded: &BTreeSet<OperationId>,
    (cost, cache): (&dyn CostModel, &Cache),
    options: &RewriteOptions,
    report: &mut RewriteReport,
) {
    let mut first = None;
    let mut last = None;
    for pass in 0..options.pass_limit {
        let Some(graph) = block::import(context, body, block, excluded, options, cache) else {
            break;
        };
        let before = plan::metrics_before(context, body, &graph, cost);
        report.n_graph_nodes = report
            .n_graph_nodes
            .max(graph.egraph().total_number_of_nodes());
        if pass == 0 {
            report.n_blocks += 1;
            report.n_limited_blocks += usize::from(graph.saturated.limited);
            first = Some(before.clone());
            last = first.clone();
        }
        let Some((plan, after)) = better_plan(context, body, &graph, &before, cost, options) else {
            break;
        };
        report.n_rewritten_blocks += usize::from(pass == 0);
        rebuild::rebuild(context, body, block, &graph, &plan);
        last = Some(after);
    }
    let (Some(before), Some(after)) = (first, last) else {
        return;
    };
    report.n_operations_before += before.n_operations;
    report.n_operations_after += after.n_operations;
    report.area_before += before.area;
    report.area_after += after.area;
    report.critical_path_before_ns = report.critical_path_before_ns.max(before.critical_path_ns);
    report.critical_path_after_ns = report.critical_path_after_ns.max(after.critical_path_ns);
    report.recurrence_before_ns = report.recurrence_before_ns.max(before.recurrence_ns());
    report.recurrence_after_ns = report.recurrence_after_ns.max(after.recurrence_ns());
}

/// Weights of the delays in the tried extractions, relative to the options: of blocks and of recurrences.
///
/// A local choice does not see the whole block, so several weights are tried and the resulting block decides.
const CANDIDATES: [(f64, f64); 4] = [(1.0, 1.0), (0.0, 0.0), (8.0, 8.0), (0.2, 100.0)];

/// Number of these candidates that are also tried with the recurrences unchanged: few choices remain then.
const KEPT_CANDIDATES: usize = 2;

/// Returns the best of several extractions, if it is better than the current block.
fn better_plan(
    context: &Context,
    body: &Body,
    graph: &crate::graph::BlockGraph,
    before: &plan::Metrics,
    cost: &dyn CostModel,
    options: &RewriteOptions,
) -> Option<(plan::Plan, plan::Metrics)> {
    let mut best: Option<(plan::Plan, plan::Metrics)> = None;
    let mut deepens_one = false;
    let head = |places: &Vec<usize>| {
        let heads = places.iter().map(|place| before.head_ns(*place));
        heads.fold(f64::NEG_INFINITY, f64::max)
    };
    let heads: Vec<f64> = graph.recurrent.iter().map(head).collect();
    let plan_for = |weights: [f64; 2], kept: &Kept| {
        let extract = || extract::extract(graph, cost, kept, &heads, weights);
        let saturated = &graph.saturated;
        plan::plan(graph, saturated.chosen(&heads, kept, weights, extract))
    };
    let mut attempt = |weights: [f64; 2], kept: &Kept| {
        // If the choice is cyclic or uses a value too early, restrict each class to early enough leaves and try again.
        let in_time = || {
            let latest = recurrences::latest(graph);
            plan_for(
                weights,
                &Kept {
                    latest,
                    ..kept.clone()
                },
            )
        };
        let Some(plan) = plan_for(weights, kept).or_else(in_time) else {
            return false;
        };
        let after = plan::metrics_after(context, body, graph, &plan, cost);
        let bar = best.as_ref().map_or(before, |(_, metrics)| metrics);
        let deepens = after.deepens_a_recurrence(before);
        if !deepens && after.is_better(bar, options) {
            best = Some((plan, after));
        }
        deepens
    };
    let weights = CANDIDATES.map(|(scale, recurrence_scale)| {
        [
            options.area_per_ns * scale,
            options.recurrence_area_per_ns * recurrence_scale,
        ]
    });
    for weights in weights {
        deepens_one |= attempt(weights, &Kept::default());
    }
    // The operations from a carried value to the next one stay unchanged here, all others may change.
    if deepens_one && graph.originals.len() <= options.kept_operations {
        let kept = recurrences::kept(context, body, graph, before);
        for weights in &weights[..KEPT_CANDIDATES] {
            attempt(*weights, &kept);
        }
    }
    best
}
