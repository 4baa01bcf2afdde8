//! Rotation of loops: what stands in front of the inner loops of an iteration is computed an iteration ahead, what stands behind
//! them an iteration later. Its latency then passes while an inner loop runs.
//!
//! Source: software pipelining of outer loops by loop rotation, K. Muthukumar, G. Doshi, "Software Pipelining of Nested Loops",
//! CC 2001. Differs: done on the loops before they become one, so that the schedule sees one more carried value only.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::{ANY, guarded_access, is_division, is_guard};
use sluice_ir::{BlockId, Body, Builder, Context, OperationId, ValueDefinition, ValueId, View};

use super::Limits;
use super::nest::{self, Bound, Child, GroupIndex, LoopIndex, Nest};
use super::walk::iterations_between;
use crate::build::{
    binary, carry, compare, constant, constant_i64, is_pure, name, yield_more, yielded,
};
use crate::if_convert::{guard_store, guard_value};
use crate::inline::copy_within;
use crate::linear::is_invariant;

/// `arith.cmpi` predicates.
const SLT: i64 = 2;
const SGT: i64 = 4;

/// Which of the two is wanted.
#[derive(Clone, Copy)]
pub(super) struct Rotation {
    /// What stands in front of inner loops comes an iteration ahead: in front of them, or behind them together with what stands there.
    pub(super) ahead: Option<End>,
    /// What stands behind them comes an iteration later.
    pub(super) later: bool,
}

/// An end of the body of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Front,
    Back,
}

/// A loop and what of its body moves to another iteration.
struct Plan {
    op: OperationId,
    ahead: Vec<OperationId>,
    later: Vec<OperationId>,
}

/// Rotates the loops of a nest where that keeps every access in order; returns the outermost loop, which may be a new one, and
/// whether anything comes ahead, and later.
pub(super) fn rotate(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    limits: &Limits,
    wanted: Rotation,
) -> (OperationId, bool, bool) {
    let Some(nest) = nest::read(context, body, root, limits) else {
        return (root, false, false);
    };
    let plans: Vec<Plan> = (0..nest.loops.len())
        .filter_map(|index| plan(context, body, root, &nest, index, wanted))
        .collect();
    let mut root = root;
    let (mut ahead, mut later) = (false, false);
    // From the inside out: operations of outer plans stay where they are.
    for plan in plans.into_iter().rev() {
        let was_root = plan.op == root;
        let mut rotator = Rotator {
            context,
            body,
            op: plan.op,
            passed: BTreeSet::new(),
        };
        ahead |= !plan.ahead.is_empty();
        later |= !plan.later.is_empty();
        if !plan.later.is_empty() {
            rotator.put_off(&plan.later);
        }
        if let (false, Some(end)) = (plan.ahead.is_empty(), wanted.ahead) {
            rotator.take_ahead(&plan.ahead, end);
        }
        if was_root {
            root = rotator.op;
        }
    }
    (root, ahead, later)
}

fn plan(
    context: &Context,
    body: &Body,
    root: OperationId,
    nest: &Nest,
    index: LoopIndex,
    wanted: Rotation,
) -> Option<Plan> {
    let node = &nest.loops[index];
    let (op, _) = node.source?;
    let first = node.children.iter().position(is_loop)?;
    let last = node.children.iter().rposition(is_loop)?;
    let ops = |children: &[Child]| -> Vec<OperationId> {
        let groups = children.iter().filter_map(|child| match child {
            Child::Group(group) => Some(*group),
            Child::Loop(_) => None,
        });
        let of = |group: GroupIndex| nest.groups[group].ops.clone();
        groups.flat_map(of).collect()
    };
    let (front, back) = (
        ops(&node.children[..first]),
        ops(&node.children[last + 1..]),
    );
    let reader = Reader {
        context,
        body,
        root,
        block: body.entry_block(op, 0)?,
    };
    let counts = matches!(node.lower, Bound::Value(_)) && node.step == 1;
    let mut ahead = match wanted.ahead.is_some() && counts {
        true => reader.movable_ahead(&front),
        false => Vec::new(),
    };
    let mut later = match wanted.later && counts && reader.can_be_put_off(op, &back) {
        true => back,
        false => Vec::new(),
    };
    if ahead.is_empty() && later.is_empty() {
        return None;
    }
    let between = iterations_between(context, body, root, nest, index)?;
    let inside: BTreeSet<OperationId> = body.walk(op).into_iter().collect();
    let apart = |a: OperationId, b: OperationId| between.get(&(a, b)).copied().unwrap_or(u64::MAX);
    let accesses = |ops: &[OperationId]| -> BTreeSet<OperationId> {
        let inner = ops.iter().map(|op| {
            let view = View::new(context, body, *op);
            guarded_access(view).unwrap_or(*op)
        });
        inner.collect()
    };
    // A value read behind a store stays behind it.
    let moved = accesses(&later);
    let keeps_order = moved.iter().all(|moved_op| {
        let mut others = inside.iter().filter(|other| !moved.contains(other));
        others.all(|other| apart(*moved_op, *other) > 1)
    });
    if !keeps_order {
        later.clear();
    }
    let moved = accesses(&ahead);
    let least = 1 + u64::from(!later.is_empty());
    let keeps_order = moved.iter().all(|moved_op| {
        let mut others = inside.iter();
        others.all(|other| apart(*other, *moved_op) > least)
    });
    if !keeps_order {
        ahead.clear();
    }
    let any = !ahead.is_empty() || !later.is_empty();
    any.then_some(Plan { op, ahead, later })
}

