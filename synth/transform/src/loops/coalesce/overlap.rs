//! Overlaps the last inner loop of an iteration with the first inner loop of the next iteration.
//!
//! `for q { for p { A(q, p) }; C(q); for p { B(q, p) } }` becomes `for q { for p { if q is not first { B(q - 1, p) }; A(q, p) };
//! C(q) }; for p { B(last, p) }`, if that keeps the accesses of every word in order. A simulation of all iterations at compile
//! time checks this. B may have fewer iterations than A in the next iteration. A value that B stores and A loads in the same
//! combined iteration is forwarded.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::sluice::ANY;
use sluice_dialects::{
    arith, memref, scf,
    synthesis_form::{guarded_access, guarded_division, is_division, is_guard},
};
use sluice_ir::{BlockId, Body, Builder, Context, OperationId, ValueId, View};

use super::iteration_shifter::{IterationShifter, operands_within};
use super::nest;
use crate::analysis::linear::{Linear, linear};
use crate::build::{SGE, SGT, SLT, binary, compare, constant, constant_i64, is_pure, name, select};
use crate::datapath::if_convert::guard_value;

/// Maximum number of accesses in all iterations of a loop that is simulated.
const MAX_ACCESSES: usize = 1 << 16;

/// Applies the transformation to every possible loop of a nest; returns whether there was one.
pub(super) fn overlap_loops(context: &Context, body: &mut Body, root: OperationId) -> bool {
    let loops: Vec<OperationId> = body.walk(root).into_iter().chain([root]).collect();
    let mut done = false;
    for op in loops.into_iter().rev() {
        if body.is_erased(op) || name(context, body, op) != scf::For::NAME {
            continue;
        }
        if let Some(plan) = plan(context, body, op)
            && keeps_order(context, body, &plan).unwrap_or(false)
        {
            move_in(context, body, &plan);
            done = true;
        }
    }
    done
}

/// A loop with its first and its last inner loop.
struct Plan {
    op: OperationId,
    first: OperationId,
    last: OperationId,
    lower: i64,
    upper: i64,
}

fn plan(context: &Context, body: &Body, op: OperationId) -> Option<Plan> {
    let number = |op, i: usize| constant_i64(context, body, body.operand(op, i));
    let (lower, upper) = (number(op, 0)?, number(op, 1)?);
    if number(op, 2)? != 1 || lower >= upper {
        return None;
    }
    let mut loops = Vec::new();
    for inner in body.operations(body.entry_block(op, 0)?) {
        let view = View::new(context, body, inner);
        match view.name() {
            scf::Yield::NAME | memref::Load::NAME | memref::Store::NAME => {}
            scf::For::NAME => loops.push(inner),
            _ if is_pure(view) || is_division(view) || is_guard(view) => {}
            _ => return None,
        }
    }
    let &[first, .., last] = loops.as_slice() else {
        return None;
    };
    let mut needed = operands_within(body, last).into_iter();
    if !body.results(last).is_empty()
        || number(first, 2)? != 1
        || number(last, 2)? != 1
        || needed.any(|value| !nest::is_free(context, body, op, value))
    {
        return None;
    }
    let moves = |inner: OperationId| {
        let view = View::new(context, body, inner);
        let is_access = |op| {
            matches!(
                name(context, body, op),
                memref::Load::NAME | memref::Store::NAME
            )
        };
        is_access(inner) || guarded_access(view).is_some_and(is_access) || {
            is_pure(view) && !is_guard(view) || view.name() == scf::Yield::NAME
        }
    };
    let mut inside = body.operations(body.entry_block(last, 0)?);
    inside.all(moves).then_some(Plan {
        op,
        first,
        last,
        lower,
        upper,
    })
}

/// For each access and counter values: the memory, the address, and how often the word was written before.
type Meetings = BTreeMap<(OperationId, Vec<i64>), (usize, i64, usize)>;

/// Returns whether every access still sees the same previous writes.
fn keeps_order(context: &Context, body: &Body, plan: &Plan) -> Option<bool> {
    let mut simulator = StepSimulator {
        context,
        body,
        counters: BTreeMap::new(),
        memories: Vec::new(),
        outside: BTreeMap::new(),
        written: BTreeMap::new(),
        meetings: Meetings::new(),
    };
    let (lower, upper) = (plan.lower, plan.upper);
    let counter = |op| body.arguments(body.entry_block(op, 0).expect("a loop has a body"))[0];
    let ops: Vec<OperationId> = body.operations(body.entry_block(plan.op, 0)?).collect();
    for at in lower..upper {
        simulator.counters.insert(counter(plan.op), at);
        for op in &ops {
            simulator.run_operation(*op)?;
        }
    }
    let before = std::mem::take(&mut simulator.meetings);
    simulator.written.clear();
    let mut left = 0..0;
    for at in lower..upper {
        simulator.counters.insert(counter(plan.op), at);
        for op in &ops {
            if *op == plan.last {
                continue;
            }
            if *op != plan.first {
                simulator.run_operation(*op)?;
                continue;
            }
            let places = simulator.range(plan.first)?;
            if !left.is_empty() && (left.start < places.start || left.end > places.end) {
                return Some(false);
            }
            for place in places {
                if left.contains(&place) {
                    simulator.counters.insert(counter(plan.op), at - 1);
                    simulator.run_once(plan.last, place)?;
                    simulator.counters.insert(counter(plan.op), at);
                }
                simulator.run_once(plan.first, place)?;
            }
        }
        left = simulator.range(plan.last)?;
    }
    simulator.run(plan.last)?;
    Some(before == simulator.meetings)
}

