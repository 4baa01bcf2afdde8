//! Checks dominance: every path to a use passes its definition.
//!
//! One pass over the body of an isolated operation numbers operations in text order. A use in the block of its definition then
//! costs a comparison. Only regions of several blocks need a dominator tree (Cooper, Harvey and Kennedy, "A Simple, Fast
//! Dominance Algorithm"), whose intervals answer a query in constant time.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::body::{Body, ValueDefinition};
use crate::definition::Traits;
use crate::diagnostics::Diagnostics;
use crate::ids::{BlockId, OperationId, RegionId, ValueId};
use crate::view::View;

/// Checks every use in the body of `owner`, which is isolated from above.
pub(super) fn check(owner: View<'_>, diagnostics: &mut Diagnostics) {
    let body = owner.inner();
    let mut dominance = Dominance {
        owner,
        body,
        order: Vec::new(),
        trees: FxHashMap::default(),
    };
    for region in owner.regions() {
        dominance.number_operations(*region);
    }
    for region in owner.regions() {
        dominance.region(*region, diagnostics);
    }
}

struct Dominance<'a> {
    owner: View<'a>,
    body: &'a Body,
    /// Position of each operation in text order, by id.
    order: Vec<u32>,
    /// For each region with several blocks: the interval of each reachable block in its dominator tree.
    trees: FxHashMap<RegionId, FxHashMap<BlockId, (u32, u32)>>,
}

impl Dominance<'_> {
    fn number_operations(&mut self, region: RegionId) {
        let mut next = 0;
        let mut todo = vec![region];
        while let Some(region) = todo.pop() {
            for block in self.body.blocks(region) {
                for op in self.body.operations(*block) {
                    if op.index() >= self.order.len() {
                        self.order.resize(op.index() + 1, 0);
                    }
                    self.order[op.index()] = next;
                    next += 1;
                    if !self.body.is_isolated(op) {
                        todo.extend(self.body.regions(op));
                    }
                }
            }
            let blocks = self.body.blocks(region);
            if blocks.len() > 1 {
                self.trees.insert(region, intervals(self.body, blocks));
            }
        }
    }

    /// Returns true if values of `region` must be defined before they are used.
    fn has_ssa_dominance(&self, region: RegionId) -> bool {
        let parent = match self.body.region_parent(region) {
            Some(op) => self.owner_of(op),
            None => self.owner,
        };
        parent
            .definition()
            .is_some_and(|d| !d.has(Traits::GRAPH_REGION))
    }

    fn owner_of(&self, op: OperationId) -> View<'_> {
        View::new(self.owner.context, self.body, op)
    }

    fn region(&self, top: RegionId, diagnostics: &mut Diagnostics) {
        let mut todo = vec![top];
        while let Some(region) = todo.pop() {
            let is_checked = self.has_ssa_dominance(region);
            let tree = self.trees.get(&region);
            let mut inner: Vec<RegionId> = Vec::new();
            for block in self.body.blocks(region) {
                let is_reachable = tree.is_none_or(|tree| tree.contains_key(block));
                for op in self.body.operations(*block) {
                    if is_reachable || !is_checked {
                        self.operands(op, *block, diagnostics);
                    }
                    if !self.body.is_isolated(op) {
                        inner.extend(self.body.regions(op));
                    }
                }
            }
            todo.extend(inner.into_iter().rev());
        }
    }

    fn operands(&self, op: OperationId, block: BlockId, diagnostics: &mut Diagnostics) {
        for (index, value) in self.body.operands(op).enumerate() {
            if !self.dominates(value, op, block) {
                let message = format!("operand #{index} does not dominate this use");
                let (place, note) = self.describe(value, block);
                diagnostics
                    .error(self.body.location(op), message)
                    .note(place, note);
                return;
            }
        }
    }

    /// Returns true if `value` is defined before `op`, which is in `block`, uses it.
    fn dominates(&self, value: ValueId, op: OperationId, block: BlockId) -> bool {
        let (home, maker) = match self.body.value_definition(value) {
            ValueDefinition::Argument { block, .. } => (block, None),
            ValueDefinition::Result { operation, .. } => match self.body.parent_block(operation) {
                Some(home) => (home, Some(operation)),
                None => return false,
            },
        };
        let region = self.body.parent_region(home);
        let (mut user, mut at) = (op, block);
        loop {
            if at == home {
                return maker.is_none_or(|maker| {
                    self.order[maker.index()] < self.order[user.index()]
                        || region.is_some_and(|region| !self.has_ssa_dominance(region))
                });
            }
            let around = self.body.parent_region(at);
            if around == region {
                let Some(tree) = region.and_then(|region| self.trees.get(&region)) else {
                    return false;
                };
                return match (tree.get(&home), tree.get(&at)) {
                    (Some(outer), Some(inner)) => outer.0 <= inner.0 && inner.1 <= outer.1,
                    // Every statement about an unreachable block is true.
                    (_, None) => true,
                    (None, Some(_)) => false,
                };
            }
            let Some(parent) = around.and_then(|region| self.body.region_parent(region)) else {
                return false;
            };
            let Some(block) = self.body.parent_block(parent) else {
                return false;
            };
            (user, at) = (parent, block);
        }
    }

    /// Returns location and description of the definition of `value`, seen from `block`.
    fn describe(&self, value: ValueId, block: BlockId) -> (crate::ids::Location, String) {
        let body = self.body;
        let home = body.defining_block(value);
        let region = home.and_then(|home| body.parent_region(home));
        let here = body.parent_region(block);
        match body.value_definition(value) {
            ValueDefinition::Result { operation, .. } => {
                let relation = if home == Some(block) {
                    "op in the same block"
                } else if region == here {
                    "op in the same region"
                } else if self.is_inside(here, region) {
                    "op in a parent region"
                } else if self.is_inside(region, here) {
                    "op in a child region"
                } else {
                    "op is neither in a parent nor in a child region"
                };
                let note = format!("operand defined here ({relation})");
                (body.location(operation), note)
            }
            ValueDefinition::Argument { .. } => {
                let blocks = region.map_or(&[][..], |region| body.blocks(region));
                let number = blocks.iter().position(|b| Some(*b) == home).unwrap_or(0);
                let relation = if region == here {
                    "in the same region"
                } else if self.is_inside(here, region) {
                    "in a parent region"
                } else {
                    "neither in a parent nor in a child region"
                };
                let parent = region.and_then(|region| body.region_parent(region));
                let place = parent.map_or(self.owner.location(), |op| body.location(op));
                let note =
                    format!("operand defined as a block argument (block #{number} {relation})");
                (place, note)
            }
        }
    }

    /// Returns true if region `inner` is somewhere inside region `outer`.
    fn is_inside(&self, inner: Option<RegionId>, outer: Option<RegionId>) -> bool {
        let mut current = inner;
        while let Some(region) = current {
            if Some(region) == outer {
                return true;
            }
            let parent = self.body.region_parent(region);
            current = parent
                .and_then(|op| self.body.parent_block(op))
                .and_then(|block| self.body.parent_region(block));
        }
        false
    }
}

