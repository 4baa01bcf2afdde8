//! A loop nest as a tree: loops, and between them the groups of operations that run once per iteration of the loop around.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::{is_any, is_division, is_guard};
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId, View};

use super::Limits;
use super::place::{Resource, capacity, interval, resource_of, uses};
use crate::build::{constant_i64, constant_of, is_pure, name};
use crate::linear::is_invariant;

/// Position in [`Nest::loops`].
pub(super) type LoopIndex = usize;
/// Position in [`Nest::groups`].
pub(super) type GroupIndex = usize;
/// Position in [`Nest::variables`].
pub(super) type VariableIndex = usize;

/// A nest of `scf.for` loops. Loop 0 is the outermost.
pub(super) struct Nest {
    pub(super) loops: Vec<LoopNode>,
    pub(super) groups: Vec<Group>,
    /// What is carried from step to step beside the counters.
    pub(super) variables: Vec<Variable>,
    /// The variable behind an iteration argument, a result of a loop, or a value that several groups read.
    pub(super) variable_of: BTreeMap<ValueId, VariableIndex>,
}

/// A bound of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Value(ValueId),
    Number(i64),
}

/// One loop of a nest.
pub(super) struct LoopNode {
    /// The loop and its counter; none for one that only waits.
    pub(super) source: Option<(OperationId, ValueId)>,
    pub(super) lower: Bound,
    pub(super) upper: Bound,
    /// At least 1.
    pub(super) step: i64,
    /// Entries with fewer iterations are filled up with idle ones.
    pub(super) least_iterations: u64,
    /// The loop around and the position among its children.
    pub(super) parent: Option<(LoopIndex, usize)>,
    pub(super) children: Vec<Child>,
}

/// What the body of a loop holds, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Child {
    Loop(LoopIndex),
    Group(GroupIndex),
}

/// When a group runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// In a step of its own.
    Own,
    /// In the first step of a loop behind it.
    First(LoopIndex),
    /// In the last step of a loop in front of it.
    Last(LoopIndex),
}

/// Operations that run together.
pub(super) struct Group {
    pub(super) around: LoopIndex,
    pub(super) place: Place,
    /// Every operation that is not free, in order.
    pub(super) ops: Vec<OperationId>,
    /// Done after the operations, all at once.
    pub(super) assignments: Vec<(VariableIndex, ValueId)>,
}

/// A value that lives longer than a step.
pub(super) struct Variable {
    /// The value whose type and name it has.
    pub(super) like: ValueId,
    /// What it is before the first step; `None` if nobody reads it before it is assigned.
    pub(super) initial: Option<ValueId>,
}

/// Reads the nest under `root`; `None` if it is none or holds what has no step form.
///
/// Groups between loops that need a port or unit more often than any innermost loop does per iteration are cut into several.
pub(super) fn read(
    context: &Context,
    body: &Body,
    root: OperationId,
    limits: &Limits,
) -> Option<Nest> {
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
    if reader.nest.loops.len() < 2 || reader.outer_interval_is_wished() {
        return None;
    }
    let bounds_are_free = reader
        .nest
        .loops
        .iter()
        .flat_map(|node| [node.lower, node.upper])
        .all(|bound| match bound {
            Bound::Value(value) => reader.is_free(value, 0),
            Bound::Number(_) => true,
        });
    if !bounds_are_free {
        return None;
    }
    // A divider that is used in every iteration sets the pace of the whole loop.
    let divides_inside = (0..reader.nest.groups.len()).any(|group| {
        let mut ops = reader.nest.groups[group].ops.iter();
        reader.is_innermost(group) && ops.any(|op| is_division(reader.view(*op)))
    });
    if divides_inside {
        return None;
    }
    reader.cut_large_groups(limits);
    reader.hold_shared_values();
    Some(reader.nest)
}

/// Whether a value is a function of counters of the nest and of what is outside, cheap enough to be computed in every step.
pub(super) fn is_free(
    context: &Context,
    body: &Body,
    root: OperationId,
    value: ValueId,
    depth: u32,
) -> bool {
    if is_invariant(body, root, value) || constant_of(context, body, value).is_some() {
        return true;
    }
    if depth > 32 {
        return false;
    }
    match body.value_definition(value) {
        ValueDefinition::Argument { block, index } => {
            index == 0
                && body
                    .block_parent_operation(block)
                    .is_some_and(|op| name(context, body, op) == "scf.for")
        }
        ValueDefinition::Result { operation, .. } => {
            let view = View::new(context, body, operation);
            is_pure(view)
                && !is_dear(view)
                && view
                    .operands()
                    .all(|operand| is_free(context, body, root, operand, depth + 1))
        }
    }
}

/// Products of two unknown numbers and divisions have units of their own.
fn is_dear(view: View<'_>) -> bool {
    let constant = |v: ValueId| constant_of(view.context, view.body, v).is_some();
    match view.name() {
        "arith.muli" | "index.mul" => !view.operands().any(constant),
        _ => is_division(view),
    }
}

