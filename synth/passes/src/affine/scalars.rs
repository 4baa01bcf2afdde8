//! The `affine-scalrep` pass: loads become the values of stores and loads before them, and stores that others overwrite go.
//!
//! Source: MLIR, `affineScalarReplace`. Differs: a write in a loop that is not affine always comes between two accesses.

use std::collections::BTreeSet;

use sluice_dialects::{affine, scf};
use sluice_ir::affine::AffineExpr;
use sluice_ir::effects::{Effects, is_allocated};
use sluice_ir::{Body, Context, OperationId, ValueId, View};

use super::dependence::{Access, Order, loops_around, may_meet, n_common};
use super::simplify;
use crate::argument_aliases::may_hold;
use crate::order::inner_first;

/// Replaces accesses of a body.
pub(crate) fn replace(context: &Context, body: &mut Body) {
    let mut forwarded = BTreeSet::new();
    let mut gone = Vec::new();
    for load in accesses(context, body, false) {
        let stores = accesses(context, body, true);
        let mut stores = stores.iter().filter(|store| {
            are_equal(context, body, store, &load)
                && nothing_between(context, body, store, &load, Effect::Write)
        });
        if let Some(store) = stores.next() {
            let value = body.operand(store.op, 0);
            let old = body.result(load.op, 0);
            body.replace_all_uses(old, value);
            forwarded.insert(load.memory);
            gone.push(load.op);
        }
    }
    erase(body, &mut gone);
    let stores = accesses(context, body, true);
    for store in &stores {
        let is_overwritten = stores.iter().any(|later| {
            later.op != store.op
                && body.parent_block(later.op) == body.parent_block(store.op)
                && are_equal(context, body, store, later)
                && nothing_between(context, body, store, later, Effect::Read)
        });
        if is_overwritten {
            gone.push(store.op);
        }
    }
    erase(body, &mut gone);
    for memory in forwarded {
        erase_unread(context, body, memory);
    }
    let loads = accesses(context, body, false);
    for load in &loads {
        let candidates: Vec<&Access> = loads
            .iter()
            .filter(|other| {
                other.op != load.op
                    && are_equal(context, body, other, load)
                    && nothing_between(context, body, other, load, Effect::Write)
            })
            .collect();
        let is_first = |one: &&&Access| {
            let mut others = candidates.iter();
            others.all(|other| other.op == one.op || place(body, one.op, other.op).is_some())
        };
        if let Some(first) = candidates.iter().find(is_first) {
            let (old, new) = (body.result(load.op, 0), body.result(first.op, 0));
            body.replace_all_uses(old, new);
            gone.push(load.op);
        }
    }
    erase(body, &mut gone);
}

fn erase(body: &mut Body, ops: &mut Vec<OperationId>) {
    for op in ops.drain(..) {
        body.erase(op);
    }
}

/// Returns the affine loads or stores of a body, inner ones first.
fn accesses(context: &Context, body: &Body, are_stores: bool) -> Vec<Access> {
    let ops = inner_first(body).into_iter();
    let all = ops.filter_map(|op| Access::read(context, body, op));
    all.filter(|access| access.is_store == are_stores).collect()
}

/// Returns true if two accesses always are of the same element.
fn are_equal(context: &Context, body: &Body, a: &Access, b: &Access) -> bool {
    if a.memory != b.memory {
        return false;
    }
    let view = View::new(context, body, b.op);
    let n = a.subscripts.results.len();
    (0..n).all(|i| {
        let (mut one, other) = (a.subscripts.clone(), b.subscripts.clone());
        one.results = vec![one.results[i].clone()];
        let mut difference = one.join(other, |a, b| a.clone() - b[i].clone());
        difference.canonicalise(view);
        simplify::composed(&mut difference);
        difference.results[0] == AffineExpr::Constant(0)
    })
}

