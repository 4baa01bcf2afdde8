//! Builds the nest from its loops.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::UNLESS_LAST;
use sluice_dialects::{
    memref, scf, sluice,
    synthesis_form::{divides, is_any, is_division, is_guard},
};
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId, View};

use super::Limits;
use super::nest::{
    Bound, Child, Group, GroupIndex, LoopIndex, LoopNode, Nest, Place, Variable, VariableIndex,
    is_free,
};
use super::place::{Resource, capacity, interval, resource_of, uses};
use crate::build::{constant_i64, is_pure};

/// Builds the nest under `root`.
///
/// With `phases`, every group is cut to the operations that one cycle allows. Otherwise, only groups between loops are cut, if
/// they need a port or unit more often than any innermost loop does per iteration.
pub(super) fn read(
    context: &Context,
    body: &Body,
    root: OperationId,
    limits: &Limits,
    phases: bool,
) -> Result<Nest, Apart> {
    let mut reader = Reader {
        context,
        body,
        root,
        nest: Nest {
            loops: Vec::new(),
            groups: Vec::new(),
            variables: Vec::new(),
            variable_of: BTreeMap::new(),
        },
        group_of: BTreeMap::new(),
    };
    reader.read_loop(root, None)?;
    let apart = |op, reason| Err(Apart { op, reason });
    if reader.nest.loops.len() < 2 {
        return apart(root, "it holds no other loop");
    }
    if let Some(op) = reader.outer_loop_with_interval() {
        return apart(op, "`ii` is set for this loop, which contains other loops");
    }
    let is_free = |bound| match bound {
        Bound::Value(value) => reader.is_free(value),
        Bound::Number(_) => true,
    };
    let mut loops = reader.nest.loops.iter();
    if let Some(node) = loops.find(|node| !is_free(node.lower) || !is_free(node.upper)) {
        let op = node.source.map_or(root, |(op, _)| op);
        return apart(op, "the bounds of this loop are not made of counters alone");
    }
    let innermost = (0..reader.nest.groups.len()).filter(|group| reader.is_innermost(*group));
    let mut ops = innermost.flat_map(|group| &reader.nest.groups[group].ops);
    if let Some(op) = ops.find(|op| is_division(reader.view(**op))) {
        let reason = "this division is in an innermost loop: a divider that every iteration uses would set the pace of all";
        return apart(*op, reason);
    }
    reader.cut_large_groups(limits, phases);
    reader.hold_shared_values();
    Ok(reader.nest)
}

/// The obstacle that prevents flattening a nest.
pub(super) struct Apart {
    /// The operation that is the obstacle.
    pub(super) op: OperationId,
    /// The reason, as a text about the operation.
    pub(super) reason: &'static str,
}

struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
    root: OperationId,
    nest: Nest,
    group_of: BTreeMap<OperationId, GroupIndex>,
}

