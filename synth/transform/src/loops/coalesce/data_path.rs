//! The data path of a flattened nest: each group under its condition, with the variables it reads and assigns.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{ANY, EVERY, UNCHANGED};
use sluice_dialects::{
    arith, builtin, memref, scf,
    synthesis_form::{divides, guarded_access, guarded_division, is_guard},
};
use sluice_ir::{Builder, Exact, OperationId, ValueId, View};

use super::condition::Condition;
use super::control::Control;
use super::emit::{Assigned, Emitter};
use super::nest::{Child, GroupIndex, LoopIndex, Place, VariableIndex};
use crate::analysis::linear::{Linear, is_invariant, linear, range_of};
use crate::build::{binary, name};
use crate::datapath::if_convert::{guard_store, guard_value};
use crate::loops::coalesce::machine::State;

/// Delay of a product relative to that of a sum.
const MULTIPLICATION_LEVELS: u32 = 4;

impl Emitter<'_> {
    /// Returns the operand that a group reads for a value of the nest.
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

    /// Returns the current value of a variable within the step, as a group reads it.
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
            // In the steps of the host, the host's own group always runs.
            let surely = condition == reader || condition == self.turn_of(host);
            let condition = if surely { Condition::Always } else { condition };
            now = self.choose(condition, value, now);
        }
        now
    }

    /// Returns a variable as earlier steps left it. If it is certainly unchanged for several steps before it is read, the value
    /// is marked with that number.
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
        let cast = builtin::UnrealizedConversionCast::NAME;
        let op = builder.operation(cast, &[carried], &[ty], &[(UNCHANGED, attribute)]);
        let made = self.body.result(op, 0);
        self.body.set_value_name(made, named);
        self.recalled.insert((variable, distance), made);
        made
    }

    /// Returns the condition under which a group with a step of its own is active; a single group is always active.
    pub(super) fn turn_of(&self, host: GroupIndex) -> Condition {
        let turn = self.states.get(&State::Turn(host));
        turn.map_or(Condition::Always, |value| Condition::When(*value))
    }

    /// Returns a variable after the step. Only one such group is active, so the selection order is free; the value with the
    /// longest delay is selected last.
    pub(super) fn after_step(&mut self, variable: VariableIndex) -> ValueId {
        let assigned = self.assigned.iter().filter(|a| a.variable == variable);
        let all: Vec<_> = assigned.map(|a| (a.host, a.condition, a.value)).collect();
        let mut known = BTreeMap::new();
        let mut latest: BTreeMap<GroupIndex, u32> = BTreeMap::new();
        for (host, _, value) in &all {
            let own = self.levels(*value, &mut known);
            let of_host = latest.entry(*host).or_insert(0);
            *of_host = own.max(*of_host);
        }
        let mut hosts: Vec<GroupIndex> = Vec::new();
        for (host, ..) in &all {
            if !hosts.contains(host) {
                hosts.push(*host);
            }
        }
        hosts.sort_by_key(|host| latest[host]);
        let mut now = self.carried[variable];
        for host in hosts {
            let of_host = all.iter().filter(|(other, ..)| *other == host);
            for (_, condition, value) in of_host {
                now = self.choose(*condition, *value, now);
            }
        }
        now
    }

    /// Returns the approximate delay of a value within the step, in levels.
    fn levels(&self, value: ValueId, known: &mut BTreeMap<ValueId, u32>) -> u32 {
        if let Some(levels) = known.get(&value) {
            return *levels;
        }
        let maker = self.body.defining_operation(value);
        let maker = maker.filter(|op| self.body.parent_block(*op) == Some(self.block));
        let Some(op) = maker else {
            return 0;
        };
        let own = match name(self.context, self.body, op) {
            arith::Muli::NAME => MULTIPLICATION_LEVELS,
            memref::Load::NAME | scf::If::NAME | arith::Addi::NAME | arith::Subi::NAME => 1,
            _ => 0,
        };
        let operands: Vec<ValueId> = self.body.operands(op).collect();
        let before = operands.into_iter().map(|v| self.levels(v, known)).max();
        let levels = before.unwrap_or(0) + own;
        known.insert(value, levels);
        levels
    }

    pub(super) fn tree(&mut self, control: &Control, index: LoopIndex) {
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
        let access = guarded_access(view).or_else(|| guarded_division(view));
        let is_slow = divides(view);
        let guarded = is_guard(view);
        self.read_operands(op, group, condition);
        if let Some(access) = access {
            self.read_operands(access, group, condition);
        }
        if guarded {
            self.read_yielded(op, group, condition);
        }
        self.body.move_to_end(self.block, op);
        self.emitted.push((access.unwrap_or(op), self.host[group]));
        let Condition::When(when) = condition else {
            return;
        };
        match name(self.context, self.body, op) {
            memref::Load::NAME if self.always_inside(op) => {}
            other if other == memref::Load::NAME || is_slow && !guarded => {
                let value = self.body.result(op, 0);
                guard_value(self.context, self.body, op, op, when);
                let guard = self.body.parent_operation(op);
                let guard = guard.expect("the operation was moved into it");
                let made = self.body.result(guard, 0);
                if is_slow {
                    self.write_gap(guard);
                } else {
                    let any = self.context.unit_attribute();
                    self.body.set_attribute(guard, self.context.name(ANY), any);
                }
                self.guarded.insert(value, made);
                self.origin.insert(made, value);
            }
            memref::Store::NAME => guard_store(self.context, self.body, op, op, when),
            _ if guarded => {
                let own = self.body.operand(op, 0);
                let mut builder = Builder::before(self.context, self.body, op);
                let both = binary(&mut builder, arith::Andi::NAME, own, when);
                self.body.set_operand(op, 0, both);
                if is_slow {
                    self.write_gap(op);
                }
            }
            _ => {}
        }
    }

    /// Records on the guard of a division the minimum number of steps between two divisions.
    fn write_gap(&mut self, guard: OperationId) {
        let gap = i64::try_from(self.run.division_gap.min(1 << 20)).unwrap_or(1);
        let gap = self.context.i64_attribute(gap);
        self.body
            .set_attribute(guard, self.context.name(EVERY), gap);
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

    /// Reads the values that a guard yields if its condition does not hold from outside the guard.
    fn read_yielded(&mut self, guard: OperationId, group: GroupIndex, condition: Condition) {
        let view = View::new(self.context, self.body, guard);
        let regions = view.regions().iter();
        let blocks = regions
            .flat_map(|region| self.body.blocks(*region))
            .copied();
        let ends: Vec<OperationId> = blocks
            .filter_map(|block| self.body.operations(block).last())
            .collect();
        for end in ends {
            let given: Vec<ValueId> = self.body.operands(end).collect();
            for (i, value) in given.into_iter().enumerate() {
                let maker = self.body.defining_operation(value);
                let parent = maker.and_then(|maker| self.body.parent_operation(maker));
                if parent != Some(guard) {
                    let value = self.read(value, group, condition);
                    self.body.set_operand(end, i, value);
                }
            }
        }
    }

    /// Returns whether a load may execute in any step: its address is in bounds for all counter values.
    fn always_inside(&self, load: OperationId) -> bool {
        let memory = self.body.operand(load, 0);
        let size = self.body.ty(memory).n_elements(self.context);
        let form = linear(self.context, self.body, self.body.operand(load, 1));
        let range = self.range(&form);
        size.zip(range)
            .is_some_and(|(size, (low, high))| low >= 0 && Exact::from(high) < size)
    }

    /// Returns the range of a linear form of the counters, using their observed ranges.
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
