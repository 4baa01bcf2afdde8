//! Emits the flattened loop: first the control, then every group under its condition.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, scf};
use sluice_ir::{BlockId, Body, Builder, Context, Name, NewOperation, OperationId, ValueId};

use super::condition::Condition;
use super::entry::{Entry, is_in_first_step};
use super::nest::{GroupIndex, LoopIndex, Nest, Place, VariableIndex};
use super::run::Run;
use super::states::{flat_attributes, joined_name, scaled_counters, state_name};
use crate::analysis::linear::is_invariant;
use crate::build::{constant, convert, replace};
use crate::loops::coalesce::machine::{Counters, State, counter_type};

/// Builds the flattened loop.
pub(super) struct Emitter<'a> {
    pub(super) context: &'a Context,
    pub(super) body: &'a mut Body,
    pub(super) nest: &'a Nest,
    pub(super) run: &'a Run,
    pub(super) root: OperationId,
    pub(super) block: BlockId,
    pub(super) states: BTreeMap<State, ValueId>,
    /// The counters of the current step, with the types of their loops.
    pub(super) counters: Counters,
    pub(super) advanced: BTreeMap<LoopIndex, ValueId>,
    /// Copies of free values, computed from the counters of the current step.
    pub(super) free: BTreeMap<ValueId, ValueId>,
    /// Values of the nest that are a counter times a constant.
    pub(super) products: BTreeMap<ValueId, (LoopIndex, i64)>,
    /// The values that replace these products.
    pub(super) scaled: Vec<(ValueId, LoopIndex, i64)>,
    /// The value of each variable at the start of the step.
    pub(super) carried: Vec<ValueId>,
    /// Assignments in the step, in order.
    pub(super) assigned: Vec<Assigned>,
    /// For each group, the group with a step of its own that it runs with.
    pub(super) host: Vec<GroupIndex>,
    /// For each variable and number of steps, the copy marked as unchanged for that many steps.
    pub(super) recalled: BTreeMap<(VariableIndex, u64), ValueId>,
    /// Maps a load of the nest that got a guard to the result of the guard.
    pub(super) guarded: BTreeMap<ValueId, ValueId>,
    /// The inverse map.
    pub(super) origin: BTreeMap<ValueId, ValueId>,
    /// Operations with the group in whose steps they run; the merging of units uses them.
    pub(super) emitted: Vec<(OperationId, GroupIndex)>,
}

/// A value that a group assigns to a variable.
pub(super) struct Assigned {
    pub(super) variable: VariableIndex,
    pub(super) host: GroupIndex,
    pub(super) condition: Condition,
    pub(super) value: ValueId,
}

/// The result of flattening.
pub(super) struct Flat {
    pub(super) op: OperationId,
    /// Operations with the group in whose steps they run.
    pub(super) emitted: Vec<(OperationId, GroupIndex)>,
    /// The condition under which each group with a step of its own is active.
    pub(super) turn: BTreeMap<GroupIndex, Condition>,
}

