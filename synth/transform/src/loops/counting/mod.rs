//! `uplift-while-to-for`: converts counting `scf.while` loops to `scf.for`, which dependence, bound and trip count analyses
//! understand.
//!
//! The condition compares a value with an invariant limit, and the value advances by a constant. Its initial value and the limit
//! give the bounds in `index`, which has at least as many bits, so that nothing wraps if the loop terminates at all. With `x` for
//! the first tested value:
//!
//! * up by `c`, while it is below the limit: `for v = x to limit step c`;
//! * down by `c`, while it is above the limit: `for k = 0 to ceil((x - limit) / c)`, with `v = x - c * k`;
//! * down by 1, if `x - limit` may not fit in `index`: `for k = -1 - x to -1 - limit`, with `v = -1 - k`;
//! * by 1 until it equals the limit: `for k = 0 to (limit - x) mod 2^w`, with `v = x + k`, or down in the same way.
//!
//! Code before the test runs once more than the body. A body that precedes the test runs at least once.

mod index;
mod read;

use std::collections::BTreeMap;

use sluice_dialects::sluice::SPECULATE;
use sluice_dialects::{arith, scf};
use sluice_ir::{
    BlockId, Body, Builder, Context, Exact, NewOperation, OperationId, Type, ValueId, View,
};

use self::index::Index;
use self::read::{Count, End, Shape, block, read};
use crate::analysis::linear::is_invariant;
use crate::build::{all_named, anything, constant_of, is_pure, yielded};

/// Converts all counting `while` loops, innermost first.
pub fn uplift_while(context: &Context, body: &mut Body) {
    for op in all_named(context, body, scf::While::NAME).into_iter().rev() {
        if body.attribute_named(context, op, SPECULATE).is_some() {
            continue;
        }
        let is_number = |ty: Type| ty.is_index(context) || ty.is_signless_integer(context);
        let are_numbers = body
            .results(op)
            .iter()
            .all(|result| is_number(body.ty(*result)));
        if let Some(count) = read(context, body, op)
            && (are_numbers || count.shape == Shape::TestsFirst)
        {
            let ty = body.ty(body.operand(op, count.slot));
            let uplift = Uplift { context, op, ty };
            uplift.rewrite(body, &count);
        }
    }
}

/// The bounds of the new loop, and the counter as a function of its variable.
struct Bounds {
    lower: Index,
    upper: Index,
    step: Exact,
    /// The counter is `base + factor * variable`, in its own width.
    base: Index,
    factor: Exact,
    /// For a loop that tests first: the value of the variable after the last iteration.
    last: Index,
}

struct Uplift<'a> {
    context: &'a Context,
    op: OperationId,
    /// Type of the counter.
    ty: Type,
}

