//! `predict`: lets a loop whose index advances by small data-dependent steps run an iteration for every value of a counter.
//!
//! If the next index is the current one plus one or two, depending on the word read at the current index, an iteration cannot
//! start before that word is examined. After this pass, iterations run at `k`, `k + 1`, `k + 2`, ..., which are known early. An
//! iteration is effective only if its `k` equals the wanted index:
//!
//! * `wanted' = k == wanted ? next(k) : wanted`; other carried values are selected in the same way. Values computed from `k`
//!   alone, loads above all, leave the recurrence.
//! * Stores are predicated by `k == wanted`. Loads and divisions are not: their results for an address outside of a memory or a
//!   divisor of zero are never used (`sluice.speculated`).
//! * The loop ends in an effective iteration, and its results are those of that iteration.
//!
//! The result is always that of the original loop, because `k` reaches every number, including the wanted one. The price is an
//! iteration for each skipped number, so the pass only pays for small steps.
//!
//! Source: stride prediction of loop-carried values (Gabbay and Mendelson, "Using value prediction to increase the power of
//! speculative execution hardware", ACM TOCS 1998). Differs: a misprediction needs no recovery, because the following iterations
//! try the next numbers.

use std::collections::BTreeSet;

use sluice_dialects::arith;
use sluice_ir::{Body, Builder, Context, OperationId, Type, ValueId, View};

use crate::build::{EQ, binary, compare, constant, constant_of, select};
use crate::loops::speculate::{
    blocks, mark, obstacle, open_guarded_loads, pass_on, predicate_stores, widened,
};

/// Maximum step: each skipped number costs an iteration.
const MAX_STEP: i64 = 4;

/// Maximum number of different steps that the analysis tracks.
const MAX_STEPS: usize = 8;

/// Returns the `scf.while` loops with an index that advances by one of several small constants, each with the position of that
/// argument, in text order.
pub fn predictable_loops(context: &Context, body: &Body) -> Vec<(OperationId, usize)> {
    let loops = body.walk_all().into_iter();
    let loops = loops.filter(|op| obstacle(context, body, *op).is_none());
    loops
        .filter_map(|op| index(context, body, op).map(|index| (op, index)))
        .collect()
}

/// Transforms every predictable loop; returns their number.
pub fn predict(context: &Context, body: &mut Body) -> usize {
    let loops = predictable_loops(context, body);
    for (op, index) in &loops {
        run_at_every_value(context, body, *op, *index);
    }
    loops.len()
}

/// Returns the position of the argument of a loop that is a predictable index.
fn index(context: &Context, body: &Body, op: OperationId) -> Option<usize> {
    let [before, after] = blocks(body, op)?;
    let decided = body.last_operation(before)?;
    let forwarded: Vec<ValueId> = body.operands(decided).skip(1).collect();
    let yielded: Vec<ValueId> = body.operands(body.last_operation(after)?).collect();
    let in_first = |value: ValueId| {
        let arguments = body.arguments(after);
        let place = arguments.iter().position(|argument| *argument == value);
        place.map_or(value, |place| forwarded[place])
    };
    (0..yielded.len()).find(|i| {
        let start = body.arguments(before)[*i];
        let steps = Steps {
            context,
            body,
            start,
            in_first: &in_first,
        };
        let found = steps.beside_start(yielded[*i], 0).unwrap_or_default();
        found.len() > 1 && found.iter().all(|step| (1..=MAX_STEP).contains(step))
    })
}

/// Analysis of values relative to the index of an iteration.
struct Steps<'a> {
    context: &'a Context,
    body: &'a Body,
    start: ValueId,
    /// Maps an argument of the second block to its value in the first block.
    in_first: &'a dyn Fn(ValueId) -> ValueId,
}

/// Maximum length of a chain of operations that is followed.
const MAX_DEPTH: usize = 16;

type Numbers = Option<BTreeSet<i64>>;

impl Steps<'_> {
    fn maker(&self, value: ValueId) -> Option<View<'_>> {
        let op = self.body.defining_operation(value)?;
        Some(View::new(self.context, self.body, op))
    }

    /// Returns the possible differences between a value and the index.
    fn beside_start(&self, value: ValueId, depth: usize) -> Numbers {
        let value = (self.in_first)(value);
        if value == self.start {
            return Some(BTreeSet::from([0]));
        }
        let op = self.maker(value).filter(|_| depth < MAX_DEPTH)?;
        match op.name() {
            arith::Select::NAME => union(
                self.beside_start(op.operand(1), depth + 1)?,
                self.beside_start(op.operand(2), depth + 1)?,
            ),
            arith::Addi::NAME => {
                let sum = |a: ValueId, b: ValueId| {
                    sums(
                        &self.beside_start(a, depth + 1)?,
                        &self.numbers(b, depth + 1)?,
                    )
                };
                sum(op.operand(0), op.operand(1)).or_else(|| sum(op.operand(1), op.operand(0)))
            }
            _ => None,
        }
    }

    /// Returns the constants that a value can be, if it is always one of a few.
    fn numbers(&self, value: ValueId, depth: usize) -> Numbers {
        let value = (self.in_first)(value);
        if let Some(number) = constant_of(self.context, self.body, value) {
            return Some(BTreeSet::from([number.to_i64()?]));
        }
        let op = self.maker(value).filter(|_| depth < MAX_DEPTH)?;
        match op.name() {
            arith::Select::NAME => union(
                self.numbers(op.operand(1), depth + 1)?,
                self.numbers(op.operand(2), depth + 1)?,
            ),
            arith::Addi::NAME => sums(
                &self.numbers(op.operand(0), depth + 1)?,
                &self.numbers(op.operand(1), depth + 1)?,
            ),
            arith::Extui::NAME if self.body.ty(op.operand(0)) == self.context.integer_type(1) => {
                Some(BTreeSet::from([0, 1]))
            }
            _ => None,
        }
    }
}