/// Replaces the nest by one loop over its steps.
pub(super) fn emit(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    nest: &Nest,
    run: &Run,
    host: Vec<GroupIndex>,
) -> Flat {
    let index = context.index_type();
    let location = body.location(root);
    let mut entry = Entry::new(context, body, root, nest, run);
    let (lower, upper, step) = (entry.number(0), entry.steps(), entry.number(1));
    let given = entry.first_values();
    let mut builder = Builder::before(context, body, root);
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
    new.operands.extend([lower, upper, step]);
    for variable in &nest.variables {
        let ty = builder.body.ty(variable.like);
        let initial = match variable.initial {
            Some(value) => value,
            None => constant(&mut builder, ty, 0),
        };
        new.operands.push(initial);
        new.result_types.push(ty);
    }
    let mut states = Vec::new();
    let own: Vec<GroupIndex> = (0..nest.groups.len())
        .filter(|g| nest.groups[*g].place == Place::Own)
        .collect();
    let bit = context.integer_type(1);
    if own.len() > 1 {
        for group in &own {
            let is_first = i64::from(run.first_group == Some(*group));
            states.push((State::Turn(*group), bit, Some(-is_first)));
        }
    }
    for (index, facts) in run.counters.iter().enumerate() {
        let (ty, _) = counter_type(context, (facts.least, facts.greatest));
        let first = run.first_counters[index];
        let first = first.map(|first| first.clamp(facts.least, facts.greatest));
        states.push((State::Counter(index), ty, first));
        if !facts.always_one {
            let last = run.first_in_last[index].map(|last| -i64::from(last));
            states.push((State::InLast(index), bit, last));
        }
        if facts.idles {
            let works = run.first_works[index].map(|works| -i64::from(works));
            states.push((State::Works(index), bit, works));
        }
    }
    let products = scaled_counters(context, builder.body, nest, run);
    let distinct: BTreeSet<(LoopIndex, i64)> = products.values().copied().collect();
    for (index, factor) in &distinct {
        let facts = run.counters[*index];
        let (ty, _) = counter_type(context, (facts.least * factor, facts.greatest * factor));
        let first = run.first_counters[*index].unwrap_or(facts.least);
        let first = first.clamp(facts.least, facts.greatest);
        states.push((State::Scaled(*index, *factor), ty, Some(first * factor)));
    }
    let waits_for_entry = |index: LoopIndex| {
        let mut groups = nest.groups.iter();
        groups.any(|g| g.place == Place::First(index))
    };
    for index in (0..nest.loops.len()).filter(|index| waits_for_entry(*index)) {
        let runs = is_in_first_step(nest, run, index);
        states.push((State::Entered(index), bit, Some(-i64::from(runs))));
    }
    for (state, ty, first) in &states {
        let initial = match first {
            Some(first) => constant(&mut builder, *ty, *first),
            // A loop that is not active in the first step initialises its states when it is entered.
            None => match given.get(state) {
                Some(value) => *value,
                None => constant(&mut builder, *ty, 0),
            },
        };
        new.operands.push(initial);
        new.result_types.push(*ty);
    }
    new.n_regions = 1;
    new.attributes = flat_attributes(context, builder.body, nest);
    let op = builder.create(new);
    let region = body.regions(op)[0];
    let block = body.append_block(region);
    let variable = body.add_argument(block, index, location);
    let joined = joined_name(context, body, nest);
    body.set_value_name(variable, joined.map(|name| context.name(&name)));
    let mut carried = Vec::new();
    for variable in &nest.variables {
        let argument = body.add_argument(block, body.ty(variable.like), location);
        let named = body.value_name(variable.like);
        body.set_value_name(argument, named);
        carried.push(argument);
    }
    let mut state_values = BTreeMap::new();
    for (state, ty, _) in &states {
        let argument = body.add_argument(block, *ty, location);
        let named = state_name(context, body, nest, *state);
        body.set_value_name(argument, named);
        state_values.insert(*state, argument);
    }
    let mut emitter = Emitter {
        context,
        body,
        nest,
        run,
        root,
        block,
        states: state_values,
        counters: vec![None; nest.loops.len()],
        advanced: BTreeMap::new(),
        free: BTreeMap::new(),
        products,
        scaled: Vec::new(),
        carried,
        assigned: Vec::new(),
        host,
        recalled: BTreeMap::new(),
        guarded: BTreeMap::new(),
        origin: BTreeMap::new(),
        emitted: Vec::new(),
    };
    emitter.open_counters();
    let control = emitter.control();
    emitter.tree(&control, 0);
    let mut yields: Vec<ValueId> = (0..nest.variables.len())
        .map(|variable| emitter.after_step(variable))
        .collect();
    for (variable, value) in nest.variables.iter().zip(&yields) {
        let named = emitter.body.value_name(variable.like);
        emitter.name(*value, named);
    }
    for (state, _, _) in &states {
        let next = emitter.next_state(&control, *state);
        let named = state_name(context, emitter.body, nest, *state);
        emitter.name(next, named);
        yields.push(next);
    }
    emitter
        .builder()
        .operation(scf::Yield::NAME, &yields, &[], &[]);
    let (emitted, turn) = (emitter.emitted, control.turn);
    let results: Vec<ValueId> = body
        .results(root)
        .iter()
        .map(|result| body.result(op, nest.variable_of[result]))
        .collect();
    replace(body, root, &results);
    Flat { op, emitted, turn }
}

