//! Moves operations of a loop to the previous or next iteration, and copies those of the first or last iteration out of the loop.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::ANY;
use sluice_dialects::synthesis_form::{is_division, is_guard};
use sluice_dialects::{aliases::Written, arith, memref, scf};
use sluice_ir::{BlockId, Body, Builder, Context, OperationId, ValueId, View};

use crate::build::{
    SGT, SLT, binary, carry, compare, constant, constant_i64, is_pure, name, yield_more,
};
use crate::datapath::if_convert::{guard_store, guard_value};
use crate::loops::coalesce::nest;

/// Returns the operands of an operation and its nested operations that are defined outside of it.
pub(super) fn operands_within(body: &Body, op: OperationId) -> Vec<ValueId> {
    let inside: BTreeSet<OperationId> = body.walk(op).into_iter().chain([op]).collect();
    let operands = inside.iter().flat_map(|op| body.operands(*op));
    let made_inside = |value: &ValueId| {
        let maker = body.defining_operation(*value);
        maker.is_some_and(|maker| inside.contains(&maker))
    };
    operands.filter(|value| !made_inside(value)).collect()
}

pub(super) struct IterationShifter<'a> {
    pub(super) context: &'a Context,
    pub(super) body: &'a mut Body,
    pub(super) op: OperationId,
    /// Pure operations between the initial values and the loop, on which the initial values depend.
    pub(super) passed: BTreeSet<OperationId>,
}

