//! The last loop of an iteration, run while the first one of the next iteration runs: its steps are parts of the other's.
//!
//! `for q { for p { A(q, p) }; for p { B(q, p) } }` becomes `for q { for p { if q is not first { B(q - 1, p) }; A(q, p) } }; for p { B(last,
//! p) }`, where that keeps the accesses of every cell in order. All iterations are run at compile time to see it.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::synthesis_form::{guarded_access, is_guard};
use sluice_ir::{Body, Builder, Context, OperationId, ValueId, View};

use super::rotator::Rotator;
use crate::build::{SGT, compare, constant_i64, is_pure, name};
use crate::linear::{Linear, linear};

/// More accesses than this in all iterations of a loop are not looked at.
const MOST_ACCESSES: usize = 1 << 16;

/// Does so in every loop of a nest where it is possible; whether there was any.
pub(super) fn overlap_loops(context: &Context, body: &mut Body, root: OperationId) -> bool {
    let loops: Vec<OperationId> = body.walk(root).into_iter().chain([root]).collect();
    let mut done = false;
    for op in loops.into_iter().rev() {
        if body.is_erased(op) || name(context, body, op) != "scf.for" {
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

/// A loop with the first and the last of the loops in it, which have the same iterations.
struct Plan {
    op: OperationId,
    first: OperationId,
    last: OperationId,
    bounds: Bounds,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Bounds {
    lower: i64,
    upper: i64,
    step: i64,
}

fn bounds(context: &Context, body: &Body, op: OperationId) -> Option<Bounds> {
    let number = |i: usize| constant_i64(context, body, body.operand(op, i));
    let bounds = Bounds {
        lower: number(0)?,
        upper: number(1)?,
        step: number(2)?,
    };
    (bounds.step > 0 && bounds.lower < bounds.upper).then_some(bounds)
}

fn plan(context: &Context, body: &Body, op: OperationId) -> Option<Plan> {
    let own = bounds(context, body, op).filter(|own| own.step == 1)?;
    let carries = |op: OperationId| !body.results(op).is_empty();
    let mut loops = Vec::new();
    for inner in body.operations(body.entry_block(op, 0)?) {
        match name(context, body, inner) {
            "scf.yield" => {}
            "scf.for" => loops.push(inner),
            _ if is_pure(View::new(context, body, inner)) => {}
            _ => return None,
        }
    }
    let &[first, last] = loops.as_slice() else {
        return None;
    };
    let bounds_of_both = bounds(context, body, first)?;
    if bounds(context, body, last) != Some(bounds_of_both)
        || [op, first, last].into_iter().any(carries)
    {
        return None;
    }
    let moves = |inner: OperationId| {
        let view = View::new(context, body, inner);
        let is_access = |op| matches!(name(context, body, op), "memref.load" | "memref.store");
        is_access(inner) || guarded_access(view).is_some_and(is_access) || {
            is_pure(view) && !is_guard(view) || view.name() == "scf.yield"
        }
    };
    let mut inside = body.operations(body.entry_block(last, 0)?);
    inside.all(moves).then_some(Plan {
        op,
        first,
        last,
        bounds: own,
    })
}

/// One access with the counters at its time, and what it meets: how often its cell was written before.
type Meetings = BTreeMap<(OperationId, Vec<i64>), (usize, i64, usize)>;

/// Whether every access meets the same writes before as it did.
fn keeps_order(context: &Context, body: &Body, plan: &Plan) -> Option<bool> {
    let mut walker = Walker {
        context,
        body,
        counters: BTreeMap::new(),
        memories: Vec::new(),
        outside: BTreeMap::new(),
        written: BTreeMap::new(),
        meetings: Meetings::new(),
    };
    let Bounds { lower, upper, .. } = plan.bounds;
    let counter = |op| body.arguments(body.entry_block(op, 0).expect("a loop has a body"))[0];
    for at in lower..upper {
        walker.counters.insert(counter(plan.op), at);
        walker.run(plan.first)?;
        walker.run(plan.last)?;
    }
    let before = std::mem::take(&mut walker.meetings);
    walker.written.clear();
    let inner = bounds(context, body, plan.first)?;
    for at in lower..=upper {
        let mut place = inner.lower;
        while place < inner.upper {
            if at > lower {
                walker.counters.insert(counter(plan.op), at - 1);
                walker.run_once(plan.last, place)?;
            }
            if at < upper {
                walker.counters.insert(counter(plan.op), at);
                walker.run_once(plan.first, place)?;
            }
            place += inner.step;
        }
    }
    Some(before == walker.meetings)
}

struct Walker<'a> {
    context: &'a Context,
    body: &'a Body,
    counters: BTreeMap<ValueId, i64>,
    memories: Vec<ValueId>,
    /// What of the addresses of a memory is made outside: the same in all of them.
    outside: BTreeMap<usize, Linear>,
    /// How often each cell was written.
    written: BTreeMap<(usize, i64), usize>,
    meetings: Meetings,
}

impl Walker<'_> {
    /// Runs a loop with everything in it; `None` if a bound or an address is not known.
    fn run(&mut self, op: OperationId) -> Option<()> {
        let number = |this: &Self, i: usize| {
            this.value(&linear(this.context, this.body, this.body.operand(op, i)))
        };
        let (mut at, upper, step) = (number(self, 0)?, number(self, 1)?, number(self, 2)?);
        while at < upper {
            self.run_once(op, at)?;
            at += step;
        }
        Some(())
    }

    fn run_once(&mut self, op: OperationId, at: i64) -> Option<()> {
        let block = self.body.entry_block(op, 0)?;
        self.counters.insert(self.body.arguments(block)[0], at);
        for inner in self.body.operations(block) {
            let access = guarded_access(View::new(self.context, self.body, inner));
            let inner = access.unwrap_or(inner);
            match name(self.context, self.body, inner) {
                "scf.for" => self.run(inner)?,
                "memref.load" => self.access(inner, 0)?,
                "memref.store" => self.access(inner, 1)?,
                _ if self.body.regions(inner).is_empty() => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The value of a form of counters alone.
    fn value(&self, form: &Linear) -> Option<i64> {
        form.terms
            .iter()
            .try_fold(form.constant, |sum, (value, factor)| {
                sum.checked_add(self.counters.get(value)?.checked_mul(*factor)?)
            })
    }

    /// Notes an access; its memory is operand `at`, and the address follows.
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
        (self.meetings.len() <= MOST_ACCESSES).then_some(())
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
    let mut rotator = Rotator {
        context,
        body,
        op: plan.op,
        passed: BTreeSet::new(),
    };
    let (counter, (lower, upper)) = (rotator.counter(), rotator.bounds());
    let before = rotator.add(plan.first, counter, -1);
    let mut builder = Builder::before(context, rotator.body, plan.first);
    let is_later = compare(&mut builder, SGT, counter, lower);
    let block_of = |body: &Body, op| body.entry_block(op, 0).expect("a loop has a body");
    let (first, last) = (
        block_of(rotator.body, plan.first),
        block_of(rotator.body, plan.last),
    );
    let counters = [last, first].map(|block| rotator.body.arguments(block)[0]);
    let mut ops: Vec<OperationId> = rotator.body.operations(last).collect();
    ops.pop();
    let anchor = rotator
        .body
        .first_operation(first)
        .expect("a yield at least");
    let mut values = BTreeMap::from([(counter, before), (counters[0], counters[1])]);
    rotator.copy(anchor, &ops, &mut values, Some(is_later));
    let behind = rotator.body.next(plan.op).expect("a terminator");
    let of_last = rotator.add(behind, upper, -1);
    let mut values = BTreeMap::from([(counter, of_last)]);
    rotator.copy(behind, &[plan.last], &mut values, None);
    rotator.body.erase(plan.last);
}