fn union(mut one: BTreeSet<i64>, other: BTreeSet<i64>) -> Numbers {
    one.extend(other);
    (one.len() <= MAX_STEPS).then_some(one)
}

fn sums(one: &BTreeSet<i64>, other: &BTreeSet<i64>) -> Numbers {
    let all = one
        .iter()
        .flat_map(|a| other.iter().map(|b| a.checked_add(*b)));
    let all = all.collect::<Option<BTreeSet<i64>>>()?;
    (all.len() <= MAX_STEPS).then_some(all)
}

fn run_at_every_value(context: &Context, body: &mut Body, op: OperationId, index: usize) {
    let [before, after] = blocks(body, op).expect("a loop that was judged has both");
    let needed: Vec<usize> = (0..body.results(op).len())
        .filter(|i| !body.is_unused(body.results(op)[*i]))
        .collect();
    let result_types: Vec<Type> = needed
        .iter()
        .map(|i| body.ty(body.results(op)[*i]))
        .collect();
    // The wanted index is carried too, and the results are extra results at the end.
    let wanted_first = body.operand(op, index);
    let made = widened(context, body, op, &[wanted_first], &result_types);
    let region = body.regions(op)[0];
    let to = body.regions(made)[0];
    body.move_blocks(region, to);
    let location = body.location(op);
    let carried: Vec<ValueId> = body.arguments(before).to_vec();
    let counter = carried[index];
    let wanted = body.add_argument(before, body.ty(counter), location);
    open_guarded_loads(context, body, before);
    open_guarded_loads(context, body, after);
    let first = body.operations(before).next();
    let first = first.expect("a loop has a condition");
    let mut builder = Builder::before(context, body, first);
    builder.location = location;
    let counts = compare(&mut builder, EQ, counter, wanted);
    predicate_stores(context, body, before, counts);
    let decided = body.last_operation(before).expect("a loop has a condition");
    let condition = body.operand(decided, 0);
    let forwarded: Vec<ValueId> = body.operands(decided).skip(1).collect();
    let mut builder = Builder::before(context, body, decided);
    builder.location = location;
    let bit = context.integer_type(1);
    let (yes, no) = (
        constant(&mut builder, bit, -1),
        constant(&mut builder, bit, 0),
    );
    // Selections instead of `and`: the condition computed in an ineffective iteration may be meaningless.
    let goes_on = select(&mut builder, counts, condition, yes);
    let is_followed = select(&mut builder, counts, condition, no);
    // Merges the second block into the first one.
    let arguments: Vec<ValueId> = body.arguments(after).to_vec();
    for (argument, value) in arguments.iter().zip(&forwarded) {
        body.replace_all_uses(*argument, *value);
    }
    predicate_stores(context, body, after, is_followed);
    let last = body.last_operation(after).expect("a loop yields");
    let next: Vec<ValueId> = body.operands(last).collect();
    for inner in body.operations(after).collect::<Vec<_>>() {
        if inner != last {
            body.move_before(decided, inner);
        }
    }
    let mut builder = Builder::before(context, body, decided);
    builder.location = location;
    let ty = builder.body.ty(counter);
    let one = constant(&mut builder, ty, 1);
    let mut passed: Vec<ValueId> = Vec::new();
    for (i, (value, kept)) in next.iter().zip(&carried).enumerate() {
        passed.push(match i == index {
            true => binary(&mut builder, arith::Addi::NAME, counter, one),
            false => select(&mut builder, counts, *value, *kept),
        });
    }
    passed.push(select(&mut builder, counts, next[index], wanted));
    let n_carried = passed.len();
    passed.extend(needed.iter().map(|i| forwarded[*i]));
    let operands: Vec<ValueId> = std::iter::once(goes_on)
        .chain(passed.iter().copied())
        .collect();
    body.set_operands(decided, &operands);
    pass_on(context, body, made, &passed, n_carried);
    mark(context, body, before);
    for (place, i) in needed.iter().enumerate() {
        let (old, new) = (body.results(op)[*i], body.results(made)[n_carried + place]);
        body.replace_all_uses(old, new);
    }
    body.erase(op);
}
