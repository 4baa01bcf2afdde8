//! The one loop that a nest becomes: control first, then every group under its condition.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::{
    ANY, EVERY, UNCHANGED, guarded_access, is_division, is_guard,
};
use sluice_ir::{BlockId, Body, Builder, Context, Name, NewOperation, OperationId, ValueId, View};

use super::NEST;
use super::control::{Condition, Control, Counters, State, counter_type};
use super::nest::{Bound, Child, GroupIndex, LoopIndex, LoopNode, Nest, Place, VariableIndex};
use super::walk::Run;
use crate::build::{binary, constant, constant_i64, convert, name, replace};
use crate::bypass::BYPASS;
use crate::if_convert::{guard_store, guard_value};
use crate::inline::copy_within;
use crate::linear::{Linear, is_invariant, linear, range_of};

/// Builds the loop.
pub(super) struct Emitter<'a> {
    pub(super) context: &'a Context,
    pub(super) body: &'a mut Body,
    pub(super) nest: &'a Nest,
    pub(super) run: &'a Run,
    root: OperationId,
    block: BlockId,
    states: BTreeMap<State, ValueId>,
    /// Counters of the step as values of their loops.
    counters: Counters,
    pub(super) advanced: BTreeMap<LoopIndex, ValueId>,
    /// Copies of free values with the counters of the step.
    free: BTreeMap<ValueId, ValueId>,
    /// Values of the nest that are a counter times a number.
    products: BTreeMap<ValueId, (LoopIndex, i64)>,
    /// What stands for them.
    scaled: Vec<(ValueId, LoopIndex, i64)>,
    /// What each variable is at the start of the step.
    carried: Vec<ValueId>,
    /// Assignments of the step, in order.
    assigned: Vec<Assigned>,
    /// Which groups with a step of their own a group runs with.
    host: Vec<GroupIndex>,
    /// Variables with the number of steps since they were assigned.
    recalled: BTreeMap<(VariableIndex, u64), ValueId>,
    /// Loads that got a guard: the value of the nest and the one that stands for it.
    guarded: BTreeMap<ValueId, ValueId>,
    /// The way back.
    origin: BTreeMap<ValueId, ValueId>,
    /// Operations with the group in whose steps they run, for merging.
    emitted: Vec<(OperationId, GroupIndex)>,
}

struct Assigned {
    variable: VariableIndex,
    host: GroupIndex,
    condition: Condition,
    value: ValueId,
}

/// What came out.
pub(super) struct Flat {
    pub(super) op: OperationId,
    /// Operations with the group in whose steps they run.
    pub(super) emitted: Vec<(OperationId, GroupIndex)>,
    /// The condition of each group with a step of its own.
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
    let mut builder = Builder::before(context, body, root);
    let bounds = [0, i64::try_from(run.steps).expect("few steps"), 1]
        .map(|value| constant(&mut builder, index, value));
    let mut new = NewOperation::new(context.operation_name("scf.for"), location);
    new.operands.extend(bounds);
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
            states.push((State::Turn(*group), bit, -is_first));
        }
    }
    for (index, facts) in run.counters.iter().enumerate() {
        let (ty, _) = counter_type(context, (facts.least, facts.greatest));
        let first = run.first_counters[index].clamp(facts.least, facts.greatest);
        states.push((State::Counter(index), ty, first));
        if !facts.always_one {
            let last = i64::from(run.first_in_last[index]);
            states.push((State::InLast(index), bit, -last));
        }
        if facts.idles {
            let works = i64::from(run.first_works[index]);
            states.push((State::Works(index), bit, -works));
        }
    }
    let products = scaled_counters(context, builder.body, nest, run);
    let distinct: BTreeSet<(LoopIndex, i64)> = products.values().copied().collect();
    for (index, factor) in &distinct {
        let facts = run.counters[*index];
        let (ty, _) = counter_type(context, (facts.least * factor, facts.greatest * factor));
        let first = run.first_counters[*index].clamp(facts.least, facts.greatest);
        states.push((State::Scaled(*index, *factor), ty, first * factor));
    }
    let waits_for_entry = |index: LoopIndex| {
        let mut groups = nest.groups.iter();
        groups.any(|g| g.place == Place::First(index))
    };
    for index in (0..nest.loops.len()).filter(|index| waits_for_entry(*index)) {
        // Every loop around the first step is entered in it.
        let runs = run.first_group.is_some_and(|group| {
            let mut around = Some(nest.groups[group].around);
            while let Some(inner) = around {
                if inner == index {
                    return true;
                }
                around = nest.loops[inner].parent.map(|(parent, _)| parent);
            }
            false
        });
        states.push((State::Entered(index), bit, -i64::from(runs)));
    }
    for (_, ty, first) in &states {
        let initial = constant(&mut builder, *ty, *first);
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
    body.set_value_name(variable, Some(context.name(&joined)));
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
    emitter.builder().operation("scf.yield", &yields, &[], &[]);
    let (emitted, turn) = (emitter.emitted, control.turn);
    let results: Vec<ValueId> = body
        .results(root)
        .iter()
        .map(|result| body.result(op, nest.variable_of[result]))
        .collect();
    replace(body, root, &results);
    Flat { op, emitted, turn }
}

