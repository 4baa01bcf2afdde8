//! The control of a flattened nest: counters, the group that is active next, and the conditions for entering and leaving loops.

use std::collections::BTreeMap;

use sluice_dialects::arith;
use sluice_ir::ValueId;

use super::condition::Condition;
use super::emit::Emitter;
use super::nest::{Bound, Child, GroupIndex, LoopIndex, Place};
use crate::build::{EQ, SGE, SLT, binary, compare, constant, constant_i64, name};
use crate::loops::coalesce::machine::{Counters, State};

/// A state transition with its condition.
pub(super) struct Transition {
    pub(super) condition: Condition,
    pub(super) changes: Changes,
    pub(super) turn: GroupIndex,
}

/// The changes of a transition besides the next active group.
#[derive(Clone, Default)]
pub(super) struct Changes {
    pub(super) counters: BTreeMap<LoopIndex, Next>,
    pub(super) entered: Vec<LoopIndex>,
}

/// The next iteration of a loop.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) counter: ValueId,
    /// True if it follows another iteration of the same entry; otherwise the loop is entered.
    pub(super) advances: bool,
    pub(super) is_last: Condition,
    pub(super) works: Condition,
}

/// The control of one step, and the conditions that the data path uses.
pub(super) struct Control {
    pub(super) turn: BTreeMap<GroupIndex, Condition>,
    pub(super) leaves: BTreeMap<LoopIndex, Condition>,
    pub(super) transitions: Vec<Transition>,
}

