//! Software pipelining of outer loops: operations before the inner loops are computed one iteration ahead, operations after them
//! one iteration later. Their latency then overlaps with an inner loop.
//!
//! Source: K. Muthukumar, G. Doshi, "Software Pipelining of Nested Loops", CC 2001. Differs: applied before the loops are
//! flattened, so that the schedule only sees one more carried value.

use std::collections::BTreeSet;

use sluice_dialects::{
    memref,
    synthesis_form::{guarded_access, is_division, is_guard},
};
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId, View};

use super::Limits;
use super::iteration_shifter::{IterationShifter, operands_within};
use super::nest::{self, Child, GroupIndex, LoopIndex, Nest};
use super::overlap::overlap_loops;
use super::read::read;
use super::simulation::iterations_between;
use super::whole::pipeline_whole_loops;
use crate::build::{is_pure, name, yielded};
use crate::loops::coalesce::iteration_shifter::End;

/// The requested kinds of rotation.
#[derive(Clone, Copy)]
pub(super) struct Pipelining {
    /// Moves operations before the inner loops one iteration ahead: to before the inner loops, or to after them.
    pub(super) ahead: Option<End>,
    /// Moves operations after the inner loops one iteration later.
    pub(super) later: bool,
    /// Moves the first inner loop and the operations before it one iteration ahead; excludes all other kinds.
    pub(super) whole: bool,
    /// Moves the last inner loop one iteration later, overlapped with the first one; excludes all other kinds.
    pub(super) overlap: bool,
    /// Also moves divisions before the inner loops ahead.
    pub(super) divisions: bool,
}

impl Pipelining {
    const AHEAD_IN_FRONT: u64 = 1;
    const LATER: u64 = 2;
    const AHEAD_BEHIND: u64 = 4;
    const WHOLE: u64 = 8;
    const OVERLAP: u64 = 16;
    const DIVISIONS: u64 = 32;

    /// Decodes the attribute [`ROTATE`](sluice_dialects::sluice::ROTATE).
    pub(super) fn of(number: u64) -> Self {
        let asks = |part: u64| number & part != 0;
        Self {
            ahead: match (asks(Self::AHEAD_IN_FRONT), asks(Self::AHEAD_BEHIND)) {
                (_, true) => Some(End::Back),
                (true, false) => Some(End::Front),
                (false, false) => None,
            },
            later: asks(Self::LATER),
            whole: asks(Self::WHOLE),
            overlap: asks(Self::OVERLAP),
            divisions: asks(Self::DIVISIONS),
        }
    }

    /// Encodes the attribute [`ROTATE`](sluice_dialects::sluice::ROTATE).
    pub(super) fn number(self) -> u64 {
        let ahead = match self.ahead {
            Some(End::Front) => Self::AHEAD_IN_FRONT,
            Some(End::Back) => Self::AHEAD_BEHIND,
            None => 0,
        };
        let later = if self.later { Self::LATER } else { 0 };
        let whole = if self.whole { Self::WHOLE } else { 0 };
        let overlap = if self.overlap { Self::OVERLAP } else { 0 };
        let divisions = if self.divisions { Self::DIVISIONS } else { 0 };
        ahead | later | whole | overlap | divisions
    }
}

/// A loop with the operations of its body that move to another iteration.
struct Plan {
    op: OperationId,
    ahead: Vec<OperationId>,
    later: Vec<OperationId>,
}

/// Rotates the loops of a nest if that keeps every access in order. Returns the outermost loop, which may be a new one, and the
/// kinds of rotation that were applied.
pub(super) fn pipeline_outer_loops(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    limits: &Limits,
    wanted: Pipelining,
) -> (OperationId, Pipelining) {
    let mut done = Pipelining {
        ahead: None,
        later: false,
        whole: false,
        overlap: false,
        divisions: false,
    };
    if wanted.overlap {
        let overlap = overlap_loops(context, body, root);
        return (root, Pipelining { overlap, ..done });
    }
    if wanted.whole {
        let (root, whole) = pipeline_whole_loops(context, body, root, limits);
        return (root, Pipelining { whole, ..done });
    }
    let Ok(nest) = read(context, body, root, limits, false) else {
        return (root, done);
    };
    let plans: Vec<Plan> = (0..nest.loops.len())
        .filter_map(|index| plan(context, body, root, &nest, index, wanted))
        .collect();
    let mut root = root;
    // Innermost first: operations of outer plans stay where they are.
    for plan in plans.into_iter().rev() {
        let was_root = plan.op == root;
        let mut shifter = IterationShifter {
            context,
            body,
            op: plan.op,
            passed: BTreeSet::new(),
        };
        if !plan.later.is_empty() {
            done.later = true;
            shifter.put_off(&plan.later);
        }
        if let (false, Some(end)) = (plan.ahead.is_empty(), wanted.ahead) {
            done.ahead = wanted.ahead;
            let mut ops = plan.ahead.iter();
            done.divisions |= ops.any(|op| is_division(View::new(context, shifter.body, *op)));
            shifter.take_ahead(&plan.ahead, end);
        }
        if was_root {
            root = shifter.op;
        }
    }
    (root, done)
}