fn flat_attributes(
    context: &Context,
    body: &Body,
    nest: &Nest,
) -> Vec<(Name, sluice_ir::Attribute)> {
    let of = |node: &LoopNode, name| Some((name, body.attribute(node.source?.0, name)?));
    let fixed = context.name("sluice.fixed_ii");
    let mut wanted = nest.loops.iter().filter_map(|node| of(node, fixed));
    let number = of(&nest.loops[0], context.name(NEST));
    let bypass = of(&nest.loops[0], context.name(BYPASS));
    wanted
        .next_back()
        .into_iter()
        .chain(number)
        .chain(bypass)
        .collect()
}

/// Products of a counter and a number that is no power of two, of loops that start at a number and count upwards from 0 or more.
fn scaled_counters(
    context: &Context,
    body: &Body,
    nest: &Nest,
    run: &Run,
) -> BTreeMap<ValueId, (LoopIndex, i64)> {
    let mut found = BTreeMap::new();
    for (index, node) in nest.loops.iter().enumerate() {
        let starts_at = match node.lower {
            Bound::Number(number) => Some(number),
            Bound::Value(value) => constant_i64(context, body, value),
        };
        let facts = run.counters[index];
        let Some((_, counter)) = node.source else {
            continue;
        };
        if starts_at != Some(facts.least) || facts.least < 0 || !body.ty(counter).is_index(context)
        {
            continue;
        }
        for (user, _) in body.uses(counter) {
            let factor = matches!(name(context, body, user), "arith.muli" | "index.mul")
                .then(|| {
                    body.operands(user)
                        .find_map(|v| constant_i64(context, body, v))
                })
                .flatten();
            let worth = |factor: &i64| *factor > 2 && !factor.unsigned_abs().is_power_of_two();
            let in_range = |factor: &i64| {
                let ends = [facts.greatest, node.step];
                ends.iter().all(|n| n.checked_mul(*factor).is_some())
            };
            if let Some(factor) = factor.filter(worth).filter(in_range) {
                found.insert(body.result(user, 0), (index, factor));
            }
        }
    }
    found
}

/// What a state is called: `k`, `k_is_last`, `k_turn`, after the loop it belongs to.
fn state_name(context: &Context, body: &Body, nest: &Nest, state: State) -> Option<Name> {
    let (index, ending) = match state {
        State::Counter(index) => (index, ""),
        State::InLast(index) => (index, "_is_last"),
        State::Works(index) => (index, "_works"),
        State::Entered(index) => (index, "_is_first"),
        State::Scaled(index, _) => (index, "_offset"),
        State::Turn(group) => (nest.groups[group].around, "_turn"),
    };
    let counter = nest.loops[index].source.map(|(_, counter)| counter);
    let name = match counter {
        Some(counter) => context.text(body.value_name(counter)?),
        None => "wait",
    };
    Some(context.name(&format!("{name}{ending}")))
}

/// `i_j_k`
fn joined_name(context: &Context, body: &Body, nest: &Nest) -> String {
    let names: Vec<&str> = nest
        .loops
        .iter()
        .filter_map(|node| body.value_name(node.source?.1))
        .map(|name| context.text(name))
        .collect();
    names.join("_")
}