struct StepSimulator<'a> {
    context: &'a Context,
    body: &'a Body,
    counters: BTreeMap<ValueId, i64>,
    memories: Vec<ValueId>,
    /// The invariant part of the addresses of a memory, which must be the same in all of them.
    outside: BTreeMap<usize, Linear>,
    /// The number of writes to each word so far.
    written: BTreeMap<(usize, i64), usize>,
    meetings: Meetings,
}

impl StepSimulator<'_> {
    fn bound(&self, op: OperationId, i: usize) -> Option<i64> {
        self.value(&linear(self.context, self.body, self.body.operand(op, i)))
    }

    /// Returns the counter values of a loop with step 1.
    fn range(&self, op: OperationId) -> Option<std::ops::Range<i64>> {
        Some(self.bound(op, 0)?..self.bound(op, 1)?)
    }

    /// Simulates a loop with its body; `None` if a bound or an address is unknown.
    fn run(&mut self, op: OperationId) -> Option<()> {
        let (mut at, upper, step) = (self.bound(op, 0)?, self.bound(op, 1)?, self.bound(op, 2)?);
        while at < upper {
            self.run_once(op, at)?;
            at = at.checked_add(step.max(1))?;
        }
        Some(())
    }

    fn run_once(&mut self, op: OperationId, at: i64) -> Option<()> {
        let block = self.body.entry_block(op, 0)?;
        self.counters.insert(self.body.arguments(block)[0], at);
        for inner in self.body.operations(block) {
            self.run_operation(inner)?;
        }
        Some(())
    }

    fn run_operation(&mut self, op: OperationId) -> Option<()> {
        let access = guarded_access(View::new(self.context, self.body, op));
        let inner = access.or_else(|| guarded_division(View::new(self.context, self.body, op)));
        let inner = inner.unwrap_or(op);
        match name(self.context, self.body, inner) {
            scf::For::NAME => self.run(inner)?,
            memref::Load::NAME => self.access(inner, 0)?,
            memref::Store::NAME => self.access(inner, 1)?,
            _ if self.body.regions(inner).is_empty() => {}
            _ => return None,
        }
        Some(())
    }

    /// Evaluates a linear form of counters.
    fn value(&self, form: &Linear) -> Option<i64> {
        form.terms
            .iter()
            .try_fold(form.constant, |sum, (value, factor)| {
                sum.checked_add(self.counters.get(value)?.checked_mul(*factor)?)
            })
    }

    /// Records an access; operand `at` is its memory, and the next one the address.
    fn access(&mut self, op: OperationId, at: usize) -> Option<()> {
        let memory = self.body.operand(op, at);
        let known = self.memories.iter().position(|known| *known == memory);
        let memory = known.unwrap_or_else(|| {
            self.memories.push(memory);
            self.memories.len() - 1
        });
        let form = linear(self.context, self.body, self.body.operand(op, at + 1));
        let mut outside = Linear {
            constant: 0,
            ..form.clone()
        };
        outside
            .terms
            .retain(|value, _| !self.counters.contains_key(value));
        let mut inside = form;
        inside
            .terms
            .retain(|value, _| self.counters.contains_key(value));
        let address = self.value(&inside)?;
        if *self
            .outside
            .entry(memory)
            .or_insert_with(|| outside.clone())
            != outside
        {
            return None;
        }
        let writes = at == 1;
        let times = self.written.entry((memory, address)).or_default();
        let met = (memory, address, *times);
        *times += usize::from(writes);
        let counters = self.counters_around(op);
        self.meetings.insert((op, counters), met);
        (self.meetings.len() <= MAX_ACCESSES).then_some(())
    }

    fn counters_around(&self, op: OperationId) -> Vec<i64> {
        let around = std::iter::successors(self.body.parent_operation(op), |op| {
            self.body.parent_operation(*op)
        });
        let counter = |op: OperationId| {
            let block = self.body.entry_block(op, 0)?;
            self.counters
                .get(self.body.arguments(block).first()?)
                .copied()
        };
        around.filter_map(counter).collect()
    }
}

