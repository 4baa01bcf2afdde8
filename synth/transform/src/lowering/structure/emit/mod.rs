//! Emits steps as scf operations: variables become values, and assignments in conditionals and loops become results and
//! arguments.

mod choice;
mod repeat;

use std::collections::BTreeMap;

use sluice_dialects::sluice::ANY;
use sluice_dialects::{arith, ub};
use sluice_ir::bits::Bits;
use sluice_ir::{
    AttributeKind, BlockId, Body, Builder, Context, Location, NewOperation, OperationId, RegionId,
    Type, TypeKind, ValueId,
};

use super::graph::{Flow, is_constant};
use super::set::Set;
use super::tree::{Assignment, Sequence, Source, Step, Variable, Variables, live_behind};
use crate::build::{binary, compare, constant};
use crate::lowering::blocks::erase_blocks;

/// The state of a variable at a program point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No path to this point assigns the variable.
    Undefined,
    Number(i64),
    Value(ValueId),
}

struct Emitter<'a> {
    context: &'a Context,
    body: &'a mut Body,
    variables: &'a Variables,
    variable_of: &'a BTreeMap<ValueId, Variable>,
    states: Vec<State>,
    /// The state of variables before each assignment.
    log: Vec<(Variable, State)>,
    entry: BlockId,
    /// Constants, and the values that stand for undefined ones (key without a number).
    constants: BTreeMap<(Type, Option<i64>), ValueId>,
    last_constant: Option<OperationId>,
    /// Comparisons for which the opposite comparison was also emitted.
    negated: Vec<OperationId>,
}

/// Replaces the blocks of a region by its entry block, filled with the steps.
pub(super) fn emit(
    context: &Context,
    body: &mut Body,
    region: RegionId,
    flow: &Flow,
    steps: &Sequence,
) {
    let blocks = body.blocks(region).to_vec();
    let is_reached = |block: &BlockId| flow.reached.contains(block);
    let (reached, dead): (Vec<BlockId>, Vec<BlockId>) = blocks.into_iter().partition(is_reached);
    erase_blocks(body, dead);
    let entry = reached[0];
    for block in &reached {
        let last = body.last_operation(*block);
        let last = last.expect("a block that was read has a terminator");
        if last == flow.terminator {
            body.detach(last);
        } else {
            body.erase(last);
        }
    }
    let mut emitter = Emitter {
        context,
        body,
        variables: &flow.graph.variables,
        variable_of: &flow.variable_of,
        states: flow
            .graph
            .variables
            .all()
            .map(|_| State::Undefined)
            .collect(),
        log: Vec::new(),
        entry,
        constants: BTreeMap::new(),
        last_constant: None,
        negated: Vec::new(),
    };
    emitter.constants_to_entry(&reached);
    for argument in emitter.body.arguments(entry).to_vec() {
        emitter.states[flow.variable_of[&argument].index()] = State::Value(argument);
    }
    let mut live = Set::default();
    for source in &flow.passed_on {
        if let Source::Variable(variable) = source {
            live.insert(*variable);
        }
    }
    emitter.sequence(entry, steps, &live);
    let location = emitter.body.location(flow.terminator);
    let types: Vec<Type> = emitter
        .body
        .operands(flow.terminator)
        .map(|value| emitter.body.ty(value))
        .collect();
    let passed_on: Vec<ValueId> = flow
        .passed_on
        .iter()
        .zip(types)
        .map(|(source, ty)| emitter.value_of(emitter.look(*source), ty, location))
        .collect();
    emitter.body.set_operands(flow.terminator, &passed_on);
    emitter.body.append(entry, flow.terminator);
    emitter.erase_negated();
    for block in &reached[1..] {
        body.erase_block(*block);
    }
}

