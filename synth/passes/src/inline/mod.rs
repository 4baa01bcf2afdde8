//! The `inline` pass: replaces calls by the bodies of their callees, callees first, and erases private functions without uses.
//!
//! Source: MLIR's inliner. It visits the strongly connected components of the call graph, with at most four iterations for each,
//! and does not inline a function twice along one chain of inlined calls.

mod graph;
mod splice;

use std::collections::BTreeSet;

use sluice_dialects::affine;
use sluice_ir::definition::Traits;
use sluice_ir::limits::{Excess, Limit};
use sluice_ir::{Body, Context, Diagnostics, Location, OperationId, RegionId, View};

use graph::Graph;

/// Default maximum number of iterations in one component.
const MAX_ITERATIONS: usize = 4;

/// Dialects whose operations upstream does not inline.
const NEVER_INLINED: &[&str] = &["index"];

/// The passes that run on a function before its calls are inlined.
pub(crate) type Simplify<'a> = &'a dyn Fn(&Context, &mut Body);

/// Options of the inliner.
#[derive(Clone, Copy)]
pub struct InlineOptions<'a> {
    /// Simplifies a function before its calls are inlined.
    pub simplify: Simplify<'a>,
    /// Maximum number of iterations in one component.
    pub max_iterations: Option<usize>,
}

/// Inlines calls in the symbol table `op` and in nested tables. Reports an error if the copied operations exceed the limit.
/// `visible` is true if nothing outside can refer to its symbols.
pub fn operation(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    visible: bool,
    inline_options: InlineOptions<'_>,
    diagnostics: &mut Diagnostics,
) {
    let mut growth = Growth::default();
    inline_in(context, body, op, visible, inline_options, &mut growth);
    if let Some((location, excess)) = growth.excess {
        diagnostics.error(location, format!("inlining this call makes {excess}"));
    }
}

/// The number of copied operations, and the call at which it exceeded the limit.
#[derive(Default)]
struct Growth {
    n_copied: u128,
    excess: Option<(Location, Excess)>,
}

/// Inlines calls in nested symbol tables first, then in `op`. `visible` is true if nothing outside can refer to its symbols.
fn inline_in(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    visible: bool,
    inline_options: InlineOptions<'_>,
    growth: &mut Growth,
) {
    let inner = body.inner(op);
    let holds_symbols = |op: &OperationId| {
        inner.is_isolated(*op) && View::new(context, inner, *op).has(Traits::SYMBOL_TABLE)
    };
    let tables: Vec<OperationId> = inner.walk_all().into_iter().filter(holds_symbols).collect();
    for table in tables {
        inline_in(
            context,
            body.inner_mut(op),
            table,
            false,
            inline_options,
            growth,
        );
    }
    let owner = View::new(context, body, op);
    if !owner.has(Traits::SYMBOL_TABLE) || !body.is_isolated(op) {
        return;
    }
    let graph = Graph::new(owner, visible);
    let components = graph.components();
    let mut inliner = Inliner {
        context,
        body: body.inner_mut(op),
        graph,
        simplify: inline_options.simplify,
        // As upstream: there is always a first iteration.
        max_iterations: inline_options
            .max_iterations
            .unwrap_or(MAX_ITERATIONS)
            .max(1),
        gone: BTreeSet::new(),
        growth,
    };
    for component in components {
        inliner.component(component);
    }
    for function in std::mem::take(&mut inliner.gone) {
        let op = inliner.graph.functions[function];
        inliner.body.erase(op);
    }
}

/// A call of a function with a body.
struct Call {
    op: OperationId,
    source: usize,
    target: usize,
    /// The entry of `history` for the inlined call that introduced this call.
    history: Option<usize>,
}

struct Inliner<'a> {
    context: &'a Context,
    body: &'a mut Body,
    graph: Graph,
    simplify: Simplify<'a>,
    max_iterations: usize,
    /// Functions to erase at the end.
    gone: BTreeSet<usize>,
    growth: &'a mut Growth,
}