impl Nest {
    /// The variables that a group reads; values that it makes itself are none.
    pub(super) fn reads(&self, body: &Body, group: GroupIndex) -> BTreeSet<VariableIndex> {
        let copied = self.copies(body, group).into_values();
        copied.chain(self.reads_of_ops(body, group)).collect()
    }

    /// The variables that the operations of a group read.
    pub(super) fn reads_of_ops(&self, body: &Body, group: GroupIndex) -> BTreeSet<VariableIndex> {
        let ops = &self.groups[group].ops;
        let inside = ops.iter().flat_map(|op| {
            let inner = body.walk(*op).into_iter().chain([*op]);
            inner.flat_map(|op| body.operands(op).collect::<Vec<_>>())
        });
        inside
            .filter(|value| !self.is_made_by(body, group, *value))
            .filter_map(|value| self.variable_of.get(&value).copied())
            .collect()
    }

    /// The variables that a group assigns as they are to others, by those.
    pub(super) fn copies(
        &self,
        body: &Body,
        group: GroupIndex,
    ) -> BTreeMap<VariableIndex, VariableIndex> {
        let assignments = self.groups[group].assignments.iter();
        assignments
            .filter(|(_, value)| !self.is_made_by(body, group, *value))
            .filter_map(|(to, value)| Some((*to, self.variable_of.get(value).copied()?)))
            .collect()
    }

    fn is_made_by(&self, body: &Body, group: GroupIndex, value: ValueId) -> bool {
        let maker = body.defining_operation(value);
        maker.is_some_and(|op| self.groups[group].ops.contains(&op))
    }

    /// The loop with this counter.
    pub(super) fn loop_of_counter(&self, counter: ValueId) -> Option<LoopIndex> {
        let mut loops = self.loops.iter();
        loops.position(|node| node.source.is_some_and(|(_, own)| own == counter))
    }

    /// The loop around a group and the position of the group among its children.
    pub(super) fn position(&self, group: GroupIndex) -> (LoopIndex, usize) {
        let around = self.groups[group].around;
        let mut children = self.loops[around].children.iter();
        let at = children
            .position(|child| *child == Child::Group(group))
            .expect("a group is a child of the loop around it");
        (around, at)
    }

    /// Adds an empty group with a step of its own in front of child `at` of a loop.
    pub(super) fn add_idle_step(&mut self, around: LoopIndex, at: usize) {
        let group = self.add_group(around, Vec::new());
        self.insert_child(around, at, Child::Group(group));
    }

    /// Adds a loop of `n` idle steps in front of child `at` of a loop.
    pub(super) fn add_idle_loop(&mut self, around: LoopIndex, at: usize, n: u64) {
        let waits = self.loops.len();
        self.insert_child(around, at, Child::Loop(waits));
        let group = self.add_group(waits, Vec::new());
        self.loops.push(LoopNode {
            source: None,
            lower: Bound::Number(0),
            upper: Bound::Number(i64::try_from(n).unwrap_or(i64::MAX)),
            step: 1,
            least_iterations: 0,
            parent: Some((around, at)),
            children: vec![Child::Group(group)],
        });
    }

    fn add_group(&mut self, around: LoopIndex, ops: Vec<OperationId>) -> GroupIndex {
        self.groups.push(Group {
            around,
            place: Place::Own,
            ops,
            assignments: Vec::new(),
        });
        self.groups.len() - 1
    }

    /// Puts a child in front of child `at` of a loop; loops behind it move.
    fn insert_child(&mut self, around: LoopIndex, at: usize, child: Child) {
        self.loops[around].children.insert(at, child);
        for node in &mut self.loops {
            if let Some((parent, position)) = &mut node.parent
                && *parent == around
                && *position >= at
            {
                *position += 1;
            }
        }
    }

    /// Cuts a group into `n_parts`: `parts` says for each of its operations to which part it goes. Assignments stay with the last part.
    fn cut_group(&mut self, group: GroupIndex, parts: &[usize], n_parts: usize) {
        let (around, at) = self.position(group);
        let ops = std::mem::take(&mut self.groups[group].ops);
        let part = |wanted: usize| {
            let chosen = ops
                .iter()
                .zip(parts)
                .filter(move |(_, part)| **part == wanted);
            chosen.map(|(op, _)| *op).collect::<Vec<_>>()
        };
        // The group keeps its assignments and becomes the last part.
        for earlier in 0..n_parts.saturating_sub(1) {
            let made = self.add_group(around, part(earlier));
            self.insert_child(around, at + earlier, Child::Group(made));
        }
        self.groups[group].ops = part(n_parts.saturating_sub(1));
    }
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

    fn is_free(&self, value: ValueId, depth: u32) -> bool {
        is_free(self.context, self.body, self.root, value, depth)
    }