/// Returns the operation in the block of `before` that is `op` or contains it, if `before` comes before it.
fn place(body: &Body, before: OperationId, op: OperationId) -> Option<OperationId> {
    let block = body.parent_block(before);
    let mut around = std::iter::successors(Some(op), |op| body.parent_operation(*op));
    let top = around.find(|op| body.parent_block(*op) == block)?;
    let mut after = std::iter::successors(body.next(before), |op| body.next(*op));
    after.find(|op| *op == top)
}

/// The effect that must not come between two accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Read,
    Write,
}

/// Returns true if `first` always runs before `second`, and nothing in between has this effect on the element.
fn nothing_between(
    context: &Context,
    body: &Body,
    first: &Access,
    second: &Access,
    effect: Effect,
) -> bool {
    let Some(top) = place(body, first.op, second.op) else {
        return false;
    };
    let between = Between {
        context,
        body,
        second,
        n_loops: loops_around(context, body, first.op).len(),
        effect,
    };
    let inner = std::iter::successors(Some(second.op), |op| body.parent_operation(*op));
    let inner = inner.take_while(|op| *op != top);
    let parents: Vec<OperationId> = inner.filter_map(|op| body.parent_operation(op)).collect();
    let is_structured = |op: &OperationId| {
        let name = context.operation_text(body.name(*op));
        matches!(name, affine::For::NAME | affine::If::NAME | scf::If::NAME)
    };
    let is_known = parents.iter().all(is_structured);
    let mut next = body.next(first.op);
    while let Some(op) = next.filter(|op| *op != top) {
        if between.any_in(op, true) {
            return false;
        }
        next = body.next(op);
    }
    // Everything in the loops and conditionals around the second access may run before it.
    !parents
        .last()
        .is_some_and(|top| between.any_in(*top, is_known))
}

struct Between<'a> {
    context: &'a Context,
    body: &'a Body,
    second: &'a Access,
    /// Number of loops around the first access.
    n_loops: usize,
    effect: Effect,
}

impl Between<'_> {
    fn any_in(&self, root: OperationId, is_known: bool) -> bool {
        let mut ops = self.body.walk(root).into_iter();
        ops.any(|op| op != self.second.op && self.has_effect(op, is_known))
    }

    fn has_effect(&self, op: OperationId, is_known: bool) -> bool {
        let (context, body) = (self.context, self.body);
        let effects = Effects::own(context, body, op);
        let memories = match self.effect {
            Effect::Read => &effects.reads,
            Effect::Write => &effects.writes,
        };
        if !may_hold(context, body, memories, self.second.memory) {
            return false;
        }
        let access = Access::read(context, body, op).filter(|_| is_known);
        let Some(access) = access.filter(|access| access.memory == self.second.memory) else {
            return true;
        };
        let meets = |order| may_meet(context, body, &access, self.second, order);
        let n_common = n_common(&access, self.second);
        (self.n_loops..n_common).any(|depth| meets(Order::Before(depth)))
            || (self.is_before(op) && meets(Order::Same))
    }

    /// Returns true if an operation comes before the second access in the text.
    fn is_before(&self, op: OperationId) -> bool {
        let around = |op| std::iter::successors(Some(op), |op| self.body.parent_operation(*op));
        around(op).any(|own| place(self.body, own, self.second.op).is_some())
    }
}

/// Erases an allocated memory with its stores, if nothing reads it.
fn erase_unread(context: &Context, body: &mut Body, memory: ValueId) -> Option<()> {
    let op = body.defining_operation(memory)?;
    let users: Vec<OperationId> = body.uses(memory).map(|(user, _)| user).collect();
    let is_unread = |user: &OperationId| {
        let view = View::new(context, body, *user);
        let frees = view.name() == sluice_dialects::memref::Dealloc::NAME;
        view.name() == affine::Store::NAME && view.operand(0) != memory || frees
    };
    if !is_allocated(View::new(context, body, op), memory) || !users.iter().all(is_unread) {
        return None;
    }
    for user in users {
        body.erase(user);
    }
    body.erase(op);
    Some(())
}
