//! Static facts about channels: those that always have a token with constant data, and those whose tokens are always taken
//! immediately.

use sluice_ir::ValueId;

use crate::channels::is_pending;

use super::graph::{Graph, Kind};

/// Facts about channels; each holds in every cycle.
pub(crate) struct Facts {
    steady: Vec<bool>,
    eager: Vec<bool>,
}

impl Facts {
    /// Computes the facts; `is_kernel` tells that the operands of the return are taken together.
    ///
    /// Complexity: operations times the longest chain of facts against the text order.
    pub(crate) fn find(graph: &Graph<'_>, is_kernel: bool) -> Self {
        let n_values = graph.function.inner().value_capacity();
        let mut facts = Self {
            steady: vec![false; n_values],
            eager: vec![false; n_values],
        };
        while facts.step_steady(graph) {}
        while facts.step_eager(graph, is_kernel) {}
        facts
    }

    /// Returns whether the channel has a token in every cycle, with the same data; then it can be duplicated without bookkeeping.
    pub(crate) fn is_steady(&self, value: ValueId) -> bool {
        self.steady[value.index()]
    }

    /// Returns whether `ready` of the channel is always 1.
    pub(crate) fn is_eager(&self, value: ValueId) -> bool {
        self.eager[value.index()]
    }

    fn step_steady(&mut self, graph: &Graph<'_>) -> bool {
        let mut changed = false;
        for node in &graph.nodes {
            let is_steady = match node.kind {
                Kind::Source => true,
                Kind::Join | Kind::Distribute => {
                    node.view.operands().all(|operand| self.is_steady(operand))
                }
                Kind::Pipeline { .. }
                | Kind::Division { .. }
                | Kind::Shared { .. }
                | Kind::Call
                | Kind::Never
                | Kind::Sink
                | Kind::Mux
                | Kind::Branch
                | Kind::Merge
                | Kind::Buffer { .. }
                | Kind::Load
                | Kind::Memory
                | Kind::Return => false,
            };
            for result in node.view.results() {
                changed |= is_steady && !self.is_steady(*result);
                self.steady[result.index()] |= is_steady;
            }
        }
        changed
    }

    fn step_eager(&mut self, graph: &Graph<'_>, is_kernel: bool) -> bool {
        let mut changed = false;
        let has_pending = graph.nodes.iter().any(|node| is_pending(node.view));
        for node in graph.nodes.iter().rev() {
            let operands: Vec<ValueId> = node.view.operands().collect();
            let are_eager = node.view.results().iter().all(|r| self.is_eager(*r));
            for (i, operand) in operands.iter().enumerate() {
                let others_steady = || {
                    let mut others = operands.iter().enumerate();
                    others.all(|(j, other)| j == i || self.is_steady(*other))
                };
                let is_eager = match node.kind {
                    Kind::Sink => true,
                    Kind::Join | Kind::Pipeline { .. } | Kind::Distribute | Kind::Branch => {
                        are_eager && others_steady()
                    }
                    Kind::Merge => i == 0 && are_eager,
                    Kind::Buffer { .. } => are_eager,
                    Kind::Load => i == 1 && self.is_eager(node.view.result(0)),
                    Kind::Return => is_kernel && !has_pending && others_steady(),
                    Kind::Division { .. }
                    | Kind::Shared { .. }
                    | Kind::Call
                    | Kind::Source
                    | Kind::Never
                    | Kind::Mux
                    | Kind::Memory => false,
                };
                changed |= is_eager && !self.is_eager(*operand);
                self.eager[operand.index()] |= is_eager;
            }
        }
        changed
    }
}
