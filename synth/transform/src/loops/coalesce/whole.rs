//! Software pipelining of a whole inner loop: the first inner loop of an iteration, with the operations before it, runs one
//! iteration ahead, so that its results are available when the other inner loops end.
//!
//! `for i { A(i); B(i) }` becomes `A(first); for i { if i is not last { A(i + 1) }; B(i) }`. The condition is a loop of at most
//! one iteration, so that everything stays one nest.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::{ANY, NEST, PHASES, ROTATE, ROWS, SPACING, WAITS};
use sluice_dialects::{arith, memref, scf, synthesis_form::is_division};
use sluice_ir::{Body, Builder, Context, NewOperation, OperationId, Type, ValueId, View};

use super::iteration_shifter::{IterationShifter, operands_within};
use super::nest::{self, Child, GroupIndex, LoopIndex, Nest};
use super::read::read;
use super::run::Run;
use super::simulation::{iterations_between, run};
use super::{BYPASS, Limits};
use crate::build::{EQ, binary, carry, compare, constant, name, select, yield_more};

/// Rotates loops of a nest by their first inner loops if that keeps every access in order. Returns the outermost loop, which may
/// be a new one, and whether a loop was rotated.
pub(super) fn pipeline_whole_loops(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    limits: &Limits,
) -> (OperationId, bool) {
    let Ok(nest) = read(context, body, root, limits, false) else {
        return (root, false);
    };
    let Some(counted) = run(context, body, root, &nest) else {
        return (root, false);
    };
    let plans: Vec<Plan> = (0..nest.loops.len())
        .filter_map(|index| plan(context, body, root, &nest, &counted, index))
        .collect();
    let mut root = root;
    let mut done: Vec<OperationId> = Vec::new();
    for plan in plans.into_iter().rev() {
        // After a rotation, the plan of an enclosing loop is no longer valid.
        let inside = body.walk(plan.op);
        if done.iter().any(|op| inside.contains(op)) {
            continue;
        }
        let was_root = plan.op == root;
        let n_results = body.results(plan.op).len();
        let mut shifter = IterationShifter {
            context,
            body,
            op: plan.op,
            passed: BTreeSet::new(),
        };
        let first = shifter.take_whole_ahead(&plan.ahead);
        let pipelined = shifter.op;
        done.push(pipelined);
        if was_root {
            root = hold_together(context, body, pipelined, first, n_results);
        }
    }
    (root, !done.is_empty())
}

/// A loop with the operations that move one iteration ahead; an inner loop comes last.
struct Plan {
    op: OperationId,
    ahead: Vec<OperationId>,
}

fn plan(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
    counted: &Run,
    index: LoopIndex,
) -> Option<Plan> {
    let node = &nest.loops[index];
    let (op, counter) = node.source?;
    let facts = counted.counters[index];
    // The outermost loop may be empty: it gets an enclosing loop that runs only if it does.
    let runs = facts.entries > 0 && (facts.empty_entries == 0 || index == 0);
    if node.step != 1 || !runs || facts.always_one || !body.ty(counter).is_index(context) {
        return None;
    }
    let is_loop = |child: &Child| matches!(child, Child::Loop(_));
    let first = node.children.iter().position(is_loop)?;
    let Child::Loop(inner) = node.children[first] else {
        return None;
    };
    let ops_of = |children: &[Child]| -> Vec<OperationId> {
        let groups = children.iter().filter_map(|child| match child {
            Child::Group(group) => Some(*group),
            Child::Loop(_) => None,
        });
        let of = |group: GroupIndex| nest.groups[group].ops.clone();
        groups.flat_map(of).collect()
    };
    let behind = &node.children[first + 1..];
    let divides = |op: &OperationId| is_division(View::new(context, body, *op));
    if !behind.iter().any(is_loop) && !ops_of(behind).iter().any(divides) {
        return None;
    }
    let mut ahead = ops_of(&node.children[..first]);
    ahead.push(nest.loops[inner].source?.0);
    // The moved operations may depend on the iteration only through its counter.
    let block = body.entry_block(op, 0)?;
    let needs_more = |value: ValueId| {
        let maker = body.defining_operation(value);
        let is_local = match maker {
            Some(maker) => body.parent_block(maker) == Some(block),
            None => body.arguments(block).contains(&value),
        };
        is_local
            && !nest::is_free(context, body, root, value)
            && !maker.is_some_and(|maker| ahead.contains(&maker))
    };
    let mut operands = ahead.iter().flat_map(|op| operands_within(body, *op));
    if operands.any(needs_more) {
        return None;
    }
    let moved: BTreeSet<OperationId> = ahead.iter().flat_map(|op| body.walk(*op)).collect();
    let between = iterations_between(context, body, root, nest, index)?;
    let is_access = |op: &&OperationId| {
        matches!(
            name(context, body, **op),
            memref::Load::NAME | memref::Store::NAME
        )
    };
    let all = body.walk(op);
    let keeps_order = all.iter().filter(is_access).all(|other| {
        moved.contains(other)
            || moved.iter().filter(is_access).all(|access| {
                let apart = between.get(&(*other, *access));
                apart.is_none_or(|apart| *apart > 1)
            })
    });
    keeps_order.then_some(Plan { op, ahead })
}

