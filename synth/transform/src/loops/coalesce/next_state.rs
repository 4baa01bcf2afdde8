//! Computes the next value of each control state from the transition that is taken.

use sluice_dialects::arith;
use sluice_ir::ValueId;

use super::condition::Condition;
use super::control::{Control, Next, Transition};
use super::emit::Emitter;
use super::nest::LoopIndex;
use crate::build::{binary, constant, constant_of};
use crate::loops::coalesce::machine::State;

impl Emitter<'_> {
    /// Returns the value of a state after the step; unchanged if no transition sets it.
    pub(super) fn next_state(&mut self, control: &Control, state: State) -> ValueId {
        let flag = |wanted: &dyn Fn(&Transition) -> bool| -> Vec<Condition> {
            let chosen = control.transitions.iter().filter(|t| wanted(t));
            chosen.map(|t| t.condition).collect()
        };
        let conditions = match state {
            State::Turn(group) => flag(&|t| t.turn == group),
            State::Entered(index) => flag(&|t| t.changes.entered.contains(&index)),
            State::Counter(index) => return self.next_counter(control, index),
            State::Scaled(index, factor) => return self.next_scaled(control, index, factor),
            State::InLast(index) => {
                return self.next_flag(control, index, state, |next| next.is_last);
            }
            State::Works(index) => return self.next_flag(control, index, state, |next| next.works),
        };
        let any = conditions
            .into_iter()
            .fold(Condition::Never, |any, condition| {
                self.either(any, condition)
            });
        self.flag(any)
    }

    fn next_counter(&mut self, control: &Control, index: LoopIndex) -> ValueId {
        // Transitions with equal values share one selection.
        let mut choices: Vec<(ValueId, Condition)> = Vec::new();
        for transition in &control.transitions {
            let Some(Next { counter: value, .. }) = transition.changes.counters.get(&index) else {
                continue;
            };
            let constant = |v: ValueId| constant_of(self.context, self.body, v);
            let same = choices.iter().position(|(known, _)| {
                known == value
                    || (constant(*known).is_some() && constant(*known) == constant(*value))
            });
            match same {
                Some(at) => {
                    choices[at].1 = self.either(choices[at].1, transition.condition);
                }
                None => choices.push((*value, transition.condition)),
            }
        }
        let mut next = self.state(State::Counter(index));
        for (value, condition) in choices {
            next = self.choose(condition, value, next);
        }
        next
    }

    fn next_scaled(&mut self, control: &Control, index: LoopIndex, factor: i64) -> ValueId {
        let state = self.state(State::Scaled(index, factor));
        let ty = self.body.ty(state);
        let (mut advances, mut enters) = (Condition::Never, Condition::Never);
        for transition in &control.transitions {
            if let Some(next) = transition.changes.counters.get(&index) {
                let kind = match next.advances {
                    true => &mut advances,
                    false => &mut enters,
                };
                *kind = self.either(*kind, transition.condition);
            }
        }
        let by = self.nest.loops[index].step * factor;
        let mut builder = self.builder();
        let by = constant(&mut builder, ty, by);
        let more = binary(&mut builder, arith::Addi::NAME, state, by);
        let start = self.run.counters[index].least * factor;
        let start = constant(&mut self.builder(), ty, start);
        let entered = self.choose(enters, start, state);
        self.choose(advances, more, entered)
    }

    /// Returns the next value of a flag that changes only with the counter of its loop.
    fn next_flag(
        &mut self,
        control: &Control,
        index: LoopIndex,
        state: State,
        flag: impl Fn(&Next) -> Condition,
    ) -> ValueId {
        let mut changed = Condition::Never;
        let mut set = Condition::Never;
        for transition in &control.transitions {
            if let Some(next) = transition.changes.counters.get(&index) {
                changed = self.either(changed, transition.condition);
                let both = self.both(transition.condition, flag(next));
                set = self.either(set, both);
            }
        }
        let kept = self.not(changed);
        let state = Condition::When(self.state(state));
        let kept = self.both(kept, state);
        let next = self.either(set, kept);
        self.flag(next)
    }
}