fn move_in(context: &Context, body: &mut Body, plan: &Plan) {
    let mut shifter = IterationShifter {
        context,
        body,
        op: plan.op,
        passed: BTreeSet::new(),
    };
    let (counter, (lower, upper)) = (shifter.counter(), shifter.bounds());
    let before = shifter.add(plan.first, counter, -1);
    let mut values = BTreeMap::from([(counter, before)]);
    let bounds = [0, 1].map(|i| shifter.body.operand(plan.last, i));
    let of_both = bounds.map(|bound| {
        shifter.copy_free(plan.first, bound, &mut values);
        values.get(&bound).copied().unwrap_or(bound)
    });
    let block_of = |body: &Body, op| body.entry_block(op, 0).expect("a loop has a body");
    let (first, last) = (
        block_of(shifter.body, plan.first),
        block_of(shifter.body, plan.last),
    );
    let counters = [last, first].map(|block| shifter.body.arguments(block)[0]);
    let mut ops: Vec<OperationId> = shifter.body.operations(last).collect();
    ops.pop();
    let anchor = shifter
        .body
        .first_operation(first)
        .expect("a yield at least");
    let form = |body: &Body, value| linear(context, body, value);
    let differs = [0, 1].map(|i| {
        let own = shifter.body.operand(plan.first, i);
        form(shifter.body, own) != form(shifter.body, of_both[i])
    });
    let mut builder = Builder::before(context, shifter.body, anchor);
    let mut happens = compare(&mut builder, SGT, counter, lower);
    let sides = [(SGE, of_both[0]), (SLT, of_both[1])];
    for (predicate, bound) in sides
        .into_iter()
        .zip(differs)
        .filter_map(|(side, d)| d.then_some(side))
    {
        let inside = compare(&mut builder, predicate, counters[1], bound);
        happens = binary(&mut builder, arith::Andi::NAME, happens, inside);
    }
    values.insert(counters[0], counters[1]);
    shifter.copy(anchor, &ops, &mut values, Some(happens));
    hand_over(context, shifter.body, first, anchor, happens);
    let behind = shifter.body.next(plan.op).expect("a terminator");
    let of_last = shifter.add(behind, upper, -1);
    let mut values = BTreeMap::from([(counter, of_last)]);
    shifter.copy(behind, &[plan.last], &mut values, None);
    shifter.body.erase(plan.last);
}

/// Forwards values that the operations before `anchor` store if `happens` holds to later loads of the same words.
fn hand_over(
    context: &Context,
    body: &mut Body,
    block: BlockId,
    anchor: OperationId,
    happens: ValueId,
) {
    let ops: Vec<OperationId> = body.operations(block).collect();
    let at = ops.iter().position(|op| *op == anchor).unwrap_or(0);
    let (moved, own) = ops.split_at(at);
    for load in own.iter().copied() {
        if name(context, body, load) != memref::Load::NAME {
            continue;
        }
        let (memory, address) = (body.operand(load, 0), body.operand(load, 1));
        let mut stores = moved
            .iter()
            .filter(|op| writes(context, body, **op, memory));
        let (Some(shell), None) = (stores.next(), stores.next()) else {
            continue;
        };
        let store = guarded_access(View::new(context, body, *shell));
        let same = |store: &OperationId| {
            let form = |value| linear(context, body, value);
            let only_happens = body.operand(*shell, 0) == happens;
            only_happens && form(body.operand(*store, 2)) == form(address)
        };
        let Some(store) = store.filter(same) else {
            continue;
        };
        // A store of the first loop before the load is later than the moved store.
        let mut in_front = own.iter().take_while(|op| **op != load);
        if in_front.any(|op| writes(context, body, *op, memory)) {
            continue;
        }
        let value = body.operand(store, 0);
        let bit = context.integer_type(1);
        let mut builder = Builder::before(context, body, load);
        let one = constant(&mut builder, bit, -1);
        let reads = binary(&mut builder, arith::Xori::NAME, happens, one);
        guard_value(context, body, load, load, reads);
        let guard = body.parent_operation(load).expect("it was moved in");
        let any = context.unit_attribute();
        body.set_attribute(guard, context.name(ANY), any);
        let read = body.result(guard, 0);
        let users: Vec<(OperationId, usize)> = body.uses(read).collect();
        let next = body.next(guard).expect("a yield at least");
        let mut builder = Builder::before(context, body, next);
        let chosen = select(&mut builder, happens, value, read);
        for (user, operand) in users {
            body.set_operand(user, operand, chosen);
        }
    }
}

/// Returns whether an operation, or the access in a guard, stores to a memory.
fn writes(context: &Context, body: &Body, op: OperationId, memory: ValueId) -> bool {
    let access = guarded_access(View::new(context, body, op)).unwrap_or(op);
    name(context, body, access) == memref::Store::NAME && body.operand(access, 1) == memory
}
