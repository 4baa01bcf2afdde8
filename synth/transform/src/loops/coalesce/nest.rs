//! A loop nest as a tree of loops and groups: a group holds the operations between inner loops, which run once per iteration.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, index, scf, synthesis_form::is_division};
use sluice_ir::{Body, Context, OperationId, ValueDefinition, ValueId, View};

use crate::analysis::linear::is_invariant;
use crate::analysis::transitive_operands::{Part, all_transitive_operands};
use crate::build::{constant_of, is_pure, name};

/// Index into [`Nest::loops`].
pub(super) type LoopIndex = usize;
/// Index into [`Nest::groups`].
pub(super) type GroupIndex = usize;
/// Index into [`Nest::variables`].
pub(super) type VariableIndex = usize;

/// A nest of `scf.for` loops. Loop 0 is the outermost.
pub(super) struct Nest {
    pub(super) loops: Vec<LoopNode>,
    pub(super) groups: Vec<Group>,
    /// Values carried from step to step besides the counters.
    pub(super) variables: Vec<Variable>,
    /// The variable of an iteration argument, a loop result, or a value that several groups read.
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
    /// The loop and its counter; `None` for a loop that only waits.
    pub(super) source: Option<(OperationId, ValueId)>,
    pub(super) lower: Bound,
    pub(super) upper: Bound,
    /// At least 1.
    pub(super) step: i64,
    /// Minimum number of iterations: shorter entries are padded with idle iterations.
    pub(super) min_iterations: u64,
    /// See [`UNLESS_LAST`].
    pub(super) unless_last: bool,
    /// The parent loop and the position among its children.
    pub(super) parent: Option<(LoopIndex, usize)>,
    pub(super) children: Vec<Child>,
}

/// A child of a loop body, in text order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Child {
    Loop(LoopIndex),
    Group(GroupIndex),
}

/// The step in which a group runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// In a step of its own.
    Own,
    /// In the first step of a loop after it.
    First(LoopIndex),
    /// In the last step of a loop before it.
    Last(LoopIndex),
}

/// Operations that run in the same step.
pub(super) struct Group {
    pub(super) around: LoopIndex,
    pub(super) place: Place,
    /// All operations that are not free, in order.
    pub(super) ops: Vec<OperationId>,
    /// Parallel assignments, made after the operations.
    pub(super) assignments: Vec<(VariableIndex, ValueId)>,
}

/// A value whose live range exceeds a step.
pub(super) struct Variable {
    /// The value that gives the variable its type and name.
    pub(super) like: ValueId,
    /// The initial value; `None` if the variable is not read before it is assigned, or the value does not matter.
    pub(super) initial: Option<ValueId>,
}

/// Maximum depth of the operations that compute a free value, since they all execute in one step.
const MAX_FREE_DEPTH: u32 = 32;

/// Returns whether a value depends only on counters of the nest and outside values, and is cheap enough to be computed in every
/// step.
pub(super) fn is_free(context: &Context, body: &Body, root: OperationId, value: ValueId) -> bool {
    all_transitive_operands(body, value, MAX_FREE_DEPTH, |value| {
        if is_invariant(body, root, value) || constant_of(context, body, value).is_some() {
            return Part::Right;
        }
        match body.value_definition(value) {
            ValueDefinition::Argument { block, index } => {
                let around = body.block_parent_operation(block);
                let is_loop = around.is_some_and(|op| name(context, body, op) == scf::For::NAME);
                Part::is(index == 0 && is_loop)
            }
            ValueDefinition::Result { operation, .. } => {
                let view = View::new(context, body, operation);
                Part::through(Some(operation).filter(|_| is_pure(view) && !is_dear(view)))
            }
        }
    })
}

/// Returns whether an operation needs a unit of its own: a product of two unknown numbers, or a division.
fn is_dear(view: View<'_>) -> bool {
    let constant = |v: ValueId| constant_of(view.context, view.body, v).is_some();
    match view.name() {
        arith::Muli::NAME | index::Mul::NAME => !view.operands().any(constant),
        _ => is_division(view),
    }
}

impl Nest {
    /// Returns the variables that a group reads, except values that it defines itself.
    pub(super) fn reads(&self, body: &Body, group: GroupIndex) -> BTreeSet<VariableIndex> {
        let copied = self.copies(body, group).into_values();
        copied.chain(self.reads_of_ops(body, group)).collect()
    }

    /// Returns the variables that the operations of a group read.
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

    /// Returns the variable copies that a group makes, as a map from destination to source.
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

    /// Returns whether a loop is innermost.
    pub(super) fn is_row(&self, index: LoopIndex) -> bool {
        let mut children = self.loops[index].children.iter();
        !children.any(|child| matches!(child, Child::Loop(_)))
    }

    /// Returns the loop with this counter.
    pub(super) fn loop_of_counter(&self, counter: ValueId) -> Option<LoopIndex> {
        let mut loops = self.loops.iter();
        loops.position(|node| node.source.is_some_and(|(_, own)| own == counter))
    }

    /// Returns the loop of a group and the position of the group among its children.
    pub(super) fn position(&self, group: GroupIndex) -> (LoopIndex, usize) {
        let around = self.groups[group].around;
        let mut children = self.loops[around].children.iter();
        let at = children
            .position(|child| *child == Child::Group(group))
            .expect("a group is a child of the loop around it");
        (around, at)
    }

    /// Removes operations from their groups.
    pub(super) fn leave_out(&mut self, ops: &[OperationId]) {
        for group in &mut self.groups {
            group.ops.retain(|op| !ops.contains(op));
        }
    }

    /// Adds an empty group with a step of its own before child `at` of a loop.
    pub(super) fn add_idle_step(&mut self, around: LoopIndex, at: usize) {
        let group = self.add_group(around, Vec::new());
        self.insert_child(around, at, Child::Group(group));
    }

    /// Adds a loop of `n` idle steps before child `at` of a loop.
    pub(super) fn add_idle_loop(&mut self, around: LoopIndex, at: usize, n: u64) {
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        self.add_idle_steps(around, at, [Bound::Number(0), Bound::Number(n)]);
    }

    /// Adds a loop of idle steps from the first bound to the second before child `at` of a loop.
    pub(super) fn add_idle_steps(&mut self, around: LoopIndex, at: usize, bounds: [Bound; 2]) {
        let waits = self.loops.len();
        self.insert_child(around, at, Child::Loop(waits));
        let group = self.add_group(waits, Vec::new());
        let [lower, upper] = bounds;
        self.loops.push(LoopNode {
            source: None,
            lower,
            upper,
            step: 1,
            min_iterations: 0,
            unless_last: false,
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

    /// Inserts a child before child `at` of a loop; positions of later loops shift.
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

    /// Cuts a group into `n_parts`; `parts` gives the part of each of its operations. Assignments stay with the last part.
    pub(super) fn cut_group(&mut self, group: GroupIndex, parts: &[usize], n_parts: usize) {
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
