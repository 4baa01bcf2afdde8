//! The greedy pattern driver: folds, erases dead operations and applies patterns until a fixpoint.
//!
//! Deterministic: operations are visited in the order of the text, patterns by decreasing benefit and then by their position in
//! the set. Operations that a rewrite affects go back to the worklist immediately.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::body::{Body, NewOperation};
use crate::context::Context;
use crate::definition::{FoldResult, Traits};
use crate::effects::erasable_when_unused;
use crate::ids::{Attribute, BlockId, OperationId, OperationName, Type, ValueId};
use crate::simplify::{constant_of, fold};
use crate::view::View;

/// A rewrite of one operation.
pub struct Pattern {
    /// Name in kebab case, for messages and tests.
    pub name: &'static str,
    /// Full names of the operations it starts from.
    pub roots: &'static [&'static str],
    /// Patterns of higher benefit are tried first.
    pub benefit: u16,
    /// Rewrites the operation; returns true if it did. If it returns false, it must not have changed anything.
    pub rewrite: fn(&mut Rewriter<'_>, OperationId) -> bool,
}

/// The result of a run of the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// True if the body was changed.
    pub changed: bool,
    /// True if no pattern applies any more; false if the limit on rewrites stopped patterns that undo each other.
    pub converged: bool,
}

/// A body during rewriting: every change uses it, so that the driver knows which operations to visit again.
pub struct Rewriter<'a> {
    /// Types, attributes, names.
    pub context: &'a Context,
    body: &'a mut Body,
    stack: Vec<OperationId>,
    queued: Vec<bool>,
}

/// The patterns for operations of each name, in the order in which they are tried.
type ByName<'p> = HashMap<OperationName, SmallVec<[&'p Pattern; 8]>, FxBuildHasher>;

/// Applies folds and `patterns` until a fixpoint.
///
/// Complexity: linear in the number of operations and rewrites; the number of rewrites is at most 64 for each operation at the
/// start, plus 1,024.
pub fn apply(context: &Context, body: &mut Body, patterns: &[&Pattern]) -> Outcome {
    let all = body.walk_all();
    apply_to(context, body, patterns, all, |_| true)
}

/// Applies folds and patterns as [`apply`] does, to the operations `all` and to those that rewrites affect, as far as they are `allowed`.
pub fn apply_to(
    context: &Context,
    body: &mut Body,
    patterns: &[&Pattern],
    mut all: Vec<OperationId>,
    allowed: impl Fn(OperationId) -> bool,
) -> Outcome {
    let mut sorted: Vec<&Pattern> = patterns.to_vec();
    sorted.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit));
    let mut budget = all.len().saturating_mul(64).saturating_add(1024);
    let mut rewriter = Rewriter {
        context,
        queued: vec![false; body.operation_capacity()],
        body,
        stack: Vec::with_capacity(all.len()),
    };
    while let Some(op) = all.pop() {
        rewriter.visit_again(op);
    }
    let mut by_name = ByName::default();
    let mut changed = false;
    while let Some(op) = rewriter.stack.pop() {
        rewriter.queued[op.index()] = false;
        if rewriter.body.is_erased(op) || !allowed(op) {
            continue;
        }
        let patterns = by_name
            .entry(rewriter.body.name(op))
            .or_insert_with_key(|name| {
                let name = context.operation_text(*name);
                let starts = |pattern: &&&Pattern| pattern.roots.contains(&name);
                sorted.iter().filter(starts).copied().collect()
            });
        if rewriter.step(op, patterns) {
            changed = true;
            budget -= 1;
            if budget == 0 {
                return Outcome {
                    changed,
                    converged: false,
                };
            }
        }
    }
    Outcome {
        changed,
        converged: true,
    }
}

/// Erases all operations of a body without regions except the roots and the operations they depend on; also erases dead cycles.
pub fn keep_what_is_needed(body: &mut Body, roots: impl IntoIterator<Item = OperationId>) {
    let mut open: Vec<OperationId> = roots.into_iter().collect();
    let mut needed: BTreeSet<OperationId> = open.iter().copied().collect();
    while let Some(op) = open.pop() {
        for operand in body.operands(op) {
            if let Some(maker) = body.defining_operation(operand)
                && needed.insert(maker)
            {
                open.push(maker);
            }
        }
    }
    let all = body.walk_all().into_iter();
    let rest: Vec<OperationId> = all.filter(|op| !needed.contains(op)).collect();
    // They may use each other.
    for op in &rest {
        body.set_operands(*op, &[]);
    }
    for op in rest {
        body.erase(op);
    }
}

