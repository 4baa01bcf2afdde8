//! `inline`: calls become the bodies of what they call, callees first; private functions that are used up go.
//!
//! Source: MLIR's inliner: over the strongly connected components of the call graph, at most four rounds in each, no call
//! twice along the history that led to it.

mod graph;
mod splice;

use std::collections::BTreeSet;

use sluice_dialects::affine;
use sluice_ir::definition::Traits;
use sluice_ir::limits::{Excess, Limit};
use sluice_ir::{Body, Context, Diagnostics, Location, OperationId, RegionId, View};

use graph::Graph;

/// Rounds in one component.
const MAX_ROUNDS: usize = 4;

/// Dialects whose operations upstream does not inline.
const NEVER_INLINED: &[&str] = &["index"];

/// What is done to a function before its calls are looked at.
pub(crate) type Simplify<'a> = &'a dyn Fn(&Context, &mut Body);

/// How far inlining goes.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// What is done to a function before its calls are looked at.
    pub simplify: Simplify<'a>,
    /// Rounds in one component.
    pub rounds: Option<usize>,
}

/// Inlines in the symbol table `op` and those in it, until they would become larger than the limit allows, which is an error. `visible` says
/// whether nothing outside may refer to its symbols.
pub fn operation(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    visible: bool,
    wishes: Wishes<'_>,
    diagnostics: &mut Diagnostics,
) {
    let mut growth = Growth::default();
    inline_in(context, body, op, visible, wishes, &mut growth);
    if let Some((location, excess)) = growth.excess {
        diagnostics.error(location, format!("inlining this call makes {excess}"));
    }
}

/// Operations that were copied, and the call at which they became too many.
#[derive(Default)]
struct Growth {
    n_copied: u128,
    excess: Option<(Location, Excess)>,
}

/// Inlines in the symbol table `op`, inner ones first. `visible` says whether nothing outside may refer to its symbols.
fn inline_in(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    visible: bool,
    wishes: Wishes<'_>,
    growth: &mut Growth,
) {
    let inner = body.inner(op);
    let holds_symbols = |op: &OperationId| {
        inner.is_isolated(*op) && View::new(context, inner, *op).has(Traits::SYMBOL_TABLE)
    };
    let tables: Vec<OperationId> = inner.walk_all().into_iter().filter(holds_symbols).collect();
    for table in tables {
        inline_in(context, body.inner_mut(op), table, false, wishes, growth);
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
        simplify: wishes.simplify,
        // As upstream: there is a first round always.
        max_rounds: wishes.rounds.unwrap_or(MAX_ROUNDS).max(1),
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
    /// The inlined call that brought it here.
    history: Option<usize>,
}

struct Inliner<'a> {
    context: &'a Context,
    body: &'a mut Body,
    graph: Graph,
    simplify: Simplify<'a>,
    max_rounds: usize,
    /// Functions to be erased in the end.
    gone: BTreeSet<usize>,
    growth: &'a mut Growth,
}

impl Inliner<'_> {
    fn function(&self, function: usize) -> View<'_> {
        View::new(self.context, self.body, self.graph.functions[function])
    }

    fn component(&mut self, mut component: Vec<usize>) {
        for _ in 0..self.max_rounds {
            for function in &component {
                let op = self.graph.functions[*function];
                (self.simplify)(self.context, self.body.inner_mut(op));
                self.graph.count_uses(self.context, self.body, *function);
            }
            if !self.round(&mut component) {
                return;
            }
        }
    }

    /// Inlines the calls in the functions of a component; says whether there was one to inline.
    fn round(&mut self, component: &mut Vec<usize>) -> bool {
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
        // The function of each inlined call, and the call that brought that one.
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
                || !self.has_room(op, source, target)
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

    /// The calls among operations of blocks and below: later blocks first, nested regions after the block around.
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

    fn has_room(&mut self, op: OperationId, source: usize, target: usize) -> bool {
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

/// Whether a call of `function` led to the call that entry `last` of the history brought.
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

/// Whether operations of the dialect of `view` may be inlined at all.
fn is_inlined(view: View<'_>) -> bool {
    view.definition()
        .is_some_and(|definition| !NEVER_INLINED.contains(&definition.dialect()))
}

/// Whether an operation only has regions of affine code.
fn is_affine_region(view: View<'_>) -> bool {
    matches!(
        view.name(),
        affine::For::NAME | affine::If::NAME | affine::Parallel::NAME
    )
}

/// Whether the regions of `parent` take the body of `callee`.
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
    // Accesses whose addresses are affine there may not be affine here: only what has no effect goes in.
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

/// Whether every operation of a region may stand in the regions of `parent`.
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