impl Inliner<'_> {
    fn function(&self, function: usize) -> View<'_> {
        View::new(self.context, self.body, self.graph.functions[function])
    }

    fn component(&mut self, mut component: Vec<usize>) {
        for _ in 0..self.max_iterations {
            for function in &component {
                let op = self.graph.functions[*function];
                (self.simplify)(self.context, self.body.inner_mut(op));
                self.graph.count_uses(self.context, self.body, *function);
            }
            if !self.run_iteration(&mut component) {
                return;
            }
        }
    }

    /// Inlines the calls in the functions of a component. Returns true if it inlined a call.
    fn run_iteration(&mut self, component: &mut Vec<usize>) -> bool {
        let mut dead = BTreeSet::new();
        let mut calls: Vec<Call> = Vec::new();
        for function in component.iter().copied() {
            if self.graph.is_dead(function) {
                dead.insert(function);
                continue;
            }
            let view = self.function(function);
            let blocks = view.regions().iter().flat_map(|r| view.inner().blocks(*r));
            let ops = blocks.map(|block| view.inner().operations(*block).collect());
            let found = self.calls_in(function, ops.collect(), None);
            calls.extend(found);
        }
        // For each inlined call: its function, and the entry of the call that introduced it.
        let mut history: Vec<(usize, Option<usize>)> = Vec::new();
        let mut inlined = false;
        let mut next = 0;
        while next < calls.len() {
            let Call {
                op, source, target, ..
            } = calls[next];
            let before = calls[next].history;
            next += 1;
            if dead.contains(&source)
                || is_in_history(target, before, &history)
                || !self.may_inline(op, source, target)
                || !self.is_within_limit(op, source, target)
            {
                continue;
            }
            let last_use = self.graph.is_named_once(target);
            let copied = self.inline(op, source, target);
            inlined = true;
            history.push((target, before));
            calls.extend(self.calls_in(source, copied, Some(history.len() - 1)));
            self.graph.call_was_inlined(target, source);
            if last_use {
                self.graph.drop_uses(target);
                dead.insert(target);
            }
        }
        component.retain(|function| !dead.contains(function));
        self.gone.extend(dead);
        inlined
    }

    /// Returns the calls in blocks and nested regions: later blocks first, nested regions after the block that contains them.
    fn calls_in(
        &self,
        source: usize,
        mut blocks: Vec<Vec<OperationId>>,
        history: Option<usize>,
    ) -> Vec<Call> {
        let body = self.function(source).inner();
        let mut calls = Vec::new();
        while let Some(ops) = blocks.pop() {
            for op in ops {
                let view = View::new(self.context, body, op);
                if view.has(Traits::CALL_LIKE) {
                    if let Some(target) = self.graph.called(view) {
                        calls.push(Call {
                            op,
                            source,
                            target,
                            history,
                        });
                    }
                } else if !body.is_isolated(op) {
                    let inner = view.regions().iter().flat_map(|r| body.blocks(*r));
                    blocks.extend(inner.map(|block| body.operations(*block).collect()));
                }
            }
        }
        calls
    }

    fn is_within_limit(&mut self, op: OperationId, source: usize, target: usize) -> bool {
        let n_operations = self.function(target).inner().walk_all().len();
        self.growth.n_copied += n_operations as u128;
        let limits = &self.context.limits;
        if let Err(excess) = limits.check(Limit::Operations, self.growth.n_copied) {
            let location = self.function(source).inner().location(op);
            self.growth.excess.get_or_insert((location, excess));
        }
        self.growth.excess.is_none()
    }

    fn may_inline(&self, op: OperationId, source: usize, target: usize) -> bool {
        let (caller, callee) = (self.function(source), self.function(target));
        let call = View::new(self.context, caller.inner(), op);
        let Some(region) = callee.regions().first().copied() else {
            return false;
        };
        if source == target || self.graph.calls_itself(target) || call.has(Traits::TERMINATOR) {
            return false;
        }
        let parent = caller.inner().parent_operation(op);
        let parent = parent.map_or(caller, |parent| call.at(parent));
        let n_blocks = callee.inner().blocks(region).len();
        let takes_blocks = parent.name() == callee.name()
            || parent.definition().is_some() && !parent.has(Traits::SINGLE_BLOCK);
        (n_blocks == 1 || takes_blocks)
            && into_is_legal(parent, callee, region)
            && contents_are_legal(parent, callee.inner(), region)
    }

    fn inline(&mut self, op: OperationId, source: usize, target: usize) -> Vec<Vec<OperationId>> {
        let caller = self.graph.functions[source];
        let callee = self.graph.functions[target];
        let region = self.body.regions(callee).first().copied();
        let Some((region, mut taken)) = region.zip(self.body.take_body(caller)) else {
            return Vec::new();
        };
        let from = self.body.inner(callee);
        let copied = splice::splice(self.context, from, region, &mut taken, op);
        self.body.put_body(caller, taken);
        copied
    }
}

/// Returns true if `function` is in the chain of inlined calls that ends at entry `last` of the history.
fn is_in_history(
    function: usize,
    mut last: Option<usize>,
    history: &[(usize, Option<usize>)],
) -> bool {
    while let Some(entry) = last {
        let (target, before) = history[entry];
        if target == function {
            return true;
        }
        last = before;
    }
    false
}

/// Returns true if operations of this dialect may be inlined.
fn is_inlined(view: View<'_>) -> bool {
    view.definition()
        .is_some_and(|definition| !NEVER_INLINED.contains(&definition.dialect()))
}

/// Returns true if an operation is an affine loop or conditional.
fn is_affine_region(view: View<'_>) -> bool {
    matches!(
        view.name(),
        affine::For::NAME | affine::If::NAME | affine::Parallel::NAME
    )
}

/// Returns true if the regions of `parent` may contain the body of `callee`.
fn into_is_legal(parent: View<'_>, callee: View<'_>, region: RegionId) -> bool {
    if !is_inlined(parent) {
        return false;
    }
    let is_affine = parent
        .definition()
        .is_some_and(|definition| definition.dialect() == "affine");
    if !is_affine {
        return true;
    }
    // Affine accesses of the callee may not be affine in the caller, so only operations without effects are inlined.
    let body = callee.inner();
    let blocks = body.blocks(region);
    is_affine_region(parent)
        && blocks.len() == 1
        && body.operations(blocks[0]).all(|op| {
            let view = View::new(parent.context, body, op);
            view.has(Traits::PURE)
                || (view.has(Traits::RETURN_LIKE) && view.has(Traits::TERMINATOR))
        })
}

/// Returns true if every operation of a region may be in the regions of `parent`.
fn contents_are_legal(parent: View<'_>, body: &Body, region: RegionId) -> bool {
    body.blocks(region).iter().all(|block| {
        body.operations(*block).all(|op| {
            let view = View::new(parent.context, body, op);
            let is_affine = view
                .definition()
                .is_some_and(|definition| definition.dialect() == "affine");
            let fits = !is_affine || parent.has(Traits::AFFINE_SCOPE) || is_affine_region(parent);
            let copies = !body.is_isolated(op);
            let inside = || {
                let mut regions = view.regions().iter();
                regions.all(|region| contents_are_legal(parent, body, *region))
            };
            is_inlined(view) && fits && copies && inside()
        })
    })
}