impl Rewriter<'_> {
    /// Returns the body, read-only.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// Returns a view of an operation.
    pub fn view(&self, op: OperationId) -> View<'_> {
        View::new(self.context, self.body, op)
    }

    /// Creates an operation before `anchor`.
    pub fn create(&mut self, anchor: OperationId, new: NewOperation) -> OperationId {
        let op = self.body.create(self.context, new);
        self.body.insert_before(anchor, op);
        self.visit_again(op);
        op
    }

    /// Creates a constant before `anchor`, in the dialect of `like`; `None` if that dialect has no constants.
    pub fn constant(
        &mut self,
        anchor: OperationId,
        like: OperationId,
        value: Attribute,
        ty: Type,
    ) -> Option<ValueId> {
        let dialect = self.body.definition(self.context, like)?.dialect();
        let materialize = self.context.dialect(dialect)?.materialize_constant?;
        let new = materialize(self.context, value, ty, self.body.location(like))?;
        let op = self.create(anchor, new);
        Some(self.body.result(op, 0))
    }

    /// Changes `op` in place with `change`; the operation and its users are visited again.
    pub fn update(&mut self, op: OperationId, change: impl FnOnce(&mut Body)) {
        self.visit_definitions_of_operands(op);
        change(self.body);
        self.visit_again(op);
        for result in self.body.results(op).to_vec() {
            self.visit_users(result);
        }
    }

    /// Replaces uses of `old` by `new`; keeps the name of `old` unless `new` is a constant with its own name.
    pub fn replace_value(&mut self, old: ValueId, new: ValueId) {
        self.visit_users(old);
        let name = self.body.value_name(new);
        let is_constant = constant_of(self.context, self.body, new).is_some();
        self.body.replace_all_uses(old, new);
        if is_constant {
            self.body.set_value_name(new, name);
        }
    }

    /// Replaces the results of `op` by `values` and erases it.
    pub fn replace(&mut self, op: OperationId, values: &[ValueId]) {
        let results: SmallVec<[ValueId; 4]> = self.body.results(op).iter().copied().collect();
        assert_eq!(results.len(), values.len(), "each result has a replacement");
        for (old, new) in results.into_iter().zip(values) {
            self.replace_value(old, *new);
        }
        self.erase(op);
    }

    /// Erases `op`, whose results are unused; the operations that define its operands are visited again.
    pub fn erase(&mut self, op: OperationId) {
        for inner in self.body.walk(op) {
            self.visit_definitions_of_operands(inner);
        }
        if let Some(parent) = self.body.parent_operation(op) {
            self.visit_again(parent);
        }
        self.body.erase(op);
    }

    /// Moves the operations of `block` except its terminator before `anchor`; its arguments are replaced by `arguments`. Returns
    /// the operands of the terminator. The block keeps only the terminator.
    pub fn inline_block(
        &mut self,
        block: BlockId,
        anchor: OperationId,
        arguments: &[ValueId],
    ) -> Vec<ValueId> {
        for (old, new) in self
            .body
            .arguments(block)
            .to_vec()
            .into_iter()
            .zip(arguments)
        {
            self.replace_value(old, *new);
        }
        let ops: Vec<_> = self.body.operations(block).collect();
        let Some((last, moved)) = ops.split_last() else {
            return Vec::new();
        };
        for op in moved {
            self.body.move_before(anchor, *op);
            self.visit_again(*op);
        }
        self.body.operands(*last).collect()
    }

    /// Adds `op` to the worklist.
    pub fn visit_again(&mut self, op: OperationId) {
        if self.queued.len() <= op.index() {
            self.queued.resize(self.body.operation_capacity(), false);
        }
        if !std::mem::replace(&mut self.queued[op.index()], true) {
            self.stack.push(op);
        }
    }

    fn visit_users(&mut self, value: ValueId) {
        let users: SmallVec<[OperationId; 8]> = self.body.uses(value).map(|(op, _)| op).collect();
        for user in users {
            self.visit_again(user);
        }
    }

    fn visit_definitions_of_operands(&mut self, op: OperationId) {
        let operands: SmallVec<[ValueId; 4]> = self.body.operands(op).collect();
        for operand in operands {
            if let Some(definition) = self.body.defining_operation(operand) {
                self.visit_again(definition);
            }
        }
    }

    fn step(&mut self, op: OperationId, patterns: &[&Pattern]) -> bool {
        let unused = |r: &ValueId| self.body.is_unused(*r);
        if erasable_when_unused(self.context, self.body, op)
            && self.body.results(op).iter().all(unused)
        {
            self.erase(op);
            return true;
        }
        let swapped = self.constants_to_the_right(op);
        if self.fold_one(op) {
            return true;
        }
        let rewrites = |pattern: &&Pattern| (pattern.rewrite)(self, op);
        patterns.iter().any(rewrites) || swapped
    }

    fn constants_to_the_right(&mut self, op: OperationId) -> bool {
        let commutative = self
            .body
            .definition(self.context, op)
            .is_some_and(|d| d.has(Traits::COMMUTATIVE));
        if !commutative || self.body.n_operands(op) != 2 {
            return false;
        }
        let (a, b) = (self.body.operand(op, 0), self.body.operand(op, 1));
        let is_constant = |v| constant_of(self.context, self.body, v).is_some();
        if is_constant(a) && !is_constant(b) {
            self.body.set_operands(op, &[b, a]);
            return true;
        }
        false
    }

    fn fold_one(&mut self, op: OperationId) -> bool {
        let Some(results) = fold(View::new(self.context, self.body, op)) else {
            return false;
        };
        let old = self.body.results(op).to_vec();
        if old.iter().all(|r| self.body.is_unused(*r)) {
            return false;
        }
        let mut values = Vec::new();
        for (result, old) in results.iter().zip(&old) {
            match result {
                FoldResult::Value(value) => values.push(*value),
                FoldResult::Constant(attribute) => {
                    match self.constant(op, op, *attribute, self.body.ty(*old)) {
                        Some(value) => values.push(value),
                        None => return false,
                    }
                }
            }
        }
        for (old, new) in old.into_iter().zip(values) {
            self.replace_value(old, new);
        }
        self.visit_again(op);
        true
    }
}