impl IterationShifter<'_> {
    /// Lets each iteration first run the operations of the next one; those of the first iteration run before the loop. Returns
    /// the first operation there.
    fn take_whole_ahead(&mut self, ops: &[OperationId]) -> Option<OperationId> {
        let results = self.results_used_outside(ops);
        let before = self.body.previous(self.op);
        let block = self.block();
        let (lower, upper) = self.bounds();
        let mut values = BTreeMap::from([(self.counter(), lower)]);
        self.copy(self.op, ops, &mut values, None);
        let types: Vec<Type> = results.iter().map(|result| self.body.ty(*result)).collect();
        let first: Vec<ValueId> = results.iter().map(|result| values[result]).collect();
        let any: Vec<ValueId> = types
            .iter()
            .map(|ty| self.any_value(self.op, *ty))
            .collect();
        let (op, arguments) = carry(self.context, self.body, self.op, &any);
        self.op = op;
        let counter = self.counter();
        let place = self.body.first_operation(block).expect("a yield at least");
        let next = self.add(place, counter, 1);
        let behind = self.add(place, counter, 2);
        let any: Vec<ValueId> = types.iter().map(|ty| self.any_value(place, *ty)).collect();
        let mut builder = Builder::before(self.context, self.body, place);
        let end = binary(&mut builder, arith::Minsi::NAME, behind, upper);
        let index = builder.body.ty(counter);
        let one = constant(&mut builder, index, 1);
        let (section, last) = loop_with(self.context, self.body, place, [next, end, one], &any);
        let unless_last = self.context.name(sluice_dialects::sluice::UNLESS_LAST);
        let unit = self.context.unit_attribute();
        self.body.set_attribute(section, unless_last, unit);
        let number = self
            .body
            .arguments(self.body.parent_block(last).expect("a yield is in it"))[0];
        let named = self.body.value_name(counter);
        self.body.set_value_name(number, named);
        let mut values = BTreeMap::from([(counter, number)]);
        self.copy(last, ops, &mut values, None);
        let coming: Vec<ValueId> = results.iter().map(|result| values[result]).collect();
        self.body.set_operands(last, &coming);
        for ((result, argument), first) in results.iter().zip(&arguments).zip(&first) {
            let named = self.body.value_name(*result);
            self.body.set_value_name(*argument, named);
            // Uses a selection instead of a carried initial value: results from before the loop are then not passed from step to
            // step.
            let users: Vec<(OperationId, usize)> = self.body.uses(*result).collect();
            for (user, at) in users {
                if ops.contains(&self.outermost(user)) {
                    continue;
                }
                let mut builder = Builder::before(self.context, self.body, user);
                let is_first = compare(&mut builder, EQ, counter, lower);
                let chosen = select(&mut builder, is_first, *first, *argument);
                self.body.set_operand(user, at, chosen);
            }
        }
        for op in ops.iter().rev() {
            self.body.erase(*op);
        }
        let coming = self.body.results(section).to_vec();
        yield_more(self.body, self.op, &coming);
        match before {
            Some(before) => self.body.next(before),
            None => {
                let around = self.body.parent_block(self.op)?;
                self.body.first_operation(around)
            }
        }
    }

    /// Emits an arbitrary value.
    pub(super) fn any_value(&mut self, place: OperationId, ty: Type) -> ValueId {
        let mut builder = Builder::before(self.context, self.body, place);
        let zero = constant(&mut builder, ty, 0);
        let maker = self.body.defining_operation(zero).expect("a constant");
        let any = self.context.unit_attribute();
        self.body.set_attribute(maker, self.context.name(ANY), any);
        zero
    }
}

/// Emits a loop before `place` that yields its arguments; returns it and its yield.
fn loop_with(
    context: &Context,
    body: &mut Body,
    place: OperationId,
    bounds: [ValueId; 3],
    inits: &[ValueId],
) -> (OperationId, OperationId) {
    let location = body.location(place);
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), location);
    new.operands.extend(bounds);
    new.operands.extend_from_slice(inits);
    new.result_types = inits.iter().map(|init| body.ty(*init)).collect();
    new.n_regions = 1;
    let op = Builder::before(context, body, place).create(new);
    let block = body.append_block(body.regions(op)[0]);
    body.add_argument(block, body.ty(bounds[0]), location);
    let arguments: Vec<ValueId> = inits
        .iter()
        .map(|init| body.add_argument(block, body.ty(*init), location))
        .collect();
    let mut builder = Builder::at_end(context, body, block, location);
    let last = builder.operation(scf::Yield::NAME, &arguments, &[], &[]);
    (op, last)
}

/// Encloses a loop, and the operations before it from `first` on, in a loop of one iteration, so that they are one nest. The new
/// loop has the first `n_results` results of the inner one.
fn hold_together(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    first: Option<OperationId>,
    n_results: usize,
) -> OperationId {
    let Some(first) = first else {
        return op;
    };
    let mut inner: Vec<OperationId> = Vec::new();
    let mut next = Some(first);
    while let Some(now) = next {
        inner.push(now);
        next = body.next(now).filter(|_| now != op);
    }
    // Its results are the initial values if it does not run.
    let (lower, upper) = (body.operand(op, 0), body.operand(op, 1));
    let inits: Vec<ValueId> = body.operands(op).skip(3).take(n_results).collect();
    let mut builder = Builder::before(context, body, first);
    let index = builder.body.ty(lower);
    let one = constant(&mut builder, index, 1);
    let behind = binary(&mut builder, arith::Addi::NAME, lower, one);
    let end = binary(&mut builder, arith::Minsi::NAME, behind, upper);
    let (once, last) = loop_with(context, body, first, [lower, end, one], &inits);
    for moved in inner {
        body.move_before(last, moved);
    }
    for attribute in [NEST, BYPASS, PHASES, ROTATE, ROWS, SPACING, WAITS] {
        let attribute = context.name(attribute);
        if let Some(value) = body.attribute(op, attribute) {
            body.set_attribute(once, attribute, value);
        }
    }
    let made: Vec<ValueId> = body.results(op)[..n_results].to_vec();
    for (value, outside) in made.iter().zip(body.results(once).to_vec()) {
        body.replace_all_uses(*value, outside);
    }
    body.set_operands(last, &made);
    once
}