impl<'a> Emitter<'a> {
    pub(super) fn builder(&mut self) -> Builder<'_> {
        let location = self.body.location(self.root);
        Builder::at_end(self.context, self.body, self.block, location)
    }

    /// Names a value of the step, unless it has a name or is defined elsewhere.
    fn name(&mut self, value: ValueId, named: Option<Name>) {
        let made_here = self
            .body
            .defining_operation(value)
            .is_some_and(|op| self.body.parent_block(op) == Some(self.block));
        if made_here && self.body.value_name(value).is_none() {
            self.body.set_value_name(value, named);
        }
    }

    pub(super) fn own_groups(&self) -> Vec<GroupIndex> {
        (0..self.nest.groups.len())
            .filter(|g| self.nest.groups[*g].place == Place::Own)
            .collect()
    }

    pub(super) fn state(&self, state: State) -> ValueId {
        self.states[&state]
    }

    pub(super) fn current_counters(&self) -> Counters {
        self.counters.clone()
    }

    fn open_counters(&mut self) {
        for index in 0..self.nest.loops.len() {
            let state = self.state(State::Counter(index));
            let facts = self.run.counters[index];
            let (_, signed) = counter_type(self.context, (facts.least, facts.greatest));
            let ty = match self.nest.loops[index].source {
                Some((_, counter)) => self.body.ty(counter),
                None => self.context.index_type(),
            };
            let to = match (ty.is_index(self.context), signed) {
                (true, true) => arith::IndexCast::NAME,
                (true, false) => arith::IndexCastui::NAME,
                (false, true) => arith::Extsi::NAME,
                (false, false) => arith::Extui::NAME,
            };
            let value = convert(&mut self.builder(), to, state, ty);
            self.counters[index] = Some(value);
        }
        let mut made: BTreeMap<(LoopIndex, i64), ValueId> = BTreeMap::new();
        for (product, (index, factor)) in self.products.clone() {
            let value = made.get(&(index, factor)).copied().unwrap_or_else(|| {
                let state = self.state(State::Scaled(index, factor));
                let ty = self.context.index_type();
                let value = convert(&mut self.builder(), arith::IndexCastui::NAME, state, ty);
                self.scaled.push((value, index, factor));
                value
            });
            made.insert((index, factor), value);
            self.free.insert(product, value);
        }
    }

    /// Converts a counter to the width of its control state.
    pub(super) fn stored_counter(&mut self, index: LoopIndex, value: ValueId) -> ValueId {
        let ty = self.body.ty(self.state(State::Counter(index)));
        let is_index = self.body.ty(value).is_index(self.context);
        let to = if is_index {
            arith::IndexCast::NAME
        } else {
            arith::Trunci::NAME
        };
        convert(&mut self.builder(), to, value, ty)
    }

    /// Returns a free value for the given counters.
    pub(super) fn free_value(&mut self, value: ValueId, counters: &Counters) -> ValueId {
        if *counters == self.counters {
            let mut known = std::mem::take(&mut self.free);
            let made = self.copy_free(value, counters, &mut known);
            self.free = known;
            return made;
        }
        self.copy_free(value, counters, &mut BTreeMap::new())
    }

    fn copy_free(
        &mut self,
        value: ValueId,
        counters: &Counters,
        known: &mut BTreeMap<ValueId, ValueId>,
    ) -> ValueId {
        if let Some(made) = known.get(&value) {
            return *made;
        }
        if let Some(index) = self.nest.loop_of_counter(value) {
            return counters[index].expect("a free value is used where its counters are known");
        }
        if is_invariant(self.body, self.root, value) {
            return value;
        }
        let op = self
            .body
            .defining_operation(value)
            .expect("a free value is a counter or computed");
        for operand in self.body.operands(op).collect::<Vec<_>>() {
            let made = self.copy_free(operand, counters, known);
            known.insert(operand, made);
        }
        let made = self.body.copy(self.context, op, known);
        self.body.append(self.block, made);
        known[&value]
    }
}