impl<'a> Emitter<'a> {
    pub(super) fn builder(&mut self) -> Builder<'_> {
        let location = self.body.location(self.root);
        Builder::at_end(self.context, self.body, self.block, location)
    }

    /// Names what the step makes, unless it has a name or is made elsewhere.
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
                (true, true) => "arith.index_cast",
                (true, false) => "arith.index_castui",
                (false, true) => "arith.extsi",
                (false, false) => "arith.extui",
            };
            let value = convert(&mut self.builder(), to, state, ty);
            self.counters[index] = Some(value);
        }
        let mut made: BTreeMap<(LoopIndex, i64), ValueId> = BTreeMap::new();
        for (product, (index, factor)) in self.products.clone() {
            let value = made.get(&(index, factor)).copied().unwrap_or_else(|| {
                let state = self.state(State::Scaled(index, factor));
                let ty = self.context.index_type();
                let value = convert(&mut self.builder(), "arith.index_castui", state, ty);
                self.scaled.push((value, index, factor));
                value
            });
            made.insert((index, factor), value);
            self.free.insert(product, value);
        }
    }

    /// A counter at the width in which control keeps it.
    pub(super) fn stored_counter(&mut self, index: LoopIndex, value: ValueId) -> ValueId {
        let ty = self.body.ty(self.state(State::Counter(index)));
        let is_index = self.body.ty(value).is_index(self.context);
        let to = if is_index {
            "arith.index_cast"
        } else {
            "arith.trunci"
        };
        convert(&mut self.builder(), to, value, ty)
    }

    /// A free value with the counters given.
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
        let made = copy_within(self.context, self.body, op, known);
        self.body.append(self.block, made);
        known[&value]
    }

    /// What a value of the nest is for a group under its condition.
    fn read(&mut self, value: ValueId, group: GroupIndex, condition: Condition) -> ValueId {
        let value = self.origin.get(&value).copied().unwrap_or(value);
        let now = self.guarded.get(&value).copied().unwrap_or(value);
        let definition = self.body.defining_operation(value);
        let made_by_group = |op| {
            let access = self.body.parent_operation(op).filter(|_| now != value);
            let ops = &self.nest.groups[group].ops;
            ops.contains(&op) || access.is_some_and(|guard| ops.contains(&guard))
        };
        if definition.is_some_and(made_by_group) {
            return now;
        }
        if let Some(variable) = self.nest.variable_of.get(&value).copied() {
            return self.variable_now(variable, group, condition);
        }
        if is_invariant(self.body, self.root, value) {
            return value;
        }
        let counters = self.current_counters();
        self.free_value(value, &counters)
    }

    /// A variable inside the step, for a group under its condition.
    fn variable_now(
        &mut self,
        variable: VariableIndex,
        group: GroupIndex,
        reader: Condition,
    ) -> ValueId {
        let host = self.host[group];
        let mut now = self.recalled(variable, group);
        let so_far: Vec<(Condition, ValueId)> = self
            .assigned
            .iter()
            .filter(|a| a.variable == variable && a.host == host)
            .map(|a| (a.condition, a.value))
            .collect();
        for (condition, value) in so_far {
            // In the steps of the host its own group runs in any case.
            let surely = condition == reader || condition == self.turn_of(host);
            let condition = if surely { Condition::Always } else { condition };
            now = self.choose(condition, value, now);
        }
        now
    }

    /// A variable as earlier steps left it. Where it was not changed for several steps before it is read, the value says so.
    fn recalled(&mut self, variable: VariableIndex, group: GroupIndex) -> ValueId {
        let carried = self.carried[variable];
        let distances = self.run.recalls_of(group, variable);
        let distance = distances.map(|(_, distance)| distance).min().unwrap_or(1);
        if distance <= 1 || self.nest.variables[variable].initial.is_some() {
            return carried;
        }
        if let Some(made) = self.recalled.get(&(variable, distance)) {
            return *made;
        }
        let ty = self.body.ty(carried);
        let named = self.body.value_name(carried);
        let attribute = self
            .context
            .i64_attribute(i64::try_from(distance).unwrap_or(i64::MAX));
        let mut builder = self.builder();
        let cast = "builtin.unrealized_conversion_cast";
        let op = builder.operation(cast, &[carried], &[ty], &[(UNCHANGED, attribute)]);
        let made = self.body.result(op, 0);
        self.body.set_value_name(made, named);
        self.recalled.insert((variable, distance), made);
        made
    }

    /// When a group with a step of its own has its turn; the only one always has.
    pub(super) fn turn_of(&self, host: GroupIndex) -> Condition {
        let turn = self.states.get(&State::Turn(host));
        turn.map_or(Condition::Always, |value| Condition::When(*value))
    }

    /// A variable behind the step.
    fn after_step(&mut self, variable: VariableIndex) -> ValueId {
        let assigned = self.assigned.iter().filter(|a| a.variable == variable);
        let all: Vec<_> = assigned.map(|a| (a.condition, a.value)).collect();
        all.into_iter()
            .fold(self.carried[variable], |now, (condition, value)| {
                self.choose(condition, value, now)
            })
    }

    fn tree(&mut self, control: &Control, index: LoopIndex) {
        for child in self.nest.loops[index].children.clone() {
            match child {
                Child::Loop(inner) => self.tree(control, inner),
                Child::Group(group) => self.group(control, group),
            }
        }
    }

    fn group(&mut self, control: &Control, group: GroupIndex) {
        let host = self.host[group];
        let condition = match self.nest.groups[group].place {
            Place::Own => {
                let works = self.works(self.nest.groups[group].around);
                self.both(control.turn[&group], works)
            }
            Place::First(index) => Condition::When(self.state(State::Entered(index))),
            Place::Last(index) => control
                .leaves
                .get(&index)
                .copied()
                .unwrap_or(Condition::Never),
        };
        for op in self.nest.groups[group].ops.clone() {
            self.operation(op, group, condition);
        }
        let values: Vec<(VariableIndex, ValueId)> = self.nest.groups[group]
            .assignments
            .clone()
            .into_iter()
            .map(|(variable, value)| (variable, self.read(value, group, condition)))
            .collect();
        for (variable, value) in values {
            self.assigned.push(Assigned {
                variable,
                host,
                condition,
                value,
            });
        }
    }

    fn operation(&mut self, op: OperationId, group: GroupIndex, condition: Condition) {
        let view = View::new(self.context, self.body, op);
        let access = guarded_access(view);
        let guarded = is_guard(view);
        self.read_operands(op, group, condition);
        if let Some(access) = access {
            self.read_operands(access, group, condition);
        }
        self.body.move_to_end(self.block, op);
        self.emitted.push((access.unwrap_or(op), self.host[group]));
        let Condition::When(when) = condition else {
            return;
        };
        let divides = is_division(View::new(self.context, self.body, op));
        match name(self.context, self.body, op) {
            "memref.load" if self.always_inside(op) => {}
            other if other == "memref.load" || divides => {
                let value = self.body.result(op, 0);
                guard_value(self.context, self.body, op, op, when);
                let guard = self.body.parent_operation(op);
                let guard = guard.expect("the operation was moved into it");
                let made = self.body.result(guard, 0);
                let every = self.run.division_gap.min(1 << 20);
                let every = self
                    .context
                    .i64_attribute(i64::try_from(every).unwrap_or(1));
                self.body
                    .set_attribute(guard, self.context.name(EVERY), every);
                if !divides {
                    let any = self.context.unit_attribute();
                    self.body.set_attribute(guard, self.context.name(ANY), any);
                }
                self.guarded.insert(value, made);
                self.origin.insert(made, value);
            }
            "memref.store" => guard_store(self.context, self.body, op, op, when),
            _ if guarded => {
                let own = self.body.operand(op, 0);
                let mut builder = Builder::before(self.context, self.body, op);
                let both = binary(&mut builder, "arith.andi", own, when);
                self.body.set_operand(op, 0, both);
            }
            _ => {}
        }
    }

    fn read_operands(&mut self, op: OperationId, group: GroupIndex, condition: Condition) {
        for (i, operand) in self
            .body
            .operands(op)
            .collect::<Vec<_>>()
            .into_iter()
            .enumerate()
        {
            let value = self.read(operand, group, condition);
            self.body.set_operand(op, i, value);
        }
    }

    /// Whether a load may be done in any step: its address is one of its memory whatever the counters are.
    fn always_inside(&self, load: OperationId) -> bool {
        let memory = self.body.operand(load, 0);
        let shape = self.body.ty(memory).static_shape(self.context);
        let size: Option<u64> = shape.map(|shape| shape.iter().product());
        let form = linear(self.context, self.body, self.body.operand(load, 1));
        let range = self.range(&form);
        size.zip(range).is_some_and(|(size, (low, high))| {
            low >= 0 && u64::try_from(high).is_ok_and(|high| high < size)
        })
    }

    /// The range of a linear form of the counters of the step, each within what it was seen to be.
    fn range(&self, form: &Linear) -> Option<(i64, i64)> {
        let mut rest = form.clone();
        let (mut low, mut high) = (0i64, 0i64);
        for (index, counter) in self.counters.iter().enumerate() {
            let Some(counter) = counter else { continue };
            let coefficient = form.coefficient(*counter);
            rest = rest.without(*counter);
            let facts = self.run.counters[index];
            let ends = (
                facts.least.checked_mul(coefficient)?,
                facts.greatest.checked_mul(coefficient)?,
            );
            low = low.checked_add(ends.0.min(ends.1))?;
            high = high.checked_add(ends.0.max(ends.1))?;
        }
        for (value, index, factor) in &self.scaled {
            let coefficient = form.coefficient(*value).checked_mul(*factor)?;
            rest = rest.without(*value);
            let facts = self.run.counters[*index];
            low = low.checked_add(facts.least.checked_mul(coefficient)?)?;
            high = high.checked_add(facts.greatest.checked_mul(coefficient)?)?;
        }
        let (rest_low, rest_high) = range_of(self.context, self.body, &rest, 0)?;
        Some((low.checked_add(rest_low)?, high.checked_add(rest_high)?))
    }
}
