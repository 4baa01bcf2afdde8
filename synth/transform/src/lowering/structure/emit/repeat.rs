//! Emits loops.

use std::collections::BTreeMap;

use sluice_dialects::scf;
use sluice_ir::{BlockId, Builder, Location, NewOperation, OperationId, ValueId};

use super::{Emitter, State};
use crate::lowering::structure::set::Set;
use crate::lowering::structure::tree::{Loop, Source, Variable, of_sequence};

/// Arguments of one of the two blocks of a loop, with their variables and the values passed to them.
#[derive(Default)]
struct Passed {
    variables: Vec<Variable>,
    values: Vec<ValueId>,
    arguments: Vec<ValueId>,
}

impl Emitter<'_> {
    pub(super) fn repeat(&mut self, at: BlockId, step: &Loop, live: &Set) {
        let location = step.location;
        let at_head = step.facts.live_before(live);
        let into_second = of_sequence(&step.after).live_before(&at_head);
        let mut passed_on = live.clone();
        passed_on.add_all(&into_second);
        let mut at_test = passed_on.clone();
        if let Source::Variable(variable) = step.again {
            at_test.insert(variable);
        }
        let new = NewOperation::new(self.context.operation_name(scf::While::NAME), location);
        let op = Builder::at_end(self.context, self.body, at, location).create(new);
        let (first, second) = (self.add_block(op), self.add_block(op));
        let mut carried = Passed::default();
        for variable in step.facts.assigns.iter() {
            if at_head.contains(variable) {
                carried.variables.push(variable);
                carried.values.push(self.value(variable, location));
            }
        }
        let length = self.log.len();
        self.forget(&step.facts.assigns);
        self.add_arguments(first, &mut carried, location);
        for (variable, argument) in carried.variables.iter().zip(&carried.arguments) {
            self.assign(*variable, State::Value(*argument));
        }
        self.sequence(first, &step.before, &at_test);
        let bit = self.context.integer_type(1);
        let condition = self.value_of(self.look(step.again), bit, location);
        let mut passed = self.passed_on(op, &passed_on);
        self.add_arguments(second, &mut passed, location);

        let length_at_test = self.log.len();
        for variable in into_second.iter() {
            if let State::Value(value) = self.states[variable.index()]
                && let Some(i) = passed.values.iter().position(|passed| *passed == value)
            {
                self.assign(variable, State::Value(passed.arguments[i]));
            }
        }
        self.sequence(second, &step.after, &at_head);
        let mut next: Vec<ValueId> = Vec::new();
        for variable in &carried.variables {
            next.push(self.value(*variable, location));
        }
        self.take_back(length_at_test);
        let changed = self.take_back(length);

        let same = self.drop_unchanged((first, &mut carried), (second, &mut passed), &mut next);
        self.body.set_operands(op, &carried.values);
        let mut operands = vec![condition];
        operands.extend(&passed.values);
        let operands: Vec<ValueId> = operands.into_iter().map(|v| resolve(&same, v)).collect();
        let mut builder = Builder::at_end(self.context, self.body, first, location);
        builder.operation(scf::Condition::NAME, &operands, &[], &[]);
        let mut builder = Builder::at_end(self.context, self.body, second, location);
        builder.operation(scf::Yield::NAME, &next, &[], &[]);
        let mut result_of: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        for (value, variable) in passed.values.iter().zip(&passed.variables) {
            let result = self.body.add_result(op, self.body.ty(*value));
            self.name_after(result, *variable);
            result_of.insert(*value, result);
        }
        for (variable, state) in changed {
            let state = match state {
                _ if !live.contains(variable) => State::Undefined,
                State::Value(value) => {
                    let value = resolve(&same, value);
                    State::Value(result_of.get(&value).copied().unwrap_or(value))
                }
                State::Undefined | State::Number(_) => state,
            };
            self.assign(variable, state);
        }
    }

    fn add_block(&mut self, op: OperationId) -> BlockId {
        let region = self.body.add_region(op);
        self.body.append_block(region)
    }

    /// Adds arguments to `block` for the values, named after the variables.
    fn add_arguments(&mut self, block: BlockId, passed: &mut Passed, location: Location) {
        for (value, variable) in passed.values.iter().zip(&passed.variables) {
            let ty = self.body.ty(*value);
            let argument = self.body.add_argument(block, ty, location);
            self.name_after(argument, *variable);
            passed.arguments.push(argument);
        }
    }

    /// Returns the values that the first half of a loop defines and the second half or later code reads.
    fn passed_on(&self, op: OperationId, read: &Set) -> Passed {
        let mut passed = Passed::default();
        for variable in read.iter() {
            let state = self.states[variable.index()];
            if let State::Value(value) = state
                && !self.is_visible_outside(op, state)
                && !passed.values.contains(&value)
            {
                passed.variables.push(variable);
                passed.values.push(value);
            }
        }
        passed
    }

    /// Drops arguments that are the same in every iteration and returns their values from before the loop.
    fn drop_unchanged(
        &mut self,
        (first, carried): (BlockId, &mut Passed),
        (second, passed): (BlockId, &mut Passed),
        next: &mut Vec<ValueId>,
    ) -> BTreeMap<ValueId, ValueId> {
        let mut same = BTreeMap::new();
        let mut i = 0;
        while i < carried.arguments.len() {
            let (argument, initial) = (carried.arguments[i], carried.values[i]);
            let place = passed.values.iter().position(|value| *value == argument);
            let in_second = place.map(|place| passed.arguments[place]);
            if next[i] != initial && Some(next[i]) != in_second {
                i += 1;
                continue;
            }
            if let (Some(place), Some(other)) = (place, in_second) {
                self.body.replace_all_uses(other, initial);
                self.body.remove_argument(second, place);
                passed.variables.remove(place);
                passed.values.remove(place);
                passed.arguments.remove(place);
                next.iter_mut()
                    .filter(|value| **value == other)
                    .for_each(|value| *value = initial);
            }
            self.body.replace_all_uses(argument, initial);
            self.body.remove_argument(first, i);
            carried.variables.remove(i);
            carried.values.remove(i);
            carried.arguments.remove(i);
            next.remove(i);
            same.insert(argument, initial);
            // This removal may make another argument unchanged, so the scan restarts.
            i = 0;
        }
        same
    }
}

fn resolve(same: &BTreeMap<ValueId, ValueId>, value: ValueId) -> ValueId {
    same.get(&value).copied().unwrap_or(value)
}