impl<'a> Reader<'a> {
    fn view(&self, op: OperationId) -> View<'a> {
        View::new(self.context, self.body, op)
    }

    fn is_free(&self, value: ValueId) -> bool {
        is_free(self.context, self.body, self.root, value)
    }

    fn read_loop(
        &mut self,
        op: OperationId,
        parent: Option<(LoopIndex, usize)>,
    ) -> Result<LoopIndex, Apart> {
        let view = self.view(op);
        let off = |name: &str| {
            let request = view.attribute(name).and_then(|a| a.as_bool(self.context));
            request == Some(false)
        };
        let apart = |reason| Apart { op, reason };
        if off(sluice::PIPELINE) {
            return Err(apart("`pipeline: false` keeps this loop apart"));
        }
        if off(sluice_dialects::sluice::FLATTEN) {
            return Err(apart("`flatten: false` keeps this loop apart"));
        }
        let loop_block = view
            .entry_block(0)
            .filter(|_| view.name() == scf::For::NAME);
        let block = loop_block.ok_or_else(|| apart("this is no counted loop"))?;
        let step = constant_i64(self.context, self.body, view.operand(2)).filter(|s| *s > 0);
        let step = step.ok_or_else(|| apart("the step of this loop is not constant"))?;
        let index = self.nest.loops.len();
        let arguments = self.body.arguments(block).to_vec();
        self.nest.loops.push(LoopNode {
            source: Some((op, arguments[0])),
            lower: Bound::Value(view.operand(0)),
            upper: Bound::Value(view.operand(1)),
            step,
            min_iterations: 0,
            unless_last: view.attribute(UNLESS_LAST).is_some(),
            parent,
            children: Vec::new(),
        });
        self.variables_of(op, block, parent.is_none());
        self.children(index, op, block)?;
        Ok(index)
    }

    /// Assigns one variable to each iteration argument; an argument that the parent loop passes through shares its variable.
    fn variables_of(&mut self, op: OperationId, block: BlockId, outermost: bool) {
        let view = self.view(op);
        let arguments = self.body.arguments(block)[1..].to_vec();
        let inits: Vec<ValueId> = view.operands().skip(3).collect();
        for ((argument, init), result) in arguments.iter().zip(&inits).zip(view.results()) {
            let shared = self
                .is_handed_on(op, *init)
                .then(|| self.nest.variable_of.get(init).copied())
                .flatten();
            let variable = shared.unwrap_or_else(|| {
                self.nest.variables.push(Variable {
                    like: *argument,
                    initial: (outermost && !self.is_any(*init)).then_some(*init),
                });
                self.nest.variables.len() - 1
            });
            self.nest.variable_of.insert(*argument, variable);
            self.nest.variable_of.insert(*result, variable);
        }
    }

    /// Returns whether nothing depends on the value. The result of a guard matters when the guard is on.
    fn is_any(&self, value: ValueId) -> bool {
        let maker = self.body.defining_operation(value);
        maker.is_some_and(|op| is_any(self.view(op)) && !is_guard(self.view(op)))
    }

    /// Returns whether `init` is an argument of the parent loop with no other use: the inner loop may then overwrite it.
    fn is_handed_on(&self, op: OperationId, init: ValueId) -> bool {
        let ValueDefinition::Argument { block, index } = self.body.value_definition(init) else {
            return false;
        };
        self.body.parent_block(op) == Some(block) && index > 0 && self.body.has_one_use(init)
    }

    fn children(
        &mut self,
        index: LoopIndex,
        loop_op: OperationId,
        block: BlockId,
    ) -> Result<(), Apart> {
        let mut ops = Vec::new();
        let mut has_loop = false;
        for op in self.body.operations(block).collect::<Vec<_>>() {
            let view = self.view(op);
            match view.name() {
                scf::Yield::NAME => {
                    let yielded: Vec<ValueId> = view.operands().collect();
                    let results = self.body.results(loop_op).to_vec();
                    let mut assignments = Vec::new();
                    for (result, value) in results.iter().zip(yielded) {
                        let variable = self.nest.variable_of[result];
                        if self.nest.variable_of.get(&value) != Some(&variable) {
                            assignments.push((variable, value));
                        }
                    }
                    if !has_loop || !ops.is_empty() || !assignments.is_empty() {
                        self.group(index, std::mem::take(&mut ops), assignments);
                    }
                }
                scf::For::NAME => {
                    has_loop = true;
                    let at = self.nest.loops[index].children.len();
                    let inits: Vec<ValueId> = view.operands().skip(3).collect();
                    // A group before the inner loop initialises its arguments; the loop's position depends on whether that group
                    // exists.
                    let position = at + 1;
                    let inner = self.read_loop(op, Some((index, position)))?;
                    let mut assignments = Vec::new();
                    for (result, init) in view.results().iter().zip(inits) {
                        let variable = self.nest.variable_of[result];
                        if self.nest.variable_of.get(&init) != Some(&variable) && !self.is_any(init)
                        {
                            assignments.push((variable, init));
                        }
                    }
                    if ops.is_empty() && assignments.is_empty() {
                        self.nest.loops[inner].parent = Some((index, at));
                    } else {
                        self.group(index, std::mem::take(&mut ops), assignments);
                    }
                    self.nest.loops[index].children.push(Child::Loop(inner));
                }
                memref::Load::NAME | memref::Store::NAME => ops.push(op),
                _ if is_guard(view) => ops.push(op),
                _ if is_pure(view) => {
                    if !view.results().iter().all(|r| self.is_free(*r)) {
                        ops.push(op);
                    }
                }
                _ if is_division(view) => ops.push(op),
                other => {
                    let reason = match other {
                        scf::While::NAME => "this loop runs for as long as a condition holds",
                        scf::If::NAME => "this conditional holds more than single accesses",
                        _ => "this operation takes a time of its own",
                    };
                    return Err(Apart { op, reason });
                }
            }
        }
        Ok(())
    }

    fn group(
        &mut self,
        around: LoopIndex,
        ops: Vec<OperationId>,
        assignments: Vec<(VariableIndex, ValueId)>,
    ) {
        let index = self.nest.groups.len();
        for op in &ops {
            self.group_of.insert(*op, index);
        }
        self.nest.loops[around].children.push(Child::Group(index));
        self.nest.groups.push(Group {
            around,
            place: Place::Own,
            ops,
            assignments,
        });
    }

    /// Returns an outer loop for which the user requests an initiation interval: its iterations are not steps.
    fn outer_loop_with_interval(&self) -> Option<OperationId> {
        let holds_loop =
            |node: &&LoopNode| node.children.iter().any(|c| matches!(c, Child::Loop(_)));
        let outer = self.nest.loops.iter().filter(holds_loop);
        let mut ops = outer.filter_map(|node| Some(node.source?.0));
        ops.find(|op| self.view(*op).attribute(sluice::FIXED_II).is_some())
    }

    fn is_innermost(&self, group: GroupIndex) -> bool {
        let children = &self.nest.loops[self.nest.groups[group].around].children;
        !children.iter().any(|child| matches!(child, Child::Loop(_)))
    }

    fn cut_large_groups(&mut self, limits: &Limits, phases: bool) {
        let mut interval_of_loops = 1;
        for group in 0..self.nest.groups.len() {
            if self.is_innermost(group) && !phases {
                let uses = uses(self.context, self.body, &self.nest.groups[group], limits);
                interval_of_loops = interval_of_loops.max(interval(&uses, limits));
            }
        }
        for group in 0..self.nest.groups.len() {
            let all = uses(self.context, self.body, &self.nest.groups[group], limits);
            let is_slow = self.nest.groups[group]
                .ops
                .iter()
                .any(|op| divides(self.view(*op)));
            let is_large = is_slow || interval(&all, limits) > interval_of_loops;
            if (phases || !self.is_innermost(group)) && is_large {
                let parts = self.parts(group, interval_of_loops, limits);
                let last = parts.iter().max().copied().unwrap_or(0);
                // A quotient is assigned when it is available, in a later step.
                let assigned = self.nest.groups[group].assignments.iter();
                let assigned: BTreeSet<OperationId> = assigned
                    .filter_map(|(_, value)| self.body.defining_operation(*value))
                    .collect();
                let divides_last =
                    self.nest.groups[group]
                        .ops
                        .iter()
                        .zip(&parts)
                        .any(|(op, part)| {
                            *part == last && divides(self.view(*op)) && assigned.contains(op)
                        });
                let n_parts = last + 1 + usize::from(divides_last);
                self.nest.cut_group(group, &parts, n_parts);
            }
        }
        self.group_of = BTreeMap::new();
        for (index, group) in self.nest.groups.iter().enumerate() {
            for op in &group.ops {
                self.group_of.insert(*op, index);
            }
        }
    }

    /// Returns the part of each operation of a group: as early as its dependences and the ports and units allow.
    fn parts(&self, group: GroupIndex, interval_of_loops: u32, limits: &Limits) -> Vec<usize> {
        let ops = &self.nest.groups[group].ops;
        let mut parts: Vec<usize> = Vec::new();
        let mut used: BTreeMap<(usize, Resource), u32> = BTreeMap::new();
        for op in ops {
            let inner: Vec<OperationId> = self.body.walk(*op).into_iter().chain([*op]).collect();
            let needs = |maker: OperationId| {
                let mut operands = inner.iter().flat_map(|op| self.body.operands(*op));
                operands.any(|v| self.body.defining_operation(v) == Some(maker))
            };
            let memory = |op: OperationId| match resource_of(self.context, self.body, op, limits) {
                Some(Resource::ReadPort(memory)) => Some((memory, false)),
                Some(Resource::WritePort(memory)) => Some((memory, true)),
                Some(Resource::Unit(_)) | None => None,
            };
            let ordered = |before: OperationId| match (memory(before), memory(*op)) {
                (Some((a, a_writes)), Some((b, b_writes))) => a == b && (a_writes || b_writes),
                _ => false,
            };
            let mut part = ops
                .iter()
                .zip(&parts)
                .filter(|(before, _)| needs(**before) || ordered(**before))
                .map(|(before, part)| {
                    // An operation that needs a quotient has a step after the division, with time between.
                    let waits = divides(self.view(*before)) && needs(*before);
                    *part + usize::from(waits)
                })
                .max()
                .unwrap_or(0);
            if let Some(resource) = resource_of(self.context, self.body, *op, limits) {
                let most = interval_of_loops.saturating_mul(capacity(&resource, limits));
                while used
                    .get(&(part, resource.clone()))
                    .is_some_and(|n| *n >= most)
                {
                    part += 1;
                }
                *used.entry((part, resource)).or_insert(0) += 1;
            }
            parts.push(part);
        }
        parts
    }

    /// Creates variables for values that another group reads.
    fn hold_shared_values(&mut self) {
        for (op, home) in self.group_of.clone() {
            for result in self.body.results(op).to_vec() {
                let shared =
                    self.body.uses(result).any(|(user, _)| {
                        self.group_member(user).is_some_and(|group| group != home)
                    }) || self.nest.groups.iter().enumerate().any(|(index, group)| {
                        index != home && group.assignments.iter().any(|(_, v)| *v == result)
                    });
                if shared {
                    self.nest
                        .variable_of
                        .insert(result, self.nest.variables.len());
                    self.nest.variables.push(Variable {
                        like: result,
                        initial: None,
                    });
                }
            }
        }
        for group in 0..self.nest.groups.len() {
            for op in self.nest.groups[group].ops.clone() {
                for result in self.body.results(op).to_vec() {
                    if let Some(variable) = self.nest.variable_of.get(&result).copied() {
                        self.nest.groups[group].assignments.push((variable, result));
                    }
                }
            }
        }
    }

    /// Returns the group of an operation or of its guard. Loops and yields read through assignments.
    fn group_member(&self, op: OperationId) -> Option<GroupIndex> {
        let mut current = Some(op);
        while let Some(op) = current {
            if let Some(group) = self.group_of.get(&op) {
                return Some(*group);
            }
            if matches!(self.view(op).name(), scf::For::NAME) || op == self.root {
                break;
            }
            current = self.body.parent_operation(op);
        }
        None
    }
}