impl Uplift<'_> {
    fn rewrite(&self, body: &mut Body, count: &Count) {
        let (context, op) = (self.context, self.op);
        let (first, second) = (block(body, op, 0), block(body, op, 1));
        self.hoist(body, count.limit);
        let passed = yielded(body, op, 0).split_off(1);
        let next = yielded(body, op, 1);
        // Values carried besides the counter, and results of the last body execution that are not carried.
        let others: Vec<usize> = (0..body.n_operands(op))
            .filter(|i| *i != count.slot)
            .collect();
        let mut results: Vec<Given> = Vec::new();
        let mut besides: Vec<usize> = Vec::new();
        for (i, value) in passed.iter().enumerate() {
            let argument = body.arguments(second)[i];
            let place = others.iter().position(|slot| next[*slot] == argument);
            results.push(match place {
                _ if body.is_unused(body.result(op, i)) => Given::Nothing,
                _ if is_invariant(body, op, *value) => Given::Outside(*value),
                _ if count.shape == Shape::TestsFirst => Given::Computed,
                Some(place) => Given::Result(place),
                None => {
                    besides.push(i);
                    Given::Result(others.len() + besides.len() - 1)
                }
            });
        }
        let mut builder = Builder::before(context, body, op);
        let bounds = self.bounds(&mut builder, count);
        let operands = [&bounds.lower, &bounds.upper, &Index::Constant(bounds.step)];
        let mut new = NewOperation::new(context.operation_name(scf::For::NAME), builder.location);
        new.operands = operands
            .map(|index| index.value(&mut builder))
            .into_iter()
            .collect();
        for slot in &others {
            let initial = builder.body.operand(op, *slot);
            new.operands.push(initial);
        }
        for i in &besides {
            let ty = builder.body.ty(passed[*i]);
            let anything = anything(&mut builder, ty);
            new.operands.push(anything);
        }
        new.result_types = new.operands[3..]
            .iter()
            .map(|v| builder.body.ty(*v))
            .collect();
        new.attributes = builder.body.attributes(op).to_vec();
        new.n_regions = 1;
        let made = builder.create(new);

        let region = body.regions(made)[0];
        let repeated = body.append_block(region);
        let location = body.location(made);
        let variable = body.add_argument(repeated, context.index_type(), location);
        let arguments = body.arguments(first).to_vec();
        let counter = arguments[count.slot];
        body.set_value_name(variable, body.value_name(counter));
        let mut carried = Vec::new();
        for value in body.operands(made).skip(3).collect::<Vec<_>>() {
            let ty = body.ty(value);
            carried.push(body.add_argument(repeated, ty, location));
        }
        let mut builder = Builder::at_end(context, body, repeated, location);
        let now = self.counter(&mut builder, &bounds, &Index::Value(variable));
        body.replace_all_uses(counter, now);
        for (slot, argument) in others.iter().zip(&carried) {
            body.set_value_name(*argument, body.value_name(arguments[*slot]));
            body.replace_all_uses(arguments[*slot], *argument);
        }
        // A value passed on may have been an argument, so it is read only now.
        let passed = yielded(body, op, 0).split_off(1);
        move_to(body, first, repeated);
        for (argument, value) in body.arguments(second).to_vec().into_iter().zip(&passed) {
            body.replace_all_uses(argument, *value);
        }
        let next = yielded(body, op, 1);
        move_to(body, second, repeated);
        let mut given: Vec<ValueId> = others.iter().map(|slot| next[*slot]).collect();
        given.extend(besides.iter().map(|i| passed[*i]));
        let mut builder = Builder::at_end(context, body, repeated, location);
        builder.operation(scf::Yield::NAME, &given, &[], &[]);

        // After the loop, the code from before the test is computed once more.
        let mut last = BTreeMap::new();
        last.extend(carried.into_iter().zip(body.results(made).to_vec()));
        for (given, value) in results.iter().zip(&passed) {
            if matches!(given, Given::Computed) {
                self.compute_again(body, *value, (made, now, &bounds), &mut last);
            }
        }
        for (i, given) in results.into_iter().enumerate() {
            let result = body.result(op, i);
            let value = match given {
                Given::Nothing => continue,
                Given::Outside(value) => value,
                Given::Computed => last.get(&passed[i]).copied().unwrap_or(passed[i]),
                Given::Result(place) => body.result(made, place),
            };
            body.replace_all_uses(result, value);
        }
        let condition = yielded(body, op, 0)[0];
        body.erase(op);
        erase_unused(context, body, condition);
        erase_unused(context, body, next[count.slot]);
    }

    /// Recomputes a value of the loop after the loop; `last` maps values to those already available there.
    fn compute_again(
        &self,
        body: &mut Body,
        value: ValueId,
        (made, counter, bounds): (OperationId, ValueId, &Bounds),
        last: &mut BTreeMap<ValueId, ValueId>,
    ) {
        if last.contains_key(&value) {
            return;
        }
        if value == counter {
            let mut builder = Builder::before(self.context, body, self.op);
            let counter = self.counter(&mut builder, bounds, &bounds.last);
            last.insert(value, counter);
            return;
        }
        let definition = body.defining_operation(value);
        let inside = definition.filter(|op| body.parent_operation(*op) == Some(made));
        let Some(definition) = inside else { return };
        for operand in body.operands(definition).collect::<Vec<_>>() {
            self.compute_again(body, operand, (made, counter, bounds), last);
        }
        let copy = body.copy(self.context, definition, last);
        body.insert_before(self.op, copy);
    }

    /// Moves the operations that compute a value to before the loop.
    fn hoist(&self, body: &mut Body, value: ValueId) {
        if is_invariant(body, self.op, value) {
            return;
        }
        let definition = body.defining_operation(value);
        let definition = definition.expect("what can move is computed");
        for operand in body.operands(definition).collect::<Vec<_>>() {
            self.hoist(body, operand);
        }
        body.move_before(self.op, definition);
    }

    /// Returns a value as `index`.
    fn widened(&self, builder: &mut Builder<'_>, value: ValueId, is_signed: bool) -> Index {
        if let Some(bits) = constant_of(self.context, builder.body, value) {
            return Index::Constant(match is_signed {
                true => Exact::signed(&bits),
                false => Exact::unsigned(&bits),
            });
        }
        let index = self.context.index_type();
        let cast = match is_signed {
            true => arith::IndexCast::NAME,
            false => arith::IndexCastui::NAME,
        };
        Index::Value(crate::build::convert(builder, cast, value, index))
    }

    fn bounds(&self, builder: &mut Builder<'_>, count: &Count) -> Bounds {
        let first = builder.body.operand(self.op, count.slot);
        let first = self.moved(builder, first, count.inner_offset);
        let n = |number: i64| Index::number(number);
        let (step, one) = (count.step, Exact::ONE);
        let is_first = count.shape == Shape::RunsFirst;
        if count.end == End::Equal {
            // The distance is computed in the width of the counter, where it wraps as the counter does.
            let (from, to) = match step.is_positive() {
                true => (first, count.limit),
                false => (count.limit, first),
            };
            let span = crate::build::binary(builder, arith::Subi::NAME, to, from);
            let span = self.widened(builder, span, false);
            let start = self.widened(builder, first, count.is_signed);
            let once_more = i64::from(is_first);
            return Bounds {
                lower: n(0),
                upper: span.plus(builder, &n(once_more)),
                step: one,
                base: start.minus(builder, &Index::Constant(count.inner_offset)),
                factor: step,
                last: span,
            };
        }
        let start = self.widened(builder, first, count.is_signed);
        let start = start.plus(builder, &Index::Constant(count.outer_offset));
        let limit = self.widened(builder, count.limit, count.is_limit_signed);
        let limit = limit.plus(builder, &Index::Constant(count.more));
        let offset = count.inner_offset.plus(count.outer_offset).negated();
        if count.end == End::AboveByComplement {
            let complement = |builder: &mut Builder<'_>, index: &Index| n(-1).minus(builder, index);
            let start = complement(builder, &start);
            let limit = complement(builder, &limit);
            let (lower, upper, last) = match is_first {
                false => {
                    let last = start.greatest(builder, &limit);
                    (start, limit, last)
                }
                true => {
                    let lower = start.plus(builder, &n(-1));
                    (lower, limit.greatest(builder, &start), n(0))
                }
            };
            // The variable lags the tested value by one step, as in the case below.
            let ahead = if is_first { n(-2) } else { n(-1) };
            return Bounds {
                lower,
                upper,
                step: one,
                base: ahead.plus(builder, &Index::Constant(offset)),
                factor: step,
                last,
            };
        }
        if count.end == End::Above {
            let down = step.negated();
            let span = start.minus(builder, &limit);
            let nearly = Index::Constant(down.minus(1));
            let span = span.plus(builder, &nearly).divided(builder, down);
            let (upper, last) = match is_first {
                false => (span.clone(), span.greatest(builder, &n(0))),
                true => (span.greatest(builder, &n(0)).plus(builder, &n(1)), n(0)),
            };
            return Bounds {
                lower: n(0),
                upper,
                step: one,
                base: start.plus(builder, &Index::Constant(offset)),
                factor: step,
                last,
            };
        }
        if is_first {
            // The variable lags the tested value by one step.
            let lower = start.minus(builder, &Index::Constant(step));
            let least = lower.plus(builder, &n(1));
            return Bounds {
                upper: limit.greatest(builder, &least),
                lower,
                step,
                base: Index::Constant(offset.plus(step)),
                factor: one,
                last: n(0),
            };
        }
        let last = match step == one {
            true => start.greatest(builder, &limit),
            false => {
                let span = limit.minus(builder, &start);
                let nearly = Index::Constant(step.minus(1));
                let rounds = span.plus(builder, &nearly).divided(builder, step);
                let rounds = rounds.greatest(builder, &n(0)).times(builder, step);
                rounds.plus(builder, &start)
            }
        };
        Bounds {
            lower: start,
            upper: limit,
            step,
            base: Index::Constant(offset),
            factor: one,
            last,
        }
    }

    /// Adds a constant to a value of the counter's type, with wrapping.
    fn moved(&self, builder: &mut Builder<'_>, value: ValueId, by: Exact) -> ValueId {
        if by.is_zero() {
            return value;
        }
        if let Some(bits) = constant_of(self.context, builder.body, value) {
            let sum = Exact::signed(&bits).plus(by);
            return crate::build::constant(builder, self.ty, sum);
        }
        let by = crate::build::constant(builder, self.ty, by);
        crate::build::binary(builder, arith::Addi::NAME, value, by)
    }

    /// Returns the counter for a value of the new loop's variable.
    fn counter(&self, builder: &mut Builder<'_>, bounds: &Bounds, variable: &Index) -> ValueId {
        let multiple = variable.times(builder, bounds.factor);
        let counter = multiple.plus(builder, &bounds.base);
        if let Index::Constant(number) = counter {
            return crate::build::constant(builder, self.ty, number);
        }
        let counter = counter.value(builder);
        crate::build::convert(builder, arith::IndexCast::NAME, counter, self.ty)
    }
}

/// The source of a result of the old loop.
enum Given {
    Nothing,
    Outside(ValueId),
    /// The code before the test computes it.
    Computed,
    /// The new loop has a result for it.
    Result(usize),
}

/// Moves all operations of a block except the terminator to the end of another one.
fn move_to(body: &mut Body, from: BlockId, to: BlockId) {
    let last = body.last_operation(from);
    for op in body.operations(from).collect::<Vec<_>>() {
        if Some(op) != last {
            body.move_to_end(to, op);
        }
    }
}

/// Erases the operations that compute an unused value.
pub(crate) fn erase_unused(context: &Context, body: &mut Body, value: ValueId) {
    let Some(op) = body.defining_operation(value) else {
        return;
    };
    if body.is_erased(op) {
        return;
    }
    let is_unused = body
        .results(op)
        .iter()
        .all(|result| body.is_unused(*result));
    if is_unused && is_pure(View::new(context, body, op)) {
        let operands: Vec<ValueId> = body.operands(op).collect();
        body.erase(op);
        for operand in operands {
            erase_unused(context, body, operand);
        }
    }
}
