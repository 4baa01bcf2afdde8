//! Emits conditionals and switches.

use std::collections::BTreeMap;

use sluice_dialects::{arith, scf};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Builder, Location, NewOperation, OperationId, Type, ValueId};

use super::{Emitter, State};
use crate::build::{EQ, binary, compare, constant_bits, constant_of, convert, select};
use crate::lowering::structure::set::Set;
use crate::lowering::structure::tree::{Case, If, Sequence, Switch, Test, Variable};

/// The widest integer whose conversion to an index keeps its value on every target.
const WIDEST_SWITCH_BITS: u32 = 32;

/// A block of a conditional, with the states at its end of the variables that it assigned.
struct Branch {
    block: BlockId,
    changed: BTreeMap<Variable, State>,
}

/// A result that a conditional needs.
struct Merge {
    /// One of the variables with this result.
    variable: Variable,
    /// The state of the variable at the end of each branch.
    states: Vec<State>,
}

/// The state of a variable after a conditional.
enum Settled {
    Known(State),
    /// The result of this index.
    Merged(usize),
}

impl Emitter<'_> {
    pub(super) fn conditional(&mut self, at: BlockId, step: &If, live: &Set) {
        let location = step.location;
        let condition = match self.test(at, &step.test, location) {
            State::Value(condition) => condition,
            State::Number(bit) => {
                let taken = match bit {
                    0 => &step.otherwise,
                    _ => &step.then,
                };
                return self.sequence(at, taken, live);
            }
            // This path cannot be reached.
            State::Undefined => return self.sequence(at, &step.then, live),
        };
        let mut new = NewOperation::new(self.context.operation_name(scf::If::NAME), location);
        new.operands.push(condition);
        new.n_regions = 2;
        let op = Builder::at_end(self.context, self.body, at, location).create(new);
        let branches = [&step.then, &step.otherwise];
        let branches: Vec<Branch> = branches
            .into_iter()
            .enumerate()
            .map(|(i, steps)| self.branch(op, i, steps, live))
            .collect();
        let (settled, merges) = self.settle(op, &branches, live);
        let results = self.merge(at, op, condition, &branches, &merges);
        self.assign_settled(settled, &results);
    }

    fn branch(&mut self, op: OperationId, region: usize, steps: &Sequence, live: &Set) -> Branch {
        let region = self.body.regions(op)[region];
        let block = self.body.append_block(region);
        let length = self.log.len();
        self.sequence(block, steps, live);
        let changed = self.take_back(length);
        Branch { block, changed }
    }

    /// Computes the states of live variables after the branches, and the results that they need.
    fn settle(
        &self,
        op: OperationId,
        branches: &[Branch],
        live: &Set,
    ) -> (Vec<(Variable, Settled)>, Vec<Merge>) {
        let changed: Set = branches
            .iter()
            .flat_map(|branch| branch.changed.keys())
            .copied()
            .filter(|variable| live.contains(*variable))
            .collect();
        let mut merges: Vec<Merge> = Vec::new();
        let mut settled = Vec::new();
        for variable in changed.iter() {
            let before = self.states[variable.index()];
            let state = |branch: &Branch| branch.changed.get(&variable).copied().unwrap_or(before);
            let states: Vec<State> = branches.iter().map(state).collect();
            let mut defined = states.iter().filter(|state| **state != State::Undefined);
            let first = defined.next().copied().unwrap_or(State::Undefined);
            if defined.all(|state| *state == first) && self.is_visible_outside(op, first) {
                settled.push((variable, Settled::Known(first)));
                continue;
            }
            let ty = self.variables.of(variable).ty;
            let is_same = |m: &Merge| m.states == states && self.variables.of(m.variable).ty == ty;
            let number = merges.iter().position(is_same).unwrap_or(merges.len());
            if number == merges.len() {
                merges.push(Merge { variable, states });
            }
            settled.push((variable, Settled::Merged(number)));
        }
        (settled, merges)
    }

    fn assign_settled(&mut self, settled: Vec<(Variable, Settled)>, results: &[ValueId]) {
        for (variable, settled) in settled {
            let state = match settled {
                Settled::Known(state) => state,
                Settled::Merged(number) => State::Value(results[number]),
            };
            self.assign(variable, state);
        }
    }

    /// Returns the values of the merges of an `scf.if`, which gets the results and terminators that it needs or is erased.
    fn merge(
        &mut self,
        at: BlockId,
        op: OperationId,
        condition: ValueId,
        branches: &[Branch],
        merges: &[Merge],
    ) -> Vec<ValueId> {
        let location = self.body.location(op);
        let is_empty = |branch: &Branch| self.body.first_operation(branch.block).is_none();
        let are_empty = branches.iter().all(is_empty);
        let mut values = Vec::new();
        let mut yielded: Vec<&Merge> = Vec::new();
        for merge in merges {
            let value = match (self.bit(merge, 0), self.bit(merge, 1)) {
                (Some(true), Some(false)) => condition,
                (Some(false), Some(true)) => self.not(at, condition, location),
                _ if are_empty => {
                    let ty = self.variables.of(merge.variable).ty;
                    let a = self.value_of(merge.states[0], ty, location);
                    let b = self.value_of(merge.states[1], ty, location);
                    let mut builder = Builder::at_end(self.context, self.body, at, location);
                    let value = select(&mut builder, condition, a, b);
                    self.name_after(value, merge.variable);
                    value
                }
                _ => {
                    yielded.push(merge);
                    self.add_result(op, merge.variable)
                }
            };
            values.push(value);
        }
        if are_empty {
            self.body.erase(op);
            return values;
        }
        self.yield_merged(branches, &yielded, location);
        if yielded.is_empty() {
            self.leave_out_empty(at, op, condition, branches);
        }
        values
    }

    /// Removes the empty branch of a conditional without results.
    fn leave_out_empty(
        &mut self,
        at: BlockId,
        op: OperationId,
        condition: ValueId,
        branches: &[Branch],
    ) {
        let has_one = |block| self.body.first_operation(block) == self.body.last_operation(block);
        let (then, otherwise) = (branches[0].block, branches[1].block);
        if has_one(otherwise) {
            self.body.erase_block(otherwise);
        } else if has_one(then) {
            self.body.erase_block(then);
            let regions = self.body.regions(op).to_vec();
            self.body.move_blocks(regions[1], regions[0]);
            let location = self.body.location(op);
            let opposite = self.not(at, condition, location);
            self.body.set_operand(op, 0, opposite);
            self.body.move_to_end(at, op);
        }
    }

    /// Returns the bit that a variable certainly is at the end of a branch, if known.
    fn bit(&self, merge: &Merge, branch: usize) -> Option<bool> {
        let ty = self.variables.of(merge.variable).ty;
        if ty.integer_width_bits(self.context) != Some(1) {
            return None;
        }
        match merge.states[branch] {
            State::Undefined => None,
            State::Number(number) => Some(number != 0),
            State::Value(value) => {
                constant_of(self.context, self.body, value).map(|bits| !bits.is_zero())
            }
        }
    }

    fn add_result(&mut self, op: OperationId, variable: Variable) -> ValueId {
        let ty = self.variables.of(variable).ty;
        let result = self.body.add_result(op, ty);
        self.name_after(result, variable);
        result
    }

    fn yield_merged(&mut self, branches: &[Branch], merges: &[&Merge], location: Location) {
        for (i, branch) in branches.iter().enumerate() {
            let mut values = Vec::new();
            for merge in merges {
                let ty = self.variables.of(merge.variable).ty;
                values.push(self.value_of(merge.states[i], ty, location));
            }
            let mut builder = Builder::at_end(self.context, self.body, branch.block, location);
            builder.operation(scf::Yield::NAME, &values, &[], &[]);
        }
    }

    /// Returns the tested bit, or 0 or 1 if it is known.
    fn test(&mut self, at: BlockId, test: &Test, location: Location) -> State {
        let state = self.look(test.source());
        match (test, state) {
            (_, State::Undefined) => state,
            (Test::Holds(_), State::Number(number)) => State::Number(i64::from(number != 0)),
            (Test::Holds(_), State::Value(_)) => state,
            (Test::OneOf(_, values), State::Number(number)) => {
                State::Number(i64::from(holds(values, number)))
            }
            (Test::OneOf(_, values), State::Value(value)) => {
                State::Value(self.is_one_of(at, value, values, location))
            }
        }
    }

    fn is_one_of(
        &mut self,
        at: BlockId,
        value: ValueId,
        values: &[Bits],
        location: Location,
    ) -> ValueId {
        let ty = self.body.ty(value);
        let mut any: Option<ValueId> = None;
        for bits in values {
            let short = bits.to_i64();
            let short = short.map(|number| self.value_of(State::Number(number), ty, location));
            let mut builder = Builder::at_end(self.context, self.body, at, location);
            let other = short.unwrap_or_else(|| constant_bits(&mut builder, ty, bits.clone()));
            let is_this = compare(&mut builder, EQ, value, other);
            any = Some(match any {
                None => is_this,
                Some(any) => binary(&mut builder, arith::Ori::NAME, any, is_this),
            });
        }
        any.expect("a test names a value at least")
    }

    pub(super) fn switch(&mut self, at: BlockId, step: &Switch, live: &Set) {
        let location = step.location;
        let flag = match self.look(step.flag) {
            State::Value(flag) => flag,
            State::Number(number) => {
                let taken = step.cases.iter().find(|case| holds(&case.values, number));
                let taken = taken.map_or(&step.default, |case| &case.steps);
                return self.sequence(at, taken, live);
            }
            // This path cannot be reached.
            State::Undefined => return self.sequence(at, &step.default, live),
        };
        let (flag, numbers) = self.number_cases(at, flag, &step.cases, location);
        let mut new = NewOperation::new(
            self.context.operation_name(scf::IndexSwitch::NAME),
            location,
        );
        new.operands.push(flag);
        new.attributes.push((
            self.context.name("cases"),
            self.context.dense_i64_array(&numbers),
        ));
        new.n_regions = step.cases.len() + 1;
        let op = Builder::at_end(self.context, self.body, at, location).create(new);
        let sequences = step.cases.iter().map(|case| &case.steps);
        let branches: Vec<Branch> = std::iter::once(&step.default)
            .chain(sequences)
            .enumerate()
            .map(|(i, steps)| self.branch(op, i, steps, live))
            .collect();
        let (settled, merges) = self.settle(op, &branches, live);
        let results: Vec<ValueId> = merges
            .iter()
            .map(|merge| self.add_result(op, merge.variable))
            .collect();
        let merges: Vec<&Merge> = merges.iter().collect();
        self.yield_merged(&branches, &merges, location);
        self.assign_settled(settled, &results);
    }

    /// Returns an index that differs for each case, and its value per case: the flag itself, if it is narrow and each case has
    /// one value.
    fn number_cases(
        &mut self,
        at: BlockId,
        flag: ValueId,
        cases: &[Case],
        location: Location,
    ) -> (ValueId, Vec<i64>) {
        let ty = self.body.ty(flag);
        let index = self.context.index_type();
        let own: Option<Vec<i64>> = cases
            .iter()
            .map(|case| match case.values.as_slice() {
                [value] => self.as_index(ty, value),
                _ => None,
            })
            .collect();
        if let Some(numbers) = own {
            let mut builder = Builder::at_end(self.context, self.body, at, location);
            let flag = convert(&mut builder, arith::IndexCastui::NAME, flag, index);
            return (flag, numbers);
        }
        let count = i64::try_from(cases.len()).expect("nodes have numbers of 32 bits");
        let numbers: Vec<i64> = (0..count).collect();
        let mut number = self.value_of(State::Number(count), index, location);
        for (case, own) in cases.iter().zip(&numbers) {
            let is_this = self.is_one_of(at, flag, &case.values, location);
            let own = self.value_of(State::Number(*own), index, location);
            let mut builder = Builder::at_end(self.context, self.body, at, location);
            number = select(&mut builder, is_this, own, number);
        }
        (number, numbers)
    }

    fn as_index(&self, ty: Type, value: &Bits) -> Option<i64> {
        if ty.is_index(self.context) {
            return value.to_i64();
        }
        let width_bits = ty.integer_width_bits(self.context)?;
        let number = (width_bits <= WIDEST_SWITCH_BITS).then(|| value.to_u64())??;
        i64::try_from(number).ok()
    }
}

fn holds(values: &[Bits], number: i64) -> bool {
    values.iter().any(|value| value.to_i64() == Some(number))
}
