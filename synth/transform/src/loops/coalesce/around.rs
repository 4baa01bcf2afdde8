//! Finds outer loops that are not flattened, whose counters the bounds of the nest depend on; the nest runs once per combination
//! of their values.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::scf;
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::expression::Expression;
use super::nest::{Bound, Nest};
use crate::build::constant_i64;

/// An outer loop around the nest.
pub(super) struct LoopAround {
    pub(super) counter: ValueId,
    /// The position of its counter, after the counters of the nest.
    pub(super) position: usize,
    pub(super) lower: Expression,
    pub(super) upper: Expression,
    pub(super) step: i64,
}

/// Returns the loops around `root` that bounds of the nest depend on, outermost first, and the position of every known counter.
///
/// Counters that no bound depends on are left out: the nest runs in the same way for all their values.
pub(super) fn around(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
) -> (Vec<LoopAround>, BTreeMap<ValueId, usize>) {
    let own = nest.loops.iter().enumerate();
    let mut positions: BTreeMap<ValueId, usize> = own
        .filter_map(|(index, node)| Some((node.source?.1, index)))
        .collect();
    let mut loops = Vec::new();
    for op in loops_around(context, body, root) {
        let block = body.entry_block(op, 0).expect("a loop has a body");
        let counter = body.arguments(block)[0];
        let bound = |i: usize| Expression::of(context, body, &positions, body.operand(op, i));
        let step = constant_i64(context, body, body.operand(op, 2)).filter(|step| *step > 0);
        if let (Some(lower), Some(upper), Some(step)) = (bound(0), bound(1), step) {
            let position = nest.loops.len() + loops.len();
            positions.insert(counter, position);
            loops.push(LoopAround {
                counter,
                position,
                lower,
                upper,
                step,
            });
        }
    }
    let mut needed = BTreeSet::new();
    for bound in nest.loops.iter().flat_map(|node| [node.lower, node.upper]) {
        if let Bound::Value(value) = bound
            && let Some(expression) = Expression::of(context, body, &positions, value)
        {
            expression.counters(&mut needed);
        }
    }
    for outer in loops.iter().rev() {
        if needed.contains(&outer.position) {
            outer.lower.counters(&mut needed);
            outer.upper.counters(&mut needed);
        }
    }
    loops.retain(|outer| needed.contains(&outer.position));
    positions.retain(|_, position| *position < nest.loops.len() || needed.contains(position));
    (loops, positions)
}

/// Returns the chain of loops directly around `root`, outermost first.
fn loops_around(context: &Context, body: &Body, root: OperationId) -> Vec<OperationId> {
    let outer = std::iter::successors(body.parent_operation(root), |op| body.parent_operation(*op));
    let is_loop = |op: &OperationId| View::new(context, body, *op).name() == scf::For::NAME;
    let mut found: Vec<OperationId> = outer.take_while(is_loop).collect();
    found.reverse();
    found
}
