//! The `affine-loop-invariant-code-motion` pass: what does the same in every iteration of an affine loop goes in front of it.
//!
//! Source: MLIR, `LoopInvariantCodeMotion` of affine loops. Differs: accesses and operations that are not safe to speculate leave a
//! loop only if it certainly has an iteration, and only if no other operation of the loop may access their memory; version 19 takes
//! them out of loops without iterations, and looks at affine stores only.

use std::collections::BTreeSet;

use sluice_dialects::affine;
use sluice_dialects::aliases::{may_alias, may_hold};
use sluice_ir::definition::Traits;
use sluice_ir::effects::{Effects, is_hoistable};
use sluice_ir::{Body, Context, Exact, OperationId, View};

use super::{Loop, is_inside, loops};

/// Moves invariant operations out of the affine loops of a body, inner loops first.
pub(crate) fn hoist(context: &Context, body: &mut Body) {
    for op in loops(context, body) {
        let moved = invariants(context, body, op);
        for inner in moved {
            body.move_before(op, inner);
        }
    }
}

/// Returns the operations of a loop that may go in front of it, in their order.
fn invariants(context: &Context, body: &Body, op: OperationId) -> Vec<OperationId> {
    let view = View::new(context, body, op);
    let Some(block) = view.entry_block(0) else {
        return Vec::new();
    };
    let count = Loop::read(view).and_then(|bounds| bounds.trip_count(view));
    let search = Search {
        context,
        body,
        around: op,
        runs: count.is_some_and(Exact::is_positive),
        inside: body.walk(op),
    };
    let mut moved = BTreeSet::new();
    let mut all = Vec::new();
    for inner in body.operations(block) {
        let is_end = View::new(context, body, inner).has(Traits::TERMINATOR);
        if !is_end && search.is_invariant(inner, &moved) {
            moved.insert(inner);
            all.push(inner);
        }
    }
    all
}

struct Search<'a> {
    context: &'a Context,
    body: &'a Body,
    around: OperationId,
    /// True if the loop certainly has an iteration.
    runs: bool,
    inside: Vec<OperationId>,
}

impl Search<'_> {
    /// Returns true if an operation does the same in each iteration, given the invariant operations before it.
    fn is_invariant(&self, op: OperationId, moved: &BTreeSet<OperationId>) -> bool {
        let nested = self.body.walk(op);
        let is_known = |value| {
            let definition = self.body.defining_operation(value);
            let is_moved = definition.is_some_and(|op| moved.contains(&op));
            is_moved || is_inside(self.body, op, value) || !is_inside(self.body, self.around, value)
        };
        let operands = nested.iter().flat_map(|op| self.body.operands(*op));
        if !operands.clone().all(is_known) {
            return false;
        }
        let view = View::new(self.context, self.body, op);
        let has_loops = matches!(
            view.name(),
            affine::For::NAME | affine::If::NAME | affine::Parallel::NAME
        );
        if is_hoistable(self.context, self.body, op) {
            return true;
        }
        self.runs
            && match view.name() {
                affine::Load::NAME | affine::Store::NAME => self.is_alone(op, op),
                _ if has_loops => nested.iter().all(|inner| self.is_harmless(op, *inner)),
                _ => self.is_without_effects(op),
            }
    }

    fn is_without_effects(&self, op: OperationId) -> bool {
        let view = View::new(self.context, self.body, op);
        let effects = Effects::own(self.context, self.body, op);
        view.definition().is_some()
            && !self.body.is_isolated(op)
            && view.regions().is_empty()
            && !effects.touches()
            && !effects.allocates
    }

    /// Returns true if an operation inside a loop or conditional lets it move.
    fn is_harmless(&self, root: OperationId, op: OperationId) -> bool {
        let view = View::new(self.context, self.body, op);
        match view.name() {
            affine::For::NAME | affine::If::NAME | affine::Parallel::NAME | affine::Yield::NAME => {
                true
            }
            affine::Load::NAME | affine::Store::NAME => self.is_alone(root, op),
            _ => self.is_without_effects(op),
        }
    }

    /// Returns true if no operation of the loop outside `root` writes the memory of an access, or reads what it writes; and none
    /// inside writes what it reads.
    fn is_alone(&self, root: OperationId, access: OperationId) -> bool {
        let (context, body) = (self.context, self.body);
        let view = View::new(context, body, access);
        let is_store = view.name() == affine::Store::NAME;
        let memory = view.operand(usize::from(is_store));
        if is_inside(body, self.around, memory) {
            return false;
        }
        self.inside.iter().all(|other| {
            if *other == access {
                return true;
            }
            let effects = Effects::own(context, body, *other);
            let is_of_root = body.is_ancestor(root, *other);
            let writes = may_hold(context, body, &effects.writes, memory);
            let reads = is_store && may_hold(context, body, &effects.reads, memory);
            // Each iteration of an inner loop writes the same again.
            let is_same_store = is_store && is_of_root && !reads && {
                let other = View::new(context, body, *other);
                other.name() == affine::Store::NAME
                    && may_alias(context, body, memory, other.operand(1))
            };
            is_same_store || !(writes || reads)
        })
    }
}
