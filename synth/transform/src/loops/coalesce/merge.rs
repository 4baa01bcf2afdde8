//! Shares memory ports and units between groups of different steps: merges their operations into one with selected operands.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::ANY;
use sluice_dialects::{
    arith,
    synthesis_form::{is_any, outer_operation},
};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use super::Limits;
use super::condition::Condition;
use super::emit::Flat;
use super::nest::GroupIndex;
use super::place::{Resource, resource_of};
use super::run::Run;
use super::selection::shorten_selections;
use super::widths::widen;
use crate::build::{binary, constant, name, operations_before, select, sort_topologically};
use crate::datapath::if_convert::guard_value;

/// Merges operations; returns for each merged access the access that replaces it. `run` tells which accesses of one step are
/// ordered.
pub(super) fn merge(
    context: &Context,
    body: &mut Body,
    flat: &Flat,
    run: &Run,
    limits: &Limits,
) -> BTreeMap<OperationId, OperationId> {
    // Products of indices are not merged with those of integers, whose width is known.
    let is_index = |body: &Body, op| {
        body.results(op)
            .iter()
            .any(|r| body.ty(*r).is_index(context))
    };
    let mut users: BTreeMap<(Resource, bool), BTreeMap<GroupIndex, Vec<OperationId>>> =
        BTreeMap::new();
    for (op, host) in &flat.emitted {
        if let Some(resource) = resource_of(context, body, *op, limits) {
            let of_host = users.entry((resource, is_index(body, *op))).or_default();
            of_host.entry(*host).or_default().push(*op);
        }
    }
    for ((resource, _), by_host) in &users {
        if matches!(resource, Resource::Unit(_)) && by_host.len() > 1 {
            let ops: Vec<OperationId> = by_host.values().flatten().copied().collect();
            widen(context, body, &ops);
        }
    }
    let mut merger = Merger {
        context,
        body,
        flat,
        run,
        merged: BTreeMap::new(),
        choices: BTreeSet::new(),
    };
    for by_host in users.into_values() {
        let mut slots: Vec<OperationId> = Vec::new();
        for (host, ops) in by_host {
            let mut taken = BTreeSet::new();
            for op in ops {
                let free = (0..slots.len())
                    .find(|slot| !taken.contains(slot) && merger.are_independent(slots[*slot], op));
                match free {
                    Some(slot) => {
                        merger.join(slots[slot], op, host);
                        taken.insert(slot);
                        slots[slot] = op;
                    }
                    None => {
                        taken.insert(slots.len());
                        slots.push(op);
                    }
                }
            }
        }
    }
    let merged = merger.merged;
    let kept: BTreeSet<OperationId> = merged.values().copied().collect();
    let kept: Vec<OperationId> = kept.into_iter().collect();
    shorten_selections(context, body, &kept);
    sort_topologically(context, body, flat.op, |a, b| {
        let original = |op: OperationId| {
            let others = merged.iter().filter(move |(_, to)| **to == op);
            others.map(|(from, _)| *from).chain([op])
        };
        original(a).any(|a| original(b).any(|b| run.dependences.get(&(a, b)) == Some(&0)))
    });
    merged
}

/// The position of a value in a chain of selections.
enum Place {
    /// The value that is taken if no condition holds.
    Otherwise,
    /// The value that this selection takes if its condition holds.
    By(OperationId),
}

struct Merger<'a> {
    context: &'a Context,
    body: &'a mut Body,
    flat: &'a Flat,
    run: &'a Run,
    merged: BTreeMap<OperationId, OperationId>,
    /// Selections of operands.
    choices: BTreeSet<OperationId>,
}