fn is_loop(child: &Child) -> bool {
    matches!(child, Child::Loop(_))
}

/// Questions on the body of one loop.
struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
    root: OperationId,
    block: BlockId,
}

impl Reader<'_> {
    fn view(&self, op: OperationId) -> View<'_> {
        View::new(self.context, self.body, op)
    }

    fn is_free(&self, value: ValueId) -> bool {
        nest::is_free(self.context, self.body, self.root, value, 0)
    }

    /// Whether a value is made in the loop, in an iteration of it.
    fn is_local(&self, value: ValueId) -> bool {
        let block = match self.body.value_definition(value) {
            ValueDefinition::Argument { block, .. } => Some(block),
            ValueDefinition::Result { operation, .. } => self.body.parent_block(operation),
        };
        block == Some(self.block)
    }

    /// The operations in front that need nothing of this iteration but its number: reads and what is computed from them.
    fn movable_ahead(&self, front: &[OperationId]) -> Vec<OperationId> {
        let mut movable: Vec<OperationId> = Vec::new();
        for op in front {
            let view = self.view(*op);
            let reads = view.name() == "memref.load" || is_guarded_load(view);
            let known = |value: ValueId| {
                let maker = self.body.defining_operation(value);
                !self.is_local(value)
                    || self.is_free(value)
                    || maker.is_some_and(|maker| movable.contains(&maker))
            };
            let all_known = operands_within(self.body, *op).into_iter().all(known);
            if (reads || is_pure(view)) && !is_division(view) && all_known {
                movable.push(*op);
            }
        }
        movable
    }

    /// Whether what stands behind the inner loops gives nothing to the next iteration.
    fn can_be_put_off(&self, op: OperationId, back: &[OperationId]) -> bool {
        let stores = |op: &OperationId| {
            let view = self.view(*op);
            view.name() == "memref.store"
                || guarded_access(view).is_some_and(|op| self.view(op).name() == "memref.store")
        };
        let is_simple = |op: &OperationId| {
            let view = self.view(*op);
            let access = stores(op) || view.name() == "memref.load" || is_guarded_load(view);
            !is_division(view) && (access || is_pure(view) && !is_guard(view))
        };
        let yields = yielded(self.body, op, 0);
        let is_yielded = |op: &OperationId| {
            let results = self.body.results(*op);
            results.iter().any(|result| yields.contains(result))
        };
        back.iter().any(stores) && back.iter().all(is_simple) && !back.iter().any(is_yielded)
    }
}

fn is_guarded_load(view: View<'_>) -> bool {
    let access = guarded_access(view);
    access.is_some_and(|op| name(view.context, view.body, op) == "memref.load")
}

/// Operands of an operation and of what is in it that are made outside of it.
fn operands_within(body: &Body, op: OperationId) -> Vec<ValueId> {
    let inside: BTreeSet<OperationId> = body.walk(op).into_iter().chain([op]).collect();
    let operands = inside.iter().flat_map(|op| body.operands(*op));
    let made_inside = |value: &ValueId| {
        let maker = body.defining_operation(*value);
        maker.is_some_and(|maker| inside.contains(&maker))
    };
    operands.filter(|value| !made_inside(value)).collect()
}

struct Rotator<'a> {
    context: &'a Context,
    body: &'a mut Body,
    op: OperationId,
    /// Pure operations between the place of the first iteration's values and the loop, which these values need.
    passed: BTreeSet<OperationId>,
}