    fn read_loop(
        &mut self,
        op: OperationId,
        parent: Option<(LoopIndex, usize)>,
    ) -> Option<LoopIndex> {
        let view = self.view(op);
        let off = |name: &str| {
            let wish = view.attribute(name).and_then(|a| a.as_bool(self.context));
            wish == Some(false)
        };
        let refused = off("sluice.pipeline") || off(super::FLATTEN);
        if view.name() != "scf.for" || refused {
            return None;
        }
        let block = view.entry_block(0)?;
        let step = constant_i64(self.context, self.body, view.operand(2)).filter(|s| *s > 0)?;
        let index = self.nest.loops.len();
        let arguments = self.body.arguments(block).to_vec();
        self.nest.loops.push(LoopNode {
            source: Some((op, arguments[0])),
            lower: Bound::Value(view.operand(0)),
            upper: Bound::Value(view.operand(1)),
            step,
            least_iterations: 0,
            parent,
            children: Vec::new(),
        });
        self.variables_of(op, block, parent.is_none());
        self.children(index, op, block)?;
        Some(index)
    }

    /// One variable per iteration argument; the one of the loop around where that is handed on.
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
                    initial: outermost.then_some(*init),
                });
                self.nest.variables.len() - 1
            });
            self.nest.variable_of.insert(*argument, variable);
            self.nest.variable_of.insert(*result, variable);
        }
    }

    /// Whether `init` is an argument of the loop around that is needed nowhere else: the inner loop may then do with it what it likes.
    fn is_handed_on(&self, op: OperationId, init: ValueId) -> bool {
        let ValueDefinition::Argument { block, index } = self.body.value_definition(init) else {
            return false;
        };
        self.body.parent_block(op) == Some(block) && index > 0 && self.body.has_one_use(init)
    }

    fn children(&mut self, index: LoopIndex, loop_op: OperationId, block: BlockId) -> Option<()> {
        let mut ops = Vec::new();
        let mut has_loop = false;
        for op in self.body.operations(block).collect::<Vec<_>>() {
            let view = self.view(op);
            match view.name() {
                "scf.yield" => {
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
                "scf.for" => {
                    has_loop = true;
                    let at = self.nest.loops[index].children.len();
                    let inits: Vec<ValueId> = view.operands().skip(3).collect();
                    // The group in front initialises the arguments; whether there is one decides the position.
                    let position = at + 1;
                    let inner = self.read_loop(op, Some((index, position)))?;
                    let mut assignments = Vec::new();
                    for (result, init) in view.results().iter().zip(inits) {
                        let variable = self.nest.variable_of[result];
                        let is_any = self
                            .body
                            .defining_operation(init)
                            .is_some_and(|op| is_any(self.view(op)));
                        if self.nest.variable_of.get(&init) != Some(&variable) && !is_any {
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
                "memref.load" | "memref.store" => ops.push(op),
                _ if is_guard(view) => ops.push(op),
                _ if is_pure(view) => {
                    if !view.results().iter().all(|r| self.is_free(*r, 0)) {
                        ops.push(op);
                    }
                }
                _ if is_division(view) => ops.push(op),
                _ => return None,
            }
        }
        Some(())
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

    /// Whether the user wishes an interval for a loop around others, which steps are not iterations of.
    fn outer_interval_is_wished(&self) -> bool {
        let mut loops = self.nest.loops.iter();
        loops.any(|node| {
            let holds_loop = node.children.iter().any(|c| matches!(c, Child::Loop(_)));
            let wish = |(op, _): (OperationId, ValueId)| self.view(op).attribute("sluice.fixed_ii");
            holds_loop && node.source.and_then(wish).is_some()
        })
    }

    fn is_innermost(&self, group: GroupIndex) -> bool {
        let children = &self.nest.loops[self.nest.groups[group].around].children;
        !children.iter().any(|child| matches!(child, Child::Loop(_)))
    }

    fn cut_large_groups(&mut self, limits: &Limits) {
        let mut interval_of_loops = 1;
        for group in 0..self.nest.groups.len() {
            if self.is_innermost(group) {
                let uses = uses(self.context, self.body, &self.nest.groups[group], limits);
                interval_of_loops = interval_of_loops.max(interval(&uses, limits));
            }
        }
        for group in 0..self.nest.groups.len() {
            let all = uses(self.context, self.body, &self.nest.groups[group], limits);
            let divides = self.nest.groups[group]
                .ops
                .iter()
                .any(|op| is_division(self.view(*op)));
            let is_large = divides || interval(&all, limits) > interval_of_loops;
            if !self.is_innermost(group) && is_large {
                let parts = self.parts(group, interval_of_loops, limits);
                let last = parts.iter().max().copied().unwrap_or(0);
                // A quotient is assigned when it is there, in a step behind.
                let divides_last = self.nest.groups[group]
                    .ops
                    .iter()
                    .zip(&parts)
                    .any(|(op, part)| *part == last && is_division(self.view(*op)));
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

    /// The part of each operation of a group: as early as what it needs and the ports and units allow.
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
                    // What needs a quotient has a step behind the division, with time between.
                    let waits = is_division(self.view(*before)) && needs(*before);
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

    /// Values that another group reads are kept in variables.
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

    /// The group of an operation or of the guard around it. Loops and yields read through assignments.
    fn group_member(&self, op: OperationId) -> Option<GroupIndex> {
        let mut current = Some(op);
        while let Some(op) = current {
            if let Some(group) = self.group_of.get(&op) {
                return Some(*group);
            }
            if matches!(self.view(op).name(), "scf.for") || op == self.root {
                break;
            }
            current = self.body.parent_operation(op);
        }
        None
    }
}