impl Emitter<'_> {
    /// Moves constants to the entry block.
    fn constants_to_entry(&mut self, blocks: &[BlockId]) {
        for block in blocks.iter().skip(1) {
            for op in self.body.operations(*block).collect::<Vec<_>>() {
                if is_constant(self.context, self.body, op) {
                    self.body.detach(op);
                    self.put_constant(op);
                }
            }
        }
    }

    fn put_constant(&mut self, op: OperationId) {
        match self.last_constant {
            Some(last) => self.body.insert_after(last, op),
            None => self.body.prepend(self.entry, op),
        }
        self.last_constant = Some(op);
    }

    /// Emits steps at the end of a block; `behind` holds the variables live after them.
    fn sequence(&mut self, at: BlockId, steps: &Sequence, behind: &Set) {
        let live = live_behind(steps, behind);
        for (step, live) in steps.iter().zip(&live) {
            match step {
                Step::Block(block, _) => self.block(at, *block),
                Step::Assign(assignments) => self.assign_all(assignments),
                Step::Keep(step) => self.forget(&step.facts.kills),
                Step::If(step) => self.conditional(at, step, live),
                Step::Switch(step) => self.switch(at, step, live),
                Step::Loop(step) => self.repeat(at, step, live),
            }
        }
    }

    fn block(&mut self, at: BlockId, block: BlockId) {
        for op in self.body.operations(block).collect::<Vec<_>>() {
            for inner in self.body.walk(op) {
                for i in 0..self.body.n_operands(inner) {
                    let value = self.body.operand(inner, i);
                    let Some(variable) = self.variable_of.get(&value) else {
                        continue;
                    };
                    let state = self.states[variable.index()];
                    if state != State::Value(value) {
                        let location = self.body.location(inner);
                        let ty = self.body.ty(value);
                        let now = self.value_of(state, ty, location);
                        self.body.set_operand(inner, i, now);
                    }
                }
            }
            if block != at {
                self.body.move_to_end(at, op);
            }
            for result in self.body.results(op).to_vec() {
                if let Some(variable) = self.variable_of.get(&result) {
                    self.assign(*variable, State::Value(result));
                }
            }
        }
    }

    fn assign_all(&mut self, assignments: &[Assignment]) {
        let states: Vec<State> = assignments.iter().map(|a| self.look(a.source)).collect();
        for (assignment, state) in assignments.iter().zip(states) {
            self.assign(assignment.variable, state);
        }
    }

    fn forget(&mut self, dead: &Set) {
        for variable in dead.iter() {
            if self.states[variable.index()] != State::Undefined {
                self.assign(variable, State::Undefined);
            }
        }
    }

    fn assign(&mut self, variable: Variable, state: State) {
        let old = std::mem::replace(&mut self.states[variable.index()], state);
        self.log.push((variable, old));
    }

    /// Undoes the assignments made since the log had this length; returns the undone states.
    fn take_back(&mut self, length: usize) -> BTreeMap<Variable, State> {
        let mut changed = BTreeMap::new();
        for (variable, old) in self.log.split_off(length).into_iter().rev() {
            let state = &mut self.states[variable.index()];
            let now = std::mem::replace(state, old);
            changed.entry(variable).or_insert(now);
        }
        changed
    }

    fn look(&self, source: Source) -> State {
        match source {
            Source::Variable(variable) => self.states[variable.index()],
            Source::Value(value) => State::Value(value),
            Source::Number(number) => State::Number(number),
            Source::Nothing => State::Undefined,
        }
    }

    /// Returns the value of a variable at this point.
    fn value(&mut self, variable: Variable, location: Location) -> ValueId {
        let state = self.states[variable.index()];
        self.value_of(state, self.variables.of(variable).ty, location)
    }

    fn value_of(&mut self, state: State, ty: Type, location: Location) -> ValueId {
        let number = match state {
            State::Value(value) => return value,
            State::Number(number) => Some(number),
            State::Undefined => None,
        };
        if let Some(value) = self.constants.get(&(ty, number)) {
            return *value;
        }
        let op = match number {
            Some(number) => self.number(ty, number, location),
            None => self.anything(ty, location),
        };
        self.put_constant(op);
        let value = self.body.result(op, 0);
        self.constants.insert((ty, number), value);
        value
    }

    /// Creates a detached constant.
    fn number(&mut self, ty: Type, number: i64, location: Location) -> OperationId {
        let mut builder = Builder::at_end(self.context, self.body, self.entry, location);
        let value = constant(&mut builder, ty, number);
        let op = self.body.defining_operation(value);
        let op = op.expect("a constant is a result");
        self.body.detach(op);
        op
    }

    /// Creates a detached operation whose result stands for an undefined value.
    fn anything(&mut self, ty: Type, location: Location) -> OperationId {
        let context = self.context;
        if ty.is_signless_integer(context) || ty.is_index(context) {
            let op = self.number(ty, 0, location);
            let any = context.unit_attribute();
            self.body.set_attribute(op, context.name(ANY), any);
            return op;
        }
        let (name, value) = match ty.kind(context) {
            TypeKind::Float(kind) => {
                let bits = Bits::zero(kind.width_bits());
                (arith::Constant::NAME, AttributeKind::Float { ty, bits })
            }
            _ => {
                let name = context.name(ub::Poison::NAME);
                let parameters = Box::new([]);
                (
                    ub::Poison::NAME,
                    AttributeKind::Dialect { name, parameters },
                )
            }
        };
        let mut new = NewOperation::new(context.operation_name(name), location);
        new.result_types.push(ty);
        new.attributes
            .push((context.name("value"), context.attribute(value)));
        if name == arith::Constant::NAME {
            new.attributes
                .push((context.name(ANY), context.unit_attribute()));
        }
        self.body.create(context, new)
    }

    /// Returns whether a state is valid outside of `op`.
    fn is_visible_outside(&self, op: OperationId, state: State) -> bool {
        let State::Value(value) = state else {
            return true;
        };
        let block = self.body.defining_block(value);
        let parent = block.and_then(|block| self.body.block_parent_operation(block));
        parent.is_none_or(|parent| !self.body.is_ancestor(op, parent))
    }

    /// Names a new argument or result after the value that the variable stands for.
    fn name_after(&mut self, value: ValueId, variable: Variable) {
        if let Some(source) = self.variables.of(variable).value {
            self.body
                .set_value_name(value, self.body.value_name(source));
        }
    }

    /// Returns the complement of a bit.
    fn not(&mut self, at: BlockId, bit: ValueId, location: Location) -> ValueId {
        let maker = self.body.defining_operation(bit);
        let comparison = maker
            .filter(|op| crate::build::name(self.context, self.body, *op) == arith::Cmpi::NAME);
        let predicate = comparison.and_then(|op| {
            let predicate = self.body.attribute_named(self.context, op, "predicate")?;
            Some((op, opposite(predicate.as_i64(self.context)?)?))
        });
        if let Some((op, predicate)) = predicate {
            self.negated.push(op);
            let (a, b) = (self.body.operand(op, 0), self.body.operand(op, 1));
            let mut builder = Builder::at_end(self.context, self.body, at, location);
            return compare(&mut builder, predicate, a, b);
        }
        let ty = self.body.ty(bit);
        let set = self.value_of(State::Number(1), ty, location);
        let mut builder = Builder::at_end(self.context, self.body, at, location);
        binary(&mut builder, arith::Xori::NAME, bit, set)
    }

    /// Erases comparisons that only served to derive their opposites.
    fn erase_negated(&mut self) {
        for op in std::mem::take(&mut self.negated) {
            if !self.body.is_erased(op) && self.body.is_unused(self.body.result(op, 0)) {
                self.body.erase(op);
            }
        }
    }
}

/// Returns the predicate of `arith.cmpi` that is the negation of this one.
fn opposite(predicate: i64) -> Option<i64> {
    // eq ne, slt sle sgt sge, ult ule ugt uge
    let opposites = [1, 0, 5, 4, 3, 2, 9, 8, 7, 6];
    let index = usize::try_from(predicate).ok()?;
    opposites.get(index).copied()
}