fn plan(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
    index: LoopIndex,
    wanted: Pipelining,
) -> Option<Plan> {
    let node = &nest.loops[index];
    let (op, _) = node.source?;
    let first = node.children.iter().position(is_loop)?;
    let last = node.children.iter().rposition(is_loop)?;
    let ops = |children: &[Child]| -> Vec<OperationId> {
        let groups = children.iter().filter_map(|child| match child {
            Child::Group(group) => Some(*group),
            Child::Loop(_) => None,
        });
        let of = |group: GroupIndex| nest.groups[group].ops.clone();
        groups.flat_map(of).collect()
    };
    let (front, back) = (
        ops(&node.children[..first]),
        ops(&node.children[last + 1..]),
    );
    let reader = Reader {
        context,
        body,
        root,
        block: body.entry_block(op, 0)?,
    };
    let counts = node.step == 1;
    let mut ahead = match wanted.ahead.is_some() && counts {
        true => reader.movable_ahead(&front, wanted.divisions),
        false => Vec::new(),
    };
    let mut later = match wanted.later && counts && reader.can_be_put_off(op, &back) {
        true => back,
        false => Vec::new(),
    };
    if ahead.is_empty() && later.is_empty() {
        return None;
    }
    let between = iterations_between(context, body, root, nest, index)?;
    let inside: BTreeSet<OperationId> = body.walk(op).into_iter().collect();
    let apart = |a: OperationId, b: OperationId| between.get(&(a, b)).copied().unwrap_or(u64::MAX);
    let accesses = |ops: &[OperationId]| -> BTreeSet<OperationId> {
        let inner = ops.iter().map(|op| {
            let view = View::new(context, body, *op);
            guarded_access(view).unwrap_or(*op)
        });
        inner.collect()
    };
    // A load must not move to the other side of a store that it depends on.
    let moved = accesses(&later);
    let keeps_order = moved.iter().all(|moved_op| {
        let mut others = inside.iter().filter(|other| !moved.contains(other));
        others.all(|other| apart(*moved_op, *other) > 1)
    });
    if !keeps_order {
        later.clear();
    }
    let moved = accesses(&ahead);
    let least = 1 + u64::from(!later.is_empty());
    let keeps_order = moved.iter().all(|moved_op| {
        let mut others = inside.iter();
        others.all(|other| apart(*other, *moved_op) > least)
    });
    if !keeps_order {
        ahead.clear();
    }
    let any = !ahead.is_empty() || !later.is_empty();
    any.then_some(Plan { op, ahead, later })
}

fn is_loop(child: &Child) -> bool {
    matches!(child, Child::Loop(_))
}

/// Queries on the body of one loop.
struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
    root: OperationId,
    block: BlockId,
}

impl Reader<'_> {
    fn view(&self, op: OperationId) -> View<'_> {
        View::new(self.context, self.body, op)
    }

    fn is_free(&self, value: ValueId) -> bool {
        nest::is_free(self.context, self.body, self.root, value)
    }

    /// Returns whether a value is defined directly in the loop body.
    fn is_local(&self, value: ValueId) -> bool {
        let block = match self.body.value_definition(value) {
            ValueDefinition::Argument { block, .. } => Some(block),
            ValueDefinition::Result { operation, .. } => self.body.parent_block(operation),
        };
        block == Some(self.block)
    }

    /// Returns the operations before the inner loops that depend on this iteration only through its counter: loads and what is
    /// computed from them.
    fn movable_ahead(&self, front: &[OperationId], divisions: bool) -> Vec<OperationId> {
        let mut movable: Vec<OperationId> = Vec::new();
        for op in front {
            let view = self.view(*op);
            let reads = view.name() == memref::Load::NAME || is_guarded_load(view);
            let known = |value: ValueId| {
                let maker = self.body.defining_operation(value);
                !self.is_local(value)
                    || self.is_free(value)
                    || maker.is_some_and(|maker| movable.contains(&maker))
            };
            let all_known = operands_within(self.body, *op).into_iter().all(known);
            let movable_kind = reads || is_pure(view) || divisions && is_division(view);
            if movable_kind && all_known {
                movable.push(*op);
            }
        }
        movable
    }

    /// Returns whether the operations after the inner loops can be postponed: the next iteration does not depend on them.
    fn can_be_put_off(&self, op: OperationId, back: &[OperationId]) -> bool {
        let stores = |op: &OperationId| {
            let view = self.view(*op);
            view.name() == memref::Store::NAME
                || guarded_access(view)
                    .is_some_and(|op| self.view(op).name() == memref::Store::NAME)
        };
        let is_simple = |op: &OperationId| {
            let view = self.view(*op);
            let access = stores(op) || view.name() == memref::Load::NAME || is_guarded_load(view);
            !is_division(view) && (access || is_pure(view) && !is_guard(view))
        };
        let yields = yielded(self.body, op, 0);
        let is_yielded = |op: &OperationId| {
            let results = self.body.results(*op);
            results.iter().any(|result| yields.contains(result))
        };
        back.iter().any(stores) && back.iter().all(is_simple) && !back.iter().any(is_yielded)
    }
}

fn is_guarded_load(view: View<'_>) -> bool {
    let access = guarded_access(view);
    access.is_some_and(|op| name(view.context, view.body, op) == memref::Load::NAME)
}