impl IterationShifter<'_> {
    pub(super) fn block(&self) -> BlockId {
        self.body
            .entry_block(self.op, 0)
            .expect("a loop has a body")
    }

    pub(super) fn counter(&self) -> ValueId {
        self.body.arguments(self.block())[0]
    }

    pub(super) fn bounds(&self) -> (ValueId, ValueId) {
        (self.body.operand(self.op, 0), self.body.operand(self.op, 1))
    }

    pub(super) fn add(&mut self, anchor: OperationId, value: ValueId, number: i64) -> ValueId {
        let ty = self.body.ty(value);
        let known = constant_i64(self.context, self.body, value);
        let mut builder = Builder::before(self.context, self.body, anchor);
        match known.and_then(|known| known.checked_add(number)) {
            Some(sum) => constant(&mut builder, ty, sum),
            None => {
                let number = constant(&mut builder, ty, number);
                binary(&mut builder, arith::Addi::NAME, value, number)
            }
        }
    }

    /// Emits the test whether the loop has an iteration; `None` if it certainly has.
    fn has_iteration(
        &mut self,
        anchor: OperationId,
        values: &mut BTreeMap<ValueId, ValueId>,
    ) -> Option<ValueId> {
        let (lower, upper) = self.bounds();
        let known = |v| constant_i64(self.context, self.body, v);
        if let (Some(lower), Some(upper)) = (known(lower), known(upper))
            && lower < upper
        {
            return None;
        }
        let [lower, upper] = [lower, upper].map(|bound| {
            self.copy_free(anchor, bound, values);
            values.get(&bound).copied().unwrap_or(bound)
        });
        let mut builder = Builder::before(self.context, self.body, anchor);
        Some(compare(&mut builder, SLT, lower, upper))
    }

    /// Copies operations to before `anchor`, with the free values that they need; the condition guards accesses.
    pub(super) fn copy(
        &mut self,
        anchor: OperationId,
        ops: &[OperationId],
        values: &mut BTreeMap<ValueId, ValueId>,
        condition: Option<ValueId>,
    ) {
        for op in ops {
            for value in operands_within(self.body, *op) {
                self.copy_free(anchor, value, values);
            }
            let made = self.body.copy(self.context, *op, values);
            self.body.insert_before(anchor, made);
            if let Some(condition) = condition {
                self.guard(*op, made, condition, values);
            }
        }
    }

    pub(super) fn copy_free(
        &mut self,
        anchor: OperationId,
        value: ValueId,
        values: &mut BTreeMap<ValueId, ValueId>,
    ) {
        let maker = self.body.defining_operation(value);
        let is_local = maker.is_some_and(|op| {
            self.body.parent_block(op) == Some(self.block()) || self.passed.contains(&op)
        });
        if values.contains_key(&value) || !is_local {
            return;
        }
        let maker = maker.expect("it is local");
        for operand in self.body.operands(maker).collect::<Vec<_>>() {
            self.copy_free(anchor, operand, values);
        }
        let made = self.body.copy(self.context, maker, values);
        self.body.insert_before(anchor, made);
    }

    fn guard(
        &mut self,
        original: OperationId,
        made: OperationId,
        condition: ValueId,
        values: &mut BTreeMap<ValueId, ValueId>,
    ) {
        match name(self.context, self.body, made) {
            memref::Load::NAME => {
                guard_value(self.context, self.body, made, made, condition);
                let guard = self.body.parent_operation(made).expect("it was moved in");
                let any = self.context.unit_attribute();
                self.body.set_attribute(guard, self.context.name(ANY), any);
                let result = self.body.result(original, 0);
                values.insert(result, self.body.result(guard, 0));
            }
            memref::Store::NAME => guard_store(self.context, self.body, made, made, condition),
            _ if is_division(View::new(self.context, self.body, made)) => {
                guard_value(self.context, self.body, made, made, condition);
                let guard = self.body.parent_operation(made).expect("it was moved in");
                let result = self.body.result(original, 0);
                values.insert(result, self.body.result(guard, 0));
            }
            _ if is_guard(View::new(self.context, self.body, made)) => {
                let own = self.body.operand(made, 0);
                let mut builder = Builder::before(self.context, self.body, made);
                let both = binary(&mut builder, arith::Andi::NAME, own, condition);
                self.body.set_operand(made, 0, both);
            }
            _ => {}
        }
    }

    /// Returns the results of operations of the loop that other operations use.
    pub(super) fn results_used_outside(&self, ops: &[OperationId]) -> Vec<ValueId> {
        let results = ops.iter().flat_map(|op| self.body.results(*op).to_vec());
        results
            .filter(|result| {
                let mut users = self.body.uses(*result);
                users.any(|(user, _)| !ops.contains(&self.outermost(user)))
            })
            .collect()
    }

    /// Lets each iteration compute the values for the next one; the values for the first one are computed before the loop.
    pub(super) fn take_ahead(&mut self, ops: &[OperationId], end: End) {
        let results = self.results_used_outside(ops);
        let anchor = self.front_anchor(ops);
        let (lower, upper) = self.bounds();
        let mut values = BTreeMap::new();
        let condition = self.has_iteration(anchor, &mut values);
        self.copy_free(anchor, lower, &mut values);
        let first = values.get(&lower).copied().unwrap_or(lower);
        values.insert(self.counter(), first);
        self.copy(anchor, ops, &mut values, condition);
        self.passed = BTreeSet::new();
        let inits: Vec<ValueId> = results.iter().map(|result| values[result]).collect();
        let (op, arguments) = carry(self.context, self.body, self.op, &inits);
        self.op = op;
        let block = self.block();
        let place = match end {
            End::Front => self.body.first_operation(block),
            End::Back => self.behind_loops(block),
        };
        let place = place.expect("a yield at least");
        let next = self.add(place, self.counter(), 1);
        let mut builder = Builder::before(self.context, self.body, place);
        let more = compare(&mut builder, SLT, next, upper);
        let mut values = BTreeMap::from([(self.counter(), next)]);
        self.copy(place, ops, &mut values, Some(more));
        let coming: Vec<ValueId> = results.iter().map(|result| values[result]).collect();
        for (result, argument) in results.iter().zip(&arguments) {
            let named = self.body.value_name(*result);
            self.body.set_value_name(*argument, named);
            self.body.replace_all_uses(*result, *argument);
        }
        for op in ops.iter().rev() {
            self.body.erase(*op);
        }
        yield_more(self.body, self.op, &coming);
    }

    /// Returns the operation directly after the last loop of a block.
    fn behind_loops(&self, block: BlockId) -> Option<OperationId> {
        let ops = self.body.operations(block);
        let loops = ops.filter(|op| name(self.context, self.body, *op) == scf::For::NAME);
        loops.last().and_then(|op| self.body.next(op))
    }

    /// Returns the operation of the loop's own block that contains an operation.
    pub(super) fn outermost(&self, op: OperationId) -> OperationId {
        let mut op = op;
        while self.body.parent_block(op) != Some(self.block()) {
            match self.body.parent_operation(op) {
                Some(parent) => op = parent,
                None => return op,
            }
        }
        op
    }

    /// Returns where the initial values are computed: before preceding loops that write nothing these values read.
    fn front_anchor(&mut self, ops: &[OperationId]) -> OperationId {
        let memories: BTreeSet<ValueId> = ops
            .iter()
            .flat_map(|op| self.body.walk(*op).into_iter().chain([*op]))
            .filter(|op| name(self.context, self.body, *op) == memref::Load::NAME)
            .map(|op| self.body.operand(op, 0))
            .collect();
        let mut needed = BTreeSet::new();
        let (lower, upper) = self.bounds();
        let mut values: Vec<ValueId> = ops
            .iter()
            .flat_map(|op| operands_within(self.body, *op))
            .chain([lower, upper])
            .collect();
        while let Some(value) = values.pop() {
            if let Some(maker) = self.body.defining_operation(value)
                && needed.insert(maker)
                && self.body.parent_block(maker) == Some(self.block())
            {
                values.extend(self.body.operands(maker));
            }
        }
        let mut anchor = self.op;
        let mut before = self.body.previous(self.op);
        while let Some(op) = before {
            if !self.can_be_passed(op, &memories) {
                break;
            }
            if needed.contains(&op) {
                if !is_pure(View::new(self.context, self.body, op)) {
                    break;
                }
                let operands = self.body.operands(op);
                needed.extend(operands.filter_map(|value| self.body.defining_operation(value)));
                self.passed.insert(op);
            }
            if name(self.context, self.body, op) == scf::For::NAME {
                anchor = op;
            }
            before = self.body.previous(op);
        }
        anchor
    }

    /// Returns whether an operation certainly writes none of these memories and has no other ordered effect.
    fn can_be_passed(&self, op: OperationId, memories: &BTreeSet<ValueId>) -> bool {
        let view = View::new(self.context, self.body, op);
        let has_no_order = is_pure(view) || is_division(view);
        let only_accesses = matches!(
            view.name(),
            memref::Load::NAME
                | memref::Store::NAME
                | memref::Alloca::NAME
                | memref::GetGlobal::NAME
                | scf::For::NAME
                | scf::While::NAME
                | scf::If::NAME
        );
        let written = Written::by(self.context, self.body, op);
        let mut memories = memories.iter();
        (has_no_order || only_accesses)
            && !memories.any(|memory| written.may_hold(self.context, self.body, *memory))
    }

    /// Lets each iteration execute the operations that the previous one postponed; the last ones execute after the loop.
    pub(super) fn put_off(&mut self, ops: &[OperationId]) {
        let counter = self.counter();
        let mut held: Vec<ValueId> = Vec::new();
        for op in ops {
            for value in operands_within(self.body, *op) {
                self.hold(value, ops, &mut held);
            }
        }
        let block = self.block();
        let (lower, upper) = self.bounds();
        let inits: Vec<ValueId> = held
            .iter()
            .map(|value| self.any_value(self.op, self.body.ty(*value)))
            .collect();
        let (op, arguments) = carry(self.context, self.body, self.op, &inits);
        self.op = op;
        for (value, argument) in held.iter().zip(&arguments) {
            let named = self.body.value_name(*value);
            self.body.set_value_name(*argument, named);
        }
        let last = self.body.last_operation(block).expect("a yield");
        let before = self.add(last, counter, -1);
        let mut builder = Builder::before(self.context, self.body, last);
        let is_later = compare(&mut builder, SGT, counter, lower);
        let left_over = held.iter().copied().zip(arguments.iter().copied());
        let mut values: BTreeMap<ValueId, ValueId> = left_over.chain([(counter, before)]).collect();
        self.copy(last, ops, &mut values, Some(is_later));
        let behind = self.body.next(self.op).expect("a terminator");
        let condition = self.has_iteration(behind, &mut BTreeMap::new());
        let of_last = self.add(behind, upper, -1);
        let n_old = self.body.results(self.op).len() - held.len();
        let results = self.body.results(self.op)[n_old..].to_vec();
        let left_over = held.iter().copied().zip(results);
        let mut values: BTreeMap<ValueId, ValueId> =
            left_over.chain([(counter, of_last)]).collect();
        self.copy(behind, ops, &mut values, condition);
        yield_more(self.body, self.op, &held);
        for op in ops.iter().rev() {
            self.body.erase(*op);
        }
    }

    /// Adds the values of an iteration that must be kept for `value`: itself, unless it depends only on the counter.
    fn hold(&self, value: ValueId, ops: &[OperationId], held: &mut Vec<ValueId>) {
        let maker = self.body.defining_operation(value);
        let made_later = maker.is_some_and(|op| ops.contains(&op));
        let is_free = || nest::is_free(self.context, self.body, self.op, value);
        let is_known = value == self.counter() || made_later || held.contains(&value) || is_free();
        if !is_known {
            held.push(value);
        }
    }
}

/// The start or the end of a loop body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Front,
    Back,
}