/// Returns first and last number of each reachable block in a walk over the dominator tree of a region.
fn intervals(body: &Body, blocks: &[BlockId]) -> FxHashMap<BlockId, (u32, u32)> {
    let mut graph: DiGraph<BlockId, ()> = DiGraph::new();
    let nodes: FxHashMap<BlockId, NodeIndex> = blocks
        .iter()
        .map(|block| (*block, graph.add_node(*block)))
        .collect();
    for block in blocks {
        let last = body.last_operation(*block);
        for successor in last.map_or(&[][..], |op| body.successors(op)) {
            if let Some(to) = nodes.get(successor) {
                graph.add_edge(nodes[block], *to, ());
            }
        }
    }
    let root = nodes[&blocks[0]];
    let dominators = simple_fast(&graph, root);
    let mut children: Vec<Vec<NodeIndex>> = vec![Vec::new(); blocks.len()];
    for node in graph.node_indices() {
        if let Some(parent) = dominators.immediate_dominator(node) {
            children[parent.index()].push(node);
        }
    }
    let mut found = FxHashMap::default();
    let mut next = 0;
    let mut stack = vec![(root, 0)];
    let mut starts = vec![0; blocks.len()];
    while let Some((node, child)) = stack.pop() {
        if child == 0 {
            starts[node.index()] = next;
            next += 1;
        }
        match children[node.index()].get(child) {
            Some(below) => {
                stack.push((node, child + 1));
                stack.push((*below, 0));
            }
            None => {
                found.insert(graph[node], (starts[node.index()], next));
            }
        }
    }
    found
}