impl Emitter<'_> {
    /// Computes the transitions from every group with a step of its own.
    pub(super) fn control(&mut self) -> Control {
        let mut control = Control {
            turn: BTreeMap::new(),
            leaves: BTreeMap::new(),
            transitions: Vec::new(),
        };
        let own = self.own_groups();
        for group in &own {
            control.turn.insert(*group, self.turn_of(*group));
        }
        for group in own {
            let (around, at) = self.nest.position(group);
            let condition = control.turn[&group];
            self.advance(&mut control, around, at + 1, condition);
        }
        control
    }

    /// Computes the transitions of loop `index` after its child `from - 1`: to later children in the same iteration, the next
    /// iteration, or the parent loop.
    fn advance(
        &mut self,
        control: &mut Control,
        index: LoopIndex,
        from: usize,
        mut when: Condition,
    ) {
        let current = self.current_counters();
        let children = self.nest.loops[index].children.clone();
        for child in children.into_iter().skip(from) {
            match child {
                Child::Group(group) if self.nest.groups[group].place == Place::Own => {
                    self.go(control, when, Changes::default(), group);
                    return;
                }
                Child::Group(_) => {}
                Child::Loop(inner) => {
                    let enters = self.has_iteration(inner, &current);
                    let go = self.both(when, enters);
                    self.enter(control, inner, go, &current, Changes::default());
                    if enters == Condition::Always {
                        return;
                    }
                    let not = self.not(enters);
                    when = self.both(when, not);
                }
            }
        }
        let last = self.in_last(index);
        let not_last = self.not(last);
        let again = self.both(when, not_last);
        if again != Condition::Never {
            let next = self.advanced(index, &current);
            let stored = self.stored_counter(index, next);
            let mut counters = current.clone();
            counters[index] = Some(next);
            let mut changes = Changes::default();
            let next = self.next_iteration(index, stored, &counters, true);
            changes.counters.insert(index, next);
            self.enter_body(control, index, again, &counters, changes);
        }
        let leaves = self.both(when, last);
        let before = control.leaves.get(&index).copied();
        let all = self.either(before.unwrap_or(Condition::Never), leaves);
        control.leaves.insert(index, all);
        if let Some((parent, at)) = self.nest.loops[index].parent {
            self.advance(control, parent, at + 1, leaves);
        }
    }

    fn go(
        &mut self,
        control: &mut Control,
        condition: Condition,
        changes: Changes,
        turn: GroupIndex,
    ) {
        if condition != Condition::Never {
            control.transitions.push(Transition {
                condition,
                changes,
                turn,
            });
        }
    }

    fn enter(
        &mut self,
        control: &mut Control,
        index: LoopIndex,
        when: Condition,
        counters: &Counters,
        mut changes: Changes,
    ) {
        if when == Condition::Never {
            return;
        }
        let lower = self.nest.loops[index].lower;
        let lower = self.bound(lower, counters);
        let stored = self.stored_counter(index, lower);
        let mut inside = counters.clone();
        inside[index] = Some(lower);
        let next = self.next_iteration(index, stored, &inside, false);
        changes.counters.insert(index, next);
        changes.entered.push(index);
        self.enter_body(control, index, when, &inside, changes);
    }

    fn enter_body(
        &mut self,
        control: &mut Control,
        index: LoopIndex,
        mut when: Condition,
        counters: &Counters,
        changes: Changes,
    ) {
        for child in self.nest.loops[index].children.clone() {
            match child {
                Child::Group(group) if self.nest.groups[group].place == Place::Own => {
                    self.go(control, when, changes, group);
                    return;
                }
                Child::Group(_) => {}
                Child::Loop(inner) => {
                    let enters = self.has_iteration(inner, counters);
                    let go = self.both(when, enters);
                    self.enter(control, inner, go, counters, changes.clone());
                    if enters == Condition::Always {
                        return;
                    }
                    let not = self.not(enters);
                    when = self.both(when, not);
                }
            }
        }
        debug_assert!(
            when == Condition::Never,
            "every iteration has a step of its own"
        );
    }

    /// Returns whether a loop has an iteration if it is entered with these counters.
    fn has_iteration(&mut self, index: LoopIndex, counters: &Counters) -> Condition {
        let facts = self.run.counters[index];
        if facts.empty_entries == 0 && facts.entries > 0 {
            return Condition::Always;
        }
        if facts.empty_entries == facts.entries {
            return Condition::Never;
        }
        let node = &self.nest.loops[index];
        if let (true, Some((around, _))) = (node.unless_last, node.parent) {
            let is_last = match counters[around] == self.current_counters()[around] {
                true => self.in_last(around),
                false => self.becomes_last(around, counters),
            };
            return self.not(is_last);
        }
        let (lower, upper) = (node.lower, node.upper);
        let lower = self.bound(lower, counters);
        let upper = self.bound(upper, counters);
        Condition::When(compare(&mut self.builder(), SLT, lower, upper))
    }

    /// Returns whether the current iteration is the last one.
    fn in_last(&self, index: LoopIndex) -> Condition {
        match self.run.counters[index].always_one {
            true => Condition::Always,
            false => Condition::When(self.state(State::InLast(index))),
        }
    }

    /// Emits a bound for the given counters.
    fn bound(&mut self, bound: Bound, counters: &Counters) -> ValueId {
        match bound {
            Bound::Value(value) => self.free_value(value, counters),
            Bound::Number(number) => {
                let ty = self.context.index_type();
                constant(&mut self.builder(), ty, number)
            }
        }
    }

    fn next_iteration(
        &mut self,
        index: LoopIndex,
        counter: ValueId,
        counters: &Counters,
        advances: bool,
    ) -> Next {
        Next {
            counter,
            advances,
            is_last: self.becomes_last(index, counters),
            works: self.will_work(index, counters),
        }
    }

    /// Returns whether the iteration with these counters is not a padding iteration.
    fn will_work(&mut self, index: LoopIndex, counters: &Counters) -> Condition {
        if !self.run.counters[index].idles {
            return Condition::Always;
        }
        let value = counters[index].expect("the loop runs");
        let upper = self.nest.loops[index].upper;
        let upper = self.bound(upper, counters);
        Condition::When(compare(&mut self.builder(), SLT, value, upper))
    }

    /// Returns whether the current iteration is not a padding iteration.
    pub(super) fn works(&self, index: LoopIndex) -> Condition {
        match self.run.counters[index].idles {
            true => Condition::When(self.state(State::Works(index))),
            false => Condition::Always,
        }
    }

    /// Returns whether the next iteration, with these counters, is the last one. It is computed one step early, so that the
    /// comparison is not on the critical path of the next decision.
    fn becomes_last(&mut self, index: LoopIndex, counters: &Counters) -> Condition {
        let facts = self.run.counters[index];
        if facts.always_one {
            return Condition::Always;
        }
        let value = counters[index].expect("the loop runs");
        let step = self.nest.loops[index].step;
        if let Some(last) = facts.last {
            if let Some(known) = constant_i64(self.context, self.body, value) {
                return match known == last {
                    true => Condition::Always,
                    false => Condition::Never,
                };
            }
            if self.advanced.get(&index) == Some(&value) {
                let state = self.state(State::Counter(index));
                let ty = self.body.ty(state);
                let mut builder = self.builder();
                let before = constant(&mut builder, ty, last - step);
                return Condition::When(compare(&mut builder, EQ, state, before));
            }
        }
        let upper = self.nest.loops[index].upper;
        let upper = self.bound(upper, counters);
        let last = self.plus(upper, -step);
        let exact = step == 1 && !facts.idles;
        let predicate = if exact { EQ } else { SGE };
        let reached = Condition::When(compare(&mut self.builder(), predicate, value, last));
        if !facts.idles {
            return reached;
        }
        let least = self.nest.loops[index].min_iterations;
        let least = i64::try_from(least).unwrap_or(i64::MAX);
        let lower = self.nest.loops[index].lower;
        let lower = self.bound(lower, counters);
        let filled = self.plus(lower, step.saturating_mul(least - 1));
        let filled = Condition::When(compare(&mut self.builder(), SGE, value, filled));
        self.both(reached, filled)
    }

    /// Emits a value plus a constant, merged with an existing addition if the value is such a sum.
    fn plus(&mut self, value: ValueId, more: i64) -> ValueId {
        let ty = self.body.ty(value);
        let known = constant_i64(self.context, self.body, value);
        if let Some(sum) = known.and_then(|known| known.checked_add(more)) {
            return constant(&mut self.builder(), ty, sum);
        }
        let sum = self.body.defining_operation(value).and_then(|op| {
            let adds = name(self.context, self.body, op) == arith::Addi::NAME;
            let number = adds.then(|| self.body.operand(op, 1))?;
            let number = constant_i64(self.context, self.body, number)?;
            Some((self.body.operand(op, 0), number.checked_add(more)?))
        });
        let (term, number) = sum.unwrap_or((value, more));
        if number == 0 {
            return term;
        }
        let mut builder = self.builder();
        let number = constant(&mut builder, ty, number);
        binary(&mut builder, arith::Addi::NAME, term, number)
    }

    /// Returns the counter after the iteration.
    fn advanced(&mut self, index: LoopIndex, counters: &Counters) -> ValueId {
        if let Some(known) = self.advanced.get(&index) {
            return *known;
        }
        let value = counters[index].expect("the loop runs");
        let step = self.nest.loops[index].step;
        let mut builder = self.builder();
        let ty = builder.body.ty(value);
        let step = constant(&mut builder, ty, step);
        let next = binary(&mut builder, arith::Addi::NAME, value, step);
        self.advanced.insert(index, next);
        next
    }
}