impl Merger<'_> {
    fn outer(&self, op: OperationId) -> OperationId {
        outer_operation(View::new(self.context, self.body, op))
    }

    fn are_independent(&self, a: OperationId, b: OperationId) -> bool {
        let (a, b) = (self.outer(a), self.outer(b));
        !self.reaches(a, b) && !self.reaches(b, a)
    }

    /// Returns whether `to` depends on `from` within a step.
    fn reaches(&self, from: OperationId, to: OperationId) -> bool {
        let mut waiting = vec![to];
        let mut seen = BTreeSet::new();
        while let Some(op) = waiting.pop() {
            if !seen.insert(op) {
                continue;
            }
            waiting.extend(operations_before(self.body, self.flat.op, op));
            waiting.extend(self.ordered_before(op));
        }
        from != to && seen.contains(&from)
    }

    /// Returns the accesses that must come before an access in the same step.
    fn ordered_before(&self, outer: OperationId) -> Vec<OperationId> {
        let all = self.run.dependences.iter();
        all.filter(|(_, distance)| **distance == 0)
            .filter(|((_, to), _)| self.outer(self.now(*to)) == outer)
            .map(|((from, _), _)| self.outer(self.now(*from)))
            .collect()
    }

    fn now(&self, mut op: OperationId) -> OperationId {
        while let Some(next) = self.merged.get(&op) {
            op = *next;
        }
        op
    }

    fn is_any(&self, guard: OperationId) -> bool {
        is_any(View::new(self.context, self.body, guard))
    }

    fn before(&mut self, anchor: OperationId, operator: &str, a: ValueId, b: ValueId) -> ValueId {
        let mut builder = Builder::before(self.context, self.body, anchor);
        binary(&mut builder, operator, a, b)
    }

    fn not(&mut self, anchor: OperationId, a: ValueId) -> ValueId {
        let mut builder = Builder::before(self.context, self.body, anchor);
        let bit = self.context.integer_type(1);
        let one = constant(&mut builder, bit, -1);
        binary(&mut builder, arith::Xori::NAME, a, one)
    }

    /// Returns the position of `value` in the selection chain `chosen`, if it is there.
    fn place_of(&self, value: ValueId, chosen: ValueId) -> Option<Place> {
        let mut chosen = chosen;
        while chosen != value {
            let choice = self.body.defining_operation(chosen);
            let choice = choice.filter(|choice| self.choices.contains(choice))?;
            if self.body.operand(choice, 1) == value {
                return Some(Place::By(choice));
            }
            chosen = self.body.operand(choice, 2);
        }
        Some(Place::Otherwise)
    }

    /// Selects `value` if `turn` holds, else `others`; their conditions are mutually exclusive.
    fn choose(
        &mut self,
        anchor: OperationId,
        turn: ValueId,
        value: ValueId,
        others: ValueId,
    ) -> ValueId {
        match self.place_of(value, others) {
            Some(Place::Otherwise) => others,
            Some(Place::By(choice)) => {
                let known = self.body.operand(choice, 0);
                let either = self.before(anchor, arith::Ori::NAME, known, turn);
                self.body.set_operand(choice, 0, either);
                others
            }
            None => {
                let mut builder = Builder::before(self.context, self.body, anchor);
                let chosen = select(&mut builder, turn, value, others);
                self.choices.extend(self.body.defining_operation(chosen));
                chosen
            }
        }
    }

    /// Swaps the operands of a product or sum if that reduces the number of different values per operand.
    fn turn_around(&mut self, gone: OperationId, kept: OperationId) {
        if !matches!(
            name(self.context, self.body, kept),
            arith::Muli::NAME | arith::Addi::NAME
        ) {
            return;
        }
        let of = |op, i| self.body.operand(op, i);
        let n_new = |left, right| {
            let is_new = |value, i| usize::from(self.place_of(value, of(gone, i)).is_none());
            is_new(left, 0) + is_new(right, 1)
        };
        let (left, right) = (of(kept, 0), of(kept, 1));
        if n_new(right, left) < n_new(left, right) {
            self.body.set_operand(kept, 0, right);
            self.body.set_operand(kept, 1, left);
        }
    }

    /// Lets `kept` also perform the work of `gone`; in the steps of `host` it performs its own.
    fn join(&mut self, gone: OperationId, kept: OperationId, host: GroupIndex) {
        let Condition::When(turn) = self.flat.turn[&host] else {
            unreachable!("several groups have turns");
        };
        let (outer_gone, outer_kept) = (self.outer(gone), self.outer(kept));
        self.turn_around(gone, kept);
        let of_gone: Vec<ValueId> = self.body.operands(gone).collect();
        for (i, operand) in of_gone.into_iter().enumerate() {
            let own = self.body.operand(kept, i);
            let chosen = self.choose(outer_kept, turn, own, operand);
            self.body.set_operand(kept, i, chosen);
        }
        let guard = |this: &Self, op, outer| (outer != op).then(|| this.body.operand(outer, 0));
        let guards = (guard(self, gone, outer_gone), guard(self, kept, outer_kept));
        match guards {
            (None, None) => {}
            (Some(other), Some(condition)) => {
                let either = self.before(outer_kept, arith::Ori::NAME, condition, other);
                self.body.set_operand(outer_kept, 0, either);
                if !self.is_any(outer_gone) {
                    let any = self.context.name(ANY);
                    self.body.remove_attribute(outer_kept, any);
                }
            }
            (None, Some(condition)) => {
                let not_turn = self.not(outer_kept, turn);
                let either = self.before(outer_kept, arith::Ori::NAME, condition, not_turn);
                self.body.set_operand(outer_kept, 0, either);
            }
            // If its guard is off, the address of the other access may be out of bounds.
            (Some(other), None) => {
                let either = self.before(outer_kept, arith::Ori::NAME, turn, other);
                guard_value(self.context, self.body, kept, kept, either);
                if self.is_any(outer_gone) {
                    let guard = self.outer(kept);
                    let any = self.context.unit_attribute();
                    self.body.set_attribute(guard, self.context.name(ANY), any);
                }
            }
        }
        let outer_kept = self.outer(kept);
        let results = self.body.results(outer_gone).to_vec();
        for (i, result) in results.into_iter().enumerate() {
            let new = self.body.result(outer_kept, i);
            self.body.replace_all_uses(result, new);
        }
        self.body.erase(outer_gone);
        for target in self.merged.values_mut() {
            if *target == gone {
                *target = kept;
            }
        }
        self.merged.insert(gone, kept);
    }
}