impl Rotator<'_> {
    fn block(&self) -> BlockId {
        self.body
            .entry_block(self.op, 0)
            .expect("a loop has a body")
    }

    fn counter(&self) -> ValueId {
        self.body.arguments(self.block())[0]
    }

    fn bounds(&self) -> (ValueId, ValueId) {
        (self.body.operand(self.op, 0), self.body.operand(self.op, 1))
    }

    fn add(&mut self, anchor: OperationId, value: ValueId, number: i64) -> ValueId {
        let ty = self.body.ty(value);
        let known = constant_i64(self.context, self.body, value);
        let mut builder = Builder::before(self.context, self.body, anchor);
        match known.and_then(|known| known.checked_add(number)) {
            Some(sum) => constant(&mut builder, ty, sum),
            None => {
                let number = constant(&mut builder, ty, number);
                binary(&mut builder, "arith.addi", value, number)
            }
        }
    }

    /// Whether the loop has an iteration; `None` if it surely has.
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

    /// Copies operations in front of `anchor`, with what free values they need; accesses happen under the condition.
    fn copy(
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
            let made = copy_within(self.context, self.body, *op, values);
            self.body.insert_before(anchor, made);
            if let Some(condition) = condition {
                self.guard(*op, made, condition, values);
            }
        }
    }

    fn copy_free(
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
        let made = copy_within(self.context, self.body, maker, values);
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
            "memref.load" => {
                guard_value(self.context, self.body, made, made, condition);
                let guard = self.body.parent_operation(made).expect("it was moved in");
                let any = self.context.unit_attribute();
                self.body.set_attribute(guard, self.context.name(ANY), any);
                let result = self.body.result(original, 0);
                values.insert(result, self.body.result(guard, 0));
            }
            "memref.store" => guard_store(self.context, self.body, made, made, condition),
            _ if is_guard(View::new(self.context, self.body, made)) => {
                let own = self.body.operand(made, 0);
                let mut builder = Builder::before(self.context, self.body, made);
                let both = binary(&mut builder, "arith.andi", own, condition);
                self.body.set_operand(made, 0, both);
            }
            _ => {}
        }
    }

    /// Each iteration computes what the next one needs; the first one's is computed in front of the loop.
    fn take_ahead(&mut self, ops: &[OperationId], end: End) {
        let results: Vec<ValueId> = ops
            .iter()
            .flat_map(|op| self.body.results(*op).to_vec())
            .filter(|result| {
                let mut users = self.body.uses(*result);
                users.any(|(user, _)| !ops.contains(&self.outermost(user)))
            })
            .collect();
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
            End::Back => self.body.last_operation(block),
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

    /// The operation of the loop's own block that holds an operation.
    fn outermost(&self, op: OperationId) -> OperationId {
        let mut op = op;
        while self.body.parent_block(op) != Some(self.block()) {
            match self.body.parent_operation(op) {
                Some(parent) => op = parent,
                None => return op,
            }
        }
        op
    }

    /// Where the first iteration's values are computed: in front of loops that stand before this one and write nothing they read.
    fn front_anchor(&mut self, ops: &[OperationId]) -> OperationId {
        let memories: BTreeSet<ValueId> = ops
            .iter()
            .flat_map(|op| self.body.walk(*op).into_iter().chain([*op]))
            .filter(|op| name(self.context, self.body, *op) == "memref.load")
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
            let writes = self.body.walk(op).into_iter().chain([op]).any(|op| {
                name(self.context, self.body, op) == "memref.store"
                    && memories.contains(&self.body.operand(op, 1))
            });
            if writes {
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
            if name(self.context, self.body, op) == "scf.for" {
                anchor = op;
            }
            before = self.body.previous(op);
        }
        anchor
    }

    /// Each iteration does what the one before left over; the last one's is done behind the loop.
    fn put_off(&mut self, ops: &[OperationId]) {
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
            .map(|value| {
                let ty = self.body.ty(*value);
                let mut builder = Builder::before(self.context, self.body, self.op);
                let zero = constant(&mut builder, ty, 0);
                let maker = self.body.defining_operation(zero).expect("a constant");
                let any = self.context.unit_attribute();
                self.body.set_attribute(maker, self.context.name(ANY), any);
                zero
            })
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

    /// Adds the values of an iteration that `value` needs: itself, unless it is a function of the counter alone.
    fn hold(&self, value: ValueId, ops: &[OperationId], held: &mut Vec<ValueId>) {
        let maker = self.body.defining_operation(value);
        let is_counter = value == self.counter();
        let made_later = maker.is_some_and(|op| ops.contains(&op));
        if is_counter || made_later || held.contains(&value) {
            return;
        }
        if is_invariant(self.body, self.op, value) {
            return;
        }
        let depth = 0;
        if nest::is_free(self.context, self.body, self.op, value, depth) {
            return;
        }
        held.push(value);
    }
}
